"""Plots from ```plot fences: lines, bars, dots and boxes of a small table, drawn in the colours and type of the page.

    kind: line
    y: accepted tokens
    depth, EAGLE-3, HASS
    1, 0.80 ± 0.01, 0.77
    2, 0.78 ± 0.02, 0.71

The first lines are options, the others are CSV: a head, then rows. `data: speed.csv` reads the rows from a file beside
the note instead, and `data: T2[EAGLE, Avg.]` the rows and columns with these labels of a table of its paper, which
`paper-notes verify --keep` puts there.
"""

from __future__ import annotations

import csv
import io
import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import groupby
from unicodedata import east_asian_width

from paper_notes.diagnostics import did_you_mean
from paper_notes.features.diagrams import colours
from paper_notes.features.diagrams.svg import BadDiagram
from paper_notes.patterns import regex
from paper_notes.values import Struct, field

OPTIONS = ("kind", "data", "x", "y", "log", "names")
_OPTION = regex(r"([A-Za-z]+)[ \t]*[:：][ \t]*(.*)")
_BOUND = regex(r"T([A-Z]{0,2}\.?\d[\w.]*|[IVX]+)[ \t]*(?:\[(.*)\])?")
_NUMBER = regex(
    r"(?P<value>[-+−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?)[ ]?(?:%|[×x])?"
    r"(?:[ ]?(?:±|\+-|\+/-)[ ]?(?P<error>\d*\.?\d+))?[ ]?(?:%|[×x])?"
)
INK, LINE, MUTED = "currentColor", colours.variable(colours.LINE), colours.variable(colours.MUTED)
STRONG = tuple(map(colours.variable, colours.STRONG))
_NOTHING = ("", "-", "—", "–", "n/a", "na", "nan")
MOST_ROWS, MOST_SERIES, MOST_SIGNS = 400, len(STRONG), 40
_WIDTH, _HEIGHT = 480.0, 250.0
"""Of the drawing without legend and names below, in pixels at which text is as large as a caption."""
_SIZE = 14
_GAP = 8.0
_LEAST_BAR = 4.5
_LEAST, _MOST = 1e-15, 1e15
"""Sizes of numbers other than 0."""
_FINEST = 1e-9
"""The share of its numbers that a scale spans at least: floats are hardly finer."""
_TICKS, _FEWEST = 5, 3
_MOST_LINES, _LONGEST = 3, 190.0
"""Of a name below the frame: lines, and pixels where it is turned."""
_MARKERS: tuple[Callable[[float, float], str], ...] = (
    lambda x, y: f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>',
    lambda x, y: f'<rect x="{x - 3.7:.1f}" y="{y - 3.7:.1f}" width="7.4" height="7.4"/>',
    lambda x, y: f'<path d="M{x:.1f} {y - 4.8:.1f}l4.8 8.6h-9.6z"/>',
    lambda x, y: f'<path d="M{x:.1f} {y - 5.2:.1f}l5.2 5.2-5.2 5.2-5.2-5.2z"/>',
    lambda x, y: f'<path d="M{x:.1f} {y + 4.8:.1f}l4.8-8.6h-9.6z"/>',
    lambda x, y: f'<path d="M{x - 4:.1f} {y - 1.3:.1f}h2.7v-2.7h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7z"/>',
)
"""A shape for each series: colour alone tells nothing to who sees none."""


class Value(Struct, frozen=True):
    """A number of the table, and half of the length of its error bar."""

    number: float
    error: float = 0.0


