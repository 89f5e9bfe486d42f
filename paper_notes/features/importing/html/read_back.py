"""What our own parser makes of a piece of Markdown: its characters and their marks, to compare with what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Location
from paper_notes.languages.language import FALLBACK, nearest
from paper_notes.markdown.body import SLOT
from paper_notes.markdown.render import read_short

Letter = tuple[str, frozenset[str]]
"""A character that is no space, and the marks on it."""
_HERE = Location(PurePosixPath("note.md"))
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
MARKS = {
    "b": "strong", "strong": "strong", "em": "em", "i": "em", "s": "del", "del": "del", "strike": "del",
    "sub": "sub", "sup": "sup", "code": "code", "kbd": "kbd", "a": "a", "small": "small", "math": "math",
    "ins": "ins", "u": "u", "mark": "mark",
}  # fmt: skip


def folded(text: str) -> str:
    """The text without the differences that typography makes."""
    return _REPEATED.sub(r"\1", text.translate(_FOLDED))


@dataclass(frozen=True, slots=True)
class Seen:
    """What a reader sees of a piece of Markdown."""

    letters: tuple[Letter, ...]
    problems: tuple[str, ...] = ()
    """Rules that it breaks."""

    def equals(self, meant: Seen) -> bool:
        """Whether words and marks are those that were meant; links may be added."""
        if self.problems or len(self.letters) != len(meant.letters):
            return False
        return all(
            mine[0] == theirs[0] and mine[1] - {"a"} == theirs[1] - {"a"} and ("a" in mine[1] or "a" not in theirs[1])
            for mine, theirs in zip(self.letters, meant.letters, strict=True)
        )


@dataclass
class Letters:
    """Collects characters with their marks."""

    found: list[Letter] = field(default_factory=list)

    def add(self, text: str, marks: Iterable[str]) -> None:
        on = frozenset(marks)
        for letter in folded(text):
            if not letter.isspace() and not (letter in "-." and self.found and self.found[-1][0] == letter):
                self.found.append((letter, on))

    def seen(self, problems: tuple[str, ...] = ()) -> Seen:
        return Seen(tuple(self.found), problems)


@lru_cache(maxsize=2)
def read_back(markdown: str, lang: str, *, inline: bool = True) -> Seen:
    """What our parser makes of it. Problems with files and other sections are none here.

    A page may be in any language; the words of components are compared in none.
    """
    short = read_short.__wrapped__(markdown, nearest(Lang(lang)) or FALLBACK, _HERE, inline=inline)
    snippet = short.snippet
    problems = [problem.rule for problem in snippet.diagnostics if problem.rule not in _ELSEWHERE]
    problems += ["plain-reference" for slot in snippet.slots if slot.kind in ("plain", "cite")]
    collector = _Collector([slot.text for slot in snippet.slots])
    collector.feed(snippet.html)
    collector.close()
    return collector.letters.seen(tuple(problems))


_ELSEWHERE = frozenset({"missing-image", "missing-alt", "bad-svg", "unknown-anchor"})
"""Rules about what a piece does not have with it."""
_UNSEEN = frozenset({"svg", "img"})


class _Collector(HTMLParser):
    def __init__(self, slots: list[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.slots = slots
        self.letters = Letters()
        self.open: list[tuple[str, str]] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("br", "img", "hr", "wbr", "input", "col"):
            return
        if tag == "msqrt" and not self.hidden:
            self.letters.add("√", ["math"])
        classes = (dict(attrs).get("class") or "").split()
        mark = MARKS.get(tag, "")
        if tag == "span" and classes and classes[0] in WORD_MARKS:
            mark = classes[0]
        if self.hidden or tag in _UNSEEN:
            self.hidden += 1
        self.open.append((tag, mark))

    def handle_endtag(self, tag: str) -> None:
        if any(name == tag for name, _ in self.open):
            while self.open.pop()[0] != tag:
                pass
            self.hidden = max(self.hidden - 1, 0)

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        marks = [mark for _, mark in self.open if mark]
        if "math" in marks:
            marks = ["math"]
        done = 0
        for slot in SLOT.finditer(data):
            self.letters.add(data[done : slot.start()], marks)
            self.letters.add(self.slots[int(slot[1])], [*marks, "a"])
            done = slot.end()
        self.letters.add(data[done:], marks)


WORD_MARKS = frozenset("term pill good bad partial new open closed num".split())
