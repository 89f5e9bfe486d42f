"""The headings of a foreign text: which of them is the title, and the level, words and id of each other one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

from paper_notes.diagnostics import NOWHERE
from paper_notes.features.importing.markdown.anchors import heading_name
from paper_notes.features.importing.markdown.lines import ITEM, Line, prose
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang
from paper_notes.markdown.body import SectionHalf
from paper_notes.markdown.sections import RawSection, is_reserved, pair, usual_id

_ATX = re.compile(r"(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_RULE = re.compile(r"(=+|-+)[ \t]*")
_HTML = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1>", re.IGNORECASE)
_ID = re.compile(r"[ \t]*\{:?[ \t]*([^{}]*)\}[ \t]*$")
_VALID = re.compile(r"[A-Za-z][\w-]*")
_ANCHOR = re.compile(r"""<a\s+(?:name|id)\s*=\s*["']?([^"'\s>]+)["']?\s*/?>(?:\s*</a>)?""", re.IGNORECASE)
_CONTAINER = re.compile(r":{3,}\s*(.*)")
_DETAILS = re.compile(r"</?details\b", re.IGNORECASE)
_CHINESE = "一二三四五六七八九十"
_NUMBER = re.compile(
    rf"(?:§\s*)?(?P<digits>\d{{1,2}}(?:\.\d{{1,2}}){{0,3}})(?:[.、:：)）](?!\d)\s*|\s+)(?=\S)"
    rf"|第?(?P<words>[{_CHINESE}]{{1,3}})(?:[、.．:：]|[章节節部][、:：\s]?)\s*(?=\S)"
    r"|[(（](?P<bracket>\d{1,2})[)）]\s*(?=\S)"
)
_MARKS = re.compile(
    r"(?<!\\)\*+|`+|~~|==|(?<![\w\\])_+(?=\S)|(?<=\S)(?<!\\)_+(?!\w)|!?\[(?P<words>[^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?"
    r"|(?<!\\)<[^<>]*>|(?<!\w)\$(?P<tex>[^$\s\d][^$]*)\$"
)
_PICTURES = re.compile(
    r"\[?!\[[^\[\]]*\]\([^()]*\)(?:\]\([^()]*\))?|<[^<>]*>|\{:?[^{}]*\}|^(?:import|export)\s.*|^:{3,}.*|%%.*"
)
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_SUBTITLE = re.compile(r":\s|：|\s[-–—]\s")
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the text itself, not of a box or list in it."""

    line: int
    """In the original, from 1."""
    lines: int
    """How many lines it takes."""
    written: int
    """The level that it has there."""
    text: str
    """Markdown, without a number that it has here anyway."""
    level: int
    id: str = ""
    """Written in the original, and one that it can have here."""
    aliases: tuple[str, ...] = ()
    """Other ids that the original gives it."""
    number: str = ""
    """The digits of a hand-typed number that was left out of `text`."""
    own: str = ""
    """That number, if the page would give it another one."""


@dataclass(frozen=True, slots=True)
class Headings:
    """All headings of a text."""

    title: str
    """Markdown of the first heading if it is that of the whole text, else empty."""
    title_line: int
    """Where that is; 0 without one."""
    title_lines: int
    sections: tuple[Heading, ...]

    def at(self) -> dict[int, Heading]:
        """The headings by their first line."""
        return {heading.line: heading for heading in self.sections}


