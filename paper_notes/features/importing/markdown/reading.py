"""Reads Markdown notes of other tools: the row of the table of formats."""

from __future__ import annotations

import re

from paper_notes.corpus.tags import folded
from paper_notes.diagnostics import Location
from paper_notes.features.importing.markdown import blocks, inline
from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.dialects import Tool, dialect
from paper_notes.features.importing.markdown.front import Front, front
from paper_notes.features.importing.markdown.grammar import grammar
from paper_notes.features.importing.markdown.headings import Headings, headings, plain
from paper_notes.features.importing.markdown.names import day_of, folders_below, guessed, outline, safe
from paper_notes.features.importing.markdown.rewriting import Handlers, Rewriting, rewritten
from paper_notes.features.importing.markdown.source import read_source
from paper_notes.features.importing.markdown.words import VisibleWords
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
from paper_notes.identifiers import folded_title

_HANDLERS = Handlers(blocks.BLOCKS, inline.INLINES)
_NO_WORDS = re.compile(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)")


def recognises(original: Original) -> bool:
    """Whether a file is a note: others with these suffixes are of the repository or of a tool."""
    name = original.path.name.lower()
    folders = original.path.parts[:-1]
    return name not in _NO_NOTES and not any(part.startswith(".") or part in _NO_FOLDERS for part in folders)


_NO_FOLDERS = frozenset({"node_modules", "_site", "_includes", "_layouts", "site-packages"})
_NO_NOTES = frozenset(
    {
        "license.md",
        "changelog.md",
        "contributing.md",
        "code_of_conduct.md",
        "security.md",
        "summary.md",
        "_sidebar.md",
        "_navbar.md",
        "_coverpage.md",
    }
)


def read(
    original: Original, known: NoteHeader, places: NotePlaces, folder: Folder, options: ReaderOptions
) -> ImportedText:
    """A note as it is read. Never raises for what is in the original."""
    facts, spoken = front(original), dialect(folder)
    lang = known.lang or guessed(facts.text)
    mdx = spoken.mdx or original.path.suffix.lower() == ".mdx"
    source = read_source(original, spoken.signs, mdx=mdx)
    structure = headings(source.document, source.text, titled=facts.title)
    conversion = Conversion(original, known, places, folder, structure.at(), structure.title_block, mdx=mdx)
    rewriting = Rewriting(conversion, source.text, facts.first_line, grammar(spoken.signs, mdx=mdx), _HANDLERS)
    body = rewritten(rewriting, source.document)
    for line in source.uneven:
        conversion.report("mended", "table-head", "the head of a table and the rule below it differ in width", line)
    title = _title(rewriting, known, facts, structure)
    names = {name for name, _ in known.blocks}
    names |= {name[1:].casefold() for heading in structure.sections for name in heading.aliases if name[:1] == "^"}
    if facts.broken:
        message = f"the front matter cannot be read and stays as text: {facts.broken}"
        where = Location(original.path, *facts.broken_at)
        conversion.findings.append(ImportFinding("unmapped", "front-matter", message, where))
    if facts.extra:
        message = f"kept in `extra`: {', '.join(facts.extra)}"
        conversion.findings.append(ImportFinding("unmapped", "front-matter", message, Location(original.path)))
    return ImportedText(
        outline=known,
        lang=lang,
        title=title,
        body=body,
        facts=_facts(original, known, facts, spoken, title, plain(structure.title)),
        extra=facts.extra,
        arxiv=facts.arxiv,
        dois=facts.dois,
        files=conversion.files,
        used=conversion.used,
        words=VisibleWords(source.text, rewriting.dialect, structure.title_block, names).of(source.document),
        findings=tuple(sorted(dict.fromkeys(conversion.findings), key=lambda finding: finding.location.line)),
    )


def _title(rewriting: Rewriting, known: NoteHeader, facts: Front, structure: Headings) -> str:
    """Markdown on one line: the title of the front matter is plain."""
    if structure.title_block and (not facts.title or plain(structure.title) == facts.title):
        rewriting.at(structure.title_block.span)
        words = rewriting.phrase(structure.title)
        return " ".join(_NO_WORDS.sub("", words).split()) or known.title
    return re.sub(r"([\\`*_\[\]<$#])", r"\\\1", known.title)


def _facts(
    original: Original, known: NoteHeader, facts: Front, spoken: Tool, title: str, heading: str
) -> dict[str, object]:
    """The keys of note.yaml that the front matter, the path and the headings tell."""
    told = dict(facts.facts)
    tags = [*told.pop("tags", ()), *folders_below(original.path, spoken)]
    if facts.topic and facts.topic != known.topic and known.topic:
        tags.append(facts.topic)
    spelled: dict[str, str] = {}
    for tag in tags:
        spelled.setdefault(folded(tag), tag)
    if tags := [tag for tag in spelled.values() if safe(tag) != known.topic]:
        told["tags"] = tags
    if "created" not in told and (day := day_of(original.path)):
        told["created"] = day
    if heading and folded_title(heading) != folded_title(title):
        told["short"] = heading
    return told


FORMAT = NoteFormat("markdown", (".md", ".markdown", ".mdx"), recognises, outline, read)
