"""The deadline, and other ends of a run. What runs into it here never ends by itself, or says that it did."""

import sys
from typing import List

import pytest

from ce_runtime import deadline
from fake_host import Interpreter


def test_an_endless_loop_ends_at_the_deadline_with_the_line_that_ran(py: Interpreter) -> None:
    answer = py.run("n = 0\nprint('before')\nwhile True:\n    n += 1", seconds=1)
    error = answer.error
    assert (error["code"], error["type"]) == ("timeout", "TimeoutError")
    assert error["line"] in (3, 4)
    assert error["hint"].endswith("do less per run (fewer items, a faster method)")
    assert "1 s" in error["message"]
    assert answer.stdout == "before\n"


def test_sleep_never_goes_past_the_deadline(py: Interpreter) -> None:
    answer = py.run("import time\ntime.sleep(120)", seconds=1)
    assert answer.error["code"] == "timeout"
    assert answer.error["source"] == "time.sleep(120)"


def test_a_short_sleep_sleeps_and_bad_arguments_raise(py: Interpreter, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: List[float] = []
    monkeypatch.setattr(deadline, "_real_sleep", slept.append)
    assert py.run("import time\ntime.sleep(0.05)\n'slept'").value == "slept"
    assert slept == [0.05]
    monkeypatch.undo()
    assert py.run("import time\ntime.sleep(-1)").error["type"] == "ValueError"
    assert py.run("import time\ntime.sleep('x')").error["type"] == "TypeError"


def test_except_exception_does_not_catch_the_deadline(py: Interpreter) -> None:
    code = "while True:\n    try:\n        while True: pass\n    except Exception:\n        pass"
    assert py.run(code, seconds=1).error["code"] == "timeout"


def test_code_that_swallows_everything_is_ended_all_the_same(py: Interpreter) -> None:
    # Python 3.12 and newer raise on every line then. Older ones interrupt again and again: code that swallows that
    # for ever is killed by the host, code that gives up after some times is ended here.
    loop = "while True" if sys.version_info >= (3, 12) else "for _ in range(5)"
    code = loop + ":\n    try:\n        while True: pass\n    except BaseException:\n        pass"
    answer = py.run(code, seconds=1, keep=True)
    assert answer.error["code"] == "timeout"
    assert py.run("1 + 1", keep=True).value == 2


def test_finally_blocks_run_and_state_is_kept(py: Interpreter) -> None:
    code = "import time\ntry:\n    n = 5\n    time.sleep(60)\nfinally:\n    print('saved')"
    assert py.run(code, seconds=1, keep=True).stdout == "saved\n"
    assert py.run("n", keep=True).value == 5


def test_the_alarm_does_not_ring_after_the_run(py: Interpreter) -> None:
    py.run("1", seconds=0.1, keep=True)
    assert py.run("import time\ntime.sleep(0.3)\n'slept'", seconds=5, keep=True).value == "slept"


def test_an_interrupt_that_code_raises_itself_is_a_keyboard_interrupt(py: Interpreter) -> None:
    code = "import signal\ntry:\n    signal.raise_signal(signal.SIGINT)\nexcept KeyboardInterrupt:\n    x = 'caught'\nx"
    assert py.run(code).value == "caught"


@pytest.mark.parametrize(
    "call", ["exit()", "quit()", "exit(0)", "import sys; sys.exit()", "import sys; sys.exit(0)", "raise SystemExit"]
)
def test_a_normal_exit_keeps_output_and_result_with_a_note(py: Interpreter, call: str) -> None:
    answer = py.run("print('work done')\nresult = 7\n%s\nprint('never')" % call)
    assert answer.value == 7
    assert answer.output == "work done\n"
    assert "exit()" in answer.notes


def test_an_exit_with_a_status_is_an_error_that_tells_it(py: Interpreter) -> None:
    error = py.run("import sys\nsys.exit(3)").error
    assert (error["code"], error["type"]) == ("python_error", "SystemExit")
    assert error["message"] == "the code ended itself with exit status 3"
    assert py.run("import sys\nsys.exit('no data')").error["message"] == "the code ended itself with the message: no data"


def test_exit_inside_asyncio_is_a_normal_end(py: Interpreter) -> None:
    answer = py.run("import asyncio, sys\nasync def f():\n    print('a')\n    sys.exit(0)\nasyncio.run(f())")
    assert "error" not in answer.done
    assert answer.output == "a\n"


def test_non_daemon_threads_are_waited_for(py: Interpreter) -> None:
    code = "import threading, time\ndef f():\n    time.sleep(0.05)\n    print('thread')\nthreading.Thread(target=f).start()\nprint('main')"
    assert py.run(code).output == "main\nthread\n"


def test_an_error_in_a_thread_shows_the_users_frames_only(py: Interpreter) -> None:
    answer = py.run("import threading\nt = threading.Thread(target=lambda: 1 / 0, name='w')\nt.start()\nt.join()")
    assert answer.stderr.startswith("Exception in thread w:\n")
    assert "ZeroDivisionError" in answer.stderr
    assert "threading.py" not in answer.stderr
