"""The form of every type that is neither a JSON type nor shown by its repr.

Looked up along the method resolution order, so a subclass takes the form of its nearest listed base.
"""

import array
import base64
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import io
import pathlib
import sys
import types
import uuid
from typing import Any, Dict, Tuple

from ..pictures.figures import save_figure
from ..pictures.image_type import image_type
from ..tables import frame_records, nested_array, series_value
from ..tooling.media import Media
from ..tooling.pending import PendingCall
from .show import capped_repr
from .types import bases, class_dict, type_name
from .writer import Handler, Writer

#: Bytes of a binary value that are shown.
MAX_BYTES = 4_096

_DICT_VIEWS: Tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))


def _str(writer: Writer, value: Any, _depth: int) -> None:
    writer.text("".join((str.__str__(value),)))


def _int(writer: Writer, value: Any, _depth: int) -> None:
    writer.integer(int.__int__(value))


def _float(writer: Writer, value: Any, _depth: int) -> None:
    writer.number(float.__float__(value))


def _text_of(writer: Writer, value: Any, _depth: int) -> None:
    writer.text(str(value))


def _iso(writer: Writer, value: Any, _depth: int) -> None:
    writer.text(value.isoformat())


def _enum(writer: Writer, value: Any, depth: int) -> None:
    writer.write(enum.Enum.__dict__["value"].__get__(value), depth)


def _dict(writer: Writer, value: Any, depth: int) -> None:
    writer.mapping(value, dict.items(value), depth)


def _ordered_dict(writer: Writer, value: Any, depth: int) -> None:
    writer.mapping(value, collections.OrderedDict.items(value), depth)


def _mapping_proxy(writer: Writer, value: Any, depth: int) -> None:
    writer.mapping(value, list(value.items()), depth)


def _list(writer: Writer, value: Any, depth: int) -> None:
    writer.sequence(value, list.__iter__(value), depth)


def _tuple(writer: Writer, value: Any, depth: int) -> None:
    fields = class_dict(type(value)).get("_fields")
    if type(fields) is tuple and all(type(name) is str for name in fields):
        writer.mapping(value, zip(fields, tuple.__iter__(value)), depth)
    else:
        writer.sequence(value, tuple.__iter__(value), depth)


def _set(writer: Writer, value: Any, depth: int) -> None:
    items = list(frozenset.__iter__(value) if frozenset in bases(value) else set.__iter__(value))
    try:
        items.sort()
    except TypeError:
        items.sort(key=lambda item: (type_name(item), capped_repr(item, 200)))
    writer.sequence(value, items, depth)


def _sized(writer: Writer, value: Any, depth: int) -> None:
    writer.sequence(value, list(value), depth)


def _range(writer: Writer, value: Any, depth: int) -> None:
    writer.sequence(value, value, depth)


def _user_data(writer: Writer, value: Any, depth: int) -> None:
    """UserDict, UserList, UserString: what they wrap."""
    writer.write(value.data, depth)


def _chain_map(writer: Writer, value: Any, depth: int) -> None:
    writer.write(dict(value), depth)


def _namespace(writer: Writer, value: Any, depth: int) -> None:
    writer.mapping(value, list(vars(value).items()), depth)


def _bytes(writer: Writer, value: Any, depth: int) -> None:
    view = memoryview(value)
    size = view.nbytes
    kind = image_type(view) if view.contiguous and view.itemsize == 1 else None
    if kind is not None and writer.pictures is not None:
        writer.write(writer.pictures.add_bytes(view, kind), depth)
        return
    shown = bytes(view[:MAX_BYTES]) if view.contiguous and view.itemsize == 1 else view.tobytes()[:MAX_BYTES]
    if size > len(shown):
        writer.cut("only the first %d of %d bytes are in the result" % (len(shown), size))
    writer.put('{"bytes":%d,"base64":' % size)
    writer.text(base64.b64encode(shown).decode("ascii"))
    writer.put("}")


def _buffer(writer: Writer, value: Any, depth: int) -> None:
    _bytes(writer, io.BytesIO.getvalue(value), depth)


def _media(writer: Writer, value: Any, depth: int) -> None:
    if image_type(value.data) is not None:
        _bytes(writer, value.data, depth)
    else:
        writer.write({"media": value.mime_type, "bytes": len(value.data)}, depth)


def _pending(writer: Writer, value: Any, depth: int) -> None:
    writer.write(value.result(), depth)


def _dataclass(writer: Writer, value: Any, depth: int) -> None:
    names = [field.name for field in dataclasses.fields(value)]
    pairs = [(name, getattr(value, name)) for name in names if hasattr(value, name)]
    writer.mapping(value, pairs, depth)


