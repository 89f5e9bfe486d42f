"""A note that lists papers as a document, a report of a day or a list; what a document becomes in a note, and back."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.model import Corpus, EntriesFrom, Lang, Note
from paper_notes.corpus.paper import BibKey, Paper, entry_id
from paper_notes.diagnostics import Diagnostic
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Heading, Reference, Span, Text
from paper_notes.document.parse import parse, parse_inline
from paper_notes.document.write import fenced, write_inlines
from paper_notes.features.lists.entry_sections import has_note
from paper_notes.features.lists.forms import (
    RULE,
    Form,
    Listed,
    PaperDocument,
    Part,
    anchor_of,
    document_in,
    listed_in,
    reported,
    section_of,
)
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.known_papers import KnownPapers
from paper_notes.features.papers.make_safe import make_safe_markdown
from paper_notes.languages.language import Words
from paper_notes.patterns import regex
from paper_notes.sources.bibtex import parse_bibtex
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, field

SOURCES = {"HTML": "html", "ArXiv Abs": "abstract", "PDF": "pdf", "Code": "code"}
"""What reports call that which was read."""
_READ = {source: name for name, source in SOURCES.items()}
_HF = "https://huggingface.co/papers/"


class Said(Struct, frozen=True):
    """A section of a note about a paper or a part of it."""

    name: str
    text: str
    is_part: bool = True


def sections_of(text: str) -> dict[str, Said]:
    """The sections of entries by their ids. Each ends at the next of them, or at another section of that level."""
    headings = [block for block in parse(text).blocks if isinstance(block, Heading)]
    headings = [heading for heading in headings if heading.level <= 2 or heading.id.startswith("p-")]
    ends = [*(heading.span.start for heading in headings), len(text)][1:]
    return {
        heading.id: Said(
            text[heading.inlines[0].span.start : heading.inlines[-1].span.end] if heading.inlines else "",
            text[heading.span.end : end].strip(),
            heading.level > 2,
        )
        for heading, end in zip(headings, ends, strict=True)
        if heading.id.startswith("p-")
    }


def parts_of(section: str, said: Mapping[str, Said]) -> Iterator[tuple[str, Said]]:
    """The parts of the section of a paper, by the ends of their ids."""
    for name, part in said.items():
        if part.is_part and name.startswith(f"{section}-"):
            yield name.removeprefix(f"{section}-"), part


def document_of(note: Note, lang: Lang, papers: Mapping[BibKey, Paper], form: Form | None = None) -> PaperDocument:
    """The document of a note that lists papers. Its form follows from what the note was made from if none is given."""
    source = note.source or EntriesFrom("terms", None, note.created, None, ())
    said = sections_of(text_in(note, lang))
    form = form or ("report" if source.format in ("hf-daily", "arxiv") else "list")
    rows = ((papers[entry.paper], entry.reading_source) for entry in note.entries)
    return PaperDocument(form, source, tuple(listed_of(paper, read, said, form) for paper, read in rows))


def text_in(note: Note, lang: Lang) -> str:
    """The text of a note in a language."""
    return next((text.text for text in note.texts if text.lang == lang), "")


def listed_of(paper: Paper, read: str | None, said: Mapping[str, Said], form: Form) -> Listed:
    """What a document of this form says of a paper."""
    section = entry_id(paper)
    own = said.get(section, Said(paper.title, ""))
    parts = tuple(Part(name, part.name, part.text) for name, part in parts_of(section, said))
    if form == "report":
        address = f"{_HF}{paper.arxiv}" if paper.arxiv else ""
        return Listed(own.name, address, paper.arxiv, source=_READ.get(read or "", ""), lead=own.text, parts=parts)
    links = {link.label: link.url for link in reversed(paper.links)}
    arxiv = paper.arxiv or ""
    return Listed(
        own.name,
        f"https://arxiv.org/pdf/{arxiv}" + (f"v{paper.version}" if paper.version else "") if arxiv else "",
        paper.arxiv,
        month=f"{arxiv[:2]}/{arxiv[2:4]}" if arxiv and "/" not in arxiv else "",
        code=links.get("Code") or links.get("Project", ""),  # of `[[Code/Page]]`
        anchor=anchor_of(own.name),
        lead=own.text,
        abstract=paper.abstract,
        parts=parts,
    )


def document_of_bibtex(
    name: str, data: bytes, form: Form | None = None
) -> tuple[PaperDocument, tuple[Diagnostic, ...]]:
    """The papers of a BibTeX file, as a list if no form is given, and its mistakes."""
    entries, problems = parse_bibtex(Source(PurePosixPath(name), data))
    papers, mistakes = papers_from(entries)
    listed = tuple(listed_of(paper, None, {}, form or "list") for paper in papers.values())
    document = PaperDocument(form or "list", EntriesFrom("bib", None, None, name, ()), listed)
    return document, (*problems, *mistakes)


# A document as a part of a note

_CHINESE = regex("[\u4e00-\u9fff]")
_HEADING = regex(r"(?m)^( {0,3})#{1,3}(?= )")
"""In an entry, which has a heading of the third level itself."""
_OPENING = regex(r" {0,3}(`{3,}|~{3,}|\$\$|:{3,})")


def language_of(text: str) -> str:
    """`zh` or `en`."""
    return "zh" if len(_CHINESE.findall(text)) > 50 else "en"


class ListBody(Struct):
    """What the papers of a document become in a note: a text and its entries; the known ones get those that are new."""

    known: KnownPapers
    lang: Lang
    text: str = ""
    entries: list[dict[str, Any]] = field(default_factory=list)
    mended: int = 0
    """Texts in which something had to be escaped."""

    def of(self, document: PaperDocument) -> ListBody:
        """With the papers of a document."""
        lines = [self._kept(document.rest), ""] if document.rest else []
        for listed in document.papers:
            lines += self._added(listed)
        self.text = "\n".join(lines).strip() + "\n"
        return self

    def _added(self, listed: Listed) -> Iterator[str]:
        paper = self.known.paper(draft_of(listed))
        is_again = any(value["paper"] == paper.key for value in self.entries)  # a document may list it twice
        section = entry_id(paper)
        yield f"## {self._line(listed.title or listed.arxiv or listed.address)}" + (
            "" if is_again else f" {{#{section}}}"
        )
        yield ""
        if listed.lead:
            yield from (self._kept(listed.lead), "")
        for part in listed.parts:
            yield f"### {self._line(part.name)}" + ("" if is_again else f" {{#{section}-{part.id}}}")
            yield from ("", self._kept(part.text), "")
        if not is_again:
            read = {"reading_source": SOURCES[listed.source]} if listed.source in SOURCES else {}
            self.entries.append({"paper": str(paper.key), **read})

    def _kept(self, text: str) -> str:
        safe = kept(text, self.lang, self.known.corpus.site.words)
        self.mended += safe != text
        return safe

    def _line(self, text: str) -> str:
        safe = self._kept(text)
        return write_inlines((Text(text),)) if "\n" in safe else safe


def kept(text: str, lang: Lang, words: Words) -> str:
    """A text of a document as it is in a note, in which it ends before what is below it."""
    safe = make_safe_markdown(_HEADING.sub(r"\1####", text), lang, words)
    if _ends(safe):
        return safe
    opening = _OPENING.match(safe, parse(safe).blocks[-1].span.start)
    closed = f"{safe.rstrip()}\n{opening[1]}" if opening else safe
    return closed if _ends(closed) else fenced(safe.rstrip("\n"), "text")


def _ends(text: str) -> bool:
    """Whether a heading below a text is one, and not a part of a block that goes to the end."""
    return isinstance(parse(f"{text}\n\n# Below\n").blocks[-1], Heading)


def draft_of(listed: Listed) -> Draft:
    """What a document says of a paper."""
    year = month = None
    if listed.arxiv and "/" not in listed.arxiv:
        year, month = 2000 + int(listed.arxiv[:2]), int(listed.arxiv[2:4])
    elif re.fullmatch(r"\d\d/\d\d", listed.month):
        year, month = 2000 + int(listed.month[:2]), int(listed.month[3:])
    fields = {"code": clean_address(listed.code)}
    if not listed.arxiv:
        fields["url"] = clean_address(listed.address)
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
    """An address as found in an abstract, without what is not part of it: `https://github.com/a/b.}` loses its end.

    Empty for what is none.
    """
    clean = re.split(r"[\s{}\\<>\"'`|^]", address.strip())[0].rstrip(".,;:!?)]。，；")
    return clean if re.match(r"https?://\w", clean) else ""


AS_FOUND = "as-found.txt"
"""In the folder of a note: the document that it was made from."""

_ITEM = regex(r"\s*\d[.)]\s+")


class AsFound(Struct, frozen=True):
    """A document with what was changed in its note since."""

    text: str
    moved: tuple[tuple[str, str], ...]
    """Papers with notes of their own, and these: what the list said of them is as it was."""


def as_found(note: Note, lang: Lang | None, corpus: Corpus, original: str) -> AsFound:
    """The document that a note was made from: each piece as it stands there, if the note still says the same.

    `lang` is the language of the note's text; by default that of the document.
    """
    mark = "\ufeff" if original.startswith("\ufeff") else ""
    newline = "\r\n" if "\r\n" in original else "\n"
    text = original.removeprefix(mark).replace(newline, "\n")
    document = document_in(text)
    if document is None:
        return AsFound(original, ())
    spoken = language_of(text)
    lang = lang or next((lang for lang in note.languages if lang.split("-")[0] == spoken), note.languages[0])
    back = _WayBack(document, text, note, lang, corpus)
    changed = apply(text, back.edits())
    return AsFound(original if changed == text else mark + changed.replace("\n", newline), tuple(back.moved))


class _WayBack:
    """Compares a document with its note."""

    def __init__(self, document: PaperDocument, text: str, note: Note, lang: Lang, corpus: Corpus) -> None:
        self.document, self.text, self.note, self.lang, self.corpus = document, text, note, lang, corpus
        self.said = sections_of(text_in(note, lang))
        self.moved: list[tuple[str, str]] = []

    def edits(self) -> Iterator[Edit]:
        """What is not as it was."""
        papers = {entry_id(self.corpus.papers[entry.paper]): entry for entry in self.note.entries}
        known, seen = KnownPapers(self.corpus), set[str]()
        for listed in self.document.papers:
            paper = known.find(draft_of(listed))
            section = entry_id(paper) if paper else ""
            if not section or section in seen:
                continue  # it is listed twice, or it is not to be found by what the document says of it
            seen.add(section)
            if section not in papers:
                yield from (Edit(self._with_rule(whole), "") for whole in listed.wholes)
            elif section in self.said:
                yield from self._changed(listed, section)
        new = [entry for section, entry in papers.items() if section not in seen]
        form = self.document.form
        listed_now = [
            listed_of(self.corpus.papers[entry.paper], entry.reading_source, self.said, form) for entry in new
        ]
        yield from self._added(listed_now)

    def _with_rule(self, whole: Span) -> Span:
        """An entry with the row of `=` before it."""
        before = self.text[: whole.start].rstrip()
        return Span(before.rfind("\n") + 1, whole.end) if before.endswith(RULE) else whole

    def _changed(self, listed: Listed, section: str) -> Iterator[Edit]:
        own = self.said[section]
        note = self._note_of(own)
        if note:
            self.moved.append((listed.title, note))
        elif self._differs(own.text, listed.lead):
            yield Edit(listed.led, f"{own.text}\n\n" if listed.led.start == listed.led.end else own.text)
        if self._differs(own.name, listed.title or listed.arxiv or listed.address):
            yield Edit(listed.titled, own.name)
        for part in listed.parts:
            now = self.said.get(f"{section}-{part.id}")
            if now is None and not note:
                yield Edit(part.whole, "")
            elif now is not None:
                yield from self._part(part, now)
        old = {part.id for part in listed.parts}
        new = [part for name, part in parts_of(section, self.said) if name not in old]
        end = listed.wholes[-1].end
        yield from (Edit(Span(end, end), f"\n\n### {part.name}\n{part.text}") for part in new)

    def _note_of(self, said: Said) -> str:
        """The note to which the text has moved, and a reference is in its place, see `promote`."""
        target = next((node.target for node in parse_inline(said.text) if isinstance(node, Reference)), "")
        return target if said.text == has_note(self.corpus.site.words[self.lang], target) else ""

    def _part(self, part: Part, now: Said) -> Iterator[Edit]:
        if self._differs(now.name, part.name):
            start = self.text.index(part.name, part.whole.start)
            yield Edit(Span(start, start + len(part.name)), now.name)
        if self._differs(now.text, part.text):
            lines = self.text[slice(*part.below)].split("\n")
            before = self.text[self.text.rfind("\n", 0, part.below.start) + 1 : part.below.start]
            begins_behind_heading = bool(before.strip())
            item = _ITEM.match(before) if begins_behind_heading else None
            indents = (line[: len(line) - len(line.lstrip())] for line in lines[begins_behind_heading:] if line.strip())
            text = textwrap.indent(now.text, min(indents, key=len, default=" " * len(item[0]) if item else ""))
            yield Edit(part.below, text.lstrip() if begins_behind_heading else text)

    def _differs(self, now: str, then: str) -> bool:
        """Whether a text says something else than what was taken in: what had to be escaped is the same."""
        if _bare(now) == _bare(then):
            return False
        safe = kept(then, self.lang, self.corpus.site.words)
        return _bare(now) != _bare(safe)

    def _added(self, papers: Iterable[Listed]) -> Iterator[Edit]:
        """Entries that are new go to the end."""
        wholes = [whole for listed in self.document.papers for whole in listed.wholes]
        last = max((whole.end for whole in wholes), default=len(self.text.rstrip()))
        for paper in papers:
            if self.document.form == "report":
                yield Edit(Span(last, last), f"\n\n{RULE}\n\n{reported(paper)}".rstrip())
                continue
            line = max((listed.wholes[0].end for listed in self.document.papers), default=last)
            yield Edit(Span(line, line), f"\n\n{listed_in(paper)}".rstrip())
            if section := section_of(paper):
                yield Edit(Span(last, last), f"\n\n{section}".rstrip())


def _bare(text: str) -> str:
    """A text without white space and without what escapes its signs."""
    return re.sub(r"[\s\\]", "", text)
