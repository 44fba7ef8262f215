"""The worker inside Pyodide: turns the JavaScript side's objects into what the runtime expects."""

from typing import Any, Callable, Tuple

from .worker import wake


class JsHost:
    """The channel, by way of the guest's JavaScript."""

    busy = False  # signals are polled by Python, and JavaScript writes whole frames

    def __init__(self, js: Any) -> None:
        from pyodide.ffi import to_js  # type: ignore[import-not-found]

        self._to_js = to_js
        self._send = js.send
        self._receive = js.receive
        self.remaining = js.remaining
        self.scratch_is_full = js.scratchIsFull
        self.flush_files = js.flushFiles

    def send(self, header: str, payload: bytes) -> None:
        if payload:
            self._send(header, self._to_js(payload))
        else:
            self._send(header)

    def make_room(self) -> None:
        """There is no more to be had: the limit is the engine's."""

    def may_have_opened(self) -> bool:
        return True

    def receive(self) -> Tuple[str, bytes]:
        frame = self._receive()
        return frame[0], frame[1].to_bytes()


def start(js: Any) -> Callable[[str, Any], None]:
    """A function that takes one ``run`` frame: its header as JSON text and its payload as a Uint8Array."""
    worker = wake(JsHost(js), "/workspace")

    def run(header: str, payload: Any) -> None:
        worker.run(header, payload.to_bytes())

    return run