class PlotTable(Struct, frozen=True):
    """What a fence says."""

    kind: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Cells as they are written."""
    values: tuple[tuple[Value | None, ...], ...]
    """Of each series the number in each row, None for an empty cell."""
    x: str = ""
    y: str = ""
    log: frozenset[str] = frozenset()
    """Axes with a scale of powers: `x`, `y`."""

    @property
    def series(self) -> tuple[str, ...]:
        return self.head if self.kind == "box" else self.head[1:]

    def column(self, number: int) -> list[Value | None]:
        return [row[number] for row in self.values]


def parse_plot(source: str, read: Callable[[str], str]) -> PlotTable:
    """The plot that a fence describes. `read` gives the text of a file beside the note. Raises BadDiagram."""
    options, body = _options(source)
    kind = options["kind"][0] if "kind" in options else "line"
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS) or f"there are {', '.join(KINDS)}"
        raise BadDiagram(f'there is no kind "{kind}"', options["kind"][1], hint)
    named = source[body:].strip()
    log = frozenset(re.split(r"[\s,，]+", options["log"][0].strip())) if "log" in options else frozenset[str]()
    if log - {"x", "y"}:
        raise BadDiagram(f'"{options["log"][0]}" is no axis', options["log"][1], "write x, y, or both: `log: x y`")
    if "data" not in options:
        head, rows, values = _table(source, body, kind, is_log="y" in log)
    else:
        name, body = options["data"]
        bound = _BOUND.fullmatch(name)
        hint = "name a .csv file beside the note"
        if bound:
            name, hint = f"table-{bound[1]}.csv", "`paper-notes verify NOTE --keep` takes it from the PDF of the paper"
        if named:
            raise BadDiagram("there are rows here and in a file", source.index(named), "keep one of both")
        try:
            text = read(name)
        except LookupError as error:
            raise BadDiagram(str(error), body, hint) from error
        text = _labelled(text, _cells(bound[2] or "", body), body) if bound else text
        try:
            head, rows, values = _table(text, 0, kind, is_log="y" in log)
        except BadDiagram as problem:
            line = text.count("\n", 0, problem.offset) + 1
            raise BadDiagram(f"{name}:{line}: {problem.message}", body, problem.hint) from problem
    if "names" in options:
        names, at = options["names"]
        given = _cells(names.replace("，", ","), at)
        if len(given) != len(head):
            raise BadDiagram(f"{len(given)} names for {len(head)} columns", at, f"the columns are {', '.join(head)}")
        head = given
    labels = {axis: options[axis][0] if axis in options else "" for axis in ("x", "y")}
    return PlotTable(kind, head, rows, values, labels["x"] or head[0] * (kind != "box"), labels["y"], log)


def _options(source: str) -> tuple[Mapping[str, tuple[str, int]], int]:
    """Each option with its value and where that is, and where the rows begin."""
    options: dict[str, tuple[str, int]] = {}
    offset = 0
    for line in source.splitlines(keepends=True):
        option = _OPTION.fullmatch(line.strip())
        if line.strip() and not option:
            break
        if option:
            name = option[1].lower()
            at = offset + line.index(option[1])
            if name not in OPTIONS:
                hint = did_you_mean(name, OPTIONS) or f"there are {', '.join(OPTIONS)}"
                raise BadDiagram(f'there is no option "{option[1]}"', at, hint)
            options[name] = option[2].strip(), at
        offset += len(line)
    return options, offset


def _labelled(text: str, labels: Sequence[str], at: int) -> str:
    """The rows and the columns of a table that have these labels; all, if none is named. Raises BadDiagram."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    head, *rows = [_cells(line, at) for line in lines] or [("",)]
    if any(len(row) != len(head) for row in rows):
        return text  # which is said with its line
    parts = {name: (name, *name.split(" / ")) for name in (*head[1:], *(row[0] for row in rows))}
    if unknown := [label for label in labels if not any(label in names for names in parts.values())]:
        hint = did_you_mean(unknown[0], dict.fromkeys(part for names in parts.values() for part in names))
        raise BadDiagram(f'no row or column of the table is labelled "{unknown[0]}"', at, hint)
    columns = [number for number, name in enumerate(head) if number and {*parts[name]} & {*labels}]
    below = [row for row in rows if {*parts[row[0]]} & {*labels}] or rows
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(
        [row[0], *(row[number] for number in columns or range(1, len(head)))] for row in (head, *below)
    )
    return file.getvalue()


_Rows = tuple[tuple[str, ...], ...]
_Values = tuple[tuple[Value | None, ...], ...]


