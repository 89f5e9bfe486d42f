"""ErrorMarkers: which page shows a mistake that a build goes on with, and which mistakes stop it all the same."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.corpus.error_markers import MAX_MARKS, ErrorMarkers, concern_all, errors_among
from paper_notes.corpus.model import NoteId, TopicId
from paper_notes.diagnostics import Diagnostic, Location, RuleId, Severities


def error(path: str, line: int = 1, rule: RuleId = "bad-tex") -> Diagnostic:
    return Diagnostic(Location(PurePosixPath(path), line), rule, "wrong", "do it right")


def test_a_note_has_those_of_its_folder_or_its_file_and_a_topic_those_of_its_notes() -> None:
    paths = "t/01_A/en.md t/01_A/figs/a.svg t/01_A/note.yaml t/02_B.md t/topic.yaml t2/01_A/en.md".split()
    found = [error(f"notes_src/{path}") for path in paths]
    bib = error("notes_src/library.bib")
    marks = ErrorMarkers(errors_among([*found, bib]))
    assert set(marks.of_note(NoteId("t/01_A"))) == set(found[:3])
    assert marks.of_note(NoteId("t/02_B")) == (found[3],)
    assert set(marks.of_topic(TopicId("t"))) == set(found[:5])
    assert marks.of_note(NoteId("t/03_C")) == ()
    assert bib in marks.errors


def test_only_errors_are_marked_in_file_order_with_their_hints() -> None:
    late, early = error("a.md", 9), error("a.md", 2)
    warning = Diagnostic(Location(PurePosixPath("a.md")), "missing-alt", "m", severity="warning")
    named = Diagnostic(early.location, "unknown-bibkey", "no entry", 'did you mean "x"?', about="paper x")
    assert errors_among([late, warning, early, early]) == (early, late)
    assert [one.hint for one in errors_among([named])] == [named.hint]
    assert len(ErrorMarkers((), Severities(strict=True)).errors_among([warning])) == 1
    many = ErrorMarkers(errors_among(error("notes_src/t/01_A/en.md", line) for line in range(1, MAX_MARKS + 9)))
    assert len(many.of_note(NoteId("t/01_A"))) == MAX_MARKS


@pytest.mark.parametrize(
    ("path", "rule", "all_pages"),
    [
        ("notes_src/site.yaml", "unknown-key", True),
        ("templates/note.html", "bad-template", True),
        ("assets/css/99-own.css", "page-loads-file", True),
        ("site/t/notes/01_A.html", "page-loads-file", True),
        ("site/t/notes/01_a.html", "unportable-path", True),
        ("site/t/notes/01_A.html", "dead-link", False),
        ("notes_src/t/01_A/note.yaml", "yaml-syntax", False),
        ("notes_src/library.bib", "unclosed-brace", False),
        ("README.md", "readme-markers", False),
    ],
)
def test_what_concerns_every_page_still_stops(path: str, rule: RuleId, all_pages: bool) -> None:
    assert concern_all([error(path, rule=rule)]) is all_pages
