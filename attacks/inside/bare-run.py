"""Runs code without walls. In Pyodide `run` is called; in CPython this file is the program: one JSON text a line each way."""

import ast
import io
import json
import os
import sys
import traceback

held = {"__name__": "__main__"}


class Tools:
    """`tools.call` as the product has it, and no more."""

    def __init__(self, ask):
        self.ask = ask

    def call(self, name, arguments):
        return json.loads(self.ask(json.dumps({"call": name, "args": arguments})))


def run(source, ask):
    """The value of the last expression as JSON, and the error."""
    held["tools"] = Tools(ask)
    try:
        tree = ast.parse(source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, os.path.join(os.path.expanduser("~"), "project", "run.py"), "exec"), held)
        value = None if last is None else eval(compile(ast.Expression(last.value), "run.py", "eval"), held)
        return {"result": json.dumps(value, default=lambda other: {})}
    except Exception:
        return {"error": traceback.format_exc()}


def ask_by_line(question):
    """The question goes out where prints go, and whatever line comes in is the answer."""
    print(question, flush=True)
    return sys.stdin.readline()


if __name__ == "__main__" and "pyodide" not in sys.modules:
    for line in sys.stdin:
        answer = run(json.loads(line), ask_by_line)
        print(json.dumps({"done": answer}), flush=True)
