"""Documents about many papers, each read into one value and written from it: reports of a day, and lists.

Reports are made by programs that let a model read each paper: regular outside, free inside. A row of `=` stands before
each paper, then `## 📄 title` and lines with the link and with what was read. Inside are five sections, whose headings
models write in many ways: as headings of any level, as items of a list, bold or not, with a colon or without, with the
text behind them or below, indented or not.

Lists are made from a BibTeX file: a line `- [25/10] **Title** [[Paper](..)] [[Code/Page](..)] [[TLDR/Notes](#anchor)]`
for each paper, and below `# TLDR/Notes` a section `## anchor` with `### Abstract` and what a model wrote of the paper,
often in a fence of code by mistake.

What is read knows its place in the document, which is kept: see `as_found`.
"""

from __future__ import annotations

import datetime
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from typing import Literal

from paper_notes.corpus.model import EntriesFrom
from paper_notes.document.nodes import Span
from paper_notes.features.drafting.prompts import PART_NAMES
from paper_notes.identifiers import ArxivId, parse_arxiv
from paper_notes.patterns import regex
from paper_notes.values import Struct

Form = Literal["report", "list"]
"""A report of a day, or a list."""
_NOWHERE = Span(0, 0)


class Part(Struct, frozen=True):
    """A section about a paper."""

    id: str
    """`area`, `contribution` ...: what is appended to the id of the paper's own section."""
    name: str
    """Its heading: `应用领域`."""
    text: str
    """Markdown, not indented."""
    whole: Span = _NOWHERE
    """Where the document has it, with its heading."""
    below: Span = _NOWHERE
    """Where the document has its text."""


class Listed(Struct, frozen=True):
    """A paper of a document."""

    title: str
    """Markdown."""
    address: str
    """The link that the document gives, as it stands there."""
    arxiv: ArxivId | None
    version: int | None = None
    month: str = ""
    """`25/09`, as a list says it."""
    anchor: str = ""
    """The heading of its section, as links name it."""
    code: str = ""
    """The address of its code, as it stands there."""
    source: str = ""
    """What was read: `HTML`."""
    lead: str = ""
    """Text before the first part."""
    abstract: str = ""
    parts: tuple[Part, ...] = ()
    led: Span = _NOWHERE
    """Where the document has its lead, or would have it."""
    titled: Span = _NOWHERE
    """Where the document has its title."""
    wholes: tuple[Span, ...] = ()
    """Where the document has all of it: its line or block, and its section."""


class PaperDocument(Struct, frozen=True):
    """A report of a day, or a list of papers."""

    form: Form
    source: EntriesFrom
    papers: tuple[Listed, ...]
    rest: str = ""
    """Lines that are about no paper."""


@dataclass
class _Lines:
    """The lines of a text with their places."""

    lines: Sequence[str]
    starts: Sequence[int] = field(init=False)

    def __post_init__(self) -> None:
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)]

    def span(self, first: int, last: int) -> Span:
        """Of lines, without the line end of the last one, and without empty lines around."""
        while first < last and not self.lines[first].strip():
            first += 1
        while first < last and not self.lines[last - 1].strip():
            last -= 1
        return Span(self.starts[first], self.starts[last] - 1 if first < last else self.starts[first])


TITLE = "# Hugging Face Daily Papers Report"
RULE = "=" * 60
_RULE = regex(r"={20,}\s*")
_FACT = regex(r"\s*\*\*(?P<name>Date|日期|Source URL)\*\*\s*[:：]\s*(?P<value>\S.*)", re.IGNORECASE)
_REPORTED = regex(r"##\s+(?:📄\s*)?(?P<title>.*?)\s*")
_LINE = regex(r"- \*\*(?P<name>链接|阅读来源|Link|Source)\*\*\s*[:：]\s*(?P<value>.*)")
_NUMBERS = {part: number for number, part in enumerate(PART_NAMES, 1)}
_PARTS_BY_NAME = {name: part for part, names in PART_NAMES.items() for name in names}
_HEAD = regex(
    rf"\s{{0,4}}(?:\#{{1,6}}\s+)?(?:\*\*)?(?P<number>[1-9])[.、)]\s*(?:\*\*)?(?P<name>{'|'.join(_PARTS_BY_NAME)})"
    r"(?:\*\*)?\s*[:：]?(?:\*\*)?(?P<rest>\s.*|(?<=[:：*]).*|)"
)


