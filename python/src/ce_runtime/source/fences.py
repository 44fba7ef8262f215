"""Markdown fences around the code."""

import re
from typing import Optional, Tuple

_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*([\w+.-]*)[^\n`]*$")


def strip_fences(text: str) -> Optional[Tuple[str, str]]:
    """Keeps what stands inside the fences (all blocks, if there are several), or drops a stray fence."""
    lines = text.split("\n")
    fences = [index for index, line in enumerate(lines) if _FENCE.match(line)]
    if not fences:
        return None
    if len(fences) >= 2:
        kept = [""] * len(lines)
        for start, end in zip(fences[::2], [*fences[1::2], len(lines)]):
            kept[start + 1 : end] = lines[start + 1 : end]
    else:
        kept = list(lines)
        kept[fences[0]] = ""
    return "\n".join(kept), "the markdown fence (```) around the code was removed; send plain Python without it"