def headings(lines: Sequence[Line], *, titled: str = "") -> Headings:
    """The headings of these lines. The first one of level 1 is the title, unless the text is `titled` otherwise.

    `# ReAct` is that of a text titled `ReAct: Synergizing Reasoning and Acting`, too.
    """
    found = [*_found(lines)]
    title = next((one for one in found if one[2] == 1), None)
    if title and (title is not found[0] or (titled and not _is_title(plain(title[3]), titled))):
        title = None
    if title and not titled and (_has_words(lines, title[0]) or (_is_usual(title[3]) and len(_tops(found)) > 1)):
        title = None
    rest = [one for one in found if one is not title and plain(one[3])]
    made: list[Heading] = []
    above: list[int] = []
    counter = _Counter()
    taken: set[str] = set()
    for number, count, written, text, names in rest:
        while above and above[-1] >= written:
            above.pop()
        above.append(written)
        level = min(len(above) + 1, 4)
        hand = typed_number(text) if level < 4 else None
        own = counter.next(level, hand[0] if hand else None)
        stripped = folded(text[: hand[1]]) if hand else ""
        text = text[hand[1] :] if hand else text
        usable = [name for name in names if _usable(name) and name not in taken]
        taken |= {*usable[:1]}
        chosen = usable[0] if usable else ""
        aliases = tuple(name for name in names if name != chosen)
        made.append(Heading(number, count, written, text, level, chosen, aliases, stripped, own))
    if title is None:
        return Headings("", 0, 0, tuple(made))
    return Headings(title[3], title[0], title[1], tuple(made))


def _is_title(heading: str, titled: str) -> bool:
    return folded(heading) in (folded(titled), folded(_SUBTITLE.split(titled)[0]))


@dataclass
class _Counter:
    """Numbers of sections as the page counts them; it goes on from a number of a section's own."""

    above: str = ""
    first: int = 0
    second: int = 0

    def next(self, level: int, hand: str | None) -> str:
        """The number typed by hand before the next section if it is not the one that the page gives it."""
        if level == 2:
            usual = str(self.first + 1)
            self.above, self.second = hand or usual, 0
            self.first = int(self.above) if self.above.isdecimal() else self.first
        elif level == 3:
            usual = f"{self.above}.{self.second + 1}"
            given = hand or usual
            last = given.removeprefix(f"{self.above}.")
            self.second = int(last) if last != given and last.isdecimal() else self.second
        else:
            return ""
        return hand if hand and hand != usual else ""


_Found = tuple[int, int, int, str, list[str]]


def _tops(found: Sequence[_Found]) -> list[_Found]:
    return [one for one in found if one[2] == 1]


def _is_usual(text: str) -> bool:
    """Whether a heading names a section that many notes have, such as the abstract."""
    return bool(usual_id(plain(text), words_in("zh").languages))


def _has_words(lines: Sequence[Line], number: int) -> bool:
    """Whether there is text before this line: more than pictures, tags and a table of contents."""
    before = (line for _, line in prose(lines) if line.number < number)
    return any(plain(_PICTURES.sub("", line.words)).strip("[] ").lower() not in ("", "toc", "- toc") for line in before)


def _found(lines: Sequence[Line]) -> list[_Found]:
    """Line, number of lines, level, text and ids of each heading."""
    found: list[_Found] = []
    waiting: list[str] = []
    depth, paragraph = 0, False
    before, before_at = Line(0, ""), -2
    for place, line in prose(lines):
        words = line.words
        if container := _CONTAINER.match(words):
            depth = depth + 1 if container[1].strip(": ") else max(depth - 1, 0)
        for tag in _DETAILS.finditer(words):
            depth = max(depth + (-1 if words[tag.start() + 1] == "/" else 1), 0)
        if line.indent > 3 or depth:
            paragraph = False
            continue
        waiting += [name for name in _ANCHOR.findall(words) if not words.startswith("#")]
        atx = _ATX.fullmatch(words)
        html = _HTML.fullmatch(words)
        below = place == before_at + 1
        if atx or html:
            level, text = (len(atx[1]), atx[2] or "") if atx else (int(html[1]), html[2]) if html else (0, "")
            found.append((line.number, 1, level, *_with_ids(text, waiting)))
            waiting, paragraph = [], False
        elif below and paragraph and _RULE.fullmatch(words):
            count = line.number - before.number + 1
            found.append((before.number, count, 1 if words[0] == "=" else 2, *_with_ids(before.words, waiting)))
            waiting, paragraph = [], False
        else:
            starts = words[0] in ">|<" or ITEM.match(words) or words.startswith((":::", "!!!", "???", "==="))
            paragraph = not starts and (paragraph or not below)
        before, before_at = line, place
    return found


