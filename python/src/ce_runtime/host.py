"""What the runtime needs from the process around it."""

from typing import Protocol


class Host(Protocol):
    """The channel to the host. Its frames are those of src/wire/messages.ts."""

    def send(self, header: str, payload: bytes) -> None:
        """Sends one frame; ``header`` is JSON text."""

    def remaining(self) -> float:
        """Seconds to the deadline of the current run, negative after it."""

    def flush_files(self) -> None:
        """Sends the workspace files that changed. Called once per run, right before ``done``."""
