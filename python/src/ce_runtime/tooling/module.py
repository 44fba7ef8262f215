"""The module ``tools`` itself."""

import sys
import types
from typing import Dict, Iterator, List

from ..notes import Notes
from .caller import Caller
from .errors import ERRORS
from .functions import Functions
from .media import Media
from .names import Names, is_plain_access
from .pending import Gather, PendingCall
from .server import Server

_DOC = """Downstream tools as functions.

tools.search("create issue")                      find tools: name, signature, description
tools.github.list_issues(repo="a/b")              call one; also tools["github"]["list-issues"](...)
tools.call("github.list_issues", {"repo": "a/b"}) call one by name
help(tools.github.list_issues)                    its arguments
a, b = tools.gather(tools.x.f.later(n=1), tools.x.f.later(n=2))   calls in parallel
try: ... except tools.ToolError as error: ...     error.code, error.message, error.retryable, error.tool
"""


class Tools(types.ModuleType):
    """Its attributes are the names below, and every server by its Python name."""

    def __init__(self, caller: Caller, names: Names, notes: Notes) -> None:
        super().__init__("tools", _DOC)
        self.__caller = caller
        self.__names = names
        self.__servers: Dict[str, Server] = {}
        self.__path__: List[str] = []  # a package: `from tools.github import list_issues`
        functions = Functions(caller, names)
        own = {
            "search": functions.search,
            "describe": functions.describe,
            "call": functions.call,
            "gather": Gather(notes).gather,
            "Media": Media,
            "PendingCall": PendingCall,
            **ERRORS,
        }
        self.__own = tuple(own)
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Server:
        if name.startswith("__"):
            raise AttributeError("module 'tools' has no attribute %r" % name)
        if not is_plain_access(sys._getframe(1)) and not self.__names.has("", name):
            raise self.__names.missing("", name)
        return self[name]

    def __getitem__(self, name: str) -> Server:
        server = self.__servers.get(name)
        if server is None:
            server = self.__servers[name] = Server(name, self.__caller, self.__names)
        return server

    def __iter__(self) -> Iterator[str]:
        return iter(self.__names.of(""))

    def __len__(self) -> int:
        return len(self.__names.of(""))

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        return name in self.__names.of("")

    def __dir__(self) -> List[str]:
        return [*self.__own, *self.__names.of("")]

    def __repr__(self) -> str:
        return "<tools: %s>" % self.__names.shown("")

    def __help__(self) -> str:
        return "%s\n%s" % (_DOC, self.__names.shown(""))


Tools.__module__ = "tools"