def is_report(text: str) -> bool:
    """Whether the text looks like such a report: by its title, or its papers."""
    lines = text.lstrip("\ufeff \n").split("\n")
    is_titled = lines[0].rstrip() == TITLE
    return is_titled or (any(map(_RULE.fullmatch, lines)) and any(line.startswith("## 📄") for line in lines))


def read_report(text: str) -> PaperDocument:
    """The papers of a report."""
    lines = _Lines(text.split("\n"))
    blocks = list(_blocks(lines.lines))
    facts: dict[str, str] = {}
    rest: list[str] = []
    is_titled = False
    papers: list[Listed] = []
    for first, last in blocks:
        if paper := _reported(lines, first, last):
            papers.append(paper)
            continue
        for line in lines.lines[first:last]:
            if line.startswith("# ") and not is_titled:
                is_titled = True
            elif fact := _FACT.fullmatch(line):
                facts[fact["name"].lower()] = fact["value"].strip()
            else:
                rest.append(line)
    date = _date(facts.get("date") or facts.get("日期") or "")
    source = EntriesFrom("hf-daily", facts.get("source url") or None, date, None, ())
    return PaperDocument("report", source, tuple(papers), "\n".join(rest).strip("\n"))


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines between the rows of `=`; a paper begins a block without one, too."""
    start = 0
    for at, line in enumerate(lines):
        if _RULE.fullmatch(line) or (line.startswith("## 📄") and any(map(str.strip, lines[start:at]))):
            yield start, at
            start = at + 1 if _RULE.fullmatch(line) else at
    yield start, len(lines)


def _date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text.strip())
    except ValueError:
        return None


def _reported(lines: _Lines, first: int, last: int) -> Listed | None:
    """The paper of a block."""
    whole = lines.span(first, last)
    start = next((at for at in range(first, last) if lines.lines[at].strip()), None)
    title = _REPORTED.fullmatch(lines.lines[start]) if start is not None else None
    if title is None or start is None:
        return None
    facts: dict[str, str] = {}
    at = start + 1
    while at < last and (not lines.lines[at].strip() or _LINE.fullmatch(lines.lines[at].rstrip())):
        if head := _LINE.fullmatch(lines.lines[at].rstrip()):
            facts[{"Link": "链接", "Source": "阅读来源"}.get(head["name"], head["name"])] = head["value"].strip()
        at += 1
    if not title["title"] and not facts.get("链接", "").startswith("http"):
        return None
    heads = _heads(lines.lines, at, last)
    ends = [*(head_at for head_at, _ in heads), last][1:]
    below = heads[0][0] if heads else last
    lead, led = _lead(lines, at, below, "# ")
    known = parse_arxiv(facts.get("链接", ""))
    return Listed(
        title=title["title"],
        address=facts.get("链接", ""),
        arxiv=known[0] if known else None,
        version=known[1] if known else None,
        source=facts.get("阅读来源", ""),
        lead=lead,
        parts=tuple(_part(head, lines, row, end) for (row, head), end in zip(heads, ends, strict=True)),
        led=led,
        titled=Span(lines.starts[start] + title.start("title"), lines.starts[start] + title.end("title")),
        wholes=(whole,),
    )


def _lead(lines: _Lines, first: int, last: int, heading: str) -> tuple[str, Span]:
    """The text before the parts and its place; of a heading that a model gives it, only the words."""
    whole = lines.span(first, last)
    at = next((at for at in range(first, last) if lines.lines[at].strip()), last)
    if at == last or not lines.lines[at].startswith(heading):
        return _dedented(lines.lines[first:last]), whole
    words = lines.lines[at].removeprefix(heading).strip()
    below = _dedented(lines.lines[at + 1 : last])
    return "\n\n".join(filter(None, (words, below))), Span(whole.start + len(heading), whole.end)


def _heads(lines: Sequence[str], first: int, end: int) -> list[tuple[int, re.Match[str]]]:
    """The lines with the headings of the sections, in their order; a list in a section is none of them."""
    heads: list[tuple[int, re.Match[str]]] = []
    last = 0
    for at in range(first, end):
        match = _HEAD.fullmatch(lines[at])
        number = _NUMBERS[_PARTS_BY_NAME[match["name"]]] if match else 0
        if match and int(match["number"]) == number > last:
            heads.append((at, match))
            last = number
    return heads


def _part(head: re.Match[str], lines: _Lines, at: int, end: int) -> Part:
    below, first = lines.span(at + 1, end), head["rest"].strip()
    if first:
        start = lines.starts[at] + head.start("rest") + head["rest"].index(first)
        below = Span(start, below.end if below.start < below.end else start + len(first))
    text = _dedented(([first] if first else []) + [*lines.lines[at + 1 : end]])
    return Part(_PARTS_BY_NAME[head["name"]], head["name"], text, lines.span(at, end), below)


def _dedented(lines: Iterable[str]) -> str:
    """Lines as a text: without indentation that all have, and without empty lines around."""
    return textwrap.dedent("\n".join(map(str.rstrip, lines)).strip("\n")).strip()


def write_report(document: PaperDocument) -> str:
    """The report as a text."""
    source = document.source
    lines = [TITLE]
    lines += [f"**Date**: {source.date.isoformat()}"] if source.date else []
    lines += [f"**Source URL**: {source.url}"] if source.url else []
    return "\n".join([*lines, "", *(f"{RULE}\n\n{reported(paper)}\n" for paper in document.papers), RULE, ""])


def reported(paper: Listed) -> str:
    """A paper as a report has it."""
    lines = [f"## 📄 {paper.title}", "", f"- **链接**: {paper.address}", f"- **阅读来源**: {paper.source}", ""]
    lines += [paper.lead] if paper.lead else []
    for number, part in enumerate(paper.parts, 1):
        lines += [f"### {_NUMBERS.get(part.id, number)}. {part.name}", part.text, ""]
    return "\n".join(lines)


NOTES = "# TLDR/Notes"
_TITLE = regex(r"# Paper List (?:from BIB File: (?P<bib>\S.*)|of Terms\((?P<terms>.*)\))\s*")
_LISTED = regex(r"[-*] (?:\[(?P<month>[^\]]*)\] )?\*\*(?P<title>.*?)\*\*\s*(?P<links>\[\[.*)?")
_LINK = regex(r"\[\[(?P<name>Paper|Code/Page|TLDR/Notes)\]\((?P<address>.{0,1000}?)\)\](?=\s*(?:\[\[|$))")
"""No address is so long: without an end each of many openings would look through all the rest."""
_FENCE = regex(r"\s{0,3}(?:```+|~~~+)\s*(?:markdown|md)?\s*")
_PART_HEADING = regex(r"### (?P<name>\S.*)")
_ABSTRACT = "Abstract"
_PARTS = {"📌": "motivation", "🚀": "method", "📈": "results", "💬": "lessons"}
"""The ids of the usual sections, by the sign that their headings begin with."""
_PREFACE = "🌟"
"""Begins the title that a model gives what it writes."""


def is_paper_list(text: str) -> bool:
    """Whether the text looks like such a list: by its title, or its papers with sections about them or no others."""
    lines = text.lstrip("\ufeff \n").split("\n")
    if _TITLE.match(lines[0]) or not any(map(_LISTED.fullmatch, map(str.rstrip, lines))):
        return bool(_TITLE.match(lines[0]))
    has_own = any(line.startswith("#") for line in lines[1:])
    return any(line.rstrip() == NOTES for line in lines) or ("[[Paper](" in text and not has_own)


def read_paper_list(text: str) -> PaperDocument:
    """The papers of a list."""
    lines = _Lines(text.split("\n"))
    first = next((at for at, line in enumerate(lines.lines) if line.strip("\ufeff ")), 0)
    title = lines.lines[first].lstrip("\ufeff")
    head = _TITLE.fullmatch(title)
    is_titled = title.startswith("# ") and title.rstrip() != NOTES
    end = next((at for at, line in enumerate(lines.lines) if line.rstrip() == NOTES), len(lines.lines))
    sections, known = _sections(lines, end), set[int]()
    papers: list[Listed] = []
    for at in range(first, end):
        if paper := _LISTED.fullmatch(lines.lines[at].rstrip()):
            below = [*takewhile(lambda other: other.lstrip().startswith("[["), lines.lines[at + 1 : end])]
            links = " ".join(filter(None, (paper["links"], *map(str.strip, below))))
            if not paper["title"] and "](http" not in links:
                continue
            papers.append(_listed(paper, links, lines, range(at, at + 1 + len(below)), sections))
            known |= {*range(at, at + 1 + len(below))}
    rest = [lines.lines[at] for at in range(first + is_titled, end) if at not in known]
    rest += [lines.lines[at] for section in sections.values() for at in section]
    terms = tuple(term.strip() for term in (head["terms"] or "").split("+") if term.strip()) if head else ()
    bib = (head["bib"] or "").strip() if head else ""
    source = EntriesFrom("bib" if bib else "terms", None, None, bib or None, terms)
    return PaperDocument("list", source, tuple(papers), "\n".join(rest).strip("\n"))


def _sections(lines: _Lines, start: int) -> dict[str, range]:
    """The lines of each section below `# TLDR/Notes`, by its heading; those before the first have none."""
    heads = {"": start + 1}
    for at in range(start + 1, len(lines.lines)):
        if lines.lines[at].startswith("## "):
            heads.setdefault(lines.lines[at][3:].strip(), at)
    ends = [*heads.values(), len(lines.lines)][1:]
    return {name: range(at, end) for (name, at), end in zip(heads.items(), ends, strict=True)}


def _listed(paper: re.Match[str], links: str, lines: _Lines, own: range, sections: dict[str, range]) -> Listed:
    addresses = {link["name"]: link["address"] for link in _LINK.finditer(links)}
    anchor = addresses.get("TLDR/Notes", "").removeprefix("#")
    known = parse_arxiv(addresses.get("Paper", ""))
    section = sections.pop(anchor, range(0)) if anchor else range(0)
    abstract, lead, led, parts = _body(lines, section)
    start = lines.starts[own.start]
    return Listed(
        title=paper["title"].strip(),
        address=addresses.get("Paper", ""),
        arxiv=known[0] if known else None,
        version=known[1] if known else None,
        month=paper["month"] or "",
        code=addresses.get("Code/Page", ""),
        anchor=anchor,
        lead=lead,
        abstract=abstract,
        parts=parts,
        led=led,
        titled=Span(start + paper.start("title"), start + paper.end("title")),
        wholes=(lines.span(own.start, own.stop), *([lines.span(section.start, section.stop)] if section else [])),
    )


def _body(lines: _Lines, section: range) -> tuple[str, str, Span, tuple[Part, ...]]:
    """Abstract, text before the parts and its place, and the parts of a section."""
    own = [at for at in section[1:] if lines.lines[at].strip()]
    if own and lines.lines[own[0]].strip() == f"### {_ABSTRACT}":
        rest = (at for at in range(own[0] + 1, section.stop) if _begins(lines.lines[at]))
        start = next(rest, section.stop)
        abstract = lines.lines[own[0] + 1 : start]
    else:
        start, abstract = section.start + 1, []
    inner = [at for at in range(start, section.stop) if lines.lines[at].strip()]
    last = section.stop
    if len(inner) > 1 and _FENCE.fullmatch(lines.lines[inner[0]]) and _FENCE.fullmatch(lines.lines[inner[-1]]):
        start, last = inner[0] + 1, inner[-1]
    heads = [at for at in range(start, last) if _PART_HEADING.fullmatch(lines.lines[at].rstrip())]
    if heads and lines.lines[heads[0]].startswith(f"### {_PREFACE}") and not _trimmed(lines.lines[start : heads[0]]):
        heads.pop(0)
    first = heads[0] if heads else last
    parts: list[Part] = []
    for at, end in zip(heads, [*heads, last][1:], strict=True):
        parts.append(_list_part({part.id for part in parts}, lines, at, end))
    lead, led = _lead(lines, start, first, "### ")
    return _trimmed(abstract), lead, led, tuple(parts)


def _begins(line: str) -> bool:
    return bool(_PART_HEADING.match(line) or _FENCE.fullmatch(line))


def _list_part(taken: Collection[str], lines: _Lines, at: int, end: int) -> Part:
    name = lines.lines[at].rstrip()[4:].strip()
    usual = _PARTS.get(name[:1])
    section = usual if usual and usual not in taken else f"part-{len(taken) + 1}"
    text = _trimmed(map(str.rstrip, lines.lines[at + 1 : end]))
    return Part(section, name, text, lines.span(at, end), lines.span(at + 1, end))


def _trimmed(lines: Iterable[str]) -> str:
    """Without empty lines around."""
    return re.sub(r"\A(?:[^\S\n]*\n)+|\s+\Z", "", "\n".join(lines))


def anchor_of(title: str) -> str:
    """The anchor that GitHub gives a heading: lower case, without signs, spaces as hyphens."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def write_paper_list(document: PaperDocument) -> str:
    """The list as a text. A paper without an abstract and parts has no section."""
    source = document.source
    if source.bib:
        title = f"Paper List from BIB File: {source.bib}"
    elif source.terms:
        title = f"Paper List of Terms({'+'.join(source.terms)})"
    else:
        title = f"Paper List of {source.date or 'Papers'}"
    lines = (listed_in(paper) for paper in document.papers)
    sections = filter(None, map(section_of, document.papers))
    return "\n".join([f"# {title}", *lines, NOTES, *sections, ""])


