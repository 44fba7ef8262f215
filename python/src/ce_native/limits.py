"""Limits that the kernel keeps for a run."""

import mmap
import resource
import sys
import threading
from typing import Callable

MIB = 1024 * 1024
#: Of the parent as well, so that what it has found out about descriptors holds in a child.
OPEN_FILES = 256
#: Threads of the whole jail; the parent is one of them.
_THREADS = 66
_THREAD_STACK = MIB
#: What the interpreter itself takes during a run.
_OWN_BYTES = MIB
#: Beyond the limit of code: the report of a run that has filled its memory, and the wait for the next one.
_RESERVE_BYTES = 16 * MIB
#: Deeper than that an error on the way up costs seconds, or all memory.
_BYTES_PER_LEVEL = 4_096
#: Before 3.11 each level of Python also takes some 0.5 KiB of the C stack, which has 8 MiB.
_MOST_LEVELS = 10_000 if sys.version_info < (3, 11) else 1_000_000
_set_limit = resource.setrlimit
_set_recursion_limit = sys.setrecursionlimit


def address_space(most: int = 1 << 46) -> int:
    """Bytes of address space of this process, found without /proc: below which limit one more page does not fit.

    ``most``: where to begin, no more than the hard limit.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    low, high = 0, most
    try:
        while high - low > mmap.PAGESIZE:
            middle = (low + high) // 2 // mmap.PAGESIZE * mmap.PAGESIZE
            _set_limit(resource.RLIMIT_AS, (middle, hard))
            try:
                mmap.mmap(-1, mmap.PAGESIZE).close()
                high = middle
            except (OSError, MemoryError):
                low = middle
    finally:
        _set_limit(resource.RLIMIT_AS, (soft, hard))
    return high


class Limits:
    """The limits of one process that runs code."""

    def __init__(self, used: int, most_mb: int) -> None:
        """``used``: address space before any code ran. ``most_mb``: what no run may exceed, in MiB."""
        self._base = used + _OWN_BYTES
        self._most = self._base + most_mb * MIB + _RESERVE_BYTES
        self._is_full = False

    def put_on(self) -> None:
        """Once, before any code runs."""
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
        resource.setrlimit(resource.RLIMIT_NPROC, (_THREADS, _THREADS))
        resource.setrlimit(resource.RLIMIT_MSGQUEUE, (0, 0))
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (self._most, self._most))
        threading.stack_size(_THREAD_STACK)

    def begin(self, memory_mb: int, largest_file: int) -> None:
        """Before each run: MiB of memory, and the length of the largest file that may be written."""
        limit = min(self._base + memory_mb * MIB, self._most - _RESERVE_BYTES)
        if self._is_full:  # a session must be able to throw away what fills it
            limit = max(limit, min(address_space(self._most) + _RESERVE_BYTES // 2, self._most))
            self._is_full = False
        _set_limit(resource.RLIMIT_AS, (limit, self._most))
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, resource.RLIM_INFINITY))
        sys.setrecursionlimit = _bounded_setter(min(memory_mb * MIB // _BYTES_PER_LEVEL, _MOST_LEVELS))

    def make_room(self) -> None:
        """The code has filled its memory; from here on the runtime itself needs some."""
        self._is_full = True
        self.lift()

    def lift(self) -> None:
        """The code is over: what comes is the runtime's own."""
        _set_limit(resource.RLIMIT_AS, (self._most, self._most))


def _bounded_setter(most: int) -> Callable[[int], None]:
    def setrecursionlimit(limit: int) -> None:
        """Sets the deepest recursion; here at most what fits into the memory of a run."""
        _set_recursion_limit(min(limit, most))

    return setrecursionlimit
