"""A collection with figures from a PDF, cloned to where nobody has the PDF: CI, a co-author, another machine."""

from __future__ import annotations

from pathlib import Path

import making_pdfs
import pytest
from installing import Shell
from running import files_of, paper_notes

PDF = "2601.00001v2.pdf"


@pytest.fixture
def owner(shell: Shell, tmp_path: Path) -> Path:
    """Somebody's collection with a note on a paper, which shows figures of its PDF, and is built and committed."""
    notes = tmp_path / "notes"
    assert paper_notes("init", notes, "--languages", "en").exit_code == 0
    (tmp_path / PDF).write_bytes(making_pdfs.paper())
    done = paper_notes("new", tmp_path / PDF, "--topic", "reading", "--offline", "--root", notes)
    assert done.exit_code == 0, done.stderr
    (text,) = notes.glob("notes_src/reading/02_*/en.md")
    shown = "\n\n![](pdf:2601.00001#figure-1)\n\n![A table](pdf:2601.00001#table-A.1)\n\n![](pdf:2601.00001v2#page-3)\n"
    text.write_text(text.read_text("utf-8") + shown, "utf-8")
    ignored = notes / ".gitignore"
    ignored.write_text(ignored.read_text("utf-8").replace("/site/\n", ""), "utf-8")  # so that `--check` has a site
    assert "New pictures from PDFs in notes_src/crops/: 4." in paper_notes("build", "--root", notes).stderr
    shell.must("git init -q && git add -A && git commit -qm Begin", notes)
    return notes


@pytest.mark.nightly
def test_a_clone_without_the_pdf_builds_the_same_bytes(owner: Path, shell: Shell, tmp_path: Path) -> None:
    assert (owner / "notes_src/pdfs" / PDF).is_file()
    assert ".pdf" not in shell.must("git ls-files", owner)
    shell.must("git clone -q notes clone", tmp_path)
    clone = tmp_path / "clone"
    assert "nothing to write" in shell.must("paper-notes build --check", clone)
    shell.must("rm -r site && paper-notes build", clone)
    assert files_of(clone / "site") == files_of(owner / "site")
    assert shell.must("git status --porcelain", clone) == ""

    note = next(path for path in clone.glob("notes_src/reading/*/en.md") if "pdf:" in path.read_text("utf-8"))
    note.write_text(note.read_text("utf-8").replace("figure-1", "figure-2"), "utf-8")
    done = shell.type("paper-notes build", clone)
    assert (done.returncode, "missing-pdf" in done.stderr) == (1, True), done.stderr
    assert "save it as notes_src/pdfs/2601.00001.pdf" in done.stderr
