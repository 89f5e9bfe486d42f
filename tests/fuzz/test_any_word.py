"""No word that a reader must see is missing from what is written, unless a finding says so."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser
from pathlib import PurePosixPath

import nh3
from building import NOTE, note
from hypothesis import given, settings
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin
from planted import WORD, Planted, documents, short_texts
from test_any_body import FIGURE, html_of
from test_any_readme import corpus

from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.indexes.readme import ReadmeWriter
from paper_notes.languages.text import Text
from paper_notes.markdown.bodies import render_bodies
from paper_notes.markdown.body import Slot
from paper_notes.markdown.render import render_body
from paper_notes.markdown.short_texts import render_snippet
from paper_notes.render.links import LinkResolver, link_resolver
from paper_notes.values import replace

LOST = {"table-cells", "unused-footnote", "unused-definition"}
"""Warnings that speak of text that is left out."""


class _Words(HTMLParser):
    """All that a browser shows of a page, and what it reads out in place of pictures."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        self.seen.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen += [value for name, value in attrs if name in ("alt", "aria-label") and value]


def shown(html: str, slots: Iterable[Slot]) -> str:
    return "".join([*_Words(html).seen, *(f" {slot.text} {slot.target}" for slot in slots)])


def lost(given: Planted, seen: str, problems: Iterable[Diagnostic], line: int = 0) -> list[str]:
    """The words that are not seen and that no finding speaks of; with an error there is no page to be read."""
    problems = tuple(problems)
    if any(problem.severity == "error" for problem in problems):
        return []
    told = [problem.location.line for problem in problems if problem.rule in LOST]
    return [
        name for name, place in given.words.items() if name not in seen and not any(at <= place + line for at in told)
    ]


@given(documents)
def test_no_word_of_a_note_is_lost_in_silence(given: Planted) -> None:
    body = render_body(note({"en": given.text}, {"figure.svg": FIGURE}))
    assert lost(given, shown(html_of(body, "en"), body.halves["en"].slots), body.diagnostics) == []


@given(short_texts)
def test_no_word_of_a_short_text_is_lost_in_silence(given: Planted) -> None:
    where = Location(NOTE.parent / "topic.yaml", 3, 5)
    for inline in (False, True):
        snippet = render_snippet(given.text, "en", where, inline=inline)
        assert lost(given, shown(snippet.html, snippet.slots), snippet.diagnostics, where.line) == []


GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(footnote_plugin)
LABEL = "[[#1|{}]] [@okafor2023wind, {}]"
A_FEW = settings(max_examples=settings().max_examples // 3)
"""Examples take longer."""
WHERE = Location(NOTE.parent / "topic.yaml", 3, 5)


def written(title: str, marked: str) -> Corpus:
    """A collection whose plain texts and Markdown are these."""
    plain, text = (Text.of(zh=words, en=words) for words in (title, marked))
    known = corpus()
    topics = tuple(
        replace(
            topic,
            title=plain,
            emoji=title,
            intro=text,
            reading_paths=tuple(replace(path, title=plain, guide=text) for path in topic.reading_paths),
        )
        for topic in known.topics
    )
    notes = tuple(replace(note, title=plain, summary=text) for note in known.notes)
    site = replace(known.site, title=plain, description=plain)
    return replace(known, site=site, topics=topics, notes=notes)


@cache
def resolver() -> LinkResolver:
    return link_resolver(corpus(), render_bodies(corpus().notes)[0].outlines)


def readme_of(made: Corpus) -> str:
    sizes = {note.id: 1 for note in made.notes}
    return ReadmeWriter(made, replace(resolver(), corpus=made), sizes, "en", PurePosixPath("README.md")).site(
        title=True
    )


def shown_by_github(made: Corpus) -> str:
    return shown(nh3.clean(GITHUB.render(readme_of(made))), ())


@cache
def shape_of_a_readme() -> list[str]:
    return [token.type for token in GITHUB.parse(readme_of(written("x", "x")))]


@A_FEW
@given(short_texts)
def test_titles_stay_words_in_a_readme(given: Planted) -> None:
    label = "".join(letter for letter in " ".join(given.text.split()) if letter not in "[]|;")
    blocks = GITHUB.parse(readme_of(written(given.text, LABEL.format(label, label))))
    assert [block.type for block in blocks] == shape_of_a_readme()
    children = [child for block in blocks for child in block.children or ()]
    assert {child.content for child in children if child.type == "html_inline"} <= {"<br>", "<sub>", "</sub>"}
    seen = "".join(child.content for child in children if child.type in ("text", "text_special"))
    assert [word for word in WORD.findall(given.text) if word not in seen] == []


@A_FEW
@given(short_texts)
def test_no_word_of_an_intro_is_lost_in_a_readme(given: Planted) -> None:
    found = [render_snippet(given.text, "en", WHERE, inline=inline) for inline in (False, True)]
    if any(problem.rule in LOST or problem.severity == "error" for made in found for problem in made.diagnostics):
        return
    seen = shown_by_github(written("qqq", given.text))
    usual = shown_by_github(written("qqq", "zzz"))
    assert seen.count("qqq") == usual.count("qqq")
    times = usual.count("zzz")
    assert [word for word in given.words if seen.count(word) < times] == []
