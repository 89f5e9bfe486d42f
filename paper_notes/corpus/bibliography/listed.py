"""What lists say of a paper besides its publication: links with labels, remarks, versions, badges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from paper_notes.corpus.bibliography.tex import plain_text
from paper_notes.corpus.paper import Link

_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\(\s*((?:[^\s()]|\([^\s()]*\))*)\s*\)")
_ADDRESS = re.compile(r"https?://[^\s\\\"<>{}|^`\[\]]+", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[;·\n]\s*")
_AROUND = " \t,/|*_"
_STEP = re.compile(r"\s*(?:→|⟶|->|[;,·])\s*")
_VERSION = re.compile(r"\d{4}(?:-\d\d){0,2}(?:\s.+)?")


def labelled_links(text: str) -> tuple[tuple[Link, ...], tuple[str, ...], tuple[str, ...]]:
    """The links of `[HF Dataset (Apache-2.0)](https://...); no weights`, its remarks, and addresses that are none.

    A bare address has its host as its label.
    """
    links: list[Link] = []
    remarks: list[str] = []
    wrong: list[str] = []
    for label, url, remark in _parts(text):
        if remark:
            remarks.append(remark)
        elif _ADDRESS.fullmatch(url):
            links.append(Link(label, url))
        else:
            wrong.append(url)
    return tuple(links), tuple(remarks), tuple(wrong)


def _parts(text: str) -> Iterator[tuple[str, str, str]]:
    """Label and address of each link, or a remark between links."""
    end = 0
    for found in _LINK.finditer(text):
        yield from _bare(text[end : found.start()])
        yield plain_text(found[1]), found[2], ""
        end = found.end()
    yield from _bare(text[end:])


def _bare(text: str) -> Iterator[tuple[str, str, str]]:
    for part in _BETWEEN.split(text):
        words = part.strip(_AROUND)
        if _ADDRESS.fullmatch(words):
            yield (urlsplit(words).hostname or words).removeprefix("www."), words, ""
        elif words:
            yield "", "", plain_text(words)


def versions(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The versions of `2025-01 (v1) -> 2025-11 (v8)`, and parts that do not begin with a date."""
    parts = [part for part in _STEP.split(plain_text(text)) if part]
    return tuple(filter(_VERSION.fullmatch, parts)), tuple(part for part in parts if not _VERSION.fullmatch(part))


def badges(text: str) -> tuple[str, ...]:
    """The badges of `Tech Report; Oral`."""
    return tuple(part for part in map(str.strip, plain_text(text).split(";")) if part)
