"""The module ``tools``: how code reaches servers and tools, and what it finds out about them."""

import pathlib

import pytest

from fake_host import Interpreter
from fake_tools import Failure, FakeTools

CALLS = {
    "the ready name": "tools.github.get_repo(repo='a/b')",
    "import tools": "import tools\ntools.github.get_repo(repo='a/b')",
    "an alias": "import tools as t\nt.github.get_repo(repo='a/b')",
    "from tools import a server": "from tools import github\ngithub.get_repo(repo='a/b')",
    "from tools.server import a tool": "from tools.github import get_repo\nget_repo(repo='a/b')",
    "import tools.server": "import tools.github\ntools.github.get_repo(repo='a/b')",
    "importlib": "import importlib\nimportlib.import_module('tools.github').get_repo(repo='a/b')",
    "item access": "tools['github']['get_repo'](repo='a/b')",
    "tools.call": "tools.call('github.get_repo', {'repo': 'a/b'})",
    "tools.call with keywords": "from tools import call\ncall('tools.github.get_repo', repo='a/b')",
    "getattr": "getattr(getattr(tools, 'github'), 'get_repo')(repo='a/b')",
    "a name of its own": "f = tools.github.get_repo\nf(repo='a/b')",
    "map": "list(map(lambda r: tools.github.get_repo(repo=r), ['a/b']))[0]",
    "a thread pool": "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as pool:\n    x = list(pool.map(lambda r: tools.github.get_repo(repo=r), ['a/b'] * 5))[4]\nx",
    "a thread": "import threading\nout = []\nt = threading.Thread(target=lambda: out.append(tools.github.get_repo(repo='a/b')))\nt.start()\nt.join()\nout[0]",
}  # fmt: skip


NOT_STRICT = ("importlib", "a thread")  # modules that strict mode does not import


@pytest.mark.parametrize(
    ("way", "builtins"), [(way, "restricted") for way in CALLS] + [(way, "strict") for way in CALLS if way not in NOT_STRICT]
)
def test_a_tool_is_called_by(py: Interpreter, tools: FakeTools, way: str, builtins: str) -> None:
    answer = py.run(CALLS[way], tools=True, builtins=builtins)
    assert answer.value == {"repo": "a/b"}
    sent = ("tool", "github.get_repo", {"positional": [], "keyword": {"repo": "a/b"}})
    assert set(map(repr, (call for call in tools.asked if call[0] == "tool"))) == {repr(sent)}


def test_plain_calls_ask_for_nothing_else(py: Interpreter, tools: FakeTools) -> None:
    py.run("tools.github.list_issues('a/b', state='open')\nx = tools.nowhere.nothing", tools=True)
    assert tools.asked == [("tool", "github.list_issues", {"positional": ["a/b"], "keyword": {"state": "open"}})]


def test_original_names_go_to_the_host_as_they_are(py: Interpreter, tools: FakeTools) -> None:
    tools.servers["my-server"] = {"list.all-things": lambda positional, keyword: 7}
    assert py.run("tools['my-server']['list.all-things']()", tools=True).value == 7


def test_a_parameter_may_have_any_name(py: Interpreter, tools: FakeTools) -> None:
    value = py.run("tools.github.get_repo(self=1, name=2, **{'with-dash': 3})", tools=True).value
    assert value == {"self": 1, "name": 2, "with-dash": 3}


def test_hasattr_getattr_in_dir_len_and_loops_tell_the_truth_and_ask_once(py: Interpreter, tools: FakeTools) -> None:
    code = (
        "[hasattr(tools, 'github'), hasattr(tools, 'gitlab'), hasattr(tools.github, 'get_repo'), hasattr(tools.github, 'x'), "
        "getattr(tools.github, 'x', None), 'get_repo' in tools.github, 'x' in tools.github, 'github' in tools, "
        "dir(tools.github), list(tools), [n for n in tools.github], len(tools.github), 'search' in dir(tools), hasattr(tools.nope, 'x')]"
    )
    names = ["list_issues", "get_repo"]
    expected = [True, False, True, False, None, True, False, True, sorted(names), ["github"], names, 2, True, False]
    assert py.run(code, tools=True).value == expected
    assert tools.names_asked() == ["", "github", "nope"]


