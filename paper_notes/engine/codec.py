"""Frozen values to bytes and back, for cached values and their keys."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def pack(value: object) -> bytes:
    """The value (of dataclasses, tuples, mappings and plain values) as MessagePack: equal values give equal bytes."""
    return _encoder().encode(value)


def unpack(kind: type[T], data: bytes) -> T | None:
    """The value of that type, or None if the bytes do not hold one: the cache is damaged or foreign."""
    decoder: Any = _decoder
    try:
        value: T = decoder(kind).decode(data)
    except (msgspec.DecodeError, ValueError, TypeError):
        return None
    return value


def digest_of(*values: object) -> bytes:
    """SHA-256 of the packed values."""
    return hashlib.sha256(_encoder().encode(values)).digest()


@lru_cache(maxsize=1)
def _encoder() -> msgspec.msgpack.Encoder:
    return msgspec.msgpack.Encoder(enc_hook=_plain)


@lru_cache(maxsize=32)
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind, dec_hook=_meant)


def _plain(value: object) -> object:
    if isinstance(value, PurePosixPath):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be packed")


@lru_cache(maxsize=4096)
def _path(text: str) -> PurePosixPath:
    return PurePosixPath(text)


def _meant(kind: type, value: Any) -> object:
    if kind is PurePosixPath:
        return _path(value)
    raise TypeError(f"{kind.__name__} cannot be unpacked")
