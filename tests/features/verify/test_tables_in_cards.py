"""`verify --crops`: the cards of numbers show the paper's tables, with the cell outlined."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import making_pdfs
import pymupdf
import pytest
from running import build, built, files_of, paper_notes, write
from test_verify_command import FILES, PDF

from paper_notes.features.verify.evidence import CELLS, read_cells, written_cells
from paper_notes.sources.pdf.crop_metadata import read_kept_file
from paper_notes.sources.tree import Source

NOTE = "notes_src/tea/01_Green"
KEPT = "notes_src/crops/lu760tea/table-1.webp"
PAGE = "tea/notes/01_Green.html"
TEXT = "Green tea scores 71.2 and black tea 64.5 (Table 1).\n\n## Costs {#costs}\n\nIt costs 0.48 (Table 1).\n"
PRINTED = {"Green tea, Score": "71.2", "Black tea, Score": "64.5", "Green tea, Cost (s)": "0.48"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, {**FILES, f"{NOTE}/en.md": TEXT, f"{NOTE}/zh.md": TEXT})
    (tmp_path / PDF).parent.mkdir()
    (tmp_path / PDF).write_bytes(making_pdfs.results())
    assert paper_notes("verify", "--crops", "--root", tmp_path).exit_code == 0
    return tmp_path


def page_of(root: Path) -> str:
    return (built(root) / PAGE).read_text("utf-8")


def kept(root: Path) -> Source:
    return Source(PurePosixPath(CELLS), (root / NOTE / CELLS).read_bytes())


def test_cells_are_where_the_pdf_prints_them_below_the_heads_and_beside_the_labels(root: Path) -> None:
    page = pymupdf.open(stream=making_pdfs.results())[1]
    cells = read_cells(kept(root))
    assert {", ".join(binding.labels) for binding in cells} == set(PRINTED)
    for binding, region in cells.items():
        ink = page.search_for(PRINTED[", ".join(binding.labels)])[0]
        left, top, right, bottom = region.box
        assert (left, right) == pytest.approx((ink.x0, ink.x1), abs=1)
        assert top < (ink.y0 + ink.y1) / 2 < bottom
        assert bottom - top < 12, "one row"
        beside, above = region.body
        assert page.search_for("Black tea")[0].x1 < beside <= page.search_for("58.9")[0].x0
        assert page.search_for("Cups")[0].y1 - 3 < above < page.search_for("71.2")[0].y1 - 4
        assert region.part == "lu760tea#table-1"
    assert read_cells(None) == {}
    assert paper_notes("verify", "--keep", "--root", root).stderr.startswith("what is kept is up to date")


def test_a_page_has_one_picture_of_a_table_and_knows_its_cells(root: Path) -> None:
    html = page_of(root)
    pictures = re.findall(
        r'<img class="of-table" hidden src="data:image/webp;[^"]*" width="(\d+)" height="(\d+)"', html
    )
    assert len(pictures) == 1, "of the three numbers in each of two languages"
    width, height = map(int, pictures[0])
    record, picture = read_kept_file((root / KEPT).read_bytes())
    assert len(picture.data) < 30_000
    assert record.box
    cells = [[int(number) for number in cell.split()] for cell in re.findall(r'data-cell="([\d ]+)"', html)]
    assert len(cells) == 3
    scale = width / (record.box[2] - record.box[0])
    printed = [pymupdf.open(stream=making_pdfs.results())[1].search_for(text)[0] for text in PRINTED.values()]
    assert sorted(cell[0] for cell in cells) == pytest.approx(
        sorted((ink.x0 - record.box[0]) * scale for ink in printed), abs=2
    )
    assert all(cell[0] + cell[2] < width and cell[1] + cell[3] < height for cell in cells)


def test_without_the_pdf_the_page_is_the_same(root: Path) -> None:
    html = page_of(root)
    (root / PDF).unlink()
    assert page_of(root) == html
    cells = (root / NOTE / CELLS).read_bytes()
    paper_notes("verify", "--keep", "--root", root)
    assert (root / NOTE / CELLS).read_bytes() == cells


def test_nothing_is_drawn_for_who_did_not_ask(root: Path) -> None:
    page_of(root)
    (root / NOTE / CELLS).unlink()
    html = page_of(root)
    assert "of-table" not in html
    assert 'class="at"' in html
    assert not any(name.endswith("table-1.webp") for name in files_of(root / "notes_src")), "it could be drawn again"
    paper_notes("verify", "--keep", "--root", root)
    assert not (root / NOTE / CELLS).exists()


@pytest.mark.nightly
@pytest.mark.parametrize("change", ["a missing picture", "another PDF"])
def test_a_table_that_cannot_be_shown_is_a_warning_and_its_cards_have_words(root: Path, change: str) -> None:
    page_of(root)
    if change == "another PDF":
        (root / PDF).write_bytes(making_pdfs.results("The Classic of Tea, Again"))
        (root / KEPT).unlink()
    else:
        (root / PDF).unlink()
        (root / KEPT).unlink()
    said = build(root).diagnostics
    assert [(finding.rule, finding.severity, str(finding.location)) for finding in said if "cells" in finding.rule] == [
        ("stale-cells", "warning", f"{NOTE}/{CELLS}:1:1")
    ]
    html = page_of(root)
    assert "of-table" not in html
    assert "<b>Green tea</b> × <b>Score</b>" in html
    if change == "another PDF":
        assert paper_notes("verify", "--keep", "--root", root).exit_code == 0, "as soon as it is verified again"
        assert "of-table" in page_of(root)


@pytest.mark.parametrize(
    "damage", ["x\n1\t2\n", "#\npdf:a#table-1\n", "#\npdf:a\tb\n1\t1,2,3\t1,2\t@k T1[a]\n", "#\n1\tx\ty\tz\n"]
)
def test_an_edited_file_says_nothing(damage: str, root: Path) -> None:
    write(root, {f"{NOTE}/{CELLS}": damage})
    assert read_cells(kept(root)) == {}
    assert "of-table" not in page_of(root)


def test_what_is_written_is_what_is_read(root: Path) -> None:
    source = kept(root)
    assert written_cells(read_cells(source)) == source.data


def test_a_note_without_cells_gets_no_file(root: Path) -> None:
    (root / NOTE / CELLS).unlink()
    write(root, {f"{NOTE}/{lang}.md": "It boils at 96.5 degrees (§A).\n" for lang in ("zh", "en")})
    paper_notes("verify", "--crops", "--root", root)
    assert not (root / NOTE / CELLS).exists()
