"""Figures and images become files that the host may show; neither matplotlib nor Pillow is needed for that."""

import pathlib
from typing import Dict, List

import pytest

from ce_runtime.new_files import NewFiles
from ce_runtime.notes import Notes
from ce_runtime.pictures import Gallery, image_type, is_drawing, save_figures
from fake_host import Interpreter
from fake_science import Figure, Line2D, install

PNG = b"\x89PNG\r\n\x1a\n1234"


def _saved(figures: Dict[int, Figure], folder: pathlib.Path) -> "tuple[Gallery, List[Figure]]":
    closed = install(figures)
    files = NewFiles(str(folder))
    files.begin(10_000_000)
    gallery = Gallery(files, Notes())
    save_figures(gallery)
    return gallery, closed


def test_an_open_figure_is_saved_under_a_free_name_and_closed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "figure-1.png").write_bytes(b"mine")
    figures = {1: Figure(), 2: Figure(stale=False)}
    gallery, closed = _saved(figures, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure-1.png", "figure-2.png"]
    assert (tmp_path / "figure-1.png").read_bytes() == b"mine"
    assert (gallery.names, gallery.notes) == (["figure-2.png"], [])
    assert closed == list(figures.values())


def test_a_figure_whose_axes_are_drawn_was_saved_by_code(tmp_path: pathlib.Path) -> None:
    saved, changed = Figure(), Figure()
    saved.axes = [Figure(stale=False)]
    changed.axes = [Figure(stale=False), Figure(stale=True)]
    gallery, _closed = _saved({1: saved, 2: changed}, tmp_path)
    assert gallery.names == ["figure-1.png"]
    assert (saved.drawn, changed.drawn) == ([], [100.0])


def test_a_huge_figure_is_drawn_with_fewer_dots_an_inch(tmp_path: pathlib.Path) -> None:
    figure = Figure(inches=100.0)
    _saved({1: figure}, tmp_path)
    assert figure.drawn == [20.0]


def test_a_figure_of_too_many_bytes_is_drawn_again_with_fewer_dots_but_never_with_fewer_than_40(tmp_path: pathlib.Path) -> None:
    figure, huge = Figure(size=1_200_000), Figure(size=3_000_000)
    gallery, _closed = _saved({1: figure, 2: huge}, tmp_path)
    assert [round(dots) for dots in figure.drawn] == [100, 70, 49]
    assert [round(dots) for dots in huge.drawn] == [100, 70, 49, 40]
    assert gallery.names == ["figure-1.png", "figure-2.png"]


def test_a_figure_that_cannot_be_drawn_is_a_note(tmp_path: pathlib.Path) -> None:
    gallery, closed = _saved({1: Figure(fails=True)}, tmp_path)
    assert gallery.notes == ["an open figure could not be saved: no such glyph"]
    assert (gallery.names, len(closed)) == ([], 1)


def test_twenty_figures_are_saved_and_the_rest_is_told(tmp_path: pathlib.Path) -> None:
    gallery, _closed = _saved({number: Figure() for number in range(23)}, tmp_path)
    assert len(list(tmp_path.iterdir())) == 20
    assert gallery.notes == ["3 more open figures were not saved: 20 are the most of one run"]


@pytest.mark.parametrize(
    "value, expected",
    [
        (Line2D(), True),
        ([Line2D(), (Line2D(), None)], True),
        ({"boxes": [Line2D()]}, True),
        (None, True),
        ([], False),
        ([Line2D(), 1], False),
        ("figure", False),
        ([[[[Line2D()]]]], False),
    ],
)
def test_what_drawing_functions_give_back_is_told_apart(value: object, expected: bool) -> None:
    assert is_drawing(value) is expected


@pytest.mark.parametrize(
    "data, mime",
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a..", "image/gif"),
        (b"RIFF....WEBPVP8 ", "image/webp"),
    ],
)
def test_images_are_known_by_their_first_bytes(data: bytes, mime: str) -> None:
    kind = image_type(data)
    assert kind is not None and kind.mime == mime


@pytest.mark.parametrize("data", [b"", b"\x89PNG", b"RIFF....WAVEfmt ", b"plain"])
def test_other_bytes_are_no_image(data: bytes) -> None:
    assert image_type(data) is None


def test_bytes_of_images_become_files_wherever_they_are(py: Interpreter, workspace: pathlib.Path) -> None:
    code = "import io\npng = %r\n[png, {'buffer': io.BytesIO(png), 'view': memoryview(png)}, b'text']" % PNG
    answer = py.run(code)
    entry = {"type": "image/png", "bytes": 12}
    assert answer.value == [
        {"image": "image-1.png", **entry},
        {"buffer": {"image": "image-2.png", **entry}, "view": {"image": "image-3.png", **entry}},
        {"bytes": 4, "base64": "dGV4dA=="},
    ]
    assert answer.done["images"] == ["image-1.png", "image-2.png", "image-3.png"]
    assert (workspace / "image-2.png").read_bytes() == PNG
    assert "images" not in py.run("1").done


def test_images_beyond_the_first_twenty_are_only_described(py: Interpreter) -> None:
    answer = py.run("[%r] * 22" % PNG)
    assert answer.value[19]["image"] == "image-20.png"
    assert answer.value[20] == {"image": None, "type": "image/png", "bytes": 12}
    assert answer.notes == "images beyond the first 20 were not kept"


def test_an_image_that_takes_more_than_half_of_the_room_is_not_kept(py: Interpreter, workspace: pathlib.Path) -> None:
    answer = py.run("%r + bytes(1_000)" % PNG, disk_bytes=2_000)
    assert answer.value == {"image": None, "type": "image/png", "bytes": 1_012}
    assert answer.notes.startswith("an image was not kept (1012 bytes are too much for what is left in the workspace)")
    assert list(workspace.iterdir()) == []


def test_a_pillow_image_is_kept_as_png_in_a_mode_that_png_has(py: Interpreter, workspace: pathlib.Path) -> None:
    install()
    answer = py.run("import sys\nsys.modules['PIL.Image'].Image()")
    assert answer.value == {"image": "image-1.png", "width": 3, "height": 2, "mode": "CMYK"}
    assert (workspace / "image-1.png").read_bytes() == b"PNG in RGB"


def test_a_figure_as_value_is_saved_once(py: Interpreter) -> None:
    figure = Figure(stale=False)
    install({1: figure})
    answer = py.run("import sys\nf = sys.modules['matplotlib.pyplot'].figure(1)\n[f, f]")
    assert answer.value == [{"image": "figure-1.png"}, {"image": "figure-1.png"}]
    assert answer.done["images"] == ["figure-1.png"]


def test_lines_beside_a_figure_are_no_value(py: Interpreter) -> None:
    install({1: Figure()})
    code = "import sys\nclass L: pass\nL.__module__ = 'matplotlib.lines'\n[L()]"
    answer = py.run(code)
    assert "value" not in answer.done
    assert answer.done["images"] == ["figure-1.png"]
