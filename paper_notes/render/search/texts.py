"""The texts of the notes in files beside the home page, which are loaded for a search.

A file holds the notes whose ids have hashes that begin with the same bits: if one note changes, only its file does.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from paper_notes.corpus.model import Lang, Note, NoteId
from paper_notes.corpus.paper import BibKey, Paper, entry_id
from paper_notes.markdown.body import Body, Slot, section_numbers
from paper_notes.patterns import regex
from paper_notes.render.plain import plain_sections
from paper_notes.render.search.folding import fold, traditional, variants
from paper_notes.values import Struct

LARGEST = 512 * 1024
"""Bytes of a file; a larger one is split into two."""


class Shard(Struct, frozen=True):
    """One file of texts: `search-<name>.css`."""

    name: str
    """Bits: `0110`; `all` if there is one file only."""
    notes: tuple[NoteId, ...]
    size: int
    """Size of its entries in bytes."""

    @property
    def path(self) -> str:
        return f"search-{self.name}.css"


def entry(
    note: NoteId,
    body: Body,
    words_of: Callable[[Slot, Lang], str],
    languages: Iterable[Lang],
    cards: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> str:
    """`[id, [["3.3 section-id", ...], "text of each, a line each"], ...]`, the languages in the site's order.

    A line is a heading, a tab, and the text under it. `words_of` gives the HTML of a slot. `cards` are those of a note
    that lists papers; the first language also has those without a section.
    """
    numbers = {
        section.id: number for section, number in zip(body.sections, section_numbers(body.sections), strict=True)
    }
    fields: list[object] = [note]
    bare = tuple((name, "\t".join(card)) for name, card in cards.items() if name not in numbers)
    for lang in languages:
        sections = plain_sections(body, lang, lambda slot, lang=lang: words_of(slot, lang))  # type: ignore[misc]
        sections = tuple((name, _with_facts(line, *cards[name]) if name in cards else line) for name, line in sections)
        if lang in body.halves:
            sections, bare = (*sections, *bare), ()
        names = [f"{numbers.get(name, '')} {name}".lstrip() for name, _ in sections]
        fields.append([names, "\n".join(text for _, text in sections)])
    return for_script(fields)


def shards(sizes: Mapping[NoteId, int]) -> tuple[Shard, ...]:
    """Divide notes into files. `sizes` are the bytes of the entry of every note that has one."""
    digests = {note: int.from_bytes(hashlib.sha256(note.encode()).digest()[:8], "big") for note in sizes}
    bits = sorted((f"{digest:064b}", note) for note, digest in digests.items())
    return tuple(_divided(bits, sizes, ""))


def sheet(name: str, entries: Iterable[str], *, chinese: bool = True) -> str:
    """A search file: these entries, with the folding of their characters; see `has_chinese`.

    A page opened from disk may load a style sheet without allowing scripts.
    """
    texts = ",".join(entries)
    others, old = variants(texts, chinese=chinese), traditional(texts) if chinese else ""
    return search_file(name, f"[[{texts}],{for_script(others)},{for_script(old)}]")


def search_file(name: str, data: str, style: str = "") -> str:
    """The file `search-<name>.css`: a style sheet with a string of JSON, after rules that style something."""
    quoted = data.replace("\\", "\\\\").replace('"', '\\"')
    return f'@charset "utf-8";\n{style}head{{--pn-{name}:"{quoted}"}}\n'


_RUNS = regex(r"[a-z0-9]{3,}|[\u2e80-\u9fff]{2,}")
GRAM_BITS = 16


def grams(entries: Iterable[str], *, chinese: bool = True) -> str:
    """Which runs of three letters and of two Chinese characters occur: a set of their hashes as bits, in base64.

    A file of texts need not be read for words that have other runs. The script has the same hash.
    """
    runs, seen = set(_RUNS.findall(fold("\n".join(entries), chinese=chinese))), set[str]()
    for run in runs:
        size = 3 if run.isascii() else 2
        seen.update(run[place : place + size] for place in range(len(run) - size + 1))
    bits = bytearray(1 << (GRAM_BITS - 3))
    for gram in seen:
        value = 0
        for sign in gram:
            value = value * 7919 + ord(sign) & (1 << GRAM_BITS) - 1
        bits[value >> 3] |= 1 << (value & 7)
    return base64.b64encode(bits).decode()


def _divided(notes: list[tuple[str, NoteId]], sizes: Mapping[NoteId, int], start: str) -> Iterator[Shard]:
    size = sum(sizes[note] for _, note in notes)
    if size > LARGEST and len(notes) > 1 and len(start) < 64:
        place = len(start)
        for bit in "01":
            yield from _divided([item for item in notes if item[0][place] == bit], sizes, start + bit)
    elif notes:
        yield Shard(start or "all", tuple(note for _, note in notes), size)


def for_script(value: object) -> str:
    """A value as JSON that is safe in a script and in a `<script>` element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


MOST_AUTHORS = 20
"""Authors of a paper at most: a year has thousands of papers, and the file of each day is loaded for a search."""


def cards_of(note: Note, papers: Mapping[BibKey, Paper]) -> Mapping[str, tuple[str, str]]:
    """Title and facts of each paper that a note lists, by the id of its card."""
    cards: dict[str, tuple[str, str]] = {}
    for entry in note.entries:
        paper = papers[entry.paper]
        authors = ", ".join(name.full for name in paper.authors[:MOST_AUTHORS])
        facts = (authors, paper.team, paper.arxiv or paper.doi or "", ", ".join(entry.keywords))
        cards[entry_id(paper)] = paper.title, " · ".join(filter(None, facts))
    return cards


def _with_facts(line: str, title: str, facts: str) -> str:
    """The text of a section, with the facts of its card below the heading."""
    heading, _, text = line.partition("\t")
    own = "" if title.casefold() in heading.casefold() else title
    return f"{heading}\t{' · '.join(filter(None, (own, facts, text)))}"
