"""matplotlib figures that code has drawn and not saved: they become files of the workspace, as a notebook would show them."""

import os
import sys
from typing import Any

from .notes import Notes

_MOST = 20
#: A larger figure is drawn with fewer dots an inch.
_MOST_PIXELS = 4_000_000


def save_figures(folder: str, notes: Notes) -> None:
    """Saves and closes every open figure that has changed since it was last drawn; savefig() by code counts as drawn."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or not hasattr(pyplot, "get_fignums"):
        return
    numbers = pyplot.get_fignums()
    for number in numbers[:_MOST]:
        figure = pyplot.figure(number)
        if figure.stale:
            _save(figure, folder, notes)
        pyplot.close(figure)
    if len(numbers) > _MOST:
        notes.add("%d more open figures were not saved" % (len(numbers) - _MOST))


def _save(figure: Any, folder: str, notes: Notes) -> None:
    name = _free_name(folder)
    width, height = figure.get_size_inches()
    dots = min(float(figure.dpi), (_MOST_PIXELS / max(width * height, 1e-6)) ** 0.5)
    try:
        figure.savefig(os.path.join(folder, name), format="png", dpi=dots)
    except Exception as error:
        notes.add("an open figure could not be saved: %s" % error)
    else:
        notes.add("the open figure was saved as %s" % name)


def _free_name(folder: str) -> str:
    number = 1
    while os.path.lexists(os.path.join(folder, "figure-%d.png" % number)):
        number += 1
    return "figure-%d.png" % number
