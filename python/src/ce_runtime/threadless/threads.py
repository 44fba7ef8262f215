"""threading.Thread and threading.Condition without threads."""

import collections
import queue
import threading
import time
from typing import Any, Deque, Optional

from ..notes import Notes
from ..stops import Stop

_NOTE = (
    "there are no threads here: each Thread ran as a whole, one after the other, when the code first waited (join, "
    "queue, event) or at the end"
)
_STUCK = (
    "this would wait for ever: there are no threads here, a started Thread runs as a whole as soon as something waits "
    "for it, so nothing else can end this wait; call the functions one after the other instead"
)
# A loop that sleeps this often in a row is waiting for a thread.
_POLLS = 20

_allocate_lock = threading._allocate_lock  # type: ignore[attr-defined]


class ThreadEnded(BaseException):
    """Ends a thread that waits for something that only its starter could do."""


class Threads:
    """The started threads that have not run yet."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._pending: Deque[Any] = collections.deque()
        self._depth = 0
        self._sleeps = 0

    def install(self) -> None:
        """Replaces the methods of threading.Thread and threading.Condition."""
        threads = self

        def start(thread: Any) -> None:
            threads.start(thread)

        def join(thread: Any, timeout: Optional[float] = None) -> None:
            threads.join(thread)

        def is_alive(thread: Any) -> bool:
            return threads.is_alive(thread)

        def wait(condition: Any, timeout: Optional[float] = None) -> bool:
            return threads.wait(condition, timeout)

        thread_class: Any = threading.Thread
        thread_class.start, thread_class.join, thread_class.is_alive = start, join, is_alive
        condition_class: Any = threading.Condition
        condition_class.wait = wait
        queue_module: Any = queue
        queue_module.SimpleQueue = queue_module._PySimpleQueue  # the C one waits where nothing can be seen

    def start(self, thread: Any) -> None:
        if thread._started.is_set():
            raise RuntimeError("threads can only be started once")
        self._notes.add(_NOTE)
        thread._ident = id(thread)
        thread._started.set()
        thread._finished_here = False
        self._pending.append(thread)

    def join(self, thread: Any) -> None:
        if not thread._started.is_set():
            raise RuntimeError("cannot join thread before it is started")
        while thread in self._pending:
            self.run_next()
        if not getattr(thread, "_finished_here", True):
            raise RuntimeError("cannot join a thread that is itself waiting for this one")

    def is_alive(self, thread: Any) -> bool:
        while thread in self._pending:
            self.run_next()
        return thread._started.is_set() and not getattr(thread, "_finished_here", False)

    def wait(self, condition: Any, timeout: Optional[float]) -> bool:
        """Condition.wait: runs threads until one notifies."""
        if not condition._is_owned():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter = _allocate_lock()
        waiter.acquire()
        condition._waiters.append(waiter)
        saved = condition._release_save()
        try:
            while not waiter.acquire(False):
                if not self.run_next():
                    self._give_up(timeout)
                    return False
            return True
        finally:
            condition._acquire_restore(saved)
            if waiter in condition._waiters:
                condition._waiters.remove(waiter)

    def slept(self) -> None:
        """Called at every time.sleep of user code: one that polls gets its threads run."""
        self._sleeps += 1
        if self._sleeps >= _POLLS and self._depth == 0:
            self.run_next()

    def run_next(self) -> bool:
        """Runs the thread that was started first; False if there is none."""
        self._sleeps = 0
        if not self._pending:
            return False
        thread = self._pending.popleft()
        active: Any = threading._active  # type: ignore[attr-defined]
        ident = threading.get_ident()
        before = active.get(ident)
        active[ident] = thread
        self._depth += 1
        try:
            thread.run()
        except (SystemExit, ThreadEnded):
            pass
        except (Stop, KeyboardInterrupt):
            raise
        except BaseException as error:
            threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, thread)))
        finally:
            self._depth -= 1
            active[ident] = before
            thread._finished_here = True
        return True

    def settle(self) -> None:
        """At the end of a run: threads that nobody waited for. Daemons would have been ended there."""
        while self._pending:
            if self._pending[0].daemon:
                self._pending.popleft()
            else:
                self.run_next()

    def forget(self) -> None:
        """After a run that failed."""
        self._pending.clear()
        self._depth = 0

    def _give_up(self, timeout: Optional[float]) -> None:
        if timeout is not None:
            time.sleep(max(timeout, 0))
        elif self._depth:
            self._notes.add("a Thread that waited for work of its starter was ended there (there are no threads here)")
            raise ThreadEnded
        else:
            raise RuntimeError(_STUCK)
