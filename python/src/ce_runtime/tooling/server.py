"""``tools.server`` and ``tools.server.tool``: cheap stand-ins that ask nothing before they are called."""

import sys
import types
from typing import Any, Dict, Iterator, List

from .caller import Caller
from .errors import ToolError
from .names import Names, is_plain_access
from .pending import PendingCall


class Server(types.ModuleType):
    """The tools of one server as functions."""

    def __init__(self, written: str, caller: Caller, names: Names) -> None:
        super().__init__("tools." + written)
        self.__written = written
        self.__caller = caller
        self.__names = names
        self.__tools: Dict[str, Tool] = {}

    def __getattr__(self, name: str) -> "Tool":
        if name.startswith("__"):
            raise AttributeError("module %r has no attribute %r" % (self.__name__, name))
        if not is_plain_access(sys._getframe(1)) and not self.__names.has(self.__written, name):
            raise self.__names.missing(self.__written, name)
        return self[name]

    def __getitem__(self, name: str) -> "Tool":
        tool = self.__tools.get(name)
        if tool is None:
            tool = self.__tools[name] = Tool("%s.%s" % (self.__written, name), self.__caller)
        return tool

    def __call__(self, /, *positional: Any, **keyword: Any) -> Any:
        """``tools.create_issue(...)``: the host finds a tool by its bare name if only one server has it."""
        return self.__caller.call(self.__written, positional, keyword)

    def __iter__(self) -> Iterator[str]:
        return iter(self.__names.of(self.__written))

    def __len__(self) -> int:
        return len(self.__names.of(self.__written))

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        return name in self.__names.of(self.__written)

    def __dir__(self) -> List[str]:
        return list(self.__names.of(self.__written))

    def __repr__(self) -> str:
        return "<tools.%s: %s>" % (self.__written, self.__names.shown(self.__written))

    def __help__(self) -> str:
        return self.__names.listing(self.__written)


class Tool:
    # One tool as a function: call it, or start it with ``.later(...)``. Its docstring is that of the tool.

    __slots__ = ("__weakref__", "_caller", "_name")

    def __init__(self, name: str, caller: Caller) -> None:
        self._name = name
        self._caller = caller

    def __call__(self, /, *positional: Any, **keyword: Any) -> Any:
        return self._caller.call(self._name, positional, keyword)

    def later(self, /, *positional: Any, **keyword: Any) -> PendingCall:
        """Starts the call and goes on; ``tools.gather(...)`` or ``.result()`` gives its result."""
        return self._caller.later(self._name, positional, keyword)

    @property
    def __name__(self) -> str:
        return self._name.rpartition(".")[2]

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        try:
            return self.__help__()
        except ToolError as error:
            return str(error)

    def __help__(self) -> str:
        return str(self._caller.look_up("describe", self._name))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            "tools.%s is a tool and has no attribute %r: call it, tools.%s(...), or start it with .later(...)"
            % (self._name, name, self._name)
        )

    def __repr__(self) -> str:
        return "<tool %s: call it; help(...) shows its arguments>" % self._name


Server.__module__ = Tool.__module__ = "tools"
