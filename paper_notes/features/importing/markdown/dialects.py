"""Which tool keeps a folder of Markdown, and what its files and words mean."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from paper_notes.features.importing.html.page import data
from paper_notes.features.importing.types import Folder
from paper_notes.patterns import regex
from paper_notes.sources.yaml import YamlDocument, parse_yaml
from paper_notes.values import Struct, replace


@dataclass(frozen=True, slots=True)
class Tool:
    """How a tool keeps its notes."""

    name: str
    marks: tuple[str, ...] = ()
    """Files, folders with a slash, and endings `*.qmd`, that only its folders have; of `a+b` both must be there."""
    notes: tuple[str, ...] = ("",)
    """Folders of notes: the first that is there counts, and empty is the whole."""
    stems: str = ""
    """A regular expression for the names of its files without suffix; its group `name` is the note's own name."""
    navigation: str = ""
    """The file that orders the notes."""
    signs: tuple[str, ...] = ()
    """What it reads within lines and others do not: kinds of rows in `grammar.SIGNS`."""
    bare_names: bool = False
    """Whether links may name a note of another folder without that."""
    short_names: bool = False
    """Whether a name of a block may be as short as `^1`."""
    inline_tags: bool = False
    assets: tuple[str, ...] = ("",)
    """Folders that addresses with a slash in front begin at."""
    skipped: tuple[str, ...] = ()
    """Names of folders without notes."""
    mdx: bool = False
    """Whether all texts may hold JSX."""
    outline: bool = False
    """Whether its texts are bullets, of which headings are sections."""
    properties: bool = False
    """Whether lines `Key: value` below the title stand each on a line of its own."""
    unnamed: tuple[str, ...] = ()
    """Regular expressions for folders whose names mean nothing."""
    pages: bool = True
    """Whether it makes web pages, whose addresses links may use."""
    order: Mapping[PurePosixPath, int] = field(default_factory=dict, hash=False)
    """The place of notes in the navigation, from 1 in each folder, where a file says it."""
    titles: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What the navigation calls the folders of notes."""


class Tables(Struct, frozen=True):
    """The file of data."""

    dialects: tuple[Tool, ...]
    keys: Mapping[str, str]
    """From a key of front matter to what it is here."""
    callouts: Mapping[str, str]
    unwrapped: frozenset[str]
    statuses: Mapping[str, str]
    """From what others call how far one has read, in small letters, to what it is here."""
    directives: Mapping[str, str]
    roles: Mapping[str, str]
    shortcodes: Mapping[str, str]
    labels: Mapping[str, str]
    attributes: Mapping[str, str]
    """What attributes of components are."""
    languages: Mapping[str, str]
    """The nearest language of code, by names of others."""

    def meaning(self, key: str) -> str:
        """What a key is here; empty for none."""
        return self.keys.get(key, self.keys.get(key.strip().lower(), ""))


@lru_cache(maxsize=1)
def tables() -> Tables:
    """What is known of dialects."""
    rows = data(__package__, "dialects.yaml")
    tools = (Tool(name, **{key: _value(value) for key, value in row.items()}) for name, row in rows["dialects"].items())
    by_word = {
        table: {word: name for name, words in rows[table].items() for word in (name, *words)}
        for table in ("statuses", "languages")
    }
    return Tables(**{**rows, **by_word, "dialects": tuple(tools), "unwrapped": frozenset(rows["unwrapped"])})


def _value(written: str | list[str] | None) -> Any:
    """A value of a row: the names of its keys are those of `Tool`."""
    if written in ("true", "false"):
        return written == "true"
    return written if isinstance(written, str) else tuple(written or ())


@lru_cache(maxsize=4)
def dialect(folder: Folder) -> Tool:
    """The dialect of a folder."""
    known = tables().dialects
    kept = (row for row in known if _keeps(row, folder))
    row = next(kept, None) or next(row for row in known if row.name == "plain")
    here = tuple(root for root in row.notes if not root or has(folder, f"{root}/")) or ("",)
    order, titles = _navigation(folder, PurePosixPath(row.navigation), here[0]) if row.navigation else ({}, {})
    return replace(row, notes=here, order=order, titles=titles)


def _keeps(row: Tool, folder: Folder) -> bool:
    """Whether a folder has a mark of a dialect."""
    stems = re.compile(row.stems) if row.stems else None
    return any(has(folder, mark) for mark in row.marks) or (
        stems is not None and any(file.suffix == ".md" and stems.fullmatch(file.stem) for file in folder.files)
    )


def is_skipped(path: PurePosixPath, folder: Folder) -> bool:
    """Whether a file is of the tool that keeps the folder, or a part of a page that a browser saved."""
    parts = (parent for parent in path.parents if parent.name.endswith(("_files", ".files")))
    stems = (parent.with_name(re.sub(r"[_.]files$", "", parent.name)) for parent in parts)
    if any(stem.with_name(f"{stem.name}{end}") in folder.files for stem in stems for end in (".html", ".htm")):
        return True
    names = dialect(folder).skipped
    ends = tuple(name[1:] for name in names if name[0] == "*")
    return path.name.endswith(ends) or any(part in names for part in path.parts[:-1])


def has(folder: Folder, mark: str) -> bool:
    """Whether a folder has a file, or with a slash a folder, of this name; of `a+b` both."""
    return all(_is_there(entry, folder.files) for entry in mark.split("+"))


def _is_there(entry: str, files: frozenset[PurePosixPath]) -> bool:
    known = _folders(files) if entry.endswith("/") else files
    if entry.startswith("*"):
        return any(path.name.endswith(entry[1:].rstrip("/")) for path in known)
    return PurePosixPath(entry) in known


@lru_cache(maxsize=4)
def _folders(files: frozenset[PurePosixPath]) -> frozenset[PurePosixPath]:
    return frozenset(parent for file in files for parent in file.parents)


@lru_cache(maxsize=4)
def named(files: frozenset[PurePosixPath]) -> Mapping[str, tuple[PurePosixPath, ...]]:
    """The files by their names without case: nearer ones first, then by name."""
    match: dict[str, list[PurePosixPath]] = {}
    for file in sorted(files, key=lambda file: (len(file.parts), file)):
        match.setdefault(file.name.casefold(), []).append(file)
    return {name: tuple(files) for name, files in match.items()}


_NAV = regex(r"^nav:.*?(?=^[^\s#-]|\Z)", re.MULTILINE | re.DOTALL)


def _navigation(
    folder: Folder, path: PurePosixPath, root: str
) -> tuple[Mapping[PurePosixPath, int], Mapping[str, str]]:
    """From `nav` of `mkdocs.yml` the places of notes in their folders, and what it calls folders.

    Other parts of the file may have tags that only MkDocs knows.
    """
    data = folder.read(path) or folder.read(path.with_suffix(".yaml")) or b""
    nav = _NAV.search(data.decode("utf-8", "replace").replace("\r\n", "\n"))
    read = parse_yaml(path, nav[0]) if nav else None
    value = read.value.get("nav") if isinstance(read, YamlDocument) and isinstance(read.value, dict) else None
    order: dict[PurePosixPath, int] = {}
    counts: Counter[str] = Counter()
    below: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for name, sections in _pages(value, ()):
        note = PurePosixPath(root, name)
        if note not in order:
            group = name.partition("/")[0] if "/" in name else ""
            counts[group] += 1
            order[note] = counts[group]
            for depth in range(len(sections), 0, -1):
                below[sections[:depth]][group] += 1
    titles: dict[str, str] = {}
    for sections, groups in below.items():
        [(group, count), *others] = groups.items()
        if group and not others and count == counts[group]:
            titles[group] = sections[-1]  # that of the outermost, which comes last
    return order, titles


def _pages(item: object, sections: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The notes that an item of the navigation has, each with the sections that it is in."""
    if isinstance(item, str) and item.endswith((".md", ".markdown")):
        yield item, sections
    elif isinstance(item, list):
        for inner in item:
            yield from _pages(inner, sections)
    elif isinstance(item, dict):
        for name, inner in item.items():
            yield from _pages(inner, (*sections, str(name)) if isinstance(inner, list) else sections)
