"""Modules and names that cannot be imported."""

import sys
from typing import Optional

from ...denied import NO_TOOLS
from ...skills.errors import SHOWS_ALL
from .files import workspace_files
from .near import listed, near
from .situation import Situation

_PLOTS = "the numbers themselves as the result: no images can be drawn here"
_IMAGES = "open(path, 'rb'): images can only be copied as bytes here"
_INSTEAD = {
    "pandas": "csv.DictReader, statistics, collections, sqlite3",
    "polars": "csv.DictReader, statistics, collections, sqlite3",
    "numpy": "math, statistics, array, lists",
    "scipy": "math, statistics",
    "sklearn": "statistics (linear_regression, correlation)",
    "matplotlib": _PLOTS,
    "seaborn": _PLOTS,
    "plotly": _PLOTS,
    "PIL": _IMAGES,
    "cv2": _IMAGES,
    "bs4": "html.parser, re",
    "lxml": "xml.etree.ElementTree, html.parser",
    "yaml": "json, configparser, tomllib",
    "toml": "tomllib",
    "openpyxl": "zipfile and xml.etree.ElementTree (an xlsx file is a zip of XML), or csv",
    "xlrd": "csv",
    "docx": "zipfile and xml.etree.ElementTree (a docx file is a zip of XML)",
    "dateutil": "datetime (fromisoformat, strptime), zoneinfo",
    "pytz": "zoneinfo",
    "arrow": "datetime, zoneinfo",
    "tqdm": "progress(done, total, message), which is ready without import",
    "tabulate": "format_output(rows), which is ready without import",
    "pydantic": "dataclasses, typing",
    "attr": "dataclasses",
    "jinja2": "string.Template, f-strings",
    "ujson": "json",
    "orjson": "json",
    "simplejson": "json",
    "regex": "re",
    "sympy": "fractions, decimal, math",
    "networkx": "dicts of lists, heapq, graphlib",
    "pytest": "unittest",
    "six": "plain Python 3",
    "imp": "importlib",
    "distutils": "shutil, sysconfig",
    "cgi": "urllib.parse, email",
    "IPython": "print() and the value of the last expression",
}


def missing_module(error: BaseException, situation: Situation) -> Optional[str]:
    name = getattr(error, "name", None)
    if not isinstance(name, str) or not name:
        return None
    root = name.partition(".")[0]
    if root == "tools":
        server, _, tool = name.partition(".")[2].rpartition(".")
        return "write `from tools.%s import %s`" % (server, tool) if server else NO_TOOLS if name == root else None
    if str(error).endswith(SHOWS_ALL):
        return None  # a skill, and the message has said it
    if root in _INSTEAD:
        return "%s is not available in this sandbox and nothing can be installed; use instead: %s" % (root, _INSTEAD[root])
    stdlib = set(getattr(sys, "stdlib_module_names", ())) | set(sys.builtin_module_names)
    if root in stdlib and name != root:
        return "%s has no submodule %s" % (root, name.partition(".")[2])
    if root in stdlib:
        return "%s belongs to the standard library but does not exist in this sandbox" % root
    own = {path[:-3].split("/")[0] for path in workspace_files(situation.main.workspace) if path.endswith(".py")}
    own |= {path.split("/")[0] for path in workspace_files(situation.main.workspace) if "/" in path}
    close = near(root, sorted(own | {module for module in stdlib if not module.startswith("_")}))
    if close:
        return "did you mean %s? Packages cannot be installed here" % listed(close)
    return (
        "%s is not available in this sandbox and nothing can be installed: use the standard library, "
        "or write the module into the workspace (%s.py)" % (root, root)
    )


def missing_name(error: BaseException, _situation: Situation) -> Optional[str]:
    """``cannot import name 'x' from 'y'``."""
    module = sys.modules.get(getattr(error, "name", None) or "")
    wanted = getattr(error, "name_from", None)
    if not isinstance(wanted, str):
        parts = str(error).split("'")
        wanted = parts[1] if len(parts) > 2 and str(error).startswith("cannot import name") else None
    if module is None or wanted is None:
        return None
    if module.__name__ == "collections":
        import collections.abc

        if hasattr(collections.abc, wanted):
            return "it moved: from collections.abc import %s" % wanted
    close = near(wanted, [name for name in dir(module) if not name.startswith("_")])
    return "did you mean %s?" % listed(close) if close else None
