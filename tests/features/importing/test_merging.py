"""A new version of an original is merged into a text that a person has changed, and nothing of theirs is lost."""

from __future__ import annotations

import random
import re

import pytest

from paper_notes.features.importing.merging import MergedText, digests_of, merged, pieces_of

TEXT = "Lead.\n\n## One {#one}\n\nFirst.\n\n## Two\n\nSecond.\n\n### Deep\n\nThird.\n"


def test_the_pieces_of_a_text_are_the_text() -> None:
    assert "".join(piece.text for piece in pieces_of(TEXT)) == TEXT
    assert [piece.key for piece in pieces_of(TEXT)] == ["", "#one", "Two", "Deep"]


def test_a_heading_in_a_fence_is_none() -> None:
    text = "## A\n\n```\n## B\n```\n\n~~~~\n## C\n~~~\n~~~~\n\n## D\n"
    assert [piece.key for piece in pieces_of(text)] == ["A", "D"]


def merge(mine: str, new: str, was: str = TEXT) -> MergedText:
    return merged(mine, new, digests_of(was))


def test_what_only_the_original_changed_is_taken() -> None:
    made = merge(TEXT.replace("First.", "First, mine."), TEXT.replace("Second.", "Second, new."))
    assert "First, mine." in made.text
    assert "Second, new." in made.text
    assert made.waiting == ""


def test_what_both_changed_stays_and_the_new_text_waits() -> None:
    made = merge(TEXT.replace("First.", "Mine."), TEXT.replace("First.", "New."))
    assert made.text == TEXT.replace("First.", "Mine.")
    assert made.waiting == "## One {#one}\n\nNew.\n\n"


def test_a_section_that_a_person_deleted_stays_deleted() -> None:
    mine = TEXT.replace("## Two\n\nSecond.\n\n", "")
    assert merge(mine, TEXT + "\n## New\n\nFourth.\n").text == mine + "\n## New\n\nFourth.\n"
    assert merge(mine, TEXT.replace("Second.", "Second, new.")).waiting == "## Two\n\nSecond, new.\n\n"


def test_a_section_that_the_original_deleted_goes_unless_a_person_changed_it() -> None:
    new = TEXT.replace("## Two\n\nSecond.\n\n", "")
    assert "Second" not in merge(TEXT.replace("First.", "Mine."), new).text
    made = merge(TEXT.replace("Second.", "Second, mine."), new)
    assert "Second, mine." in made.text
    assert [(piece.title, conflict) for piece, conflict in made.conflicts] == [("Two", "deleted")]


def in_order(*words: str) -> str:
    return "Lead.\n\n" + "".join(f"## {word}\n\nText of {word}.\n\n" for word in words)


def test_an_order_that_only_the_original_changed_is_taken_with_what_a_person_put_between() -> None:
    was = in_order("A", "B", "C", "D")
    mine = in_order("A", "Mine", "B", "C", "D").replace("Text of D", "My text of D")
    made = merge(mine, in_order("C", "D", "A", "New", "B"), was)
    wanted = in_order("C", "D", "A", "New", "Mine", "B").replace("Text of D", "My text of D")
    assert made == (wanted, "", ())


def test_an_order_that_only_a_person_changed_stays() -> None:
    mine = in_order("C", "B", "A")
    made = merge(mine, in_order("A", "B", "C").replace("Text of B", "New text of B"), in_order("A", "B", "C"))
    assert made == (mine.replace("Text of B", "New text of B"), "", ())


def test_an_order_that_both_changed_stays_and_is_told() -> None:
    made = merge(in_order("B", "A", "C"), in_order("A", "C", "B"), in_order("A", "B", "C"))
    assert made.text == in_order("B", "A", "C")
    assert [(piece.title, conflict) for piece, conflict in made.conflicts] == [("B", "moved")]
    again = merge(made.text, in_order("A", "C", "B"), in_order("A", "C", "B"))
    assert again == (made.text, "", ())


def test_a_new_section_stands_behind_the_one_before_it() -> None:
    new = TEXT.replace("## Two", "## Between\n\nNew.\n\n## Two")
    made = merge(TEXT.replace("Third.", "Mine."), new)
    assert made.text == new.replace("Third.", "Mine.")


EXAMPLES = "Lead.\n\n" + "".join(f"## Example\n\nThis one is about {word}.\n\n" for word in ("whales", "ice", "tides"))


