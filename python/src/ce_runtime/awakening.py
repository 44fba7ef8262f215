"""State that a memory snapshot or a fork would otherwise share between processes."""

import random
import sys
from typing import Any


def refresh_process_state() -> None:
    """Seeds anew and forgets what was derived from the time or the process. (The seed of str hashes cannot change.)"""
    random.seed()
    numpy_random: Any = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
    _reset("tempfile", _name_sequence=None, tempdir=None)
    _reset("uuid", _node=None, _last_timestamp=None)
    logging: Any = sys.modules.get("logging")
    if logging is not None and hasattr(logging, "_startTime"):
        import time

        logging._startTime = time.time_ns() if isinstance(logging._startTime, int) else time.time()


def _reset(name: str, **values: Any) -> None:
    module = sys.modules.get(name)
    if module is not None:
        for attribute, value in values.items():
            if hasattr(module, attribute):
                setattr(module, attribute, value)
