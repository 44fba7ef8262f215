"""What every run finds in place, whatever the run before has changed: streams, folder, path, limits, builtins."""

import builtins
import io
import os
import sys
import threading
import time
from typing import Any, Dict, Optional

from .builtin_names import install_builtins, strict_builtins
from .deadline import Deadline
from .denied_calls import deny_calls
from .import_guard import ImportGuard
from .loop.policy import Loops
from .main_module import MainModule
from .output import Output
from .plain_await import PlainAwait
from .report.text import traceback_text
from .skills.use import SkillUse
from .tooling.tooling import Tooling
from .workspace_modules import WorkspaceModules

_RECURSION_LIMIT = sys.getrecursionlimit()
_chdir, _makedirs = os.chdir, os.makedirs


class Surroundings:
    """Puts the process-wide state of the interpreter in place before a run."""

    def __init__(
        self,
        workspace: str,
        output: Output,
        deadline: Deadline,
        main: MainModule,
        loops: Loops,
        plain_await: PlainAwait,
        tooling: Tooling,
        skills: SkillUse,
    ) -> None:
        self._workspace = workspace
        self._output = output
        self._deadline = deadline
        self._loops = loops
        self._plain_await = plain_await
        self._main = main
        self._stdin = EmptyStdin()
        self.modules = WorkspaceModules(workspace)
        self._skills = skills
        self._guard = ImportGuard(
            lambda file: bool(file) and main.is_user_file(str(file)),
            self.modules.has,
            tooling.check_import,
            skills.check_import,
        )
        self._sleep = deadline.sleep

    def restore(self) -> None:
        sys.stdout = sys.__stdout__ = self._output.stdout  # type: ignore[misc,assignment]
        sys.stderr = sys.__stderr__ = self._output.stderr  # type: ignore[misc,assignment]
        sys.stdin = sys.__stdin__ = self._stdin  # type: ignore[misc,assignment]
        sys.argv = ["main.py"]
        sys.settrace(None)
        sys.setprofile(None)
        sys.excepthook = sys.__excepthook__
        threading.excepthook = self._on_thread_error
        if sys.getrecursionlimit() != _RECURSION_LIMIT:
            sys.setrecursionlimit(_RECURSION_LIMIT)
        self._enter_workspace()
        time.sleep = self._sleep  # type: ignore[assignment]
        self.restore_builtins()
        deny_calls()
        self._loops.install()
        self._plain_await.install()
        self.modules.install()

    def restore_builtins(self) -> None:
        """Code may have replaced some; the runtime itself needs the real ones."""
        install_builtins(self._guard.restricted, self._stdin, self._plain_await.awaitable)

    def builtins_for(self, strict: bool) -> Any:
        """What user code gets as ``__builtins__``."""
        names: Optional[Dict[str, Any]] = strict_builtins(self._guard.strict) if strict else None
        self.modules.builtins = names
        self._skills.set_builtins(names)
        return builtins if names is None else names

    def _on_thread_error(self, failed: Any) -> None:
        """threading.excepthook with the user's frames only."""
        if failed.exc_type is SystemExit or failed.exc_value is None:
            return
        name = failed.thread.name if failed.thread is not None else "?"
        sys.stderr.write("Exception in thread %s:\n%s\n" % (name, traceback_text(failed.exc_value, self._main)))

    def _enter_workspace(self) -> None:
        try:
            _chdir(self._workspace)
        except OSError:  # the run before has removed it
            _makedirs(self._workspace, exist_ok=True)
            _chdir(self._workspace)


class EmptyStdin(io.StringIO):
    """Standard input without a line in it."""

    def fileno(self) -> int:
        raise io.UnsupportedOperation("fileno")

    @property
    def buffer(self) -> io.BytesIO:
        return io.BytesIO()

    def close(self) -> None:
        """Stays open for later runs."""
