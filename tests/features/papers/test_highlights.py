"""What a reader marked in a PDF becomes quotations, each once."""

from __future__ import annotations

import io
import json
from pathlib import Path

import making_pdfs
import PIL.Image
import pytest
import yaml
from marked_pdfs import marked, marked_box, marked_words
from running import paper_notes, write

from paper_notes.features.papers.annotations import PdfAnnotation, colour_name, read_annotations
from paper_notes.features.papers.highlights import new_marks

SITE = "title: {zh: 笔记, en: Notes}\ntopics: [rl]\n"
NOTE = {
    "notes_src/site.yaml": SITE,
    "notes_src/library.bib": "@misc{egg, title={An Egg}, author={Quill, Ada}, year=2020}\n",
    "notes_src/rl/topic.yaml": "title: {zh: 强化, en: RL}\n",
    "notes_src/rl/01_Egg/note.yaml": "title: {zh: 蛋, en: Egg}\npapers: [egg]  # mine\n",
    "notes_src/rl/01_Egg/zh.md": "## 动机\n\n正文。\n",
    "notes_src/rl/01_Egg/en.md": "## Motivation\r\n\r\nText.\r\n",
}
PURPLE_SQUIGGLE = ("marked", 2, "不改变输出的分布，也就是", "好", "purple")


def said(mark: PdfAnnotation) -> tuple[str, int, str, str, str]:
    return mark.kind, mark.page, mark.words, mark.comment, mark.colour


@pytest.mark.parametrize("turned", [False, True])
def test_marks_are_read_in_the_order_of_the_paper_with_their_words_joined(turned: bool) -> None:
    assert list(map(said, read_annotations(marked(turned)))) == [
        ("marked", 1, "lossless unless it was never lost, and all speculating models repeat", "", ""),
        ("note", 1, "", "便签：[看](javascript:x) ::: 这里", ""),
        ("marked", 1, "low-cost way ends in the other column here,", "为什么？$\\alpha$ 与 x\nsecond line", "green"),
        ("note", 1, "", "free words", ""),
        ("struck", 1, "Strike this out.", "", "red"),
        ("marked", 1, "Under this", "", "blue"),
        ("drawn", 1, "", "", "red"),
        PURPLE_SQUIGGLE,
    ]


@pytest.mark.parametrize("turned", [False, True])
def test_strokes_beside_each_other_are_one_picture_of_what_was_drawn(turned: bool) -> None:
    (picture,) = (mark.picture for mark in read_annotations(marked(turned)) if mark.picture)
    long, short = sorted((picture.width, picture.height), reverse=True)
    assert long > 3 * short
    assert (picture.height > picture.width) == turned, "as the page is seen"
    red, green, _ = PIL.Image.open(io.BytesIO(picture.data)).convert("RGB").split()
    assert (red.getextrema()[0] > 128, green.getextrema()[0] < 128) == (True, True), "red strokes on white"


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (0, 26, "Nothing is lossless unless"),
        (2, 19, "Nothing is lossless"),
        (5, 12, "is"),
        (0, 16, "Nothing is lossless"),
    ],
)
def test_a_word_that_a_mark_cuts_belongs_to_it_if_most_of_it_is_marked(first: int, last: int, words: str) -> None:
    """Letters of Courier are 6 points wide."""
    (mark,) = read_annotations(marked_box((72 + 6 * first, 91, 72 + 6 * last, 103)))
    assert mark.words == words


def test_colours_have_the_names_of_zotero_s_and_yellow_none() -> None:
    zotero = {"ffd400": "", "ff6666": "red", "5fb236": "green", "2ea8e5": "blue", "a28ae5": "purple"}
    zotero |= {"e56eee": "purple", "f19837": "orange", "aaaaaa": "grey", "00b3b3": "teal", "000000": ""}
    assert {code: colour_name(part / 255 for part in bytes.fromhex(code)) for code in zotero} == zotero
    assert (colour_name((0, 1, 1, 0)), colour_name((0.5,)), colour_name(())) == ("red", "grey", "")


def test_what_a_reader_typed_on_the_page_is_not_the_paper_s() -> None:
    from paper_notes.features.papers.pdf_facts import read_facts

    assert not read_facts(marked()).title.startswith("free words")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "marked.pdf").write_bytes(marked())
    write(tmp_path / "notes", NOTE)
    return tmp_path / "notes"


def text(root: Path, name: str = "zh.md") -> str:
    return (root / "notes_src/rl/01_Egg" / name).read_bytes().decode()