def _table(text: str, start: int, kind: str, *, is_log: bool) -> tuple[tuple[str, ...], _Rows, _Values]:
    """Head, cells and numbers of the table that begins there. Raises BadDiagram with an offset in the text."""
    offsets: list[int] = []
    rows: list[tuple[str, ...]] = []
    offset = start
    for line in text[start:].splitlines(keepends=True):
        if line.strip(" ,\t\r\n") and not line.startswith("#"):
            offsets.append(offset)
            rows.append(cells := _cells(line, offset))
            if len(cells) != len(rows[0]):
                message = f'the row "{line.strip()[:40]}" has {len(cells)} cells, the head {len(rows[0])}'
                raise BadDiagram(message, offset, "put a text with a comma in quotation marks")
        offset += len(line)
    if len(rows) <= 1:
        raise BadDiagram("there are no rows", start, "write a head such as `x, ours`, and rows such as `1, 0.8`")
    if len(rows) > MOST_ROWS + 1:
        raise BadDiagram(f"{len(rows) - 1} rows, more than {MOST_ROWS}", start, "plot fewer: a mean of each few")
    before = int(kind != "box")  # the column of the x axis
    if not before < len(rows[0]) <= before + MOST_SERIES:
        hint = "make several plots" if len(rows[0]) > before else "the first column is that of the x axis"
        message = f"{len(rows[0])} columns; a {kind} plot has {before + MOST_SERIES} at the most"
        raise BadDiagram(message, offsets[0], hint)
    below = [*zip(offsets, rows, strict=True)][1:]
    values = tuple(tuple(_value(cell, at, is_log=is_log) for cell in row[before:]) for at, row in below)
    if not any(value for row in values for value in row):
        raise BadDiagram("the table has no numbers", offsets[0], "write a head and rows of numbers below it")
    return rows[0], tuple(rows[1:]), values


def _cells(line: str, offset: int) -> tuple[str, ...]:
    try:
        return tuple(cell.strip() for cell in next(csv.reader([line.strip()], skipinitialspace=True)))
    except csv.Error as error:  # a cell of more characters than the library reads
        raise BadDiagram(f"this is no row of CSV: {error}", offset) from error


def number_of(cell: str) -> Value | None:
    """The number of a cell; None if it is none, or none that a drawing could show."""
    match = _NUMBER.fullmatch(cell.strip())
    if match is None or len(cell) > MOST_SIGNS:
        return None
    value = Value(float(match["value"].replace(",", "").replace("−", "-")), float(match["error"] or 0))
    fits = all(number == 0 or _LEAST <= abs(number) <= _MOST for number in (value.number, value.error))
    return value if fits else None


def _value(cell: str, offset: int, *, is_log: bool) -> Value | None:
    if cell.lower() in _NOTHING:
        return None
    value = number_of(cell)
    if value is None:
        hint = "write 0.71, 12 % or 0.71 ± 0.02; nothing for none"
        raise BadDiagram(f'"{cell[:40]}" is not a number', offset, hint)
    if is_log and value.number - value.error <= 0:
        raise BadDiagram(f"{cell} has no place on a scale of powers", offset, "leave out `log: y`, or the row")
    return value


# The drawing


