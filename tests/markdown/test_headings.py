"""Numbers of sections."""

from __future__ import annotations

from building import note

from paper_notes.markdown.body import section_names, section_numbers
from paper_notes.markdown.render import render_body


def numbers(text: str) -> tuple[str, ...]:
    return section_numbers(render_body(note({"en": text})).sections)


def test_sections_count_on_from_a_number_of_their_own() -> None:
    assert numbers("## a\n## b {n=5}\n### c\n### d {n=5.7}\n### e\n## f") == ("1", "5", "5.1", "5.7", "5.8", "6")


def test_what_has_no_number_counts_for_nothing() -> None:
    assert numbers("## a\n## b {-}\n### c\n## d\n### e {-}\n### f") == ("1", "", "", "2", "", "2.1")


def test_letters_number_the_sections_below_them_and_no_others() -> None:
    assert numbers("## a\n## b {#b n=A}\n### c\n#### d {n=A.1.1}\n## e") == ("1", "A", "A.1", "A.1.1", "2")


def test_a_number_that_two_sections_have_names_neither() -> None:
    assert section_names(("a", "b", "c"), ("1", "1", "")) == {"a": "a", "b": "b", "c": "c", "§1": ""}
