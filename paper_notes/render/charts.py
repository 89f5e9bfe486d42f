"""Plots as SVG, drawn while building: columns over time, and bars by name.

Widths are per cent of the plot and everything else is in pixels, so that words keep their size on a phone. Colours are
classes that the style sheet fills (`s0` to `s3`), so that they follow light and dark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from paper_notes.corpus.model import Lang
from paper_notes.render.views import Bi
from paper_notes.render.words import TAGS

HEIGHT = 150
"""Of the columns, in pixels."""
_LEFT = 9.0
"""Per cent of the width that the numbers beside the columns take."""
_MAX_LABELS = 7
_ROW = 44
_STEPS = (1, 2, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True, slots=True)
class Datum:
    """A column or bar: its name and the value of each series."""

    label: Bi
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """What is plotted. `id` is unique on the page; `series` has as many names as each datum has values."""

    id: str
    title: Bi
    about: Bi
    """The plot in a sentence, for those who cannot see it."""
    series: tuple[Bi, ...]
    data: tuple[Datum, ...]
    languages: tuple[Lang, ...]
    """Those that the plot is shown in."""
    apart: bool = False
    """The series are not parts of a whole: columns stand beside each other, not on each other."""
    shares: bool = False
    """Each bar is a whole of its own, so all are equally long."""


def columns(chart: Chart) -> Markup:
    """Columns in the order of time from left to right, series on each other or beside each other."""
    whole = max if chart.apart else sum
    top = ceiling(max((whole(datum.values) for datum in chart.data), default=0))
    return _svg(chart, HEIGHT + 38, [*_grid(top), *_columns(chart, top), *_ticks(chart)])


def bars(chart: Chart) -> Markup:
    """Stacked bars from left to right, each below its name and value."""
    longest = max((sum(datum.values) for datum in chart.data), default=0)
    parts = []
    for place, datum in enumerate(chart.data):
        top = (sum(datum.values) if chart.shares else longest) or 1
        y = place * _ROW
        parts.append(_text("0", y + 16, datum.label, chart.languages))
        parts.append(Markup('<text class="num end" x="100%" y="{}">{}</text>').format(y + 16, _total(datum)))
        parts.append(Markup('<rect class="rail" x="0" y="{}" width="100%" height="10"/>').format(y + 24))
        start = 0.0
        for number, value in enumerate(datum.values):
            width = 100 * value / top
            if value:
                parts.append(_rect(number, start, y + 24, width, 10, _said(datum, value, chart)))
            start += width
    return _svg(chart, len(chart.data) * _ROW, parts)


def _said(datum: Datum, value: int, chart: Chart) -> str:
    return f"{datum.label.joined(chart.languages)}: {value:,}"


def _total(datum: Datum) -> str:
    several = [f"{value:,}" for value in datum.values] if len(datum.values) > 1 else []
    return " + ".join(several) or f"{sum(datum.values):,}"


def ceiling(value: int) -> int:
    """The first round number that is not below the value, and whose half is a whole number."""
    size: int = 10 ** (len(str(value)) - 1)
    return next(size * step for step in _STEPS if size * step >= value and size * step % 2 == 0)


def short(value: int) -> str:
    """A number that takes little room: `950`, `1.2k`, `40k`, `3M`."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:.1f}".removesuffix(".0") + unit
    return str(value)


def _grid(top: int) -> Iterator[Markup]:
    for quarter in range(0, 5, 2):
        y = HEIGHT + 14 - HEIGHT * quarter // 4
        yield Markup('<line class="{}" x1="{}%" x2="100%" y1="{}" y2="{}"/>').format(
            "grid" if quarter else "base", _LEFT, y, y
        )
        number = short(top * quarter // 4)
        yield Markup('<text class="num end" x="{}%" y="{}">{}</text>').format(_LEFT - 1.2, y + 4, number)


def _columns(chart: Chart, top: int) -> Iterator[Markup]:
    step = (100 - _LEFT) / max(len(chart.data), 1)
    beside = len(chart.series) if chart.apart else 1
    width = min(step * 0.72, 7) / beside
    for place, datum in enumerate(chart.data):
        x, y = _LEFT + step * place + (step - width * beside) / 2, float(HEIGHT + 14)
        for number, value in enumerate(datum.values):
            height = HEIGHT * value / top
            bottom, left = (HEIGHT + 14, x + width * number) if chart.apart else (y, x)
            y = bottom - height
            if value:
                yield _rect(number, left, y, width, height, _said(datum, value, chart))


def _ticks(chart: Chart) -> Iterator[Markup]:
    """Names below columns, as many as a phone has room for; the last one always has its own."""
    data = chart.data
    step = (100 - _LEFT) / max(len(data), 1)
    every = -(-len(data) // _MAX_LABELS)
    for place, datum in enumerate(data):
        if (len(data) - 1 - place) % every == 0:
            yield _text(_per_cent(_LEFT + step * (place + 0.5)), HEIGHT + 33, datum.label, chart.languages, "mid")


def _rect(series: int, x: float, y: float, width: float, height: float, about: str) -> Markup:
    template = '<rect class="s{}" x="{}" y="{:.1f}" width="{}" height="{:.1f}"><title>{}</title></rect>'
    return Markup(template.format(series, _per_cent(x), y, _per_cent(width), height, escape(about)))


def _per_cent(value: float) -> str:
    return f"{value:.2f}%"


def _text(x: str, y: float, label: Bi, languages: tuple[Lang, ...], css: str = "") -> Markup:
    template = Markup('<text{} x="{}" y="{}">{}</text>')
    if label.same or len(languages) == 1:
        return template.format(Markup(' class="{}"').format(css) if css else "", x, y, label[languages[0]])
    names = (Markup(' class="{}" lang="{}"').format(f"{lang} ui {css}".strip(), TAGS[lang]) for lang in languages)
    return Markup("").join(
        template.format(name, x, y, label[lang]) for name, lang in zip(names, languages, strict=True)
    )


def _svg(chart: Chart, height: int, parts: Sequence[Markup]) -> Markup:
    template = Markup(
        '<svg class="plot" width="100%" height="{}" role="img" aria-labelledby="{}-t {}-d">'
        '<title id="{}-t">{}</title><desc id="{}-d">{}</desc>{}</svg>'
    )
    title, about = chart.title.joined(chart.languages), chart.about.joined(chart.languages)
    return template.format(height, *[chart.id] * 3, title, chart.id, about, Markup("").join(parts))
