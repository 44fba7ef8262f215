"""Executors and pools that call the function at once."""

import concurrent.futures
from typing import Any, Callable, Iterable, Iterator, List, Optional

from ..stops import Stop


class InlineExecutor(concurrent.futures.Executor):
    """ThreadPoolExecutor where there are no threads, ProcessPoolExecutor everywhere: ``submit`` gives a finished future."""

    def __init__(
        self,
        max_workers: Optional[int] = None,
        *args: Any,
        initializer: Optional[Callable[..., Any]] = None,
        initargs: Iterable[Any] = (),
        **_options: Any,
    ) -> None:
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        self._closed = False
        self._max_workers = max_workers or 1
        if initializer is not None:
            initializer(*initargs)

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "concurrent.futures.Future[Any]":
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        future.set_running_or_notify_cancel()
        try:
            result = fn(*args, **kwargs)
        except (Stop, KeyboardInterrupt):
            raise
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed = True


# Shown as the type of variables.
InlineExecutor.__module__ = "concurrent.futures"


class InlineResult:
    """What ``apply_async`` and ``map_async`` return."""

    def __init__(self, call: Callable[[], Any], callback: Any, error_callback: Any) -> None:
        self._value: Any = None
        self._error: Optional[BaseException] = None
        try:
            self._value = call()
        except Exception as error:
            self._error = error
            if error_callback:
                error_callback(error)
        else:
            if callback:
                callback(self._value)

    def get(self, timeout: Optional[float] = None) -> Any:
        if self._error is not None:
            raise self._error
        return self._value

    def wait(self, timeout: Optional[float] = None) -> None:
        """Done already."""

    def ready(self) -> bool:
        return True

    def successful(self) -> bool:
        return self._error is None


class InlinePool:
    """multiprocessing.Pool and multiprocessing.pool.ThreadPool."""

    def __init__(
        self, processes: Optional[int] = None, initializer: Any = None, initargs: Iterable[Any] = (), *_rest: Any, **_options: Any
    ) -> None:
        if initializer is not None:
            initializer(*initargs)

    def map(self, func: Callable[..., Any], iterable: Iterable[Any], chunksize: Optional[int] = None) -> List[Any]:
        return [func(item) for item in iterable]

    def starmap(self, func: Callable[..., Any], iterable: Iterable[Any], chunksize: Optional[int] = None) -> List[Any]:
        return [func(*items) for items in iterable]

    def imap(self, func: Callable[..., Any], iterable: Iterable[Any], chunksize: int = 1) -> Iterator[Any]:
        return iter([func(item) for item in iterable])

    imap_unordered = imap

    def apply(self, func: Callable[..., Any], args: Iterable[Any] = (), kwds: Any = None) -> Any:
        return func(*args, **(kwds or {}))

    def apply_async(
        self, func: Any, args: Iterable[Any] = (), kwds: Any = None, callback: Any = None, error_callback: Any = None
    ) -> InlineResult:
        return InlineResult(lambda: self.apply(func, args, kwds), callback, error_callback)

    def map_async(
        self, func: Any, iterable: Any, chunksize: Any = None, callback: Any = None, error_callback: Any = None
    ) -> InlineResult:
        return InlineResult(lambda: self.map(func, iterable), callback, error_callback)

    def starmap_async(
        self, func: Any, iterable: Any, chunksize: Any = None, callback: Any = None, error_callback: Any = None
    ) -> InlineResult:
        return InlineResult(lambda: self.starmap(func, iterable), callback, error_callback)

    def close(self) -> None:
        """Nothing to close."""

    terminate = join = close

    def __enter__(self) -> "InlinePool":
        return self

    def __exit__(self, *_exc: Any) -> None:
        self.close()


InlinePool.__module__ = "multiprocessing.pool"


def install_thread_pools() -> None:
    """ThreadPoolExecutor, where there are no threads."""
    import concurrent.futures.thread

    futures: Any = concurrent.futures
    futures.ThreadPoolExecutor = futures.thread.ThreadPoolExecutor = InlineExecutor
