"""Columns of a DataFrame by position: names that are unique text, types, cells that JSON can hold."""

import re
from typing import Any, List, Tuple

from ..clip import clip
from ..encode.keys import key_text

#: UTF-16 units of a column's name.
_NAME_UNITS = 100
_MIDNIGHT = "T00:00:00"
_RESOLUTION = re.compile(r"\[(?:s|ms|us|ns)\]$|(?<=\[)(?:s|ms|us|ns), ")


def has_labels(frame: Any) -> bool:
    """False if the index only counts the rows from 0, which says nothing."""
    index = frame.index
    if len(index) == 0:
        return False
    start, step = getattr(index, "start", None), getattr(index, "step", None)
    return not (start == 0 and step == 1 and index.name is None)


def label_columns(index: Any) -> List[Tuple[Any, Any]]:
    """The levels of an index as (name, values); a level without a name is ``index`` or ``level_0``."""
    names = list(index.names)
    if len(names) == 1:
        return [("index" if names[0] is None else names[0], index)]
    return [("level_%d" % place if name is None else name, index.get_level_values(place)) for place, name in enumerate(names)]


def column_names(raw: List[Any]) -> List[str]:
    """As text, each once: ``a``, ``a.1`` for a second ``a``, ``v.mean`` for levels."""
    names: List[str] = []
    used = set()
    for key in raw:
        text = clip(_name(key), _NAME_UNITS)
        name, number = text, 1
        while name in used:
            name = "%s.%d" % (text, number)
            number += 1
        used.add(name)
        names.append(name)
    return names


def cells(column: Any) -> List[Any]:
    """The values of a Series or Index; what is missing is None, times at midnight only are dates."""
    values = column.tolist()
    missing = column.isna().tolist()
    if getattr(column.dtype, "kind", "") == "M":
        values = [None if gone else value.isoformat() for value, gone in zip(values, missing)]
        if all(value is None or value.endswith(_MIDNIGHT) for value in values):
            values = [None if value is None else value[: -len(_MIDNIGHT)] for value in values]
        return values
    return [None if gone else value for value, gone in zip(values, missing)]


def dtype_text(column: Any) -> str:
    """``int64``, ``datetime64``: without the resolution, which no reader of a table needs."""
    return clip(_RESOLUTION.sub("", str(column.dtype)), 60)


def _name(key: Any) -> str:
    if type(key) is tuple:
        return ".".join(_name(part) for part in key if part != "")
    return key_text(key)
