"""Tables as values, read of stand-ins; test/contract/native-packages.test.ts does it with the libraries themselves."""

import datetime
import json
import pathlib
from typing import Any, Dict, List, Optional

import pytest

from ce_runtime.new_files import NewFiles
from ce_runtime.notes import Notes
from ce_runtime.tables import Keeper, Typed, frame_records, present
from ce_runtime.tables.columns import cells, column_names, dtype_text
from fake_host import Interpreter
from fake_science import Column, DataFrame, DType, install


def _present(
    value: Any, folder: pathlib.Path, room: int = 8_000, seconds: float = 30.0, disk: int = 10**9
) -> "tuple[Typed, Notes]":
    install()
    files, notes = NewFiles(str(folder)), Notes()
    files.begin(disk)
    typed = present(value, room, Keeper(files, seconds, notes))
    assert typed is not None
    return typed, notes


def _json(typed: Typed) -> Any:
    return json.loads(typed.encoded.json)


def test_a_table_that_fits_has_names_types_and_all_rows(tmp_path: pathlib.Path) -> None:
    typed, notes = _present(DataFrame({"id": [1, 2], "name": ["a", None], "v": [1.5, float("nan")]}), tmp_path)
    assert (typed.type, typed.form, typed.label, typed.file, typed.encoded.truncated) == (
        "DataFrame",
        "table",
        "2 x 3",
        None,
        False,
    )
    assert _json(typed) == {
        "names": ["id", "name", "v"],
        "dtypes": ["int64", "object", "float64"],
        "labels": 0,
        "rows": [[1, "a", 1.5], [2, None, None]],
    }
    assert notes == []


def test_an_index_that_says_something_comes_first(tmp_path: pathlib.Path) -> None:
    typed, _notes = _present(DataFrame({"v": [1, 2]}, Column(["x", "y"], "k")), tmp_path)
    assert _json(typed) == {"names": ["k", "v"], "dtypes": ["object", "int64"], "labels": 1, "rows": [["x", 1], ["y", 2]]}


def test_a_table_that_does_not_fit_is_cut_described_and_kept(tmp_path: pathlib.Path) -> None:
    (tmp_path / "result-1.csv").write_text("mine")
    frame = DataFrame({"a": list(range(1_000)), "s": ["x,y", None] * 500})
    typed, notes = _present(frame, tmp_path, room=500)
    assert (typed.file, typed.encoded.truncated, notes) == ("result-2.csv", True, [])
    assert _json(typed) == {
        "names": ["a", "s"],
        "dtypes": ["int64", "object"],
        "labels": 0,
        "rows": [[0, "x,y"], [1, None], [2, "x,y"], [998, "x,y"], [999, None]],
        "cut": {
            "first": 3,
            "total": 1_000,
            "hidden": 0,
            "nulls": [0, 500],
            "min": [0, None],
            "max": [999, None],
            "distinct": [None, 1],
        },
    }
    assert (tmp_path / "result-2.csv").read_text().startswith('a,s\n0,"x,y"\n1,\n')


def test_the_names_in_the_records_of_the_answer_count(tmp_path: pathlib.Path) -> None:
    rows = {"a_rather_long_name_%d" % n: [1] * 10 for n in range(10)}
    assert _present(DataFrame(rows), tmp_path, room=3_000)[0].file is None
    assert _present(DataFrame(rows), tmp_path, room=2_000)[0].file == "result-1.csv"


def test_a_wide_table_sends_200_columns_and_says_how_many_there_are_more(tmp_path: pathlib.Path) -> None:
    typed, _notes = _present(DataFrame({"c%d" % n: [1, 2] for n in range(1_001)}), tmp_path, room=100_000)
    table = _json(typed)
    assert (len(table["names"]), table["cut"]["hidden"], typed.label) == (200, 801, "2 x 1001")


def test_long_texts_of_a_cut_table_are_clipped_far_beyond_what_is_shown(tmp_path: pathlib.Path) -> None:
    typed, _notes = _present(DataFrame({"t": ["x" * 50_000] * 10}), tmp_path)
    assert {len(row[0]) for row in _json(typed)["rows"]} == {2_000}


