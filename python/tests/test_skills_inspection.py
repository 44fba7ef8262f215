"""What is read from the source text of a skill without running it, and the test of its examples."""

from typing import Any, Dict

import pytest

from ce_runtime.skills.inspection import inspect_skill
from fake_host import Interpreter
from fake_skills import FakeSkills

WHOLE = '''
"""Rows above a limit."""
import json
import tools as t
from tools import github as gh, call
from tools.jira import search as find
import skills
import skills.clean_rows as clean
from skills import to_csv, load_skill
from skills.net_pay import main as pay


def helper(rows):
    return rows


async def filter_high_risk(rows: list, limit: float = 0.8, *, keep: "dict | None" = None) -> list[dict]:
    """The rows whose risk is above the limit.

    >>> filter_high_risk([{"risk": 0.9}])
    [{'risk': 0.9}]
    >>> filter_high_risk([])
    []
    """
    t.crm.list_customers(page=1)
    gh.list_issues.later(repo="a/b")
    call("slack.post_message", {"text": "x"})
    t["office"]["send-mail"](to=1)
    t.lonely(1)
    server = t.hr
    server.people()
    find("x")
    t.search("no tool"); t.gather(); t.ToolError
    skills.summarise(rows); skills.search("none"); skills["two-words"]()
    exec(load_skill("base-lib"))
    return [r for r in rows if r["risk"] > limit]


def _private():
    """
    >>> 1
    1
    """
'''


def test_the_whole_shape_is_read() -> None:
    assert inspect_skill(WHOLE, "filter_high_risk") == {
        "entry": "filter_high_risk",
        "signature": "filter_high_risk(rows: list, limit: float=0.8, *, keep: 'dict | None'=None) -> list[dict]",
        "functions": ["helper", "filter_high_risk"],
        "docstring": "The rows whose risk is above the limit.\n\n>>> filter_high_risk([{\"risk\": 0.9}])\n[{'risk': 0.9}]\n>>> filter_high_risk([])\n[]",
        "requiresTools": [
            "crm.list_customers",
            "github.list_issues",
            "hr.people",
            "jira.search",
            "lonely",
            "office.send-mail",
            "slack.post_message",
        ],
        "requiresSkills": ["base_lib", "clean_rows", "net_pay", "summarise", "to_csv", "two_words"],
        "examples": 3,
        "missingImports": [],
    }


@pytest.mark.parametrize(
    ("code", "entry"),
    [
        ("def a(): pass\ndef x(): pass\ndef main(): pass", "x"),
        ("def a(): pass\ndef main(): pass", "main"),
        ("def _a(): pass\ndef b(): pass\ndef c(): pass", "b"),
        ("try:\n    import zlib\nexcept ImportError:\n    def b(): pass\nelse:\n    def c(): pass", "c"),
    ],
)
def test_the_entry_is_named_like_the_skill_else_main_else_the_first(code: str, entry: str) -> None:
    assert inspect_skill(code, "x")["entry"] == entry


def test_names_that_only_the_sandbox_has_ready_are_told_as_imports() -> None:
    code = "import re\n\ndef f(text):\n    date = 1\n    return json.loads(text), re.sub, datetime.now(), math, date"
    assert inspect_skill(code, "f")["missingImports"] == ["import json", "import math", "from datetime import datetime"]


