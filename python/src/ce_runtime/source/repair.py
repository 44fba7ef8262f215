"""Parses the code as it is; only if that fails, tries the repairs one after the other.

Repairs keep the number of every line, so that errors point at the lines that the model wrote. Each one that was
needed leaves a note. If none helps, the error is that of the text as it was.
"""

import ast
from typing import Callable, List, Optional, Tuple

from .fences import strip_fences
from .layout import dedent, strip_prompts
from .notebook import strip_notebook_lines
from .typography import normalise_typography

#: Takes the text; gives the new text and a note, or None if there is nothing to do.
Repair = Callable[[str], Optional[Tuple[str, str]]]

_REPAIRS: Tuple[Repair, ...] = (strip_fences, strip_prompts, dedent, normalise_typography, strip_notebook_lines)


def parse_repaired(code: str, file: str, notes: List[str]) -> Tuple[ast.Module, str]:
    """The tree and the text that it was made of. Raises SyntaxError."""
    text = _plain(code, file)
    first = _try_parse(text, file)
    if isinstance(first, ast.Module):
        return first, text
    outcome = _apply(text, file)
    if outcome is None:
        raise first
    tree, repaired, used = outcome
    notes.extend(used)
    return tree, repaired


def _apply(text: str, file: str) -> Optional[Tuple[ast.Module, str, List[str]]]:
    """Each repair on top of the former ones that changed something, until the text parses."""
    used: List[str] = []
    for _ in range(2):  # a fence may hide prompts, and the other way round
        for repair in _REPAIRS:
            changed = repair(text)
            if changed is None:
                continue
            text = changed[0]
            if changed[1] not in used:
                used.append(changed[1])
            parsed = _try_parse(text, file)
            if isinstance(parsed, ast.Module):
                return parsed, text, used
    return None


def _try_parse(text: str, file: str) -> "ast.Module | SyntaxError":
    try:
        return ast.parse(text, file)
    except SyntaxError as error:
        return error.with_traceback(None)
    except (RecursionError, MemoryError):
        return SyntaxError("the code is nested too deeply to be compiled", (file, 1, 1, ""))
    except (ValueError, OverflowError) as error:
        return SyntaxError(str(error), (file, 1, 1, ""))


def _plain(code: str, file: str) -> str:
    """The text without what no parser takes; a clear SyntaxError for what cannot be dropped silently."""
    text = code[1:] if code.startswith("\ufeff") else code
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    if not text.isascii() or "\0" in text:
        for number, line in enumerate(text.split("\n"), 1):
            for column, char in enumerate(line, 1):
                if char == "\0":
                    raise SyntaxError("the code contains a NUL character (U+0000); remove it", (file, number, column, None))
                if "\ud800" <= char <= "\udfff":
                    message = (
                        "the code contains half a character (lone surrogate U+%04X); write the whole character or an escape"
                        % ord(char)
                    )
                    raise SyntaxError(message, (file, number, column, None))
    return text
