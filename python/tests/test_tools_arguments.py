"""Arguments: what is sent in which form, and what is refused before anything is sent."""

import json
from typing import Any

import pytest

from fake_host import Interpreter
from fake_tools import FakeTools

SENT = {
    "None, True, 3, 1.5, 'text \\u00e9'": [None, True, 3, 1.5, "text é"],
    "2**53 - 1, '12345678901234567890', 0.30000000000000004, 1e22": [2**53 - 1, "12345678901234567890", 0.30000000000000004, 1e22],
    "(1, 2), [(3,)]": [[1, 2], [[3]]],
    "{3, 1, 2}, frozenset(['b', 'a']), {1, 'a'}": [[1, 2, 3], ["a", "b"], [1, "a"]],
    "{'b': 1, 'a': 2}.keys(), {'b': 1}.values(), {'b': 1}.items()": [["b", "a"], [1], [["b", 1]]],
    "range(3), collections.deque([1]), map(str, [1]), (x for x in 'ab'), iter([])": [[0, 1, 2], [1], ["1"], ["a", "b"], []],
    "{1: 'a', True: 'b', None: 'c', 2.5: 'd'}": [{"1": "b", "null": "c", "2.5": "d"}],
    "collections.Counter('aa'), collections.ChainMap({'a': 1}), collections.OrderedDict(b=1)": [{"a": 2}, {"a": 1}, {"b": 1}],
    "datetime.datetime(2025, 1, 2, 3, 4), datetime.date(2025, 1, 2), datetime.time(3, 4)": ["2025-01-02T03:04:00", "2025-01-02", "03:04:00"],
    "D('12.50'), D('3'), D('1e20'), D('-0.1')": [12.5, 3, 1e20, -0.1],
    "workspace / 'a', uuid.UUID(int=1)": ["PATH/a", "00000000-0000-0000-0000-000000000001"],
    "P(1, [P(2, 'x')]), N(1, 'x'), types.SimpleNamespace(a=1)": [{"x": 1, "y": [{"x": 2, "y": "x"}]}, [1, "x"], {"a": 1}],
    "Color.RED, Level.HIGH, [Kind.A]": ["red", 3, ["a"]],
}  # fmt: skip

PREAMBLE = """
import collections, datetime, enum, fractions, types, uuid
from dataclasses import dataclass
from decimal import Decimal as D
@dataclass
class P:
    x: int
    y: object
N = collections.namedtuple("N", "x y")
class Color(enum.Enum):
    RED = "red"
class Level(enum.IntEnum):
    HIGH = 3
class Kind(str, enum.Enum):
    A = "a"
"""

REFUSED = {
    "b=float('nan')": ("argument b of github.get_repo is nan", "send None"),
    "b=[1, float('inf')]": ("argument b[1] of github.get_repo is inf", "send None"),
    "b=2**53": ("argument b of github.get_repo is an integer beyond 2**53", "str(x)"),
    "rows=[{'id': 10**17}]": ("argument rows[0]['id'] of github.get_repo is an integer", "str(x)"),
    "b={'data': b'x'}": ("argument b['data'] of github.get_repo is of type bytes", "x.decode()"),
    "b=D('0.10000000000000000000001')": ("argument b of github.get_repo is the Decimal", "str(x) or float(x)"),
    "b=D('NaN')": ("argument b of github.get_repo is the Decimal NaN", "str(x)"),
    "b={(1, 2): 3}": ("argument b of github.get_repo has a key of type tuple", "str(key)"),
    "b=object()": ("argument b of github.get_repo is of type object", "lists and dicts"),
    "b=print": ("argument b of github.get_repo is of type builtin_function_or_method", "call it"),
    "b=datetime.timedelta(1)": ("argument b of github.get_repo is of type timedelta", "total_seconds()"),
    "b=1j": ("argument b of github.get_repo is of type complex", "str(x)"),
    "b=fractions.Fraction(1, 3)": ("argument b of github.get_repo is of type Fraction", "float(x)"),
    "b=tools.github": ("argument b of github.get_repo is of type Server", "lists and dicts"),
    "b='\\ud800'": ("argument b of github.get_repo has characters that are no valid text", "replace"),
    "**{'\\ud800': 1}": ("the name '\\ud800' of github.get_repo has characters", "replace"),
    "b=loop": ("is nested deeper than 100 levels, or contains itself", ""),
    "b=deep": ("is nested deeper than 100 levels, or contains itself", ""),
    "b=(i for i in iter(int, 1))": ("argument b of github.get_repo is an iterator of more than 100000 items", "in parts"),
    "b='x' * (9 * 1024 * 1024)": ("the arguments of github.get_repo are 9.4 MB, more than the 8 MB of one call", "in parts"),
}  # fmt: skip
LOOPS = "loop = []\nloop.append(loop)\ndeep = []\nfor _ in range(5_000):\n    deep = [deep]\n"


@pytest.mark.parametrize("code", SENT)
def test_what_can_be_sent_without_loss_is_sent(py: Interpreter, tools: FakeTools, code: str) -> None:
    value: Any = py.run(PREAMBLE + "tools.github.list_issues(%s)[0]" % code, tools=True).value
    expected = json.loads(json.dumps(SENT[code]).replace("PATH", py.worker._main.workspace))
    assert value == expected
    assert list(map(type, value)) == list(map(type, expected))


@pytest.mark.parametrize("code", REFUSED)
def test_the_rest_is_refused_with_the_name_of_the_argument(py: Interpreter, tools: FakeTools, code: str) -> None:
    message, hint = REFUSED[code]
    answer = py.run(PREAMBLE + LOOPS + "tools.github.get_repo(%s)" % code, tools=True)
    assert (answer.error["code"], answer.error["type"]) == ("bad_arguments", "ToolArgumentError")
    assert message in answer.error["message"]
    assert hint in answer.error["hint"]
    assert tools.asked == []


def test_a_positional_argument_is_named_by_its_number(py: Interpreter, tools: FakeTools) -> None:
    error = py.run("tools.github.get_repo('a', {'x': {1: b''}})", tools=True).error
    assert error["message"].startswith("argument 2['x'][1] of github.get_repo is of type bytes")


def test_a_pending_call_or_a_file_is_refused_with_the_way_to_its_content(py: Interpreter, tools: FakeTools) -> None:
    error = py.run("p = tools.github.get_repo.later()\ntools.github.get_repo(x=p)", tools=True).error
    assert ".result()" in error["hint"]
    error = py.run("async def f(): pass\ntools.github.get_repo(x=f())", tools=True).error
    assert "await it first" in error["hint"]


def test_an_argument_error_is_a_type_error_and_a_tool_error(py: Interpreter, tools: FakeTools) -> None:
    for name in ("TypeError", "tools.ToolError", "tools.ToolArgumentError"):
        code = "try:\n    tools.github.get_repo(x=b'')\nexcept %s as e:\n    x = [e.code, e.tool, e.retryable]\nx" % name
        assert py.run(code, tools=True).value == ["bad_arguments", "github.get_repo", False]


def test_an_error_of_the_users_own_iterator_is_told(py: Interpreter, tools: FakeTools) -> None:
    code = "def rows():\n    yield 1\n    raise KeyError('no such row')\ntools.github.get_repo(x=rows())"
    assert py.run(code, tools=True).error["type"] == "KeyError"
