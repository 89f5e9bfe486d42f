"""What notes are called on the command line and on disk, and where the user is: for all commands that take a note."""

from __future__ import annotations

import os
import posixpath
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from paper_notes.corpus.model import Corpus, Note, NoteId, TopicId
from paper_notes.corpus.references import Dangling, NoteIndex, NoteName, name_of
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.patterns import regex
from paper_notes.render.search.folding import fold
from paper_notes.sources.tree import SOURCE_FOLDER, ignored, read_input_file
from paper_notes.values import Struct, replace

SITE_FOLDER = "site"
_PLACE = regex(r"\.(?:md|yaml|bib)(:(\d{1,7})(?::\d*)?:?)$")
"""Line and column of a finding, as a message has them after the file."""
_NUMBER = regex(r"#?(\d{1,6})")
_SECTION = regex(r"(?<=[^/#])#([^/#]+)$")
_PAGE = regex(r"(?:\.csl)?\.(?:html|bib|json|ris)$")
_NOTE = regex(r"(\d{1,6})[_-].+")
_SHOWN = 8
"""Notes that a hint names."""


class TypedReference(Struct, frozen=True):
    """What was typed, taken apart."""

    path: str
    """`spec-rl/4`, `ReSpec`, or a path below the collection's root, without `./` and final slash."""
    section: str = ""
    """The section of `spec-rl/4#method`, and of a page's address."""
    line: int = 0
    """The line of `zh.md:12:3`."""


@dataclass(frozen=True)
class CollectionNames:
    """What the notes and topics of a collection are called."""

    notes: tuple[NoteName, ...]
    topics: tuple[TopicId, ...]
    titles: Callable[[NoteId], Iterable[str]] = field(default=lambda _: (), compare=False)
    """The titles of a note, for those who search by a part of one."""
    fold: Callable[[str], str] = field(default=str.casefold, compare=False)
    """Makes texts equal that a search takes for equal."""
    base_url: str = ""
    """The published site's address, with a final slash."""

    @cached_property
    def by_id(self) -> Mapping[str, NoteName]:
        return {note.id: note for note in self.notes}


def names_of(corpus: Corpus) -> CollectionNames:
    """The names of a corpus."""
    return CollectionNames(
        tuple(name_of(note.id) for note in corpus.notes),
        corpus.site.topics,
        lambda note: (title for _, title in corpus.note(note).title.parts if title),
        fold,
        corpus.site.base_url or "",
    )


def taken_apart(typed: str, here: str = "", base_url: str = "") -> TypedReference:
    """What was typed as a Reference. `here` is the current folder below the collection's root: `notes_src/spec-rl`.

    Raises UserError if it leads out of the collection.
    """
    wanted = unicodedata.normalize("NFC", typed.strip()).replace("\\", "/")
    if wanted.startswith("[[") and wanted.endswith("]]"):
        wanted = wanted[2:-2].partition("|")[0].strip()
    if "://" in wanted:
        return _of_address(wanted, base_url)
    line = 0
    if place := _PLACE.search(wanted):
        wanted, line = wanted[: place.start(1)], int(place[2])
    section = _SECTION.search(wanted)
    wanted = wanted[: section.start()] if section else wanted
    if wanted in (".", "..") or wanted.startswith(("./", "../")):
        wanted = posixpath.normpath(posixpath.join(here, wanted))
        if wanted.startswith(".."):
            raise UserError(f'"{typed}" is not in the collection', "name a file or folder below notes_src/")
    return TypedReference(wanted.rstrip("/"), section[1] if section else "", line)


