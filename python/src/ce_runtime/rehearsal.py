"""A dry run of the whole path with a host that goes nowhere."""

import asyncio
import builtins
import json
import linecache
import os
import signal
import sys
import threading
import time
from typing import Any, Callable, List, Tuple

from .denied_calls import allow_calls
from .plain_await import TOLERANT

_KEPT = (
    *("stdout", "stderr", "stdin", "__stdout__", "__stderr__", "__stdin__"),
    *("argv", "dont_write_bytecode", "unraisablehook"),
)


_SIGNALS = [number for number in (signal.SIGINT, getattr(signal, "SIGALRM", None)) if number is not None]


class _SilentHost:
    busy = False

    def __init__(self) -> None:
        self.calls: List[Tuple[int, str]] = []

    def send(self, header: str, payload: bytes) -> None:
        frame = json.loads(header)
        if frame["type"] == "call":
            self.calls.append((frame["id"], frame["op"]))

    def remaining(self) -> float:
        return 60.0

    def receive(self) -> Tuple[str, bytes]:
        number, op = self.calls.pop()
        return '{"type":"reply","id":%d,"ok":true}' % number, _SKILL if op == "skill" else b'{"value":{"n":1}}'

    def scratch_is_full(self) -> bool:
        return False

    def make_room(self) -> None:
        """Nothing is limited."""

    def may_have_opened(self) -> bool:
        return True

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
_TOOLS = """
import tools
first, second = tools.gather(tools.a.b.later(x=1), tools.a.c.later("y"))
await tools.a.b(rows=[first, second])
"""
_SKILL = b'{"value":{"name":"a","version":1,"code":"def a(x=1):\\n    return x\\n","entry":"a"}}'
_SKILLS = """
from skills import a
import skills.a as b
exec(load_skill("a"))
text = "def a(x: int = 1):\\n    '''One.\\n\\n    >>> a()\\n    1\\n    '''\\n    return x\\n"
[a(2), skills.a(), b.a(3), skills.__inspect__(text, "a")]
"""


def rehearse() -> None:
    """Runs programs that work and fail, then puts the interpreter back as it was."""
    from .worker import Worker

    restore = remember()
    worker = Worker(_SilentHost(), os.getcwd())
    # The last ones have no tools and no skills, so that the modules are taken away again.
    for code in (_TOOLS, _SKILLS, _PROGRAM, "1+1", "missing_name", "def f(:"):
        header = {"type": "run", "id": "rehearsal", "outputBytes": 10_000, "resultBytes": 10_000, "keepState": False}
        header["tools"], header["skills"] = code is _TOOLS, code is _SKILLS
        payload = {"code": code, "context": {}, "earlierNames": []}
        worker.run(json.dumps(header), json.dumps(payload).encode())
    restore()


def remember() -> Callable[[], None]:
    """A function that undoes what the runs from here on change in the process."""
    attributes: List[Tuple[Any, str]] = [(sys, name) for name in _KEPT]
    attributes += [(time, "sleep"), (threading, "excepthook"), (asyncio.runners, "run")]
    attributes += [(asyncio, name) for name in TOLERANT]
    saved = [(owner, name, getattr(owner, name)) for owner, name in attributes]
    names, path, hooks, main = dict(vars(builtins)), list(sys.path), list(sys.path_hooks), sys.modules["__main__"]
    handlers = [(number, signal.getsignal(number)) for number in _SIGNALS]
    folder = os.getcwd()

    def restore() -> None:
        allow_calls()
        for owner, name, value in saved:
            setattr(owner, name, value)
        for name in set(vars(builtins)) - set(names):
            delattr(builtins, name)
        vars(builtins).update(names)
        sys.path[:], sys.path_hooks[:], sys.modules["__main__"] = path, hooks, main
        for number, handler in handlers:
            signal.signal(number, handler)
        os.chdir(folder)
        linecache.clearcache()

    return restore
