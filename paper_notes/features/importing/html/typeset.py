"""Formulas of saved pages that KaTeX, MathJax or a browser had set: cut out of the source, as the TeX they came from.

Each becomes an element `pn-tex` whose attribute `tex` is its TeX, or if that is unknown, the words that it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape

from paper_notes.features.importing.html.mathml import shown_signs, tex_of_mathml
from paper_notes.features.importing.html.preparing import Report

_START = re.compile(
    r"<(?P<tag>span|div|math|script|mjx-container)(?P<rest>\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?>", re.IGNORECASE
)
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+))")
_ROOTS = frozenset({"katex-display", "katex", "mwe-math-element"})
_MATHJAX = frozenset(
    "MathJax MathJax_Preview MathJax_Display MathJax_CHTML MathJax_SVG MathJax_SVG_Display MJXc-display mjx-chtml"
    " MathJax_MathML".split()
)
"""What MathJax 2 sets beside the script that holds the TeX."""
_SCRIPT = re.compile(r"<script[^>]*\btype\s*=\s*[\"']?math/tex", re.IGNORECASE)
_TEX = re.compile(
    r"<annotation\b[^>]*encoding\s*=\s*[\"']?application/x-tex[\"']?[^>]*>(.*?)</annotation\s*>",
    re.DOTALL | re.IGNORECASE,
)
_MATH = re.compile(r"<math\b[^>]*>.*?</math\s*>", re.DOTALL | re.IGNORECASE)
_CDATA = re.compile(r"%?\s*<!\[CDATA\[|%?\s*\]\]>")
_DISPLAY = re.compile(r"\bdisplay\s*=\s*[\"']?(?:block|true)", re.IGNORECASE)


def with_formulas(source: str, report: Report) -> str:
    """The page with its formulas cut out: as many lines as before."""
    if not re.search(r"<math\b|<mjx-container\b|type\s*=\s*[\"']?math/tex", source, re.IGNORECASE):
        return source
    parts: list[str] = []
    done = 0
    for start, end, made in _formulas(source, has_scripts=bool(_SCRIPT.search(source))):
        line = source.count("\n", 0, start) + 1
        column = start - (source.rfind("\n", 0, start) + 1) + 1
        if made.startswith("<pn-tex words"):
            report("formula-as-text", f"a formula stays as it is written: {_quoted(made)}", line, column)
        room = source.count("\n", start, end)
        parts += [source[done:start], made[:-1] if made else "", "\n" * room, ">" if made else ""]
        done = end
    return "".join([*parts, source[done:]])


def _quoted(made: str) -> str:
    return " ".join(unescape(made.split('"')[1]).split())[:60]


def _formulas(source: str, *, has_scripts: bool) -> Iterator[tuple[int, int, str]]:
    """Where each formula begins and ends, and the element that takes its place; empty for what is there twice."""
    place = 0
    while found := _START.search(source, place):
        tag, place = found["tag"].lower(), found.end()
        attributes = {one[0].lower(): one[1] or one[2] or one[3] for one in _ATTRIBUTE.findall(found["rest"] or "")}
        classes = frozenset(attributes.get("class", "").split())
        if tag == "script":
            if not attributes.get("type", "").startswith("math/tex"):
                continue
        elif tag not in ("math", "mjx-container") and not classes & (_ROOTS | _MATHJAX):
            continue
        end = _end(source, found.start(), tag)
        piece = source[found.start() : end]
        if tag == "script":
            tex = _CDATA.sub("", piece[found.end() - found.start() : piece.rfind("<")])
            made = _element("tex", tex, display="mode=display" in attributes["type"])
        elif classes & _MATHJAX and has_scripts and tag != "mjx-container":
            made = ""
        else:
            is_display = not classes.isdisjoint(("katex-display", "MathJax_Display", "MathJax_SVG_Display"))
            kept = _of_mathml(f"{piece}{unescape(attributes.get('data-mathml', ''))}", display=is_display)
            if kept is None:
                continue
            made = kept
        yield found.start(), end, made
        place = end


def _end(source: str, start: int, tag: str) -> int:
    """Where the element that begins at `start` ends; programs that set formulas close what they open."""
    depth = 0
    for found in re.finditer(rf"<(/?){tag}\b[^<>]*?(/?)>", source[start:], re.IGNORECASE):
        depth += -1 if found[1] else 0 if found[2] else 1
        if depth <= 0:
            return start + found.end()
    return len(source)


def _of_mathml(piece: str, *, display: bool) -> str | None:
    """The element for a piece with MathML in it; None if it has none."""
    math = _MATH.search(piece)
    if not math:
        return None
    display = display or bool(_DISPLAY.search(piece[: math.start()] + math[0].split(">")[0]))
    if found := _TEX.search(math[0]):
        return _element("tex", unescape(found[1]), display=display)
    tex = tex_of_mathml(math[0])
    if tex is None:
        return _element("words", shown_signs(math[0], " "), display=display)
    return _element("tex", tex, display=display)


def _element(name: str, text: str, *, display: bool) -> str:
    text = " ".join(re.sub(r"(?<!\\)%[^\n]*", "", text).split()) if name == "tex" else " ".join(text.split())
    return f'<pn-tex {name}="{escape(text)}"{" display" if display else ""}>' if text else ""
