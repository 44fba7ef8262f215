"""matplotlib figures that code has drawn and not saved: they become pictures, as a notebook would show them."""

import io
import sys
from typing import Any

from ..encode.types import bases, class_dict
from .gallery import MOST_PICTURES, SHOWN_BYTES, Gallery

#: A larger figure is drawn with fewer dots an inch: models look at no more.
_MOST_SIDE = 2_000
#: A figure with too many bytes to be shown is drawn again with fewer dots, but never with fewer than these.
_LEAST_DOTS = 40.0
_MODULES = ("matplotlib", "mpl_toolkits")


def save_figures(gallery: Gallery) -> None:
    """Saves and closes every open figure, but for those that code has saved itself and not changed since."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or not hasattr(pyplot, "get_fignums"):
        return
    left = 0
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        if _is_drawn(figure):
            pass
        elif gallery.is_full:
            left += 1
        else:
            save_figure(figure, gallery)
        pyplot.close(figure)
    if left > 0:
        gallery.notes.add("%d more open figures were not saved: %d are the most of one run" % (left, MOST_PICTURES))


def _is_drawn(figure: Any) -> bool:
    """savefig() draws everything, and then puts the colour of the background back, which makes the figure itself stale."""
    return not figure.stale or (len(figure.axes) > 0 and not any(axes.stale for axes in figure.axes))


def save_figure(figure: Any, gallery: Gallery) -> None:
    """As `figure-1.png`, with so few dots an inch that it can be shown."""
    try:
        gallery.figures[id(figure)] = gallery.add("figure", "png", _png_of(figure))
    except Exception as error:
        gallery.notes.add("an open figure could not be saved: %s" % error)


def _png_of(figure: Any) -> bytes:
    longest = max(*figure.get_size_inches(), 1e-3)
    dots = min(float(figure.dpi), _MOST_SIDE / longest)
    while True:
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=dots)
        if len(buffer.getbuffer()) <= SHOWN_BYTES or dots <= _LEAST_DOTS:
            return buffer.getvalue()
        dots = max(_LEAST_DOTS, dots * 0.7)


def is_drawing(value: Any, depth: int = 3) -> bool:
    """True for what drawing functions give back (lines, axes, bars, None), also in lists, tuples, arrays and dicts."""
    if value is None:
        return True
    kind = type(value)
    if kind in (list, tuple, dict):
        items = list(value.values()) if kind is dict else value
        return depth > 0 and 0 < len(value) <= 200 and all(is_drawing(item, depth - 1) for item in items)
    if kind.__name__ == "ndarray" and getattr(getattr(value, "dtype", None), "kind", "") == "O":
        return depth > 0 and is_drawing(value.tolist(), depth)
    return any(_module_of(base).partition(".")[0] in _MODULES for base in bases(value))


def _module_of(cls: type) -> str:
    module = class_dict(cls).get("__module__")
    return module if type(module) is str else ""
