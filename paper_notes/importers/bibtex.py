"""Papers that BibTeX knows already: entries of the collection, and entries of somebody else's .bib file."""

from __future__ import annotations

from dataclasses import replace

from paper_notes.corpus.from_bibtex import papers_from
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, UserError, did_you_mean
from paper_notes.draft import Draft
from paper_notes.sources.bibtex import BibEntry, parse_bibtex
from paper_notes.sources.tree import Source

MAX_ENTRY = 200_000
"""Characters: the longest have 5,000 authors."""
_LISTED = 12


def draft_of(paper: Paper) -> Draft:
    """A paper of the collection."""
    return Draft(
        source="bibtex",
        arxiv=paper.arxiv,
        year=paper.year,
        month=paper.month,
        title=paper.title,
        authors=paper.authors,
        abstract=paper.abstract,
        doi=paper.doi,
        key=paper.key,
    )


def draft_from(source: Source, key: str) -> tuple[Draft, tuple[Diagnostic, ...]]:
    """The entry with this key, or the only one if no key is given, and what is wrong with it.

    Its text is taken over as it is, with an entry it refers to by `crossref`.
    Raises UserError.
    """
    entries, problems = parse_bibtex(source)
    keys = [entry.key for entry in entries]
    if not entries:
        hint = problems[0].message if problems else "is it a .bib file?"
        raise UserError(f"{source.path} holds no entry that can be read", hint)
    if not key and len(entries) > 1:
        names = ", ".join(keys[:_LISTED]) + (", ..." if len(keys) > _LISTED else "")
        hint = f"name one of them, like {source.path}:{keys[0]}"
        raise UserError(f"{source.path} holds {len(keys)} entries: {names}", hint)
    entry = next((entry for entry in entries if entry.key == (key or entries[0].key)), None)
    if entry is None:
        raise UserError(f'{source.path} holds no entry "{key}"', did_you_mean(key, keys))
    papers, found = papers_from(entries)
    place = [other.location.line for other in entries] + [source.text.count("\n") + 2]
    lines = range(entry.location.line, min(line for line in place if line > entry.location.line))
    mine = tuple(problem for problem in (*problems, *found) if problem.location.line in lines)
    draft = draft_of(papers[BibKey(entry.key)])
    parent = next((other for other in entries if _refers(entry, other)), None)
    texts = [entry.raw, parent.raw] if parent else [entry.raw]
    if (size := sum(map(len, texts))) > MAX_ENTRY:
        message = f"the entry {entry.key[:80]} has {size:,} characters, more than the {MAX_ENTRY:,} allowed"
        raise UserError(message, "take out of it what no entry needs")
    return replace(draft, key=None, entry="\n\n".join(texts) + "\n"), mine


def _refers(entry: BibEntry, other: BibEntry) -> bool:
    parent = entry.fields.get("crossref")
    return bool(parent and parent.value.lower() == other.key.lower())
