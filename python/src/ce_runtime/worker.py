"""The worker of one process: takes ``run`` frames, answers each with ``done``."""

import os
import pathlib
import sys
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from .awakening import refresh_process_state
from .deadline import Deadline
from .denied import NETWORK_ADVICE
from .encode import encode
from .execution import NO_VALUE, execute
from .host import Host
from .left_over import LeftOver
from .loop.policy import Loops
from .main_module import MainModule
from .new_files import NewFiles
from .notes import Notes
from .open_files import OpenFiles
from .output import Output
from .pictures import Gallery, is_drawing, save_figures
from .plain_await import PlainAwait
from .program import Program, build_program
from .ready.files import WorkspaceFiles
from .ready.names import ReadyNames
from .ready.tokens import Tokens
from .report import report_error, report_stop, report_unsaved
from .report.hints import Situation
from .skills.use import SkillUse
from .stops import Stop
from .surroundings import Surroundings
from .tables import Keeper, Typed, present
from .tooling.calls import Calls
from .tooling.tooling import Tooling
from .value import choose_value
from .variables import changed_names, describe
from .wire import ErrorReport, RunRequest, Variable, done_header, parse_run

#: Where the workspace is mounted in the sandbox; the working directory of a worker that has none there.
WORKSPACE = "/workspace"
# Code may have replaced them in builtins, and putting those back may already need memory that there is not.
_isinstance, _MemoryError = isinstance, MemoryError


@dataclass
class _Answer:
    """What goes into ``done``."""

    value: Optional[Dict[str, Any]] = None
    json: bytes = b""
    error: Optional[ErrorReport] = None
    unsaved: Optional[ErrorReport] = None
    variables: List[Variable] = field(default_factory=list)
    names: List[str] = field(default_factory=list)


