"""The host's shelf of skills, asked over the channel."""

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ..clip import clip, utf16_units
from ..tooling.calls import Calls
from ..wire import NAME_UNITS, dump
from .errors import SkillError, SkillNotFound, skill_failure

_decode = json.JSONDecoder().decode
_LISTED = 5_000


@dataclass(frozen=True)
class Source:
    """The text of one version of a skill."""

    name: str
    version: int
    code: str
    #: The function that stands for the whole skill; empty if the host knows none.
    entry: str


class Library:
    """Questions about skills."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._names: Optional[Tuple[str, ...]] = None

    def begin(self) -> None:
        """A new run: skills may have come and gone."""
        self._names = None

    def source(self, name: str, version: Optional[int] = None) -> Source:
        """Raises SkillNotFound."""
        found = self._ask("skill", name, {} if version is None else {"version": version})
        return Source(found["name"], found["version"], found["code"], found["entry"])

    def found(self, query: Optional[str], limit: int) -> List[Dict[str, Any]]:
        """Skills that fit ``query``, the best first; all by name without one."""
        skills: List[Dict[str, Any]] = self._ask("skills", "", {"query": query, "limit": limit})
        return skills

    def names(self) -> Tuple[str, ...]:
        """All skills in Python spelling; the host is asked once a run. Raises SkillError."""
        if self._names is None:
            self._names = tuple(self._ask("skills", "", {"names": True, "limit": _LISTED}))
        return self._names

    def save(self, name: str, draft: Mapping[str, Any]) -> Dict[str, Any]:
        """What became of it. Raises SkillError."""
        self._names = None
        saved: Dict[str, Any] = self._ask("save_skill", name, draft)
        return saved

    def _ask(self, op: str, name: str, body: Mapping[str, Any]) -> Any:
        if len(name) > 128 and utf16_units(name) > NAME_UNITS:
            raise SkillNotFound("there is no skill with a name of %d characters" % len(name), code="bad_name")
        head, data = self._calls.ask(op, name, dump(body))
        if not head["ok"]:
            raise skill_failure(head)
        try:
            return _decode(data.decode("utf-8"))["value"]
        except (ValueError, KeyError, RecursionError) as error:
            raise SkillError("the answer about the skill %s cannot be read: %s" % (clip(name, 100), error)) from None
