"""Arguments of a call as JSON: what can be sent without loss is, the rest is refused before anything is sent."""

import json
import re
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

from .convert import Unsendable, convert
from .errors import ToolArgumentError

#: Longest payload of one call in bytes; the host refuses more.
MAX_ARGUMENT_BYTES = 8 * 1024 * 1024
_MAX_SAFE = 2**53 - 1
_MAX_DEPTH = 100
_TOO_DEEP = "is nested deeper than %d levels, or contains itself" % _MAX_DEPTH
# Digits that may be those of an integer beyond 2**53: a fraction has a point before them.
_LONG_INTEGER = re.compile(r"[:,\[-][0-9]{16}")

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=convert).encode

Fault = Tuple[str, str, Optional[str]]


def encode_arguments(tool: str, positional: Sequence[Any], keyword: Mapping[str, Any]) -> bytes:
    """The payload of a ``tool`` call. Raises ToolArgumentError that names the argument."""
    arguments = {"positional": positional, "keyword": keyword}
    try:
        text = _encode(arguments)
        data = text.encode("utf-8")
    except (Unsendable, TypeError, ValueError, RecursionError) as error:
        raise _refusal(tool, arguments, error) from None
    if _LONG_INTEGER.search(text) or (text.count("[") + text.count("{") > _MAX_DEPTH and _is_deep(arguments)):
        fault = _first_fault(arguments)
        if fault is not None:
            raise _argument_error(tool, fault)
    if len(data) > MAX_ARGUMENT_BYTES:
        raise ToolArgumentError(
            "the arguments of %s are %.1f MB, more than the %d MB of one call"
            % (tool, len(data) / 1e6, MAX_ARGUMENT_BYTES // 1_000_000),
            tool=tool,
            hint="send the data in parts",
        )
    return data


def _is_deep(value: Any) -> bool:
    """True beyond _MAX_DEPTH levels: not every Python stops at such values, but schema checks do. Level by level, for speed."""
    level = [value]
    for _ in range(_MAX_DEPTH + 2):  # the payload itself has two
        parts = [part.values() if isinstance(part, dict) else part for part in level]
        level = [item for part in parts for item in part if isinstance(item, (list, tuple, dict))]
        if not level:
            return False
    return True


def _refusal(tool: str, arguments: Dict[str, Any], error: BaseException) -> ToolArgumentError:
    fault = _first_fault(arguments)
    if fault is None:  # an iterator that was used up by the first attempt, or a class that changes its mind
        fault = ("the arguments", "cannot be sent as JSON (%s)" % error, None)
    return _argument_error(tool, fault)


def _argument_error(tool: str, fault: Fault) -> ToolArgumentError:
    place, problem, advice = fault
    return ToolArgumentError("%s of %s %s" % (place, tool, problem), tool=tool, hint=advice)


def _first_fault(arguments: Dict[str, Any]) -> Optional[Fault]:
    for number, value in enumerate(arguments["positional"], 1):
        fault = _fault(value, "argument %d" % number, 0)
        if fault is not None:
            return fault
    for name, value in arguments["keyword"].items():
        fault = _fault(name, "the name %r" % name, 0) or _fault(value, "argument %s" % name, 0)
        if fault is not None:
            return fault
    return None


def _fault(value: Any, place: str, depth: int) -> Optional[Fault]:
    """The first thing in ``value`` that cannot be sent: where, what is wrong, what to do."""
    if depth > _MAX_DEPTH:
        return place, _TOO_DEEP, None
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        if value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value):
            return None
        return place, "has characters that are no valid text (lone surrogates)", 'use text.encode("utf-8", "replace").decode()'
    if isinstance(value, int):
        if -_MAX_SAFE <= value <= _MAX_SAFE:
            return None
        return place, "is an integer beyond 2**53, which JSON readers would round", "send it as text: str(x)"
    if isinstance(value, float):
        if value - value == 0:
            return None
        return place, "is %r, which JSON does not know" % value, "send None, or leave it out"
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, (str, int, float, type(None))):
                return place, "has a key of type %s" % type(key).__name__, "use text as keys: str(key)"
            fault = _fault(key, "a key in " + place, depth) or _fault(item, "%s[%r]" % (place, key), depth + 1)
            if fault is not None:
                return fault
        return None
    if isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            fault = _fault(item, "%s[%d]" % (place, index), depth + 1)
            if fault is not None:
                return fault
        return None
    try:
        return _fault(convert(value), place, depth + 1)
    except Unsendable as refused:
        return place, refused.problem, refused.advice
