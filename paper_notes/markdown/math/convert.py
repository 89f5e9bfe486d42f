"""TeX to MathML Core by math-core, with the macros that real notes use beyond amsmath, and within limits.

The converter is recursive, and each bracket that is never closed doubles its time.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import islice
from string import ascii_lowercase

from math_core import LatexError, LatexToMathML

from paper_notes.macros import DEFINING, MacroProblem, Macros, defines, written_out
from paper_notes.markdown.math.rewriting import Rewritten, rewritten
from paper_notes.patterns import regex

MAX_LENGTH = 10_000
"""The most characters of a formula."""
MAX_DEPTH = 100
"""The most levels of braces, and of nested elements: browsers stop at 512."""
MAX_UNCLOSED = 16
"""The most brackets that are never closed."""
_FENCES = "paren brack brace angle ang floor ceil vert Vert group moustache bracket parenthesis Brace Brack brbrak"
_NAMES = "|".join(sorted(_FENCES.split(), key=len, reverse=True))
_SIGN = r"\s*(?:\\[a-zA-Z]+|\\.|.)"
_TOKEN = regex(
    r"\\[\\%]|%[^\n]*"
    rf"|(?P<push>\\left(?![a-zA-Z]){_SIGN}|\{{)|(?P<pop>\\right(?![a-zA-Z]){_SIGN}|\}})"
    rf"|(?P<open>\\[bB]igg?l{_SIGN}|\\[lu]?l(?:{_NAMES}|corner)(?![a-zA-Z])|\\\{{|[(\[⎰⌜⌞])"
    rf"|(?P<close>\\[bB]igg?r{_SIGN}|\\[ru]?r(?:{_NAMES}|corner)(?![a-zA-Z])|\\\}}|[)\]⎱⌝⌟])"
    rf"|\\(?:middle|[bB]igg?m?)(?![a-zA-Z]){_SIGN}|\\[a-zA-Z]+|\\.|(?P<other>[^\x00-\x7f])",
    re.DOTALL,
)
"""The tokens that open or close. `\\left` and `\\right` make a group, as braces do; others with a size do not count."""
_BRACE = regex(r"\\.|[{}]", re.DOTALL)


class TexProblem(Exception):
    """TeX that does not parse. `offset` counts characters from the start of the formula.

    `unknown` is the name that the converter does not know, after `command` or `environment`.
    """

    def __init__(self, message: str, offset: int, hint: str = "", unknown: tuple[str, str] | None = None) -> None:
        super().__init__(message)
        self.message, self.offset, self.hint, self.unknown = message, offset, hint, unknown


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


MACROS = {
    **dict.fromkeys(("mathbbm", "mathds"), r"\mathbb{#1}"),
    **dict.fromkeys(("mbox", "hbox", "textup"), r"\text{#1}"),
    **dict.fromkeys(("dotsb", "dotsm", "dotsi"), r"\cdots"),
    **dict.fromkeys(("dotsc", "dotso", "hdots"), r"\ldots"),
    **dict.fromkeys(("smash", "vcenter"), r"{#1}"),
    **dict.fromkeys(("allowbreak", "nobreak", "noindent", "allowdisplaybreaks"), ""),
    **{name: rf"\operatorname{{{name}}}" for name in "KL Var Cov Tr tr rank diag sign sgn softmax".split()},
    "pmb": r"\boldsymbol{#1}",
    "substack": r"\begin{subarray}{c}#1\end{subarray}",
    "norm": r"\left\lVert #1\right\rVert",
    "abs": r"\left\lvert #1\right\rvert",
    "*": r"\times",
    "accentset": r"\overset{#1}{#2}",
    "underaccent": r"\underset{#1}{#2}",
    "overunderset": r"\overset{#1}{\underset{#2}{#3}}",
    "thicksim": r"\sim",
    "thickapprox": r"\approx",
    "strut": r"\mathstrut",
    "E": r"\mathbb{E}",
    "indep": r"\perp\!\!\!\perp",
}
"""Commands of common preambles that the converter lacks."""
_ANY_COMMAND = regex(r"\\(?:[A-Za-z]+|.)")
_ERROR = regex(r"(\d+): (.*)", re.DOTALL)


_TAG = regex(r"<(/?)[a-z]+[^>]*?(/?)>")
_LEVELS = regex(r'<(mfrac|mtable)((?: [a-z]+="[^"]*")*)>')
_ATTRIBUTE = regex(r' ([a-z]+)="([^"]*)"')
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


NUMBER = regex(r"\\(?:tag|label)(?![A-Za-z])")
_COMMENT = regex(r"(?<!\\)(?:\\\\)*+%")
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
    known = rewritten(without_macros(tex, {})[0], display=display)
    try:
        if known.origin is not None:
            check_size(known.text)
    except TexProblem as problem:
        raise TexProblem(problem.message, min(known.offset(problem.offset), len(tex))) from None
    try:
        converted = _converter().convert_with_local_state(known.text, displaystyle=display)
    except LatexError as error:
        match = _ERROR.match(str(error))
        offset, message = (int(match[1]), match[2].rstrip(".")) if match else (0, str(error))
        raise _plainer(tex, message, min(known.offset(offset), len(tex))) from None
    if len(tex) > MAX_DEPTH:
        _check_depth(converted)
    return _LEVELS.sub(_as_style, converted)


def without_macros(tex: str, macros: Macros) -> tuple[Rewritten, Macros]:
    """The formula with its macros written out, and those that hold after it. Raises TexProblem."""
    if not macros and not defines(tex):
        return Rewritten(tex), macros
    try:
        edits, macros = written_out(tex, macros)
    except MacroProblem as problem:
        hint = "a macro is defined as in \\newcommand{\\R}{\\mathbb{R}}, or in `macros:` of a YAML file"
        raise TexProblem(problem.message, problem.offset, hint) from None
    return Rewritten(tex).replaced(edits), macros


_ENVIRONMENT = regex(r"\\(begin|end)\s*\{([^{}]*)\}")


def _plainer(tex: str, message: str, offset: int) -> TexProblem:
    """What is wrong as the author sees it: with the names of environments, and of what was meant."""
    opened: list[re.Match[str]] = []
    for part in _ENVIRONMENT.finditer(tex):
        if part[1] == "begin":
            opened.append(part)
        elif not opened:
            return TexProblem(f'"\\end{{{part[2]}}}" ends an environment that was not begun', part.start())
        elif (begun := opened.pop())[2] != part[2]:
            return TexProblem(f'"\\end{{{part[2]}}}" ends the environment "{begun[2]}"', part.start())
    if opened:
        return TexProblem(f'the environment "{opened[-1][2]}" is not ended', opened[-1].start())
    unknown = _UNKNOWN.fullmatch(message)
    return TexProblem(message, offset, unknown=(unknown[1], unknown[2].rstrip("*")) if unknown else None)


_UNKNOWN = regex(r'Unknown (command|environment) "\\?(.*)"')
_LONGEST, _SHOWN = 25, 3
"""Letters of a name for which others are looked for, and how many of these are shown."""


@lru_cache(maxsize=256)
def near_names(what: str, name: str) -> tuple[str, ...]:
    """Names that the converter knows and that are one slip of the hand from this one. Takes milliseconds."""
    if not 2 < len(name) < _LONGEST or not name.isalpha():
        return ()
    cuts = [(name[:at], name[at:]) for at in range(len(name) + 1)]
    slips = [
        *(first + last[1] + last[0] + last[2:] for first, last in cuts if len(last) > 1),
        *(first + last[1:] for first, last in cuts if last),
        *(first + letter + last for first, last in cuts for letter in ascii_lowercase),
        *(first + letter + last[1:] for first, last in cuts if last and name[3:] for letter in ascii_lowercase),
    ]
    return tuple(islice((slip for slip in dict.fromkeys(slips) if len(slip) > 1 and _exists(what, slip)), _SHOWN))


def _exists(what: str, name: str) -> bool:
    try:
        tex = f"\\{name}" if what == "command" else rf"\begin{{{name}}}\end{{{name}}}"
        _converter().convert_with_local_state(rewritten(Rewritten(tex), display=True).text, displaystyle=True)
    except LatexError as error:
        return "Unknown" not in str(error)
    return True


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
    if command[1:] in DEFINING:
        return False
    try:
        mathml(command, display=True)
    except TexProblem as problem:
        return "Unknown" not in problem.message
    return True
