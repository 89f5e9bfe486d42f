"""References to notes, and the diagnostics of dangling ones."""

from __future__ import annotations

import pytest

from paper_notes.corpus.model import NoteId, TopicId
from paper_notes.corpus.references import Dangling, NoteIndex, name_of

NAMES = ("spec/01_Leviathan", "spec/04_ReSpec_2510.26475", "spec/15_Big", "models/19_RL_Frameworks", "models/4_MTP")


FORMER = {NoteId("spec/08_Gone"): NoteId("spec/15_Big"), NoteId("old/2-Left"): NoteId("models/4_MTP")}
DRAFTS = ("spec/20_Draft",)


def index(names: tuple[str, ...] = NAMES, topics: tuple[str, ...] = ("spec", "models", "empty")) -> NoteIndex:
    named, drafts = ([name_of(NoteId(note)) for note in notes] for notes in (names, DRAFTS))
    return NoteIndex(named, map(TopicId, topics), FORMER, drafts)


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
        ("#8", 'the note "#8" is now spec/15_Big', 'did you mean "#15"?'),
        ("spec/08_Gone", 'the note "spec/08_Gone" is now spec/15_Big', 'did you mean "#15"?'),
        ("old/#02", 'the note "old/#02" is now models/4_MTP', 'did you mean "models/#4"?'),
        ("old/2-Left", 'the note "old/2-Left" is now models/4_MTP', 'did you mean "models/#4"?'),
        ("abuot", 'no note "abuot" in topic "spec"', 'did you mean "about"?'),
    ],
)
def test_who_is_not_there_is_told_with_a_hint(reference: str, message: str, hint: str) -> None:
    assert index((*NAMES, "about")).find(reference, TopicId("spec")) == Dangling(message, hint)


@pytest.mark.parametrize("reference", ["#20", "spec/20", "20_Draft"])
def test_a_draft_is_there_and_leads_nowhere(reference: str) -> None:
    hint = "publish that note: delete `draft: true` in it"
    found = Dangling(f'"{reference}" is a draft, so there is no page to lead to', hint, draft=True)
    assert index().find(reference, TopicId("spec")) == found


@pytest.mark.parametrize(
    ("reference", "hint"),
    [
        ("abuot", 'did you mean "about"?'),
        ("#1", "name a note with its topic, as in spec/#1"),
        ("#0", "name a note with its topic, as in spec/#1"),
        ("nothing", "name a note with its topic, as in spec/#1"),
    ],
)
def test_a_text_of_no_topic_names_pages_or_notes_with_their_topic(reference: str, hint: str) -> None:
    found = index(("about", *NAMES)).find(reference, TopicId(""))
    assert found == Dangling(f'there is no page "{reference}"', hint)
    assert index(("about", *NAMES)).find("about", TopicId("")) == "about"


@pytest.mark.parametrize(
    ("reference", "about"),
    [("#099", "note spec/#99"), ("x/#7", "note x/#7"), ("nothing", "note spec/nothing"), ("#8", "note spec/#8")],
)
def test_what_a_dangling_reference_is_about_has_its_topic_and_number(reference: str, about: str) -> None:
    found = index().find(reference, TopicId("spec"))
    assert isinstance(found, Dangling)
    assert found.about == about


@pytest.mark.parametrize(
    ("last", "hint"), [(14, f"it has {', '.join(f'#{number}' for number in range(3, 15))}"), (15, "it has #3 to #15")]
)
def test_many_numbers_are_told_as_a_range(last: int, hint: str) -> None:
    many = index(tuple(f"spec/{number:02}_N" for number in range(3, last + 1)))
    assert many.find("#99", TopicId("spec")) == Dangling('no note "#99" in topic "spec"', hint)


def test_of_two_notes_with_one_number_the_first_is_found() -> None:
    twins = index(("spec/05_A", "spec/5_B"))
    assert twins.find("#5", TopicId("spec")) == "spec/05_A"
    assert twins.find("5_B", TopicId("spec")) == "spec/5_B"
    assert twins.find("#6", TopicId("spec")) == Dangling('no note "#6" in topic "spec"', "it has #5")
