"""Folders of foreign notes for tests: from disk, or from texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from paper_notes.features.importing.markdown.reading import FORMAT
from paper_notes.features.importing.values import Folder, Foreign, Options, Original, Outline, Place, Places

FOLDERS = Path(__file__).with_name("folders")


def folder_of(files: Mapping[str, str | bytes]) -> tuple[Folder, tuple[Original, ...]]:
    """A folder that holds these files, and the notes in it."""
    data = {
        PurePosixPath(path): content.encode() if isinstance(content, str) else content
        for path, content in files.items()
    }
    originals = (
        Original(path, content.decode()) for path, content in sorted(data.items()) if path.suffix in FORMAT.suffixes
    )
    return Folder(frozenset(data), data.get), tuple(filter(FORMAT.recognises, originals))


def on_disk(name: str) -> dict[str, str | bytes]:
    """The files of a folder of the fixtures."""
    root = FOLDERS / name
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def places_of(outlines: tuple[Outline, ...]) -> Places:
    """Places as the frame gives them: numbers in order, beside those of the files."""
    numbers: Counter[str] = Counter()
    places: dict[PurePosixPath, Place] = {}
    names: defaultdict[str, list[Place]] = defaultdict(list)
    for outline in outlines:
        topic = outline.topic or "notes"
        numbers[topic] += 1
        place = places[outline.path] = Place(outline, f"{topic}/#{numbers[topic]}")
        for name in dict.fromkeys((outline.path.stem, outline.title, *outline.aliases)):
            if place not in names[name.casefold()]:
                names[name.casefold()].append(place)
    return Places(places, {name: tuple(found) for name, found in names.items()}, {})


def titles_of(files: Mapping[str, str | bytes]) -> dict[str, str]:
    """The titles of the notes by the references to them."""
    folder, originals = folder_of(files)
    places = places_of(tuple(FORMAT.outline(original, folder) for original in originals))
    return {place.reference: place.outline.title for place in places.by_path.values()}


def read_all(files: Mapping[str, str | bytes]) -> dict[str, Foreign]:
    """All notes of a folder by their paths."""
    folder, originals = folder_of(files)
    outlines = tuple(FORMAT.outline(original, folder) for original in originals)
    places = places_of(outlines)
    return {
        original.path.as_posix(): FORMAT.read(original, outline, places, folder, Options())
        for original, outline in zip(originals, outlines, strict=True)
    }


def read_one(text: str, path: str = "x.md", **others: str | bytes) -> Foreign:
    """One note, read alone or beside others, whose names have `__` for a slash and `_md` for a suffix."""
    files = {name.replace("__", "/").replace("_md", ".md"): content for name, content in others.items()}
    return read_all({path: text, **files})[path]
