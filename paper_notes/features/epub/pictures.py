"""Pictures of texts as files of their own, named by what is in them."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from hashlib import sha256

from paper_notes.sources.pdf.picture import for_every_program

_DATA = re.compile(r"data:image/([a-z]+);base64,(.+)")
_EVERYWHERE = frozenset({"png", "jpg", "gif", "svg"})
"""Formats that every reader of books knows."""


@dataclass
class Pictures:
    """Files by name."""

    for_all: bool = False
    """Whether newer formats are made pictures that every program can show."""
    files: dict[str, bytes] = field(default_factory=dict)

    def keep(self, data: bytes, suffix: str) -> str:
        """Keep a picture, and give its name."""
        if self.for_all and suffix not in _EVERYWHERE:
            data, suffix = for_every_program(data)
        name = f"pn-{sha256(data).hexdigest()[:16]}.{suffix}"
        self.files[name] = data
        return name

    def of_address(self, src: str) -> str | None:
        """Keep the picture of a `data:` address, and give its name; None for any other address."""
        data = _DATA.fullmatch(src)
        return self.keep(base64.b64decode(data[2]), "jpg" if data[1] == "jpeg" else data[1]) if data else None
