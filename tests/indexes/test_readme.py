"""The README tables as Markdown; whole READMEs are compared in `test_sites`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath

import pytest

from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus, Lang, NoteId, TopicId
from paper_notes.corpus.paper import BibKey, LabelledLink
from paper_notes.diagnostics import Location
from paper_notes.indexes.readme import BLOCKS, ReadmeWriter, readme_name, site_readmes, topic_readmes
from paper_notes.indexes.regions import PaperOrder
from paper_notes.languages.language import Words
from paper_notes.languages.text import Text
from paper_notes.markdown.bodies import render_bodies
from paper_notes.render.links import LinkResolver, link_resolver
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import read_tree
from paper_notes.values import replace

STONE = NoteId("arches/01_Stone_arches")
ARCHES = TopicId("arches")
WHERE = Location(PurePosixPath("notes_src/arches/topic.yaml"))
Make = Callable[..., ReadmeWriter]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    sources, _ = read_tree(Path(__file__).parents[1] / "sites" / "bilingual")
    loaded, problems = load(sources, PdfReader().identity)
    assert loaded is not None
    assert problems == ()
    return replace(loaded, site=replace(loaded.site, base_url=None))


@pytest.fixture(scope="module")
def resolver(corpus: Corpus) -> LinkResolver:
    return link_resolver(corpus, render_bodies(corpus.notes)[0].outlines)


@pytest.fixture
def readme(corpus: Corpus, resolver: LinkResolver) -> Make:
    def made(lang: Lang = "en", path: str = "README.md", base_url: str | None = None) -> ReadmeWriter:
        sizes = {note.id: 1000 * note.number for note in corpus.notes}
        site = replace(corpus.site, base_url=base_url)
        return ReadmeWriter(replace(corpus, site=site), resolver, sizes, lang, PurePosixPath(path))

    return made


def row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def test_a_row_of_the_notes(corpus: Corpus, readme: Make) -> None:
    stone = corpus.note(STONE)
    assert row(readme().note_row(stone)) == (
        r"| #1 | [Stone arches: two \*curves\*, A\|B](site/arches/notes/01_Stone_arches.html) **(own paper)** "
        "| Use the **catenary**, see [#2 Brick](site/arches/notes/02_Brick_2020.html) | 1\xa0KB |"
    )
    bare = replace(stone, own=False, summary=None)
    zh = row(readme("zh", "site/arches/README.md").note_row(bare))
    assert zh == r"| #1 | [石拱：A\|B 两种 \*曲线\*](notes/01_Stone_arches.html) |  | 1" "\xa0KB |"


@pytest.mark.parametrize(
    ("path", "base_url", "expected"),
    [
        ("README.md", None, "site/cables/notes/01_Wind.html"),
        ("site/README.en.md", None, "cables/notes/01_Wind.html"),
        ("site/arches/README.md", None, "../cables/notes/01_Wind.html"),
        ("site/arches/README.md", "https://e.org/x/", "https://e.org/x/cables/notes/01_Wind.html"),
    ],
)
def test_links_lead_from_where_the_readme_stands(readme: Make, path: str, base_url: str | None, expected: str) -> None:
    assert readme(path=path, base_url=base_url).href(PurePosixPath("cables/notes/01_Wind.html")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [[#2]]", "see [#2 Brick](site/arches/notes/02_Brick_2020.html)"),
        ("[[#2|<script> *a*]]", r"[\<script> \*a\*](site/arches/notes/02_Brick_2020.html)"),
        ("\n\n    code\n", "```\ncode\n```"),
        ("```\ncode", "```\ncode\n```"),
        ("[@okafor2023wind, <b>]", r"([Okafor, 2023](https://arxiv.org/abs/2310.00001), \<b>)"),
        ("[[#2#method|how]]", "[how](site/arches/notes/02_Brick_2020.html#method)"),
        ("[[cables/#1]]", "[🪢 #1 How wind moves a cable](site/cables/notes/01_Wind.html)"),
        ("[[#99]] has no note", r"\#99 has no note"),
        ("[@okafor2023wind, Table 2]", "([Okafor, 2023](https://arxiv.org/abs/2310.00001), Table 2)"),
        (
            "[@okafor2023wind; @lin2021unread]",
            "([Okafor, 2023](https://arxiv.org/abs/2310.00001); 林梅, 2021)",
        ),
        ("[@nobody] and a@b.c", "(nobody) and a@b.c"),
        ("[see @okafor2023wind]", "(see [Okafor, 2023](https://arxiv.org/abs/2310.00001))"),
        ("Okafor [-@okafor2023wind]", "Okafor ([2023](https://arxiv.org/abs/2310.00001))"),
        ("`[[#1]]` and `[@k]`", "`[[#1]]` and `[@k]`"),
        ("\\[[#1]]", r"\[\[#1\]\]"),
        ("**bold** $x_1$ | bar", "**bold** $x_1$ | bar"),
    ],
)
def test_references_in_texts_become_links(corpus: Corpus, readme: Make, text: str, expected: str) -> None:
    assert readme().markdown(Text.of(en=text), corpus.topic(ARCHES), WHERE) == expected


def test_a_row_of_the_papers(corpus: Corpus, readme: Make) -> None:
    paper, cables = corpus.papers[BibKey("okafor2023wind")], corpus.topic(TopicId("cables"))
    notes = "[#1](site/cables/notes/01_Wind.html) |"
    bare = replace(paper, title="On $O(n)$ | [x] *y* <z>", year=None, links=(), team="", venue="A|B")
    assert row(readme().paper_row(bare, cables)) == (
        "| — " r"| On \$O(n)\$ \| \[x\] \*y\* \<z><br><sub>A\|B</sub> | Okafor | — | " + notes
    )
    links = (
        LabelledLink("arXiv", "https://arxiv.org/abs/2310.00001"),
        LabelledLink("DOI", "https://doi.org/10.1/a(b)|c"),
    )
    teams = replace(paper, team="A|B Lab; C and D", links=links, venue="arXiv preprint")
    assert row(readme().paper_row(teams, cables)) == (
        "| 2023-\u206010 "
        r"| How wind moves a cable | A\|B Lab + C + D | "
        "[2310.00001](https://arxiv.org/abs/2310.00001) · [DOI](https://doi.org/10.1/a%28b%29%7Cc) | " + notes
    )


def test_papers_are_listed_by_date_the_latest_first(readme: Make) -> None:
    table = readme().papers(readme().corpus.topic(TopicId("cables")))
    assert [row.split(" | ")[0] for row in table.splitlines()[2:]] == ["| 2023-\u206010", "| 2019-\u206003"]


def test_the_directories_are_counted(readme: Make) -> None:
    assert readme().directories() == (
        "## Directories\n\n```text\n"
        "site/\n"
        "├── index.html  # home: all notes\n"
        "├── arches/     # Arches: stone and brick — 2 HTML, 3 KB\n"
        "└── cables/     # Cables — 1 HTML, 1 KB\n"
        "```"
    )


def test_a_topic_without_notes_or_emoji(corpus: Corpus, readme: Make) -> None:
    topic = replace(corpus.topic(ARCHES), id=TopicId("empty"), emoji="", intro=None, reading_paths=())
    assert readme().topic(topic, level=2) == "## Arches: stone and brick (0 notes)"
    assert readme("zh").topic(topic, level=1) == "# 拱桥（0 篇）"


def test_a_folded_topic_has_its_papers_and_is_opened_by_its_title(corpus: Corpus, readme: Make) -> None:
    topic = replace(corpus.topic(TopicId("cables")), title=Text.of(en="A <b> & *c* |"), emoji="🔵", intro=None)
    topics = tuple(topic if other.id == topic.id else other for other in corpus.topics)
    folded = replace(readme(), corpus=replace(corpus, topics=topics), folded=True)
    assert folded.topic(topic, level=3).splitlines()[:4] == [
        "<details>",
        "<summary><h3>🔵 A &lt;b&gt; &amp; *c* | (1 note)</h3></summary>",
        "",
        "| # | Note | About | Size |",
    ]
    shown = folded.site(title=False)
    assert "\n#### Papers by date\n\n| Date " in shown
    assert shown.count("</details>") == shown.count("| Paper |") == 2
    for content in ("notes", "papers"):
        assert BLOCKS[content](replace(folded, corpus=corpus), corpus.topics).count("<details>") == 2


def test_a_reading_path(corpus: Corpus, readme: Make) -> None:
    topic = corpus.topic(ARCHES)
    assert readme().reading_path(topic.reading_paths[0], topic, level=3) == (
        "### A first walk\n\n"
        "[#2 Brick](site/arches/notes/02_Brick_2020.html) → "
        "[🪢 #1 How wind moves a cable](site/cables/notes/01_Wind.html) → "
        "[#1 Stone arches](site/arches/notes/01_Stone_arches.html)\n\n"
        "- Begin with [#2 Brick](site/arches/notes/02_Brick_2020.html#method)."
    )


def test_footnotes_of_each_topic_and_path_have_labels_of_their_own(corpus: Corpus, readme: Make) -> None:
    assert [readme().label(topic, path) for topic in corpus.topics for path in (0, 1)] == [
        "1.0-",
        "1.1-",
        "2.0-",
        "2.1-",
    ]


def test_a_step_shows_its_own_words(corpus: Corpus, readme: Make) -> None:
    topic = corpus.topic(ARCHES)
    words = (Text.of(zh="先看", en="look [here]"), None, None)
    path = replace(topic.reading_paths[0], words=words, guide=None)
    shown = readme().reading_path(path, replace(topic, reading_paths=(path,)), level=3)
    assert "[#2 look \\[here\\]](site/arches/notes/02_Brick_2020.html) → [🪢 #1 How wind" in shown


@pytest.mark.parametrize(
    ("order", "expected"),
    [("newest", ["c", "b", "a"]), ("oldest", ["a", "b", "c"]), ("listed", ["b", "a", "c"])],
)
def test_papers_are_by_date_or_as_the_topic_lists_them(
    corpus: Corpus, resolver: LinkResolver, order: PaperOrder, expected: list[str]
) -> None:
    paper = next(iter(corpus.papers.values()))
    papers = {
        BibKey(key): replace(paper, key=BibKey(key), short=key, year=2000 + place) for place, key in enumerate("abc")
    }
    topic = replace(corpus.topic(ARCHES), id=TopicId("empty"), papers=tuple(map(BibKey, "bac")))
    made = ReadmeWriter(
        replace(corpus, papers=papers), resolver, {}, Lang("en"), PurePosixPath("README.md"), order=order
    )
    assert re.findall(r"^\| \S+ \| ([abc])\b", made.papers(topic), re.MULTILINE) == expected


def test_a_readme_is_in_a_language_of_the_site(corpus: Corpus, readme: Make) -> None:
    zh, en = Words.of("zh", "en").languages
    own = replace(en, tag=Lang("fr"), name="Fran[ç]ais", words={**en.words, "readme.column.note": "Titre | note"})

    def made(words: Words, lang: str) -> ReadmeWriter:
        site = replace(corpus.site, words=words)
        return replace(readme(lang), corpus=replace(corpus, site=site))

    assert made(Words((en, zh)), "en").other_language() == "[中文](README.zh.md)"
    assert made(Words((en, zh)), "zh").other_language() == "[English](README.md)"
    assert made(Words((en,)), "en").other_language() == ""
    assert made(Words((own, zh)), "zh").other_language() == r"[Fran\[ç\]ais](README.md)"
    assert (
        made(Words((own, zh)), "fr").note_table(corpus.notes[:1]).startswith("| # | Titre \\| note | About | Size |\n")
    )


def test_only_where_words_have_no_spaces_is_the_name_of_a_narrow_column_held_together(
    corpus: Corpus, readme: Make
) -> None:
    heads = [readme(lang).papers(corpus.topic(ARCHES)).splitlines()[0] for lang in ("zh", "en")]
    assert heads == ["| 日期 | 论文 | 团队 | 链接 | 笔\u2060记 |", "| Date | Paper | Team | Links | Notes |"]


def test_names_and_files(corpus: Corpus, resolver: LinkResolver) -> None:
    assert [readme_name(lang, corpus) for lang in ("zh", "en")] == ["README.md", "README.en.md"]
    sizes = dict.fromkeys((note.id for note in corpus.notes), 1)
    of_topics = [topic_readmes(topic, corpus, resolver, sizes) for topic in corpus.topics]
    of_site = [*site_readmes(corpus, resolver, sizes)]
    assert [artifact.data.decode().split("\n")[0] for artifact in of_site] == ["# 桥梁笔记", "# Notes on bridges"]
    assert [str(artifact.path) for artifact in chain(of_site, *of_topics)] == [
        "site/README.md",
        "site/README.en.md",
        "site/arches/README.md",
        "site/arches/README.en.md",
        "site/cables/README.md",
        "site/cables/README.en.md",
    ]


def test_a_large_collection_has_its_topics_the_latest_notes_and_the_paths(corpus: Corpus, readme: Make) -> None:
    whole = readme().site(title=True)
    assert whole == replace(readme(), most_notes=len(corpus.notes), most_bytes=len(whole.encode())).site(title=True)
    for limit in ({"most_notes": 1}, {"most_bytes": len(whole.encode()) - 1}):
        short = replace(readme(), **limit).site(title=True)
        assert "| # |" not in short
        assert "## Papers by date" not in short
        assert "\n- [🪢 Cables (1 note)](site/cables/README.en.md) · 2 papers\n" in short
        assert "\n## Latest notes\n\n- 2024-03-01 revised: [🌉 #1 Stone arches](" in short
        assert all(f"## {path.title['en']}" in short for topic in corpus.topics for path in topic.reading_paths)
        assert "## Directories" in short
    published = replace(readme(base_url="https://e.org/"), most_notes=1).site(title=False)
    assert "](https://e.org/arches/index.html)" in published, "the page of a topic has all of it"


def dated(corpus: Corpus, *created: datetime.date | None) -> Corpus:
    """Notes of these days and no others, which are about no paper; they are called A, B ... from the last one on."""
    stone = corpus.note(STONE)
    notes = (
        replace(
            stone,
            id=NoteId(f"arches/{number}"),
            title=Text.of(en=name),
            created=day,
            updated=None,
            papers=(),
            short=None,
        )
        for number, (day, name) in enumerate(zip(created, reversed("ABCDEFGHIJK"[: len(created)]), strict=True))
    )
    return replace(corpus, notes=tuple(notes))


def test_the_latest_notes_are_ten_and_the_newest_is_first(corpus: Corpus, readme: Make) -> None:
    days = [datetime.date(2024, 1, day) for day in range(1, 12)]
    writer = replace(readme(), corpus=dated(corpus, *days))
    topics = [corpus.topic(ARCHES)]
    assert re.findall(r"^- (\S+) ", writer.recent(topics), re.MULTILINE) == [str(day) for day in days[:0:-1]]
    assert replace(readme(), corpus=dated(corpus, None)).recent(topics) == ""


def test_a_list_has_the_newest_first_in_all_centuries_and_of_one_day_the_order_of_the_topic(
    corpus: Corpus, readme: Make
) -> None:
    day, topic = datetime.date(2024, 1, 2), replace(corpus.topic(ARCHES), papers=())
    writer = replace(readme(), corpus=dated(corpus, datetime.date(1999, 12, 31), None, day, day))
    assert re.findall(r"\*\*(\w)\*\*", BLOCKS["list"](writer, (topic,))) == ["B", "A", "D", "C"]


def test_a_long_topic_has_a_readme_for_each_year_or_month(corpus: Corpus, readme: Make) -> None:
    writer, topic = readme(path="site/arches/README.en.md"), corpus.topic(ARCHES)
    whole = writer.topic_readme(topic)
    assert dict(writer.topic_files(topic, len(whole.encode()))) == {"": whole}
    rows = {line for line in whole.splitlines() if line.startswith("| ") and "](" in line}
    for most, size in ((len(whole.encode()) - 1, 4), (10, 7)):
        files = dict(writer.topic_files(topic, most))
        head = files.pop("")
        assert set(re.findall(r"\]\((README-[\w-]+\.en\.md)\)", head)) == {f"README{end}.en.md" for end in files}
        assert max(map(len, files)) <= size + 1
        tables = {
            line for text in files.values() for line in text.splitlines() if line.startswith("| ") and "](" in line
        }
        assert tables == rows, "each row is in one of the files"
        assert not rows & {*head.splitlines()}
