"""Marks numbers on pages with the place in a paper that `evidence.tsv` has for them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from markdown_it.token import Token
from markupsafe import escape

from paper_notes.features.verify.evidence import NAME, Evidence, KeptNumber, read_evidence
from paper_notes.features.verify.statements import Number, statements
from paper_notes.markdown.context import Context
from paper_notes.markdown.sections import digest

_MARKED = {"place": "at", "elsewhere": "else", "missing": "no"}
"""Classes of the marks, the best result first."""
_NEARLY, _NEAR = 0.8, 3
_UNIT = re.compile(r"\s?[×倍]|")
_LITERAL = frozenset({"math_inline", "math_inline_double", "code_inline"})


def with_sources(tokens: list[Token], context: Context) -> list[Token]:
    """The blocks of a text with a mark around each number whose place is kept; the context gets their counts.

    What is kept of a section counts only if its text is the same.
    """
    evidence = read_evidence(context.files.get(NAME))
    if evidence is None:
        return tokens
    marked, in_papers, checked = defaultdict[int, list[tuple[Number, KeptNumber]]](list), 0, 0
    kept = dict(enumerate(_of_sections(tokens, context, evidence)))
    counts: dict[int, int] = defaultdict(int)
    for statement in statements(tokens, context):
        numbers = kept.get(statement.section, {})
        for number in statement.numbers:
            saved = numbers.get(counts[statement.section])
            counts[statement.section] += 1
            if saved and saved.text == number.figures.text:
                checked += 1
                in_papers += saved.verdict in ("place", "declared")
                if saved.verdict in _MARKED:
                    marked[statement.tokens].append((number, saved))
    main = _main(evidence)
    for at, numbers_of_block in marked.items():
        tokens[at].children = list(_marked(tokens[at].children or [], numbers_of_block, context, main))
    context.sourced = in_papers, checked
    return tokens


def _main(evidence: Evidence) -> str:
    """The paper that nearly all numbers are from, whose name need not be said each time; empty if there are several."""
    keys = Counter(number.key for section in evidence.sections for number in section.numbers if number.key)
    return next((key for key, count in keys.items() if count > _NEARLY * keys.total()), "")


def _of_sections(tokens: Sequence[Token], context: Context, evidence: Evidence) -> Iterator[Mapping[int, KeptNumber]]:
    """What is kept of the text before the first heading, and of each section."""
    lines = [(token.map or [0])[0] for token in tokens if token.type == "heading_open" and token.level == 0]
    for start, end in zip((0, *lines), (*lines, len(context.lines)), strict=True):
        section = evidence.of(context.lang, digest(context.lines[start:end]))
        yield {number.place: number for number in section.numbers} if section else {}


def _marked(
    children: Sequence[Token], numbers: Sequence[tuple[Number, KeptNumber]], context: Context, main: str
) -> Iterator[Token]:
    by_child: dict[int, list[tuple[Number, KeptNumber]]] = defaultdict(list)
    for number, saved in numbers:
        by_child[number.child].append((number, saved))
    for index, child in enumerate(children):
        here = by_child.get(index, [])
        if here and child.type in _LITERAL:
            yield from _around([child], [saved for _, saved in here], context, main)
        elif here and child.type == "text":
            done = 0
            for (number, saved), (following, next_one) in zip(here, [*here[1:], (None, None)], strict=True):
                start = number.offset
                end = start + len(number.figures.text)
                if following and next_one and following.offset - end <= _NEAR and _alike(saved, next_one):
                    continue  # `83–86%`: the place of both is said once
                end += len(_UNIT.match(child.content, end)[0])  # type: ignore[index] # it may be empty
                yield child.copy(content=child.content[done:start])
                yield from _around([child.copy(content=child.content[start:end])], [saved], context, main)
                done = end
            yield child.copy(content=child.content[done:])
        else:
            yield child


def _alike(first: KeptNumber, second: KeptNumber) -> bool:
    return replace(first, place=0, text="", chance=0) == replace(second, place=0, text="", chance=0)


def _around(tokens: Sequence[Token], numbers: Sequence[KeptNumber], context: Context, main: str) -> Iterator[Token]:
    titles = "; ".join(dict.fromkeys(_place(number, context, main) for number in numbers))
    worst = max((_MARKED[number.verdict] for number in numbers), key=list(_MARKED.values()).index)
    opening = context.keep(f'<span class="spot {worst}" data-at="{escape(titles)}">')
    yield Token("slot", "", 0, content=opening, meta={"shown": ()})
    yield from tokens
    yield Token("slot", "", 0, content=context.keep("</span>"), meta={"shown": ()})


def _place(number: KeptNumber, context: Context, main: str) -> str:
    """`Table 2, p. 5` in the language of the text."""
    words = context.language
    if number.verdict == "missing":
        return words("spot.missing")
    page = words("spot.page", page=str(number.page))
    named = number.kind in ("table", "figure", "section") and number.number
    place = words("spot.both", place=words(f"spot.{number.kind}", number=number.number), page=page) if named else page
    place = f"{number.key}: {place}" if number.key != main else place
    return place if number.verdict == "place" else words("spot.elsewhere", place=place)
