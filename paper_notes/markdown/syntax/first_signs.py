"""Which signs the rules of a parser begin with: at most places most of them need not be asked, which takes time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from markdown_it.ruler import Rule, Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

BLOCKS: Mapping[str, str] = {
    "comment_block": "%",
    **dict.fromkeys(("math_block", "spaced_block"), "$"),
    "bracket_block": "\\",
    "component": ":",
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*+-0123456789",
    **dict.fromkeys(("footnote_def", "reference"), "["),
    **dict.fromkeys(("unwrapped", "html_block"), "<"),
    "heading": "#",
}
"""Rules of blocks, and what their first lines begin with."""
INLINES: Mapping[str, str] = {
    "newline": "\n",
    **dict.fromkeys(("bracket_formula", "equation_reference", "escape"), "\\"),
    **dict.fromkeys(("tick_formula", "formula"), "$"),
    "comment": "%",
    "backticks": "`",
    "strikethrough": "~",
    "highlight": "=",
    "emphasis": "*_",
    **dict.fromkeys(("note_reference", "citation", "link", "span", "footnote_ref"), "["),
    "image": "!",
    "footnote_inline": "^",
    **dict.fromkeys(("autolink", "html_inline"), "<"),
    "entity": "&",
}
"""Rules within lines, in the same way."""

_Rules = Iterable[Rule[Any]]
_Asking = Callable[[_Rules, Mapping[str, str]], Callable[..., bool]]


class SignRuler(Ruler[Any]):
    """Rules of which the parser sees one, that asks those that may begin with the sign at a place.

    Rules that the table does not name are asked everywhere.
    """

    def __init__(self, rules: Ruler[Any], begins: Mapping[str, str], asking: _Asking) -> None:
        super().__init__()
        self.__rules__ = rules.__rules__
        self.begins = dict(begins)
        self._asking = asking

    def __compile__(self) -> None:
        rules = [rule for rule in self.__rules__ if rule.enabled]
        chains = {chain: [rule for rule in rules if chain in rule.alt] for rule in rules for chain in rule.alt}
        self.__cache__ = {name: [self._asking(own, self.begins)] for name, own in {**chains, "": rules}.items()}


class _BySign(dict[str, Sequence[Callable[..., bool]]]):
    """The rules that may begin with each sign; all may with an empty one."""

    def __init__(self, rules: _Rules, begins: Mapping[str, str]) -> None:
        super().__init__()
        self._rules, self._begins = [*rules], begins
        self._others = self._of("\ufdd0")

    def _of(self, sign: str) -> Sequence[Callable[..., bool]]:
        return [rule.fn for rule in self._rules if sign in self._begins.get(rule.name, sign)]

    def __missing__(self, sign: str) -> Sequence[Callable[..., bool]]:
        return self.setdefault(sign, self._of(sign)) if sign.isascii() else self._others


def asking_blocks(rules: _Rules, begins: Mapping[str, str]) -> Callable[..., bool]:
    """A rule for blocks that asks these."""
    by_sign = _BySign(rules, begins)

    def ask(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        at = state.bMarks[start] + state.tShift[start]
        sign = state.src[at] if at < state.eMarks[start] else ""
        for rule in by_sign[sign]:  # noqa: SIM110 -- called for each line
            if rule(state, start, end, silent):
                return True
        return False

    return ask


def asking_inlines(rules: _Rules, begins: Mapping[str, str]) -> Callable[..., bool]:
    """A rule within lines that asks these."""
    by_sign = _BySign(rules, begins)

    def ask(state: StateInline, silent: bool) -> bool:
        for rule in by_sign[state.src[state.pos]]:  # noqa: SIM110 -- called for each sign
            if rule(state, silent):
                return True
        return False

    return ask
