"""The writer: walks a value, keeps to the limits and notes what it cut."""

import sys
from dataclasses import dataclass
from json.encoder import encode_basestring as _quote
from math import isfinite
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Set, Tuple

from .keys import key_text
from .show import capped_repr
from .types import bases, type_name

if TYPE_CHECKING:
    from ..pictures import Gallery

#: Values nested deeper than this are replaced by a mark.
MAX_DEPTH = 100
#: Items taken from an iterator: it may be endless.
MAX_ITERATED = 1_000
_MAX_SAFE = 2**53 - 1
_MAX_NOTES = 3
_MAX_INT_BITS = 1_000_000
_int_text = int.__repr__
_set_max_digits: Any = getattr(sys, "set_int_max_str_digits", None)
_get_max_digits: Any = getattr(sys, "get_int_max_str_digits", None)

Handler = Callable[["Writer", Any, int], None]


@dataclass(frozen=True)
class Encoded:
    """JSON text of a value, as UTF-8."""

    json: bytes
    type: str
    truncated: bool
    notes: Tuple[str, ...]


def encode(value: Any, budget: int, pictures: "Optional[Gallery]" = None) -> Encoded:
    """``value`` as JSON text of at most ``budget`` bytes. Images in it go into ``pictures``, if there are any."""
    writer = Writer(budget, pictures)
    writer.write(value, 0)
    text = "".join(writer.parts)
    data = text.encode("utf-8", "backslashreplace") if text.isascii() else _utf8(text)
    if len(data) > budget:
        # Only escapes and the closing brackets can get here: the budget counts characters pessimistically.
        data, writer.truncated = b'"(the value does not fit)"'[:budget], True
    return Encoded(data, type_name(value), writer.truncated, tuple(writer.notes))


