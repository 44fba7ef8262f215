"""Edits of the module level: ``return`` gives the result, ``await`` takes plain values as well."""

import ast
from dataclasses import dataclass
from typing import Any, List, Union

#: Name under which an edited program finds :class:`Honoured`; taken out of the namespace after the run.
HELPER_NAME = "__top_level__"

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass
class TopLevelEdits:
    """What was edited, and so whether the helper is needed."""

    needs_helper: bool = False


def edit_top_level(tree: ast.Module, notes: List[str]) -> TopLevelEdits:
    """Edits ``tree`` in place. Does nothing in the usual case that there is neither return nor await out there."""
    edits = TopLevelEdits()
    editor = _Editor()
    if tree.body and isinstance(tree.body[-1], ast.Return):
        returned = tree.body[-1]
        value = returned.value or ast.copy_location(ast.Constant(None), returned)
        tree.body[-1] = ast.copy_location(ast.Expr(value), returned)
        editor.returns += 1
    for index, statement in enumerate(tree.body):
        tree.body[index] = editor.visit(statement)
    if editor.returns:
        notes.append(
            "`return` outside a function ended the run and its value is the result; "
            "next time assign to `result` or end with the expression"
        )
    edits.needs_helper = editor.uses_helper
    return edits


class _Editor(ast.NodeTransformer):
    def __init__(self) -> None:
        self.returns = 0
        self.uses_helper = False

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, _SCOPES):
            return node
        return super().visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        self.returns += 1
        self.generic_visit(node)
        value = node.value or ast.Constant(None)
        return _located(ast.Expr(self._call("end", value)), node)

    def visit_Await(self, node: ast.Await) -> Any:
        self.generic_visit(node)
        node.value = self._call("awaitable", node.value)
        return _located(node, node)

    def _call(self, method: str, argument: ast.expr) -> Any:
        self.uses_helper = True
        function = ast.Attribute(ast.Name(HELPER_NAME, ast.Load()), method, ast.Load())
        return _located(ast.Call(function, [argument], []), argument)


def _located(node: Any, origin: Union[ast.expr, ast.stmt]) -> Any:
    """``node`` and its new children with the position of ``origin``."""
    for child in ast.walk(node):
        if isinstance(child, (ast.expr, ast.stmt)) and not hasattr(child, "lineno"):
            ast.copy_location(child, origin)
    return ast.fix_missing_locations(node)
