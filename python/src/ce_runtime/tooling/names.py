"""Which servers and tools exist, for code that asks: hasattr, getattr, dir, in, iteration, repr."""

import dis
from types import FrameType
from typing import Any, Dict, Tuple, Union

from ..report.hints.near import listed, near
from .caller import Caller
from .errors import ToolError, ToolNotFound

_SHOWN = 20
_LISTED = 200
_ACCESS = frozenset(dis.opmap[name] for name in ("LOAD_ATTR", "LOAD_METHOD") if name in dis.opmap)


class Names:
    """Names in Python spelling. The host is asked once a run for the servers, and once for the tools of each."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._answers: Dict[str, Union[Tuple[str, ...], ToolError]] = {}

    def begin(self) -> None:
        """A new run: servers and tools may have come and gone."""
        self._answers = {}

    def of(self, server: str) -> Tuple[str, ...]:
        """The tools of a server; for ``""`` the servers. Raises ToolError if nobody can tell."""
        answer = self._answers.get(server)
        if answer is None:
            try:
                answer = tuple(self._caller.look_up("names", server))
            except ToolError as error:
                answer = error
            self._answers[server] = answer
        if isinstance(answer, ToolError):
            raise answer
        return answer

    def has(self, server: str, name: str) -> bool:
        """False if there is surely no such tool (or, for ``""``, server)."""
        try:
            return name in self.of(server)
        except ToolNotFound:
            return False
        except ToolError:
            return True  # a server that does not answer now may have it; the call will tell

    def missing(self, server: str, name: str) -> ToolNotFound:
        """The error for a name that does not exist, with the nearest ones."""
        try:
            known = self.of(server)
        except ToolError:
            known = ()
        close = near(name, known)
        if server:
            message, wanted = "tools.%s has no tool %r" % (server, name), "%s.%s" % (server, name)
        else:
            message, wanted = "there is no tool server %r" % name, name
        some = "it has %s" % listed(known, 8) if server else "the servers are %s" % listed(known, 8)
        hint = "did you mean %s?" % listed(close) if close else some if known else None
        return ToolNotFound(message, tool=wanted, hint=hint)

    def shown(self, server: str) -> str:
        """``24 tools: a, b, ...`` for a repr; says so if they are not known."""
        try:
            names = self.of(server)
        except ToolError as error:
            return "not known now, %s" % error
        what = ("tool" if server else "server") + ("" if len(names) == 1 else "s")
        more = ", and %d more" % (len(names) - _SHOWN) if len(names) > _SHOWN else ""
        return "%d %s%s%s%s" % (len(names), what, ": " if names else "", ", ".join(names[:_SHOWN]), more)

    def listing(self, server: str) -> str:
        """Every tool of a server on a line of its own, for help."""
        names = self.of(server)
        lines = ["tools.%s.%s" % (server, name) for name in names[:_LISTED]]
        if len(names) > _LISTED:
            lines.append("... and %d more; tools.search(...) finds the one that is needed" % (len(names) - _LISTED))
        return "\n".join([*lines, "help(tools.%s.NAME) shows the arguments of one" % server])


def is_plain_access(frame: FrameType) -> bool:
    """True for ``a.b`` in code, whose next step is a call that asks the host anyway; False for hasattr, getattr, import
    and the like, which want to know whether the name exists."""
    code: Any = frame.f_code.co_code
    return code[frame.f_lasti] in _ACCESS
