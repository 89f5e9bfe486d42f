"""The blocks of a foreign text, line by line: headings, boxes, HTML, tables and fences as we write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paper_notes.features.importing.markdown.anchors import is_name
from paper_notes.features.importing.markdown.containers import CONTAINERS, Again, Container, Made
from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.fallback import as_code
from paper_notes.features.importing.markdown.fences import fence
from paper_notes.features.importing.markdown.htmlblocks import html_block, html_end
from paper_notes.features.importing.markdown.lines import FENCE, ITEM, TAB, Line
from paper_notes.features.importing.markdown.run import remark
from paper_notes.features.importing.markdown.shortcodes import LIQUID, OPENED, liquid, shortcode
from paper_notes.features.importing.markdown.tables import table, table_end

_ATX = re.compile(r"(#{1,6})([ \t].*|)")
_BRACES = re.compile(r"\{:?[ \t]*[.#][^{}]*\}$")
_TOC = re.compile(r"\[\[?_?TOC_?\]?\]|\[\[?toc\]?\]|\{:toc\}|@\[toc\].*|\$\{toc\}|\{\{[<%]\s*toc\s*[>%]\}\}")
_LISTED_TOC = re.compile(r"[-*+1.]+[ \t]+(?:TOC|目录|toc)[ \t]*")
_ATTRIBUTES = re.compile(r"\{:[^{}]*\}")
_ABBREVIATION = re.compile(r"\*\[[^\[\]]+\]:.*")
_IMPORT = re.compile(
    r"(?:import\s.+from\s+['\"].*|import\s+['\"].*['\"];?|export\s+(?:const|default|function|let|var)\b.*)"
)
_BEGIN = re.compile(r"\\begin\{(equation|align|gather|multline|eqnarray|alignat|flalign|displaymath|math)(\*?)\}")

MORE = (Container("shortcode", OPENED, shortcode), Container("liquid", LIQUID, liquid))


def blocks(conversion: Conversion, lines: Sequence[Line], *, nested: bool = False) -> list[Line]:
    """The lines as we write them; `nested` for those in a box, which have no sections."""
    made: list[Line] = []
    place, floor = 0, 0
    was_blank, was_code = True, False
    again = lambda inner: _inner(conversion, inner)  # noqa: E731
    while place < len(lines):
        line = lines[place]
        words, indent = line.words, line.indent
        conversion.line = line.number
        if not words:
            made.append(Line(line.number, ""))
            place, was_blank = place + 1, True
            continue
        if indent < floor and (was_blank or ITEM.match(words)):
            floor = 0 if not ITEM.match(words) else min(floor, indent)
        if indent >= floor + TAB and (was_blank or was_code):
            made.append(line)
            place, was_code, was_blank = place + 1, True, False
            continue
        before_blank, was_blank, was_code = was_blank, False, False
        if not nested and indent < TAB and (heading := conversion.headings.get(line.number)):
            options = [*([f"#{heading.id}"] if heading.id else ()), *([f"n={heading.own}"] if heading.own else ())]
            anchor = f" {{{' '.join(options)}}}" if options else ""
            made += [Line(line.number, ""), Line(line.number, f"{'#' * heading.level} {heading.text}{anchor}")]
            made.append(Line(line.number, ""))
            place, was_blank, floor = place + heading.lines, True, 0
            continue
        try:
            taken = _block(_Here(conversion, lines, place, before_blank, nested, again))
        except _TooDeepError:
            if nested:
                raise
            taken = _as_written(conversion, lines, place)
        if taken is None:
            if item := ITEM.match(words):
                floor = indent + len(item["marker"]) + max(min(len(item["space"]), 4), 1)
            made.append(line)
            place += 1
            continue
        more, after = taken
        made += more
        place = max(after, place + 1)
        was_blank = not more or not more[-1].words
    return made


MAX_DEPTH = 30
"""So many boxes may be within each other: our pages have 40 levels, and Python not many more."""


class _TooDeepError(Exception):
    """More boxes within each other than that."""


def _inner(conversion: Conversion, lines: Sequence[Line]) -> list[Line]:
    """The lines in a box. Raises _TooDeepError."""
    if conversion.depth == MAX_DEPTH:
        raise _TooDeepError
    conversion.depth += 1
    try:
        return blocks(conversion, lines, nested=True)
    finally:
        conversion.depth -= 1


def _as_written(conversion: Conversion, lines: Sequence[Line], place: int) -> Made:
    """A box up to the next lines that are not in it, as a block of text."""
    end = place + 1
    while end < len(lines) and (lines[end].words or _goes_on(lines, end)):
        end += 1
    message = f"this block is shown as it was written: more than {MAX_DEPTH} boxes are within each other"
    conversion.report("unmapped", "as-text", message, lines[place].number)
    return [Line(lines[place].number, ""), *as_code(lines[place:end]), Line(lines[end - 1].number, "")], end


def _goes_on(lines: Sequence[Line], place: int) -> bool:
    """Whether a block goes on after a blank line: what follows is indented."""
    after = next((line for line in lines[place:] if line.words), None)
    return after is not None and after.indent >= TAB


@dataclass(frozen=True, slots=True)
class _Here:
    """A line that may begin a block."""

    conversion: Conversion
    lines: Sequence[Line]
    place: int
    after_blank: bool
    nested: bool
    again: Again

    @property
    def line(self) -> Line:
        return self.lines[self.place]

    @property
    def words(self) -> str:
        return self.lines[self.place].words


def _block(here: _Here) -> Made:
    """The lines for the block that begins here, and the index after it; None for text."""
    words = here.words
    for signs, begins in _BLOCKS:
        if (not signs or words[0] in signs) and (taken := begins(here)) is not None:
            return taken
    return None


def _code(here: _Here) -> Made:
    return fence(here.conversion, here.lines, here.place, here.again) if FENCE.match(here.words) else None


def _inner_heading(here: _Here) -> Made:
    """A heading in a box or a list, and one without words."""
    atx = _ATX.fullmatch(here.words)
    if atx is None:
        return None
    words = _BRACES.sub("", atx[2].strip(" #\t"))
    made = f"{' ' * here.line.indent}{'#' * max(len(atx[1]), 3)} {words}" if words else ""
    return [here.line.with_text(made)], here.place + 1


def _display(here: _Here) -> Made:
    words = here.words
    if words.startswith("$$") or (words.startswith(("\\[", "\\\\[")) and words.strip("\\") == "["):
        return _formula(here.conversion, here.lines, here.place)
    return _environment(here.lines, here.place) if _BEGIN.match(words) else None


def _comments(here: _Here) -> Made:
    words = here.words
    if words.startswith("%%") and words.count("%%") % 2:
        return _remark(here.lines, here.place)
    if words.startswith("<!--"):
        return _comment(here.lines, here.place)
    if _ABBREVIATION.fullmatch(words):
        return [here.line.with_text(remark(f" {words} "))], here.place + 1
    return None


def _contents(here: _Here) -> Made:
    """A table of contents, which our pages have anyway; attributes of the block above."""
    if _TOC.fullmatch(here.words):
        return [Line(here.line.number, "")], here.place + 1
    below = here.lines[here.place + 1].words if here.place + 1 < len(here.lines) else ""
    if below == "{:toc}" and _LISTED_TOC.fullmatch(here.words):
        return [Line(here.line.number, "")], here.place + 2
    return ([], here.place + 1) if _ATTRIBUTES.fullmatch(here.words) else None


def _program(here: _Here) -> Made:
    if here.conversion.mdx and not here.nested and here.after_blank and _IMPORT.fullmatch(here.words):
        return _imports(here.conversion, here.lines, here.place)
    return None


def _boxes(here: _Here) -> Made:
    for container in (*CONTAINERS, *MORE):
        found = container.pattern.fullmatch(here.words)
        if found and (taken := container.make(here.conversion, here.lines, here.place, found, here.again)) is not None:
            return taken
    return None


def _html(here: _Here) -> Made:
    end = html_end(here.lines, here.place, after_blank=here.after_blank)
    if end == here.place:
        return None
    return _with_tables(here.conversion, html_block(here.conversion, here.lines[here.place : end])), end


def _table(here: _Here) -> Made:
    end = table_end(here.lines, here.place)
    rows = here.lines[here.place : end]
    after = here.lines[end : end + 1]  # our parser would take the name of the table for a row
    blank = [line.with_text("") for line in after if is_name(line)]
    return ([Line(here.line.number, ""), *table(here.conversion, rows), *blank], end) if rows else None


_BLOCKS: tuple[tuple[str, Callable[[_Here], Made]], ...] = (
    ("`~", _code),
    ("#", _inner_heading),
    ("$\\", _display),
    ("%<*", _comments),
    ("[{@$-*+1", _contents),
    ("ie", _program),
    ("!?=:<>{", _boxes),
    ("<", _html),
    ("", _table),
)
"""How blocks begin, by their first signs; the first that finds one takes it."""


def _with_tables(conversion: Conversion, made: list[Line]) -> list[Line]:
    """The tables among lines that were HTML."""
    done: list[Line] = []
    place = 0
    while place < len(made):
        end = table_end(made, place)
        if end > place:
            done += table(conversion, made[place:end])
            place = end
        else:
            done.append(made[place])
            place += 1
    return done


def _formula(conversion: Conversion, lines: Sequence[Line], place: int) -> Made:
    """A formula on lines of its own, without blank lines inside."""
    line = lines[place]
    words = line.words
    dollars = words.startswith("$$")
    mark = "$$" if dollars else ("\\\\]" if words.startswith("\\\\[") else "\\]")
    rest = words[2:] if dollars else ""
    if dollars and "$$" in rest:
        return None
    last = -1
    for at in range(place + 1, min(len(lines), place + 200)):
        if mark in lines[at].text:
            last = at
            break
    if last < 0:
        return None
    tail, _, after = lines[last].words.partition(mark)
    inside = [rest, *(one.words for one in lines[place + 1 : last]), tail]
    inside = [re.sub(r"^(?:>[ \t]?)+", "", one) for one in inside]
    if any(not one for one in inside[1:-1]):
        conversion.report("mended", "blank-in-formula", "a formula holds a blank line", line.number)
    indent = " " * line.indent
    number = re.fullmatch(r"[ \t]*\{#([\w:-]+)\}|[ \t]*\(([\w.]+)\)", after)
    extra = rf"\label{{{number[1]}}}" if number and number[1] else ""
    body = [Line(min(line.number + at, lines[last].number), indent + one) for at, one in enumerate(inside) if one]
    made = [Line(line.number, ""), line.with_text(f"{indent}$$"), *body]
    made += [Line(lines[last].number, indent + extra)] if extra else []
    made += [Line(lines[last].number, f"{indent}$$"), Line(lines[last].number, "")]
    if after.strip() and not extra:
        made.append(Line(lines[last].number, indent + after.strip()))
    return made, last + 1


def _environment(lines: Sequence[Line], place: int) -> Made:
    r"""`\begin{align}` without dollars."""
    line = lines[place]
    found = _BEGIN.match(line.words)
    assert found
    ending = rf"\end{{{found[1]}{found[2]}}}"
    last = next((at for at in range(place, min(len(lines), place + 200)) if ending in lines[at].text), -1)
    if last < 0:
        return None
    before, _, after = lines[last].words.partition(ending)
    indent = " " * line.indent
    body = [one.with_text(indent + one.words) for one in lines[place:last] if one.words]
    body.append(Line(lines[last].number, f"{indent}{before}{ending}"))
    made = [Line(line.number, ""), Line(line.number, f"{indent}$$"), *body, Line(lines[last].number, f"{indent}$$")]
    made.append(Line(lines[last].number, ""))
    if after.strip():
        made.append(Line(lines[last].number, indent + after.strip()))
    return made, last + 1


def _remark(lines: Sequence[Line], place: int) -> Made:
    """`%%` on a line of its own, up to the next."""
    last = next((at for at in range(place + 1, len(lines)) if "%%" in lines[at].text), -1)
    if last < 0:
        return _hidden(lines, place, 2)
    text = "\n".join([lines[place].words[2:], *(line.text for line in lines[place + 1 : last])])
    tail, _, after = lines[last].text.partition("%%")
    made = remark(f"{text}\n{tail}").split("\n")
    number = lines[place].number
    return [
        *(Line(number, line) for line in made),
        Line(lines[last].number, ""),
        Line(lines[last].number, after),
    ], last + 1


def _hidden(lines: Sequence[Line], place: int, mark: int) -> Made:
    """A comment without an end, as one that ends with its paragraph: nobody meant to publish it."""
    end = next((at for at in range(place, len(lines)) if not lines[at].words), len(lines))
    text = "\n".join(line.words for line in lines[place:end])[mark:]
    return [Line(lines[place].number, line) for line in remark(text).split("\n")], end


def _comment(lines: Sequence[Line], place: int) -> Made:
    """A comment of HTML as it is."""
    last = next((at for at in range(place, len(lines)) if "-->" in lines[at].text[4 * (at == place) :]), -1)
    if last < 0:
        return _hidden(lines, place, 4)
    tail = lines[last].text.partition("-->")[2] if last > place else lines[place].words.partition("-->")[2]
    if not tail.strip():
        return list(lines[place : last + 1]), last + 1
    head = lines[last].text[: lines[last].text.index("-->") + 3]
    number = lines[last].number
    return [*lines[place:last], Line(number, head), Line(number, ""), Line(number, tail.strip())], last + 1


def _imports(conversion: Conversion, lines: Sequence[Line], place: int) -> Made:
    """Lines of a program at the top of MDX, up to a blank one."""
    end = place
    while end < len(lines) and lines[end].words:
        end += 1
    conversion.report("unmapped", "import", "lines of a program are left out", lines[place].number)
    text = "\n".join(line.text for line in lines[place:end])
    return [
        *(Line(lines[place].number, line) for line in remark(text).split("\n")),
        Line(lines[end - 1].number, ""),
    ], end
