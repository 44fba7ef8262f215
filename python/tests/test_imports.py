"""What cannot be imported or called, and what can all the same."""

import pathlib

import pytest

from fake_host import Interpreter

DENIED_CALLS = {
    "import socket\nsocket.create_connection(('example.com', 80), timeout=3)": "no network",
    "import socket\nsocket.socket().connect(('127.0.0.1', 80))": "no network",
    "import socket\nsocket.gethostbyname('example.com')": "no network",
    "from urllib.request import urlopen\nurlopen('https://example.com')": "no network",
    "import http.client\nhttp.client.HTTPConnection('example.com').request('GET', '/')": "no network",
    "import smtplib\nsmtplib.SMTP('localhost')": "no network",
    "import ftplib\nftplib.FTP('localhost')": "no network",
    "import http.server\nhttp.server.HTTPServer(('', 8000), None)": "no network",
    "import subprocess\nsubprocess.run(['git', 'status'])": "no other processes",
    "import subprocess\nsubprocess.check_output('ls', shell=True)": "no other processes",
    "import os\nos.system('ls /')": "no other processes",
    "import os\nos.popen('ls').read()": "no other processes",
    "import os\nos.fork()": "no other processes",
    "import os\nos.execv('/bin/ls', ['ls'])": "no other processes",
    "import multiprocessing\nmultiprocessing.Process(target=print).start()": "no other processes",
    "import ctypes\nctypes.CDLL('libc.so.6')": "no native libraries",
    "import asyncio\nawait asyncio.create_subprocess_exec('ls')": "no other processes",
    "import asyncio\nawait asyncio.create_subprocess_shell('ls')": "no other processes",
    "from asyncio.subprocess import create_subprocess_exec\nawait create_subprocess_exec('ls')": "no other processes",
    "import asyncio\nawait asyncio.open_connection('example.com', 80)": "no network",
    "import asyncio\nasyncio.run(asyncio.start_server(print, port=80))": "no network",
    "import asyncio\nawait asyncio.open_unix_connection('/run/x')": "no network",
    "import asyncio\nawait asyncio.get_running_loop().create_connection(asyncio.Protocol, 'a', 80)": "no network",
    "import asyncio\nawait asyncio.get_running_loop().create_datagram_endpoint(print, remote_addr=('a', 80))": "no network",
    "import asyncio\nawait asyncio.get_running_loop().getaddrinfo('a', 80)": "no network",
    "import asyncio\nawait asyncio.get_running_loop().subprocess_exec(print, 'ls')": "no other processes",
    "import pdb\npdb.set_trace()": "no debugger",
    "from pdb import post_mortem\npost_mortem()": "no debugger",
    "import pdb\npdb.Pdb().set_trace()": "no debugger",
    "x = 1\nbreakpoint()": "no debugger",
}


@pytest.mark.parametrize("code", DENIED_CALLS)
def test_a_call_that_makes_no_sense_here_says_why(py: Interpreter, code: str) -> None:
    error = py.run(code).error
    assert error["code"] == "import_denied"
    assert DENIED_CALLS[code] in error["message"]
    assert error["line"] == 2


@pytest.mark.parametrize("code", DENIED_CALLS)
def test_the_advice_of_a_refusal_is_given_once(py: Interpreter, code: str) -> None:
    imports, call = code.split("\n")
    program = "%s\n%sdef f():\n    %s\n%sf()" % (imports, *(("async ", call, "await ") if "await" in call else ("", call, "")))
    error = py.run(program).error
    assert len(error["hint"]) > 10
    assert error["hint"] not in error["message"]
    assert error["hint"] not in error["traceback"]
    assert error["traceback"].endswith(error["message"])


@pytest.mark.parametrize("module", ["js", "pyodide", "pyodide.http", "pyodide_js", "_pyodide", "_pyodide_core", "micropip"])
def test_the_bridge_to_javascript_cannot_be_imported_by_code(py: Interpreter, module: str) -> None:
    for code in ("import %s" % module, "from %s import x" % module, "__import__('%s')" % module):
        error = py.run(code).error
        assert error["code"] == "import_denied"
        assert error["type"] == "ImportError"


@pytest.mark.parametrize("module", ["telnetlib3_missing", "paramiko", "selenium"])
def test_network_packages_that_are_missing_are_denied_and_others_just_missing(py: Interpreter, module: str) -> None:
    error = py.run("import %s" % module).error
    assert error["code"] == ("python_error" if "missing" in module else "import_denied")


def test_the_error_can_be_caught_as_an_import_error(py: Interpreter) -> None:
    assert py.run("try:\n    import paramiko\nexcept ImportError as e:\n    x = 'no network' in str(e)\nx").value is True


