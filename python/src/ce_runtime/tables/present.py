"""The value of a run as a table or an array: whole if it fits the answer, else its ends, and the whole in a file."""

from dataclasses import dataclass
from typing import Any, Optional

from ..encode import Encoded, encode
from .arrays import array_label, array_summary, array_values
from .columns import cells, dtype_text, has_labels
from .keep import Keeper
from .library import is_a, library_class, short_name
from .table import MOST_WHOLE_COLUMNS, Table, cut_table, whole_table

#: What the JSON of a whole table may take beside its cells.
_SPARE_BYTES = 4_096
#: A cut table has few rows; a single cell may still be huge.
_CUT_BYTES = 512 * 1024


@dataclass(frozen=True)
class Typed:
    """A value with a form of its own; the fields are those of ``value`` in ``done``."""

    encoded: Encoded
    type: str
    form: str
    label: str
    file: Optional[str]


def present(value: Any, room: int, keeper: Keeper) -> Optional[Typed]:
    """None for values of other kinds. ``room``: characters of JSON that the answer shows."""
    if is_a(value, "numpy", "ndarray"):
        return _array(value, room, keeper) if value.ndim > 0 else None
    kind = short_name(value)
    if is_a(value, "pandas", "DataFrame"):
        return _frame(value, kind, "%d x %d" % value.shape, room, keeper)
    if is_a(value, "pandas", "Series"):
        return _series(value, kind, room, keeper)
    if is_a(value, "pandas", "MultiIndex"):
        return _frame(value.to_frame(index=False), kind, "%d x %d" % (len(value), value.nlevels), room, keeper)
    if is_a(value, "pandas", "Index") or is_a(value, "pandas.api.extensions", "ExtensionArray"):
        series: Any = library_class("pandas", "Series")
        return _series(series(value, name=getattr(value, "name", None)), kind, room, keeper)
    if is_a(value, "pandas.core.groupby.generic", "DataFrameGroupBy") or is_a(
        value, "pandas.core.groupby.generic", "SeriesGroupBy"
    ):
        sizes = value.size()
        frame = sizes if is_a(sizes, "pandas", "DataFrame") else sizes.to_frame("rows")  # a table with as_index=False
        return _frame(frame, kind, "%d groups" % value.ngroups, room, keeper)
    return None


def _frame(frame: Any, kind: str, label: str, room: int, keeper: Keeper) -> Typed:
    rows, columns = frame.shape
    # A cell takes at least two characters, so most large tables need not be laid out to see it.
    if rows * max(columns, 1) * 2 <= room and columns <= MOST_WHOLE_COLUMNS:
        table = whole_table(frame)
        encoded = encode(table.payload(), 4 * room + _SPARE_BYTES)
        if not encoded.truncated and len(encoded.json.decode()) + _keys_chars(table) <= room:
            return Typed(encoded, kind, "table", label, None)
    file = keeper.keep_frame(frame)
    return Typed(_cut(encode(cut_table(frame).payload(), _CUT_BYTES)), kind, "table", label, file)


def _series(series: Any, kind: str, room: int, keeper: Keeper) -> Typed:
    named = series.name is not None
    label = "%d %s%s" % (len(series), dtype_text(series), " %s" % (series.name,) if named else "")
    frame = series.to_frame(series.name if named else "value")
    if not has_labels(frame) and len(series) * 2 <= room:
        encoded = encode(cells(series), 4 * room + _SPARE_BYTES)
        if not encoded.truncated and len(encoded.json.decode()) <= room:
            return Typed(encoded, kind, "array", label, None)
    return _frame(frame, kind, label, room, keeper)


def _array(array: Any, room: int, keeper: Keeper) -> Typed:
    label, kind = array_label(array), short_name(array)
    if array.size * 2 <= room:
        encoded = encode(array_values(array), 4 * room + _SPARE_BYTES)
        if not encoded.truncated and len(encoded.json.decode()) <= room:
            return Typed(encoded, kind, "array", label, None)
    file = keeper.keep_array(array)
    return Typed(_cut(encode(array_summary(array), _CUT_BYTES)), kind, "array", label, file)


def _cut(encoded: Encoded) -> Encoded:
    return Encoded(encoded.json, encoded.type, True, encoded.notes)


def _keys_chars(table: Table) -> int:
    """Characters that the names take in every row of the structured answer."""
    return len(table.rows) * sum(len(name) + 3 for name in table.names)
