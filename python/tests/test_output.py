"""What code prints."""

import io
import sys

import pytest

from fake_host import Interpreter


def test_print_with_all_its_arguments_comes_out_as_written(py: Interpreter) -> None:
    assert py.run("print('a', 1, sep='-', end='!\\n', flush=True)").stdout == "a-1!\n"


def test_both_streams_arrive_in_the_order_of_printing(py: Interpreter) -> None:
    answer = py.run("import sys\nprint('1')\nprint('2', file=sys.stderr)\nprint('3')")
    assert [(header["stream"], data) for header, data in answer.frames] == [
        ("stdout", b"1\n"),
        ("stderr", b"2\n"),
        ("stdout", b"3\n"),
    ]


def test_the_first_lines_are_sent_one_by_one_and_later_ones_gathered(py: Interpreter) -> None:
    answer = py.run("for i in range(5000): print(i)")
    assert answer.stdout == "".join("%d\n" % i for i in range(5000))
    assert answer.frames[0][1] == b"0\n"
    assert 100 <= len(answer.frames) < 300


def test_logging_and_warnings_are_visible(py: Interpreter) -> None:
    answer = py.run("import logging, warnings\nlogging.warning('low disk')\nwarnings.warn('old call')")
    assert "low disk" in answer.stderr
    assert "old call" in answer.stderr


def test_a_logging_handler_of_an_earlier_run_still_works(py: Interpreter) -> None:
    first = "import logging, sys\nh = logging.StreamHandler(sys.stdout)\nlog = logging.getLogger('t')\nlog.addHandler(h)\nlog.error('one')"
    assert py.run(first, keep=True).stdout == "one\n"
    assert py.run("log.error('two')\nlog.removeHandler(h)", keep=True).stdout == "two\n"


def test_redirected_output_stays_in_the_buffer(py: Interpreter) -> None:
    code = "import contextlib, io\nb = io.StringIO()\nwith contextlib.redirect_stdout(b):\n    print('in')\nprint('out')\nb.getvalue()"
    answer = py.run(code)
    assert answer.value == "in\n"
    assert answer.stdout == "out\n"


def test_a_replaced_stdout_is_back_in_the_next_run(py: Interpreter) -> None:
    py.run("import sys, io\nsys.stdout = io.StringIO()", keep=True)
    assert py.run("print('here')", keep=True).stdout == "here\n"


def test_closing_stdout_does_not_silence_it(py: Interpreter) -> None:
    assert py.run("import sys\nsys.stdout.close()\nprint('still')").stdout == "still\n"


def test_the_buffer_of_stdout_takes_bytes_and_survives_wrappers(py: Interpreter) -> None:
    code = (
        "import sys, io\nsys.stdout.buffer.write(b'raw \\xff\\n')\n"
        "w = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')\nw.write('wrapped\\n')\nw.flush()\ndel w\nprint('after')"
    )
    assert py.run(code).stdout == "raw \\xff\nwrapped\nafter\n"


def test_reconfigure_is_accepted(py: Interpreter) -> None:
    assert py.run("import sys\nsys.stdout.reconfigure(encoding='utf-8')\nprint('ok')").stdout == "ok\n"


def test_lone_surrogates_are_written_out(py: Interpreter) -> None:
    assert py.run("print('\\ud800')").stdout == "\\ud800\n"


def test_long_output_travels_in_pieces_of_at_most_64_kib(py: Interpreter) -> None:
    answer = py.run("print('é' * 100_000)")
    assert max(len(data) for _, data in answer.frames) <= 64 * 1024
    assert answer.stdout == "é" * 100_000 + "\n"


def test_more_output_than_allowed_stops_the_run_at_the_limit(py: Interpreter) -> None:
    answer = py.run("i = 0\nwhile True:\n    print('row', i)\n    i += 1", output_bytes=10_000)
    assert answer.error["code"] == "output_limit"
    assert answer.error["line"] == 3
    assert len(answer.output) == 10_000


def test_one_huge_print_is_cut_at_the_limit(py: Interpreter) -> None:
    answer = py.run("print('x' * 50_000_000)", output_bytes=1000)
    assert answer.error["code"] == "output_limit"
    assert answer.output == "x" * 1000


def test_swallowing_the_output_limit_does_not_help(py: Interpreter) -> None:
    # Before Python 3.12 nothing inside the interpreter ends such a loop for certain: the host does.
    loop = "while True" if sys.version_info >= (3, 12) else "for _ in range(1000)"
    code = loop + ":\n    try:\n        print('x' * 100)\n    except BaseException:\n        pass"
    answer = py.run(code, output_bytes=1000, seconds=1)
    assert answer.error["code"] in ("output_limit", "timeout")
    assert len(answer.output) == 1000


def test_output_is_shown_before_a_sleep(py: Interpreter) -> None:
    assert py.run("import time\nprint('starting', end='')\ntime.sleep(30)", seconds=1).stdout == "starting"


def test_standard_input_is_empty(py: Interpreter) -> None:
    assert py.run("import sys\n[sys.stdin.read(), sys.stdin.readline(), list(sys.stdin)]").value == ["", "", []]


def test_input_raises_eof_and_names_context_vars(py: Interpreter) -> None:
    error = py.run("name = input('Your name: ')").error
    assert error["type"] == "EOFError"
    assert "context_vars" in error["message"]


def test_input_reads_a_stdin_that_code_has_put_there(py: Interpreter) -> None:
    assert py.run("import sys, io\nsys.stdin = io.StringIO('5\\n6\\n')\nint(input()) + int(input())").value == 11


def test_progress_sends_a_frame_in_its_place(py: Interpreter) -> None:
    answer = py.run("print('a', end='')\nprogress(3, 10, 'page 3')\nprogress(4)")
    assert [header for header, _ in answer.frames] == [
        {"type": "out", "stream": "stdout"},
        {"type": "progress", "done": 3, "total": 10, "message": "page 3"},
        {"type": "progress", "done": 4},
    ]


@pytest.mark.parametrize("bad", ["float('nan')", "float('inf')"])
def test_progress_refuses_what_is_no_finite_number(py: Interpreter, bad: str) -> None:
    assert py.run("progress(%s)" % bad).error["type"] == "ValueError"


def test_files_are_flushed_once_right_before_done(py: Interpreter) -> None:
    for code in ("print(1)", "1 / 0", "def f(:"):
        assert py.run(code).flushed_before_done


def test_streams_are_text_streams(py: Interpreter) -> None:
    assert py.run("import sys, io\n[isinstance(sys.stdout, io.TextIOBase), sys.stdout.encoding, sys.stdout.isatty()]").value == [
        isinstance(io.StringIO(), io.TextIOBase),
        "utf-8",
        False,
    ]


def test_a_last_line_over_the_limit_is_an_output_limit_as_well(py: Interpreter) -> None:
    answer = py.run("print('x' * 5000, end='')\n42", output_bytes=100)
    assert answer.error["code"] == "output_limit"
    assert answer.output == "x" * 100
