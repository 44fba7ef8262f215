"""One skill: a module that can be called like its main function."""

import inspect
import types
from typing import Any, Callable, FrozenSet, List, Optional

from .library import Source


class Skill(types.ModuleType):
    """``from skills import x`` gives it, for code writes both ``x(...)`` and ``x.main(...)``."""

    __slots__ = ("_entry", "_given", "_version")

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._entry = ""
        self._version = 0
        self._given: FrozenSet[str] = frozenset()

    def __call__(self, /, *args: Any, **options: Any) -> Any:
        return entry_of(self)(*args, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(entry_of(self))

    def __dir__(self) -> List[str]:
        return sorted(name for name in self.__dict__ if name not in self._given)

    def __repr__(self) -> str:
        return "<skill %s, version %d: call it, or one of %s>" % (
            _bare(self),
            self._version,
            ", ".join(functions_of(self)) or "nothing",
        )

    def __help__(self) -> str:
        lines = ["skill %s, version %d" % (_bare(self), self._version), "", self.__doc__ or ""]
        for name in functions_of(self):
            function = self.__dict__[name]
            lines += ["", name + _signature(function), inspect.getdoc(function) or ""]
        return "\n".join(lines).strip()


Skill.__module__ = "skills"


def settle(skill: Skill, source: Source, given: FrozenSet[str]) -> None:
    """After the code has run. ``given``: names that it found in its module and has not replaced."""
    skill._version = source.version
    skill._given = given
    skill._entry = source.entry


def entry_of(skill: Skill) -> Callable[..., Any]:
    """The function that a call of the skill calls. Raises TypeError if there is none."""
    function = _entry(skill)
    if function is None:
        own = ", ".join("%s.%s()" % (_bare(skill), name) for name in functions_of(skill))
        raise TypeError("the skill %s cannot be called as a whole: %s" % (_bare(skill), own or "it defines no function"))
    return function


def functions_of(skill: Skill) -> List[str]:
    """Its public functions in the order of their definition."""
    return [
        name
        for name, value in skill.__dict__.items()
        if not name.startswith("_") and isinstance(value, types.FunctionType) and value.__module__ == skill.__name__
    ]


def _entry(skill: Skill) -> Optional[Callable[..., Any]]:
    """By the rule of the host, should it not have named one: named like the skill, else ``main``, else the first."""
    for name in (skill._entry, _bare(skill), "main", *functions_of(skill)):
        value = skill.__dict__.get(name)
        if callable(value) and name not in skill._given:
            return value  # type: ignore[no-any-return]
    return None


def _bare(skill: Skill) -> str:
    return skill.__name__.rpartition(".")[2]


def _signature(function: Any) -> str:
    try:
        return str(inspect.signature(function))
    except (TypeError, ValueError):
        return "(...)"
