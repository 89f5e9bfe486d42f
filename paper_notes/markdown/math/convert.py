"""TeX to MathML Core by math-core, with the macros that real notes use beyond amsmath, and within limits.

The converter is recursive, and each bracket that is never closed doubles its time.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from math_core import LatexError, LatexToMathML

from paper_notes.markdown.math.rewriting import rewritten

MAX_LENGTH = 10_000
"""The most characters of a formula."""
MAX_DEPTH = 100
"""The most levels of braces, and of nested elements: browsers stop at 512."""
MAX_UNCLOSED = 16
"""The most brackets that are never closed."""
_FENCES = "paren brack brace angle ang floor ceil vert Vert group moustache bracket parenthesis Brace Brack brbrak"
_NAMES = "|".join(sorted(_FENCES.split(), key=len, reverse=True))
_SIGN = r"\s*(?:\\[a-zA-Z]+|\\.|.)"
_TOKEN = re.compile(
    r"\\[\\%]|%[^\n]*"
    rf"|(?P<push>\\left(?![a-zA-Z]){_SIGN}|\{{)|(?P<pop>\\right(?![a-zA-Z]){_SIGN}|\}})"
    rf"|(?P<open>\\[bB]igg?l{_SIGN}|\\[lu]?l(?:{_NAMES}|corner)(?![a-zA-Z])|\\\{{|[(\[⎰⌜⌞])"
    rf"|(?P<close>\\[bB]igg?r{_SIGN}|\\[ru]?r(?:{_NAMES}|corner)(?![a-zA-Z])|\\\}}|[)\]⎱⌝⌟])"
    rf"|\\(?:middle|[bB]igg?m?)(?![a-zA-Z]){_SIGN}|\\[a-zA-Z]+|\\.|(?P<other>[^\x00-\x7f])",
    re.DOTALL,
)
"""The tokens that open or close. `\\left` and `\\right` make a group, as braces do; others with a size do not count."""
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_DEFINITION = re.compile(
    r"\\(?:newcommand|renewcommand|providecommand|[gex]?def|let|DeclareMathOperator)(?![a-zA-Z])\*?"
    r"\s*(?:\{\s*)?(\\[a-zA-Z]+|\\.)(?:\s*\})?"
)
_ARGUMENT = re.compile(r"#[1-9]")


class TexProblem(Exception):
    """TeX that does not parse. `offset` counts characters from the start of the formula."""

    def __init__(self, message: str, offset: int, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.offset, self.hint = message, offset, hint


def check_size(tex: str) -> None:
    """Raises TexProblem for a formula that the converter cannot handle in reasonable time and stack."""
    if len(tex) > MAX_LENGTH:
        raise TexProblem(f"the formula has {len(tex):,} characters, more than the {MAX_LENGTH:,} allowed", 0)
    if tex.count("{") > MAX_DEPTH:
        depth = 0
        for brace in _BRACE.finditer(tex):
            depth += (brace[0] == "{") - (brace[0] == "}")
            if depth > MAX_DEPTH:
                raise TexProblem(f"more than {MAX_DEPTH} braces within each other", brace.start())
    if len(tex) > MAX_UNCLOSED:
        unclosed = _unclosed(tex)
        if len(unclosed) > MAX_UNCLOSED:
            raise TexProblem(f"more than {MAX_UNCLOSED} brackets are never closed", unclosed[0])
    if _DEFINITION.search(tex):
        _check_definitions(tex)


def _kind(token: re.Match[str]) -> str:
    """`push`, `pop`, `open`, `close`, or empty for any other token."""
    if token.lastgroup != "other":
        return token.lastgroup or ""
    kind = {"Ps": "open", "Pe": "close"}.get(unicodedata.category(token[0]), "")
    return "" if kind == "close" and unicodedata.east_asian_width(token[0]) in "WF" else kind


def _unclosed(tex: str) -> list[int]:
    """Offsets of the brackets that are not closed within the braces around them."""
    unclosed: list[int] = []
    scopes: list[list[int]] = [[]]
    for token in _TOKEN.finditer(tex):
        kind = _kind(token)
        if kind == "push":
            scopes.append([])
        elif kind == "pop" and len(scopes) > 1:
            unclosed += scopes.pop()
        elif kind == "open":
            scopes[-1].append(token.start())
        elif kind == "close" and scopes[-1]:
            scopes[-1].pop()
    return sorted(unclosed + [place for scope in scopes for place in scope])


def _check_definitions(tex: str) -> None:
    """Raises TexProblem if commands that the formula defines could write more brackets than may stay unclosed.

    A command can hide a bracket, drop an argument that closes one, or write it twice. So all brackets that the
    definitions can write or touch count as unclosed.
    """
    definitions = list(_DEFINITION.finditer(tex))
    bodies = [_body(tex, definition.end()) for definition in definitions]
    inside = sum(map(_brackets, bodies))
    outside = _brackets(tex) - inside if any("#" in body or "[" in body for body in bodies) else 0
    names = {definition[1] for definition in definitions}
    uses = sum(len(re.findall(re.escape(name) + r"(?![a-zA-Z])", tex)) for name in names) - len(definitions)
    repeats = max(len(_ARGUMENT.findall(body)) - len(set(_ARGUMENT.findall(body))) for body in bodies)
    written = (outside + inside * uses ** len(definitions)) * (1 + max(repeats, 0)) ** uses
    if uses and written > MAX_UNCLOSED:
        message = "the commands that this formula defines could write too many brackets"
        raise TexProblem(message, definitions[0].start())


def _body(tex: str, start: int) -> str:
    """The text after the name in a definition, from its arguments to the end of its braces."""
    depth = 0
    for brace in _BRACE.finditer(tex, start):
        depth += (brace[0] == "{") - (brace[0] == "}")
        if brace[0] == "}" and depth == 0:
            return tex[start : brace.end()]
        if brace[0][0] == "\\" and depth == 0:  # a \let of another command
            return tex[start : brace.end()]
    return tex[start:]


def _brackets(tex: str) -> int:
    return sum(_kind(token) == "open" for token in _TOKEN.finditer(tex))


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
