"""Runs a file of bench programs in process, each in a forked child: ``python tests/bench_driver.py FILE [ID ...]``.

Prints the failures and the shares. The full bench goes through MCP; this one takes a minute and tests the runtime alone.
"""

import base64
import json
import math
import os
import pathlib
import sys
import tempfile
import traceback
from typing import Any, Callable, Dict, List, Optional, Tuple

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / "src"), str(pathlib.Path(__file__).parent)]

from ce_runtime import prepare  # noqa: E402
from fake_host import Answer, Interpreter  # noqa: E402

_fork, _waitpid, _exit = os.fork, os.waitpid, os._exit
Verdict = Optional[str]


def run_forked(case: Dict[str, Any], judge: Callable[[Dict[str, Any]], Verdict]) -> Verdict:
    """None if the case is right, else what was wrong."""
    read, write = os.pipe()
    pid = _fork()
    if pid == 0:
        try:
            verdict = judge(case)
        except BaseException:
            verdict = traceback.format_exc()
        with os.fdopen(write, "wb") as pipe:
            pipe.write(json.dumps(verdict).encode())
        _exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    _waitpid(pid, 0)
    verdict_read: Verdict = json.loads(data) if data else "the child died"
    return verdict_read


def judge_program(case: Dict[str, Any]) -> Verdict:
    """Result and output as the bench expects them."""
    with tempfile.TemporaryDirectory() as folder:
        _put_files(folder, case)
        answer = Interpreter(folder).run(case["code"])
    expect = case["expect"]
    if "error" in answer.done:
        error = answer.done["error"]
        return "%s %s: %s" % (error["code"], error["type"], error["message"])
    if "result" in expect and not _same(answer.value, expect["result"]):
        return "result %s, expected %s" % (answer.json_text[:300], json.dumps(expect["result"])[:300])
    if "stdout" in expect and answer.stdout.rstrip() != expect["stdout"].rstrip():
        return "stdout %r, expected %r" % (answer.stdout[:300], expect["stdout"][:300])
    return None


def judge_friction(case: Dict[str, Any]) -> Verdict:
    """The outcome, and the words that help, as far as the runtime is responsible for them."""
    with tempfile.TemporaryDirectory() as folder:
        _put_files(folder, case)
        keep = "session" in case
        interpreter = Interpreter(folder)
        earlier: List[str] = []
        for code in case.get("prior", []):
            earlier += interpreter.run(code, keep=keep).done["names"]
        answer = interpreter.run(
            case["code"], keep=keep, earlier=[] if keep else earlier, seconds=case.get("timeout_seconds", 20)
        )
    return _check(answer, case["expect"])


def _check(answer: Answer, expect: Dict[str, Any]) -> Verdict:
    outcome = answer.done["error"]["code"] if "error" in answer.done else "ok"
    if outcome not in expect["outcome"] and not (outcome == "import_denied" and "python_error" in expect["outcome"]):
        return "outcome %s: %s" % (outcome, answer.everything()[:400])
    text = answer.everything().lower() + answer.everything().replace('\\"', '"').lower()
    if "containsAny" in expect and not any(word.lower() in text for word in expect["containsAny"]):
        return "none of %s in %s" % (expect["containsAny"], answer.everything()[:600])
    for word in expect.get("containsAll", []):
        if word.lower() not in text:
            return "no %r in %s" % (word, answer.everything()[:600])
    for word in expect.get("notContains", []):
        if word.lower() in text:
            return "%r in %s" % (word, answer.everything()[:600])
    if answer.seconds > expect.get("maxSeconds", math.inf):
        return "took %.1f s" % answer.seconds
    return None


def _put_files(folder: str, case: Dict[str, Any]) -> None:
    contents = {name: text.encode() for name, text in case.get("files", {}).items()}
    contents.update((name, base64.b64decode(text)) for name, text in case.get("files64", {}).items())
    for name, data in contents.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        if isinstance(left, int) and isinstance(right, int):
            return left == right
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(left, str) and isinstance(right, int):
        return abs(right) >= 2**53 and left == str(right)  # the documented form of long integers
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    return bool(left == right)


def load_cases(path: pathlib.Path) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def run_file(path: pathlib.Path, only: "set[str]") -> Tuple[Dict[str, List[int]], List[Tuple[str, str]]]:
    """Right and total by share, and the failures."""
    shares: Dict[str, List[int]] = {}
    failures: List[Tuple[str, str]] = []
    for case in load_cases(path):
        if only and case["id"] not in only:
            continue
        judge = judge_program if "source" in case else judge_friction
        verdict = run_forked(case, judge)
        share = shares.setdefault("needs" if case.get("needs") else "core", [0, 0])
        share[1] += 1
        share[0] += verdict is None
        if verdict is not None:
            failures.append((case["id"], verdict))
    return shares, failures


if __name__ == "__main__":
    prepare()
    out = sys.stdout
    results, failed = run_file(pathlib.Path(sys.argv[1]), set(sys.argv[2:]))
    for case_id, problem in failed:
        print("%s: %s" % (case_id, problem), file=out)
    for name, (right, total) in results.items():
        print("%s: %d of %d" % (name, right, total), file=out)
