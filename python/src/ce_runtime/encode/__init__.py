"""Values to bounded JSON text. The forms are documented in docs/; they work on real types, not on what a class claims."""

from .writer import Encoded, encode

__all__ = ["Encoded", "encode"]
