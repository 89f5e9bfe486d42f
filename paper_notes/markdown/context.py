"""What the rules share while one text is rendered: where it stands, what was found wrong, what was set aside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from markdown_it.token import Token

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.diagnostics import Diagnostic, Location, Severity
from paper_notes.markdown.body import Slot
from paper_notes.sources.tree import Source

_FRAGMENT = re.compile("\ufdd2(\\d+)\ufdd3")


@dataclass
class Context:
    """The state of rendering one text. It lives for one call and is never shared."""

    source: NoteText
    files: Mapping[str, Source]
    lines: list[str]
    problems: list[Diagnostic] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    fragments: list[str] = field(default_factory=list)
    counters: Counter[str] = field(default_factory=Counter)
    block_ids: dict[str, Location] = field(default_factory=dict)
    anchors: list[tuple[str, Location]] = field(default_factory=list)
    block_line: int = 0
    """The line (from 0) of the block whose inline content is being parsed."""

    @property
    def lang(self) -> Lang:
        return self.source.lang

    def word(self, zh: str, en: str) -> str:
        """The one in the language of the text."""
        return zh if self.lang == "zh" else en

    def locate(self, line: int, needle: str = "", lines: int = 1) -> Location:
        """Where `needle` stands in the block of `lines` lines from `line` (from 0); its start if it is not found."""
        for number in range(line, min(line + max(lines, 1), len(self.lines))):
            column = self.lines[number].find(needle)
            if column >= 0:
                return self.at(number, column if needle else _indentation(self.lines[number]))
        return self.at(line, 0)

    def locate_in(self, token: Token, needle: str = "") -> Location:
        """Where `needle` stands in the lines of a block token."""
        start, end = token.map or (self.block_line, self.block_line + 1)
        return self.locate(start, needle, end - start)

    def at(self, line: int, column: int) -> Location:
        """A place in the file from line and column of the text, both from 0."""
        return Location(self.source.path, line + self.source.first_line, column + 1)

    def report(self, where: Location, rule: str, message: str, hint: str = "", severity: Severity = "error") -> None:
        self.problems.append(Diagnostic(where, rule, message, hint, severity))

    def keep(self, html: str) -> str:
        """Set HTML of our own making aside, so that sanitising does not touch it; a marker stands for it."""
        self.fragments.append(html)
        return f"\ufdd2{len(self.fragments) - 1}\ufdd3"

    def restore(self, html: str) -> str:
        """Put what was set aside back in its place."""
        while "\ufdd2" in html:
            html = _FRAGMENT.sub(lambda match: self.fragments[int(match[1])], html)
        return html

    def slot(self, kind: Literal["note", "cite"], target: str, text: str, location: Location) -> str:
        """A marker for something the corpus will fill in."""
        self.slots.append(Slot(kind, target, text, location))
        return f"\ufdd0{len(self.slots) - 1}\ufdd1"

    def block_id(self, wanted: str, where: Location) -> str:
        """The page-wide id of a block: its own id and the language, because both languages stand in one page."""
        if wanted in self.block_ids:
            first = self.block_ids[wanted].line
            self.report(where, "duplicate-id", f'the id "{wanted}" is already taken on line {first}', "rename one")
        self.block_ids.setdefault(wanted, where)
        return f"{wanted}-{self.lang}"


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def context_of(env: object) -> Context:
    """The Context that travels in markdown-it's `env`."""
    context = env["context"] if isinstance(env, dict) else None
    assert isinstance(context, Context)
    return context
