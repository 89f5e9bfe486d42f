"""Formulas of saved pages that KaTeX, MathJax or a browser had set: their TeX, or TeX that shows the same signs."""

from __future__ import annotations

import re
import unicodedata

from paper_notes.features.importing.html.formulas import FUNCTIONS, NotTex, bare, neat, sign, signs
from paper_notes.features.importing.html.tree import MATHJAX, HtmlNode, Report, parse

_ROOTS = frozenset({"katex-display", "katex", "mwe-math-element"})
"""Classes of what is around a formula and all that is shown of it."""
_DISPLAYED = frozenset({"katex-display", "MathJax_Display", "MathJax_SVG_Display"})
_UNSEEN = frozenset({"annotation", "annotation-xml", "mphantom"})
_INVISIBLE = re.compile("[\u2061-\u2064\u200b\ufe00\ufe01]")
_VARIANTS = {
    "double-struck": "mathbb",
    "script": "mathcal",
    "-tex-calligraphic": "mathcal",
    "fraktur": "mathfrak",
    "bold": "mathbf",
    "bold-italic": "boldsymbol",
    "monospace": "mathtt",
    "sans-serif": "mathsf",
}
_ACCENTS = {
    "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "¯": "bar", "‾": "overline", "―": "overline", "→": "vec",
    "⃗": "vec", "˙": "dot", "¨": "ddot", "⏞": "overbrace",
}  # fmt: skip
_SIGNS = str.maketrans(
    {"ˆ": "^", "˜": "~", "¯": "ˉ", "‾": "ˉ", "―": "ˉ", "⃗": "→", "\u0332": "ˉ", "˙": ".", "ϵ": "ε", "ϕ": "φ"}
)
_BELOW = {"_": "underline", "―": "underline", "⏟": "underbrace"}
_WITH_LIMITS = frozenset("∑∏∐⋃⋂⋁⋀⨁⨂")
_OPENING, _CLOSING = frozenset("([{|⟨⌊⌈‖"), frozenset(")]}|⟩⌋⌉‖")


def set_formulas(root: HtmlNode, report: Report) -> None:
    """Put an element `pn-tex` in the place of each formula of a page: its `tex`, or if there is none, its `words`."""
    has_scripts = root.first("pn-tex") is not None
    for element in root.elements():
        element.children = [kept for child in element.children for kept in _with_tex(child, report, has_scripts)]


def _with_tex(node: HtmlNode, report: Report, has_scripts: bool) -> list[HtmlNode]:
    """What takes the place of a node; nothing if it is what MathJax shows of a script."""
    if not node.tag:
        return [node]
    classes = frozenset(node.classes)
    is_shown = not classes.isdisjoint(MATHJAX) and node.tag != "mjx-container"
    if is_shown and has_scripts:
        return []
    math = node if node.tag == "math" else None
    if math is None and (is_shown or node.tag == "mjx-container" or not classes.isdisjoint(_ROOTS)):
        kept = node.attributes.get("data-mathml", "")
        math = node.first("math") or (parse(kept, report).first("math") if kept else None)
    if math is None:
        return [node]
    display = {"display": ""} if classes & _DISPLAYED or _is_displayed(node) or _is_displayed(math) else {}
    if tex := _said(math) or tex_of(math):
        return [HtmlNode("pn-tex", {"tex": tex, **display}, node.line, node.column)]
    words = " ".join(_shown(math, " ").split())
    report("formula-as-text", f"a formula stays as it is written: {words[:60]}", node.line, node.column)
    return [HtmlNode("pn-tex", display, node.line, node.column, words=words)] if words else []


def _is_displayed(element: HtmlNode) -> bool:
    return element.attributes.get("display") in ("block", "true")


def _said(math: HtmlNode) -> str:
    """The TeX that a formula was made of, without its comments."""
    for inner in math.elements():
        if inner.tag == "annotation" and inner.attributes.get("encoding") == "application/x-tex":
            return " ".join(re.sub(r"(?<!\\)%[^\n]*", "", inner.text()).split())
    return ""


def _shown(node: HtmlNode, between: str = "") -> str:
    """The signs that a reader sees of a piece of MathML, with this between two."""
    if not node.tag:
        return _INVISIBLE.sub("", node.words)
    inside = "" if node.tag in _UNSEEN else between.join(_shown(child, between) for child in node.children)
    return f"√{inside}" if node.tag == "msqrt" else inside


def tex_of(math: HtmlNode) -> str:
    """TeX that our pages show with the same signs; empty if there is none that simple.

    LaTeXML and others give their TeX as the alternative text.
    """
    wanted = _alike(_shown(math))
    try:
        tex = _tex(math)
        tex = " ".join(tex.split()) if "\\\\" in tex else neat(tex)
    except NotTex:
        tex = ""
    candidates = (math.attributes.get("alttext", ""), tex)
    return next((tex for tex in candidates if tex and wanted and _alike(signs(tex)) == wanted), "")


