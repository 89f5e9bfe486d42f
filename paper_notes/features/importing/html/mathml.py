"""MathML that nothing says the TeX of, such as MathJax 3 keeps beside its glyphs, as TeX that shows the same signs."""

from __future__ import annotations

import re
import unicodedata
from html import unescape

from paper_notes.features.importing.html.formulas import FUNCTIONS, NotTex, bare, neat, sign, signs
from paper_notes.features.importing.html.preparing import Prepared
from paper_notes.features.importing.html.tree import Element, Text, parse

_TAG = re.compile(r"<[^>]*>")
_UNSEEN = re.compile(r"<(annotation(?:-xml)?|mphantom)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
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


def shown_signs(mathml: str, between: str = "") -> str:
    """The signs that a reader sees of a piece of MathML, with this between two."""
    text = _UNSEEN.sub("", mathml).replace("<msqrt>", "√")
    return _INVISIBLE.sub("", unescape(_TAG.sub(between, text)))


def tex_of_mathml(mathml: str) -> str | None:
    """TeX that our pages show with the same signs; None if there is none that simple.

    LaTeXML and others give their TeX as the alternative text.
    """
    wanted = _alike(shown_signs(mathml))
    root = parse(Prepared(_UNSEEN.sub("", mathml), (), ()), lambda *_: None)
    math = root.first("math")
    if math is None or not wanted:
        return None
    try:
        made = _tex(math)
        made = " ".join(made.split()) if "\\\\" in made else neat(made)
    except NotTex:
        made = ""
    said = math.attributes.get("alttext", "")
    return next((tex for tex in (said, made) if tex and _alike(signs(tex)) == wanted), None)


def _alike(text: str) -> str:
    """The signs of a formula without the forms that letters and accents have in MathML."""
    return bare(unicodedata.normalize("NFKC", _INVISIBLE.sub("", text).translate(_SIGNS)))


def _tex(element: Element) -> str:
    tag, inside = element.tag, [one for one in element.children if isinstance(one, Element)]
    if tag in ("mi", "mn", "mo", "ms", "mtext"):
        return _token(element)
    if tag in ("mspace", "mphantom", "none", "mprescripts"):
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


def _row(element: Element) -> str:
    inside = [one for one in element.children if isinstance(one, Element)]
    if len(inside) > 2 and inside[0].tag == inside[-1].tag == "mo":
        first, last = _text(inside[0]), _text(inside[-1])
        fenced = first in {*_OPENING, ""} and last in {*_CLOSING, ""} and bool(first or last)
        if fenced and element.tag == "mrow":
            return f"\\left{sign(first) or '.'} {' '.join(map(_tex, inside[1:-1]))} \\right{sign(last) or '.'}"
    return " ".join(map(_tex, inside))


def _scripts(tag: str, inside: list[Element]) -> str:
    base, *rest = inside
    parts = [_tex(one) for one in rest]
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


def _text(element: Element) -> str:
    words = "".join(child.words if isinstance(child, Text) else _text(child) for child in element.children)
    return _INVISIBLE.sub("", words).strip()


def _token(element: Element) -> str:
    text = _text(element)
    if element.tag in ("mtext", "ms"):
        return "\\text{" + re.sub(r"([{}$%#&_\\^~])", r"\\\1", text) + "}" if text else " "
    if text >= "\U0001d400" or "\u2100" <= text < "\u2150":  # letters of formulas
        text = unicodedata.normalize("NFKC", text)
    variant = _VARIANTS.get(element.attributes.get("mathvariant", ""))
    if text.isascii() and text.isalpha() and len(text) > 1:
        return f"\\{text} " if text in FUNCTIONS else f"\\operatorname{{{text}}}"
    made = "".join("\\prime " if one == "′" else sign(one) for one in text)
    return f"\\{variant}{{{made}}}" if variant and made.strip() else made
