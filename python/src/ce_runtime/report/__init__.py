"""From an exception to what the model reads about it."""

from .error import report_error, report_stop

__all__ = ["report_error", "report_stop"]
