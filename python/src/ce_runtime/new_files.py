"""Files of the runtime's own in the workspace, under names that are free."""

import errno
import os
from typing import Any

_exists, _remove, _open = os.path.lexists, os.remove, open


class NewFiles:
    """Writes them, as long as they take at most half of what is left in the workspace: the rest is for the code's own."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._room = 0

    def begin(self, room: int) -> None:
        """Before a run, which may add ``room`` bytes to the workspace."""
        self._room = room // 2

    def write(self, prefix: str, ending: str, data: Any) -> str:
        """Writes bytes as `prefix-1.ending`, or with the next number that is free; returns the name.

        Raises OSError without a file left. Nothing is buffered: a file object that cannot get rid of its last part
        would fail the run when it is collected.
        """
        view = memoryview(data).cast("B")
        if len(view) > self._room:
            raise OSError(errno.ENOSPC, "%d bytes are too much for what is left in the workspace" % len(view))
        name = self._free(prefix, ending)
        path = os.path.join(self._folder, name)
        try:
            with _open(path, "wb", buffering=0) as file:
                left = view
                while len(left) > 0:
                    left = left[file.write(left) :]
        except BaseException:
            if _exists(path):
                _remove(path)
            raise
        self._room -= len(view)
        return name

    def _free(self, prefix: str, ending: str) -> str:
        number = 1
        while _exists(os.path.join(self._folder, "%s-%d.%s" % (prefix, number, ending))):
            number += 1
        return "%s-%d.%s" % (prefix, number, ending)
