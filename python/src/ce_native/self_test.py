"""Run as the code of a run in a fresh jail, by ``auto`` and ``doctor``: tries to get out by the shortest ways.

The names ``canary`` (a file outside), ``port`` (a listener on the loopback interface) and ``memory_mb`` come with the run.
Its value names what succeeded. Raw calls of the C library are used, for the refusals of the runtime are no walls.
"""

import ctypes
import mmap
import os

c = ctypes.pythonapi
got_out = []
tried = []


def attempt(name, action):
    tried.append(name)
    try:
        if action():
            got_out.append(name)
    except (OSError, MemoryError, ValueError):
        return


def call(function, *arguments):
    """True if the call of the C library did something."""
    function.restype = ctypes.c_long
    return function(*arguments) >= 0


def read_canary():
    return len(open(canary).read()) > 0  # noqa: F821


def connect():
    descriptor = c.socket(2, 1, 0)
    address = (2).to_bytes(2, "little") + port.to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)  # noqa: F821
    return descriptor >= 0 and c.connect(descriptor, address, 16) == 0


def spawn():
    pid = c.fork()
    if pid == 0:
        c._exit(0)
    return pid > 0


def execute():
    words = (ctypes.c_char_p * 2)(b"/bin/true", None)
    return c.posix_spawn(ctypes.byref(ctypes.c_int()), b"/bin/true", None, None, words, None) == 0


def write_kernel_setting():
    return os.path.exists("/proc/sys/kernel") and os.access("/proc/sys/kernel/core_pattern", os.W_OK)


def exceed_memory():
    kept = []
    for _part in range(memory_mb // 16 + 16):  # noqa: F821
        kept.append(mmap.mmap(-1, 16 * 1024 * 1024))
        kept[-1][0] = 1
    return True


attempt("reading a file of this machine", read_canary)
attempt("connecting to a port of this machine", connect)
attempt("starting a process", spawn)
attempt("running a program", execute)
attempt("writing a setting of the kernel", write_kernel_setting)
attempt("taking more memory than allowed", exceed_memory)
attempt("signalling the first process", lambda: call(c.kill, 1, 0))
attempt("being traced", lambda: call(c.ptrace, 0, 0, None, None))
attempt("making a link", lambda: call(c.symlink, b"/etc/passwd", b"self-test-link"))
attempt("making a namespace", lambda: call(c.unshare, 0x10000000))
# The jail must be one in which code works: a test in which nothing works finds nothing.
with open("works", "w") as file:
    file.write("works")
os.remove("works")
{"tried": len(tried), "gotOut": got_out}
