"""Short text of a value: previews that run no user code, and a capped repr that may."""

from typing import Any, List, Set

from ..clip import clip
from .types import bases, class_dict, type_name

_ITEMS = 6
_repr = repr
_SCALARS = frozenset((int, float, complex, bool, type(None), type(Ellipsis), range))


def preview(value: Any, cap: int = 80) -> str:
    """A repr of built-in types that stops after a few items; other types by their name."""
    return clip(_preview(value, cap, set(), 3), cap)


def capped_repr(value: Any, cap: int = 2_000) -> str:
    """repr() cut to ``cap``; a repr that raises is named instead."""
    if _has_default_repr(value):
        return clip(_attributes(value, cap), cap)
    try:
        text = _repr(value)
    except Exception as error:
        return "<%s object; its __repr__ raised %s>" % (type_name(value), type(error).__name__)
    return clip(str.__str__(text), cap)


def _has_default_repr(value: Any) -> bool:
    for base in bases(value):
        if "__repr__" in class_dict(base):
            return base is object
    return True


def _attributes(value: Any, cap: int) -> str:
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except Exception:
        attributes = None
    if type(attributes) is not dict or not attributes:
        return "<%s object>" % type_name(value)
    parts = ["%s=%s" % (name, preview(item, 200)) for name, item in list(attributes.items())[:30]]
    return "%s(%s)" % (type_name(value), ", ".join(parts))


def _preview(value: Any, cap: int, seen: Set[int], depth: int) -> str:
    kind = type(value)
    if kind is int:
        return str(value) if -(10**40) < value < 10**40 else "<int of %d bits>" % value.bit_length()
    if kind in _SCALARS:
        return _repr(value)
    if kind is str:
        return _repr(value if len(value) <= cap else value[:cap])
    if kind is bytes or kind is bytearray:
        return _repr(value[:cap])
    if kind in (list, tuple, set, frozenset, dict):
        if id(value) in seen or depth == 0:
            return "..."
        seen.add(id(value))
        text = _container(value, kind, cap, seen, depth - 1)
        seen.discard(id(value))
        return text
    return "<%s>" % type_name(value)


def _container(value: Any, kind: type, cap: int, seen: Set[int], depth: int) -> str:
    parts: List[str] = []
    for item in _first(value.items() if kind is dict else value):
        if kind is dict:
            text = "%s: %s" % (_preview(item[0], cap, seen, depth), _preview(item[1], cap, seen, depth))
        else:
            text = _preview(item, cap, seen, depth)
        parts.append(text)
        cap -= len(text)
        if cap <= 0:
            break
    if len(value) > len(parts):
        parts.append("...")
    body = ", ".join(parts)
    if kind is list:
        return "[%s]" % body
    if kind is tuple:
        return "(%s,)" % body if len(value) == 1 else "(%s)" % body
    if kind is dict:
        return "{%s}" % body
    return "{%s}" % body if value else "%s()" % kind.__name__


def _first(value: Any) -> List[Any]:
    items: List[Any] = []
    for item in value:
        items.append(item)
        if len(items) == _ITEMS:
            break
    return items
