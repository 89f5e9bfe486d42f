"""What a browser shows of HTML, in the order of the source: the originals' own, and that of our pages."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape
from paper_notes.values import Struct, field

Link = Literal["", "section", "page"]
"""Where words lead that are a link: to a section of their page, or to another page of the same collection."""
Part = Literal["", "heading", "figure", "table", "fact"]
"""Where words stand, as a reader would say it; `fact`: in the front matter."""

_SCRIPT = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
NUMBER = "\ue000"
"""Before the number of a heading, which is one word: a lost `3` of a table is not found in the number of a section."""
_WORD = regex(rf"{NUMBER}[\d.]*\d|[{_SCRIPT}]|[^\W\d_{_SCRIPT}]+|\d+")
"""Characters of scripts without spaces are words of their own, and so are numbers: the mark of a note may touch one."""
_LETTERS = str.maketrans("∏∑", "ΠΣ")
"""Signs of formulas that people write as letters."""
_TYPED = regex(r"\s*(?:§\s*)?(\d+(?:\.\d+)*)(?:[.、)）:：]?(?=\s|$)|[.、)）:：](?!\d))")
_DIGITS = "零一二三四五六七八九十"
_COUNTED = regex(rf"\s*(十?)([{_DIGITS}])[、.．]")

_TAG = regex(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[|\]\]>|<[!?][^>]*>"
    r"|<(?P<end>/?)(?P<name>[a-zA-Z][^\s/<>]*)(?P<attributes>(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+'){0,99}+)>",
    re.DOTALL,
)
"""A hundred attributes at most: else each of many tags that are never closed would look through all the rest."""
_ATTRIBUTE = regex(r"""([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_TIPS = ("alt", "title", "aria-label")
"""Attributes that are told in the place of a picture, or beside the pointer."""
_HIDDEN = regex(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_HIDING = regex(r"(?<![^\s}>])\.([\w-]+)\s*\{[^{}]*\bdisplay\s*:\s*none")
_ELSEWHERE = regex(r"[a-z][a-z0-9+.-]*:|//|\Z", re.IGNORECASE)
_LIST_TAG = regex(r"<(/?)(ol|ul|menu|li)(?![\w-])", re.IGNORECASE)
_TYPED_NOWHERE = frozenset("hidden checkbox radio password file image color range".split())
"""Fields of forms that show no words."""
_UNSEEN = frozenset(
    "script style template noscript metadata iframe video audio object datalist head title desc".split()
)
_RAW = frozenset({"script", "style", "title", "textarea"})
"""Elements that hold no others."""
_APART = frozenset(
    "address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section select summary svg table tbody"
    " td text textarea tfoot th thead tr tspan ul".split()
)
"""Elements whose words do not run into those around."""
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ol", "ul", "menu"})
_PARTS = _HEADINGS | {"figure", "svg", "table"}
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_GLYPHS = frozenset("katex-html MathJax MathJax_Preview MathJax_SVG MathJax_CHTML MathJax_Display mjx-math".split())
"""What draws a formula whose TeX or MathML is beside it."""
_TEX = regex(r"<annotation[^>]*application/x-tex[^>]*>(.*?)</annotation", re.DOTALL | re.IGNORECASE)
_TEX_REMARK = regex(r"(?<!\\)%[^\n]*|<!\[CDATA\[|\]\]>")
_NUMBERED = regex(r"(\\(?:begin|end)\{(?:align|alignat|equation|gather|multline|flalign|eqnarray))\}")
"""Environments that number their lines, which a page does in its own way."""
_EQUATION_TAG, _TAG_NUMBER = re.compile(r"\\tag\*?\{([^{}]*)\}"), re.compile(r"\(t(\d)\)")
"""The converter only leaves a place for what `\\tag` shows."""
_WRITTEN_TEX = regex(r"\$\$(.+?)\$\$|\\\((.+?)\\\)|\\\[(.+?)\\\]|\$([^$\n]+)\$", re.DOTALL)
_SETS_TEX = regex(r"<script[^<>]*(?:mathjax|katex)|renderMathInElement", re.IGNORECASE)


class VisiblePart(Struct, frozen=True):
    """Words that stand together: of a paragraph, a cell, a caption."""

    text: str
    line: int = 0
    part: Part = ""
    number: int = 0
    """Of the figure or table, from 1."""
    is_tip: bool = False
    """Whether it is only told in the place of a picture, or beside the pointer: `alt` and `title`."""
    level: int = 0
    """Of a heading."""
    link: Link = ""
    """Where all of it leads."""


def link_to(address: str) -> Link:
    """What a link leads to."""
    return "section" if address.startswith("#") else "" if _ELSEWHERE.match(address) else "page"


def words_of(text: str) -> list[str]:
    """The words of a text, as they are compared: signs, case, ligatures and the width of letters do not count."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_LETTERS))
    return _WORD.findall(text.casefold())


def numbered(heading: str) -> str:
    """The words of a heading, the number before them marked as one."""
    if typed := _TYPED.match(heading):
        return f"{NUMBER}{typed[1]} {heading[typed.end() :]}"
    if typed := _COUNTED.match(heading):
        return f"{NUMBER}{_DIGITS.index(typed[2]) + 10 * bool(typed[1])} {heading[typed.end() :]}"
    return heading


@lru_cache(maxsize=1000)
def formula(tex: str) -> str:
    """The signs of a formula as a page shows them; its TeX if no page can."""
    tex = _NUMBERED.sub(r"\1*}", _TEX_REMARK.sub("", tex))
    tags = _EQUATION_TAG.findall(tex)
    try:
        shown = unescape(_TAG.sub("", mathml(tex.strip(), display=True)))
    except TexProblem:
        return f" {tex} "
    return f" {_TAG_NUMBER.sub(lambda match: f' {tags[int(match[1])]} ', shown) if tags else shown} "


@lru_cache(maxsize=4000)
def _attributes(written: str) -> tuple[Mapping[str, str], frozenset[str]]:
    """The attributes of a tag, and its classes. Remembered, as most tags of a page are alike."""
    said: dict[str, str] = {}
    for name, *forms in _ATTRIBUTE.findall(written):
        said.setdefault(name.lower(), unescape("".join(forms)))
    return said, frozenset(said.get("class", "").split())


class Lines:
    """The lines of offsets in a text."""

    def __init__(self, text: str, first: int = 1) -> None:
        self._ends = [match.end() for match in re.finditer("\n", text)]
        self._first = first

    def __call__(self, offset: int) -> int:
        return bisect_right(self._ends, offset) + self._first


class _Reading(Struct):
    """The state of one walk."""

    pieces: list[VisiblePart] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """Of the piece that is being read."""
    link: Link = ""
    """Where the open link leads."""
    links: set[Link] = field(default_factory=set)
    """Where the words of the piece lead."""
    line: int = 1
    """Where it begins."""
    part: Part = ""
    number: int = 0
    level: int = 0
    open: list[tuple[str, Part, int]] = field(default_factory=list)
    """The open figures, drawings, tables and headings, with what is within them."""
    unclosed: set[str] = field(default_factory=set)
    """Elements whose end is missing: it is not looked for again."""
    counts: dict[str, int] = field(default_factory=dict)
    lists: list[tuple[int, int, int]] = field(default_factory=list)
    """Of the open lists the next number, how far it is to the one behind it (0 without numbers), and the last one."""
    ended: tuple[int, int] = (0, 0)
    """The last number of the last list, and the pieces up to its end."""

    def flush(self) -> None:
        text = "".join(self.words).strip()
        if text:
            text = numbered(text) if self.level else text
            link = next(iter(self.links)) if len(self.links) == 1 else ""
            self.pieces.append(VisiblePart(text, self.line, self.part, self.number, level=self.level, link=link))
        self.words.clear()
        self.links.clear()

    def tip(self, text: str, line: int, *, of_picture: bool) -> None:
        if text.strip():
            part: Part = "figure" if of_picture else self.part
            self.pieces.append(VisiblePart(text, line, part, self.counts.get(part, 0), is_tip=True))


def visible(  # noqa: C901 -- the kinds of tags
    html: str, first_line: int = 1, is_unseen: Callable[[str, Collection[str], Mapping[str, str]], bool] | None = None
) -> Iterator[VisiblePart]:
    """The pieces of a page. `is_unseen` tells of a tag, its classes and attributes whether it is passed over, too.

    With it, what is told beside the pointer or to a screen reader is a tip, too: originals need only that of pictures.
    """
    at, now = Lines(html, first_line), _Reading()
    has_tex = is_unseen is None and bool(_SETS_TEX.search(html))
    hiding = frozenset(_HIDING.findall(html)) if "<style" in html else frozenset[str]()
    items = _items(html) if "reversed" in html else {}
    start, end = 0, len(html)
    while start < end:
        tag = _TAG.search(html, start)
        text = html[start : tag.start() if tag else end]
        if text and not text.isspace():
            if not now.words:
                now.line = at(start + len(text) - len(text.lstrip()))
            text = unescape(text) if "&" in text else text
            now.words.append(written_tex(text) if has_tex else text)
            if now.link or any(map(str.isalpha, text)):
                now.links.add(now.link)
        elif text and now.words:
            now.words.append(text)
        if tag is None:
            break
        start = tag.end()
        is_end, name, attributes = tag.group("end", "name", "attributes")
        if not name:
            continue
        name = name.lower()
        if is_end:
            if name in _APART:
                now.flush()
            elif name in ("sup", "sub"):
                now.words.append(" ")
            now.link = "" if name == "a" else now.link
            if now.open and any(name == known for known, _, _ in now.open[-20:]):
                while now.open.pop()[0] != name:
                    pass
                _enter(now)
            if name in _LISTS and now.lists:
                now.ended = now.lists.pop()[2], len(now.pieces)
            continue
        said, classes = _attributes(attributes)
        if name == "script" and "math/tex" in attributes:
            start = _closing(html, name, start, now.unclosed)
            now.words.append(formula(html[tag.end() : start].rpartition("<")[0]))
        elif name == "math":
            start = _closing(html, name, start, now.unclosed)
            inner = html[tag.end() : start]
            tex = _TEX.search(inner)
            now.words.append(formula(unescape(tex[1])) if tex else f" {unescape(_TAG.sub('', inner))} ")
        elif (
            name in _UNSEEN
            or "hidden" in said
            or ("style" in said and _HIDDEN.search(said["style"]))
            or (classes and (classes & _GLYPHS or classes & hiding))
            or (classes and is_unseen is not None and is_unseen(name, classes, said))
        ):
            start = start if name in _VOID or attributes.endswith("/") else _closing(html, name, start, now.unclosed)
            now.flush()
        else:
            if name in _APART:
                now.flush()
            elif name in ("sup", "sub") and now.words:
                now.words.append(" ")
            if name == "a":
                now.link = link_to(said["href"]) if "href" in said else ""
            _open(now, name, is_empty=attributes.endswith("/"))
            if name in _LISTS or name == "li":
                _number(now, name, said, items.get(tag.start(), 0))
            elif name == "input" and said.get("type", "").lower() not in _TYPED_NOWHERE:
                now.words.append(f" {said.get('value', '')} ")
            if name == "img":
                now.counts["figure"] = now.counts.get("figure", 0) + (now.part != "figure")
            told = _TIPS if is_unseen is not None else ("alt",) if name == "img" else ()
            for kind in told:
                now.tip(said.get(kind, ""), at(tag.start()), of_picture=name == "img")
            if "sn" in classes:
                now.words.append(NUMBER)
    now.flush()
    yield from now.pieces


def written_tex(text: str) -> str:
    """The text with formulas between dollars or backslashes as pages show them."""
    return _WRITTEN_TEX.sub(lambda match: formula(next(filter(None, match.groups()))), text)


def _open(now: _Reading, name: str, *, is_empty: bool) -> None:
    if name not in _PARTS:
        return
    part: Part = "figure" if name in ("figure", "svg") else "table" if name == "table" else ""
    if part and now.part != part:
        now.counts[part] = now.counts.get(part, 0) + 1
    if not is_empty:
        level = int(name[1]) if not part and now.part == "" else 0
        now.open.append((name, part or now.part or "heading", level))
        _enter(now)


def _enter(now: _Reading) -> None:
    """The part that the innermost open element is."""
    _, now.part, now.level = now.open[-1] if now.open else ("", "", 0)
    now.number = now.counts.get(now.part, 0)


def _items(html: str) -> dict[int, int]:
    """How many items each list has, by where it begins."""
    counts, opened = dict[int, int](), list[int]()
    for tag in _LIST_TAG.finditer(html):
        if tag[2].lower() == "li":
            if opened and not tag[1]:
                counts[opened[-1]] += 1
        elif not tag[1]:
            counts[tag.start()] = 0
            opened.append(tag.start())
        elif opened:
            opened.pop()
    return counts


def _number(now: _Reading, name: str, said: Mapping[str, str], items: int) -> None:
    """Count a list, or an item of one, whose number is a word if it neither follows the one before it nor is 1."""
    numbers = [int(said[key]) for key in ("start", "value") if re.fullmatch(r"-?\d{1,9}", said.get(key, ""))]
    if name != "li":
        step = 0 if name != "ol" else -1 if "reversed" in said else 1
        before = now.ended[0] if now.ended[1] == len(now.pieces) else 0  # Notion has a list for each item
        now.lists.append((numbers[0] if numbers else items if step < 0 else 1, step, before))
    elif now.lists and now.lists[-1][1]:
        number, step, before = now.lists[-1]
        number = numbers[0] if numbers else number
        if number not in (1, before + 1):
            now.words.append(f"{NUMBER}{number} ")
        now.lists[-1] = number + step, step, number


def _closing(html: str, name: str, start: int, unclosed: set[str]) -> int:
    """The end of an element whose content begins at `start`; without one, that of its text."""
    if name not in unclosed:
        depth = 1
        for tag in re.finditer(rf"<(/?){re.escape(name)}(?![\w-])[^<>]*>", html[start:], re.IGNORECASE):
            if tag[1] or not tag[0].endswith("/>"):
                depth += -1 if tag[1] else name not in _RAW
            if depth == 0:
                return start + tag.end()
    unclosed.add(name)
    following = _TAG.search(html, start)
    return following.start() if following else len(html)


_CITATION = regex(r'<a class="cite" href="#ref-([^"]+)"[^>]*>[^<]*</a>')
_FRAME = {"a": ("anchor",), "small": ("stale", "drafted"), "p": ("none",), "span": ("th", "vh")}
"""Elements and classes of the template for what no author has written: signs of headings, what is
said of missing languages, and heads of columns, which cells of a table repeat for phones."""


class PageWords(Struct, frozen=True):
    """What a reader of a page sees of a note."""

    words: tuple[str, ...]
    """Of title, text and footnotes, with the numbers of sections."""
    tips: tuple[str, ...] = ()
    """Of pictures, and beside the pointer: words of each as `spaced` gives them."""
    headings: tuple[str, ...] = ()
    """As the tips."""


def page_words(html: str, others: Sequence[str], keys: Mapping[str, str] = MappingProxyType({})) -> PageWords:
    """The words of a built page. `others` are the languages of the site that are not that of the original.

    A citation counts as the key of the paper that it leads to, as the original writes that: `keys` are by those here.
    """
    html = _CITATION.sub(lambda cited: keys.get(cited[1], cited[1]), html) if keys else html
    start, end = html.find("<h1"), html.rfind("</article>")
    title, header = html.find("</h1>", start) + 5, html.find("</header>", start)

    def is_unseen(name: str, classes: Collection[str], said: Mapping[str, str]) -> bool:
        frame = _FRAME.get(name, ())
        return any(own in frame or (own in others and "lang" in said) for own in classes)

    pieces = [*visible(html[start:title] + html[header:end], is_unseen=is_unseen)]
    return PageWords(
        tuple(word for piece in pieces if not piece.is_tip for word in words_of(piece.text)),
        tuple(spaced(words_of(piece.text)) for piece in pieces if piece.is_tip),
        tuple(spaced(words_of(piece.text)) for piece in pieces if piece.level),
    )


def spaced(words: Sequence[str]) -> str:
    """The words with a blank before and behind each, so that some of them are found only whole."""
    return f" {'  '.join(words)} "
