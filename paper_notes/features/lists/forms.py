"""Documents about many papers, each read into one value and written from it: reports of a day, and lists.

Reports are made by programs that let a model read each paper: regular outside, free inside. A row of `=` stands before
each paper, then `## 📄 title` and lines with the link and with what was read. Inside are five sections, whose headings
models write in many ways: as headings of any level, as items of a list, bold or not, with a colon or without, with the
text behind them or below, indented or not.

Lists are made from a BibTeX file: a line `- [25/10] **Title** [[Paper](..)] [[Code/Page](..)] [[TLDR/Notes](#anchor)]`
for each paper, and below `# TLDR/Notes` a section `## anchor` with `### Abstract` and what a model wrote of the paper,
often in a fence of code by mistake.
"""

from __future__ import annotations

import datetime
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from paper_notes.corpus.model import EntriesFrom
from paper_notes.features.drafting.prompts import PART_NAMES
from paper_notes.identifiers import ArxivId, parse_arxiv

Form = Literal["report", "list"]
"""A report of a day, or a list."""
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Part:
    """A section about a paper."""

    id: str
    """`area`, `contribution` ...: what is appended to the id of the paper's own section."""
    name: str
    """Its heading: `应用领域`."""
    text: str
    """Markdown, not indented."""
    head: str = ""
    """How the document writes the heading, with `{}` for the name: `### 1. {}`. Empty if it is the usual way."""


@dataclass(frozen=True, slots=True)
class Listed:
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
    preface: str = ""
    """Headings above its parts that a model made up."""
    lead: str = ""
    """Text before the first part."""
    abstract: str = ""
    parts: tuple[Part, ...] = ()
    fenced: bool = False
    """Whether the parts are in a fence of code, by mistake."""


@dataclass(frozen=True, slots=True)
class PaperDocument:
    """A report of a day, or a list of papers."""

    form: Form
    source: EntriesFrom
    papers: tuple[Listed, ...]

    @property
    def title(self) -> str:
        """As the document says it; empty if nothing is known of it."""
        return str(self.source.as_found.get("title", ""))


def same_text(text: str, other: str) -> bool:
    """Whether two texts differ in white space only."""
    return _SPACE.sub("", text) == _SPACE.sub("", other)


USUAL = "### {number}. {name}"
"""How their headings are written if nothing else is known."""
TITLE = "# Hugging Face Daily Papers Report"
RULE = "=" * 60
_RULE = re.compile(r"={20,}\s*")
_FACT = re.compile(r"\*\*(?P<name>[^*]+)\*\*\s*[:：]\s*(?P<value>\S.*)")
_REPORTED = re.compile(r"## (?:📄\s*)?(?P<title>\S.*)")
_LINE = re.compile(r"- \*\*(?P<name>链接|阅读来源|Link|Source)\*\*\s*[:：]\s*(?P<value>.*)")
_ANY_HEADING = re.compile(r"#{1,6} ")
_NUMBERS = {part: number for number, part in enumerate(PART_NAMES, 1)}
_PARTS_BY_NAME = {name: part for part, names in PART_NAMES.items() for name in names}
_HEAD = re.compile(
    rf"\s{{0,4}}(?P<before>(?:\#{{1,6}}\s+)?(?:\*\*)?(?P<number>[1-9])[.、)]\s*(?:\*\*)?)(?P<name>{'|'.join(_PARTS_BY_NAME)})"
    r"(?P<after>(?:\*\*)?\s*[:：]?(?:\*\*)?)(?P<rest>\s.*|(?<=[:：*]).*|)"
)


def is_report(text: str) -> bool:
    """Whether the text looks like such a report."""
    lines = text.split("\n")
    return any(map(_RULE.fullmatch, lines)) and any(line.startswith("## 📄") for line in lines)


def read_report(text: str) -> PaperDocument:
    """The papers of a report. What is no part of one is left out; what is written from the value then lacks it."""
    blocks = _blocks(text)
    head = blocks[0]
    facts = {fact["name"].lower(): fact["value"].strip() for line in head if (fact := _FACT.match(line.strip()))}
    title = next((line[2:].strip() for line in head if line.startswith("# ")), "")
    papers = (_reported(lines) for lines in blocks[1:] if any(map(str.strip, lines)))
    date = _date(facts.get("date") or facts.get("日期") or "")
    source = EntriesFrom("hf-daily", facts.get("source url") or None, date, None, (), {"title": title} if title else {})
    return PaperDocument("report", source, tuple(filter(None, papers)))


def _blocks(text: str) -> list[list[str]]:
    """The lines between the rows of `=`."""
    blocks: list[list[str]] = [[]]
    for line in text.split("\n"):
        if _RULE.fullmatch(line):
            blocks.append([])
        else:
            blocks[-1].append(line)
    return blocks


def _date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text.strip())
    except ValueError:
        return None


