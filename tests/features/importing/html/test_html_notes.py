"""Pages written by hand come in whole: every word, in order, and a note that builds without an error."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path, PurePosixPath

import lxml.html
import pytest
from running import EXAMPLES, PROJECT, paper_notes, some
from taking_in import NOTES, files_of, letters, lost_words, page, rendered, taken_in

from paper_notes.features.importing.html.format import FORMAT
from paper_notes.features.importing.html.inlines import WORD_MARKS
from paper_notes.features.importing.html.page import ROLES, built_in
from paper_notes.features.importing.proof.compare import Removed
from paper_notes.features.importing.proof.originals import pieces_of
from paper_notes.features.importing.proof.visible import NUMBER
from paper_notes.features.importing.types import Folder, Original, ReaderOptions
from paper_notes.markdown.syntax.components import COMPONENTS

REFERENCE = PROJECT.parent / "shared" / "reference" / "notes"
FILES = files_of(NOTES)
FOREIGN = taken_in(FILES)
TEA = "tea/notes/"


@pytest.mark.parametrize("name", FOREIGN)
def test_every_word_arrives_in_order_and_nothing_is_wrong(name: str) -> None:
    _, problems = rendered(FOREIGN[name])
    assert lost_words(FILES[name], FOREIGN[name]) == []
    assert [str(problem) for problem in problems] == []


def test_every_word_arrives_if_no_class_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paper_notes.features.importing.html.page.built_in", dict)
    for name, foreign in taken_in(FILES).items():
        _, problems = rendered(foreign)
        assert lost_words(FILES[name], foreign) == []
        assert [str(problem) for problem in problems] == []


def test_every_word_arrives_without_tex() -> None:
    for name, foreign in taken_in(FILES, ReaderOptions(tex=False)).items():
        assert lost_words(FILES[name], foreign) == []
        assert "$" not in foreign.body.replace(r"\$", "").replace("$2", "").replace("$5", "").replace("$6", "")


def test_reading_twice_gives_the_same() -> None:
    assert taken_in(FILES) == FOREIGN


@pytest.mark.parametrize(
    ("folder", "formulas", "boxes"),
    [
        (NOTES, 5, 10),
        pytest.param(
            REFERENCE,
            *((27, 31) if EXAMPLES else (5, 9)),
            marks=pytest.mark.skipif(not REFERENCE.is_dir(), reason="is not ours to publish"),
        ),
    ],
    ids=["ours", "reference"],
)
def test_notes_come_in_whole_with_their_formulas_and_drawings(folder: Path, formulas: int, boxes: int) -> None:
    """Of the reference every other one; in `make nightly` all."""
    files = dict(some([*files_of(folder).items()], 2 if folder == REFERENCE else 1))
    read = taken_in(files)
    for name, foreign in read.items():
        _, problems = rendered(foreign)
        assert (name, lost_words(files[name], foreign)) == (name, [])
        assert (name, [str(problem) for problem in problems]) == (name, [])
        assert all(finding.kind != "drawing-as-text" for finding in foreign.findings)
    lines = [line.strip("> ") for foreign in read.values() for line in foreign.body.split("\n")]
    assert lines.count("$$") // 2 >= formulas
    assert sum(files[name].count(b'class="formula"') for name in read) == boxes


def test_an_independent_parser_sees_the_same_words() -> None:
    """But for what browsers do not show, and the numbers of items, which stand in attributes."""
    for name in ("01_Steeping_2401.01234.html", "05_Classes.html", "06_Code.html", "08_Unicode.html"):
        tree = lxml.html.document_fromstring(FILES[TEA + name].decode())
        for hidden in tree.xpath("//head|//comment()"):
            hidden.drop_tree()
        pieces = pieces_of(".html", FILES[TEA + name].decode())
        items = (piece for piece in pieces if not piece.is_tip)
        words = "".join(piece.text if piece.level else re.sub(rf"{NUMBER}\d+ ?", "", piece.text) for piece in items)
        assert Counter(letters("".join(tree.itertext()))) == Counter(letters(words))


def test_outlines_tell_enough_to_refer_to_a_note() -> None:
    folder = Folder(frozenset(), lambda _: None)
    path = PurePosixPath("spec-rl/notes/04_ReSpec_2510.26475.html")
    text = '<html lang="zh-TW"><title>x</title><h1>A <b>title</b></h1><section id="p"><h2>x</h2></section>'
    found = FORMAT.outline(FORMAT.parse(Original(path, text), folder), folder)
    assert (found.title, found.topic, found.name, found.number) == ("A title", "spec-rl", "ReSpec_2510.26475", 4)
    assert (found.lang, found.aliases, found.sections) == ("zh-Hant", (path.name,), (("p", "p"),))


def test_a_page_may_be_in_a_language_that_has_no_words_of_ours() -> None:
    figure = '<figure><svg viewBox="0 0 9 9"><text>Tee</text></svg><figcaption>Wasser und Blatt</figcaption></figure>'
    note = taken_in({"tee/1.html": f'<html lang="de"><title>Tee</title><h1>Tee</h1>{figure}'.encode()})["tee/1.html"]
    assert (note.lang, ":::figure" in note.body) == ("de", True)


def test_facts_come_from_the_line_below_the_title_and_no_author_is_guessed() -> None:
    steeping, kettles, cups = (
        FOREIGN[TEA + name] for name in ("01_Steeping_2401.01234.html", "02_Kettles.html", "03_Cups.html")
    )
    assert steeping.arxiv == ("2401.01234",)
    assert steeping.facts == {"keywords": ["steeping", "leaf grade", "patience"]}  # the date is the paper's
    assert kettles.facts["created"] == "2024-02-01"
    assert cups.facts == {"kind": "comparison", "created": "2024-03-03", "updated": "2024-04-01"}


@pytest.mark.parametrize(
    ("first", "papers"),
    [
        ("论文：arXiv:2401.12345", ("2401.12345",)),
        ('Paper: <a href="https://arxiv.org/abs/2401.12345">here</a>', ("2401.12345",)),
        ("This goes beyond arXiv:2401.12345.", ()),
    ],
)
def test_a_first_paragraph_that_only_names_the_paper_tells_it(first: str, papers: tuple[str, ...]) -> None:
    read = taken_in({"a/1.html": f"<h1>甲</h1><p>{first}</p><p>Unlike arXiv:2402.11111 ...</p>".encode()})
    assert read["a/1.html"].arxiv == papers


def test_links_lead_to_the_notes_that_come_along() -> None:
    body = FOREIGN["kites/notes/01_Tails.html"].body
    assert "[[kites/#2|改过名的]]" in body
    assert "[[tea/#1|茶]]" in body
    assert "、没有的、首页、文件、[没写协议](https://www.example.org/x)、程序、空、" in body
    assert "[[kites/#1#sec2|尾巴一节]]" in FOREIGN[TEA + "01_Steeping_2401.01234.html"].body


def test_a_plain_number_is_a_note_only_where_it_can_be_nothing_else() -> None:
    body = FOREIGN["kites/notes/01_Tails.html"].body
    assert "对照 ([[kites/#2|#02]]) 与 [[kites/#2|#2]],第 #1 名,颜色 #123456,issue foo#2" in body
    kinds = [finding.group for finding in FOREIGN["kites/notes/01_Tails.html"].findings if "number" in finding.kind]
    assert set(kinds) == {"doubtful"}


def test_a_file_of_another_name_is_not_taken_for_a_note_of_its_number() -> None:
    read = taken_in(
        {"a/04_Real.html": "<h1>x</h1>", "a/05_Other.html": '<h1>y</h1><a href="04_Else_2601.02780.html">see 04</a>'}
    )
    assert read["a/05_Other.html"].body == "see 04\n"


def test_what_is_left_out_on_purpose_is_declared_with_its_words() -> None:
    nav = '<nav class="toc"><strong>目录</strong><ol><li><a href="#a">别的话</a></li></ol></nav><h2 id="a">1 · 甲</h2>'
    note = page(f'<p class="meta">张三 · arXiv:2401.01234</p>{nav}<div class="pager"><a href="2.html">下一篇</a></div>')
    assert [(removed.kind, removed.words.split()) for removed in note.removed] == [
        ("facts", ["arXiv:2401.01234"]),
        ("contents", ["目录", "别的话"]),
        ("navigation", ["下一篇"]),
    ]
    assert note.arxiv == ("2401.01234",)


def test_users_classes_are_laid_over_ours() -> None:
    foreign = page('<div class="kv"><p>字</p></div><p class="odd">词</p>', classes={".kv": "box tip", ".odd": "drop"})
    assert foreign.body == ":::tip\n字\n:::\n"
    assert [(one.group, one.kind) for one in foreign.findings] == [("changed", "dropped-element")]
    assert foreign.removed == (Removed("dropped-element", "\n词\n"),)


def test_our_table_of_classes_names_only_what_there_is() -> None:
    for key, value in built_in().items():
        role, _, name = value.partition(" ")
        assert role in ROLES, key
        if role == "box":
            assert name in {*COMPONENTS, "card"}, key
        if role in ("mark", "cell"):
            assert name in WORD_MARKS, key


def test_findings_name_line_and_column_of_the_original() -> None:
    found = {(one.kind, one.location.line, one.location.column) for one in FOREIGN[TEA + "02_Kettles.html"].findings}
    assert ("swallowed-tag", 8, 38) in found
    assert ("unclosed-element", 9, 7) in found
    assert ("stray-end", 12, 37) in found


def test_drawings_are_files_in_our_colours_with_what_they_use_of_each_other() -> None:
    files = {name: data.decode() for name, data in FOREIGN[TEA + "04_Drawings.html"].files.items()}
    assert 'marker id="arr"' in files["figure-1.svg"]  # from a drawing that only defines it
    assert 'font-family="monospace"' in files["figure-1.svg"]
    assert files["figure-5.svg"].count("var(--fig-red") == 2  # its own style sheet
    assert "![一条线](figure-3.svg)" in FOREIGN[TEA + "04_Drawings.html"].body


def test_a_number_that_a_topic_lacks_is_no_note_of_another_topic() -> None:
    pages = {"a/01_A.html": "<h1>a</h1><p>(#12) #02-#03 (#02#03)</p>", "b/12_B.html": "<h1>b</h1>"}
    assert "[[b/#12|#12]]" in taken_in(pages)["a/01_A.html"].body
    siblings = {f"a/0{number}_{number}.html": "<h1>c</h1>" for number in (2, 3)}
    body = taken_in(pages | siblings)["a/01_A.html"].body
    assert body == "(#12) [[a/#2|#02]]-[[a/#3|#03]] ([[a/#2|#02]][[a/#3|#03]])\n"


def test_what_follows_a_drawing_keeps_its_line_and_column() -> None:
    drawing = '<svg viewBox="0 0 9 9"><text y="9">a</text></svg>'
    split = drawing.replace("><", ">\n<", 1)
    found = page(f"{drawing}</b>{split}</b>").findings
    assert [(one.kind, one.location.line, one.location.column) for one in found] == [
        ("stray-end", 1, 82),
        ("stray-end", 2, 27),
    ]


def test_style_sheets_reach_drawings_as_in_a_browser() -> None:
    css = ".dark .n{fill:#b3303b} .fig > p > svg .n{stroke:#2457c5} @media print{.n{stroke:red}} p.x .n{stroke:red}"
    html = (
        f'<style>{css}</style><div class="fig"><p><svg viewBox="0 0 9 9"><path class="n" d="M0 0h9"/></svg></p></div>'
    )
    drawn = page(html).files["figure-1.svg"].decode()
    assert '<path d="M0 0h9" stroke="var(--fig-blue, #2457c5)"/>' in drawn


def test_elements_that_only_we_have_are_words_in_a_page() -> None:
    assert page("<p>a<drawing>b</drawing>").body == "a\\<drawing>b\\</drawing>\n"


LONG = "9" * 5_000
"""More digits than Python makes a number of."""


@pytest.mark.parametrize(
    ("html", "body"),
    [
        (f"<p>a&#{LONG};b&#x{LONG};</p>", "a\ufffdb\ufffd\n"),
        (f'<p title="&#{LONG};">a</p>', "a\n"),
        (f"<h2>{LONG}. Head</h2><p>a</p>", f"## {LONG}. Head\n\na\n"),
        (f'<table><tr><td colspan="{LONG}">a</td><td rowspan="²">b</td></tr></table>', None),
        ('<p><svg width="1.2.3" height="."><path d="M0 0h9"/></svg></p>', "![题](figure-1.svg)\n"),
        (f"<p><svg><text>&#{LONG};</text></svg></p>", "![题](figure-1.svg)\n"),
        ('<p>a</p><pn-cut number="7"></pn-cut><p>b</p>', "a\n\nb\n"),
    ],
)
def test_numbers_that_no_page_means_stop_no_reader(html: str, body: str | None) -> None:
    read = page(html).body
    assert read == body or (body is None and read.count("a") == 1)


@pytest.mark.parametrize(
    "table", ["<tr>" + "<td>a" * 300 + "<tr><td>b" * 300, "<tr><td rowspan=99 colspan=99>a" * 30 + "<caption>c"]
)
def test_a_table_with_more_cells_than_a_page_may_have_is_its_texts(table: str) -> None:
    read = page(f"<table>{table}</table>")
    assert [finding.kind for finding in read.findings if finding.kind != "unclosed-element"] == ["table-as-text"]
    assert sorted("".join(read.body.split())) == sorted(re.sub(r"<.*?>|\s", "", table))


@pytest.mark.nightly
@pytest.mark.parametrize("pattern", ["<svg>", "<svg></p>", "<math>", "<q>", "<title>", "<script ", "<svg><!--a>"])
def test_what_repeats_takes_time_in_proportion_to_its_length(pattern: str) -> None:
    def seconds(characters: int) -> float:
        start = time.process_time()
        page(f"<p>{pattern * (characters // len(pattern))}</p>")
        return time.process_time() - start

    assert seconds(20_000) < 8 * seconds(5_000) + 0.5  # four times, or sixteen if it were quadratic


def test_code_that_shows_a_merge_conflict_stops_no_build(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    code = "&lt;&lt;&lt;&lt;&lt;&lt;&lt; ours\na\n=======\nb\n&gt;&gt;&gt;&gt;&gt;&gt;&gt; theirs"
    (tmp_path / "old/1.html").write_text(f"<h1>Merging</h1><pre>{code}</pre>", "utf-8")
    collection = str(tmp_path / "notes")
    paper_notes("init", collection, "--languages", "en")
    assert paper_notes("import", str(tmp_path / "old"), "--offline", "--root", collection).exit_code == 0
    assert paper_notes("build", "--root", collection).exit_code == 0


def test_the_same_page_in_two_languages_is_one_note() -> None:
    def outline(name: str) -> tuple[str, str, str, int | None, str]:
        original = Original(PurePosixPath(name), '<html lang="zh"><h1>T</h1>')
        header = FORMAT.outline(FORMAT.parse(original, folder), folder)
        return header.same, header.topic, header.name, header.number, header.lang

    names = "tea/01_Cup.zh.html tea/01_Cup.en.html en/milk/a.html milk/a.html en/alone.html"
    folder = Folder(frozenset(map(PurePosixPath, names.split())), lambda _: None)
    assert outline("tea/01_Cup.zh.html") == ("tea/01_Cup", "tea", "Cup", 1, "zh")
    assert outline("tea/01_Cup.en.html") == ("tea/01_Cup", "tea", "Cup", 1, "en")
    assert outline("en/milk/a.html") == ("milk/a", "milk", "a", None, "en")
    assert outline("milk/a.html") == ("milk/a", "milk", "a", None, "zh")
    assert outline("en/alone.html") == ("", "en", "alone", None, "zh")
