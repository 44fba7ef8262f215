"""The traceback text: the user's frames with their source, library frames folded into a line, no frames of ours."""

import traceback
from typing import Any, List, Set

from ..main_module import MainModule
from .frames import is_hidden, library_name

_MAX_CHAIN = 8
_TracebackException = traceback.TracebackException
_FrameSummary = traceback.FrameSummary
_StackSummary = traceback.StackSummary


def traceback_text(error: BaseException, main: MainModule) -> str:
    """What Python would print, with the user's frames only."""
    shown = _TracebackException(type(error), error, error.__traceback__, limit=-400, lookup_lines=True)
    _clean(shown, main, set(), 0)
    return "".join(shown.format()).rstrip("\n")


def _clean(shown: Any, main: MainModule, seen: Set[int], depth: int) -> None:
    if shown is None or id(shown) in seen:
        return
    seen.add(id(shown))
    shown.stack = _user_stack(shown.stack, main)
    if getattr(shown, "filename", None) and main.is_user_file(shown.filename or ""):
        shown.filename = main.shown_name(shown.filename)
    if depth >= _MAX_CHAIN:
        shown.__cause__ = shown.__context__ = None
        return
    _clean(shown.__cause__, main, seen, depth + 1)
    _clean(shown.__context__, main, seen, depth + 1)
    for member in getattr(shown, "exceptions", None) or ():
        _clean(member, main, seen, depth + 1)


def _user_stack(stack: Any, main: MainModule) -> Any:
    frames: List[Any] = []
    library: List[Any] = []
    for frame in stack:
        if main.is_user_file(frame.filename):
            _fold(library, frames)
            frame.filename = main.shown_name(frame.filename)
            frames.append(frame)
        elif not is_hidden(frame.filename):
            library.append(frame)
    _fold(library, frames)
    return _StackSummary.from_list(frames)


def _fold(library: List[Any], frames: List[Any]) -> None:
    """Shows of a series of library frames the innermost one, without source."""
    if library and frames:
        last = library[-1]
        frames.append(_FrameSummary(library_name(last.filename), last.lineno, last.name, lookup_line=False, line=""))
    library.clear()
