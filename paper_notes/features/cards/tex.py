r"""A text whose formulas stay TeX: for Anki, which sets `\(x\)` and `\[x\]` by MathJax, and for Markdown, `$x$`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import escape

from paper_notes.markdown.context import Context, context_of
from paper_notes.markdown.math.convert import MACROS, is_self_contained, mathml
from paper_notes.markdown.math.rewriting import LABEL, REFERENCE
from paper_notes.markdown.parser import parser
from paper_notes.markdown.renderer import BodyRenderer
from paper_notes.markdown.sanitise import sanitise
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape

Marks = Literal["mathjax", "dollars"]
_AROUND = {
    ("mathjax", False): (r"\(", r"\)"),
    ("mathjax", True): (r"\[", r"\]"),
    ("dollars", False): ("$", "$"),
    ("dollars", True): ("$$", "$$"),
}
_COMMENT = regex(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_MATHJAX_HAS = frozenset(
    "mbox pmb substack dotsb dotsc dotsm dotsi dotso smash hbox thicksim thickapprox strut".split()
)
"""Those of our macros that MathJax 3 knows itself."""
_LACKING = frozenset(
    "bm bold emph textsc Alpha Beta Chi Colondash Complex Dagger Darr Dashcolon Epsilon Eta Harr Iota Kappa"
    " Larr Lrarr Mu N Nu Omicron P R Rarr Reals Rho Simcolon Tau Uarr VDash Yleft Yright Z Zeta alef alefsym"
    " approxcolon arcctg arceq arctg argmax argmin awint bigcupdot bigdoublevee bigdoublewedge bigsqcap"
    " botdoteq bull ch cirfnint clubs cnums coloncolon coloncolonapprox coloncolonequals colondash colonequals"
    " colonminus copyright cosec cotg ctg cth dArr dag darr dashcolon ddag degree diamonds dotsminusdots empty"
    " eqdef equalscolon erf erfc exist fint hArr harr hearts iddots image imageof infin intBar intbar"
    " intclockwise isin lAngle lArr lBrace lang larr lightning llangle llbracket llparenthesis lq lrArr lrarr"
    " measeq minuscolon minuso natnums nequiv ngtrless ngtrsim nlessgt nlesssim notni nsubset nsupset oiiint"
    " oiint ointctrclockwise origof plim plusmn pounds questeq rAngle rArr rBrace rang rarr ratio real reals rq"
    " rrangle rrbracket rrparenthesis sect sh simcolon spades stareq sub sube sumint supe tg th thetasym uArr"
    " uarr varointclockwise vcentcolon veeeq wedgeq weierp".split()
)
"""Commands that our converter knows and MathJax does not."""
_WITH_ARGUMENT = {
    "bm": r"\boldsymbol{#1}",
    "bold": r"\mathbf{#1}",
    "emph": r"\textit{#1}",
    "textsc": r"\text{#1}",
}
_LIMITS = frozenset({"argmax", "argmin", "plim"})
_SPACE, _THIN = re.compile(r"\s+"), r"\\,"
_TAG = regex(r"<[^>]*>")
_COMMAND = regex(r"\\([A-Za-z]+|\*)")
FORMULA = regex(r'<var class="tex">(?P<tex>.*?)</var>')
"""A formula on a card, with its marks: no text can have this class."""
_OPEN_END = regex(r"(?<!\\)(?:\\\\)*\\$")
"""A control space at the end: without its space it would take the mark that ends the formula."""


class TexRenderer(BodyRenderer):
    """Renders formulas as TeX between `marks`, and all else as on the page."""

    def __init__(self, marks: Marks) -> None:
        super().__init__()
        self._marks: Marks = marks
        self.rules = {**parser().renderer.rules, **self.rules}  # type: ignore[attr-defined]

    def _formula(self, token: Token, env: EnvType, *, display: bool) -> str:
        context = context_of(env)
        opening, closing = _AROUND[self._marks, display]
        tex = plain_tex(token.content, context)
        if not is_self_contained(tex, display=display):
            return context.keep(f"<code>{escape(tex)}</code>")
        macros = definitions(tex) if self._marks == "mathjax" else ""
        return context.keep(f'<var class="tex">{opening}{escape(macros + tex)}{closing}</var>')

    def footnote_ref(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f"<sup>[{tokens[idx].meta['id'] + 1}]</sup>"


@cache
def renderer(marks: Marks) -> TexRenderer:
    """The renderer of a process for formulas of this kind; it keeps no state."""
    return TexRenderer(marks)


def rendered(tokens: Sequence[Token], context: Context, marks: Marks) -> str:
    """Sanitised HTML with slots, and formulas as TeX."""
    env = {"context": context}
    return context.restore(sanitise(str(renderer(marks).render(tokens, parser().options, env))))


def plain_tex(tex: str, context: Context) -> str:
    """A formula on one line, without comments, and with the numbers of the formulas that it names."""

    def number(match: re.Match[str]) -> str:
        known = unescape(context.equations.get(match[2], f"({match[2]})"))
        return rf"\text{{{known if match[1] else known.strip('()')}}}"

    without = LABEL.sub("", REFERENCE.sub(number, _COMMENT.sub(r"\1", tex)))
    plain = " ".join(without.split())
    return f"{plain} " if _OPEN_END.search(plain) else plain


def definitions(tex: str) -> str:
    """Definitions of the commands that the formula uses and MathJax lacks."""
    used = dict.fromkeys(name for name in _COMMAND.findall(tex) if name in MACROS or name in _LACKING)
    return "".join(_definition(name) for name in used if name not in _MATHJAX_HAS)


def _definition(name: str) -> str:
    inside = MACROS.get(name) or _WITH_ARGUMENT.get(name) or _drawn(name)
    arguments = "".join(f"#{number}" for number in (1, 2, 3) if f"#{number}" in inside)
    return rf"\def\{name}{arguments}{{{inside}}}"


@cache
def _drawn(name: str) -> str:
    """What a command without arguments draws: its sign, or the name of a function."""
    words = unescape(_TAG.sub("", mathml(rf"\{name}", display=False).replace("&ApplyFunction;", "")))
    limits = "*" if name in _LIMITS else ""
    letters = "".join(words.split())
    return rf"\operatorname{limits}{{{_SPACE.sub(_THIN, words)}}}" if len(letters) > 1 and letters.isalpha() else words
