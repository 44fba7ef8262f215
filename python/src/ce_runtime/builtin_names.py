"""The built-in functions that behave differently in the sandbox, and what strict mode takes away.

The standard library sees the same builtins module, so that ``unittest.mock.patch("builtins.open")`` works; only
functions that it never calls are replaced there.
"""

import builtins
import sys
from typing import Any, Callable, Dict, Optional

from .denied import NO_DEBUGGER, DeniedCall
from .plain_await import AWAIT_HELPER

_real_input = builtins.input
_HELP_CHARS = 4_000
_STRICT_REMOVED = ("eval", "exec", "compile", "open", "globals", "locals", "vars")
_INPUT = (
    "input() is not available: the code runs without a person at a keyboard (no interactive stdin); "
    "pass values with context_vars or write them into the code"
)


def install_builtins(import_function: Callable[..., Any], empty_stdin: Any, awaitable: Callable[[Any], Any]) -> None:
    """Before each run: puts our functions into the builtins module, and the real ones back that the runtime needs."""
    builtins.__dict__.update(_ALWAYS)
    builtins.__import__ = import_function
    setattr(builtins, AWAIT_HELPER, awaitable)
    builtins.input = _input_for(empty_stdin)


def strict_builtins(import_function: Callable[..., Any]) -> Dict[str, Any]:
    """The ``__builtins__`` of user code in strict mode."""
    names = {name: value for name, value in vars(builtins).items() if name not in _STRICT_REMOVED}
    for name in _STRICT_REMOVED:
        names[name] = _removed(name)
    names["__import__"] = import_function
    return names


def _exit_named(name: str) -> Callable[..., Any]:
    def leave(code: Any = None) -> None:
        raise SystemExit(code)

    leave.__name__ = leave.__qualname__ = name
    return leave


def _input_for(empty_stdin: Any) -> Callable[..., str]:
    def input(prompt: object = "") -> str:
        if sys.stdin is not empty_stdin and sys.stdin is not None:
            return _real_input(prompt)  # code has put text of its own there
        raise EOFError(_INPUT)

    return input


def _breakpoint(*_args: Any, **_options: Any) -> None:
    raise DeniedCall("breakpoint() is not available: %s" % NO_DEBUGGER)


def _help(*args: Any) -> None:
    if not args:
        raise RuntimeError(
            "help() without an argument is interactive and not available; use help(object) or print(object.__doc__)"
        )
    own = getattr(type(args[0]), "__help__", None)  # tools, which pydoc would take for instances of some class
    if own is not None:
        print(own(args[0])[:_HELP_CHARS])
        return
    import pydoc

    print(pydoc.render_doc(args[0], "%s", renderer=getattr(pydoc, "plaintext")).strip()[:_HELP_CHARS])


def _unavailable(name: str) -> Callable[..., Any]:
    def refuse(*_args: Any) -> None:
        raise RuntimeError("%s() is interactive and not available here" % name)

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


def _removed(name: str) -> Callable[..., Any]:
    files = "; use read_file and write_file" if name == "open" else ""

    def refuse(*_args: Any, **_options: Any) -> None:
        raise NameError("%s() is not available in strict mode%s" % (name, files))

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


_OURS = ("input", "breakpoint", "exit", "quit", "help", "license", "copyright", "credits", "__import__", "_", "__debug__")
#: The real ones, and those of ours that are the same for every run.
_ALWAYS: Dict[str, Optional[Any]] = {name: value for name, value in vars(builtins).items() if name not in _OURS}
_ALWAYS.update({name: _exit_named(name) for name in ("exit", "quit")})
_ALWAYS.update({name: _unavailable(name) for name in ("license", "copyright", "credits")})
_ALWAYS.update({"breakpoint": _breakpoint, "help": _help})
