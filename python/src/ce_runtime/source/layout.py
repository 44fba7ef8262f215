"""Common indentation and interpreter prompts."""

import re
import textwrap
from typing import Optional, Tuple

_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.|In \[\d*\]:|   \.\.\.:) ?")


def dedent(text: str) -> Optional[Tuple[str, str]]:
    """Removes the indentation that all lines share, or that only the first line lacks or has."""
    shorter = textwrap.dedent(text)
    if shorter == text:
        return None
    return shorter, "the indentation that all lines had in common was removed"


def strip_prompts(text: str) -> Optional[Tuple[str, str]]:
    """Keeps the input lines of a copied interpreter session (``>>> x``), drops its output."""
    lines = text.split("\n")
    if not any(re.match(r"^[ \t]*(?:>>>|In \[\d*\]:)", line) for line in lines):
        return None
    kept = [_PROMPT.sub("", line) if _PROMPT.match(line) else "" for line in lines]
    return "\n".join(kept), "the interpreter prompts (>>>) were removed, and lines without one were taken as output"
