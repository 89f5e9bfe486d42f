"""Whether all words of an original have arrived: its text against that of the page, word for word and in order.

Two things are known of an original: the words that its reader sees (`ImportedText.words`), and its lines of nothing but
plain words, which need no knowledge of any syntax. So a bug in what both the reader and its words are made from, such
as where the front matter ends, is noticed, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape

from paper_notes.diagnostics import Location
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Span
from paper_notes.document.parse import parse
from paper_notes.features.importing.types import ImportFinding, Original
from paper_notes.languages.language import Language
from paper_notes.markdown.body import Body, Slot, section_numbers
from paper_notes.sources.tree import text_position

_SCRIPT = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_SCRIPT}]|[^\W_{_SCRIPT}]+")
"""Characters of scripts without spaces are words of their own."""
_SPACED = re.compile(
    r"</(?:p|li|td|th|tr|dt|dd|h\d|div|figcaption|figure|text|summary|pre|blockquote)>|<br[^>]*>", re.IGNORECASE
)
_HIDDEN = re.compile(r"<(style|script|template)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_LETTERS = str.maketrans("∏∑", "ΠΣ")
"""Signs of formulas that people write as letters."""
_MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
"""In formulas the signs of several words stand together."""
_TAG = re.compile(r"<[^>]*>")
_SHOWN_ATTRIBUTE = re.compile(r'\b(?:alt|aria-label|title)="([^"]*)"')
_FIGURE = re.compile(r'(?<=<span class="fig-label">)(?=[^<]*?(\d+)</span>)')
_SLOT = re.compile("\ufdd0(\\d+)\ufdd1")
_ROOM = 60
"""So many words of ours may stand between the words of a line."""
_MOST_MOVED = 20
"""More lines in another order than these say nothing new."""
_PARTS = re.compile(
    r"(?P<figure><svg\b(?:(?!<svg\b).)*?</svg\s*>|<img\b[^<>]*>|!\[[^\[\]\n]*\]\([^()\n]*\))"
    r"|(?P<table><table\b(?:(?!<table\b).)*?</table\s*>|(?m:^[ >]*\|.*(?:\n[ >]*\|.*)*))",
    re.DOTALL | re.IGNORECASE,
)
"""What a reader counts."""
_BEFORE = 6
"""So many words before a lost one say where it was."""
FRONT_MATTER = re.compile(
    r"---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*$|\+\+\+[ \t]*\n(?P<toml>.*?)^\+\+\+[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_OPENING = re.compile(
    r"(?m:^[ >]*(?P<fence>`{3,}|~{3,}))|<!--|%%|\{>>|\{/\*|<(?P<element>script|style|template|svg|math)\b|<[^<>]*>"
    r"|\(\([0-9a-f-]{36}\)\)"
    r"|\$\$|\\\[|\\begin\{|\{%|\{\{",
    re.IGNORECASE,
)
_CLOSING = {
    "<!--": "-->", "%%": "%%", "{>>": "<<}", "{/*": "*/}", "$$": "$$", "\\[": "\\]", "\\begin{": "\\end{", "{%": "%}",
    "{{": "}}",
}  # fmt: skip
"""What begins and ends what may have lines of plain words that no page shows as such."""
_MARK = re.compile(r"^[ \t>]*(?:#{2,6}|[-*+]|\d{1,9}[.)])[ \t]+")
"""What makes a line a section's heading or an item; a title is none of the text."""
_PLAIN_LINE = re.compile(r"(?!import |export )[^\W\d_][\w ,.;?!'’“”()（），。；：！？、-]*[.。!！?？]?")
_FEWEST = 4
"""Words that a plain line has at least: shorter ones may be names of something."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What has become of the words of an original."""

    characters: int
    """Of all its words."""
    lost: tuple[str, ...]
    """Words that are not there any more, as often as each is missing."""
    moved: tuple[str, ...]
    """Lines whose words are all there, but not together in this order."""

    @property
    def kept(self) -> int:
        """Characters of the words that have arrived."""
        return self.characters - sum(map(len, self.lost))


@dataclass(frozen=True, slots=True)
class Lost:
    """Words of one part of an original that have not arrived."""

    part: str
    """`figure`, `table`, or empty for the text."""
    number: int
    """Of the figure or table, or of the line."""
    words: tuple[str, ...]
    location: Location
    """Of the first of them."""


def words_of(text: str) -> list[str]:
    """The words of a text, as they are compared: signs, case and the width of letters do not count."""
    return _WORD.findall(_folded(text))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_LETTERS)).casefold()


def plain_lines(text: str) -> Iterator[str]:
    """The lines, headings and items of a Markdown file that are nothing but words, as it came; not its front matter."""
    front = FRONT_MATTER.match(text)
    text = _without_syntax(text[front.end() if front else 0 :])
    lines = (_MARK.sub("", line).strip() for line in text.split("\n"))
    return (line for line in lines if _PLAIN_LINE.fullmatch(line))


