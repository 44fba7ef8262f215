"""``import`` statements of user code: what is refused, and in strict mode what is allowed.

Only user code is guarded: the standard library imports what it needs. ``importlib.import_module`` stays as it is.
"""

import builtins
import sys
from typing import Any, Callable, Mapping, Optional, Sequence

from .denied import NETWORK_ADVICE, NO_BRIDGE, DeniedImport
from .denied_calls import deny_calls

_BRIDGE = frozenset(("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "pyodide_http", "micropip"))
#: Modules that open connections and are not part of the standard library (telnetlib was).
_NETWORK = frozenset(("requests httpx aiohttp urllib3 telnetlib websocket websockets paramiko selenium playwright grpc").split())
#: Modules whose calls are refused once they are loaded.
_WATCHED = frozenset(("urllib", "ctypes", "multiprocessing", "pdb", "socket", "subprocess"))
_SPECIAL = _BRIDGE | _NETWORK | _WATCHED | {"skills", "tools"}

#: What strict mode lets user code import.
STRICT_MODULES = frozenset(
    (
        "__future__ abc argparse array ast asyncio base64 binascii bisect calendar cmath collections colorsys "
        "concurrent configparser contextlib copy csv dataclasses datetime decimal difflib enum fractions functools "
        "graphlib hashlib heapq hmac html io itertools json logging math numbers operator pathlib pprint queue random "
        "re secrets skills statistics string struct textwrap time timeit tomllib tools traceback types typing unicodedata "
        "unittest doctest uuid warnings weakref xml zlib zoneinfo"
    ).split()
)

_real_import = builtins.__import__


class ImportGuard:
    """Makes the ``__import__`` that user code gets."""

    def __init__(
        self,
        is_user: Callable[[Optional[str]], bool],
        is_workspace_module: Callable[[str], bool],
        check_tools: Callable[[bool], None],
        check_skills: Callable[[str, Sequence[str], bool], None],
    ) -> None:
        self._is_user = is_user
        self._is_workspace_module = is_workspace_module
        self._check_tools = check_tools
        self._check_skills = check_skills

    def restricted(
        self,
        name: str,
        globals: Optional[Mapping[str, Any]] = None,
        locals: Optional[Mapping[str, Any]] = None,
        fromlist: Optional[Sequence[str]] = (),
        level: int = 0,
    ) -> Any:
        """builtins.__import__ in restricted mode."""
        if level == 0:
            root = name.partition(".")[0]
            if root in _SPECIAL and self._called_by_user(globals):
                return self._special(root, name, globals, locals, fromlist)
        return _real_import(name, globals, locals, fromlist, level)

    def strict(
        self,
        name: str,
        globals: Optional[Mapping[str, Any]] = None,
        locals: Optional[Mapping[str, Any]] = None,
        fromlist: Optional[Sequence[str]] = (),
        level: int = 0,
    ) -> Any:
        """The ``__import__`` of user code in strict mode."""
        root = name.partition(".")[0]
        if level == 0 and root not in STRICT_MODULES and not self._is_workspace_module(root):
            raise DeniedImport("strict mode does not allow `import %s`: use another module of the standard library" % root)
        return self.restricted(name, globals, locals, fromlist, level)

    def _special(self, root: str, name: str, globals: Any, locals: Any, fromlist: Any) -> Any:
        if root in _BRIDGE:
            raise DeniedImport("`import %s` is not available: %s" % (root, NO_BRIDGE), name=root)
        if root == "tools":
            self._check_tools(self._is_workspace_module("tools"))
            return _real_import(name, globals, locals, fromlist, 0)
        if root == "skills":
            self._check_skills(name, fromlist or (), self._is_workspace_module("skills"))
            return _real_import(name, globals, locals, fromlist, 0)
        try:
            module = _real_import(name, globals, locals, fromlist, 0)
        except ModuleNotFoundError as error:
            if root in _NETWORK and (error.name or "").partition(".")[0] == root:
                raise DeniedImport("`import %s` is not available: %s" % (root, NETWORK_ADVICE), name=root) from None
            raise
        deny_calls()
        return module

    def _called_by_user(self, globals: Optional[Mapping[str, Any]]) -> bool:
        names = globals if globals is not None else sys._getframe(2).f_globals
        return names.get("__name__") == "__main__" or self._is_user(names.get("__file__"))
