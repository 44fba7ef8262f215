"""read_file, write_file, list_files, delete_file: the workspace without open()."""

import fnmatch
import os
import pathlib
from typing import List, Union


class WorkspaceFiles:
    """The four functions, bound to the workspace folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder

    def __repr__(self) -> str:
        return "the workspace"

    def read_file(self, path: str, encoding: str = "utf-8") -> str:
        """The text of a workspace file. encoding="binary" gives bytes."""
        target = self._path(path)
        if encoding == "binary":
            return target.read_bytes()  # type: ignore[return-value]
        return target.read_text(encoding=encoding)

    def write_file(self, path: str, content: Union[str, bytes], append: bool = False) -> str:
        """Writes text or bytes; makes missing folders. Returns the path relative to the workspace."""
        target = self._path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode("utf-8") if isinstance(content, str) else bytes(content)
        with target.open("ab" if append else "wb") as file:
            file.write(data)
        return target.relative_to(self.folder).as_posix()

    def list_files(self, path: str = ".", pattern: str = "*") -> List[str]:
        """All files below ``path``, relative to the workspace, sorted; ``pattern`` is matched against name and path."""
        found: List[str] = []
        for folder, folders, names in os.walk(self._path(path)):
            folders.sort()
            for name in names:
                relative = pathlib.Path(folder, name).relative_to(self.folder).as_posix()
                if fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(relative, pattern):
                    found.append(relative)
        return sorted(found)

    def delete_file(self, path: str) -> None:
        """Deletes one file."""
        self._path(path).unlink()

    def _path(self, path: str) -> pathlib.Path:
        joined = pathlib.Path(os.path.normpath(self.folder / path))
        if joined != self.folder and self.folder not in joined.parents:
            raise PermissionError("%r is outside the workspace; use a path relative to it" % str(path))
        return joined
