"""The documented forms of values, and the limits of the encoder."""

import json
import sys
from typing import Any

import pytest

from ce_runtime.encode import encode
from ce_runtime.encode.writer import MAX_DEPTH, MAX_ITERATED
from fake_host import Interpreter

FORMS = [
    ("{'a': [1, 2.5, True, None, 'x']}", {"a": [1, 2.5, True, None, "x"]}),
    ("float('nan'), float('inf'), -float('inf')", ["NaN", "Infinity", "-Infinity"]),
    ("2 ** 53 - 1, 2 ** 53, -2 ** 64", [2**53 - 1, "9007199254740992", "-18446744073709551616"]),
    ("__import__('decimal').Decimal('10.10')", "10.10"),
    ("__import__('fractions').Fraction(3, 4)", "3/4"),
    ("datetime(2025, 1, 2, 3, 4, 5), date(2025, 1, 2)", ["2025-01-02T03:04:05", "2025-01-02"]),
    ("timedelta(hours=26)", "1 day, 2:00:00"),
    ("__import__('uuid').UUID(int=5)", "00000000-0000-0000-0000-000000000005"),
    ("__import__('pathlib').PurePosixPath('a/b')", "a/b"),
    ("{3, 1, 2}, frozenset('ba'), {1, 'a'}", [[1, 2, 3], ["a", "b"], [1, "a"]]),
    ("(1, (2,))", [1, [2]]),
    ("collections.namedtuple('P', 'x y')(1, 2)", {"x": 1, "y": 2}),
    ("collections.Counter('aab')", {"a": 2, "b": 1}),
    ("collections.OrderedDict(b=1, a=2)", {"b": 1, "a": 2}),
    ("collections.defaultdict(list, {1: [2]})", {"1": [2]}),
    ("collections.deque([1, 2]), collections.UserList([3]), collections.ChainMap({'a': 1}, {'b': 2})", [[1, 2], [3], {"a": 1, "b": 2}]),
    ("b'\\x89PNG'", {"bytes": 4, "base64": "iVBORw=="}),
    ("bytearray(b'a'), memoryview(b'b')", [{"bytes": 1, "base64": "YQ=="}, {"bytes": 1, "base64": "Yg=="}]),
    ("range(3), map(str, [1]), {'k': 'v'}.items(), {'k': 'v'}.keys()", [[0, 1, 2], ["1"], [["k", "v"]], ["k"]]),
    ("__import__('array').array('i', [1, 2])", [1, 2]),
    ("3 + 4j", "(3+4j)"),
    ("ValueError('bad'), int, len", ["ValueError('bad')", "<class 'int'>", "<built-in function len>"]),
    ("__import__('types').MappingProxyType({'a': 1}), __import__('types').SimpleNamespace(b=2)", [{"a": 1}, {"b": 2}]),
    ("{1: 'a', None: 'b', True: 'c', 2.5: 'd', (1, 2): 'e'}", {"1": "c", "null": "b", "2.5": "d", "(1, 2)": "e"}),
    ("{1: 'int', '1': 'str'}", {"1 (int)": "int", "1": "str"}),
    ("{date(2025, 1, 2): 1}", {"2025-01-02": 1}),
    ("'\\ud800x'", "\ufffdx"),
    ("type('S', (str,), {})('s'), type('I', (int,), {})(5), type('L', (list,), {})([1])", ["s", 5, [1]]),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), FORMS)
def test_the_form_of_a_value_is_the_documented_one(py: Interpreter, code: str, expected: Any) -> None:
    answer = py.run(code)
    assert answer.value == expected
    assert answer.done["value"]["truncated"] is False


def test_dataclasses_become_objects_and_enums_their_value(py: Interpreter) -> None:
    code = """
from dataclasses import dataclass
from enum import Enum, IntEnum, Flag
class Color(Enum): RED = "red"
class N(IntEnum): ONE = 1
@dataclass
class P:
    x: int
    color: Color
result = [P(1, Color.RED), N.ONE, {Color.RED: 2}]
"""
    assert py.run(code).value == [{"x": 1, "color": "red"}, 1, {"red": 2}]


def test_a_plain_object_shows_its_attributes(py: Interpreter) -> None:
    assert py.run("class A:\n    def __init__(self): self.x = 1; self.y = 'b'\nA()").value == "A(x=1, y='b')"


def test_a_cycle_is_cut_and_marked(py: Interpreter) -> None:
    answer = py.run("a = {'n': 1}\na['self'] = a\na")
    assert answer.value == {"n": 1, "self": "<cycle: dict>"}
    assert answer.done["value"]["truncated"] is True
    assert "cycle" in answer.notes


