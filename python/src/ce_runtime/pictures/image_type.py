"""What the first bytes of an image say that it is."""

from typing import Any, NamedTuple, Optional


class ImageType(NamedTuple):
    """`mime` and the ending of a file name."""

    mime: str
    ending: str


_PNG, _JPEG = ImageType("image/png", "png"), ImageType("image/jpeg", "jpg")
_GIF, _WEBP = ImageType("image/gif", "gif"), ImageType("image/webp", "webp")


def image_type(data: Any) -> Optional[ImageType]:
    """None if ``data`` (bytes-like) is no PNG, JPEG, GIF or WebP image."""
    start = bytes(memoryview(data)[:12])
    if start[:8] == b"\x89PNG\r\n\x1a\n":
        return _PNG
    if start[:3] == b"\xff\xd8\xff":
        return _JPEG
    if start[:6] in (b"GIF87a", b"GIF89a"):
        return _GIF
    if start[:4] == b"RIFF" and start[8:] == b"WEBP":
        return _WEBP
    return None
