"""What the source text of a skill tells about itself. It is parsed and compiled, never run."""

import ast
import re
from typing import Any, Dict, List, Optional, Union

from .references import missing_imports, required_skills, required_tools

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DOCUMENTED = (*_FUNCTIONS, ast.ClassDef, ast.Module)
_compile = compile
_SIGNATURE_CHARS = 400
# As doctest finds them; the module itself brings the debugger along, which no worker needs.
_EXAMPLE = re.compile(r"^[ ]*>>>(?: .*)?$", re.MULTILINE)
_MOST_NAMES = 100


def inspect_skill(code: str, name: str) -> Dict[str, Any]:
    """The facts, or ``problem`` with message and, where it is known, line and text of it."""
    file = "%s.py" % name
    try:
        tree = ast.parse(code, file)
        _compile(tree, file, "exec", 0, True)  # finds what parsing does not: a return outside a function, for one
        return _facts(tree, name)
    except SyntaxError as error:
        return _syntax(error, code)
    except (RecursionError, MemoryError):
        return {"problem": "syntax", "message": "it is nested too deeply, or has too large a constant"}
    except (ValueError, OverflowError) as error:
        return {"problem": "syntax", "message": str(error)}


def _facts(tree: ast.Module, name: str) -> Dict[str, Any]:
    functions = {node.name: node for node in _top_level(tree) if isinstance(node, _FUNCTIONS) and not node.name.startswith("_")}
    if not functions:
        return {"problem": "no_function", "message": "it defines no public function at its top level"}
    entry = next((functions[one] for one in (name, "main") if one in functions), next(iter(functions.values())))
    docstring = ast.get_docstring(entry) or ast.get_docstring(tree)
    facts: Dict[str, Any] = {
        "entry": entry.name,
        "signature": _signature(entry),
        "functions": list(functions)[:_MOST_NAMES],
        "requiresTools": required_tools(tree)[:_MOST_NAMES],
        "requiresSkills": [skill for skill in required_skills(tree) if skill != name][:_MOST_NAMES],
        "examples": sum(len(_EXAMPLE.findall(text)) for text in _docstrings(tree)),
        "missingImports": missing_imports(tree)[:_MOST_NAMES],
    }
    if docstring is not None:
        facts["docstring"] = docstring[:10_000]
    return facts


def _top_level(tree: ast.Module) -> List[ast.stmt]:
    """Statements of the module, also those below ``if`` and ``try``."""
    found: List[ast.stmt] = []
    waiting: List[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        found.append(node)
        if isinstance(node, (ast.If, ast.Try)):
            inner = [*node.body, *node.orelse]
            if isinstance(node, ast.Try):
                inner += [*node.finalbody, *(statement for handler in node.handlers for statement in handler.body)]
            waiting = inner + waiting
    return found


def _signature(node: Function) -> str:
    returns = "" if node.returns is None else " -> %s" % ast.unparse(node.returns)
    text = "%s(%s)%s" % (node.name, ast.unparse(node.args), returns)
    text = " ".join(text.split())
    return text if len(text) <= _SIGNATURE_CHARS else text[: _SIGNATURE_CHARS - 3] + "..."


def _docstrings(tree: ast.Module) -> List[str]:
    texts = [ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, _DOCUMENTED)]
    return [text for text in texts if text is not None]


def _syntax(error: SyntaxError, code: str) -> Dict[str, Any]:
    problem: Dict[str, Any] = {"problem": "syntax", "message": error.msg or "invalid syntax"}
    line: Optional[int] = error.lineno
    if line is not None and line > 0:
        problem["line"] = line
        lines = code.splitlines()
        if line <= len(lines):
            problem["text"] = lines[line - 1].strip()[:200]
    return problem
