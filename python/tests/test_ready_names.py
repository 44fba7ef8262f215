"""Names that are there without import."""

import pathlib

import pytest

from fake_host import Interpreter


def test_usual_modules_and_classes_are_there(py: Interpreter) -> None:
    code = (
        "[json.dumps({'a': math.sqrt(16)}), re.sub('a', 'b', 'a'), statistics.mean([1, 3]), collections.Counter('aa')['a'], "
        "str(date(2025, 1, 2) + timedelta(days=1)), datetime(2025, 1, 2).year]"
    )
    assert py.run(code).value == ['{"a": 4.0}', "b", 2, 2, "2025-01-03", 2025]


@pytest.mark.parametrize(
    "code",
    [
        "datetime.datetime(2025, 1, 2).year",
        "import datetime\ndatetime.datetime(2025, 1, 2).year",
        "from datetime import datetime\ndatetime(2025, 1, 2).year",
        "(datetime(2025, 1, 1) + timedelta(days=1)).year",
        "datetime.strptime('2025', '%Y').year",
        "datetime.timedelta(days=2025).days",
    ],
)
def test_datetime_means_what_the_code_means(py: Interpreter, code: str) -> None:
    assert py.run(code).value == 2025


def test_ready_names_are_not_listed_as_variables(py: Interpreter) -> None:
    assert py.run("x = 1").done["names"] == ["x"]


def test_a_ready_name_that_code_has_taken_stays_taken_in_a_session(py: Interpreter) -> None:
    py.run("workspace = 5\ndate = 'monday'", keep=True)
    assert py.run("[workspace, date]", keep=True).value == [5, "monday"]


def test_workspace_files_can_be_written_read_listed_and_deleted(py: Interpreter, workspace: pathlib.Path) -> None:
    code = (
        "write_file('sub/a.txt', 'one')\nwrite_file('sub/a.txt', ' two', append=True)\nwrite_file('b.bin', b'\\x00')\n"
        "first = list_files()\ntext = read_file('sub/a.txt')\ndelete_file('b.bin')\n"
        "[first, text, list_files('sub'), list_files(pattern='*.csv'), read_file('sub/a.txt', encoding='binary')]"
    )
    assert py.run(code).value == [["b.bin", "sub/a.txt"], "one two", ["sub/a.txt"], [], {"bytes": 7, "base64": "b25lIHR3bw=="}]
    assert (workspace / "sub" / "a.txt").read_text() == "one two"


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x"])
def test_the_file_helpers_stay_inside_the_workspace(py: Interpreter, path: str) -> None:
    error = py.run("write_file(%r, 'x')" % path).error
    assert error["type"] == "PermissionError"
    assert "outside the workspace" in error["message"]


def test_workspace_is_the_working_directory(py: Interpreter) -> None:
    assert py.run("import pathlib\n(workspace / 'a').write_text('x')\npathlib.Path('a').read_text()").value == "x"


ROWS = "rows = [{'g': 'a', 'n': 1, 's': {'k': 5}}, {'g': 'b', 'n': 3}, {'g': 'a', 'n': None}]\n"


def test_filter_by_field(py: Interpreter) -> None:
    code = (
        ROWS + "[len(filter_by_field(rows, 'g', 'a')), len(filter_by_field(rows, 'n', min=2)), "
        "len(filter_by_field(rows, 's.k', 5)), len(filter_by_field(rows, 'n')), "
        "len(filter_by_field(rows, 'g', one_of=['b'])), len(filter_by_field(rows, 'g', contains='b'))]"
    )
    assert py.run(code).value == [2, 1, 1, 2, 1, 1]
    assert "not mim" in py.run("filter_by_field([], 'a', mim=1)").error["message"]


def test_aggregate_stats(py: Interpreter) -> None:
    assert py.run(ROWS + "aggregate_stats(rows, 'n')").value == {
        "count": 2,
        "missing": 1,
        "sum": 4,
        "mean": 2,
        "median": 2,
        "min": 1,
        "max": 3,
    }
    assert py.run(ROWS + "{k: v['count'] for k, v in aggregate_stats(rows, 'n', by='g').items()}").value == {"a": 1, "b": 1}


def test_summarize_list(py: Interpreter) -> None:
    value = py.run(ROWS + "summarize_list(rows, limit=1)").value
    assert value["count"] == 3
    assert value["keys"]["n"] == {"int": 2, "NoneType": 1}
    assert len(value["first"]) == 1


def test_format_output(py: Interpreter) -> None:
    table = py.run("format_output([{'a': 1, 'bb': 'x'}, {'a': 22}])").value
    assert table == "a  | bb\n---+---\n1  | x\n22 |"
    assert py.run("format_output([{'a': 1}], 'csv')").value == "a\n1\n"
    assert py.run("format_output({'a': date(2025, 1, 2)}, 'json')").value == '{\n  "a": "2025-01-02"\n}'


def test_ready_functions_show_nothing_of_the_runtime(py: Interpreter) -> None:
    code = (
        "import pydoc\nfound = [v for k, v in list(globals().items()) if callable(v) and not k.startswith('_')]\n"
        "[(repr(f), pydoc.render_doc(f), f.__module__, f.__qualname__) for f in found]"
    )
    answer = py.run(code)
    assert len(answer.value) > 10
    assert "ce_runtime" not in answer.json_text and "<locals>" not in answer.json_text


def test_wrong_arguments_name_the_function_alone(py: Interpreter) -> None:
    assert py.run("read_file()").error["message"] == "read_file() missing 1 required positional argument: 'path'"
    assert py.run("progress()").error["message"] == "progress() missing 1 required positional argument: 'done'"
    assert py.run("repr(read_file)").value == "<bound method read_file of the workspace>"
