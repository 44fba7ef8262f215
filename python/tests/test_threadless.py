"""Threads where there are none: the stand-ins, installed on this Python, which could do without."""

import pathlib
import sys
from typing import List

import pytest

from ce_runtime import deadline, emscripten
from fake_host import Interpreter


@pytest.fixture
def threadless(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Interpreter:
    """An interpreter that believes to be on Emscripten. (The deadline keeps its timer, for nobody raises SIGINT.)"""
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    return Interpreter(str(tmp_path))


RUNS = {
    "join runs the thread": "import threading\nout = []\nt = threading.Thread(target=lambda: out.append(42))\nt.start()\nt.join()\nout[0]",
    "threads run in the order of their start": "import threading\nout = []\nts = [threading.Thread(target=out.append, args=(i,)) for i in (1, 2, 3)]\n[t.start() for t in ts]\nts[2].join()\n42 if out == [1, 2, 3] else out",
    "a thread knows its name": "import threading\nout = []\nt = threading.Thread(target=lambda: out.append(threading.current_thread().name), name='w')\nt.start(); t.join()\n42 if out == ['w'] else out",
    "a consumer that is started first": "import threading, queue\nq = queue.Queue()\ntotal = 0\ndef w():\n    global total\n    while (x := q.get()) is not None:\n        total += x\nt = threading.Thread(target=w)\nt.start()\nfor i in (20, 22): q.put(i)\nq.put(None)\nt.join()\ntotal",
    "workers that wait for more work": "import threading, queue\nq = queue.Queue()\nout = []\ndef w():\n    while True:\n        out.append(q.get())\n        q.task_done()\nfor _ in range(3): threading.Thread(target=w, daemon=True).start()\nfor i in (20, 22): q.put(i)\nq.join()\nsum(out)",
    "an event that is set later": "import threading, time\ne = threading.Event()\nout = []\ndef w():\n    e.wait()\n    out.append(42)\nt = threading.Thread(target=w)\nt.start()\ntime.sleep(0.01)\ne.set()\nt.join()\nout[0]",
    "a loop that polls": "import threading, time\nout = []\nthreading.Thread(target=lambda: out.append(42)).start()\nwhile not out: time.sleep(0.001)\nout[0]",
    "is_alive": "import threading\nout = []\nt = threading.Thread(target=lambda: out.append(42))\nt.start()\nwhile t.is_alive(): pass\nout[0]",
    "a timer": "import threading\nout = []\nt = threading.Timer(0.01, lambda: out.append(42))\nt.start()\nt.join()\nout[0]",
    "locks": "import threading\nlock = threading.Lock()\nn = 0\ndef f():\n    global n\n    for _ in range(14):\n        with lock: n += 1\nts = [threading.Thread(target=f) for _ in range(3)]\n[t.start() for t in ts]; [t.join() for t in ts]\nn",
    "an executor": "from concurrent.futures import ThreadPoolExecutor, as_completed\nwith ThreadPoolExecutor(max_workers=4) as pool:\n    fs = [pool.submit(pow, n, 2) for n in (4, 5)]\n    x = sum(f.result() for f in as_completed(fs)) + sum(pool.map(int, ['1']))\nx",
    "asyncio.to_thread": "import asyncio\n(await asyncio.to_thread(int, '40')) + await asyncio.get_running_loop().run_in_executor(None, int, '2')",
    "asyncio.run and sleep": "import asyncio\nasync def f():\n    await asyncio.sleep(0.01)\n    return 42\nasyncio.run(f())",
    "wait with a timeout": "import threading\n42 if threading.Event().wait(0.01) is False else 0",
}  # fmt: skip


@pytest.mark.parametrize("what", RUNS)
def test_it_gives_the_right_answer(threadless: Interpreter, what: str) -> None:
    assert threadless.run(RUNS[what], seconds=5).value == 42


def test_a_note_says_once_how_threads_ran(threadless: Interpreter) -> None:
    code = "import threading\nfor _ in range(3):\n    t = threading.Thread(target=int)\n    t.start()\n    t.join()"
    assert threadless.run(code).notes.count("no threads here") == 1


def test_a_thread_that_nobody_waits_for_runs_at_the_end(threadless: Interpreter) -> None:
    assert (
        threadless.run("import threading\nthreading.Thread(target=print, args=('late',)).start()\nprint('main')").output
        == "main\nlate\n"
    )


@pytest.mark.parametrize(
    "wait", ["threading.Event().wait()", "queue.Queue().get()", "queue.SimpleQueue().get()", "threading.Semaphore(0).acquire()"]
)
def test_a_wait_without_end_is_an_error(threadless: Interpreter, wait: str) -> None:
    answer = threadless.run("import threading, queue\n" + wait, seconds=5)
    assert answer.error["type"] == "RuntimeError"
    assert "no threads here" in answer.error["message"]


def test_an_asyncio_deadlock_is_an_error(threadless: Interpreter) -> None:
    answer = threadless.run("import asyncio\nawait asyncio.Event().wait()", seconds=5)
    assert answer.error["type"] == "RuntimeError"
    assert "deadlock" in answer.error["message"]


def test_an_error_in_a_thread_goes_to_stderr_and_the_code_goes_on(threadless: Interpreter) -> None:
    answer = threadless.run("import threading\nt = threading.Thread(target=int, args=('x',))\nt.start()\nt.join()\n42")
    assert answer.value == 42
    assert "ValueError" in answer.stderr


def test_a_thread_starts_once_and_joins_after_its_start(threadless: Interpreter) -> None:
    assert "started once" in threadless.run("import threading\nt = threading.Thread()\nt.start()\nt.start()").error["message"]
    assert "before it is started" in threadless.run("import threading\nthreading.Thread().join()").error["message"]


def test_a_failed_run_leaves_no_threads_for_the_next(threadless: Interpreter) -> None:
    threadless.run("import threading\nthreading.Thread(target=print, args=('old',)).start()\n1 / 0", keep=True)
    assert threadless.run("import threading\nt = threading.Thread(target=int)\nt.start()\nt.join()", keep=True).output == ""


def test_the_stand_in_for_pbkdf2_agrees_with_openssl() -> None:
    import hashlib

    from ce_runtime.password_hash import pbkdf2_hmac

    for arguments in (("sha256", b"pw", b"salt", 100), ("sha1", b"p" * 100, b"s", 1, 64), ("sha512", b"", b"", 3, 10)):
        assert pbkdf2_hmac(*arguments) == hashlib.pbkdf2_hmac(*arguments)


def test_unhelpful_finders_of_pyodide_are_removed_on_waking() -> None:
    class UnvendoredStdlibFinder:
        pass

    sys.meta_path.append(UnvendoredStdlibFinder())  # type: ignore[arg-type]
    emscripten.install()
    assert not any(type(finder).__name__ == "UnvendoredStdlibFinder" for finder in sys.meta_path)


def test_sleep_sleeps_as_long_as_it_is_told(threadless: Interpreter, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: List[float] = []
    monkeypatch.setattr(deadline, "_real_sleep", slept.append)
    threadless.run("import time\ntime.sleep(0.1)")
    assert slept == [0.1]
