"""The process of one fresh run or one session: forked from the clean parent, walled in, warmed, then given code."""

import faulthandler
import json
import os
import platform
import signal
import socket
import warnings
from dataclasses import dataclass
from typing import Any, List

from ce_runtime.worker import Worker, wake

from .channel import Channel, ConnectionEnded
from .kernel import load_filter, restrict_files
from .limits import Limits
from .marks import SharedMark
from .native_host import NativeHost
from .sending import dumps
from .watch import SCRATCH, Watch
from .workspace import Workspace

WORKSPACE = "/workspace"
#: Descriptor of the connection; the parent has its control connection there.
_DATA = 3
_PRACTICE = {"code": "print(1)\n1+1", "context": {}, "earlierNames": []}
_loads = json.JSONDecoder().decode


@dataclass(frozen=True)
class ChildPlan:
    """What the parent prepares for all its children."""

    run_filter: bytes
    pid_offsets: List[int]
    landlock: int
    limits: Limits
    mark: SharedMark


def live(plan: ChildPlan, data: socket.socket, text: socket.socket, practise: bool) -> None:
    """Takes ``run`` frames until the host is gone. ``text``: where C code's prints go. Raises OSError before the first
    frame if a wall cannot be built."""
    data = _leave_parent(data, text)
    plan.limits.put_on()
    if plan.landlock > 0:
        restrict_files(plan.landlock, [WORKSPACE, *SCRATCH])
    load_filter(plan.run_filter, plan.pid_offsets)
    _require_walls()
    warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")  # plt.show(): figures are saved
    channel = Channel(data)
    workspace = Workspace(WORKSPACE, channel)
    watch = Watch(workspace)
    watch.install()
    host = NativeHost(channel, workspace, watch, plan.limits)
    if practise:
        # The whole way twice, answers muted: pages that are copied here are not copied in the first run.
        host.muted = True
        practised = wake(host, WORKSPACE)
        for _round in range(2):
            _practise(host, practised)
        host.muted = False
    worker = wake(host, WORKSPACE)
    if eval("1+1") != 2:
        raise RuntimeError("the interpreter cannot add")
    channel.send(dumps({"type": "ready", "python": platform.python_version()}), b"")
    try:
        while True:
            header, payload = channel.receive()
            _run(plan, channel, workspace, watch, host, worker, header, payload)
    except ConnectionEnded:
        return


def _run(
    plan: ChildPlan,
    channel: Channel,
    workspace: Workspace,
    watch: Watch,
    host: NativeHost,
    worker: Worker,
    header: str,
    payload: bytes,
) -> None:
    head = _loads(header)
    if head.get("type") != "run":
        return  # the late reply to a call of an earlier run
    host.begin(head["timeoutMs"] / 1000)
    plan.mark.clear()
    workspace.begin(head.pop("manifest", None), head["diskBytes"])
    plan.mark.set(head["id"])
    plan.limits.begin(head["memoryMb"], head["diskBytes"] + workspace.largest_file)
    channel.forget_replies()
    watch.begin(head["diskFiles"])
    try:
        worker.run(dumps(head), payload)
    finally:
        watch.end()


def _practise(host: NativeHost, worker: Worker) -> None:
    header = {"type": "run", "id": "practice", "outputBytes": 1_000, "resultBytes": 1_000}
    host.begin(60.0)
    worker.run(dumps(header), dumps(_PRACTICE).encode())


def _leave_parent(data: socket.socket, text: socket.socket) -> socket.socket:
    """Nothing of the parent's stays: not its signals, and of its descriptors only these two and the null device."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for standard in (1, 2):
        os.dup2(text.fileno(), standard)
    faulthandler.enable(file=2, all_threads=False)  # a crash in C code tells the line; the host makes one line of it
    connection = socket.socket(fileno=os.dup2(data.fileno(), _DATA, inheritable=False))
    data.detach()
    text.detach()
    os.closerange(_DATA + 1, os.sysconf("SC_OPEN_MAX"))
    return connection


def _require_walls() -> None:
    """Fails closed: a filter that does not hold must not be found out by a guest."""
    refused: List[Any] = []
    for attempt in (lambda: socket.socket(socket.AF_UNIX), os.fork, lambda: os.kill(1, 0)):
        try:
            made = attempt()
        except PermissionError:
            refused.append(attempt)
            continue
        if made == 0:
            os._exit(70)
        raise RuntimeError("the filter of system calls does not hold")
