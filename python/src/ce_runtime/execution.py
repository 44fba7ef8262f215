"""Runs a program in a namespace and hands back its value."""

import inspect
from types import CodeType
from typing import Any, Dict

from .loop.policy import Loops
from .program import Program
from .stops import TopLevelReturn
from .top_level import HELPER_NAME


class NoValue:
    """The program has no value of its own."""


NO_VALUE = NoValue()

_exec, _eval = exec, eval
_CO_COROUTINE = inspect.CO_COROUTINE


class TopLevelHelper:
    """What an edited program calls for ``return`` and ``await`` outside functions."""

    def __init__(self) -> None:
        self.awaited_plain = False

    def end(self, value: Any) -> None:
        raise TopLevelReturn(value)

    def awaitable(self, value: Any) -> Any:
        if inspect.isawaitable(value):
            return value
        self.awaited_plain = True
        return _ready(value)


def execute(program: Program, names: Dict[str, Any], loops: Loops, helper: TopLevelHelper) -> Any:
    """The value of the last expression or of a top-level return, else :data:`NO_VALUE`. Raises what the code raises."""
    if program.edits.needs_helper:
        names[HELPER_NAME] = helper
    try:
        if program.body.co_flags & _CO_COROUTINE:
            return loops.run(_execute_async(program, names))
        _exec(program.body, names)
        if program.last is None:
            return NO_VALUE
        value = _eval(program.last, names)
        return loops.run(value) if program.last.co_flags & _CO_COROUTINE else value
    except TopLevelReturn as returned:
        return returned.value
    finally:
        if program.edits.needs_helper:
            names.pop(HELPER_NAME, None)


async def _execute_async(program: Program, names: Dict[str, Any]) -> Any:
    await _eval(program.body, names)
    if program.last is None:
        return NO_VALUE
    return await _value_of(program.last, names)


async def _value_of(last: CodeType, names: Dict[str, Any]) -> Any:
    value = _eval(last, names)
    return await value if last.co_flags & _CO_COROUTINE else value


async def _ready(value: Any) -> Any:
    return value
