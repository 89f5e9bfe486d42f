"""State that the rules share while one text is rendered: positions, problems, and HTML kept from sanitising."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape

from paper_notes.corpus.model import GlossaryTerm, Lang, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Diagnostic, Location, RuleId, Severity, Suggestions
from paper_notes.languages.language import FALLBACK, Language, Words
from paper_notes.markdown.body import NumberSource, Slot, SlotKind
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, field

OWN = "\ufdd4"
"""Prefix of the ids we make, so that `sanitise` can distinguish them from ids in a note's own HTML."""
MAX_KEPT = 32_000_000
"""The most characters of HTML that one text may set aside: it may show one figure a thousand times."""
_FRAGMENT = regex("\ufdd2(\\d+)\ufdd3")
_MARKERS = regex("[\ufdd0-\ufdef]")


class SourceMap(Struct, frozen=True):
    """The text of a block and where each of its lines is in the source, for positions inside of it."""

    text: str
    starts: tuple[tuple[int, int, int], ...]
    """For each line of `text`: its offset, and its line and column, from 0, in the source."""

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column, from 0, of a character of the text."""
        row = bisect_right(self.starts, offset, key=lambda start: start[0]) - 1 if len(self.starts) > 1 else 0
        start, line, column = self.starts[max(row, 0)]
        return line, column + offset - start

    @property
    def end(self) -> tuple[int, int]:
        return self.at(len(self.text))


def place_of(lines: Sequence[str], first: int, text: str, after: tuple[int, int] = (0, 0)) -> SourceMap:
    """Find a block's lines in the source; `after` is where the block before it ended (cells share a line)."""
    starts = []
    offset = 0
    for row, part in enumerate(text.split("\n")):
        line = min(first + row, len(lines) - 1)
        start = after[1] if line == after[0] else 0
        column = lines[line].find(part, start)
        if column < 0 and "|" in part and (match := _escaped_bars(part).search(lines[line], start)):
            for piece in range(1, len(match.groups()) + 1):
                starts.append((offset, line, match.start(piece)))
                offset += len(match[piece])
            offset += 1
            continue
        starts.append((offset, line, column if column >= 0 else _indentation(lines[line])))
        offset += len(part) + 1
    return SourceMap(text, tuple(starts))


def _escaped_bars(text: str) -> re.Pattern[str]:
    """Finds a text in which bars may be escaped, as in a cell of a table; each group ends before a backslash."""
    return re.compile("(" + r")\\?(\|".join(map(re.escape, text.split("|"))) + ")")


