"""A folder that is read again without some of its notes."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any
from unittest.mock import Mock

import pytest
from features.importing.readme.readme_import import empty

from paper_notes.engine.cache import Cache
from paper_notes.engine.workers import Workers
from paper_notes.features.importing.folders import ImportRequest, ReadFolder, read_folder
from paper_notes.features.importing.formats import formats
from paper_notes.features.importing.markdown.source import ForeignText
from paper_notes.features.importing.page_proof import Tools
from paper_notes.features.importing.types import Folder, ImportedText
from paper_notes.values import replace

FILES = {
    "birds/03_owl.md": "# Owl\n\nUnlike [the wren](wren.md) and [it](../fish/eel.md).\n",
    "birds/auk.md": "# Auk\n\nSee [[Tit]].\n",
    "birds/kite.md": "# Kite\n\nSee [the owl](03_owl.md).\n",
    "birds/tit.md": "# Tit\n\nAlone.\n",
    "birds/wren.md": "# Wren\n\nSee [the auk](auk.md).\n",
    "fish/eel.md": "# Eel\n\nSee [the owl](../birds/03_owl.md).\n",
}


def folder(*, seen: list[str], without: str = "", with_more: ReadFolder | None = None) -> ReadFolder:
    data = {PurePosixPath(path): text.encode() for path, text in FILES.items()}
    wanted = ImportRequest(Folder(frozenset(data), data.get), "old")
    wanted = wanted.without([PurePosixPath(without)]) if without else wanted

    def read(text: ForeignText, *others: Any) -> ImportedText:
        seen.append(str(text.original.path))
        return markdown.read(text, *others)

    markdown = next(row for row in formats() if row.name == "markdown")
    into = empty("en")
    rows = (replace(markdown, read=read),)
    return read_folder(wanted, into.corpus, into.sources, {}, Workers(1), rows, with_more)


@pytest.mark.parametrize(
    ("left", "read_again"),
    [
        ("fish/eel.md", ["birds/03_owl.md"]),
        ("birds/tit.md", ["birds/auk.md"]),
        ("birds/wren.md", ["birds/03_owl.md"]),
        ("birds/auk.md", ["birds/wren.md"]),
    ],
)
def test_without_a_note_only_those_are_read_again_that_link_to_it(left: str, read_again: list[str]) -> None:
    seen = list[str]()
    with_more = folder(seen=seen)
    assert seen == sorted(FILES)
    again = folder(seen=[], without=left, with_more=with_more)
    assert seen[len(FILES) :] == read_again
    fresh, reference = folder(seen=[], without=left), with_more.places.by_path[PurePosixPath(left)].reference
    assert again.unread == fresh.unread
    assert again.texts.keys() == fresh.texts.keys()
    assert [*again.notes] == [note for note in with_more.notes if note.outlines[0].path != PurePosixPath(left)]
    assert not any(reference in text.body for text in again.texts.values())
    assert {str(path) for path, text in again.texts.items() if text != with_more.texts[path]} == {*read_again}
    assert again.unread[PurePosixPath(left)] == "lossy"


def test_what_was_made_of_an_equal_text_is_made_once() -> None:
    made = list[str]()

    def work(sign: str, job: str) -> str:
        made.append(job)
        return f"{job}{sign}"

    tools = Tools(Mock(), Cache(), Workers(1))
    assert tools.made(work, "!", {"a": "owl", "b": "wren", "c": "auk"}, 0, "") == {
        "a": "owl!",
        "b": "wren!",
        "c": "auk!",
    }
    assert tools.made(work, "?", {"b": "wren", "c": "tit"}, 0, "") == {"b": "wren!", "c": "tit?"}
    assert made == ["owl", "wren", "auk", "tit"]
    assert tools.made(work, ".", {"b": "wren"}, 1, "") == {"b": "wren."}
