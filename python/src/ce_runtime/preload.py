"""Everything that is done once, before the memory snapshot or the first fork."""

import contextlib
import importlib

#: What model-written code usually imports. Each costs memory in every worker and saves its import in every run.
USUAL_MODULES = (
    "abc argparse array ast asyncio base64 bisect calendar cmath collections collections.abc configparser "
    "contextlib copy csv dataclasses datetime decimal difflib enum fractions functools glob gzip hashlib heapq hmac "
    "html inspect io itertools json keyword locale logging math numbers operator os pathlib pickle platform pprint "
    "queue random re secrets shutil statistics string struct sys tempfile textwrap threading time timeit traceback "
    "types typing unicodedata urllib.parse uuid warnings weakref zipfile zlib concurrent.futures unittest "
    "unittest.mock"
).split()


#: Likewise, but not in every Python: tomllib came with 3.11, some builds lack sqlite3.
USUAL_IF_THERE = "html.parser sqlite3 tomllib urllib.request xml.etree.ElementTree zoneinfo".split()


def prepare() -> None:
    """Imports the usual modules and runs a program once, so that code paths are warm. Leaves no state behind."""
    for name in USUAL_MODULES:
        importlib.import_module(name)
    for name in USUAL_IF_THERE:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    importlib.import_module("concurrent.futures.thread")
    from .rehearsal import rehearse

    rehearse()
