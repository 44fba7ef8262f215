"""The module that user code runs in: a real ``__main__``, so that pickle, dataclasses, typing, unittest, doctest and
inspect find what they look for."""

import builtins
import linecache
import os
import sys
import types
from typing import Any, Dict, List, Optional, Set


class MainModule:
    """``__main__`` of one interpreter, kept between the runs of a session."""

    def __init__(self, workspace: str) -> None:
        self.module: types.ModuleType = types.ModuleType("__main__")
        self.runs = 0
        self.workspace = workspace
        self._files: Dict[str, str] = {}
        self._skill_files: Set[str] = set()

    @property
    def names(self) -> Dict[str, Any]:
        """The top-level namespace."""
        return self.module.__dict__

    def reset(self, ready_names: Dict[str, Any]) -> None:
        """A new, empty module with the ready names."""
        self.module = types.ModuleType("__main__")
        self.module.__doc__ = None
        self.names["__builtins__"] = builtins
        self.names.update(ready_names)
        for file in (*self._files, *self._skill_files):
            linecache.cache.pop(file, None)
        self._files = {}
        self._skill_files = set()
        self.runs = 0

    def begin(self) -> str:
        """Starts a run in this module; returns the file name for its code."""
        self.runs += 1
        stem = "main" if self.runs == 1 else "main-%d" % self.runs
        file = os.path.join(self.workspace, stem + ".py")
        if os.path.lexists(file):
            file = os.path.join(self.workspace, "<%s>.py" % stem)
        sys.modules["__main__"] = self.module
        self.names["__file__"] = file
        self._files[file] = os.path.basename(file)
        return file

    def set_source(self, file: str, source: str) -> None:
        """Shows ``source`` in tracebacks and to inspect.getsource."""
        lines = source.splitlines(True)
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        linecache.cache[file] = (len(source), None, lines, file)

    def add_skill(self, file: str, source: str) -> None:
        """The text of a skill that is about to run: its frames are the user's."""
        self._skill_files.add(file)
        self.set_source(file, source)

    def is_code_file(self, file: Optional[str]) -> bool:
        """True for the code of this run or of an earlier one of the session."""
        return file in self._files

    def is_user_file(self, file: str) -> bool:
        """True for submitted code, for skills and for modules in the workspace."""
        return file in self._files or file in self._skill_files or file.startswith(self.workspace + os.sep)

    def shown_name(self, file: str) -> str:
        """The name of a user file in a traceback: relative to the workspace."""
        if file in self._files:
            return self._files[file].strip("<>").replace(">", "")
        if file in self._skill_files:
            return file
        return os.path.relpath(file, self.workspace)

    def source_lines(self, file: str) -> List[str]:
        entry = linecache.cache.get(file)
        return entry[2] if entry and len(entry) == 4 else []
