"""A call that is under way, and collecting several of them."""

from collections.abc import MappingView
from typing import Any, Callable, Generator, Iterator, List, Optional, Tuple

from ..notes import Notes
from .errors import ToolError

_SEVERAL: Any = (list, tuple, set, Iterator, MappingView)


class PendingCall:
    """What ``.later(...)`` gives: ``.result()``, ``await`` or ``tools.gather`` waits for the result."""

    __slots__ = ("__weakref__", "_collected", "_error", "_fetch", "_value", "name")

    def __init__(self, name: str, fetch: Callable[[], Any], collected: Callable[["PendingCall"], None]) -> None:
        self.name = name
        self._fetch: Optional[Callable[[], Any]] = fetch
        self._collected = collected
        self._value: Any = None
        self._error: Optional[ToolError] = None

    def result(self) -> Any:
        """Waits, and gives the result or raises the ToolError of the call; the same every time."""
        fetch = self._fetch
        if fetch is not None:
            try:
                self._value = fetch()
            except ToolError as error:
                self._error = error
            self._fetch = None
            self._collected(self)
        if self._error is not None:
            raise self._error
        return self._value

    def __await__(self) -> Generator[None, None, Any]:
        return self.result()
        yield

    def __repr__(self) -> str:
        if self._fetch is not None:
            return "<pending call %s: .result() or tools.gather(...) gives its result>" % self.name
        return "<pending call %s: %s>" % (self.name, "failed, %s" % self._error if self._error is not None else "done")


PendingCall.__module__ = "tools"


class Gather:
    """``tools.gather``."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def gather(self, *calls: Any, return_exceptions: bool = False) -> List[Any]:
        """Results of calls made with ``.later(...)``, in their order; takes a list of them as well.

        Waits for all of them. If some failed, the first error is raised, or with ``return_exceptions=True`` every error
        stands in the place of its result.
        """
        items = _items(calls)
        outcomes = [self._outcome(item) for item in items]
        errors = [value for failed, value in outcomes if failed]
        if errors and not return_exceptions:
            if len(items) > 1:
                self._notes.add(
                    "tools.gather: %d of %d calls failed and the first error was raised; "
                    "return_exceptions=True gives errors and results side by side" % (len(errors), len(items))
                )
            raise errors[0]
        return [value for _failed, value in outcomes]

    def _outcome(self, item: Any) -> Tuple[bool, Any]:
        if type(item) is PendingCall:
            try:
                return False, item.result()
            except ToolError as error:
                return True, error
        if callable(item) or hasattr(item, "__await__"):
            raise TypeError(
                "tools.gather takes calls made with .later(...), not %s: write tools.gather(tools.server.tool.later(...), ...)"
                % ("a coroutine (asyncio.gather takes those)" if hasattr(item, "__await__") else "a function that was not called")
            )
        self._notes.add(
            "tools.gather was given results: those calls ran one after the other; "
            "tools.server.tool.later(...) starts a call without waiting"
        )
        return False, item


def _items(calls: Tuple[Any, ...]) -> List[Any]:
    if len(calls) != 1 or isinstance(calls[0], (PendingCall, str, bytes)):
        return list(calls)
    only = calls[0]
    if isinstance(only, dict):
        if any(isinstance(value, PendingCall) for value in only.values()):
            raise TypeError("tools.gather takes calls or a list of them, not a dict: dict(zip(d, tools.gather(*d.values())))")
        return [only]
    return list(only) if isinstance(only, _SEVERAL) else [only]
