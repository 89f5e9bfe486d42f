"""Every way to write a reference finds the note it was made from, and what a hint suggests can be found."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from texts import words

from paper_notes.corpus.model import NoteId, TopicId
from paper_notes.corpus.references import Dangling, NoteIndex, NoteName

topics = st.sampled_from(["tea", "milk", "rl", "tea-2"]).map(TopicId)
names = st.builds(
    lambda topic, number, rest: NoteName(NoteId(f"{topic}/{number:02}_{rest}"), topic, number, f"{number:02}_{rest}"),
    topics,
    st.integers(0, 999_999),
    st.text("abcXYZ019.+-_题é", min_size=1, max_size=8),
)
indexes = st.lists(names, max_size=12, unique_by=lambda name: (name.topic, name.number))
_QUOTED = re.compile(r'did you mean "(.*)"\?')


@given(indexes, topics)
def test_all_ways_to_name_a_note_lead_to_it(notes: list[NoteName], here: TopicId) -> None:
    index = NoteIndex(notes, ["tea", "milk", "rl", "tea-2"])
    for note in notes:
        for way in (f"{note.number}", f"#{note.number}", f"#{note.number:06}", note.name, f" #{note.number} "):
            assert index.find(way, note.topic) == note.id
            assert index.find(f"{note.topic}/{way.strip()}", here) == note.id


@given(indexes, topics, st.one_of(words, st.integers(0, 99).map("#{}".format), st.text("01_aXZ题/#", max_size=9)))
def test_what_leads_nowhere_says_so_and_suggests_what_leads_somewhere(
    notes: list[NoteName], here: TopicId, reference: str
) -> None:
    known = ["tea", "milk", "rl", "tea-2"]
    index = NoteIndex(notes, known)
    found = index.find(reference, here)
    if not isinstance(found, Dangling):
        assert found in {note.id for note in notes}
        return
    assert found.message
    assert found.hint
    if suggested := _QUOTED.fullmatch(found.hint):
        place = reference.strip().rpartition("/")[0] or here
        is_note = not isinstance(index.find(suggested[1], TopicId(place)), Dangling)
        assert is_note or suggested[1] in known
