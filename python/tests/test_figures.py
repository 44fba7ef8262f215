"""Open figures become files; matplotlib itself is not needed for that."""

import pathlib
import sys
import types
from typing import Any, Dict, List

from ce_runtime.figures import save_figures
from ce_runtime.notes import Notes


class _Figure:
    dpi = 100

    def __init__(self, stale: bool = True, inches: float = 4.0, fails: bool = False) -> None:
        self.stale, self.inches, self.fails = stale, inches, fails
        self.dots = 0.0

    def get_size_inches(self) -> Any:
        return self.inches, self.inches

    def savefig(self, path: str, format: str, dpi: float) -> None:
        if self.fails:
            raise ValueError("no such glyph")
        self.dots = dpi
        pathlib.Path(path).write_bytes(format.encode())


def _with_pyplot(figures: Dict[int, _Figure], folder: pathlib.Path) -> "tuple[Notes, List[_Figure]]":
    closed: List[_Figure] = []
    module: Any = types.ModuleType("matplotlib.pyplot")
    module.get_fignums = lambda: list(figures)
    module.figure = figures.__getitem__
    module.close = closed.append
    sys.modules["matplotlib.pyplot"] = module
    notes = Notes()
    save_figures(str(folder), notes)
    return notes, closed


def test_an_open_figure_is_saved_under_a_free_name_closed_and_told(tmp_path: pathlib.Path) -> None:
    (tmp_path / "figure-1.png").write_bytes(b"mine")
    figures = {1: _Figure(), 2: _Figure(stale=False)}
    notes, closed = _with_pyplot(figures, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure-1.png", "figure-2.png"]
    assert (tmp_path / "figure-1.png").read_bytes() == b"mine"
    assert notes == ["the open figure was saved as figure-2.png"]
    assert closed == list(figures.values())


def test_a_huge_figure_is_saved_with_fewer_dots_an_inch(tmp_path: pathlib.Path) -> None:
    figure = _Figure(inches=100.0)
    _with_pyplot({1: figure}, tmp_path)
    assert figure.dots == 20.0


def test_a_figure_that_cannot_be_saved_is_a_note(tmp_path: pathlib.Path) -> None:
    notes, closed = _with_pyplot({1: _Figure(fails=True)}, tmp_path)
    assert notes == ["an open figure could not be saved: no such glyph"]
    assert len(closed) == 1


def test_twenty_figures_are_saved_and_the_rest_is_told(tmp_path: pathlib.Path) -> None:
    notes, _closed = _with_pyplot({number: _Figure() for number in range(23)}, tmp_path)
    assert len(list(tmp_path.iterdir())) == 20
    assert notes[-1] == "3 more open figures were not saved"
