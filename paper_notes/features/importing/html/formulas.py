"""Formulas of pages as TeX, where reading that back gives the same signs.

They are written in Unicode and HTML, or were set by KaTeX, MathJax or a browser before the page was saved.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from paper_notes.features.importing.html.page import data, meaning_of
from paper_notes.features.importing.html.tree import MATHJAX, HtmlNode, Report, parse
from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape

_TABLES = data(__package__, "formulas.yaml")
_LETTERS, _ACCENTS, _VARIANTS = _TABLES["letters"], _TABLES["accents"], _TABLES["variants"]
_FOLDED, _SIGNS = str.maketrans(_TABLES["folded"]), str.maketrans(_TABLES["forms"])
FUNCTIONS = frozenset(
    "min max log exp ln sup inf lim arg sin cos tan tanh det argmax argmin softmax KL Var Cov".split()
)
"""Names that our TeX has as commands."""
_ESCAPED = {"{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "_": r"\_", "\\": r"\backslash "}
_CJK = r"\u2e80-\u9fff\uac00-\ud7ff\uff01-\uff60"
_PART = regex(
    r"(?P<root>√\s*(?:\([^()√]*\)|[A-Za-z0-9α-ωΑ-Ω]+))|(?P<number>\d+(?:[.,]\d+)*)"
    r"|(?P<word>[A-Za-z]{2,}(?![\u0300-\u036f])(?:[ -][A-Za-z]{2,})*)"
    r"|(?P<accented>[A-Za-zα-ωΑ-Ω][\u0302-\u0304\u0307])|(?P<letter>[A-Za-z])"
    rf"|(?P<other>[{_CJK}]+)|(?P<space>\s+)|(?P<sign>.)",
    re.DOTALL,
)
_NO_TEX = regex(r"[`^_]|[①-⑳]|[\U0001f000-\U0001ffff]|[⭐★]")
"""Signs of another notation, or of no formula: `x_t`, `2^k` as typed."""
_TAG = regex(r"<[^>]*>")
_REPEATED = regex(r"([-.])\1+")
MAX_LENGTH = 600


class NotTex(Exception):
    """The formula has a part that TeX would show otherwise."""


def as_tex(nodes: Sequence[HtmlNode], table: Mapping[str, str]) -> str | None:
    """The TeX of a formula on one line; None if it would be read otherwise than it is written."""
    shown = "".join(node.text() for node in nodes)
    if not shown.strip() or len(shown) > MAX_LENGTH:
        return None
    try:
        tex = neat("".join(_tex(nodes, table)))
    except NotTex:
        return None
    return tex if tex and signs(tex) == bare(shown) else None


@lru_cache(maxsize=4096)
def signs(tex: str) -> str:
    """The signs that a reader sees of a formula, without spaces; empty if it is none."""
    try:
        return bare(unescape(_TAG.sub("", mathml(tex, display=True).replace("<msqrt>", "√"))))
    except TexProblem:
        return ""


def neat(tex: str) -> str:
    """The TeX without spaces and braces that it does not need; a sum with a range is an operator."""
    tex = tex.strip().removeprefix("\\ ")
    tex = re.sub(r"\\ (?=\s*(?:[_^)}\]\[,;.=+<>:&|-]|\\[A-Za-z]+ |$))", " ", tex)
    tex = re.sub(r"(?<!\\)\s+(?=[_^)}\],;.])", "", " ".join(tex.split()))
    tex = re.sub(r"\\(Sigma|Pi)(?=_\{)", r"\\operatorname*{\\\1}", tex)
    tex = re.sub(r"([_^])\{(\w)\}(?=[\s()\[\],;.=+\-^_]|$)", r"\1\2", tex)
    return re.sub(r"(?<=[({\[]) |(?<=[\w}]) (?=[(\[])", "", tex)  # a space after a backslash is one to see


def folded(text: str) -> str:
    """The text without the differences that typography makes."""
    return _REPEATED.sub(r"\1", text.translate(_FOLDED))


def bare(text: str) -> str:
    """Signs of a formula as they are compared."""
    return "".join(folded(text).split())


def _tex(nodes: Sequence[HtmlNode], table: Mapping[str, str]) -> Iterator[str]:
    for node in nodes:
        if not node.tag:
            yield from _of_words(node.words)
        elif node.tag in ("sub", "sup"):
            inside = "".join(_tex(node.children, table)).strip()
            if inside:
                yield f"{'_' if node.tag == 'sub' else '^'}{{{inside}}} "
        elif (meaning := meaning_of(node, table)) and meaning.role == "fraction":
            parts = [child for child in node.children if child.tag]
            if len(parts) != 2:
                raise NotTex
            above, below = ("".join(_tex(part.children, table)).strip() for part in parts)
            yield f"\\frac{{{above}}}{{{below}}} "
        elif node.tag in ("drawing", "img", "table", "a", "code", "button", "input", "br", "del", "s", "pn-tex"):
            raise NotTex
        else:
            yield from _tex(node.children, table)


def _of_words(words: str) -> Iterator[str]:
    if _NO_TEX.search(words):
        raise NotTex
    parts = list(_PART.finditer(words))
    for place, part in enumerate(parts):
        text = part[0]
        if part["number"] or part["letter"]:
            yield text
        elif part["root"]:
            yield f"\\sqrt{{{''.join(_of_words(text[1:].strip())).strip()}}}"
        elif part["accented"]:
            yield f"\\{_ACCENTS[text[1]]}{{{''.join(_of_words(text[0])).strip()}}}"
        elif part["space"]:
            beside = [parts[at] for at in (place - 1, place + 1) if 0 <= at < len(parts)]
            if any(near["word"] for near in beside) and not any(near["sign"] for near in beside):
                yield "\\ "
                continue
            yield "\\quad " if "\u2003" in text or (len(text.replace("\n", "")) > 3 and "\n" not in text) else " "
        elif part["word"]:
            yield _word(text)
        elif part["other"]:
            yield f"\\text{{{text}}}"
        else:
            yield sign(text)


def _word(text: str) -> str:
    if text in FUNCTIONS:
        return f"\\{text} "
    return "\\text{" + text + "}" if not text.isupper() or len(text) > 3 else f"\\mathrm{{{text}}}"


def sign(letter: str) -> str:
    """The TeX of a sign."""
    if letter in _ESCAPED:
        return _ESCAPED[letter]
    if name := _LETTERS.get(letter):
        return f"\\{name} "
    return {"−": "-", "\u00a0": "~", '"': "NO", "'": "'"}.get(letter, letter)


def several(lines: Sequence[str]) -> str:
    """The lines of a formula, one below the other; those that begin with a relation are aligned at it."""
    if len(lines) == 1:
        return lines[0]
    relation = re.compile(r"(?:=|\\(?:le|ge|approx|equiv|propto|to|Rightarrow|sim)\b)")
    if all(relation.match(line) for line in lines[1:]) and (first := relation.search(lines[0])):
        aligned = [f"{lines[0][: first.start()]}&{lines[0][first.start() :]}", *(f"&{line}" for line in lines[1:])]
        return "\\begin{aligned}\n" + " \\\\\n".join(aligned) + "\n\\end{aligned}"
    return "\\begin{gathered}\n" + " \\\\\n".join(lines) + "\n\\end{gathered}"


# Formulas that were set already

_ROOTS = frozenset({"katex-display", "katex", "mwe-math-element"})
"""Classes of what is around a formula and all that is shown of it."""
_DISPLAYED = frozenset({"katex-display", "MathJax_Display", "MathJax_SVG_Display"})
_UNSEEN = frozenset({"annotation", "annotation-xml", "mphantom"})
_INVISIBLE = regex("[\u2061-\u2064\u200b\ufe00\ufe01]")
_TEMPLATES: Mapping[str, str] = {
    "mfrac": r"\frac{{{0}}}{{{1}}}",
    "mroot": r"\sqrt[{1}]{{{0}}}",
    "munder": r"\underset{{{1}}}{{{0}}}",
    "mover": r"\overset{{{1}}}{{{0}}}",
    "munderover": r"\underset{{{1}}}{{\overset{{{2}}}{{{0}}}}}",
}
_SCRIPTS = {"msub": "_", "msup": "^", "msubsup": "_^"}
_AS_LIMITS = {"munder": "msub", "mover": "msup", "munderover": "msubsup"}
_WITH_LIMITS = frozenset("∑∏∐⋃⋂⋁⋀⨁⨂")
_OPENING, _CLOSING = frozenset("([{|⟨⌊⌈‖"), frozenset(")]}|⟩⌋⌉‖")


_WRITTEN = regex(r"\\\((.+)\\\)|\\\[(.+)\\\]", re.DOTALL)
"""What pandoc, Sphinx and others write into elements of class `math`, for a script to set."""


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
    written = _WRITTEN.fullmatch(node.text().strip()) if "math" in classes else None
    if written and signs(tex := " ".join((written[1] or written[2]).split())):
        return [HtmlNode("pn-tex", {"tex": tex} | ({"display": ""} if written[2] else {}), node.line, node.column)]
    math = node if node.tag == "math" else None
    if math is None and (is_shown or node.tag == "mjx-container" or not classes.isdisjoint(_ROOTS)):
        kept = node.attributes.get("data-mathml", "")
        math = node.first("math") or (parse(kept, report).first("math") if kept else None)
    if math is None:
        return [node]
    display = {"display": ""} if classes & _DISPLAYED or _is_displayed(node) or _is_displayed(math) else {}
    if tex := _said(math) or tex_of(math):
        return [HtmlNode("pn-tex", {"tex": tex, **display}, node.line, node.column)]
    words = " ".join(_signs_of(math, " ").split())
    report("formula-as-text", f"a formula stays as it is written: {words[:60]}", node.line, node.column)
    return [HtmlNode("pn-tex", display, node.line, node.column, words=words)] if words else []


def _is_displayed(element: HtmlNode) -> bool:
    return element.attributes.get("display") in ("block", "true")


def _said(math: HtmlNode) -> str:
    """The TeX that a formula was made of, without its comments."""
    notes = (inner for inner in math.elements() if inner.attributes.get("encoding") == "application/x-tex")
    tex = next((note.text() for note in notes if note.tag == "annotation"), "")
    return " ".join(re.sub(r"(?<!\\)%[^\n]*", "", tex).split())


def _signs_of(node: HtmlNode, between: str = "") -> str:
    """The signs that a reader sees of a piece of MathML, with this between two."""
    if not node.tag:
        return _INVISIBLE.sub("", node.words)
    inside = "" if node.tag in _UNSEEN else between.join(_signs_of(child, between) for child in node.children)
    return f"√{inside}" if node.tag == "msqrt" else inside


def tex_of(math: HtmlNode) -> str:
    """TeX that our pages show with the same signs; empty if there is none that simple.

    LaTeXML and others give their TeX as the alternative text.
    """
    wanted = _alike(_signs_of(math))
    try:
        tex = _of_mathml(math)
        tex = " ".join(tex.split()) if "\\\\" in tex else neat(tex)
    except NotTex:
        tex = ""
    candidates = (math.attributes.get("alttext", ""), tex)
    return next((tex for tex in candidates if tex and wanted and _alike(signs(tex)) == wanted), "")


def _alike(text: str) -> str:
    """The signs of a formula without the forms that letters and accents have in MathML."""
    return bare(unicodedata.normalize("NFKC", _INVISIBLE.sub("", text).translate(_SIGNS)))


def _of_mathml(element: HtmlNode) -> str:
    tag = element.tag
    if tag in ("mi", "mn", "mo", "ms", "mtext"):
        return _token(element)
    if tag in ("mspace", "none", "mprescripts"):
        return " "
    if tag in _TEMPLATES or tag in _SCRIPTS:
        return _scripts(element)
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
            return f"\\left{sign(first) or '.'} {' '.join(map(_of_mathml, inside[1:-1]))} \\right{sign(last) or '.'}"
    return " ".join(map(_of_mathml, inside))


def _scripts(element: HtmlNode) -> str:
    """A fraction, a root, or what has something above or below it."""
    tag, inside = element.tag, _seen(element)
    if len(inside) != (3 if tag in ("msubsup", "munderover") else 2):
        raise NotTex
    base, script = inside[:2]
    has_limits = _text(base) in _WITH_LIMITS or (base.tag in ("mi", "mo") and len(_text(base)) > 1)
    tag = _AS_LIMITS.get(tag, tag) if has_limits else tag
    tex, *parts = map(_of_mathml, inside)
    if tag == "mfrac" and element.attributes.get("linethickness", "").startswith("0"):
        return "{" + " \\atop ".join([tex, *parts]) + "}"
    if accent := _TABLES.get(tag, {}).get(_text(script)):
        return f"\\{accent}{{{tex}}}"
    if tag not in _SCRIPTS:
        return _TEMPLATES[tag].format(tex, *parts)
    tex = f"{{{tex}}}" if base.tag in ("mrow", "mstyle", "mtable") else tex
    return tex + "".join(f"{sign}{{{part}}}" for sign, part in zip(_SCRIPTS[tag], parts, strict=True) if part)


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
