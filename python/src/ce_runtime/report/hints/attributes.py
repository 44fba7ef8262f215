"""Attributes that do not exist."""

import re
from types import ModuleType
from typing import Any, List, Optional

from ...encode.types import bases, class_dict
from .files import LINKS_HINT
from .near import listed, near
from .situation import Situation

NONE_HINT = (
    "the value is None: a function without `return` gives None, and so do list.sort(), list.append(), dict.update(), "
    "random.shuffle() (they change the object in place) and re.match() without a match"
)
_RENAMED = {
    "has_key": "use `key in d`",
    "iteritems": "use .items()",
    "itervalues": "use .values()",
    "iterkeys": "use .keys()",
    "decode": "text needs no decode(); only bytes have it",
    "contains": "use `x in y`",
    "push": "use .append()",
    "length": "use len(x)",
    "size": "use len(x)",
    "forEach": "use a for loop",
    "toLowerCase": "use .lower()",
    "toUpperCase": "use .upper()",
    "trim": "use .strip()",
    "scrypt": "scrypt is missing in this build: use hashlib.pbkdf2_hmac",
}
_SYSTEM_MODULES = ("module 'os'", "module 'signal'", "module 'asyncio'")
#: What these have on other systems; names that look alike would do something else.
_ELSEWHERE = frozenset(
    (
        "alarm setitimer copy_file_range eventfd forkpty getegid geteuid getgrouplist getgroups getrandom getresgid getresuid "
        "getxattr initgroups lchown listxattr memfd_create mkfifo mknod nice openpty pidfd_open pipe2 posix_fallocate "
        "posix_spawn posix_spawnp preadv pwritev removexattr sched_getaffinity sched_setaffinity sendfile setegid seteuid "
        "setgroups setpriority setresgid setresuid setxattr splice startfile open_unix_connection start_unix_server"
    ).split()
)


def attribute_error(error: BaseException, _situation: Situation) -> Optional[str]:
    text = str(error)
    if "'NoneType' object has no attribute" in text:
        return NONE_HINT
    name = getattr(error, "name", None)
    if not isinstance(name, str):
        match = re.search(r"no attribute '(\w+)'", text)
        name = match.group(1) if match else None
    if name is None:
        return None
    if "'coroutine' object" in text:
        return "the call gave a coroutine: write `await` before it"
    if "type object 'datetime.datetime' has no attribute" in text:
        return "`datetime` means the class here: write datetime.now() or timedelta(...), or `import datetime` first"
    if "module 'datetime' has no attribute" in text:
        return "`datetime` is the module here: write datetime.datetime.%s, or `from datetime import datetime`" % name
    if "module 'collections' has no attribute" in text:
        return "abstract base classes are in collections.abc; close names: %s" % listed(_close(name, error))
    if "module 'os'" in text and name == "link":
        return LINKS_HINT
    if name in _ELSEWHERE and any(module in text for module in _SYSTEM_MODULES):
        return "%s exists on other systems, not in this sandbox: do without it" % name
    if "'dict' object" in text and name not in _RENAMED:
        close = _close(name, error)
        return "a dict has keys, not attributes: d[%r] or d.get(%r)%s" % (name, name, _also(close))
    if "'list' object" in text and name in ("items", "keys", "values", "get"):
        return "the value is a list: loop over it, or take one item first (x[0])"
    close = _close(name, error)
    if close:
        return "did you mean %s?" % listed(close)
    return _RENAMED.get(name)


def _also(close: List[str]) -> str:
    return "; or did you mean the method %s?" % listed(close) if close else ""


def _close(name: str, error: BaseException) -> List[str]:
    owner: Any = getattr(error, "obj", None)
    return near(name, _attributes(owner))


def _attributes(owner: Any) -> List[str]:
    """Public attributes, read without running code of the class."""
    found: set[str] = set()
    classes = bases(owner)
    if type in classes:
        classes += type.__dict__["__mro__"].__get__(owner)
    for cls in classes:
        found.update(key for key in class_dict(cls) if type(key) is str)
    try:
        own = vars(owner) if isinstance(owner, ModuleType) else object.__getattribute__(owner, "__dict__")
        found.update(key for key in own if type(key) is str)
    except Exception:
        return sorted(key for key in found if not key.startswith("_"))
    return sorted(key for key in found if not key.startswith("_"))
