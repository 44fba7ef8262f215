"""What Pyodide lacks or adds, made like CPython."""

import hashlib
import sys
from typing import Any

from .password_hash import pbkdf2_hmac
from .threadless.pools import install_thread_pools

_TZDATA = "/lib/ce/tzdata.zip"
# Their errors tell the model to install packages with tools that it cannot reach.
_UNHELPFUL_FINDERS = ("UnvendoredStdlibFinder", "RepodataPackagesFinder", "WindowsToLinuxPathFinder")


def install() -> None:
    """Idempotent; part of waking up."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if _name(finder) not in _UNHELPFUL_FINDERS]
    if _TZDATA not in sys.path:
        sys.path.append(_TZDATA)
    library: Any = hashlib
    if not hasattr(library, "pbkdf2_hmac"):
        library.pbkdf2_hmac = pbkdf2_hmac
    install_thread_pools()


def _name(finder: object) -> str:
    return finder.__name__ if isinstance(finder, type) else type(finder).__name__
