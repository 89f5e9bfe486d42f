"""What the name of a page's file tells: its number, its name, the papers it is about."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from unicodedata import normalize

from paper_notes.features.importing.outside import spelled
from paper_notes.features.importing.types import Folder
from paper_notes.identifiers import without_arxiv

_NUMBER = re.compile(r"(\d{1,6})(?:_+|[.\s-]+(?=\D)|$)")
_GENERIC = frozenset("notes note html pages page docs posts src content".split())


def number_of(stem: str) -> int | None:
    """The number that a name begins with: 4 of `04_ReSpec_2510.26475`."""
    number = _NUMBER.match(stem)
    return int(number[1]) if number else None


def name_of(stem: str) -> str:
    """The name without its number, with letters, digits and `. _ + -` only."""
    number = _NUMBER.match(stem)
    name = stem[number.end() :] if number else stem
    return re.sub(r"[^\w.+-]+", "-", normalize("NFC", name)).strip("-._") or "note"


def bare_name(stem: str) -> str:
    """The name without number and arXiv id, to compare."""
    number = _NUMBER.match(stem)
    return without_arxiv(stem[number.end() :] if number else stem)


def topic_of(path: PurePosixPath) -> str:
    """The folders of a page as one name, without those that only say that there are notes."""
    folders = [part for part in path.parent.parts if part not in (".", "/")]
    named = [part for part in folders if part.lower() not in _GENERIC] or folders
    return re.sub(r"[^\w-]+", "-", normalize("NFC", "-".join(named))).strip("-_").lower()


def below(folder: Folder, page: PurePosixPath, address: str) -> PurePosixPath:
    """The file that a page means by a relative address, from the folder that is taken in."""
    parts: list[str] = []
    for part in (*page.parent.parts, *PurePosixPath(address).parts):
        if part == "..":
            parts = parts[:-1]
        elif part not in (".", "/"):
            parts.append(part)
    return spelled(PurePosixPath(*parts), folder.files)
