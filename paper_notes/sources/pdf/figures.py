"""Figures and tables by their captions: the content between a caption and the nearest running text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, repeat

from paper_notes.sources.pdf.captions import Caption, Style, captions_of, head_key, running_text, style_of
from paper_notes.sources.pdf.document import PdfDocument, PdfLine, PdfPage, opened
from paper_notes.sources.pdf.model import Box, PdfFigure, PdfFigures, PdfProblem, united
from paper_notes.sources.pdf.text import joined, without_marks, words_of
from paper_notes.values import Struct, replace

_PAD = 3.0
"""Points of white space around a crop, and around the ink in it."""
_HEAD_GAP = 5.0
"""The most space between the lines of the head of a table, and between it and the first rule, in points."""
_OVERLAP = 3.0
"""How far a rule may stand in the white space of a caption, in points."""
_MAX_GRAPHICS = 60_000
"""The most graphics of one page: of more, only the largest are used."""
_MAX_RULES = 1_000
"""The most rules of one page that are checked for frames around text."""


class _Region(Struct, frozen=True):
    """A part of the page beside a caption, and measures of its content."""

    box: Box
    drawn: float
    """The share of it, from 0 to 1, that images, areas and lines cover; not letters."""
    gap: float
    """Distance from the caption in points."""
    rules: int
    """Number of horizontal lines as wide as a table."""


def find_figures(data: bytes) -> PdfFigures:
    """All figures and tables of a PDF. Raises PdfProblem."""
    with opened(data) as document:
        pages = document.every_page()
        return PdfFigures(len(pages), trimmed_figures(document, pages))


def trimmed_figures(document: PdfDocument, pages: Sequence[PdfPage]) -> tuple[PdfFigure, ...]:
    """The figures and tables with a caption, each without the white space around it."""
    return tuple(_trimmed(document, figure) for figure in figures_on(pages))


def _trimmed(document: PdfDocument, figure: PdfFigure) -> PdfFigure:
    left, top, right, bottom = figure.box
    with suppress(PdfProblem):
        ink = document.ink(figure.page, figure.box)
        left, top = max(left, ink[0] - _PAD), max(top, ink[1] - _PAD)
        right, bottom = min(right, ink[2] + _PAD), min(bottom, ink[3] + _PAD)
    return replace(figure, box=(round(left, 1), round(top, 1), round(right, 1), round(bottom, 1)))


def figures_on(pages: Sequence[PdfPage]) -> tuple[PdfFigure, ...]:
    """All figures and tables that have a caption, in the order of their captions."""
    figures: dict[str, PdfFigure] = {}
    for figure in captioned(pages):
        if not is_continued(figure):
            figures.setdefault(figure.anchor, figure)
    return tuple(figures.values())


def is_continued(figure: PdfFigure) -> bool:
    """Whether it goes on with one of the same number on a page before."""
    return figure.caption.lower().startswith(("(continued", "continued", "(cont.", "cont."))


def captioned(pages: Sequence[PdfPage]) -> Iterator[PdfFigure]:
    """What has a caption, in the order of captions; numbers may come again."""
    style = style_of(pages)
    words = words_of(line for page in pages for line in page.lines)
    layouts = [_Layout(page, style) for page in pages]
    below = _tables_are_below(layouts)
    for layout in layouts:
        for caption, box in layout.crops(tables_below=below):
            texts = [without_marks(line) for line in caption.lines]
            texts[0] = caption.lines[0].text[caption.start :]
            yield PdfFigure(caption.kind, caption.number, layout.page.number, box, joined(texts, words))


def _tables_are_below(layouts: Iterable[_Layout]) -> bool:
    """True if the captions of this paper are above its tables."""
    votes = 0
    for layout in layouts:
        for caption in layout.captions:
            if caption.kind == "table":
                above, below = layout.region(caption, up=True), layout.region(caption, up=False)
                votes += bool(below and below.rules > 1 and below.gap < 30 and not (above and above.rules > 1))
                votes -= bool(above and above.rules > 1 and above.gap < 30 and not (below and below.rules > 1))
    return votes >= 0


class _Boxes:
    """An index of many boxes of a page for queries by space."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._boxes = boxes
        middles = sorted(((box[1] + box[3]) / 2, place) for place, box in enumerate(boxes))
        self._middles = [middle for middle, _ in middles]
        self._places = [place for _, place in middles]

    def within(self, space: Box) -> list[Box]:
        """The boxes that belong to the space, in their order."""
        first, end = bisect_left(self._middles, space[1] - 1), bisect_right(self._middles, space[3] + 1)
        near = (self._boxes[place] for place in sorted(self._places[first:end]))
        return [box for box in near if _belongs(box, space)]


