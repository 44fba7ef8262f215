"""The table of ready names and how they get into ``__main__``."""

import collections
import datetime
import json
import math
import re
import statistics
from typing import Any, Callable, Dict, Optional

from ..notes import Notes
from ..output import Output
from ..tooling.module import Tools
from ..wire import progress_header
from . import data, files
from .tokens import Tokens

# Written as after `import datetime`; without it the name means the class.
_MODULE_STYLE = re.compile(r"\bdatetime\.(?:datetime|timedelta|timezone|date\.|date\(|time\(|UTC\b)")


class ReadyNames:
    """Binds the ready names that the session has not given another meaning."""

    def __init__(self, output: Output, notes: Notes, folder: files.WorkspaceFiles, tokens: Tokens) -> None:
        self._notes = notes
        self._output = output
        self._names: Dict[str, Any] = {
            "json": json,
            "re": re,
            "math": math,
            "statistics": statistics,
            "collections": collections,
            "datetime": datetime.datetime,
            "date": datetime.date,
            "timedelta": datetime.timedelta,
            "workspace": folder.folder,
            "read_file": folder.read_file,
            "write_file": folder.write_file,
            "list_files": folder.list_files,
            "delete_file": folder.delete_file,
            "filter_by_field": data.filter_by_field,
            "summarize_list": data.summarize_list,
            "aggregate_stats": data.aggregate_stats,
            "format_output": data.format_output,
            "tokenize_pii": tokens.tokenize_pii,
            "progress": self._make_progress(),
            "display": self._make_display(),
        }
        for value in self._names.values():
            _hide_origin(value)

    def bind(self, names: Dict[str, Any], code: str, tools: Optional[Tools], skills: Dict[str, Any]) -> None:
        """Adds what is missing, ``tools`` and ``skills`` only where there are some; picks the meaning of ``datetime`` that fits
        the code."""
        if tools is not None:
            names.setdefault("tools", tools)
        elif isinstance(names.get("tools"), Tools):
            del names["tools"]
        for name, value in (*self._names.items(), *skills.items()):
            names.setdefault(name, value)
        if names["datetime"] in (datetime, datetime.datetime):
            names["datetime"] = datetime if _MODULE_STYLE.search(code) else datetime.datetime

    def _make_progress(self) -> Callable[..., None]:
        output = self._output

        def progress(done: float, total: Optional[float] = None, message: Optional[str] = None) -> None:
            """Reports progress to the client: progress(3, 10, "page 3")."""
            whole = None if total is None else _number(total)
            output.send_now(progress_header(_number(done), whole, None if message is None else str(message)))

        return progress

    def _make_display(self) -> Callable[..., None]:
        def display(*values: Any, **_options: Any) -> None:
            """Prints the values, for code written for notebooks."""
            self._notes.add("display() works as print() here; end with the expression to return a value")
            for value in values:
                print(value)

        return display


def _hide_origin(value: Any) -> None:
    """repr(), help() and messages about wrong arguments show a function as if it were built in."""
    for part in (getattr(value, "__func__", value), type(getattr(value, "__self__", None))):
        if getattr(part, "__module__", "").startswith("ce_runtime."):
            part.__module__, part.__qualname__ = "builtins", part.__name__


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("progress takes finite numbers, not %r" % value)
    return int(number) if number.is_integer() else number
