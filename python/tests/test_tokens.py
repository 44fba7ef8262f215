"""``tokenize_pii``: the host puts tokens in place of values."""

from conftest import Interpreter
from fake_tools import FakeTools


def test_the_text_comes_back_with_tokens(py: Interpreter, tools: FakeTools) -> None:
    assert py.run("tokenize_pii('to ann@x.test')").value == "to PIIEMAIL1"
    assert tools.asked == [("tokenise", "", {"text": "to ann@x.test"})]


def test_data_is_refused_with_the_way_to_do_it(py: Interpreter, tools: FakeTools) -> None:
    error = py.run("tokenize_pii({'to': 'ann@x.test'})").error
    assert error["type"] == "TypeError"
    assert error["message"] == ("tokenize_pii takes text, not dict; for data use json.loads(tokenize_pii(json.dumps(data)))")
    assert tools.asked == []


def test_with_privacy_off_it_says_so(py: Interpreter, tools: FakeTools) -> None:
    error = py.run("tokenize_pii('off')").error
    assert (error["message"], error["hint"]) == ("privacy is off", "tell the user")
