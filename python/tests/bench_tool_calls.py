"""What one tool call costs on this side of the channel, without host and pipe: ``python tests/bench_tool_calls.py``."""

import pathlib
import sys
import tempfile
from typing import Tuple

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / "src"), str(pathlib.Path(__file__).parent)]

from fake_host import FakeHost, Interpreter  # noqa: E402

_PROGRAM = """
import time
def median(f, count):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        f()
        times.append(time.perf_counter() - start)
    return sorted(times)[count // 2] * 1_000
rows = [{"id": n, "name": "item %d" % n, "price": n / 7} for n in range(10_000)]
[
    ["one call", median(lambda: tools.github.list_issues(repo="a/b", state="open", limit=50), 5_000)],
    ["later and gather of 8, a call", median(lambda: tools.gather([tools.x.y.later(n=i) for i in range(8)]), 500) / 8],
    ["hasattr", median(lambda: hasattr(tools.github, "list_issues"), 5_000)],
    ["arguments of %d kB" % (len(json.dumps(rows)) // 1000), median(lambda: tools.x.y(rows=rows), 10)],
]
"""


class EchoHost(FakeHost):
    """Answers every call with the same small value."""

    number = 0

    def send(self, header: str, payload: bytes) -> None:
        if header.startswith('{"type":"call"'):
            self.number += 1
        else:
            super().send(header, payload)

    def receive(self) -> Tuple[str, bytes]:
        self.answered += 1
        return '{"type":"reply","id":%d,"ok":true}' % self.answered, b'{"value":["list_issues"]}'

    answered = 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        python = Interpreter(folder, EchoHost())
        for what, milliseconds in python.run(_PROGRAM, tools=True, seconds=60).value:
            print("%-32s %.4f ms" % (what, milliseconds))
