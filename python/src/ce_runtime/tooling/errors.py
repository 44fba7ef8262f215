"""What a tool call raises when it fails."""

from typing import Any, Dict, Mapping, Optional, Type

from ..stops import DeadlineReached


class ToolError(Exception):
    """A tool call failed. Its text is the message and, if there is one, the next step."""

    #: Stable code of the failure, as in the answers of the server.
    code = "tool_failed"
    #: True if the same call may work later.
    retryable = False

    def __init__(
        self,
        message: str = "",
        *,
        code: Optional[str] = None,
        retryable: Optional[bool] = None,
        tool: str = "",
        hint: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.tool = tool
        self.hint = hint
        if code is not None:
            self.code = code
        if retryable is not None:
            self.retryable = retryable

    def __str__(self) -> str:
        return "%s; %s" % (self.message, self.hint) if self.hint else self.message

    def __repr__(self) -> str:
        return "%s(%r, code=%r, tool=%r)" % (type(self).__name__, str(self), self.code, self.tool)


class ToolUnavailable(ToolError):
    """The tool's server does not answer now."""

    code = "tool_unavailable"
    retryable = True


class ToolNotFound(ToolError, AttributeError):
    """There is no such server or tool. An AttributeError too, so that ``hasattr`` and ``getattr`` work."""

    code = "tool_unknown"


class ToolDenied(ToolError):
    """The policy does not allow this tool."""

    code = "tool_denied"


class RestoreDenied(ToolDenied):
    """A token in the arguments may not become its value at this tool."""

    code = "restore_denied"


class ToolNeedsApproval(ToolError):
    """A person has to allow this call, and did not or could not be asked."""

    code = "tool_needs_approval"


class CallBudgetSpent(ToolError):
    """The run has made all the calls that it may."""

    code = "call_budget"


class ToolArgumentError(ToolError, TypeError):
    """The arguments do not fit the tool."""

    code = "bad_arguments"


#: What user code finds in ``tools``.
ERRORS: Dict[str, Type[ToolError]] = {
    cls.__name__: cls
    for cls in (
        ToolError,
        ToolUnavailable,
        ToolNotFound,
        ToolDenied,
        RestoreDenied,
        ToolNeedsApproval,
        CallBudgetSpent,
        ToolArgumentError,
    )
}
for _cls in ERRORS.values():
    _cls.__module__ = "tools"  # where code imports it from

_BY_CODE: Dict[str, Type[ToolError]] = {cls.code: cls for cls in ERRORS.values()}
#: Codes that the ``done`` frame may carry.
TOOL_CODES = frozenset(_BY_CODE)


def failure_of(head: Mapping[str, Any], tool: str) -> ToolError:
    """The exception for a ``reply`` that is not ok. Raises DeadlineReached itself if the run's time is over."""
    code = str(head.get("code"))
    if code == "timeout":
        raise DeadlineReached
    known = _BY_CODE.get(code)
    return (known or ToolError)(
        str(head.get("message") or "the call failed"),
        code=code,
        retryable=bool(head.get("retryable")),
        tool=str(head.get("tool") or tool),
        hint=head.get("hint") or None,
    )