def test_names_are_asked_for_anew_in_the_next_run(py: Interpreter, tools: FakeTools) -> None:
    assert py.run("hasattr(tools.github, 'added')", tools=True, keep=True).value is False
    tools.servers["github"]["added"] = lambda positional, keyword: 1
    assert py.run("hasattr(tools.github, 'added')", tools=True, keep=True).value is True


def test_a_server_that_does_not_answer_may_have_any_tool(py: Interpreter, tools: FakeTools) -> None:
    def unavailable(name: str, body: object) -> object:
        raise Failure("tool_unavailable", "github did not answer within 10 s", retryable=True)

    setattr(tools, "_names", unavailable)
    value = py.run("[hasattr(tools.github, 'x'), repr(tools.github)]", tools=True).value
    assert value == [True, "<tools.github: not known now, github did not answer within 10 s>"]


def test_a_misspelt_tool_fails_at_its_call_with_the_hosts_advice(py: Interpreter, tools: FakeTools) -> None:
    error = py.run("x = 1\ntools.github.list_isues()", tools=True).error
    assert (error["code"], error["type"], error["line"]) == ("tool_unknown", "ToolNotFound", 2)
    assert error["message"] == "there is no tool github.list_isues"
    assert error["hint"] == "did you mean 'github.list_issues'?"
    assert "ce_runtime" not in error["traceback"]


@pytest.mark.parametrize(
    ("code", "type_name", "message", "hint"),
    [
        ("getattr(tools.github, 'list_isues')", "ToolNotFound", "tools.github has no tool 'list_isues'", "did you mean 'list_issues'?"),
        ("getattr(tools, 'githb')", "ToolNotFound", "there is no tool server 'githb'", "did you mean 'github'?"),
        ("from tools.github import list_isues", "ImportError", "cannot import name 'list_isues' from 'tools.github'", "did you mean 'list_issues'?"),
        ("from tools.githb import x", "ModuleNotFoundError", "there is no tool server 'githb'; did you mean 'github'?", ""),
        ("import tools.github.list_issues", "ModuleNotFoundError", "No module named 'tools.github.list_issues'", "write `from tools.github import list_issues`"),
        ("tools.github.list_issues.run()", "AttributeError", "tools.github.list_issues is a tool and has no attribute 'run'", ""),
        ("tools.call(5)", "ToolArgumentError", "tools.call(", ""),
        ("tools.search(query=5)", "ToolArgumentError", "tools.search takes a text", ""),
    ],
)  # fmt: skip
def test_wrong_names_get_the_nearest_ones(
    py: Interpreter, tools: FakeTools, code: str, type_name: str, message: str, hint: str
) -> None:
    error = py.run(code, tools=True).error
    assert error["type"] == type_name
    assert message in error["message"]
    assert hint in error.get("hint", "")


def test_a_name_that_no_frame_can_carry_is_refused_here(py: Interpreter, tools: FakeTools) -> None:
    for name in ("'x' * 513", "'\\U0001F600' * 257"):
        assert py.run("tools.call(%s)" % name, tools=True).error["code"] == "tool_unknown"
    assert tools.asked == []
    assert py.run("tools.call('\\U0001F600' * 256)", tools=True).error["code"] == "tool_unknown"
    assert len(tools.asked) == 1


def test_search_describe_and_help(py: Interpreter, tools: FakeTools) -> None:
    found = py.run("tools.search('create issue', limit=3)", tools=True).value
    assert found == [{"name": "github.list_issues", "signature": "list_issues(repo: str)", "description": "create issue"}]
    assert tools.asked[-1] == ("search", "", {"query": "create issue", "category": None, "limit": 3})
    text = "list_issues(repo: str)\n\nAbout github.list_issues."
    for code in (
        "tools.describe('github.list_issues')",
        "tools.describe(tools.github.list_issues)",
        "tools.github.list_issues.__doc__",
    ):
        assert py.run(code, tools=True).value == text
    assert py.run("help(tools.github.list_issues)", tools=True).output == text + "\n"
    listing = "tools.github.list_issues\ntools.github.get_repo\nhelp(tools.github.NAME) shows the arguments of one"
    assert py.run("tools.describe('github')", tools=True).value == listing
    assert py.run("help(tools.github)", tools=True).output == listing + "\n"
    assert "tools.search(" in py.run("help(tools)", tools=True).output
    assert "search(query: str" in py.run("help(tools.search)", tools=True).output


