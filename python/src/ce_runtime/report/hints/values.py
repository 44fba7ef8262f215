"""Values that a function does not take."""

import re
from typing import Any, Optional

from .operations import COROUTINE
from .situation import Situation


def json_decode(error: BaseException, _situation: Situation) -> Optional[str]:
    failed: Any = error
    text = getattr(failed, "doc", None)
    if not isinstance(text, str):
        return None
    start = text.lstrip()[:200]
    if not start:
        return "the text is empty: print it, and check what the step before gave"
    if start.startswith("\ufeff") or "BOM" in str(error):
        return "the text begins with a byte order mark (BOM): open the file with encoding='utf-8-sig'"
    if "Extra data" in str(error):
        return "there is more after the first value: for JSON lines use [json.loads(line) for line in text.splitlines() if line.strip()]"
    if re.match(r"[\[{(]\s*'", start) or "single" in str(error) or re.search(r"\b(?:True|False|None)\b", start):
        return "this is Python notation, not JSON: use ast.literal_eval(text)"
    if start.startswith("<"):
        return "the text is HTML or XML, not JSON: it begins with %r" % start[:40]
    return "the text begins with %r; around the error: %r" % (start[:40], text[max(0, failed.pos - 20) : failed.pos + 20])


def value_error(error: BaseException, _situation: Situation) -> Optional[str]:
    text = str(error)
    match = re.search(r"(?:could not convert string to float|invalid literal for int\(\) with base \d+): (.*)", text)
    if match:
        return _number_text(match.group(1).strip("'\""), "int()" in text)
    if "does not match format" in text or "unconverted data remains" in text:
        return "the format differs from the text; for ISO dates use datetime.fromisoformat(text)"
    if "Exceeds the limit" in text and "integer string conversion" in text:
        return "a number this long needs sys.set_int_max_str_digits(0) before it is turned into text"
    if "too many values to unpack" in text or "not enough values to unpack" in text:
        return "print one item to see how many parts it has"
    if "I/O operation on closed file" in text:
        return "the file was closed when its `with` block ended: read it inside the block"
    if re.search(r"(?:max|min)\(\) (?:arg|iterable argument) is", text):
        return "the sequence is empty: pass default=..., or check it first"
    if "a coroutine was expected" in text:
        return COROUTINE
    if "is not in list" in text:
        return "check with `x in items` first"
    return None


def statistics_error(_error: BaseException, _situation: Situation) -> Optional[str]:
    return "there are not enough data points: check that the list is not empty (filters, missing values) first"


def time_zone(_error: BaseException, _situation: Situation) -> Optional[str]:
    return "use an IANA name such as 'Europe/Paris', 'America/New_York' or 'UTC'; zoneinfo.available_timezones() lists them"


def _number_text(text: str, whole: bool) -> str:
    stripped = text.strip()
    if not stripped:
        return "the text is empty: skip missing values first"
    if re.fullmatch(r"[-+]?[\d,]+(?:\.\d+)?", stripped):
        if "," in stripped:
            return "remove the thousands separators: x.replace(',', '')"
        return "it is a decimal number: int(float(x))" if whole else "strip the text first"
    if re.search(r"[$€£%]", stripped):
        return "remove currency and percent signs first: re.sub(r'[^0-9.-]', '', x)"
    if stripped.lower() in ("n/a", "na", "nan", "null", "none", "-", "--", "?"):
        return "it stands for a missing value: skip it, or use None"
    return "check the text before converting it; a header row or a missing value may be among the data"
