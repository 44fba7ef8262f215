"""Tokens in place of personal data, made by the host."""

import json
from typing import Any

from ..tooling.calls import Calls
from ..tooling.errors import ToolError
from ..wire import dump

_decode = json.JSONDecoder().decode
#: Bytes of JSON that one request may have.
_MOST = 16 * 1024 * 1024


class Tokens:
    """Asks the host, which alone knows values and tokens. There is no way back: code cannot turn a token into a value."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def tokenize_pii(self, text: str) -> str:
        """The text with a token in place of every e-mail address, phone, name, card, secret and so on."""
        if not isinstance(text, str):
            raise TypeError(
                "tokenize_pii takes text, not %s; for data use json.loads(tokenize_pii(json.dumps(data)))" % type(text).__name__
            )
        payload = dump({"text": text})
        if len(payload) > _MOST:
            raise ValueError("tokenize_pii takes at most 16 MB of text; pass it in parts that end with a line")
        head, data = self._calls.ask("tokenise", "", payload)
        if not head["ok"]:
            raise ToolError(head["message"], code=head["code"], tool="tokenize_pii", hint=head.get("hint"))
        tokens: Any = _decode(data.decode("utf-8"))["value"]
        return str(tokens)
