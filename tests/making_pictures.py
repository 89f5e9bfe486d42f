"""Small pictures for tests, in every format that pages can show."""

from __future__ import annotations

import io

from PIL import Image


def picture(kind: str, side: int = 32, frames: int = 1) -> bytes:
    """A square in which no two columns are alike, so that its bytes are needed. `kind` is one of Pillow's."""
    images = [Image.new("RGB", (side, side)) for _ in range(frames)]
    for shade, image in enumerate(images):
        image.putdata([(at % side * 7 % 256, at // side * 5 % 256, (at * at + shade) % 256) for at in range(side**2)])
    buffer = io.BytesIO()
    more = {"save_all": True, "append_images": images[1:]} if frames > 1 else {}
    images[0].save(buffer, kind, **more)
    return buffer.getvalue()


def png() -> bytes:
    """A PNG of one pixel."""
    return picture("PNG", 1)
