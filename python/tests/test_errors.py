"""What the model reads about an error."""

import errno
import pathlib
import sys

import pytest

from fake_host import Interpreter


def test_an_error_tells_type_message_line_source_and_the_users_frames(py: Interpreter) -> None:
    error = py.run("def a(x):\n    return b(x)\ndef b(x):\n    return 10 / x\nvalues = [5, 0]\n[a(v) for v in values]").error
    assert error["code"] == "python_error"
    assert error["type"] == "ZeroDivisionError"
    assert error["message"] == "division by zero"
    assert error["line"] == 4
    assert error["source"] == "return 10 / x"
    traceback = error["traceback"]
    assert traceback.startswith('Traceback (most recent call last):\n  File "main.py", line 6, in <module>\n')
    assert 'File "main.py", line 2, in a\n    return b(x)\n' in traceback
    assert "ce_runtime" not in traceback and "site-packages" not in traceback


def test_library_frames_are_folded_into_the_innermost_one(py: Interpreter) -> None:
    traceback = py.run("import json\njson.loads('{')").error["traceback"]
    assert 'File "json/decoder.py", line' in traceback
    assert traceback.count("File ") == 2
    assert sys.prefix not in traceback


def test_chained_exceptions_are_both_shown(py: Interpreter) -> None:
    traceback = py.run("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('bad') from e").error["traceback"]
    assert "ZeroDivisionError: division by zero" in traceback
    assert "direct cause" in traceback
    assert traceback.endswith("ValueError: bad")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exception groups came with Python 3.11")
def test_exception_groups_show_their_members(py: Interpreter) -> None:
    error = py.run("raise ExceptionGroup('two', [ValueError(1), KeyError('k')])").error
    assert "ValueError: 1" in error["traceback"]
    assert "KeyError: 'k'" in error["traceback"]


def test_a_syntax_error_has_line_and_caret(py: Interpreter) -> None:
    error = py.run("x = 1\ny = (2,,3)\n").error
    assert (error["code"], error["type"], error["line"], error["source"]) == ("syntax_error", "SyntaxError", 2, "y = (2,,3)")
    assert "^" in error["traceback"]
    assert "Traceback" not in error["traceback"]


def test_a_syntax_error_that_eval_raises_is_an_ordinary_error(py: Interpreter) -> None:
    error = py.run("x = 1\neval('1 +')").error
    assert error["code"] == "python_error"
    assert error["line"] == 2


def test_a_broken_module_of_the_workspace_is_named(py: Interpreter, workspace: pathlib.Path) -> None:
    (workspace / "broken_c.py").write_text("def f(:\n")
    error = py.run("import broken_c").error
    assert error["code"] == "python_error"
    assert "broken_c.py" in error["traceback"]
    assert str(workspace) not in error["traceback"]


def test_an_error_in_a_workspace_module_points_at_the_line_of_the_code(py: Interpreter, workspace: pathlib.Path) -> None:
    (workspace / "helper_d.py").write_text("def f():\n    return {}['x']\n")
    error = py.run("import helper_d\n\nhelper_d.f()").error
    assert error["line"] == 3
    assert 'File "helper_d.py", line 2, in f' in error["traceback"]


def test_an_error_in_a_function_of_an_earlier_run_shows_that_source(py: Interpreter) -> None:
    py.run("def f(x):\n    return 1 / x", keep=True)
    error = py.run("f(0)", keep=True).error
    assert "return 1 / x" in error["traceback"]


def test_recursion_is_an_ordinary_error_with_collapsed_frames(py: Interpreter) -> None:
    error = py.run("def f(n):\n    return f(n + 1)\nf(0)").error
    assert error["type"] == "RecursionError"
    assert "more times" in error["traceback"]
    assert len(error["traceback"]) < 2000
    assert "base case" in error["hint"]


def test_an_exception_whose_str_raises_is_still_reported(py: Interpreter) -> None:
    error = py.run("class E(Exception):\n    def __str__(self): raise ValueError\nraise E").error
    assert error["type"] == "E"
    assert "__str__ raised ValueError" in error["message"]


def test_an_exception_whose_str_never_returns_ends_in_a_timeout(py: Interpreter) -> None:
    code = "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E"
    assert py.run(code, seconds=0.4).error["code"] == "timeout"


def test_a_huge_message_is_cut(py: Interpreter) -> None:
    error = py.run("raise ValueError('x' * 1_000_000)").error
    assert len(error["message"]) <= 8_000
    assert len(error["traceback"]) <= 20_000
    assert "(shortened)" in error["message"]


def test_a_memory_error_has_its_own_code(py: Interpreter) -> None:
    error = py.run("x = bytearray(2 ** 62)").error
    assert error["code"] == "memory_limit"
    assert error["hint"].startswith("work in parts")


def test_a_full_disk_has_its_own_code(py: Interpreter) -> None:
    error = py.run("raise OSError(%d, 'No space left on device')" % errno.ENOSPC).error
    assert error["code"] == "disk_limit"
    assert "delete files" in error["hint"]


def test_lone_surrogates_in_a_message_arrive_as_text(py: Interpreter) -> None:
    assert py.run("raise ValueError('\\udc80')").error["message"] == "\\udc80"


def test_base_exceptions_of_the_code_are_ordinary_errors(py: Interpreter) -> None:
    for name in ("KeyboardInterrupt", "GeneratorExit", "BaseException"):
        assert py.run("raise %s" % name).error["type"] == name


def test_every_field_keeps_to_the_caps_of_the_wire(py: Interpreter) -> None:
    code = "%s = 1\nclass %s(Exception): pass\nclass %s: pass\nresult = %s()\n" % ("v" * 3000, "E" * 3000, "T" * 3000, "T" * 3000)
    done = py.run(code).done
    assert len(done["value"]["type"]) <= 200
    assert all(len(name) <= 200 for name in done["names"])
    done = py.run(code + "raise %s('🎉' * 100_000)" % ("E" * 3000)).done
    assert len(done["error"]["type"]) <= 200
    assert len(done["error"]["message"].encode("utf-16-le")) // 2 <= 8_000
    many = py.run("for i in range(1000): globals()['name%d' % i] = 'x' * 1000").done
    assert len(many["names"]) == 500
    assert len(many["variables"]) == 50
    assert all(len(variable["preview"]) <= 80 for variable in many["variables"])
