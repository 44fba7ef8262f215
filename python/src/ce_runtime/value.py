"""Which value a run has: the variable ``result`` if this run set it, else that of the last expression."""

import asyncio
import types
from typing import Any, Dict

from .encode.types import bases
from .execution import NO_VALUE
from .loop.policy import Loops
from .notes import Notes
from .program import Program
from .tooling.pending import PendingCall

_MISSING = object()


def choose_value(
    program: Program,
    last: Any,
    names: Dict[str, Any],
    before: Dict[str, Any],
    printed: bool,
    loops: Loops,
    notes: Notes,
) -> Any:
    """The value, or NO_VALUE. ``last`` is NO_VALUE where the code ended without an expression."""
    result = names.get("result", _MISSING)
    if result is not _MISSING and (program.top_level.assigns_result or result is not before.get("result", _MISSING)):
        value = result
    elif last is None and program.last_is_call and printed:
        return NO_VALUE  # print(...), main(): the output is the answer
    else:
        value = last
    kinds = bases(value)
    if types.CoroutineType in kinds or asyncio.Future in kinds or asyncio.Task in kinds:
        notes.add("the value was a coroutine that nobody awaited; it was awaited, and this is what it gave")
        value = loops.run(_awaited(value))
    elif PendingCall in kinds:
        value = value.result()
    return value


async def _awaited(value: Any) -> Any:
    return await value
