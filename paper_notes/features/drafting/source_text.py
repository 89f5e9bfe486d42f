"""The text that a draft is made from, and the numbers of a draft that it does not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Span
from paper_notes.features.verify.numbers import Figures, numbers_in
from paper_notes.features.verify.paper import PaperIndex, Passage, PassageRow, Passages, Word
from paper_notes.features.verify.statements import read_statements
from paper_notes.features.verify.verify import verify
from paper_notes.languages.language import Words

_KINDS: Mapping[str, str] = {"table": "Table", "figure": "Figure", "section": "Section", "front": "Title and abstract"}
_FILE = PurePosixPath("draft.md")
_DISPLAYED = re.compile(r"(?<!\\)\$\$(.+?)\$\$", re.DOTALL)
_INLINE = re.compile(r"(?<![\\$])\$(?:\\.|[^$\\\n])+\$(?!\$)|(`+)[^`\n]+\1")
"""Formulas and code in a line, into which no words can be put."""
_UNIT = re.compile(r"[\w%×]*")
_SMALL = 2
"""Digits of whole numbers in displayed formulas that say nothing: exponents, indices, powers of ten."""


def text_of(passages: Passages) -> str:
    """All that a PDF says, in passages with their names and pages."""
    return "\n\n".join(_passage(passage) for passage in passages.parts)


def _passage(passage: Passage) -> str:
    number = "" if passage.title.startswith(passage.number) else passage.number
    name = " ".join(filter(None, (_KINDS[passage.kind], number, passage.title)))
    return "\n".join([f"[{name}, page {passage.page}]", *(row.text for row in passage.rows)])


def of_abstract(paper: Paper) -> Passages:
    """The title and the abstract of a paper, as if they were all of its PDF."""
    lines = (paper.title, *(paper.abstract or "").splitlines())
    rows = tuple(PassageRow(1, (Word(line, 0.0, 0.0),)) for line in lines if line.strip())
    return Passages((Passage("front", "", "", 1, rows),), 1, "\n".join(lines))


def marking(passages: Passages, key: BibKey, lang: Lang, words: Words) -> Callable[[str], str]:
    """A function that says in a text, behind each number that the source does not have, that it does not."""
    papers = {key: PaperIndex(passages)}
    remark = f" [{words[lang]('new.not-found')}]{{.open}}"

    def mark(text: str) -> str:
        starts = [0, *(match.end() for match in re.finditer("\n", text))]
        closed = [match.span() for match in _INLINE.finditer(text)]
        results = verify(read_statements(NoteText(lang, _FILE, text), words), papers, [key])
        put: dict[int, str] = {}
        for number in (result.number for result in results if result.verdict == "missing"):
            start = starts[number.line - 1] + number.column - 1
            unit = _UNIT.match(text, start + len(number.figures.text))
            put[next((last for first, last in closed if first <= start < last), unit.end() if unit else start)] = remark
        for formula in _DISPLAYED.finditer(text):
            if missing := [
                figures.text for figures in numbers_in(formula[1]) if _says_much(figures) and not _has(figures)
            ]:
                put[formula.end()] = f"\n\n{', '.join(missing)}{remark}"
        return apply(text, (Edit(Span(offset, offset), words) for offset, words in put.items()))

    def _has(number: Figures) -> bool:
        return any(passage.find(number) for passage in papers[key].all)

    return mark


def _says_much(number: Figures) -> bool:
    return number.decimals > 0 or len(number.digits) > _SMALL
