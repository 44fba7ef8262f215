"""Names that are not defined."""

import builtins
import re
import sys
from typing import Any, Optional

from ...denied import NO_TOOLS
from ..frames import namespaces
from .near import listed, near
from .situation import Situation

_JSON_NAMES = {"true": "True", "false": "False", "null": "None", "undefined": "None", "nil": "None", "none": "None"}
_MEMBERS = {
    "pathlib": "Path PurePath",
    "collections": "defaultdict Counter OrderedDict deque namedtuple ChainMap",
    "dataclasses": "dataclass field asdict astuple replace",
    "enum": "Enum IntEnum Flag auto",
    "decimal": "Decimal ROUND_HALF_UP getcontext",
    "fractions": "Fraction",
    "functools": "partial reduce lru_cache wraps cache total_ordering cached_property singledispatch cmp_to_key",
    "itertools": "chain product permutations combinations groupby islice accumulate zip_longest count cycle repeat starmap pairwise",
    "typing": "Optional List Dict Any Union Tuple Callable Iterable Iterator Set Sequence Mapping NamedTuple TypedDict Literal TypeVar Generic Protocol",
    "statistics": "mean median mode stdev pstdev variance quantiles",
    "math": "sqrt pi floor ceil log exp sin cos gcd inf",
    "pprint": "pprint pformat",
    "io": "StringIO BytesIO",
    "abc": "ABC abstractmethod",
    "contextlib": "contextmanager suppress redirect_stdout closing ExitStack",
    "time": "sleep perf_counter monotonic",
    "datetime": "timezone UTC",
    "zoneinfo": "ZoneInfo",
    "copy": "deepcopy",
    "random": "randint choice shuffle sample uniform",
    "heapq": "heappush heappop heapify nlargest nsmallest",
    "bisect": "bisect_left bisect_right insort",
    "textwrap": "dedent shorten",
    "string": "ascii_letters ascii_lowercase digits punctuation",
    "operator": "itemgetter attrgetter",
    "concurrent.futures": "ThreadPoolExecutor as_completed",
    "urllib.parse": "urlparse urlencode quote unquote urljoin parse_qs",
    "uuid": "uuid4",
    "hashlib": "sha256 md5",
}
_HOME = {name: module for module, members in _MEMBERS.items() for name in members.split()}
_ALIASES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib", "sns": "seaborn", "dt": "datetime", "ET": "xml.etree.ElementTree"}
_MODULES: "frozenset[str]" = frozenset(getattr(sys, "stdlib_module_names", ())) or frozenset(
    (
        "os sys csv random itertools functools string time pathlib io typing enum decimal copy glob hashlib base64 uuid "
        "asyncio logging operator heapq bisect shutil tempfile textwrap zipfile sqlite3 urllib html xml pprint"
    ).split()
)


def name_error(error: BaseException, situation: Situation) -> Optional[str]:
    name = _name_of(error)
    if not name:
        return None
    if name in _JSON_NAMES:
        return "Python writes %s; for JSON text use json.loads(text)" % _JSON_NAMES[name]
    request = situation.request
    if name == "tools" and not request.tools:
        return NO_TOOLS
    if name in request.earlier_names and not request.keep_state:
        return (
            "%r was defined by an earlier call, but each call starts fresh: pass the same `session` name in all calls "
            "that belong together (and run the definition again there once), or define it in this call" % name
        )
    if name in _MODULES:
        return "add `import %s` at the top" % name
    if name in _HOME:
        return "add `from %s import %s` at the top" % (_HOME[name], name)
    if name in _ALIASES:
        module = _ALIASES[name]
        if module in _MODULES or "." in module:
            return "add `import %s as %s` at the top" % (module, name)
        return "`%s` is not defined, and %s is not available here: use the standard library (csv, statistics, math)" % (
            name,
            module,
        )
    if name in ("get_ipython", "ipython"):
        return "this is plain Python, not IPython/Jupyter; leave the line out and use print()"
    return _near_names(name, error, situation)


def unbound_local(error: BaseException, situation: Situation) -> Optional[str]:
    name = _name_of(error)
    if not name:
        return None
    return (
        "%r is assigned in this function, so it is local to it and has no value yet: pass it as a parameter and return it, "
        "or declare `global %s` (`nonlocal` for an enclosing function) as the first line of the function" % (name, name)
    )


def _near_names(name: str, error: BaseException, situation: Situation) -> Optional[str]:
    known: set[str] = set(dir(builtins))
    for names in namespaces(error.__traceback__, situation.main):
        known.update(key for key in names if type(key) is str and not key.startswith("__"))
    known.discard(name)
    close = near(name, sorted(known))
    if close:
        return "did you mean %s?" % listed(close)
    if not situation.request.keep_state:
        return "define it first; each call starts fresh unless it names a `session`"
    return "define it first: no earlier run of this session has defined it"


def _name_of(error: BaseException) -> str:
    name: Any = getattr(error, "name", None)
    if isinstance(name, str):
        return name
    match = re.search(r"'(\w+)'", str(error))
    return match.group(1) if match else ""
