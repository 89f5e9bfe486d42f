"""Reports of a day's papers, as made by programs that let a model read each: regular outside, free inside.

Outside, a row of `=` stands before each paper, then `## 📄 title` and lines with the link and with what was read.
Inside are five sections, whose headings models write in many ways: as headings of any level, as items of a list, bold
or not, with a colon or without, with the text behind them or below, indented or not.
"""

from __future__ import annotations

import datetime
import re
import textwrap
from collections.abc import Iterable
from pathlib import PurePosixPath

from paper_notes.diagnostics import Location
from paper_notes.features.drafting.prompts import PART_NAMES
from paper_notes.features.lists.values import Listed, PaperDocument, Part
from paper_notes.identifiers import parse_arxiv

USUAL = "### {number}. {name}"
"""How their headings are written if nothing else is known."""
TITLE = "# Hugging Face Daily Papers Report"
RULE = "=" * 60
_RULE = re.compile(r"={20,}\s*")
_FACT = re.compile(r"\*\*(?P<name>[^*]+)\*\*\s*[:：]\s*(?P<value>\S.*)")
_PAPER = re.compile(r"## (?:📄\s*)?(?P<title>\S.*)")
_LINE = re.compile(r"- \*\*(?P<name>链接|阅读来源|Link|Source)\*\*\s*[:：]\s*(?P<value>.*)")
_HEADING = re.compile(r"#{1,6} ")
_NAMES = "|".join(name for names in PART_NAMES.values() for name in names)
_HEAD = re.compile(
    rf"\s{{0,4}}(?P<before>(?:\#{{1,6}}\s+)?(?:\*\*)?(?P<number>[1-9])[.、)]\s*(?:\*\*)?)(?P<name>{_NAMES})"
    r"(?P<after>(?:\*\*)?\s*[:：]?(?:\*\*)?)(?P<rest>\s.*|(?<=[:：*]).*|)"
)
_SPACE = re.compile(r"\s+")


def is_report(text: str) -> bool:
    """Whether the text looks like such a report."""
    lines = text.split("\n")
    return any(map(_RULE.fullmatch, lines)) and any(line.startswith("## 📄") for line in lines)


def read_report(path: PurePosixPath, text: str) -> PaperDocument:
    """The papers of a report. What is no part of one is left out; what is written from the value then lacks it."""
    blocks = _blocks(text)
    head = blocks[0][1]
    facts = {fact["name"].lower(): fact["value"].strip() for line in head if (fact := _FACT.match(line.strip()))}
    title = next((line[2:].strip() for line in head if line.startswith("# ")), "")
    papers = (_paper(path, first, lines) for first, lines in blocks[1:] if any(map(str.strip, lines)))
    date = _date(facts.get("date") or facts.get("日期") or "")
    return PaperDocument("report", title, tuple(filter(None, papers)), date, facts.get("source url", ""))


def _blocks(text: str) -> list[tuple[int, list[str]]]:
    """The lines between the rows of `=`, with the number of their first line."""
    blocks: list[tuple[int, list[str]]] = [(1, [])]
    for number, line in enumerate(text.split("\n"), 1):
        if _RULE.fullmatch(line):
            blocks.append((number + 1, []))
        else:
            blocks[-1][1].append(line)
    return blocks


def _date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text.strip())
    except ValueError:
        return None


def _paper(path: PurePosixPath, first: int, lines: list[str]) -> Listed | None:
    start = next(place for place, line in enumerate(lines) if line.strip())
    title = _PAPER.fullmatch(lines[start].rstrip())
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
    preface = [line for line in before if _HEADING.match(line)]
    address = facts.get("链接", "")
    known = parse_arxiv(address)
    return Listed(
        title=title["title"].strip(),
        location=Location(path, first + start),
        address=address,
        arxiv=known[0] if known else None,
        version=known[1] if known else None,
        source=facts.get("阅读来源", ""),
        preface="\n".join(preface),
        lead=_text(line for line in before if line not in preface),
        parts=tuple(_part(head, body[at + 1 : end]) for (at, head), end in zip(heads, ends, strict=True)),
    )


def _heads(body: list[str]) -> list[tuple[int, re.Match[str]]]:
    """The lines with the headings of the sections, in their order; a list in a section is none of them."""
    heads: list[tuple[int, re.Match[str]]] = []
    order = list(PART_NAMES)
    for at, line in enumerate(body):
        match = _HEAD.fullmatch(line)
        if match is None:
            continue
        part = next(part for part, names in PART_NAMES.items() if match["name"] in names)
        if int(match["number"]) == order.index(part) + 1 and (not heads or _place(heads[-1][1]) < _place(match)):
            heads.append((at, match))
    return heads


def _place(head: re.Match[str]) -> int:
    return int(head["number"])


def _part(head: re.Match[str], lines: list[str]) -> Part:
    name, number = head["name"], head["number"]
    part = next(part for part, names in PART_NAMES.items() if name in names)
    written = _SPACE.sub(" ", f"{head['before']}{{}}{head['after']}".strip())
    usual = USUAL.format(number=number, name="{}")
    text = _text(([head["rest"].strip()] if head["rest"].strip() else []) + lines)
    return Part(part, name, text, "" if written == usual else written)


def _text(lines: Iterable[str]) -> str:
    """Lines as a text: without indentation that all have, and without empty lines around."""
    return textwrap.dedent("\n".join(map(str.rstrip, lines)).strip("\n")).strip()


def write_report(document: PaperDocument) -> str:
    """The report as a text."""
    lines = [(document.title and f"# {document.title}") or TITLE]
    if document.date:
        lines.append(f"**Date**: {document.date.isoformat()}")
    if document.address:
        lines.append(f"**Source URL**: {document.address}")
    for paper in document.papers:
        lines += ["", RULE, "", f"## 📄 {paper.title}", ""]
        lines += [f"- **链接**: {paper.address}", f"- **阅读来源**: {paper.source}", ""]
        lines += [text for text in (paper.preface, paper.lead) if text]
        for number, part in enumerate(paper.parts, 1):
            head = part.head or USUAL.format(number=_number(part.id, number), name="{}")
            lines += [head.replace("{}", part.name), part.text, ""]
    return "\n".join([*lines, "", RULE, ""])


def _number(part: str, position: int) -> int:
    return list(PART_NAMES).index(part) + 1 if part in PART_NAMES else position
