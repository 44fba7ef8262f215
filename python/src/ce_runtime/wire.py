"""The frames of this side: what comes in by ``run`` and how ``out``, ``progress`` and ``done`` are written.

The caps are those of src/wire/messages.ts; a frame that exceeds one makes the host kill the worker.
"""

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from .clip import clip, clip_middle

#: Longest payload of one ``out`` frame in bytes.
OUT_BYTES = 64 * 1024
#: Longest name in a ``call`` frame.
NAME_UNITS = 512
#: What the host shows of a value unless it says otherwise.
ANSWER_CHARS = 8_000
_MESSAGE_UNITS = 8_000
_TRACEBACK_UNITS = 20_000

# Taken before any user code runs, so that a patched json module cannot break later answers.
_dumps = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode
_loads = json.JSONDecoder().decode
_decode = json.JSONDecoder().raw_decode


@dataclass(frozen=True)
class RunRequest:
    """One ``run`` frame."""

    id: str
    code: str
    context: Dict[str, Any]
    earlier_names: List[str]
    output_bytes: int
    result_bytes: int
    strict: bool
    keep_state: bool
    tools: bool
    skills: bool
    #: Characters of the value that the answer can show at most: a table beyond them becomes a file.
    answer_chars: int
    #: Bytes that the run may add to the workspace.
    disk_bytes: int


@dataclass
class ErrorReport:
    """Why a run failed; the fields are those of ``RunError`` on the host."""

    code: str
    type: str
    message: str
    line: Optional[int] = None
    source: Optional[str] = None
    hint: Optional[str] = None
    traceback: Optional[str] = None


@dataclass(frozen=True)
class Variable:
    """A top-level name that the run left behind."""

    name: str
    type: str
    size: Optional[int] = None
    preview: Optional[str] = None


def parse_run(header: str, payload: bytes) -> RunRequest:
    """The request in a ``run`` frame, which the host made (so its types hold)."""
    head = _loads(header)
    body = _loads(bytes(payload).decode("utf-8", "surrogatepass"))
    return RunRequest(
        id=head["id"],
        code=body["code"],
        context=body.get("context") or {},
        earlier_names=body.get("earlierNames") or [],
        output_bytes=head["outputBytes"],
        result_bytes=head["resultBytes"],
        strict=head.get("builtins") == "strict",
        keep_state=bool(head.get("keepState")),
        tools=bool(head.get("tools")),
        skills=bool(head.get("skills")),
        answer_chars=int(head.get("answerChars", ANSWER_CHARS)),
        disk_bytes=int(head.get("diskBytes", 0)),
    )


def dump(value: Any) -> bytes:
    """JSON text of a value of the runtime's own making."""
    return _dumps(value).encode()


def call_header(number: int, op: str, name: str) -> str:
    return '{"type":"call","id":%d,"op":"%s","name":%s}' % (number, op, _dumps(name))


def parse_reply(header: str) -> Dict[str, Any]:
    """The header of a ``reply``, which the host made."""
    head: Dict[str, Any]
    head, _end = _decode(header)
    return head


def out_header(stream: str) -> str:
    return '{"type":"out","stream":"%s"}' % stream


def progress_header(done: float, total: Optional[float], message: Optional[str]) -> str:
    header: Dict[str, Any] = {"type": "progress", "done": done}
    if total is not None:
        header["total"] = total
    if message is not None:
        header["message"] = clip(message, 1_000)
    return _dumps(header)


def done_header(
    run_id: str,
    value: Optional[Dict[str, Any]],
    error: Optional[ErrorReport],
    notes: List[str],
    variables: List[Variable],
    names: List[str],
    images: List[str],
) -> str:
    header: Dict[str, Any] = {"type": "done", "id": run_id}
    if value is not None:
        header["value"] = {**value, "type": clip(value["type"], 200)}
        if "label" in value:
            header["value"]["label"] = clip(value["label"], 200)
    if error is not None:
        header["error"] = _error_fields(error)
    header["notes"] = [clip(note, 1_000) for note in notes[:50]]
    header["variables"] = [_variable_fields(variable) for variable in variables[:50]]
    header["names"] = [name for name in names if len(name) <= 100][:500]
    if images:
        header["images"] = images
    return _dumps(header)


def _error_fields(error: ErrorReport) -> Dict[str, Any]:
    fields: Dict[str, Any] = {
        "code": error.code,
        "type": clip(error.type, 200),
        "message": clip_middle(error.message, _MESSAGE_UNITS),
    }
    if error.line is not None:
        fields["line"] = error.line
    if error.source:
        fields["source"] = clip(error.source, 400)
    if error.hint:
        fields["hint"] = clip(error.hint, 2_000)
    if error.traceback:
        fields["traceback"] = clip_middle(error.traceback, _TRACEBACK_UNITS)
    return fields


def _variable_fields(variable: Variable) -> Dict[str, Any]:
    fields: Dict[str, Any] = {"name": clip(variable.name, 200), "type": clip(variable.type, 200)}
    if variable.size is not None:
        fields["size"] = variable.size
    if variable.preview is not None:
        fields["preview"] = clip(variable.preview, 80)
    return fields
