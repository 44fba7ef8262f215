"""Source text to code objects: parse, edit the tree, compile. Nothing runs here."""

import __future__

import ast
import inspect
import warnings
from dataclasses import dataclass, field
from types import CodeType
from typing import List, Optional, Union

from .clip import valid
from .plain_await import wrap_awaits
from .source.repair import parse_repaired
from .top_level import TopLevel, edit_top_level

_compile = compile
_NOTHING = compile("", "nothing", "exec")
_FUTURE_FLAGS = 0
for _name in __future__.all_feature_names:
    _FUTURE_FLAGS |= getattr(__future__, _name).compiler_flag


@dataclass
class Program:
    """Code that is ready to run: the statements, then the last expression if there is one."""

    source: str
    body: CodeType
    last: Optional[CodeType]
    last_is_call: bool
    top_level: TopLevel
    notes: List[str] = field(default_factory=list)

    @property
    def is_async(self) -> bool:
        """True if there is an await at the top level."""
        return any(code is not None and code.co_flags & inspect.CO_COROUTINE for code in (self.body, self.last))


def build_program(code: str, file: str) -> Program:
    """Compiles ``code``. Raises SyntaxError; the notes tell what was mended."""
    notes: List[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree, source = parse_repaired(code, file, notes)
        if "await" in source:
            wrap_awaits(tree)
        top_level = edit_top_level(tree, source, notes)
        last_expression: Optional[ast.Expression] = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            statement = tree.body.pop()
            assert isinstance(statement, ast.Expr)
            # A lone string is the docstring of the module and its value as well.
            if not tree.body and _is_string(statement.value):
                tree.body.append(statement)
            last_expression = ast.Expression(statement.value)
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        body = _compile_checked(tree, file, "exec", flags) if tree.body else _NOTHING
        last = None
        if last_expression is not None:
            last = _compile_checked(last_expression, file, "eval", flags | _future_flags(body))
    return Program(
        source=source,
        body=body,
        last=last,
        last_is_call=last_expression is not None and _is_call(last_expression.body),
        top_level=top_level,
        notes=notes,
    )


def _compile_checked(tree: Union[ast.Module, ast.Expression], file: str, mode: str, flags: int) -> CodeType:
    """Every refusal of the compiler as a SyntaxError."""
    try:
        code: CodeType = _compile(tree, file, mode, flags, True)
    except (RecursionError, MemoryError):
        raise SyntaxError("the code is nested too deeply to be compiled", (file, 1, 1, None)) from None
    except ValueError as error:  # a docstring with a lone surrogate, for one
        raise SyntaxError(str(error), (file, 1, 1, None)) from None
    return code


def _future_flags(body: CodeType) -> int:
    """The ``from __future__`` flags of the statements, which the last expression shares."""
    return body.co_flags & _FUTURE_FLAGS


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and valid(node.value) == node.value


def _is_call(node: ast.expr) -> bool:
    if isinstance(node, ast.Await):
        node = node.value
    return isinstance(node, ast.Call)
