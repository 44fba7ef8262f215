"""Processes made from one snapshot or parent must not share what should differ."""

import asyncio
import builtins
import json
import os
import pathlib
import signal
import sys
import time
from typing import Any, Callable, List

import pytest

import ce_runtime
from ce_runtime import rehearsal
from ce_runtime.preload import USUAL_MODULES
from conftest import _exit, _fork, _waitpid
from fake_host import FakeHost, Interpreter


def _in_child(work: Callable[[], Any]) -> str:
    read, write = os.pipe()
    pid = _fork()
    if pid == 0:
        os.write(write, str(work()).encode())
        _exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read().decode()
    _waitpid(pid, 0)
    return text


def test_random_and_temporary_names_differ_between_processes(tmp_path: pathlib.Path) -> None:
    ce_runtime.prepare()
    code = "import random, tempfile, uuid\n[random.random(), next(tempfile._get_candidate_names()), str(uuid.uuid4())]"
    first, second = (_in_child(lambda: Interpreter(str(tmp_path)).run(code).value) for _ in range(2))
    assert first != second
    assert not set(first.split(", ")) & set(second.split(", "))


def test_prepare_loads_the_usual_modules_and_leaves_no_state(tmp_path: pathlib.Path) -> None:
    before = (sys.stdout, sys.stderr, sys.stdin, list(sys.path), os.getcwd(), sys.modules["__main__"], sys.argv)
    functions = (os.fork, time.sleep, builtins.__import__, builtins.input, signal.getsignal(signal.SIGINT), asyncio.gather)
    finders = list(sys.meta_path)
    ce_runtime.prepare()
    assert (sys.stdout, sys.stderr, sys.stdin, list(sys.path), os.getcwd(), sys.modules["__main__"], sys.argv) == before
    assert (
        os.fork,
        time.sleep,
        builtins.__import__,
        builtins.input,
        signal.getsignal(signal.SIGINT),
        asyncio.gather,
    ) == functions
    assert sys.meta_path == finders and "tools" not in sys.modules and not hasattr(builtins, "__awaitable__")
    assert all(name in sys.modules for name in USUAL_MODULES)
    assert Interpreter(str(tmp_path)).run("x = 1").done["names"] == ["x"]


def test_what_is_rehearsed_ends_as_it_should(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: List[Any] = []

    class Listener(rehearsal._SilentHost):
        def send(self, header: str, payload: bytes) -> None:
            super().send(header, payload)
            frame = json.loads(header)
            if frame["type"] == "done":
                ends.append(frame["error"]["type"] if "error" in frame else json.loads(payload))

    monkeypatch.setattr(rehearsal, "_SilentHost", Listener)
    rehearsal.rehearse()
    skills = [2, 1, 3, {"entry": "a", "examples": 1}]
    skills[3] = {**ends[1][3], **skills[3]}  # type: ignore[dict-item]
    assert ends[:2] == [{"n": 1}, skills]
    assert ends[3:] == [2, "NameError", "SyntaxError"]


def test_wake_uses_the_working_directory_when_there_is_no_workspace_mount(tmp_path: pathlib.Path) -> None:
    os.chdir(tmp_path)
    if not os.path.isdir("/workspace"):
        ce_runtime.wake(FakeHost())
        assert Interpreter(str(tmp_path)).run("str(workspace)").value == os.path.realpath(tmp_path)
