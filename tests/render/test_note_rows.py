"""Rows of notes: reading times, and what is new compared with the rest of the collection."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from building import note
from days_collection import DAYS, REGIONS, files
from listing import THEME, collection_of
from running import PROJECT, built, write

from paper_notes.corpus.model import Note, NoteId, TopicId
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang, Text
from paper_notes.markdown.body import NO_OUTLINE
from paper_notes.render.links import HOME
from paper_notes.render.note_rows import latest_first, minutes_of, note_rows, recent_notes
from paper_notes.render.pages import home
from paper_notes.render.theme.theme import load_theme
from paper_notes.render.view_factory import PageContext
from paper_notes.values import replace

OLD = tuple(f"2024-01-{day:02}" for day in range(1, 9))


def dated(number: int, created: str, updated: str = "") -> Note:
    dates = (datetime.date.fromisoformat(date) if date else None for date in (created, updated))
    return replace(
        note({"zh": "x\n"}), id=NoteId(f"t/{number}"), **dict(zip(("created", "updated"), dates, strict=True))
    )


@pytest.mark.parametrize(
    ("added", "marks"),
    [
        ([], {}),
        ([("2024-06-20", "")], {"t/8": "new"}),
        ([("2024-06-20", ""), ("2024-06-06", ""), ("2024-06-05", "")], {"t/8": "new", "t/9": "new"}),
        ([("2024-02-01", "2024-06-20"), ("2024-06-19", "2024-06-20")], {"t/8": "updated", "t/9": "new"}),
        ([("", "2024-06-20"), ("", "")], {"t/8": "updated"}),
        ([("2024-06-20", "")] * 5, {}),
    ],
)
def test_new_is_what_is_near_the_newest_date_unless_most_are(
    added: list[tuple[str, str]], marks: dict[str, str]
) -> None:
    dates = [*((date, "") for date in OLD[:: 1 if added else 8]), *added]
    assert recent_notes(tuple(dated(number, *pair) for number, pair in enumerate(dates))) == marks


def test_the_latest_is_first_whatever_its_number_and_what_has_no_date_is_last() -> None:
    dates = ("2024-03-01", "2024-01-01", "", "2024-03-01")
    notes = [replace(dated(number, date), number=number) for number, date in enumerate(dates)]
    assert [note.number for note in latest_first(notes)] == [3, 0, 1, 2]


@pytest.mark.parametrize(
    ("languages", "only"), [("zh, en", Text.of(zh="仅英文", en="English only")), ("en", None), ("en-GB", None)]
)
def test_a_note_says_that_it_lacks_a_language_where_the_site_has_two(languages: str, only: Text | None) -> None:
    site = {"site.yaml": f"title: Site\nlanguages: [{languages}]\ntopics: [one, two]\n"}
    lang = languages.split(", ")[-1]
    text = {"one/01_A/note.yaml": "title: A\nstatus: todo\n", f"one/01_A/{lang}.md": "Words.\n"}
    material, resolver = collection_of(site, text)
    notes, words = material.corpus.notes, material.corpus.site.words
    context = PageContext(material.corpus, resolver, THEME, HOME, "home", TopicId("one"), print)
    [row] = note_rows(notes, {notes[0].id: minutes_of(material.outlines[notes[0].id], words)}, context)
    assert row.only == only
    assert row.minutes == words("count.minutes", count=1)
    assert row.status == words("status.todo")


def home_of(*files: Mapping[str, str]) -> home.HomePage:
    material, resolver = collection_of(*files)
    minutes = {note.id: dict.fromkeys(material.corpus.site.languages, 1) for note in material.corpus.notes}
    theme, _ = load_theme(PROJECT, material.corpus.site.words)
    assert theme
    context = PageContext(material.corpus, resolver, theme, HOME, "home", TopicId("one"), print)
    return home.home_page(minutes, context)


def test_the_home_page_of_a_large_collection_has_the_newest_rows_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "MOST_ROWS", 4)
    dated = [
        {f"{topic}/0{n}_A.md": f"---\ntitle: {n}\ncreated: 2025-01-0{n}\n---\nx\n"}
        for topic in ("one", "two")
        for n in range(1, 6)
    ]
    page = home_of(*dated)
    rows = [([row.link.label for row in topic.notes], topic.total, topic.more) for topic in page.topics]
    assert rows == [(["#5", "#4"], 5, True)] * 2
    assert [date for _, date in page.newest][:3] == ["2025-01-05", "2025-01-05", "2025-01-04"]
    monkeypatch.setattr(home, "MOST_ROWS", 10)
    whole = home_of(*dated)
    assert [[row.link.label for row in topic.notes] for topic in whole.topics] == [["#1", "#2", "#3", "#4", "#5"]] * 2
    assert not any(topic.more for topic in whole.topics)


@pytest.mark.parametrize(
    ("first", "facets"),
    [
        ("", ()),
        ("rating: 4\n", ("rating",)),
        ("kind: tutorial\ntags: [x]\n", ("kind", "tag")),
        ("created: 2020-01-02\nstatus: todo\n", ("year", "status")),
    ],
)
def test_home_has_only_filters_that_tell_some_notes_from_others(first: str, facets: tuple[str, ...]) -> None:
    page = home_of({"one/01_A.md": f"---\ntitle: A\n{first}---\nx\n", "one/02_B.md": "---\ntitle: B\n---\nx\n"})
    assert page.facets == facets


@pytest.mark.parametrize(
    ("kinds", "aside"),
    [
        ({"one": "paper", "two": "tutorial"}, [False, True]),
        ({"one": "tutorial", "two": "paper"}, [False, False]),
        ({"one": "tutorial", "two": "tutorial\npapers: [k]"}, [False, False]),
    ],
)
def test_a_last_topic_that_only_explains_stands_aside(kinds: dict[str, str], aside: list[bool]) -> None:
    topics = {f"{topic}/topic.yaml": f"title: {topic}\nintro: One. Two.\n" for topic in kinds}
    notes = {f"{topic}/01_A.md": f"---\ntitle: A\nsummary: S\nkind: {kind}\n---\nx\n" for topic, kind in kinds.items()}
    bib = {"l.bib": "@misc{k, title={T}, author={Doe, J.}, year=2020}\n"}
    page = home_of({"site.yaml": f"title: Site\nlanguages: [en]\ntopics: [{', '.join(kinds)}]\n"}, topics, notes, bib)
    assert [topic.aside for topic in page.topics] == aside
    assert [topic.intro is None for topic in page.topics] == aside
    assert [topic.notes[0].summary is None for topic in page.topics] == aside


@pytest.mark.parametrize(
    ("guide", "summary", "why"),
    [
        ("guide: '- Why. And how.'", "summary: S", {"en": "Why."}),
        ("guide: words", "summary: S. More.", {"en": "S."}),
        ("", "", {"en": ""}),
    ],
)
def test_home_says_why_to_begin_with_the_first_path(guide: str, summary: str, why: Mapping[str, str]) -> None:
    path = f"title: T\nreading_paths: [{{id: a, title: A, steps: [1], {guide}}}, {{id: b, title: B, steps: [1, 1]}}]\n"
    site = {"site.yaml": "title: Site\nlanguages: [en]\ntopics: [two, one]\n"}
    page = home_of(site, {"one/topic.yaml": path, "one/01_A.md": f"---\ntitle: A\n{summary}\n---\nx\n"})
    assert page.start is not None
    assert (page.start.href, dict(page.start.why.parts), page.start.more) == ("one/index.html#path-a", why, 0)
    assert home_of(site, {"one/topic.yaml": "title: T\n"}).start is None


def test_each_language_takes_its_own_time() -> None:
    zh, en = Lang("zh"), Lang("en")
    both, words = Words.of("zh", "en"), replace(NO_OUTLINE, counts={en: (3600, 0)})
    assert minutes_of(replace(NO_OUTLINE, counts={zh: (0, 3000), en: (3600, 0)}), both) == {zh: 10, en: 20}
    assert minutes_of(words, both) == {zh: 20, en: 20}
    assert minutes_of(words, Words.of("en")) == {en: 20}
    assert minutes_of(NO_OUTLINE, both) == {zh: 1, en: 1}
    assert [*minutes_of(NO_OUTLINE, Words.of("en", "zh"))] == [en, zh], "in the order of the site"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("days"), files())
    built(root)
    return root


def test_the_home_page_has_links_to_the_latest_days_and_counts_them_apart(root: Path) -> None:
    home = (root / "site/index.html").read_text("utf-8")
    assert "1 note, 9 daily lists" in home
    assert re.findall(r'<a href="daily/notes/[^"]*"><span class="when">([\d-]*)</span>', home) == [
        f"2026-01-{day:02}" for day in range(DAYS, DAYS - 7, -1)
    ]
    assert '<a href="digests.html"' in home
    assert home.count('<li>\n<span class="no">') == 1, "days are in no rows"


def test_statistics_and_pages_of_topics_leave_days_out_of_notes(root: Path) -> None:
    stats = re.sub(r"<[^>]*>", " ", (root / "site/stats.html").read_text("utf-8"))
    assert "2026-01-02" in stats, "the first note is the one that is not of a day"
    assert "Digest" not in stats.partition("<main")[2]
    topic = (root / "site/daily/index.html").read_text("utf-8")
    assert topic.count('class="no"') == 0
    assert "Day 9" not in topic


def test_each_day_is_an_item_of_the_feed(root: Path) -> None:
    feed = (root / "site/feed.en.xml").read_text("utf-8")
    assert [f"<title>Day {day}</title>" in feed for day in range(1, DAYS + 1)] == [True] * DAYS


def test_regions_of_a_readme_have_days_where_they_ask_for_them(root: Path) -> None:
    text = (root / "README.md").read_text("utf-8")
    found = dict(re.findall(r"begin (.*?) lang=en -->\n(.*?)<!-- paper-notes:end", text, re.DOTALL))
    assert [("Day 9" in found[region]) for region in REGIONS] == [False, False, False, False, True, True, True]
    assert "[9 daily lists](https://tea.example/digests.html): [2026-01-09]" in found["all"]
    assert found["list"].count("\n- ") == 1
    assert found["list topic=daily"].count("\n- ") == DAYS
    assert "1 note ·" in found["summary"]
    own = (root / "site/daily/README.en.md").read_text("utf-8")
    assert "- **2026-01**: [09](https://tea.example/daily/notes/09_2026-01-09.html) [08]" in own


def test_the_search_knows_each_card_by_title_authors_id_and_keywords(root: Path) -> None:
    file = (root / "site/search-all.css").read_text("utf-8")
    rows, *_ = json.loads(json.loads(file[file.index(':"') + 1 : file.rindex("}")]))
    (zh_ids, zh), (_, en) = next(halves for note, *halves in rows if note == "daily/03_2026-01-03")
    facts = "Yu Lu, Petr Svoboda · 2601.00003 · oolong a3"
    assert zh.split("\n")[0] == f"水 3\tKettle a3 · {facts}"
    assert en.split("\n")[0] == f"Water 3\tKettle a3 · {facts}"
    assert [name.split(" ")[-1] for name in zh_ids] == ["p-2601-00003", "p-2601-00003-area", "p-b3"]
    assert zh.split("\n")[2] == "Kettle b3\tYu Lu, Petr Svoboda · oolong b3", "it has no section"
    assert "Kettle b3" not in en, "once is enough"
