"""Calls of Linux that Python has no function for. Everything here is trusted and runs before any code of a run."""

import ctypes
import os
import platform
from typing import List, Sequence, Tuple

_SECCOMP = {"x86_64": 317, "aarch64": 277}
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_PR_SET_DUMPABLE = 4
_SET_MODE_FILTER = 1

# Rights of Landlock, by the bit of the kernel's header.
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14
#: How many rights a version of Landlock knows.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_RIGHTS_NOW = 16
_READ = _READ_FILE | _READ_DIR
_CHANGE = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER | _TRUNCATE
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1
#: Abstract sockets and signals to processes that are not in the same Landlock domain.
_SCOPES = 3
_TCP = 3

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def make_undumpable() -> None:
    """No core file, and nobody of the same uid may look into this process."""
    if _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise _last_error("prctl")


def load_filter(program: bytes, pid_offsets: Sequence[int] = ()) -> None:
    """Loads a seccomp filter for this process for ever; the pid goes to where ``pid_offsets`` says. Raises OSError."""
    code = bytearray(program)
    for offset in pid_offsets:
        code[offset : offset + 4] = os.getpid().to_bytes(4, "little")
    buffer = (ctypes.c_ubyte * len(code)).from_buffer(code)
    described = _Program(len(code) // 8, ctypes.addressof(buffer))
    if _syscall(_SECCOMP[platform.machine()], _SET_MODE_FILTER, 0, ctypes.byref(described)) != 0:
        raise _last_error("seccomp")


def landlock_version() -> int:
    """0 where the kernel has no Landlock or has it switched off."""
    version = int(_syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), _CREATE_RULESET_VERSION))
    return max(version, 0)


def restrict_files(version: int, writable: Sequence[str]) -> None:
    """From now on this process reads files and writes below ``writable`` only, whatever the mounts allow. Raises OSError."""
    handled = (1 << _RIGHTS.get(version, _RIGHTS_NOW)) - 1
    fields = [handled] + ([_TCP] if version >= 4 else []) + ([_SCOPES] if version >= 6 else [])
    attributes = (ctypes.c_uint64 * len(fields))(*fields)
    ruleset = int(_syscall(_LANDLOCK_CREATE, attributes, ctypes.c_size_t(ctypes.sizeof(attributes)), 0))
    if ruleset < 0:
        raise _last_error("landlock_create_ruleset")
    rules: List[Tuple[str, int]] = [("/", _READ), ("/dev/null", _READ_FILE | _WRITE_FILE | _TRUNCATE)]
    rules += [(folder, _CHANGE) for folder in writable]
    for path, rights in rules:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = _PathBeneath(rights & handled, folder)
        failed = _syscall(_LANDLOCK_ADD, ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0) != 0
        os.close(folder)
        if failed:
            raise _last_error("landlock_add_rule")
    if _syscall(_LANDLOCK_RESTRICT, ruleset, 0) != 0:
        raise _last_error("landlock_restrict_self")
    os.close(ruleset)


def _last_error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, "%s: %s" % (what, os.strerror(number)))
