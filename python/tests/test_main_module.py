"""The module that code runs in."""

import pytest

from fake_host import Interpreter


def test_name_file_and_arguments_are_those_of_a_script(py: Interpreter) -> None:
    code = "import sys, os\n[__name__, os.path.basename(__file__), os.path.dirname(__file__) == os.getcwd(), sys.argv]"
    assert py.run(code).value == ["__main__", "main.py", True, ["main.py"]]


def test_argparse_sees_no_foreign_arguments(py: Interpreter) -> None:
    assert (
        py.run(
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('--n', type=int, default=46)\np.parse_args().n"
        ).value
        == 46
    )


def test_pickle_finds_classes_of_the_code(py: Interpreter) -> None:
    code = (
        "import pickle\nfrom dataclasses import dataclass\n@dataclass\nclass R:\n    a: int\npickle.loads(pickle.dumps(R(3))).a"
    )
    assert py.run(code).value == 3


def test_type_hints_of_forward_references_resolve(py: Interpreter) -> None:
    code = "from __future__ import annotations\nimport typing\nclass Node:\n    next: Node\ntyping.get_type_hints(Node)['next'] is Node"
    assert py.run(code).value is True


def test_inspect_finds_the_source(py: Interpreter) -> None:
    assert py.run(
        "import inspect\ndef f():\n    return 1\nclass C:\n    x = 1\ninspect.getsource(f) + inspect.getsource(C)"
    ).value == ("def f():\n    return 1\nclass C:\n    x = 1\n")


def test_source_of_a_function_of_an_earlier_run_is_still_found(py: Interpreter) -> None:
    py.run("def f():\n    return 1", keep=True)
    assert py.run("import inspect\ninspect.getsource(f)", keep=True).value == "def f():\n    return 1\n"


def test_doctest_runs_the_examples_of_the_code(py: Interpreter) -> None:
    code = 'import doctest\ndef f(x):\n    """\n    >>> f(2)\n    4\n    """\n    return x * x\ntuple(doctest.testmod())'
    assert py.run(code).value[:2] == [0, 1] or py.run(code).value == {"failed": 0, "attempted": 1}


def test_unittest_main_runs_and_its_success_is_a_normal_end(py: Interpreter) -> None:
    code = (
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(1, 1)\n"
        "if __name__ == '__main__':\n    unittest.main()"
    )
    answer = py.run(code)
    assert "error" not in answer.done
    assert "Ran 1 test" in answer.stderr
    assert "exit()" in answer.notes


def test_future_imports_of_the_runtime_do_not_leak_into_the_code(py: Interpreter) -> None:
    assert py.run("def f(x: int): pass\nf.__annotations__['x'] is int").value is True


def test_mock_patches_of_builtins_reach_the_code(py: Interpreter) -> None:
    code = (
        "from unittest.mock import patch, mock_open\nwith patch('builtins.open', mock_open(read_data='mocked')):\n"
        "    text = open('nope').read()\nwith patch('builtins.input', return_value='7'):\n    n = input()\n[text, n]"
    )
    assert py.run(code).value == ["mocked", "7"]


@pytest.mark.parametrize("name", ["main.py", "main-2.py"])
def test_a_workspace_file_of_the_same_name_is_not_mistaken_for_the_code(py: Interpreter, name: str) -> None:
    py.run("open(%r, 'w').write('x = 1')" % name)
    error = py.run("def f():\n    raise ValueError('here')\nf()").error
    assert error["line"] == 2
    assert "raise ValueError('here')" in error["traceback"]
