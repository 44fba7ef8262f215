"""filter_by_field, summarize_list, aggregate_stats, format_output: small helpers for lists of dicts."""

import collections
import json
import statistics
from typing import Any, Dict, Iterable, List, Mapping, Optional

_MISSING = object()


def filter_by_field(items: Iterable[Any], field: str, value: Any = _MISSING, **conditions: Any) -> List[Any]:
    """The items whose ``field`` equals ``value``; without a value, those that have the field and it is truthy.

    Further conditions by keyword: ``min=``, ``max=``, ``contains=``, ``one_of=``.
    """
    unknown = set(conditions) - {"min", "max", "contains", "one_of"}
    if unknown:
        raise TypeError("filter_by_field takes min, max, contains and one_of, not %s" % ", ".join(sorted(unknown)))
    return [item for item in items if _matches(_get(item, field), value, conditions)]


def summarize_list(items: Iterable[Any], limit: int = 5) -> Dict[str, Any]:
    """Length, types, keys with their types, and the first items."""
    values = list(items)
    summary: Dict[str, Any] = {
        "count": len(values),
        "types": dict(collections.Counter(type(value).__name__ for value in values)),
    }
    rows = [value for value in values if isinstance(value, Mapping)]
    if rows:
        keys: Dict[str, collections.Counter[str]] = {}
        for row in rows:
            for key, value in row.items():
                keys.setdefault(str(key), collections.Counter())[type(value).__name__] += 1
        summary["keys"] = {key: dict(kinds) for key, kinds in keys.items()}
    elif values and all(_is_number(value) for value in values):
        summary["stats"] = aggregate_stats(values)
    summary["first"] = values[:limit]
    return summary


def aggregate_stats(items: Iterable[Any], field: Optional[str] = None, by: Optional[str] = None) -> Dict[str, Any]:
    """count, sum, mean, median, min, max (and missing) of numbers, or of ``field`` of the items; per group with ``by``."""
    values = list(items)
    if by is not None:
        groups: Dict[str, List[Any]] = {}
        for item in values:
            groups.setdefault(str(_get(item, by)), []).append(item)
        return {key: aggregate_stats(members, field) for key, members in groups.items()}
    picked = values if field is None else [_get(item, field) for item in values]
    numbers = [number for number in (_as_number(value) for value in picked) if number is not None]
    stats: Dict[str, Any] = {"count": len(numbers)}
    if len(numbers) < len(picked):
        stats["missing"] = len(picked) - len(numbers)
    if numbers:
        stats.update(
            sum=sum(numbers),
            mean=statistics.fmean(numbers),
            median=statistics.median(numbers),
            min=min(numbers),
            max=max(numbers),
        )
    return stats


def format_output(value: Any, format: str = "table") -> str:
    """``value`` as text: ``table`` (lists of dicts), ``json``, ``csv`` or ``text``."""
    if format == "json":
        return json.dumps(value, indent=2, ensure_ascii=False, default=str)
    if format == "text":
        return str(value)
    if format not in ("table", "csv"):
        raise ValueError("format is table, json, csv or text, not %r" % format)
    rows = [row if isinstance(row, Mapping) else {"value": row} for row in _rows(value)]
    columns = list(dict.fromkeys(str(key) for row in rows for key in row))
    cells = [[_cell(row, column) for column in columns] for row in rows]
    if format == "csv":
        import csv
        import io

        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([columns, *cells])
        return out.getvalue()
    widths = [max(len(line[index]) for line in [columns, *cells]) for index in range(len(columns))]
    lines = [" | ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in [columns, *cells]]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    return "\n".join(lines)


def _matches(actual: Any, value: Any, conditions: Dict[str, Any]) -> bool:
    if actual is _MISSING:
        return False
    if value is not _MISSING and actual != value:
        return False
    if value is _MISSING and not conditions:
        return bool(actual)
    try:
        return (
            ("min" not in conditions or actual >= conditions["min"])
            and ("max" not in conditions or actual <= conditions["max"])
            and ("contains" not in conditions or conditions["contains"] in actual)
            and ("one_of" not in conditions or actual in conditions["one_of"])
        )
    except TypeError:
        return False


def _get(item: Any, field: str) -> Any:
    """``field`` of a dict or object; dots lead into nested ones."""
    for part in str(field).split("."):
        if isinstance(item, Mapping):
            item = item.get(part, _MISSING)
        else:
            item = getattr(item, part, _MISSING)
        if item is _MISSING:
            return _MISSING
    return item


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _as_number(value: Any) -> Optional[float]:
    if _is_number(value):
        return value  # type: ignore[no-any-return]
    if isinstance(value, str):
        try:
            number = float(value.strip().replace(",", ""))
        except ValueError:
            return None
        return int(number) if number.is_integer() else number
    return None


def _rows(value: Any) -> List[Any]:
    if isinstance(value, Mapping):
        return [{"key": key, "value": item} for key, item in value.items()]
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        return [value]
    return list(value)


def _cell(row: Mapping[Any, Any], column: str) -> str:
    for key, value in row.items():
        if str(key) == column:
            return "" if value is None else str(value)
    return ""