def _alike(text: str) -> str:
    """The signs of a formula without the forms that letters and accents have in MathML."""
    return bare(unicodedata.normalize("NFKC", _INVISIBLE.sub("", text).translate(_SIGNS)))


def _tex(element: HtmlNode) -> str:
    tag, inside = element.tag, _seen(element)
    if tag in ("mi", "mn", "mo", "ms", "mtext"):
        return _token(element)
    if tag in ("mspace", "none", "mprescripts"):
        return " "
    if tag in ("msub", "msup", "msubsup", "mfrac", "mroot", "munder", "mover", "munderover"):
        if len(inside) != (3 if tag in ("msubsup", "munderover") else 2):
            raise NotTex
        if tag == "mfrac" and element.attributes.get("linethickness", "").startswith("0"):
            return "{" + " \\atop ".join(map(_tex, inside)) + "}"
        return _scripts(tag, inside)
    if tag == "msqrt":
        return f"\\sqrt{{{_row(element)}}}"
    if tag == "mtable":
        rows = [" & ".join(map(_row, row.elements_of("mtd"))) for row in element.elements_of("mtr", "mlabeledtr")]
        name = "aligned" if element.attributes.get("columnalign", "").startswith("right left") else "matrix"
        return f"\\begin{{{name}}} " + " \\\\ ".join(rows) + f" \\end{{{name}}}"
    if tag in ("math", "mrow", "mstyle", "mpadded", "semantics", "mtd"):
        return _row(element)
    raise NotTex


def _seen(element: HtmlNode) -> list[HtmlNode]:
    return [child for child in element.children if child.tag and child.tag not in _UNSEEN]


def _row(element: HtmlNode) -> str:
    inside = _seen(element)
    if len(inside) > 2 and inside[0].tag == inside[-1].tag == "mo":
        first, last = _text(inside[0]), _text(inside[-1])
        fenced = first in {*_OPENING, ""} and last in {*_CLOSING, ""} and bool(first or last)
        if fenced and element.tag == "mrow":
            return f"\\left{sign(first) or '.'} {' '.join(map(_tex, inside[1:-1]))} \\right{sign(last) or '.'}"
    return " ".join(map(_tex, inside))


def _scripts(tag: str, inside: list[HtmlNode]) -> str:
    base, *rest = inside
    parts = [_tex(part) for part in rest]
    first = _tex(base) if base.tag not in ("mrow", "mstyle", "mtable") else f"{{{_tex(base)}}}"
    if tag == "mfrac":
        return f"\\frac{{{_tex(base)}}}{{{parts[0]}}}"
    if tag == "mroot":
        return f"\\sqrt[{parts[0]}]{{{_tex(base)}}}"
    if tag in ("msub", "msup"):
        return f"{first}{'_' if tag == 'msub' else '^'}{{{parts[0]}}}"
    has_limits = _text(base) in _WITH_LIMITS or (base.tag in ("mi", "mo") and len(_text(base)) > 1)
    if tag == "msubsup" or has_limits:
        below, above = (
            (parts[0], parts[-1]) if len(parts) == 2 else ("", parts[0]) if tag == "mover" else (parts[0], "")
        )
        return first + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
    accent = (_ACCENTS if tag == "mover" else _BELOW).get(_text(rest[0])) if tag != "munderover" else None
    if accent:
        return f"\\{accent}{{{_tex(base)}}}"
    if tag == "munderover":
        return f"\\underset{{{parts[0]}}}{{\\overset{{{parts[1]}}}{{{_tex(base)}}}}}"
    return f"\\{'overset' if tag == 'mover' else 'underset'}{{{parts[0]}}}{{{_tex(base)}}}"


def _text(element: HtmlNode) -> str:
    return _INVISIBLE.sub("", element.text()).strip()


def _token(element: HtmlNode) -> str:
    text = _text(element)
    if element.tag in ("mtext", "ms"):
        return "\\text{" + re.sub(r"([{}$%#&_\\^~])", r"\\\1", text) + "}" if text else " "
    if text >= "\U0001d400" or "\u2100" <= text < "\u2150":  # letters of formulas
        text = unicodedata.normalize("NFKC", text)
    variant = _VARIANTS.get(element.attributes.get("mathvariant", ""))
    if text.isascii() and text.isalpha() and len(text) > 1:
        return f"\\{text} " if text in FUNCTIONS else f"\\operatorname{{{text}}}"
    tex = "".join("\\prime " if letter == "′" else sign(letter) for letter in text)
    return f"\\{variant}{{{tex}}}" if variant and tex.strip() else tex