def _reported(lines: list[str]) -> Listed | None:
    start = next(place for place, line in enumerate(lines) if line.strip())
    title = _REPORTED.fullmatch(lines[start].rstrip())
    if title is None:
        return None
    facts: dict[str, str] = {}
    place = start + 1
    while place < len(lines) and (not lines[place].strip() or _LINE.fullmatch(lines[place].rstrip())):
        if head := _LINE.fullmatch(lines[place].rstrip()):
            facts[{"Link": "链接", "Source": "阅读来源"}.get(head["name"], head["name"])] = head["value"].strip()
        place += 1
    body = lines[place:]
    heads = _heads(body)
    ends = [*[at for at, _ in heads], len(body)][1:]
    before = body[: heads[0][0] if heads else len(body)]
    preface = [line for line in before if _ANY_HEADING.match(line)]
    address = facts.get("链接", "")
    known = parse_arxiv(address)
    return Listed(
        title=title["title"].strip(),
        address=address,
        arxiv=known[0] if known else None,
        version=known[1] if known else None,
        source=facts.get("阅读来源", ""),
        preface="\n".join(preface),
        lead=_dedented(line for line in before if line not in preface),
        parts=tuple(_part(head, body[at + 1 : end]) for (at, head), end in zip(heads, ends, strict=True)),
    )


def _heads(body: list[str]) -> list[tuple[int, re.Match[str]]]:
    """The lines with the headings of the sections, in their order; a list in a section is none of them."""
    heads: list[tuple[int, re.Match[str]]] = []
    last = 0
    for at, line in enumerate(body):
        match = _HEAD.fullmatch(line)
        number = _NUMBERS[_PARTS_BY_NAME[match["name"]]] if match else 0
        if match and int(match["number"]) == number > last:
            heads.append((at, match))
            last = number
    return heads


def _part(head: re.Match[str], lines: list[str]) -> Part:
    name, number = head["name"], head["number"]
    written = _SPACE.sub(" ", f"{head['before']}{{}}{head['after']}".strip())
    usual = USUAL.format(number=number, name="{}")
    text = _dedented(([head["rest"].strip()] if head["rest"].strip() else []) + lines)
    return Part(_PARTS_BY_NAME[name], name, text, "" if written == usual else written)


def _dedented(lines: Iterable[str]) -> str:
    """Lines as a text: without indentation that all have, and without empty lines around."""
    return textwrap.dedent("\n".join(map(str.rstrip, lines)).strip("\n")).strip()


def write_report(document: PaperDocument) -> str:
    """The report as a text."""
    lines, source = [f"# {document.title}" if document.title else TITLE], document.source
    lines += [f"**Date**: {source.date.isoformat()}"] if source.date else []
    lines += [f"**Source URL**: {source.url}"] if source.url else []
    for paper in document.papers:
        lines += ["", RULE, "", f"## 📄 {paper.title}", ""]
        lines += [f"- **链接**: {paper.address}", f"- **阅读来源**: {paper.source}", ""]
        lines += [text for text in (paper.preface, paper.lead) if text]
        for number, part in enumerate(paper.parts, 1):
            head = part.head or USUAL.format(number=_NUMBERS.get(part.id, number), name="{}")
            lines += [head.replace("{}", part.name), part.text, ""]
    return "\n".join([*lines, "", RULE, ""])


NOTES = "# TLDR/Notes"
_TITLE = re.compile(r"# Paper List (?:from BIB File: (?P<bib>\S.*)|of Terms\((?P<terms>.*)\))\s*")
_LISTED = re.compile(r"- \[(?P<month>\d\d/\d\d|[^\]]*)\] \*\*(?P<title>.+)\*\*\s*(?P<links>\[\[.*)?")
_LINK = re.compile(r"\[\[(?P<name>Paper|Code/Page|TLDR/Notes)\]\((?P<address>.*?)\)\](?=\s*(?:\[\[|$))")
_FENCE = re.compile(r"\s{0,3}(?:```+|~~~+)\s*(?:markdown|md)?\s*")
_PART_HEADING = re.compile(r"### (?P<name>\S.*)")
_ABSTRACT = "Abstract"
_PARTS = {"📌": "motivation", "🚀": "method", "📈": "results", "💬": "lessons"}
"""The ids of the usual sections, by the sign that their headings begin with."""
_PREFACE = "🌟"


def is_paper_list(text: str) -> bool:
    """Whether the text looks like such a list."""
    return bool(_TITLE.match(text.lstrip("\ufeff \n").partition("\n")[0]))


def read_paper_list(text: str) -> PaperDocument:
    """The papers of a list. What is no part of one is left out; what is written from the value then lacks it."""
    lines = text.lstrip("\ufeff").split("\n")
    title = next((line for line in lines if line.strip()), "")
    head = _TITLE.fullmatch(title)
    end = next((at for at, line in enumerate(lines) if line.rstrip() == NOTES), len(lines))
    sections = _sections(lines, end)
    papers: list[Listed] = []
    for at, line in enumerate(lines[:end]):
        if paper := _LISTED.fullmatch(line.rstrip()):
            below = takewhile(lambda other: other.lstrip().startswith("[["), lines[at + 1 : end])
            links = " ".join(filter(None, (paper["links"], *map(str.strip, below))))
            papers.append(_listed(paper, links, sections))
    terms = tuple(term.strip() for term in (head["terms"] or "").split("+") if term.strip()) if head else ()
    bib = (head["bib"] or "").strip() if head else ""
    title = title.removeprefix("# ").strip()
    source = EntriesFrom("bib" if bib else "terms", None, None, bib or None, terms, {"title": title} if title else {})
    return PaperDocument("list", source, tuple(papers))


