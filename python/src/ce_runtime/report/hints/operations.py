"""Operations on values of the wrong type."""

import re
from typing import Optional, Tuple

from .attributes import NONE_HINT
from .situation import Situation

COROUTINE = "asyncio takes coroutines: asyncio.run(main()), with the parentheses; tool calls need no asyncio: tools.gather(...)"
_ADVICE: Tuple[Tuple[str, str], ...] = (
    (r"'NoneType' object (?:is not|cannot|does not)|argument of type 'NoneType'|unsupported operand .*NoneType", NONE_HINT),
    (r"object (?:function|method|builtin_function_or_method|Tool) can't be used in 'await'", "call it: the parentheses are missing"),
    (r"can't be used in 'await' expression", "the call is not asynchronous: leave out `await`"),
    (r"'coroutine' object", "the call gave a coroutine: write `await` before it"),
    (r"'async_generator' object is not iterable", "use `async for` (in an async function or at the top level)"),
    (r"a coroutine was expected|a coroutine or an awaitable is required", COROUTINE),
    (r"string indices must be integers", "the value is text, not a dict: parse it with json.loads(text) first; a loop over a dict gives its keys, use .items()"),
    (r"list indices must be integers or slices, not str", "the value is a list: loop over it, or take one item first, x[0]['key']"),
    (r"not JSON serializable", "convert it first, or json.dumps(x, default=str); a result needs no json.dumps: end with the value itself"),
    (r"can only concatenate str|must be str, not (?:int|float)", "convert with str(x), or use an f-string"),
    (r"unsupported operand type\(s\) for .*'str'|not supported between instances of .*'str'", "text and numbers do not mix: convert with int(x) or float(x); values read by csv are text"),
    (r"not supported between instances of .*'NoneType'", "a value is None: leave those out first, or sort with key=lambda x: (x is None, x)"),
    (r"not supported between instances of .*'dict'", "dicts have no order: sort with key=lambda row: row['field']"),
    (r"unhashable type: '(?:list|dict|set)'", "use a tuple (or frozenset, or json.dumps(x, sort_keys=True)) as key or set member"),
    (r"'module' object is not callable", "that is the module: call a function or class of it, such as datetime.datetime(...) or random.random()"),
    (r"'(?:list|dict|str|int|float|tuple|set)' object is not callable", "a variable has taken the name of a function, or an operator is missing before ("),
    (r"'(?:int|float|bool)' object is not (?:subscriptable|iterable)", "the value is a single number; print it to see what the step before gave"),
    (r"'(?:dict_keys|dict_values|dict_items|map|zip|filter|generator|set)' object is not subscriptable", "wrap it first: list(x)[0]"),
    (r"can't (?:subtract|compare) offset-naive and offset-aware", "give both a time zone: x.replace(tzinfo=timezone.utc)"),
    (r"object of type '(?:generator|map|zip|filter)' has no len", "wrap it first: len(list(x))"),
    (r"Object of type .* is not", "convert it to a plain type first"),
)  # fmt: skip


def type_error(error: BaseException, _situation: Situation) -> Optional[str]:
    text = str(error)
    for pattern, advice in _ADVICE:
        if re.search(pattern, text):
            return advice
    return None
