"""Mermaid diagrams, drawn by merman (Rust, no browser): with our colours, and attributes for its style sheet."""

from __future__ import annotations

import json
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element

from paper_notes.features.diagrams.colours import HUES, INK, LINE, MUTED, PALE, PAPER, SOFT, STRONG, nearest
from paper_notes.features.diagrams.svg import BadDiagram, declarations, parse, resolve, written
from paper_notes.markdown.figures.svg import PRESENTATION

_BLUE, _ORANGE = HUES["blue"], HUES["orange"]
_THEME = {
    "fontFamily": "arial,sans-serif",
    "fontSize": "16px",
    "background": PAPER,
    "primaryColor": _BLUE[1], "primaryBorderColor": _BLUE[0], "primaryTextColor": INK,
    "secondaryColor": HUES["teal"][1], "secondaryBorderColor": HUES["teal"][0], "secondaryTextColor": INK,
    "tertiaryColor": SOFT, "tertiaryBorderColor": LINE, "tertiaryTextColor": INK,
    "mainBkg": _BLUE[1], "nodeBorder": _BLUE[0], "nodeTextColor": INK, "textColor": INK, "titleColor": INK,
    "lineColor": MUTED, "arrowheadColor": MUTED, "defaultLinkColor": MUTED, "edgeLabelBackground": PAPER,
    "clusterBkg": SOFT, "clusterBorder": LINE,
    "noteBkgColor": _ORANGE[1], "noteBorderColor": _ORANGE[0], "noteTextColor": INK,
    "actorBkg": _BLUE[1], "actorBorder": _BLUE[0], "actorTextColor": INK, "actorLineColor": LINE,
    "signalColor": MUTED, "signalTextColor": INK, "sequenceNumberColor": PAPER,
    "labelBoxBkgColor": SOFT, "labelBoxBorderColor": LINE, "labelTextColor": INK, "loopTextColor": INK,
    "activationBkgColor": HUES["teal"][1], "activationBorderColor": HUES["teal"][0],
    "transitionColor": MUTED, "transitionLabelColor": INK, "stateBkg": _BLUE[1], "stateLabelColor": INK,
    "compositeBackground": PAPER, "compositeTitleBackground": SOFT, "compositeBorder": LINE, "altBackground": SOFT,
    "specialStateColor": INK, "innerEndBackground": INK, "classText": INK, "labelColor": INK,
    "attributeBackgroundColorOdd": PAPER, "attributeBackgroundColorEven": SOFT, "rowOdd": PAPER, "rowEven": SOFT,
    "sectionBkgColor": SOFT, "altSectionBkgColor": PAPER, "sectionBkgColor2": SOFT, "gridColor": LINE,
    "taskBkgColor": _BLUE[1], "taskBorderColor": _BLUE[0], "taskTextColor": INK, "taskTextDarkColor": INK,
    "taskTextLightColor": INK, "taskTextOutsideColor": INK, "activeTaskBkgColor": HUES["teal"][1],
    "activeTaskBorderColor": HUES["teal"][0], "doneTaskBkgColor": SOFT, "doneTaskBorderColor": LINE,
    "critBkgColor": HUES["red"][1], "critBorderColor": HUES["red"][0], "todayLineColor": HUES["red"][0],
    "pieTitleTextColor": INK, "pieSectionTextColor": PAPER, "pieLegendTextColor": INK, "pieStrokeColor": PAPER,
    "pieOuterStrokeColor": LINE, "pieOpacity": "1",
    "quadrant1Fill": _BLUE[1], "quadrant2Fill": HUES["teal"][1], "quadrant3Fill": SOFT, "quadrant4Fill": _ORANGE[1],
    "quadrantPointFill": _BLUE[0], "quadrantPointTextFill": INK, "quadrantTitleFill": INK,
    "quadrantXAxisTextFill": MUTED, "quadrantYAxisTextFill": MUTED,
    "quadrantInternalBorderStrokeFill": LINE, "quadrantExternalBorderStrokeFill": LINE,
    "commitLabelColor": INK, "commitLabelBackground": PAPER, "tagLabelColor": INK, "tagLabelBackground": SOFT,
    "tagLabelBorder": LINE,
    "xyChart": {"backgroundColor": "transparent", "titleColor": INK, "xAxisTitleColor": INK, "yAxisTitleColor": INK,
        "xAxisLabelColor": MUTED, "yAxisLabelColor": MUTED, "xAxisTickColor": LINE, "yAxisTickColor": LINE,
        "xAxisLineColor": LINE, "yAxisLineColor": LINE, "plotColorPalette": ",".join(STRONG)},
    **{f"pie{number + 1}": STRONG[number % len(STRONG)] for number in range(12)},
    **{f"cScale{number}": PALE[number % len(PALE)] for number in range(12)},
    **{f"cScalePeer{number}": STRONG[number % len(STRONG)] for number in range(12)},
    **{f"cScaleInv{number}": STRONG[number % len(STRONG)] for number in range(12)},
    **{f"cScaleLabel{number}": INK for number in range(12)},
    **{f"git{number}": STRONG[number % len(STRONG)] for number in range(8)},
    **{f"gitInv{number}": PALE[number % len(PALE)] for number in range(8)},
    **{f"gitBranchLabel{number}": PAPER for number in range(8)},
    **{f"fillType{number}": PALE[number % len(PALE)] for number in range(8)},
}  # fmt: skip
_OPTIONS = {
    "site_config": {
        "theme": "base",
        "themeVariables": _THEME,
        "look": "classic",
        "layout": "dagre",
        "securityLevel": "strict",
        "htmlLabels": False,
        "flowchart": {"htmlLabels": False, "minNodeWidth": 40, "padding": 12, "nodeSpacing": 40, "wrappingWidth": 180},
        "state": {"minNodeWidth": 10, "nodeSpacing": 40},
        "gantt": {
            "fontSize": 14,
            "sectionFontSize": 14,
            "barHeight": 26,
            "barGap": 6,
            "leftPadding": 70,
            "axisFormat": "%m-%d",
        },
        "xyChart": {"width": 460, "height": 320},
        "quadrantChart": {"chartWidth": 420, "chartHeight": 420, "quadrantLabelFontSize": 16, "pointLabelFontSize": 14},
        "sankey": {"width": 440, "height": 280},
    },
    "layout": {"container_width": 520},
    "fixed_today": "2000-01-01",
    "fixed_local_offset_minutes": 0,
    "svg": {"pipeline": "resvg-safe", "diagram_id": "m"},  # the pipeline that writes labels as <text>, in all diagrams
}
_RULES = f"""
.edgeLabel rect, .relationshipLabelBox rect {{ fill: {PAPER} !important; opacity: .9 }}
.sections .cluster rect {{ fill: {SOFT} !important; stroke: {LINE} !important }}
"""
"""Corrections of merman's style sheet: labels on lines have a background, columns are visible."""
_LINES = frozenset({"stroke"})
_PAINTS = frozenset({"fill", "stroke", "stop-color", "color", "flood-color"})


