"""``await`` on what needs none: models write it before calls that are synchronous here.

Every ``await x`` of user code becomes ``await __awaitable__(x)``. The helper is a builtin, so that a function of a session
finds it in later runs as well. The functions of asyncio that take awaitables take plain values too.
"""

import ast
import asyncio
import functools
import inspect
import types
from typing import Any, Callable, Dict

from .loop.nested import run
from .notes import Notes

#: Name of the helper among the builtins.
AWAIT_HELPER = "__awaitable__"
#: Functions of asyncio whose first argument, and for gather every argument, may be a plain value.
TOLERANT: Dict[str, Callable[..., Any]] = {
    "gather": asyncio.gather,
    "create_task": asyncio.create_task,
    "ensure_future": asyncio.ensure_future,
    "wait_for": asyncio.wait_for,
    "run": run,
}

_NOTE = "`await` was used on a plain value, which needs none; the value was taken as it is"
_ASYNCIO_NOTE = (
    "asyncio.%s was given a plain value, which was taken as it is: calls of tools give their results at once; "
    "tools.gather(tools.server.tool.later(...), ...) runs them in parallel"
)


def wrap_awaits(tree: ast.AST) -> None:
    """Edits ``tree`` in place. Without recursion: a sum of a thousand terms is a thousand levels deep."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Await):
            helper = ast.copy_location(ast.Name(AWAIT_HELPER, ast.Load()), node.value)
            node.value = ast.copy_location(ast.Call(helper, [node.value], []), node.value)


class PlainAwait:
    """The helper, and asyncio's functions in the same spirit."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._functions = {name: self._make_tolerant(name, real) for name, real in TOLERANT.items()}

    def awaitable(self, value: Any) -> Any:
        """``value`` if it can be awaited or was not called yet (a mistake, which Python reports); else a coroutine of it."""
        return self._awaitable(value, _NOTE)

    def install(self) -> None:
        """Before each run, after the loops."""
        for name, function in self._functions.items():
            setattr(asyncio, name, function)

    def _make_tolerant(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        note = _ASYNCIO_NOTE % name
        count = None if name == "gather" else 1

        @functools.wraps(real)
        def tolerant(*args: Any, **options: Any) -> Any:
            plain = [self._awaitable(value, note) for value in args[:count]]
            return real(*plain, *(args[count:] if count else ()), **options)

        return tolerant

    def _awaitable(self, value: Any, note: str) -> Any:
        if type(value) is types.CoroutineType or inspect.isawaitable(value) or callable(value):
            return value
        self._notes.add(note)
        return _ready(value)


async def _ready(value: Any) -> Any:
    return value
