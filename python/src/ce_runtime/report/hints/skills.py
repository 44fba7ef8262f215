"""Skills that cannot be read or saved."""

from typing import Optional

from ...skills.errors import SHOWS_ALL, SkillError
from .situation import Situation


def skill_error(error: BaseException, _situation: Situation) -> Optional[str]:
    """What the host advises, else how to see which skills there are."""
    if not isinstance(error, SkillError):
        return None
    if error.hint:
        return str(error.hint)
    return SHOWS_ALL if error.code in ("not_found", "bad_name") else None