class _Layout:
    """The captions and running text of a page, and the graphics and letters left for figures."""

    def __init__(self, page: PdfPage, style: Style) -> None:
        self.page, self.style = page, style
        self.captions = captions_of(page, style)
        self.graphics = _graphics(page, style)
        self.rules = [box for box in self.graphics if box[3] - box[1] < 2.5 and box[2] - box[0] > 0.3 * style.column]
        self.rules.sort(key=lambda box: box[1])
        heads = tuple(box for box in page.graphics if head_key(page, box) in style.heads)
        self.text = (*running_text(page, style, self.captions, self._frames()), *heads)
        has_columns = style.column <= 0.55 * (style.right - style.left)
        self.gutter = (style.left + style.right) / 2 if has_columns else None
        """The middle between two columns of text, or None."""
        of_captions = {id(line) for caption in self.captions for line in caption.lines}
        self.text_boxes = frozenset(self.text)
        self.letters = [
            line.box
            for line in page.lines
            if id(line) not in of_captions
            and line.box not in self.text_boxes
            and not line.text.lower().startswith("arxiv:")
        ]
        self._drawn, self._written = _Boxes(self.graphics), _Boxes(self.letters)
        self.taken: list[Box] = []

    def crops(self, *, tables_below: bool) -> Iterable[tuple[Caption, Box]]:
        """Each caption with its part of the page. Tables are found first, because their lines show where they end."""
        boxes: dict[int, Box] = {}
        self.taken = []
        ordered = sorted(self.captions, key=lambda caption: caption.kind == "figure")
        for caption in ordered:
            above, below = self.region(caption, up=True), self.region(caption, up=False)
            region = _better(caption, above, below, tables_below=tables_below)
            region = region or self._framed(caption) or self._beside(caption)
            if region:
                boxes[id(caption)] = self._padded(region.box, caption)
                left, top, right, bottom = region.box
                self.taken.append((left, top - 1.5, right, bottom + 1.5))  # with the width of its outer lines
        return [(caption, boxes[id(caption)]) for caption in self.captions if id(caption) in boxes]

    def _frames(self) -> list[Box]:
        """Boxes with a drawn border or ground: filled or stroked areas, and the space between the lines of a table."""
        page, style = self.page, self.style
        frames = [box for box in self.graphics if box[3] - box[1] > 14 and box[2] - box[0] > 60]
        frames = [box for box in frames if box[3] - box[1] < 0.93 * page.height or box[2] - box[0] < 0.5 * page.width]
        rules = [box for box in self.rules if box[1] > 0.075 * page.height and box[2] - box[0] > 0.5 * style.column]
        lines = [line for line in page.lines if not any(_common(caption.box, line.box) for caption in self.captions)]
        for place, rule in enumerate(rules[:_MAX_RULES]):
            for other in rules[place + 1 : _MAX_RULES]:
                if abs(rule[0] - other[0]) < 3 and abs(rule[2] - other[2]) < 3:
                    frame = (rule[0], _head_above(rule, lines), rule[2], other[3])
                    if not any(_common(caption.box, frame) for caption in self.captions):
                        frames.append(frame)
                    break
        return frames

    def _columns(self, caption: Caption) -> tuple[float, float]:
        """Left and right limit of the figure of a caption."""
        left, right = self.style.left - 12, self.style.right + 12
        left, right = min(left, caption.box[0]), max(right, caption.box[2])
        if self.gutter and any(self._crosses(rule, caption) for rule in self.rules):
            pass  # a table across the page, with a short caption at its left
        elif self.gutter and caption.box[2] < self.gutter + 4:
            right = self.gutter
        elif self.gutter and caption.box[0] > self.gutter - 4:
            left = self.gutter
        others = [other.box for other in self.captions if other is not caption and other.box not in self.text_boxes]
        for is_caption, box in chain(zip(repeat(False), self.text), zip(repeat(True), others)):
            beside = min(box[3], caption.box[3]) - max(box[1], caption.box[1]) > 0.4 * (box[3] - box[1])
            if beside and box[2] <= caption.box[0] + 1:
                left = max(left, (box[2] + caption.box[0]) / 2 if is_caption else box[2] + 2)
            elif beside and box[0] >= caption.box[2] - 1:
                right = min(right, (box[0] + caption.box[2]) / 2 if is_caption else box[0] - 2)
        return left, right

    def _crosses(self, rule: Box, caption: Caption) -> bool:
        """Whether a rule right beside the caption of a table runs from its column into the other."""
        gap = max(rule[1] - caption.box[3], caption.box[1] - rule[3])
        inside = rule[0] < (self.gutter or 0) - 20 and rule[2] > (self.gutter or 0) + 20
        return caption.kind == "table" and inside and 0 <= gap < 2 * self.style.size

    def region(self, caption: Caption, *, up: bool) -> _Region | None:
        """The content above or below a caption up to the next text; None if there is nothing."""
        left, right = self._columns(caption)
        edge = self._edge(caption, up=up)
        end = 0.03 * self.page.height if up else 0.97 * self.page.height
        others = (other.box for other in self.captions if other is not caption)
        narrow = right - left
        taken = tuple(box for box in self.taken if _shared(box, left, right) > 0.3 * min(narrow, box[2] - box[0]))
        for box in (*self.text, *others, *taken):
            if _shared(box, left, right) < 4:
                continue
            if up and (box[1] + box[3]) / 2 < edge:
                end = max(end, box[3])
            elif not up and (box[1] + box[3]) / 2 > edge:
                end = min(end, box[1])
        space = (left, end, right, edge) if up else (left, edge, right, end)
        if space[3] - space[1] < 8:
            return None
        graphics = self._drawn.within(space)
        letters = self._written.within(space)
        if caption.kind == "figure" and graphics:  # a formula between text and figure is not part of the figure
            far = min(box[1] for box in graphics) - 16 if up else max(box[3] for box in graphics) + 16
            letters = [box for box in letters if (box[3] > far if up else box[1] < far)]
        content = [*graphics, *letters]
        content = _connected(content, edge, up=up, reach=0.11 * self.page.height)
        if not content:
            return None
        kept = set(content)
        rules = [box for box in self.rules if box in kept]
        if caption.kind == "table":
            content, rules = _table(content, rules, up=up)
        box = _clipped(united(content), space)
        if box[2] - box[0] < 20 or box[3] - box[1] < 8:
            return None
        drawn = sum(_common(g, box) for g in graphics if g in kept)
        gap = edge - box[3] if up else box[1] - edge
        return _Region(box, min(1.0, drawn / ((box[2] - box[0]) * (box[3] - box[1]))), gap, len(rules))

    def _edge(self, caption: Caption, *, up: bool) -> float:
        """Where a caption begins or ends: before a rule of its table that stands in its own white space."""
        top, bottom = caption.box[1], caption.box[3]
        inside = [rule for rule in self.rules if top <= rule[1] and rule[3] <= bottom]
        if up:
            return max((rule[3] for rule in inside if rule[3] < top + _OVERLAP), default=top)
        return min((rule[1] for rule in inside if rule[1] > bottom - _OVERLAP), default=bottom)

    def _framed(self, caption: Caption) -> _Region | None:
        """What stands between two equal rules with a caption and the remarks that cut it off."""
        top, bottom = caption.box[1], caption.box[3]
        pairs = ((rule, other) for rule in self.rules for other in self.rules if rule[3] <= top and bottom <= other[1])
        equal = [pair for pair in pairs if abs(pair[0][0] - pair[1][0]) < 3 and abs(pair[0][2] - pair[1][2]) < 3]
        if not equal:
            return None
        upper, lower = max(pair[0][1] for pair in equal), min(pair[1][1] for pair in equal)
        space = (equal[0][0][0] - 1, upper + 3, equal[0][0][2] + 1, lower - 3)
        content = [*self._drawn.within(space), *self._written.within(space)]
        box = _clipped(united(content), space) if content else space
        if not content or any(_common(text, box) for text in self.text) or (box[1] < bottom and top < box[3]):
            return None
        return _Region(box, 1.0, 0.0, 0)

    def _beside(self, caption: Caption) -> _Region | None:
        """The graphics at the left or right of a caption."""
        middle = (caption.box[1] + caption.box[3]) / 2
        spaces = ((self.style.left - 12, caption.box[0]), (caption.box[2], self.style.right + 12))
        for left, right in sorted(spaces, key=lambda space: space[0] - space[1]):
            blocking = [box for box in (*self.text, *self.taken) if _shared(box, left, right) > 4]
            top = max((box[3] for box in blocking if box[3] <= middle), default=0.03 * self.page.height)
            bottom = min((box[1] for box in blocking if box[1] >= middle), default=0.97 * self.page.height)
            space = (left, top, right, bottom)
            graphics = self._drawn.within(space)
            if right - left > 60 and graphics:
                letters = self._written.within(space)
                return _Region(_clipped(united([*graphics, *letters]), space), 1.0, 0.0, 0)
        return None

    def _padded(self, box: Box, caption: Caption) -> Box:
        left, top, right, bottom = box[0] - _PAD, box[1] - _PAD, box[2] + _PAD, box[3] + _PAD
        middle = (left + right) / 2
        texts = (*self.text, *(item.box for item in self.captions))
        for other in (*texts, *self.taken):
            if _shared(other, left, right) > 1 and other[3] <= box[1] + 2.5:
                top = max(top, other[3])
            elif _shared(other, left, right) > 1 and other[1] >= box[3] - 2.5:
                bottom = min(bottom, other[1])
        for other in texts:
            if min(other[3], box[3]) - max(other[1], box[1]) > 1:
                if middle < other[0] < right:
                    right = other[0] - 1
                elif left < other[2] < middle:
                    left = other[2] + 1
        width, height = self.page.width, self.page.height
        padded = max(0.0, left), max(0.0, top), min(width, right), min(height, bottom)
        return tuple(round(value, 1) for value in padded)  # type: ignore[return-value]


