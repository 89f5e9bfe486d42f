"""Pictures that no browser can show whole: a check by decoding them, in a process with limits."""

from __future__ import annotations

import io

from paper_notes.engine.sandboxed_process import Limits, Stopped, limited

_LIMITS = Limits("pictures", seconds=20, memory=1_500_000_000)
_MAX_PIXELS = 100_000_000
"""Of all frames that are looked at: of a long animation the first ones."""


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
            for place in range(max(1, min(frames, _MAX_PIXELS // max(1, image.width * image.height)))):
                image.seek(place)
                image.load()
    except MemoryError:
        raise
    except Exception as error:  # decoders raise whatever their format makes them
        return "ends too early" if "truncated" in str(error).lower() or isinstance(error, EOFError) else "is damaged"
    return ""