def _without_syntax(text: str) -> str:
    """The text with a mark in the place of what `_OPENING` begins."""
    kept, start = list[str](), 0
    for opening, end in closed(text, _OPENING, _ends):
        kept.append(text[start : opening.start()])
        start = end
    return "\0".join([*kept, text[start:]])


def _ends(opening: re.Match[str]) -> tuple[str, ...]:
    """The pattern of the end of a fence, an element, or a pair of signs; of a tag none."""
    sign = opening[0].lower()
    if fence := opening["fence"]:
        return (rf"^[ >]*{fence}",)
    if element := opening["element"]:
        return (rf"</{element.lower()}\s*>",)
    return (re.escape(_CLOSING[sign]),) if sign in _CLOSING else ()


def closed(
    text: str, opening: re.Pattern[str], ends: Callable[[re.Match[str]], Sequence[str]]
) -> Iterator[tuple[re.Match[str], int]]:
    """What an opening and the first of its `ends` in the text enclose: the opening, and where that end ends.

    Without patterns of ends it is a whole by itself; one that is not closed is passed over. An end that is missing once
    is not looked for again: else each of many openings would look through all the rest.
    """
    start, missing = 0, set[str]()
    while match := opening.search(text, start):
        start = match.end()
        patterns = ends(match)
        for end in patterns:
            if end not in missing:
                if closing := re.compile(end, re.IGNORECASE | re.MULTILINE).search(text, start):
                    start = closing.end()
                    yield match, start
                    break
                missing.add(end)
        if not patterns:
            yield match, start


def with_plain_lines(words: str, original: Original) -> str:
    """The words of an original as its reader sees them, and lines of the file that it has not seen."""
    if original.path.suffix.lower() in (".html", ".htm"):
        return words  # which come from the file itself
    seen = f" {' '.join(words_of(words))} "
    lines = ((line, words_of(line)) for line in dict.fromkeys(plain_lines(original.text)))
    unseen = [line for line, own in lines if len(own) >= _FEWEST and f" {' '.join(own)} " not in seen]
    return "\n".join([words, *unseen])


def compare_words(original: str, arrived: str, elsewhere: Callable[[], str] = str) -> Kept:
    """Compare the visible text of an original, line by line, with the HTML of the page.

    Words that the page shows in another form, such as the TeX of a formula, may also be `elsewhere`.
    """
    lines = [(line, words_of(line)) for line in original.split("\n")]
    wanted = Counter(word for _, words in lines for word in words)
    forms = [words_of(visible(arrived, apart=apart)) for apart in (True, False)]
    counts = Counter(forms[0]) | Counter(forms[1]) | Counter(words_of(unescape(_TAG.sub("", arrived))))
    gone = wanted - counts
    missing = +gone
    if missing:
        signs = _folded("".join(visible(formula, apart=False) for formula in _MATH.findall(arrived)))
        missing -= Counter({word: signs.count(word) for word in missing})
        missing -= Counter(words_of(elsewhere()))
    lost = tuple(_lost(lines, missing)) if missing else ()
    moved = [frozenset(_moved(lines, form, gone)) for form in forms]
    torn = tuple(line.strip() for place, (line, _) in enumerate(lines) if place in moved[0] & moved[1])
    return Kept(sum(map(len, wanted.elements())), lost, torn)


def _lost(lines: Sequence[tuple[str, Sequence[str]]], missing: Counter[str]) -> Iterator[str]:
    """The missing words in the order of the original: of a word that is there too rarely, the last ones."""
    left = Counter(word for _, words in lines for word in words)
    for _, words in lines:
        for word in words:
            if 0 < left[word] <= missing[word]:
                yield word
            left[word] -= 1


