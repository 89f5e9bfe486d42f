"""`notes_src/.imported.json`: what was taken in from where, so that it can be done again without old copies.

Folders that were taken in are known whatever they are called now and whichever part of them is named. Nothing of a
machine is recorded: a folder is known by the ends of its paths and by what its files say.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice, takewhile
from pathlib import PurePosixPath
from typing import Any
from zlib import crc32

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE
from paper_notes.diagnostics import UserError
from paper_notes.values import Struct, asdict, field, from_json

RECORD = BASE / ".imported.json"
_VERSION = 1
_LINE, _KEPT = 4, 12
"""Lines of so many characters count in a sketch, which has so many of them."""


class RecordedText(Struct, frozen=True):
    """A text that was taken in. Digests are those of what was written then."""

    note: str
    """The note's id at that time: `agents/04_Memory`. Empty for what a README told, of which there are other facts."""
    language: str
    original: str
    """SHA-256 of the original."""
    sections: Mapping[str, str] = field(default_factory=dict)
    """By the key of a piece of the text, see `sections`."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """By the key of note.yaml."""
    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 by the path in the note's folder."""
    sketch: str = ""
    """Of the original's lines, see `sketch_of`: it is known again when some of them have changed."""


Record = Mapping[str, RecordedText]
"""By the path of the original, which begins with the name of the folder that was named."""


class _Recorded(Struct, frozen=True):
    """The file."""

    version: int
    taken: Record


def read_record(data: bytes | None) -> Record:
    """The record in a file; empty if there is none. Raises UserError for one that cannot be read."""
    if data is None:
        return {}
    try:
        known = from_json(_Recorded, data.decode())
        if known.version != _VERSION:
            raise ValueError(known.version)
        return known.taken
    except ValueError as error:
        hint = "restore it from git; without it, what you have changed cannot be told from what was imported"
        raise UserError(f"{RECORD} cannot be read", hint) from error


