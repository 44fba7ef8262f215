"""Frames over one connection to the host, blocking: this side of src/wire/frames.ts."""

import _socket
import struct
import threading
from collections import deque
from typing import Any, Callable, Deque, Dict, List, Tuple

from ce_runtime.wire import parse_reply

Frame = Tuple[Dict[str, Any], bytes]

_PREFIX = struct.Struct(">II")
_BUFFER_BYTES = 64 * 1024
#: Requests of the runtime's own (file contents) have numbers from here on, those of code (calls) lower ones.
FIRST_OWN_ID = 2**31


class ConnectionEnded(BaseException):
    """The host is gone or has no more use for this process."""


class Channel:
    """One connection. Code may use it from several threads at a time by way of prints and calls."""

    def __init__(self) -> None:
        self._send_all: Callable[[Any], Any] = _not_open
        self._receive_some: Callable[[int], bytes] = _not_open
        self._writing = threading.Lock()
        self._reading = threading.RLock()
        self._buffer = b""
        self._early: Deque[Frame] = deque()
        self._headers: Dict[int, str] = {}

    def open(self, connection: _socket.socket) -> None:
        """Once, before anything else."""
        # Taken now: code may replace the methods of the class.
        self._send_all = connection.sendall
        self._receive_some = connection.recv

    def send(self, header: str, payload: bytes) -> None:
        """Sends one frame; waits while the host does not read."""
        text = header.encode("utf-8", "surrogatepass")
        head = _PREFIX.pack(len(text), len(payload)) + text
        with self._writing:
            if len(payload) <= _BUFFER_BYTES:
                self._send_all(head + bytes(payload))
            else:
                self._send_all(head)
                self._send_all(payload)

    def receive(self) -> Tuple[str, bytes]:
        """The next frame of any kind, its header as text. Raises ConnectionEnded."""
        header_bytes, payload_bytes = _PREFIX.unpack(self._take(_PREFIX.size))
        header = self._take(header_bytes).decode("utf-8")
        return header, self._take(payload_bytes) if payload_bytes else b""

    def receive_reply(self) -> Tuple[str, bytes]:
        """The next answer to a call of code; waits for it."""
        with self._reading:
            while not self._early:
                header, payload = self.receive()
                head = parse_reply(header)
                if head.get("type") == "reply" and head["id"] < FIRST_OWN_ID:
                    return header, payload
            head, payload = self._early.popleft()
            return self._headers.pop(id(head)), payload

    def ask(self, header: str, number: int, on_part: Callable[[Dict[str, Any], bytes], None]) -> Dict[str, Any]:
        """Sends a request of the runtime's own; hands over what comes until the reply to it, and returns that."""
        with self._reading:
            self.send(header, b"")
            while True:
                text, payload = self.receive()
                head = parse_reply(text)
                if head.get("type") != "reply":
                    on_part(head, payload)
                elif head["id"] == number:
                    return head
                elif head["id"] < FIRST_OWN_ID:
                    self._early.append((head, payload))
                    self._headers[id(head)] = text

    def forget_replies(self) -> None:
        """Replies to calls that nobody waited for belong to a run that is over."""
        self._early.clear()
        self._headers.clear()

    def _take(self, count: int) -> bytes:
        if len(self._buffer) >= count:
            taken, self._buffer = self._buffer[:count], self._buffer[count:]
            return taken
        parts: List[bytes] = [self._buffer]
        missing = count - len(self._buffer)
        self._buffer = b""
        while missing > 0:
            part = self._receive_some(max(_BUFFER_BYTES, min(missing, 1 << 20)))
            if not part:
                raise ConnectionEnded
            parts.append(part)
            missing -= len(part)
        taken = b"".join(parts)
        if missing < 0:
            taken, self._buffer = taken[:count], taken[count:]
        return taken


def _not_open(_data: Any) -> bytes:
    raise ConnectionEnded
