"""Puts the module ``tools`` in place for the runs that have tools, and takes it away for those that have none."""

import sys
from typing import Optional

from ..denied import NO_TOOLS, DeniedImport
from ..notes import Notes
from .caller import Caller
from .calls import Calls
from .finder import ServerFinder
from .media import Save
from .module import Tools
from .names import Names


class Tooling:
    """The tools of one worker."""

    def __init__(self, calls: Calls, notes: Notes, save: Save) -> None:
        self._notes = notes
        self._caller = Caller(calls, notes, save)
        self._names = Names(self._caller)
        self._module = Tools(self._caller, self._names, notes)
        self._finder = ServerFinder(self._module, self._names)
        self._on = False

    @property
    def module(self) -> Optional[Tools]:
        """What user code gets as ``tools``; None in a run without tools."""
        return self._module if self._on else None

    def begin(self, on: bool) -> None:
        """Before a run. ``sys.modules`` comes before every search path, so that no file can take the place of ``tools``."""
        self._names.begin()
        if on != self._on:
            for name in [name for name in sys.modules if name == "tools" or name.startswith("tools.")]:
                del sys.modules[name]
            self._on = on
        finders = [finder for finder in sys.meta_path if not isinstance(finder, ServerFinder)]
        if on:
            sys.modules["tools"] = self._module
            finders.append(self._finder)  # type: ignore[arg-type]
        sys.meta_path[:] = finders

    def check_import(self, has_file: bool) -> None:
        """At ``import tools`` in user code; ``has_file``: the workspace holds a module of that name."""
        if self._on and has_file:
            self._notes.add("`tools` means the downstream tools; the workspace's tools.py needs another name to be imported")
        elif not self._on and not has_file:
            raise DeniedImport("`import tools` is not available, %s" % NO_TOOLS, name="tools")

    def settle(self) -> None:
        """At the end of a run that went well."""
        self._caller.settle()

    def end(self) -> None:
        """Whatever the end of the run."""
        self._caller.end()
