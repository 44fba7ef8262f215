"""Runs inside runs: ``asyncio.run`` and ``run_until_complete`` while a loop is already running.

Scripts do this all the time, and here the code itself may be running inside a loop because of a top-level await.
"""

import asyncio
import contextlib
from typing import Any, Callable, Iterator

_base = asyncio.BaseEventLoop
_real_run: Callable[..., Any] = asyncio.runners.run


class NestedRuns(asyncio.BaseEventLoop):
    """Mixin: a loop may be run while it, or another one, is running."""

    def run_until_complete(self, future: Any) -> Any:
        running = asyncio.events._get_running_loop()
        if running is None:
            return super().run_until_complete(future)
        with set_aside():
            if running is not self:
                return super().run_until_complete(future)
            return self._run_inside(future)

    def _run_inside(self, future: Any) -> Any:
        """Pumps this very loop, which is in the middle of an iteration, until ``future`` is done."""
        waiting = len(self._ready)  # type: ignore[attr-defined]
        task = asyncio.ensure_future(future, loop=self)
        asyncio.events._set_running_loop(self)
        try:
            while not task.done():
                self._run_once()  # type: ignore[attr-defined]
        finally:
            asyncio.events._set_running_loop(None)
            # The interrupted iteration still takes as many handles as it counted.
            while len(self._ready) < waiting:  # type: ignore[attr-defined]
                self.call_soon(_nothing)
        return task.result()


@contextlib.contextmanager
def set_aside() -> Iterator[None]:
    """Hides the running loop and its current task for the time of the block."""
    loop = asyncio.events._get_running_loop()
    task = asyncio.current_task(loop) if loop is not None else None
    if loop is not None and task is not None:
        asyncio.tasks._leave_task(loop, task)
    asyncio.events._set_running_loop(None)
    try:
        yield
    finally:
        asyncio.events._set_running_loop(loop)
        if loop is not None and task is not None:
            asyncio.tasks._enter_task(loop, task)


def run(main: Any, **options: Any) -> Any:
    """asyncio.run that may also be called while a loop is running."""
    if asyncio.events._get_running_loop() is None:
        return _real_run(main, **options)
    with set_aside():
        return _real_run(main, **options)


def _nothing() -> None:
    """Stands for a handle that a nested run has already taken."""
