"""Arrays of NumPy: their values, and of a large one its range and its corners."""

import re
import sys
from typing import Any, Dict

_EDGE = 3
_EDGE_OF_MANY_DIMENSIONS = 1
_SPACES = re.compile(" {2,}")


def array_label(array: Any) -> str:
    """`2 x 3 int64`."""
    return "%s %s" % (" x ".join(str(size) for size in array.shape), array.dtype)


def array_values(array: Any) -> Any:
    """Nested lists; dates and durations as text."""
    return array.astype(str).tolist() if array.dtype.kind in "mM" else array.tolist()


def array_summary(array: Any) -> Dict[str, Any]:
    """Range and mean of numbers, how many are NaN, and the corners as NumPy prints them."""
    summary: Dict[str, Any] = {}
    if array.dtype.kind in "iuf" and array.size > 0:
        numpy: Any = sys.modules["numpy"]
        finite = array[numpy.isfinite(array)] if array.dtype.kind == "f" else array
        if finite.size > 0:
            summary = {"min": finite.min().item(), "max": finite.max().item(), "mean": float(finite.mean())}
        if array.dtype.kind == "f" and finite.size < array.size:
            summary["not finite"] = int(array.size - finite.size)
    summary["values"] = _corners(array)
    return summary


def _corners(array: Any) -> str:
    numpy: Any = sys.modules["numpy"]
    edge = _EDGE if array.ndim <= 2 else _EDGE_OF_MANY_DIMENSIONS
    text = str(numpy.array2string(array, threshold=0, edgeitems=edge, precision=6, suppress_small=True))
    return _SPACES.sub(" ", text)
