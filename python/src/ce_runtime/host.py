"""What the runtime needs from the process around it."""

from typing import Protocol, Tuple


class Host(Protocol):
    """The channel to the host. Its frames are those of src/wire/messages.ts."""

    busy: bool
    """True while a frame is under way: the deadline waits a moment, for a frame goes whole or not at all."""

    def send(self, header: str, payload: bytes) -> None:
        """Sends one frame; ``header`` is JSON text."""

    def remaining(self) -> float:
        """Seconds to the deadline of the current run, negative after it."""

    def receive(self) -> Tuple[str, bytes]:
        """Waits for the next ``reply`` frame: its header as JSON text, and its payload."""

    def scratch_is_full(self) -> bool:
        """True if the last write that found no room was one below /tmp, false if it was one in the workspace."""

    def make_room(self) -> None:
        """The code has filled its memory; what comes now is the runtime's own: the report."""

    def may_have_opened(self) -> bool:
        """False if the code has surely opened no file in this run and has none open from an earlier one."""

    def flush_files(self) -> None:
        """Sends the workspace files that changed. Called once per run, right before ``done``."""
