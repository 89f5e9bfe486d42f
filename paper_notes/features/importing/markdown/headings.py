"""The headings of a foreign text and the names of its blocks: their ids here, and what links may call them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from paper_notes.corpus.model import DEFAULT_LANGUAGES
from paper_notes.diagnostics import NOWHERE
from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Document, Heading, Inline, Span
from paper_notes.document.parse import parse_inline
from paper_notes.features.importing.html.headings import Numbering
from paper_notes.features.importing.markdown.grammar import (
    EQUATION_LABEL,
    HTML_HEADING,
    LABEL,
    ForeignBlock,
    Sign,
    is_open,
    kind_of,
)
from paper_notes.languages.language import BUILT_IN, FALLBACK, Language, Words
from paper_notes.markdown.body import SectionHalf
from paper_notes.markdown.sections import RawSection, is_reserved, pair, usual_id
from paper_notes.patterns import regex
from paper_notes.values import Struct

_ID = regex(r"[ \t]*\{:?[ \t]*([^{}]*)\}[ \t]*$")
_VALID = regex(r"[A-Za-z][\w-]*")
_ANCHOR = regex(r"""<a\s+(?:name|id)\s*=\s*["']?([^"'\s>]+)["']?\s*/?>(?:\s*</a>)?""", re.IGNORECASE)
_ANCHORS_BEFORE = regex(rf"\A(?:\s*{_ANCHOR.pattern})*\s*", re.IGNORECASE)
_ANCHORS_BEHIND = regex(rf"(?:{_ANCHOR.pattern}\s*)+\Z", re.IGNORECASE)
_CHINESE = "一二三四五六七八九十"
_NUMBER = regex(
    rf"(?:§\s*)?(?P<digits>\d{{1,2}}(?:\.\d{{1,2}}){{0,3}})(?:[.、:：)）](?!\d)\s*|\s+)(?=\S)"
    rf"|第?(?P<words>[{_CHINESE}]{{1,3}})(?:[、.．:：]|[章节節部][、:：\s]?)\s*(?=\S)"
    r"|[(（](?P<bracket>\d{1,2})[)）]\s*(?=\S)"
)
_PICTURES = regex(
    r"\[?!\[[^\[\]]*\]\([^()]*\)(?:\]\([^()]*\))?|\[?:\w+-[\w-]+:(?:\]\[\w*\])?|<[^<>]*>|\{:?[^{}]*\}"
    r"|^(?:import|export)\s.*|^:{3,}.*|%%.*"
)
_CONTENTS = frozenset("目录 目錄 目次 本页目录 contents tableofcontents toc onthispage inthisnote".split())
_NAVIGATION = frozenset(
    "上一篇 下一篇 上一页 下一页 返回 返回目录 返回首页 首页 主页 回到顶部 返回顶部 目录 home index back next previous"
    " prev up backtoindex backtotop top readme".split()
)
LeftOut = Literal["title", "contents", "navigation"]
_SIGNS = regex(r"[\W_]+")
_AT_END = regex(r"(?:^|(?<=[ \t]))\^(?P<block>[A-Za-z0-9-]+)[ \t]*$")
_USUAL = regex(r"(?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9-]+|\d{6}")
"""What our own texts read as a name: `x ^2` is an exponent."""


class SectionHeading(Struct, frozen=True):
    """A heading of the text itself, not of a box or list in it."""

    text: str
    """Markdown, without a number that it has here anyway."""
    words: Span
    """Where that is in the text."""
    level: int
    id: str = ""
    """Written in the original, and one that it can have here."""
    aliases: tuple[str, ...] = ()
    """Other ids that the original gives it."""
    number: str = ""
    """The digits of a hand-typed number that was left out of `text`."""
    own: str = ""
    """That number, if the page would give it another one."""


class Headings(Struct, frozen=True):
    """All headings of a text."""

    title: str
    """Markdown of the first heading if it is that of the whole text, else empty."""
    left_out: Mapping[int, LeftOut]
    """What the page says by itself, by where the blocks begin: the title, lists of contents, links to go on with."""
    subtitle: int
    """Where a title begins that says something else than that of the front matter; -1 if none does."""
    sections: Mapping[int, SectionHeading]
    """By where their blocks begin, in their order."""


class _Written(Struct, frozen=True):
    """A heading as the original has it."""

    block: Block
    level: int
    words: Span
    text: str
    names: tuple[str, ...]


def headings(document: Document, text: str, *, titled: str = "") -> Headings:
    """The headings of a text. The first one of level 1 is the title; some texts are `titled` otherwise."""
    left_out = _left_out(document)
    written = [heading for heading in _written(document.blocks, text) if heading.block.span.start not in left_out]
    title = next((heading for heading in written if heading.level == 1), None)
    is_same = title is not None and _is_title(plain(title.text), titled)
    if title and title is not written[0]:
        title = None
    if title and not is_same:
        is_only = sum(heading.level == 1 for heading in written) == 1
        is_part = not is_only and (titled or _is_usual(title.text))
        if (
            is_part
            or _has_words([block for block in document.blocks if block.span.start not in left_out], text, title.block)
            or (titled and _is_usual(title.text))
        ):
            title = None
    subtitle = title.block.span.start if title and titled and not is_same else -1
    if title and subtitle < 0:
        left_out = {**left_out, title.block.span.start: "title"}
    sections: dict[int, SectionHeading] = {}
    numbering = Numbering()
    taken: set[str] = set()
    for heading in written:
        if heading is title or not plain(heading.text):
            continue
        level = numbering.level(heading.level)
        hand = typed_number(heading.text) if level < 4 else None
        own = numbering.own_number(level, hand[0] if hand else "")
        number = folded(heading.text[: hand[1]]) if hand else ""
        words = Span(heading.words.start + (hand[1] if hand else 0), heading.words.end)
        usable = [name for name in heading.names if _usable(name) and name not in taken]
        taken |= {*usable[:1]}
        chosen = usable[0] if usable else ""
        aliases = tuple(name for name in heading.names if name != chosen)
        shown = heading.text[hand[1] :] if hand else heading.text
        sections[heading.block.span.start] = SectionHeading(shown, words, level, chosen, aliases, number, own)
    return Headings(title.text if title else "", left_out, subtitle, sections)


def _left_out(document: Document) -> dict[int, LeftOut]:
    """Lists of contents with their headings, and rows of links to go on with at both ends."""
    blocks = [block for block in document.blocks if not isinstance(block, nodes.ThematicBreak | nodes.CommentBlock)]
    left_out: dict[int, LeftOut] = {}
    sections = [block.span.start for block in blocks if isinstance(block, nodes.Heading) and block.level > 1]
    for above, block in pairwise([nodes.ThematicBreak(), *blocks]):
        is_named = _words_of(above) in _CONTENTS or not isinstance(block, nodes.List)
        says_more = isinstance(above, nodes.Paragraph) and plain_words(above.inlines).endswith((":", "："))
        is_first = (
            isinstance(block, nodes.List) and len(block.items) > 2 and block.span.start < min(sections, default=0)
        )
        if _is_contents(block) and (is_named or (is_first and not says_more)):
            named = [above.span.start] if _words_of(above) in _CONTENTS else []
            left_out |= dict.fromkeys([block.span.start, *named], "contents")
    ends = [block for block in blocks if not (isinstance(block, nodes.Heading) and block.level == 1)]
    for block in (*ends[:1], *ends[-1:]):
        if isinstance(block, nodes.Paragraph) and _leads_on(block.inlines):
            left_out[block.span.start] = "navigation"
    for above, below in pairwise(document.blocks):  # a line that sets apart what is gone
        for rule, other in ((above, below), (below, above)):
            if isinstance(rule, nodes.ThematicBreak) and left_out.get(other.span.start) == "navigation":
                left_out[rule.span.start] = "navigation"
    return left_out


def _is_contents(block: Block) -> bool:
    """Whether a block is nothing but links to sections of its own text, or a fold with these."""
    if isinstance(block, ForeignBlock):
        return folded(plain(block.fields.get("title", ""))) in _CONTENTS and all(map(_is_contents, block.blocks))
    return isinstance(block, nodes.List) and all(
        isinstance(first, nodes.Paragraph) and _is_entry(first.inlines) and all(map(_is_contents, below))
        for first, *below in (item.blocks or (nodes.ThematicBreak(),) for item in block.items)
    )


def _is_entry(inlines: Sequence[Inline]) -> bool:
    links, rest = _links_in(inlines)
    addresses = [link.href if isinstance(link, nodes.Link) else link.target for link in links]
    return len(addresses) == 1 and addresses[0].startswith("#") and not any(map(str.isalpha, rest))


def _leads_on(inlines: Sequence[Inline]) -> bool:
    links, rest = _links_in(inlines)
    return bool(links) and not folded(rest) and all(folded(plain_words((link,))) in _NAVIGATION for link in links)


def _links_in(inlines: Sequence[Inline]) -> tuple[list[nodes.Link | nodes.Reference], str]:
    """The links of a line, and its other words."""
    links = [inline for inline in inlines if isinstance(inline, nodes.Link | nodes.Reference)]
    return links, plain_words(inline for inline in inlines if inline not in links)


def _words_of(block: Block) -> str:
    return folded(plain_words(block.inlines)) if isinstance(block, nodes.Heading | nodes.Paragraph) else ""


def _is_title(heading: str, titled: str) -> bool:
    """Whether one of them says all that the other one does. A letter is in any: it heads a part of a glossary."""
    each = folded(heading), folded(titled)
    return each[0] == each[1] != "" or (min(map(len, each)) > 1 and (each[0] in each[1] or each[1] in each[0]))


def _is_usual(text: str) -> bool:
    """Whether a heading names a section that many notes have, such as the abstract."""
    return bool(usual_id(plain(text), words_in("zh").languages))


def _has_words(blocks: Iterable[Block], text: str, before: Block) -> bool:
    """Whether there is text before a block: more than pictures, tags and a table of contents."""
    for block in blocks:
        if block is before:
            return False
        if isinstance(block, ForeignBlock) and _is_silent(block):
            continue
        for line in text[slice(*block.span)].split("\n"):
            if plain(_PICTURES.sub("", line.strip())).strip("[] ").lower() not in ("", "toc", "- toc"):
                return True
    return False


_SILENT = frozenset({"target", "percent", "program", "comment"})


def _is_silent(block: ForeignBlock) -> bool:
    """Whether a block may stand before a title, as pages show nothing of it that is text."""
    return block.kind in _SILENT or kind_of(block) in ("nothing", "html")


def _written(blocks: Iterable[Block], text: str) -> Iterator[_Written]:
    """The headings of the text itself; those in boxes, lists and quotations are none of it."""
    waiting: list[str] = []
    for block in blocks:
        source = text[slice(*block.span)]
        if is_open(block):
            yield from _written(block.blocks, text)
            continue
        if isinstance(block, nodes.Heading):
            level, start = block.level, block.inlines[0].span.start if block.inlines else block.span.end
            words = text[start : block.inlines[-1].span.end if block.inlines else start]
        elif isinstance(block, nodes.RawBlock) and (html := HTML_HEADING.fullmatch(source.strip())):
            level, start, words = int(html[1]), block.span.start + source.index(html[0]) + html.start(2), html[2]
        else:
            waiting += _ANCHOR.findall(source) if "<a" in source else ()
            waiting += [block.fields["label"]] if isinstance(block, ForeignBlock) and block.kind == "target" else ()
            continue
        rest = _ANCHORS_BEFORE.sub("", words)
        start += len(words) - len(rest)
        source, names = _with_ids(_ANCHORS_BEHIND.sub("", rest).rstrip(), [*waiting, *_ANCHOR.findall(words)])
        yield _Written(block, level, Span(start, start + len(source)), _ANCHOR.sub("", source), tuple(names))
        waiting = []


def _with_ids(text: str, names: list[str]) -> tuple[str, list[str]]:
    """The words of a heading and its ids, which stand behind them."""
    if (named := _AT_END.search(text)) and _USUAL.fullmatch(named["block"]):
        text = text[: named.start()].rstrip()
        names.append(f"^{named['block']}")
    while options := _ID.search(text):
        if not re.search(r"[.#=]", options[1]) and options[1].strip() != "-":
            break
        names[:0] = [option[1:] for option in options[1].split() if option.startswith("#") and len(option) > 1]
        text = text[: options.start()].rstrip()
    return text, names


def _usable(name: str) -> bool:
    return bool(_VALID.fullmatch(name)) and not is_reserved(name, BUILT_IN)


@lru_cache(maxsize=8)
def words_in(lang: str) -> Words:
    """The words of a site with texts in this language."""
    first = next((tag for tag in BUILT_IN if tag == lang), FALLBACK)
    return Words.of(first, *(tag for tag in DEFAULT_LANGUAGES if tag != first))


def typed_number(text: str) -> tuple[str, int] | None:
    """A number typed by hand before a heading, and where its words begin."""
    match = _NUMBER.match(text)
    if not match:
        return None
    if match["digits"] and match.end() == len(match["digits"]) + 1 and "." not in match[0]:
        rest = text[match.end() :]
        if re.match(r"[a-z]|[-–—x×%/]", rest) or len(match["digits"]) > 2:
            return None  # `3 ways to`, `2 x 4`
    if match["words"]:
        return str(_value(match["words"])), match.end()
    return match["digits"] or match["bracket"], match.end()


def _value(words: str) -> int:
    """The number that Chinese words mean, up to 99."""
    tens, ten, ones = words.rpartition("十")
    value = (_CHINESE.index(tens[0]) + 1 if tens else 1) * 10 if ten else 0
    return value + (_CHINESE.index(ones[0]) + 1 if ones else 0)


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Markdown of one line as text; of a formula its TeX."""
    return plain_words(parse_inline(text))


