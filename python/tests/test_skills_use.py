"""The module ``skills``: how code gets at saved skills."""

import pathlib

import pytest

from fake_host import Interpreter
from fake_skills import FakeSkills
from fake_tools import FakeTools

USES = {
    "from skills import, called": "from skills import monthly_report\nmonthly_report([1, 2])",
    "from skills import, its function": "from skills import monthly_report\nmonthly_report.monthly_report([1, 2])",
    "from skills import, its main": "from skills import monthly_report\nmonthly_report.main()",
    "from skills import as": "from skills import monthly_report as r\nr([1, 2])",
    "from the skill import the function": "from skills.monthly_report import monthly_report\nmonthly_report([1, 2])",
    "from the skill import main": "from skills.monthly_report import main\nmain()",
    "import as": "import skills.monthly_report as m\nm.main()",
    "import skills": "import skills\nskills.monthly_report([1, 2])",
    "import skills.x": "import skills.monthly_report\nskills.monthly_report([1, 2])",
    "the ready name": "skills.monthly_report([1, 2])",
    "item access, hyphens": "skills['monthly-report']([1, 2])",
    "exec of the text": "exec(load_skill('monthly_report'))\nmonthly_report([1, 2])",
    "exec of the text, hyphens": "exec(load_skill('monthly-report'))\nmain()",
    "getattr": "getattr(skills, 'monthly_report')([1, 2])",
    "importlib": "import importlib\nimportlib.import_module('skills.monthly_report')([1, 2])",
    "inside a function": "def f():\n    from skills import monthly_report\n    return monthly_report([1, 2])\nf()",
    "await": "await skills.monthly_report([1, 2])",
    "map": "list(map(skills.monthly_report, [[1, 2]]))[0]",
    "partial": "import functools\nfunctools.partial(skills.monthly_report, [1, 2])()",
}
NOT_STRICT = ("importlib", "exec of the text", "exec of the text, hyphens")


@pytest.mark.parametrize(
    ("use", "builtins"), [(use, "restricted") for use in USES] + [(use, "strict") for use in USES if use not in NOT_STRICT]
)
def test_a_skill_is_used_by(py: Interpreter, shelf: FakeSkills, use: str, builtins: str) -> None:
    assert py.run(USES[use], skills=True, builtins=builtins).value == 3
    assert len(shelf.sources_asked) == 1


def test_a_run_that_uses_none_asks_nothing_and_shows_no_new_names(py: Interpreter, shelf: FakeSkills) -> None:
    answer = py.run("x = 1", skills=True)
    assert answer.done["names"] == ["x"] and py.host.tools.asked == []


def test_without_skills_the_names_do_not_exist(py: Interpreter, shelf: FakeSkills) -> None:
    py.run("skills", skills=True)
    assert py.run("import skills").error["type"] == "ModuleNotFoundError"
    assert py.run("load_skill('monthly_report')").error["type"] == "NameError"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("from skills import monthly_reprot", "ModuleNotFoundError"),
        ("import skills.monthly_reprot", "ModuleNotFoundError"),
        ("from skills.monthly_reprot import main", "ModuleNotFoundError"),
        ("skills.monthly_reprot()", "AttributeError"),
        ("skills['monthly_reprot']", "SkillNotFound"),
        ("load_skill('monthly_reprot')", "SkillNotFound"),
    ],
)
def test_a_skill_that_does_not_exist_is_told_with_the_nearest(py: Interpreter, shelf: FakeSkills, code: str, kind: str) -> None:
    error = py.run(code, skills=True).error
    assert error["type"] == kind
    assert "monthly_reprot" in error["message"]
    assert "did you mean monthly_report?" in error["message"] + error.get("hint", "")


def test_a_version_that_does_not_exist_says_which_there_are(py: Interpreter, shelf: FakeSkills) -> None:
    error = py.run("load_skill('monthly_report', version=7)", skills=True).error
    assert (error["message"], error["hint"]) == ("monthly_report has no version 7", "it has 1 to 2")


def test_a_former_version_is_loaded_by_number(py: Interpreter, shelf: FakeSkills) -> None:
    code = "exec(load_skill('monthly_report', version=1))\nmonthly_report([1])"
    assert py.run(code, skills=True).value == 0


