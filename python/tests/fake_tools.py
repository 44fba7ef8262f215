"""The host's side of tool calls, in memory."""

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Tuple

from fake_failure import Failure
from fake_skills import FakeSkills

_dumps, _loads = json.dumps, json.loads


class Parts(List[Any]):
    """Makes a fake tool answer with several parts or media."""


Call = Tuple[int, str, str, Any]


@dataclass
class FakeTools:
    """``servers[server][tool]`` is a function of (positional, keyword). Waiting calls are answered first come first served,
    or the last one first."""

    servers: Dict[str, Dict[str, Callable[[List[Any], Dict[str, Any]], Any]]] = field(default_factory=dict)
    last_first: bool = False
    asked: List[Tuple[str, str, Any]] = field(default_factory=list)
    waiting: List[Call] = field(default_factory=list)
    most_waiting: int = 0
    raw: Optional[bytes] = None
    skills: FakeSkills = field(default_factory=FakeSkills)

    def take(self, head: Dict[str, Any], payload: bytes) -> None:
        assert set(head) == {"type", "id", "op", "name"}, head
        assert len(head["name"].encode("utf-16-le", "surrogatepass")) <= 1024
        body = _loads(payload)
        self.asked.append((head["op"], head["name"], body))
        self.waiting.append((head["id"], head["op"], head["name"], body))
        self.most_waiting = max(self.most_waiting, len(self.waiting))

    def answer(self) -> Tuple[str, bytes]:
        assert self.waiting, "the code waits for a reply to nothing"
        number, op, name, body = self.waiting.pop(-1 if self.last_first else 0)
        head: Dict[str, Any] = {"type": "reply", "id": number, "ok": True}
        try:
            value = getattr(self, "_" + op)(name, body)
        except Failure as failure:
            return _dumps({**head, "ok": False, "tool": name, **failure.fields}), b""
        if self.raw is not None:
            return _dumps(head), self.raw
        content = {"parts": value} if isinstance(value, Parts) else {"value": value}
        return _dumps(head), _dumps(content).encode()

    def names_asked(self) -> List[str]:
        return [name for op, name, _body in self.asked if op == "names"]

    def _tool(self, name: str, body: Any) -> Any:
        server, _, tool = name.partition(".")
        function = self.servers.get(server, {}).get(tool)
        if function is None:
            raise Failure("tool_unknown", "there is no tool %s" % name, hint="did you mean 'github.list_issues'?")
        return function(body["positional"], body["keyword"])

    def _search(self, name: str, body: Any) -> Any:
        return [{"name": "github.list_issues", "signature": "list_issues(repo: str)", "description": body["query"]}]

    def _describe(self, name: str, body: Any) -> Any:
        return "%s(repo: str)\n\nAbout %s." % (name.rpartition(".")[2], name)

    def _skill(self, name: str, body: Any) -> Any:
        return self.skills.source(name, body)

    def _skills(self, name: str, body: Any) -> Any:
        return self.skills.listing(body)

    def _save_skill(self, name: str, body: Any) -> Any:
        return self.skills.save(name, body)

    def _tokenise(self, name: str, body: Any) -> Any:
        if "off" in body["text"]:
            raise Failure("config_error", "privacy is off", hint="tell the user")
        return body["text"].replace("ann@x.test", "PIIEMAIL1")

    def _names(self, name: str, body: Any) -> Any:
        if not name:
            return list(self.servers)
        if name not in self.servers:
            raise Failure("tool_unknown", "there is no server %s" % name)
        return list(self.servers[name])
