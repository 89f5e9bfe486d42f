"""References to notes, and the diagnostics of dangling ones."""

from __future__ import annotations

import pytest

from paper_notes.corpus.model import NoteId, TopicId
from paper_notes.corpus.references import Dangling, NoteIndex, NoteName

NAMES = ("spec/01_Leviathan", "spec/04_ReSpec_2510.26475", "spec/15_Big", "models/19_RL_Frameworks", "models/4_MTP")


def index(names: tuple[str, ...] = NAMES, topics: tuple[str, ...] = ("spec", "models", "empty")) -> NoteIndex:
    def name(note: str) -> NoteName:
        topic, _, rest = note.partition("/")
        return NoteName(NoteId(note), TopicId(topic), int(rest.partition("_")[0]), rest)

    return NoteIndex(map(name, names), map(TopicId, topics))


@pytest.mark.parametrize(
    ("reference", "note"),
    [
        ("#15", "spec/15_Big"),
        ("15", "spec/15_Big"),
        ("#4", "spec/04_ReSpec_2510.26475"),
        ("04", "spec/04_ReSpec_2510.26475"),
        ("#0015", "spec/15_Big"),
        (" #15 ", "spec/15_Big"),
        ("models/#19", "models/19_RL_Frameworks"),
        ("models/19", "models/19_RL_Frameworks"),
        ("models/#4", "models/4_MTP"),
        ("models/19_RL_Frameworks", "models/19_RL_Frameworks"),
        ("04_ReSpec_2510.26475", "spec/04_ReSpec_2510.26475"),
        ("spec/#1", "spec/01_Leviathan"),
    ],
)
def test_a_note_is_found_by_what_people_write(reference: str, note: str) -> None:
    assert index().find(reference, TopicId("spec")) == note


@pytest.mark.parametrize(
    ("reference", "message", "hint"),
    [
        ("#99", 'no note "#99" in topic "spec"', "it has #1, #4, #15"),
        ("#19", 'no note "#19" in topic "spec"', "it has #1, #4, #15"),
        ("models/#1", 'no note "models/#1" in topic "models"', "it has #4, #19"),
        ("19_RL_Frameworks", 'no note "19_RL_Frameworks" in topic "spec"', 'did you mean "models/#19"?'),
        (
            "04_Respec_2510.26475",
            'no note "04_Respec_2510.26475" in topic "spec"',
            'did you mean "04_ReSpec_2510.26475"?',
        ),
        ("04_ReSpec", 'no note "04_ReSpec" in topic "spec"', 'did you mean "04_ReSpec_2510.26475"?'),
        ("spec/ReSpec", 'no note "spec/ReSpec" in topic "spec"', 'did you mean "spec/04_ReSpec_2510.26475"?'),
        ("03_Bigg", 'no note "03_Bigg" in topic "spec"', 'did you mean "15_Big"?'),
        ("04_Milk", 'no note "04_Milk" in topic "spec"', "it has #1, #4, #15"),
        ("nothing", 'no note "nothing" in topic "spec"', "it has #1, #4, #15"),
        ("", 'no note "" in topic "spec"', "it has #1, #4, #15"),
        ("#", 'no note "#" in topic "spec"', "it has #1, #4, #15"),
        ("#1234567", 'no note "#1234567" in topic "spec"', "it has #1, #4, #15"),
        ("empty/#7", 'no note "empty/#7" in topic "empty"', "the topic has no notes yet"),
        ("model/#19", 'no topic "model" for the reference "model/#19"', 'did you mean "models"?'),
        ("xyz/#1", 'no topic "xyz" for the reference "xyz/#1"', "known: empty, models, spec"),
        ("a/spec/#1", 'no topic "a/spec" for the reference "a/spec/#1"', 'did you mean "spec"?'),
        ("/#1", 'no topic "" for the reference "/#1"', "known: empty, models, spec"),
    ],
)
def test_who_is_not_there_is_told_with_a_hint(reference: str, message: str, hint: str) -> None:
    assert index().find(reference, TopicId("spec")) == Dangling(message, hint)


def test_many_numbers_are_told_as_a_range() -> None:
    many = index(tuple(f"spec/{number:02}_N" for number in range(3, 16)))
    assert many.find("#99", TopicId("spec")) == Dangling('no note "#99" in topic "spec"', "it has #3 to #15")


def test_of_two_notes_with_one_number_the_first_is_found() -> None:
    twins = index(("spec/05_A", "spec/5_B"))
    assert twins.find("#5", TopicId("spec")) == "spec/05_A"
    assert twins.find("5_B", TopicId("spec")) == "spec/5_B"
    assert twins.find("#6", TopicId("spec")) == Dangling('no note "#6" in topic "spec"', "it has #5")