def _better(caption: Caption, above: _Region | None, below: _Region | None, *, tables_below: bool) -> _Region | None:
    """The region of the two that holds the figure of the caption."""
    if not (above and below):
        return above or below
    if caption.kind == "figure":
        usual, other = above, below
        weak = usual.gap > 40 or (usual.drawn < 0.02 and other.drawn > 0.1)
    else:
        usual, other = (below, above) if tables_below else (above, below)
        weak = usual.gap > 40 or (usual.rules < 2 <= other.rules)
    return other if weak and other.gap < 40 else usual


def _head_above(rule: Box, lines: Iterable[PdfLine]) -> float:
    """Where a line begins that stands right above the first rule of a table, as its head; or where the rule does."""
    above = (line.box for line in lines if rule[1] - _HEAD_GAP < line.box[3] < rule[1] + 3)
    return min((box[1] for box in above if rule[0] - 3 <= box[0] and box[2] <= rule[2] + 3), default=rule[1])


def _graphics(page: PdfPage, style: Style) -> list[Box]:
    """The visible graphics of the page, without backgrounds as large as the page."""
    limit = 0.8 * page.width * page.height

    def shows(box: Box) -> bool:
        width, height = box[2] - box[0], box[3] - box[1]
        on_page = box[2] > 0 and box[3] > 0 and box[0] < page.width and box[1] < page.height
        return (
            on_page and width * height < limit and max(width, height) > 0.5 and head_key(page, box) not in style.heads
        )

    boxes = sorted(set(page.graphics), key=lambda box: (-(box[2] - box[0]) * (box[3] - box[1]), box))
    return list(filter(shows, boxes))[:_MAX_GRAPHICS]