def listed_in(paper: Listed) -> str:
    """The lines of a paper in a list."""
    anchor = f"#{paper.anchor}" if paper.anchor else ""
    links = f"[[Paper]({paper.address})] [[Code/Page]({paper.code})] [[TLDR/Notes]({anchor})]"
    return f"- [{paper.month}] **{paper.title}**  \n{links}\n"


def section_of(paper: Listed) -> str:
    """The section of a paper in a list; empty if there is nothing to say."""
    if not (paper.anchor and (paper.abstract or paper.parts or paper.lead)):
        return ""
    lines = [f"## {paper.anchor}", f"### {_ABSTRACT}", paper.abstract, *([paper.lead] if paper.lead else [])]
    for part in paper.parts:
        lines += [f"### {part.name}", part.text, ""]
    return "\n".join([*lines, ""])


FORMS: Mapping[Form, tuple[Callable[[str], bool], Callable[[str], PaperDocument], Callable[[PaperDocument], str]]] = {
    "report": (is_report, read_report, write_report),
    "list": (is_paper_list, read_paper_list, write_paper_list),
}
"""What recognises a document of each form, what reads it, and what writes it."""


def document_in(text: str) -> PaperDocument | None:
    """The document in a text, if it is one. It may list no papers, if it says nothing else either."""
    documents = (read(text) for looks_so, read, _ in FORMS.values() if looks_so(text))
    return next((document for document in documents if document.papers or not document.rest), None)


def write_document(document: PaperDocument) -> str:
    """The document in its form."""
    return FORMS[document.form][2](document)
