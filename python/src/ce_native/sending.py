"""Changed files on their way to the host: the frames ``file``, ``folder`` and ``remove``."""

import json
import os
from typing import Callable

PART_BYTES = 4 * 1024 * 1024
Send = Callable[[str, bytes], None]

#: JSON text of a header; taken before any user code could patch json.
dumps = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
_open, _read, _close, _chmod = os.open, os.read, os.close, os.chmod
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def send_file(send: Send, file: str, path: str) -> int:
    """Sends the content of ``file`` as the workspace file ``path``, in parts; returns its length. Raises OSError."""
    try:
        descriptor = _open(file, _FLAGS)
    except PermissionError:  # by its mode
        _chmod(file, 0o600)
        descriptor = _open(file, _FLAGS)
    try:
        offset = 0
        part = _read_part(descriptor)
        while True:
            following = _read_part(descriptor) if len(part) == PART_BYTES else b""
            last = not following
            send(dumps({"type": "file", "path": path, "offset": offset, "last": last}), part)
            offset += len(part)
            if last:
                return offset
            part = following
    finally:
        _close(descriptor)


def send_folder(send: Send, path: str) -> None:
    send(dumps({"type": "folder", "path": path}), b"")


def send_removal(send: Send, path: str) -> None:
    send(dumps({"type": "remove", "path": path}), b"")


def _read_part(descriptor: int) -> bytes:
    """As many bytes as there are, up to a part."""
    parts = []
    missing = PART_BYTES
    while missing > 0:
        some = _read(descriptor, missing)
        if not some:
            break
        parts.append(some)
        missing -= len(some)
    return parts[0] if len(parts) == 1 else b"".join(parts)
