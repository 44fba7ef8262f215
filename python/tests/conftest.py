"""Fixtures, and a process of its own for every test: runs replace streams, builtins, signal handlers and more."""

import json
import logging
import os
import pathlib
import sys
import traceback
from typing import Any, Optional

import pytest

from ce_runtime import prepare
from fake_host import Interpreter
from fake_skills import FakeSkills
from fake_tools import FakeTools

# Before anything is woken: the runtime refuses them to user code.
_fork, _waitpid, _exit = os.fork, os.waitpid, os._exit
_dumps, _loads, _format = json.dumps, json.loads, traceback.format_exception


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: Any) -> Optional[bool]:
    """Runs the test function in a forked child; its failure is the failure of the test."""
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    read, write = os.pipe()
    pid = _fork()
    if pid == 0:
        outcome = ["passed", ""]
        logging.root.handlers.clear()  # those of the test runner
        try:
            pyfuncitem.obj(**arguments)
        except pytest.skip.Exception as skipped:
            outcome = ["skipped", str(skipped)]
        except BaseException as error:
            outcome = ["failed", "".join(_format(type(error), error, error.__traceback__))]
        with os.fdopen(write, "wb") as pipe:
            pipe.write(_dumps(outcome).encode())
        _exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    _waitpid(pid, 0)
    kind, text = _loads(data) if data else ("failed", "the process of the test died")
    if kind == "skipped":
        pytest.skip(text)
    if kind == "failed":
        pytest.fail(text, pytrace=False)
    return True


@pytest.fixture
def py(tmp_path: pathlib.Path) -> Interpreter:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return Interpreter(str(workspace))


@pytest.fixture
def workspace(py: Interpreter, tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "workspace"


@pytest.fixture
def tools(py: Interpreter) -> FakeTools:
    """A server ``github`` whose tools tell what they were given."""
    fake = py.host.tools
    fake.servers["github"] = {
        "list_issues": lambda positional, keyword: [positional, keyword],
        "get_repo": lambda positional, keyword: keyword,
    }
    return fake


@pytest.fixture
def shelf(py: Interpreter) -> FakeSkills:
    """A skill ``monthly_report`` in two versions, and ``helpers`` with two functions."""
    fake = py.host.tools.skills
    fake.versions["monthly_report"] = [
        "def monthly_report(rows):\n    return 0\n",
        '"""Adds up."""\n\ndef monthly_report(rows, limit=0):\n    """Sums up."""\n    return sum(r for r in rows if r >= limit)\n\n'
        "def main():\n    return monthly_report([1, 2])\n",
    ]
    fake.versions["helpers"] = ["def double(x):\n    return 2 * x\n\ndef broken(x):\n    return x / 0\n"]
    return fake


sys.dont_write_bytecode = True
prepare()
