"""``await`` and asyncio on values that need neither."""

import pathlib

import pytest

from fake_host import Interpreter
from fake_tools import FakeTools

RUNS = {
    "in a function": "async def f():\n    return await tools.github.get_repo(n=42)\n(await f())['n']",
    "in a nested function, a method and a lambda's argument": "class A:\n    async def m(self, g=lambda x: x):\n        async def inner():\n            return g(await tools.github.get_repo(n=42))\n        return await inner()\nimport asyncio\nasyncio.run(A().m())['n']",
    "in a comprehension": "async def f():\n    return [(await tools.github.get_repo(n=i))['n'] for i in (20, 22)]\nsum(await f())",
    "of an await": "async def f():\n    return await (await tools.github.get_repo.later(n=42)).get('n')\nawait f()",
    "asyncio.gather": "import asyncio\nrows = await asyncio.gather(tools.github.get_repo(n=20), tools.github.get_repo(n=22))\nsum(r['n'] for r in rows)",
    "asyncio.gather of both": "import asyncio\nasync def f():\n    return 20\na, b = await asyncio.gather(f(), tools.github.get_repo(n=22))\na + b['n']",
    "asyncio.gather in a function": "import asyncio\nasync def f():\n    return await asyncio.gather(*[tools.github.get_repo(n=i) for i in (20, 22)], return_exceptions=True)\nsum(r['n'] for r in asyncio.run(f()))",
    "from asyncio import gather": "from asyncio import gather\nasync def f():\n    return await gather(tools.github.get_repo(n=42))\n(await f())[0]['n']",
    "asyncio.create_task": "import asyncio\nasync def f():\n    return await asyncio.create_task(tools.github.get_repo(n=42))\n(await f())['n']",
    "asyncio.wait_for": "import asyncio\n(await asyncio.wait_for(tools.github.get_repo(n=42), 5))['n']",
    "asyncio.run": "import asyncio\nasyncio.run(tools.github.get_repo(n=42))['n']",
    "asyncio.to_thread": "import asyncio\n(await asyncio.to_thread(tools.github.get_repo, n=42))['n']",
    "real coroutines as ever": "import asyncio\nasync def f(n):\n    await asyncio.sleep(0)\n    return n\nawait asyncio.gather(f(20), asyncio.create_task(f(22)))\n42",
}  # fmt: skip


@pytest.mark.parametrize("what", RUNS)
def test_await_works(py: Interpreter, tools: FakeTools, what: str) -> None:
    assert py.run(RUNS[what], tools=True).value == 42


def test_a_function_of_a_session_awaits_plain_values_in_later_runs(py: Interpreter, tools: FakeTools) -> None:
    py.run("async def f(n):\n    return (await tools.github.get_repo(n=n))['n']", tools=True, keep=True)
    for builtins in ("restricted", "strict"):
        assert py.run("await f(42)", tools=True, keep=True, builtins=builtins).value == 42


def test_modules_of_the_workspace_may_await_plain_values(py: Interpreter, workspace: pathlib.Path) -> None:
    (workspace / "mine.py").write_text("async def f(x):\n    return await x\n")
    assert py.run("import mine\nawait mine.f(42)").value == 42


def test_the_notes_say_that_no_await_was_needed_and_how_calls_run_in_parallel(py: Interpreter, tools: FakeTools) -> None:
    assert "`await` was used on a plain value" in py.run("await tools.github.get_repo()", tools=True).notes
    notes = py.run("import asyncio\nawait asyncio.gather(tools.github.get_repo())", tools=True).notes
    assert "asyncio.gather was given a plain value" in notes and ".later(...)" in notes
    assert py.run("import asyncio\nasync def f(): pass\nawait asyncio.gather(f(), asyncio.sleep(0))").notes == ""


@pytest.mark.parametrize("code", ["await f", "await asyncio.gather(f)", "asyncio.run(f)", "await tools.github.get_repo"])
def test_a_function_that_was_not_called_is_still_an_error(py: Interpreter, tools: FakeTools, code: str) -> None:
    error = py.run("import asyncio\nasync def f(): pass\n" + code, tools=True).error
    assert error["type"] in ("TypeError", "ValueError")
    assert "parentheses" in error["hint"]


def test_a_traceback_through_await_shows_the_users_lines(py: Interpreter) -> None:
    error = py.run("async def g():\n    return 1 / 0\nasync def f():\n    x = await g()\n    return x\nawait f()").error
    assert error["line"] == 2
    assert "line 4, in f\n    x = await g()" in error["traceback"]
    assert "__awaitable__" not in error["traceback"]
