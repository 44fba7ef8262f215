"""Puts the module ``skills`` in place for the runs that have skills, and takes it away for those that have none."""

import sys
from typing import Any, Callable, Dict, Optional, Sequence

from ..main_module import MainModule
from ..notes import Notes
from ..tooling.calls import Calls
from .finder import PACKAGE, SkillFinder
from .functions import Functions, forget_module
from .library import Library
from .module import Skills

_SUBMODULE = PACKAGE + "."


class SkillUse:
    """The skills of one worker."""

    def __init__(self, calls: Calls, notes: Notes, main: MainModule, bind: Callable[[Dict[str, Any], str], None]) -> None:
        self._notes = notes
        self._library = Library(calls)
        self._finder = SkillFinder(self._library, main, bind)
        self._functions = Functions(self._library, forget_module)
        self._module = Skills(self._library, self._finder, self._functions)
        self._on = False

    def names(self) -> Dict[str, Any]:
        """What user code gets by name; nothing in a run without skills."""
        if not self._on:
            return {}
        functions = self._functions
        return {
            "skills": self._module,
            "load_skill": functions.load_skill,
            "list_skills": functions.list_skills,
            "save_skill": functions.save_skill,
        }

    def begin(self, on: bool) -> None:
        """Before a run. ``sys.modules`` comes before every search path, so that no file can take the place of ``skills``."""
        self._library.begin()
        self._finder.begin()
        if on or self._on:  # the look at all names costs 30 microseconds, and in a new process pages
            for name in [name for name in sys.modules if name.startswith(_SUBMODULE)]:
                forget_module(name.partition(".")[2])  # a newer version may have been saved since
        finders = [finder for finder in sys.meta_path if not isinstance(finder, SkillFinder)]
        if on:
            sys.modules[PACKAGE] = self._module
            finders.append(self._finder)  # type: ignore[arg-type]
        elif self._on:
            sys.modules.pop(PACKAGE, None)
        self._on = on
        sys.meta_path[:] = finders

    def set_builtins(self, builtins: Optional[Dict[str, Any]]) -> None:
        """What skills get as ``__builtins__``; None: those of the process."""
        self._finder.builtins = builtins

    def check_import(self, name: str, members: Sequence[str], has_file: bool) -> None:
        """At an import of or from ``skills`` in user code; ``has_file``: the workspace holds a module of that name."""
        if not self._on:
            return
        if has_file:
            self._notes.add("`skills` means the saved skills; the workspace's skills.py needs another name to be imported")
        self._finder.check_import(name, members)
