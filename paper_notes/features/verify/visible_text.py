"""The visible text of a block, made of its tokens, with the citations and places of papers in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from markdown_it.token import Token

from paper_notes.features.verify.named_places import HIDDEN, PaperPlace, places_in
from paper_notes.markdown.syntax.declared import Origin

VERDICTS = frozenset({"good", "bad", "partial"})
_LONE = re.compile(r"[\d.,e%-]+")
"""Code that is nothing but a number."""


class VisibleText:
    """The visible text of a block, made of its tokens."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.text = self.countable = ""
        self.cites: list[tuple[int, str]] = []
        self.formulas: list[str] = []
        self.verdicts: list[str] = []
        self.notes: list[str] = []
        self._starts: list[tuple[int, int, Origin | None]] = []
        self._places: list[PaperPlace] = []
        self._open: list[Origin | None] = []
        self._link = False

    def add(self, number: int, token: Token) -> None:
        """Add a token of the block."""
        if token.type in ("text", "text_special"):
            self._put(number, token.content, "" if self._link else token.content)
        elif token.type.startswith("math_inline"):
            self.formulas.append(token.content)
            self._put(number, token.content, blank_tex(token.content))
        elif token.type == "code_inline":
            self._put(number, token.content, token.content if _LONE.fullmatch(token.content) else "")
        elif token.type in ("softbreak", "hardbreak"):
            self._put(number, " ", " ")
        elif token.type == "slot":
            self._add_citations(token)
            self._put(number, " ", " ")
        else:
            self._open_or_close(token)

    def _open_or_close(self, token: Token) -> None:
        if token.type == "span_open":
            self._open.append(token.meta.get("from"))
            self.verdicts += VERDICTS.intersection(str(token.attrs.get("class", "")).split())
        elif token.type == "span_close" and self._open:
            self._open.pop()
        elif token.type in ("link_open", "link_close"):
            self._link = token.type == "link_open" and token.info == "auto"

    def _add_citations(self, token: Token) -> None:
        for part in token.meta.get("shown", ()):
            if not isinstance(part, str) and part.kind == "note":
                self.notes.append(part.target)
            elif not isinstance(part, str) and part.kind == "cite":
                self.cites.append((len(self.text), part.target))
                self._places += places_in(part.text, part.target, len(self.text))

    def _put(self, number: int, text: str, countable: str) -> None:
        origin = next((origin for origin in reversed(self._open) if origin), None)
        self._starts.append((len(self.text), number, origin))
        self.text += text
        self.countable += countable or HIDDEN * len(text)

    def child_at(self, at: int) -> tuple[int, int, Origin | None]:
        """The token at a place of the text, the offset in it, and the origin that it declares."""
        start, number, origin = [item for item in self._starts if item[0] <= at][-1]
        return number, at - start, origin

    def all_places(self) -> Iterator[PaperPlace]:
        """The places that the text names, and those in its citations."""
        for place in places_in(self.text, "", 0):
            after = ((at - place.start, self.text[place.start + 5 : at], key) for at, key in self.cites)
            near = [key for gap, between, key in after if 0 <= gap < 40 and "." not in between]
            yield replace(place, key=near[0] if near else "")
        yield from self._places


def blank_tex(tex: str) -> str:
    """TeX of the same length, with its commands, indices and exponents blanked."""
    tex = re.sub(r"[_^]\s*(?:\{[^{}]*\}|\\[A-Za-z]+|.)", lambda match: " " * len(match[0]), tex)
    tex = re.sub(r"\\times", "  ×   ", tex)
    tex = re.sub(r"\\[dt]?frac\d\d", lambda match: " " * len(match[0]), tex)
    return re.sub(r"\\[A-Za-z]+|\{(?!,\})|(?<!,)\}", lambda match: " " * len(match[0]), tex)
