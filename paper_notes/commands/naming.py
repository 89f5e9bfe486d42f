"""Where the user is in the collection, and what its notes are called on disk: for all commands that take a note."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paper_notes.commands.queries.naming import Names
    from paper_notes.corpus.model import Corpus, Note, TopicId
    from paper_notes.corpus.references import NoteName

_NOTE = re.compile(r"(\d{1,6})[_-].+")


def the_note(corpus: Corpus, root: Path, typed: str, *, guess: bool = False) -> Note:
    """The note of the corpus that was meant. Raises UserError."""
    from paper_notes.commands.queries.naming import find_note

    return find_note(corpus, below(root, typed), here(root), guess=guess)


def here(root: Path) -> str:
    """The current folder below the collection's root, as `notes_src/spec-rl`; empty if it is not in the collection."""
    try:
        path = Path.cwd().relative_to(root.resolve())
    except (OSError, ValueError):
        return ""
    return "" if path == Path() else unicodedata.normalize("NFC", path.as_posix())


def below(root: Path, typed: str) -> str:
    """A whole path as one below the root; anything else as it was typed. Raises UserError."""
    from paper_notes.diagnostics import UserError

    if not os.path.isabs(typed):  # noqa: PTH117 -- most of what is typed is no path
        return typed
    for path, base in ((typed, os.path.abspath(root)), (os.path.realpath(typed), os.path.realpath(root))):  # noqa: PTH100
        if path.startswith(os.path.join(base, "")):
            return os.path.relpath(path, base).replace(os.sep, "/")
    raise UserError(f'"{typed}" is not in the collection {root}', "name it with --root, or another note")


def names_on_disk(root: Path) -> Names:
    """What folders and files say: quick, and there also while the collection has errors. Titles are not known."""
    from paper_notes.commands.queries.naming import Names
    from paper_notes.corpus.model import TopicId
    from paper_notes.sources.tree import SOURCE_FOLDER, ignored

    notes: list[NoteName] = []
    topics: list[TopicId] = []
    for topic in entries(root / SOURCE_FOLDER):
        if ignored(topic.name) or not topic.is_dir(follow_symlinks=False):
            continue
        name = TopicId(unicodedata.normalize("NFC", topic.name))
        inside = entries(topic)
        own = [note for entry in inside if (note := _note(name, entry))]
        if own or any(entry.name == "topic.yaml" for entry in inside):
            topics.append(name)
            notes += own
    return Names(tuple(sorted(notes, key=lambda note: (note.topic, note.number, note.name))), tuple(sorted(topics)))


def _note(topic: TopicId, entry: os.DirEntry[str]) -> NoteName | None:
    """The note that a folder or file is by its name."""
    from paper_notes.corpus.model import NoteId
    from paper_notes.corpus.references import NoteName

    name = unicodedata.normalize("NFC", entry.name)
    is_folder = entry.is_dir(follow_symlinks=False)
    found = _NOTE.fullmatch(name)
    if not found or not (is_folder or name.endswith(".md")):
        return None
    name = name if is_folder else name.removesuffix(".md")
    return NoteName(NoteId(f"{topic}/{name}"), topic, int(found[1]), name)


def entries(folder: os.PathLike[str]) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing if that cannot be known."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def site_languages(root: Path) -> tuple[str, ...]:
    """The languages that `site.yaml` names, or those of a site that names none."""
    named = site_file(root).get("languages")
    return tuple(map(str, named)) if isinstance(named, list) and named else ("zh", "en")


def site_file(root: Path) -> Mapping[str, object]:
    """What `site.yaml` says; nothing if it cannot be read."""
    from paper_notes.diagnostics import UserError
    from paper_notes.sources.input_file import read_input_file
    from paper_notes.sources.tree import SOURCE_FOLDER
    from paper_notes.sources.yaml import YamlDocument, parse_yaml

    try:
        text = read_input_file(root / SOURCE_FOLDER / "site.yaml").decode()
    except (UserError, UnicodeDecodeError):
        return {}
    found = parse_yaml(PurePosixPath("site.yaml"), text)
    return found.value if isinstance(found, YamlDocument) and isinstance(found.value, dict) else {}