def test_names_that_the_code_gives_another_meaning_are_no_tools() -> None:
    assert inspect_skill("def f(tools):\n    return tools.a.b()", "f")["requiresTools"] == []


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("x = 1", {"problem": "no_function", "message": "it defines no public function at its top level"}),
        ("class A:\n    def f(self): pass", {"problem": "no_function", "message": "it defines no public function at its top level"}),
        ("def f():\n  return 1\n x = 2", {"problem": "syntax", "message": "unindent does not match any outer indentation level", "line": 3, "text": "x = 2"}),
        ("def f(): pass\nreturn 1", {"problem": "syntax", "message": "'return' outside function", "line": 2, "text": "return 1"}),
        ("def f(): pass\nx = await g()", {"problem": "syntax", "message": "'await' outside function", "line": 2, "text": "x = await g()"}),
    ],
)  # fmt: skip
def test_what_is_no_skill_is_told_with_its_place(code: str, problem: Dict[str, Any]) -> None:
    assert inspect_skill(code, "f") == problem


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "(" * 5_000 + ")" * 5_000,
        "x = " + "-" * 200_000 + "1",
        "x = " + "[" * 150 + "]" * 150 + "+1" * 50_000,
        "x = " + "9" * 200_000,
        "x = a" + ".b" * 100_000,
        "\n".join(" " * n + "if x:" for n in range(150)),
        "def f(): pass\nx = 'a\x00b'",
    ],
)
def test_hostile_text_is_a_problem_and_no_exception(code: str) -> None:
    told = inspect_skill(code, "f")
    assert told["problem"] in ("syntax", "no_function")
    assert isinstance(told["message"], str) and told["message"]


def test_constants_that_would_be_huge_are_not_computed() -> None:
    assert inspect_skill("def f():\n    return 9 ** 9 ** 9, 'a' * 10 ** 12, 1 << 10 ** 9", "f")["entry"] == "f"


def test_nothing_of_the_text_is_run() -> None:
    assert inspect_skill("import sys\nsys.ran = 1\n\ndef f(x=sys.exit(1)): pass", "f")["entry"] == "f"
    import sys

    assert not hasattr(sys, "ran")


GOOD = 'def double(x):\n    """Doubles.\n\n    >>> double(2)\n    4\n    >>> double("a")\n    \'aa\'\n    """\n    return 2 * x\n'


def run_examples(py: Interpreter, code: str, builtins: str = "restricted") -> Any:
    return py.run("skills.__examples__(code, name)", context={"code": code, "name": "double"}, skills=True, builtins=builtins)


@pytest.mark.parametrize("builtins", ["restricted", "strict"])
def test_examples_that_hold_are_counted(py: Interpreter, shelf: FakeSkills, builtins: str) -> None:
    assert run_examples(py, GOOD, builtins).value == {"passed": 2, "failed": 0}


def test_the_first_example_that_fails_is_told_with_its_line(py: Interpreter, shelf: FakeSkills) -> None:
    code = GOOD.replace("return 2 * x", "return 3 * x")
    message = "line 4: >>> double(2)\nexpected: 4\ngot: 6"
    assert run_examples(py, code).value == {"passed": 0, "failed": 2, "message": message}


def test_an_example_that_raises_is_told(py: Interpreter, shelf: FakeSkills) -> None:
    code = GOOD.replace("return 2 * x", "return x / 0")
    message = "line 4: >>> double(2)\nraised ZeroDivisionError: division by zero"
    assert run_examples(py, code).value == {"passed": 0, "failed": 2, "message": message}


def test_the_tested_text_takes_the_place_of_the_saved_skill(py: Interpreter, shelf: FakeSkills) -> None:
    shelf.versions["double"] = ["def double(x):\n    return 'old'\n"]
    code = GOOD.replace(">>> double(2)", ">>> from skills import double, helpers\n    >>> helpers.double(double(1))")
    assert run_examples(py, code).value == {"passed": 3, "failed": 0}


def test_text_whose_import_fails_fails_as_it_does(py: Interpreter, shelf: FakeSkills) -> None:
    assert run_examples(py, "x = 1 / 0\n" + GOOD).error["type"] == "ZeroDivisionError"


def test_an_expected_exception_and_directives_of_doctest_count(py: Interpreter, shelf: FakeSkills) -> None:
    code = GOOD.replace(
        ">>> double(\"a\")\n    'aa'",
        ">>> double(None)\n    Traceback (most recent call last):\n    TypeError: ...\n    >>> double(\"ab\")  # doctest: +ELLIPSIS\n    'ab...'",
    )
    outcome = run_examples(py, code).value
    assert (outcome["passed"], outcome["failed"]) == (2, 1)
