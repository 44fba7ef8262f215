"""Positive control: plain CPython. Takes one JSON string of code a line, answers one JSON string a line."""

import contextlib
import io
import json
import os
import sys
import tempfile
import traceback

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
os.chdir(tempfile.mkdtemp())
for line in sys.stdin:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        try:
            exec(compile(json.loads(line), "probe", "exec"), {"__name__": "probe"})
        except BaseException:
            traceback.print_exc(file=text)
    answers.write(json.dumps(text.getvalue()) + "\n")
    answers.flush()
