"""The real type of a value, whatever its class overrides."""

from typing import Any, Mapping, Tuple

_mro = type.__dict__["__mro__"].__get__
_dict = type.__dict__["__dict__"].__get__
_name = type.__dict__["__name__"].__get__
_module = type.__dict__["__module__"].__get__


def bases(value: Any) -> Tuple[type, ...]:
    """The classes of ``value`` in method resolution order; no code of the class runs."""
    result: Tuple[type, ...] = _mro(type(value))
    return result


def class_dict(cls: type) -> Mapping[str, Any]:
    """What the class itself defines."""
    found: Mapping[str, Any] = _dict(cls)
    return found


def type_name(value: Any) -> str:
    """``list``, ``Point``, ``collections.Counter``: the module only for library types."""
    return class_name(type(value))


def class_name(cls: type) -> str:
    name = str(_name(cls))
    try:
        module = _module(cls)
    except Exception:
        module = None
    if type(module) is not str or module in ("builtins", "__main__"):
        return name
    return "%s.%s" % (module, name)
