"""``load_skill``, ``list_skills``, ``save_skill``: ready names, and functions of ``skills``."""

import inspect
import sys
import textwrap
from typing import Any, Callable, Dict, Iterable, List, Optional, Union

from .errors import SkillError
from .finder import PACKAGE
from .library import Library

#: Longest source text of a skill in bytes; the host checks again.
MAX_SKILL_BYTES = 256 * 1024
_MAX_LISTED = 1_000


class Functions:
    """The functions over the host's shelf."""

    def __init__(self, library: Library, forget: Callable[[str], None]) -> None:
        self._library = library
        self._forget = forget

    def load_skill(self, name: str, version: Optional[int] = None) -> str:
        """The source text of a saved skill, for exec() or to read; `from skills import NAME` imports it."""
        if not isinstance(name, str) or not isinstance(version, (int, type(None))):
            raise SkillError('load_skill takes a name and a version number: load_skill("monthly_report", version=2)')
        return self._library.source(name, version).code

    def list_skills(self, query: Optional[str] = None, limit: int = 100) -> List[Dict[str, Any]]:
        """Saved skills as dicts with name, description, signature, version, uses; the best first for a query."""
        if not isinstance(query, (str, type(None))) or type(limit) is not int:
            raise SkillError("list_skills takes a query (text) and a limit (int)")
        return self._library.found(query, max(1, min(limit, _MAX_LISTED)))

    def search(self, query: str, limit: int = 5) -> List[Dict[str, Any]]:
        """Skills that fit the words of ``query``, the best first."""
        return self.list_skills(query, limit)

    def save_skill(
        self,
        name: str,
        code: Union[str, Callable[..., Any]],
        description: str = "",
        tags: Union[str, Iterable[str]] = (),
        overwrite: bool = False,
        test: bool = False,
    ) -> Dict[str, Any]:
        """Keeps code for later runs: its source text, or a function. test=True runs its >>> examples before."""
        text = code if isinstance(code, str) else _source_of(code)
        words = [tags] if isinstance(tags, str) else list(tags)
        if not isinstance(name, str) or not isinstance(description, str) or not all(isinstance(word, str) for word in words):
            raise SkillError("save_skill takes texts: save_skill(name, code, description, tags=[...])")
        if len(text) > MAX_SKILL_BYTES:
            raise SkillError(
                "the code has %d characters; the most is %d bytes" % (len(text), MAX_SKILL_BYTES),
                code="too_large",
                hint="keep data in workspace files and let the skill read them",
            )
        draft = {"code": text, "description": description, "tags": words, "overwrite": bool(overwrite), "test": bool(test)}
        saved = self._library.save(name, draft)
        self._forget(saved["name"])
        return saved


for _function in (Functions.load_skill, Functions.list_skills, Functions.search, Functions.save_skill):
    _function.__module__, _function.__qualname__ = PACKAGE, _function.__name__  # what messages and help() show


def forget_module(name: str) -> None:
    """The next import of the skill reads it anew."""
    module = sys.modules.pop("%s.%s" % (PACKAGE, name), None)
    package = sys.modules.get(PACKAGE)
    if package is not None and module is not None and package.__dict__.get(name) is module:
        del package.__dict__[name]


def _source_of(code: Any) -> str:
    """The text of a function or class that the run has defined."""
    try:
        return textwrap.dedent(inspect.getsource(code))
    except (OSError, TypeError):
        raise SkillError(
            "save_skill needs source text, and there is none for %s" % type(code).__name__,
            hint="pass the code as a string",
        ) from None
