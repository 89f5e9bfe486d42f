"""Where a figure or table of a page is, from boxes alone."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from paper_notes.sources.pdf.captions import _goes_on, _has_cells
from paper_notes.sources.pdf.document import _BOLD
from paper_notes.sources.pdf.figures import (
    _belongs,
    _better,
    _Boxes,
    _common,
    _connected,
    _graphics,
    _Layout,
    _table,
    _tables_are_below,
)

AREA = (100.0, 100.0, 300.0, 160.0)


@pytest.mark.parametrize(
    ("areas", "rules", "frames"),
    [
        ([AREA], [], [AREA]),
        ([(100, 100, 161, 115)], [], [(100, 100, 161, 115)]),
        ([(100, 100, 160, 115), (100, 100, 161, 114)], [], []),
        ([(50, 20, 450, 763), (50, 20, 349, 764)], [], [(50, 20, 450, 763), (50, 20, 349, 764)]),
        ([(50, 20, 350, 764)], [], []),  # the page itself
        ([], [(100, 200, 300, 201), (102, 260, 298, 261)], [(100, 200, 300, 261)]),
        ([], [(100, 200, 300, 201), (103, 260, 300, 261)], []),
        ([], [(100, 200, 300, 201), (100, 260, 303, 261)], []),
        ([], [(100, 60, 300, 61), (100, 260, 300, 261)], []),  # the rule below the head of a page
        ([], [(100, 200, 215, 201), (100, 260, 215, 261)], []),
        ([], [(100, 200, 300, 201), (100, 450, 300, 451)], []),  # with a caption between
    ],
)
def test_frames_are_areas_and_the_space_between_rules_that_line_up(areas: Any, rules: Any, frames: Any) -> None:
    page, style = SimpleNamespace(width=600.0, height=800.0, lines=()), SimpleNamespace(column=230.0)
    caption = SimpleNamespace(box=(100.0, 400.0, 300.0, 410.0))
    layout = SimpleNamespace(page=page, style=style, graphics=areas, rules=rules, captions=[caption])
    assert _Layout._frames(layout) == frames


@pytest.mark.parametrize(
    ("head", "top"),
    [
        ((150, 186, 280, 197), 186),
        ((150, 182, 280, 193), 200),
        ((90, 186, 280, 197), 200),  # text beside the table
        ((150, 390, 280, 398), 200),
    ],
)
def test_a_head_right_above_the_first_rule_of_a_table_is_in_its_frame(head: Any, top: float) -> None:
    page = SimpleNamespace(width=600.0, height=800.0, lines=[SimpleNamespace(box=head)])
    rules = [(100, 200, 300, 201), (100, 260, 300, 261)]
    layout: Any = SimpleNamespace(page=page, style=SimpleNamespace(column=230.0), graphics=[], rules=rules, captions=[])
    assert _Layout._frames(layout) == [(100, top, 300, 261)]


@pytest.mark.parametrize(
    ("other", "padded"),
    [
        (None, (97, 97, 303, 203)),
        ((302, 120, 400, 130), (97, 97, 301, 203)),
        ((302, 198.5, 400, 210), (97, 97, 301, 203)),
        ((302, 199.5, 400, 210), (97, 97, 303, 203)),
        ((50, 120, 98.5, 130), (99.5, 97, 303, 203)),
        ((100, 80, 300, 98), (97, 98, 303, 203)),
        ((100, 80, 300, 102.4), (97, 102.4, 303, 203)),
        ((100, 80, 300, 102.6), (97, 97, 303, 203)),
        ((301, 80, 400, 98), (97, 98, 303, 203)),
        ((302, 80, 400, 98), (97, 97, 303, 203)),
        ((100, 201, 300, 210), (97, 97, 303, 201)),
        ((100, 197.4, 300, 210), (97, 97, 303, 203)),
    ],
)
def test_the_space_around_a_figure_ends_where_text_begins(other: Any, padded: tuple[float, ...]) -> None:
    page = SimpleNamespace(width=600.0, height=800.0)
    texts = SimpleNamespace(text=(other,) if other else (), captions=(), taken=(), page=page)
    assert _Layout._padded(texts, (100, 100, 300, 200), None) == padded


@pytest.mark.parametrize(
    ("rule", "above", "below"),
    [
        ((100, 528.5, 300, 529), 529, 553),  # the last rule of a table in the white space over its caption
        ((100, 551, 300, 552), 528, 551),
        ((100, 540, 300, 541), 528, 553),
        ((100, 526, 300, 527), 528, 553),
        ((100, 555, 300, 556), 528, 553),
    ],
)
def test_a_caption_ends_before_a_rule_in_its_own_white_space(rule: Any, above: float, below: float) -> None:
    caption: Any = SimpleNamespace(box=(100, 528, 300, 553))
    layout: Any = SimpleNamespace(rules=[rule])
    assert [_Layout._edge(layout, caption, up=up) for up in (True, False)] == [above, below]


@pytest.mark.parametrize(
    ("above", "below", "vote"),
    [
        (None, (2, 29), 1),
        ((1, 5), (2, 29), 1),
        ((2, 29), None, -1),
        ((2, 29), (1, 5), -1),
        (None, (2, 30), 0),
        (None, (1, 5), 0),
        ((2, 30), None, 0),
        ((1, 5), None, 0),
        ((2, 5), (2, 5), 0),
    ],
)
def test_where_a_table_is_counts_if_only_one_side_has_two_rules_nearby(
    above: tuple[int, int] | None, below: tuple[int, int] | None, vote: int
) -> None:
    def layout(above: tuple[int, int] | None, below: tuple[int, int] | None) -> Any:
        sides = {
            up: SimpleNamespace(rules=side[0], gap=side[1]) if side else None
            for up, side in ((True, above), (False, below))
        }
        return SimpleNamespace(captions=[SimpleNamespace(kind="table")], region=lambda _, up: sides[up])

    against = layout((2, 0), None)
    votes = (_tables_are_below([layout(above, below), *[against] * number]) for number in (0, 1))
    assert [*votes] == [vote >= 0, vote > 0]


@pytest.mark.parametrize(
    ("kind", "above", "below", "best"),
    [
        ("figure", {}, {}, "above"),
        ("figure", {"gap": 41}, {}, "below"),
        ("figure", {"gap": 40}, {}, "above"),
        ("figure", {"gap": 41}, {"gap": 40}, "above"),
        ("figure", {"drawn": 0.01}, {"drawn": 0.2}, "below"),
        ("figure", {"drawn": 0.02}, {"drawn": 0.2}, "above"),
        ("figure", {"drawn": 0.01}, {"drawn": 0.1}, "above"),
        ("table", {}, {}, "below"),
        ("table", {"rules": 2}, {"rules": 1}, "above"),
        ("table", {"rules": 1}, {"rules": 1}, "below"),
        ("table", {"rules": 2}, {"rules": 2}, "below"),
        ("table", {}, {"gap": 41}, "above"),
        ("table above its caption", {}, {}, "above"),
        ("table above its caption", {"rules": 1}, {"rules": 2}, "below"),
        ("figure", None, {}, "below"),
        ("figure", {"gap": 90}, None, "above"),
    ],
)
def test_a_caption_has_what_is_at_its_usual_side_unless_that_is_far_or_weak(
    kind: str, above: dict[str, float] | None, below: dict[str, float] | None, best: str
) -> None:
    usual = {"gap": 10, "drawn": 0.5, "rules": 3}
    sides: list[Any] = [None if side is None else SimpleNamespace(**(usual | side)) for side in (above, below)]
    caption: Any = SimpleNamespace(kind=kind.partition(" ")[0])
    assert _better(caption, *sides, tables_below=kind == "table") is sides[best == "below"]


@pytest.mark.parametrize(
    ("box", "belongs"),
    [
        ((100, 100, 300, 200), True),
        ((100, 41, 300, 200), True),
        ((100, 40, 300, 200), False),
        ((100, 100, 300, 259), True),
        ((100, 100, 300, 260), False),
        ((100, 98.5, 300, 99.5), True),
        ((100, 98, 300, 98.5), False),
        ((100, 201, 300, 201.5), False),
        ((180, 100, 380, 200), True),
        ((181, 100, 381, 200), False),
        ((100, 150, 100, 160), True),
        ((300.5, 150, 300.5, 160), False),
    ],
)
def test_what_belongs_to_a_space_may_reach_out_of_it_a_little(box: Any, *, belongs: bool) -> None:
    assert _belongs(box, (100, 100, 300, 200)) is belongs


@pytest.mark.parametrize(
    ("tops", "kept"),
    [
        ([190, 150], [190, 150]),
        ([150, 190], [190, 150]),
        ([120], [120]),
        ([119], []),
        ([190, 132], [190, 132]),
        ([190, 131], [190]),
        ([190, 142, 94], [190, 142, 94]),
    ],
)
def test_parts_of_a_figure_are_near_each_other(tops: list[float], kept: list[float]) -> None:
    def boxes(edges: list[float], *, up: bool) -> list[Any]:
        return [(0, edge - 10, 9, edge) if up else (0, 400 - edge, 9, 410 - edge) for edge in edges]

    for up in (True, False):
        found = _connected(boxes(tops, up=up), 200, up=up, reach=80)
        assert found == boxes(kept, up=up)


@pytest.mark.parametrize(
    ("rules", "rows", "same"),
    [
        ([(0, 100, 90, 101), (0, 150, 90, 151)], [99, 125, 152], 2),
        ([(0, 100, 90, 101), (5, 150, 85, 151)], [99, 125, 152], 2),
        ([(0, 100, 90, 101), (6, 150, 90, 151)], [10, 99, 125, 152, 190], 2),
        ([(0, 100, 90, 101)], [10, 99, 125, 152, 190], 1),
        ([(0, 60, 90, 61), (0, 100, 90, 101), (0, 150, 90, 151)], [60, 99, 125, 152], 3),
    ],
)
def test_a_table_ends_with_the_last_of_its_lines(rules: Any, rows: list[int], same: int) -> None:
    content = [(0, middle - 1, 90, middle + 1) for middle in (10, 60, 99, 125, 152, 190)]
    for up in (True, False):
        kept, lines = _table(content, rules, up=up)
        assert [box[1] + 1 for box in kept if box[1] + 1 in rows] == rows
        assert len(kept) == (len(content) if len(rows) == 5 else len(rows))
        assert len(lines) == same


@pytest.mark.parametrize(
    ("box", "shows"),
    [
        ((0, 0, 479, 800), True),
        ((0, 0, 480, 800), False),  # the ground of the page
        ((-5, 10, 0, 20), False),
        ((-5, 10, 1, 20), True),
        ((10, -5, 20, 0), False),
        ((600, 10, 610, 20), False),
        ((10, 800, 20, 810), False),
        ((10, 10, 10.5, 10.5), False),
        ((10, 10, 10, 10.6), True),
    ],
)
def test_graphics_are_on_the_page_and_smaller_than_it(box: Any, *, shows: bool) -> None:
    page: Any = SimpleNamespace(width=600.0, height=800.0, graphics=(box,))
    style: Any = SimpleNamespace(heads=frozenset())
    assert _graphics(page, style) == ([box] if shows else [])


@pytest.mark.parametrize(
    ("rules", "text", "found"),
    [
        ([(80, 100, 500, 100.5), (80, 400, 500, 400.5)], [REMARK := (80, 330, 490, 341)], (90, 120, 200, 300)),
        ([(80, 100, 500, 100.5), (80, 400, 460, 400.5)], [REMARK], None),  # not of one table
        ([(80, 100, 500, 100.5), (80, 360, 500, 360.5)], [REMARK], None),
        ([(80, 100, 500, 100.5), (80, 400, 500, 400.5)], [(80, 200, 490, 211)], None),  # a paragraph among them
    ],
)
def test_what_is_between_two_equal_rules_with_its_caption_is_a_table(rules: Any, text: Any, found: Any) -> None:
    written = _Boxes([(90.0, 120.0, 100.0, 130.0), (190.0, 290.0, 200.0, 300.0)])
    layout: Any = SimpleNamespace(rules=rules, text=text, _drawn=_Boxes([]), _written=written)
    region = _Layout._framed(layout, SimpleNamespace(box=(150.0, 370.0, 400.0, 381.0)))  # type: ignore[arg-type]
    assert (region and region.box) == found


@pytest.mark.parametrize(
    ("block", "left", "is_row"),
    [(1, 330.0, True), (1, 305.0, False), (2, 330.0, False)],  # another column of text is another block
)
def test_a_line_beside_which_cells_stand_is_no_running_text(block: int, left: float, is_row: bool) -> None:
    line: Any = SimpleNamespace(block=1, size=10.0, box=(80.0, 100.0, 300.0, 110.0))
    other: Any = SimpleNamespace(block=block, size=10.0, box=(left, 100.0, 400.0, 110.0))
    assert _has_cells(line, [line, other]) is is_row


def test_fonts_of_tex_are_bold_by_their_names() -> None:
    fonts = "CMBX12", "ABCDEF+CMB10", "SFBX1200", "NimbusRomNo9L-Medi", "CMR10", "CMBSY10"
    assert [bool(_BOLD.search(font)) for font in fonts] == [True, True, True, True, False, False]


LEFT, RIGHT, MIDDLE = (60.0, 400.0, 280.0, 410.0), (320.0, 400.0, 540.0, 410.0), (200.0, 400.0, 400.0, 410.0)


@pytest.mark.parametrize(
    ("kind", "box", "gutter", "rules", "columns"),
    [
        ("figure", LEFT, 300, [], (38, 300)),
        ("figure", RIGHT, 300, [], (300, 562)),
        ("figure", MIDDLE, 300, [], (38, 562)),
        ("figure", LEFT, None, [], (38, 562)),
        ("figure", (20.0, 400.0, 580.0, 410.0), 300, [], (20, 580)),
        ("table", LEFT, 300, [(60, 410, 321, 410.5)], (38, 562)),
        ("table", LEFT, 300, [(279, 429, 540, 429.5)], (38, 562)),
        ("table", LEFT, 300, [(60, 379, 540, 381)], (38, 562)),
        ("table", LEFT, 300, [(60, 409, 540, 409.5)], (38, 300)),  # through the caption
        ("table", LEFT, 300, [(60, 430, 540, 430.5)], (38, 300)),
        ("table", LEFT, 300, [(60, 379, 540, 380)], (38, 300)),
        ("table", LEFT, 300, [(60, 412, 320, 412.5)], (38, 300)),
        ("table", LEFT, 300, [(280, 412, 540, 412.5)], (38, 300)),
        ("figure", LEFT, 300, [(60, 412, 540, 412.5)], (38, 300)),
    ],
)
def test_a_caption_in_a_column_has_that_unless_the_rule_of_a_table_crosses(
    kind: str, box: Any, gutter: Any, rules: Any, columns: Any
) -> None:
    assert limits(kind, box, gutter, rules=rules) == columns


@pytest.mark.parametrize(
    ("beside", "of_caption", "of_text"),
    [
        ((50, 395, 190, 415), (195, 562), (192, 562)),
        ((50, 395, 201, 415), (200.5, 562), (203, 562)),
        ((50, 395, 202, 415), (38, 562), (38, 562)),
        ((410, 395, 500, 415), (38, 405), (38, 408)),
        ((399, 395, 500, 415), (38, 399.5), (38, 397)),
        ((398, 395, 500, 415), (38, 562), (38, 562)),
        ((50, 395, 190, 420), (38, 562), (38, 562)),  # most of it is not beside the caption
        ((50, 380, 190, 404), (38, 562), (38, 562)),
    ],
)
def test_a_figure_ends_before_what_is_beside_its_caption(beside: Any, of_caption: Any, of_text: Any) -> None:
    assert limits("figure", MIDDLE, None, text=[beside]) == of_text
    assert limits("figure", MIDDLE, None, others=[beside]) == of_caption


def limits(kind: str, box: Any, gutter: Any, *, rules: Any = (), text: Any = (), others: Any = ()) -> Any:
    caption: Any = SimpleNamespace(kind=kind, box=box)
    captions = [caption, *(SimpleNamespace(box=other) for other in others)]
    style = SimpleNamespace(left=50.0, right=550.0, size=10.0)
    layout: Any = SimpleNamespace(style=style, gutter=gutter, rules=rules, captions=captions, text=text, text_boxes=())
    layout._crosses = partial(_Layout._crosses, layout)
    return _Layout._columns(layout, caption)


def test_the_area_that_two_boxes_share() -> None:
    for other, area in (((5, 16, 30, 40), 20), ((2, 3, 4, 6), 6), ((10, 0, 20, 20), 0), ((0, 20, 10, 30), 0)):
        assert _common((0, 0, 10, 20), other) == _common(other, (0, 0, 10, 20)) == area


FIRST = {"box": (50.0, 100.0, 150.0, 110.0), "block": 1, "size": 10.0, "bold": False, "text": "Figure 1: one"}


@pytest.mark.parametrize(
    ("facts", "goes_on"),
    [
        ({"box": (179, 100, 300, 110)}, True),
        ({"box": (180, 100, 300, 110)}, False),
        ({"box": (160, 100, 300, 110), "block": 2}, False),
        ({"box": (50, 117, 150, 127)}, True),
        ({"box": (50, 118, 150, 128)}, False),
        ({"box": (50, 113, 150, 123), "block": 2}, True),
        ({"box": (50, 114, 150, 124), "block": 2}, False),
        ({"box": (150, 112, 300, 122)}, False),
        ({"box": (0, 112, 50, 122)}, False),
        ({"box": (149, 112, 300, 122), "size": 10.5}, True),
        ({"size": 10.7}, False),
        ({"size": 8.5}, False),
        ({"size": 7.5}, True),
        ({"text": "Figure 2: two"}, False),
        ({"text": "2 Methods", "bold": True}, False),
        ({"text": "2 Methods"}, True),
    ],
)
def test_a_caption_goes_on_in_a_line_like_it_that_is_near(facts: Any, goes_on: bool) -> None:
    line: Any = SimpleNamespace(**(FIRST | {"box": (50.0, 112.0, 150.0, 122.0), "text": "more"} | facts))
    first: Any = SimpleNamespace(**FIRST)
    assert _goes_on([first], line) is goes_on
