"""The classes of loaded libraries, and what a value really is."""

import sys
from typing import Any, Optional

from ..encode.types import bases, class_name


def library_class(module: str, name: str) -> Optional[type]:
    """The class if code has loaded its module, else None."""
    found = getattr(sys.modules.get(module), name, None)
    return found if isinstance(found, type) else None


def is_a(value: Any, module: str, name: str) -> bool:
    """True for instances by their real type; False where the module is not loaded."""
    cls = library_class(module, name)
    return cls is not None and cls in bases(value)


def short_name(value: Any) -> str:
    """``DataFrame``: the class without its module."""
    return class_name(type(value)).rpartition(".")[2]
