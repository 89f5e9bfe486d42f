"""A text in several languages, and the fallback for a missing one."""

from __future__ import annotations

from markupsafe import Markup

from paper_notes.languages.text import Lang, Text, in_each

JA, EN, FR = Lang("ja"), Lang("en"), Lang("fr")


def test_a_missing_language_shows_the_first() -> None:
    text = Text.of(ja="題", en="Title")
    assert (text[JA], text[EN], text[FR]) == ("題", "Title", "題")
    assert Text()[JA] == ""


def test_a_text_is_made_of_what_is_there() -> None:
    assert Text.of({"zh-Hant": "題"}, en="Title", fr=None).parts == ((Lang("zh-Hant"), "題"), (EN, "Title"))
    assert Text.of(en="Title").has(EN)
    assert not Text.of(en="Title").has(JA)
    assert Text.of(ja="題", en="Title").languages == (JA, EN)


def test_a_text_is_true_if_there_is_something_to_read() -> None:
    assert Text.of(ja="", en="x")
    assert not Text.of(ja="", en="")
    assert not Text()


def test_a_text_that_is_the_same_in_all_languages_is_shown_once() -> None:
    assert Text.of(ja="Adam", en="Adam").same
    assert Text.of(en="Title").same
    assert Text().same
    assert not Text.of(ja="題", en="Title").same


def test_every_part_can_be_changed() -> None:
    assert Text.of(ja="a", en="b").map(str.upper) == Text.of(ja="A", en="B")
    assert isinstance(Text.of(en="<").map(Markup.escape)[EN], Markup)


def test_where_languages_cannot_be_switched_all_are_shown_once() -> None:
    assert Text.of(ja="題", en="Title").joined((EN, JA)) == "Title · 題"
    assert Text.of(ja="Adam", en="Adam").joined((JA, EN)) == "Adam"
    assert Text.of(en="Title").joined((JA, EN)) == "Title"


def test_a_text_in_each_language_of_a_site() -> None:
    assert in_each((JA, EN), str.upper) == Text.of(ja="JA", en="EN")
