"""What a call returns."""

import base64
import json
import pathlib
from typing import Any

import pytest

from ce_runtime.tooling.result import decode_result
from fake_host import Interpreter
from fake_tools import Failure, FakeTools, Parts

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40


def _answers(tools: FakeTools, value: Any) -> None:
    tools.servers["x"] = {"f": lambda positional, keyword: value}


def _part(kind: str, **fields: Any) -> Any:
    return {"type": kind, **fields}


PICTURE = _part("image", mimeType="image/png", data=base64.b64encode(PNG).decode())


@pytest.mark.parametrize(
    "value", [None, True, 0, -1.5, "", "text", [], {}, [{"a": [1, None]}], {"parts": [1]}, {"value": {"value": 2}}]
)
def test_json_values_come_as_they_are(py: Interpreter, tools: FakeTools, value: Any) -> None:
    _answers(tools, value)
    assert py.run("result = tools.x.f()", tools=True).value == value


def test_one_text_is_a_str_and_several_parts_are_a_list(py: Interpreter, tools: FakeTools) -> None:
    _answers(tools, Parts([_part("text", text="one")]))
    assert py.run("tools.x.f()", tools=True).value == "one"
    _answers(tools, Parts([_part("text", text="one"), _part("text", text="two"), PICTURE]))
    assert py.run("tools.x.f()", tools=True).value == [
        "one",
        "two",
        {"image": "image-1.png", "type": "image/png", "bytes": len(PNG)},
    ]
    _answers(tools, Parts())
    assert py.run("tools.x.f()", tools=True).value == []


def test_an_image_has_its_bytes_and_can_be_saved(py: Interpreter, tools: FakeTools, workspace: pathlib.Path) -> None:
    _answers(tools, Parts([PICTURE]))
    code = (
        "m = tools.x.f()\nprint(m)\n[m.mime_type, len(m.data), m.name, m.uri, m.save(), m.save('plots/one.png'), "
        "bytes(m) == m.data, len(m), isinstance(m, tools.Media)]"
    )
    for builtins in ("restricted", "strict"):
        answer = py.run(code, tools=True, builtins=builtins)
        size = len(PNG)
        assert answer.value == ["image/png", size, "image.png", None, "image.png", "plots/one.png", True, size, True]
        assert answer.output == "<Media image/png, %d bytes, name='image.png': .save(path), .data>\n" % size
        assert (workspace / "plots" / "one.png").read_bytes() == PNG == (workspace / "image.png").read_bytes()
    assert "outside the workspace" in py.run("tools.x.f().save('../x.png')", tools=True).error["message"]


def test_a_result_that_is_an_image_is_kept_to_be_shown(py: Interpreter, tools: FakeTools, workspace: pathlib.Path) -> None:
    _answers(tools, Parts([PICTURE]))
    answer = py.run("tools.x.f()", tools=True)
    assert answer.value == {"image": "image-1.png", "type": "image/png", "bytes": len(PNG)}
    assert answer.done["images"] == ["image-1.png"]
    assert (workspace / "image-1.png").read_bytes() == PNG


def test_other_media_are_told_by_type_and_size(py: Interpreter, tools: FakeTools) -> None:
    _answers(tools, Parts([_part("resource", uri="x://a", blob="AAAA", mimeType="audio/wav")]))
    assert py.run("tools.x.f()", tools=True).value == {"media": "audio/wav", "bytes": 3}


@pytest.mark.parametrize(
    ("part", "shown"),
    [
        (_part("resource", uri="file:///a/b%20c.txt", mimeType="text/plain", text="h\u00e9"), ["text/plain", "b%20c.txt", "h\u00e9"]),
        (_part("resource", uri="x://y", text="t"), ["text/plain", "y", "t"]),
        (_part("resource", uri="file:///d/a.json?x=1", blob="e30=", mimeType="application/json"), ["application/json", "a.json", "{}"]),
        (_part("resource", uri="///..", blob="e30="), ["application/octet-stream", "file.bin", "{}"]),
        (_part("audio", mimeType="audio/wav", data="e30="), ["audio/wav", "audio.wav", "{}"]),
        (_part("image", mimeType="image/unheard-of", data="e30="), ["image/unheard-of", "image.bin", "{}"]),
    ],
)  # fmt: skip
def test_embedded_resources_are_files_too(py: Interpreter, tools: FakeTools, part: Any, shown: Any) -> None:
    _answers(tools, Parts([part]))
    assert py.run("m = tools.x.f()\n[m.mime_type, m.name, m.text]", tools=True).value == shown


def test_a_link_to_a_resource_is_a_dict(py: Interpreter, tools: FakeTools) -> None:
    link = _part("resource_link", uri="file:///a", name="a")
    _answers(tools, Parts([link]))
    assert py.run("tools.x.f()", tools=True).value == link


def test_a_large_result_arrives_whole(py: Interpreter, tools: FakeTools) -> None:
    _answers(tools, [{"id": n, "text": "x" * 100} for n in range(100_000)])
    assert py.run("r = tools.x.f()\n[len(r), r[-1]['id']]", tools=True).value == [100_000, 99_999]


