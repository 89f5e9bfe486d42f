"""One text while it is being converted: what it may refer to, and what is found out on the way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import chain, count
from pathlib import PurePosixPath
from posixpath import normpath
from urllib.parse import unquote

from paper_notes.diagnostics import Location
from paper_notes.features.importing.html.drawings import drawing_file
from paper_notes.features.importing.html.page import GROUPS
from paper_notes.features.importing.markdown.dialects import Tool, dialect, named
from paper_notes.features.importing.markdown.front import named_day
from paper_notes.features.importing.markdown.grammar import LABEL
from paper_notes.features.importing.markdown.headings import Headings, folded, plain
from paper_notes.features.importing.outside import spelled
from paper_notes.features.importing.placement import safe_name
from paper_notes.features.importing.types import (
    FindingGroup,
    Folder,
    ImportFinding,
    NoteHeader,
    NotePlace,
    NotePlaces,
    Original,
    address_parts,
)
from paper_notes.patterns import regex
from paper_notes.values import Struct, field

SUFFIXES = (".md", ".markdown", ".mdx", ".qmd", ".rmd", ".ipynb")
PICTURES = (".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif")
"""Suffixes of what a page can show."""
FIGURES = "figures"
_SCHEME = regex(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_SITE_URL = regex(r"\{\{\s*(?:site\.baseurl|site\.url|base_url|page\.url)\s*\}\}|^@site(?=/)|^~?@(?=/)")


class Conversion(Struct, dict=True):
    """State of one conversion; never shared."""

    original: Original
    outline: NoteHeader
    places: NotePlaces
    folder: Folder
    structure: Headings
    """The headings of the text, and what is no part of it."""
    findings: list[ImportFinding] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    line: int = 1
    """The line of the original that is being converted."""
    mdx: bool = False
    named: set[str] = field(default_factory=set)
    """Blocks whose names have been written, by these."""
    _labelled: set[str] = field(default_factory=set)
    """Labels of formulas that have been written."""
    cites: list[tuple[str, str]] = field(default_factory=list)
    """As in `ImportedText`."""
    _taken: dict[PurePosixPath, str] = field(default_factory=dict)

    @cached_property
    def equations(self) -> frozenset[str]:
        """Labels of formulas, in small letters."""
        return frozenset(label for label, target, _ in self.outline.labels if target == "=")

    @cached_property
    def dialect(self) -> Tool:
        """That of the folder."""
        return dialect(self.folder)

    def report(self, group: FindingGroup, kind: str, message: str, line: int = 0) -> None:
        """Add a finding at a line of the original, from 1."""
        where = Location(self.original.path, line or self.line)
        self.findings.append(ImportFinding(group, kind, message, where))

    def cite(self, keys: Iterable[str]) -> bool:
        """Whether all that is cited by these keys is known; it is cited then."""
        self.cites += (known := self.places.cited(keys))
        return bool(known)

    def without_known_labels(self, tex: str) -> str:
        """A formula without labels that another one has."""

        def unless_known(match: re.Match[str]) -> str:
            is_known = match[1] in self._labelled
            self._labelled.add(match[1])
            return "" if is_known else match[0]

        return LABEL.sub(unless_known, tex)

    # notes

    def note(self, address: str) -> tuple[NotePlace | None, str]:
        """The note that an address of a link means, and the folded name of a section in it."""
        address = _SITE_URL.sub("", address)
        path, _, anchor = address.partition("#")
        path = unquote(path.partition("?")[0])
        if not path:
            return self.places.by_path.get(self.original.path), unquote(anchor)
        match = next(
            (self.places.by_path[file] for file in self._candidates(path) if file in self.places.by_path), None
        )
        if match is None:
            match = self._by_other_spelling(path) or self._by_address(path)
        if match is None and path.startswith("/"):
            named_so = self.places.named(path) or self.places.named(path.rstrip("/")) or self.places.named(f"{path}/")
            match = named_so[0] if named_so else None
        return match, unquote(anchor)

    def _by_other_spelling(self, path: str) -> NotePlace | None:
        """The note whose file differs only in case from that of an address, or that Hugo knows by its bare name."""
        for file in self._candidates(path):
            alike = named(self.folder.files).get(file.name.casefold(), ())
            same = (entry for entry in alike if entry.as_posix().casefold() == file.as_posix().casefold())
            if place := next((self.places.by_path[entry] for entry in same if entry in self.places.by_path), None):
                return place
        place, ambiguous = self.wiki(path) if self.dialect.bare_names and path.strip("/") else (None, False)
        return None if ambiguous else place

    def _by_address(self, path: str) -> NotePlace | None:
        """The note at an address of a site, which may begin with the folder of all notes: `/docs/guide/intro`."""
        keys = [*map(address_parts, self._candidates(path))] if self.dialect.pages and path != "/" else []
        keys += [key[1:] for key in keys if key[:1] == ("docs",) or (path.startswith("/") and len(key) > 2)]
        return next((self.places.by_address[key] for key in keys if key in self.places.by_address), None)

    def _candidates(self, path: str) -> list[PurePosixPath]:
        """The files that an address may mean, likely ones first."""
        bare = path.rstrip("/")
        ending = PurePosixPath(bare).suffix.lower()
        if ending in SUFFIXES:
            names = [bare]
        elif ending in (".html", ".htm"):
            stem = bare[: -len(ending)]
            names = [*(f"{stem}{suffix}" for suffix in SUFFIXES), f"{stem}/index.md"]
            names += [f"{stem[:-5]}{name}.md" for name in ("README", "_index")] if stem.endswith("index") else []
        else:
            names = [bare, *(f"{bare}{suffix}" for suffix in SUFFIXES)]
            names += [f"{bare}/{index}" for index in ("index.md", "README.md", "_index.md", "index.mdx")]
        match = [file for name in names for file in self._places_of(name, self.dialect.notes)]
        if not ending and not path.startswith("/") and self.original.path.stem not in ("index", "_index", "README"):
            own = self.original.path.parent / self.original.path.stem  # addresses of pages are folders there
            match += [file for name in names if (file := self._joined(own, name)) is not None]
        return match

    def _places_of(self, name: str, roots: tuple[str, ...]) -> list[PurePosixPath]:
        if name.startswith("/"):
            return [file for root in (*roots, "") if (file := self._joined(PurePosixPath(root), name[1:])) is not None]
        match = self._joined(self.original.path.parent, name)
        below = self._joined(PurePosixPath(roots[0]), name) if roots[0] else None
        return [file for file in (match, below) if file is not None]

    def _joined(self, folder: PurePosixPath, name: str) -> PurePosixPath | None:
        """The path below the whole folder; None for one outside."""
        path = normpath(f"{folder}/{name}")
        return None if path.split("/")[0] == ".." else spelled(PurePosixPath(path), self.folder.files)

    def wiki(self, target: str) -> tuple[NotePlace | None, bool]:
        """The note that a wiki link names, and whether others have the name, too."""
        name = target.strip().rstrip("/")
        lowered = name.casefold()
        for suffix in SUFFIXES:
            name = name[: -len(suffix)] if lowered.endswith(suffix) else name
        match = self.places.named(name)
        if not match and (day := named_day(name)):
            match = self.places.named(day) or self.places.named(day.replace("-", "_"))
        if not match and "/" in name:
            parts = tuple(part.casefold() for part in PurePosixPath(name).parts if part not in (".", ".."))
            last = self.places.named(parts[-1]) if parts else ()
            match = tuple(
                place
                for place in last
                if tuple(part.casefold() for part in place.outline.path.with_suffix("").parts)[-len(parts) :] == parts
            )
        if len(match) < 2:
            return (match[0] if match else None), False
        stems = [place for place in match if place.outline.path.stem.casefold() == name.casefold()]
        here = [place for place in stems or match if place.outline.path.parent == self.original.path.parent]
        if len(here) == 1 or len(stems) == 1:
            return (here or stems)[0], False
        return (stems or match)[0], True

    def block(self, name: str) -> tuple[NotePlace, str] | None:
        """The note that has a block or section of a name that is the only one of its folder, and its name here."""
        sections = ((place, self.section(place, name)) for place in self.places.by_path.values())
        return next(((place, section) for place, section in sections if section), None)

    def section(self, place: NotePlace, name: str) -> str | None:
        """The id that a section of a note has on our page, or `^name` of a block; empty for its title."""
        last = name.rpartition("#")[2]
        if last.startswith("^") and (block := dict(place.outline.blocks).get(last[1:].casefold())):
            return f"^{block}"
        sections = dict(place.outline.sections)
        for wanted in (folded(last), folded(plain(last)), folded(last).lstrip("0123456789")):
            if wanted and wanted in sections:
                return sections[wanted]
        return None

    def labelled(self, label: str) -> tuple[NotePlace | None, str, str]:
        """The note that has something of this label, as MyST and Quarto refer to it; where in it, and what that is."""
        own = self.places.by_path.get(self.original.path)
        for known, anchor, words in own.outline.labels if own else ():
            if known == label.casefold():
                return own, anchor, words
        return self.places.labels.get(label.casefold(), (None, "", ""))

    # figures

    def picture(self, address: str) -> PurePosixPath | None:
        """The file that the address of a picture means."""
        address = _SITE_URL.sub("", address)
        name = unquote(address.partition("?")[0].partition("#")[0]) or address
        roots = () if name.startswith("/") else self.dialect.assets
        below = (self._joined(PurePosixPath(root), name) for root in roots)
        for file in (*self._places_of(name, self.dialect.assets), *below):
            if file in self.folder.files:
                return file
        alike = named(self.folder.files).get(PurePosixPath(name).name.casefold(), ())
        wanted = [part.casefold() for part in PurePosixPath(name).parts if part not in ("..", ".", "/")]
        return next(
            (file for file in alike if [part.casefold() for part in file.parts][-len(wanted) :] == wanted), None
        ) or (alike[0] if len(alike) == 1 else None)

    def figure(self, file: PurePosixPath) -> str:
        """The path that a picture has in the folder of the note; empty if it cannot be shown."""
        if file in self._taken:
            return self._taken[file]
        data = self.folder.read(file) if file.suffix.lower() in PICTURES else None
        self._taken[file] = self.added(file.name, data) if data else ""
        return self._taken[file]

    @property
    def used(self) -> tuple[PurePosixPath, ...]:
        """The files of the folder that come along."""
        return tuple(sorted(file for file, path in self._taken.items() if path in self.files))

    def added(self, name: str, data: bytes) -> str:
        """The path of a new figure, which nothing else has."""
        stem, _, suffix = name.rpartition(".")
        stem = safe_name(stem) or "figure"
        if suffix.lower() == "svg":
            said = lambda kind, message, *_: self.report(GROUPS[kind], kind, f"{name}: {message}")  # noqa: E731
            data = drawing_file(data, said) or b""
            if not data:
                return ""
        taken = {known.casefold() for known in self.files}
        names = chain([stem], (f"{stem}-{number}" for number in count(2)))
        paths = (f"{FIGURES}/{name}.{suffix.lower()}" for name in names)
        path = next(path for path in paths if path.casefold() not in taken)
        self.files[path] = data
        return path


def is_remote(address: str) -> bool:
    """Whether an address leads out of the folder."""
    return bool(_SCHEME.match(address))
