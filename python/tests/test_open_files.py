"""Files that code leaves open: saved at the end of the run, or the run fails."""

import gzip
import pathlib
import zipfile

from fake_host import Interpreter

# Linux has a file that is always full.
FULL = "f = open('/dev/full', 'w')\nf.write('lost')\n"


def test_an_open_file_that_does_not_fit_fails_the_run(py: Interpreter) -> None:
    answer = py.run("print('before')\n" + FULL + "'done'")
    assert answer.error["code"] == "disk_limit"
    assert answer.error["type"] == "OSError"
    assert answer.error["message"].startswith("/dev/full was left open and could not be saved to its end: [Errno 28]")
    assert answer.error["hint"].startswith("the workspace is full")
    assert "value" not in answer.done and answer.json_text == ""
    assert answer.stdout == "before\n"


def test_a_full_scratch_folder_is_not_called_the_workspace(py: Interpreter) -> None:
    py.host.scratch_full = True
    assert py.run(FULL).error["hint"].startswith("/tmp is full")
    assert py.run("with open('/dev/full', 'w') as f: f.write('x')").error["hint"].startswith("/tmp is full")


def test_every_file_that_does_not_fit_is_counted(py: Interpreter) -> None:
    code = FULL + "g = open('/dev/full', 'w')\ng.write('x')\n"
    assert "(and 1 more) was left open" in py.run(code).error["message"]


def test_the_error_of_the_code_comes_first_and_the_loss_is_a_note(py: Interpreter) -> None:
    answer = py.run(FULL + "1 / 0")
    assert answer.error["type"] == "ZeroDivisionError"
    assert "not saved: /dev/full was left open" in answer.notes


def test_a_loss_in_a_session_is_told_once(py: Interpreter) -> None:
    assert py.run(FULL, keep=True).error["code"] == "disk_limit"
    assert py.run("f.closed", keep=True).value is True


def test_a_file_object_of_the_code_that_cannot_be_closed_is_an_ordinary_error(py: Interpreter) -> None:
    code = "import io\nclass Odd(io.StringIO):\n    def flush(self):\n        raise ValueError('no')\nodd = Odd()"
    error = py.run(code).error
    assert (error["code"], error["type"]) == ("python_error", "ValueError")
    assert error["message"] == "a file was left open and could not be saved to its end: no"
    assert error["line"] == 4
    assert "with open" in error["hint"]


def test_a_file_that_no_name_leads_to_is_saved(py: Interpreter, workspace: pathlib.Path) -> None:
    code = (
        "class Log:\n    def __init__(self):\n        self.file = open('held.txt', 'w')\n        self.file.write('data')\n"
        "logs = {'a': [Log()]}\ndef lines():\n    with open('generated.txt', 'w') as f:\n        f.write('more')\n        yield 1\n"
        "g = lines()\nnext(g)"
    )
    assert py.run(code, keep=True).value == 1
    assert (workspace / "held.txt").read_text() == "data"
    assert (workspace / "generated.txt").read_text() == "more"
    assert py.run("logs['a'][0].file.write(' and more')", keep=True).value == 9
    assert (workspace / "held.txt").read_text() == "data and more"


def test_a_file_that_no_name_leads_to_and_that_does_not_fit_fails_the_run(py: Interpreter) -> None:
    code = "class Log:\n    def __init__(self):\n        self.file = open('/dev/full', 'w')\n        self.file.write('x')\nlogs = [Log()]"
    assert py.run(code).error["code"] == "disk_limit"


def test_a_file_that_is_lost_when_it_is_collected_fails_the_run(py: Interpreter) -> None:
    # What Python >= 3.13 tells; older ones lose the data in silence.
    told = "\"Exception ignored while finalizing file <_io.TextIOWrapper name='c.txt' mode='w' encoding='UTF-8'>\""
    code = (
        "import sys\nfrom types import SimpleNamespace as N\nerror = OSError(28, 'No space left on device')\n"
        "sys.unraisablehook(N(exc_type=OSError, exc_value=error, exc_traceback=None, err_msg=%s, object=None))" % told
    )
    answer = py.run(code)
    assert answer.error["code"] == "disk_limit"
    assert answer.error["message"] == "c.txt was left open and could not be saved to its end: [Errno 28] No space left on device"
    assert answer.stderr == ""


def test_other_errors_in_finalizers_are_printed_as_usual(py: Interpreter) -> None:
    answer = py.run("class A:\n    def __del__(self):\n        1 / 0\na = A()\ndel a\n'ok'")
    assert answer.value == "ok"
    assert "Exception ignored in" in answer.stderr and "ZeroDivisionError" in answer.stderr


def test_an_archive_in_an_open_file_is_whole(py: Interpreter, workspace: pathlib.Path) -> None:
    py.run(
        "import zipfile, gzip, io\nraw = open('a.zip', 'wb')\narchive = zipfile.ZipFile(raw, 'w')\narchive.writestr('x', 'y')\n"
        "below = open('b.gz', 'wb')\npacked = gzip.GzipFile(fileobj=below, mode='wb')\ntext = io.TextIOWrapper(packed)\ntext.write('z')"
    )
    with zipfile.ZipFile(workspace / "a.zip") as archive:
        assert archive.read("x") == b"y"
    assert gzip.decompress((workspace / "b.gz").read_bytes()) == b"z"


def test_a_descriptor_closed_by_hand_and_a_detached_file_are_no_failure(py: Interpreter) -> None:
    code = (
        "import os\nf = open('a.txt', 'w')\nf.write('x')\nf.flush()\nos.close(f.fileno())\n"
        "g = open('b.txt', 'w')\nh = g.detach()\n'ok'"
    )
    assert py.run(code).value == "ok"