def _iterator(writer: Writer, value: Any, depth: int) -> None:
    writer.sequence(value, iter(value), depth, known=False)


def _repr(writer: Writer, value: Any, _depth: int) -> None:
    writer.text(capped_repr(value))


FORMS: Dict[type, Handler] = {
    enum.Enum: _enum,
    bool: lambda writer, value, _depth: writer.put("true" if value else "false"),
    str: _str,
    int: _int,
    float: _float,
    collections.OrderedDict: _ordered_dict,
    dict: _dict,
    list: _list,
    tuple: _tuple,
    set: _set,
    frozenset: _set,
    collections.deque: _sized,
    array.array: _sized,
    range: _range,
    bytes: _bytes,
    bytearray: _bytes,
    memoryview: _bytes,
    io.BytesIO: _buffer,
    complex: lambda writer, value, _depth: writer.text(complex.__repr__(value)),
    decimal.Decimal: _text_of,
    fractions.Fraction: _text_of,
    uuid.UUID: _text_of,
    pathlib.PurePath: _text_of,
    datetime.timedelta: _text_of,
    datetime.date: _iso,
    datetime.time: _iso,
    types.MappingProxyType: _mapping_proxy,
    types.SimpleNamespace: _namespace,
    collections.ChainMap: _chain_map,
    collections.UserDict: _user_data,
    collections.UserList: _user_data,
    collections.UserString: _user_data,
    Media: _media,
    PendingCall: _pending,
    BaseException: _repr,
    type: _repr,
    types.FunctionType: _repr,
    types.ModuleType: _repr,
    **dict.fromkeys(_DICT_VIEWS, _sized),
}


def by_shape(value: Any) -> Handler:
    """The form of a type that is not listed: tables and arrays of loaded libraries, dataclasses, iterators, a repr."""
    kinds = bases(value)
    for module, name, handler in _LIBRARY_FORMS:
        loaded = sys.modules.get(module)
        cls = getattr(loaded, name, None)
        if isinstance(cls, type) and cls in kinds:
            return handler
    if any("__dataclass_fields__" in class_dict(kind) for kind in kinds):
        return _dataclass
    if any("__next__" in class_dict(kind) for kind in kinds):
        return _iterator
    return _repr


def _records(writer: Writer, value: Any, depth: int) -> None:
    _bounded(writer, frame_records(value), depth)


def _series(writer: Writer, value: Any, depth: int) -> None:
    _bounded(writer, series_value(value), depth)


def _array(writer: Writer, value: Any, depth: int) -> None:
    _bounded(writer, nested_array(value), depth)


def _bounded(writer: Writer, form: Tuple[Any, str], depth: int) -> None:
    plain, note = form
    if note:
        writer.cut(note)
    writer.write(plain, depth)


def _as_list(writer: Writer, value: Any, depth: int) -> None:
    writer.write(value.tolist(), depth)


def _scalar(writer: Writer, value: Any, depth: int) -> None:
    """A NumPy scalar: dates as ISO text, short floats with the digits that they have."""
    kind = value.dtype.kind
    if kind in "mM":
        writer.text(str(value))
    elif kind == "f" and value.dtype.itemsize < 8:
        writer.number(float(str(value)))
    else:
        writer.write(value.item(), depth)


def _missing(writer: Writer, _value: Any, _depth: int) -> None:
    writer.put("null")


def _figure(writer: Writer, value: Any, depth: int) -> None:
    pictures = writer.pictures
    if pictures is None or pictures.is_full:
        _repr(writer, value, depth)
        return
    if id(value) not in pictures.figures:
        save_figure(value, pictures)
    writer.write({"image": pictures.figures.get(id(value))}, depth)


def _pil(writer: Writer, value: Any, depth: int) -> None:
    if writer.pictures is None:
        _repr(writer, value, depth)
    else:
        writer.write(writer.pictures.add_pil(value), depth)


_LIBRARY_FORMS: Tuple[Tuple[str, str, Handler], ...] = (
    ("pandas", "DataFrame", _records),
    ("pandas", "Series", _series),
    ("pandas", "Index", _as_list),
    ("pandas.api.extensions", "ExtensionArray", _as_list),
    ("pandas", "Period", _text_of),
    ("pandas", "Interval", _text_of),
    ("pandas._libs.missing", "NAType", _missing),
    ("numpy", "ndarray", _array),
    ("numpy", "generic", _scalar),
    ("matplotlib.figure", "Figure", _figure),
    ("PIL.Image", "Image", _pil),
)
