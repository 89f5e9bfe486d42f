"""The page of a note: each number whose source is known leads to it, in one list at the end."""

from __future__ import annotations

import re
from pathlib import Path

import making_pdfs
from running import built, paper_notes, write
from test_verify_command import FILES, PDF

PAGE = "tea/notes/01_Green.html"
TEXT = """\
Green tea scores 71.2, black tea 64.5–66.0 (Table 1); it is 71.9 (Table 2), and 3.5 (Table 2).

$71.2/64.5=1.10$, [7.1]{from=own}, `0.48`, 1.84×.
"""


def page_of(tmp_path: Path, *, keep: bool) -> str:
    write(tmp_path, {**FILES, "notes_src/tea/01_Green/en.md": TEXT, "notes_src/tea/01_Green/zh.md": TEXT})
    (tmp_path / PDF).parent.mkdir(exist_ok=True)
    (tmp_path / PDF).write_bytes(making_pdfs.results())
    if keep:
        assert "kept: " in paper_notes("verify", "--keep", "--root", tmp_path).stderr
    (tmp_path / PDF).unlink()
    return (built(tmp_path) / PAGE).read_text("utf-8")


MARK = re.compile(r'<a class="at" href="#pn-(\d+)"[^>]*>(.*?)</a>')
ENTRY = re.compile(r'<li id="pn-(\d+)">(.*?)(?=<li|</ul>|$)', re.DOTALL)


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", html.replace("</span>", " ")).split())


def marks_of(html: str) -> list[tuple[str, str]]:
    """The marked numbers of the text, each with its entry in the list of sources, in the order of the page."""
    article, _, end = html.partition('<details id="pn-sources"')
    groups = re.split(r"<li(?=[^>]*><p>)", end.partition("</details>")[0])
    entries: dict[str, str] = {}
    for group in groups:
        head = re.search(r"<p>(.*?)</p>", group)
        for number, words in ENTRY.findall(f"<li{group}"):
            entries[number] = plain(f"{head[1] if head and head[1] not in words else ''} | {words}").strip(" |")
    return [(plain(inside), entries[number]) for number, inside in MARK.findall(article)]


def test_each_number_leads_to_its_source(tmp_path: Path) -> None:
    html = page_of(tmp_path, keep=True)
    marks = marks_of(html)
    assert ("71.2", "表 1，第 2 页 Table 1, p. 2 | Green tea × Score") in marks
    assert ("64.5–66.0", "表 1，第 2 页 Table 1, p. 2 | Black tea × Score") not in marks, "two cells are two links"
    assert ("64.5", "表 1，第 2 页 Table 1, p. 2 | Black tea × Score") in marks
    assert any(number == "7.1" and "笔记自己的数" in entry for number, entry in marks)
    shown = [number for number, _ in marks]
    assert not {"71.9", "3.5", "1.84×"} & {*shown}, "what is not found there has no mark"
    counts = {lang: len(MARK.findall(part)) for lang, part in halves(html).items()}
    assert counts["zh"] == counts["en"] == len(marks) / 2
    assert f"Sources of {counts['en']} numbers" in html
    assert f"{counts['zh']} 处数字可查出处" in html


def halves(html: str) -> dict[str, str]:
    """What the page shows in each language."""
    article = html.partition('<details id="pn-sources"')[0]
    parts = re.split(r'<div class="body c\d (zh|en)"', article)
    return {
        lang: "".join(body for tag, body in zip(parts[1::2], parts[2::2], strict=True) if tag == lang)
        for lang in ("zh", "en")
    }


def test_a_sum_is_typeset_and_its_operands_lead_to_their_sources(tmp_path: Path) -> None:
    html = page_of(tmp_path, keep=True)
    entry = next(words for number, words in ENTRY.findall(html) if "<mfrac>" in words)
    operands = MARK.findall(entry)
    assert [words for _, words in operands] == ["71.2", "64.5"]
    assert len({number for number, _ in operands}) == 2
    assert '<mn class="op">71.2</mn>' in entry
    assert "<mo>≈</mo><mn>1.104</mn>" in entry


def test_a_note_that_says_nothing_of_its_numbers_has_no_mark_and_no_list(tmp_path: Path) -> None:
    html = page_of(tmp_path, keep=False)
    assert "pn-sources" in html, "7.1 is the note's own"
    assert [number for number, _ in marks_of(html)] == ["7.1", "7.1"]
    write(tmp_path, {f"notes_src/tea/01_Green/{lang}.md": "It is 71.2.\n" for lang in ("zh", "en")})
    html = (built(tmp_path) / PAGE).read_text("utf-8")
    assert "pn-sources" not in html
    assert 'class="at"' not in html


TABLE = """\
| Tea | Score {from="Fig. 2"} | Own |
|---|---|---|
| Green | 71 | 3 |
| Black | 64 | [4]{from=own} |

| Tea {from=own} | Now | Then |
|---|---|---|
| Green | 71 | 12.5 |
| Black | 64 | 13.5 |

A 5 and [words]{from=own}: [3 of 12, so 0.25]{from="3/12"}. [no 7.7](https://example.org)
"""


def test_a_source_that_all_cells_share_is_marked_once_at_their_head(tmp_path: Path) -> None:
    write(tmp_path, {**FILES, "notes_src/tea/01_Green/en.md": TABLE, "notes_src/tea/01_Green/zh.md": TABLE})
    html = (built(tmp_path) / PAGE).read_text("utf-8")
    shown = [number for number, _ in marks_of(html)]
    assert shown[: len(shown) // 2] == ["Score", "4", "Tea", "words", "0.25"]


def test_a_section_that_was_edited_since_has_no_marks(tmp_path: Path) -> None:
    page_of(tmp_path, keep=True)
    write(tmp_path, {"notes_src/tea/01_Green/en.md": TEXT.replace("Green", "Fine green")})
    parts = halves((built(tmp_path) / PAGE).read_text("utf-8"))
    assert [words for _, words in MARK.findall(parts["en"])] == ["7.1"], "which is declared"
    assert len(MARK.findall(parts["zh"])) > 3


def test_each_section_keeps_the_marks_of_its_own_text(tmp_path: Path) -> None:
    sections = (
        "It is 71.2 (Table 1).\n",
        "## One {#one}\n\n> ### Of somebody else\n\nIt is 64.5 (Table 1).\n",
        "## Two {#two}\n\nAlso 66.0 (Table 1).\n",
    )
    path, before = "notes_src/tea/01_Green/en.md", "\n".join(sections)

    def marked() -> list[str]:
        return [number for number, _ in marks_of((built(tmp_path) / PAGE).read_text("utf-8"))]

    write(tmp_path, {**FILES, path: before})
    (tmp_path / "notes_src/tea/01_Green/zh.md").unlink()
    (tmp_path / PDF).parent.mkdir(exist_ok=True)
    (tmp_path / PDF).write_bytes(making_pdfs.results())
    assert "kept: " in paper_notes("verify", "--keep", "--root", tmp_path).stderr
    (tmp_path / PDF).unlink()
    assert marked() == ["71.2", "64.5", "66.0"]
    for section, rest in zip(sections, (["64.5", "66.0"], ["71.2", "66.0"], ["71.2", "64.5"]), strict=True):
        write(tmp_path, {path: before.replace(section, section.replace("t", "T", 1) + "More.\n")})
        assert marked() == rest
