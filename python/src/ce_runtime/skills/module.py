"""The module ``skills`` itself."""

import importlib
import sys
import types
from typing import Any, Dict, Iterator, List

from ..report.hints.near import listed, near
from .errors import SkillError, SkillNotFound
from .examples import Examples
from .finder import PACKAGE, SkillFinder
from .functions import Functions
from .inspection import inspect_skill
from .library import Library
from .skill import Skill

_DOC = """Code that earlier runs have saved, as modules.

from skills import monthly_report                 import one; monthly_report(...) calls its main function
skills.monthly_report(...)                        the same without import
skills.search("report per month")                 find one; list_skills() shows all
help(skills.monthly_report)                       its functions
load_skill("monthly_report", version=1)           source text of a version
save_skill("name", code, "what it does and when to use it", overwrite=True)
"""


class Skills(types.ModuleType):
    """Its attributes are the names below, and every skill by its name."""

    def __init__(self, library: Library, finder: SkillFinder, functions: Functions) -> None:
        super().__init__(PACKAGE, _DOC)
        self.__path__: List[str] = []  # a package: `from skills.monthly_report import main`
        self.__library = library
        self.__finder = finder
        own: Dict[str, Any] = {
            "search": functions.search,
            "load_skill": functions.load_skill,
            "list_skills": functions.list_skills,
            "save_skill": functions.save_skill,
            "SkillError": SkillError,
            "SkillNotFound": SkillNotFound,
            # What the host itself runs: of names like these no skill can be.
            "__inspect__": inspect_skill,
            "__examples__": Examples(finder).run,
        }
        self.__own = frozenset(own)
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        # The import system asks whether there is an attribute before it imports: with `no`, it reports a failure as it is.
        if name.startswith("__") or sys._getframe(1).f_code.co_filename.startswith("<frozen importlib"):
            raise AttributeError("module 'skills' has no attribute %r" % name)
        try:
            return self[name]
        except SkillNotFound as error:
            close = near(name, self.__own)
            text = "skills has the function %s; or a skill? %s" % (listed(close), error) if close else str(error)
            raise AttributeError(text) from None

    def __setattr__(self, name: str, value: Any) -> None:
        """A skill named like one of the functions does not take its place: ``skills["search"]`` gives it."""
        if isinstance(value, Skill) and name in self.__own:
            return
        super().__setattr__(name, value)

    def __getitem__(self, name: str) -> Any:
        wanted = name.replace("-", "_")
        if not wanted.isidentifier():
            raise SkillNotFound("%r is no name of a skill: it has letters, digits and underscores" % name, code="bad_name")
        self.__finder.check_import(PACKAGE, [wanted])
        try:
            return importlib.import_module("%s.%s" % (PACKAGE, wanted))
        except ModuleNotFoundError as error:
            if error.name != wanted:
                raise
            raise SkillNotFound(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.__library.names())

    def __len__(self) -> int:
        return len(self.__library.names())

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.replace("-", "_") in self.__library.names()

    def __dir__(self) -> List[str]:
        return sorted({name for name in self.__own if not name.startswith("_")} | set(self.__library.names()))

    def __repr__(self) -> str:
        try:
            names = self.__library.names()
        except SkillError as error:
            return "<skills: not known now, %s>" % error
        return "<skills: %s>" % (", ".join(names[:20]) + ("" if len(names) <= 20 else ", and %d more" % (len(names) - 20)))

    def __help__(self) -> str:
        return "%s\n%r" % (_DOC, self)


Skills.__module__ = "skills"
