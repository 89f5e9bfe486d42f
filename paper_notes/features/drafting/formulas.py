"""Formulas of a draft against those that a PDF prints: their symbols, in their order, as far as a PDF has one.

A PDF knows signs and where they stand, no TeX: fractions are two lines, sums may be another letter, brackets anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from paper_notes.patterns import regex

FORMULA = regex(r"(?<!\\)\$\$(?P<display>.+?)\$\$|(?<![\\$])\$(?P<inline>(?:\\.|[^$\\\n])+)\$(?!\$)", re.DOTALL)
_NAMES = {
    **{name: unicodedata.lookup(f"GREEK SMALL LETTER {name.upper()}") for name in
       "alpha beta gamma delta epsilon zeta eta theta iota kappa mu nu xi pi rho sigma tau upsilon phi chi psi omega"
       .split()},
    **{name: unicodedata.lookup(f"GREEK CAPITAL LETTER {name.upper()}") for name in
       "Gamma Delta Theta Xi Pi Sigma Phi Psi Omega".split()},
    "lambda": "λ", "Lambda": "Λ", "varepsilon": "ε", "vartheta": "θ", "varphi": "φ", "le": "≤", "leq": "≤", "ge": "≥",
    "geq": "≥", "lt": "<", "gt": ">", "neq": "≠", "ne": "≠", "approx": "≈", "in": "∈", "propto": "∝", "infty": "∞",
    "partial": "∂", "nabla": "∇", "ell": "l", "to": "→", "rightarrow": "→", "leftarrow": "←", "mid": "", "pm": "±",
}  # fmt: skip
_LETTERED = frozenset("log ln exp min max arg argmin argmax sup inf lim sin cos tan tanh det Pr softmax".split())
"""Commands that print their own name."""
_VARIANTS = str.maketrans({"ϵ": "ε", "ϕ": "φ", "ϑ": "θ", "−": "-", "–": "-", "ℓ": "l", "μ": "μ", "µ": "μ"})
_SIGNS = frozenset("+-=<>≤≥≠≈∈∝∞∂∇→←±")
_BETWEEN = regex(r"[=<>≤≥≠≈∝→←+-]")
"""Signs whose two sides may not be exchanged."""
_TEX = regex(r"\\(?P<name>[A-Za-z]+)\*?|\\.|(?P<sign>.)", re.DOTALL)
_TEXT = regex(r"\\(?:text|mathrm|mathbf|mathit|mathsf|operatorname|boldsymbol|bm)\*?\s*(?=\{)")
_SPACING = regex(r"\\(?:begin|end)\{[^{}]*\}|\\(?:tag|label)\{[^{}]*\}")
_NUMBER = regex(r"\(\d+(?:\.\d+)?[a-z]?\)\s*$")
"""Of an equation, behind it."""
_RUN = 3
"""Symbols that stand in a row in a PDF as in TeX, where nothing is above or below another."""
_BROKEN = regex(
    r"\\(?:sum|prod|int|oint|bigcup|bigcap|max|min|arg|argmin|argmax|sup|inf|lim|mathop|operatorname\*"
    r"|left|right|[bB]igg?[lrm]?|sqrt|overline|underline|(?:under|over)(?:set|brace)|stackrel|hat|bar|tilde|vec|\\|quad)"
    r"(?![A-Za-z])|\\\\|&"
)
"""What a PDF may print in another place than where TeX has it, or with signs of its own."""
_GLYPHS = "PXQYZRSsphinoz"
"""Letters that PDFs have for large operators, roots and brackets."""


def formulas_in(text: str) -> Iterator[str]:
    """The TeX of each formula."""
    for match in FORMULA.finditer(text):
        yield match["display"] or match["inline"]


def symbols_of_tex(tex: str) -> str:
    """The letters, digits and signs that a formula prints, in the order in which they are written."""
    plain = _TEXT.sub("", _SPACING.sub("", tex))
    symbols = ""
    for match in _TEX.finditer(plain):
        name = match["name"]
        if name:
            symbols += _NAMES.get(name, name if name in _LETTERED else "")
        elif match["sign"]:
            symbols += match["sign"]
    return symbols_of_print(symbols)


def symbols_of_print(text: str) -> str:
    """The letters, digits and signs of printed words; brackets, points, dots, slashes and primes tell nothing."""
    plain = unicodedata.normalize("NFKD", text.translate(_VARIANTS)).translate(_VARIANTS)
    return "".join(sign for sign in plain if sign.isalnum() or sign in _SIGNS)


def difference(tex: str, printed: str) -> str:
    """How a formula differs from what a PDF prints, in words for the model; empty if it does not."""
    said, shown = symbols_of_tex(tex), symbols_of_print(_NUMBER.sub("", printed))
    if missing := Counter(said) - Counter(shown):
        return f"the quoted formula has no {' '.join(sorted(missing))}"
    if len(said) < 4 and not _BETWEEN.search(said):
        return ""  # a symbol that the sentence speaks of
    for above, below in _fractions(tex):
        first, second = symbols_of_tex(above), symbols_of_tex(below)
        if first and second and first != second and second + first in shown and first + second not in shown:
            return "a fraction is the other way round than in the quoted formula"
    runs = [symbols_of_tex(run) for run in _runs(tex)]
    if other := next((run for run in runs if len(run) >= _RUN and run not in shown), ""):
        return f"the quoted formula has other symbols or another order at {other}"
    blocks = [block for block in SequenceMatcher(None, said, shown, autojunk=False).get_matching_blocks() if block.size]
    start, end = blocks[0].b, blocks[-1].b + blocks[-1].size
    if more := Counter(shown[start:end]) - Counter(said) - Counter(_GLYPHS * len(_BROKEN.findall(tex))):
        return f"the quoted formula has more: {' '.join(sorted(more))}"
    following = shown[end : end + 1]
    if following and following in _SIGNS and len(shown) - end > 1:
        return f"the quoted formula goes on with {shown[end : end + 8]}"
    return ""


def _runs(tex: str) -> Iterator[str]:
    """The parts of a formula that are printed from left to right."""
    for part in _BROKEN.split(_SPACING.sub("", tex)):
        rest = part
        while fraction := re.search(r"\\[dt]?frac\s*(?=\{)", rest):
            above, middle = _group(rest, fraction.end())
            below, end = _group(rest, middle)
            yield from _linear(rest[: fraction.start()])
            yield from (*_linear(above), *_linear(below))
            rest = rest[end:]
        yield from _linear(rest)


def _linear(tex: str) -> Iterator[str]:
    """The same without signs that have others above and below."""
    at = 0
    for match in re.finditer(r"[_^]\s*(?P<one>\{[^{}]*\}|\\[A-Za-z]+|[^\s{}])\s*(?=[_^])", tex):
        following = re.match(r"\s*[_^]\s*(?:\{[^{}]*\}|\\[A-Za-z]+|[^\s{}])", tex[match.end() :])
        yield tex[at : match.start()]
        at = match.end() + (following.end() if following else 0)
    yield tex[at:]


def _fractions(tex: str) -> Iterator[tuple[str, str]]:
    """Numerators and denominators."""
    for match in re.finditer(r"\\[dt]?frac\s*(?=\{)", tex):
        above, end = _group(tex, match.end())
        below, _ = _group(tex, end)
        yield above, below


def _group(tex: str, start: int) -> tuple[str, int]:
    """What is in the braces that open at an offset, and where these end."""
    depth = 0
    for offset in range(start, len(tex)):
        depth += (tex[offset] == "{") - (tex[offset] == "}")
        if not depth:
            return tex[start + 1 : offset], offset + 1
    return "", len(tex)
