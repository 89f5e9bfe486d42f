"""Fences that become pictures: the figure, its colours, refused diagrams, and the warning for a missing tool."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from building import NOTE, note, said

from paper_notes.features.diagrams import mermaid, vega
from paper_notes.features.diagrams.colours import HUES, INK, nearest, variable
from paper_notes.features.diagrams.colours import _parse as parsed_colour
from paper_notes.features.diagrams.fences import TOOLS, drawn_figure
from paper_notes.features.diagrams.svg import parse, resolve, written
from paper_notes.markdown.figures.svg import ATTRIBUTES, ELEMENTS, PRESENTATION
from paper_notes.markdown.render import render_body
from paper_notes.markdown.syntax.code import Fence
from paper_notes.project import FOR_PAGES

FLOW = "flowchart TD\n  A[读提示] --> B{接受?}\n  B -->|是| C([保留])"
BARS = """{
  "data": {"values": [{"γ": "2", "加速": 1.9, "模型": "7B"}, {"γ": "4", "加速": 2.6, "模型": "70B"}]},
  "mark": "bar",
  "encoding": {"x": {"field": "γ"}, "y": {"field": "加速", "type": "quantitative"}, "color": {"field": "模型"}}
}"""
SOURCES = {
    "flowchart": "flowchart TD\n A[读] --> B{接受?}\n B -.->|是| C((c))\n subgraph S\n D[(d)]\n end\n B ==> D",
    "sequence": "sequenceDiagram\n autonumber\n A->>+B: 猜\n B-->>-A: 验\n Note over A: n\n loop l\n A-xB: x\n end",
    "class": "classDiagram\n class A {\n +int x\n +f() list\n }\n A <|-- B\n A --> C : verifies",
    "state": "stateDiagram-v2\n [*] --> A\n A --> B: γ\n state B {\n c --> d\n }\n note right of A : 注",
    "er": "erDiagram\n PAPER ||--o{ NOTE : has\n PAPER {\n string key PK\n }",
    "gantt": "gantt\n dateFormat YYYY-MM-DD\n section 读\n 读论文 :a1, 2026-01-01, 10d\n 写 :after a1, 5d",
    "pie": 'pie title 时间\n "生成" : 70\n "训练" : 30',
    "mindmap": "mindmap\n  root((投机解码))\n    理论\n      接受率\n    工程",
    "timeline": "timeline\n 2022 : Leviathan\n 2023 : Chen : SpecInfer",
    "git": 'gitGraph\n commit id: "a"\n branch dev\n commit id: "b"',
    "quadrant": "quadrantChart\n x-axis Low --> High\n y-axis A --> B\n A: [0.3, 0.6]",
    "xy": 'xychart-beta\n x-axis [a, b]\n y-axis "y" 0 --> 9\n bar [1, 5]\n line [2, 4]',
    "sankey": "sankey-beta\nA,B,10\nA,C,5",
    "kanban": "kanban\n  todo[待读]\n    a[EAGLE]",
    "block": 'block-beta\n columns 2\n a["draft"] b["verify"]\n a --> b',
}


def fence(language: str, source: str, title: str = "怎样") -> str:
    return f"前\n\n```{language} {title}\n{source}\n```\n"


def drawn(language: str, source: str, title: str = "怎样") -> tuple[str, str]:
    """The HTML of a note with such a fence, and the diagnostics."""
    body = render_body(note({"zh": fence(language, source, title)}))
    return body.halves["zh"].lead, said(body.diagnostics).replace(f"{NOTE}/", "")


def picture(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(html[html.index("<svg") : html.rindex("</svg>") + len("</svg>")])


def assert_safe(html: str) -> None:
    for element in picture(html).iter():
        assert element.tag in ELEMENTS
        assert not element.attrib.keys() - ATTRIBUTES - {"aria-label"}
        for name, value in element.attrib.items():
            assert not re.search(r"url\((?!#zh-)|javascript:|//", value), f"{name}={value}"
    assert not re.search(r"<(script|style|a|image|foreignObject)\b", html)


def test_a_fence_is_a_figure_with_number_and_title() -> None:
    html, problems = drawn("mermaid", FLOW, "接受 & 拒绝 {#fig-flow}")
    assert problems == ""
    start, _, rest = html.partition("<svg")
    assert start == '<p>前</p>\n<figure class="fig" id="fig-flow-zh"><div class="fig-body">'
    end = rest.partition("</svg>")[2]
    title = '<span class="fig-title">接受 &amp; 拒绝</span>'
    caption = f'<figcaption><span class="fig-label">图 1</span> {title}</figcaption>'
    assert end == f"</div>{caption}</figure>\n"
    root = picture(html)
    assert (root.get("role"), root.get("aria-label")) == ("img", "接受 & 拒绝")
    assert root.attrib["width"].endswith("em")
    assert "".join("".join(text.itertext()) for text in root.iter("text")) == "是读提示接受?保留"


def test_diagrams_are_counted_with_the_other_figures() -> None:
    figure = ":::figure\n![x](a.svg)\n:::\n\n"
    text = figure + fence("vega-lite", BARS) + "\n" + figure
    body = render_body(note({"zh": text}, {"a.svg": '<svg viewBox="0 0 9 9"></svg>'}))
    assert re.findall(r'fig-label">([^<]*)<', body.halves["zh"].lead) == ["图 1", "图 2", "图 3"]


@pytest.mark.parametrize(("language", "source"), [("mermaid", FLOW), ("vega-lite", BARS)])
def test_without_a_title_it_is_called_by_its_parts_or_its_number(language: str, source: str) -> None:
    html, problems = drawn(language, source, "")
    assert problems == ""
    assert picture(html).get("aria-label") == ("读提示, 接受?, 是, 保留" if language == "mermaid" else "图 1")


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("mermaid", f"---\ntitle: 一轮\n---\n{FLOW}"),
        ("mermaid", FLOW.replace("\n", "\n  accTitle: 一轮\n", 1)),
        ("mermaid", 'pie title 一轮\n  "a": 1\n  "b": 2'),
        ("vega-lite", BARS.replace("{", '{"title": "一轮",', 1)),
    ],
)
def test_without_a_title_the_source_may_say_what_it_shows(language: str, source: str) -> None:
    html, problems = drawn(language, source, "")
    assert problems == ""
    assert picture(html).get("aria-label") == "一轮"


@pytest.mark.parametrize(
    ("language", "source", "module", "extra"),
    [("mermaid", FLOW, "merman", "mermaid"), ("vega-lite", BARS, "vl_convert", "vega")],
)
def test_a_missing_extra_says_what_to_install_and_the_source_is_shown(
    language: str, source: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    html, problems = drawn(language, source)
    assert '<p>前</p>\n<div class="code">' in html
    message = f"zh.md:3:4: warning[missing-extra]: a {language} fence needs the extra `{extra}`; "
    message += "its source is shown instead\n"
    assert problems == f"{message}  hint: `paper-notes doctor` has the line that installs it\n"


def test_a_missing_extra_is_reported_once_for_all_diagrams_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "merman", None)
    body = render_body(note({"zh": fence("mermaid", FLOW) + fence("mermaid", FLOW)}))
    assert body.halves["zh"].lead.count('<div class="code">') == 2
    assert said(body.diagnostics).count("missing-extra") == 1


def test_a_diagram_without_a_title_is_read_by_its_first_parts() -> None:
    assert picture(drawn("mermaid", "flowchart TD\n A[读<br>论文] --> B{懂?}\n B -->|否| A", "")[0]).get(
        "aria-label"
    ) == ("读 论文, 懂?, 否")
    assert picture(drawn("mermaid", "flowchart TD\n A --> B", "")[0]).get("aria-label") == "图 1"


def test_the_extras_are_those_of_the_package() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    section = text[text.index("[project.optional-dependencies]") :].partition("\n\n")[0]
    assert TOOLS.keys() == set(FOR_PAGES), "workflows install what draws"
    assert TOOLS.keys() <= set(re.findall(r"^(\w+) =", section, re.MULTILINE))


MERMAID = "see the syntax at https://mermaid.js.org"
VEGA = "see https://vega.github.io/vega-lite/docs/"
PARTS = '"mark", "layer", "facet", "hconcat", "vconcat", "concat" or "repeat"'
BAD = {
    "an open bracket": (
        "mermaid", "flowchart TD\n  甲[读 --> B",
        "5:4", "mermaid: Unterminated node label (missing `]`)", MERMAID),
    "no diagram": ("mermaid", "nonsense", "4:1", "mermaid: no Mermaid diagram detected", MERMAID),
    "nothing": ("mermaid", "", "4:1", "mermaid: no Mermaid diagram detected", MERMAID),
    "a script on a click": (
        "mermaid", 'flowchart TD\nA-->B\nclick A "javascript:alert(1)"',
        "3:4", "the drawing of the mermaid fence: <a> is not allowed in a figure",
        "figures hold no links: put them into the text"),
    "a link": (
        "mermaid", 'flowchart TD\nA-->B\nclick A "https://evil.example"',
        "3:4", "the drawing of the mermaid fence: <a> is not allowed in a figure",
        "figures hold no links: put them into the text"),
    "a remote picture": (
        "mermaid", 'flowchart TD\nC@{ img: "https://evil.example/a.png", label: "x" }',
        "3:4", "the drawing of the mermaid fence: <image> is not allowed in a figure",
        "pixel images go beside the SVG: ![...](picture.png)"),
    "not JSON": (
        "vega-lite", '{\n  "mark" "bar"}',
        "5:10", "vega-lite: not JSON: Expecting ':' delimiter", "commas between items, double quotes, no comments"),
    "not an object": (
        "vega-lite", "[]",
        "4:1", "vega-lite: a chart is a JSON object", '{"data": {"values": [...]}, "mark": "bar", "encoding": {...}}'),
    "no mark": (
        "vega-lite", '{"data": {"values": [1]}}',
        "3:4", f"vega-lite: nothing to draw: it has no {PARTS}", VEGA),
    "an unknown mark": (
        "vega-lite", '{"data": {"values": [1]},\n "mark": "baar"}',
        "5:10", 'vega-lite: there is no mark "baar"', 'did you mean "bar"?'),
    "an expression": (
        "vega-lite", '{"data": {"values": [1]}, "mark": "bar", "transform": [{"calculate": "f(", "as": "z"}]}',
        "3:4", "vega-lite: Unexpected end of input", VEGA),
    "chance": (
        "vega-lite", '{"data": {"values": [1]}, "mark": "bar", "transform": [{"calculate": "random()", "as": "z"}]}',
        "4:71", "vega-lite: random() would give another picture each time", "write the numbers into the data"),
    "chance by another name": (
        "vega-lite", r'{"data": {"values": [1]}, "mark": "bar", "transform": [{"filter": {"or": ["\\u006eow()"]}}]}',
        "3:4", "vega-lite: now() would give another picture each time", "write the numbers into the data"),
    "the clock": (
        "vega-lite", '{"data": {"values": [1]}, "mark": "bar", "params": [{"name": "a", "expr": "(datetime)()"}]}',
        "4:77", "vega-lite: datetime() would give another picture each time", "write the numbers into the data"),
    "lots": (
        "vega-lite", '{"data": {"values": [1]}, "mark": {"type": "errorbar", "extent": "ci"}}',
        "4:66", 'vega-lite: "ci" would give another picture each time: it is found by drawing lots',
        'use "stderr" or "stdev"'),
    "a link in a chart": (
        "vega-lite", '{"data": {"values": [1]}, "mark": {"type": "bar", "href": "javascript:alert(1)"}}',
        "4:51", 'vega-lite: "href": figures hold no links', "put them into the text below"),
    "a picture in a chart": (
        "vega-lite", '{"data": {"values": [1]}, "mark": "image", "encoding": {"url": {"value": "//evil.example"}}}',
        "4:57", 'vega-lite: "url": a chart loads nothing',
        'write the rows into the fence: "data": {"values": [...]}'),
    "a colour from elsewhere": (
        "vega-lite", '{"data": {"values": [1]}, "mark": {"type": "bar", "color": "url(https://evil.example/x)"}}',
        "3:4", 'the drawing of the vega-lite fence: fill="url(https://evil.example/x)" is not allowed in a figure',
        "refer only to #ids of the same file"),
}  # fmt: skip


@pytest.mark.parametrize(("language", "source", "where", "message", "hint"), BAD.values(), ids=BAD)
def test_what_cannot_be_drawn_is_told(language: str, source: str, where: str, message: str, hint: str) -> None:
    html, problems = drawn(language, source)
    assert problems == f"zh.md:{where}: error[bad-diagram]: {message}\n  hint: {hint}\n"
    if "<svg" in html:
        assert_safe(html)


@pytest.mark.parametrize("url", ["https://evil.example/a.csv", "file:///etc/passwd", "/etc/passwd", "data:text/csv,a"])
@pytest.mark.parametrize("place", ['"data": %s, "mark": "bar"', '"layer": [{"data": %s, "mark": "bar"}]'])
def test_a_chart_loads_nothing(url: str, place: str) -> None:
    source = "{" + place % f'{{"url": "{url}"}}' + "}"
    assert 'error[bad-diagram]: vega-lite: "url": a chart loads nothing' in drawn("vega-lite", source)[1]


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("mermaid", 'flowchart TD\nA["<img src=x onerror=alert(1)>"] --> B["<script>alert(1)</script>"]'),
        ("mermaid", 'flowchart TD\nA["<a href=javascript:alert(1)>x</a>"] --> B["<svg onload=alert(1)>"]'),
        ("mermaid", '%%{init: {"htmlLabels": true, "securityLevel": "loose"}}%%\nflowchart TD\nA["<img src=x>"] --> B'),
        ("mermaid", '%%{init: {"themeCSS": "rect{fill:url(//evil.example)}"}}%%\nflowchart TD\nA --> B'),
        ("mermaid", "flowchart TD\nA --> B\nstyle A fill:red,background:#f00\nclassDef x stroke:blue\nclass B x"),
        ("mermaid", "sequenceDiagram\nA->>B: <script>alert(1)</script>\nlinks A: {}"),
        ("vega-lite", BARS.replace("7B", "<script>alert(1)</script>").replace("加速", "</svg><img src=x>")),
        ("vega-lite", '{"data": {"values": [{"url": "//evil.example", "href": "x"}]}, "mark": "point"}'),
        ("vega-lite", '{"data": {"values": [1]}, "mark": "bar", "encoding": {"x": {"bin": {"extent": [0, 1]}}}}'),
    ],
)
def test_what_is_drawn_is_safe(language: str, source: str) -> None:
    html, problems = drawn(language, source)
    if "<svg" in html:
        assert_safe(html)
    else:
        assert "error[bad-diagram]" in problems


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_each_kind_of_diagram_is_drawn_in_our_colours(source: str) -> None:
    html, problems = drawn("mermaid", source)
    assert problems == ""
    assert_safe(html)
    for element in picture(html).iter():
        for name in ("fill", "stroke", "stop-color"):
            value = element.get(name, "none")
            assert re.match(r"none$|currentColor$|inherit$|var\(--fig-|url\(#", value), f"{element.tag} {name}={value}"


def test_a_chart_is_drawn_in_our_colours() -> None:
    html, _ = drawn("vega-lite", BARS)
    paints = {element.get(name) for element in picture(html).iter() for name in ("fill", "stroke")} - {None, "none"}
    bars = {variable(HUES["blue"][0]), variable(HUES["orange"][0])}
    assert bars <= paints
    assert paints - bars == {"currentColor", variable("#9aa1ad")}


def test_colours_that_are_not_ours_stay_in_a_chart() -> None:
    source = '{"data": {"values": [1]}, "mark": {"type": "bar", "color": "#123456"}}'
    assert 'fill="#123456"' in drawn("vega-lite", source)[0]


def test_both_languages_in_one_page_have_their_own_ids() -> None:
    text = fence("mermaid", FLOW) + "\n" + fence("mermaid", FLOW)
    body = render_body(note({"zh": text, "en": text}))
    html = "".join(half.lead for half in body.halves.values())
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == 4
    assert len(set(ids)) == 4
    assert set(re.findall(r"url\(#([^)]+)\)", html)) == set(ids)
    assert "Figure 2" in body.halves["en"].lead


DATES = (
    '{"data": {"values": [{"t": "2023-12-31", "n": 1}, {"t": "2024-02-01", "n": 2}]}, "mark": "line",'
    ' "encoding": {"x": {"field": "t", "type": "temporal"}, "y": {"field": "n", "type": "quantitative"},'
    ' "color": {"field": "t", "timeUnit": "year"}}}'
)


@pytest.mark.nightly
def test_the_same_source_gives_the_same_bytes_in_every_process_and_time_zone() -> None:
    program = "import sys\nfrom paper_notes.features.diagrams import mermaid, vega\n"
    program += "sys.stdout.reconfigure(encoding='utf-8')\n"
    program += f"print(mermaid.draw({FLOW!r}), vega.draw({BARS!r}), vega.draw({DATES!r}))"
    here = f"{mermaid.draw(FLOW)} {vega.draw(BARS)} {vega.draw(DATES)}\n"
    for zone in ("America/New_York", "Asia/Shanghai"):
        environment = {"TZ": zone, "PYTHONHASHSEED": str(len(zone)), "PATH": ""}
        shown = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, env=environment)
        assert shown.stdout.decode().replace("\r\n", "\n") == here, zone


HOURS = (
    '{"data": {"values": [{"t": "2023-12-31T23:00"}]}, "mark": "text", "transform": [{"calculate":'
    ' "hours(toDate(datum.t)) + timeFormat(datetime(0), \' %H\') + toString(datetime(0))", "as": "z"}],'
    ' "encoding": {"text": {"field": "z"}}}'
)


@pytest.mark.skipif(sys.platform == "win32", reason="its time zone is that of the system")
def test_a_picture_depends_neither_on_the_day_nor_on_where_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    gantt = drawn("mermaid", "gantt\n dateFormat HH:mm\n section s\n a :a1, 17:49, 2m\n")
    assert "--fig-red" not in gantt[0], "no line for today"
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        hours = ElementTree.tostring(picture(drawn("vega-lite", HOURS)[0]), "unicode")
        assert "23 00Thu Jan 01 1970 00:00:00 GMT+0000" in hours
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_fence_that_shows_the_source_stays_code() -> None:
    html, problems = drawn("text", FLOW)
    assert (problems, "<figure" in html) == ("", False)
    assert drawn("mermiad", FLOW)[1].endswith('hint: did you mean "mermaid"?\n')


@pytest.mark.parametrize(
    "colour",
    [
        "#336699",
        "#369",
        "#369F",
        "#336699ff",
        "rgb(51, 102, 153)",
        "RGB(20% 40% 60%)",
        "rgba(51, 102, 153, 1)",
        "rgba(51, 102, 153, 100%)",
        "hsl(210, 50%, 40%)",
        "hsla(-150, 50%, 40%, 1)",
    ],
)
def test_a_colour_is_the_same_however_it_is_written(colour: str) -> None:
    assert parsed_colour(colour) == pytest.approx((0.2, 0.4, 0.6, 1), abs=1e-6)


@pytest.mark.parametrize(
    ("colour", "line", "ours"),
    [
        (INK, False, "currentColor"),
        ("#000", True, "currentColor"),
        ("white", False, "var(--fig-paper, #ffffff)"),
        ("#FFF", True, "var(--fig-paper, #ffffff)"),
        ("#eee", False, "var(--fig-soft, #f1f2f5)"),
        ("#eee", True, "var(--fig-line, #9aa1ad)"),
        ("rgb(128, 128, 128)", False, "var(--fig-line, #9aa1ad)"),
        ("#555", False, "var(--fig-muted, #5b6270)"),
        ("#f9f", False, "var(--fig-purple-soft, #ece4fa)"),
        ("#f9f", True, "var(--fig-purple, #6b3fb5)"),
        ("lightblue", False, "var(--fig-blue-soft, #e3ebfc)"),
        ("#c00", False, "var(--fig-red, #b3303b)"),
        ("hsl(-79.4, 100%, 93.3%)", False, "var(--fig-purple-soft, #ece4fa)"),
        ("rgba(0, 0, 0, 0)", False, "none"),
        ("transparent", False, "none"),
        ("url(#a)", False, "url(#a)"),
        ("nonsense", False, "nonsense"),
        ("rgb(1)", False, "rgb(1)"),
    ],
)
def test_the_nearest_of_our_colours(colour: str, line: bool, ours: str) -> None:
    assert nearest(colour, line=line) == ours


def test_a_style_sheet_becomes_attributes() -> None:
    svg = (
        '<svg id="m"><g class="node hot"><rect fill="red" style="stroke: blue"/><g><rect id="m_x"/></g></g>'
        '<g class="node"><rect data-look="neo" style="fill:black!important; onclick: x"/></g></svg>'
    )
    css = """
        @keyframes dash { from { x: 0; } to { x: 1; } } @media print { rect { fill: none; } }
        /* rect { fill: none } */
        #m .node rect { fill: white; stroke: grey; unknown: 1 }
        rect { fill: green; stroke-width: 1px; }
        #m .node.hot > rect, .nothing { fill: orange }
        [id$="_x"] { opacity: .5 } [data-look="neo"] { stroke: teal !important } rect:hover { fill: pink }
        #m .node [data-look] { fill: yellow !important }
    """
    root = parse(svg)
    resolve(root, css, PRESENTATION)
    assert [dict(rect.attrib) for rect in root.iter("rect")] == [
        {"fill": "orange", "stroke": "blue", "stroke-width": "1px"},
        {"id": "m_x", "fill": "white", "stroke": "grey", "stroke-width": "1px", "opacity": ".5"},
        {"data-look": "neo", "fill": "black", "stroke": "teal", "stroke-width": "1px"},
    ]


def test_a_drawing_is_slimmed() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10.123456 9" role="graphics">'
        '<defs><path id="no" d="M0 0"/><g id="yes"><rect width="1" height="1" font-size="9"/></g></defs>'
        '<marker id="unused"/><g><rect x="1"/></g><use href="#yes" tabindex="0" opacity="1" fill=""/>'
        '<path d="M0,0 C1,0 2,0 3,0 M0,0 C1,0 2,0 3,0 M3,0 C3,1 4,2 5,2"/><path d="M-0.0001 1.005e-7L2.999 1"/></svg>'
    )
    assert written(parse(svg)) == (
        '<svg viewBox="0 0 10.12 9"><defs><g id="1"><rect width="1" height="1" /></g></defs><use href="#1" />'
        '<path d="M0,0L3,0C3,1 4,2 5,2" /><path d="M0 0L3 1" /></svg>'
    )


def test_a_fence_can_be_drawn_by_a_function_without_a_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="{}" height="1"/></svg>'
    bars = Fence("bars", partial(drawn_figure, language="bars", draw=lambda source: drawing.format(source.strip())))
    monkeypatch.setattr("paper_notes.markdown.renderer.fences", lambda: {"bars": bars})
    page = render_body(note({"zh": fence("bars", "7")})).halves["zh"].lead
    assert '<rect width="7" height="1"' in page
    assert '<figcaption><span class="fig-label">图 1</span> <span class="fig-title">怎样</span></figcaption>' in page
