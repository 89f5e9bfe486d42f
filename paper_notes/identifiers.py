"""Ids: that of a paper on arXiv, parsed once at the border, its title, and ids for addresses from names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import count
from typing import NewType

from paper_notes.patterns import regex

ArxivId = NewType("ArxivId", str)
"""An arXiv id without a version: `2510.26475`, `cs/0112017`."""

_MONTH = "(?:0[1-9]|1[0-2])"
_NEW = rf"(?:(?:0[7-9]|1[0-4]){_MONTH}\.[0-9]{{4}}|(?:1[5-9]|[2-8][0-9]){_MONTH}\.[0-9]{{5}})"
"""Ids since April 2007; the number after the dot has four digits up to 2014, and five since."""
_OLD = rf"[a-z]+(?:-[a-z]+)?(?:\.[a-z]{{2}})?/[0-9]{{2}}{_MONTH}[0-9]{{3}}"
_VERSION = r"(?:v(?P<version>[1-9][0-9]?))?"
ARXIV = rf"(?ai:(?P<id>{_NEW}|{_OLD}){_VERSION})"
"""The pattern of an id with or without a version, for use in larger patterns. No digit may follow it."""
_SITES = (
    r"(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/"
    r"|(?:https?://)?(?:www\.|ar5iv\.labs\.)?(?:ar5iv|alphaxiv|arxiv)\.org/(?:abs|html|overview)/"
    r"|(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/papers/"
    r"|(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:\s*)?10\.48550/arxiv\."
)
DOI_START = r"10\.[0-9]{4,9}/"
"""The pattern of how every DOI begins. What may follow depends on the text around it."""
DOI_SITE = r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:\s*)?"
"""The pattern of what people write before a DOI."""
_ARXIV_ID = regex(
    rf"(?ai:arxiv:\s*|{_SITES})?{ARXIV}(?ai:(?:\.pdf)?/?(?:[?#]\S*)?(?:\s*\[[a-z.-]+\])?)",
)
_ARXIV_STAMP = regex(rf"(?ai:arxiv:\s*){ARXIV}(?![0-9])")
_ARXIV_NAME = regex(rf"(?<![0-9.])(?ai:(?P<id>{_NEW}){_VERSION})(?![0-9])")
_ARXIV_IN_NAME = regex(rf"[_\s-]*(?<![0-9.])(?ai:{_NEW}(?:v[0-9]+)?)(?![0-9])")
_ARXIV_IN_TEXT = regex(rf"(?ai:\barxiv\.org/(?:abs|pdf|html)/|\barxiv[:\s]\s*){ARXIV}(?![0-9])")
_ARXIV_MENTION = regex(
    rf"(?ai:\barxiv\.org/(?:abs|pdf|html|format)/|\b10\.48550/arxiv\.|\barxiv:\s*|^abs/){ARXIV}(?![0-9])"
)


def parse_arxiv(text: str) -> tuple[ArxivId, int | None] | None:
    """The id and version that the whole text denotes: `2510.26475`, `arXiv:2510.26475v2`, `cs.CL/0112017`.

    It may also be an address at arxiv.org, ar5iv, alphaXiv or of a Hugging Face paper, or arXiv's own DOI. The subject
    class of an old id (`math.GT/0309136`) is left out, as arXiv itself does.
    """
    return _id(_ARXIV_ID.fullmatch(text.strip()))


def arxiv_in_stamp(text: str) -> tuple[ArxivId, int | None] | None:
    """The id and version in arXiv's stamp, or in any text that says `arXiv:`."""
    return _id(_ARXIV_STAMP.search(text))


def arxiv_in_name(name: str) -> tuple[ArxivId, int | None] | None:
    """The id and version in the name of a file or folder: `04_ReSpec_2510.26475v2`."""
    return _id(_ARXIV_NAME.search(name))


def without_arxiv(name: str) -> str:
    """The name of a file without the id in it, and what stands before that: `04_ReSpec` of `04_ReSpec_2510.26475v2`."""
    return _ARXIV_IN_NAME.sub("", name)


def arxiv_mentions(text: str) -> tuple[ArxivId, ...]:
    """The ids that a text names, as an address or after the word arXiv."""
    return tuple(paper[0] for match in _ARXIV_IN_TEXT.finditer(text) if (paper := _id(match)))


def arxiv_in_field(text: str) -> tuple[ArxivId, int | None] | None:
    """The id and version that a field of an entry names, such as `CoRR abs/2510.26475`, an address, or a DOI."""
    return _id(_ARXIV_MENTION.search(text))


def arxiv_url(arxiv: str) -> str:
    """The address of the paper's page on arXiv."""
    return f"https://arxiv.org/abs/{arxiv}"


def _id(match: re.Match[str] | None) -> tuple[ArxivId, int | None] | None:
    if match is None:
        return None
    version = match["version"]
    return ArxivId(re.sub(r"\.[a-z]+/", "/", match["id"].lower())), int(version) if version else None


def folded_title(title: str) -> str:
    """Letters and digits only, without case and width: equal for two titles that are the same."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", title).casefold()))


def slugs(names: Iterable[str], prefix: str) -> Iterator[str]:
    """An id for each name, in their order: `term-speculative-decoding`. The same names always get the same ids.

    Of names that differ only in signs and case, the later ones get a number. `prefix` separates the ids from others
    on a page.
    """
    taken: set[str] = set()
    numbers: dict[str, Iterator[int]] = {}
    for name in names:
        slug = wanted = f"{prefix}-" + (re.sub(r"\W+", "-", name.casefold()).strip("-") or "sign")
        while slug in taken:
            slug = f"{wanted}-{next(numbers.setdefault(wanted, count(2)))}"
        taken.add(slug)
        yield slug
