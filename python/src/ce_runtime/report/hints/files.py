"""Files that are missing or unreadable."""

import errno
import os
import re
from typing import List, Optional

from .near import listed, near
from .situation import Situation

#: For symbolic and hard links alike.
LINKS_HINT = "there are no links here: copy the file (shutil.copy), or keep one name for it"
_MAX_FILES = 500


def not_found(error: BaseException, situation: Situation) -> Optional[str]:
    filename = getattr(error, "filename", None)
    if isinstance(filename, bytes):
        filename = os.fsdecode(filename)
    if not isinstance(filename, str) or not filename:
        return None
    files = workspace_files(situation.main.workspace)
    name = re.split(r"[\\/]", filename.rstrip("\\/"))[-1]
    same = [path for path in files if path.rsplit("/", 1)[-1].casefold() == name.casefold()]
    if same:
        foreign = _is_foreign(filename, situation.main.workspace)
        why = "paths of other machines do not exist here; " if foreign else ""
        return "%sin the workspace the file is %s: open(%r)" % (why, listed(same[:3]), same[0])
    folder = os.path.dirname(filename)
    if folder and not os.path.isdir(folder) and not _is_foreign(filename, situation.main.workspace):
        make = "the folder %r does not exist; to write there, make it first: os.makedirs(%r, exist_ok=True)" % (folder, folder)
        return make + _there_are(files)
    close = near(name, [path.rsplit("/", 1)[-1] for path in files])
    if close:
        path = next(path for path in files if path.rsplit("/", 1)[-1] == close[0])
        return "did you mean %r?%s" % (path, _there_are(files))
    if _is_foreign(filename, situation.main.workspace):
        return (
            "only the workspace (the working directory) and /tmp exist here; use a path relative to the workspace"
            + _there_are(files)
        )
    return "no such file in the workspace" + _there_are(files)


def is_directory(_error: BaseException, situation: Situation) -> Optional[str]:
    return "that is a folder; name a file in it" + _there_are(workspace_files(situation.main.workspace))


def undecodable(error: BaseException, _situation: Situation) -> Optional[str]:
    if not isinstance(error, UnicodeDecodeError):
        return None
    start = error.object[:8]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "the file is UTF-16: open it with encoding='utf-16'"
    for magic, advice in _MAGIC:
        if start.startswith(magic):
            return advice
    return "the file is not %s: open it with encoding='cp1252' or encoding='latin-1', or as bytes with mode 'rb'" % error.encoding


def unencodable(error: BaseException, _situation: Situation) -> Optional[str]:
    if isinstance(error, UnicodeEncodeError) and error.encoding.replace("-", "").lower() != "utf8":
        return "this encoding lacks the character: use encoding='utf-8', or errors='replace'"
    return "the text holds half a character (lone surrogate): clean it with text.encode('utf-8', 'replace').decode()"


def disk_full(error: BaseException, situation: Situation) -> Optional[str]:
    if getattr(error, "errno", None) not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return None
    if situation.scratch_is_full():
        return "/tmp is full: delete files in it that are no longer needed (os.remove), or write less; the workspace has room of its own"
    return "the workspace is full: delete files that are no longer needed (os.remove), or write less"


def not_permitted(error: BaseException, _situation: Situation) -> Optional[str]:
    # Of what the file system refuses only links have two names.
    return LINKS_HINT if getattr(error, "filename2", None) is not None else None


def unsupported(error: BaseException, _situation: Situation) -> Optional[str]:
    return LINKS_HINT if "link" in str(error) else None


def workspace_files(workspace: str) -> List[str]:
    """Paths relative to the workspace, sorted, at most _MAX_FILES."""
    found: List[str] = []
    for folder, folders, names in os.walk(workspace):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            found.append(os.path.relpath(os.path.join(folder, name), workspace).replace(os.sep, "/"))
            if len(found) >= _MAX_FILES:
                return found
    return found


def _there_are(files: List[str]) -> str:
    if not files:
        return "; the workspace is empty: write the file first (write_workspace_file, or open(name, 'w'))"
    return "; the workspace has: %s" % listed(files)


def _is_foreign(path: str, workspace: str) -> bool:
    if re.match(r"^(?:[A-Za-z]:[\\/]|\\\\|~)", path) or "\\" in path:
        return True
    return path.startswith("/") and not path.startswith((workspace, "/tmp"))


_MAGIC = (
    (b"\x1f\x8b", "the file is compressed: open it with gzip.open(path, 'rt', encoding='utf-8')"),
    (b"PK\x03\x04", "the file is a zip archive (xlsx and docx are zip archives too): open it with zipfile.ZipFile(path)"),
    (b"%PDF", "the file is a PDF, which the standard library cannot read"),
    (b"\x89PNG", "the file is an image: open it with mode 'rb'"),
    (b"\xff\xd8\xff", "the file is an image: open it with mode 'rb'"),
    (b"SQLite f", "the file is an SQLite database: open it with sqlite3.connect(path)"),
)
