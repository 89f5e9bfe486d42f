"""A document about many papers as a note that lists them, and back: reports of a day, lists of papers."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from paper_notes.addresses import without_secrets
from paper_notes.artifacts import Artifact
from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, EntriesFrom, Lang, Note
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.paper import BibKey, Paper, entry_id
from paper_notes.diagnostics import Diagnostic, UserError
from paper_notes.features.lists.forms import (
    FORMS,
    Form,
    Listed,
    PaperDocument,
    Part,
    anchor_of,
    same_text,
    write_document,
)
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.known_papers import LIBRARY, KnownPapers
from paper_notes.features.papers.make_safe import make_safe_markdown
from paper_notes.features.papers.scaffold import as_yaml, check_builds, next_number
from paper_notes.languages.language import Language
from paper_notes.sources.bibtex import parse_bibtex
from paper_notes.sources.tree import Source

SOURCES = {"HTML": "html", "ArXiv Abs": "abstract", "PDF": "pdf", "Code": "code"}
"""What reports call that which was read."""
_READ = {source: name for name, source in SOURCES.items()}
_HF = "https://huggingface.co/papers/"
_SECTION = re.compile(r"(?m)^(#{2,4}) (?P<name>.*?) \{#(?P<id>p-[a-z0-9-]+)\}[ \t]*\n")


def document_of(
    note: Note, lang: Lang, papers: Mapping[BibKey, Paper], *, as_found: bool, form: Form | None = None
) -> PaperDocument:
    """The document of a note that lists papers: with `as_found` the one that it was made from."""
    text = next((text.text for text in note.texts if text.lang == lang), "")
    source = note.source or EntriesFrom("terms", None, note.created, None, ())
    rows = [(papers[entry.paper], entry.reading_source, entry.as_found if as_found else {}) for entry in note.entries]
    return document_from(source, rows, text, as_found=as_found, form=form)


Row = tuple[Paper, str | None, Mapping[str, Any]]
"""A paper, what was read of it, and what the document said of it."""


def document_from(
    source: EntriesFrom, rows: Iterable[Row], text: str = "", *, as_found: bool, form: Form | None = None
) -> PaperDocument:
    """The document of these papers, with the texts of a note. Its form follows from the source if none is given."""
    own: Form = "report" if source.format in ("hf-daily", "arxiv") else "list"
    form = form or own
    headings = list(_SECTION.finditer(text))
    ends = [*(heading.start() for heading in headings), len(text)][1:]
    slices = {
        heading["id"]: (heading["name"], text[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=True)
    }
    title = {"title": source.as_found.get("title", "")} if as_found and form == own else {}
    papers = tuple(_listed_from(row, slices, form) for row in rows)
    return PaperDocument(form, replace(source, as_found=title), papers)


def _listed_from(row: Row, slices: Mapping[str, tuple[str, str]], form: Form) -> Listed:
    paper, read, oddities = row
    section = entry_id(paper)
    originals: Mapping[str, str] = oddities.get("texts", {})
    title, lead = slices.get(section, (paper.title, ""))
    heads = oddities.get("heads", "")
    parts: list[Part] = []
    for name, (heading, content) in slices.items():
        if not name.startswith(f"{section}-"):
            continue
        part, number = name.removeprefix(f"{section}-"), len(parts)
        if isinstance(heads, str):
            head = heads.replace("{number}", str(number + 1))
        else:
            head = heads[number] if number < len(heads) else ""
        parts.append(Part(part, originals.get(f"{part}-name", heading), originals.get(part, content), head))
    title, source = originals.get("title", title), _READ.get(read or "", "")
    said = derived(paper, title, paper.version, source, form)
    said |= {name: str(oddities[name]) for name in said if name in oddities}
    return Listed(
        title=title,
        arxiv=paper.arxiv,
        version=paper.version,
        lead=originals.get("lead", lead),
        parts=tuple(parts),
        fenced=bool(oddities.get("fenced")),
        **said,
    )


def derived(paper: Paper, title: str, version: int | None, source: str, form: Form) -> dict[str, str]:
    """What a document of this form says of a paper by its title and version, if it was made from the collection."""
    said = dict.fromkeys(("address", "month", "code", "anchor", "source", "preface", "abstract"), "")
    if form == "report":
        known = source if source in SOURCES else ""
        return said | {"address": f"{_HF}{paper.arxiv}" if paper.arxiv else "", "source": known}
    links = {link.label: link.url for link in reversed(paper.links)}
    if paper.arxiv:
        said["address"] = f"https://arxiv.org/pdf/{paper.arxiv}" + (f"v{version}" if version else "")
        said["month"] = f"{paper.arxiv[:2]}/{paper.arxiv[2:4]}" if "/" not in paper.arxiv else ""
    code = links.get("Code") or links.get("Project", "")  # of `[[Code/Page]]`
    return said | {"code": code, "anchor": anchor_of(title), "source": source, "abstract": paper.abstract}


def document_of_bibtex(
    name: str, data: bytes, form: Form | None = None
) -> tuple[PaperDocument, tuple[Diagnostic, ...]]:
    """The papers of a BibTeX file, as a list if no form is given, and its mistakes."""
    entries, problems = parse_bibtex(Source(PurePosixPath(name), data))
    papers, mistakes = papers_from(entries)
    rows = [(paper, None, dict[str, Any]()) for paper in papers.values()]
    document = document_from(EntriesFrom("bib", None, None, name, ()), rows, as_found=False, form=form)
    return document, (*problems, *mistakes)


_CHINESE = re.compile("[\u4e00-\u9fff]")
_HEADING = re.compile(r"(?m)^( {0,3})#{1,3}(?= )")
"""In an entry, which has a heading of the third level itself."""
_NUMBER = re.compile(r"\d")
_UNUSUAL = re.compile(r"[^\w.+-]+")


@dataclass(frozen=True)
class Imported:
    """The files of a note made from a document, and what came of its parts."""

    artifacts: tuple[Artifact, ...]
    """None if it is in the collection already."""
    folder: PurePosixPath
    entries: int
    sections: int
    known: int
    """Papers that the collection had already."""
    mended: int
    """Sections in which something was escaped, so that a note can hold them."""
    characters: int
    """Characters of the document besides white space. All are kept: its way back gives them again."""


def is_document(text: str) -> bool:
    """Whether a text is a report or a list."""
    return any(is_it(text) for is_it, _, _ in FORMS.values())


def read_document(path: PurePosixPath, text: str) -> PaperDocument:
    """The document in a file. Raises UserError if it is none that is known, or an empty one."""
    document = next((read(text) for is_it, read, _ in FORMS.values() if is_it(text)), None)
    if document is None:
        raise UserError(
            f"{path} is no document that can be taken in",
            "reports of a day (`## 📄 title` between rows of =) and lists of papers (`# Paper List ...`) are",
        )
    if not document.papers:
        raise UserError(f"{path} lists no papers")
    return document


def import_documents(
    documents: Iterable[tuple[PurePosixPath, PaperDocument, str]],
    corpus: Corpus,
    sources: tuple[Source, ...],
    *,
    topic: str,
    today: datetime.date,
) -> tuple[Imported, ...]:
    """The notes that list the papers of documents, each in its language, and the entries of papers that are new.

    Each document comes with the path of its file, and its text. One that is in the collection already makes nothing.
    Raises UserError if a character of a text would be lost.
    """
    known, notes, sources_now = KnownPapers(corpus), list[Imported](), sources
    folders = {_identity(note.source): BASE / note.id for note in corpus.notes if note.source}
    for path, document, text in documents:
        name = _identity(document.source)
        if name and name in folders:
            notes.append(Imported((), folders[name], 0, 0, 0, 0, 0))
            continue
        notes.append(_imported(path, document, text, known, sources_now, topic, today))
        folders[name] = notes[-1].folder
        sources_now = (*sources_now, Source(notes[-1].folder / NOTE_FILE, b""))  # its number is taken
    try:
        check_builds(sources, [file for imported in notes for file in imported.artifacts])
    except UserError as error:
        raise UserError(error.message, "please report it: whatever a document says should become a note") from error
    return tuple(notes)


def _identity(source: EntriesFrom) -> tuple[object, ...]:
    """What two notes of the same day or list have in common. Empty if nothing says it."""
    if source.date:
        return source.date, source.url
    return (source.bib,) if source.bib else ()


def _imported(
    path: PurePosixPath,
    document: PaperDocument,
    text: str,
    known: KnownPapers,
    sources: tuple[Source, ...],
    topic: str,
    today: datetime.date,
) -> Imported:
    corpus, source = known.corpus, document.source
    language = _language(text, corpus)
    listed = _Entries(known, language, document.form)
    for paper in document.papers:
        listed.add(paper)
    name = source.date.isoformat() if source.date else _UNUSUAL.sub("-", (source.bib or "list").removesuffix(".bib"))
    folder = BASE / topic / f"{next_number(topic, sources)}_{name.strip('-')[:40]}"
    facts = _facts(document, corpus, listed.values, today)
    dumped = as_yaml(facts)
    body = "\n".join(listed.lines).strip() + "\n"
    files = [Artifact.text(folder / NOTE_FILE, dumped), Artifact.text(folder / f"{language.tag}.md", body)]
    if listed.bibtex:
        files.append(Artifact.text(folder / LIBRARY, "\n".join(listed.bibtex)))
    _check_way_back(path, document, listed, body, text)
    sections = sum(len(paper.parts) for paper in document.papers)
    characters = len(re.sub(r"\s", "", text))
    return Imported(tuple(files), folder, len(document.papers), sections, listed.known, listed.mended, characters)


def _language(text: str, corpus: Corpus) -> Language:
    """The language of the site that the document is written in."""
    wanted = "zh" if len(_CHINESE.findall(text)) > 50 else "en"
    languages = corpus.site.words.languages
    return next((language for language in languages if language.tag.split("-")[0] == wanted), languages[0])


class _Entries:
    """Collects what the papers of a document become: entries, Markdown, and BibTeX."""

    def __init__(self, papers: KnownPapers, language: Language, form: Form) -> None:
        self._papers, self._language, self._form = papers, language, form
        self.values: list[dict[str, Any]] = []
        self.papers: list[Paper] = []
        self.lines: list[str] = []
        self.bibtex: list[str] = []
        self.known = self.mended = 0

    def add(self, listed: Listed) -> None:
        """Add a paper."""
        paper = self._paper(listed)
        value: dict[str, Any] = {"paper": str(paper.key)}
        if listed.source in SOURCES:
            value["reading_source"] = SOURCES[listed.source]
        section = entry_id(paper)
        texts: dict[str, str] = {}
        self.lines += [f"## {self._kept('title', listed.title, texts, inline=True)} {{#{section}}}", ""]
        if listed.lead:
            self.lines += [self._kept("lead", listed.lead, texts), ""]
        for part in listed.parts:
            name = self._kept(f"{part.id}-name", part.name, texts, inline=True)
            self.lines += [f"### {name} {{#{section}-{part.id}}}", "", self._kept(part.id, part.text, texts), ""]
        if oddities := _as_found(listed, paper, self._form, texts):
            value["as_found"] = oddities
        self.values.append(value)
        self.papers.append(paper)

    def _kept(self, name: str, text: str, texts: dict[str, str], *, inline: bool = False) -> str:
        safe = make_safe_markdown(_HEADING.sub(r"\1####", text), self._language.tag, self._papers.corpus.site.words)
        if inline and "\n" in safe:
            safe = re.sub(r"([\\`*_\[\]<>$#{}@:!|])", r"\\\1", text)
        if not same_text(safe, text):
            texts[name] = text
            self.mended += 1
        return safe

    def _paper(self, listed: Listed) -> Paper:
        draft = _draft(listed)
        if paper := self._papers.find(draft):
            self.known += 1
            return paper
        paper, entry = self._papers.add(draft)
        self.bibtex.append(entry)
        return paper


def _draft(listed: Listed) -> Draft:
    year = month = None
    if listed.arxiv and "/" not in listed.arxiv:
        year, month = 2000 + int(listed.arxiv[:2]), int(listed.arxiv[2:4])
    elif re.fullmatch(r"\d\d/\d\d", listed.month):
        year, month = 2000 + int(listed.month[:2]), int(listed.month[3:])
    fields = {"code": clean_address(listed.code)} if listed.code else {}
    if not listed.arxiv and listed.address:
        fields["url"] = listed.address
    return Draft(
        source="id",
        arxiv=listed.arxiv,
        version=listed.version,
        year=year,
        month=month,
        title=listed.title,
        abstract=listed.abstract,
        fields=fields,
    )


def clean_address(address: str) -> str:
    """An address as found in an abstract, without what is not part of it: `https://github.com/a/b.}` loses its end."""
    return re.split(r"[\s{}\\<>\"'`|]", address.strip())[0].rstrip(".,;:!?)]。，；")


def _as_found(listed: Listed, paper: Paper, form: Form, texts: Mapping[str, str]) -> dict[str, Any]:
    """What the document says that its entry and sections do not."""
    oddities: dict[str, Any] = {}
    heads = [part.head for part in listed.parts]
    if any(heads):
        patterns = {_NUMBER.sub("{number}", head, count=1) for head in heads}
        oddities["heads"] = patterns.pop() if len(patterns) == 1 else heads
    expected = derived(paper, listed.title, listed.version, listed.source, form)
    oddities |= {name: said for name in expected if not same_text(said := getattr(listed, name), expected[name])}
    if listed.fenced:
        oddities["fenced"] = True
    return {**oddities, **({"texts": dict(texts)} if texts else {})}


def _facts(
    document: PaperDocument, corpus: Corpus, entries: list[dict[str, Any]], today: datetime.date
) -> dict[str, Any]:
    words, origin = corpus.site.words, document.source
    if origin.date:
        title = words("list.of-day", date=origin.date.isoformat())
    else:
        title = words("list.of-file", name=origin.bib or " + ".join(origin.terms) or document.title)
    source: dict[str, Any] = {
        "format": origin.format,
        "url": without_secrets(origin.url or ""),
        "date": origin.date and origin.date.replace(),
        "bib": origin.bib,
        "terms": list(origin.terms),
        "as_found": dict(origin.as_found),
    }
    return {
        "title": {str(lang): title[lang] for lang in corpus.site.languages},
        "kind": "digest" if document.form == "report" else "list",
        "created": (origin.date or today).replace(),
        "status": "todo",
        "source": {name: value for name, value in source.items() if value},
        "entries": entries,
    }


def _check_way_back(path: PurePosixPath, document: PaperDocument, entries: _Entries, body: str, text: str) -> None:
    """Raise UserError if the note does not give the document back: then a word would be lost."""
    rows = [
        (paper, value.get("reading_source"), value.get("as_found", {}))
        for paper, value in zip(entries.papers, entries.values, strict=True)
    ]
    again = write_document(document_from(document.source, rows, body, as_found=True))
    if not same_text(again, text):
        written, other = ("".join(kind.split()) for kind in (again, text))
        place = next(
            (at for at, (new, old) in enumerate(zip(written, other, strict=False)) if new != old), len(written)
        )
        line = _line_of(text, place)
        message = f"{path}:{line}: would be lost or changed: {other[place : place + 60] or 'the end'}"
        raise UserError(message, "the document is not quite of the form that is known: please report it")


def _line_of(text: str, place: int) -> int:
    """The line of a text with the character at this place, not counting white space."""
    seen = 0
    for number, line in enumerate(text.split("\n"), 1):
        seen += len("".join(line.split()))
        if seen > place:
            return number
    return text.count("\n") + 1
