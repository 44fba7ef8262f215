"""hashlib.pbkdf2_hmac for builds without OpenSSL."""

import hashlib
from typing import Any, Optional

_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


def pbkdf2_hmac(hash_name: str, password: Any, salt: Any, iterations: int, dklen: Optional[int] = None) -> bytes:
    """PKCS #5 v2.0 key derivation, as hashlib documents it; about 2 microseconds an iteration on CPython."""
    if not isinstance(hash_name, str):
        raise TypeError("hash_name must be str")
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    inner, outer = hashlib.new(hash_name), hashlib.new(hash_name)
    length = inner.digest_size if dklen is None else dklen
    if length < 1:
        raise ValueError("key length must be greater than 0.")
    key = bytes(password)
    if len(key) > inner.block_size:
        key = hashlib.new(hash_name, key).digest()
    key = key.ljust(inner.block_size, b"\0")
    inner.update(key.translate(_INNER))
    outer.update(key.translate(_OUTER))

    def digest(message: bytes) -> bytes:
        first, second = inner.copy(), outer.copy()
        first.update(message)
        second.update(first.digest())
        return second.digest()

    derived = b""
    block = 1
    while len(derived) < length:
        previous = digest(bytes(salt) + block.to_bytes(4, "big"))
        mixed = int.from_bytes(previous, "big")
        for _ in range(iterations - 1):
            previous = digest(previous)
            mixed ^= int.from_bytes(previous, "big")
        derived += mixed.to_bytes(inner.digest_size, "big")
        block += 1
    return derived[:length]
