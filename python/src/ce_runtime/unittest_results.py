"""unittest records whatever a test raises and goes on; a refusal by the sandbox must not end as one failed test of many.

A test that failed after a refused call says nothing about the code under test, so the whole run ends with the refusal,
which names the next step.
"""

from typing import Any, Callable, List

#: The refusals of the test that runs now.
_of_this_test: List[BaseException] = []


def record(refusal: BaseException) -> None:
    """A call was refused."""
    del _of_this_test[8:]
    _of_this_test.append(refusal)


def patch_results(module: Any, replace: Callable[[Any, str, Any], None]) -> None:
    """Patches ``unittest.result`` by ``replace(owner, name, value)``."""
    result = module.TestResult
    replace(result, "startTest", _before(result.startTest, _of_this_test.clear))
    for name in ("addError", "addFailure", "addSubTest"):
        replace(result, name, _refusing(getattr(result, name), is_sub_test=name == "addSubTest"))


def _before(method: Any, action: Any) -> Any:
    def wrapped(self: Any, *args: Any) -> Any:
        action()
        return method(self, *args)

    return wrapped


def _refusing(method: Any, is_sub_test: bool) -> Any:
    def wrapped(self: Any, test: Any, *args: Any) -> Any:
        failed = not is_sub_test or args[-1] is not None
        if failed and _of_this_test:
            raise _of_this_test[0]
        return method(self, test, *args)

    return wrapped
