"""Papers from BibTeX: entries of the collection, and entries of another .bib file."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import PurePosixPath
from urllib.parse import unquote

from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, UserError, did_you_mean, has_errors
from paper_notes.features.papers import arxiv
from paper_notes.features.papers.arxiv import ArxivReference
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Choice, Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.pdf import outline_of
from paper_notes.patterns import regex
from paper_notes.sources.bibtex import BibEntry, parse_bibtex
from paper_notes.sources.tree import Source
from paper_notes.values import replace

MAX_ENTRY = 200_000
"""The most characters of an entry: the longest have 5,000 authors."""
_LISTED = 12
_FILE = regex(r"(?P<path>.*?\.bib)(?::(?P<key>\S+))?", re.IGNORECASE)
"""The key of an entry at DBLP has slashes."""
_BETWEEN_FILES, _BETWEEN_PARTS = re.compile(r"(?<!\\);"), re.compile(r"(?<!\\):")
_ESCAPED = regex(r"\\([\\{}:;_%&#$])")


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
        hint = "name one of them as FILE:KEY; --all makes a note of each"
        problem = UserError(f"{reference.file} holds {len(members)} entries: {names}", hint)
        reference = replace(reference, id=members[services.choose(choices, problem)])
    draft, problems = draft_from(source, reference.id)
    return _with_pdf(Fetched(draft, problems), source, reference.id or members_of(source)[0], services)


def _with_pdf(paper: Fetched, source: Source, key: str, services: Services) -> Fetched:
    """The paper with the first PDF in the field `file`. One that cannot be read is no mistake."""
    field = next(entry for entry in parse_bibtex(source)[0] if entry.key == key).fields.get("file")
    folder = source.path.parent
    paths = [
        PurePosixPath(path) if path[1:3] == ":/" else folder / path for path in pdf_paths(field.value if field else "")
    ]
    for number, path in enumerate(paths):
        try:
            data = services.read_file(str(path))
            outline = outline_of(services.read_pdf(data))
        except UserError as problem:
            paper = replace(paper, without=(*paper.without, f"{key} ({problem.message})"))
            continue
        if others := ", ".join(other.name for other in paths[number + 1 :]):
            services.say(f"Of the PDFs of {key}, {path.name} is taken, and not {others}.")
        return replace(paper, draft=replace(paper.draft, outline=outline), pdf=data, pdf_file=str(path))
    return paper


def pdf_paths(value: str) -> list[str]:
    r"""The PDFs in a field `file`, with `/` between folders.

    Better BibTeX writes `a.pdf;b.pdf`, Zotero and JabRef `title:a.pdf:application/pdf`; a backslash may stand before
    `:`, `;`, `\\` and braces. Mendeley writes `C$\backslash$:`.
    """
    paths = []
    for file in _BETWEEN_FILES.split(value.replace(r"$\backslash$", "\\")):
        parts = [_ESCAPED.sub(r"\1", part).strip() for part in _BETWEEN_PARTS.split(file)]
        at = max((at for at, part in enumerate(parts) if part.lower().endswith(".pdf")), default=-1)
        before = parts[at - 1] if at > 0 else ""
        if at < 0 or before.lower() in ("http", "https"):
            continue
        path = parts[at].replace("\\", "/")
        is_drive = len(before) == 1 and before.isalpha() and path.startswith("/")
        paths.append(f"{before}:{path}" if is_drive else unquote(path) if before == "file" else path)
    return list(dict.fromkeys(paths))


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

    Its text is copied as it is but for `file`, with the entry it refers to by `crossref`.
    Raises UserError.
    """
    entries = list(_entries(source))
    if not entries:
        _, problems = parse_bibtex(source)
        hint = problems[0].message if problems else "is it a .bib file?"
        raise UserError(f"{source.path} holds no entry that can be read", hint)
    wanted = key or members_of(source)[0]
    known = next((known for known in entries if known[0].key == wanted), None)
    if known is None:
        raise UserError(
            f'{source.path} holds no entry "{key}"', did_you_mean(key, [entry.key for entry, *_ in entries])
        )
    entry, paper, mine = known
    draft = _drafted(paper, entry, _by_key(entry for entry, *_ in entries))
    if len(draft.entry) > MAX_ENTRY:
        message = f"the entry {entry.key[:80]} has {len(draft.entry):,} characters, more than the {MAX_ENTRY:,} allowed"
        raise UserError(message, "remove the fields that it does not need")
    return draft, mine


def drafts_in(source: Source) -> dict[str, tuple[Paper, Draft]]:
    """Each entry that has no mistake, by its key."""
    entries = list(_entries(source))
    by_key = _by_key(entry for entry, *_ in entries)
    return {
        entry.key: (paper, draft)
        for entry, paper, problems in entries
        if not has_errors(problems) and len((draft := _drafted(paper, entry, by_key)).entry) <= MAX_ENTRY
    }


def _entries(source: Source) -> Iterator[tuple[BibEntry, Paper, tuple[Diagnostic, ...]]]:
    """Each entry with its paper and its problems: those on the lines up to the next entry."""
    entries, problems = parse_bibtex(source)
    papers, mistakes = papers_from(entries)
    line_of = attrgetter("location.line")
    problems = tuple(sorted((*problems, *mistakes), key=line_of))
    ends = [*(entry.location.line for entry in entries[1:]), source.text.count("\n") + 2]
    for entry, end in zip(entries, ends, strict=False):
        start = entry.location.line
        first, last = (bisect_left(problems, line, key=line_of) for line in (start, max(end, start + 1)))
        yield entry, papers[BibKey(entry.key)], problems[first:last]


def _by_key(entries: Iterable[BibEntry]) -> dict[str, BibEntry]:
    """The entries as `crossref` finds them; of several the first."""
    return {entry.key.lower(): entry for entry in reversed([*entries])}


def _drafted(paper: Paper, entry: BibEntry, by_key: Mapping[str, BibEntry]) -> Draft:
    """The entry with its text, and that of the one it refers to."""
    crossref = entry.fields.get("crossref")
    parent = by_key.get(crossref.value.lower()) if crossref else None
    texts = [_without_file(each) for each in (entry, parent) if each]
    return replace(draft_of(paper), key=None, entry="\n\n".join(texts) + "\n")


def _without_file(entry: BibEntry) -> str:
    """The entry without its field `file`: that names folders of one person's machine."""
    value = entry.fields["file"].value if "file" in entry.fields else ""
    return re.sub(rf"(?i),\s*file\s*=\s*[{{\"]{re.escape(value)}[}}\"]", "", entry.raw, count=1) if value else entry.raw


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
