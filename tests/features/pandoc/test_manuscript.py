"""`export NOTE --to`: a document of another program has what the note says."""

from __future__ import annotations

import os
import re
import sys
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from making_pictures import picture
from running import paper_notes, write

from paper_notes.features.pandoc import pandoc
from paper_notes.features.pandoc.commands import manuscript

if os.environ.get("CI") != "true" or ".venv-oldest" in sys.prefix:
    pytest.importorskip("pypandoc", reason="the extra")

DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 90">
<rect width="300" height="90" fill="var(--fig-blue-soft, #e3ebfc)"/>
<text systemLanguage="zh" x="20" y="50" font-size="14">草稿</text>
<text systemLanguage="en" x="20" y="50" font-size="14">draft</text></svg>"""
TEXT = r"""## Idea

It guesses $\E[\gamma]$ tokens [@li2025, Table 2], pass@1 and `code`, see [[#2]].

$$E = \frac{1-\alpha^{\gamma+1}}{1-\alpha}$$

| Model | rate |
|:--|--:|
| T5 | 0.75 |

:::figure The draft
![A box](draft.svg)

What it does.
:::

![A photograph](photo.png)

A footnote[^1], and <kbd>l</kbd>, CO<sub>2</sub>.

[^1]: Theorem 1.
"""
SITE = {
    "notes_src/site.yaml": "title: Notes\nlanguages: [en, zh]\ntopics: [a]\nmacros: {'\\E': '\\mathbb{E}'}\n",
    "notes_src/refs.bib": "@misc{li2025, title={On acceptance}, author={Li, Ann}, year=2025}\n",
    "notes_src/a/topic.yaml": "title: A\n",
    "notes_src/a/01_Draft/note.yaml": "title: Drafts and checks\npapers: [li2025]\n",
    "notes_src/a/01_Draft/en.md": TEXT,
    "notes_src/a/01_Draft/draft.svg": DRAWING,
    "notes_src/a/02_Other/note.yaml": "title: {zh: 另一篇, en: Another}\nkind: tutorial\n",
    "notes_src/a/02_Other/zh.md": "## 方法 {#idea}\n\n公式 $x^2$，见 [@li2025]。\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, SITE)
    (tmp_path / "notes_src/a/01_Draft/photo.png").write_bytes(picture("PNG"))
    return tmp_path


def exported(root: Path, note: str, form: str, *more: str) -> bytes:
    done = paper_notes("export", note, "--to", form, "--output", root / "out", "--root", root, *more)
    assert done.exit_code == 0, done.output
    return (root / "out").read_bytes()


@pytest.mark.nightly
def test_a_document_of_word_has_formulas_tables_pictures_and_the_papers_that_are_cited(root: Path) -> None:
    (root / "out.docx").write_bytes(exported(root, "a/1", "docx"))
    with zipfile.ZipFile(root / "out.docx") as archive:
        pictures = [archive.read(name) for name in archive.namelist() if name.startswith("word/media/")]
        xml = archive.read("word/document.xml").decode()
    assert len(re.findall("<m:oMath>", xml)) == 3
    assert "<w:tbl>" in xml
    assert len(pictures) == 2
    assert all(data.startswith(b"\x89PNG") for data in pictures)
    words = " ".join(re.sub(r"<[^>]*>", " ", xml).split())
    for part in ("Drafts and checks", "(Li 2025, Table 2)", "What it does.", "On acceptance", "#2"):
        assert part.lower() in words.lower()
    assert "mailto" not in xml  # pass@1


def test_what_is_exported_can_be_imported_again(root: Path) -> None:
    document = exported(root, "a/1", "docx")
    html = pandoc.documents_in(PurePosixPath("a.docx"), document)[PurePosixPath("a.html")].decode()
    for part in ("0.75", "Theorem 1.", r"\mathbb{E}", r"\frac{1", "On acceptance"):
        assert part.lower() in html.lower()


def test_macros_of_the_collection_are_written_out_and_html_is_left_out(root: Path) -> None:
    latex = exported(root, "a/1", "latex").decode()
    assert r"\(\mathbb{E}[\gamma]\)" in latex
    assert "kbd" not in latex
    assert r"CO\({}_{\text{2}}\)" in latex
    assert r"\bibitem" in latex


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(("form", "shown"), [("latex", "{{{}}}"), ("typst", '"{}"'), ("org", "[[file:{}]]")])
def test_documents_that_hold_no_pictures_have_them_in_files_beside(root: Path, form: str, shown: str) -> None:
    text = exported(root, "a/1", form).decode()
    for name in ("out.files/picture-1.png", "out.files/picture-2.png"):
        assert shown.format(name) in text
        assert (root / name).read_bytes().startswith(b"\x89PNG")


def test_a_note_is_exported_in_the_language_it_has(root: Path) -> None:
    assert "公式 \\(x^2\\)" in exported(root, "a/2", "latex").decode()
    done = paper_notes("export", "a/2", "--to", "docx", "--lang", "en", "--root", root)
    assert (done.exit_code, 'has no text in "en"' in done.stderr) == (1, True)


def test_links_lead_to_the_pages_of_a_site_with_an_address(root: Path) -> None:
    assert "a/2" not in exported(root, "a/1", "html5").decode()
    site = root / "notes_src/site.yaml"
    site.write_text(site.read_text("utf-8") + "base_url: https://notes.example/\n", "utf-8")
    assert 'href="https://notes.example/a/notes/02_Other' in exported(root, "a/1", "html5", "--force").decode()


def test_a_file_that_is_there_stays_and_a_missing_pandoc_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "out").write_text("mine", "utf-8")
    done = paper_notes("export", "a/1", "--to", "org", "--output", root / "out", "--root", root)
    assert (done.exit_code, (root / "out").read_text("utf-8")) == (1, "mine")
    monkeypatch.setattr(manuscript, "program", lambda: "")
    done = paper_notes("export", "a/1", "--to", "org", "--root", root)
    assert (done.exit_code, "org is written by pandoc, which is not installed" in done.stderr) == (1, True)
