"""The pictures that a run has made, as files of the workspace under free names."""

import io
from typing import Any, Dict, List, Optional

from ..new_files import NewFiles
from ..notes import Notes
from .image_type import ImageType

#: Files of one run; the host shows fewer.
MOST_PICTURES = 20
#: Bytes above which the host does not show a picture (`MAX_SHOWN_BYTES` in src/server/images/image-bytes.ts).
SHOWN_BYTES = 768 * 1024
#: The others become RGB.
_PNG_MODES = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")


class Gallery:
    """Keeps pictures and their names, in the order in which they are to be shown."""

    def __init__(self, files: NewFiles, notes: Notes) -> None:
        self.notes = notes
        self.names: List[str] = []
        #: Names of figures by their identity, which holds as long as the run keeps them.
        self.figures: Dict[int, str] = {}
        self._files = files

    def begin(self) -> None:
        """Before a run."""
        self.names, self.figures = [], {}

    @property
    def is_full(self) -> bool:
        return len(self.names) >= MOST_PICTURES

    def add(self, prefix: str, ending: str, data: Any) -> str:
        """Keeps the bytes of an image; returns the name of the file. Raises OSError."""
        name = self._files.write(prefix, ending, data)
        self.names.append(name)
        return name

    def add_bytes(self, data: Any, kind: ImageType) -> Dict[str, Any]:
        """What stands for the bytes of an image in the value."""
        about = {"type": kind.mime, "bytes": memoryview(data).nbytes}
        return {"image": self._kept(kind.ending, data), **about}

    def add_pil(self, image: Any) -> Dict[str, Any]:
        """Likewise of a PIL image, kept as PNG."""
        about = {"width": image.width, "height": image.height, "mode": image.mode}
        return {"image": None if self._tells_full() else self._kept("png", _png_of(image)), **about}

    def _kept(self, ending: str, data: Any) -> Optional[str]:
        if self._tells_full():
            return None
        try:
            return self.add("image", ending, data)
        except OSError as error:
            self.notes.add("an image was not kept (%s): delete files, or make it smaller" % (error.strerror or error))
            return None

    def _tells_full(self) -> bool:
        if self.is_full:
            self.notes.add("images beyond the first %d were not kept" % MOST_PICTURES)
        return self.is_full


def _png_of(image: Any) -> bytes:
    plain = image if image.mode in _PNG_MODES else image.convert("RGB")
    buffer = io.BytesIO()
    plain.save(buffer, format="PNG")
    return buffer.getvalue()
