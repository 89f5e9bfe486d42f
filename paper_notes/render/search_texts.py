"""The texts of the notes as files beside the home page, which its script loads when somebody searches in them.

A file holds the notes whose ids have hashes that begin with the same bits: when one note changes, only its file does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain

from paper_notes.corpus.model import LANGS, Corpus, Lang, NoteId
from paper_notes.markdown.body import Body, Slot
from paper_notes.render.plain import plain_sections

LARGEST = 512 * 1024
"""Bytes of a file; where it would be larger its notes are parted into two."""
WordsOf = Callable[[Slot, NoteId, Lang], str]


@dataclass(frozen=True, slots=True)
class Shard:
    """One file of texts: `search-<name>.js`."""

    name: str
    """Bits: `0110`; `all` if there is one file only."""
    script: str

    @property
    def path(self) -> str:
        return f"search-{self.name}.js"


@dataclass(frozen=True, slots=True)
class _Entry:
    bits: str
    json: str
    size: int


def shards(corpus: Corpus, bodies: Mapping[NoteId, Body], words_of: WordsOf) -> tuple[Shard, ...]:
    """The files with the text of every note that has one. `words_of` tells what a slot shows."""
    entries = [_entry(note.id, bodies[note.id], words_of) for note in corpus.notes if note.id in bodies]
    return tuple(_files(sorted(entries, key=lambda entry: entry.bits), ""))


def _entry(note: NoteId, body: Body, words_of: WordsOf) -> _Entry:
    """`[id, [[section ids], "text of each, a line each"], ...]`, the languages as in LANGS."""
    fields: list[object] = [note]
    for lang in LANGS:
        found = plain_sections(body, lang, lambda slot, lang=lang: words_of(slot, note, lang))  # type: ignore[misc]
        fields.append([[name for name, _ in found], "\n".join(text for _, text in found)])
    digest = int.from_bytes(hashlib.sha256(note.encode()).digest()[:8], "big")
    text = for_script(fields)
    return _Entry(f"{digest:064b}", text, len(text.encode()))


def _files(entries: list[_Entry], bits: str) -> chain[Shard] | tuple[Shard, ...]:
    if not entries:
        return ()
    if sum(entry.size for entry in entries) > LARGEST and len(entries) > 1 and len(bits) < 64:
        ones = [entry for entry in entries if entry.bits[len(bits)] == "1"]
        zeros = [entry for entry in entries if entry.bits[len(bits)] == "0"]
        return chain(_files(zeros, f"{bits}0"), _files(ones, f"{bits}1"))
    lines = ",\n".join(entry.json for entry in entries)
    return (Shard(bits or "all", f"pnTexts([\n{lines}\n])\n"),)


def for_script(value: object) -> str:
    """A value as JSON that may stand in a script, and in a `<script>` element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
