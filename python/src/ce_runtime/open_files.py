"""Files that code has left open: what they hold in memory must reach the workspace before the run ends."""

import _io
import sys
from typing import Any, Dict

from .encode.types import bases
from .output import BinaryStream, OutputStream

_IO_BASE: Any = _io._IOBase  # the real base: the ABC in io would ask the class


def settle_files(names: Dict[str, Any], close: bool) -> None:
    """Flushes the open files among the top-level names; closes them, and archives, if nothing comes after this run."""
    archives = [
        cls
        for module, name in (("zipfile", "ZipFile"), ("tarfile", "TarFile"))
        for cls in (getattr(sys.modules.get(module), name, None),)
        if isinstance(cls, type)
    ]
    for value in list(names.values()):
        kinds = bases(value)
        try:
            if _IO_BASE in kinds and OutputStream not in kinds and BinaryStream not in kinds:
                if value.closed or not value.writable():
                    continue
                if close:
                    value.close()
                else:
                    value.flush()
            elif close and any(cls in kinds for cls in archives):
                value.close()
        except Exception:
            continue  # a broken file object of the user's is not worth failing the run
