"""The next step for an error, found by general means."""

from .find import find_hint
from .situation import Situation

__all__ = ["Situation", "find_hint"]
