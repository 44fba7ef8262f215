"""Files that code has left open: what they hold in memory must reach the workspace before the run ends.

A file that is not closed may still hold its last part, and writing that can fail: the disk is full. Python itself loses
it without a word when the interpreter ends. Here it becomes the error of the run.
"""

import _io
import errno
import gc
import os
import re
import select
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Set

from .encode.types import bases
from .output import BinaryStream, OutputStream
from .stops import Stop

_IO_BASE: Any = _io._IOBase  # the real base: the ABC in io would ask the class
_OWN_STREAMS = (OutputStream, BinaryStream)
#: What most names are: not worth a longer look.
_NO_FILES = frozenset((type, type(os), type(os.open), type(os.fsdecode), str, int, float, bool, type(None), list, dict, tuple))
_DESCRIPTORS = "/proc/self/fd"
_MOST_POLLED = 1_024
#: The poll object, made once: registering costs more than asking. Then the last answer, and what it means.
_polled: List[Any] = []
_listdir, _fstat, _getcwd = os.listdir, os.fstat, os.getcwd  # code may have replaced them, for a test of its own


class Unsaved(NamedTuple):
    """A file whose last part could not be written."""

    name: str
    error: BaseException


class OpenFiles:
    """Finds and settles the files that the code of a run has left open."""

    def __init__(self, may_have_opened: Callable[[], bool]) -> None:
        self._may_have_opened = may_have_opened
        self._unsaved: List[Unsaved] = []
        self._before: Optional[Set[int]] = None

    def begin(self) -> None:
        """Before a run."""
        self._unsaved = []
        sys.unraisablehook = self._on_unraisable
        if self._before is None:  # whatever the process itself has open
            self._before = open_descriptors()

    def settle(self, names: Dict[str, Any], close: bool) -> List[Unsaved]:
        """Flushes the open files; closes them, and archives, if nothing comes after this run. Tells what was not saved.

        In a session a file that cannot be flushed is closed as well, so that its loss is told once and not by every
        later run.
        """
        if not self._may_have_opened():
            return []
        archives = _archives()
        named = [value for value in list(names.values()) if type(value) not in _NO_FILES and _is_file(value, archives)]
        self._settle_all(named, close)
        # Looking at every object costs about 10 ms, so only if there are open files that no name leads to.
        others = open_descriptors() - (self._before or set()) - {_descriptor(file) for file in named}
        if others:
            self._settle_all([value for value in _all_files() if _descriptor(value) in others], close)
        unsaved, self._unsaved = self._unsaved, []
        return unsaved

    def _settle_all(self, files: List[Any], close: bool) -> None:
        for file in _outermost_first(files):
            if close or _IO_BASE in bases(file):
                self._settle_one(file, close)

    def _settle_one(self, file: Any, close: bool) -> None:
        try:
            if _IO_BASE in bases(file) and (file.closed or not file.writable()):
                return
        except Exception:
            return  # a wrapper whose file was taken out of it
        flushed = False
        try:
            if _IO_BASE in bases(file):
                file.flush()
                flushed = True
            if close:
                file.close()
        except Exception as error:
            # Code that closes descriptors by hand leaves file objects behind, which have lost nothing if the flush went well.
            if not (flushed and _is_closed_by_hand(error)):
                self._unsaved.append(Unsaved(_name(file), error))
                _close(file)

    def _on_unraisable(self, unraisable: Any) -> None:
        """sys.unraisablehook: the last part of a file may also be lost when the file object is collected."""
        error = unraisable.exc_value
        if isinstance(error, Stop):
            return  # the runtime raises it again
        name = _collected_file(unraisable)
        if name is None or not isinstance(error, OSError) or _is_closed_by_hand(error):
            sys.__unraisablehook__(unraisable)
        else:
            self._unsaved.append(Unsaved(name, error))


def _archives() -> Set[type]:
    found = [getattr(sys.modules.get(module), name, None) for module, name in (("zipfile", "ZipFile"), ("tarfile", "TarFile"))]
    return {cls for cls in found if isinstance(cls, type)}


