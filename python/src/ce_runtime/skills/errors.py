"""What fails about skills."""

from typing import Any, Mapping, Optional

from ..stops import DeadlineReached

#: How a message about a skill that does not exist ends.
SHOWS_ALL = "list_skills() shows all"


def joined(message: str, next_step: str) -> str:
    """Both as one text, whether the message is a sentence or the beginning of one."""
    return "%s%s %s" % (message, "" if message.endswith((".", "?", "!")) else ";", next_step)


class SkillError(Exception):
    """A skill could not be read or saved. Its text is the message and, if there is one, the next step."""

    def __init__(self, message: str = "", *, code: str = "bad_arguments", hint: Optional[str] = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint

    def __str__(self) -> str:
        return joined(self.message, self.hint) if self.hint else self.message


class SkillNotFound(SkillError, LookupError):
    """There is no such skill, or not in that version."""


for _cls in (SkillError, SkillNotFound):
    _cls.__module__ = "skills"  # where code imports it from


def skill_failure(head: Mapping[str, Any]) -> SkillError:
    """The exception for a ``reply`` that is not ok. Raises DeadlineReached itself if the run's time is over."""
    code = str(head.get("code"))
    if code == "timeout":
        raise DeadlineReached
    cls = SkillNotFound if code in ("not_found", "bad_name") else SkillError
    return cls(str(head.get("message") or "the server gave no reason"), code=code, hint=head.get("hint") or None)
