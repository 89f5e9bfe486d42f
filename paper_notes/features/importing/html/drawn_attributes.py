"""Attributes of drawings: what style sheets say, in our colours, and only those that figures may have."""

from __future__ import annotations

import re

from paper_notes.features.diagrams.colours import LINE, MUTED, nearest, variable
from paper_notes.features.importing.html.drawings import ATTRIBUTE_NAMES, Drawn
from paper_notes.features.importing.html.styles import Sheet, declarations
from paper_notes.markdown.figures.svg import ATTRIBUTES

TEXTS = frozenset({"text", "tspan", "textPath"})
LOCAL = re.compile(r"url\(\s*['\"]?#([^'\"()\s]+)['\"]?\s*\)")
"""A reference to an element of the same drawing."""
_PAINTS = ("fill", "stroke", "stop-color", "flood-color", "color")
_MONO = re.compile(r"mono|menlo|consolas|courier|code", re.IGNORECASE)
_WHITE = re.compile(r"#fff(?:fff)?|white", re.IGNORECASE)
_AS_IS = frozenset({"none", "inherit", "context-stroke", "context-fill"})
_ALPHA = re.compile(r"(?:rgba|hsla)\([^()]*[,/]\s*(0?\.\d+|\d+%)\s*\)|(?:rgb|hsl)\([^()]*/\s*(0?\.\d+|\d+%)\s*\)")
_OUTSIDE = re.compile(r"\\|\b(?:src|image)\s*\(|url\((?!\s*['\"]?#)")
_LENGTHS = ("width", "height", "x", "y", "r", "rx", "ry", "cx", "cy")


def attributes_of(element: Drawn, sheet: Sheet) -> dict[str, str]:
    """The attributes of an element."""
    given = {key: value for key, value in element.attributes.items() if key not in ("style", "class")}
    given |= sheet.declared(element.name, element.attributes.get("class", "").split(), element.attributes.get("id", ""))
    given |= declarations(element.attributes.get("style", ""))
    kept: dict[str, str] = {}
    for written, value in given.items():
        name = ATTRIBUTE_NAMES.get(written.removeprefix("xlink:").lower(), written)
        kept |= _attribute(element, name, sheet.resolved(value))
    if element.name == "svg":
        kept.pop("id", None)
    return {name: value for name, value in kept.items() if not (name in _LENGTHS and value in ("auto", "", "inherit"))}


def _attribute(element: Drawn, name: str, value: str) -> dict[str, str]:
    """What becomes of one attribute."""
    if name in ("font", "font-family"):
        return _font(name, value)
    if name not in ATTRIBUTES or (name == "href" and not value.startswith("#")):
        return {}
    if name in _PAINTS:
        return _painted(name, value, element.name)
    return {name: value} if value and not _OUTSIDE.search(value) else {}


def _font(name: str, value: str) -> dict[str, str]:
    """Of a font only whether it is monospaced; of the shorthand also size and weight."""
    kept = {"font-family": "monospace"} if _MONO.search(value) else {}
    if name == "font" and (size := re.search(r"([\d.]+)px", value)):
        kept["font-size"] = size[1]
        if re.search(r"\b(?:bold|[6-9]00)\b", value):
            kept["font-weight"] = "bold"
    return kept


def _painted(name: str, value: str, element: str) -> dict[str, str]:
    """A colour as our nearest variable, and its opacity."""
    if LOCAL.search(value) or value in _AS_IS:
        return {name: value}
    if value.lower() == "currentcolor":
        return {name: "currentColor"}
    text = element in TEXTS
    kept = {name: nearest(value, line=name == "stroke" or (text and not _WHITE.fullmatch(value.strip())))}
    if text and kept[name] == variable(LINE):
        kept[name] = variable(MUTED)  # grey words are to be read
    if alpha := _ALPHA.fullmatch(value.strip()):
        kept[f"{name}-opacity"] = alpha[1] or alpha[2]
    return kept if re.fullmatch(r"[-#\w(), .%]+", kept[name]) else {}
