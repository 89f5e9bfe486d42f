"""Reports of a day's papers and lists of papers among the files of a folder: each is a note that lists them.

What of it is about which paper is known only when those of the whole collection are: its text is written then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paper_notes.addresses import without_secrets
from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Location, UserError
from paper_notes.features.importing.markdown.reading import FORMAT as MARKDOWN
from paper_notes.features.importing.markdown.source import ForeignText
from paper_notes.features.importing.placement import NoteTexts
from paper_notes.features.importing.types import (
    Folder,
    ImportedText,
    ImportFinding,
    NoteFormat,
    NoteHeader,
    NotePlaces,
    Original,
    ReaderOptions,
)
from paper_notes.features.lists.documents import AS_FOUND, ListBody, clean_address, language_of
from paper_notes.features.lists.forms import PaperDocument, document_in
from paper_notes.features.papers.known_papers import KnownPapers
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source, with_plain_ends
from paper_notes.values import Struct, replace

_UNUSUAL = regex(r"[^\w.+-]+")


def recognises(original: Original) -> bool:
    """Whether a file is a report or a list; a search may have come to nothing."""
    return document_in(original.text) is not None


class _ParsedList(Struct, frozen=True):
    original: Original
    document: PaperDocument
    text: ForeignText


def parse(original: Original, folder: Folder) -> _ParsedList:
    """A list, and the Markdown that it is. Raises UserError for what only the user calls one."""
    if document := document_in(original.text):
        return _ParsedList(original, document, MARKDOWN.parse(original, folder))
    hint = "reports of a day (`## 📄 title` between rows of =) and lists of papers (`# Paper List ...`) are"
    raise UserError(f"{original.path} lists no papers in a form that is known", hint)


def outline(parsed: _ParsedList, folder: Folder) -> NoteHeader:
    """What is known of a list before all notes are read."""
    original, source = parsed.original, parsed.document.source
    name = source.date.isoformat() if source.date else _UNUSUAL.sub("-", (source.bib or "").removesuffix(".bib"))
    known = MARKDOWN.outline(parsed.text, folder)
    return replace(
        known,
        name=name.strip("-")[:40] or known.name,
        lang=language_of(original.text),
        same="",
        aliases=tuple(alias for alias in known.aliases if "/" in alias),
        sections=(),
        blocks=(),
    )


def read(
    parsed: _ParsedList, known: NoteHeader, places: NotePlaces, folder: Folder, options: ReaderOptions
) -> ImportedText:
    """A list as it is read, without its text."""
    original, document, source = parsed.original, parsed.document, parsed.document.source
    url = without_secrets(clean_address(source.url or ""))
    said = {"format": source.format, "url": url, "date": source.date, "bib": source.bib}
    facts = {
        "kind": "digest" if document.form == "report" else "list",
        "created": source.date,
        "status": "todo",
        "source": {name: value for name, value in {**said, "terms": [*source.terms]}.items() if value},
    }
    data = folder.read(original.path) or b""
    is_plain = with_plain_ends(data.decode("utf-8-sig", errors="replace")) == original.text
    return ImportedText(
        outline=known,
        lang=known.lang,
        title=known.title,
        body="",
        facts=facts,
        files={AS_FOUND: data if is_plain else original.text.encode()},
        lists=document,
    )


FORMAT = NoteFormat("list", (".md", ".markdown"), recognises, parse, outline, read)


def with_lists(
    groups: Iterable[NoteTexts], papers: KnownPapers, sources: Sequence[Source]
) -> tuple[list[NoteTexts], list[Artifact]]:
    """The notes with the texts of those that list papers; and BibTeX beside these for papers that are new."""
    written: list[NoteTexts] = []
    libraries: list[Artifact] = []
    for note, texts in groups:
        document = texts[0].lists
        if document is None:
            written.append((note, texts))
            continue
        text, before = texts[0], len(papers.bibtex)
        body = ListBody(papers, Lang(text.lang)).of(document)
        body.text = body.text if body.text.strip() else text.body  # of a list without papers, which says its title
        titles = _titles(document, papers)
        facts = {
            **text.facts,
            **({"entries": body.entries} if body.entries else {}),
            **({"title": titles} if titles else {}),
        }
        message = f"so that nothing stops a build, signs were escaped in {body.mended} texts of the list"
        finding = ImportFinding("mended", "escaped", message, Location(text.outline.path))
        text = replace(text, title=titles.get(text.lang, text.title), body=body.text, facts=facts)
        written.append((note, (replace(text, findings=(finding,) if body.mended else ()),)))
        libraries += papers.library(note.folder, sources, before)
    return written, libraries


def _titles(document: PaperDocument, papers: KnownPapers) -> dict[str, str]:
    """What the note is called in each language of the site; empty if the document has a name of its own only."""
    words, source = papers.corpus.site.words, document.source
    name = source.bib or " + ".join(source.terms)
    if not source.date and not name:
        return {}
    title = words("list.of-day", date=source.date.isoformat()) if source.date else words("list.of-file", name=name)
    return {str(lang): title[lang] for lang in papers.corpus.site.languages}