def _with_ids(text: str, waiting: list[str]) -> tuple[str, list[str]]:
    names = [*waiting, *_ANCHOR.findall(text)]
    text = _ANCHOR.sub("", text).strip()
    if name := heading_name(text):
        text = text.removesuffix(name).rstrip()
        names.append(name)
    while options := _ID.search(text):
        if not re.search(r"[.#=]", options[1]) and options[1].strip() != "-":
            break
        names[:0] = [option[1:] for option in options[1].split() if option.startswith("#") and len(option) > 1]
        text = text[: options.start()].rstrip()
    return text, names


def _usable(name: str) -> bool:
    return bool(_VALID.fullmatch(name)) and not is_reserved(name, LANGUAGES)


LANGUAGES = tuple(map(Lang, ("zh", "en", "ja", "zh-Hant")))
"""Those in which we know the usual names of sections."""


@lru_cache(maxsize=8)
def words_in(lang: str) -> Words:
    """The words of a site with texts in this language."""
    first = next((tag for tag in LANGUAGES if tag == lang), LANGUAGES[1])
    return Words.of(first, *(tag for tag in LANGUAGES[:2] if tag != first))


def typed_number(text: str) -> tuple[str, int] | None:
    """A number typed by hand before a heading, and where its words begin."""
    found = _NUMBER.match(text)
    if not found:
        return None
    if found["digits"] and found.end() == len(found["digits"]) + 1 and "." not in found[0]:
        rest = text[found.end() :]
        if re.match(r"[a-z]|[-–—x×%/]", rest) or len(found["digits"]) > 2:
            return None  # `3 ways to`, `2 x 4`
    if found["words"]:
        return str(_value(found["words"])), found.end()
    return found["digits"] or found["bracket"], found.end()


def _value(words: str) -> int:
    """The number that Chinese words mean, up to 99."""
    tens, ten, ones = words.rpartition("十")
    value = (_CHINESE.index(tens[0]) + 1 if tens else 1) * 10 if ten else 0
    return value + (_CHINESE.index(ones[0]) + 1 if ones else 0)


def plain(text: str) -> str:
    """Markdown of one line as text, nearly."""
    parts = _CODE.split(text)
    for place in range(0, len(parts), 3):
        part = parts[place]
        while (shorter := _MARKS.sub(lambda found: found["words"] or found["tex"] or "", part)) != part:
            part = shorter
        parts[place] = unescape(part).replace("\\", "")
    return " ".join("".join(part for place, part in enumerate(parts) if place % 3 != 1).split())


def folded(name: str) -> str:
    """What all ways to make an id from a heading leave of it: its letters and digits, in small ones."""
    return _SIGNS.sub("", name.casefold())


def section_ids(found: Headings, lang: str) -> tuple[tuple[str, str], ...]:
    """For each name that a link may use for a section, folded, the id that it has on our page. First ones first."""
    words = words_in(lang)
    tag, languages = words.tags[0], words.languages
    taken: set[str] = set()
    raw: list[RawSection] = []
    half = SectionHalf("", "", "", NOWHERE)
    for heading in found.sections:
        name = plain(heading.text)
        section = heading.id or usual_id(name, languages)
        if section in taken or (section and is_reserved(section, words.tags)):
            section = ""
        taken.add(section)
        raw.append(RawSection(section, heading.level, name, half))
    ids = [section.id for section in pair({tag: tuple(raw)}, words)[0]]
    made = _names([*zip(found.sections, ids, strict=True)])
    if found.title:
        made.setdefault(folded(plain(found.title)), "")
    return tuple(made.items())


def _names(sections: Sequence[tuple[Heading, str]]) -> dict[str, str]:
    """The ids of sections by their folded names: ids first, then headings, then those of equal headings."""
    made: dict[str, str] = {}
    for heading, section in sections:
        for name in (heading.id, *heading.aliases):
            made.setdefault(folded(name), section)
    again: list[tuple[str, str]] = []
    uses: Counter[str] = Counter()
    for heading, section in sections:
        name = folded(plain(heading.text))
        for known in (name, heading.number + name, folded(section)):
            made.setdefault(known, section)
        again += [(f"{name}{number}", section) for number in (uses[name], uses[name] + 1) if uses[name]]
        uses[name] += 1
    for name, section in again:
        made.setdefault(name, section)
    made.pop("", None)
    return made
