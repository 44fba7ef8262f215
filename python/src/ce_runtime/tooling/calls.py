"""The channel of tool calls: numbers them, limits how many run at once, brings each reply to its call."""

import itertools
import threading
from collections import deque
from typing import Any, Deque, Dict, List, Optional, Tuple

from ..host import Host
from ..output import Output
from ..wire import call_header, parse_reply

#: Calls that may run at the same time; the host counts again.
PARALLEL_CALLS = 8

Reply = Tuple[Dict[str, Any], bytes]
#: What a call without reply gets at the end of its run.
ABANDONED: Reply = (
    {"ok": False, "code": "tool_failed", "message": "the run that started this call ended before its answer came"},
    b"",
)


class Call:
    """One request to the host."""

    __slots__ = ("name", "op", "payload", "reply")

    def __init__(self, op: str, name: str, payload: bytes) -> None:
        self.op = op
        self.name = name
        self.payload = payload
        self.reply: Optional[Reply] = None


class Calls:
    """The calls of one worker. Threads may use it at the same time: one of those that wait reads for all."""

    def __init__(self, host: Host, output: Output) -> None:
        self._host = host
        self._output = output
        self._ids = itertools.count(1)
        self._waiting: Deque[Call] = deque()
        self._sent: Dict[int, Call] = {}
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._reader: Optional[int] = None
        self._readers_to_be = 0

    def ask(self, op: str, name: str, payload: bytes) -> Reply:
        """A question about tools, which takes no turn: sends it and waits."""
        call = Call(op, name, payload)
        with self._lock:
            self._send(call)
        return self.finish(call)

    def start(self, name: str, payload: bytes, next_in_turn: bool) -> Call:
        """Sends a tool call, or lets it wait for its turn while others run; printed text goes out before it."""
        call = Call("tool", name, payload)
        with self._lock:
            if len(self._sent) < PARALLEL_CALLS:
                self._send(call)
            elif next_in_turn:
                self._waiting.appendleft(call)
            else:
                self._waiting.append(call)
        return call

    def finish(self, call: Call) -> Reply:
        """Waits for the reply to ``call``. Other replies that come meanwhile are kept, and waiting calls get their turn."""
        me = threading.get_ident()
        while call.reply is None:
            with self._lock:
                while call.reply is None and self._reader not in (None, me):
                    self._wait_for_reader()
                if call.reply is not None:
                    break
                self._reader = me
            frame = None
            try:
                frame = self._host.receive()
            finally:
                with self._lock:
                    self._reader = None
                    if self._readers_to_be:
                        self._changed.notify_all()
                    if frame is not None:
                        self._deliver(*frame)
        return call.reply

    def abandon(self) -> List[Call]:
        """At the end of a run: forgets every call that has no reply; returns those that were never sent."""
        with self._lock:
            unsent = list(self._waiting)
            for call in (*unsent, *self._sent.values()):
                call.reply = ABANDONED
            self._waiting.clear()
            self._sent.clear()
            self._changed.notify_all()
        return unsent

    def _wait_for_reader(self) -> None:
        self._readers_to_be += 1
        try:
            self._changed.wait()
        finally:
            self._readers_to_be -= 1

    def _send(self, call: Call) -> None:
        number = next(self._ids)
        self._sent[number] = call
        try:
            self._output.send_now(call_header(number, call.op, call.name), call.payload)
        except BaseException:  # the output limit or the deadline, reached by what was printed before
            self._sent.pop(number, None)
            raise
        call.payload = b""

    def _deliver(self, header: str, payload: bytes) -> None:
        head = parse_reply(header)
        call = self._sent.pop(head["id"], None)
        if call is None:
            return  # the late reply to a call of an earlier run
        call.reply = (head, payload)
        while self._waiting and len(self._sent) < PARALLEL_CALLS:
            self._send(self._waiting[0])
            self._waiting.popleft()
