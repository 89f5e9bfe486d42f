"""The contents of marked regions, for the scenario `bilingual`."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import get_args

import pytest
from markdown_it import MarkdownIt

from paper_notes.corpus.load import load
from paper_notes.corpus.model import Content, Corpus, EntriesFrom, Entry, Lang, TopicId
from paper_notes.corpus.paper import LabelledLink
from paper_notes.indexes.readme import BLOCKS, ReadmeWriter, write
from paper_notes.indexes.regions import Region
from paper_notes.languages.text import Text
from paper_notes.markdown.bodies import render_bodies
from paper_notes.render.links import link_resolver
from paper_notes.sources.tree import read_tree
from paper_notes.values import replace

Written = Callable[..., str]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    loaded, problems = load(read_tree(Path(__file__).parents[1] / "sites" / "bilingual")[0])
    assert loaded is not None
    assert problems == ()
    return replace(loaded, site=replace(loaded.site, base_url=None))


@pytest.fixture
def written(corpus: Corpus) -> Written:
    def block(
        content: Content, lang: Lang = "en", topic: str | None = None, *, of: Corpus = corpus, text: str = ""
    ) -> str:
        resolver = link_resolver(of, render_bodies(of.notes)[0].outlines)
        readme = ReadmeWriter(
            of, resolver, {note.id: 1000 * note.number for note in of.notes}, lang, PurePosixPath("R.md")
        )
        return write(readme, Region(content, lang, TopicId(topic) if topic else None, 0, 0), text)

    return block


def test_every_content_can_be_written() -> None:
    assert set(get_args(Content)) == {*BLOCKS, "contents"}


def test_one_line_for_each_paper_and_note_newest_first(written: Written) -> None:
    assert written("list") == (
        "- [23/10] **How wind moves a cable** [[Paper](https://arxiv.org/abs/2310.00001)] "
        "[[Code](https://example.org/wind)] [[Notes](site/cables/notes/01_Wind.html)]\n"
        r"- [19/03] **Stone & Sky: A\* search for the best_arch \| a survey** "
        "[[Paper](https://doi.org/10.1234/%28SICI%2912:3%3C45::AID%3E2.0.CO;2-X)] "
        "[[Notes](site/arches/notes/01_Stone_arches.html)] [[Notes](site/cables/notes/01_Wind.html)]\n"
        "- **Brick** [[Notes](site/arches/notes/02_Brick_2020.html)]"
    )
    assert written("list", "zh", "arches") == (
        r"- [19/03] **Stone & Sky: A\* search for the best_arch \| a survey** "
        "[[Paper](https://doi.org/10.1234/%28SICI%2912:3%3C45::AID%3E2.0.CO;2-X)] "
        "[[Notes](site/arches/notes/01_Stone_arches.html)]\n"
        "- **砖** [[Notes](site/arches/notes/02_Brick_2020.html)]"
    )


def test_a_line_has_the_best_address_of_its_paper_and_all_other_links(corpus: Corpus, written: Written) -> None:
    links = tuple(LabelledLink(label, f"https://e.org/{label}") for label in ("HF", "DOI", "Code", "arXiv", "PDF"))
    papers = {key: replace(paper, links=links, year=2020, month=None) for key, paper in corpus.papers.items()}
    line = written("list", topic="arches", of=replace(corpus, papers=papers)).splitlines()[0]
    assert line.startswith("- [20] **Stone")
    assert "[[Paper](https://e.org/arXiv)] [[HF](https://e.org/HF)] [[Code](https://e.org/Code)] [[Notes]" in line


def test_the_latest_notes(corpus: Corpus, written: Written) -> None:
    day = datetime.date(2024, 5, 6)
    notes = tuple(replace(note, created=day) if note.number == 2 else note for note in corpus.notes)
    assert written("recent", of=replace(corpus, notes=notes)) == (
        "- 2024-05-06 new: [🌉 #2 Brick](site/arches/notes/02_Brick_2020.html)\n"
        "- 2024-03-01 revised: [🌉 #1 Stone arches](site/arches/notes/01_Stone_arches.html)"
    )
    assert written("recent", "zh") == "- 2024-03-01 修订：[🌉 #1 石拱](site/arches/notes/01_Stone_arches.html)"
    assert written("recent", topic="cables") == ""


def test_all_counts_in_one_line(corpus: Corpus, written: Written) -> None:
    assert written("summary") == "2 topics · 3 notes · 2 papers · 4 KB · up to 2024-03-01"
    assert written("summary", "zh") == "2 个主题 · 3 篇笔记 · 2 篇论文 · 4 KB · 更新至 2024-03-01"
    assert written("summary", topic="cables") == "1 note · 2 papers · 1 KB"
    assert written("summary", of=replace(corpus, notes=(), topics=())) == "0 notes"


def test_parts_of_one_topic_have_no_heading_and_those_of_all_do(written: Written) -> None:
    assert written("notes", topic="cables").startswith("| # | Note |")
    assert [line for line in written("notes").splitlines() if line.startswith("#")] == [
        "### 🌉 Arches: stone and brick (2 notes)",
        "### 🪢 Cables (1 note)",
    ]
    assert written("papers", topic="cables").startswith("| Date | Paper |")
    assert written("papers").startswith("### Arches: stone and brick\n\n| Date | Paper |")
    assert written("paths").startswith("### A first walk\n\n[#2 Brick]")
    assert written("directories", topic="cables").splitlines()[3].startswith("└── cables/")
    assert "Arches" not in written("all", topic="cables")
    assert "| Paper | Team |" in written("all", topic="cables")


def test_the_table_of_contents_leads_to_the_headings_of_the_file(written: Written) -> None:
    text = "# Title\n\n## 🔵 A \\| B (2)\n\n### deeper\n\n## 一、二\n\n## 一、二\n"
    assert written("contents", text=text) == "- [🔵 A \\| B (2)](#-a--b-2)\n- [一、二](#一二)\n- [一、二](#一二-1)"


HARD = (
    "a | b \\| c", "costs $5 or $6", "`tick", "two\nlines\r\nthree", "<b>x</b> <!-- y -->", "  spaces  ", "[x](y) ]",
    "snake_case _a_", "*a* **b", "~~x~~ ~y", "a < b > c & d &amp;", "🧑‍🔬 ❤️ 🇨🇳",
    "超长中文标题" * 60, "# hash #", "\\", "ends \\",
)  # fmt: skip


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("title", HARD)
def test_titles_survive_in_every_block(title: str, corpus: Corpus, written: Written) -> None:
    """A reader sees the exact title in every cell, line and link."""
    papers = {key: replace(paper, title=title, team=title) for key, paper in corpus.papers.items()}
    notes = tuple(
        replace(note, title=Text.of(zh=title, en=title), created=datetime.date(2024, 1, 1)) for note in corpus.notes
    )
    topics = tuple(replace(topic, title=Text.of(zh=title, en=title)) for topic in corpus.topics)
    hard = replace(corpus, papers=papers, notes=notes, topics=topics)
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    plain = " ".join(title.split())
    for content, times in {"notes": 5, "papers": 5, "list": 3}.items():
        tokens = parser.parse(written(content, of=hard))
        seen = [
            "".join(child.content for child in token.children or () if not child.type.startswith("html"))
            for token in tokens
            if token.type == "inline"
        ]
        assert sum(plain in line for line in seen) >= times, (content, seen)
    assert all(
        line.count("|") - line.count("\\|") == 5 for line in written("notes", topic="arches", of=hard).splitlines()
    )


def daily(corpus: Corpus, *days: datetime.date) -> Corpus:
    """The corpus in which the first notes list its papers, one note a day."""
    keys = list(corpus.papers)
    made = [
        replace(
            note,
            kind="digest",
            papers=(),
            source=EntriesFrom("hf-daily", None, day, None, ()),
            entries=tuple(Entry(key, None, 3, (), None, note.location) for key in keys[: 2 - place]),
        )
        for place, (note, day) in enumerate(zip(corpus.notes, days, strict=False))
    ]
    return replace(corpus, notes=(*made, *corpus.notes[len(days) :]))


def test_the_latest_day_and_all_days_by_month(corpus: Corpus, written: Written) -> None:
    days = (datetime.date(2026, 1, 31), datetime.date(2026, 2, 1))
    lines = written("digest", of=daily(corpus, *days)).splitlines()
    last, first = (f"site/{note.id.replace('/', '/notes/')}.html" for note in (corpus.notes[1], corpus.notes[0]))
    assert lines[0] == f"**[Brick]({last})** · 1 paper"
    assert lines[2].startswith("- [")
    assert f"[[TLDR]({last}#p-" in lines[2]
    assert "[[Notes](site/cables/notes/01_Wind.html)]" in lines[2]
    assert lines[4:] == [f"- **2026-02**: [01]({last})", f"- **2026-01**: [31]({first})"]
    assert written("digest") == written("entries") == ""


def test_the_papers_of_a_list_in_its_order(corpus: Corpus) -> None:
    of = daily(corpus, datetime.date(2026, 1, 31))
    readme = ReadmeWriter(of, link_resolver(of, {}), {}, Lang("en"), PurePosixPath("R.md"))
    named = write(readme, Region("entries", Lang("en"), None, 0, 0, of.notes[0].id), "")
    titles = [corpus.papers[entry.paper].title[:5] for entry in of.notes[0].entries]
    assert [title in line for title, line in zip(titles, named.splitlines(), strict=True)] == [True, True]
    assert named == write(readme, Region("entries", Lang("en"), None, 0, 0), ""), "without a name it is the latest"