def plain_words(inlines: Iterable[Inline]) -> str:
    """The words of some inlines on one line; of a formula its TeX."""
    words: list[str] = []
    for node in (node for inline in inlines for node in inline.walk()):
        match node:
            case nodes.Text(shown) | nodes.Code(shown) | nodes.Formula(shown):
                words.append(shown.replace("\\", ""))
            case nodes.Reference(target, shown):
                words.append(shown or target)
            case nodes.SoftBreak() | nodes.HardBreak():
                words.append(" ")
    return " ".join("".join(words).split())


def folded(name: str) -> str:
    """What all ways to make an id from a heading leave of it: its letters and digits, in small ones."""
    return _SIGNS.sub("", name.casefold())


def section_ids(match: Headings, lang: str) -> tuple[tuple[str, str], ...]:
    """For each name that a link may use for a section, folded, the id that it has on our page. First ones first."""
    words = words_in(lang)
    tag, languages = words.tags[0], words.languages
    taken: set[str] = set()
    raw: list[RawSection] = []
    half = SectionHalf("", "", "", NOWHERE)
    for heading in match.sections.values():
        name = plain(heading.text)
        section = heading.id or usual_id(name, languages)
        if section in taken or (section and is_reserved(section, words.tags)):
            section = ""
        taken.add(section)
        raw.append(RawSection(section, heading.level, name, half))
    ids = [section.id for section in pair({tag: tuple(raw)}, words)[0]]
    result = _names([*zip(match.sections.values(), ids, strict=True)])
    if match.title:
        result.setdefault(folded(plain(match.title)), "")
    return tuple(result.items())