def _moved(lines: Sequence[tuple[str, Sequence[str]]], shown: Sequence[str], gone: Counter[str]) -> Iterator[int]:
    """The places of lines whose words are not near each other in this order."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(shown):
        places[word].append(place)
    cursor = 0
    for number, (_, words) in enumerate(lines):
        present = [word for word in words if word not in gone and word in places]
        if not present:
            continue
        end = _end(present, shown, cursor) or next(
            (end for start in places[present[0]] if (end := _end(present, shown, start))), None
        )
        if end is None:
            yield number
        else:
            cursor = end


def _end(words: Sequence[str], shown: Sequence[str], start: int) -> int | None:
    """Where these words end, which begin at `start` or a little behind it and are near each other."""
    place = start
    limit = start + len(words) + _ROOM
    for word in words:
        while place < len(shown) and place < limit and shown[place] != word:
            place += 1
        if place >= min(len(shown), limit):
            return None
        place += 1
    return place


def page_html(body: Body, shown: Mapping[str, str]) -> str:
    """All that a reader sees of a body, as HTML: its texts in every language, one after the other.

    `shown` has the words that a reference to a note shows, by its target, where the author gave none.
    """
    parts: list[str] = []
    for lang, half in body.halves.items():
        htmls = [half.lead]
        for section, number in zip(body.sections, section_numbers(body.sections), strict=True):
            if lang in section.halves:
                htmls += [f"{number} {section.halves[lang].heading}", section.halves[lang].html]
        parts += [_html(html, half.slots, shown) for html in (*htmls, half.footnotes)]
    return "\n".join(parts)


def visible(html: str, *, apart: bool) -> str:
    """The text of a page. Inline elements cut words in two if they are `apart`: labels do, indices do not."""
    html = _HIDDEN.sub(" ", html)
    attributes = " ".join(_SHOWN_ATTRIBUTE.findall(html))
    return unescape(f"{_TAG.sub(' ' if apart else '', _SPACED.sub(' ', html))} {attributes}")


def with_typed_labels(html: str) -> str:
    """The HTML of a page whose figures also have the `Fig. 1` that its own label may have taken the place of."""
    return _FIGURE.sub(r"Fig. \1 ", html)


def _html(html: str, slots: Sequence[Slot], shown: Mapping[str, str]) -> str:
    def words(match: re.Match[str]) -> str:
        slot = slots[int(match[1])]
        return escape(f" {slot.text or shown.get(slot.target, slot.target)} ")

    return _SLOT.sub(words, with_typed_labels(html))


def lost_parts(original: Original, kept: Kept) -> list[Lost]:
    """The lost words by the figure, the table or the line that they are in."""
    counts: Counter[str] = Counter()
    spans: list[tuple[tuple[int, int], tuple[int, int], str, int]] = []
    for match in _PARTS.finditer(original.text) if kept.lost else ():
        kind = match.lastgroup or ""
        counts[kind] += 1
        ends = text_position(original.text, match.start()), text_position(original.text, match.end())
        spans.append((*ends, kind, counts[kind]))
    parts: dict[tuple[str, int], Lost] = {}
    for word, where in _located(original, kept):
        at = (where.line, where.column)
        part = next(((kind, number) for start, end, kind, number in spans if start <= at < end), ("", where.line))
        before = parts.get(part)
        parts[part] = Lost(*part, (*(before.words if before else ()), word), before.location if before else where)
    return list(parts.values())


def with_lost_marked(body: str, original: Original, shown: str, kept: Kept, words: Language) -> str:
    """The text of a note with a box for each part that lost words, behind what is before them in the original."""
    file = f"`{original.path.name.replace('`', '')}`"
    for lost in reversed(lost_parts(original, kept)):
        part = words(f"lost.{lost.part or 'line'}", number=str(lost.number))
        said = words("lost.words", part=part, file=file, words=" ".join(lost.words))
        body = _with_box(body, said, _words_before(shown, lost.words[0], {*kept.lost}))
    return body


def _words_before(shown: str, word: str, lost: Collection[str]) -> list[str]:
    """The last words before the last place of a word, without those that are lost, too."""
    all_words = words_of(shown)
    place = len(all_words) - 1 - all_words[::-1].index(word) if word in all_words else 0
    return [earlier for earlier in all_words[:place] if earlier not in lost][-_BEFORE:]


def _with_box(body: str, said: str, before: Sequence[str]) -> str:
    """The text with a warning behind the block that has most of these words, or else at its beginning."""
    spans = [block.span for block in parse(body).blocks]
    texts = [f" {' '.join(words_of(body[slice(*span)]))} " for span in spans]
    ends = (f" {' '.join(before[start:])} " for start in range(len(before)))
    block = next((at for end in ends for at, text in enumerate(texts) if end in text), None)
    box = f":::warning\n{said}\n:::"
    if block is None:
        return f"{box}\n\n{body}"
    end = spans[block].end
    return apply(body, [Edit(Span(end, end), f"\n\n{box}")])


def lost_words(original: Original, kept: Kept) -> Iterator[ImportFinding]:
    """A finding for each word that is lost and each line that is not together any more, at their places."""
    for word, where in _located(original, kept):
        yield ImportFinding("lost", "lost-word", f'"{word}" is lost', where)
    for line in kept.moved[:_MOST_MOVED]:
        yield ImportFinding(
            "doubtful", "moved-words", f'the words of "{line[:60]}" are in another order', _line(original, line)
        )


def _located(original: Original, kept: Kept) -> Iterator[tuple[str, Location]]:
    """Each lost word, and where it is."""
    lines = [(line, frozenset(words_of(line))) for line in original.text.split("\n")] if kept.lost else []
    places = {word: _places(lines, word) for word in dict.fromkeys(kept.lost)}
    for word in kept.lost:
        where = places[word].pop() if len(places[word]) > 1 else places[word][0]
        yield word, Location(original.path, *where)


def _places(lines: list[tuple[str, frozenset[str]]], word: str) -> list[tuple[int, int]]:
    """Line and column of each place of a word; the last ones are those that are lost."""
    return [
        (number, match.start() + 1)
        for number, (line, words) in enumerate(lines, 1)
        if word in words
        for match in re.finditer(re.escape(word), line, re.IGNORECASE)
    ] or [(1, 1)]


def _line(original: Original, text: str) -> Location:
    """The line of the original whose words begin like these."""
    wanted = words_of(text)[:6]
    for number, line in enumerate(original.text.split("\n"), 1):
        if wanted and wanted == words_of(_TAG.sub("", line))[: len(wanted)]:
            return Location(original.path, number)
    return Location(original.path)
