"""The host as the runtime sees it, over the connection of a run."""

import os
import threading
import time
from typing import Any, Tuple

from ce_runtime.wire import parse_reply

from .channel import Channel
from .limits import Limits
from .watch import SCRATCH, Watch
from .workspace import Workspace

_clock = time.monotonic
_statvfs = os.statvfs


class NativeHost:
    """See ``ce_runtime.host.Host``."""

    def __init__(self, channel: Channel, workspace: Workspace, watch: Watch, limits: Limits) -> None:
        self._channel = channel
        self._workspace = workspace
        self._watch = watch
        self._limits = limits
        self._deadline = 0.0
        self._main = threading.get_ident()
        self.muted = False
        #: True while a frame is under way in the main thread: the deadline waits, for a frame goes whole or not at all.
        self.busy = False

    def begin(self, seconds: float) -> None:
        """Starts the clock of a run."""
        self._deadline = _clock() + seconds

    def send(self, header: str, payload: bytes) -> None:
        if self.muted:
            return
        with self._whole():
            self._channel.send(header, payload)

    def receive(self) -> Tuple[str, bytes]:
        # The host answers every call when the time is over, so this ends in time.
        with self._whole():
            header, payload = self._channel.receive_reply()
        extension = parse_reply(header).get("extendMs")
        if extension:  # a person was asked meanwhile
            self._deadline += extension / 1000
        return header, payload

    def remaining(self) -> float:
        return self._deadline - _clock()

    def scratch_is_full(self) -> bool:
        if self._watch.refused:
            return self._watch.refused == "scratch"
        return min(map(_free_share, SCRATCH)) < _free_share(self._workspace.root)

    def make_room(self) -> None:
        self._limits.make_room()

    def may_have_opened(self) -> bool:
        return self._watch.touched

    def flush_files(self) -> None:
        if not self.muted:
            self._limits.lift()
            self._watch.end()
            if self._watch.touched:
                self._workspace.flush()
                self._watch.settle()

    def _whole(self) -> "_Whole":
        return _Whole(self)


class _Whole:
    """Keeps the deadline away from a frame."""

    def __init__(self, host: NativeHost) -> None:
        self._host = host
        self._mine = threading.get_ident() == host._main and not host.busy

    def __enter__(self) -> None:
        if self._mine:
            self._host.busy = True

    def __exit__(self, *_error: Any) -> None:
        if self._mine:
            self._host.busy = False


def _free_share(folder: str) -> float:
    try:
        info = _statvfs(folder)
    except OSError:
        return 1.0
    return info.f_bavail / info.f_blocks if info.f_blocks else 1.0
