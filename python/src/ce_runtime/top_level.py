"""The module level of a program: what is there, and the edit that makes ``return`` work there."""

import ast
from dataclasses import dataclass
from typing import Any, List, Union

#: Name under which an edited program finds its helper; taken out of the namespace after the run.
HELPER_NAME = "__top_level__"

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass
class TopLevel:
    """What stands at the module level, outside functions and classes."""

    returns: bool = False
    #: ``result`` is assigned somewhere.
    assigns_result: bool = False
    #: The edited tree calls the helper.
    needs_helper: bool = False


def edit_top_level(tree: ast.Module, source: str, notes: List[str]) -> TopLevel:
    """Edits ``tree``, which is ``source``, in place if there is a return to edit."""
    found = _scan(tree) if "return" in source or "result" in source or not source.isascii() else TopLevel()
    if not found.returns:
        return found
    if isinstance(tree.body[-1], ast.Return):
        returned = tree.body[-1]
        value = returned.value or ast.copy_location(ast.Constant(None), returned)
        tree.body[-1] = ast.copy_location(ast.Expr(value), returned)
    editor = _Editor()
    tree.body = [editor.visit(statement) for statement in tree.body]
    found.needs_helper = editor.uses_helper
    if found.returns:
        notes.append(
            "`return` outside a function ended the run and its value is the result; "
            "next time assign to `result` or end with the expression"
        )
    return found


def _scan(tree: ast.Module) -> TopLevel:
    """Without recursion: a sum of a thousand terms is a thousand levels deep."""
    found = TopLevel()
    queue: List[ast.AST] = list(tree.body)
    while queue:
        node = queue.pop()
        if isinstance(node, _SCOPES):
            continue
        if isinstance(node, ast.Name):
            if node.id == "result" and isinstance(node.ctx, ast.Store):
                found.assigns_result = True
            continue
        if isinstance(node, ast.Return):
            found.returns = True
        queue.extend(ast.iter_child_nodes(node))
    return found


class _Editor(ast.NodeTransformer):
    def __init__(self) -> None:
        self.uses_helper = False

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, _SCOPES):
            return node
        return super().visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        self.generic_visit(node)
        value = node.value or ast.Constant(None)
        return _located(ast.Expr(self._call("end", value)), node)

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
