"""The wall-clock limit inside the interpreter: a signal handler that raises again and again.

On Emscripten the host raises SIGINT at the deadline; elsewhere a timer raises SIGALRM. The host kills the process a
little later whatever happens here, so all this decides only how good the answer is.
"""

import _signal  # type: ignore[import-not-found]
import signal
import sys
import time
from types import FrameType
from typing import Any, Callable, Optional

from .host import Host
from .output import Output
from .stops import DeadlineReached

_EMSCRIPTEN = sys.platform == "emscripten"
_REPEAT_SECONDS = 0.1
# Firings that were swallowed before every further line of user code raises as well.
_PATIENCE = 2

# The one in `signal` makes enumerations of its numbers, which costs as much as all else here.
_setsignal = _signal.signal
_real_sleep: Callable[[float], None] = getattr(time.sleep, "__wrapped__", time.sleep)


class Deadline:
    """Raises :class:`DeadlineReached` in user code from the deadline on, while a run is armed."""

    def __init__(self, host: Host, output: Output, is_user_file: Callable[[str], bool]) -> None:
        self._host = host
        self._output = output
        self._is_user_file = is_user_file
        self._armed = False
        self._fired = 0
        self._monitoring = False
        #: Called before every sleep of user code.
        self.on_sleep: Callable[[], None] = _nothing

    def arm(self) -> None:
        """Begins a run; puts the handler back in place should code have replaced it."""
        self._fired = 0
        self._armed = True
        _setsignal(signal.SIGINT, self._on_signal)
        if not _EMSCRIPTEN:
            _setsignal(signal.SIGALRM, self._on_signal)
            signal.setitimer(signal.ITIMER_REAL, max(self._host.remaining(), 0.001), _REPEAT_SECONDS)

    def disarm(self) -> None:
        self._armed = False
        if not _EMSCRIPTEN:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if self._monitoring:
            self._stop_monitoring()

    def sleep(self, seconds: float) -> None:
        """time.sleep for user code: never past the deadline, and what was printed is shown first."""
        if not self._armed:
            _real_sleep(seconds)
            return
        self._output.flush()
        self.on_sleep()
        remaining = self._host.remaining()
        if seconds > remaining:
            _real_sleep(max(remaining, 0.0))
            self.check()
            _real_sleep(max(self._host.remaining(), 0.0) + 0.002)
            raise DeadlineReached
        _real_sleep(seconds)

    def check(self) -> None:
        """Raises if the deadline has passed."""
        if self._armed and self._host.remaining() <= 0:
            raise DeadlineReached

    def _on_signal(self, signum: int, frame: Optional[FrameType]) -> None:
        if not self._armed:
            return
        if self._host.remaining() > 0.02:
            if signum == signal.SIGINT:
                raise KeyboardInterrupt
            return
        if self._output.busy or self._host.busy:
            return  # it comes again soon
        self._fired += 1
        if self._fired > _PATIENCE and not self._monitoring:
            self._start_monitoring()
        raise DeadlineReached

    def _start_monitoring(self) -> None:
        """Makes every line of user code raise, against ``except BaseException`` in a loop (Python >= 3.12)."""
        monitoring: Any = getattr(sys, "monitoring", None)
        if monitoring is None or monitoring.get_tool(monitoring.DEBUGGER_ID) is not None:
            return
        monitoring.use_tool_id(monitoring.DEBUGGER_ID, "deadline")
        monitoring.register_callback(monitoring.DEBUGGER_ID, monitoring.events.LINE, self._on_line)
        monitoring.set_events(monitoring.DEBUGGER_ID, monitoring.events.LINE)
        self._monitoring = True

    def _stop_monitoring(self) -> None:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined]
        monitoring.set_events(monitoring.DEBUGGER_ID, 0)
        monitoring.register_callback(monitoring.DEBUGGER_ID, monitoring.events.LINE, None)
        monitoring.free_tool_id(monitoring.DEBUGGER_ID)
        self._monitoring = False

    def _on_line(self, code: Any, _line: int) -> None:
        if self._armed and self._is_user_file(code.co_filename):
            raise DeadlineReached


def _nothing() -> None:
    """Until somebody wants to know about sleeps."""
