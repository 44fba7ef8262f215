"""Calls side by side: ``.later``, ``gather``, ``await``."""

import pathlib
import threading
from typing import Any, Dict, Tuple

import pytest

from fake_host import FakeHost, Interpreter
from fake_tools import Failure, FakeTools


@pytest.fixture
def numbers(tools: FakeTools) -> FakeTools:
    def double(positional: Any, keyword: Any) -> Any:
        if positional[0] < 0:
            raise Failure("tool_failed", "%d is negative" % positional[0])
        return positional[0] * 2

    tools.servers["n"] = {"double": double}
    return tools


RESULTS = {
    "calls": "a, b = tools.gather(tools.n.double.later(1), tools.n.double.later(2))\n[a, b]",
    "a list": "tools.gather([tools.n.double.later(i) for i in (1, 2)])",
    "a generator": "tools.gather(tools.n.double.later(i) for i in (1, 2))",
    "values of a dict": "d = {'a': tools.n.double.later(1), 'b': tools.n.double.later(2)}\ntools.gather(d.values())",
    "result()": "p = [tools.n.double.later(i) for i in (1, 2)]\n[q.result() for q in p]",
    "result() in the other order": "p, q = tools.n.double.later(1), tools.n.double.later(2)\nb = q.result()\n[p.result(), b]",
    "await": "p, q = tools.n.double.later(1), tools.n.double.later(2)\n[await p, await q]",
    "await gather": "await tools.gather(tools.n.double.later(1), tools.n.double.later(2))",
    "asyncio.gather": "import asyncio\nawait asyncio.gather(tools.n.double.later(1), tools.n.double.later(2))",
    "pending calls as the value": "[tools.n.double.later(1), tools.n.double.later(2)]",
    "result() twice": "p = tools.n.double.later(1)\n[p.result(), p.result() + 2]",
    "gather of what was collected": "p = tools.n.double.later(1)\np.result()\ntools.gather(p, tools.n.double.later(2))",
    "threads": "import threading\nout = {}\ndef f(i):\n    out[i] = tools.n.double(i)\nts = [threading.Thread(target=f, args=(i,)) for i in (1, 2)]\n[t.start() for t in ts]\n[t.join() for t in ts]\n[out[1], out[2]]",
}  # fmt: skip


@pytest.mark.parametrize("last_first", [False, True])
@pytest.mark.parametrize("way", RESULTS)
def test_results_come_in_order_whatever_the_order_of_replies(
    py: Interpreter, numbers: FakeTools, way: str, last_first: bool
) -> None:
    numbers.last_first = last_first
    assert py.run(RESULTS[way], tools=True).value == [2, 4]


def test_one_pending_call_as_the_value_gives_its_result(py: Interpreter, numbers: FakeTools) -> None:
    assert py.run("tools.n.double.later(4)", tools=True).value == 8
    assert py.run("x = 1\ntools.n.double.later(-4)", tools=True).error["code"] == "tool_failed"


def test_calls_are_sent_at_once_and_at_most_eight_run(py: Interpreter, numbers: FakeTools) -> None:
    code = "p = [tools.n.double.later(i) for i in range(30)]\nprint('made')\nsum(tools.gather(p))"
    answer = py.run(code, tools=True)
    assert answer.value == sum(range(30)) * 2
    kinds = [header["type"] for header, _payload in answer.frames]
    assert kinds == ["call"] * 8 + ["out"] + ["call"] * 22
    assert numbers.most_waiting == 8
    assert [body["positional"] for _op, _name, body in numbers.asked] == [[i] for i in range(30)]


def test_a_plain_call_goes_before_those_that_wait_for_their_turn(py: Interpreter, numbers: FakeTools) -> None:
    code = "p = [tools.n.double.later(i) for i in range(20)]\nx = tools.n.double(100)\nprint(x)\ntools.gather(p)[19]"
    answer = py.run(code, tools=True)
    assert answer.value == 38
    assert answer.output == "200\n"
    assert numbers.most_waiting == 8
    assert numbers.asked[8][2]["positional"] == [100]


def test_questions_need_no_turn(py: Interpreter, numbers: FakeTools) -> None:
    numbers.last_first = True
    code = "p = [tools.n.double.later(i) for i in range(10)]\ntext = tools.describe('n.double')\n[text[:6], tools.gather(p)]"
    assert py.run(code, tools=True).value == ["double", [i * 2 for i in range(10)]]


