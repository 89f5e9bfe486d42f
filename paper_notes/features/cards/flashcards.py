"""Flashcards of a note, read from its text: questions, symbols, formulas and their lines, in each language."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal

from markdown_it.token import Token

from paper_notes.corpus.model import Alias, Lang, Note, NoteText
from paper_notes.features.cards.tex import Marks, rendered
from paper_notes.languages.language import Words
from paper_notes.markdown.body import Body, Slot
from paper_notes.markdown.context import Context, closing
from paper_notes.markdown.parser import parse_note
from paper_notes.patterns import regex
from paper_notes.values import Struct, field, replace

Listing = Literal["point", "symbol"]
Pair = tuple[Sequence[Token], Sequence[Token]]
"""A label and what is said of it."""
_HEADINGS: tuple[tuple[Listing, re.Pattern[str]], ...] = (
    (
        "point",
        re.compile(r"记忆要?点|記憶要?點|重點整理|覚えておくこと|memory points?\b|(?:key )?takeaways\b", re.IGNORECASE),
    ),
    ("symbol", re.compile(r"符[号號](?!主)|記号|symbols?\b|notation\b", re.IGNORECASE)),
)
_SIGN = regex(r"\s*(?:[:：·•=→]|[—–-]+(?=\s|—))\s*")
"""What separates a label from what is said of it."""
_OPENING = {"strong_open": "strong_close", "span_open": "span_close"}
_HELD = ("held_open", "held_close")
"""Around what stays on one line, such as a formula and the colon after it."""
_BREAKS = ("softbreak", "hardbreak")


def listing(heading: str) -> Listing | None:
    """What a section of this heading lists."""
    return next((kind for kind, known in _HEADINGS if known.match(heading)), None)


def pairs_of(tokens: Sequence[Token], kind: Listing) -> Iterator[Pair]:
    """The labels in the blocks of a section, which are not in components of their own."""
    row: list[Token] | None = None
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row:
            head, *cells = row
            if "head" not in head.meta and head.children and any(cell.children for cell in cells):
                yield (head,), _joined(cells)
            row = None
        elif token.type == "th_open":
            row = None
        elif token.type == "inline" and row is not None:
            row.append(token)
        elif token.type == "inline":
            yield from _lines(token, kind)


def _joined(cells: Sequence[Token]) -> Sequence[Token]:
    """The cells of a row, each on a line."""
    children: list[Token] = []
    for cell in cells:
        if cell.children:
            children += [Token("hardbreak", "br", 0)] * bool(children) + cell.children
    return (Token("inline", "", 0, children=children),)


def _lines(inline: Token, kind: Listing) -> Iterator[Pair]:
    """The lines of a paragraph that begin with a label, each with those after it that do not."""
    label: list[Token] = []
    said: list[Token] = []
    line: list[Token] = []
    for child in [*(inline.children or []), Token("hardbreak", "br", 0)]:
        if child.type not in _BREAKS:
            line += [] if child.type in _HELD else [child]
            continue
        next_label, rest = _taken_apart(line, kind)
        if next_label:
            if label and said:
                yield _pair(label, said)
            label, said = next_label, rest
        elif label:
            said += [Token("hardbreak", "br", 0), *line]
        line = []
    if label and said:
        yield _pair(label, said)


def _pair(label: list[Token], said: list[Token]) -> Pair:
    return (Token("inline", "", 0, children=label),), (Token("inline", "", 0, children=said),)


def _taken_apart(line: list[Token], kind: Listing) -> tuple[list[Token], list[Token]]:
    """The label of a line and the rest; no label if it begins with none."""
    line = [token for index, token in enumerate(line) if index or token.type != "text" or token.content.strip()]
    if not line:
        return [], []
    closing = _OPENING.get(line[0].type)
    if closing:
        end = next((index for index, token in enumerate(line) if token.type == closing), 0)
        label, rest = line[1:end], line[end + 1 :]
        if not label:
            return [], []
        last = label[-1]
        if last.type == "text":
            label = [*label[:-1], last.copy(content=last.content.rstrip(" :：·"))]
        return label, _without_sign(rest)
    if kind == "symbol" and line[0].type in ("math_inline", "code_inline") and len(line) > 1:
        separated = line[1].type == "text" and _SIGN.match(line[1].content)
        return (line[:1], _without_sign(line[1:])) if separated else ([], [])
    return [], []


def _without_sign(tokens: list[Token]) -> list[Token]:
    if tokens and tokens[0].type == "text":
        words = tokens[0].content
        sign = _SIGN.match(words)
        words = words[sign.end() :] if sign else words.lstrip()
        tokens = [*([tokens[0].copy(content=words)] if words else []), *tokens[1:]]
    return tokens


Kind = Literal["point", "symbol", "formula", "line"]
KINDS: tuple[Kind, ...] = ("point", "symbol", "formula", "line")
USUAL_KINDS: tuple[Kind, ...] = ("point", "formula")
"""Those that ask for one thing worth knowing by heart; signs and lines of formulas are looked up where they stand."""
_COMPONENTS = ("recall", "symbols", "formula")
_SPACE = regex(r"\s+")


class Side(Struct, frozen=True):
    """A card in one language, as pieces of HTML with slots: formulas are pieces, as they are the same in others."""

    question: tuple[str, ...]
    answer: tuple[str, ...]
    slots: tuple[Slot, ...]


class Flashcard(Struct, frozen=True):
    """One thing to remember."""

    kind: Kind
    section: str
    """Id of the section that it is in; empty before the first."""
    key: str
    """What it is known by in its note, whatever its place and its answer are."""
    sides: Mapping[Lang, Side]

    def id_in(self, note: str) -> str:
        """The id of its card: that of the note it belongs to and its key make it."""
        return "pn" + sha256(f"{note}\n{self.kind}\n{self.key}".encode()).hexdigest()[:18]


class _OneSide(Struct, frozen=True):
    kind: Kind
    place: tuple[str, str]
    """Section, and the component with its number in it or its name."""
    key: str
    side: Side


def identity(note: Note, aliases: Sequence[Alias]) -> str:
    """What the ids of a note's cards begin with: the first name that it had, so that they survive a move."""
    former = (alias.former for alias in aliases if alias.note == note.id)
    return next((name for name in former if name), note.id)