def _sections(lines: list[str], start: int) -> dict[str, list[str]]:
    """The lines of each section below `# TLDR/Notes`, by its heading."""
    sections: dict[str, list[str]] = {}
    name = ""
    for line in lines[start + 1 :]:
        if line.startswith("## ") and line[3:].strip() not in sections:
            name = line[3:].strip()
            sections[name] = []
        elif name:
            sections[name].append(line)
    return sections


def _listed(paper: re.Match[str], links: str, sections: dict[str, list[str]]) -> Listed:
    addresses = {link["name"]: link["address"] for link in _LINK.finditer(links)}
    anchor = addresses.get("TLDR/Notes", "").removeprefix("#")
    known = parse_arxiv(addresses.get("Paper", ""))
    abstract, preface, lead, parts, fenced = _body(sections.pop(anchor, []))
    return Listed(
        title=paper["title"].strip(),
        address=addresses.get("Paper", ""),
        arxiv=known[0] if known else None,
        version=known[1] if known else None,
        month=paper["month"],
        code=addresses.get("Code/Page", ""),
        anchor=anchor,
        preface=preface,
        lead=lead,
        abstract=abstract,
        parts=parts,
        fenced=fenced,
    )


def _body(lines: list[str]) -> tuple[str, str, str, tuple[Part, ...], bool]:
    """Abstract, the model's own title, text before its sections, its sections, and whether all is in a fence."""
    abstract: list[str] = []
    rest = lines
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is not None and lines[first].strip() == f"### {_ABSTRACT}":
        end = next(
            (
                at
                for at in range(first + 1, len(lines))
                if _PART_HEADING.match(lines[at]) or _FENCE.fullmatch(lines[at])
            ),
            len(lines),
        )
        abstract, rest = lines[first + 1 : end], lines[end:]
    rest = _trimmed(rest)
    fenced = len(rest) > 1 and bool(_FENCE.fullmatch(rest[0])) and bool(_FENCE.fullmatch(rest[-1]))
    if fenced:
        rest = _trimmed(rest[1:-1])
    preface, lead, parts = "", [], list[tuple[str, list[str]]]()
    for line in rest:
        heading = _PART_HEADING.fullmatch(line.rstrip())
        if heading and heading["name"].startswith(_PREFACE) and not parts and not preface:
            preface = line.rstrip()
        elif heading:
            parts.append((heading["name"], []))
        elif parts:
            parts[-1][1].append(line)
        else:
            lead.append(line)
    sections = tuple(
        Part(_PARTS.get(name[:1], f"part-{number}"), name, "\n".join(map(str.rstrip, _trimmed(text))))
        for number, (name, text) in enumerate(parts, 1)
    )
    return "\n".join(_trimmed(abstract)), preface, "\n".join(_trimmed(lead)), sections, fenced


def _trimmed(lines: list[str]) -> list[str]:
    """Without empty lines around."""
    full = [at for at, line in enumerate(lines) if line.strip()]
    return lines[full[0] : full[-1] + 1] if full else []


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
        title = document.title or f"Paper List of {source.date or 'Papers'}"
    lines = [f"# {title}"]
    for paper in document.papers:
        anchor = f"#{paper.anchor}" if paper.anchor else ""
        lines.append(f"- [{paper.month}] **{paper.title}**  ")
        links = f"[[Paper]({paper.address})] [[Code/Page]({paper.code})] [[TLDR/Notes]({anchor})]"
        lines += [links, ""]
    lines.append(NOTES)
    for paper in document.papers:
        if not (paper.anchor and (paper.abstract or paper.parts or paper.lead or paper.preface)):
            continue
        lines += [f"## {paper.anchor}", f"### {_ABSTRACT}", paper.abstract]
        lines += ["```"] if paper.fenced else []
        lines += [text for text in (paper.preface, paper.lead) if text]
        for part in paper.parts:
            lines += [f"### {part.name}", part.text, ""]
        lines += ["```", ""] if paper.fenced else [""]
    return "\n".join([*lines, ""])


FORMS: Mapping[Form, tuple[Callable[[str], bool], Callable[[str], PaperDocument], Callable[[PaperDocument], str]]] = {
    "report": (is_report, read_report, write_report),
    "list": (is_paper_list, read_paper_list, write_paper_list),
}
"""What recognises a document of each form, what reads it, and what writes it."""


def write_document(document: PaperDocument) -> str:
    """The document in its form."""
    return FORMS[document.form][2](document)
