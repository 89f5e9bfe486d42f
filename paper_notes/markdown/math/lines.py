"""Line breaks in long formulas: between their parts, before relations, before sums, as in TeX.

Browsers do not break formulas, so each piece that may have its own line is a `<math>` element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from xml.etree import ElementTree

from paper_notes.patterns import regex

ROOM = {True: 16.0, False: 9.0}
"""The width in em that certainly fits on a line of a phone: of a display formula (True), of one within text."""

_MATH = regex(r"(<math[^>]*>)(.*)</math>", re.DOTALL)
_TAG = regex(r"<(/?)([a-z]+)[^>]*?(/?)>")
_MO = regex(r"<mo((?: [^>]*)?)>([^<]*)</mo>")
_QUAD = regex(r'<mspace width="[12]em"/>')
_LENGTH = regex(r"-?\d*\.?\d+")
"""In `em` or `rem`, which are about the same."""
_NAMED = regex("&(?!amp;|lt;|gt;|quot;)[A-Za-z]+;")
"""Named entities, which are invisible operators."""
_RELATIONS = frozenset("= ≠ &lt; &gt; ≤ ≥ ⩽ ⩾ ≪ ≫ ≈ ≃ ≅ ≡ ∼ ∝ ≔ ≜ ≐ → ← ↔ ⇒ ⇐ ⇔ ⟹ ⟺ ⟶ ↦ ⊂ ⊆ ∈ ⪯ ≺ ≻".split())
_SUMS = frozenset("+ − ± ∓ ∪ ∩ ∨ ∧".split())
_OPEN, _CLOSE = frozenset("([{⟨⌊⌈"), frozenset(")]}⟩⌋⌉")
_OVER_EACH_OTHER = frozenset({"mfrac", "mover", "munder", "munderover", "mtable"})
_SMALL = {"msub": 0.72, "msup": 0.72, "msubsup": 0.72}


def with_breaks(mathml: str, *, display: bool) -> str:
    r"""The formula as HTML that may break. It comes back as it is if it needs no break or has no place for one.

    In a display formula, pieces separated by a wide gap (`\quad`) are elements of class `part`.
    """
    match = _MATH.fullmatch(mathml)
    if not match:
        return mathml
    children = list(_children(match[2]))
    parts = _parts(children) if display else [children]
    room = ROOM[display]
    broken = [
        [piece for line in _broken(part, _RELATIONS, room) for piece in _broken(line, _SUMS, room)] for part in parts
    ]
    if broken == [[children]]:
        return mathml
    lines = ["<wbr>".join(f"{match[1]}{_as_infix(''.join(piece))}</math>" for piece in part) for part in broken]
    return "".join(f'<span class="part">{line}</span>' for line in lines) if display else lines[0]


def fits_a_phone(mathml: str) -> bool:
    """Whether a display formula is no wider than the line of a phone."""
    return _width(mathml) <= ROOM[True]


def _children(inner: str) -> Iterator[str]:
    depth = start = 0
    for tag in _TAG.finditer(inner):
        depth += -1 if tag[1] else 0 if tag[3] else 1
        if depth == 0:
            yield inner[start : tag.end()]
            start = tag.end()


def _parts(children: list[str]) -> list[list[str]]:
    """Cut at wide gaps, and drop them."""
    parts: list[list[str]] = [[]]
    for child in children:
        gap = _QUAD.fullmatch(child)
        if not gap:
            parts[-1].append(child)
        elif parts[-1]:
            parts.append([])
    return [part for part in parts if part]


def _broken(children: list[str], before: frozenset[str], room: float) -> list[list[str]]:
    """Cut before the operators in `before` that are outside of brackets, if the whole is wider than `room`."""
    if sum(map(_width, children)) <= room:
        return [children]
    lines: list[list[str]] = [[]]
    depth = 0
    for child in children:
        match = _MO.fullmatch(child)
        sign = match[2] if match else ""
        depth += sum((inner in _OPEN) - (inner in _CLOSE) for _, inner in _MO.findall(child))
        if sign in before and depth <= 0 and lines[-1] and not _is_operator(lines[-1][-1]):
            lines.append([])
        lines[-1].append(child)
    return lines


def _is_operator(child: str) -> bool:
    """True if a sign after it is unary, as in `= -1`."""
    match = _MO.fullmatch(child)
    return bool(match and match[2] not in _CLOSE and match[2] not in ("!", "′"))


def _as_infix(piece: str) -> str:
    """Give an operator that begins a line the spaces of a binary one."""
    return re.sub(r"^<mo(?![^>]* form=)([^>]*)>(?=[^<(\[{|‖∣])", r'<mo form="infix"\1>', piece)


@lru_cache(maxsize=20_000)
def _width(child: str) -> float:
    """The approximate width in em."""
    return _measure(ElementTree.fromstring(_NAMED.sub("", child)))  # noqa: S314 -- our own MathML


def _measure(element: ElementTree.Element) -> float:
    if element.tag in ("mi", "mn", "mtext"):
        return 0.53 * len(element.text or "")
    if element.tag == "mo":
        sign = element.text or ""
        return 1.3 if sign in _SIGNS else 0.4 * len(sign)
    if element.tag == "mspace":
        match = _LENGTH.match(element.get("width", ""))
        return float(match[0]) if match else 0.0
    widths = [_measure(inner) for inner in element]
    if element.tag in _OVER_EACH_OTHER:
        return max(widths, default=0.0)
    if element.tag == "mtr":
        return sum(widths) + 0.8 * (len(widths) - 1)
    return sum(widths[:1]) + _SMALL.get(element.tag, 1.0) * sum(widths[1:])


_SIGNS = {sign.replace("&lt;", "<").replace("&gt;", ">") for sign in _RELATIONS | _SUMS | {"⋅", "×", "∣"}}
