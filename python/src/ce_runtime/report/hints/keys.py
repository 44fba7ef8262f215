"""Keys and indexes that are not there."""

from typing import Any, List, Optional

from ...encode.show import preview
from .lookup import plain_keys, subscripted
from .near import near
from .situation import Situation


def key_error(error: BaseException, situation: Situation) -> Optional[str]:
    if len(error.args) != 1:
        return None
    key = error.args[0]
    for owner, _ in subscripted(error, situation):
        keys = plain_keys(owner)
        if keys is not None and not _has(keys, key):
            return _about(key, keys)
    return "use .get(%s) for a key that may be missing, or print the keys that there are" % preview(key)


def index_error(error: BaseException, situation: Situation) -> Optional[str]:
    for owner, key in subscripted(error, situation):
        if type(owner) in (list, tuple, str) and type(key) is int and not -len(owner) <= key < len(owner):
            size = len(owner)
            if not size:
                return "the %s is empty: check it before taking an item" % type(owner).__name__
            return "the last index of this %s is %d (it has %d items)" % (type(owner).__name__, size - 1, size)
    return None


def _about(key: Any, keys: List[Any]) -> str:
    shown = ", ".join(preview(item, 60) for item in keys[:20])
    if len(keys) > 20:
        shown += " and %d more" % (len(keys) - 20)
    texts = [item for item in keys if type(item) is str]
    if any(text.startswith("\ufeff") for text in texts):
        return (
            "the first key begins with a byte order mark (BOM, U+FEFF): open the file with encoding='utf-8-sig'. Keys: %s" % shown
        )
    if not keys:
        return "the dict is empty"
    if type(key) is str:
        close = near(key, texts)
        if close:
            return "did you mean %s? Keys: %s" % (preview(close[0]), shown)
    if texts and type(key) in (int, float) and str(key) in texts:
        return "the keys are text: use %r. Keys: %s" % (str(key), shown)
    if type(key) is str and any(type(item) is int and str(item) == key for item in keys):
        return "the keys are numbers: use %s. Keys: %s" % (key, shown)
    return "keys: %s" % shown


def _has(keys: List[Any], key: Any) -> bool:
    return any(type(item) is type(key) and item == key for item in keys if type(item) in (str, int, float, bool, bytes))
