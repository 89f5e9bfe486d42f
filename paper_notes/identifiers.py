"""Ids of papers that more than one stage reads: parsed once at the border, then trusted."""

from __future__ import annotations

import re
from typing import NewType

ArxivId = NewType("ArxivId", str)
"""Without a version: `2510.26475`, `cs/0112017`."""

_ARXIV = r"(?P<id>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}|[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2})?/\d{7})(?:v(?P<version>[1-9]\d?))?"
_ARXIV_ID = re.compile(rf"(?:arxiv:\s*)?{_ARXIV}", re.IGNORECASE)
_ARXIV_STAMP = re.compile(rf"arxiv:\s*{_ARXIV}(?!\d)", re.IGNORECASE)
_ARXIV_NAME = re.compile(r"(?<![\d.])(?P<id>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})(?:v(?P<version>[1-9]\d?))?(?!\d)")


def parse_arxiv(text: str) -> tuple[ArxivId, int | None] | None:
    """The id and version that a text is: `2510.26475`, `arXiv:2510.26475v2`, `cs.CL/0112017`."""
    return _id(_ARXIV_ID.fullmatch(text.strip()))


def arxiv_in_stamp(text: str) -> tuple[ArxivId, int | None] | None:
    """The id and version in arXiv's stamp, or in any text that says `arXiv:`."""
    return _id(_ARXIV_STAMP.search(text))


def arxiv_in_name(name: str) -> tuple[ArxivId, int | None] | None:
    """The id and version in the name of a file or folder: `04_ReSpec_2510.26475v2`."""
    return _id(_ARXIV_NAME.search(name))


def _id(found: re.Match[str] | None) -> tuple[ArxivId, int | None] | None:
    if found is None:
        return None
    version = found["version"]
    return ArxivId(re.sub(r"\.[a-z]+/", "/", found["id"].lower())), int(version) if version else None
