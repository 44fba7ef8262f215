"""Folders that code has filled: listed and emptied without recursion, whatever is in them."""

import os
import stat
from typing import Iterator, List, NamedTuple

#: On a file of the workspace whose content the host still has. On Linux the bit means nothing for a file.
NOT_LOADED = stat.S_ISVTX
_OWN = 0o700
_scandir, _chmod = os.scandir, os.chmod


class Found(NamedTuple):
    """A file or folder below a root."""

    path: str
    is_folder: bool
    info: os.stat_result


def walk(root: str) -> Iterator[Found]:
    """Everything below ``root``, folders before what is in them; paths relative to it.

    Links and special files, which code cannot make, are left out. Raises OSError rather than leave out a folder: what is
    not listed counts as removed.
    """
    waiting: List[str] = [""]
    while waiting:
        prefix = waiting.pop()
        for entry in sorted(_entries(os.path.join(root, prefix) if prefix else root), key=lambda entry: entry.name):
            try:
                info = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            path = prefix + entry.name
            if stat.S_ISDIR(info.st_mode):
                yield Found(path, True, info)
                waiting.append(path + "/")
            elif stat.S_ISREG(info.st_mode):
                yield Found(path, False, info)


def _entries(folder: str) -> "List[os.DirEntry[str]]":
    try:
        return list(_scandir(folder))
    except PermissionError:
        _chmod(folder, _OWN)
        return list(_scandir(folder))
    except FileNotFoundError:
        return []  # a thread of the code has taken it away


def empty(root: str) -> None:
    """Removes all below ``root``. A folder in a folder is first moved up, so that no depth and no mode is in the way."""
    os.chmod(root, 0o755)
    top = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    number = 0
    try:
        while True:
            with os.scandir(top) as entries:
                names = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
            if not names:
                return
            for name, is_folder in names:
                if not is_folder:
                    os.unlink(name, dir_fd=top)
                    continue
                number = _raise_folders(top, name, number)
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)


def _raise_folders(top: int, name: str, number: int) -> int:
    """Empties the folder ``name`` of files and moves its folders to ``top``; returns the number of the next name."""
    os.chmod(name, _OWN, dir_fd=top)
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    try:
        with os.scandir(inner) as entries:
            children = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        for child, is_folder in children:
            if not is_folder:
                os.unlink(child, dir_fd=inner)
                continue
            os.chmod(child, _OWN, dir_fd=inner)  # moving a folder writes to it
            while True:
                number += 1
                try:
                    os.rename(child, ".raised-%d" % number, src_dir_fd=inner, dst_dir_fd=top)
                    break
                except OSError as error:  # code may have used the name
                    if number > 1_000_000:
                        raise error
    finally:
        os.close(inner)
    return number
