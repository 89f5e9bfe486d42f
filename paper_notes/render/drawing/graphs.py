"""The lines of a graph as SVG, and the styles that follow the pointer in it."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from paper_notes.render.drawing.layout import HEAD, WIDTH, Curve, End, Layout

HUES = 6
"""How many colours there are; a name stands beside each use."""


def drawn(layout: Layout, hues: Sequence[int]) -> Markup:
    """The lines, each in the hue of the box that it begins at. Its classes `t0 t1` say which boxes it touches."""
    template = Markup(
        '<g class="line h{} t{} t{}"><path vector-effect="non-scaling-stroke" d="{}"/><path class="tip" d="{}"/></g>'
    )
    lines = (
        template.format(
            hues[line.start], line.start, line.end, _way(line.curves), "".join(map(_head, filter(_pointed, line.ends)))
        )
        for line in layout.lines
    )
    frame = Markup('<svg viewBox="0 0 {} {:g}" preserveAspectRatio="none" aria-hidden="true">{}</svg>')
    return frame.format(WIDTH, layout.height, Markup("").join(lines))


def highlights(boxes: int) -> Markup:
    """Styles: while one of so many boxes is pointed at, what touches it does not fade as all else does."""
    at = (f".graph:has(.n{box}:is(:hover,:focus-visible)) .t{box}" for box in range(boxes))
    return Markup(",".join(at) + "{opacity:1;--e:var(--acc)}")


def _way(curves: Sequence[Curve]) -> str:
    (x, y), *_ = curves[0]
    way = f"M{_number(x)} {_number(y)}"
    for (_, y), one, other, (to_x, to_y) in curves:
        points = " ".join(f"{_number(x)} {_number(y)}" for x, y in (one, other, (to_x, to_y)))
        way += f"H{_number(to_x)}" if y == to_y else f"C{points}"
    return way


def _pointed(end: End) -> bool:
    return end.pointed


def _head(end: End) -> str:
    tip, neck = end.x + end.side, end.x + end.side * HEAD
    return f"M{_number(tip)} {_number(end.y)}L{_number(neck)} {_number(end.y - 4)}v8z"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
