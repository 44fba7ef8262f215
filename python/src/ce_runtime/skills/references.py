"""Which tools and skills a source text names. Read from the syntax tree: what is put together at run time is not seen."""

import ast
import builtins
from typing import Dict, Iterator, List, Optional, Sequence, Set, Tuple

Path = Tuple[str, ...]

_TOOLS_OWN = frozenset(
    "search describe call gather Media PendingCall ToolError ToolUnavailable ToolNotFound ToolDenied ToolNeedsApproval "
    "CallBudgetSpent ToolArgumentError".split()
)
_SKILLS_OWN = frozenset("search load_skill list_skills save_skill SkillError SkillNotFound".split())
#: Names that the sandbox has ready, by the import that other Pythons need.
_READY_IMPORTS: Dict[str, str] = {
    **{name: "import %s" % name for name in ("json", "re", "math", "statistics", "collections")},
    **{name: "from datetime import %s" % name for name in ("datetime", "date", "timedelta")},
}
#: Longer chains of attributes lead nowhere that counts.
_MAX_CHAIN = 8


def required_tools(tree: ast.Module) -> List[str]:
    """``server.tool`` for every use of one; a bare name for ``tools.create_issue(...)``."""
    names = _Names(tree)
    found: Set[str] = set()
    for path in names.imported:
        if len(path) == 3 and path[0] == "tools":
            found.add("%s.%s" % path[1:])
    for node in ast.walk(tree):
        used = names.path(node)
        if used is not None and used[0] == "tools" and len(used) >= 3 and used[1] not in _TOOLS_OWN:
            found.add("%s.%s" % used[1:3])
        if isinstance(node, ast.Call):
            called = names.path(node.func)
            if called == ("tools", "call"):
                found.update(_literal(node.args, "tools."))
            elif called is not None and called[0] == "tools" and len(called) == 2 and called[1] not in _TOOLS_OWN:
                found.add(called[1])
    return sorted(found)


def required_skills(tree: ast.Module) -> List[str]:
    """The skills that are imported, called or loaded."""
    names = _Names(tree)
    found: Set[str] = {path[1] for path in names.imported if path[0] == "skills" and len(path) >= 2}
    for node in ast.walk(tree):
        path = names.path(node)
        if path is not None and path[0] == "skills" and len(path) >= 2:
            found.add(path[1])
        if isinstance(node, ast.Call):
            called = names.path(node.func)
            named = isinstance(node.func, ast.Name) and node.func.id == "load_skill"
            if named or called == ("skills", "load_skill"):
                found.update(_literal(node.args, "skills."))
    return sorted({name.replace("-", "_") for name in found if name != "*"} - _SKILLS_OWN)


def missing_imports(tree: ast.Module) -> List[str]:
    """Imports that only this sandbox does not need, as statements."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    missing = used - _bound(tree)
    return [statement for name, statement in _READY_IMPORTS.items() if name in missing]


class _Names:
    """What names of the code stand for: ``gh`` for ``("tools", "github")``. Scopes are not told apart."""

    def __init__(self, tree: ast.Module) -> None:
        self._aliases: Dict[str, Path] = {}
        #: Everything below ``tools`` and ``skills`` that is imported.
        self.imported: List[Path] = []
        for node in ast.walk(tree):
            for name, path in _imports(node):
                self._aliases[name] = path
                self.imported.append(path)
        bound = _bound(tree)
        for ready in ("tools", "skills"):
            if ready not in bound:
                self._aliases[ready] = (ready,)
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                path_of_value = self.path(node.value)
                if path_of_value is not None:
                    self._aliases[node.targets[0].id] = path_of_value

    def path(self, node: ast.AST) -> Optional[Path]:
        """``("tools", "github", "list_issues")`` for an expression that means it."""
        parts: List[str] = []
        while len(parts) <= _MAX_CHAIN:
            if isinstance(node, ast.Name):
                base = self._aliases.get(node.id)
                return None if base is None else (*base, *reversed(parts))
            if isinstance(node, ast.Attribute):
                parts.append(node.attr)
            elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                parts.append(node.slice.value)
            else:
                return None
            node = node.value
        return None


def _imports(node: ast.AST) -> Iterator[Tuple[str, Path]]:
    """The names that an import statement binds, with what they mean below ``tools`` and ``skills``."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            path = tuple(alias.name.split("."))
            if path[0] in ("tools", "skills"):
                yield (alias.asname, path) if alias.asname else (path[0], path[:1])
                if not alias.asname and len(path) > 1:
                    yield "", path
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
        path = tuple(node.module.split("."))
        if path[0] in ("tools", "skills"):
            for alias in node.names:
                yield alias.asname or alias.name, (*path, alias.name)


def _bound(tree: ast.Module) -> Set[str]:
    """Names that the code binds in whatever scope, and the builtins."""
    names: Set[str] = set(dir(builtins)) - {"tools", "skills"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names


def _literal(arguments: Sequence[ast.expr], prefix: str) -> List[str]:
    """The first argument, where it is a text."""
    if arguments and isinstance(arguments[0], ast.Constant) and isinstance(arguments[0].value, str):
        text = arguments[0].value
        return [text[len(prefix) :] if text.startswith(prefix) else text]
    return []
