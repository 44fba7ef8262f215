"""A host in memory for the tests."""

import json
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

from ce_runtime import Worker, wake
from fake_tools import FakeTools

_dumps, _loads = json.dumps, json.loads


@dataclass
class Answer:
    """What one run sent."""

    done: Dict[str, Any]
    json_text: str
    frames: List[Tuple[Dict[str, Any], bytes]]
    seconds: float
    flushed_before_done: bool

    @property
    def value(self) -> Any:
        assert "error" not in self.done, self.done
        return _loads(self.json_text) if self.json_text else None

    @property
    def error(self) -> Dict[str, Any]:
        assert "error" in self.done, self.done
        error: Dict[str, Any] = self.done["error"]
        return error

    @property
    def stdout(self) -> str:
        return self.text("stdout")

    @property
    def stderr(self) -> str:
        return self.text("stderr")

    @property
    def output(self) -> str:
        return b"".join(payload for header, payload in self.frames if header["type"] == "out").decode()

    def text(self, stream: str) -> str:
        return b"".join(payload for header, payload in self.frames if header.get("stream") == stream).decode()

    @property
    def notes(self) -> str:
        return "\n".join(self.done["notes"])

    def everything(self) -> str:
        """What the host can show the model."""
        return json.dumps(self.done, ensure_ascii=False) + "\n" + self.json_text + "\n" + self.output


@dataclass
class FakeHost:
    busy = False

    """Collects frames; the deadline is that of the current run."""

    frames: List[Tuple[Dict[str, Any], bytes]] = field(default_factory=list)
    ends_at: float = 0.0
    flushed_after: Optional[int] = None
    scratch_full: bool = False
    tools: FakeTools = field(default_factory=FakeTools)

    def send(self, header: str, payload: bytes) -> None:
        assert isinstance(header, str) and isinstance(payload, bytes)
        assert len(payload) <= 24 * 1024 * 1024
        assert len(header.encode()) <= 2 * 1024 * 1024
        head = _loads(header)
        if head["type"] == "call":
            self.tools.take(head, payload)
        self.frames.append((head, payload))

    def receive(self) -> Tuple[str, bytes]:
        return self.tools.answer()

    def remaining(self) -> float:
        return self.ends_at - time.monotonic()

    def scratch_is_full(self) -> bool:
        return self.scratch_full

    def make_room(self) -> None:
        """Nothing is limited."""

    def may_have_opened(self) -> bool:
        return True

    def flush_files(self) -> None:
        self.flushed_after = len(self.frames)


class Interpreter:
    """A woken worker and its host; puts the streams of the test runner back after every run."""

    def __init__(self, workspace: str, host: Optional[FakeHost] = None) -> None:
        self.host = host or FakeHost()
        self.worker: Worker = wake(self.host, workspace)

    def run(
        self,
        code: str,
        *,
        seconds: float = 20.0,
        keep: bool = False,
        context: Optional[Dict[str, Any]] = None,
        earlier: Optional[List[str]] = None,
        output_bytes: int = 1_000_000,
        result_bytes: int = 1_000_000,
        builtins: str = "restricted",
        tools: bool = False,
        skills: bool = False,
        answer_chars: Optional[int] = None,
        disk_bytes: int = 1 << 28,
    ) -> Answer:
        header = {
            "type": "run",
            "id": "r1",
            "timeoutMs": int(seconds * 1000),
            "memoryMb": 512,
            "outputBytes": output_bytes,
            "resultBytes": result_bytes,
            "diskBytes": disk_bytes,
            "diskFiles": 1000,
            "builtins": builtins,
            "keepState": keep,
        }
        if answer_chars is not None:
            header["answerChars"] = answer_chars
        if tools:
            header["tools"] = True
        if skills:
            header["skills"] = True
        payload = {"code": code, "context": context or {}, "earlierNames": earlier or []}
        self.host.frames, self.host.flushed_after = [], None
        started = time.monotonic()
        self.host.ends_at = started + seconds
        streams = sys.stdout, sys.stderr, sys.stdin
        try:
            self.worker.run(_dumps(header), _dumps(payload).encode())
        finally:
            sys.stdout, sys.stderr, sys.stdin = streams
        frames = self.host.frames
        done, value = frames[-1]
        assert done["type"] == "done" and done["id"] == "r1"
        return Answer(done, value.decode(), frames[:-1], time.monotonic() - started, self.host.flushed_after == len(frames) - 1)
