"""The field `file` of BibTeX, as reference managers write it."""

from __future__ import annotations

import pytest

from paper_notes.features.papers.bibtex import pdf_paths

FIELDS = {
    "/home/me/a.pdf": ["/home/me/a.pdf"],
    "files/1/a.pdf;files/2/b.PDF;notes.txt": ["files/1/a.pdf", "files/2/b.PDF"],
    "Full Text PDF:/home/me/a.pdf:application/pdf;Snapshot:/home/me/a.html:text/html": ["/home/me/a.pdf"],
    r"Some\: Title\; here.pdf:storage/a\;b\:c.pdf:application/pdf": ["storage/a;b:c.pdf"],
    r"C\:\\Users\\me\\a b.pdf": ["C:/Users/me/a b.pdf"],
    r"PDF:C\:\\Users\\me\\a.pdf:application/pdf": ["C:/Users/me/a.pdf"],
    r"C:\Users\me\a.pdf": ["C:/Users/me/a.pdf"],
    ":papers/a.pdf:PDF": ["papers/a.pdf"],
    r":C$\backslash$:/Users/me/a.pdf:pdf": ["C:/Users/me/a.pdf"],
    "file:///home/me/a%20b.pdf": ["///home/me/a b.pdf"],
    "https://arxiv.org/pdf/1.pdf": [],
    "a.pdf;a.pdf": ["a.pdf"],
    r"a\_b\{c\}.pdf": ["a_b{c}.pdf"],
    "": [],
}


@pytest.mark.parametrize(("field", "paths"), FIELDS.items())
def test_every_program_s_way_of_naming_files_is_read(field: str, paths: list[str]) -> None:
    assert pdf_paths(field) == paths
