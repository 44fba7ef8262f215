"""A refusal of the host."""

from typing import Any, Dict, Optional


class Failure(Exception):
    """Makes a fake answer with an error."""

    def __init__(self, code: str, message: str, retryable: bool = False, hint: Optional[str] = None) -> None:
        super().__init__(message)
        self.fields: Dict[str, Any] = {"code": code, "message": message, "retryable": retryable}
        if hint is not None:
            self.fields["hint"] = hint
