"""Lists of papers made from a BibTeX file: a line with links for each paper, then a section for each with its abstract.

`- [25/10] **Title** [[Paper](..)] [[Code/Page](..)] [[TLDR/Notes](#anchor)]`, and below `# TLDR/Notes` a section
`## anchor` with `### Abstract` and what a model wrote of the paper, often in a fence of code by mistake.
"""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import PurePosixPath

from paper_notes.diagnostics import Location
from paper_notes.features.lists.values import Listed, PaperDocument, Part
from paper_notes.identifiers import parse_arxiv

NOTES = "# TLDR/Notes"
_TITLE = re.compile(r"# Paper List (?:from BIB File: (?P<bib>\S.*)|of Terms\((?P<terms>.*)\))\s*")
_PAPER = re.compile(r"- \[(?P<month>\d\d/\d\d|[^\]]*)\] \*\*(?P<title>.+)\*\*\s*(?P<links>\[\[.*)?")
_LINK = re.compile(r"\[\[(?P<name>Paper|Code/Page|TLDR/Notes)\]\((?P<address>.*?)\)\](?=\s*(?:\[\[|$))")
_FENCE = re.compile(r"\s{0,3}(?:```+|~~~+)\s*(?:markdown|md)?\s*")
_HEADING = re.compile(r"### (?P<name>\S.*)")
_ABSTRACT = "Abstract"
_PARTS = {"📌": "motivation", "🚀": "method", "📈": "results", "💬": "lessons"}
"""The ids of the usual sections, by the sign that their headings begin with."""
_PREFACE = "🌟"
_ANCHORED = re.compile(r"[^\w]+")


def is_paper_list(text: str) -> bool:
    """Whether the text looks like such a list."""
    return bool(_TITLE.match(text.lstrip("\ufeff \n").partition("\n")[0]))


def read_paper_list(path: PurePosixPath, text: str) -> PaperDocument:
    """The papers of a list. What is no part of one is left out; what is written from the value then lacks it."""
    lines = text.lstrip("\ufeff").split("\n")
    title = next((line for line in lines if line.strip()), "")
    head = _TITLE.fullmatch(title)
    end = next((at for at, line in enumerate(lines) if line.rstrip() == NOTES), len(lines))
    sections = _sections(lines, end)
    papers: list[Listed] = []
    for at, line in enumerate(lines[:end]):
        if paper := _PAPER.fullmatch(line.rstrip()):
            below = takewhile(lambda other: other.lstrip().startswith("[["), lines[at + 1 : end])
            links = " ".join(filter(None, (paper["links"], *map(str.strip, below))))
            papers.append(_listed(Location(path, at + 1), paper, links, sections))
    terms = tuple(term.strip() for term in (head["terms"] or "").split("+") if term.strip()) if head else ()
    bib = (head["bib"] or "").strip() if head else ""
    return PaperDocument("list", title.removeprefix("# ").strip(), tuple(papers), bib=bib, terms=terms)


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


def _listed(where: Location, paper: re.Match[str], links: str, sections: dict[str, list[str]]) -> Listed:
    addresses = {link["name"]: link["address"] for link in _LINK.finditer(links)}
    anchor = addresses.get("TLDR/Notes", "").removeprefix("#")
    known = parse_arxiv(addresses.get("Paper", ""))
    abstract, preface, lead, parts, fenced = _body(sections.pop(anchor, []))
    return Listed(
        title=paper["title"].strip(),
        location=where,
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
            (at for at in range(first + 1, len(lines)) if _HEADING.match(lines[at]) or _FENCE.fullmatch(lines[at])),
            len(lines),
        )
        abstract, rest = lines[first + 1 : end], lines[end:]
    rest = _trimmed(rest)
    fenced = len(rest) > 1 and bool(_FENCE.fullmatch(rest[0])) and bool(_FENCE.fullmatch(rest[-1]))
    if fenced:
        rest = _trimmed(rest[1:-1])
    preface, lead, parts = "", [], list[tuple[str, list[str]]]()
    for line in rest:
        heading = _HEADING.fullmatch(line.rstrip())
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
    if document.bib:
        title = f"Paper List from BIB File: {document.bib}"
    elif document.terms:
        title = f"Paper List of Terms({'+'.join(document.terms)})"
    else:
        title = document.title or f"Paper List of {document.date or 'Papers'}"
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