def test_workspace_modules_are_guarded_like_the_code(py: Interpreter, workspace: pathlib.Path) -> None:
    (workspace / "bridge_e.py").write_text("import js\n")
    assert py.run("import bridge_e").error["code"] == "import_denied"


def test_the_standard_library_imports_what_it_needs(py: Interpreter) -> None:
    assert py.run("import asyncio, logging.handlers, urllib.request, http.cookiejar, xmlrpc.client\n'ok'").value == "ok"


def test_modules_can_be_imported_to_be_mocked(py: Interpreter) -> None:
    code = (
        "import subprocess, socket\nfrom unittest.mock import patch\n"
        "with patch('subprocess.run') as run, patch('socket.create_connection') as connect, patch('os.system', return_value=0):\n"
        "    subprocess.run(['ls']); socket.create_connection(('a', 1)); import os; rc = os.system('x')\n"
        "[run.called, connect.called, rc, subprocess.CalledProcessError.__name__, socket.AF_INET > 0]"
    )
    assert py.run(code).value == [True, True, 0, "CalledProcessError", True]


def test_a_refused_coroutine_function_is_mocked_by_one(py: Interpreter) -> None:
    code = (
        "import asyncio\nfrom unittest.mock import patch\nwith patch('asyncio.open_connection', return_value=('r', 'w')):\n"
        "    pair = await asyncio.open_connection('a', 80)\nlist(pair)"
    )
    assert py.run(code).value == ["r", "w"]


def test_doctest_works_although_it_needs_pdb(py: Interpreter) -> None:
    code = 'import doctest\ndef f():\n    """\n    >>> f()\n    1\n    """\n    return 1\ndoctest.testmod().attempted'
    assert py.run(code).value == 1


def test_file_urls_can_still_be_opened(py: Interpreter, workspace: pathlib.Path) -> None:
    (workspace / "a.txt").write_text("local")
    assert py.run("from urllib.request import urlopen\nurlopen((workspace / 'a.txt').as_uri()).read().decode()").value == "local"


def test_plain_ctypes_types_work(py: Interpreter) -> None:
    assert py.run("import ctypes\nctypes.c_int32(2 ** 31).value").value == -(2**31)


def test_process_pools_run_in_the_same_process(py: Interpreter) -> None:
    code = (
        "from multiprocessing import Pool\nfrom concurrent.futures import ProcessPoolExecutor\n"
        "if __name__ == '__main__':\n    with Pool(4) as p:\n        a = p.map(abs, [-1, -2])\n"
        "    with ProcessPoolExecutor(2) as e:\n        b = list(e.map(abs, [-3]))\n        f = e.submit(int, 'x')\n[a, b, str(type(f.exception()))]"
    )
    assert py.run(code).value == [[1, 2], [3], "<class 'ValueError'>"]


REPLACED = {
    "help()": "help(object)",
    "license()": "interactive",
    "credits()": "interactive",
}


@pytest.mark.parametrize("code", REPLACED)
def test_interactive_builtins_raise_a_clear_error(py: Interpreter, code: str) -> None:
    assert REPLACED[code] in py.run(code).error["message"]


def test_help_prints_the_documentation_of_an_object(py: Interpreter) -> None:
    assert "Return the number of items" in py.run("help(len)").stdout


STRICT_REMOVED = ["eval('1')", "exec('1')", "compile('1', '', 'eval')", "open('x')", "globals()", "locals()", "vars()"]


@pytest.mark.parametrize("code", STRICT_REMOVED)
def test_strict_mode_removes_the_builtin(py: Interpreter, code: str) -> None:
    error = py.run(code, builtins="strict").error
    assert "strict mode" in error["message"]


def test_strict_mode_allows_listed_modules_only(py: Interpreter) -> None:
    assert py.run("import math, json.decoder\nfrom collections import abc\nmath.floor(1.5)", builtins="strict").value == 1
    error = py.run("import os", builtins="strict").error
    assert error["code"] == "import_denied"
    assert "strict mode" in error["message"]


def test_strict_mode_leaves_the_library_its_builtins(py: Interpreter) -> None:
    code = "import collections, dataclasses\nP = collections.namedtuple('P', 'x')\nwrite_file('a.txt', 'hi')\n[P(1).x, read_file('a.txt')]"
    assert py.run(code, builtins="strict").value == [1, "hi"]


def test_strict_mode_holds_for_workspace_modules(py: Interpreter, workspace: pathlib.Path) -> None:
    (workspace / "mine_f.py").write_text("def f():\n    return eval('1')\n")
    assert "strict mode" in py.run("import mine_f\nmine_f.f()", builtins="strict").error["message"]
    (workspace / "mine_g.py").write_text("import os\n")
    assert py.run("import mine_g", builtins="strict").error["code"] == "import_denied"
