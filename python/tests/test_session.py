"""State between the runs of a session, and none between fresh runs."""

import os
import pathlib
import time

from fake_host import Interpreter


def test_a_session_keeps_variables_functions_and_imports(py: Interpreter) -> None:
    py.run("import math\nrows = [1, 2]\ndef f(x): return x + len(rows)", keep=True)
    assert py.run("f(40) + math.floor(0.5)", keep=True).value == 42


def test_an_error_keeps_the_state(py: Interpreter) -> None:
    py.run("a = 1\n1 / 0", keep=True)
    assert py.run("a + 41", keep=True).value == 42


def test_fresh_runs_share_nothing(py: Interpreter) -> None:
    py.run("secret = 1")
    assert py.run("secret").error["type"] == "NameError"


def test_a_broken_environment_is_mended_before_the_next_run(py: Interpreter) -> None:
    code = """
import sys, os, builtins, time, json, signal
sys.setrecursionlimit(150)
os.chdir('/')
builtins.len = builtins.print = builtins.isinstance = builtins.repr = None
time.sleep = json.dumps = None
sys.stdout = sys.stderr = None
signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.argv = None
"""
    py.run(code, keep=True)
    answer = py.run(
        "import sys, os\nprint(len('abc'))\n[sys.argv, os.getcwd() == str(workspace), sys.getrecursionlimit() > 500]", keep=True
    )
    assert answer.value == [["main.py"], True, True]
    assert answer.stdout == "3\n"


def test_patched_builtins_do_not_break_the_answer_of_the_same_run(py: Interpreter) -> None:
    assert py.run("import builtins\nbuiltins.len = builtins.type = builtins.isinstance = None\n[1, {'a': 2}]").value == [
        1,
        {"a": 2},
    ]


def test_a_removed_workspace_folder_is_made_again(py: Interpreter) -> None:
    py.run("import os\nos.rmdir(os.getcwd())", keep=True)
    assert py.run("import os\nos.listdir('.')", keep=True).value == []


def test_new_module_files_are_seen_and_changed_ones_imported_anew(py: Interpreter, workspace: pathlib.Path) -> None:
    assert py.run("import helper_a", keep=True).error["type"] == "ModuleNotFoundError"
    (workspace / "helper_a.py").write_text("x = 1")
    assert py.run("import helper_a\nhelper_a.x", keep=True).value == 1
    (workspace / "helper_a.py").write_text("x = 22")
    os.utime(workspace / "helper_a.py", (time.time() + 5, time.time() + 5))
    assert py.run("import helper_a\nhelper_a.x", keep=True).value == 22
    assert not (workspace / "__pycache__").exists()


def test_the_workspace_cannot_shadow_the_standard_library(py: Interpreter, workspace: pathlib.Path) -> None:
    (workspace / "colorsys.py").write_text("evil = True")
    assert py.run("import colorsys\nhasattr(colorsys, 'evil')").value is False


def test_packages_in_the_workspace_can_be_imported(py: Interpreter, workspace: pathlib.Path) -> None:
    (workspace / "mypkg_b").mkdir()
    (workspace / "mypkg_b" / "__init__.py").write_text("")
    (workspace / "mypkg_b" / "shapes.py").write_text("def area(n):\n    return n * n")
    assert py.run("from mypkg_b.shapes import area\narea(3)").value == 9


def test_an_open_file_is_closed_at_the_end_of_a_fresh_run(py: Interpreter, workspace: pathlib.Path) -> None:
    py.run("f = open('out.txt', 'w')\nf.write('kept')\nimport zipfile\nz = zipfile.ZipFile('a.zip', 'w')\nz.writestr('x', 'y')")
    assert (workspace / "out.txt").read_text() == "kept"
    assert (workspace / "a.zip").read_bytes().startswith(b"PK")


def test_an_open_file_is_flushed_and_stays_open_in_a_session(py: Interpreter, workspace: pathlib.Path) -> None:
    py.run("f = open('out.txt', 'w')\nf.write('one')", keep=True)
    assert (workspace / "out.txt").read_text() == "one"
    py.run("f.write('two')\nf.close()", keep=True)
    assert (workspace / "out.txt").read_text() == "onetwo"


def test_context_variables_are_bound_as_names_and_not_listed(py: Interpreter) -> None:
    answer = py.run("total = sum(numbers)", context={"numbers": [1, 2, 3]})
    assert answer.done["names"] == ["total"]
    assert answer.done["variables"][0]["preview"] == "6"
