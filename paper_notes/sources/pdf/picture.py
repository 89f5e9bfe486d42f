"""Pixels to WebP within a size limit, and to formats that every program knows."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from paper_notes.values import Struct

if TYPE_CHECKING:
    from PIL.Image import Image

_GOOD = 80
"""The quality used where the limit allows it. 100 is the best."""
_LESS = (60, 40, 25)
_SMALLER = (0.75, 0.55, 0.4)
"""Qualities, then scales, that are tried where it does not."""


class Picture(Struct, frozen=True):
    """A part of a page as WebP; `width` and `height` in pixels."""

    data: bytes
    width: int
    height: int


def webp(width: int, height: int, samples: bytes, limit: int) -> Picture:
    """A picture of RGB samples in at most `limit` bytes, or as few as possible. Equal samples give equal bytes."""
    import PIL.Image

    image = PIL.Image.frombytes("RGB", (width, height), samples)
    smallest = None
    for data, size in _encoded(image):
        if smallest is None or len(data) < len(smallest.data):
            smallest = Picture(data, *size)
        if len(smallest.data) <= limit:
            break
    assert smallest
    return smallest


def _encoded(image: Image) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """Ever smaller encodings. Drawings and tables are often smaller without any loss, so both are tried first."""
    exact, good = _saved(image, quality=50, lossless=True), _saved(image, quality=_GOOD)
    yield min(exact, good, key=len), image.size
    for quality in _LESS:
        yield _saved(image, quality=quality), image.size
    for scale in _SMALLER:
        smaller = image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
        yield _saved(smaller, quality=_LESS[1]), smaller.size


def _saved(image: Image, *, quality: int, lossless: bool = False) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", quality=quality, lossless=lossless, method=4)
    return buffer.getvalue()


def for_every_program(data: bytes) -> tuple[bytes, str]:
    """A picture as PNG, or as JPEG where that is much smaller; and the suffix of its file."""
    import PIL.Image

    image = PIL.Image.open(io.BytesIO(data))
    lowest, _ = image.convert("RGBA").getchannel("A").getextrema()
    clear = bool(lowest < 255)  # type: ignore[operator] # of one channel it is a pair of numbers
    plain = image.convert("RGBA" if clear else "RGB")
    exact = io.BytesIO()
    plain.save(exact, "PNG")
    if clear:
        return exact.getvalue(), "png"
    good = io.BytesIO()
    plain.save(good, "JPEG", quality=88)
    encoded = exact.getvalue(), good.getvalue()
    return (encoded[1], "jpg") if len(encoded[1]) * 3 < len(encoded[0]) else (encoded[0], "png")
