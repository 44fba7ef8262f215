"""Finds the object that a failing subscript was applied to, without running user code."""

import ast
from typing import Any, Iterator, List, Optional, Tuple

from ...encode.types import bases
from ..frames import innermost, namespaces
from .situation import Situation

_NOT_FOUND = object()


def subscripted(error: BaseException, situation: Situation) -> Iterator[Tuple[Any, Any]]:
    """Pairs (object, key or _NOT_FOUND) of the subscripts on the failing line, as far as they can be followed."""
    frame = innermost(error.__traceback__, situation.main)
    if frame is None:
        return
    scopes = namespaces(error.__traceback__, situation.main)
    for node in _subscripts(situation, frame.file, frame.line):
        owner = _follow(node.value, scopes)
        if owner is not _NOT_FOUND:
            yield owner, _follow(_index(node), scopes)


def _subscripts(situation: Situation, file: str, line: int) -> List[ast.Subscript]:
    try:
        tree = ast.parse("".join(situation.main.source_lines(file)))
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and node.lineno <= line <= (getattr(node, "end_lineno", None) or node.lineno)
    ]


def _follow(node: ast.AST, scopes: List[Any]) -> Any:
    """The value of names, constants and subscripts of plain containers."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        for scope in scopes:
            if node.id in scope:
                return scope[node.id]
        return _NOT_FOUND
    if isinstance(node, ast.Subscript):
        owner, key = _follow(node.value, scopes), _follow(_index(node), scopes)
        return _item(owner, key)
    if isinstance(node, ast.Attribute):
        owner = _follow(node.value, scopes)
        try:
            attributes = object.__getattribute__(owner, "__dict__")
        except Exception:
            return _NOT_FOUND
        return attributes.get(node.attr, _NOT_FOUND) if type(attributes) is dict else _NOT_FOUND
    return _NOT_FOUND


def _item(owner: Any, key: Any) -> Any:
    if type(key) not in (str, int, float, bool, bytes, type(None)):
        return _NOT_FOUND
    kinds = bases(owner)
    if dict in kinds:
        return dict.get(owner, key, _NOT_FOUND)
    if type(owner) in (list, tuple) and type(key) is int and -len(owner) <= key < len(owner):
        return owner[key]
    return _NOT_FOUND


def _index(node: ast.Subscript) -> Any:
    index: Any = node.slice
    return index.value if type(index).__name__ == "Index" else index  # Python 3.8 and older wrap it


def plain_keys(owner: Any) -> Optional[List[Any]]:
    """The keys of a dict of any kind, else None."""
    return list(dict.keys(owner)) if dict in bases(owner) else None
