"""A collection with PDFs, built by a user; and `paper-notes figures`."""

from __future__ import annotations

import json
import re
import tracemalloc
import webbrowser
from pathlib import Path

import making_pdfs
import pytest
from pdf_collection import FILES
from running import files_of, paper_notes, write

from paper_notes.build import build
from paper_notes.engine.user_cache import CACHE_FILE, cache_folder
from paper_notes.sources.pdf import document, reader

PAGE = "site/one/notes/01_Small.html"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    folder = tmp_path / "notes_src" / "pdfs"
    folder.mkdir()
    (folder / "2601.00001v2.pdf").write_bytes(making_pdfs.paper())
    (folder / "2001.00002.pdf").write_bytes(making_pdfs.paper("2001.00002", 1, "2 Jan 2020", "Other"))
    return tmp_path


def test_figures_of_a_paper_are_inside_of_the_page_in_both_languages(root: Path) -> None:
    built = paper_notes("build", "--root", root)
    assert built.exit_code == 0, built.stderr
    page = (root / PAGE).read_text("utf-8")
    assert page.count('<img class="crop" src="data:image/webp;base64,') == 2 * 4
    assert page.count("What was found, by the number n of attempts.") == 2
    assert page.count('id="ref-author2026small"') == 1, "what is shown is among the references"
    assert len(page) < 400_000
    again = paper_notes("build", "--root", root)
    assert "nothing to write" in again.stderr
    assert not list((root / "site").rglob("*.pdf"))


def test_the_first_page_stands_at_the_top_unless_it_is_not_wanted(root: Path) -> None:
    paper_notes("build", "--root", root)
    page = (root / PAGE).read_text("utf-8")
    (thumb,) = re.findall(r'<p class="thumb"><img src="([^"]*)" width="120" height="170" alt="">(.*?)</p>', page)
    assert len(thumb[0]) * 3 / 4 <= 8_000
    assert "First page of the paper" in thumb[1]
    facts = root / "notes_src/one/01_Small/note.yaml"
    facts.write_text(facts.read_text("utf-8") + "thumbnail: false\n", "utf-8")
    paper_notes("build", "--root", root)
    assert 'class="thumb"' not in (root / PAGE).read_text("utf-8")


def test_a_pdf_is_published_only_where_a_note_says_so(root: Path) -> None:
    size = len(making_pdfs.paper())
    other = len(making_pdfs.paper("2001.00002", 1, "2 Jan 2020", "Other"))
    before = paper_notes("check", "--root", root)
    assert before.exit_code == 0
    assert before.stderr == "2 notes: nothing is wrong.\n", "PDFs are no matter where none is published"

    facts = root / "notes_src/one/01_Small/note.yaml"
    facts.write_text(facts.read_text("utf-8") + "publish_pdf: true\n", "utf-8")
    after = paper_notes("check", "--root", root, "--json")
    assert f"1 PDF is published: the site gains {size:,} bytes.\n" in after.stderr
    assert f"1 PDF is at hand and not published: `publish_pdf: true` would add {other:,} bytes.\n" in after.stderr
    told = json.loads(after.stdout)["pdfs"]
    assert told == {"published": 1, "published_bytes": size, "others": 1, "other_bytes": other}
    paper_notes("build", "--root", root)
    assert (root / "site/pdfs/2601.00001v2.pdf").read_bytes() == making_pdfs.paper()
    assert 'href="../../pdfs/2601.00001v2.pdf">PDF</a>' in (root / PAGE).read_text("utf-8")
    assert [path.name for path in (root / "site").rglob("*.pdf")] == ["2601.00001v2.pdf"]

    facts.write_text(facts.read_text("utf-8").replace("publish_pdf: true\n", ""), "utf-8")
    assert "1 deleted" in paper_notes("build", "--root", root).stderr
    assert not (root / "site/pdfs").exists()


def test_a_note_that_needs_a_broken_pdf_is_an_error_and_the_others_a_warning(root: Path) -> None:
    (root / "notes_src/pdfs/2601.00001v2.pdf").write_bytes(b"<!doctype html>")
    (root / "notes_src/pdfs/2001.00002.pdf").write_bytes(making_pdfs.BROKEN["with a password"]())
    result = paper_notes("check", "--root", root)
    assert result.exit_code == 1
    hint = "  hint: open its address in a browser, and save the PDF itself\n"
    assert (
        "notes_src/pdfs/2001.00002.pdf:1:1: warning[bad-pdf]: the PDF is encrypted and asks for a password\n"
        "  hint: save it without a password, or use another copy\n"
        "notes_src/pdfs/2601.00001v2.pdf:1:1: warning[bad-pdf]: this is not a PDF but a web page, saved under its "
        "name\n"
    ) in result.stderr
    assert (
        "notes_src/one/01_Small/en.md:7:1: error[bad-pdf]: notes_src/pdfs/2601.00001v2.pdf cannot be shown: "
        f"this is not a PDF but a web page, saved under its name\n{hint}"
    ) in result.stderr
    assert "8 errors, 2 warnings" in result.stderr


