"""Limits of the interpreter and how a run ends."""

from typing import Optional

from .situation import Situation


def recursion(_error: BaseException, _situation: Situation) -> Optional[str]:
    return "the function calls itself without end, or deeper than about 1,000 levels: check its base case, or use a loop with a list as stack"


def memory(_error: BaseException, _situation: Situation) -> Optional[str]:
    # Whether memory_mb can be raised only the host knows; it adds that.
    return "work in parts (read files line by line, use generators, delete what is no longer needed)"


def runtime(error: BaseException, _situation: Situation) -> Optional[str]:
    text = str(error)
    if "changed size during iteration" in text or "mutated during iteration" in text:
        return "loop over a copy: for key in list(d)"
    if "can't start new thread" in text:
        return "there are no threads here: call the function directly"
    if "no running event loop" in text:
        return "call it inside an async function, or await it at the top level"
    if "coroutine" in text and "already" in text:
        return "a coroutine can be awaited once: call the function again"
    return None


def system_exit(error: BaseException, _situation: Situation) -> Optional[str]:
    if getattr(error, "code", None) == 2:
        return (
            "argparse found wrong arguments: there is no command line here, pass them as a list, parser.parse_args(['--n', '5'])"
        )
    return "leave out sys.exit(): the run ends with the last line, and errors can be raised"
