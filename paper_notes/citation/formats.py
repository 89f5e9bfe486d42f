"""The formats of the bibliographies that a site offers. To add one, write its module and its row in FORMATS."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from paper_notes.citation.bibtex import bibtex
from paper_notes.citation.csl import csl_json
from paper_notes.citation.ris import ris
from paper_notes.corpus.paper import Paper
from paper_notes.languages.text import Text


@dataclass(frozen=True, slots=True)
class Format:
    """A format of bibliographies, with a file for the site, each topic and each note, linked on their pages."""

    suffix: str
    """The suffix of its files, without the leading dot."""
    name: str
    """The text of the links to its files."""
    write: Callable[[Iterable[Paper]], str]
    """Gives the whole file, with the papers in the given order."""
    readers: Text
    """The programs that read it, for the guide."""


FORMATS = (
    Format(
        "bib",
        "BibTeX",
        bibtex,
        Text.of(
            zh="LaTeX、JabRef 和一切 BibTeX 程序：就是你写的条目，只留公开的字段，`@string`、`#`、`crossref` 已经展开，"
            "每个条目都能单独用",
            en="LaTeX, JabRef, any BibTeX program: the entries as you wrote them, without fields that are not"
            " published, with strings, `#` and `crossref` resolved, so that each needs no other",
        ),
    ),
    Format(
        "csl.json",
        "CSL-JSON",
        csl_json,
        Text.of(zh="pandoc、Zotero 和各种引文处理程序", en="pandoc, Zotero, citation processors"),
    ),
    Format(
        "ris",
        "RIS",
        ris,
        Text.of(zh="Zotero、EndNote、Mendeley、图书馆系统", en="Zotero, EndNote, Mendeley, libraries"),
    ),
)
"""All formats, in the order of the links on pages."""
