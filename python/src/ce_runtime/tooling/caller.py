"""Tool calls from arguments to result: at once, or started now and collected later."""

from typing import Any, Dict, List, Mapping, Sequence

from ..clip import clip, utf16_units
from ..notes import Notes
from ..wire import NAME_UNITS
from .arguments import encode_arguments
from .calls import ABANDONED, Call, Calls
from .errors import ToolError, ToolNotFound, failure_of
from .media import Save
from .pending import PendingCall
from .result import decode_result

_LISTED = 5


class Caller:
    """Makes the calls of one worker and remembers which were started and never collected."""

    def __init__(self, calls: Calls, notes: Notes, save: Save) -> None:
        self._calls = calls
        self._notes = notes
        self._save = save
        self._open: Dict[PendingCall, Call] = {}

    def call(self, name: str, positional: Sequence[Any], keyword: Mapping[str, Any]) -> Any:
        """The result of one call. Raises ToolError."""
        return self.result_of(self._start(name, positional, keyword, True))

    def later(self, name: str, positional: Sequence[Any], keyword: Mapping[str, Any]) -> PendingCall:
        """Starts a call; it is sent at once unless as many are running as may."""
        call = self._start(name, positional, keyword, False)
        pending = PendingCall(name, lambda: self.result_of(call), self._forget)
        self._open[pending] = call
        return pending

    def look_up(self, op: str, name: str, payload: bytes = b"{}") -> Any:
        """The host's answer to a question about tools."""
        head, data = self._calls.ask(op, _sendable(name), payload)
        if not head["ok"]:
            raise failure_of(head, name)
        return decode_result(data, name, self._save)

    def result_of(self, call: Call) -> Any:
        head, data = self._calls.finish(call)
        if not head["ok"]:
            raise failure_of(head, call.name)
        call.reply = (head, b"")  # the bytes of a large result are not needed beside its value
        return decode_result(data, call.name, self._save)

    def settle(self) -> None:
        """At the end of a run that went well: waits for the calls that nobody has collected, and tells of them."""
        told: List[str] = []
        for pending in list(self._open):
            try:
                pending.result()
                told.append("%s (done)" % pending.name)
            except ToolError as error:
                told.append("%s (failed: %s)" % (pending.name, error))
        if told:
            self._notes.add(
                "%s with .later() and never collected: %s; tools.gather(...) or .result() gives what they returned"
                % (_counted(len(told), "call was started", "calls were started"), _listed(told))
            )

    def end(self) -> None:
        """Whatever the end of the run: forgets what is still going, and tells of it."""
        unsent = self._calls.abandon()
        dropped = [call for call in self._open.values() if call.reply is ABANDONED]
        for what, names in (
            ("still running when the run ended", [call.name for call in dropped if call not in unsent]),
            ("still waiting for their turn and never sent", [call.name for call in dropped if call in unsent]),
        ):
            if names:
                self._notes.add("of the calls started with .later(), %s: %s" % (what, _listed(names)))
        self._open.clear()

    def _start(self, name: str, positional: Sequence[Any], keyword: Mapping[str, Any], next_in_turn: bool) -> Call:
        return self._calls.start(_sendable(name), encode_arguments(name, positional, keyword), next_in_turn)

    def _forget(self, pending: PendingCall) -> None:
        self._open.pop(pending, None)


def _sendable(name: str) -> str:
    """``name``, if it fits into a frame."""
    if len(name) > 128 and utf16_units(name) > NAME_UNITS:
        raise ToolNotFound("there is no tool with a name of %d characters" % len(name), tool=clip(name, 100))
    return name


def _counted(count: int, one: str, many: str) -> str:
    return "1 %s" % one if count == 1 else "%d %s" % (count, many)


def _listed(items: List[str]) -> str:
    shown = ", ".join(items[:_LISTED])
    return shown if len(items) <= _LISTED else "%s and %d more" % (shown, len(items) - _LISTED)