class _Scale(Struct, frozen=True):
    """From numbers to pixels."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, number: float) -> float:
        low, high, at = (math.log(n) if self.log else n for n in (self.low, self.high, number))
        return self.start + (at - low) / (high - low) * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        """Round numbers of the scale."""
        if self.log:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            for steps in ((1,), (1, 2, 5), range(1, 10)):
                every = [step * 10.0**power for power in powers for step in steps]
                inside = [tick for tick in every if self.low <= tick * (1 + 1e-9) and tick <= self.high * (1 + 1e-9)]
                if len(inside) >= _FEWEST:
                    return inside[:: math.ceil(len(inside) / (2 * _TICKS))]
        step = _step(self.high - self.low)
        first = math.ceil(self.low / step - 1e-9)
        return [number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _are_one(low: float, high: float) -> bool:
    """Whether a scale between them would be finer than its numbers."""
    return high - low <= _FINEST * max(abs(low), abs(high))


def _step(length: float) -> float:
    power = 10.0 ** math.floor(math.log10(length / _TICKS))
    return next(step * power for step in (1, 2, 5, 10) if length / (step * power) <= _TICKS + 1)


def _scale(numbers: Sequence[float], start: float, end: float, *, zero: bool = False, log: bool = False) -> _Scale:
    """A scale that has all numbers, and ends with round ones."""
    low, high = min(numbers), max(numbers)
    if log:
        return _Scale(low / 1.15, high * 1.15, start, end, log=True)
    if zero or 0 <= low < 0.35 * high:  # a scale that nearly begins with zero says so
        low, high = min(low, 0.0), max(high, 0.0)
    if _are_one(low, high):
        low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
    step = _step(high - low)
    return _Scale(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, start, end)


def _width(text: str) -> float:
    """How wide a text is about."""
    return sum(_SIZE * (1.0 if east_asian_width(sign) in "WF" else 0.57) for sign in text)


def _label(number: float) -> str:
    return f"{number:.6g}".replace("-", "−").replace("e+0", "e").replace("e−0", "e−") if number else "0"


def _shortened(text: str, room: float) -> str:
    while len(text) > 1 and _width(text) > room:
        text = text.removesuffix("…")[:-1] + "…"
    return text


class _Drawing(Struct):
    """An SVG that is being written."""

    parts: list[str] = field(default_factory=list)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        anchor: str = "start",
        *,
        colour: str = MUTED,
        bold: bool = False,
        turn: int = 0,
    ) -> None:
        weight = ' font-weight="600"' * bold
        where = f'x="{x:.1f}" y="{y:.1f}" font-size="{_SIZE}" text-anchor="{anchor}"'
        where += f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self.parts.append(f'<text {where} fill="{colour}"{weight}>{escape(words)}</text>')

    def line(self, points: Sequence[tuple[float, float]], colour: str, width: float, dash: str = "") -> None:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        look = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<polyline points="{path}" {look}{dashes}/>')

    def rect(self, x: float, y: float, width: float, height: float, fill: str, *, opacity: float = 1) -> None:
        shade = f' fill-opacity="{opacity}"' if opacity < 1 else ""
        box = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
        self.parts.append(f'<rect {box} fill="{fill}"{shade}/>')

    def marker(self, series: int, x: float, y: float) -> None:
        self.parts.append(f'<g fill="{STRONG[series]}">{_MARKERS[series](x, y)}</g>')

    def whisker(self, x: float, low: float, high: float, colour: str) -> None:
        for points in ([(x, low), (x, high)], [(x - 4, low), (x + 4, low)], [(x - 4, high), (x + 4, high)]):
            self.line(points, colour, 1.5)

    def svg(self, height: float) -> str:
        box = f'viewBox="0 0 {_WIDTH:.0f} {math.ceil(height)}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{"".join(self.parts)}</svg>'


class _Frame(Struct, frozen=True):
    """Where in a drawing the data is."""

    left: float
    bottom: float
    y: _Scale
    right: float = _WIDTH - 12


def draw(plot: PlotTable) -> str:
    """The plot as SVG."""
    drawing = _Drawing()
    top = _legend(drawing, plot) if plot.kind != "box" and len(plot.series) > 1 else 6.0
    if plot.y or (len(plot.series) == 1 and plot.kind != "box"):
        drawing.text(2, top + _SIZE, plot.y or plot.series[0], colour=INK, bold=True)
        top += _SIZE + _GAP
    top += _GAP
    frame = _frame(drawing, plot, top, top + _HEIGHT)
    bottom = KINDS[plot.kind](drawing, plot, frame)
    if plot.x:
        bottom += _SIZE + 6
        drawing.text((frame.left + frame.right) / 2, bottom, plot.x, "middle", colour=INK, bold=True)
    return drawing.svg(bottom + _GAP)


def _legend(drawing: _Drawing, plot: PlotTable) -> float:
    """The names of the series, in lines; gives the height below them."""
    x, y = 8.0, float(_SIZE)
    for series, name in enumerate(plot.series):
        name = _shortened(name, _WIDTH - 40)
        if x > 8 and x + 18 + _width(name) > _WIDTH:
            x, y = 8.0, y + _SIZE + _GAP
        if plot.kind == "bar":
            drawing.rect(x - 5, y - 10, 11, 11, STRONG[series])
        else:
            drawing.marker(series, x, y - 5)
        drawing.text(x + 12, y, name, colour=INK)
        x += 12 + _width(name) + 22
    return y + _GAP


def _frame(drawing: _Drawing, plot: PlotTable, top: float, bottom: float) -> _Frame:
    """The frame and its horizontal lines, with numbers at the left of them."""
    spans = [(value.number - value.error, value.number + value.error) for row in plot.values for value in row if value]
    numbers = [number for span in spans for number in span]
    is_log = "y" in plot.log
    scale = _scale(numbers, bottom, top, zero=plot.kind == "bar" and not is_log, log=is_log)
    left = max(_width(_label(tick)) for tick in scale.ticks or [0]) + 12
    frame = _Frame(left, bottom, scale)
    if scale.log:
        drawing.line([(left, bottom), (frame.right, bottom)], LINE, 1.2)
    for tick in scale.ticks:
        y = scale(tick)
        is_axis = tick == 0 or y >= bottom - 0.5
        drawing.line([(left, y), (frame.right, y)], LINE, 1.2 if is_axis else 0.7, "" if is_axis else "3 4")
        drawing.text(left - 7, y + 5, _label(tick), "end")
    return frame


def _names(drawing: _Drawing, names: Sequence[str], frame: _Frame) -> tuple[list[float], float]:
    """Names below the frame at even distances: where each is, and where the last line of them is."""
    slot = (frame.right - frame.left) / len(names)
    centres = [frame.left + slot * (place + 0.5) for place in range(len(names))]
    lines = [_in_lines(name, slot - 4) for name in names]
    if all(len(line) <= _MOST_LINES and all(_width(part) <= slot for part in line) for line in lines):
        for centre, line in zip(centres, lines, strict=True):
            for row, words in enumerate(line):
                drawing.text(centre, frame.bottom + (row + 1) * (_SIZE + 3) + 2, words, "middle")
        return centres, frame.bottom + max(map(len, lines)) * (_SIZE + 3) + 2
    deepest = 0.0
    for centre, name in [*zip(centres, names, strict=True)][:: math.ceil((_SIZE + 4) / slot)]:
        words = _shortened(name, min(_LONGEST, 2 * centre - 12))  # at 60 degrees its end is half as far to the left
        drawing.text(centre + 4, frame.bottom + _SIZE, words, "end", turn=-60)
        deepest = max(deepest, _width(words) * 0.87)
    return centres, frame.bottom + _SIZE + deepest


def _in_lines(name: str, room: float) -> list[str]:
    """A name in lines of a width; a word that is longer stays whole."""
    words = re.findall(r"[^\W\d_]?[\u3400-\u9fff\uff00-\uffef]|[^\s\u3400-\u9fff\uff00-\uffef]+\s*", name) or [name]
    lines = [""]
    for word in words:
        if lines[-1] and _width((lines[-1] + word).rstrip()) > room:
            lines.append("")
        lines[-1] += word
    return [line.strip() for line in lines]


def _places(drawing: _Drawing, plot: PlotTable, frame: _Frame, *, numeric: bool) -> tuple[list[float], float]:
    """Where each row is on the x axis: by its number if all are numbers, else side by side."""
    names = [row[0] for row in plot.rows]
    numbers = [number_of(name) for name in names]
    if "x" in plot.log and not all(value and value.number > 0 for value in numbers):
        raise BadDiagram("the first column has to be of positive numbers for `log: x`", 0, "leave out `log: x`")
    known = [value.number for value in numbers if value]
    if not numeric or len(known) < len(names) or _are_one(min(known), max(known)):
        return _names(drawing, names, frame)
    scale = _Scale(min(known), max(known), frame.left + 10, frame.right - 14, log="x" in plot.log)
    ticks = known if len(set(known)) <= 2 * _TICKS else scale.ticks
    last = -math.inf
    for tick in sorted(set(ticks)):
        label = _label(tick)
        drawing.line([(scale(tick), frame.bottom), (scale(tick), frame.bottom + 4)], LINE, 1)
        if scale(tick) - _width(label) / 2 > last:
            drawing.text(scale(tick), frame.bottom + _SIZE + 7, label, "middle")
            last = scale(tick) + _width(label) / 2 + 6
    return [scale(number) for number in known], frame.bottom + _SIZE + 7


def _draw_points(drawing: _Drawing, plot: PlotTable, frame: _Frame, *, lines: bool) -> float:
    xs, bottom = _places(drawing, plot, frame, numeric=True)
    for series, _ in enumerate(plot.series):
        points = sorted(zip(xs, plot.column(series), strict=True), key=lambda point: point[0])
        for has_value, part in groupby(points, key=lambda point: point[1] is not None):
            if lines and has_value:  # where a number is missing there is no line
                drawing.line([(x, frame.y(value.number)) for x, value in part if value], STRONG[series], 2.5)
        for x, value in points:
            if value is None:
                continue
            if value.error:
                drawing.whisker(
                    x, frame.y(value.number - value.error), frame.y(value.number + value.error), STRONG[series]
                )
            drawing.marker(series, x, frame.y(value.number))
    return bottom


def _draw_bars(drawing: _Drawing, plot: PlotTable, frame: _Frame) -> float:
    count = len(plot.series)
    slot = (frame.right - frame.left) / len(plot.rows)
    if slot * 0.8 / count < _LEAST_BAR:
        raise BadDiagram(f"{len(plot.rows) * count} bars have no room", 0, "plot fewer rows, or write `kind: line`")
    centres, bottom = _places(drawing, plot, frame, numeric=False)
    width = min(slot * 0.8 / count, 56)
    zero = frame.y(max(frame.y.low, 0)) if not frame.y.log else frame.bottom
    labelled = all(_width(row[series + 1]) <= width + _GAP for row in plot.rows for series in range(count)) and not any(
        value.error for row in plot.values for value in row if value
    )
    for series in range(count):
        for centre, row, value in zip(centres, plot.rows, plot.column(series), strict=True):
            if value is None:
                continue
            x, y = centre + (series - count / 2) * width, frame.y(value.number)
            drawing.rect(x + 1, min(y, zero), width - 2, abs(zero - y), STRONG[series], opacity=0.88)
            if value.error:
                low, high = (frame.y(value.number + sign * value.error) for sign in (-1, 1))
                drawing.whisker(x + width / 2, low, high, INK)
            elif labelled:
                drawing.text(x + width / 2, min(y, zero) - 5, row[series + 1], "middle", colour=INK)
    return bottom


def _draw_boxes(drawing: _Drawing, plot: PlotTable, frame: _Frame) -> float:
    """Boxes from quartile to quartile; whiskers to the last value within 1.5 of their distance (Tukey 1977)."""
    centres, bottom = _names(drawing, plot.head, frame)
    half = min((frame.right - frame.left) / len(plot.head) * 0.3, 32)
    for series, centre in enumerate(centres):
        numbers = sorted(value.number for value in plot.column(series) if value)
        if len(numbers) < 2:
            raise BadDiagram(f'"{plot.head[series]}" has fewer than two numbers', 0, "a box shows how many are spread")
        low, middle, high = statistics.quantiles(numbers, n=4, method="inclusive")
        reach = 1.5 * (high - low)
        inside = [number for number in numbers if low - reach <= number <= high + reach]
        colour, y = STRONG[series], frame.y
        for edge, end in ((low, inside[0]), (high, inside[-1])):
            drawing.line([(centre, y(edge)), (centre, y(end))], colour, 1.5)
            drawing.line([(centre - 7, y(end)), (centre + 7, y(end))], colour, 1.5)
        drawing.rect(centre - half, y(high), 2 * half, y(low) - y(high), colour, opacity=0.25)
        corners = [(centre - half, y(high)), (centre + half, y(high)), (centre + half, y(low)), (centre - half, y(low))]
        drawing.line([*corners, corners[0]], colour, 1.5)
        drawing.line([(centre - half, y(middle)), (centre + half, y(middle))], colour, 3)
        for number in numbers:
            if number < inside[0] or number > inside[-1]:
                drawing.marker(series, centre, y(number))
    return bottom


KINDS: Mapping[str, Callable[[_Drawing, PlotTable, _Frame], float]] = {
    "line": partial(_draw_points, lines=True),
    "bar": _draw_bars,
    "scatter": partial(_draw_points, lines=False),
    "box": _draw_boxes,
}
"""What each kind draws into the frame; it gives the height that it takes, with the words below."""


def data_table(plot: PlotTable) -> str:
    """The rows of the plot as HTML, for who cannot see or read the drawing."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in plot.head)
    rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in plot.rows)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
