"""JSON forms of argument values that are no JSON types. What would lose something is refused with the way to do it."""

import array
import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import fractions
import itertools
import pathlib
import types
import uuid
from typing import Any, Callable, Optional, Tuple

from .media import Media
from .pending import PendingCall

#: Items taken from an iterator: it may be endless.
MAX_ITERATED = 100_000
_BYTES_ADVICE = "for text use x.decode(); for binary content base64.b64encode(x).decode()"


class Unsendable(Exception):
    """A value without a form; ``problem`` continues "argument x ..."."""

    def __init__(self, problem: str, advice: Optional[str]) -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice


def convert(value: Any) -> Any:
    """A value whose type is closer to JSON; its parts are converted in turn. Raises Unsendable."""
    for kinds, form in _FORMS:
        if isinstance(value, kinds):
            return form(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    for kinds, advice in _REFUSED:
        if isinstance(value, kinds):
            raise Unsendable("is of type %s, which has no JSON form" % type(value).__name__, advice)
    if isinstance(value, collections.abc.Iterator):
        return _finite(value)
    raise Unsendable(
        "is of type %s, which has no JSON form" % type(value).__name__, "send text, numbers, lists and dicts made from it"
    )


def _decimal(value: decimal.Decimal) -> float:
    number = float(value)
    # repr: what is written into the JSON text. Equal means that not a digit is lost.
    if not value.is_finite() or decimal.Decimal(repr(number)) != value:
        raise Unsendable("is the Decimal %s, which a JSON number does not hold exactly" % value, "send str(x) or float(x)")
    return int(value) if number.is_integer() and abs(number) < 2**53 else number


def _sorted(value: Any) -> Any:
    try:
        return sorted(value)
    except TypeError:
        return sorted(value, key=lambda item: (type(item).__name__, repr(item)))


def _finite(value: Any) -> Any:
    items = list(itertools.islice(value, MAX_ITERATED + 1))
    if len(items) > MAX_ITERATED:
        raise Unsendable("is an iterator of more than %d items" % MAX_ITERATED, "send a list, in parts")
    return items


_FORMS: Tuple[Tuple[Any, Callable[[Any], Any]], ...] = (
    (enum.Enum, lambda value: value.value),
    ((datetime.date, datetime.time), lambda value: value.isoformat()),
    (decimal.Decimal, _decimal),
    ((uuid.UUID, pathlib.PurePath, collections.UserString), str),
    (collections.abc.Mapping, dict),
    (collections.abc.MappingView, list),
    (collections.abc.Set, _sorted),
    ((collections.deque, collections.UserList, range, array.array), list),
    (types.SimpleNamespace, lambda value: dict(vars(value))),
)
_REFUSED: Tuple[Tuple[Any, str], ...] = (
    (PendingCall, "take its value first: .result() or tools.gather(...)"),
    ((types.CoroutineType, types.AsyncGeneratorType), "await it first"),
    ((bytes, bytearray, memoryview), _BYTES_ADVICE),
    (Media, "use x.text for text, base64.b64encode(x.data).decode() for binary content, or x.save(path) for a file"),
    (datetime.timedelta, "send x.total_seconds() or str(x)"),
    ((fractions.Fraction, complex), "send float(x) or str(x)"),
    ((types.FunctionType, types.BuiltinFunctionType, types.MethodType), "call it, and send what it gives"),
)