def _names(sections: Sequence[tuple[SectionHeading, str]]) -> dict[str, str]:
    """The ids of sections by their folded names: ids first, then headings, then those of equal headings."""
    result: dict[str, str] = {}
    for heading, section in sections:
        for name in (heading.id, *heading.aliases):
            result.setdefault(folded(name), section)
    again: list[tuple[str, str]] = []
    uses: Counter[str] = Counter()
    for heading, section in sections:
        name = folded(plain(heading.text))
        for known in (name, heading.number + name, folded(section)):
            result.setdefault(known, section)
        again += [(f"{name}{number}", section) for number in (uses[name], uses[name] + 1) if uses[name]]
        uses[name] += 1
    for name, section in again:
        result.setdefault(name, section)
    result.pop("", None)
    return result


# Names of blocks, as Obsidian has them: ` ^name` at the end of a block, or on a line of its own below it


def block_names(document: Document, text: str, taken: Collection[str], *, short: bool) -> tuple[tuple[str, str], ...]:
    """The names of blocks, in small letters as links are compared, and what each is called here.

    `taken` are the ids of sections. Names that are no names here, such as `^2`, count on lines of their own, and
    everywhere if `short`.
    """
    names: dict[str, str] = {}
    sections = {id(inline) for block in document.blocks if isinstance(block, Heading) for inline in block.inlines}
    for node in document.walk():
        if not isinstance(node, ForeignBlock | Sign) or id(node) in sections:
            continue
        name = node.fields.get("block", "")
        if (
            isinstance(node, ForeignBlock)
            and node.kind == "formula"
            and (match := _AT_END.search(text[slice(*node.opening)]))
        ):
            name = match["block"]
        if name and (short or _USUAL.fullmatch(name) or isinstance(node, ForeignBlock)):
            names.setdefault(name.casefold(), _ours(name, {*taken, *names.values()}))
    return tuple(names.items())


