"""How a note is named: one way for all commands."""

from __future__ import annotations

import pytest
from running import SITES, paper_notes

from paper_notes.commands.naming import CollectionNames, find_name, find_topic, names_of, names_on_disk, taken_apart
from paper_notes.corpus.load import load
from paper_notes.diagnostics import UserError
from paper_notes.sources.tree import read_tree

ROOT = SITES / "bilingual"


@pytest.fixture(scope="module")
def names() -> CollectionNames:
    corpus, _ = load(read_tree(ROOT)[0])
    assert corpus
    return names_of(corpus)


def test_folders_alone_say_what_the_corpus_says(names: CollectionNames) -> None:
    on_disk = names_on_disk(ROOT)
    assert set(on_disk.notes) == set(names.notes)
    assert set(on_disk.topics) == set(names.topics)


@pytest.mark.parametrize("here", ["", "notes_src/cables"])
@pytest.mark.parametrize(
    "typed",
    [
        "arches/1", "arches/#1", "[[arches/#1]]", "arches/#1#three-curves", "arches/01_Stone_arches", "01_Stone_arches",
        "notes_src/arches/01_Stone_arches", "notes_src/arches/01_Stone_arches/zh.md:12:3:",
        "notes_src\\arches\\01_Stone_arches",
        "notes_src/arches/01_Stone_arches/a/figure.svg", "notes_src/arches/01_Stone_arches/../01_Stone_arches/en.md",
        "site/arches/notes/01_Stone_arches.html", "site/arches/notes/01_Stone_arches.csl.json",
        "http://127.0.0.1:8000/arches/notes/01_Stone_arches.html?lang=en#three-curves",
        "https://you.github.io/any/arches/notes/01_Stone_arches.html", "file:///a/b/site/arches/notes/01_Stone%5Farches.html",
    ],
)  # fmt: skip
def test_a_note_is_named_the_same_way_everywhere(names: CollectionNames, typed: str, here: str) -> None:
    assert find_name(names, typed, here).id == "arches/01_Stone_arches"


@pytest.mark.parametrize(
    ("here", "typed"),
    [
        ("notes_src/arches", "1"), ("notes_src/arches", "#01"), ("notes_src/arches", "01_Stone_arches/"),
        ("notes_src/arches", "./01_Stone_arches"), ("notes_src/cables", "../arches/01_Stone_arches/en.md"),
        ("notes_src", "arches/01_Stone_arches"), ("notes_src/arches/01_Stone_arches", "."), ("site/arches", "1"),
        ("notes_src/arches/01_Stone_arches", "zh.md"), ("site/arches/notes", "01_Stone_arches.html"),
    ],
)  # fmt: skip
def test_from_inside_the_collection_less_will_do(names: CollectionNames, here: str, typed: str) -> None:
    assert find_name(names, typed, here).id == "arches/01_Stone_arches"


@pytest.mark.parametrize(
    ("here", "typed", "message", "hint"),
    [
        ("", "1", "could be 2 notes", "arches/#1, cables/#1"),
        ("notes_src/arches", "9", 'no note "9" in topic "arches"', "it has #1, #2"),
        ("", "arch/1", 'no topic "arch"', 'did you mean "arches"?'),
        ("", "01_Stone_arhces", "no note", 'did you mean "01_Stone_arches"?'),
        ("", "../elsewhere", "is not in the collection", "notes_src/"),
        ("", "http://[", "no topic", ""),
        ("", "notes_src/arches", "no note", ""),
    ],
)
def test_a_wrong_name_says_what_would_be_right(
    names: CollectionNames, here: str, typed: str, message: str, hint: str
) -> None:
    with pytest.raises(UserError) as raised:
        find_name(names, typed, here)
    assert message in raised.value.message
    assert hint in raised.value.hint


@pytest.mark.parametrize("typed", ["arches", "arches/", "notes_src/arches/", "site/arches/index.html"])
def test_a_topic_is_named_by_its_folder_or_page(names: CollectionNames, typed: str) -> None:
    assert find_topic(names, typed) == "arches"


def test_a_page_below_the_published_address(names: CollectionNames) -> None:
    published = CollectionNames(names.notes, names.topics, base_url="https://you.github.io/my%20notes/")
    assert find_topic(published, "https://you.github.io/my%20notes/arches/") == "arches"
    assert taken_apart("https://you.github.io/my%20notes/tags.html#x", "", published.base_url).path == "site/tags.html"


def test_whole_paths_are_those_of_this_collection_only() -> None:
    note = ROOT / "notes_src/arches/01_Stone_arches"
    assert paper_notes("show", note / "en.md", "--root", ROOT).stdout.startswith("arches/#1")
    other = paper_notes("show", SITES / "minimal/notes_src/tea/01_Tea", "--root", ROOT)
    assert (other.exit_code, "is not in the collection" in other.stderr) == (1, True)
