"""sys.stdout and sys.stderr: text streams whose content goes to the host in ``out`` frames.

The first lines of a run are sent one by one, so that a short run shows up at once; later ones are gathered, because
a frame costs more than a line. One buffer serves both streams, which keeps their order.
"""

import io
import threading
import time
from typing import Any, List, Optional

from .host import Host
from .stops import OutputLimitReached
from .wire import OUT_BYTES, out_header

_EAGER_LINES = 100
_GATHER_CHARS = 8 * 1024
_GATHER_SECONDS = 0.05
_PIECE_CHARS = OUT_BYTES // 4  # a character takes at most 4 bytes

_clock = time.perf_counter


class Output:
    """The buffer behind both streams, and the count of bytes of a run."""

    def __init__(self, host: Host) -> None:
        self.stdout = OutputStream(self, "stdout")
        self.stderr = OutputStream(self, "stderr")
        self.busy = False
        self._host = host
        self._limit = 0
        self._sent = 0
        self._lines = 0
        self._flushed_at = 0.0
        self._parts: List[str] = []
        self._size = 0
        self._stream = "stdout"
        self._open = False
        self._lock = threading.RLock()  # code on CPython may print from threads

    @property
    def wrote(self) -> bool:
        """True when this run has printed anything."""
        return self._sent > 0 or self._size > 0

    def start(self, limit: int) -> None:
        """Begins a run that may print ``limit`` bytes."""
        self._parts, self._size = [], 0
        self._limit, self._sent, self._lines, self._flushed_at = limit, 0, 0, _clock()
        self._open, self.busy = True, False

    def finish(self) -> None:
        """Ends the run: sends what is left, drops what comes later."""
        try:
            self.flush()
        except OutputLimitReached:
            pass
        self._open = False

    def write(self, stream: str, text: str) -> None:
        if not self._open:
            return
        with self._lock:
            if stream != self._stream:
                self.flush()
                self._stream = stream
            self._parts.append(text)
            self._size += len(text)
            if self._size >= _GATHER_CHARS:
                self.flush()
            elif "\n" in text:
                self._lines += 1
                if self._lines <= _EAGER_LINES or _clock() - self._flushed_at >= _GATHER_SECONDS:
                    self.flush()

    def send_now(self, header: str, payload: bytes = b"") -> None:
        """Sends another frame in its place among the output."""
        with self._lock:
            self.flush()
            self.busy = True
            try:
                self._host.send(header, payload)
            finally:
                self.busy = False

    def flush(self) -> None:
        with self._lock:
            if self._size and not self.busy:
                self._flush()

    def _flush(self) -> None:
        self.busy = True  # the deadline waits: a frame is sent whole or not at all
        try:
            text = self._parts[0] if len(self._parts) == 1 else "".join(self._parts)
            self._parts, self._size = [], 0
            self._flushed_at = _clock()
            self._send(text)
        finally:
            self.busy = False

    def _send(self, text: str) -> None:
        header = out_header(self._stream)
        for start in range(0, len(text), _PIECE_CHARS):
            piece = text[start : start + _PIECE_CHARS].encode("utf-8", "backslashreplace")
            room = self._limit - self._sent
            if len(piece) > room:
                piece = piece[:room]
                self._sent = self._limit
                if piece:
                    self._host.send(header, piece)
                raise OutputLimitReached
            self._sent += len(piece)
            for offset in range(0, len(piece), OUT_BYTES):
                self._host.send(header, piece[offset : offset + OUT_BYTES])


class OutputStream(io.TextIOBase):
    """One of the two streams. The same object lives as long as the interpreter, for handlers keep it."""

    mode = "w"
    line_buffering = True
    write_through = False

    def __init__(self, output: Output, stream: str) -> None:
        super().__init__()
        self.name = "<%s>" % stream
        self._output = output
        self._stream = stream
        self._binary: Optional[BinaryStream] = None

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        return "backslashreplace"

    @property
    def buffer(self) -> "BinaryStream":
        if self._binary is None:
            self._binary = BinaryStream(self)
        return self._binary

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not %s" % type(text).__name__)
        self._output.write(self._stream, text)
        return len(text)

    def flush(self) -> None:
        self._output.flush()

    def reconfigure(self, **_options: Any) -> None:
        """Accepted for scripts that ask for UTF-8, which it is already."""

    def close(self) -> None:
        """Leaves the stream open: later runs and the runtime still need it."""
        self.flush()


class BinaryStream(io.BufferedIOBase):
    """``sys.stdout.buffer``: bytes are shown as UTF-8 text."""

    def __init__(self, text: OutputStream) -> None:
        super().__init__()
        self.raw = self  # type: ignore[assignment]
        self._text = text

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raw = bytes(data)
        self._text.write(raw.decode("utf-8", "backslashreplace"))
        return len(raw)

    def flush(self) -> None:
        self._text.flush()

    def close(self) -> None:
        """Leaves it open: a wrapper around it that is collected must not close the output."""
        self._text.flush()
