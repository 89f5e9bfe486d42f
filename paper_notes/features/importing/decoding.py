"""The text of an original as its author meant it: whatever its encoding is, and repaired where it is garbled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from paper_notes.diagnostics import Location, UserError
from paper_notes.features.importing.types import ImportFinding, Original
from paper_notes.features.repair.doubts import DecodedText, decode_text
from paper_notes.sources.characters import bad_character, likely_encoding, lines
from paper_notes.sources.tree import MAX_NOTE_BYTES, Source

_ENCODINGS = {"UTF-16": "utf-16", "GBK": "gb18030", "CESU-8, with surrogates": "utf-8"}


Unfit = Literal["unreadable", "too-large", "binary"]
"""Why a file is no original."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """An original that can be read, and what was done to its bytes."""

    original: Original
    meant: DecodedText
    findings: tuple[ImportFinding, ...] = ()


def decoded(
    path: PurePosixPath, read: Callable[[PurePosixPath], bytes | None], learned: Iterable[Source]
) -> Decoded | Unfit:
    """The original at a path, or why it is none. What is garbled is repaired, as `repair` does it."""
    data = read(path)
    if data is None:
        return "unreadable"
    if len(data) > MAX_NOTE_BYTES:
        return "too-large"
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "binary"
    findings: list[ImportFinding] = []
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        name = likely_encoding(data, error.start)
        text = data.decode(_ENCODINGS.get(name, "cp1252"), errors="replace")
        message = f"the file is not UTF-8 but {name}" if name else "the file is not UTF-8, and is read as Windows-1252"
        findings.append(ImportFinding("mended" if name else "doubtful", "encoding", message, Location(path)))
        data = text.encode()
    try:
        meant = decode_text(path, data, learned)
    except UserError:
        return "binary"
    if meant.repaired.characters:
        message = f"{meant.repaired.characters:,} garbled characters were repaired, {len(meant.doubts):,} are doubtful"
        findings.append(ImportFinding("doubtful" if meant.doubts else "mended", "garbled", message, Location(path)))
    text = lines(meant.text) if bad_character(meant.text) else meant.text
    return Decoded(Original(path, text), meant, tuple(findings))
