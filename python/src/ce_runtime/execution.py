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


class TopLevelHelper:
    """What an edited program calls for ``return`` outside functions."""

    def end(self, value: Any) -> None:
        raise TopLevelReturn(value)


def execute(program: Program, names: Dict[str, Any], loops: Loops) -> Any:
    """The value of the last expression or of a top-level return, else :data:`NO_VALUE`. Raises what the code raises."""
    if program.top_level.needs_helper:
        names[HELPER_NAME] = TopLevelHelper()
    try:
        if program.is_async:
            return loops.run(_execute_async(program, names))
        _exec(program.body, names)
        return NO_VALUE if program.last is None else _eval(program.last, names)
    except TopLevelReturn as returned:
        return returned.value
    finally:
        if program.top_level.needs_helper:
            names.pop(HELPER_NAME, None)


async def _execute_async(program: Program, names: Dict[str, Any]) -> Any:
    """Both parts inside the loop, so that ``asyncio.create_task`` works anywhere in a program that awaits."""
    await _part(program.body, names)
    return NO_VALUE if program.last is None else await _part(program.last, names)


async def _part(code: CodeType, names: Dict[str, Any]) -> Any:
    value = _eval(code, names)
    return await value if code.co_flags & inspect.CO_COROUTINE else value
