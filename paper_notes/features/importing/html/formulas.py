r"""Formulas written in Unicode and HTML as TeX, where reading it back gives the same signs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import unescape

from paper_notes.features.importing.html.classes import meaning_of
from paper_notes.features.importing.html.tree import HtmlElement, HtmlText, Node
from paper_notes.markdown.math.convert import TexProblem, mathml

_LETTERS = {
    **dict(
        zip(
            "αβγδϵζηθικλμνξπρστυϕχψωΓΔΘΛΞΠΣΥΦΨΩ",
            (
                "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi"
                " chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
            ).split(),
            strict=True,
        )
    ),
    "ε": "varepsilon", "φ": "varphi", "ϑ": "vartheta",
    "∑": "sum", "∏": "prod", "∫": "int", "·": "cdot", "⋅": "cdot", "×": "times", "÷": "div", "±": "pm", "∓": "mp",
    "≤": "le", "≥": "ge", "≠": "ne", "≈": "approx", "≡": "equiv", "∝": "propto", "∈": "in", "∉": "notin",
    "→": "to", "←": "leftarrow", "⇒": "Rightarrow", "⟹": "Longrightarrow", "↦": "mapsto", "⇔": "Leftrightarrow",
    "∞": "infty", "∧": "wedge", "∨": "vee", "¬": "neg", "∀": "forall", "∃": "exists", "∇": "nabla", "∂": "partial",
    "∪": "cup", "∩": "cap", "⊂": "subset", "⊆": "subseteq", "∅": "varnothing", "≪": "ll", "≫": "gg", "⊙": "odot",
    "⊕": "oplus", "⊗": "otimes", "∘": "circ", "‖": "Vert", "∥": "Vert", "∣": "mid", "⟨": "langle", "⟩": "rangle",
    "⌊": "lfloor", "⌋": "rfloor", "⌈": "lceil", "⌉": "rceil", "∼": "sim", "~": "sim", "|": "vert", "ℓ": "ell",
    "−": "", "…": "dots", "⋯": "cdots", "≜": "triangleq", "⊤": "top", "⊥": "bot", "𝔼": "mathbb{E}", "ℝ": "mathbb{R}",
    "ℙ": "mathbb{P}",
}  # fmt: skip
FUNCTIONS = frozenset(
    "min max log exp ln sup inf lim arg sin cos tan tanh det argmax argmin softmax KL Var Cov".split()
)
"""Names that our TeX has as commands."""
_ESCAPED = {"{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "_": r"\_", "\\": r"\backslash "}
_ACCENTS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0307": "dot"}
_CJK = r"\u2e80-\u9fff\uac00-\ud7ff\uff01-\uff60"
_PART = re.compile(
    r"(?P<root>√\s*(?:\([^()√]*\)|[A-Za-z0-9α-ωΑ-Ω]+))|(?P<number>\d+(?:[.,]\d+)*)"
    r"|(?P<word>[A-Za-z]{2,}(?![\u0300-\u036f])(?:[ -][A-Za-z]{2,})*)"
    r"|(?P<accented>[A-Za-zα-ωΑ-Ω][\u0302-\u0304\u0307])|(?P<letter>[A-Za-z])"
    rf"|(?P<other>[{_CJK}]+)|(?P<space>\s+)|(?P<sign>.)",
    re.DOTALL,
)
_NO_TEX = re.compile(r"[`^_]|[①-⑳]|[\U0001f000-\U0001ffff]|[⭐★]")
"""Signs of another notation, or of no formula: `x_t`, `2^k` as typed."""
_TAG = re.compile(r"<[^>]*>")
_FOLDED = str.maketrans(
    {
        "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "…": ".", "⋯": ".",
        "·": "⋅", "∙": "⋅", "∼": "~", "～": "~", "∗": "*", "′": "'", "∣": "|", "∥": "‖", "\u2061": "", "\u200b": "",
        "∶": ":",
        "\ufe0f": "", "✅": "✓", "✔": "✓", "❌": "✗", "✘": "✗", "△": "◐",
        "\u0302": "ˆ", "\u0303": "~", "\u0304": "¯", "\u0307": "˙", "˜": "~", "\u00af": "¯",
    }
)  # fmt: skip
"""Signs that are set in several ways: the typographer changes quotes and dashes, formulas have signs of their own."""
_REPEATED = re.compile(r"([-.])\1+")
MAX_LENGTH = 600


class NotTex(Exception):
    """The formula has a part that TeX would show otherwise."""


def as_tex(nodes: Sequence[Node], table: Mapping[str, str]) -> str | None:
    """The TeX of a formula on one line; None if it would be read otherwise than it is written."""
    shown = "".join(_shown(nodes))
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


def _shown(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, HtmlText):
            yield node.words
        else:
            yield from _shown(node.children)


def _tex(nodes: Sequence[Node], table: Mapping[str, str]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, HtmlText):
            yield from _of_words(node.words)
        elif node.tag in ("sub", "sup"):
            inside = "".join(_tex(node.children, table)).strip()
            if inside:
                yield f"{'_' if node.tag == 'sub' else '^'}{{{inside}}} "
        elif (meaning := meaning_of(node, table)) and meaning.role == "fraction":
            parts = [child for child in node.children if isinstance(child, HtmlElement)]
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
