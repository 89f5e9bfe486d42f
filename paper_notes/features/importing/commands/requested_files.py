"""The files that `paper-notes import` takes notes from, and those that they show, of other sites, too."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from paper_notes.commands.progress import counting
from paper_notes.commands.terminal import say
from paper_notes.diagnostics import UserError
from paper_notes.features.importing.folders import ImportRequest, other_programs
from paper_notes.features.importing.formats import formats
from paper_notes.features.importing.import_record import Record, earlier_imports_of
from paper_notes.features.importing.outside import free_path, list_folder, list_near, reader
from paper_notes.features.importing.types import Folder
from paper_notes.features.papers.commands.services import open_web
from paper_notes.features.papers.downloads import download_picture
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape
from paper_notes.sources.tree import MAX_NOTE_BYTES
from paper_notes.values import replace

_NEAR = 2000
"""So many files beside those that were named are looked at: they may be pictures, or say which tool keeps the notes."""
_WORDS = regex(r"[^\s()<>\[\]\"'|]+")
_NAMED = regex(r".+\.\w{2,4}(?=[#?]|$)")
_LONGEST = 1000
"""Characters of a name: a longer word is none, and takes long to look at."""


def request_for(paths: Sequence[Path], record: Record, *, quiet: bool = False) -> tuple[ImportRequest, Path]:
    """What paths mean, a folder, or some files of which others may be beside them, and the folder that has them all.

    If that was taken in earlier as a part of another folder, it is that one, which is said unless `quiet`.
    Raises UserError.
    """
    folders = [path for path in paths if path.is_dir()]
    if folders and len(paths) > 1:
        raise UserError("one folder is taken in at a time", "name the folder that has them all, or import one by one")
    for path in paths:
        if not folders and not path.is_file():
            raise UserError(f'there is no file or folder "{path}"', "check its name")
        if not folders and (hints := [*other_programs([PurePosixPath(path.as_posix())])]):
            raise UserError(f'"{path}" is not a note', "; ".join(hints))
    whole = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100 -- links in it are as the user names them
    base = whole[0] if folders else Path(os.path.commonpath([path.parent for path in whole]))
    files: Mapping[PurePosixPath, str] = {}
    for path in whole if not folders else ():
        files = {**files, free_path(PurePosixPath(path.relative_to(base).as_posix()), files): str(path)}
    left: Mapping[PurePosixPath, str] = {}
    if folders:
        files, left = list_folder(base)
    top, homes = earlier_imports_of(
        base.parts,
        [path for path in files if is_text(path)],
        record,
        lambda parts: _text(reader({PurePosixPath(): os.path.join(*parts)})(PurePosixPath())),
        lambda parts: Path(*parts).exists(),
    )
    root, name = Path(*top), homes.name(PurePosixPath())
    if not quiet and (root != base or name != base.name):
        say(f'"{paths[0]}" is in "{name}", which was taken in earlier')
    if root == base and folders:
        return ImportRequest(Folder(frozenset(files), reader(files)), name, homes, left=left), root
    below = PurePosixPath(base.relative_to(root).as_posix())
    files = {below / path: place for path, place in files.items()}
    keys = homes.taken(record)
    earlier = {path: str(root / path) for path in keys}
    notes = {record[keys[path]].note for path in files if path in keys}
    twins = {path: place for path, place in earlier.items() if record[keys[path]].note in notes}
    files = {**{path: place for path, place in twins.items() if Path(place).is_file()}, **files}
    asked = frozenset(files)
    files = {**_beside(root, files), **files}
    folder = Folder(frozenset(files), reader({**earlier, **files}))
    return ImportRequest(folder, name, homes, asked, left={below / path: why for path, why in left.items()}), root


def _beside(root: Path, files: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, str]:
    """Files that the notes may show: those near them, and those that they name."""
    beside = {path: place for path, place in list_near(root, _NEAR).items() if not is_text(path)}
    read = reader(files)
    for file in files:
        for name in _named(_text(read(file)) or ""):
            inside = unquote(name).lstrip("/") if name.startswith("/") else f"{file.parent}/{unquote(name)}"
            path = PurePosixPath(os.path.normpath(inside))
            place = root / path
            is_wanted = ".." not in path.parts and path not in beside and not is_text(path)
            if is_wanted and os.path.isfile(place) and not place.is_symlink():  # noqa: PTH113 -- also of too long names
                beside[path] = str(place)
    return beside


def _named(text: str) -> set[str]:
    """What may be the names of files in a text."""
    words = (word for word in set(_WORDS.findall(text)) if len(word) <= _LONGEST)
    return {match[0] for word in words if (match := _NAMED.match(word))}


def _text(data: bytes | None) -> str | None:
    """What a file says, if it is UTF-8: enough to know it again."""
    try:
        return None if data is None else data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        return None


def is_text(path: PurePosixPath) -> bool:
    """Whether it may be a note, by its name."""
    return any(path.suffix.lower() in row.suffixes for row in formats())


def say_unread(unread: Mapping[PurePosixPath, str], place: PurePosixPath) -> None:
    """Say which files of the folder at a place were not taken in, and why."""
    groups: dict[str, list[PurePosixPath]] = {}
    for path, why in unread.items():
        groups.setdefault(why, []).append(path)
    for why, paths in sorted(groups.items()):
        count, some = len(paths), ", ".join(map(str, paths[:5]))
        if why == "other-kind":
            kinds = Counter(path.suffix.lower() or path.name for path in paths)
            counted = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common(8))
            say(f"  left out, files that are neither notes nor pictures: {count} ({counted}), such as {paths[0]}")
            for hint in other_programs(place / path for path in paths):
                say(f"    {hint}")
            continue
        say(_LEFT_OUT.get(why, _NO_NOTES).format(count, some))
        if why == "deleted":
            say("    `paper-notes remove NOTE` removes one, if nothing refers to it")


_NO_NOTES = "  left out, no notes but files of a repository or a tool: {} ({})"
_LEFT_OUT = {
    "unused": "  left out, pictures that no note shows: {} ({})",
    "link": "  left out, links to other places: {} ({}); import what they lead to",
    "unreadable": "  left out, cannot be read: {} ({}); check their permissions",
    "too-large": f"  left out, larger than {MAX_NOTE_BYTES // 1024} KB: {{}} ({{}}); cut them in several notes",
    "binary": "  left out, not text: {} ({})",
    "broken": "  left out, cannot be read as what their names say: {} ({}); open them and save them again",
    "lossy": "  left out, words would be lost: {} ({})",
    "deleted": "  not there any more, while their notes stay: {} ({})",
    "empty": "  left out, empty: {} ({})",
}


DOWNLOADED = PurePosixPath(".downloaded")
"""Where they are in the folder; no file there is among its own."""
_SHOWN = regex(
    r"!\[[^\]\n]*\]\(\s*<?((?:https?:)?//[^\s<>)]+)|<img\b[^>]*?\bsrc\s*=\s*[\"']?((?:https?:)?//[^\s\"'>]+)",
    re.IGNORECASE,
)


def addresses_in(text: str) -> tuple[str, ...]:
    """The addresses of pictures of other sites in Markdown or HTML, as they stand there."""
    return tuple(dict.fromkeys(match[1] or unescape(match[2]) for match in _SHOWN.finditer(text)))


def with_pictures(root: Path, wanted: ImportRequest) -> ImportRequest:
    """What is wanted, with the pictures of other sites that its files show. One that cannot be had stays a link."""
    folder = wanted.folder
    files = sorted((path for path in folder.files if is_text(path)), key=str)
    texts = ((folder.read(path) or b"").decode(errors="replace") for path in files)
    addresses = dict.fromkeys(address for text in texts for address in addresses_in(text))
    named: dict[str, PurePosixPath] = {}
    content: dict[PurePosixPath, bytes] = {}
    with open_web(root) as web, counting("Fetching pictures", len(addresses)) as progress:
        for number, address in enumerate(addresses, 1):
            try:
                data, suffix = download_picture(web, f"https:{address}" if address.startswith("//") else address)
                stem = (
                    re.sub(r"[^\w-]+", "-", PurePosixPath(address.partition("?")[0]).stem).strip("-")[:40] or "picture"
                )
                named[address] = DOWNLOADED / f"{stem}-{hashlib.sha256(data).hexdigest()[:8]}{suffix}"
                content[named[address]] = data
            except UserError as problem:
                say(f"{address}: {problem.message}")
            progress(number)
    read = partial(_read, folder.read, content)
    return replace(wanted, folder=replace(folder, files=folder.files.union(content), read=read, remote=named))


def _read(
    read: Callable[[PurePosixPath], bytes | None], content: Mapping[PurePosixPath, bytes], path: PurePosixPath
) -> bytes | None:
    return content[path] if path in content else read(path)