def _belongs(box: Box, space: Box) -> bool:
    """True if a box is in a space; one that reaches far out at the sides belongs to more than this column."""
    middle = (box[1] + box[3]) / 2
    width = max(box[2] - box[0], 1.0)
    inside = min(box[2], space[2]) - max(box[0], space[0])
    near = box[1] > space[1] - 60 and box[3] < space[3] + 60
    return inside > 0.6 * width - 1 and space[1] - 1 <= middle <= space[3] + 1 and near


def _connected(content: Sequence[Box], edge: float, *, up: bool, reach: float) -> list[Box]:
    """The boxes beside a caption without large gaps between them, from the caption on."""
    ordered = sorted(content, key=lambda box: -box[3] if up else box[1])
    kept: list[Box] = []
    frontier, allowed = edge, reach
    for box in ordered:
        gap = frontier - box[3] if up else box[1] - frontier
        if gap > allowed:
            break
        kept.append(box)
        frontier = min(frontier, box[1]) if up else max(frontier, box[3])
        allowed = min(reach, 48.0)
    return kept


def _table(content: list[Box], rules: list[Box], *, up: bool) -> tuple[list[Box], list[Box]]:
    """The part of the content that ends with the last line as wide as the line nearest to the caption."""
    if len(rules) < 2:
        return content, rules
    first = max(rules, key=lambda box: box[1]) if up else min(rules, key=lambda box: box[1])
    same = [box for box in rules if abs(box[0] - first[0]) < 6 and abs(box[2] - first[2]) < 6]
    if len(same) < 2:
        return content, rules
    top, bottom = min(box[1] for box in same), max(box[3] for box in same)
    for box in sorted(content, key=lambda box: -box[3]):  # a head without a line above it
        if top - _HEAD_GAP < box[3] < top + 3 and first[0] - 3 <= box[0] and box[2] <= first[2] + 3:
            top = min(top, box[1])
    return [box for box in content if top - 3 <= (box[1] + box[3]) / 2 <= bottom + 3], same


def _clipped(box: Box, space: Box) -> Box:
    return max(box[0], space[0] - 8), max(box[1], space[1]), min(box[2], space[2] + 8), min(box[3], space[3])


def _shared(box: Box, left: float, right: float) -> float:
    """The width of a box between left and right, in points; negative if it is outside."""
    return min(box[2], right) - max(box[0], left)


def _common(box: Box, other: Box) -> float:
    """The area that two boxes share."""
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0
