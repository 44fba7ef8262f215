const KEYWORDS = `and as assert async await break class continue def del elif else except finally for from global if import
in is lambda nonlocal not or pass raise return try while with yield`;

/** Top-level modules of Python 3.14 that an identifier of ours could spell. */
const MODULES = `abc annotationlib antigravity argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2
calendar cmath cmd code codecs codeop collections colorsys compileall compression concurrent configparser contextlib
contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis doctest email encodings ensurepip
enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext
glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib importlib inspect io ipaddress itertools json keyword
linecache locale logging lzma mailbox marshal math mimetypes mmap modulefinder msvcrt multiprocessing netrc nt ntpath
nturl2path numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posix
posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib
resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver
sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys sysconfig syslog tabnanny tarfile tempfile
termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle
turtledemo types typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xml
xmlrpc zipapp zipfile zipimport zlib zoneinfo`;

const BUILTINS = `abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id
input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print
property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip`;

/** What code in the sandbox has without an import, apart from modules. */
const SANDBOX = `tools skills workspace progress result date timedelta read_file write_file list_files delete_file load_skill
list_skills save_skill tokenize_pii filter_by_field summarize_list aggregate_stats format_output`;

const DEVICES = `con prn aux nul com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8
lpt9`;

/** Names that no skill is saved under, to the end of a sentence that says why. */
export const RESERVED_NAMES: ReadonlyMap<string, string> = new Map([
  ['synced', 'is a name that Claude Code keeps for itself'],
  ...entries(DEVICES, 'is a device name of Windows'),
  ...entries(SANDBOX, 'is a name that code in the sandbox has already'),
  ...entries(BUILTINS, 'is a built-in function of Python'),
  ...entries(MODULES, 'is a module of the standard library of Python'),
  ...entries(KEYWORDS, 'is a keyword of Python, which no import can name'),
]);

function entries(words: string, why: string): (readonly [string, string])[] {
  return words.split(/\s+/).map((word) => [word, why] as const);
}
