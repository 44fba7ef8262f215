"""A dry run of the whole path with a host that goes nowhere."""

import builtins
import json
import linecache
import os
import sys
import time
from typing import List, Tuple

_KEPT = ("stdout", "stderr", "stdin", "__stdout__", "__stderr__", "__stdin__", "argv", "dont_write_bytecode")


class _SilentHost:
    def __init__(self) -> None:
        self.frames: List[Tuple[str, bytes]] = []

    def send(self, header: str, payload: bytes) -> None:
        self.frames.append((header, payload))

    def remaining(self) -> float:
        return 60.0

    def flush_files(self) -> None:
        """There are none."""


_PROGRAM = """
import json, csv, io
from dataclasses import dataclass
@dataclass
class Row:
    name: str
    n: int = 0
rows = [Row("a", i) for i in range(3)]
print(json.dumps([r.n for r in rows]), sum(r.n for r in rows))
{"rows": rows, "f": 1.5, "none": None, "t": (1, "x")}
"""


def rehearse() -> None:
    """Runs programs that work and fail, then puts the interpreter back as it was."""
    from .worker import Worker

    saved = {name: getattr(sys, name) for name in _KEPT}
    path, hooks, main, folder = list(sys.path), list(sys.path_hooks), sys.modules["__main__"], os.getcwd()
    sleep = time.sleep
    names = dict(vars(builtins))
    worker = Worker(_SilentHost(), folder)
    for code in (_PROGRAM, "1+1", "missing_name", "def f(:"):
        header = {"type": "run", "id": "rehearsal", "outputBytes": 10_000, "resultBytes": 10_000, "keepState": False}
        payload = {"code": code, "context": {}, "earlierNames": []}
        worker.run(json.dumps(header), json.dumps(payload).encode())
    for name, value in saved.items():
        setattr(sys, name, value)
    sys.path[:], sys.path_hooks[:], sys.modules["__main__"], time.sleep = path, hooks, main, sleep
    vars(builtins).update(names)
    os.chdir(folder)
    linecache.clearcache()
