"""Which loop asyncio gives to code that asks for one."""

import asyncio
import sys
import warnings
from types import FrameType
from typing import Any, Coroutine, List, Optional, Tuple

from ..stops import Stop
from . import nested

_events: Any = asyncio.events
# The public names warn since Python 3.14, the private ones exist since then.
_Base: Any = getattr(_events, "_BaseDefaultEventLoopPolicy", None) or _events.BaseDefaultEventLoopPolicy
_set_policy: Any = getattr(_events, "_set_event_loop_policy", None) or _events.set_event_loop_policy


def _loop_class() -> Any:
    if sys.platform == "emscripten":
        from ..threadless.event_loop import ThreadlessEventLoop

        return ThreadlessEventLoop

    class SelectorLoop(nested.NestedRuns, asyncio.SelectorEventLoop):
        """The usual loop of CPython, and runs inside runs."""

    return SelectorLoop


class SandboxPolicy(_Base):  # type: ignore[misc]
    """Makes loops of our class; always has a current one, the same for the whole session."""

    def __init__(self) -> None:
        super().__init__()
        self._make_loop = _loop_class()
        self._own: Optional[asyncio.AbstractEventLoop] = None

    def get_event_loop(self) -> asyncio.AbstractEventLoop:
        current = self._local._loop
        if current is None or current.is_closed():
            if self._own is None or self._own.is_closed():
                self._own = self.new_event_loop()
            current = self._own
            self.set_event_loop(current)
        return current  # type: ignore[no-any-return]

    def new_event_loop(self) -> Any:
        return self._make_loop()

    @property
    def own(self) -> Optional[asyncio.AbstractEventLoop]:
        """The loop of the session, if code has needed one."""
        return self._own


class Loops:
    """asyncio as user code sees it."""

    def __init__(self) -> None:
        self._policy = SandboxPolicy()

    def install(self) -> None:
        """Before each run: the policy, no loop running, and ``asyncio.run`` that may be nested."""
        if getattr(_events, "_event_loop_policy", None) is not self._policy:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                _set_policy(self._policy)
        _events._set_running_loop(None)
        asyncio.run = asyncio.runners.run = nested.run

    def run(self, main: Coroutine[Any, Any, Any]) -> Any:
        """Runs a coroutine of the runtime on the session's loop."""
        try:
            return self._policy.get_event_loop().run_until_complete(main)
        except Stop as stop:
            stop.awaiting = _awaiting_frames(main)
            raise

    def cancel_left_over(self) -> None:
        """Ends the tasks that a run has left behind."""
        loop = self._policy.own
        if loop is None or loop.is_closed() or loop.is_running():
            return
        tasks = asyncio.all_tasks(loop)
        if not tasks:
            return
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))


def _awaiting_frames(awaited: Any) -> Tuple[FrameType, ...]:
    """The frames of a suspended coroutine and of what it awaits, from the outside in."""
    frames: List[FrameType] = []
    while awaited is not None and len(frames) < 1_000:
        frame = getattr(awaited, "cr_frame", None) or getattr(awaited, "gi_frame", None) or getattr(awaited, "ag_frame", None)
        if frame is not None:
            frames.append(frame)
        awaited = (
            getattr(awaited, "cr_await", None) or getattr(awaited, "gi_yieldfrom", None) or getattr(awaited, "ag_await", None)
        )
    return tuple(frames)
