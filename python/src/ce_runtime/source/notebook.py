"""Notebook lines: ``%magic``, ``%%cell``, ``!shell``, ``?help``."""

import re
from typing import List, Optional, Tuple

_MAGIC = re.compile(r"^\s*%{1,2}[A-Za-z]")
_ASSIGNED = re.compile(r"^(\s*[A-Za-z_][\w, ]*=\s*)[!%]\s*[A-Za-z]")
_SHELL = re.compile(r"^\s*!{1,2}\s*[\w./~$-]")
_HELP = re.compile(r"^\s*(?:\?{1,2}\s*[\w.]+|[\w.]+\?{1,2})\s*$")
_BARE_INSTALL = re.compile(r"^\s*(?:pip3?|conda|python3? -m pip|apt(?:-get)?) +install\b")


def strip_notebook_lines(text: str) -> Optional[Tuple[str, str]]:
    """Replaces notebook-only lines by ``pass``; strings cannot be hit, for the caller only asks when parsing fails
    and the lines inside triple quotes are left alone."""
    lines = text.split("\n")
    inside = _lines_inside_strings(lines)
    dropped: List[str] = []
    for index, line in enumerate(lines):
        if index in inside:
            continue
        if _MAGIC.match(line) or _SHELL.match(line) or _HELP.match(line) or _BARE_INSTALL.match(line):
            dropped.append(line.strip())
            lines[index] = _pass_for(line)
        else:
            assigned = _ASSIGNED.match(line)
            if assigned:
                dropped.append(line.strip())
                lines[index] = assigned.group(1) + "None"
    if not dropped:
        return None
    return "\n".join(lines), _note(dropped)


def _pass_for(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    return indent + "pass" if indent else ""


def _note(dropped: List[str]) -> str:
    shown = ", ".join("`%s`" % line[:60] for line in dropped[:3])
    if len(dropped) > 3:
        shown += " and %d more" % (len(dropped) - 3)
    note = "skipped %s: this is plain Python, not IPython/Jupyter (no %%magics, no !shell)" % shown
    joined = "\n".join(dropped)
    if re.search(r"\binstall\b", joined):
        note += "; pip install is not available: packages cannot be installed here, use the standard library"
    elif any(line.startswith("!") for line in dropped):
        note += "; for files use os.listdir() or list_files(), open() and pathlib"
    return note


def _lines_inside_strings(lines: List[str]) -> "set[int]":
    """Numbers of the lines that begin inside a triple-quoted string (by counting quotes: the text does not parse)."""
    inside = set()
    quote = ""
    for index, line in enumerate(lines):
        if quote:
            inside.add(index)
        position = 0
        while position < len(line):
            if quote:
                end = line.find(quote, position)
                if end < 0:
                    break
                quote, position = "", end + 3
            elif line[position] == "#":
                break
            elif line.startswith(('"""', "'''"), position):
                quote, position = line[position : position + 3], position + 3
            elif line[position] in "\"'":
                end = _string_end(line, position)
                position = end
            else:
                position += 1
    return inside


def _string_end(line: str, start: int) -> int:
    position = start + 1
    while position < len(line):
        if line[position] == "\\":
            position += 2
        elif line[position] == line[start]:
            return position + 1
        else:
            position += 1
    return position
