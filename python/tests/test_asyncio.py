"""asyncio, at the top level and everywhere else."""

import sys

import pytest

from fake_host import Interpreter

RUNS = {
    "a top-level await": "import asyncio\nawait asyncio.sleep(0.001, 42)",
    "await inside the statements and as the last expression": "import asyncio\nx = await asyncio.sleep(0, 40)\nx + await asyncio.sleep(0, 2)",
    "asyncio.run": "import asyncio\nasync def main():\n    await asyncio.sleep(0)\n    return 42\nasyncio.run(main())",
    "asyncio.run twice": "import asyncio\nasync def f(n):\n    return n\nasyncio.run(f(20)) + asyncio.run(f(22))",
    "asyncio.run after a top-level await": "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 42\nawait asyncio.sleep(0)\nasyncio.run(f())",
    "asyncio.run inside a running coroutine": "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 42\nasync def g():\n    return asyncio.run(f())\nawait g()",
    "run_until_complete of the current loop": "import asyncio\nasync def f():\n    await asyncio.sleep(0.001)\n    return 42\nloop = asyncio.get_event_loop()\nloop.run_until_complete(f())",
    "run_until_complete of the running loop": "import asyncio\nasync def f():\n    await asyncio.sleep(0.001)\n    return 42\nasync def g():\n    return asyncio.get_running_loop().run_until_complete(f())\nawait g()",
    "a loop of one's own": "import asyncio\nloop = asyncio.new_event_loop()\nasyncio.set_event_loop(loop)\nasync def f(): return 42\nx = loop.run_until_complete(f())\nloop.close()\nx",
    "get_event_loop after asyncio.run": "import asyncio\nasync def f(): return 21\nasyncio.run(f()) + asyncio.get_event_loop().run_until_complete(f())",
    "gather and create_task": "import asyncio\nasync def f(n):\n    await asyncio.sleep(0.001)\n    return n\nt = asyncio.create_task(f(2))\nsum(await asyncio.gather(f(10), f(30))) + await t",
    "wait_for": "import asyncio\ntry:\n    await asyncio.wait_for(asyncio.sleep(5), 0.01)\nexcept asyncio.TimeoutError:\n    x = 42\nx",
    "async with, async for and async comprehensions": "import asyncio\nasync def g():\n    for i in range(3):\n        yield i\nn = [i async for i in g()]\nlock = asyncio.Lock()\nasync with lock:\n    async for i in g():\n        n.append(i)\nsum(n) * 7",
    "to_thread and run_in_executor": "import asyncio\nloop = asyncio.get_running_loop() if False else None\n(await asyncio.to_thread(len, 'ab')) + (await asyncio.get_running_loop().run_in_executor(None, len, 'x' * 40))",
    "queues between tasks": "import asyncio\nasync def put(q):\n    for i in (20, 22):\n        await q.put(i)\nasync def take(q):\n    return await q.get() + await q.get()\nasync def main():\n    q = asyncio.Queue(1)\n    return (await asyncio.gather(put(q), take(q)))[1]\nasyncio.run(main())",
}  # fmt: skip


@pytest.mark.parametrize("what", RUNS)
def test_it_works(py: Interpreter, what: str) -> None:
    assert py.run(RUNS[what]).value == 42


@pytest.mark.skipif(sys.version_info < (3, 11), reason="TaskGroup and timeout came with Python 3.11")
def test_task_groups_and_timeouts_work(py: Interpreter) -> None:
    code = (
        "import asyncio\nasync with asyncio.TaskGroup() as g:\n    t = g.create_task(asyncio.sleep(0, 41))\n"
        "try:\n    async with asyncio.timeout(0.01):\n        await asyncio.sleep(9)\nexcept TimeoutError:\n    n = 1\nt.result() + n"
    )
    assert py.run(code).value == 42


def test_await_on_a_plain_value_gives_the_value_with_a_note(py: Interpreter) -> None:
    answer = py.run("data = await json.loads('[1, 2]')\ndata")
    assert answer.value == [1, 2]
    assert "`await`" in answer.notes


def test_errors_in_awaited_code_show_only_the_users_frames(py: Interpreter) -> None:
    error = py.run("async def f():\n    return 1 / 0\nasync def g():\n    return await f()\nawait g()").error
    assert error["line"] == 2
    assert "ce_runtime" not in error["traceback"]
    assert "line 5, in <module>\n    await g()" in error["traceback"]


def test_tasks_that_a_fresh_run_leaves_behind_are_cancelled(py: Interpreter) -> None:
    code = (
        "import asyncio\nasync def f():\n    try:\n        await asyncio.sleep(60)\n    finally:\n        print('ended')\n"
        "t = asyncio.create_task(f())\nawait asyncio.sleep(0)\n42"
    )
    answer = py.run(code)
    assert answer.value == 42
    assert answer.output == "ended\n"


def test_a_session_keeps_its_loop(py: Interpreter) -> None:
    py.run("import asyncio\nq = asyncio.Queue()\nawait q.put(42)", keep=True)
    assert py.run("await q.get()", keep=True).value == 42


def test_the_deadline_ends_a_waiting_loop(py: Interpreter) -> None:
    answer = py.run("import asyncio\nprint('a')\nawait asyncio.sleep(60)", seconds=1)
    assert answer.error["code"] == "timeout"
    assert answer.error["line"] == 3
    assert answer.stdout == "a\n"


def test_a_session_works_after_a_timeout_inside_a_loop(py: Interpreter) -> None:
    py.run("import asyncio\nasync def f():\n    while True: pass\nawait f()", seconds=1, keep=True)
    assert py.run("import asyncio\nawait asyncio.sleep(0, 42)", keep=True).value == 42
    assert py.run("asyncio.run(asyncio.sleep(0, 43))", keep=True).value == 43
