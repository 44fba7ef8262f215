"""Pictures of a run: open figures, images as values. Each is a file of the workspace; the host shows the first ones."""

from .figures import is_drawing, save_figures
from .gallery import Gallery
from .image_type import image_type

__all__ = ["Gallery", "image_type", "is_drawing", "save_figures"]
