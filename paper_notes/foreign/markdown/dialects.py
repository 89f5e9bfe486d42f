"""Which tool keeps a folder of Markdown, and what its files and words mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import yaml

from paper_notes.foreign.values import Folder

_DATA = Path(__file__).with_name("dialects.yaml")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a tool keeps its notes."""

    name: str
    marks: tuple[str, ...] = ()
    """Files, and folders with a slash, that only its folders have; those joined by `+` must both be there."""
    notes: tuple[str, ...] = ("",)
    """Folders of notes: the first that is there counts, and empty is the whole."""
    assets: tuple[str, ...] = ("",)
    """Folders that addresses with a slash in front begin at."""
    skipped: tuple[str, ...] = ()
    """Names of folders without notes."""
    mdx: bool = False
    """Whether all texts may hold JSX."""
    order: Mapping[PurePosixPath, int] = field(default_factory=dict)
    """The place of notes in the navigation, from 1, where a file says it."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The file of data."""

    dialects: tuple[Dialect, ...]
    keys: Mapping[str, str]
    """From a key of front matter to what it is here."""
    dropped: frozenset[str]
    callouts: Mapping[str, str]
    unwrapped: frozenset[str]


@lru_cache(maxsize=1)
def tables() -> Tables:
    """What is known of dialects."""
    data: dict[str, Any] = yaml.safe_load(_DATA.read_text("utf-8"))
    rows = []
    for name, row in data["dialects"].items():
        listed = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
        rows.append(Dialect(name, **listed))
    return Tables(
        tuple(rows),
        MappingProxyType(data["keys"]),
        frozenset(data["dropped"]),
        MappingProxyType(data["callouts"]),
        frozenset(data["unwrapped"]),
    )


@lru_cache(maxsize=4)
def dialect(folder: Folder) -> Dialect:
    """The dialect of a folder."""
    known = tables().dialects
    found = next((one for one in known if any(_has(folder, mark) for mark in one.marks)), known[-1])
    here = tuple(root for root in found.notes if not root or _has(folder, f"{root}/")) or ("",)
    order = _navigation(folder, here[0]) if found.name == "mkdocs" else {}
    return Dialect(found.name, found.marks, here, found.assets, found.skipped, found.mdx, order)


def _has(folder: Folder, mark: str) -> bool:
    return all(
        PurePosixPath(one) in folder.files if not one.endswith("/") else PurePosixPath(one) in _folders(folder.files)
        for one in mark.split("+")
    )


@lru_cache(maxsize=4)
def _folders(files: frozenset[PurePosixPath]) -> frozenset[PurePosixPath]:
    return frozenset(parent for file in files for parent in file.parents)


@lru_cache(maxsize=4)
def named(files: frozenset[PurePosixPath]) -> Mapping[str, tuple[PurePosixPath, ...]]:
    """The files by their names without case: nearer ones first, then by name."""
    found: dict[str, list[PurePosixPath]] = {}
    for file in sorted(files, key=lambda file: (len(file.parts), file)):
        found.setdefault(file.name.casefold(), []).append(file)
    return {name: tuple(files) for name, files in found.items()}


class _Loader(yaml.SafeLoader):
    """As it is, but with tags of Python, which MkDocs has, for nothing."""


_Loader.add_multi_constructor("", lambda loader, suffix, node: None)  # type: ignore[no-untyped-call]


def _navigation(folder: Folder, root: str) -> Mapping[PurePosixPath, int]:
    """The places of notes in `nav` of `mkdocs.yml`."""
    data = folder.read(PurePosixPath("mkdocs.yml")) or folder.read(PurePosixPath("mkdocs.yaml")) or b""
    try:
        value = yaml.load(data.decode("utf-8", "replace"), Loader=_Loader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    nav = value.get("nav") if isinstance(value, dict) else None
    found: dict[PurePosixPath, int] = {}

    def walk(item: object) -> None:
        if isinstance(item, str) and re.search(r"\.(?:md|markdown)$", item):
            found.setdefault(PurePosixPath(root, item), len(found) + 1)
        for inner in item.values() if isinstance(item, dict) else item if isinstance(item, list) else ():
            walk(inner)

    walk(nav)
    return found
