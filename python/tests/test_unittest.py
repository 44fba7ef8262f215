"""Tests that the code runs itself: a refusal by the sandbox is no failed test of many."""

import pytest

from fake_host import Interpreter

PROGRAM = """
import subprocess, unittest
from unittest.mock import patch

def listing():
    return subprocess.run(["ls"], capture_output=True).returncode

def listing_or_none():
    try:
        return listing()
    except OSError:
        return None

class Cases(unittest.TestCase):
    def test_arithmetic(self):
        self.assertEqual(1 + 1, 2)

    def test_listing(self):
        %s

outcome = unittest.main(argv=["x"], exit=False).result
[outcome.testsRun, len(outcome.failures), len(outcome.errors)]
"""


@pytest.mark.parametrize(
    "body",
    [
        "self.assertEqual(listing(), 0)",
        "self.assertEqual(listing_or_none(), 0)",
        "with self.subTest(n=1): listing()",
    ],
)
def test_a_test_that_fails_after_a_refused_call_ends_the_run_with_the_refusal(py: Interpreter, body: str) -> None:
    error = py.run(PROGRAM % body).error
    assert error["code"] == "import_denied"
    assert error["message"] == "subprocess is not available: the sandbox runs no other processes or shell commands"
    assert error["hint"].startswith("use Python instead")


def test_a_mocked_call_passes(py: Interpreter) -> None:
    body = "with patch('subprocess.run') as run: run.return_value.returncode = 0; self.assertEqual(listing(), 0)"
    assert py.run(PROGRAM % body).value == [2, 0, 0]


def test_a_refusal_that_the_code_under_test_handles_is_no_error(py: Interpreter) -> None:
    assert py.run(PROGRAM % "self.assertIsNone(listing_or_none())").value == [2, 0, 0]


def test_a_failure_without_a_refusal_stays_one(py: Interpreter) -> None:
    assert py.run(PROGRAM % "self.fail('no')").value == [2, 1, 0]


def test_a_refusal_of_an_earlier_test_does_not_explain_a_later_one(py: Interpreter) -> None:
    body = "self.assertIsNone(listing_or_none())\n\n    def test_z(self):\n        self.fail('no')"
    assert py.run(PROGRAM % body).value == [3, 1, 0]


def test_results_are_patched_once_after_a_rehearsal(py: Interpreter) -> None:
    # The fixture has rehearsed; a patch left behind would be wrapped again by the next one.
    code = (
        "import unittest\nmethods = [unittest.TestResult.startTest, unittest.TestResult.addError]\n"
        "[inner.__name__ for method in methods for cell in method.__closure__\n"
        " for inner in [cell.cell_contents] if getattr(inner, '__name__', '') in ('wrapped', 'startTest', 'addError')]"
    )
    assert py.run(code).value == ["startTest", "addError"]
