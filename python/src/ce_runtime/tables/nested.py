"""Tables and arrays inside other values, where JSON stays JSON: records, objects, lists, all bounded."""

from typing import Any, Dict, List, Tuple

from .arrays import array_label, array_summary, array_values
from .columns import cells, has_labels
from .table import whole_table

#: Rows of a table inside another value; a table that is the value itself has no such bound.
MOST_ROWS = 1_000
#: Numbers of an array inside another value.
MOST_NUMBERS = 20_000


def frame_records(frame: Any) -> Tuple[List[Dict[str, Any]], str]:
    """One dict a row, labels first, and a note if rows are missing."""
    table = whole_table(frame.iloc[:MOST_ROWS])
    return [dict(zip(table.names, row)) for row in table.rows], _cut_note(len(frame.index), "DataFrame")


def series_value(series: Any) -> Tuple[Any, str]:
    """By its labels if each is there once; a list if it has none; else one dict a row."""
    part = series.iloc[:MOST_ROWS]
    note = _cut_note(len(series), "Series")
    frame = part.to_frame("value" if series.name is None else series.name)
    if not has_labels(frame):
        return cells(part), note
    table = whole_table(frame)
    if table.labels == 1 and part.index.is_unique:
        return dict(zip(cells(part.index), cells(part))), note
    return [dict(zip(table.names, row)) for row in table.rows], note


def nested_array(array: Any) -> Tuple[Any, str]:
    """Nested lists; a large one by its shape, range and corners."""
    if array.size <= MOST_NUMBERS:
        return array_values(array), ""
    summary = {"ndarray": array_label(array), **array_summary(array)}
    return summary, "an array of %d values inside the value is only described; make it the value, or save it" % array.size


def _cut_note(rows: int, kind: str) -> str:
    if rows <= MOST_ROWS:
        return ""
    return "only the first %d of %d rows of a %s inside the value are in the result; make it the value, or save it" % (
        MOST_ROWS,
        rows,
        kind,
    )