def test_a_note_gets_quotations_that_build_in_all_its_texts(root: Path) -> None:
    done = paper_notes("highlights", "rl/1", "marked.pdf", "--root", root)
    assert (done.exit_code, done.stderr) == (0, "Marks: 8; new in rl/01_Egg: 8.\n")
    assert text(root).startswith("## 动机\n\n正文。\n\n## 划线 {#highlights}\n\n:::quote [@egg, p. 1]\nlossless unless")
    assert (
        ":::quote [@egg, p. 1] {.green}\nlow-cost way ends in the other column here,\n:::\n\n为什么？$\\alpha$"
        in text(root)
    )
    assert ":::quote [@egg, p. 1] {.red}\n~~Strike this out.~~\n:::" in text(root)
    assert "free words [@egg, p. 1]\n" in text(root)
    assert "\r\n\r\n## Highlights {#highlights}\r\n\r\n:::quote [@egg, p. 1]\r\n" in text(root, "en.md")
    assert text(root, "note.yaml").startswith("title: {zh: 蛋, en: Egg}\npapers: [egg]  # mine\nhighlights:\n  p1: [")
    assert paper_notes("check", "--root", root).stderr == "1 note: nothing is wrong.\n"
    assert paper_notes("build", "--root", root).exit_code == 0
    page = (root / "site/rl/notes/01_Egg.html").read_text()
    assert page.count('<figure class="quote q-red">') == 4
    assert page.count('alt="p. 1"') == 2


def test_what_was_edited_or_deleted_stays_so_and_only_new_marks_are_added_at_their_page(root: Path) -> None:
    paper_notes("highlights", "rl/1", "marked.pdf", "--root", root)
    mine = text(root).replace("low-cost way ends", "My own words").replace("Under this\n", "").replace("好\n", "")
    write(root, {"notes_src/rl/01_Egg/zh.md": mine})
    again = paper_notes("highlights", "rl/1", "marked.pdf", "--root", root)
    assert (again.exit_code, again.stderr, text(root)) == (0, "Marks: 8; new in rl/01_Egg: 0.\n", mine)
    (root.parent / "marked.pdf").write_bytes(marked_words("models repeat this", on=marked()))
    checked = paper_notes("highlights", "rl/1", "marked.pdf", "--check", "--root", root)
    assert (checked.exit_code, checked.stdout, text(root)) == (1, "p. 1   -       models repeat this.\n", mine)
    paper_notes("highlights", "rl/1", "marked.pdf", "--root", root)
    new = ":::quote [@egg, p. 1]\nmodels repeat this.\n:::\n\n"
    second_page = mine.index(":::quote [@egg, p. 2]")
    assert text(root) == mine[:second_page] + new + mine[second_page:]


def test_a_comment_of_invisible_signs_is_none() -> None:
    marks = [PdfAnnotation("note", 1, "", "\u200b", (0, 0, 0, 0)), PdfAnnotation("note", 1, "", "x", (0, 0, 0, 0))]
    assert [mark.comment for mark in new_marks(marks, {}).values()] == ["x"]


def test_words_are_the_same_on_another_page_of_another_version(root: Path) -> None:
    long = "never lost, and all speculat- ing models repeat"
    (root.parent / "first.pdf").write_bytes(marked_words(long))
    (root.parent / "second.pdf").write_bytes(marked_words(long, before=1))
    assert "new in rl/01_Egg: 1" in paper_notes("highlights", "rl/1", "first.pdf", "--root", root).stderr
    assert "new in rl/01_Egg: 0" in paper_notes("highlights", "rl/1", "second.pdf", "--root", root).stderr


def test_one_text_alone_may_get_them_and_json_says_what_came(root: Path) -> None:
    done = paper_notes("highlights", "rl/1", "marked.pdf", "--lang", "en", "--json", "--root", root)
    added = json.loads(done.stdout)["added"]
    assert added[-1] == dict(zip(("kind", "page", "words", "comment", "colour"), PURPLE_SQUIGGLE, strict=True))
    assert text(root) == NOTE["notes_src/rl/01_Egg/zh.md"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rl/1"], "there is no PDF of egg to read"),
        (["rl/1", "marked.pdf", "--lang", "ja"], "rl/01_Egg has no text in ja"),
        (["rl/1", "bad.pdf"], "bad.pdf: this is not a PDF"),
    ],
)
def test_what_cannot_be_brought_is_told(root: Path, arguments: list[str], message: str) -> None:
    (root.parent / "bad.pdf").write_bytes(b"no")
    done = paper_notes("highlights", *arguments, "--root", root)
    assert (done.exit_code, message in done.stderr) == (1, True)


def test_a_new_note_of_a_pdf_has_its_marks_and_the_command_knows_them(root: Path) -> None:
    assert paper_notes("new", "marked.pdf", "--topic", "rl", "--offline", "--root", root).exit_code == 0
    (folder,) = root.glob("notes_src/rl/02_*")
    assert (folder / "zh.md").read_text().count(":::quote") == 6
    assert set(yaml.safe_load((folder / "note.yaml").read_text())["highlights"]) == {"p1", "p2"}
    assert "new in rl/02" in (done := paper_notes("highlights", "rl/2", "--root", root)).stderr
    assert done.stderr.endswith(": 0.\n")
    assert paper_notes("build", "--root", root).exit_code == 0


def test_a_pdf_without_marks_brings_none(root: Path) -> None:
    (root.parent / "plain.pdf").write_bytes(making_pdfs.paper())
    done = paper_notes("highlights", "rl/1", "plain.pdf", "--root", root)
    assert (done.exit_code, done.stderr) == (0, "Marks: 0; new in rl/01_Egg: 0.\n")
