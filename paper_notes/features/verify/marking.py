"""Marks of numbers on pages: where a paper says them, as in `evidence.tsv`, and where they are declared to be from."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from urllib.parse import urlsplit

from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import escape

from paper_notes.diagnostics import Location
from paper_notes.features.verify.arithmetic import NoArithmetic, is_rounded, value_of
from paper_notes.features.verify.bindings import Binding, CellBinding, FigureBinding, QuoteBinding, parse_binding
from paper_notes.features.verify.evidence import NAME, Evidence, KeptNumber, read_evidence
from paper_notes.features.verify.quantities import SCALES
from paper_notes.features.verify.readings import NoReading, Readings, bindings_in, readings_of, with_numbers
from paper_notes.features.verify.statements import Number, statements
from paper_notes.languages.language import Language
from paper_notes.markdown.context import Context, context_of
from paper_notes.markdown.sections import digest
from paper_notes.markdown.syntax.declared import HINT, Origin

_MARKED = {"bound": "at", "elsewhere": "else", "contradicted": "else", "missing": "no"}
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
                in_papers += saved.verdict in ("bound", "declared")
                if saved.verdict == "missing" or (saved.spot and saved.verdict in _MARKED and saved.kind != "sum"):
                    marked[statement.tokens].append((number, saved))
    main = _main(evidence)
    for at, numbers_of_block in marked.items():
        tokens[at].children = list(_marked(tokens[at].children or [], numbers_of_block, context, main))
    context.sourced = in_papers, checked
    return tokens


def _main(evidence: Evidence) -> str:
    """The paper that nearly all numbers are from, whose name need not be said each time; empty if there are several."""
    spots = (number.spot for section in evidence.sections for number in section.numbers)
    keys = Counter(spot.key for spot in spots if spot)
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
    words, spot = context.language, number.spot
    if spot is None:
        return words("spot.missing")
    page = words("spot.page", page=str(spot.page))
    named = spot.kind in ("table", "figure", "section") and spot.number
    bound = _named(number.binding, words)
    place = words("spot.both", place=words(f"spot.{spot.kind}", number=spot.number), page=page) if named else page
    if bound and number.kind in ("cell", "reading"):
        place = words("spot.both", place=words("spot.both", place=bound[0], page=bound[1]), page=page)
    place = f"{spot.key}: {place}" if spot.key != main else place
    return place if number.verdict == "bound" else words("spot.elsewhere", place=place)


def _named(binding: Binding | None, words: Language) -> tuple[str, str] | None:
    """Where in a paper a binding is, in words, and which cell, words or point there: `Table 2`, `DFlash × GSM8K`."""
    match binding:
        case CellBinding():
            return words("spot.table", number=binding.table), " × ".join(binding.labels)
        case QuoteBinding():
            return words("spot.section", number=binding.section), f"“{binding.words}”"
        case FigureBinding():
            return words("spot.figure", number=binding.figure), binding.point
    return None


_NUMBER = re.compile(
    r"(?P<sign>(?<![\w.)%])[-−+])?(?P<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)\s*\\?(?P<percent>[%％]?)(?P<scale>[KkMBGT千万亿]?)"
)


def declared_marks(state: StateCore) -> None:
    """Show the marks: at the end of words and blocks, and as a line of its own for sections and untitled components."""
    context, shown = context_of(state.env), list[Token]()
    readings, problems = readings_of(context.files)
    context.problems += problems
    for token in state.tokens:
        _check_origins(context, readings, [token, *(token.children or ())])
    for place, token in enumerate(state.tokens):
        shown.append(token)
        if token.type == "inline":
            token.children = list(_with_marks(token.children or [], context, readings))
            origin = token.meta.get("from")
            if origin and state.tokens[place - 1].type != "heading_open":
                token.children += _mark(origin, context, token.meta["from_at"])
        elif token.type == "component_open" and (origin := token.meta.get("from")):
            titled = state.tokens[place + 1]
            if titled.meta.get("title"):
                titled.meta |= {"from": origin, "from_at": token.meta["from_at"]}
            else:
                shown += _line(origin, context, token, token.meta["from_at"])
        elif token.type == "heading_close" and (origin := state.tokens[place - 1].meta.get("from")):
            shown += _line(origin, context, token, state.tokens[place - 1].meta["from_at"])
    state.tokens = shown


def _with_marks(children: Sequence[Token], context: Context, readings: Readings) -> Iterator[Token]:
    """The tokens of a block, with a mark after each words in brackets that say where they come from."""
    opened: list[Token] = []
    words = ""
    for token in children:
        if token.type == "span_open":
            opened.append(token)
            words = "" if "from" in token.meta else words
        elif token.type in ("text", "math_inline", "text_special"):
            words += token.content
        if token.type == "span_close" and opened and (origin := (opening := opened.pop()).meta.get("from")):
            if origin.kind == "derived":
                _compare(context, origin, readings, words, opening.meta["from_at"])
            yield from _mark(origin, context, opening.meta["from_at"])
        yield token


def _mark(origin: Origin, context: Context, where: Location) -> list[Token]:
    """A small mark that says what the origin is; another source is named and linked."""
    binding = parse_binding(origin.value) if origin.kind == "cell" else None
    named = _named(binding, context.language)
    if named and not origin.value.startswith("@"):
        title = escape(named[1])
        html = f'<small class="origin" title="{title}">{escape(named[0])}</small>'
        return [Token("slot", "", 0, content=context.keep(html), meta={"shown": ()})]
    if origin.value.startswith("@"):
        key, _, place = origin.value[1:].partition(" " if named else ",")
        slot = context.slot("cite", key.strip(" ,"), ", ".join(named) if named else place.strip(), where)
        shown = context.slots[-1]
        return [
            Token("slot", "", 0, content=f' <span class="cites">[{slot}]</span>', meta={"shown": (" [", shown, "]")})
        ]
    if origin.kind == "other":
        return [
            Token("text", "", 0, content=" ["),
            Token("link_open", "a", 1, attrs={"href": origin.value}, info="auto"),
            Token("text", "", 0, content=urlsplit(origin.value).hostname or origin.value),
            Token("link_close", "a", -1, info="auto"),
            Token("text", "", 0, content="]"),
        ]
    return [Token("slot", "", 0, content=context.keep(_html(origin, context)), meta={"shown": ()})]


def _html(origin: Origin, context: Context) -> str:
    title = context.word(f"origin.{origin.kind}-title", value=origin.value)
    title = title if origin.value or origin.kind == "own" else context.word("origin.figure-title-plain")
    classes = ("origin", "sum") if origin.kind == "derived" else ("origin",)  # arithmetic is for paper, too
    return f'<small class="{" ".join(classes)}" title="{title}">{context.word(f"origin.{origin.kind}")}</small>'


def _line(origin: Origin, context: Context, heading: Token, where: Location) -> list[Token]:
    """A line below a heading, since headings are repeated in the table of contents."""
    inline = Token("inline", "", 0, children=_mark(origin, context, where), level=heading.level + 1, map=heading.map)
    opening = Token(
        "paragraph_open", "p", 1, attrs={"class": "origin"}, level=heading.level, block=True, map=heading.map
    )
    return [opening, inline, Token("paragraph_close", "p", -1, level=heading.level, block=True)]


def _compare(context: Context, origin: Origin, readings: Readings, words: str, where: Location) -> None:
    """Report arithmetic whose result is not the number that it stands at, or not the one behind its own `=`."""
    expression, _, claimed = origin.value.partition("=")
    value = None
    with suppress(NoReading):
        value = _computed(expression, readings)
    if value is None:
        return
    for text in (claimed, words):
        numbers = list(_NUMBER.finditer(text.replace("{,}", ",")))
        if text and not any(_is_value(value, number) for number in numbers):
            shown = numbers[-1][0].strip() if numbers else text.strip()[:40]
            message = f'{expression.strip()} is {value:.6g}, not "{shown}"'
            context.report(where, "wrong-arithmetic", message, "correct the number, or what it is computed from")
            return


def _is_value(value: float, number: re.Match[str]) -> bool:
    """Whether a number shown is the value; words may stand for its sign, as in `falls by`."""
    if number["sign"] and (number["sign"] != "+") != (value < 0):
        return False
    scale = SCALES.get(number["scale"], 0)
    return is_rounded(abs(value), number["digits"], percent=bool(number["percent"]), scale=scale)


def _computed(expression: str, readings: Readings) -> float | None:
    """The value; None if cells of a paper are computed with, which `verify` does. Raises NoArithmetic and NoReading."""
    if any(isinstance(binding, CellBinding) for binding in bindings_in(expression)):
        value_of(with_numbers(expression, readings, lambda _cell: Decimal(1)))
        return None
    return value_of(with_numbers(expression, readings))


def _check_origins(context: Context, readings: Readings, tokens: Sequence[Token]) -> None:
    """Report origins that mean nothing, which get no mark, and arithmetic at the end of a block that is wrong."""
    for token in tokens:
        origin, where = token.meta.get("from"), token.meta.get("from_at")
        if not origin:
            continue
        if problem := _problem(origin, readings):
            if problem[1] == HINT:
                del token.meta["from"]
            if where:
                context.report(where, "unknown-option", *problem)
        elif origin.kind == "derived" and token.type == "inline" and where:
            _compare(context, origin, readings, token.content, where)


def _problem(origin: Origin, readings: Readings) -> tuple[str, str] | None:
    """Why no number can come from there, and a hint."""
    binding = parse_binding(origin.value) if origin.kind == "cell" else None
    try:
        if origin.kind == "derived":
            _computed(origin.value.partition("=")[0], readings)
        elif isinstance(binding, FigureBinding):
            with_numbers(origin.value, readings)
    except NoReading as unread:
        return unread.message, unread.hint
    except NoArithmetic:
        binding = None
    else:
        if origin.kind != "cell" or binding:
            return None
    return f'"{origin.value}" is not where a number can come from', HINT
