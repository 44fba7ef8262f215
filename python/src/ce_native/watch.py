"""The audit hook of a run: fetches what is about to be opened, and refuses files beyond the quota.

No boundary. Code that opens files past Python meets a file of zeros, and the host counts again.
"""

import _thread
import errno
import os
import re
import stat
import sys
from typing import Any, Callable, Dict, Iterable, Optional, Set, Tuple

from ce_runtime.open_files import open_descriptors

from .fonts import MODULE, seed_fonts
from .tree import walk
from .workspace import Workspace

SCRATCH = ("/tmp", "/dev/shm")
#: Extension modules outside the standard library whose files are opened by Python. All others may open files by
#: themselves, unseen, so before one is loaded everything is fetched.
_OPEN_BY_PYTHON = (
    "numpy",
    "pandas",
    "_cyutility",
    "matplotlib",
    "PIL",
    "kiwisolver",
    "contourpy",
    "scipy",
    "yaml",
    "markupsafe",
    "dateutil",
)
#: Those of the standard library that do not.
_OPEN_BY_THEMSELVES = ("_dbm", "_gdbm")
_DATABASE = re.compile(r"\.(db3?|sqlite3?)(-wal|-journal|-shm)?$", re.IGNORECASE)
#: What the host would refuse: better an error at `open` than a lost file at the end.
_BAD_NAME = re.compile("[\x00-\x1f\x7f\\\\]")
_count_threads = _thread._count
_stat, _fspath, _abspath, _getcwd = os.stat, os.fspath, os.path.abspath, os.getcwd


