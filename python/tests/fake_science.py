"""Stand-ins for what the runtime reads of pandas, NumPy, matplotlib and Pillow, which are not there in these tests."""

import csv
import io
import sys
import types
from typing import Any, Dict, List, Optional


class DType:
    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind = name, kind
        self.names: Optional[List[str]] = None
        self.hasobject = kind == "O"

    def __str__(self) -> str:
        return self.name


_DTYPES = {int: DType("int64", "i"), float: DType("float64", "f"), bool: DType("bool", "b")}


class Column:
    def __init__(self, values: List[Any], name: Any = None) -> None:
        self.values, self.name = values, name
        kinds = {type(value) for value in values if value is not None}
        self.dtype = _DTYPES.get(kinds.pop(), DType("object", "O")) if len(kinds) == 1 else DType("object", "O")
        self.index: Any = RangeIndex(len(values))

    def __len__(self) -> int:
        return len(self.values)

    @property
    def names(self) -> List[Any]:
        return [self.name]

    @property
    def iloc(self) -> Any:
        return _Rows(self.values)

    def tolist(self) -> List[Any]:
        return list(self.values)

    def isna(self) -> Any:
        return Column([value is None or value != value for value in self.values])

    def sum(self) -> Any:
        return sum(self.values)

    def min(self) -> Any:
        return min(value for value in self.values if value is not None)

    def max(self) -> Any:
        return max(value for value in self.values if value is not None)

    def nunique(self) -> int:
        return len(set(self.values) - {None})


class _Rows:
    def __init__(self, values: List[Any]) -> None:
        self._values = values

    def __getitem__(self, part: Any) -> Any:
        return Column(self._values[part])


class RangeIndex:
    start, step, name = 0, 1, None

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size


class DataFrame:
    """Columns by name; ``index`` only counts unless it is given."""

    def __init__(self, columns: Dict[Any, List[Any]], index: Optional[Column] = None) -> None:
        self.data = columns
        size = len(next(iter(columns.values()), []))
        self.index: Any = RangeIndex(size) if index is None else index
        self.columns: Any = Column(list(columns))

    @property
    def shape(self) -> "tuple[int, int]":
        return len(self.index), len(self.data)

    @property
    def iloc(self) -> "_Cells":
        return _Cells(self)

    def to_csv(self, index: bool) -> str:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([list(self.data), *zip(*self.data.values())])
        return text.getvalue()


class _Cells:
    def __init__(self, frame: DataFrame) -> None:
        self._frame = frame

    def __getitem__(self, part: Any) -> Any:
        data, index = self._frame.data, self._frame.index
        if isinstance(part, tuple):
            names = list(data)[part[1]]
            if isinstance(names, list):
                return DataFrame({name: data[name] for name in names}, index if isinstance(index, Column) else None)
            return Column(data[names], names)
        labels = Column(index.values[part], index.name) if isinstance(index, Column) else None
        return DataFrame({name: values[part] for name, values in data.items()}, labels)


class Figure:
    """Draws as many bytes as ``size`` says at 100 dots an inch."""

    dpi = 100

    def __init__(self, stale: bool = True, inches: float = 4.0, fails: bool = False, size: int = 10) -> None:
        self.stale, self.inches, self.fails, self.size = stale, inches, fails, size
        self.axes: List[Any] = []
        self.drawn: List[float] = []

    def get_size_inches(self) -> "tuple[float, float]":
        return self.inches, 1.0

    def savefig(self, file: Any, format: str, dpi: float) -> None:
        if self.fails:
            raise ValueError("no such glyph")
        self.drawn.append(dpi)
        file.write(format.encode() * (self.size * int(dpi) // 300))


class Line2D:
    """What plot() gives back."""


Figure.__module__, Line2D.__module__ = "matplotlib.figure", "matplotlib.lines"


class Image:
    mode = "CMYK"
    width, height = 3, 2

    def convert(self, mode: str) -> "Image":
        assert mode == "RGB"
        converted = Image()
        converted.mode = mode
        return converted

    def save(self, file: Any, format: str) -> None:
        file.write(b"%s in %s" % (format.encode(), self.mode.encode()))


def install(figures: Optional[Dict[int, Figure]] = None) -> List[Figure]:
    """Puts the modules in place; returns a list to which closed figures are added."""
    closed: List[Figure] = []
    open_figures = dict(figures or {})
    pyplot = _module("matplotlib.pyplot")
    pyplot.get_fignums = lambda: list(open_figures)
    pyplot.figure = open_figures.__getitem__
    pyplot.close = closed.append
    _module("matplotlib.figure").Figure = Figure
    _module("PIL.Image").Image = Image
    pandas = _module("pandas")
    pandas.DataFrame, pandas.Series = DataFrame, Column
    _module("numpy").ndarray = type("ndarray", (), {})
    return closed


def _module(name: str) -> Any:
    module: Any = types.ModuleType(name)
    sys.modules[name] = module
    return module