def test_three_sections_of_the_same_name_keep_their_edits_when_a_fourth_is_put_on_top() -> None:
    mine = EXAMPLES.replace("whales.", "whales. Mine 1.").replace("ice.", "ice. Mine 2.").replace("tides", "my tides")
    new = EXAMPLES.replace("## Example", "## Example\n\nA new one, about wind.\n\n## Example", 1)
    made = merge(mine, new, EXAMPLES)
    assert made == (mine.replace("## Example", "## Example\n\nA new one, about wind.\n\n## Example", 1), "", ())
    assert merge(made.text, new, new).text == made.text
    later = merge(made.text, new.replace("about ice", "about old ice"), new)
    assert (later.text, later.waiting) == (made.text, "## Example\n\nThis one is about old ice.\n\n")


def test_of_several_of_the_same_name_the_deleted_one_stays_deleted() -> None:
    mine = EXAMPLES.replace("## Example\n\nThis one is about whales.\n\n", "").replace("tides.", "tides, mine.")
    made = merge(mine, EXAMPLES.replace("about ice", "about new ice"), EXAMPLES)
    assert made.text == mine.replace("about ice", "about new ice")
    assert made.waiting == ""


def test_a_heading_that_the_original_changed_is_no_new_section() -> None:
    made = merge(TEXT.replace("Second.", "Second, mine."), TEXT.replace("## Two", "## Number two"))
    assert made.text == TEXT.replace("Second.", "Second, mine.")
    assert made.waiting == "## Number two\n\nSecond.\n\n"
    assert merge(TEXT.replace("First.", "Mine."), TEXT.replace("## Two", "## No. 2")).text == TEXT.replace(
        "First.", "Mine."
    ).replace("## Two", "## No. 2")


def test_no_piece_has_the_key_of_another() -> None:
    text = "## A\n\n1\n\n## A (2)\n\n2\n\n## A\n\n3\n"
    assert [piece.key for piece in pieces_of(text)] == ["A", "A (2)", "A (3)"]
    assert merge(text.replace("3", "mine"), text.replace("1", "new"), text).text == text.replace("3", "mine").replace(
        "1", "new"
    )


def _changed(text: str, words: random.Random, sign: str) -> tuple[str, list[str]]:
    """A text with one to four edits, and the words that these put in."""
    pieces, put = [piece.text for piece in pieces_of(text)], []
    for number in range(words.randint(1, 4)):
        at, word = words.randrange(len(pieces)), f"{sign}{number}x{words.randrange(10**6)}"
        kind = words.choice(("line", "section", "replace", "delete", "move", "rename", "twin"))
        if kind == "delete" and len(pieces) > 2:
            gone = pieces.pop(at)
            put = [one for one in put if one not in gone]
            continue
        if kind == "move" and len(pieces) > 3:
            pieces.insert(words.randrange(1, len(pieces)), pieces.pop(max(at, 1)))
            continue
        put.append(word)
        if kind == "rename" and at:
            put = [one for one in put if one == word or one not in pieces[at].split("\n")[0]]
            pieces[at] = f"## {word}\n" + pieces[at].partition("\n")[2]
        elif kind == "twin":
            pieces.insert(at + 1, f"## {words.choice(('Two', 'Example'))}\n\nText of {word}.\n\n")
        elif kind == "section":
            pieces.insert(at + 1, f"{'#' * words.randint(2, 3)} {word}\n\nText of {word}.\n\n")
        elif kind == "replace" and at:
            put = [one for one in put if one == word or one not in pieces[at]]
            pieces[at] = pieces[at].split("\n")[0] + f"\n\n{word}\n\n"
        else:
            pieces[at] = pieces[at].rstrip("\n") + f"\n{word}\n\n"
    return "".join(pieces), put


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("seed", range(10))
def test_no_word_of_a_person_is_ever_lost_in_random_edits_on_both_sides(seed: int) -> None:
    words = random.Random(seed)
    for _ in range(50):
        names = ("Part", "Example") if words.random() < 0.5 else ("Example",)
        parts = (f"\n## {words.choice(names)}\n\nText {number}.\n" for number in range(words.randint(0, 5)))
        original = TEXT + "".join(parts)
        mine, own = _changed(original, words, "mine")
        new, theirs = _changed(original, words, "new")
        made = merged(mine, new, digests_of(original))
        there = set(re.findall(r"\w+", made.text))
        assert there >= {*own}, (mine, new, made)
        waiting = set(re.findall(r"\w+", made.waiting))
        assert there | waiting >= {*theirs}, (mine, new, made)
        again = merged(made.text, new, digests_of(new))
        assert (again.text, again.waiting) == (made.text, ""), (mine, new, made, again)
