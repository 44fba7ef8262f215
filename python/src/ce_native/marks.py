"""A few bytes that the parent and a child share: which run's workspace is laid out."""

import mmap

_BYTES = 64


class SharedMark:
    """Written by the child, compared by whoever collects its files. Code may write anything: only equality counts."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)

    def clear(self) -> None:
        self._memory[:_BYTES] = bytes(_BYTES)

    def set(self, run: str) -> None:
        self._memory[:_BYTES] = run.encode()[:_BYTES].ljust(_BYTES, b"\0")

    def is_set_to(self, run: str) -> bool:
        return self._memory[:_BYTES] == run.encode()[:_BYTES].ljust(_BYTES, b"\0")