def record_file(record: Record) -> Artifact:
    """The record as a file: a line for each original, for merges."""
    lines = [f"{_json(path)}: {_json(asdict(record[path]))}" for path in sorted(record)]
    return Artifact.text(RECORD, f'{{"version": {_VERSION}, "taken": {{\n' + ",\n".join(lines) + "\n}}\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def sketch_of(text: str) -> str:
    """A short value for the lines of a text: texts with many lines in common have similar ones.

    The smallest hashes of its lines; see "MinHash" (Broder 1997).
    """
    lines = {line for raw in text.split("\n") if len(line := raw.strip()) >= _LINE}
    return " ".join(sorted(f"{crc32(line.encode()):08x}" for line in lines)[:_KEPT])


def alike(sketch: str, other: str, least: float = 0.25) -> bool:
    """Whether the texts of two sketches have about this part of their lines in common."""
    mine, theirs = set(sketch.split()), set(other.split())
    smallest = sorted(mine | theirs)[:_KEPT]
    return bool(smallest) and len(mine & theirs & {*smallest}) >= least * len(smallest)


# Which folders were taken in earlier

_ENOUGH = 2
"""One file in so many that has a place of the record must say what it said then."""
_RENAMED = 0.5
"""How much of a text must be the same to know it by that alone."""
_PROBES, _ABOVE = 8, 5
"""So many files are looked at beside new ones, in so many folders above them."""
Parts = tuple[str, ...]


class EarlierImports(Struct, frozen=True):
    """How the record names the originals below a folder."""

    roots: tuple[tuple[PurePosixPath, str], ...]
    """Folders below it, and the name of each in the record; the deepest first."""
    sure: frozenset[str] = frozenset()
    """The names of those that were taken in earlier; another folder may only be called the same."""

    def _home(self, path: PurePosixPath) -> tuple[PurePosixPath, str]:
        return next((home for home in self.roots if path.is_relative_to(home[0])), (PurePosixPath(), ""))

    def name(self, path: PurePosixPath) -> str:
        """The name of the folder that an original is in."""
        return self._home(path)[1]

    def key(self, path: PurePosixPath) -> str:
        """How the record names an original."""
        root, name = self._home(path)
        return str(PurePosixPath(name) / path.relative_to(root))

    def taken(self, record: Record) -> dict[PurePosixPath, str]:
        """The keys of the originals of earlier imports, by their paths."""
        keys: dict[PurePosixPath, str] = {}
        for key, recorded in record.items():
            for root, name in self.roots if recorded.note else ():
                if not name or key.startswith(f"{name}/"):
                    path = root / PurePosixPath(key).relative_to(name)
                    if self.key(path) == key:
                        keys[path] = key
        return keys


def earlier_imports_of(
    base: Parts,
    files: Iterable[PurePosixPath],
    record: Record,
    text_of: Callable[[Parts], str | None],
    is_there: Callable[[Parts], bool],
) -> tuple[Parts, EarlierImports]:
    """The folder to take the files from, which is `base` or above it, and its homes.

    `text_of` reads any file of the disk, and `is_there` looks for one.
    """
    votes = _votes([(*base, *file.parts) for file in files], record, text_of)
    sure = _sure(votes, is_there)
    if not sure:  # all of them are new: others may be beside them
        votes = _votes(list(islice(_beside(base, record, is_there), _PROBES)), record, text_of)
        sure = _sure(votes, is_there)
    tops = [root for root in sure if base[: len(root)] == root]
    top = max(tops, key=lambda root: (votes[root, sure[root]].same, len(root)), default=base)
    roots = {PurePosixPath(*root[len(top) :]): name for root, name in sure.items() if root[: len(top)] == top}
    roots.setdefault(PurePosixPath(), top[-1] if len(top) > 1 else "")
    ordered = sorted(roots.items(), key=lambda item: (-len(item[0].parts), item))
    return top, EarlierImports(tuple(ordered), frozenset(sure.values()))


class _Vote(Struct):
    """What speaks for a folder and its name in the record."""

    same: int = 0
    """How many files say what they said then."""
    all: int = 0
    example: Parts = ()
    """The path of one of the same, in the folder."""


_Votes = Mapping[tuple[Parts, str], _Vote]


def _votes(files: Sequence[Parts], record: Record, text_of: Callable[[Parts], str | None]) -> _Votes:
    """What speaks for each folder that files may be of, as the record names them."""
    by_name: dict[str, list[tuple[Parts, RecordedText]]] = defaultdict(list)
    for key, recorded in record.items():
        parts = PurePosixPath(key).parts
        if recorded.note and len(parts) > 1:
            by_name[parts[-1]].append((parts, recorded))
    votes: dict[tuple[Parts, str], _Vote] = defaultdict(_Vote)
    for file in files:
        candidates = by_name.get(file[-1])
        text = text_of(file) if candidates else None
        if not candidates or text is None:
            continue
        digest, sketch = sha256(text.encode()).hexdigest(), sketch_of(text)
        most = max(shared_end(file, parts) for parts, _ in candidates)
        for parts, recorded in candidates:
            if shared_end(file, parts) < most:
                continue
            root = file[: 1 - len(parts)]
            same = digest == recorded.original or alike(sketch, recorded.sketch)
            if same or most >= len(parts) - 1:
                vote = votes[root, parts[0]]
                vote.same += same
                vote.all += 1
                vote.example = parts[1:] if same else vote.example
    return votes


def _sure(votes: _Votes, is_there: Callable[[Parts], bool]) -> dict[Parts, str]:
    """The folders that were taken in earlier, each with another name of the record: none beside which that one is."""

    def rank(item: tuple[tuple[Parts, str], _Vote]) -> tuple[bool, int, Parts]:
        (root, name), vote = item
        return root[-1:] != (name,), -vote.same, root

    sure: dict[Parts, str] = {}
    for (root, name), vote in sorted(votes.items(), key=rank):
        others = ((*root[:end], name) for end in range(1, len(root)) if (*root[:end], name) != root)
        is_copy = root[-1:] != (name,) and any(is_there((*other, *vote.example)) for other in others)
        if vote.same * _ENOUGH >= max(vote.all, 1) and not is_copy and name not in sure.values():
            sure.setdefault(root, name)
    return sure


def _beside(base: Parts, record: Record, is_there: Callable[[Parts], bool]) -> Iterator[Parts]:
    """Files of earlier imports that are in a folder, or in one above it that has the name of a folder of the record."""
    for key in record:
        parts = PurePosixPath(key).parts
        for length in range(1, len(parts)):
            for place in (base[:end] for end in range(len(base), max(len(base) - _ABOVE, 0), -1)):
                named = place[-length:] == parts[:length] or (place == base and length == 1)
                if named and is_there(file := (*place, *parts[length:])):
                    yield file


def shared_end(path: Parts, other: Parts) -> int:
    """How many parts both end with."""
    ends = zip(reversed(path), reversed(other), strict=False)
    return len([*takewhile(lambda both: both[0] == both[1], ends)])


def renamed(
    texts: Mapping[PurePosixPath, str],
    is_there: Callable[[PurePosixPath], bool],
    earlier: Mapping[PurePosixPath, str],
    record: Record,
) -> dict[PurePosixPath, str]:
    """The keys that files had which have other paths now: what they say is the same, and the old path is empty.

    `earlier` has the keys of the record by their paths.
    """
    fresh = sorted(set(texts) - set(earlier))
    missing = {key: record[key] for path, key in earlier.items() if fresh and not is_there(path)}
    by_line: dict[str, list[str]] = defaultdict(list)
    for key, recorded in missing.items():
        for line in (recorded.original, *recorded.sketch.split()):
            by_line[line].append(key)
    keys: dict[PurePosixPath, str] = {}
    for path in fresh if missing else ():
        digest, sketch = sha256(texts[path].encode()).hexdigest(), sketch_of(texts[path])
        near = [key for key in by_line[digest] if key in missing]
        if not near:
            like = dict.fromkeys(key for line in sketch.split() for key in by_line[line] if key in missing)
            near = [key for key in like if alike(sketch, missing[key].sketch, _RENAMED)]
        if len(near) == 1:
            keys[path] = near[0]
            del missing[near[0]]
    return keys
