"""The whole of a value that does not fit an answer, as a file of the workspace."""

import csv
import importlib.util
import io
import sys
from typing import Any, Callable, Optional

from ..new_files import NewFiles
from ..notes import Notes
from .columns import column_names, has_labels

#: Cells a second that are written on a busy machine; Parquet is about twenty times as fast.
_CSV_CELLS, _PARQUET_CELLS = 150_000, 3_000_000
#: Larger ones are saved by code if somebody needs them: the file would fill the workspace.
_MOST_CSV_CELLS, _MOST_PARQUET_CELLS = 2_000_000, 40_000_000
_MOST_ARRAY_BYTES = 64 * 1024 * 1024


class Keeper:
    """Writes `result-1.csv` and so on, unless that would take too long or too much room; a note says so then."""

    def __init__(self, files: NewFiles, seconds: float, notes: Notes) -> None:
        self._files = files
        self._seconds = seconds
        self._notes = notes

    def keep_frame(self, frame: Any) -> Optional[str]:
        """Name of the file: Parquet where pyarrow is, else CSV. The index goes along if it says something."""
        cells = frame.shape[0] * max(frame.shape[1], 1)
        labelled = has_labels(frame)
        if self._is_quick(cells, _PARQUET_CELLS, _MOST_PARQUET_CELLS) and importlib.util.find_spec("pyarrow") is not None:
            data = _parquet(frame, labelled)
            if data is not None:
                return self._write("parquet", lambda: data)
        if not self._is_quick(cells, _CSV_CELLS, _MOST_CSV_CELLS):
            return self._too_large("%d cells" % cells, "to_csv")
        return self._write("csv", lambda: _flat(frame).to_csv(index=labelled).encode("utf-8", "backslashreplace"))

    def keep_array(self, array: Any) -> Optional[str]:
        """Up to two dimensions as CSV, more as `.npy`."""
        if array.ndim <= 2 and array.dtype.names is None:
            if not self._is_quick(array.size, _CSV_CELLS, _MOST_CSV_CELLS):
                return self._too_large("%d values" % array.size, "numpy.save")
            return self._write("csv", lambda: _csv(array))
        if array.nbytes > _MOST_ARRAY_BYTES or array.dtype.hasobject:
            return self._too_large("%d values" % array.size, "numpy.save")
        return self._write("npy", lambda: _npy(array))

    def _is_quick(self, cells: int, a_second: int, most: int) -> bool:
        """Half of the time that is left, so that the run ends with its answer and not at its deadline."""
        return cells <= most and cells / a_second <= self._seconds / 2

    def _too_large(self, size: str, function: str) -> Optional[str]:
        self._notes.add("the whole value (%s) was not saved: save the part that you need with %s" % (size, function))
        return None

    def _write(self, ending: str, data: Callable[[], bytes]) -> Optional[str]:
        try:
            return self._files.write("result", ending, data())
        except Exception as error:
            why = getattr(error, "strerror", None) or error
            self._notes.add("the whole value was not saved (%s): return less, or save what you need" % why)
            return None


def _parquet(frame: Any, labelled: bool) -> Optional[bytes]:
    """None where columns of mixed types have no form there."""
    try:
        data: bytes = _flat(frame).to_parquet(index=labelled)
    except Exception:
        return None
    return data


def _flat(frame: Any) -> Any:
    """The same data under names that are text, each once: what both formats need and the answer shows."""
    names = column_names(frame.columns.tolist())
    if names == frame.columns.tolist():
        return frame
    flat = frame.copy(deep=False)
    flat.columns = names
    return flat


def _csv(array: Any) -> bytes:
    text = io.StringIO(newline="")
    rows = array.tolist()
    csv.writer(text).writerows([[row] for row in rows] if array.ndim == 1 else rows)
    return text.getvalue().encode("utf-8", "backslashreplace")


def _npy(array: Any) -> bytes:
    numpy: Any = sys.modules["numpy"]
    buffer = io.BytesIO()
    numpy.save(buffer, array)
    return buffer.getvalue()
