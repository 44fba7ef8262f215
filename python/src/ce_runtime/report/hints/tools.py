"""Failing tool calls."""

from typing import Optional

from ...tooling.errors import ToolError
from .situation import Situation

_CATCH = "to go on with the rest, catch it: `except tools.ToolError as error`"
_ADVICE = {
    "tool_failed": _CATCH,
    "tool_unavailable": "try again later, or " + _CATCH[3:],
    "tool_unknown": "tools.search(...) finds tools by words",
    "call_budget": "do the rest in another run; what has been done so far is kept",
    "bad_arguments": "tools.describe(name) shows the arguments of a tool",
}


def tool_error(error: BaseException, _situation: Situation) -> Optional[str]:
    """What the host advises, else what helps with such failures."""
    if not isinstance(error, ToolError):
        return None
    if error.hint:
        return str(error.hint)
    return _ADVICE.get(error.code)
