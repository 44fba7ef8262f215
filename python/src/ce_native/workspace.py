"""The workspace of a run: a folder in memory that looks complete from the start and is filled as code opens files.

Each file of the host's list exists with its length and time, but without content (a hole, marked by a bit of its mode).
An audit hook sees every file that Python opens, before it is open, and fetches what is missing. Changes are found by
comparing with what was put there, and sent at the end of a run.
"""

import contextlib
import os
import stat
from typing import Any, Dict, List, NamedTuple, Optional, Pattern, Set

from .channel import FIRST_OWN_ID, Channel
from .sending import dumps, send_file, send_folder, send_removal
from .tree import NOT_LOADED, walk

#: Small neighbours of an opened file come with it: one round trip instead of hundreds.
_AHEAD_FILE_BYTES = 64 * 1024
_AHEAD_TOTAL_BYTES = 2 * 1024 * 1024
_AHEAD_FILES = 128
_FILE_MODE = 0o644
_DESCRIPTORS = 256
#: Sent beyond what the run may add before nothing more is read: the host has refused long before.
_SLACK_BYTES = 1024 * 1024

# Code may replace them, for a test of its own.
_open, _close, _write, _stat, _lstat, _fstat = os.open, os.close, os.write, os.stat, os.lstat, os.fstat
_ftruncate, _fchmod, _utime, _mkdir, _unlink, _rmdir = os.ftruncate, os.fchmod, os.utime, os.mkdir, os.unlink, os.rmdir


class Entry(NamedTuple):
    """What the host has under a path, and what was put on disk for it."""

    is_folder: bool
    size: int
    mtime_ns: int
    version: str
    inode: int