def _is_file(value: Any, archives: Set[type]) -> bool:
    kinds = bases(value)
    if _IO_BASE in kinds:
        return not any(cls in kinds for cls in _OWN_STREAMS)
    return bool(archives and not archives.isdisjoint(kinds))


def _all_files() -> List[Any]:
    """Every file and archive in memory, whatever holds it: a look at 30,000 objects or more."""
    kinds: Set[type] = set()
    waiting = [_IO_BASE, *_archives()]
    while waiting:
        cls = waiting.pop()
        if cls not in kinds and cls not in _OWN_STREAMS:
            kinds.add(cls)
            waiting.extend(type.__subclasses__(cls))
    return [value for value in gc.get_objects() if type(value) in kinds]


def _outermost_first(files: List[Any]) -> List[Any]:
    """A file that writes into another one comes before it: what it holds would have nowhere to go otherwise."""
    among = {id(file) for file in files}
    seen: Set[int] = set()
    ordered: List[Any] = []

    def visit(file: Any) -> None:
        seen.add(id(file))
        for part in _parts(file):
            if id(part) in among and id(part) not in seen:
                visit(part)
        ordered.append(file)

    for file in files:
        if id(file) not in seen:
            visit(file)
    return ordered[::-1]


def _parts(value: Any) -> List[Any]:
    parts: List[Any] = []
    for part in gc.get_referents(value):
        parts.extend(dict.values(part) if type(part) is dict else [part])
    return parts


def open_descriptors() -> Set[int]:
    """The open descriptors of the process; empty where the system does not tell."""
    try:
        listed = [int(name) for name in _listdir(_DESCRIPTORS)]
    except (OSError, ValueError):
        return set() if sys.platform == "emscripten" else _polled_descriptors()
    return {descriptor for descriptor in listed if _is_open(descriptor)}  # the listing itself had one


def _polled_descriptors() -> Set[int]:
    """Without /proc: one poll of all numbers that a limit allows (20 microseconds); empty where there is no limit."""
    if not _polled:
        most = os.sysconf("SC_OPEN_MAX")
        if not 0 < most <= _MOST_POLLED:
            return set()
        poll = select.poll()
        for descriptor in range(most):
            poll.register(descriptor, 0)
        _polled[:] = [poll, most, [], set(range(most))]
    poll, most, former, found = _polled
    opened: Set[int] = found
    answer = poll.poll(0)
    if answer != former:
        closed = [descriptor for descriptor, event in answer if event & select.POLLNVAL]
        opened = set(range(most)).difference(closed)
        _polled[2:] = [answer, opened]
    return opened


def _is_open(descriptor: int) -> bool:
    try:
        _fstat(descriptor)
    except OSError:
        return False
    return True


def _descriptor(file: Any) -> int:
    """-1 for what has none."""
    try:
        if _IO_BASE in bases(file):
            return int(file.fileno())
        inner: Any = getattr(file, "fp", None) or getattr(file, "fileobj", None)
        return int(inner.fileno())
    except Exception:
        return -1


def _name(file: Any) -> str:
    """As the code has named it, as far as that can be told."""
    for attribute in ("filename", "name"):
        try:
            name = getattr(file, attribute)
        except Exception:
            continue
        if isinstance(name, (str, bytes, os.PathLike)):
            return _shown(os.fsdecode(name))
    return "a file"


def _shown(name: str) -> str:
    folder = _getcwd() + os.sep
    return name[len(folder) :] if name.startswith(folder) else name


def _collected_file(unraisable: Any) -> Optional[str]:
    """The name of the file in whose finalizer the error was raised."""
    if _IO_BASE in bases(unraisable.object):
        return _name(unraisable.object)
    message = unraisable.err_msg or ""
    if "finalizing file" not in message:
        return None
    match = re.search(r"name='([^']*)'", message)
    return _shown(match.group(1)) if match else "a file"


def _is_closed_by_hand(error: BaseException) -> bool:
    return isinstance(error, OSError) and error.errno == errno.EBADF


def _close(file: Any) -> None:
    """Lets go of a file that cannot be saved; a second error says nothing new."""
    try:
        file.close()
    except Exception:
        return
