"""The nearest valid name."""

import difflib
from typing import Dict, Iterable, List


def near(word: str, candidates: Iterable[str], count: int = 3) -> List[str]:
    """Candidates that differ from ``word`` by case, space or a few letters, the closest first."""
    folded: Dict[str, str] = {}
    for candidate in list(candidates)[:5_000]:
        folded.setdefault(_fold(candidate), candidate)
    exact = folded.get(_fold(word))
    close = [folded[match] for match in difflib.get_close_matches(_fold(word), folded, count, 0.72)]
    if exact is not None and exact not in close:
        close.insert(0, exact)
    return close[:count]


def listed(items: Iterable[str], count: int = 12) -> str:
    """``'a', 'b' and 3 more``."""
    values = [repr(item) for item in items]
    shown = ", ".join(values[:count])
    return shown if len(values) <= count else "%s and %d more" % (shown, len(values) - count)


def _fold(text: str) -> str:
    return text.strip().strip("\ufeff").casefold().replace("_", "").replace("-", "").replace(" ", "")
