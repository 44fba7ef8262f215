"""The process of one fresh run or one session: put together in the clean parent, forked, walled in, then given code."""

import _socket
import faulthandler
import json
import os
import platform
import signal
import socket
import warnings
from dataclasses import dataclass
from typing import Any, List

from ce_runtime.awakening import refresh_process_state
from ce_runtime.denied_calls import deny_calls
from ce_runtime.rehearsal import remember
from ce_runtime.worker import Worker, wake

from .channel import Channel, ConnectionEnded
from .kernel import load_filter, restrict_files
from .limits import OPEN_FILES, Limits
from .marks import SharedMark
from .native_host import NativeHost
from .sending import dumps
from .watch import SCRATCH, Watch
from .workspace import Workspace

WORKSPACE = "/workspace"
#: Descriptor of the connection: the last one, where code that tries the first few finds nothing. That is no wall.
_DATA = OPEN_FILES - 1
_PRACTICE = {"code": "print(1)\n1+1", "context": {}, "earlierNames": []}
#: By then the interpreter has put its short cuts into the code, which in a child would be writes, so copies of pages.
_ROUNDS_OF_PARENT = 12
_ROUNDS_OF_CHILD = 2
_loads = json.JSONDecoder().decode
# The refusals of the runtime that take their place are no walls.
_fork, _kill = os.fork, os.kill


@dataclass(frozen=True)
class ChildPlan:
    """What is the same for all children of a parent."""

    run_filter: bytes
    pid_offsets: List[int]
    landlock: int
    limits: Limits
    mark: SharedMark


class Child:
    """All that a child needs. The parent makes it, once: what a child makes itself costs it a page for each object or two."""

    def __init__(self, plan: ChildPlan) -> None:
        self._plan = plan
        self._channel = Channel()
        self._workspace = Workspace(WORKSPACE, self._channel)
        self._watch = Watch(self._workspace)
        self._watch.install()
        self._host = NativeHost(self._channel, self._workspace, self._watch, plan.limits)
        restore = remember()
        self._practise(wake(self._host, WORKSPACE), _ROUNDS_OF_PARENT)
        restore()
        self._practising, self._worker = wake(self._host, WORKSPACE), wake(self._host, WORKSPACE)
        warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")  # plt.show(): figures are saved
        deny_calls()  # from here on the parent itself has to go past these

    def live(self, data: _socket.socket, text: _socket.socket, practise: bool) -> None:
        """In the forked process: takes ``run`` frames until the host is gone. ``text``: where C code's prints go.

        Raises OSError before the first frame if a wall cannot be built.
        """
        plan = self._plan
        self._channel.open(_leave_parent(data, text))
        plan.limits.put_on()
        if plan.landlock > 0:
            restrict_files(plan.landlock, [WORKSPACE, *SCRATCH])
        load_filter(plan.run_filter, plan.pid_offsets)
        _require_walls()
        refresh_process_state()
        if practise:  # pages that are copied here are not copied in the first run
            self._practise(self._practising, _ROUNDS_OF_CHILD)
        self._watch.wake()
        if eval("1+1") != 2:
            raise RuntimeError("the interpreter cannot add")
        self._channel.send(dumps({"type": "ready", "python": platform.python_version()}), b"")
        try:
            while True:
                self._run(*self._channel.receive())
        except ConnectionEnded:
            return

    def _run(self, header: str, payload: bytes) -> None:
        head = _loads(header)
        if head.get("type") != "run":
            return  # the late reply to a call of an earlier run
        plan, workspace = self._plan, self._workspace
        self._host.begin(head["timeoutMs"] / 1000)
        plan.mark.clear()
        manifest = head.pop("manifest", None)
        workspace.begin(manifest, head["diskBytes"])
        plan.mark.set(head["id"])
        plan.limits.begin(head["memoryMb"], head["diskBytes"] + workspace.largest_file)
        self._channel.forget_replies()
        self._watch.begin(head["diskFiles"])
        try:
            self._worker.run(header if manifest is None else dumps(head), payload)
        finally:
            self._watch.end()

    def _practise(self, worker: Worker, rounds: int) -> None:
        """The whole way of a run, answers muted."""
        header = {"type": "run", "id": "practice", "outputBytes": 1_000, "resultBytes": 1_000}
        self._host.muted = True
        for _round in range(rounds):
            self._host.begin(60.0)
            worker.run(dumps(header), dumps(_PRACTICE).encode())
        self._host.muted = False


def _leave_parent(data: _socket.socket, text: _socket.socket) -> socket.socket:
    """Nothing of the parent's stays: not its signals, and of its descriptors only these two and the null device."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for standard in (1, 2):
        os.dup2(text.fileno(), standard)
    faulthandler.enable(file=2, all_threads=False)  # a crash in C code tells the line; the host makes one line of it
    connection = socket.socket(fileno=os.dup2(data.fileno(), _DATA, inheritable=False))
    data.detach()
    text.detach()
    os.closerange(3, _DATA)
    return connection


def _require_walls() -> None:
    """Fails closed: a filter that does not hold must not be found out by a guest."""
    refused: List[Any] = []
    for attempt in (lambda: _socket.socket(socket.AF_UNIX), _fork, lambda: _kill(1, 0)):
        try:
            made = attempt()
        except PermissionError:
            refused.append(attempt)
            continue
        if made == 0:
            os._exit(70)
        raise RuntimeError("the filter of system calls does not hold")
