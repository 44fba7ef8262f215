"""``import tools.github``, ``from tools.github import list_issues``."""

import importlib.machinery
from typing import Any, Optional

from .module import Tools
from .names import Names


class ServerFinder:
    """Finds the servers as submodules of ``tools``; last on sys.meta_path, and only while ``tools`` is ours."""

    def __init__(self, module: Tools, names: Names) -> None:
        self._module = module
        self._names = names

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        package, _, name = fullname.partition(".")
        if package != "tools" or not name:
            return None
        if not self._names.has("", name):
            raise ModuleNotFoundError(str(self._names.missing("", name)), name=fullname)
        return importlib.machinery.ModuleSpec(fullname, self)  # type: ignore[arg-type]

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        return self._module[spec.name.partition(".")[2]]

    def exec_module(self, module: Any) -> None:
        """There is nothing to execute."""