@pytest.mark.parametrize(
    "payload", [b'{"value":' + b"[" * 100_000 + b"]" * 100_000 + b"}", b"\xff", b"{", b"[]", b'{"parts":[{"type":"image"}]}']
)
def test_a_result_that_cannot_be_read_is_a_tool_error(py: Interpreter, tools: FakeTools, payload: bytes) -> None:
    _answers(tools, 1)
    tools.raw = payload
    error = py.run("tools.x.f()", tools=True).error
    assert (error["code"], error["type"]) == ("tool_failed", "ToolError")
    assert "the result of x.f cannot be read" in error["message"]


CODES = {
    "tool_failed": "ToolError",
    "tool_unavailable": "ToolUnavailable",
    "tool_unknown": "ToolNotFound",
    "tool_denied": "ToolDenied",
    "restore_denied": "RestoreDenied",
    "tool_needs_approval": "ToolNeedsApproval",
    "call_budget": "CallBudgetSpent",
    "bad_arguments": "ToolArgumentError",
    "something_new": "ToolError",
}


@pytest.mark.parametrize("code", CODES)
def test_a_failure_is_raised_by_its_code_and_can_be_caught(py: Interpreter, tools: FakeTools, code: str) -> None:
    def fail(positional: Any, keyword: Any) -> Any:
        raise Failure(code, "it went wrong", retryable=True, hint="try the other way")

    tools.servers["x"] = {"f": fail}
    source = (
        "from tools import ToolError\ntry:\n    tools.x.f()\nexcept ToolError as e:\n"
        "    x = [type(e).__name__, e.code, e.message, e.retryable, e.tool, e.hint, str(e)]\nx"
    )
    text = "it went wrong; try the other way"
    assert py.run(source, tools=True).value == [CODES[code], code, "it went wrong", True, "x.f", "try the other way", text]
    error = py.run("def g():\n    tools.x.f()\ng()", tools=True).error
    assert error["code"] == ("python_error" if code == "something_new" else code)
    assert (error["type"], error["message"], error["hint"]) == (CODES[code], "it went wrong", "try the other way")
    assert (error["line"], error["source"]) == (2, "tools.x.f()")
    assert error["traceback"].endswith("tools.%s: %s" % (CODES[code], text))
    assert "ce_runtime" not in error["traceback"]


def test_a_failure_without_advice_gets_one(py: Interpreter, tools: FakeTools) -> None:
    def fail(positional: Any, keyword: Any) -> Any:
        raise Failure("tool_failed", "it went wrong")

    tools.servers["x"] = {"f": fail}
    assert "except tools.ToolError" in py.run("tools.x.f()", tools=True).error["hint"]


def test_the_end_of_the_time_is_no_tool_error(py: Interpreter, tools: FakeTools) -> None:
    def late(positional: Any, keyword: Any) -> Any:
        raise Failure("timeout", "the run's time is over")

    tools.servers["x"] = {"f": late}
    error = py.run("try:\n    tools.x.f()\nexcept Exception:\n    pass", tools=True).error
    assert (error["code"], error["type"], error["line"]) == ("timeout", "TimeoutError", 2)


def test_printed_text_goes_out_before_each_call(py: Interpreter, tools: FakeTools) -> None:
    _answers(tools, 1)
    code = "for i in range(150):\n    print('.', end='')\n    tools.x.f()"
    kinds = [header["type"] for header, _payload in py.run(code, tools=True).frames]
    assert kinds == ["out", "call"] * 150


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ({"structured": {"a": 1}, "content": [{"type": "text", "text": "other"}]}, {"a": 1}),
        ({"content": []}, None),
        ({"content": [{"type": "text", "text": ' {"a": [1]} '}]}, {"a": [1]}),
        ({"content": [{"type": "text", "text": "{no json"}]}, "{no json"),
        ({"content": [{"type": "text", "text": "12"}]}, "12"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, ["a", "b"]),
        ({"content": [{"type": "odd"}]}, 'a part of the result has the unknown type "odd"'),
        ({"content": [7]}, "a part of the result has the unknown type null"),
    ],
)
def test_a_result_too_long_for_the_host_follows_the_same_rules(body: Any, value: Any) -> None:
    def save(name: str, data: bytes) -> str:
        raise AssertionError("nothing is saved")

    assert decode_result(json.dumps(body).encode(), "x.f", save) == value  # type: ignore[arg-type]


def test_a_file_in_a_result_too_long_for_the_host_is_an_object(py: Interpreter, tools: FakeTools) -> None:
    _answers(tools, None)
    resource = {"uri": "file:///reports/a.bin", "blob": base64.b64encode(PNG).decode()}
    tools.raw = json.dumps({"content": [_part("resource", resource=resource)]}).encode()
    assert py.run("f = tools.x.f()\n[f.name, f.mime_type, len(f.data)]", tools=True).value == [
        "a.bin",
        "application/octet-stream",
        len(PNG),
    ]
