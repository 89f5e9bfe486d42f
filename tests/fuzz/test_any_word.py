"""No word that a reader must see is missing from what is written, unless a finding says so."""

from __future__ import annotations

from collections.abc import Iterable
from html.parser import HTMLParser

from building import NOTE, note
from hypothesis import given
from planted import Planted, documents, short_texts
from test_any_body import FIGURE, html_of

from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.markdown.body import Slot
from paper_notes.markdown.render import render_body, render_snippet

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
