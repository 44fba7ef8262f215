"""The ``>>>`` examples of a skill, run by the rules of doctest."""

from typing import Any, Dict, List

from .finder import SkillFinder
from .library import Source

_MESSAGE_CHARS = 1_500


class Examples:
    """Tests source text in place of the saved skill of that name."""

    def __init__(self, finder: SkillFinder) -> None:
        self._finder = finder

    def run(self, code: str, name: str) -> Dict[str, Any]:
        """Numbers of examples that passed and failed, and the first failure. Raises what importing the skill raises."""
        import doctest  # here, for it brings the debugger along: a megabyte in every worker

        failures: List[str] = []

        class Runner(doctest.DocTestRunner):
            """Keeps the failures as a few lines each."""

            def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
                failures.append(_told(test, example, "expected: %s\ngot: %s" % (_shown(example.want), _shown(got))))

            def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
                failures.append(_told(test, example, "raised %s: %s" % (exc_info[0].__name__, exc_info[1])))

        module = self._finder.load_text(Source(name, 0, code, ""))
        runner = Runner(verbose=False)
        for test in doctest.DocTestFinder().find(module, name):
            runner.run(test, out=_silent)
        outcome: Dict[str, Any] = {"passed": runner.tries - runner.failures, "failed": runner.failures}
        if failures:
            outcome["message"] = failures[0][:_MESSAGE_CHARS]
        return outcome


def _told(test: Any, example: Any, what: str) -> str:
    line = (test.lineno or 0) + example.lineno + 1
    return "line %d: >>> %s\n%s" % (line, example.source.strip(), what)


def _silent(_text: str) -> None:
    """doctest prints its reports; the outcome is all that counts here."""


def _shown(text: str) -> str:
    return text.strip() or "nothing"
