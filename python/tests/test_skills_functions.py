"""load_skill, list_skills, skills.search, save_skill in code."""

import pytest

from fake_host import Interpreter
from fake_skills import FakeSkills


def test_list_and_search_hand_the_query_on(py: Interpreter, shelf: FakeSkills) -> None:
    code = "[list_skills(), list_skills('sum per month', limit=1), skills.search('sum')]"
    every = [{"name": name, "description": "None"} for name in ("helpers", "monthly_report")]
    found = [{"name": "helpers", "description": "sum per month"}]
    searched = [{"name": name, "description": "sum"} for name in ("helpers", "monthly_report")]
    assert py.run(code, skills=True).value == [every, found, searched]


def test_save_skill_sends_text_and_facts(py: Interpreter, shelf: FakeSkills) -> None:
    code = "save_skill('area', 'def area(r):\\n    return r\\n', 'The area.', tags=['geo'], overwrite=True, test=True)"
    assert py.run(code, skills=True).value == {"name": "area", "version": 1}
    body = {"code": "def area(r):\n    return r\n", "description": "The area.", "tags": ["geo"], "overwrite": True, "test": True}
    assert shelf.saved == [("area", body)]


def test_a_function_is_saved_by_its_source(py: Interpreter, shelf: FakeSkills) -> None:
    code = "def area(r):\n    return 3 * r\n\nsave_skill('area', area, 'The area.', tags='geo')\nfrom skills import area as saved\nsaved(2)"
    assert py.run(code, skills=True).value == 6
    assert shelf.saved[0][1]["code"] == "def area(r):\n    return 3 * r\n"
    assert shelf.saved[0][1]["tags"] == ["geo"]


def test_after_a_save_the_import_gives_the_new_version(py: Interpreter, shelf: FakeSkills) -> None:
    code = (
        "from skills import helpers\nbefore = helpers.double(1)\n"
        "save_skill('helpers', 'def double(x):\\n    return 0\\n', 'd', overwrite=True)\n"
        "from skills import helpers\n[before, helpers.double(1), skills.helpers.double(1)]"
    )
    assert py.run(code, skills=True).value == [2, 0, 0]


def test_a_refused_save_is_an_error_that_code_can_catch(py: Interpreter, shelf: FakeSkills) -> None:
    error = py.run("save_skill('bad', 'refused', 'x')", skills=True).error
    assert (error["type"], error["message"], error["hint"]) == ("SkillError", "line 1: invalid syntax", "mend it")
    code = "from skills import SkillError\ntry:\n    save_skill('bad', 'refused')\nexcept SkillError as error:\n    print(error.code, error)"
    assert py.run(code, skills=True).stdout == "syntax_error line 1: invalid syntax; mend it\n"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("save_skill('a', len, 'x')", "save_skill needs source text, and there is none for builtin_function_or_method"),
        ("save_skill('a', 'x' * 300_000)", "the code has 300000 characters; the most is 262144 bytes"),
        ("save_skill('a', 'x', 5)", "save_skill takes texts: save_skill(name, code, description, tags=[...])"),
        ("load_skill(5)", 'load_skill takes a name and a version number: load_skill("monthly_report", version=2)'),
        ("list_skills(5)", "list_skills takes a query (text) and a limit (int)"),
        ("load_skill('x' * 600)", "there is no skill with a name of 600 characters"),
    ],
)
def test_wrong_arguments_are_told_before_anything_is_sent(py: Interpreter, shelf: FakeSkills, code: str, message: str) -> None:
    assert py.run(code, skills=True).error["message"] == message
    assert py.host.tools.asked == []


def test_the_end_of_the_time_is_no_skill_error(py: Interpreter, shelf: FakeSkills) -> None:
    from fake_failure import Failure

    def late(name: str, body: object) -> object:
        raise Failure("timeout", "the time of the run is up")

    setattr(shelf, "source", late)
    code = "try:\n    load_skill('helpers')\nexcept Exception:\n    print('caught')"
    answer = py.run(code, skills=True)
    assert answer.error["code"] == "timeout" and answer.stdout == ""
