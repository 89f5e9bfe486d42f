"""Pictures of pixels: width and height from the header, and a check by decoding them in a process with limits.

A small file may unpack to a picture that fills the memory, and no browser shows a damaged one whole.
"""

from __future__ import annotations

import io
import struct

from paper_notes.engine.sandboxed_process import Limits, Stopped, limited

MAX_PIXELS = 100_000_000
"""The most pixels of one picture, as browsers need four bytes for each; and of the frames of one that are looked at."""
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG that start the header of its frame."""


def size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a PNG, GIF, JPEG, WebP or AVIF; None if they are unknown."""
    try:
        if data.startswith(b"\x89PNG"):
            return _pair(struct.unpack_from(">II", data, 16))
        if data.startswith(b"GIF8"):
            return _pair(struct.unpack_from("<HH", data, 6))
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data[8:12] == b"WEBP":
            return _webp(data)
        extent = data.find(b"ispe", 0, 4096)
        return _pair(struct.unpack_from(">II", data, extent + 8)) if extent >= 0 else None
    except (struct.error, IndexError):
        return None


def _pair(values: tuple[int, ...]) -> tuple[int, int]:
    return values[0], values[1]


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """Read segments up to the header of the frame."""
    at = 2
    while at < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 1 if marker == 0xFF else 2 + int(struct.unpack_from(">H", data, at + 2)[0])
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int(struct.unpack_from("<I", data, 21)[0])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


_LIMITS = Limits("pictures", seconds=20, memory=1_500_000_000)


def damage(data: bytes, mime: str) -> str:
    """What is wrong with a picture, after its name; empty if it can be decoded, or if nobody here can try."""
    try:
        return limited(_LIMITS, found_damage, data, mime.removeprefix("image/").upper())
    except Stopped:
        return ""


def found_damage(data: bytes, kind: str) -> str:
    """The same, in the process that does it. `kind` is one of Pillow's."""
    import PIL.features
    import PIL.Image
    import PIL.PngImagePlugin

    needs = {"JPEG": "jpg", "WEBP": "webp", "AVIF": "avif"}.get(kind)
    if needs and not PIL.features.check(needs):
        return ""
    PIL.PngImagePlugin.MAX_TEXT_CHUNK = PIL.PngImagePlugin.MAX_TEXT_MEMORY  # what programs write about themselves
    try:
        with PIL.Image.open(io.BytesIO(data), formats=[kind]) as image:
            frames = getattr(image, "n_frames", 1)
            for place in range(max(1, min(frames, MAX_PIXELS // max(1, image.width * image.height)))):
                image.seek(place)
                image.load()
    except MemoryError:
        raise
    except Exception as error:  # decoders raise whatever their format makes them
        return "ends too early" if "truncated" in str(error).lower() or isinstance(error, EOFError) else "is damaged"
    return ""