def test_hasattr_in_dir_len_and_loops_tell_the_truth_and_ask_for_names_once(py: Interpreter, shelf: FakeSkills) -> None:
    code = (
        "[hasattr(skills, 'helpers'), hasattr(skills, 'nope'), 'helpers' in skills, 'monthly-report' in skills, 'nope' in skills, "
        "list(skills), len(skills), 'helpers' in dir(skills), 'search' in dir(skills), repr(skills)]"
    )
    names = ["helpers", "monthly_report"]
    expected = [True, False, True, True, False, names, 2, True, True, "<skills: helpers, monthly_report>"]
    assert py.run(code, skills=True).value == expected
    assert len([1 for op, _name, _body in py.host.tools.asked if op == "skills"]) == 1


def test_help_repr_signature_and_dir_show_the_skill(py: Interpreter, shelf: FakeSkills) -> None:
    answer = py.run("help(skills.monthly_report)\nimport inspect\n[str(inspect.signature(skills.monthly_report)), repr(skills.helpers), dir(skills.helpers)]", skills=True)  # fmt: skip
    signature, text, names = answer.value
    assert signature == "(rows, limit=0)"
    assert text == "<skill helpers, version 1: call it, or one of double, broken>"
    assert [name for name in names if not name.startswith("__")] == ["broken", "double"]
    assert answer.stdout.startswith("skill monthly_report, version 2\n\nAdds up.\n\nmonthly_report(rows, limit=0)\nSums up.")


def test_the_call_of_a_skill_goes_to_the_entry_of_the_host_then_main_then_the_first_function(
    py: Interpreter, shelf: FakeSkills
) -> None:
    shelf.versions["a"] = ["def first():\n    return 1\n\ndef second():\n    return 2\n"]
    shelf.versions["b"] = ["def first():\n    return 1\n\ndef main():\n    return 3\n"]
    shelf.versions["c"] = ["x = 1\n"]
    shelf.entries["a"] = "second"
    assert py.run("[skills.a(), skills.b(), skills.helpers(4)]", skills=True).value == [2, 3, 8]
    assert py.run("skills.c()", skills=True).error["message"] == (
        "the skill c cannot be called as a whole: it defines no function"
    )


def test_an_async_skill_is_awaited(py: Interpreter, shelf: FakeSkills) -> None:
    shelf.versions["slow"] = ["import asyncio\n\nasync def slow(x):\n    await asyncio.sleep(0)\n    return await x\n"]
    assert py.run("await skills.slow(5)", skills=True).value == 5


def test_a_skill_has_the_ready_names_and_uses_tools_and_other_skills(
    py: Interpreter, shelf: FakeSkills, tools: FakeTools
) -> None:
    shelf.versions["job"] = [
        "from skills import helpers\n\ndef job(text):\n    n = json.loads(text)\n"
        "    return [helpers.double(n), tools.github.get_repo(repo='a/b'), math.floor(1.5), datetime(2026, 1, 2).year]\n"
    ]
    assert py.run("skills.job('4')", skills=True, tools=True).value == [8, {"repo": "a/b"}, 1, 2026]


def test_a_failing_skill_shows_its_own_lines(py: Interpreter, shelf: FakeSkills) -> None:
    error = py.run("from skills import helpers\n\nhelpers.broken(1)", skills=True).error
    assert error["line"] == 3 and error["source"] == "helpers.broken(1)"
    assert '  File "skills/helpers.py", line 5, in broken\n    return x / 0\n' in error["traceback"]
    assert "ce_runtime" not in error["traceback"]


def test_a_skill_whose_code_fails_at_import_fails_as_it_does_and_runs_once(py: Interpreter, shelf: FakeSkills) -> None:
    shelf.versions["bad"] = ["print('runs')\nx = {}.y\n"]
    answer = py.run("from skills import bad", skills=True)
    assert answer.error["type"] == "AttributeError" and answer.stdout == "runs\n"
    assert 'File "skills/bad.py", line 2' in answer.error["traceback"]


