"""Source text to code objects: parse, edit the tree, compile. Nothing runs here."""

import __future__

import ast
import warnings
from dataclasses import dataclass, field
from types import CodeType
from typing import List, Optional

from .source.repair import parse_repaired
from .top_level import TopLevelEdits, edit_top_level

_compile = compile
_FUTURE_FLAGS = 0
for _name in __future__.all_feature_names:
    _FUTURE_FLAGS |= getattr(__future__, _name).compiler_flag


@dataclass
class Program:
    """Code that is ready to run: the statements, then the last expression if there is one."""

    source: str
    body: CodeType
    last: Optional[CodeType]
    last_is_call: bool
    assigns_result: bool
    edits: TopLevelEdits
    notes: List[str] = field(default_factory=list)


def build_program(code: str, file: str) -> Program:
    """Compiles ``code``. Raises SyntaxError; the notes tell what was mended."""
    notes: List[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree, source = parse_repaired(code, file, notes)
        edits = edit_top_level(tree, notes)
        last_expression: Optional[ast.Expression] = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            statement = tree.body.pop()
            assert isinstance(statement, ast.Expr)
            # A lone string is the docstring of the module and its value as well.
            if not tree.body and _is_string(statement.value):
                tree.body.append(statement)
            last_expression = ast.Expression(statement.value)
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        body = _compile(tree, file, "exec", flags, True)
        last = None
        if last_expression is not None:
            last = _compile(last_expression, file, "eval", flags | _future_flags(body), True)
    return Program(
        source=source,
        body=body,
        last=last,
        last_is_call=last_expression is not None and _is_call(last_expression.body),
        assigns_result=_assigns_result(tree),
        edits=edits,
        notes=notes,
    )


def _future_flags(body: CodeType) -> int:
    """The ``from __future__`` flags of the statements, which the last expression shares."""
    return body.co_flags & _FUTURE_FLAGS


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_call(node: ast.expr) -> bool:
    if isinstance(node, ast.Await):
        node = node.value
    return isinstance(node, ast.Call)


def _assigns_result(tree: ast.Module) -> bool:
    """True if the module level assigns ``result``, wherever it stands outside functions and classes."""
    queue: List[ast.AST] = list(tree.body)
    while queue:
        node = queue.pop()
        if isinstance(node, ast.Name) and node.id == "result" and isinstance(node.ctx, ast.Store):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            queue.extend(ast.iter_child_nodes(node))
    return False
