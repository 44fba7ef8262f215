"""Text of a mapping key that is no string."""

import datetime
import decimal
import enum
import pathlib
import uuid
from typing import Any

from .show import capped_repr
from .types import bases

_ISO = (datetime.datetime, datetime.date, datetime.time)
_STR = (decimal.Decimal, uuid.UUID, pathlib.PurePath)
_CAP = 200


def key_text(key: Any) -> str:
    """As JSON would write it (``1``, ``true``, ``null``), ISO for dates, the value of an enum, else its repr."""
    if key is None:
        return "null"
    if key is True or key is False:
        return "true" if key else "false"
    kinds = bases(key)
    try:
        if enum.Enum in kinds:
            return key_text(key.value)
        if str in kinds:
            return "".join((str.__str__(key),))
        if int in kinds:
            return int.__repr__(int.__int__(key))
        if float in kinds:
            return float.__repr__(float.__float__(key))
        if any(kind in kinds for kind in _ISO):
            return str(key.isoformat())
        if any(kind in kinds for kind in _STR):
            return str(key)
    except Exception:
        return capped_repr(key, _CAP)
    return capped_repr(key, _CAP)