def draw(source: str) -> str:
    """The diagram as SVG in our colours, not yet safe. Raises ImportError without merman, and BadDiagram."""
    import merman  # an extra

    panic = merman.merman_uniffi.InternalError
    tool = _engine()
    try:
        svg = tool.render_svg(source, None)
    except panic:
        _engine.cache_clear()
        raise BadDiagram(
            "the tool failed on it", -1, "simplify it, and report it to https://github.com/Latias94/merman"
        ) from None
    except merman.MermanError as error:
        raise _reason(source, tool.analyze_json(source, None), error.message) from None
    root = parse(svg)
    css = "".join(sheet.text or "" for sheet in root.iter("style"))
    for parent in list(root.iter()):
        for dropped in (*parent.findall("style"), *parent.findall("g[@class='today']")):  # the same picture every day
            parent.remove(dropped)
    for element in root.iter():
        _colour_words(element)
    resolve(root, css + _RULES, PRESENTATION - {"filter"})
    for element in root.iter():
        for name in _PAINTS & element.attrib.keys():
            element.set(name, nearest(element.attrib[name], line=name in _LINES))
        if element.tag == "svg" and element is not root:
            element.set("overflow", "visible")  # a label in another font is not cut
    root.set("font-size", "15px")  # measured at 16: there is room for a wider font
    return written(root)


@cache
def _engine() -> Any:
    """The tool with our options, which it takes longer to read than to draw with."""
    import merman

    return merman.MermanEngine(json.dumps(_OPTIONS), None)


def _reason(source: str, analysis: str, message: str) -> BadDiagram:
    """The tool's error as a BadDiagram, with its place where the tool knows it."""
    errors = [item for item in json.loads(analysis)["diagnostics"] if item["severity"] == "error"]
    span = errors[0]["span"] if errors else None
    offset = len(source.encode()[: span["byte_start"]].decode(errors="ignore")) if span else -1
    return BadDiagram(errors[0]["message"] if errors else message, offset, "see the syntax at https://mermaid.js.org")


def _colour_words(element: Element) -> None:
    """Make the `color` of a group, from a user's `style` line, the fill of its text."""
    colours = [value for name, value, _ in declarations(element.get("style", "")) if name == "color"]
    if colours and element.tag == "g":
        for words in (*element.iter("text"), *element.iter("tspan")):
            words.set("style", f"{words.get('style', '')};fill:{colours[-1]}!important")
