"""What the host gets of a DataFrame: names, types and rows; of a large one its ends and what its columns hold."""

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional

from ..clip import clip
from .columns import cells, column_names, dtype_text, has_labels, label_columns

#: Rows of a cut table: enough to see what they look like.
FIRST_ROWS, LAST_ROWS = 3, 2
#: Columns of a whole table; the host takes 1,000 with those of the index.
MOST_WHOLE_COLUMNS = 900
#: Columns of a cut table that are described.
MOST_COLUMNS = 200
#: Characters of a cell of a cut table; the host shows fewer, but must see whole values to replace them.
_CELL_CHARS = 2_000
#: Distinct values are counted in columns up to here: it takes about 100 ns a value.
_MOST_COUNTED = 500_000


@dataclass
class Table:
    """Columns of the index come first."""

    names: List[str]
    dtypes: List[str]
    labels: int
    rows: List[List[Any]]
    #: Only of a cut table: rows in all, columns left out, then one entry a column.
    total: Optional[int] = None
    hidden: int = 0
    about: Dict[str, List[Any]] = field(default_factory=dict)

    def payload(self) -> Dict[str, Any]:
        """What the frame `done` carries; `typed-table.ts` reads it."""
        shown: Dict[str, Any] = {"names": self.names, "dtypes": self.dtypes, "labels": self.labels, "rows": self.rows}
        if self.total is not None:
            shown["cut"] = {"first": FIRST_ROWS, "total": self.total, "hidden": self.hidden, **self.about}
        return shown


def whole_table(frame: Any) -> Table:
    """All rows and columns."""
    columns = _columns(frame, has_labels(frame))
    rows = _rows([cells(column) for column in columns.values], len(frame.index))
    return Table(columns.names, columns.dtypes, columns.labels, rows)


def cut_table(frame: Any) -> Table:
    """The first and last rows of the first columns, and of each column what is missing, its range, its distinct values."""
    total, width = frame.shape
    part = frame.iloc[:, :MOST_COLUMNS]
    labelled = has_labels(frame)
    columns = _columns(part, labelled)
    rows: List[List[Any]] = []
    for start, end in _ends(total):
        shown = _columns(part.iloc[start:end], labelled)
        rows += _rows([[_short(cell) for cell in cells(column)] for column in shown.values], end - start)
    about: Dict[str, List[Any]] = {"nulls": [], "min": [], "max": [], "distinct": []}
    for place, column in enumerate(columns.values):
        for key, found in _about(column, place < columns.labels).items():
            about[key].append(found)
    return Table(columns.names, columns.dtypes, columns.labels, rows, total, max(0, width - MOST_COLUMNS), about)


@dataclass
class _Columns:
    names: List[str]
    dtypes: List[str]
    labels: int
    values: List[Any]


def _columns(frame: Any, labelled: bool) -> _Columns:
    levels = label_columns(frame.index) if labelled else []
    values = [level for _name, level in levels] + [frame.iloc[:, place] for place in range(frame.shape[1])]
    names = column_names([name for name, _level in levels] + frame.columns.tolist())
    return _Columns(names, [dtype_text(column) for column in values], len(levels), values)


def _rows(columns: List[List[Any]], count: int) -> List[List[Any]]:
    return [list(row) for row in zip(*columns)] if columns else [[] for _ in range(count)]


def _ends(total: int) -> "List[tuple[int, int]]":
    if total <= FIRST_ROWS + LAST_ROWS:
        return [(0, total)]
    return [(0, FIRST_ROWS), (total - LAST_ROWS, total)]


def _short(cell: Any) -> Any:
    if type(cell) is str and len(cell) > _CELL_CHARS:
        return clip(cell, _CELL_CHARS)
    return cell


def _about(column: Any, is_label: bool) -> Dict[str, Any]:
    """Of a label only its range: each row has one of its own."""
    kind = getattr(column.dtype, "kind", "")
    about: Dict[str, Any] = {"nulls": 0 if is_label else _found(lambda: int(column.isna().sum())) or 0}
    ordered = kind in tuple("iufmM") and len(column) > 0
    about["min"] = _found(lambda: _end(column.min())) if ordered else None
    about["max"] = _found(lambda: _end(column.max())) if ordered else None
    counted = not ordered and not is_label and len(column) <= _MOST_COUNTED
    about["distinct"] = _found(lambda: int(column.nunique())) if counted else None
    return about


def _end(value: Any) -> Any:
    if value != value:
        return None
    return value.isoformat().replace("T00:00:00", "") if hasattr(value, "isoformat") else value


def _found(look: Callable[[], Any]) -> Any:
    """None where the values do not allow it: lists cannot be counted, NA cannot be compared."""
    try:
        return look()
    except Exception:
        return None
