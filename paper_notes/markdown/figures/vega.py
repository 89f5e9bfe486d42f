"""Vega-Lite charts, drawn by vl-convert (no browser, no network, no files): SVG in our colours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from paper_notes.diagnostics import did_you_mean
from paper_notes.markdown.figures.colours import HUES, INK, LINE, MUTED, STRONG, variable
from paper_notes.markdown.figures.drawn import BadDiagram, parse, written
from paper_notes.sources.characters import UNUSABLE

_VERSION = "6.4"
_FONT = "Liberation Sans"
"""The tool brings it along, so that words are measured alike on every machine; pages show them in their own font."""
_TITLES = {"titleFont": _FONT, "titleFontSize": 14, "titleFontWeight": 600, "titleColor": INK}
_LABELS = {"labelFont": _FONT, "labelFontSize": 14, "labelColor": INK}
_CONFIG = {
    "background": None,
    "font": _FONT,
    "padding": 4,
    "view": {"continuousWidth": 360, "continuousHeight": 220, "step": 32, "stroke": None},
    "title": {"font": _FONT, "fontSize": 15, "fontWeight": 600, "color": INK, "subtitleColor": MUTED, "anchor": "start",
              "subtitleFont": _FONT, "subtitleFontSize": 14},
    "axis": {**_LABELS, **_TITLES, "domainColor": LINE, "tickColor": LINE, "gridColor": LINE, "gridOpacity": 0.35,
             "titlePadding": 10, "labelPadding": 6, "labelLimit": 240},
    "axisX": {"labelAngle": 0, "labelOverlap": True},
    "legend": {**_LABELS, **_TITLES, "orient": "top", "symbolStrokeWidth": 2, "labelLimit": 240},
    "header": {**_LABELS, **_TITLES},
    "range": {"category": list(STRONG)},
    "mark": {"color": HUES["blue"][0]},
    "text": {"color": INK, "fontSize": 14, "font": _FONT},
    "rule": {"color": MUTED},
    "line": {"strokeWidth": 2.5},
    "point": {"filled": True, "size": 60},
    "bar": {"cornerRadiusEnd": 2},
}  # fmt: skip
_MARKS = frozenset(
    "arc area bar boxplot circle errorband errorbar geoshape line point rect rule square text tick trail".split()
)
_FORBIDDEN = {
    "url": ("a chart loads nothing", 'write the rows into the fence: "data": {"values": [...]}'),
    "href": ("figures hold no links", "put them into the text below"),
    "sample": ("a random sample would give another picture each time", "choose the rows beforehand"),
}
_CALL = r"\b(%s)[\s\ufeff)]*\("
"""How a function is called: `now()`, `now ()`, `(now)()`."""
_CHANGING = re.compile(
    _CALL % r"now|random|timezoneoffset|sample[A-Z]\w*" + r"|\b(datetime)[\s\ufeff)]*\([\s\ufeff]*\)"
)
"""Functions of chance and of the clock: `datetime()` is one without arguments."""
_ENDLESS = re.compile(_CALL % "regexp|test|replace|split|sequence|timeSequence|utcSequence|pad")
"""Functions that can take for ever, or write texts without end."""
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
"""How expressions may write the letters of a name."""
_HALF = re.compile("[\ud800-\udfff]")
"""Of a pair of codes that stand for one character."""
_CHANCE = frozenset({"ci", "ci0", "ci1"})
"""Statistics that are found by drawing lots."""
MAX_ROWS = 5_000
"""Of a chart's data, and of what it makes itself: the tool ends the whole program where memory does not suffice."""
_LIMITS = {"width": 5_000, "height": 5_000, "maxbins": 1_000, "tickCount": 1_000, "steps": 1_000, "stop": MAX_ROWS}
_GUIDE = "see https://vega.github.io/vega-lite/docs/"


