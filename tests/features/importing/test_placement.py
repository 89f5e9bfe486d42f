"""Each note that is taken in has a topic, a number and a name that no other has."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.features.importing.placement import placed, places_of, safe_name
from paper_notes.features.importing.types import NoteHeader
from paper_notes.values import replace

PATH = PurePosixPath


def outline(path: str, number: int | None = None, *, topic: str = "", lang: str = "", same: str = "") -> NoteHeader:
    return NoteHeader(PATH(path), PATH(path).stem.title(), topic, PATH(path).stem, number, lang, same)


def folders(*outlines: NoteHeader, topic: str | None = None, taken: dict[str, set[str]] | None = None) -> list[str]:
    return [str(note.folder) for note in placed(outlines, taken or {}, {}, topic=topic, rest="rest")]


def test_numbers_of_originals_stay_and_the_others_follow() -> None:
    made = folders(outline("b.md", topic="x"), outline("c.md", 4, topic="x"), outline("d.md", topic="x"))
    assert made == ["notes_src/x/05_b", "notes_src/x/04_c", "notes_src/x/06_d"]


def test_a_number_that_is_taken_is_not_given_again() -> None:
    assert folders(outline("a.md", 1), taken={"rest": {"01_old"}}) == ["notes_src/rest/02_a"]
    assert folders(outline("a.md", 1), outline("b.md", 1), topic="t") == ["notes_src/t/01_a", "notes_src/t/02_b"]


@pytest.mark.parametrize(("number", "given"), [(-1, 1), (0, 1), (1, 1), (999_999, 999_999), (1_000_000, 1)])
def test_a_number_that_no_note_can_have_is_another_one(number: int, given: int) -> None:
    assert folders(outline("a.md", number, topic="x")) == [f"notes_src/x/{given:02}_a"]


def test_a_note_without_a_name_is_called_by_its_title() -> None:
    header = NoteHeader(PATH("a.md"), "My title", "X", "?")
    assert folders(header, replace(header, path=PATH("b.md"), title="?")) == [
        "notes_src/X/01_My-title",
        "notes_src/X/02_note",
    ]
    assert folders(header, replace(header, path=PATH("b.md"), topic="x")) == [
        "notes_src/X/01_My-title",
        "notes_src/X/02_My-title",
    ]


def test_texts_in_two_languages_are_one_note_and_two_in_one_are_two() -> None:
    (note,) = placed(
        [outline("a.zh.md", lang="zh", same="a"), outline("a.en.md", lang="en", same="a")], {}, {}, topic=None, rest="r"
    )
    assert len(note.outlines) == 2
    assert len(folders(outline("a.md", lang="zh", same="a"), outline("b.md", lang="zh", same="a"))) == 2


def test_names_are_safe_on_every_disk() -> None:
    assert safe_name("What? a/b: c*  (2)") == "What-a-b-c-2"
    assert safe_name("con") == "co"
    assert safe_name("测试 笔记") == "测试-笔记"
    assert safe_name("???") == ""
    assert len(safe_name("x" * 300)) == 60
    assert len(safe_name("茶" * 300)) == 60
    assert len(safe_name("𠀀" * 300)) == 45, "in bytes no longer than of other signs"
    assert safe_name("x" * 59 + "-y") == "x" * 59


def test_links_find_notes_by_path_name_title_and_number() -> None:
    places = places_of(
        placed([outline("p/a.md", 7, topic="p"), outline("q/a.md", topic="q")], {}, {}, topic=None, rest="r")
    )
    assert places.by_path[PATH("p/a.md")].reference == "p/#7"
    assert [place.reference for place in places.named("A")] == ["p/#7", "q/#1"]
    assert [place.reference for place in places.by_number[7]] == ["p/#7"]