def test_reprs_are_short(py: Interpreter, tools: FakeTools) -> None:
    assert py.run("tools.github", tools=True).value == "<tools.github: 2 tools: list_issues, get_repo>"
    assert py.run("tools", tools=True).value == "<tools: 1 server: github>"
    assert py.run("tools.github.get_repo", tools=True).value == "<tool github.get_repo: call it; help(...) shows its arguments>"
    tools.servers["github"] = {"t%d" % n: lambda positional, keyword: 1 for n in range(3_000)}
    text = py.run("repr(tools.github)", tools=True).value
    assert text.startswith("<tools.github: 3000 tools: t0, t1, ") and text.endswith("t19, and 2980 more>")
    assert len(py.run("help(tools.github)", tools=True).output) <= 4_001


def test_modules_of_tools_are_not_listed_as_variables(py: Interpreter, tools: FakeTools) -> None:
    assert py.run("import tools\nfrom tools import github, ToolError\nx = 1", tools=True).done["names"] == ["ToolError", "x"]


def test_without_tools_there_is_no_such_name(py: Interpreter) -> None:
    error = py.run("import tools").error
    assert (error["code"], error["type"]) == ("import_denied", "ImportError")
    assert error["message"] == "`import tools` is not available, no tools are configured"
    assert "mcpServers" in error["hint"]
    error = py.run("tools.github").error
    assert error["type"] == "NameError" and "no tools are configured" in error["hint"]
    assert py.run("try:\n    from tools import gather\nexcept ImportError as e:\n    x = str(e)\nx").value.startswith(
        "`import tools`"
    )
    assert py.run("import sys\n'tools' in sys.modules").value is False


def test_a_session_without_tools_loses_the_name_it_had(py: Interpreter, tools: FakeTools) -> None:
    assert py.run("import tools.github\ntools.github.get_repo(a=1)", tools=True, keep=True).value == {"a": 1}
    assert py.run("tools", keep=True).error["type"] == "NameError"
    assert py.run("import tools.github", keep=True).error["code"] == "import_denied"
    assert py.run("tools.github.get_repo(a=1)", tools=True, keep=True).value == {"a": 1}


def test_a_workspace_file_cannot_take_the_place_of_tools(py: Interpreter, tools: FakeTools, workspace: pathlib.Path) -> None:
    (workspace / "tools.py").write_text("github = None\nmine = 5\n")
    assert py.run("import tools\ntools.mine").value == 5  # no tools: an ordinary module
    answer = py.run("import tools\ntools.github.get_repo(a=1)", tools=True)
    assert answer.value == {"a": 1}
    assert "tools.py needs another name" in answer.notes
    assert "tools.py" not in py.run("tools.github.get_repo(a=1)", tools=True).notes


def test_modules_of_the_workspace_can_use_tools(py: Interpreter, tools: FakeTools, workspace: pathlib.Path) -> None:
    (workspace / "mine.py").write_text("import tools\nasync def f():\n    return await tools.github.get_repo(a=1)\n")
    assert py.run("import mine\nawait mine.f()", tools=True).value == {"a": 1}


def test_a_name_that_code_has_taken_stays_taken(py: Interpreter, tools: FakeTools) -> None:
    py.run("tools = [1]", tools=True, keep=True)
    assert py.run("tools", tools=True, keep=True).value == [1]
    assert py.run("import tools\ntools.github.get_repo(a=1)", tools=True, keep=True).value == {"a": 1}


def test_the_advice_on_the_missing_network_names_tools_where_there_are_some(py: Interpreter, tools: FakeTools) -> None:
    for code in (
        "import paramiko",
        "import socket\nsocket.gethostbyname('a')",
        "import urllib.request as u\nu.urlopen('http://a')",
    ):
        error = py.run(code, tools=True).error
        assert error["message"].endswith(": the sandbox has no network") and error["code"] == "import_denied"
        assert error["hint"].startswith("look for a tool with tools.search(...), or put the data into the workspace")
        assert py.run(code).error["hint"].startswith("put the data into the workspace")
    shown = "try:\n    import paramiko\nexcept ImportError as e:\n    x = str(e)\nx"
    assert "the sandbox has no network: look for a tool with tools.search(...)" in py.run(shown, tools=True).value
    assert "tools.search" not in py.run(shown).value
