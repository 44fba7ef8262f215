"""Which frames of a traceback are the user's."""

import os
import sys
from types import FrameType, TracebackType
from typing import Iterable, List, NamedTuple, Optional

from ..main_module import MainModule

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_HIDDEN = ("<frozen importlib", "/ce_native/", "/_pyodide/", "/pyodide/")


class UserFrame(NamedTuple):
    """A place in user code."""

    file: str
    line: int
    function: str


def is_hidden(file: str) -> bool:
    """True for the runtime's own frames and the import machinery."""
    return file.startswith(_PACKAGE) or any(part in file for part in _HIDDEN)


def innermost(tb: Optional[TracebackType], main: MainModule) -> Optional[UserFrame]:
    """The last place in submitted code that the traceback goes through."""
    found = None
    while tb is not None:
        code = tb.tb_frame.f_code
        if main.is_code_file(code.co_filename):
            found = UserFrame(code.co_filename, tb.tb_lineno or tb.tb_frame.f_lineno, code.co_name)
        tb = tb.tb_next
    return found


def innermost_awaiting(frames: Iterable[FrameType], main: MainModule) -> Optional[UserFrame]:
    """The last place in submitted code among the frames of a suspended coroutine."""
    found = None
    for frame in frames:
        if main.is_code_file(frame.f_code.co_filename):
            found = UserFrame(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
    return found


def namespaces(tb: Optional[TracebackType], main: MainModule) -> List["dict[str, object]"]:
    """Local names of the innermost user frame, then its global ones."""
    frame = None
    while tb is not None:
        if main.is_user_file(tb.tb_frame.f_code.co_filename):
            frame = tb.tb_frame
        tb = tb.tb_next
    if frame is None:
        return [main.names]
    return [dict(frame.f_locals), frame.f_globals]


def library_name(file: str) -> str:
    """``json/decoder.py``: the file of a library frame without the place of the installation."""
    for entry in sorted(sys.path, key=len, reverse=True):
        if entry and file.startswith(entry + "/"):
            return file[len(entry) + 1 :]
    return os.path.basename(file)
