"""Code that does not compile."""

import re
from typing import Optional

from .situation import Situation

_OTHER_LANGUAGES = (
    (r"^\s*(?:const|let|var)\s+\w+\s*=|console\.log|=>\s*\{|^\s*function\s+\w+\s*\(", "JavaScript"),
    (r"^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE)\b[^=]*\b(?:FROM|INTO|SET|TABLE)\b", "SQL (run it with sqlite3)"),
    (r"^\s*<(?:!doctype|html|div|script|\?xml)", "HTML or XML"),
    (r"^\s*(?:#!/bin/(?:ba)?sh|sudo |apt-get |cd |ls -|echo |export \w+=)", "a shell script"),
)


def tabs(_error: BaseException, _situation: Situation) -> Optional[str]:
    return "tabs and spaces are mixed in the indentation: use 4 spaces for each level"


def indentation(_error: BaseException, _situation: Situation) -> Optional[str]:
    return "check the indentation of this line against the lines above: 4 spaces for each level, no tabs"


def syntax_error(error: BaseException, situation: Situation) -> Optional[str]:
    text = str(getattr(error, "msg", error))
    code = situation.request.code
    if "'await' outside" in text or "asynchronous comprehension outside" in text or "'async " in text:
        return "make the function `async def`; at the top level `await` works as it is"
    if "'yield' outside" in text:
        return "`yield` only works inside a function"
    if "NUL" in text or "surrogate" in text:
        return "send the code as plain UTF-8 text"
    if "invalid character" in text or "invalid non-printable character" in text:
        return "replace the character by its ASCII one: straight quotes, plain spaces, - and commas"
    for pattern, language in _OTHER_LANGUAGES:
        if re.search(pattern, code, re.MULTILINE | re.IGNORECASE if "SQL" in language else re.MULTILINE):
            return "this looks like %s; execute_code takes Python" % language
    if "unterminated" in text or "EOF" in text or "was never closed" in text:
        return "a quote or bracket is not closed, or the code was cut off: send it whole, or split it over several calls of a `session`"
    if re.search(r"^\s*[%!]", code, re.MULTILINE):
        return "notebook lines (%magic, !shell) are not Python: leave them out"
    if "```" in code:
        return "send plain Python without markdown fences"
    if "nested too deeply" in text:
        return "put large data into a file in the workspace and read it there"
    return None
