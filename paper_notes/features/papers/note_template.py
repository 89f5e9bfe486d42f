"""The text of a new note: the template of its language, filled with the known facts of the paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from paper_notes.corpus.model import Fact
from paper_notes.corpus.paper import BibKey
from paper_notes.document.nodes import (
    Block,
    Code,
    Document,
    Emphasis,
    Formula,
    Heading,
    Inline,
    Item,
    Link,
    List,
    Paragraph,
    Text,
)
from paper_notes.document.write import write_markdown
from paper_notes.features.papers.pdf_facts import OutlineItem
from paper_notes.languages.language import Language
from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.markdown.syntax.inline import SURELY_TEX, bare_links
from paper_notes.patterns import regex

CITABLE = regex(r"[\w:.+/-]*\w")
"""Keys that a text can cite."""
_GAP = regex(r"\n{3,}")
_NUMBER = regex(r"(\d+|[IVX]+)\.?\s+(?=\S)")


def skeleton(language: Language, missing: str, abstract: str, outline: tuple[OutlineItem, ...]) -> str:
    """The Markdown of a new note, with a `missing_box`, the `quotation` of an abstract, and the paper's sections."""
    return _GAP.sub("\n\n", language("new.note", missing=missing, abstract=abstract, walk=_walk(language, outline)))


def missing_box(language: Language, missing: tuple[Fact, ...], key: BibKey) -> str:
    """A box that lists the missing facts of the paper; empty if there are none."""
    facts = ("、" if language.ideographic else ", ").join(language(f"new.fact.{fact}") for fact in missing)
    return f":::note\n{language('new.missing', facts=facts, key=key)}\n:::" if facts else ""


def quotation(language: Language, abstract: str, source: str) -> str:
    """An abstract, plain text with `$...$`, as a quotation from a source in Markdown; empty without one."""
    return f"> {as_markdown(abstract)}\n>\n> {language('new.abstract', source=source)}" if abstract else ""


def _walk(language: Language, outline: tuple[OutlineItem, ...]) -> str:
    """The paper's sections as headings to write under, with the pages they start on; may be empty."""
    if not outline:
        return ""
    blocks: list[Block] = [
        Heading(2, (Text(language("new.walk")),), "section-by-section"),
        _prompt(language("new.walk-ask")),
    ]
    number = 0
    for level, entries in groupby(outline, key=lambda entry: entry.level):
        if level > 1:
            blocks.append(List(tuple(Item((_on_page(entry, language),)) for entry in entries)))
            continue
        for entry in entries:
            number += 1
            title = _NUMBER.sub(r"§\1 ", entry.title)  # our headings have numbers of their own
            blocks.append(Heading(3, words_of(title), f"paper-{number}"))
            blocks.append(_prompt(language("new.claims", page=str(entry.page))))
    return write_markdown(Document(tuple(blocks)))


def _prompt(text: str) -> Block:
    return Paragraph((Emphasis((Text(text),)),))


def _on_page(entry: OutlineItem, language: Language) -> Block:
    return Paragraph(words_of(f"{entry.title} ({language('new.page', page=str(entry.page))})"))


def as_markdown(text: str) -> str:
    """One line of plain text as Markdown that says the same, wherever it stands: see `words_of`."""
    return write_markdown(Document((Paragraph(words_of(text)),))).rstrip("\n")


def words_of(text: str) -> tuple[Inline, ...]:
    """One line of plain text: what stands in dollars is a formula, or code if it is no TeX; addresses are links."""
    inlines: list[Inline] = []
    done = at = 0
    while (start := text.find("$", at)) >= 0 and (end := text.find("$", start + 1)) >= 0:
        inner = text[start + 1 : end]
        if not _is_math(inner, text[end + 1 : end + 2]):
            at = start + 1
            continue
        inlines += _with_links(text[done:start])
        formula = _formula(inner.strip())
        if isinstance(formula, Code) and inlines and isinstance(inlines[-1], Code):
            inlines.append(Text(" "))
        inlines.append(formula)
        done = at = end + 1
    return (*inlines, *_with_links(text[done:]))


def _is_math(inner: str, after: str) -> bool:
    if SURELY_TEX.search(inner):
        return True
    is_money = inner[:1].isdigit() or inner[-1:].isspace() or after[:1].isdigit()
    return not is_money and any(map(str.isalpha, inner))


def _formula(tex: str) -> Inline:
    try:
        if "`" in tex:
            raise TexProblem("code binds tighter than formulas", tex.index("`"))
        mathml(tex, display=False)
    except TexProblem:
        return Code(f"${tex}$")
    return Formula(tex)


def _with_links(text: str) -> Iterator[Inline]:
    for start, end, address in bare_links(text):
        if words := text[start:end]:
            yield Link(address, (Text(words),), is_bare=True) if address else Text(words)
