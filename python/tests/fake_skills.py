"""The host's side of skills, in memory."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Tuple

from fake_failure import Failure


@dataclass
class FakeSkills:
    """``versions[name]`` holds the texts of a skill, the first version first; saving adds one."""

    versions: Dict[str, List[str]] = field(default_factory=dict)
    entries: Dict[str, str] = field(default_factory=dict)
    saved: List[Tuple[str, Dict[str, Any]]] = field(default_factory=list)
    sources_asked: List[str] = field(default_factory=list)

    def source(self, name: str, body: Dict[str, Any]) -> Any:
        self.sources_asked.append(name)
        bare = name.replace("-", "_")
        texts = self.versions.get(bare)
        if texts is None:
            raise Failure("not_found", "there is no skill %r" % name, hint="did you mean monthly_report?")
        version = body.get("version", len(texts))
        if not 1 <= version <= len(texts):
            raise Failure("not_found", "%s has no version %d" % (bare, version), hint="it has 1 to %d" % len(texts))
        return {"name": bare, "version": version, "code": texts[version - 1], "entry": self.entries.get(bare, "")}

    def listing(self, body: Dict[str, Any]) -> Any:
        if body.get("names"):
            return sorted(self.versions)
        return [{"name": name, "description": str(body["query"])} for name in sorted(self.versions)][: body["limit"]]

    def save(self, name: str, body: Dict[str, Any]) -> Any:
        self.saved.append((name, body))
        if body["code"] == "refused":
            raise Failure("syntax_error", "line 1: invalid syntax", hint="mend it")
        self.versions.setdefault(name, []).append(body["code"])
        return {"name": name, "version": len(self.versions[name])}
