"""Documents of other programs are imported by way of pandoc, which is given their bytes and may read nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
from making_pictures import picture
from running import paper_notes, write

if os.environ.get("CI") != "true" or ".venv-oldest" in sys.prefix:
    pytest.importorskip("pypandoc", reason="the extra")

from paper_notes.features.pandoc.pandoc import documents_in, is_document, program

SITE = {"notes_src/site.yaml": "title: Notes\nlanguages: [en]\ntopics: []\n"}
TEXT = r"""---
title: Drafts and checks
---

# Idea

A *small* model drafts $\gamma$ tokens[^1].

$$E = \frac{1-\alpha^{\gamma+1}}{1-\alpha}$$

| Model | rate |
|:--|--:|
| T5 | 0.75 |

![The map](map.png)

## Details

1. one
2. two

[^1]: Theorem 1.
"""


@pytest.fixture
def docx(tmp_path: Path) -> bytes:
    write(tmp_path / "made", {"text.md": TEXT})
    (tmp_path / "made/map.png").write_bytes(picture("PNG"))
    subprocess.run([program(), "text.md", "-o", "text.docx"], cwd=tmp_path / "made", check=True, timeout=60)
    return (tmp_path / "made/text.docx").read_bytes()


def test_a_document_of_word_has_its_formulas_tables_notes_and_pictures(docx: bytes, tmp_path: Path) -> None:
    write(tmp_path, SITE)
    (tmp_path / "old").mkdir()
    (tmp_path / "old/04_Drafts.docx").write_bytes(docx)
    (tmp_path / "old/broken.docx").write_bytes(b"no document")
    done = paper_notes("import", tmp_path / "old", "--offline", "--root", tmp_path)
    assert done.exit_code == 0, done.output
    assert "left out, cannot be read as what their names say: 1 (broken.docx)" in done.stderr
    assert "read with pandoc: 1, such as 04_Drafts.docx; what it leaves out itself is not counted" in done.stderr
    assert "such as 04_Drafts.docx:1:1: " in done.stderr, "no place in the page that pandoc has made"
    assert ".html" not in done.stderr
    (note,) = tmp_path.glob("notes_src/old/04_*")
    text = (note / "en.md").read_text("utf-8")
    for part in (
        "## Idea {#idea}\n\nA *small* model drafts $\\gamma$ tokens[^1].\n",
        "$$\nE = \\frac{1 - \\alpha^{\\gamma + 1}}{1 - \\alpha}\n$$\n",
        "| Model | rate |\n|---|---:|\n| T5 | 0.75 |\n",
        "![The map](picture-1.png)",
        "### Details {#details}\n\n1. one\n2. two\n",
        "[^1]: Theorem 1.",
    ):
        assert part in text
    assert (note / "picture-1.png").read_bytes().startswith(b"\x89PNG")
    again = paper_notes("import", tmp_path / "old", "--offline", "--root", tmp_path)
    assert "new: 0, changed: 0, as before: 1" in again.stderr
    built = paper_notes("build", "--root", tmp_path, "--jobs", "1")
    assert (built.exit_code, "error" in built.stderr) == (0, False), built.output


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.org", '#+TITLE: A\n\nSee [cite:@li2025].\n#+INCLUDE: "/etc/passwd"\n', "See [@li2025]."),
        ("a.rst", "A\n=\n\nSee :math:`x^2`.\n\n.. include:: /etc/passwd\n", "See $x^2$."),
        (
            "a.tex",
            "\\documentclass{article}\\begin{document}As \\cite{li2025} says.\\input{/etc/passwd}\\end{document}",
            "As [@li2025] says.",
        ),
        ("a.mediawiki", "== A ==\n\n'''bold''' <math>x</math>\n", "**bold** $x$"),
        ("a.typ", "= A\n\nIt is $x$ @li2025.\n", "It is $x$ [@li2025]."),
    ],
)
def test_texts_come_with_formulas_and_citations_and_include_nothing(
    name: str, text: str, said: str, tmp_path: Path
) -> None:
    bib = "@misc{li2025, title={On acceptance}, author={Li, Ann}, year=2025}\n"
    write(tmp_path, {**SITE, f"old/{name}": text, "old/refs.bib": bib})
    done = paper_notes("import", tmp_path / "old", "--offline", "--root", tmp_path)
    assert done.exit_code == 0, done.output
    (written,) = tmp_path.glob("notes_src/old/*/en.md")
    assert said in written.read_text("utf-8")
    assert "root:" not in written.read_text("utf-8")


def test_a_file_that_is_asked_for_by_itself_is_read(tmp_path: Path) -> None:
    write(tmp_path, {**SITE, "old/a.org": "* One\n\ntext\n", "old/b.org": "* Two\n\ntext\n"})
    assert paper_notes("import", tmp_path / "old/a.org", "--offline", "--root", tmp_path).exit_code == 0
    assert len([*tmp_path.glob("notes_src/*/*/en.md")]) == 1


def test_a_part_of_a_latex_document_is_none() -> None:
    assert not is_document(PurePosixPath("part.tex"), rb"\section{One}")
    assert is_document(PurePosixPath("main.tex"), rb"\documentclass{article}")


def test_what_takes_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paper_notes.features.pandoc.pandoc._MEMORY", "4m")
    with pytest.raises(ValueError, match="pandoc"):
        documents_in(PurePosixPath("a.org"), b"* One\n\n" + b"word " * 2_000_000)


def test_without_pandoc_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in ("folders", "unpacking"):
        monkeypatch.setattr(f"paper_notes.features.importing.{module}.program", lambda: "")
    write(tmp_path, {**SITE, "old/a.org": "* One\n", "old/b.rst": "x\n"})
    done = paper_notes("import", tmp_path / "old", "--offline", "--root", tmp_path)
    assert done.exit_code == 1
    assert (
        ".org, .rst can be read with pandoc; `paper-notes doctor` has the line that installs the extra" in done.stderr
    )


def test_a_text_in_latex_keeps_its_labels_lemmas_and_authors(tmp_path: Path) -> None:
    write(tmp_path, SITE)
    text = r"""\documentclass{article}\usepackage{amsmath,amsthm}\newtheorem{lemma}{Lemma}
\title{Slow water}\author{Ann Lee \and Bo Xu}\date{2024}
\begin{document}\maketitle
\section{Heat}\label{sec:heat}
By \eqref{heat}, which is
\begin{equation}\label{heat} q = mc\Delta T \end{equation}, tea cools, see Section~\ref{sec:heat}.
\begin{lemma}\label{all} All water boils.\end{lemma}
\end{document}
"""
    write(tmp_path / "old", {"water.tex": text})
    done = paper_notes("import", tmp_path / "old", "--offline", "--root", tmp_path)
    assert done.exit_code == 0, done.output
    (note,) = (path.parent for path in tmp_path.glob("notes_src/old/*/en.md"))
    assert "author: Ann Lee, Bo Xu\n" in (note / "note.yaml").read_text("utf-8")
    page = (note / "en.md").read_text("utf-8")
    assert "By \\eqref{heat}, which is\n\n$$\n\\begin{equation} \\label{heat} q = mc\\Delta T,\n" in page
    assert "tea cools, see Section\N{NO-BREAK SPACE}[1](#sec-heat)." in page
    assert ":::lemma {#all}\n*All water boils.*\n:::\n" in page
    built = paper_notes("build", "--root", tmp_path, "--jobs", "1")
    assert (built.exit_code, "error" in built.stderr) == (0, False), built.output
