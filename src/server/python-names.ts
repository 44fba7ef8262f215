const KEYWORDS =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield';

const BUILTINS =
  'ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip';

const keywords = new Set(KEYWORDS.split(' '));
const builtins = new Set(BUILTINS.split(' '));

/** Why `name` cannot be bound as a variable before a run, or undefined if it can. */
export function refusalOfName(name: string): string | undefined {
  if (!/^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(name)) return 'is no Python identifier';
  if (keywords.has(name)) return 'is a Python keyword';
  if (builtins.has(name)) return 'would hide the built-in of that name';
  return name.startsWith('__') ? 'is reserved for Python itself' : undefined;
}

/** The nearest name that can be bound: other characters become `_`, and a taken name gets one behind it. */
export function bindableName(name: string): string {
  const word = name.replace(/[^\p{ID_Continue}]/gu, '_').replace(/^_{2,}/, '');
  const started = /^[\p{ID_Start}_]/u.test(word) ? word : `v_${word}`;
  return refusalOfName(started) === undefined ? started : `${started}_`;
}