def test_gather_waits_for_all_then_raises_the_first_error(py: Interpreter, numbers: FakeTools) -> None:
    code = (
        "p = [tools.n.double.later(i) for i in (1, -2, 3, -4)]\ntry:\n    tools.gather(p)\nexcept tools.ToolError as e:\n"
        "    x = [str(e), p[0].result(), p[2].result(), repr(p[3])]\nx"
    )
    answer = py.run(code, tools=True)
    assert answer.value == ["-2 is negative", 2, 6, "<pending call n.double: failed, -4 is negative>"]
    assert "2 of 4 calls failed" in answer.notes
    code = "r = tools.gather([tools.n.double.later(i) for i in (1, -2)], return_exceptions=True)\n[r[0], type(r[1]).__name__, str(r[1])]"
    assert py.run(code, tools=True).value == [2, "ToolError", "-2 is negative"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("tools.gather(tools.n.double)", "a function that was not called"),
        ("tools.gather(lambda: tools.n.double(1))", "a function that was not called"),
        ("tools.gather({'a': tools.n.double.later(1)})", "not a dict"),
    ],
)
def test_gather_says_what_it_takes(py: Interpreter, numbers: FakeTools, code: str, message: str) -> None:
    error = py.run(code, tools=True).error
    assert error["type"] == "TypeError"
    assert message in error["message"]


def test_gather_takes_results_as_they_are_with_a_note(py: Interpreter, numbers: FakeTools) -> None:
    answer = py.run("tools.gather(tools.n.double(1), tools.n.double(2))", tools=True)
    assert answer.value == [2, 4]
    assert ".later(...)" in answer.notes
    assert py.run("tools.gather([tools.n.double(1), {'a': 1}])", tools=True).value == [2, {"a": 1}]
    assert py.run("[tools.gather(), tools.gather([])]", tools=True).value == [[], []]


def test_calls_that_nobody_collects_are_finished_and_told(py: Interpreter, numbers: FakeTools) -> None:
    answer = py.run("for i in range(12):\n    tools.n.double.later(i - 1)\n42", tools=True)
    assert answer.value == 42
    assert len(numbers.asked) == 12 and numbers.waiting == []
    assert (
        "12 calls were started with .later() and never collected: n.double (failed: -1 is negative), n.double (done)"
        in answer.notes
    )
    assert "and 7 more" in answer.notes
    assert "never collected" not in py.run("tools.n.double.later(1).result()", tools=True).notes


def test_a_run_that_fails_tells_which_calls_it_leaves(py: Interpreter, numbers: FakeTools) -> None:
    answer = py.run("p = [tools.n.double.later(i) for i in range(10)]\np[0].result()\n1 / 0", tools=True, keep=True)
    assert answer.error["type"] == "ZeroDivisionError"
    assert "still running when the run ended: n.double, n.double, n.double, n.double, n.double and 3 more" in answer.notes
    assert "never sent: n.double" in answer.notes
    # Their replies come while a later run waits for its own.
    after = py.run("x = tools.n.double(50)\ntry:\n    p[5].result()\nexcept tools.ToolError as e:\n    y = str(e)\n[x, p[0].result(), y]", tools=True, keep=True)  # fmt: skip
    assert after.value == [100, 0, "the run that started this call ended before its answer came"]


def test_a_session_keeps_what_its_calls_returned(py: Interpreter, numbers: FakeTools) -> None:
    py.run("p = tools.n.double.later(4)", tools=True, keep=True)
    assert py.run("p.result()", tools=True, keep=True).value == 8


def test_the_output_limit_ends_a_run_in_the_middle_of_its_calls(py: Interpreter, numbers: FakeTools) -> None:
    answer = py.run("print('x' * 200, end='')\ntools.n.double(1)", tools=True, output_bytes=100, keep=True)
    assert answer.error["code"] == "output_limit"
    assert numbers.asked == []
    assert py.run("tools.n.double(1)", tools=True, keep=True).value == 2


class BlockingHost(FakeHost):
    """Has a reply only when one is let go: ``released[name]`` replies at the call of ``name``, the last call first."""

    released: Dict[str, int] = {"x.fast": 1, "x.go": 2}

    def __init__(self) -> None:
        super().__init__()
        self.ready = threading.Semaphore(0)
        self.tools.last_first = True
        self.tools.servers["x"] = {name: lambda positional, keyword: 1 for name in ("slow", "fast", "go")}

    def send(self, header: str, payload: bytes) -> None:
        super().send(header, payload)
        for _ in range(self.released.get(self.frames[-1][0].get("name", ""), 0)):
            self.ready.release()

    def receive(self) -> Tuple[str, bytes]:
        self.ready.acquire()
        return super().receive()


def test_a_thread_that_waits_reads_for_the_others_too(tmp_path: pathlib.Path) -> None:
    host = BlockingHost()
    code = (
        "import threading, time\nout = []\nt = threading.Thread(target=lambda: out.append(tools.x.slow()))\nt.start()\n"
        "time.sleep(0.05)\ntools.x.fast()\nout.append('fast')\ntools.x.go()\nt.join()\nout"
    )
    assert Interpreter(str(tmp_path), host).run(code, tools=True, seconds=10).value == ["fast", 1]


def test_the_deadline_ends_a_call_that_waits_for_another_thread_to_read(tmp_path: pathlib.Path) -> None:
    code = "import threading, time\nthreading.Thread(target=tools.x.slow, daemon=True).start()\ntime.sleep(0.05)\ntools.x.slow()"
    error = Interpreter(str(tmp_path), BlockingHost()).run(code, tools=True, seconds=0.5).error
    assert (error["code"], error["line"]) == ("timeout", 4)
