"""```plot fences: what is read, what is drawn, and what is said of mistakes."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from xml.etree import ElementTree

import pytest
from building import NOTE, note, said
from hypothesis import given
from hypothesis.strategies import from_regex, lists, sampled_from, tuples

from paper_notes.features.diagrams.plot import KINDS, Value, _shortened, _width, draw, parse_plot
from paper_notes.features.diagrams.svg import BadDiagram
from paper_notes.markdown.render import render_body
from paper_notes.sources.tree import Source

NUMBERS = r"-?[0-9]{1,3}(\.[0-9]{1,3})?(e-?[0-9]{1,3})?( ± [0-9]{1,3})?|"
TABLE = "depth, ours, other\n1, 0.80 ± 0.01, 0.77\n2, 0.78±0.02,\n4, 0.71, 0.52\n"
BOX = "Greedy, Beam\n10, 20\n12, 22\n13, 21\n11, 60\n"


def no_file(name: str) -> str:
    raise LookupError(f'there is no file "{name}" beside the note')


def shapes(source: str, tag: str) -> list[ElementTree.Element]:
    """The elements of a name in the drawing of a fence."""
    svg = draw(parse_plot(source, no_file)).replace(' xmlns="http://www.w3.org/2000/svg"', "")
    return list(ElementTree.fromstring(svg).iter(tag))


def words(source: str) -> list[str]:
    return [element.text or "" for element in shapes(source, "text")]


def curves(source: str) -> list[list[tuple[float, ...]]]:
    """The points of the lines of data."""
    lines = [line for line in shapes(source, "polyline") if line.get("stroke-width") == "2.5"]
    return [[tuple(map(float, point.split(","))) for point in line.get("points", "").split()] for line in lines]


def test_a_table_is_read_with_its_errors_and_gaps() -> None:
    plot = parse_plot(f"kind: line\ny: rate\n\n{TABLE}", no_file)
    assert (plot.head, plot.x, plot.y) == (("depth", "ours", "other"), "depth", "rate")
    assert plot.values == (
        (Value(0.8, 0.01), Value(0.77)),
        (Value(0.78, 0.02), None),
        (Value(0.71), Value(0.52)),
    )


@pytest.mark.parametrize(
    ("cell", "number"),
    [("1,200", 1200), ("−3.5", -3.5), ("12 %", 12), ("1.8x", 1.8), ("2×", 2), (".5", 0.5), ("1e9", 1e9)],
)
def test_numbers_are_read_as_people_write_them(cell: str, number: float) -> None:
    assert parse_plot(f'x, y\na, "{cell}"', no_file).values == ((Value(number),),)


def test_higher_numbers_are_higher_up_and_numbers_of_the_x_axis_keep_their_distances() -> None:
    first, second, third = curves(f"{TABLE}")[0]
    assert first[1] < second[1] < third[1]
    assert (third[0] - second[0]) == pytest.approx(2 * (second[0] - first[0]), abs=0.2)


def test_a_line_breaks_where_a_number_is_missing() -> None:
    assert [len(curve) for curve in curves("x, y\n1, 1\n2, 2\n3,\n4, 3\n5, 1")] == [2, 2]


def test_a_scale_of_powers_has_equal_distances_for_equal_ratios() -> None:
    (curve,) = curves("log: x y\nn, loss\n10, 8\n100, 4\n1000, 2")
    assert curve[1][0] - curve[0][0] == pytest.approx(curve[2][0] - curve[1][0], abs=0.2)
    assert curve[1][1] - curve[0][1] == pytest.approx(curve[2][1] - curve[1][1], abs=0.2)


def test_bars_begin_with_zero_and_are_as_high_as_their_numbers() -> None:
    bars = shapes("kind: bar\nmodel, speed\n8B, 2\n70B, 4\nold, -1", "rect")
    heights = [float(bar.get("height", "")) for bar in bars]
    assert heights == [pytest.approx(heights[1] / 2, abs=0.2), heights[1], pytest.approx(heights[1] / 4, abs=0.2)]


def test_a_box_reaches_from_quartile_to_quartile_and_outliers_are_dots() -> None:
    boxes = shapes(f"kind: box\n{BOX}", "rect")
    zero, ten = (
        float(next(t for t in shapes(f"kind: box\n{BOX}", "text") if t.text == n).get("y", "")) for n in ("0", "20")
    )
    unit = (zero - ten) / 20
    assert float(boxes[0].get("height", "")) == pytest.approx((12.25 - 10.75) * unit, abs=0.2)
    assert len(shapes(f"kind: box\n{BOX}", "g")) == 1  # 60


def test_each_series_has_its_colour_and_its_shape() -> None:
    groups = shapes("x, a, b, c\n1, 1, 2, 3\n2, 2, 3, 4", "g")
    looks = {(group.get("fill"), group[0].tag + re.sub(r"[\d. -]+", "", group[0].get("d", ""))) for group in groups}
    assert len(looks) == len({colour for colour, _ in looks}) == len({shape for _, shape in looks}) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_drawn_outside_of_the_picture(kind: str) -> None:
    body = "很长很长的名字一二三四五, another long name\n" + "\n".join(f"{n}, {n * n % 7 + 1}" for n in range(1, 30))
    svg = ElementTree.fromstring(draw(parse_plot(f"kind: {kind}\n{body}", no_file)))
    _, _, width, height = map(float, svg.get("viewBox", "").split())
    for element in svg.iter():
        for name, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
            assert 0 <= float(element.get(name, "0")) <= most, ElementTree.tostring(element)


@given(
    kind=sampled_from([*KINDS]),
    log=sampled_from(["", "log: x\n", "log: y\n", "log: x y\n"]),
    rows=lists(
        tuples(from_regex(NUMBERS, fullmatch=True), from_regex(NUMBERS, fullmatch=True)), min_size=1, max_size=6
    ),
)
def test_any_numbers_are_drawn_or_refused(kind: str, log: str, rows: list[tuple[str, str]]) -> None:
    table = "\n".join(", ".join(row) for row in rows)
    try:
        svg = draw(parse_plot(f"kind: {kind}\n{log}x, y\n{table}", no_file))
    except BadDiagram:
        return
    assert "nan" not in svg
    assert "inf" not in svg


@pytest.mark.parametrize(
    "numbers", ["1, 9e14\n2, 9.00000000000001e14", "1e-320, 1\n2, 2", "-1e308, 1\n1e308, 2", "1, 0\n2, 0"]
)
def test_numbers_that_are_far_apart_or_alike_are_drawn(numbers: str) -> None:
    svg = draw(parse_plot(f"x, y\n{numbers}", no_file))
    assert ("nan" in svg, "inf" in svg) == (False, False)


def test_names_of_rows_that_are_too_long_side_by_side_are_turned_and_stay_whole() -> None:
    rows = "\n".join(f"configuration number {n}, {n}" for n in range(1, 13))
    names = [text for text in shapes(f"kind: bar\nrun, score\n{rows}", "text") if text.get("transform")]
    assert [name.text for name in names][3:] == [f"configuration number {n}" for n in range(4, 13)]
    assert all((name.text or "").startswith("configu") for name in names)


def test_a_name_is_shortened_by_no_more_signs_than_it_must() -> None:
    name = "configuration"
    assert _shortened(name, _width(name)) == name
    for room in range(20, int(_width(name))):
        short = _shortened(name, room)
        assert short.endswith("…")
        assert _width(short) <= room < _width(f"{short}n")


@pytest.mark.parametrize(
    ("source", "message", "hint", "at"),
    [
        ("kind: lien\nx, y\n1, 2", 'there is no kind "lien"', 'did you mean "line"?', "kind"),
        ("kinde: line\nx, y\n1, 2", 'there is no option "kinde"', 'did you mean "kind"?', "kinde"),
        ("x, y\n1, two", '"two" is not a number', "write 0.71, 12 % or 0.71 ± 0.02; nothing for none", "1, two"),
        (
            "x, y\n1, 2, 3",
            'the row "1, 2, 3" has 3 cells, the head 2',
            "put a text with a comma in quotation marks",
            "1, 2, 3",
        ),
        ("x, y", "there are no rows", "write a head such as `x, ours`, and rows such as `1, 0.8`", "x, y"),
        ("log: y\nx, y\n1, 0", "0 has no place on a scale of powers", "leave out `log: y`, or the row", "1, 0"),
        ("log: z\nx, y\n1, 1", '"z" is no axis', "write x, y, or both: `log: x y`", "log"),
        ("data: a.csv", 'there is no file "a.csv" beside the note', "name a .csv file beside the note", "data"),
        ("names: a\nx, y\n1, 2", "1 names for 2 columns", "the columns are x, y", "names"),
        (
            "x, a, b, c, d, e, f, g\n1,1,1,1,1,1,1,1",
            "8 columns; a line plot has 7 at the most",
            "make several plots",
            "x, a",
        ),
    ],
)
def test_a_mistake_is_said_with_its_place_and_what_to_write(source: str, message: str, hint: str, at: str) -> None:
    with pytest.raises(BadDiagram) as caught:
        draw(parse_plot(source, no_file))
    assert (caught.value.message, caught.value.hint) == (message, hint)
    assert source[caught.value.offset :].startswith(at)


def test_both_languages_show_one_file_with_names_of_their_own() -> None:
    fence = "```plot {}\ndata: speed.csv\nnames: {}\n```\n"
    files = {"speed.csv": Source(PurePosixPath(f"{NOTE}/speed.csv"), b"batch,ours\n1,2.0\n8,1.5\n")}
    texts = {"zh": fence.format("加速", "批大小，我们的"), "en": fence.format("Speed {#speed}", "batch size, ours")}
    body = render_body(note(texts, files=files))
    assert said(body.diagnostics) == ""
    for lang, name, data in (("zh", "批大小", "数据"), ("en", "batch size", "Data")):
        html = body.halves[lang].lead
        assert f'aria-label="{"加速" if lang == "zh" else "Speed"}"' in html
        assert f'<summary>{data}</summary><table><thead><tr><th scope="col">{name}</th>' in html
        assert "<td>1.5</td>" in html
    assert ' id="speed-en"' in body.halves["en"].lead


def test_a_mistake_in_a_file_has_its_name_and_line() -> None:
    with pytest.raises(BadDiagram) as caught:
        parse_plot("kind: line\ndata: a.csv\n", lambda _name: "x, y\n# a comment\n1, 2\n2, much\n")
    assert (caught.value.message, caught.value.offset) == ('a.csv:4: "much" is not a number', 11)


def test_a_mistake_in_a_note_has_the_line_of_its_row() -> None:
    body = render_body(note({"en": "Words.\n\n```plot\nx, y\n1, 2\n2, much\n```\n"}))
    assert (
        said(body.diagnostics)
        .replace(f"{NOTE}/", "")
        .startswith('en.md:6:1: error[bad-diagram]: plot: "much" is not a number')
    )


OF_PAPER = (
    "# Written by `paper-notes verify --keep`: commit it, do not edit it. Table 2 of li, p. 5\n"
    'Method,GSM8K / Speedup,GSM8K / τ,"Code, all / Speedup"\nQ3-8B / EAGLE,2.5×,3.1,-\nQ3-8B / HASS,2.7×,3.4,2.2×\n'
    "Q3-4B / EAGLE,2.4×,3.0,2.0×\n"
)


@pytest.mark.parametrize(
    ("data", "head", "rows"),
    [
        ("T2", 4, ["Q3-8B / EAGLE", "Q3-8B / HASS", "Q3-4B / EAGLE"]),
        ("T2[Q3-8B, Speedup]", 3, ["Q3-8B / EAGLE", "Q3-8B / HASS"]),
        ('T2["Code, all"]', 2, ["Q3-8B / EAGLE", "Q3-8B / HASS", "Q3-4B / EAGLE"]),
        ("T2[EAGLE, GSM8K]", 3, ["Q3-8B / EAGLE", "Q3-4B / EAGLE"]),
        ("T2[Q3-8B / HASS]", 4, ["Q3-8B / HASS"]),
    ],
)
def test_a_table_of_the_paper_is_plotted_by_its_labels(data: str, head: int, rows: list[str]) -> None:
    read = {"table-2.csv": OF_PAPER}
    table = parse_plot(f"kind: bar\ndata: {data}\n", lambda name: read[name])
    assert (len(table.head), [row[0] for row in table.rows]) == (head, rows)


@pytest.mark.parametrize(
    ("data", "text", "said", "hint"),
    [
        ("T2[HAS]", OF_PAPER, 'labelled "HAS"', 'did you mean "HASS"?'),
        ("T3", None, "there is no file", "verify NOTE --keep"),
        ("T2[EAGLE]", "a,b\nc\n", "table-2.csv:2: the row", ""),
        ("T2[EAGLE]", "", 'labelled "EAGLE"', ""),
    ],
)
def test_a_table_that_is_not_as_it_is_named_is_told(data: str, text: str | None, said: str, hint: str) -> None:
    with pytest.raises(BadDiagram) as caught:
        parse_plot(f"kind: bar\ndata: {data}\n", no_file if text is None else lambda name: str(text))
    assert said in caught.value.message
    assert hint in caught.value.hint
