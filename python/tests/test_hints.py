"""The next step that an error names."""

import pathlib
import sys
from typing import Dict, Tuple

import pytest

from fake_host import Interpreter

HINTS: Dict[str, str] = {
    "total_amount = 5\nprint(total_amuont)": "total_amount",
    "print(os.path.join('a', 'b'))": "import os",
    "Path('x')": "from pathlib import Path",
    "np.array([1])": "numpy is not available",
    "{'debug': true}": "True; for JSON text use json.loads",
    "x = null": "None",
    "get_ipython()": "plain Python",
    "d = {'units': 1}\nd['Units']": "did you mean 'units'? Keys: 'units'",
    "d = {'a': {'b': 1}}\nd['a']['c']": "keys: 'b'",
    "d = {1: 'a'}\nd['1']": "the keys are numbers: use 1",
    "d = {'1': 'a'}\nd[1]": "the keys are text: use '1'",
    "{}['x']": ".get('x')",
    "x = [1, 2]\nx[5]": "the last index of this list is 1",
    "x = []\nx[0]": "is empty",
    "[3, 1].sort()[0]": "change the object in place",
    "import re\nre.match('a', 'b').group()": "without a match",
    "'abc'.uper()": "did you mean 'upper'",
    "{'name': 1}.name": "d['name']",
    "import math\nmath.sqr(4)": "sqrt",
    "import os\nraise AttributeError(\"module 'os' has no attribute 'link'\", name='link', obj=os)": "no links here",
    "import os\nraise AttributeError(\"module 'os' has no attribute 'nice'\", name='nice', obj=os)": "on other systems",
    "raise PermissionError(1, 'Operation not permitted', 'a', None, 'b')": "no links here",
    "raise NotImplementedError('Path.hardlink_to() is unsupported on this system')": "no links here",
    "datetime.foo": "the class here",
    "import datetime\ndatetime.now()": "datetime.datetime.now",
    "import asyncio\nasync def f():\n    return 1\nasync def g():\n    return f().x\nasyncio.run(g())": "await",
    "async def f():\n    return await len\nawait f()": "the parentheses are missing",
    "'a' + 1": "str(x)",
    "3 < '4'": "int(x) or float(x)",
    "{[1]: 2}": "tuple",
    "'abc'['a']": "json.loads",
    "[1]['a']": "loop over it",
    "import json\njson.dumps(date(2025, 1, 1))": "default=str",
    "json.loads('')": "empty",
    "json.loads(\"{'a': 1}\")": "ast.literal_eval",
    "json.loads('{}\\n{}')": "JSON lines",
    "json.loads('<html>')": "HTML",
    "float('1,234.5')": "thousands separators",
    "int('3.7')": "int(float(x))",
    "float('n/a')": "missing value",
    "datetime.strptime('2025-01-02', '%d/%m/%Y')": "fromisoformat",
    "max([])": "default=",
    "a, b = [1, 2, 3]": "how many parts",
    "statistics.mean([])": "empty",
    "d = {'a': 1}\nfor k in d:\n    d.pop(k)": "list(d)",
    "count = 0\ndef inc():\n    count += 1\ninc()": "global count",
    "import pandas": "csv.DictReader",
    "import matplotlib.pyplot as plt": "no images can be drawn here",
    "import itertolls": "itertools",
    "import some_unknown_package": "nothing can be installed",
    "from collections import Mapping": "collections.abc",
    "from math import sqr": "sqrt",
    "str(10 ** 5000)": "set_int_max_str_digits",
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('n')\np.parse_args()": "parse_args([",
    "def f():\n    await g()": "async def",
    "const x = 5;": "JavaScript",
    "print('a'\nx = 1": "not closed",
    "if True:\n\tx = 1\n        y = 2": "tabs and spaces",
    "def f():\nreturn 1\n  x": "indentation",
}


NEEDS: Dict[str, Tuple[int, ...]] = {
    "'abc'.uper()": (3, 10),
    "import math\nmath.sqr(4)": (3, 10),
    "from collections import Mapping": (3, 10),
    "print('a'\nx = 1": (3, 10),
    "str(10 ** 5000)": (3, 10, 12),
}


@pytest.mark.parametrize("code", HINTS)
def test_the_hint_names_the_next_step(py: Interpreter, code: str) -> None:
    if sys.version_info < NEEDS.get(code, (3, 9)):
        pytest.skip("this Python tells less about the error")
    error = py.run(code).error
    assert HINTS[code] in error["hint"]


def test_a_name_of_an_earlier_run_names_the_session_argument(py: Interpreter) -> None:
    hint = py.run("print(len(rows))", earlier=["rows"]).error["hint"]
    assert "`session`" in hint and "'rows'" in hint


def test_in_a_session_an_unknown_name_does_not_suggest_a_session(py: Interpreter) -> None:
    assert "no earlier run of this session" in py.run("zzqx", keep=True, earlier=["zzqx"]).error["hint"]


FILES = {
    "open('/mnt/data/sales.csv')": "open('sales.csv')",
    "open('C:\\\\Users\\\\me\\\\sales.csv')": "open('sales.csv')",
    "open('/home/user/Sales.CSV')": "open('sales.csv')",
    "open('sale.csv')": "did you mean 'sales.csv'",
    "open('sub/new.json', 'w')": "the folder 'sub' does not exist",
    "open('deep.json')": "data/deep.json",
    "open('zzz.bin')": "the workspace has: 'legacy.txt', 'sales.csv', 'data/deep.json'",
    "open('/etc/hosts2')": "only the workspace",
    "open('data')": "that is a folder",
    "open('legacy.txt', encoding='utf-8').read()": "cp1252",
    "open('packed', encoding='utf-8').read()": "gzip.open",
    "import csv\nfor r in csv.DictReader(open('bom.csv', encoding='utf-8')):\n    print(r['name'])": "utf-8-sig",
    "import csv\nfor r in csv.DictReader(open('sales.csv')):\n    print(r['Units'])": "did you mean 'units'",
}


@pytest.mark.parametrize("code", FILES)
def test_the_hint_about_a_file_names_the_one_that_is_there(py: Interpreter, workspace: pathlib.Path, code: str) -> None:
    (workspace / "sales.csv").write_text("region,units\nnorth,3\n")
    (workspace / "legacy.txt").write_bytes(b"caf\xe9")
    (workspace / "data").mkdir()
    (workspace / "data" / "deep.json").write_text("{}")
    if "bom" in code:
        (workspace / "bom.csv").write_bytes(b"\xef\xbb\xbfname,qty\nbolt,3\n")
    if "packed" in code:
        (workspace / "packed").write_bytes(b"\x1f\x8b\x08\x00")
    assert FILES[code] in py.run(code).error["hint"]


def test_an_empty_workspace_is_said_to_be_empty(py: Interpreter) -> None:
    assert "the workspace is empty" in py.run("open('x.csv')").error["hint"]


def test_no_answer_mentions_package_installers(py: Interpreter) -> None:
    for module in ("pandas", "numpy", "sklearn", "foo_bar"):
        text = py.run("import %s" % module).everything()
        for word in ("pip install", "micropip", "loadPackage", "pyodide"):
            assert word not in text


def test_keys_are_found_without_running_code_of_the_values(py: Interpreter) -> None:
    code = (
        "class D(dict):\n    def keys(self): raise SystemExit\n    def __iter__(self): raise SystemExit\n"
        "d = D(alpha=1)\nd['alpa']"
    )
    assert "'alpha'" in py.run(code).error["hint"]