class Writer:
    """Writes one value. Handlers of single types call back into it."""

    def __init__(self, budget: int, pictures: "Optional[Gallery]" = None) -> None:
        self.pictures = pictures
        self.parts: List[str] = []
        self.truncated = False
        self.notes: List[str] = []
        self._room = budget - 64
        self._path: Set[int] = set()
        self._heads: Dict[str, str] = {}  # rows repeat their keys

    def write(self, value: Any, depth: int) -> None:
        kind = type(value)
        if kind is str:
            self.text(value)
        elif kind is int:
            self.integer(value)
        elif kind is float:
            self.number(value)
        elif value is None:
            self.put("null")
        elif kind is bool:
            self.put("true" if value else "false")
        elif kind is dict:
            self.mapping(value, value.items(), depth)
        elif kind is list or kind is tuple:
            self.sequence(value, value, depth)
        else:
            self._write_other(value, depth)

    def put(self, token: str) -> None:
        self.parts.append(token)
        self._room -= len(token)

    def text(self, value: str) -> None:
        """A string; a long one is cut at what is left of the budget."""
        size = len(value)
        if size * 3 > self._room:
            room = max(self._room - 16, 0)
            cost = size if value.isascii() else len(value[:room].encode("utf-8", "replace"))
            if cost > room:
                kept = room if value.isascii() else room // 4
                self.cut("a string of %d characters was cut" % size)
                value = value[:kept] + "…"
        quoted: str = _quote(value)
        self.parts.append(quoted)
        self._room -= _bytes_of(quoted)

    def integer(self, value: int) -> None:
        """A number up to 2**53 - 1, decimal text beyond: JSON readers would round it."""
        if -_MAX_SAFE <= value <= _MAX_SAFE:
            self.put(int.__repr__(value))
        else:
            self.text(decimal_text(value))

    def number(self, value: float) -> None:
        if isfinite(value):
            self.put(float.__repr__(value))
        elif value != value:
            self.put('"NaN"')
        else:
            self.put('"Infinity"' if value > 0 else '"-Infinity"')

    def sequence(self, owner: Any, items: Iterable[Any], depth: int, known: bool = True) -> None:
        """A JSON array. ``known``: the items end by themselves; else at most MAX_ITERATED are taken."""
        if not self._enter(owner, depth):
            return
        self.put("[")
        count = 0
        for item in items:
            if self._room <= 8 or (not known and count >= MAX_ITERATED):
                self._cut_items(owner, count)
                break
            if count:
                self.put(",")
            self.write(item, depth + 1)
            count += 1
        self.put("]")
        self._path.discard(id(owner))

    def mapping(self, owner: Any, items: Iterable[Tuple[Any, Any]], depth: int) -> None:
        """A JSON object; keys that are no strings become text, clashes get a suffix."""
        if not self._enter(owner, depth):
            return
        self.put("{")
        used: Optional[Set[str]] = None
        count = 0
        heads, append = self._heads, self.parts.append
        for key, item in items:
            if type(key) is not str or used is not None:
                if used is None:
                    used = {name for name in _keys(owner) if type(name) is str}
                key = _unused(key_text(key), key, used)
            head = heads.get(key)
            if head is None:
                head = heads[key] = _quote(key) + ":"
            if len(head) * 4 + 8 > self._room:
                self._cut_items(owner, count)
                break
            if count:
                head = "," + head
            count += 1
            kind = type(item)
            if kind is int and -_MAX_SAFE <= item <= _MAX_SAFE:
                head += _int_text(item)
            elif item is None:
                head += "null"
            elif kind is str and len(item) * 3 < self._room:
                head += _quote(item)
            else:
                append(head)
                self._room -= _bytes_of(head)
                self.write(item, depth + 1)
                continue
            append(head)
            self._room -= _bytes_of(head)
        self.put("}")
        self._path.discard(id(owner))

    def cut(self, note: str) -> None:
        """Marks the value as truncated and says what is missing."""
        self.truncated = True
        if len(self.notes) < _MAX_NOTES and note not in self.notes:
            self.notes.append(note)

    def _cut_items(self, owner: Any, count: int) -> None:
        try:
            size = " of %d" % len(owner) if type(owner).__module__ in ("builtins", "collections") else ""
        except Exception:
            size = ""
        self.cut("only the first %d%s items of a %s are in the result" % (count, size, type_name(owner)))

    def _enter(self, owner: Any, depth: int) -> bool:
        if id(owner) in self._path:
            self.cut("a %s contains itself; the inner one is marked as a cycle" % type_name(owner))
            self.text("<cycle: %s>" % type_name(owner))
            return False
        if depth >= MAX_DEPTH:
            self.cut("values nested deeper than %d levels are left out" % MAX_DEPTH)
            self.text("<%s nested deeper than %d levels>" % (type_name(owner), MAX_DEPTH))
            return False
        self._path.add(id(owner))
        return True

    def _write_other(self, value: Any, depth: int) -> None:
        mark, path, room = len(self.parts), set(self._path), self._room
        try:
            handler = _handler_of(value)
            handler(self, value, depth)
        except Exception:
            # Whatever a hostile or broken class did: its text takes the place of what was begun.
            del self.parts[mark:]
            self._path, self._room = path, room
            self.text(capped_repr(value))


def _bytes_of(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def decimal_text(value: int) -> str:
    """All digits, also beyond the limit that Python sets for str(int); of huge numbers, which take seconds, the size."""
    if value.bit_length() < 14_000:
        return _int_text(value)
    if value.bit_length() > _MAX_INT_BITS:
        return "<int of %d bits>" % value.bit_length()
    if _set_max_digits is None:
        return _int_text(value)
    limit = _get_max_digits()
    _set_max_digits(0)
    try:
        return _int_text(value)
    finally:
        _set_max_digits(limit)


def _unused(text: str, key: Any, used: Set[str]) -> str:
    if type(key) is str:
        return text
    if text in used:
        text = "%s (%s)" % (text, type_name(key))
        base, number = text, 2
        while text in used:
            text = "%s #%d" % (base, number)
            number += 1
    used.add(text)
    return text


def _keys(owner: Any) -> Iterable[Any]:
    return list(owner) if isinstance(owner, dict) else []


def _utf8(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode("utf-8")


def _handler_of(value: Any) -> Handler:
    from .forms import FORMS, by_shape

    for base in bases(value):
        handler = FORMS.get(base)
        if handler is not None:
            return handler
    return by_shape(value)
