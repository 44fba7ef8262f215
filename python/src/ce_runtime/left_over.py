"""What code has started and not waited for: tasks and threads."""

import sys
import threading
from typing import Any, Callable, Optional, Set

from .loop.policy import Loops
from .notes import Notes


class LeftOver:
    """Finishes at the end of a run what a script would finish before it exits."""

    def __init__(self, loops: Loops, notes: Notes) -> None:
        self._loops = loops
        self._notes = notes
        self._before: Set[Any] = set()
        self._threads: Optional[Any] = None
        self.on_sleep: Callable[[], None] = _nothing
        if sys.platform == "emscripten":
            from .threadless.threads import Threads

            self._threads = Threads(notes)
            self.on_sleep = self._threads.slept

    def begin(self) -> None:
        """Before a run."""
        if self._threads is not None:
            self._threads.install()
        else:
            self._before = set(threading.enumerate())

    def settle(self, keep_state: bool) -> None:
        """After the last line: waits for threads that are no daemons, as a script does. A session lets them go on."""
        if self._threads is not None:
            self._threads.settle()
        elif not keep_state:
            idle = getattr(sys.modules.get("concurrent.futures.thread"), "_threads_queues", ())  # executors that stay open
            for thread in threading.enumerate():
                if thread not in self._before and not thread.daemon and thread not in idle:
                    thread.join()

    def end(self, keep_state: bool) -> None:
        """Whatever the end of the run: cancels tasks, unless the session may go on with them."""
        if self._threads is not None:
            self._threads.forget()
        if not keep_state:
            try:
                self._loops.cancel_left_over()
            except Exception:  # a task that does not end must not cost the answer
                self._notes.add("a task that the code had left running could not be cancelled")


def _nothing() -> None:
    """There are real threads: they go on while the code sleeps."""
