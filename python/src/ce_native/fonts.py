"""matplotlib's list of the fonts of this machine: found once and kept by the server, not in each run that draws."""

import contextlib
import io
import os
import sys
from typing import Any

#: What the server has kept: empty before the first time.
_KEPT = "/ce/fonts"
MODULE = "matplotlib.font_manager"
_getenv, _listdir, _makedirs, _exists, _join = os.environ.get, os.listdir, os.makedirs, os.path.exists, os.path.join
_open = open


def seed_fonts() -> None:
    """Before matplotlib looks for its list: puts it where that is. Does nothing if there is none; matplotlib makes one then."""
    folder = _getenv("MPLCONFIGDIR", "")
    with contextlib.suppress(OSError):
        for name in _listdir(_KEPT):
            if not name.startswith(".") and not _exists(_join(folder, name)):
                _makedirs(folder, exist_ok=True)
                with _open(_join(_KEPT, name), "rb") as kept, _open(_join(folder, name), "wb") as seeded:
                    seeded.write(kept.read())


def draw_once() -> None:
    """Where matplotlib was loaded before the fork: what a first figure makes, later ones find."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        figure = pyplot.figure()
        figure.gca().plot([1, 2])
        figure.savefig(io.BytesIO())
        pyplot.close(figure)