def _ours(name: str, taken: Collection[str]) -> str:
    """The name as our texts can have it, which nothing else has."""
    name = re.sub("[^A-Za-z0-9-]+", "-", name).strip("-")
    usable = bool(_USUAL.fullmatch(name)) and not any(is_reserved(known, ()) for known in (name, f"{name}-"))
    first = result = name if usable else f"block-{name}"
    number = 1
    while result in taken:
        number += 1
        result = f"{first}-{number}"
    return result


# Labels, as MyST and Quarto have them

_COUNTED = {"lemma": "theorem", "proposition": "theorem", "corollary": "theorem"}
_NUMBERED = frozenset({"figure", "theorem", "lemma", "proposition", "corollary", "definition", "example"})
"""What our pages number."""


def labels(
    document: Document, text: str, match: Headings, sections: Mapping[str, str], blocks: Mapping[str, str], lang: str
) -> tuple[tuple[str, str, str], ...]:
    """What has a label: that in small letters, its id on our page, and what it is. `=` is the id of formulas."""
    words, counts = words_in(lang), Counter[str]()
    section = "", plain(match.title)
    result: dict[str, tuple[str, str]] = {}
    waiting: list[str] = []
    for node in document.walk():
        names: Iterable[str] = ()
        target = section
        if isinstance(node, Heading) and (heading := match.sections.get(node.span.start)):
            name = plain(heading.text)
            target = section = sections.get(folded(heading.id or name), ""), name
            names = heading.id, *heading.aliases
        elif isinstance(node, nodes.FormulaBlock) or (isinstance(node, ForeignBlock) and node.kind == "formula"):
            names, target = _labels_of_formula(text[slice(*node.span)]), ("=", "")
        elif isinstance(node, ForeignBlock) and node.kind == "target":
            waiting.append(node.fields["label"])
            continue
        elif isinstance(node, ForeignBlock) and not _is_silent(node):
            shown = _shown(node, counts, words[words.tags[0]])
            if name := node.fields.get("block", ""):
                is_formula = kind_of(node) == "equation"
                names = (name,)
                target = ("=", "") if is_formula else (f"^{blocks.get(name.casefold(), '')}", plain(shown))
        elif not isinstance(node, Block) or isinstance(node, ForeignBlock):
            continue
        for name in filter(None, (*names, *waiting)):
            result.setdefault(name.casefold(), target)
        waiting = []
    return tuple((name, *target) for name, target in result.items())


def _labels_of_formula(source: str) -> Iterator[str]:
    yield from LABEL.findall(source)
    if label := EQUATION_LABEL.fullmatch(source.rpartition("$$")[2]):
        yield label["braces"] or label["myst"]


def _shown(node: ForeignBlock, counts: Counter[str], words: Language) -> str:
    """What a block is called where something refers to it: `Figure 2`, its caption, or its label."""
    kind = kind_of(node)
    if kind in _NUMBERED and (kind != "figure" or node.blocks or node.kind == "captioned"):
        counts[counter := _COUNTED.get(kind, kind)] += 1
        return words(f"component.{kind}", number=str(counts[counter]))
    keys = ("caption", ":caption", ":fig-cap", ":tbl-cap", ":lst-cap", "title" if kind != "code" else "", "block")
    return next(filter(None, map(node.fields.get, keys)), "")
