"""Values of pandas and NumPy that are the value of a run: their parts for a compact text, and the whole as a file.

Nothing is imported here that code has not imported: the classes are looked up in ``sys.modules``.
"""

from .keep import Keeper
from .nested import frame_records, nested_array, series_value
from .present import Typed, present

__all__ = ["Keeper", "Typed", "frame_records", "nested_array", "present", "series_value"]