class Watch:
    """Sees what Python opens, makes, moves and removes."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._trusted = _library_folders()
        self._trees: Dict[str, Tuple[str, ...]] = {"workspace": (workspace.root,), "scratch": SCRATCH}
        self._left = {"workspace": 0, "scratch": 0}
        self._most = {"workspace": 0, "scratch": 0}
        self._active = False
        #: Files may have been opened, made or removed since they were last compared, by whatever thread.
        self.touched = True
        #: Code has a way to change files that no event tells of.
        self._is_blind = any(_root_of(name) not in _OPEN_BY_PYTHON for name in self._foreign_modules())
        self._own_descriptors: Set[int] = set()
        self._scratch_used = False
        #: Which tree was full last.
        self.refused = ""
        self._handlers: Dict[str, Callable[[Tuple[Any, ...]], Any]] = {
            "open": self._on_open,
            "os.truncate": lambda args: self._load(args[0]),
            "os.rename": self._on_rename,
            "os.mkdir": lambda args: self._count(args[0]),
            "os.remove": lambda args: self._uncount(args[0]),
            "os.rmdir": lambda args: self._uncount(args[0]),
            "mmap.__new__": self._on_mapping,
            "sqlite3.connect": self._on_database,
            "import": self._on_import,
            "ctypes.dlopen": self._on_blind_spot,
            "ctypes.dlsym": self._on_blind_spot,
        }

    def install(self) -> None:
        """For the rest of this process."""
        sys.addaudithook(self._on_event)

    def wake(self) -> None:
        """In the process that is to run code, before it does."""
        self._own_descriptors = open_descriptors()
        self.touched = self._is_blind

    def settle(self) -> None:
        """The workspace was compared just now. What is still open, or another thread, may change it without an event."""
        self.touched = self._is_blind or _count_threads() > 0 or bool(open_descriptors() - self._own_descriptors)

    def begin(self, files: int) -> None:
        """Before a run that may add this many files."""
        for tree in self._trees:
            self._left[tree] = files
        self._most["workspace"] = files + self._workspace.files
        self._most["scratch"] = files + (_count_files(SCRATCH) if self._scratch_used else 0)
        if not self._workspace.is_complete and any(_root_of(name) not in _OPEN_BY_PYTHON for name in self._foreign_modules()):
            self._workspace.load_below("")
        self._active = True

    def end(self) -> None:
        self._active = False

    def _on_event(self, event: str, args: Tuple[Any, ...]) -> None:
        handle = self._handlers.get(event)
        if handle is None:
            return
        self.touched = True
        if not self._active:
            return
        self._active = False  # what the handler itself does is not watched
        try:
            handle(args)
        finally:
            self._active = True

    def _on_open(self, args: Tuple[Any, ...]) -> None:
        path, _mode, flags = args
        if isinstance(path, int):
            return
        if not self._load(path) and flags & os.O_CREAT:
            self._count(path)

    def _load(self, path: Any) -> bool:
        """Fetches a file; True if it exists."""
        try:
            info = _stat(path)
        except (OSError, ValueError, TypeError):
            if not self._workspace.is_complete and not isinstance(path, int):
                self._load_elsewhere(path)
            return False
        if stat.S_ISREG(info.st_mode):
            self._workspace.load(info.st_ino)
        return True

    def _load_elsewhere(self, path: Any) -> None:
        """A name that is not there may be relative to a folder that the event does not tell."""
        name = os.path.basename(os.fsdecode(_fspath(path)))
        if not os.path.isabs(os.fsdecode(_fspath(path))) and self._workspace.has_missing(name):
            self._workspace.load_below("")

    def _on_rename(self, args: Tuple[Any, ...]) -> None:
        source, target = args[0], args[1]
        self._check_name(target)
        inside = self._inside(source)
        if inside is not None:
            self._load(source)
            self._workspace.load_below(inside)

    def _on_mapping(self, args: Tuple[Any, ...]) -> None:
        self._is_blind = True
        self._workspace.note_mapped(args[0])

    def _on_blind_spot(self, _args: Tuple[Any, ...]) -> None:
        self._is_blind = True

    def _on_database(self, args: Tuple[Any, ...]) -> None:
        self._is_blind = True
        if self._workspace.is_complete or str(args[0]) == ":memory:":
            return
        self._load(args[0])
        self._workspace.load_matching(_DATABASE)  # ATTACH opens without a word

    def _on_import(self, args: Tuple[Any, ...]) -> None:
        name, file = args[0], args[1]
        if name == MODULE:
            seed_fonts()
        if file is None or (str(file).startswith(self._trusted) and name not in _OPEN_BY_THEMSELVES):
            return
        if _root_of(str(name)) not in _OPEN_BY_PYTHON:
            self._is_blind = True
            self._workspace.load_below("")

    def _foreign_modules(self) -> Iterable[str]:
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and file.endswith(".so") and not file.startswith(self._trusted):
                yield name

    def _count(self, path: Any) -> None:
        """Something new is about to be made. Raises OSError."""
        self._check_name(path)
        tree = self._tree_of(path)
        if tree is None:
            return
        self._scratch_used = self._scratch_used or tree == "scratch"
        if self._left[tree] <= 0:
            self._left[tree] = self._most[tree] - _count_files(self._trees[tree])
            if self._left[tree] <= 0:
                self.refused = tree
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
        self._left[tree] -= 1

    def _uncount(self, path: Any) -> None:
        tree = self._tree_of(path)
        if tree is not None:
            self._left[tree] += 1

    def _check_name(self, path: Any) -> None:
        try:
            name = os.fsdecode(_fspath(path))
        except TypeError:
            return
        if self._tree_of(path) == "workspace" and _BAD_NAME.search(name):
            raise OSError(errno.EINVAL, "names in the workspace have no control characters and no backslash", path)

    def _inside(self, path: Any) -> Optional[str]:
        """The path relative to the workspace; None outside."""
        try:
            place = _abspath(os.fsdecode(_fspath(path)))
        except (TypeError, OSError):
            return None
        root = self._workspace.root
        return place[len(root) + 1 :] if place.startswith(root + "/") else None

    def _tree_of(self, path: Any) -> Optional[str]:
        try:
            place = _abspath(os.fsdecode(_fspath(path)))
        except (TypeError, OSError):
            return None
        for tree, roots in self._trees.items():
            if any(place.startswith(root + "/") for root in roots):
                return tree
        return None


def _count_files(roots: Iterable[str]) -> int:
    return sum(1 for root in roots for _ in walk(root))


def _root_of(module: str) -> str:
    return module.partition(".")[0]


def _library_folders() -> Tuple[str, ...]:
    """Where the extension modules of the standard library are."""
    import sysconfig

    paths = sysconfig.get_paths()
    return tuple({os.path.join(paths[name], "lib-dynload") + "/" for name in ("stdlib", "platstdlib")})
