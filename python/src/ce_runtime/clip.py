"""Cuts text to the caps of the wire, which count UTF-16 units."""


def clip(text: str, cap: int) -> str:
    """``text`` with at most ``cap`` UTF-16 units; the end is replaced by an ellipsis if it does not fit."""
    text = valid(text)
    if len(text) * 2 <= cap or utf16_units(text) <= cap:
        return text
    cut = text[: cap - 1]
    while utf16_units(cut) > cap - 1:
        cut = cut[: len(cut) - max(1, (utf16_units(cut) - cap + 2) // 2)]
    return cut + "…"


def clip_middle(text: str, cap: int) -> str:
    """Like :func:`clip`, but keeps the beginning and the end."""
    text = valid(text)
    if utf16_units(text) <= cap:
        return text
    gap = "\n  ... (shortened)\n"
    half = (cap - len(gap)) // 4
    return text[:half] + gap + text[-half:]


def valid(text: str) -> str:
    """``text`` with lone surrogates written out (``\\ud800``): nothing else in a str is no valid UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def utf16_units(text: str) -> int:
    """Length as JavaScript counts it."""
    if text.isascii():
        return len(text)
    return len(text) + sum(char > "\uffff" for char in text)
