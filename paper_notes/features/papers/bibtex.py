"""Papers from BibTeX: entries of the collection, and entries of another .bib file."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, UserError, did_you_mean
from paper_notes.features.papers import arxiv
from paper_notes.features.papers.arxiv import ArxivReference
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Choice, Fetched, Importer, PaperReference, Services
from paper_notes.sources.bibtex import BibEntry, parse_bibtex
from paper_notes.sources.tree import Source

MAX_ENTRY = 200_000
"""The most characters of an entry: the longest have 5,000 authors."""
_LISTED = 12
_FILE = re.compile(r"(?P<path>.*?\.bib)(?::(?P<key>\S+))?", re.IGNORECASE)
"""The key of an entry at DBLP has slashes."""


def _recognise_file(text: str, keys: Container[BibKey]) -> PaperReference[str] | None:
    match = _FILE.fullmatch(text)
    return PaperReference(match["key"] or "", file=match["path"]) if match else None


def _fetch_from_file(reference: PaperReference[str], services: Services) -> Fetched:
    """The entry that is named; of several, that which the user chooses."""
    source = _read(reference, services)
    if not reference.id and len(members := members_of(source)) > 1:
        papers, _ = papers_from(parse_bibtex(source)[0])
        choices = [Choice(f"{reference.file}:{key}", draft_of(papers[BibKey(key)])) for key in members]
        names = ", ".join(members[:_LISTED]) + (", ..." if len(members) > _LISTED else "")
        hint = f"name one of them, like {choices[0].reference}; --all makes a note of each"
        problem = UserError(f"{reference.file} holds {len(members)} entries: {names}", hint)
        reference = replace(reference, id=members[services.choose(choices, problem)])
    return Fetched(*draft_from(source, reference.id))


def _read(reference: PaperReference[str], services: Services) -> Source:
    return Source(PurePosixPath(reference.file), services.text_of(reference.file).encode())


def members_of(source: Source) -> Sequence[str]:
    """The keys of the entries that are papers: not those which others only refer to."""
    entries, _ = parse_bibtex(source)
    parents = {parent.value.lower() for entry in entries if (parent := entry.fields.get("crossref"))}
    return [entry.key for entry in entries if entry.key.lower() not in parents] or [entry.key for entry in entries]


def _members(reference: PaperReference[str], services: Services) -> tuple[PaperReference[str], ...]:
    keys = [reference.id] if reference.id else members_of(_read(reference, services))
    return tuple(replace(reference, id=key) for key in keys)


def _recognise_key(text: str, keys: Container[BibKey]) -> PaperReference[BibKey] | None:
    key = BibKey(text)
    return PaperReference(key, Draft("bibtex", key=key)) if key in keys else None


def _fetch_known(reference: PaperReference[BibKey], services: Services) -> Fetched:
    """The facts of the collection's own entry; only a missing abstract is fetched from arXiv."""
    paper = services.papers[reference.id]
    draft = draft_of(paper)
    if draft.abstract or not draft.arxiv or services.web is None:
        return Fetched(draft)
    try:
        abstract = arxiv.look_up(ArxivReference(draft.arxiv, paper.version), services).abstract
    except UserError as problem:
        services.say(f"{problem.message}. The note is made without the abstract")
        return Fetched(draft)
    return Fetched(replace(draft, abstract=abstract))


def draft_of(paper: Paper) -> Draft:
    """The Draft of a paper of the collection."""
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
    """The entry with this key, or the first if the key is empty, and its diagnostics.

    Its text is copied as it is, with the entry it refers to by `crossref`.
    Raises UserError.
    """
    entries, problems = parse_bibtex(source)
    keys = [entry.key for entry in entries]
    if not entries:
        hint = problems[0].message if problems else "is it a .bib file?"
        raise UserError(f"{source.path} holds no entry that can be read", hint)
    wanted = key or members_of(source)[0]
    entry = next((entry for entry in entries if entry.key == wanted), None)
    if entry is None:
        raise UserError(f'{source.path} holds no entry "{key}"', did_you_mean(key, keys))
    papers, mistakes = papers_from(entries)
    starts = [other.location.line for other in entries] + [source.text.count("\n") + 2]
    lines = range(entry.location.line, min(line for line in starts if line > entry.location.line))
    mine = tuple(problem for problem in (*problems, *mistakes) if problem.location.line in lines)
    draft = draft_of(papers[BibKey(entry.key)])
    parent = next((other for other in entries if _refers(entry, other)), None)
    texts = [entry.raw, parent.raw] if parent else [entry.raw]
    if (size := sum(map(len, texts))) > MAX_ENTRY:
        message = f"the entry {entry.key[:80]} has {size:,} characters, more than the {MAX_ENTRY:,} allowed"
        raise UserError(message, "remove the fields that it does not need")
    return replace(draft, key=None, entry="\n\n".join(texts) + "\n"), mine


def _refers(entry: BibEntry, other: BibEntry) -> bool:
    parent = entry.fields.get("crossref")
    return bool(parent and parent.value.lower() == other.key.lower())


FILE = Importer(
    _recognise_file,
    _fetch_from_file,
    form="a .bib file (refs.bib:key)",
    is_local=True,
    help=(("refs.bib, refs.bib:key", "an entry of a .bib file"),),
    members=_members,
)
KEY = Importer(
    _recognise_key,
    _fetch_known,
    form="a key of library.bib",
    is_local=True,
    help=(("leviathan2022fast", "a key of the collection's own BibTeX"),),
)
