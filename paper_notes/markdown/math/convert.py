"""TeX to MathML Core by math-core, with the macros that real notes use beyond amsmath."""

from __future__ import annotations

import re
from functools import lru_cache

from math_core import LatexError, LatexToMathML

from paper_notes.markdown.math.rewriting import rewritten
from paper_notes.markdown.math.size import MAX_DEPTH, TexProblem, check_size

MACROS = {
    "mathbbm": r"\mathbb{#1}",
    "mathds": r"\mathbb{#1}",
    "mbox": r"\text{#1}",
    "textup": r"\text{#1}",
    "pmb": r"\boldsymbol{#1}",
    "substack": r"\begin{subarray}{c}#1\end{subarray}",
    "norm": r"\left\lVert #1\right\rVert",
    "abs": r"\left\lvert #1\right\rvert",
    "dotsb": r"\cdots",
    "dotsc": r"\ldots",
    "dotsm": r"\cdots",
    "dotsi": r"\cdots",
    "dotso": r"\ldots",
    "hdots": r"\ldots",
    "*": r"\times",
    "smash": r"{#1}",
    "vcenter": r"{#1}",
    "hbox": r"\text{#1}",
    "accentset": r"\overset{#1}{#2}",
    "underaccent": r"\underset{#1}{#2}",
    "overunderset": r"\overset{#1}{\underset{#2}{#3}}",
    "thicksim": r"\sim",
    "thickapprox": r"\approx",
    "strut": r"\mathstrut",
    "allowbreak": "",
    "nobreak": "",
    "noindent": "",
    "allowdisplaybreaks": "",
    "E": r"\mathbb{E}",
    "KL": r"\operatorname{KL}",
    "Var": r"\operatorname{Var}",
    "Cov": r"\operatorname{Cov}",
    "Tr": r"\operatorname{Tr}",
    "tr": r"\operatorname{tr}",
    "rank": r"\operatorname{rank}",
    "diag": r"\operatorname{diag}",
    "sign": r"\operatorname{sign}",
    "sgn": r"\operatorname{sgn}",
    "softmax": r"\operatorname{softmax}",
    "indep": r"\perp\!\!\!\perp",
}
"""Commands of common preambles that the converter lacks."""
_DEFINING = frozenset(r"\def \gdef \edef \xdef \let \newcommand \renewcommand \providecommand".split())
_ANY_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
_ERROR = re.compile(r"(\d+): (.*)", re.DOTALL)


_TAG = re.compile(r"<(/?)[a-z]+[^>]*?(/?)>")
_LEVELS = re.compile(r'<(mfrac|mtable)((?: [a-z]+="[^"]*")*)>')
_ATTRIBUTE = re.compile(r' ([a-z]+)="([^"]*)"')
_AS_CSS = {
    ("displaystyle", "true"): "math-style:normal",
    ("displaystyle", "false"): "math-style:compact",
}


def _as_style(tag: re.Match[str]) -> str:
    """Replace `displaystyle` and `scriptlevel` by equivalent CSS: validators know them on few elements only."""
    rules, others = [], []
    for name, value in _ATTRIBUTE.findall(tag[2]):
        if name == "scriptlevel":
            rules.append(f"math-depth:{value}")
        elif name == "style":
            rules.append(value.rstrip("; "))
        elif rule := _AS_CSS.get((name, value)):
            rules.append(rule)
        else:
            others.append(f' {name}="{value}"')
    style = f' style="{";".join(rules)}"' if rules else ""
    return f"<{tag[1]}{''.join(others)}{style}>"


@lru_cache(maxsize=1)
def _converter() -> LatexToMathML:
    return LatexToMathML(macros=MACROS, allow_unreliable_rendering=True, fancy_error=False)


NUMBER = re.compile(r"\\(?:tag|label)(?![A-Za-z])")
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*+%")
"""The percent sign that starts a TeX comment. In a formula of one line, a literal sign was meant."""


@lru_cache(maxsize=4096)
def mathml(tex: str, *, display: bool) -> str:
    """The formula as a `<math>` element. Raises TexProblem."""
    check_size(tex)
    comment = None if display and "\n" in tex.strip() else _COMMENT.search(tex)
    if comment:
        raise TexProblem(r"% begins a comment, so the rest would be left out: write \% for the sign", comment.end() - 1)
    if not display and (mark := NUMBER.search(tex)):
        hint = "write the formula between $$ and $$ to number it; \\eqref{...} refers to it anywhere"
        raise TexProblem(f"{mark[0]} numbers a formula that stands on lines of its own", mark.start(), hint)
    known = rewritten(tex, display=display)
    if known.origin is not None:
        check_size(known.text)
    try:
        converted = _converter().convert_with_local_state(known.text, displaystyle=display)
    except LatexError as error:
        match = _ERROR.match(str(error))
        if match is None:
            raise TexProblem(str(error), 0) from None
        raise TexProblem(match[2].rstrip("."), min(known.offset(int(match[1])), len(tex))) from None
    if len(tex) > MAX_DEPTH:
        _check_depth(converted)
    return _LEVELS.sub(_as_style, converted)


def _check_depth(mathml: str) -> None:
    depth = 0
    for tag in _TAG.finditer(mathml):
        depth += -1 if tag[1] else 0 if tag[2] else 1
        if depth > MAX_DEPTH:
            raise TexProblem(f"more than {MAX_DEPTH} things within each other", 0)


def is_self_contained(tex: str, *, display: bool) -> bool:
    r"""Whether a formula is safe for a stranger to show: we draw it, know each of its commands, and it defines none.

    MathJax has commands for links and styles, and its definitions hold in other formulas: `\def\alpha{\href{...}{...}}`
    draws nothing here, and makes links there. What `\tag` shows is not drawn by the converter.
    """
    try:
        mathml(tex, display=display)
    except TexProblem:
        return False
    return all(map(_is_known, set(_ANY_COMMAND.findall(tex))))


@lru_cache(maxsize=4096)
def _is_known(command: str) -> bool:
    if command in _DEFINING:
        return False
    try:
        mathml(command, display=True)
    except TexProblem as problem:
        return "Unknown" not in problem.message
    return True
