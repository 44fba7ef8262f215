"""The error of a run: code, type, message, line, hint and traceback."""

import errno
import re
from typing import Any, Optional, Tuple

from ..denied import Denied
from ..main_module import MainModule
from ..stops import DeadlineReached, OutputLimitReached, Stop
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
        hint="do less per run (fewer items, a faster method), or raise timeout_seconds; save partial results to a file as you go",
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
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
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
    if type(module) is not str or module in ("builtins", "__main__") or module.startswith("ce_runtime"):
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
        return _text(error).rpartition(": ")[2]  # such messages end with the next step
    try:
        return find_hint(error, situation)
    except Exception:
        return None  # a hint is a courtesy; the error itself must get through


def _traceback(error: BaseException, main: MainModule) -> Optional[str]:
    try:
        return _without_pyodide(traceback_text(error, main))
    except Exception:
        return None
