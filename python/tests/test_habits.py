"""Code as it comes out of notebooks, chats and documents."""

import pytest

from fake_host import Interpreter

REPAIRED = [
    ("```python\n6 * 7\n```", 42, "fence"),
    ("Here is the code:\n```python\nx = 6\nx * 7\n```\nIt prints 42.", 42, "fence"),
    ("```\n6 * 7", 42, "fence"),
    ("6 * 7\n```", 42, "fence"),
    ("~~~py\n6 * 7\n~~~", 42, "fence"),
    ("%matplotlib inline\nx = 20\nx + 22", 42, "%matplotlib inline"),
    ("%%time\n42", 42, "%%time"),
    ("!pip install requests\n42", 42, "packages cannot be installed"),
    ("pip install requests\n42", 42, "packages cannot be installed"),
    ("!ls -la\n42", 42, "list_files()"),
    ("files = !ls\n42", 42, "!ls"),
    ("if True:\n    !ls\n42", 42, "!ls"),
    ("len?\n42", 42, "len?"),
    ("len(“hello”)", 5, "U+201C"),
    ("len(‘hello’)", 5, "U+2018"),
    ("len(“it’s”)", 4, "quotes"),
    ("x\u00a0= 42\nx", 42, "U+00A0"),
    ("x = 42\u200b\nx", 42, "U+200B"),
    ("max（41，42）", 42, "full-width"),
    ("44 – 2", 42, "U+2013"),
    ("x = 4\nx × 3 ≥ 12", True, "operators"),
    ("    x = 42\n    x", 42, "indentation"),
    (">>> x = 41\n>>> x + 1\n42", 42, "prompts"),
    (">>> def f():\n...     return 42\n...\n>>> f()", 42, "prompts"),
    ("In [1]: import os\nIn [2]: 42", 42, "prompts"),
    ("```python\n>>> 6 * 7\n42\n```", 42, "prompts"),
    ("```python\n!ls\nlen(“ab”)\n```", 2, "!ls"),
]


@pytest.mark.parametrize(("code", "expected", "note"), REPAIRED)
def test_the_habit_is_mended_with_a_note(py: Interpreter, code: str, expected: object, note: str) -> None:
    answer = py.run(code)
    assert answer.value == expected
    assert note in answer.notes


UNTOUCHED = [
    ('x = """\n```python\n%magic\n!ls\n```\n"""\nlen(x)', 26),
    ("'“curly”'", "“curly”"),
    ("10 %\\\n3", 1),
    ("x = 5\nx\\\n%3", 2),
    ("'a\\u00a0b'", "a\u00a0b"),
    ('""">>> 1"""', ">>> 1"),
]


@pytest.mark.parametrize(("code", "expected"), UNTOUCHED)
def test_valid_python_is_never_changed(py: Interpreter, code: str, expected: object) -> None:
    answer = py.run(code)
    assert answer.value == expected
    assert answer.notes == ""


def test_strings_keep_their_typographic_characters_while_the_code_is_mended(py: Interpreter) -> None:
    assert py.run("x = '“a” – b'\nlen(“x”)\nx").value == "“a” – b"


def test_triple_quoted_text_keeps_its_lines_while_magics_are_removed(py: Interpreter) -> None:
    assert py.run('%time\ntext = """\n!keep\n%keep\n"""\ntext').value == "\n!keep\n%keep\n"


def test_lines_keep_their_numbers_when_something_is_removed(py: Interpreter) -> None:
    error = py.run("```python\n!ls\nx = 1\n1 / 0\n```").error
    assert error["line"] == 4
    assert error["source"] == "1 / 0"


def test_a_byte_order_mark_and_windows_lines_are_taken_silently(py: Interpreter) -> None:
    answer = py.run("\ufeffx = 1\r\nif x:\r\n    x = 42\r\nx")
    assert answer.value == 42
    assert answer.notes == ""


def test_display_prints_with_a_note(py: Interpreter) -> None:
    answer = py.run("rows = [1, 2]\ndisplay(rows)")
    assert answer.stdout == "[1, 2]\n"
    assert "display()" in answer.notes


@pytest.mark.parametrize(("code", "message"), [("x = 'a\0b'", "NUL"), ("x = '\ud800'", "surrogate")])
def test_what_no_source_may_contain_is_a_clear_syntax_error(py: Interpreter, code: str, message: str) -> None:
    error = py.run(code).error
    assert error["code"] == "syntax_error"
    assert message in error["message"]
    assert error["line"] == 1


def test_mixed_tabs_and_spaces_stay_an_error(py: Interpreter) -> None:
    error = py.run("if True:\n\tx = 1\n        y = 2\nprint(x)").error
    assert (error["code"], error["type"], error["line"]) == ("syntax_error", "TabError", 3)


def test_code_nested_too_deeply_is_a_syntax_error(py: Interpreter) -> None:
    assert py.run("(" * 5000 + ")" * 5000).error["code"] == "syntax_error"


def test_a_sum_of_a_thousand_terms_is_not_nested_too_deeply(py: Interpreter) -> None:
    assert py.run("+".join(["1"] * 900)).value == 900
    assert py.run("result = " + "+".join(["1"] * 900)).value == 900


def test_code_that_no_repair_helps_gets_the_error_of_its_own_text(py: Interpreter) -> None:
    error = py.run("%time\nx = = 1").error
    assert error["code"] == "syntax_error"
    assert "hint" in error