@pytest.mark.parametrize(
    "rows, seconds, disk, note",
    [
        (2_000, 0.01, 10**9, "the whole value (2000 cells) was not saved: save the part that you need with to_csv"),
        (2_000_001, 9_999.0, 10**9, "the whole value (2000001 cells) was not saved: save the part that you need with to_csv"),
        (
            2_000,
            30.0,
            9_000,
            "the whole value was not saved (8892 bytes are too much for what is left in the workspace): return less, or save what you need",
        ),
    ],
)
def test_what_takes_too_long_or_too_much_room_is_not_saved(
    tmp_path: pathlib.Path, rows: int, seconds: float, disk: int, note: str
) -> None:
    typed, notes = _present(DataFrame({"a": range(rows)}), tmp_path, room=500, seconds=seconds, disk=disk)  # type: ignore[dict-item]
    assert (typed.file, typed.encoded.truncated, notes) == (None, True, [note])
    assert list(tmp_path.iterdir()) == []


def test_names_are_text_each_once() -> None:
    assert column_names(["a", "a", 1, ("v", "mean"), ("k", ""), None, datetime.date(2024, 1, 2), "a.1"]) == [
        *("a", "a.1", "1", "v.mean", "k", "null", "2024-01-02", "a.1.1"),
    ]


@pytest.mark.parametrize(
    "times, expected",
    [
        (["2024-01-01", None, "2024-01-02"], ["2024-01-01", None, "2024-01-02"]),
        (["2024-01-01", "2024-01-02T10:30"], ["2024-01-01T00:00:00", "2024-01-02T10:30:00"]),
    ],
)
def test_times_at_midnight_only_are_dates(times: List[Optional[str]], expected: List[Optional[str]]) -> None:
    column = Column([time and datetime.datetime.fromisoformat(time) for time in times])
    column.dtype = DType("datetime64[ns]", "M")
    assert cells(column) == expected


@pytest.mark.parametrize(
    "name, shown",
    [
        ("datetime64[ns]", "datetime64"),
        ("datetime64[us, Europe/Paris]", "datetime64[Europe/Paris]"),
        ("timedelta64[ns]", "timedelta64"),
        ("interval[int64, right]", "interval[int64, right]"),
        ("x" * 100, "x" * 59 + "…"),
    ],
)
def test_types_are_told_without_their_resolution(name: str, shown: str) -> None:
    column = Column([])
    column.dtype = DType(name, "O")
    assert dtype_text(column) == shown


def test_a_table_inside_another_value_is_records_bounded() -> None:
    install()
    records, note = frame_records(DataFrame({"a": list(range(1_001))}, Column(["x"] * 1_001, "k")))
    assert (len(records), records[0]) == (1_000, {"k": "x", "a": 0})
    assert note.startswith("only the first 1000 of 1001 rows of a DataFrame inside the value are in the result")


_CODE = "import sys\nD = sys.modules['pandas'].DataFrame\n%s"


def _answer(py: Interpreter, expression: str, **more: Any) -> Dict[str, Any]:
    install()
    answer = py.run(_CODE % expression, **more)
    return {"done": answer.done, "value": answer.value}


def test_the_header_of_the_answer_has_form_label_and_file(py: Interpreter, workspace: pathlib.Path) -> None:
    shown = _answer(py, "D({'a': list(range(5_000))})", disk_bytes=10**6)
    assert shown["done"]["value"] == {
        "type": "DataFrame",
        "truncated": True,
        "form": "table",
        "label": "5000 x 1",
        "file": "result-1.csv",
    }
    assert (workspace / "result-1.csv").exists()


def test_what_the_answer_can_show_decides_and_printed_text_takes_a_quarter(py: Interpreter) -> None:
    expression = "D({'a': list(range(100))})"
    fits = [_answer(py, text, answer_chars=chars)["done"]["value"]["truncated"] for text, chars in [
        (expression, 1_100), (expression, 900), ("print(1)\n" + expression, 1_100), ("print(1)\n" + expression, 1_500),
    ]]  # fmt: skip
    assert fits == [False, True, True, False]


def test_a_class_that_does_not_behave_is_shown_as_what_it_is(py: Interpreter) -> None:
    shown = _answer(
        py, "class Bad(D):\n    shape = property(lambda self: 1 / 0)\n    __repr__ = lambda self: 'bad'\nBad({'a': [1]})"
    )
    assert shown["value"] == [{"a": 1}]
    assert "form" not in shown["done"]["value"]


def test_other_values_have_no_form(py: Interpreter) -> None:
    assert _answer(py, "[1, 2]")["done"]["value"] == {"type": "list", "truncated": False}
