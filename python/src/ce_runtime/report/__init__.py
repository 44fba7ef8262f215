"""From an exception to what the model reads about it."""

from .error import report_error, report_stop, report_unsaved

__all__ = ["report_error", "report_stop", "report_unsaved"]