def flashcards(note: Note, body: Body, words: Words, marks: Marks) -> tuple[Flashcard, ...]:
    """All that there is to remember, in the order of the first language."""
    by_lang = {text.lang: list(_in_text(note, text, body, words, marks)) for text in note.texts}
    all_flashcards = list(_paired(by_lang))
    taken = Counter[tuple[str, str]]()
    for index, flashcard in enumerate(all_flashcards):
        name = flashcard.kind, flashcard.key
        taken[name] += 1
        if taken[name] > 1:  # the same words twice in a note
            all_flashcards[index] = replace(flashcard, key=f"{flashcard.key}\n{taken[name]}")
    return tuple(all_flashcards)


def _paired(by_lang: Mapping[Lang, list[_OneSide]]) -> Iterator[Flashcard]:
    """What is the same in several languages as one: by its place where the block has as many, else by its key."""
    left = {lang: list(several) for lang, several in by_lang.items()}
    for lang, several in by_lang.items():
        counts = Counter((side.kind, side.place) for side in several)
        for side in several:
            if side not in left[lang]:
                continue
            left[lang].remove(side)
            name = side.kind, side.place
            number = [other for other in several if (other.kind, other.place) == name].index(side)
            sides = {lang: side.side}
            for other_lang, others in by_lang.items():
                same = [other for other in others if (other.kind, other.place) == name]
                if other_lang == lang:
                    continue
                by_key = (other for other in same if other.key == side.key)
                twin = same[number] if len(same) == counts[name] else next(by_key, None)
                if twin in left[other_lang]:
                    left[other_lang].remove(twin)
                    sides[other_lang] = twin.side
            yield Flashcard(side.kind, side.place[0], side.key, sides)


def _in_text(note: Note, text: NoteText, body: Body, words: Words, marks: Marks) -> Iterator[_OneSide]:
    parsed = parse_note(text, words, files=note.files)
    tokens = parsed.tokens
    sections = {
        section.halves[text.lang].location.line: section.id for section in body.sections if text.lang in section.halves
    }
    reader = _Reader(parsed.context, tokens, marks)
    here, numbers, plain = "", Counter[str](), _Plain()
    at = 0
    while at < len(tokens):
        token = tokens[at]
        end = at
        if token.type == "heading_open" and token.level == 0 and token.map:
            yield from reader.listed(plain, here)
            here, numbers = sections.get(token.map[0] + text.first_line, here), Counter()
            plain = plain.below(tokens[at + 1], int(token.tag[1]))
            end = at + 2
        elif token.type == "component_open" and token.info in _COMPONENTS:
            numbers[token.info] += 1
            block = str(token.meta["id"] or "")
            where = here, f"{token.info} {block or numbers[token.info]}"
            end = closing(tokens, at)
            yield from reader.of(token.info, tokens[at + 1 : end], where, block)
        elif token.type == "dl_open" and plain.kind:
            end = closing(tokens, at)
            plain.pairs += _items(tokens[at + 1 : end])
        else:
            plain.tokens.append(token)
        at = end + 1
    yield from reader.listed(plain, here)