def test_a_second_build_opens_no_pdf(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert build(root).plan
    monkeypatch.setattr(reader, "limited", None)
    monkeypatch.setattr(document, "_pymupdf", None)
    assert build(root).plan


def test_the_cache_changes_nothing(root: Path) -> None:
    paper_notes("build", "--root", root)
    first = files_of(root / "site")
    cache = cache_folder(root) / CACHE_FILE
    cache.write_bytes(b"broken" * 1_000)
    assert paper_notes("build", "--check", "--root", root).exit_code == 0
    cache.unlink()
    assert paper_notes("build", "--check", "--root", root).exit_code == 0
    assert files_of(root / "site") == first


@pytest.mark.nightly
def test_pdfs_are_not_in_memory_all_at_once(root: Path) -> None:
    filler = b"%" + b"x" * 3_000_000 + b"\n"
    for number in range(12):
        (root / f"notes_src/pdfs/more{number}.pdf").write_bytes(
            making_pdfs.paper(f"2102.{number:05}")[:-6] + b"\n" + filler + making_pdfs.paper()[-6:]
        )
    build(root)
    tracemalloc.start()
    assert build(root).plan
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000, f"{peak:,} bytes at once, of 36 MB of PDFs"


def test_a_pdf_that_changes_during_a_build_stops_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = root / "notes_src/pdfs/2601.00001v2.pdf"
    file.write_bytes(file.read_bytes() + b"%" * 200_000 + b"\n%%EOF\n")
    from paper_notes import build as module

    reading = module.read_tree

    def then_changed(*arguments: object, **named: object) -> object:
        found = reading(*arguments, **named)  # type: ignore[arg-type]
        file.write_bytes(b"%PDF-1.7\n%%EOF\n")
        return found

    monkeypatch.setattr(module, "read_tree", then_changed)
    result = paper_notes("build", "--root", root)
    assert result.exit_code == 1
    assert (
        result.stderr == f"paper-notes: {file.resolve()} was changed while it was being used; run the command again\n"
    )
    assert not (root / "site").exists()


ROWS = """\
figure-1   p. 1    What was found, by the number n of attempts.
figure-2   p. 2    Nothing before and after. Both panels show the same thing. Both panels …
table-1    p. 2    Results on three tasks. Higher is better.
table-A.1  p. 3    The same again, below its table.
"""


@pytest.fixture
def pdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.pdf"
    path.write_bytes(making_pdfs.paper())
    return path


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that the browser is asked to open."""
    addresses: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: addresses.append(address) or True)
    return addresses


def test_figures_are_listed_with_a_page_to_choose_from(pdf: Path, opened: list[str]) -> None:
    result = paper_notes("figures", pdf)
    target = cache_folder(pdf.parent) / "figures-small.html"
    assert (result.exit_code, result.stdout, result.stderr) == (0, ROWS, f"Open {target}\n")
    assert opened == [target.as_uri()]
    page = target.read_text("utf-8")
    assert page.count('<img class="crop" src="data:image/webp;base64,') == 4
    for line in ("![](pdf:2601.00001#figure-1)", "![](pdf:2601.00001#table-A.1)"):
        assert f"<code>{line}</code>" in page
    assert "3 页，找到 4 个图表" in page
    assert "3 pages, 4 figures and tables found" in page
    assert [path.name for path in pdf.parent.iterdir()] == ["small.pdf"], "git sees nothing of it"
    assert paper_notes("figures", pdf, "--no-open").exit_code == 0, "ours is written over"
    assert len(opened) == 1


@pytest.mark.nightly
def test_the_page_is_not_overwritten_unless_forced(pdf: Path, opened: list[str]) -> None:
    page = pdf.parent / "mine.html"
    page.write_text("mine", "utf-8")
    result = paper_notes("figures", pdf, "--output", page)
    assert result.exit_code == 1
    assert result.stderr == (
        f"paper-notes: {page} is there already\n  hint: add --force, or name another with --output\n"
    )
    assert page.read_text("utf-8") == "mine"
    assert paper_notes("figures", pdf, "--output", page, "--force").exit_code == 0
    assert opened == []
    assert page.read_text("utf-8") != "mine"
    elsewhere = pdf.parent / "new" / "look.html"
    assert paper_notes("figures", pdf, "--output", elsewhere).exit_code == 0
    assert elsewhere.read_bytes() == page.read_bytes(), "the same PDF gives the same page"


def test_figures_as_json(pdf: Path) -> None:
    told = json.loads(paper_notes("figures", pdf, "--json").stdout)
    assert (told["arxiv"], told["version"], told["pages"]) == ("2601.00001", 2, 3)
    assert told["page"] == str(cache_folder(pdf.parent) / "figures-small.html")
    assert [figure["anchor"] for figure in told["figures"]] == ["figure-1", "figure-2", "table-1", "table-A.1"]
    assert told["figures"][2]["markdown"] == "![](pdf:2601.00001#table-1)"


def test_a_pdf_without_captions_gives_a_page_that_says_how_else(pdf: Path) -> None:
    pdf.write_bytes(making_pdfs.with_content(b"0 0 m 99 99 l S"))
    result = paper_notes("figures", pdf)
    assert (result.exit_code, result.stdout) == (0, "")
    page = (cache_folder(pdf.parent) / "figures-small.html").read_text("utf-8")
    assert "<h1>small.pdf</h1>" in page
    assert "pdf:…#page-4:72,90,300,410" in page


@pytest.mark.parametrize("name", ["a web page", "cut in the middle", "with a password"])
def test_what_is_wrong_with_the_pdf_is_said(
    pdf: Path, name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """And nothing else: the library that reads PDFs prints what it thinks of them past Python."""
    pdf.write_bytes(making_pdfs.BROKEN[name]())
    monkeypatch.chdir(pdf.parent)
    result = paper_notes("figures", "small.pdf")
    assert capfd.readouterr() == ("", "")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert re.fullmatch(r"paper-notes: small\.pdf: [^\n]+\n  hint: [^\n]+\n", result.stderr)
    assert [path.name for path in pdf.parent.iterdir()] == ["small.pdf"]