class Workspace:
    """The files of the principal as of the start of a run."""

    def __init__(self, root: str, channel: Channel) -> None:
        self.root = root
        self._channel = channel
        self._known: Dict[str, Entry] = {}
        self._missing: Dict[int, str] = {}
        self._mapped: Set[int] = set()
        self._left_over: List[str] = []
        self._next_id = FIRST_OWN_ID
        self._room = 0

    @property
    def is_complete(self) -> bool:
        """True when no file lacks its content."""
        return not self._missing

    @property
    def files(self) -> int:
        """How many files and folders the host has."""
        return len(self._known)

    @property
    def largest_file(self) -> int:
        return max((entry.size for entry in self._known.values()), default=0)

    def begin(self, manifest: Optional[List[Dict[str, Any]]], disk_bytes: int) -> None:
        """Lays the files out; ``manifest`` absent: they are as they were. ``disk_bytes``: what a run may add."""
        if manifest is not None:
            self._lay_out(manifest)
        self._room = disk_bytes + sum(entry.size for entry in self._known.values()) + _SLACK_BYTES

    def load(self, inode: int) -> None:
        """Brings the content of a file, and that of small neighbours with it. Raises OSError."""
        path = self._missing.get(inode)
        if path is None:
            return
        wanted = {path: inode}
        if self._known[path].size <= _AHEAD_FILE_BYTES:
            self._add_neighbours(path, wanted)
        self._fetch(path, wanted)

    def load_below(self, path: str) -> None:
        """Brings all that is missing below a folder of the workspace (relative path), or everywhere (empty)."""
        prefix = path + "/" if path else ""
        for inode, missing in list(self._missing.items()):
            if missing.startswith(prefix):
                self.load(inode)

    def load_matching(self, pattern: Pattern[str]) -> None:
        """Brings every file whose path has ``pattern`` in it."""
        for inode, path in list(self._missing.items()):
            if pattern.search(path):
                self.load(inode)

    def has_missing(self, name: str) -> bool:
        """True if some file called ``name`` lacks its content."""
        return any(os.path.basename(path) == name for path in self._missing.values())

    def note_mapped(self, descriptor: int) -> None:
        """Changes through a mapping leave no time stamp."""
        try:
            self._mapped.add(_fstat(descriptor).st_ino)
        except OSError:
            return

    def flush(self) -> None:
        """Sends what changed since it was put there or sent."""
        present: Set[str] = set()
        for found in walk(self.root):
            if self._room < 0:
                return
            present.add(found.path)
            info = found.info
            known = self._known.get(found.path)
            if found.is_folder:
                if known is None or not known.is_folder:
                    send_folder(self._channel.send, found.path)
                    self._known[found.path] = Entry(True, 0, 0, "", info.st_ino)
            elif known is None or self._has_changed(found.path, known, info):
                self._send(found.path, info)
        for path in sorted(set(self._known) - present, reverse=True):
            send_removal(self._channel.send, path)
            del self._known[path]
        self._left_over = sorted(present)
        self._mapped.clear()

    def _has_changed(self, path: str, known: Entry, info: os.stat_result) -> bool:
        if known.is_folder or known.inode != info.st_ino:
            return True
        if self._missing.get(info.st_ino) == path:
            return False
        return known.size != info.st_size or known.mtime_ns != info.st_mtime_ns or info.st_ino in self._mapped

    def _send(self, path: str, info: os.stat_result) -> None:
        self.load(info.st_ino)
        self._room -= send_file(self._channel.send, os.path.join(self.root, path), path)
        self._known[path] = Entry(False, info.st_size, info.st_mtime_ns, "", info.st_ino)

    def _lay_out(self, manifest: List[Dict[str, Any]]) -> None:
        before, self._known = self._known, {}
        listed = {entry["path"] for entry in manifest}
        self._remove_unlisted(set(before) | set(self._left_over), manifest)
        in_use = _inodes_in_use() if before else set()
        for entry in manifest:
            path: str = entry["path"]
            old = before.get(path)
            if entry["kind"] == "directory":
                self._known[path] = Entry(True, 0, 0, "", self._make_folder(path))
            elif old is not None and not old.is_folder and old.version == entry["version"]:
                self._known[path] = old
            else:
                self._put_placeholder(entry, old, in_use)
        self._missing = {inode: path for inode, path in self._missing.items() if path in listed}

    def _remove_unlisted(self, paths: Set[str], manifest: List[Dict[str, Any]]) -> None:
        kinds = {entry["path"]: entry["kind"] == "directory" for entry in manifest}
        for path in sorted(paths, reverse=True):
            place = os.path.join(self.root, path)
            try:
                is_folder = stat.S_ISDIR(_lstat(place).st_mode)
                if kinds.get(path) != is_folder:
                    (_rmdir if is_folder else _unlink)(place)
            except OSError:
                continue

    def _make_folder(self, path: str) -> int:
        place = os.path.join(self.root, path)
        with contextlib.suppress(FileExistsError):
            _mkdir(place, 0o755)
        return _lstat(place).st_ino

    def _put_placeholder(self, entry: Dict[str, Any], old: Optional[Entry], in_use: Set[int]) -> None:
        path, size = entry["path"], entry["size"]
        place = os.path.join(self.root, path)
        if old is not None and not old.is_folder and old.inode not in in_use:
            with contextlib.suppress(FileNotFoundError):
                _unlink(place)
        descriptor = _open(place, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, _FILE_MODE)
        try:
            _ftruncate(descriptor, size)
            if size > 0:
                _fchmod(descriptor, _FILE_MODE | NOT_LOADED)
            mtime_ns = int(entry["mtimeMs"] * 1_000_000)
            _utime(descriptor, ns=(mtime_ns, mtime_ns))
            inode = _fstat(descriptor).st_ino
        finally:
            _close(descriptor)
        self._known[path] = Entry(False, size, mtime_ns, entry["version"], inode)
        if size > 0:
            self._missing[inode] = path
            if inode in in_use:  # whoever has it open does not open it again
                self._fetch(path, {path: inode})

    def _add_neighbours(self, path: str, wanted: Dict[str, int]) -> None:
        folder = os.path.dirname(path)
        total = 0
        for inode, other in self._missing.items():
            size = self._known[other].size
            if other <= path or size > _AHEAD_FILE_BYTES or os.path.dirname(other) != folder:
                continue
            total += size
            if total > _AHEAD_TOTAL_BYTES or len(wanted) > _AHEAD_FILES:
                return
            wanted[other] = inode

    def _fetch(self, path: str, wanted: Dict[str, int]) -> None:
        number = self._next_id
        self._next_id += 1
        header = dumps({"type": "read", "id": number, "path": path, "ahead": [other for other in wanted if other != path]})
        reply = self._channel.ask(header, number, lambda head, payload: self._receive(head, payload, wanted))
        if not reply["ok"]:
            error = FileNotFoundError if reply["code"] == "not_found" else OSError
            raise error(5, "the file cannot be read", path)

    def _receive(self, head: Dict[str, Any], payload: bytes, wanted: Dict[str, int]) -> None:
        path = head.get("path")
        if head["type"] != "content" or path not in wanted:
            return
        place = os.path.join(self.root, path)
        descriptor = _open(place, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if _fstat(descriptor).st_ino != wanted[path]:
                return  # code has put another file there meanwhile
            view = memoryview(payload)
            os.lseek(descriptor, head["offset"], os.SEEK_SET)
            while view:
                view = view[_write(descriptor, view) :]
            if not head["last"]:
                return
            _ftruncate(descriptor, head["size"])
            _fchmod(descriptor, _FILE_MODE)
            mtime_ns = self._known[path].mtime_ns
            _utime(descriptor, ns=(mtime_ns, mtime_ns))
        finally:
            _close(descriptor)
        self._missing.pop(wanted[path], None)


def _inodes_in_use() -> Set[int]:
    """Of the files that this process has open."""
    found: Set[int] = set()
    for descriptor in range(3, _DESCRIPTORS):
        try:
            found.add(_fstat(descriptor).st_ino)
        except OSError:
            continue
    return found
