"""What is read from a collection that another tool, or a hand, has made."""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, Literal
from unicodedata import normalize

from paper_notes.diagnostics import Location
from paper_notes.features.importing.import_record import sketch_of
from paper_notes.features.importing.proof.compare import Removed
from paper_notes.features.lists.forms import PaperDocument
from paper_notes.identifiers import ArxivId
from paper_notes.patterns import regex
from paper_notes.sources.tree import MAX_NOTE_BYTES
from paper_notes.values import Struct, field

csv.field_size_limit(MAX_NOTE_BYTES)  # a cell may be as long as a file: the library's own limit ends an import

FindingGroup = Literal["mended", "changed", "unmapped", "doubtful", "lost"]
"""Of findings: put right; kept in another form; kept as text without its meaning; to be looked at; gone."""


class ImportFinding(Struct, frozen=True):
    """Something in an original that does not arrive as it was."""

    group: FindingGroup
    kind: str
    """`unclosed-element`: findings are counted by it."""
    message: str
    location: Location
    """In the original."""


class Original(Struct, frozen=True):
    """A text file of the collection that is taken in."""

    path: PurePosixPath
    """Below the folder that was named; `..` never occurs."""
    text: str
    """Without a byte order mark; lines end with a line feed."""

    @property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return sha256(self.text.encode()).hexdigest()

    @property
    def sketch(self) -> str:
        """By which it is known again, see `sketch_of`."""
        return sketch_of(self.text)


@dataclasses.dataclass(frozen=True)
class Folder:
    """All files of the collection that is taken in."""

    files: frozenset[PurePosixPath]
    read: Callable[[PurePosixPath], bytes | None] = dataclasses.field(repr=False)
    """The content of one of them; None if it cannot be read."""
    remote: Mapping[str, PurePosixPath] = dataclasses.field(default_factory=dict, compare=False)
    """The files of pictures that were fetched from other sites, by their addresses."""


class NoteHeader(Struct, frozen=True):
    """What is known of a note before all notes are read: enough to refer to it."""

    path: PurePosixPath
    """Of its original."""
    title: str
    """Plain text."""
    topic: str
    """Its folder in the original as one safe name: `llm-agents`. Empty for files beside all folders."""
    name: str
    """Its name without number and suffix, safe for a file: `ReSpec_2510.26475`."""
    number: int | None = None
    """As in `04_ReSpec.html`, or as its front matter says."""
    lang: str = ""
    """The tag of its language, if the original tells: `zh`."""
    same: str = ""
    """What the texts of one note in several languages share; empty if it stands alone."""
    aliases: tuple[str, ...] = ()
    """Other names that links use for it: a title, aliases of its front matter, an address of its page."""
    sections: tuple[tuple[str, str], ...] = ()
    """For each name that a link may use for a section, as its reader folds it, the id of that on our page."""
    topic_title: str = ""
    """What the original calls its topic, if it does."""
    blocks: tuple[tuple[str, str], ...] = ()
    """For each name of a block, as its reader folds it, the name that it has here."""
    labels: tuple[tuple[str, str, str], ...] = ()
    """What other texts may refer to by a label: this in small letters, the id here, and what it is: `Figure 2`."""


class NotePlace(Struct, frozen=True):
    """Where a note of the collection goes."""

    outline: NoteHeader
    reference: str
    """How any text refers to it: `agents/#4`."""


class NotePlaces(Struct, frozen=True, dict=True):
    """The notes that are taken in together, by all that links may name them."""

    by_path: Mapping[PurePosixPath, NotePlace]
    by_name: Mapping[str, tuple[NotePlace, ...]]
    """By the stem of the file, the title and each alias, folded by `str.casefold`. Several: ambiguous."""
    by_number: Mapping[int, tuple[NotePlace, ...]]
    citations: Mapping[str, str] = field(default_factory=dict)
    """The keys of papers in this collection, by those under which the notes cite them."""

    @cached_property
    def labels(self) -> Mapping[str, tuple[NotePlace, str, str]]:
        """All that has a label, by that: where it is, its id there, and what it is."""
        result: dict[str, tuple[NotePlace, str, str]] = {}
        for place in self.by_path.values():
            for label, anchor, words in place.outline.labels:
                result.setdefault(label, (place, anchor, words))
        return result

    @cached_property
    def by_address(self) -> Mapping[tuple[str, ...], NotePlace]:
        """The notes by what addresses of their pages have of their files' paths."""
        places = sorted(self.by_path.items(), reverse=True)  # the first of the same address stays
        said = ((name, place) for _, place in places for name in place.outline.aliases if name[-1:] == "/")
        named = {address_parts(PurePosixPath(name[1:])): place for name, place in said}
        return named | {address_parts(path): place for path, place in places}

    def cited(self, keys: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """The papers of these keys, each with its own here before that; none if one of them is not known."""
        known = tuple((self.citations.get(key, ""), key) for key in keys)
        return known if all(here for here, _ in known) else ()

    def named(self, name: str) -> tuple[NotePlace, ...]:
        """The notes of this name."""
        name = name.strip().casefold()
        return self.by_name.get(name) or self.by_name.get(normalize("NFC", name), ())


_UNSAID = regex(r"^\d+[-_. ]+(?=\D)|\.(?:md|markdown|mdx|qmd|rmd|ipynb|html?)$")
_INDEX = frozenset({"index", "_index", "readme"})


def address_parts(path: PurePosixPath) -> tuple[str, ...]:
    """What an address of a page has of a file's path: no numbers that only order files, no suffix, and no `index`."""
    parts = tuple(_UNSAID.sub("", part).casefold() for part in path.parts)
    return parts[:-1] if parts and parts[-1] in _INDEX else parts


class ReaderOptions(Struct, frozen=True):
    """What the user asked for."""

    tex: bool = True
    """Whether formulas written in Unicode become TeX where that gives the same signs."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """The user's own table of classes: `div.tldr` to a component."""


class ImportedText(Struct, frozen=True, kw_only=True):
    """A note as it is read: a text in one language, and the facts that the original tells."""

    outline: NoteHeader
    lang: str
    title: str
    """Markdown, on one line."""
    body: str
    """In our syntax, without the title; its headings begin with `##`. Figures are named as in `files`."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Keys of note.yaml and their values, where the original tells them: `kind`, `created`, `tags`, `summary` ..."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Front matter that means nothing to us: kept in `extra`."""
    arxiv: tuple[ArxivId, ...] = ()
    """Of the papers that the note is about; the main one is the first."""
    dois: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Figures, by their path in the note's folder."""
    used: tuple[PurePosixPath, ...] = ()
    """The files of the original folder that `files` were made of."""
    cites: tuple[tuple[str, str], ...] = ()
    """The papers that it cites: the key in this collection, and that of the original."""
    removed: tuple[Removed, ...] = ()
    """What is left out of the text because the page says it in its own way: each is proven by its kind."""
    findings: tuple[ImportFinding, ...] = ()
    lists: PaperDocument | None = None
    """The papers, if it is a report or a list of them: its body is written when all papers are known."""


class NoteFormat(Struct, frozen=True):
    """A kind of notes that can be taken in."""

    name: str
    suffixes: tuple[str, ...]
    """Of files, in lower case."""
    recognises: Callable[[Original], bool]
    """Whether a file with one of the suffixes is a note of this kind."""
    parse: Callable[[Original, Folder], Any]
    """The file as the other two take it, parsed once: other processes get it as well."""
    outline: Callable[[Any, Folder], NoteHeader]
    read: Callable[[Any, NoteHeader, NotePlaces, Folder, ReaderOptions], ImportedText]
    """Pure; it never raises for what is in the original."""
