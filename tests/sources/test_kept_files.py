"""The files of kept pictures: WebP for everybody, with a record for us; anything else is refused."""

from __future__ import annotations

import html
import io
import json
import random
import re
from collections.abc import Callable
from typing import Any

import making_pdfs
import pytest
from PIL import Image

from paper_notes.sources.pdf.crop_metadata import CropRecord, NotKept, kept_file, read_kept_file
from paper_notes.sources.pdf.picture import Picture, webp
from paper_notes.values import replace

KEPT = making_pdfs.kept_figure()
PICTURES = (
    webp(60, 40, bytes(range(240)) * 30, 9_000),
    webp(61, 41, random.Random(1).randbytes(61 * 41 * 3), 9_000),
    webp(1, 1, b"\0\1\2", 9_000),
)


@pytest.mark.parametrize("picture", PICTURES)
@pytest.mark.parametrize(
    "record",
    [
        CropRecord("figure-1", "0" * 64, 2, 1, (320.5, 86.0, 507.25, 206.0), "figure", "1", 'A <“"图&quot;\\u\n\x01'),
        CropRecord("page-4:1,2,3,4", "f" * 64, None, 4, (1.0, 2.0, 3.0, 4.0), None, "", ""),
        CropRecord("first-page", "0" * 64, None, 1, None, None, "", ""),
    ],
)
def test_what_is_written_is_read_and_any_program_can_show_it(record: CropRecord, picture: Picture) -> None:
    data = kept_file(record, picture)
    assert read_kept_file(data) == (record, picture)
    assert kept_file(record, picture) == data
    with Image.open(io.BytesIO(data)) as kept, Image.open(io.BytesIO(picture.data)) as plain:
        assert (kept.format, kept.size) == ("WEBP", (picture.width, picture.height))
        assert kept.convert("RGB").tobytes() == plain.convert("RGB").tobytes()
        assert record.pdf in str(kept.info["xmp"])


def test_no_byte_can_change_or_be_missing() -> None:
    dice = random.Random(1)
    for end in (*range(0, len(KEPT), 23), len(KEPT) - 1):
        with pytest.raises(NotKept):
            read_kept_file(KEPT[:end])
    for place in range(0, len(KEPT), 5):
        other = bytes([KEPT[place] ^ dice.randrange(1, 256)])
        with pytest.raises(NotKept):
            read_kept_file(KEPT[:place] + other + KEPT[place + 1 :])
    for more in (b"\0", KEPT, b"XMP \0\0\0\0"):
        with pytest.raises(NotKept):
            read_kept_file(KEPT + more)


@pytest.mark.parametrize(
    "change",
    [
        {"page": "1"},
        {"box": [1, 2, 3]},
        {"box": None},
        {"box": "abcd"},
        {"box": [[], 1, 2, 3]},
        {"kind": "poem"},
        {"version": "2"},
        {"caption": None},
        {"size": [40, 60, 1]},
        {"size": [10**9, 40]},
        {"size": ["60", "40"]},
        {"sha256": "0" * 64},
        {"more": 1},
        {"part": {}},
    ],
)
def test_a_record_with_something_else_in_it_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(NotKept, match="not as a build has written it"):
        read_kept_file(_with_record(lambda facts: json.dumps({**facts, **change}, ensure_ascii=False)))
    assert read_kept_file(_with_record(lambda facts: json.dumps(facts, ensure_ascii=False)))


@pytest.mark.parametrize("text", ["", "[]", "7", "{", "[" * 50_000, '{"size": [60, 40]}'])
def test_no_record_is_refused(text: str) -> None:
    with pytest.raises(NotKept):
        read_kept_file(_with_record(lambda facts: text))


def test_other_pictures_are_not_ours() -> None:
    for data in (b"", b"RIFF", PICTURES[0].data, making_pdfs.paper()):
        with pytest.raises(NotKept, match="is not a picture that a build has written"):
            read_kept_file(data)


def _with_record(change: Callable[[dict[str, Any]], str]) -> bytes:
    """The kept picture with another record, and all lengths as they should be."""
    found = re.search(rb' pn:crop="([^"]*)"', KEPT)
    assert found
    facts = json.loads(html.unescape(found[1].decode()))
    written = html.escape(change(facts)).encode()
    start = KEPT.rindex(b"XMP ")
    packet = KEPT[start + 8 :].rstrip(b"\0").replace(found[1], written)
    chunk = b"XMP " + len(packet).to_bytes(4, "little") + packet + b"\0" * (len(packet) % 2)
    chunks = KEPT[8:start] + chunk
    return b"RIFF" + len(chunks).to_bytes(4, "little") + chunks


def test_the_record_is_small() -> None:
    record, picture = read_kept_file(KEPT)
    assert len(kept_file(replace(record, caption="a" * 300), picture)) - len(picture.data) < 1_200
