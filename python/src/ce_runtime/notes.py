"""What a run tells the model besides its value: one sentence each, each once."""

from typing import List


class Notes(List[str]):
    """The notes of the current run; parts of the runtime add to it while code runs."""

    def add(self, note: str) -> None:
        if note not in self:
            self.append(note)
