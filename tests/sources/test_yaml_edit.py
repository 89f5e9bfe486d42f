"""YAML files are changed by inserting: the rest stays, byte for byte, however it is written."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from paper_notes.diagnostics import UserError
from paper_notes.sources.yaml_edit import with_items, with_keys, with_names, with_values

PATH = PurePosixPath("note.yaml")
WAYS = (
    "entries:\n- paper: a\n- paper: b\ntags: [x]\n",
    "entries:\n- paper: a\n- paper: b",
    "entries: [{paper: a, upvotes: 2}, {paper: b}]  # flow\n",
    "entries:\r\n- {paper: a}\r\n-\r\n  paper: b\r\n",
    "\ufeffentries:\n- &x\n  paper: a\n  keywords: &k [t, 😀]\n- paper: b\n  keywords: *k\n# end\n\n",
    "entries:\n- paper: a\n  upvotes:\n- paper: b\n  headline:\n    en: >-\n      folded\n      text\n\n\nkind: list\n",
    "entries:\n- paper: a\n  keywords:\n  - t\n- paper: b\n  keywords:\n  - t\n  - - u\n    - v: 😀\n# end\n",
)
NOT_CHANGED = ("entries: &e\n  ? a\n", "x: 1\n", "")


@pytest.mark.parametrize("text", WAYS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_items_go_to_their_places_and_nothing_else_changes(text: str, place: int) -> None:
    item = {"paper": "new", "upvotes": 0, "headline": {"en": "A: b # 'c'\\"}}
    made = with_items(PATH, text.encode(), "entries", [(place, item), (place, {"paper": "x"})]).decode()
    rest = iter(made)
    assert all(character in rest for character in text), "what was there is there, in its order"
    order = ["a", "b"]
    order[place:place] = ["new", "x"]
    found = [at for name in order for at in range(len(made)) if made.startswith(f"paper: {name}", at)]
    assert found == sorted(found)


@pytest.mark.parametrize("text", WAYS)
def test_values_are_set_in_place(text: str) -> None:
    made = with_values(PATH, text.encode(), "entries", {0: ("upvotes", "31"), 1: ("upvotes", "0")}).decode()
    votes = re.compile(r"[ ,]*upvotes: ?\d*\s*")
    assert votes.sub("", made).split() == votes.sub("", text).split()
    assert re.findall(r"upvotes: (\d+)", made) == ["31", "0"]


def test_comments_stay_with_what_they_are_about() -> None:
    first = "entries:\n  - paper: a\n    # more on a\n    headline: |\n      x\n\n      # text\n\n"
    text = f"{first}  # about b\n  - paper: b\n"
    made = with_items(PATH, text.encode(), "entries", [(1, {"paper": "new"})]).decode()
    assert made == text.replace("  # about", "  - paper: new\n  # about")


@pytest.mark.parametrize("text", NOT_CHANGED)
def test_what_is_written_in_another_way_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        with_items(PATH, text.encode(), "entries", [(1, {"paper": "new"})])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("topics: [a, b]  # mine\nreadme: true\n", "topics: [a, b, c, d]  # mine\nreadme: true\n"),
        ("topics:\n  - a\n  - b # last\nreadme: true\n", "topics:\n  - a\n  - b # last\n  - c\n  - d\nreadme: true\n"),
        ("title: x\ntopics:\n- a", "title: x\ntopics:\n- a\n- c\n- d"),
        ("topics: []  # none yet\n", "topics: [c, d]  # none yet\n"),
        ("topics: [  ]\n", "topics: [c, d  ]\n"),
    ],
)
def test_names_go_to_the_end_of_a_list_in_its_own_style(text: str, wanted: str) -> None:
    assert with_names(PATH, text.encode(), "topics", ["c", "d"]).decode() == wanted


def test_a_list_that_is_not_written_is_refused_with_what_to_write() -> None:
    with pytest.raises(UserError) as found:
        with_names(PATH, b"topics:\n", "topics", ["c"])
    assert "add the topics by hand: c" in found.value.hint


def test_keys_of_the_first_level_are_set_in_their_places() -> None:
    text = "title: old  # a comment\n# about tags\ntags:\n- a\n\n# the end\nstatus: read\n"
    made = with_keys(PATH, text.encode(), {"tags": ["b", "c"], "title": "new: one", "kind": "note"}).decode()
    assert (
        made == "title: 'new: one'  # a comment\n# about tags\ntags:\n- b\n- c\n\n# the end\nstatus: read\nkind: note\n"
    )


def test_a_value_with_a_comment_inside_is_not_replaced() -> None:
    with pytest.raises(UserError):
        with_keys(PATH, b"tags:\n- a  # mine\n- b\n", {"tags": ["c"]})
