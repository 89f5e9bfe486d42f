"""The inline content of a page's elements: words, marks, links, formulas and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from paper_notes.features.importing.html.elements import BLOCKS, UNSEEN
from paper_notes.features.importing.html.formulas import as_tex, signs
from paper_notes.features.importing.html.inline import Break, Formula, Inline, Link, Marked, Words, plain, tidy
from paper_notes.features.importing.html.links import link, with_references
from paper_notes.features.importing.html.page import Page
from paper_notes.features.importing.html.pictures import picture
from paper_notes.features.importing.html.read_back import MARKS, WORD_MARKS
from paper_notes.features.importing.html.tree import Element, Node, Text

_SIGN = re.compile(r"[✓✔✅✗✘❌◐△\ufe0f\s]*")
_TEX = re.compile(r"\$\$(.+?)\$\$|\\\((.+?)\\\)|\\\[(.+?)\\\]|(?<![\\$\d])\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\d)", re.DOTALL)
"""Formulas as MathJax and KaTeX find them."""
_LETTER = re.compile(r"\s*[A-Za-zα-ωΑ-Ω]\s*")
_MEDIA = frozenset({"iframe", "video", "audio", "embed", "object"})
_CONTROLS = frozenset({"button", "input", "select", "textarea", "label"})
_PLAIN_ROLES = {"strong": "strong", "emphasis": "em", "code": "code", "small": "small"}


def inline(page: Page, nodes: Sequence[Node]) -> tuple[Inline, ...]:
    """The content of a paragraph, tidied."""
    return tidy(tuple(_all(page, nodes, in_link=False)))


def _all(page: Page, nodes: Sequence[Node], *, in_link: bool) -> Iterator[Inline]:
    for node in nodes:
        if isinstance(node, Text):
            yield from [Words(node.words)] if in_link else _of_text(page, node)
        else:
            yield from _one(page, node, in_link=in_link)


def _of_text(page: Page, text: Text) -> Iterator[Inline]:
    """Words with references to notes, and with formulas if the page sets them."""
    done = 0
    if page.has_tex and page.options.tex:
        for found in _TEX.finditer(text.words):
            tex = " ".join(next(filter(None, found.groups())).split())
            if shown := signs(tex):
                yield from with_references(page, text, text.words[done : found.start()])
                yield Formula(tex, shown, display=found[1] is not None or found[3] is not None)
                done = found.end()
    yield from with_references(page, text, text.words[done:])


def _one(page: Page, element: Element, *, in_link: bool) -> Iterator[Inline]:
    tag = element.tag
    if tag in UNSEEN and tag not in _MEDIA:
        return
    if tag == "br":
        yield Break()
    elif tag in ("drawing", "img"):
        yield from picture(page, element, "")
    elif tag == "pn-tex":
        yield from _typeset(page, element)
    elif tag in _MEDIA:
        yield from _media(page, element)
    elif tag == "input":
        return
    elif tag == "wbr":
        yield Words("\u200b")
    elif tag == "q":
        yield from (Words("“"), *_all(page, element.children, in_link=in_link), Words("”"))
    else:
        yield from _marked(page, element, in_link=in_link)


def _marked(page: Page, element: Element, *, in_link: bool) -> Iterator[Inline]:
    tag = element.tag
    meaning = page.meaning(element)
    role = meaning.role
    if role == "drop":
        page.tell("dropped-element", f"<{tag}> is left out, as the table of classes says", element)
        page.left_out.add((element.line, element.column))
        return
    if tip := element.attributes.get("title") or element.attributes.get("data-tip", ""):
        page.tell("tooltip", f"what is shown when pointing at words is left out: {tip[:80]}", element)
    if tag in _CONTROLS:
        page.tell("control", f"<{tag}> becomes its words: pages have no programs", element)
    if role in ("math", "formula", "fraction") or (page.options.tex and not in_link and _is_variable(element)):
        yield from formula(page, element, in_link=in_link)
        return
    inside = tidied(page, element, in_link=in_link or tag == "a")
    if tag == "a":
        yield from link(page, element, inside)
        return
    if tag in BLOCKS and inside:
        yield Words(" ")
    mark = MARKS.get(tag, "")
    if role in ("mark", "cell") and meaning.name in WORD_MARKS and plain(inside):
        mark = "" if _SIGN.fullmatch(plain(inside)) else meaning.name
    mark = mark or _PLAIN_ROLES.get(role, "")
    spaced = _spaces(element)
    yield Words(spaced[0])
    if mark and plain(inside):
        yield Marked(mark, inside)
    else:
        yield from inside
    yield Words(spaced[1])
    if tag in BLOCKS and inside:
        yield Words(" ")


def _is_variable(element: Element) -> bool:
    """Whether an element in italics is one letter, maybe with an index: `<em>h<sub>c</sub></em>`."""
    if element.tag not in ("i", "em", "var") or element.classes:
        return False
    index = [child for child in element.children if isinstance(child, Element)]
    words = "".join(child.words for child in element.children if isinstance(child, Text))
    return bool(_LETTER.fullmatch(words)) and all(one.tag in ("sub", "sup") for one in index)


def tidied(page: Page, element: Element, *, in_link: bool = False) -> tuple[Inline, ...]:
    """The content of an element within a paragraph."""
    return tidy(tuple(_all(page, element.children, in_link=in_link)))


def _spaces(element: Element) -> tuple[str, str]:
    """The spaces just inside of an element, which belong outside of its marks."""
    first, last = (element.children[place] if element.children else None for place in (0, -1))
    before = " " if isinstance(first, Text) and first.words[:1].isspace() else ""
    after = " " if isinstance(last, Text) and last.words[-1:].isspace() else ""
    return before, after


def formula(page: Page, element: Element, *, in_link: bool = False) -> Iterator[Inline]:
    """A formula within a line: TeX if that shows the same signs, else its words with their marks."""
    if element.first("pn-tex"):
        yield from tidied(page, element, in_link=in_link)
        return
    whole = page.meaning(element).role == "fraction"
    tex = as_tex([element] if whole else element.children, page.table) if page.options.tex else None
    spaced = _spaces(element)
    yield Words(spaced[0])
    if tex is not None and not in_link:
        yield Formula(tex, signs(tex))
    else:
        inside = tidied(page, element, in_link=in_link)
        if page.options.tex and not in_link and not re.fullmatch(r"[\w\s.]*", plain(inside)):
            page.tell("formula-as-text", f"a formula stays as it is written: {plain(inside)[:60]}", element)
        yield from inside
    yield Words(spaced[1])


def _typeset(page: Page, element: Element) -> Iterator[Inline]:
    """A formula that the page had set: its TeX, or that as code if our pages cannot show it; else its words."""
    tex = element.attributes.get("tex", "")
    if not tex:
        yield Words(f" {element.attributes.get('words', '')} ")
    elif shown := signs(tex):
        yield Formula(tex, shown, display="display" in element.attributes)
    else:
        page.tell("formula-as-text", f"a formula stays as it is written: {tex[:60]}", element)
        yield Marked("code", (Words(tex),))


def _media(page: Page, element: Element) -> Iterator[Inline]:
    source = element.attributes.get("src") or element.attributes.get("data", "")
    page.tell("image-as-link", f"<{element.tag}> becomes a link", element)
    if re.match(r"https?://", source):
        yield Link(source, (Words(source),))
    yield from _all(page, element.children, in_link=False)
