"""Library functions that would start a process or open a connection raise a clear error instead.

The modules themselves can be imported: much code imports ``subprocess`` or ``socket`` only to mock it, or to use a
constant. Where nothing stops them, ``os.system`` in WebAssembly would answer 0 without running anything, and
``socket.create_connection`` would seem to connect.
"""

import sys
from typing import Any, Callable, Dict, List, Tuple

from .denied import NETWORK_ADVICE, NO_DEBUGGER, NO_PROCESSES, DeniedCall
from .unittest_results import patch_results, record

_OS_CALLS = (
    "system popen fork forkpty execl execle execlp execlpe execv execve execvp execvpe posix_spawn posix_spawnp "
    "spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe"
).split()
_ASYNC_CALLS = (
    ("asyncio.subprocess", NO_PROCESSES, "create_subprocess_exec create_subprocess_shell"),
    ("asyncio.streams", NETWORK_ADVICE, "open_connection start_server open_unix_connection start_unix_server"),
)
_LOOP_CALLS = (
    (NO_PROCESSES, "subprocess_exec subprocess_shell connect_read_pipe connect_write_pipe"),
    (NETWORK_ADVICE, "create_connection create_server create_datagram_endpoint create_unix_connection create_unix_server"),
    (NETWORK_ADVICE, "connect_accepted_socket getaddrinfo getnameinfo sock_connect sock_accept sock_sendto"),
)
_done: "set[str]" = set()
_originals: List[Tuple[Any, str, Any]] = []


def deny_calls() -> None:
    """Patches the modules that are loaded and not patched yet; cheap when there is nothing to do."""
    for name, patch in _PATCHES.items():
        if name not in _done and name in sys.modules:
            _done.add(name)
            patch(sys.modules[name])


def allow_calls() -> None:
    """Takes the patches back: a process that forks workers still needs what they may not have."""
    while _originals:
        owner, name, value = _originals.pop()
        setattr(owner, name, value)
    _done.clear()


def _replace(owner: Any, name: str, value: Any) -> None:
    _originals.append((owner, name, getattr(owner, name)))
    setattr(owner, name, value)


def _refusal(what: str, why: object) -> Callable[..., Any]:
    def refuse(*_args: Any, **_options: Any) -> Any:
        refusal = DeniedCall("%s is not available: %s" % (what, why))
        record(refusal)
        raise refusal

    refuse.__name__ = refuse.__qualname__ = what.rpartition(".")[2]
    return refuse


def _async_refusal(what: str, why: object) -> Callable[..., Any]:
    """A coroutine function, like the one that it stands for: ``unittest.mock.patch`` looks at that."""
    refuse = _refusal(what, why)

    async def refuse_awaited(*_args: Any, **_options: Any) -> Any:
        refuse()

    refuse_awaited.__name__ = refuse_awaited.__qualname__ = refuse.__name__
    return refuse_awaited


def _patch_os(module: Any) -> None:
    for name in _OS_CALLS:
        if hasattr(module, name):
            _replace(module, name, _refusal("os." + name, NO_PROCESSES))


def _patch_subprocess(module: Any) -> None:
    _replace(module.Popen, "__init__", _refusal("subprocess", NO_PROCESSES))


def _patch_socket(module: Any) -> None:
    for name in ("create_connection", "create_server", "getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr"):
        _replace(module, name, _refusal("socket." + name, NETWORK_ADVICE))
    real_init = module.socket.__init__

    def init(self: Any, *args: Any, **options: Any) -> None:
        """Where the system refuses the socket itself, with the advice."""
        try:
            real_init(self, *args, **options)
        except PermissionError:
            _refusal("socket.socket", NETWORK_ADVICE)()

    _replace(module.socket, "__init__", init)
    for name in ("connect", "connect_ex", "bind", "listen", "sendto"):
        _replace(module.socket, name, _refusal("socket." + name, NETWORK_ADVICE))


def _patch_asyncio(module: Any) -> None:
    for home, why, names in _ASYNC_CALLS:
        for name in names.split():
            refuse = _async_refusal("asyncio." + name, why)
            for owner in (module, sys.modules[home]):
                if hasattr(owner, name):
                    _replace(owner, name, refuse)
    # The loop of this platform is a subclass of the first, which leaves to the second what it cannot do.
    for owner in (module.BaseEventLoop, module.AbstractEventLoop):
        for why, names in _LOOP_CALLS:
            for name in names.split():
                if name in vars(owner):
                    _replace(owner, name, _async_refusal("loop." + name, why))


def _patch_pdb(module: Any) -> None:
    for name in ("set_trace", "post_mortem", "pm", "run", "runeval", "runcall", "runctx"):
        _replace(module, name, _refusal("pdb." + name, NO_DEBUGGER))
    for name in ("set_trace", "interaction"):
        _replace(module.Pdb, name, _refusal("pdb." + name, NO_DEBUGGER))


def _patch_urllib(module: Any) -> None:
    class DeniedUrl(DeniedCall, module.URLError):  # type: ignore[misc,name-defined]
        """Is a URLError, for code that catches one."""

        def __init__(self, message: str) -> None:
            module.URLError.__init__(self, message)

        def __str__(self) -> str:
            return str(self.reason)

    DeniedUrl.__name__ = DeniedUrl.__qualname__ = "URLError"
    DeniedUrl.__module__ = "urllib.error"

    real_open = module.OpenerDirector.open

    def open_local(self: Any, fullurl: Any, *args: Any, **options: Any) -> Any:
        url = fullurl if isinstance(fullurl, str) else fullurl.full_url
        if url.partition(":")[0].lower() in ("http", "https", "ftp"):
            refusal = DeniedUrl("cannot open %s: %s" % (url[:100], NETWORK_ADVICE))
            record(refusal)
            raise refusal
        return real_open(self, fullurl, *args, **options)

    _replace(module.OpenerDirector, "open", open_local)


def _patch_ctypes(module: Any) -> None:
    _replace(module.CDLL, "__init__", _refusal("ctypes.CDLL", "the sandbox loads no native libraries: use pure Python"))


def _patch_multiprocessing(module: Any) -> None:
    from .threadless.pools import InlinePool

    _replace(module, "Pool", InlinePool)
    _replace(module.context.BaseContext, "Pool", InlinePool)
    _replace(module.Process, "start", _refusal("multiprocessing.Process", NO_PROCESSES))


def _patch_multiprocessing_pool(module: Any) -> None:
    from .threadless.pools import InlinePool

    _replace(module, "Pool", InlinePool)
    if sys.platform == "emscripten":
        _replace(module, "ThreadPool", InlinePool)


def _patch_futures(module: Any) -> None:
    from .threadless.pools import InlineExecutor

    _replace(module, "ProcessPoolExecutor", InlineExecutor)


_PATCHES: Dict[str, Callable[[Any], None]] = {
    "os": _patch_os,
    "asyncio": _patch_asyncio,
    "subprocess": _patch_subprocess,
    "socket": _patch_socket,
    "urllib.request": _patch_urllib,
    "ctypes": _patch_ctypes,
    "pdb": _patch_pdb,
    "concurrent.futures": _patch_futures,
    "multiprocessing": _patch_multiprocessing,
    "multiprocessing.pool": _patch_multiprocessing_pool,
    "unittest.result": lambda module: patch_results(module, _replace),
}
