"""The error of a run: code, type, message, line, hint and traceback."""

import errno
import re
from typing import Any, List, Optional, Tuple

from ..denied import Denied
from ..main_module import MainModule
from ..open_files import Unsaved
from ..skills.errors import SkillError
from ..stops import DeadlineReached, OutputLimitReached, Stop
from ..tooling.errors import TOOL_CODES, ToolError
from ..wire import ErrorReport
from .frames import UserFrame, innermost, innermost_awaiting
from .hints import Situation, find_hint
from .text import traceback_text

_PYODIDE_ADVICE = re.compile(r"(?:\\n|\s)*On Pyodide you must[^\n]*zoneinfo\.")


def report_error(error: BaseException, situation: Situation) -> ErrorReport:
    """What user code raised. May run user code (``__str__``), so it belongs inside the deadline."""
    main = situation.main
    if isinstance(error, SyntaxError) and _is_submitted(error, main):
        return _report_syntax(error, situation)
    frame = innermost(error.__traceback__, main)
    line, source = _place(frame, main)
    code, name, message = _classify(error)
    return ErrorReport(
        code=code,
        type=name,
        message=message,
        line=line,
        source=source,
        hint=_hint(error, situation),
        traceback=_traceback(error, main),
    )


def report_stop(stop: Stop, situation: Situation, seconds: float) -> ErrorReport:
    """The runtime ended the run. Runs no user code."""
    frame = innermost_awaiting(stop.awaiting, situation.main) or innermost(stop.__traceback__, situation.main)
    line, source = _place(frame, situation.main)
    if isinstance(stop, OutputLimitReached):
        return ErrorReport(
            code="output_limit",
            type="OutputLimitReached",
            message="the run printed more than %d bytes and was stopped" % situation.output_bytes,
            line=line,
            source=source,
            hint="print a summary; write long text to a file in the workspace instead",
        )
    assert isinstance(stop, DeadlineReached)
    return ErrorReport(
        code="timeout",
        type="TimeoutError",
        message="the run was still going after %g s, its time limit, and was stopped" % round(seconds, 1),
        line=line,
        source=source,
        hint="save partial results to a file as you go; do less per run (fewer items, a faster method)",
    )


def report_unsaved(unsaved: List[Unsaved], situation: Situation) -> ErrorReport:
    """Files that the code left open could not be written to their end. May run user code, like :func:`report_error`."""
    name, error = unsaved[0]
    line, source = _place(innermost(error.__traceback__, situation.main), situation.main)
    code, type_name, message = _classify(error)
    others = " (and %d more)" % (len(unsaved) - 1) if len(unsaved) > 1 else ""
    return ErrorReport(
        code=code,
        type=type_name,
        message="%s%s was left open and could not be saved to its end: %s" % (name, others, message),
        line=line,
        source=source,
        hint=_hint(error, situation) or "write files inside `with open(...)`: the error then shows where it happens",
    )


def _classify(error: BaseException) -> Tuple[str, str, str]:
    name = _type_name(error)
    if isinstance(error, SystemExit):
        status = error.code
        told = "exit status %d" % status if isinstance(status, int) else "the message: %s" % _text(status)
        return "python_error", "SystemExit", "the code ended itself with %s" % told
    message = _text(error)
    if isinstance(error, MemoryError):
        return "memory_limit", "MemoryError", message or "the run needs more memory than it may have"
    if isinstance(error, OverflowError) and "index-sized integer" in message:
        # A size beyond 2 GB on a 32-bit platform, where CPython on 64 bits raises MemoryError.
        return "memory_limit", "MemoryError", "a single object of more than 2 GB does not fit into memory"
    if isinstance(error, Denied):
        return "import_denied", name, message.rpartition(": ")[0] or message
    if isinstance(error, ToolError):
        return (error.code if error.code in TOOL_CODES else "python_error"), name, _text(error.message)
    if isinstance(error, SkillError):
        return "python_error", name, _text(error.message)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "disk_limit", name, message
    return "python_error", name, message


def _report_syntax(error: SyntaxError, situation: Situation) -> ErrorReport:
    shown = _traceback(error, situation.main)
    place = situation.main.source_lines(error.filename or "")
    line = error.lineno if error.lineno and error.lineno > 0 else None
    source = place[line - 1].strip() if line and line <= len(place) else None
    return ErrorReport(
        code="syntax_error",
        type=_type_name(error),
        message=error.msg or "invalid syntax",
        line=line,
        source=source,
        hint=_hint(error, situation),
        traceback=shown,
    )


def _is_submitted(error: SyntaxError, main: MainModule) -> bool:
    """False for what code raised itself, by eval or by importing a broken module."""
    return main.is_code_file(error.filename) and innermost(error.__traceback__, main) is None


def _place(frame: Optional[UserFrame], main: MainModule) -> Tuple[Optional[int], Optional[str]]:
    if frame is None or not frame.line:
        return None, None
    lines = main.source_lines(frame.file)
    source = lines[frame.line - 1].strip() if frame.line <= len(lines) else None
    return frame.line, source


def _type_name(error: BaseException) -> str:
    cls = type(error)
    module = cls.__dict__.get("__module__")
    if type(module) is not str or module in ("builtins", "__main__", "skills", "tools") or module.startswith("ce_runtime"):
        return cls.__name__
    return "%s.%s" % (module, cls.__name__)


def _text(value: Any) -> str:
    try:
        return _without_pyodide(str.__str__(str(value)))
    except Exception as problem:
        return "<its __str__ raised %s>" % type(problem).__name__


def _without_pyodide(text: str) -> str:
    """Drops advice that only makes sense in a browser."""
    return _PYODIDE_ADVICE.sub("", text) if "yodide" in text else text


def _hint(error: BaseException, situation: Situation) -> Optional[str]:
    if isinstance(error, Denied):
        return _advice(error)
    try:
        return find_hint(error, situation)
    except Exception:
        return None  # a hint is a courtesy; the error itself must get through


def _advice(error: Denied) -> str:
    """The next step, with which such messages end."""
    return _text(error).rpartition(": ")[2]


def _traceback(error: BaseException, main: MainModule) -> Optional[str]:
    try:
        text = _without_pyodide(traceback_text(error, main))
        # The next step is told once, as the hint.
        return text.replace(": %s" % _advice(error), "") if isinstance(error, Denied) else text
    except Exception:
        return None
