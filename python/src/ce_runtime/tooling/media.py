"""Images, sounds and files that a tool returned."""

from typing import Callable, Optional

Save = Callable[[str, bytes], str]

_ENDINGS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/svg+xml": ".svg",
    "audio/mpeg": ".mp3",
    "audio/wav": ".wav",
    "application/pdf": ".pdf",
    "application/json": ".json",
    "text/plain": ".txt",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/markdown": ".md",
}


class Media:
    """Binary content: ``mime_type``, ``data`` (bytes), ``name``, ``uri`` (of a resource, else None)."""

    __slots__ = ("_save", "data", "mime_type", "name", "uri")

    def __init__(self, mime_type: str, data: bytes, name: str, uri: Optional[str], save: Save) -> None:
        self.mime_type = mime_type
        self.data = data
        self.name = name
        self.uri = uri
        self._save = save

    @property
    def text(self) -> str:
        """The content as UTF-8 text. Raises UnicodeDecodeError if it is none."""
        return self.data.decode("utf-8")

    def save(self, path: Optional[str] = None) -> str:
        """Writes the content into the workspace, to ``path`` or else under its ``name``; returns the path."""
        return self._save(self.name if path is None else path, self.data)

    def __bytes__(self) -> bytes:
        return self.data

    def __len__(self) -> int:
        return len(self.data)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return "<Media %s, %d bytes, name=%r: .save(path), .data>" % (self.mime_type, len(self.data), self.name)


Media.__module__ = "tools"


def media_name(mime_type: str, uri: Optional[str]) -> str:
    """The last part of the address, else a name by the type."""
    last = (uri or "").partition("?")[0].partition("#")[0].replace("\\", "/").rstrip("/").rpartition("/")[2]
    safe = "".join(char for char in last if char.isprintable() and char not in ':*"<>|').strip(". ")
    if safe:
        return safe[-100:]
    kind = mime_type.partition("/")[0]
    return (kind if kind in ("image", "audio", "video") else "file") + _ENDINGS.get(mime_type, ".bin")
