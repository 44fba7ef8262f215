"""What a hint may look at."""

from ...host import Host
from ...main_module import MainModule
from ...wire import RunRequest


class Situation:
    """The run that failed."""

    def __init__(self, main: MainModule, request: RunRequest, host: Host) -> None:
        self.main = main
        self.request = request
        self.scratch_is_full = host.scratch_is_full
        self.output_bytes = request.output_bytes
