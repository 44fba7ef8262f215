"""The first process of a jail: clean, and forked once for each run. It reads nothing that code could have written.

Control lines are JSON, on descriptor 3:
  from the host   hello (once), run, kill, collect
  to the host     up, forked, ended, collected
"""

import _socket
import asyncio
import errno
import gc
import importlib
import json
import os
import platform
import resource
import select
import signal
import socket
import sys
import traceback
from typing import Any, Callable, Dict, List, Optional, Tuple

from .kernel import landlock_version, load_filter, make_undumpable

_CONTROL = 3
_SOCKET = "/ce/socket"
_TZDATA = "/ce/tzdata.zip"
_FAILED = 70
# Children find refusals in their place, and the parent with them.
_fork, _UnixSocket = os.fork, _socket.socket


class Parent:
    """One control connection, and at most one child that runs code."""

    def __init__(self, control: _socket.socket) -> None:
        self._control = control
        self._lines = b""
        self._child: Optional[int] = None
        self._wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def live(self) -> None:
        """Until the host closes the control connection."""
        hello = self._read_line()
        if hello is None:
            return
        self._prepare(hello)
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._wake_read, select.POLLIN)
        while True:
            for descriptor, _event in poll.poll():
                if descriptor == self._wake_read:
                    self._reap()
                elif not self._obey_all():
                    return

    def _prepare(self, hello: Dict[str, Any]) -> None:
        from ce_runtime.awakening import refresh_process_state
        from ce_runtime.preload import prepare

        from .child import Child, ChildPlan
        from .limits import OPEN_FILES, Limits, address_space
        from .marks import SharedMark

        gc.disable()  # what is imported stays
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
        sys.path.append(_TZDATA)
        os.umask(0o022)
        prepare()
        failed = _preload(hello["preload"])
        refresh_process_state()
        version = landlock_version()
        self._mark = SharedMark()
        self._next = Child(
            ChildPlan(
                run_filter=bytes.fromhex(hello["runFilter"]),
                pid_offsets=hello["pidOffsets"],
                landlock=version,
                limits=Limits(address_space(), hello["memoryMb"]),
                mark=self._mark,
            )
        )
        _close_loops()
        gc.enable()
        gc.collect()
        gc.freeze()
        self._tell({"event": "up", "python": platform.python_version(), "landlock": version, "notLoaded": failed})

    def _obey_all(self) -> bool:
        """What has arrived; False when the host is gone."""
        while True:
            order = self._read_line()
            if order is None:
                return False
            self._obey(order)
            if b"\n" not in self._lines:
                return True

    def _obey(self, order: Dict[str, Any]) -> None:
        if order["do"] == "run":
            self._start_run(order)
        elif order["do"] == "collect":
            self._collect(order)
        elif order["do"] == "kill" and self._child == order["pid"]:
            os.kill(order["pid"], signal.SIGKILL)

    def _start_run(self, order: Dict[str, Any]) -> None:
        from .child import WORKSPACE
        from .tree import empty
        from .watch import SCRATCH

        for folder in (WORKSPACE, *SCRATCH):
            empty(folder)
        self._mark.clear()
        data, text = _connect(order["data"]), _connect(order["text"])
        self._child = pid = self._in_child(lambda: self._next.live(data, text, order["practise"]))
        data.close()
        text.close()
        self._tell({"event": "forked", "pid": pid})

    def _collect(self, order: Dict[str, Any]) -> None:
        """The files of a run that is dead, by a fork, so that this process does not look at them."""
        from .channel import Channel
        from .child import WORKSPACE
        from .collect import collect

        data = _connect(order["data"])
        channel = Channel()
        channel.open(data)
        pid = self._in_child(lambda: collect(channel, WORKSPACE, self._mark))
        data.close()
        _wait(pid)
        self._tell({"event": "collected"})

    def _in_child(self, action: Callable[[], None]) -> int:
        """Forks a process that does this and ends; its pid."""
        pid = _fork()
        if pid != 0:
            return pid
        try:
            self._forget()
            action()
        except BaseException:
            os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
            os._exit(_FAILED)
        os._exit(0)

    def _reap(self) -> None:
        try:
            while os.read(self._wake_read, 512):
                pass
        except BlockingIOError:
            pass
        if self._child is None:
            return
        pid, status = os.waitpid(self._child, os.WNOHANG)
        if pid == 0:
            return
        self._child = None
        died = os.WIFSIGNALED(status)
        self._tell(
            {
                "event": "ended",
                "code": None if died else os.WEXITSTATUS(status),
                "signal": signal.Signals(os.WTERMSIG(status)).name if died else None,
            }
        )

    def _forget(self) -> None:
        """In a child: what belongs to the parent alone. The numbers are used again, so the objects must not close them."""
        self._control.detach()
        os.close(_CONTROL)

    def _tell(self, event: Dict[str, Any]) -> None:
        self._control.sendall(json.dumps(event).encode() + b"\n")

    def _read_line(self) -> Optional[Dict[str, Any]]:
        while b"\n" not in self._lines:
            part = self._control.recv(65_536)
            if not part:
                return None
            self._lines += part
        line, _, self._lines = self._lines.partition(b"\n")
        order: Dict[str, Any] = json.loads(line)
        return order


def _preload(names: List[str]) -> List[str]:
    """Imports what the operator has named; returns what could not be imported, with the reason."""
    from .fonts import draw_once, seed_fonts

    seed_fonts()
    failed = []
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:
            failed.append("%s: %s" % (name, error))
    try:
        draw_once()
    except Exception as error:  # a run will meet it again, and tell
        failed.append("a first figure: %s" % error)
    return failed


def _close_loops() -> None:
    """A loop has sockets, and all children would share them: what one run writes another would read."""
    for loop in [value for value in gc.get_objects() if isinstance(value, asyncio.BaseEventLoop)]:
        loop.close()


def _connect(token: str) -> _socket.socket:
    """A connection to the host that is what ``token`` says."""
    connection = _UnixSocket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(_SOCKET)
    connection.sendall(token.encode() + b"\n")
    return connection


def _wait(pid: int) -> Tuple[int, int]:
    while True:
        try:
            return os.waitpid(pid, 0)
        except OSError as error:
            if error.errno != errno.EINTR:
                raise


def main(sealed_filter: str) -> None:
    """The program of a jail. From here on nothing in it starts a program."""
    os.closerange(_CONTROL + 1, os.sysconf("SC_OPEN_MAX"))  # what the server itself had inherited
    load_filter(bytes.fromhex(sealed_filter))
    make_undumpable()
    Parent(_UnixSocket(fileno=_CONTROL)).live()
