"""TeX to MathML Core by math-core, with the macros that real notes use beyond amsmath."""

from __future__ import annotations

import re
from functools import lru_cache

from math_core import LatexError, LatexToMathML

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
    "hdots": r"\ldots",
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
_ENVIRONMENTS = {"split": "aligned", "smallmatrix": "matrix", "eqnarray": "align"}
_ENVIRONMENT = re.compile(r"\\(begin|end)\{(" + "|".join(_ENVIRONMENTS) + r")\}")
_ERROR = re.compile(r"(\d+): (.*)", re.DOTALL)


_TAG = re.compile(r"<(/?)[a-z]+[^>]*?(/?)>")
_LEVELS = re.compile(r'<(mfrac|mtable)((?: [a-z]+="[^"]*")*)>')
_LEVEL = re.compile(r' (displaystyle|scriptlevel)="([^"]*)"')


def _as_style(tag: re.Match[str]) -> str:
    """Replace `displaystyle` and `scriptlevel` by equivalent CSS: validators know them on few elements only."""
    rules = []
    for name, value in _LEVEL.findall(tag[2]):
        if name == "displaystyle":
            rules.append(f"math-style:{'normal' if value == 'true' else 'compact'}")
        else:
            rules.append(f"math-depth:{value}")
    if not rules:
        return tag[0]
    return f'<{tag[1]}{_LEVEL.sub("", tag[2])} style="{";".join(rules)}">'


@lru_cache(maxsize=1)
def _converter() -> LatexToMathML:
    return LatexToMathML(macros=MACROS, allow_unreliable_rendering=True, fancy_error=False)


_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*+%")
"""The percent sign that starts a TeX comment. In a formula of one line, a literal sign was meant."""


@lru_cache(maxsize=4096)
def mathml(tex: str, *, display: bool) -> str:
    """The formula as a `<math>` element. Raises TexProblem."""
    check_size(tex)
    comment = None if display and "\n" in tex.strip() else _COMMENT.search(tex)
    if comment:
        raise TexProblem(r"% begins a comment, so the rest would be left out: write \% for the sign", comment.end() - 1)
    known = _ENVIRONMENT.sub(lambda match: f"\\{match[1]}{{{_ENVIRONMENTS[match[2]]}}}", tex)
    try:
        converted = _converter().convert_with_local_state(known, displaystyle=display)
    except LatexError as error:
        match = _ERROR.match(str(error))
        if match is None:
            raise TexProblem(str(error), 0) from None
        raise TexProblem(match[2].rstrip("."), min(_offset_in(tex, int(match[1])), len(tex))) from None
    if len(tex) > MAX_DEPTH:
        _check_depth(converted)
    return _LEVELS.sub(_as_style, converted)


def _check_depth(mathml: str) -> None:
    depth = 0
    for tag in _TAG.finditer(mathml):
        depth += -1 if tag[1] else 0 if tag[2] else 1
        if depth > MAX_DEPTH:
            raise TexProblem(f"more than {MAX_DEPTH} things within each other", 0)


def _offset_in(tex: str, offset: int) -> int:
    """The offset in the formula as written of an offset in the formula with known environments."""
    grown = 0
    for match in _ENVIRONMENT.finditer(tex):
        more = len(_ENVIRONMENTS[match[2]]) - len(match[2])
        if offset < match.end() + grown + more:
            break
        grown += more
    return offset - grown
