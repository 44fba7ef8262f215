"""``import skills.x``: finds the source on the host, runs it in a module of its own."""

import ast
import importlib.machinery
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence

from ..main_module import MainModule
from ..plain_await import wrap_awaits
from .errors import SHOWS_ALL, SkillNotFound, joined
from .library import Library, Source
from .skill import Skill, settle

_compile, _exec = compile, exec
PACKAGE = "skills"


class SkillFinder:
    """Finds skills as submodules of ``skills`` and nothing else, so that no skill can take the place of another module."""

    def __init__(self, library: Library, main: MainModule, bind: Callable[[Dict[str, Any], str], None]) -> None:
        self._library = library
        self._main = main
        self._bind = bind
        #: Skills whose code is running for the first time, the innermost last.
        self._loading: List[str] = []
        #: What skills get as ``__builtins__`` in strict mode.
        self.builtins: Optional[Dict[str, Any]] = None

    def begin(self) -> None:
        self._loading.clear()

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        package, _, name = fullname.partition(".")
        if package != PACKAGE or not name:
            return None
        try:
            source = self._library.source(name)
        except SkillNotFound as error:
            # A name other than `fullname`: the import system keeps quiet about a missing module of just that name.
            raise ModuleNotFoundError(joined(str(error), SHOWS_ALL), name=name) from None
        return importlib.machinery.ModuleSpec(fullname, self, loader_state=source)  # type: ignore[arg-type]

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Skill:
        return Skill(spec.name)

    def exec_module(self, module: Skill) -> None:
        spec = module.__spec__
        assert spec is not None
        self._run(module, spec.loader_state)  # type: ignore[arg-type]

    def load_text(self, source: Source) -> Skill:
        """A skill of that text in place of the saved one. Raises what its code raises."""
        name = "%s.%s" % (PACKAGE, source.name)
        module = sys.modules[name] = Skill(name)
        self._run(module, source)
        return module

    def check_import(self, name: str, members: Sequence[str]) -> None:
        """At an import in user code. Raises ImportError if it asks for a skill that is still being imported."""
        wanted = [name.partition(".")[2]] if "." in name else list(members)
        for skill in wanted:
            if skill in self._loading:
                circle = [*self._loading[self._loading.index(skill) :], skill]
                raise ImportError(
                    "skills import each other in a circle: %s; import inside the function that needs it, "
                    "or move what they share into a skill of its own" % " -> ".join(circle),
                    name=skill,
                )

    def _run(self, module: Skill, source: Source) -> None:
        file = "%s/%s.py" % (PACKAGE, source.name)
        names = module.__dict__
        self._main.add_skill(file, source.code)
        self._bind(names, source.code)
        given = dict(names)
        names["__file__"] = file
        if self.builtins is not None:
            names["__builtins__"] = self.builtins
        self._loading.append(source.name)
        try:
            _exec(_compiled(source.code, file), names)
        finally:
            self._loading.pop()
        settle(module, source, frozenset(name for name, value in given.items() if names.get(name) is value))


def _compiled(code: str, file: str) -> Any:
    if "await" not in code:
        return _compile(code, file, "exec", 0, True)
    tree = ast.parse(code, file)
    wrap_awaits(tree)
    return _compile(tree, file, "exec", 0, True)
