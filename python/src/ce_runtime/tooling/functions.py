"""``tools.search``, ``tools.describe``, ``tools.call``."""

from typing import Any, Dict, List, Mapping, Optional

from ..wire import dump
from .caller import Caller
from .errors import ToolArgumentError
from .names import Names


class Functions:
    """The functions of the module ``tools`` that take names as text."""

    def __init__(self, caller: Caller, names: Names) -> None:
        self._caller = caller
        self._names = names

    def search(self, query: str, category: Optional[str] = None, limit: int = 5) -> List[Dict[str, Any]]:
        """Tools that fit the words of ``query``, the best first: dicts with name, signature and description."""
        if not isinstance(query, str) or not isinstance(category, (str, type(None))) or type(limit) is not int:
            raise ToolArgumentError("tools.search takes a text, a category (text) and a limit (int)", tool="search")
        question = dump({"query": query, "category": category, "limit": limit})
        found: List[Dict[str, Any]] = self._caller.look_up("search", "", question)
        return found

    def describe(self, name: Any) -> str:
        """Signature and description of a tool: ``"server.tool"`` or ``tools.server.tool``; of a server, its tools."""
        own = getattr(type(name), "__help__", None)
        if own is not None:
            return str(own(name))
        if not isinstance(name, str):
            raise ToolArgumentError('tools.describe takes a name: tools.describe("server.tool")', tool="describe")
        name = _bare(name)
        if "." not in name and self._names.has("", name):
            return self._names.listing(name)
        return str(self._caller.look_up("describe", name))

    def call(self, name: str, arguments: Optional[Mapping[str, Any]] = None, /, **more: Any) -> Any:
        """Calls a tool by its name: ``tools.call("server.tool", {"repo": "a/b"})``."""
        if not isinstance(name, str) or not isinstance(arguments, (Mapping, type(None))):
            raise ToolArgumentError('write tools.call("server.tool", {"name": value})', tool="call")
        return self._caller.call(_bare(name), (), {**(arguments or {}), **more})


def _bare(name: str) -> str:
    return name[6:] if name.startswith("tools.") else name