class _Plain(Struct):
    """The text of a section that is in no component of ours."""

    kind: Listing | None = None
    level: int = 0
    tokens: list[Token] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)

    def below(self, heading: Token, level: int) -> _Plain:
        """That of the next section: a deeper one lists what the one above lists."""
        kind = listing(heading.content)
        return _Plain(kind, level) if kind or level <= self.level else _Plain(self.kind, self.level)


class _Reader:
    """Reads the components of one text."""

    def __init__(self, context: Context, tokens: Sequence[Token], marks: Marks) -> None:
        self._context, self._marks = context, marks
        self._footnotes = _footnotes(tokens)

    def of(self, component: str, content: Sequence[Token], where: tuple[str, str], block: str) -> Iterator[_OneSide]:
        """What a component holds."""
        title: Sequence[Token] = ()
        if content and content[0].meta.get("title"):
            title, content = content[:1], content[1:]
        level = content[0].level if content else 0
        starts = [at for at, token in enumerate(content) if token.type == "dl_open" and token.level == level]
        items = [item for start in starts for item in _items(content[start + 1 : closing(content, start)])]
        before = content[: starts[0]] if starts else ()
        if component == "formula":
            name = block or _key(title) or _key(before or content)
            if title:
                yield self._made("formula", where, name, (title,), (before, content[len(before) :]))
            for term, meaning in items:
                yield self._made("line", where, f"{name}\n{_key(term)}", (before, term), (meaning,))
            return
        kind: Listing = "point" if component == "recall" else "symbol"
        for term, meaning in items if starts else pairs_of(content, kind):
            yield self._made(kind, where, _key(term), (term,), (meaning,))

    def listed(self, plain: _Plain, section: str) -> Iterator[_OneSide]:
        """What a section lists outside of components."""
        if plain.kind:
            for term, meaning in (*plain.pairs, *pairs_of(plain.tokens, plain.kind)):
                yield self._made(plain.kind, (section, "plain"), _key(term), (term,), (meaning,))

    def _made(
        self,
        kind: Kind,
        where: tuple[str, str],
        key: str,
        question: Sequence[Sequence[Token]],
        answer: Sequence[Sequence[Token]],
    ) -> _OneSide:
        asked, answered = (tuple(self._html(piece) for piece in pieces) for pieces in (question, answer))
        return _OneSide(kind, where, key, Side(asked, answered, tuple(self._context.slots)))

    def _rendered(self, tokens: Sequence[Token]) -> str:
        return rendered(tokens, self._context, self._marks).strip()

    def _html(self, tokens: Sequence[Token]) -> str:
        """The tokens as HTML, and after them the footnotes that they name."""
        html = self._rendered(tokens)
        named = dict.fromkeys(
            child.meta["id"] for token in tokens for child in token.children or () if child.type == "footnote_ref"
        )
        notes = ((number + 1, self._rendered(self._footnotes.get(number, ()))) for number in named)
        return html + "".join(f'<div class="footnotes">[{number}] {note}</div>' for number, note in notes)


def _items(tokens: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    """The items of a definition list: what stands in the terms, and in their explanations."""
    terms, meanings = list[Token](), list[Token]()
    at = 0
    while at < len(tokens):
        end = closing(tokens, at)
        inside = tokens[at + 1 : end]
        if tokens[at].type == "dt_open":
            if meanings:
                yield tuple(terms), tuple(meanings)
                terms, meanings = [], []
            terms += [Token("softbreak", "br", 0), *inside] if terms else inside
        else:
            meanings += inside
        at = end + 1
    if terms and meanings:
        yield tuple(terms), tuple(meanings)


def _footnotes(tokens: Sequence[Token]) -> Mapping[int, Sequence[Token]]:
    """The content of each footnote by its number, without the links back."""
    by_number: dict[int, Sequence[Token]] = {}
    for at, token in enumerate(tokens):
        if token.type == "footnote_open":
            inside = tokens[at + 1 : closing(tokens, at)]
            by_number[token.meta["id"]] = [token for token in inside if token.type != "footnote_anchor"]
    return by_number


def _key(tokens: Sequence[Token]) -> str:
    """The name that a writer has given to the words, or else their letters, digits and formulas.

    Marks and punctuation do not count, so that setting a comma right makes no other card.
    """
    for token in tokens:
        if name := token.meta.get("name"):
            return f"^{name}"
    parts: list[str] = []
    for token in tokens:
        if token.type == "math_block":
            parts.append(_tex(token.content))
        for child in token.children or ():
            if child.type.startswith("math"):
                parts.append(_tex(child.content))
            elif child.type in ("text", "code_inline"):
                folded = unicodedata.normalize("NFKC", child.content).casefold()
                parts.append("".join(sign for sign in folded if sign.isalnum()))
    return "".join(parts)


def _tex(tex: str) -> str:
    return f"${_SPACE.sub('', tex)}$"
