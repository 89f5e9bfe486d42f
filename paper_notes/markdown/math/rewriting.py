r"""TeX that the converter refuses, rewritten to TeX that it knows: signs, stars, `\mathop`, and amsmath's environments.

What is rewritten still knows where it stood, so that a mistake is reported at the very character.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from paper_notes.macros import group
from paper_notes.patterns import regex
from paper_notes.values import Struct, field

LABEL = regex(r"\\label\s*\{([^{}]*)\}")
TAG = regex(r"\\tag\s*(\*?)\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
REFERENCE = regex(r"\\(eq)?ref\s*\{([^{}]*)\}")

_SIGNS = {
    "√": r"\sqrt ",
    "∅": r"\varnothing ",
    "∠": r"\angle ",
    "∡": r"\measuredangle ",
    "∢": r"\sphericalangle ",
    "∴": r"\therefore ",
    "∵": r"\because ",
    "⊤": r"\top ",
    "⊥": r"\bot ",
}
"""Characters that the converter does not take as they are."""
_WITH_STAR = frozenset({"operatorname", "tag", "newcommand", "renewcommand", "providecommand"})
"""Commands that have a form with a star; after all others it is a sign of multiplication."""
_SMALL = regex(
    rf"√\s*(?P<root>\d+(?:\.\d+)?)|(?P<sign>[{''.join(_SIGNS)}])|\\hspace\*|\\smash\s*\[[bt]\]"
    r"|\\(?P<starred>[A-Za-z]+)\*|(?P<row>\\\\)\s*\[[^\]]{1,20}\](?=\s*\\h(?:dash)?line)|\\[\\%]"
)
_EQUAL = {
    "split": "aligned",
    "alignedat": "aligned",
    "eqnarray": "align",
    "flalign": "align",
    "alignat": "align",
    "smallmatrix": "matrix",
    "psmallmatrix": "pmatrix",
    "bsmallmatrix": "bmatrix",
    "vsmallmatrix": "vmatrix",
    "cases*": "cases",
    "dcases*": "dcases",
    **{f"{kind}matrix*": f"{kind}matrix" for kind in ("", "p", "b", "B", "v", "V")},
}
"""Environments that look nearly as others do."""
_WITHOUT_NUMBERS = {"align": "aligned", "gather": "gathered", "equation": "gathered", "multline": "gathered"}
"""For each environment that numbers its lines, the one that stands inside of formulas."""
_NUMBERING = {"aligned": "align*", "gathered": "gather*"}
_ENVIRONMENT = regex(
    r"\\(?P<end>begin|end)\{(?P<name>[A-Za-z]+)(?P<star>\*?)\}"
    r"(?P<more>(?<=at\})\{\d+\}|(?<=at\*\})\{\d+\}|(?<=array\})\[[tcb]\]|(?<=ed\})\[[tcb]\]|(?<=matrix\*\})\[[lcr]\])?"
)
_SCRIPT = regex(r"\s*([_^])\s*")
_COMMAND = regex(r"\\[A-Za-z]+|\\.|[^\\{}_^\s]", re.DOTALL)
_LIMITS = regex(r"\s*\\(no)?limits(?![A-Za-z])")
_TEXT = regex(r"\\(?:text(?:rm|up|normal|it|bf)?|mbox|hbox)\s*(?=\{)")
_DOLLAR = regex(r"\\.|([{}])|(\$)", re.DOTALL)
_MATHOP = regex(r"\\mathop\s*(?=\{)")
_ANY = regex(rf"[${''.join(_SIGNS)}]|\\(?:begin|mathop|label|tag|(?:eq)?ref|smash|h(?:dash)?line|[A-Za-z]+\*)")


class Rewritten(Struct, frozen=True):
    """A formula as the converter takes it."""

    text: str
    origin: tuple[int, ...] | None = field(default=None)
    """For each character of `text`, where it stood before; None if nothing was rewritten."""

    def offset(self, place: int) -> int:
        """Where what is now at `place` stood before."""
        if self.origin is None:
            return place
        return self.origin[place] if place < len(self.origin) else (self.origin or (0,))[-1] + 1

    def sub(self, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]) -> Rewritten:
        """With each match replaced."""
        return self.replaced(
            [(match.start(), match.end(), replacement(match)) for match in pattern.finditer(self.text)]
        )

    def replaced(self, edits: list[tuple[int, int, str]]) -> Rewritten:
        """With other text from each start to each end, in order."""
        origin = self.origin if self.origin is not None else tuple(range(len(self.text)))
        text: list[str] = []
        places: list[int] = []
        done = 0
        for start, end, new in edits:
            if self.text[start:end] == new:
                continue
            text += [self.text[done:start], new]
            places += [*origin[done:start], *[Rewritten(self.text, origin).offset(start)] * len(new)]
            done = end
        if not text:
            return self
        return Rewritten("".join([*text, self.text[done:]]), (*places, *origin[done:]))


def rewritten(formula: Rewritten, *, display: bool) -> Rewritten:
    """The formula as the converter takes it, its labels, tags and references as `l0`, `t0`, `r0`, by their order."""
    if not _ANY.search(formula.text):
        return formula
    formula = formula.sub(_SMALL, _small)
    for match in reversed(list(_TEXT.finditer(formula.text)) if "$" in formula.text else []):
        formula = formula.replaced(_around_formulas(formula.text, match))
    for start in reversed([match.start() for match in _MATHOP.finditer(formula.text)]):
        formula = _with_limits(formula, start, display=display)
    formula = _environments(formula.sub(_ENVIRONMENT, _equal), display=display)
    return _indexed(formula)


def _small(match: re.Match[str]) -> str:
    if match["root"]:
        return rf"\sqrt{{{match['root']}}}"
    if match["sign"]:
        return _SIGNS[match["sign"]]
    if match[0].startswith(r"\hspace"):
        return r"\hspace"
    if match[0].startswith(r"\smash"):
        return r"\smash"
    if match["row"]:
        return match["row"]
    name = match["starred"]
    return rf"\{name} *" if name and name not in _WITH_STAR else match[0]


def _around_formulas(text: str, command: re.Match[str]) -> list[tuple[int, int, str]]:
    r"""The edits that end `\text{if $x$ is}` before a formula in it, and go on with another one after it."""
    inside = _argument(text, command.end())
    depth, dollars = 0, list[int]()
    for sign in _DOLLAR.finditer(inside):
        depth += {"{": 1, "}": -1}.get(sign[1] or "", 0)
        if sign[2] and (depth == 1 or len(dollars) % 2):
            dollars.append(command.end() + sign.start())
    if not dollars or len(dollars) % 2:
        return []
    parts = ("}{", "}" + command[0] + "{")
    edits = [(place, place + 1, parts[number % 2]) for number, place in enumerate(dollars)]
    end = command.end() + len(inside)
    return [(command.start(), command.start(), "{"), *edits, (end, end, "}")]


def _with_limits(formula: Rewritten, start: int, *, display: bool) -> Rewritten:
    r"""`\mathop{...}` with what follows it over and under it, as TeX sets it in a display or after `\limits`."""
    text = formula.text
    opening = text.index("{", start)
    inside = _argument(text, opening)
    if not inside:
        return formula
    end = opening + len(inside)
    limits = _LIMITS.match(text, end)
    scripts: dict[str, str] = {}
    after = limits.end() if limits else end
    while (sign := _SCRIPT.match(text, after)) and sign[1] not in scripts:
        scripts[sign[1]] = _argument(text, sign.end())
        after = sign.end() + len(scripts[sign[1]])
    if (not limits and not display) or (limits and limits[1]) or not all(scripts.values()):
        return formula.replaced([(limits.start(), limits.end(), "")]) if limits else formula
    if not scripts and not limits:
        return formula
    stacked = inside
    for sign_of, command in (("_", "underset"), ("^", "overset")):
        if sign_of in scripts:
            script = scripts[sign_of]
            stacked = rf"{{\{command}{script if script[0] == '{' else '{' + script + '}'}{stacked}}}"
    return formula.replaced([(opening, after, stacked)])


def _argument(text: str, start: int) -> str:
    """The braces with what is in them, the command or the sign that begins there; empty if there is none."""
    match = _COMMAND.match(text, start)
    return match[0] if match else group(text, start)


def _equal(match: re.Match[str]) -> str:
    name, star = match["name"], match["star"]
    if name + star in _EQUAL:
        name, star = _EQUAL[name + star], ""
    elif _EQUAL.get(name) in _WITHOUT_NUMBERS:
        name = _EQUAL[name]
    return rf"\{match['end']}{{{name}{star}}}{match['more'] or '' if match['end'] == 'end' else ''}"


def _environments(formula: Rewritten, *, display: bool) -> Rewritten:
    """Environments as they can stand where they do, and one around the formula if it is numbered as a whole."""
    text = formula.text
    parts = list(_ENVIRONMENT.finditer(text))
    outside, outermost, numbered = _numbered(text, parts)
    edits: list[tuple[int, int, str]] = []
    for place, part in enumerate(parts):
        name, starred = part["name"], bool(part["star"])
        alone = display and not outside and place in outermost
        if name in _WITHOUT_NUMBERS and not (alone and (place in numbered or not starred)):
            name = "multline*" if alone and name == "multline" else _WITHOUT_NUMBERS[name]
        elif alone and place in numbered and name in _NUMBERING:
            name = _NUMBERING[name]
        else:
            continue
        edits.append((part.start(), part.end(), rf"\{part['end']}{{{name}}}"))
    if display and outside:
        edits = [(0, 0, r"\begin{equation}"), *edits, (len(text), len(text), r"\end{equation}")]
    return formula.replaced(edits)


def _numbered(text: str, parts: list[re.Match[str]]) -> tuple[bool, set[int], set[int]]:
    r"""Whether a `\tag` or `\label` belongs to the formula as a whole; the outermost environments; those with one.

    Environments are given by the places of their `\begin` and `\end` among `parts`.
    """
    marks = sorted(mark.start() for pattern in (TAG, LABEL) for mark in pattern.finditer(text))
    numbered: set[int] = set()
    open_now: list[int] = []
    spans = []
    for place, part in enumerate(parts):
        if part["end"] == "begin":
            open_now.append(place)
        elif open_now:
            begin = open_now.pop()
            if not open_now:
                spans.append((begin, place))
    outside = False
    for mark in marks:
        around = [(b, e) for b, e in spans if parts[b].start() < mark < parts[e].start()]
        name = parts[around[0][0]]["name"] if around else ""
        if name in _WITHOUT_NUMBERS or name in _NUMBERING:
            numbered.update(around[0])
        else:
            outside = True
    return outside, {place for span in spans for place in span}, numbered


def _indexed(formula: Rewritten) -> Rewritten:
    counts = {"l": 0, "t": 0, "r": 0}

    def index(kind: str) -> str:
        counts[kind] += 1
        return f"{kind}{counts[kind] - 1}"

    formula = formula.sub(LABEL, lambda _: rf"\label{{{index('l')}}}")
    formula = formula.sub(TAG, lambda match: rf"\tag{match[1]}{{{index('t')}}}")
    return formula.sub(REFERENCE, lambda _: rf"\eqref{{{index('r')}}}")
