"""What a hint may look at."""

from ...main_module import MainModule
from ...wire import RunRequest


class Situation:
    """The run that failed."""

    def __init__(self, main: MainModule, request: RunRequest) -> None:
        self.main = main
        self.request = request
        self.output_bytes = request.output_bytes
