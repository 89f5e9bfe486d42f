"""Which note comes after a note, and what the guide of a reading path says about it."""

from __future__ import annotations

from listing import collection_of, note

from paper_notes.corpus.model import NoteId, Text

NOTES = {name: text for n in range(1, 5) for name, text in note(f"one/{n:02}_N").items()}
PATHS = """\
title: {zh: 一, en: One}
reading_paths:
  - id: a
    title: {zh: 甲, en: A}
    steps: [3, 1, 4]
    guide:
      zh: |
        先看证明。

        - **证明**：*为什么*成立。
        - **论文**：重点看 [[#4]]。
        - 没有名字的一条
      en: |
        - **Proof**: why it holds.
        - **Paper**: see the numbers.
        - **Two**: one
        - **of** them
  - {id: b, title: {zh: 乙, en: B}, steps: [4, 2]}
"""


def test_a_step_is_followed_by_the_next_and_by_what_the_list_of_the_guide_says_about_that() -> None:
    material, _ = collection_of(NOTES, {}, {"one/topic.yaml": PATHS})
    steps = material.relations.steps
    third, in_topic = steps[NoteId("one/03_N")]
    assert (third.position, third.length, third.previous, third.next) == (1, 3, None, "one/01_N")
    assert third.why == Text.of(zh="重点看 一 #4 题N。", en="重点看 One #4 Title N。"), (
        "a guide with another list says nothing"
    )
    assert (in_topic.position, in_topic.previous, in_topic.next) == (0, "one/02_N", "one/04_N")
    assert steps[NoteId("one/01_N")][0].why["zh"] == "没有名字的一条"
    last, other, _ = steps[NoteId("one/04_N")]
    assert (last.next, last.why) == (None, Text()), "nothing follows"
    assert (other.next, other.why) == ("one/02_N", Text()), "a path without a guide"
