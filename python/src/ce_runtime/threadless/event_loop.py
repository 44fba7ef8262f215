"""An event loop in pure Python for Emscripten: no sockets, no threads, no JavaScript; waiting is time.sleep."""

import asyncio
import time
from typing import Any, List, Optional

from ..loop.nested import NestedRuns


class ThreadlessEventLoop(NestedRuns, asyncio.BaseEventLoop):
    """Runs callbacks and timers; there is nothing else to wait for."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = _Sleeper()

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """Calls ``func`` at once: there are no threads."""
        future = self.create_future()
        try:
            result = func(*args)
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)
        return future

    def _process_events(self, event_list: List[Any]) -> None:
        """Nothing to do: the sleeper has no events."""

    def _write_to_self(self) -> None:
        """Nothing to do: no other thread can wait for the loop."""


class _Sleeper:
    def select(self, timeout: Optional[float]) -> List[Any]:
        if timeout is None:
            raise RuntimeError("every task waits for something that can never happen (deadlock); the run was ended")
        if timeout > 0:
            time.sleep(timeout)
        return []

    def close(self) -> None:
        """Nothing to close."""