def test_the_same_object_twice_is_no_cycle(py: Interpreter) -> None:
    assert py.run("a = [1]\n[a, a]").value == [[1], [1]]


def test_very_deep_values_are_cut_at_the_depth_cap(py: Interpreter) -> None:
    answer = py.run("x = []\nfor _ in range(5000):\n    x = [x]\nx")
    assert answer.json_text.count("[") == MAX_DEPTH
    assert "nested deeper" in answer.notes


def test_an_endless_generator_gives_its_first_items(py: Interpreter) -> None:
    answer = py.run("import itertools\nitertools.count()")
    assert answer.value == list(range(MAX_ITERATED))
    assert answer.done["value"]["truncated"] is True


def test_an_int_of_many_thousand_digits_keeps_them_all(py: Interpreter) -> None:
    answer = py.run("-7 ** 9000")
    text = answer.value
    limit = getattr(sys, "set_int_max_str_digits", None)
    if limit:
        limit(0)
    try:
        assert int(text) == -(7**9000)
    finally:
        if limit:
            limit(4300)


def test_a_huge_int_shows_its_size(py: Interpreter) -> None:
    answer = py.run("1 << 50_000_000")
    assert answer.value == "<int of 50000001 bits>"


def test_a_list_over_the_byte_cap_is_cut_and_the_note_says_where(py: Interpreter) -> None:
    answer = py.run("[{'id': i, 'name': 'user'} for i in range(5000)]", result_bytes=2000)
    assert len(answer.json_text) <= 2000
    rows = answer.value
    assert rows[0] == {"id": 0, "name": "user"}
    assert answer.done["value"]["truncated"] is True
    assert "of 5000 items of a list" in answer.notes


@pytest.mark.parametrize("budget", [100, 500, 1000, 4096])
@pytest.mark.parametrize(
    "value", ["é" * 9000, ["x" * 50] * 900, {str(n): {"k": "ü" * 20} for n in range(500)}, b"\0" * 9000, ["\x01\x02" * 400]]
)
def test_the_text_is_valid_json_within_the_budget(value: Any, budget: int) -> None:
    encoded = encode(value, budget)
    assert len(encoded.json) <= budget
    json.loads(encoded.json)
    assert encoded.truncated


HOSTILE = [
    "class A:\n    def __repr__(self): raise ValueError\nA()",
    "class A:\n    def __repr__(self): return 5\nA()",
    "class A(dict):\n    def items(self): raise ValueError\n    def __len__(self): raise ValueError\nA(a=1)",
    "class A(list):\n    def __iter__(self): raise ValueError\n    def __len__(self): return 10 ** 9\nA([1])",
    "class A(str):\n    def __str__(self): raise ValueError\n    def __len__(self): raise ValueError\nA('a')",
    "class A:\n    @property\n    def __class__(self): raise ValueError\nA()",
    "class A:\n    @property\n    def __dict__(self): raise ValueError\nA()",
    "class A:\n    def __next__(self): raise ValueError\n    def __iter__(self): return self\nA()",
    "class M(type):\n    @property\n    def __mro__(cls): raise ValueError\nclass A(metaclass=M): pass\nA()",
    "class M(type):\n    def __getattribute__(cls, n): raise ValueError\nclass A(metaclass=M): pass\nA()",
    "class K:\n    def __hash__(self): return 1\n    def __str__(self): raise ValueError\n    __repr__ = __str__\n{K(): 1}",
    "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\na = A(1)\ndel a.x\na",
]


@pytest.mark.parametrize("code", HOSTILE)
def test_hostile_classes_neither_break_nor_hang_the_encoder(py: Interpreter, code: str) -> None:
    answer = py.run(code)
    assert "error" not in answer.done
    json.loads(answer.json_text)


def test_subclasses_are_read_by_their_real_type(py: Interpreter) -> None:
    assert py.run("class A(dict):\n    def items(self): return [('evil', 1)]\nA(a=1)").value == {"a": 1}


def test_a_repr_that_never_returns_ends_in_a_timeout(py: Interpreter) -> None:
    code = "class A:\n    def __repr__(self):\n        while True: pass\nA()"
    answer = py.run(code, seconds=0.4)
    assert answer.error["code"] == "timeout"
    assert answer.json_text == ""


def test_a_big_table_is_encoded_whole(py: Interpreter) -> None:
    answer = py.run("[{'id': i, 'name': f'user{i}', 'score': i % 7} for i in range(20000)]")
    assert answer.value[19999] == {"id": 19999, "name": "user19999", "score": 0}
