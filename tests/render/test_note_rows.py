"""Rows of notes: reading times, and what is new compared with the rest of the collection."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest
from building import note
from listing import THEME, collection_of
from running import PROJECT

from paper_notes.corpus.model import Note, NoteId, TopicId
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang, Text
from paper_notes.markdown.body import NO_OUTLINE
from paper_notes.render.links import HOME
from paper_notes.render.note_rows import minutes_of, note_rows, recent_notes
from paper_notes.render.pages import home
from paper_notes.render.search.data import Texts
from paper_notes.render.theme.theme import load_theme
from paper_notes.render.view_factory import PageContext

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


def test_each_topic_of_a_large_collection_has_three_rows_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "MOST_ROWS", 2)
    files = ({f"{topic}/0{n}_A.md": f"---\ntitle: {n}\n---\nx\n"} for topic in ("one", "two") for n in range(1, 6))
    material, resolver = collection_of(*files)
    minutes = {note.id: dict.fromkeys(material.corpus.site.languages, 1) for note in material.corpus.notes}
    theme, _ = load_theme(PROJECT, material.corpus.site.words)
    assert theme
    context = PageContext(material.corpus, resolver, theme, HOME, "home", TopicId("one"), print)
    page = home.home_page(minutes, Texts((), 0), context)
    assert [(len(topic.notes), len(topic.rest), topic.more) for topic in page.topics] == [(3, 2, True)] * 2


def test_each_language_takes_its_own_time() -> None:
    zh, en = Lang("zh"), Lang("en")
    both, words = Words.of("zh", "en"), replace(NO_OUTLINE, counts={en: (3600, 0)})
    assert minutes_of(replace(NO_OUTLINE, counts={zh: (0, 3000), en: (3600, 0)}), both) == {zh: 10, en: 20}
    assert minutes_of(words, both) == {zh: 20, en: 20}
    assert minutes_of(words, Words.of("en")) == {en: 20}
    assert minutes_of(NO_OUTLINE, both) == {zh: 1, en: 1}
    assert [*minutes_of(NO_OUTLINE, Words.of("en", "zh"))] == [en, zh], "in the order of the site"
