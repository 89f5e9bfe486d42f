"""The lines of a graph as SVG, and its styles for the pointer."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from paper_notes.render.drawing.layout import HEAD, WIDTH, Curve, End, Layout

HUES = 6
"""Number of colours. They are never used without a name beside them."""


def drawn(layout: Layout, hues: Sequence[int]) -> Markup:
    """The lines as SVG, each in the hue of the box where it starts. Its classes `t0 t1` name the boxes at its ends."""
    template = Markup(
        '<g class="line h{} t{} t{}"><path vector-effect="non-scaling-stroke" d="{}"/><path class="tip" d="{}"/></g>'
    )
    lines = (
        template.format(
            hues[line.start], line.start, line.end, _path(line.curves), "".join(map(_head, filter(_pointed, line.ends)))
        )
        for line in layout.lines
    )
    frame = Markup('<svg viewBox="0 0 {} {:g}" preserveAspectRatio="none" aria-hidden="true">{}</svg>')
    return frame.format(WIDTH, layout.height, Markup("").join(lines))


def highlights(boxes: int) -> Markup:
    """Styles for a drawing of so many boxes: what touches the box under the pointer does not fade like all else."""
    at = (f".graph:has(.n{box}:is(:hover,:focus-visible)) .t{box}" for box in range(boxes))
    return Markup(",".join(at) + "{opacity:1;--e:var(--acc)}")


def _path(curves: Sequence[Curve]) -> str:
    (x, y), *_ = curves[0]
    path = f"M{_number(x)} {_number(y)}"
    for (_, y), first, second, (to_x, to_y) in curves:
        points = " ".join(f"{_number(x)} {_number(y)}" for x, y in (first, second, (to_x, to_y)))
        path += f"H{_number(to_x)}" if y == to_y else f"C{points}"
    return path


def _pointed(end: End) -> bool:
    return end.pointed


def _head(end: End) -> str:
    tip, neck = end.x + end.side, end.x + end.side * HEAD
    return f"M{_number(tip)} {_number(end.y)}L{_number(neck)} {_number(end.y - 4)}v8z"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
