"""Adds facts to an entry of a .bib file that its user may have written on: nothing that it says is changed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Location, UserError
from paper_notes.features.moving.edits import FileEdit
from paper_notes.features.papers.draft import Draft, bibtex_entry
from paper_notes.sources.bibtex import BibEntry, parse_bibtex
from paper_notes.sources.tree import Source, text_position

_VENUE = frozenset(
    "journal journaltitle booktitle howpublished series volume number pages publisher school institution editor "
    "address organization".split()
)
"""Fields that are added only if there is none of them: those of two venues do not go together."""
_SAME = {"year": "date", "month": "date", "abstract": "abstract", "url": "doi"}
"""Fields that are not added beside another one which says the same."""
_SPELLING = {"archiveprefix": "archivePrefix", "primaryclass": "primaryClass"}
_HEAD = re.compile(r"@(\w+)(\s*[{(]\s*)")


def entry_of(sources: Iterable[Source], key: BibKey) -> tuple[Source, BibEntry]:
    """The entry of this key, and its file. Raises UserError."""
    for source in sources:
        if source.path.suffix == ".bib" and key.encode() in source.data:
            for entry in parse_bibtex(source)[0]:
                if entry.key == key:
                    return source, entry
    raise UserError(f'the entry "{key}" is not in the .bib files as it stands', "write it without @string")


def filled(
    source: Source, entry: BibEntry, skeleton: Draft, draft: Draft | None, key: BibKey, *, with_title: bool
) -> tuple[FileEdit, ...]:
    """The edits that give an entry its key, and the facts of `draft` that it lacks; and its title, if `with_title`.

    An entry that is as it was made of the `skeleton` is written anew. Raises UserError.
    """
    text = source.text
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: entry.location.line - 1]) + entry.location.column - 1
    end, head = start + len(entry.raw), _HEAD.match(text, start)
    if text[start:end] != entry.raw or head is None:
        message = f"{entry.location}: the entry uses @string or #, so nothing can be added to it"
        raise UserError(message, "write its values in braces")

    def at(offset: int) -> Location:
        return Location(source.path, *text_position(text, offset))

    same_ids = draft and all(
        old in (None, new) for old, new in ((skeleton.arxiv, draft.arxiv), (skeleton.doi, draft.doi))
    )
    if draft and same_ids and not draft.entry and _body(entry.raw) == _body(bibtex_entry(skeleton, ())):
        kind, body = draft.entry_type, _body(bibtex_entry(draft, ()))
        return (FileEdit(at(start), entry.raw, f"@{kind}{{{key},{body}"),)
    edits = [FileEdit(at(head.end()), entry.key, key)] if key != entry.key else []
    if draft is None:
        return tuple(edits)
    new_entry = parse_bibtex(Source(PurePosixPath("new.bib"), (draft.entry or bibtex_entry(draft, ())).encode()))[0][0]
    has_venue = bool(_VENUE & entry.fields.keys())
    if entry.entry_type == "misc" != new_entry.entry_type and not has_venue:
        edits.append(FileEdit(at(head.start(1)), head[1], new_entry.entry_type))
    if with_title and draft.title and (title := entry.fields.get("title")):
        value = sum(len(line) + 1 for line in lines[: title.location.line - 1]) + title.location.column - 1
        edits.append(FileEdit(at(value), _braced(text, value, end), f"{{{new_entry.fields['title'].value}}}"))
    added = [
        f"\n  {_SPELLING.get(name, name)} = {field.value[:3].lower() if name == 'month' else f'{{{field.value}}}'},"
        for name, field in new_entry.fields.items()
        if name not in entry.fields and not (has_venue and name in _VENUE) and _SAME.get(name) not in entry.fields
    ]
    if added:
        before = text[start : end - 1].rstrip()
        comma = "" if before.endswith(",") else ","
        edits.append(FileEdit(at(start + len(before)), "", comma + "".join(added)))
    return tuple(edits)


def _body(entry: str) -> str:
    """What follows after the key."""
    return entry.strip().partition(",")[2]


def _braced(text: str, start: int, end: int) -> str:
    """The value in braces or quotation marks that starts here. Raises UserError."""
    depth = 0
    for mark in re.finditer(r'[{}"]', text[start:end]):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth == 0 and mark.start():
            return text[start : start + mark.end()]
    raise UserError("the title of the entry has no end", "write it in braces")