class Worker:
    """Runs code for one principal, one run after the other."""

    def __init__(self, host: Host, workspace: str) -> None:
        self._host = host
        self._send = host.send
        self._main = MainModule(workspace)
        self._output = Output(host)
        self._deadline = Deadline(host, self._output, self._main.is_user_file)
        self._loops = Loops()
        self._notes = Notes()
        self._new_files = NewFiles(workspace)
        self._gallery = Gallery(self._new_files, self._notes)
        files = WorkspaceFiles(pathlib.Path(workspace))
        calls = Calls(host, self._output)
        self._tooling = Tooling(calls, self._notes, files.write_file)
        self._skills = SkillUse(calls, self._notes, self._main, self._bind)
        self._surroundings = Surroundings(
            workspace, self._output, self._deadline, self._main, self._loops, PlainAwait(self._notes), self._tooling, self._skills
        )
        self._ready = ReadyNames(self._output, self._notes, files, Tokens(calls))
        self._left_over = LeftOver(self._loops, self._notes)
        self._deadline.on_sleep = self._left_over.on_sleep
        self._files = OpenFiles(host.may_have_opened)
        self._before: Dict[str, Any] = {}
        self._fresh = True

    def run(self, header: str, payload: bytes) -> None:
        """Executes one ``run`` frame: sends ``out`` and ``progress``, then ``done``. Raises nothing that code raises."""
        request = parse_run(header, payload)
        seconds = self._host.remaining()
        answer = _Answer()
        self._notes.clear()
        self._new_files.begin(request.disk_bytes)
        self._gallery.begin()
        situation = Situation(self._main, request, self._host)
        self._surroundings.restore()
        self._tooling.begin(request.tools)
        self._skills.begin(request.skills)
        NETWORK_ADVICE.has_tools = request.tools
        self._left_over.begin()
        self._files.begin()
        self._output.start(request.output_bytes)
        try:
            self._deadline.arm()
            try:
                self._run_code(request, situation, answer)
                self._output.flush()  # here it may still reach the output limit
                self._deadline.check()  # an interrupt inside a finalizer is swallowed by the interpreter
            finally:
                self._deadline.disarm()
        except Stop as stop:
            answer.value, answer.json = None, b""
            answer.error = report_stop(stop, situation, seconds)
        except BaseException as error:  # the report itself failed, most likely for want of memory
            answer.value, answer.json = None, b""
            answer.error = ErrorReport("memory_limit" if isinstance(error, MemoryError) else "python_error",
                                       type(error).__name__, "the run failed, and so did the report of its error")  # fmt: skip
        finally:
            self._deadline.disarm()  # again, should the alarm have rung in the middle of it
        if answer.unsaved is not None:
            self._tell_unsaved(answer, answer.unsaved)
        self._finish(request, answer)

    def _run_code(self, request: RunRequest, situation: Situation, answer: _Answer) -> None:
        names = self._begin(request)
        file = self._main.begin()
        try:
            program = build_program(request.code, file)
        except SyntaxError as error:
            self._main.set_source(file, request.code)
            answer.error = report_error(error, situation)
            return
        self._main.set_source(file, program.source)
        self._notes.extend(program.notes)
        try:
            value = execute(program, names, self._loops)
            self._left_over.settle(request.keep_state)
            self._surroundings.restore_builtins()
            save_figures(self._gallery)
            self._encode(program, value, request, answer)
        except SystemExit as error:
            if error.code not in (None, 0):
                answer.error = report_error(error, situation)
            else:
                self._notes.add("the code ended itself with exit(); everything before that was kept")
                self._encode(program, NO_VALUE, request, answer)
        except Stop:
            raise
        except BaseException as error:
            if _isinstance(error, _MemoryError):
                self._host.make_room()
            self._surroundings.restore_builtins()
            answer.error = report_error(error, situation)
        finally:
            self._left_over.end(request.keep_state)
            self._tooling.end()
            self._surroundings.restore_builtins()
            unsaved = self._files.settle(names, close=not request.keep_state)
            if unsaved:
                answer.unsaved = report_unsaved(unsaved, situation)

    def _begin(self, request: RunRequest) -> Dict[str, Any]:
        if self._fresh or not request.keep_state:
            self._main.reset({})
            self._fresh = False
        names = self._main.names
        names["__builtins__"] = self._surroundings.builtins_for(request.strict)
        self._bind(names, request.code)
        names.update(request.context)
        self._before = dict(names)
        return names

    def _bind(self, names: Dict[str, Any], code: str) -> None:
        """The ready names, for user code and for the module of a skill alike."""
        self._ready.bind(names, code, self._tooling.module, self._skills.names())

    def _encode(self, program: Program, value: Any, request: RunRequest, answer: _Answer) -> None:
        chosen = choose_value(program, value, self._main.names, self._before, self._output.wrote, self._loops, self._notes)
        if self._gallery.names and is_drawing(chosen):
            chosen = NO_VALUE  # the pictures are the answer
        if chosen is not NO_VALUE:
            typed = self._typed(chosen, request)
            encoded = encode(chosen, request.result_bytes, self._gallery) if typed is None else typed.encoded
            answer.value = {"type": encoded.type, "truncated": encoded.truncated}
            if typed is not None:
                answer.value.update(type=typed.type, form=typed.form, label=typed.label)
                if typed.file is not None:
                    answer.value["file"] = typed.file
            answer.json = encoded.json
            self._notes.extend(encoded.notes)
        self._tooling.settle()

    def _typed(self, value: Any, request: RunRequest) -> Optional[Typed]:
        """The form of a table or array; None for all else, and for one whose class does not behave."""
        if "numpy" not in sys.modules:
            return None
        # The host gives printed text at most a quarter of the room.
        room = request.answer_chars * 3 // 4 if self._output.wrote else request.answer_chars
        try:
            return present(value, room, Keeper(self._new_files, self._host.remaining(), self._notes))
        except Exception:
            return None

    def _tell_unsaved(self, answer: _Answer, unsaved: ErrorReport) -> None:
        """A run whose file is not whole has failed, like one that raised."""
        if answer.error is None:
            answer.value, answer.json, answer.error = None, b"", unsaved
        else:
            self._notes.add("not saved: %s" % unsaved.message)

    def _finish(self, request: RunRequest, answer: _Answer) -> None:
        self._output.finish()
        names = self._main.names
        changed = changed_names(names, self._before)
        answer.names = changed
        if answer.value is None or answer.json == b"null":
            answer.variables = describe(names, changed)
        self._before = {}
        self._host.flush_files()
        header = done_header(
            request.id, answer.value, answer.error, self._notes, answer.variables, answer.names, self._gallery.names
        )
        self._send(header, answer.json)


def wake(host: Host, workspace: Optional[str] = None) -> Worker:
    """The worker of this process. ``workspace`` defaults to /workspace if that exists, else the working directory."""
    refresh_process_state()
    if workspace is None:
        workspace = WORKSPACE if os.path.isdir(WORKSPACE) else os.getcwd()
    if sys.platform == "emscripten":
        from .emscripten import install

        install()
    return Worker(host, os.path.realpath(workspace))