class Context(Struct, dict=True):
    """The state of rendering one text. It lives for one call and is never shared."""

    source: NoteText
    words: Words
    files: Mapping[str, Source] = field(default_factory=dict)
    terms: tuple[GlossaryTerm, ...] = ()
    terms_used: dict[str, None] = field(default_factory=dict)
    """Ids of the terms that the text uses, in order of appearance."""
    problems: list[Diagnostic] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    fragments: list[str] = field(default_factory=list)
    open_tags: Counter[str] = field(default_factory=Counter)
    """How many elements of the text's own HTML are open, by name."""
    suggestions: Suggestions = field(default_factory=Suggestions)
    kept: int = 0
    """Number of characters that were set aside."""
    lookahead: int = 0
    """How many steps the parser has looked ahead."""
    counters: Counter[str] = field(default_factory=Counter)
    block_ids: dict[str, Location] = field(default_factory=dict)
    anchors: list[tuple[str, Location, bool]] = field(default_factory=list)
    """Where links lead in the note itself, where they stand, and whether they show the number of a formula."""
    equations: dict[str, str] = field(default_factory=dict)
    r"""The numbers of the formulas with a `\label`, as HTML with their brackets."""
    macros: dict[str, Location] = field(default_factory=dict)
    """Where a formula of the text first defines each macro, by its name."""
    unknown_tex: int = 0
    """How many unknown names were looked up for similar ones, which takes time."""
    place: SourceMap = SourceMap("", ((0, 0, 0),))
    """The block whose inline content is being parsed."""
    papers: tuple[BibKey, ...] = ()
    """Those of the note, the main one first."""
    sources: dict[NumberSource, int] = field(default_factory=dict)
    """As in `Half`, with their places; a transform may add some."""
    unwritten: frozenset[int] = frozenset()
    """Lines of headings with nothing below them, see `parser.WithoutPrompts`."""
    prompts: int = 0
    """How many prompts of `paper-notes new` were left out of the text."""
    fixed: Location | None = None
    """The location for all diagnostics of a text whose own lines are not lines of a file."""
    mistakes: tuple[tuple[tuple[int, bool], int], ...] = ()
    """What is known to be wrong and is marked in the text: the number that its page gives each, whether another text
    has the same mark before, and the line from 0."""
    marked: bool = False
    """Whether the page marks mistakes, in this text or in others of the note's files."""

    @cached_property
    def lines(self) -> Sequence[str]:
        return self.source.text.split("\n")

    @property
    def lang(self) -> Lang:
        return self.source.lang

    @cached_property
    def language(self) -> Language:
        """The language of the text."""
        return self.words[self.lang]

    @property
    def tags(self) -> tuple[Lang, ...]:
        """The languages that drawings of the page may be in."""
        return (*self.words.tags, self.lang)

    @property
    def languages(self) -> tuple[Language, ...]:
        """Languages whose usual section names a text may use: its own, the site's, English."""
        return (self.language, *self.words.languages, self.words[FALLBACK])

    def word(self, word: str, **values: str) -> str:
        """The word of this id, see `Language`, in the language of the text, as HTML."""
        return str(escape(self.language(word, **values)))

    def enter(self, block: Token) -> None:
        """Set `place` for parsing the inline content of a block."""
        first = block.map[0] if block.map else self.place.starts[0][1]
        self.place = place_of(self.lines, first, block.content, self.place.end)

    def locate(self, line: int, needle: str = "") -> Location:
        """Where `needle` is in a line (from 0) of the text, or else where the line's words start."""
        column = self.lines[line].find(needle) if needle else -1
        return self.at(line, column if column >= 0 else _indentation(self.lines[line]))

    def locate_token(self, token: Token, offset: int = 0) -> Location:
        """Where the character at `offset` of an inline token is."""
        place, start = token.meta["at"]
        return self.at(*place.at(start + offset))

    def at(self, line: int, column: int) -> Location:
        """The location in the file of a line and column of the text, both from 0."""
        return self.fixed or Location(self.source.path, line + self.source.first_line, column + 1)

    def report(self, where: Location, rule: RuleId, message: str, hint: str = "", severity: Severity = "error") -> None:
        self.problems.append(Diagnostic(where, rule, message, hint, severity))

    def wrong(self, source: str) -> str:
        """The HTML of a piece of the source that could not be rendered: marked if the page has marks."""
        marked = Markup('<mark class="mistake">{}</mark>') if self.marked else Markup("{}")
        return marked.format(source)

    def keep(self, html: str) -> str:
        """Set HTML of our own aside, so that sanitising does not touch it. Gives the marker that replaces it."""
        self.kept += len(html)
        if self.full:
            if self.counters["too large"] == 0:
                self.counters["too large"] = 1
                message = f"formulas, figures and code of the text make its page larger than {MAX_KEPT:,} characters"
                self.report(self.at(0, 0), "file-too-large", message, "make several notes of it, or smaller figures")
            html = ""
        self.fragments.append(_MARKERS.sub("", html))
        return f"\ufdd2{len(self.fragments) - 1}\ufdd3"

    @property
    def full(self) -> bool:
        """True when no more can be set aside."""
        return self.kept > MAX_KEPT

    def restore(self, html: str) -> str:
        """Replace markers by the HTML that was set aside for them."""
        return _FRAGMENT.sub(lambda match: self.fragments[int(match[1])], html)

    def slot(self, kind: SlotKind, target: str, text: str, location: Location, *, bare: bool = False) -> str:
        """Add a slot, and give its marker."""
        self.slots.append(Slot(kind, target, text, location, bare))
        return f"\ufdd0{len(self.slots) - 1}\ufdd1"

    def block_id(self, wanted: str, where: Location) -> str:
        """The attribute for a block's own id and the language, because one page holds both languages."""
        if wanted in self.block_ids:
            first = self.block_ids[wanted].line
            self.report(where, "duplicate-id", f'the id "{wanted}" is already taken on line {first}', "rename one")
        self.block_ids.setdefault(wanted, where)
        return f' id="{OWN}{wanted}-{self.lang}"'


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def line_of(state: StateBlock, number: int) -> str:
    """A line in the block that is being parsed, without what stands before its words."""
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def push_link(state: StateInline, href: str, text: str) -> tuple[Token, Token]:
    """Add a link that is written in another way than `[text](href)`: its opening token, and that of its text."""
    opening = state.push("link_open", "a", 1)
    opening.attrSet("href", href)
    place, start = opening.meta["at"]
    opening.meta["at"] = place, start + 1  # where the text of a link would begin
    words = state.push("text", "", 0)
    words.content = text
    state.push("link_close", "a", -1)
    return opening, words


def closing(tokens: Sequence[Token], start: int) -> int:
    """The index of the token that closes what the one at `start` opens; of itself if it opens nothing."""
    depth = 0
    for at in range(start, len(tokens)):
        depth += tokens[at].nesting
        if depth <= 0:
            return at
    return len(tokens) - 1


def context_of(env: object) -> Context:
    """The Context that travels in markdown-it's `env`."""
    context = env["context"] if isinstance(env, dict) else None
    assert isinstance(context, Context)
    return context
