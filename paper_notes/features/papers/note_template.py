"""The text of a new note: the template of its language, filled with the known facts of the paper."""

from __future__ import annotations

import re
from dataclasses import dataclass

from paper_notes.corpus.model import Fact
from paper_notes.corpus.paper import BibKey
from paper_notes.features.papers.pdf_facts import OutlineItem
from paper_notes.languages.language import Language
from paper_notes.markdown.math.convert import mathml
from paper_notes.markdown.math.size import TexProblem

_URL = re.compile(r"https?://[\w%#&?=./:@~+,;!*'()-]*[\w/]", re.ASCII | re.IGNORECASE)
_ESCAPED = re.compile(r"[\\`*\[{<~$]|\](?=\()|:(?=::)|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
_BLOCK_START = re.compile(r"(\d*)([-+=#>:.)|])")  # starts a list, a heading ... at the start of a line
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*")  # also matches reversed text
_GAP = re.compile(r"\n{3,}")
_NUMBER = re.compile(r"(\d+|[IVX]+)\.?\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Start:
    """The facts that fill the template of a new note."""

    abstract: str
    """Plain text with `$...$`, or empty."""
    source: str
    """The source of the abstract, as Markdown."""
    missing: tuple[Fact, ...]
    key: BibKey
    outline: tuple[OutlineItem, ...] = ()


def skeleton(language: Language, start: Start) -> str:
    """The Markdown of a new note."""
    text = language(
        "new.note",
        missing=missing_box(language, start),
        abstract=quotation(language, start),
        walk=_walk(language, start.outline),
    )
    return _GAP.sub("\n\n", text)


def missing_box(language: Language, start: Start) -> str:
    """A box that lists the missing facts of the paper; empty if there are none."""
    facts = ("、" if language.ideographic else ", ").join(language(f"new.fact.{fact}") for fact in start.missing)
    return f":::note\n{language('new.missing', facts=facts, key=start.key)}\n:::" if facts else ""


def quotation(language: Language, start: Start) -> str:
    """The paper's abstract as a quotation; may be empty."""
    if not start.abstract:
        return ""
    return f"> {as_markdown(start.abstract)}\n>\n> {language('new.abstract', source=start.source)}"


def _walk(language: Language, outline: tuple[OutlineItem, ...]) -> str:
    """The paper's sections as headings to write under, with the pages they start on; may be empty."""
    if not outline:
        return ""
    text = f"## {language('new.walk')} {{#section-by-section}}\n\n*{language('new.walk-ask')}*\n"
    number = 0
    for entry in outline:
        page = str(entry.page)
        if entry.level == 1:
            number += 1
            heading = _NUMBER.sub(r"§\1 ", entry.title)  # our headings have numbers of their own
            text += f"\n### {as_markdown(heading)} {{#paper-{number}}}\n\n*{language('new.claims', page=page)}*\n"
        else:
            gap = "" if text.splitlines()[-1].startswith("- ") else "\n"
            text += f"{gap}- {as_markdown(entry.title)} ({language('new.page', page=page)})\n"
    return text


def as_markdown(text: str) -> str:
    """One line of plain text as equivalent Markdown: formulas and addresses stay, all else is escaped."""
    made: list[str] = []
    done = 0
    while (start := text.find("$", done)) >= 0:
        end = text.find("$", start + 1)
        inner = text[start + 1 : end]
        if end < 0 or not _is_math(inner, text[end + 1 : end + 2]):
            made += _literal(text[done:start]), r"\$"
            done = start + 1
            continue
        # a digit outside of the dollars would make them money, so it moves inside
        before = _AMOUNT.match(text[done:start][::-1])
        after = _AMOUNT.match(text, end + 1)
        first, last = start - (before.end() if before else 0), after.end() if after else end + 1
        made.append(_literal(text[done:first]))
        formula = _formula(text[first:start] + inner.strip() + text[end + 1 : last])
        needs_space = formula.startswith("`") and "".join(made[-2:]).endswith("`")
        made.append(f" {formula}" if needs_space else formula)
        done = last
    made.append(_literal(text[done:]))
    whole = "".join(made)
    return _BLOCK_START.sub(r"\1\\\2", whole, count=1) if _BLOCK_START.match(whole) else whole


def _is_math(inner: str, after: str) -> bool:
    if re.search(r"\\[A-Za-z]|[\^_]", inner):
        return True
    is_money = inner[:1].isdigit() or inner[-1:].isspace() or after[:1].isdigit()
    return not is_money and any(map(str.isalpha, inner))


def _formula(tex: str) -> str:
    try:
        if "`" in tex:
            raise TexProblem("code binds tighter than formulas", tex.index("`"))
        mathml(tex, display=False)
    except TexProblem:
        fence = "`" * (max(map(len, re.findall("`+", tex)), default=0) + 1)  # longer than any run inside
        return f"{fence} ${tex}$ {fence}"
    return f"${tex}$"


def _literal(text: str) -> str:
    made, done = "", 0
    for url in _URL.finditer(text):
        made += _ESCAPED.sub(r"\\\g<0>", text[done : url.start()])
        made += f"<{url[0]}>"
        done = url.end()
    return made + _ESCAPED.sub(r"\\\g<0>", text[done:])