def _of_address(address: str, base_url: str) -> TypedReference:
    """What the address of a page names: `topic/notes/name.html` below the site, wherever that is."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return TypedReference(address)
    path = unquote(parts.path).strip("/")
    if parts.scheme == "file":
        path = path.rpartition(f"{SITE_FOLDER}/")[2]
    elif base_url and address.startswith(base_url):
        path = path.removeprefix(unquote(urlsplit(base_url).path).strip("/")).strip("/")
    else:
        steps = path.split("/")
        path = "/".join(steps[-3:]) if steps[-2:-1] == ["notes"] else path
    return TypedReference(f"{SITE_FOLDER}/{path}".rstrip("/"), unquote(parts.fragment))


def find_name(names: CollectionNames, typed: str, here: str = "", *, guess: bool = False) -> NoteName:
    """The note that was meant: by topic and number or name, number or name alone, path, or the page's file or address.

    In the folder of a topic a number alone is one of its notes, and paths may start there. With `guess` a part of a
    name or title will do that no other note has; commands that write do not guess. Raises UserError.
    """
    wanted = taken_apart(typed, here, names.base_url).path
    topic = _topic_of(here, names)
    if note := _by_path(names, wanted) or _by_path(names, posixpath.join(here, wanted) if here and wanted else ""):
        return note
    wanted = wanted.removeprefix(f"{SOURCE_FOLDER}/").removeprefix(f"{SITE_FOLDER}/").replace("/notes/", "/")
    wanted = _PAGE.sub("", wanted).removesuffix(".md")
    number = _NUMBER.fullmatch(wanted)
    if "/" in wanted or (topic and number):
        index = NoteIndex(names.notes, names.topics)
        note_id = index.find(wanted, topic or TopicId(""))
        if isinstance(note_id, Dangling):
            raise UserError(note_id.message, note_id.hint)
        return names.by_id[note_id]
    return _one_of(names, typed, wanted, int(number[1]) if number else None, topic, guess=guess)


def _one_of(
    names: CollectionNames, typed: str, wanted: str, number: int | None, topic: TopicId | None, *, guess: bool
) -> NoteName:
    """The only note of a number or name. Raises UserError if there are several, or none."""
    like = [note for note in names.notes if note.name == wanted or note.number == number]
    like = [note for note in like if note.topic == topic] or like
    part = names.fold(wanted) if guess else ""
    like = like or [
        note
        for note in names.notes
        if part and any(part in names.fold(name) for name in (note.name, *names.titles(note.id)))
    ]
    if len(like) == 1:
        return like[0]
    if like:
        several = ", ".join(f"{note.topic}/#{note.number}" for note in like[:_SHOWN])
        more = ", ..." if len(like) > _SHOWN else ""
        raise UserError(f'"{typed}" could be {len(like)} notes', f"write one of {several}{more}")
    close = did_you_mean(wanted, (note.name for note in names.notes))
    topics = ", ".join(names.topics) or "none yet"
    raise UserError(f'no note "{typed}"', close or f"write <topic>/#<number>; topics: {topics}")


def find_note(corpus: Corpus, typed: str, here: str = "", *, guess: bool = False) -> Note:
    """The note of a corpus that was meant, see `find_name`. Raises UserError."""
    try:
        return corpus.note(find_name(names_of(corpus), typed, here, guess=guess).id)
    except UserError as error:
        raise _is_draft(corpus, typed, here) or error from None


def _is_draft(corpus: Corpus, typed: str, here: str) -> UserError | None:
    """What to say if a note was meant that is left out of this corpus."""
    with suppress(UserError):
        find_name(names_of(replace(corpus, notes=corpus.drafts)), typed, here)
        return UserError(f'"{typed}" is a draft', "add --drafts, or publish it: delete `draft: true` in it")
    return None


def find_topic(names: CollectionNames, typed: str, here: str = "") -> TopicId | None:
    """The topic that was meant, by its folder's name or path, or its page's file or address."""
    wanted = taken_apart(typed, here, names.base_url).path
    wanted = wanted.removeprefix(f"{SOURCE_FOLDER}/").removeprefix(f"{SITE_FOLDER}/")
    wanted = wanted.removesuffix("/index.html").removesuffix("/topic.yaml")
    return next((topic for topic in names.topics if topic == wanted), None)


def _by_path(names: CollectionNames, path: str) -> NoteName | None:
    """The note that a path below the root is of: its folder, any file in it, its page, or a file beside the page."""
    folder, *rest = posixpath.normpath(path).split("/")
    if folder == SOURCE_FOLDER and len(rest) >= 2:
        topic, name, *inside = rest
        return names.by_id.get(f"{topic}/{name}") or (
            None if inside else names.by_id.get(f"{topic}/{name.removesuffix('.md')}")
        )
    if folder == SITE_FOLDER and len(rest) == 3 and rest[1] == "notes":
        return names.by_id.get(f"{rest[0]}/{_PAGE.sub('', rest[2])}")
    return None


def _topic_of(here: str, names: CollectionNames) -> TopicId | None:
    """The topic in whose folder, of sources or of pages, the current folder is."""
    folder, topic, *_ = *here.split("/"), "", ""
    known = folder in (SOURCE_FOLDER, SITE_FOLDER) and topic in names.topics
    return TopicId(topic) if known else None


def the_note(corpus: Corpus, root: Path, typed: str, *, guess: bool = False) -> Note:
    """The note of the corpus that was meant. Raises UserError."""
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
    if not os.path.isabs(typed):  # noqa: PTH117 -- most of what is typed is no path
        return typed
    for path, base in ((typed, os.path.abspath(root)), (os.path.realpath(typed), os.path.realpath(root))):  # noqa: PTH100
        if path.startswith(os.path.join(base, "")):
            return os.path.relpath(path, base).replace(os.sep, "/")
    raise UserError(f'"{typed}" is not in the collection {root}', "name it with --root, or another note")


def names_on_disk(root: Path) -> CollectionNames:
    """What folders and files say: quick, and there also while the collection has errors. Titles are not known."""
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
    return CollectionNames(
        tuple(sorted(notes, key=lambda note: (note.topic, note.number, note.name))), tuple(sorted(topics))
    )


def _note(topic: TopicId, entry: os.DirEntry[str]) -> NoteName | None:
    """The note that a folder or file is by its name."""
    name = unicodedata.normalize("NFC", entry.name)
    is_folder = entry.is_dir(follow_symlinks=False)
    numbered = _NOTE.fullmatch(name)
    if not numbered or not (is_folder or name.endswith(".md")):
        return None
    name = name if is_folder else name.removesuffix(".md")
    return NoteName(NoteId(f"{topic}/{name}"), topic, int(numbered[1]), name)


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
    from paper_notes.sources.yaml import YamlDocument, parse_yaml  # which takes longer than completing a line

    try:
        text = read_input_file(root / SOURCE_FOLDER / "site.yaml").decode()
    except (UserError, UnicodeDecodeError):
        return {}
    parsed = parse_yaml(PurePosixPath("site.yaml"), text)
    return parsed.value if isinstance(parsed, YamlDocument) and isinstance(parsed.value, dict) else {}
