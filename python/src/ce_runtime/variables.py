"""The top-level names that a run has left behind."""

import types
from typing import Any, Dict, List, Optional

from .encode.show import preview
from .encode.types import bases, type_name
from .wire import Variable

_MISSING = object()
_SIZED = (str, bytes, bytearray, list, tuple, set, frozenset, dict, range)
_CODE = (types.FunctionType, type, types.BuiltinFunctionType, types.MethodType)


def changed_names(names: Dict[str, Any], before: Dict[str, Any]) -> List[str]:
    """New or rebound names, without private ones and modules, in the order of their definition."""
    return [
        name
        for name, value in list(names.items())
        if value is not before.get(name, _MISSING)
        and type(name) is str
        and not name.startswith("_")
        and types.ModuleType not in bases(value)
    ]


def describe(names: Dict[str, Any], changed: List[str]) -> List[Variable]:
    """Data first, then functions and classes. Runs no user code."""
    values = [name for name in changed if not isinstance_of(names[name], _CODE)]
    code = [name for name in changed if isinstance_of(names[name], _CODE)]
    return [_variable(name, names[name]) for name in (values + code)[:50]]


def isinstance_of(value: Any, kinds: Any) -> bool:
    """isinstance on the real type."""
    return any(base in kinds for base in bases(value))


def _variable(name: str, value: Any) -> Variable:
    if isinstance_of(value, _CODE):
        return Variable(name, type_name(value))
    return Variable(name, type_name(value), _size(value), preview(value))


def _size(value: Any) -> Optional[int]:
    for base in bases(value):
        if base in _SIZED:
            size: int = base.__len__(value)  # type: ignore[attr-defined]
            return size
    return None