def draw(source: str) -> str:
    """The chart as SVG in our colours, not yet safe. Raises ImportError without vl-convert, and BadDiagram."""
    import vl_convert  # an extra

    try:
        spec = json.loads(source, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise BadDiagram(
            f"not JSON: {error.msg}", error.pos, "commas between items, double quotes, no comments"
        ) from None
    except RecursionError:
        raise BadDiagram("not JSON: nested too deep") from None
    except ValueError as error:
        raise BadDiagram(f"not JSON: {error}") from None
    if not isinstance(spec, dict):
        raise BadDiagram("a chart is a JSON object", 0, '{"data": {"values": [...]}, "mark": "bar", "encoding": {...}}')
    if (rows := _rows(spec)) > MAX_ROWS:
        raise BadDiagram(f"the data has {rows:,} rows, more than the {MAX_ROWS:,} allowed", 0, "sum them up beforehand")
    spec.pop("usermeta", None)  # means something to other tools
    _check_characters(spec, source)
    for part in _parts(spec):
        _check(part, source)
        _check_effort(part, source)
    for part in _parts(spec):
        _check_mark(part, source)
        _in_utc(part)
    try:
        svg = vl_convert.vegalite_to_svg(spec, vl_version=_VERSION, config=_CONFIG, allowed_base_urls=[])
    except ValueError as error:
        raise _reason(str(error), source) from None
    return _ours(svg)


def _ours(svg: str) -> str:
    """The drawing in our colours, without the labels that overlap others and so are made invisible."""
    root = parse(svg)
    for parent in list(root.iter()):
        for hidden in [child for child in parent if child.get("opacity") == "0"]:
            parent.remove(hidden)
    for element in root.iter():
        for name in {"fill", "stroke", "stop-color"} & element.attrib.keys():
            element.set(name, variable(element.attrib[name]))
        if element.tag == "path" and element.get("class") in ("background", "foreground"):
            element.set("d", element.get("d", "") if element.get("fill") or element.get("stroke") else "")
    return written(root)


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _check_characters(value: Any, source: str) -> None:
    """Raises BadDiagram for characters that the tool does not survive."""
    if isinstance(value, str):
        if found := UNUSABLE.search(value) or _HALF.search(value):
            where = source.lower().find(f"\\u{ord(found[0]):04x}")
            raise BadDiagram(f"U+{ord(found[0]):04X} is not a character of a text", where, "delete it")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _check_characters(key, source)
            _check_characters(inner, source)
            if key.lower().endswith("font") and isinstance(inner, str) and re.search('[<>"&]', inner):
                raise BadDiagram(f'"{key}" is not the name of a font', source.find(f'"{key}"'), "delete it")
    elif isinstance(value, list):
        for inner in value:
            _check_characters(inner, source)


def _parts(value: Any, around: str = "") -> Iterator[dict[str, Any]]:
    """Every object of a specification, but not the rows of its data."""
    if isinstance(value, dict):
        yield value
        rows = {"": "datasets", "data": "values"}.get(around)
        for key, inner in value.items():
            if key != rows:
                yield from _parts(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner, "[]")


def _texts(part: dict[str, Any]) -> Iterator[str]:
    """What may be an expression, with its letters as they are: values of a part, also those in lists."""
    for value in part.values():
        for text in value if isinstance(value, list) else (value,):
            if isinstance(text, str):
                yield _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)


def _check(part: dict[str, Any], source: str) -> None:
    """Raises BadDiagram for what the tool would take in silence."""
    for key, (message, hint) in _FORBIDDEN.items():
        if key in part:
            raise BadDiagram(f'"{key}": {message}', source.find(f'"{key}"'), hint)
    for key in ("aggregate", "extent", "op"):
        if isinstance(value := part.get(key), str) and value in _CHANCE:
            message = f'"{value}" would give another picture each time: it is found by drawing lots'
            raise BadDiagram(message, source.find(f'"{value}"'), 'use "stderr" or "stdev"')
    for text in _texts(part):
        if call := _CHANGING.search(text):
            message = f"{call[1] or call[2]}() would give another picture each time"
            raise BadDiagram(message, source.find(call[0]), "write the numbers into the data")


def _rows(value: Any) -> int:
    """How many items all lists of a specification have."""
    if isinstance(value, dict):
        return sum(map(_rows, value.values()))
    return len(value) + sum(map(_rows, value)) if isinstance(value, list) else 0


def _check_effort(part: dict[str, Any], source: str) -> None:
    """Raises BadDiagram for what would keep the tool busy for long, or fill the memory."""
    for key, limit in _LIMITS.items():
        value = part.get(key)
        if key == "stop" and isinstance(value, int | float):
            start, step = part.get("start", 0), part.get("step", 1)
            numbers = isinstance(start, int | float) and isinstance(step, int | float) and step
            value = abs((value - start) / step) if numbers else limit + 1
        size = value.get("step") if isinstance(value, dict) and key in ("width", "height") else value
        if isinstance(size, int | float) and not abs(size) <= limit:
            raise BadDiagram(f'"{key}" asks for more than {limit:,}', source.find(f'"{key}"'), "choose a smaller one")
    for text in _texts(part):
        if call := _ENDLESS.search(text):
            hint = "write what it gives into the data"
            raise BadDiagram(f"{call[1]}() is not allowed: it can take for ever", source.find(call[0]), hint)


def _check_mark(part: dict[str, Any], source: str) -> None:
    """Raises BadDiagram for a mark that does not exist: the tool's own words would not help."""
    mark = part.get("mark")
    kind = mark.get("type") if isinstance(mark, dict) else mark
    if isinstance(kind, str) and kind not in _MARKS:
        raise BadDiagram(f'there is no mark "{kind}"', source.find(f'"{kind}"'), did_you_mean(kind, _MARKS))


def _in_utc(part: dict[str, Any]) -> None:
    """Have dates shown in UTC: the same picture in every time zone. (JavaScript reads plain dates as UTC.)"""
    unit = part.get("timeUnit")
    if isinstance(unit, dict):
        unit["utc"] = True
    elif isinstance(unit, str) and not unit.startswith(("utc", "binned")):
        part["timeUnit"] = f"utc{unit}"
    kind = part.get("type", "temporal" if unit else "")
    if kind == "temporal" and "field" in part and "as" not in part and isinstance(part.setdefault("scale", {}), dict):
        part["scale"].setdefault("type", "utc")


def _reason(error: str, source: str) -> BadDiagram:
    """The first line of what the tool says that is about the chart."""
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    message = next((line for line in lines if not line.startswith(("Vega-Lite to SVG", "at "))), "cannot be drawn")
    message = re.sub(r"^(?:\w*Error): ", "", message)
    if message.startswith("Invalid specification"):
        message = 'nothing to draw: it has no "mark", "layer", "facet", "hconcat", "vconcat", "concat" or "repeat"'
    return BadDiagram(message[:200], -1, _GUIDE)
