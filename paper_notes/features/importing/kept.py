"""Whether all words of an original have arrived: its text against that of the page, word for word and in order."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape

from paper_notes.markdown.body import Body, Slot, section_numbers

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


def words_of(text: str) -> list[str]:
    """The words of a text, as they are compared: signs, case and the width of letters do not count."""
    return _WORD.findall(_folded(text))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_LETTERS)).casefold()


def compare_words(original: str, arrived: str, elsewhere: str = "") -> Kept:
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
        signs = _folded("".join(visible(found, apart=False) for found in _MATH.findall(arrived)))
        missing -= Counter({word: signs.count(word) for word in missing})
        missing -= Counter(words_of(elsewhere))
    lost = tuple(_lost(lines, missing)) if missing else ()
    moved = [frozenset(_moved(lines, there, gone)) for there in forms]
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


def _moved(lines: Sequence[tuple[str, Sequence[str]]], there: Sequence[str], gone: Counter[str]) -> Iterator[int]:
    """The places of lines whose words are not near each other in this order."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(there):
        places[word].append(place)
    cursor = 0
    for number, (_, words) in enumerate(lines):
        present = [word for word in words if word not in gone and word in places]
        if not present:
            continue
        end = _end(present, there, cursor) or next(
            (end for start in places[present[0]] if (end := _end(present, there, start))), None
        )
        if end is None:
            yield number
        else:
            cursor = end


def _end(words: Sequence[str], there: Sequence[str], start: int) -> int | None:
    """Where these words end, which begin at `start` or a little behind it and are near each other."""
    place = start
    limit = start + len(words) + _ROOM
    for word in words:
        while place < len(there) and place < limit and there[place] != word:
            place += 1
        if place >= min(len(there), limit):
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
    def words(found: re.Match[str]) -> str:
        slot = slots[int(found[1])]
        return escape(f" {slot.text or shown.get(slot.target, slot.target)} ")

    return _SLOT.sub(words, with_typed_labels(html))
