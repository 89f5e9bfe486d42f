"""`aliases:` in any YAML that people write: one address more, and every other character as it was."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.diagnostics import UserError
from paper_notes.features.moving.edits import FileEdit, edited
from paper_notes.features.moving.move import with_address
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml


def added(text: str, address: str = "rl/03_X") -> str:
    source = Source(PurePosixPath("note.yaml"), text.encode())
    document = parse_yaml(source.path, source.text)
    assert isinstance(document, YamlDocument)
    edit = with_address(document, (source.text, 1), address, own="ml/07_X")
    return edited(source, [edit]).decode() if edit else text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("title: a\n", "title: a\naliases: [rl/03_X]\n"),
        ("title: a", "title: a\naliases: [rl/03_X]\n"),
        ("  title: a # b\n\n# c\n\n", "  title: a # b\n\n# c\n  aliases: [rl/03_X]\n\n"),
        ("title: |\n  a\n\n", "title: |\n  a\naliases: [rl/03_X]\n\n"),
        ("aliases: [x/1_y] # z\n", "aliases: [rl/03_X, x/1_y] # z\n"),
        ("aliases: []\ntitle: a\n", "aliases: [rl/03_X]\ntitle: a\n"),
        ("aliases: # q\n  - 'x/1_y' # a\n  - x/2_y\n", "aliases: # q\n  - rl/03_X\n  - 'x/1_y' # a\n  - x/2_y\n"),
        ("aliases:\n- x/1_y\ntitle: a\n", "aliases:\n- rl/03_X\n- x/1_y\ntitle: a\n"),
        ("aliases: 'x/1_y' # z\n", "aliases: [rl/03_X, 'x/1_y'] # z\n"),
        ("aliases:\ntitle: a\n", "aliases: [rl/03_X]\ntitle: a\n"),
        ("aliases: [\n  x/1_y,\n]\n", "aliases: [\n  rl/03_X, x/1_y,\n]\n"),
        ("aliases: [rl/03_X]\n", "aliases: [rl/03_X]\n"),
        ("aliases: [x/1_y, 'ml/07_X']\n", "aliases: [x/1_y, 'rl/03_X']\n"),
        ("aliases: ml/07_X\n", "aliases: rl/03_X\n"),
        ('{"title": "a"}\n', '{"aliases": ["rl/03_X"], "title": "a"}\n'),
        ("title: a\r\n", "title: a\r\naliases: [rl/03_X]\r\n"),
    ],
)
def test_one_address_more(before: str, after: str) -> None:
    assert added(before) == after


def test_a_topic_with_signs_of_yaml_is_quoted() -> None:
    assert added("title: a\n", "it's: [1]/03_X") == "title: a\naliases: ['it''s: [1]/03_X']\n"


@pytest.mark.parametrize("text", ["aliases: ~\n", "aliases: &a [x/1_y]\nextra: *a\n"])
def test_what_is_written_in_another_way_is_left_to_the_user(text: str) -> None:
    with pytest.raises(UserError, match=r"`aliases: \[rl/03_X\]` cannot be added") as raised:
        added(text)
    assert raised.value.hint


def test_an_edit_that_is_not_there_is_refused() -> None:
    source = Source(PurePosixPath("a.md"), b"one\n")
    document = parse_yaml(source.path, "a: one\n")
    assert isinstance(document, YamlDocument)
    with pytest.raises(ValueError, match=r"a\.md:1:4"):
        edited(source, [FileEdit(document.location(("a",)), "one", "two")])
