"""Links from the numbers of a page to their sources: what `evidence.tsv` keeps, and what is declared by `from=`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Location
from paper_notes.features.verify.arithmetic import NoArithmetic, is_rounded, value_of
from paper_notes.features.verify.bindings import CellBinding, FigureBinding, QuoteBinding, parse_binding
from paper_notes.features.verify.evidence import CELLS, NAME, Evidence, KeptNumber, read_cells, read_evidence
from paper_notes.features.verify.number_sources import NumberSources
from paper_notes.features.verify.quantities import SCALES
from paper_notes.features.verify.readings import NoReading, Readings, bindings_in, readings_of, with_numbers
from paper_notes.features.verify.statements import StatedNumber, Statement, statements
from paper_notes.markdown.context import Context, closing, context_of
from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.markdown.sections import digest
from paper_notes.markdown.syntax.declared import HINT, Origin
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape

_NEAR = 3
"""Characters between two numbers that are one range, `83–86%`."""
_UNIT = regex(r"\s?[×倍]|")
_TAG = regex("<[^>]*>")
_LITERAL = frozenset({"math_inline", "math_inline_double", "code_inline"})
Sourced = tuple[StatedNumber, int | None]
"""A number, and the place of its source."""


def with_sources(tokens: list[Token], context: Context) -> list[Token]:
    """The blocks of a text with a link to its source around each number that has one; the context gets the sources.

    What is kept of a section counts only if its text is the same.
    """
    evidence = read_evidence(context.files.get(NAME))
    if evidence is None and "from=" not in context.source.text:
        return tokens
    main = next(iter(context.papers), BibKey(""))
    cells = read_cells(file := context.files.get(CELLS))
    sources = NumberSources(evidence or Evidence(), readings_of(context.files)[0], context.sources, main, cells)
    marked: dict[int, list[Sourced]] = {}
    tables: dict[int, list[Statement]] = defaultdict(list)
    for statement, numbers in with_kept(tokens, context, evidence):
        marked[statement.tokens] = [
            (number, sources.of_number(number.figures, number.origin, kept)) for number, kept in numbers
        ]
        if statement.table >= 0:
            tables[statement.table].append(statement)
    heads = dict(head for cells in tables.values() for head in _agreeing(cells, marked, tokens))
    for at, token in enumerate(tokens):
        if token.type == "inline" and at in heads:
            token.children = [*_linked(token.children or [], heads[at], context)]
        elif token.type == "inline":
            token.children = [*_marked(token.children or [], marked.get(at, []), context, sources)]
    for table in dict.fromkeys(source.region.table for source in context.sources if source.region):
        context.slot("table", table, "", Location(file.path) if file else context.at(0, 0))
    return tokens


def with_kept(
    tokens: Sequence[Token], context: Context, evidence: Evidence | None
) -> Iterator[tuple[Statement, list[tuple[StatedNumber, KeptNumber | None]]]]:
    """The statements of parsed blocks with their numbers, each with what is kept of it."""
    sections = dict(enumerate(_of_sections(tokens, context, evidence))) if evidence else {}
    counts: dict[int, int] = defaultdict(int)
    for statement in statements(tokens, context, demos=True):
        is_demo = "demo" in statement.inside
        kept = sections.get(statement.section, {}) if not is_demo else {}
        numbers = list[tuple[StatedNumber, KeptNumber | None]]()
        for number in statement.numbers:
            saved = kept.get(counts[statement.section])
            counts[statement.section] += not is_demo
            numbers.append((number, saved if saved and saved.text == number.figures.text else None))
        yield statement, numbers


def _of_sections(tokens: Sequence[Token], context: Context, evidence: Evidence) -> Iterator[Mapping[int, KeptNumber]]:
    """What is kept of the text before the first heading, and of each section."""
    lines = [(token.map or [0])[0] for token in tokens if token.type == "heading_open" and token.level == 0]
    for start, end in zip((0, *lines), (*lines, len(context.lines)), strict=True):
        section = evidence.of(context.lang, digest(context.lines[start:end]))
        yield {number.place: number for number in section.numbers} if section else {}


def _agreeing(
    cells: Sequence[Statement], marked: dict[int, list[Sourced]], tokens: Sequence[Token]
) -> Iterator[tuple[int, int]]:
    """Heads of a table, or of its columns, and the source that all numbers below share: it is shown there, once."""
    heads = [cell for cell in cells if cell.kind == "head" and _can_be_linked(tokens[cell.tokens])]
    body = [cell for cell in cells if cell.kind != "head"]
    columns = {cell.column for cell in body if marked[cell.tokens]}
    for head in heads:
        whole = body if head == heads[0] and len(columns) > 1 else ()
        for below in (whole, [cell for cell in body if cell.column == head.column]):
            places = [place for cell in below for _, place in marked[cell.tokens]]
            if len(places) > 1 and len({*places}) == 1 and places[0] is not None and not marked[head.tokens]:
                yield head.tokens, places[0]
                for cell in below:
                    marked[cell.tokens] = [(number, None) for number, _ in marked[cell.tokens]]


def _can_be_linked(inline: Token) -> bool:
    children = inline.children or []
    return bool(inline.content.strip()) and all(_may_be_linked(child) for child in children)


def _may_be_linked(token: Token) -> bool:
    """Whether it may be inside of a link: no link or citation."""
    return token.type not in ("link_open", "footnote_ref", "image") and not token.meta.get("shown")


def _marked(
    children: Sequence[Token], numbers: Sequence[Sourced], context: Context, sources: NumberSources
) -> Iterator[Token]:
    by_child: dict[int, list[tuple[StatedNumber, int]]] = defaultdict(list)
    for number, place in numbers:
        if place is not None:
            by_child[number.child].append((number, place))
    links, done = 0, 0
    for at, child in enumerate(children):
        if at < done:
            continue
        links += (child.type == "link_open") - (child.type == "link_close")
        here = by_child.get(at, [])
        if links:
            yield child
        elif child.type == "span_open" and (span := _wordy_span(children, at, numbers, sources)):
            end, place = span
            yield child
            yield from _linked(children[at + 1 : end], place, context)
            done = end
        elif here and child.type in _LITERAL:
            places = [*dict.fromkeys(place for number, place in here if not number.figures.is_trivial)]
            sums = [place for place in places if sources.is_sum(place)]
            linked = (
                _linked([child], sources.several(sums[:1] or places), context, _spoken(child)) if places else [child]
            )
            yield from linked
        elif here and child.type == "text":
            yield from _marked_text(child, here, context)
        else:
            yield child


def _wordy_span(
    children: Sequence[Token], at: int, numbers: Sequence[Sourced], sources: NumberSources
) -> tuple[int, int] | None:
    """The end of words in brackets that say where they come from and have no number, and the place of that source."""
    origin, end = children[at].meta.get("from"), closing(children, at)
    if not origin or any(at < number.child < end for number, _ in numbers):
        return None
    place = sources.of_origin(origin)
    return (end, place) if place is not None and all(map(_may_be_linked, children[at + 1 : end])) else None


def _marked_text(child: Token, numbers: Sequence[tuple[StatedNumber, int]], context: Context) -> Iterator[Token]:
    done, begin = 0, -1
    for (number, place), (following, next_place) in zip(numbers, [*numbers[1:], (None, None)], strict=True):
        start = number.offset
        end = start + len(number.figures.text)
        begin = start if begin < 0 else begin
        if following and next_place == place and following.offset - end <= _NEAR:
            continue  # `83–86%` is one link
        end += len(_UNIT.match(child.content, end)[0])  # type: ignore[index] # it may be empty
        yield child.copy(content=child.content[done:begin])
        yield from _linked([child.copy(content=child.content[begin:end])], place, context)
        done, begin = end, -1
    yield child.copy(content=child.content[done:])


def _spoken(child: Token) -> str:
    """What a formula says, which is the name of a link around it: no program finds one in MathML."""
    with suppress(TexProblem):
        return unescape(_TAG.sub("", mathml(child.content, display=False))) if child.type != "code_inline" else ""
    return child.content


def _linked(tokens: Sequence[Token], place: int, context: Context, label: str = "") -> Iterator[Token]:
    opening = context.slot("number", str(place), label, context.at(0, 0))
    yield Token("slot", "", 0, content=opening, meta={"shown": ()})
    yield from tokens
    yield Token("slot", "", 0, content=context.keep("</a>"), meta={"shown": ()})


_NUMBER = regex(
    r"(?P<sign>(?<![\w.)%])[-−+])?(?P<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)\s*\\?(?P<percent>[%％]?)(?P<scale>[KkMBGT千万亿]?)"
)


def declared_marks(state: StateCore) -> None:
    """Check what notes declare. A space stands where citations are named, which `verify` and the references need."""
    context = context_of(state.env)
    readings, problems = readings_of(context.files)
    context.problems += problems
    for place, token in enumerate(state.tokens):
        _check_origins(context, readings, [token, *(token.children or ())])
        if token.type == "inline":
            token.children = list(_with_citations(token.children or [], context, readings))
            origin = token.meta.get("from")
            if origin and state.tokens[place - 1].type != "heading_open":
                token.children.append(_citation(origin, context, token.meta["from_at"]))


def _with_citations(children: Sequence[Token], context: Context, readings: Readings) -> Iterator[Token]:
    """The tokens of a block, with the papers that words in brackets are from."""
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
            yield _citation(origin, context, opening.meta["from_at"])
        yield token


def _citation(origin: Origin, context: Context, where: Location) -> Token:
    """What no reader sees: the paper that an origin names is one of the references of the note."""
    shown: tuple[object, ...] = ()
    if origin.value.startswith("@"):
        key, _, place = origin.value[1:].partition(" " if origin.kind == "cell" else ",")
        context.slot("cite", key.strip(" ,"), _part(origin) or place.strip(), where)
        shown = (" [", context.slots[-1], "]")
    return Token("slot", "", 0, meta={"shown": shown})


def _part(origin: Origin) -> str:
    match parse_binding(origin.value) if origin.kind == "cell" else None:
        case CellBinding(table=number):
            return f"Table {number}"
        case QuoteBinding(section=number):
            return f"§{number}"
        case FigureBinding(figure=number):
            return f"Fig. {number}"
    return ""


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
