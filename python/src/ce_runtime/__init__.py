"""The in-sandbox Python runtime: runs model-written code and tells the host how it ended.

Two calls are public. ``prepare()`` loads everything once, before a memory snapshot or a fork. ``wake(host)`` makes
the worker of this process; its ``run(header, payload)`` executes one ``run`` frame.

Nothing in this package is a security boundary. Restricted builtins, refused imports and limits are here for clear
messages; the walls are those of the process that the interpreter lives in.
"""

from .host import Host
from .preload import prepare
from .worker import Worker, wake

__all__ = ["Host", "Worker", "prepare", "wake"]
