"""Characters that word processors and chats put in place of ASCII ones."""

from typing import Dict, List, Optional, Tuple

_QUOTES = {"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u00ab": '"', "\u00bb": '"', "\u2033": '"',
           "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u2032": "'", "\u00b4": "'"}  # fmt: skip
_SPACES = dict.fromkeys("\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " ")
_NOTHING = dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\xad\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069", "")
_DASHES = {"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-"}
_OPERATORS = {"\u00d7": "*", "\u00f7": "/", "\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u2192": "->", "\u2026": "..."}
_FULL_WIDTH = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_CJK = {"\u3001": ",", "\u3002": ".", "\u3010": "[", "\u3011": "]", "\u300c": '"', "\u300d": '"'}

_KINDS: Tuple[Tuple[str, Dict[str, str]], ...] = (
    ("typographic quotes", _QUOTES),
    ("non-breaking and other special spaces", _SPACES),
    ("invisible characters", _NOTHING),
    ("typographic dashes", _DASHES),
    ("mathematical operators", _OPERATORS),
    ("full-width punctuation", {**_FULL_WIDTH, **_CJK}),
)


def normalise_typography(text: str) -> Optional[Tuple[str, str]]:
    """Replaces them where they stand for syntax: all quotes, and everything else outside ordinary strings."""
    if text.isascii():
        return None
    table: Dict[str, str] = {}
    found: List[str] = []
    for kind, replacements in _KINDS:
        seen = sorted({char for char in text if char in replacements})
        if seen:
            found.append("%s (%s)" % (kind, ", ".join("U+%04X" % ord(char) for char in seen[:4])))
            table.update(replacements)
    if not found:
        return None
    changed = _translate_outside_strings(text, table)
    if changed == text:
        return None
    return changed, "replaced %s by plain ASCII" % ", ".join(found)


def _translate_outside_strings(text: str, table: Dict[str, str]) -> str:
    """Copies strings in ASCII quotes as they are; a curly quote that opens a string closes at its partner."""
    out: List[str] = []
    position, size = 0, len(text)
    while position < size:
        char = text[position]
        if char == "#":
            end = text.find("\n", position)
            end = size if end < 0 else end
            out.append(text[position:end])
            position = end
        elif char in "\"'":
            end = _quoted_end(text, position)
            out.append(text[position:end])
            position = end
        else:
            out.append(table.get(char, char))
            if _QUOTES.get(char):
                closing = _curly_end(text, position)
                if closing is not None:
                    body = text[position + 1 : closing]
                    quote = _QUOTES[char]
                    out.append(body.replace(quote, "\\" + quote))
                    out.append(quote)
                    position = closing
            position += 1
    return "".join(out)


def _quoted_end(text: str, start: int) -> int:
    quote = text[start : start + 3] if text.startswith(('"""', "'''"), start) else text[start]
    position = start + len(quote)
    while position < len(text):
        if text[position] == "\\":
            position += 2
        elif text.startswith(quote, position):
            return position + len(quote)
        elif text[position] == "\n" and len(quote) == 1:
            return start + 1  # not a string after all
        else:
            position += 1
    return start + len(quote)


def _curly_end(text: str, start: int) -> Optional[int]:
    """Where the string that a typographic quote opens ends on the same line: the next one of that kind."""
    kind = _QUOTES[text[start]]
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    for position in range(start + 1, end):
        if _QUOTES.get(text[position]) == kind or (text[position] == kind and kind == '"'):
            return position
    return None
