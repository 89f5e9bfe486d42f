"""Which fields of an entry leave the collection: the entry as it is exported, and what the other formats have of it."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from running import PROJECT

from paper_notes.citation.formats import FORMATS
from paper_notes.corpus.bibliography.from_bibtex import PUBLISHED
from paper_notes.corpus.bibliography.library import read_library
from paper_notes.sources.tree import Source

ZOTERO = """\
@article{lu760tea,
  title = {The {Classic} of Tea},
  author = "Lu, Yu",
  journal = {Tea # Letters},
  month = may,
  year = 1760,
  archivePrefix = {arXiv},
  keywords = {to read, boss asked},
  note = {Reviewer 2 is Bo},
  annote = {weak},
  annotation = {weak},
  groups = {phd},
  owner = {me},
  timestamp = {2026-01-01},
  date-added = {2026-01-01},
  bdsk-url-1 = {https://example.org/private},
  bdsk-file-1 = {YnBsaXN0MDDSAQIDBFxyZWxhdGl2ZVBhdGhZYWxpYXNEYXRh},
  mendeley-groups = {phd},
  x-my-own = {mine},
  file = {Full Text:/home/me/Zotero/storage/AB12/tea.pdf:application/pdf},
}
"""
PUBLIC = """\
@article{lu760tea,
  title = {The {Classic} of Tea},
  author = {Lu, Yu},
  journal = {Tea # Letters},
  month = may,
  year = {1760},
  archiveprefix = {arXiv}%s
}"""


def exported(text: str, asked: tuple[str, ...] = ()) -> list[str]:
    """The files of all formats."""
    papers, problems = read_library([Source(PurePosixPath("notes_src/library.bib"), text.encode())], asked=asked)
    assert problems == ()
    return [kind.write(papers.values()).strip() for kind in FORMATS]


def test_what_programs_and_people_write_for_themselves_stays() -> None:
    bib, csl, ris = exported(ZOTERO)
    assert bib == PUBLIC % ""
    assert "Reviewer" not in csl + ris
    assert "/home/me" not in csl + ris


def test_the_site_may_ask_for_fields() -> None:
    bib, csl, ris = exported(ZOTERO, ("note", "keywords"))
    assert bib == PUBLIC % ",\n  keywords = {to read, boss asked},\n  note = {Reviewer 2 is Bo}"
    assert all("Reviewer 2 is Bo" in text for text in (csl, ris))


def test_an_entry_with_nothing_to_leave_out_is_as_it_was_written() -> None:
    text = '@Article{a,\n  Title= "A",  author = {B, C},\n\n  archivePrefix = {arXiv}}'
    assert exported(text)[0] == text


def test_what_is_inherited_stays_as_well() -> None:
    text = """@inproceedings{a, title = {A}, author = {B, C}, crossref = {p}}
@proceedings{p, title = {P}, editor = {D, E}, year = 2020, owner = {me}}"""
    assert "owner" not in exported(text)[0]
    assert "2020" in exported(text)[0]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_guide_lists_the_fields(lang: str) -> None:
    text = (PROJECT / "notes_src" / "guide" / "03_Papers_and_citations" / f"{lang}.md").read_text("utf-8")
    section = text.partition("{#published-fields}")[2].partition("\n### ")[0]
    assert set(section.split()) >= PUBLISHED