def test_a_skill_that_does_not_parse_says_where(py: Interpreter, shelf: FakeSkills) -> None:
    shelf.versions["bad"] = ["def f(:\n"]
    error = py.run("skills.bad()", skills=True).error
    assert error["type"] == "SyntaxError" and 'File "skills/bad.py", line 1' in error["traceback"]


@pytest.mark.parametrize("form", ["from skills import %s", "import skills.%s", "import skills\nskills.%s"])
def test_skills_that_import_each_other_are_told_by_name(py: Interpreter, shelf: FakeSkills, form: str) -> None:
    for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
        shelf.versions[name] = ["%s\n\ndef %s():\n    return 1\n" % (form % other, name)]
    error = py.run("from skills import a", skills=True).error
    assert error["type"] == "ImportError"
    assert error["message"].startswith("skills import each other in a circle: a -> b -> c -> a; ")


def test_a_circle_inside_functions_works(py: Interpreter, shelf: FakeSkills) -> None:
    shelf.versions["even"] = ["def even(n):\n    from skills import odd\n    return n == 0 or odd(n - 1)\n"]
    shelf.versions["odd"] = ["def odd(n):\n    from skills import even\n    return n != 0 and even(n - 1)\n"]
    assert py.run("skills.even(10)", skills=True).value is True


def test_skills_wins_over_a_file_of_that_name_and_says_so(py: Interpreter, shelf: FakeSkills, workspace: pathlib.Path) -> None:
    (workspace / "skills.py").write_text("def monthly_report(rows):\n    return 'file'\n")
    answer = py.run("from skills import monthly_report\nmonthly_report([5])", skills=True)
    assert answer.value == 5
    assert "the workspace's skills.py needs another name" in answer.notes


def test_a_skill_never_takes_the_place_of_another_module(py: Interpreter, shelf: FakeSkills) -> None:
    shelf.versions["json"] = ["def dumps(x):\n    return 'mine'\n"]
    assert py.run("import json\nfrom skills import json as own\n[json.dumps(1), own.dumps(1)]", skills=True).value == [
        "1",
        "mine",
    ]
    assert py.run("import json\njson.dumps(1)", skills=True).value == "1"


def test_a_skill_named_like_a_function_of_skills_is_reached_by_item(py: Interpreter, shelf: FakeSkills) -> None:
    shelf.versions["search"] = ["def search(x):\n    return 'mine'\n"]
    code = "own = skills['search']\n[own(1), skills.search('report')[0]['name'], __import__('skills.search').search is skills.search]"
    assert py.run(code, skills=True).value == ["mine", "helpers", True]


def test_imports_that_are_refused_to_code_are_refused_to_skills(py: Interpreter, shelf: FakeSkills) -> None:
    shelf.versions["net"] = ["import requests\n\ndef net():\n    return 1\n"]
    assert py.run("skills.net()", skills=True).error["code"] == "import_denied"


def test_strict_mode_holds_inside_skills(py: Interpreter, shelf: FakeSkills) -> None:
    shelf.versions["reader"] = ["def reader():\n    return open('x')\n"]
    assert "open() is not available in strict mode" in py.run("skills.reader()", skills=True, builtins="strict").error["message"]


def test_a_session_sees_a_version_that_was_saved_since(py: Interpreter, shelf: FakeSkills) -> None:
    code = "from skills import helpers\nhelpers.double(1)"
    assert py.run(code, skills=True, keep=True).value == 2
    shelf.versions["helpers"].append("def double(x):\n    return 'new'\n")
    assert py.run(code, skills=True, keep=True).value == "new"
    assert py.run("skills.helpers(1)", skills=True, keep=True).value == "new"


def test_dataclasses_and_pickle_work_in_skills(py: Interpreter, shelf: FakeSkills) -> None:
    shelf.versions["model"] = [
        "from __future__ import annotations\nimport pickle\nfrom dataclasses import dataclass\n\n@dataclass\nclass Row:\n    n: int\n\n"
        "def model(n):\n    return pickle.loads(pickle.dumps(Row(n)))\n"
    ]
    assert py.run("skills.model(3)", skills=True).value == {"n": 3}
