"""Modules of the workspace: importable like any other, last on sys.path, never shadowing the standard library."""

import ast
import importlib.machinery
import os
import sys
from typing import Any, Dict, Optional, Tuple

from .plain_await import wrap_awaits

Stamp = Tuple[int, int]


class WorkspaceModules:
    """Puts the workspace on sys.path and drops modules whose file has changed since they were imported."""

    def __init__(self, workspace: str) -> None:
        self._workspace = workspace
        self._stamps: Dict[str, Tuple[str, Stamp]] = {}
        # What the interpreter itself searches does not change.
        self._fixed = frozenset(path for path in sys.path_importer_cache if not self._is_inside(path))
        self.builtins: Optional[Dict[str, Any]] = None

    def install(self) -> None:
        """Before each run: search path, fresh folder listings, no byte code in the workspace."""
        sys.dont_write_bytecode = True
        hook = self._path_hook
        if not sys.path_hooks or sys.path_hooks[0] != hook:
            sys.path_hooks[:] = [other for other in sys.path_hooks if getattr(other, "__name__", "") != "_path_hook"]
            sys.path_hooks.insert(0, hook)
            sys.path_importer_cache.pop(self._workspace, None)
        if not sys.path or sys.path[-1] != self._workspace:
            sys.path[:] = [entry for entry in sys.path if entry not in ("", self._workspace)] + [self._workspace]
        self._forget_changed()
        self._forget_listings()

    def has(self, root: str) -> bool:
        """True if the workspace holds a module or package of that name."""
        base = os.path.join(self._workspace, root)
        return os.path.isfile(base + ".py") or os.path.isdir(base)

    def loaded(self, name: str, path: str) -> None:
        stamp = _stamp(path)
        if stamp is not None:
            self._stamps[name] = (path, stamp)

    def _forget_changed(self) -> None:
        changed = [name for name, (path, stamp) in self._stamps.items() if _stamp(path) != stamp]
        for name in changed:
            del self._stamps[name]
            sys.modules.pop(name, None)

    def _forget_listings(self) -> None:
        """As importlib.invalidate_caches(), but for what does not change: reading the list of an archive again costs 3 ms."""
        cache = sys.path_importer_cache
        _forget(cache.get(self._workspace))
        if len(cache) > len(self._fixed) + (self._workspace in cache):  # in a new process each look costs a page
            for path, finder in list(cache.items()):
                if path not in self._fixed:
                    _forget(finder)

    def _is_inside(self, path: str) -> bool:
        return path == self._workspace or path.startswith(self._workspace + os.sep)

    def _path_hook(self, path: str) -> Any:
        if not self._is_inside(path):
            raise ImportError("not in the workspace")
        loader = _loader_class(self)
        return importlib.machinery.FileFinder(path, (loader, [".py"]))


def _loader_class(modules: WorkspaceModules) -> Any:
    class WorkspaceLoader(importlib.machinery.SourceFileLoader):
        """Notes what was loaded; gives the module the builtins of user code where those are strict."""

        def exec_module(self, module: Any) -> None:
            if modules.builtins is not None:
                module.__dict__["__builtins__"] = modules.builtins
            super().exec_module(module)
            modules.loaded(module.__name__, self.path)

        def source_to_code(self, data: Any, path: Any, **options: Any) -> Any:  # type: ignore[override]
            if b"await" in data:
                data = ast.parse(data, path)
                wrap_awaits(data)
            return super().source_to_code(data, path, **options)

    return WorkspaceLoader


def _forget(finder: Any) -> None:
    if isinstance(finder, importlib.machinery.FileFinder):
        finder.invalidate_caches()


def _stamp(path: str) -> Optional[Stamp]:
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size
