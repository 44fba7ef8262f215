"""Exceptions by which the runtime itself ends a run.

They derive from BaseException, so that ``except Exception`` in user code does not catch them.
"""

from types import FrameType
from typing import Tuple


class Stop(BaseException):
    """Ends the run. Code that swallows it gets it again."""

    #: Where the awaiting code stood, when the traceback does not lead there: frames, the innermost last.
    awaiting: Tuple[FrameType, ...] = ()


class DeadlineReached(Stop):
    """The wall-clock limit of the run has passed."""


class OutputLimitReached(Stop):
    """The run has printed all that it may."""


class TopLevelReturn(Stop):
    """A ``return`` outside any function; carries the value."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value
