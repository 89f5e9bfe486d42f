"""A part of a PDF as a file that says what it is: WebP with a record inside, so that neither is without the other."""

from __future__ import annotations

import hashlib
import html
import json
import struct
from typing import Any, Literal

from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import pack, unpack
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape
from paper_notes.sources.pdf.model import Box
from paper_notes.sources.pdf.picture import Picture
from paper_notes.values import Struct, asdict

_XMP = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    '<rdf:Description rdf:about="" xmlns:pn="tag:paper-notes,2026:" pn:crop="{}"/></rdf:RDF></x:xmpmeta>'
)
"""XMP is where programs for pictures look for what is known of one."""
_RECORD = regex(rb' pn:crop="([^"<>]{1,100000})"')
_HAS_XMP = 0x04
_CHUNK = struct.Struct("<4sI")
_SIZES = range(1, 16_384)
"""Pixels that a side of a WebP picture can have."""


class NotKept(UserError):
    """A file is not such a picture, or not any more. The message follows its name."""


class CropRecord(Struct, frozen=True):
    """What a kept picture shows, and what it was drawn from."""

    part: str
    """`figure-3`, `page-4`, `page-4:72,90,300,410`, or `first-page` for the small picture of a paper."""
    pdf: str
    """SHA-256 of the PDF as hex."""
    version: int | None
    """Version of the preprint."""
    page: int
    """From 1."""
    box: Box | None
    """None for the whole page."""
    kind: Literal["figure", "table"] | None
    """None for what has no number in the paper."""
    number: str
    caption: str


def kept_file(record: CropRecord, picture: Picture) -> bytes:
    """The file that keeps a picture, which is WebP of one part. Equal values give equal bytes."""
    if picture.width not in _SIZES or picture.height not in _SIZES:
        raise ValueError(picture)
    facts = asdict(record) | {"size": [picture.width, picture.height]}
    digest = hashlib.sha256(picture.data + _json(facts)).hexdigest()
    text = _XMP.format(html.escape(_json(facts | {"sha256": digest}).decode()))
    canvas = struct.pack("<II", picture.width - 1, picture.height - 1)
    head = struct.pack("<I", _HAS_XMP) + canvas[:3] + canvas[4:7]
    return _webp(_chunk(b"VP8X", head) + picture.data[12:] + _chunk(b"XMP ", text.encode()))


def read_kept_file(data: bytes) -> tuple[CropRecord, Picture]:
    """The record and the picture of a file. Raises NotKept unless `kept_file` would write the very same bytes."""
    record_text = _RECORD.search(data, max(0, data.rfind(b"XMP ")))
    if data[:4] != b"RIFF" or data[8:16] != b"WEBPVP8X" or record_text is None:
        raise NotKept("is not a picture that a build has written")
    try:
        facts = json.loads(unescape(record_text[1].decode()))
        width, height = facts.pop("size")
        facts.pop("sha256")
        picture = Picture(_webp(_chunk_at(data, 30)), width, height)
        record = unpack(CropRecord, pack(facts))
        is_sound = record and (record.box or not record.kind) and kept_file(record, picture) == data
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError, struct.error):
        record, is_sound = None, False
    if not record or not is_sound:
        raise NotKept("is not as a build has written it any more")
    return record, picture


def _json(facts: dict[str, Any]) -> bytes:
    return json.dumps(facts, ensure_ascii=False).encode()


def _webp(chunks: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def _chunk(name: bytes, data: bytes) -> bytes:
    return _CHUNK.pack(name, len(data)) + data + b"\0" * (len(data) % 2)


def _chunk_at(data: bytes, start: int) -> bytes:
    """A chunk of a file, with its name and size."""
    name, size = _CHUNK.unpack_from(data, start)
    if name not in (b"VP8 ", b"VP8L"):
        raise ValueError(name)
    return data[start : start + _CHUNK.size + size + size % 2]
