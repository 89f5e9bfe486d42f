"""The words of a page's elements as nodes: marks, links, formulas and pictures within a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, groupby
from typing import Any

from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Inline, joined, with_inlines
from paper_notes.document.parse import STYLES, readable_address
from paper_notes.document.write import write_inlines
from paper_notes.features.importing.html.formulas import as_tex, signs
from paper_notes.features.importing.html.page import Inlines, Page
from paper_notes.features.importing.html.tree import BLOCKS, UNSEEN, HtmlNode
from paper_notes.markdown.syntax.inline import bare_links
from paper_notes.patterns import regex
from paper_notes.values import replace

MARKS = frozenset({*STYLES, "sub", "sup", "code", "kbd", "small", "ins", "u"})
"""The elements of HTML whose mark stays."""
WORD_MARKS = frozenset("term pill good bad partial new open closed num".split())
"""Classes that words of ours may have."""
_SPACES = regex(r"[ \t\n\r\f]+")
_VERDICT = regex(r"[✓✔✅✗✘❌◐△\ufe0f\s]*")
_TEX = regex(r"\$\$(.+?)\$\$|\\\((.+?)\\\)|\\\[(.+?)\\\]|(?<![\\$\d])\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\d)", re.DOTALL)
"""Formulas as MathJax and KaTeX find them."""
_LETTER = regex(r"\s*[A-Za-zα-ωΑ-Ω]\s*")
_MEDIA = frozenset({"iframe", "video", "audio", "embed", "object"})
_CONTROLS = frozenset({"button", "input", "select", "textarea", "label"})
_ROLE_MARKS = {"strong": "strong", "emphasis": "em", "code": "code", "small": "small"}
_TOP = frozenset({"#", "#top"})
_UP = regex(r"[\W_]*(?:回到?(?:页面)?顶部|返回(?:页面)?顶部|(?:back\s+)?(?:to\s+)?top)[\W_]*", re.IGNORECASE)
_HOLDS_INLINES = nodes.Styled | nodes.Element | nodes.Marked | nodes.Link


def inlines(page: Page, content: Sequence[HtmlNode]) -> Inlines:
    """The content of a paragraph, tidied; bare addresses are links."""
    return tuple(_with_addresses(tidy(list(_all(page, content, in_link=False)))))


def plain(parts: Sequence[nodes.Node]) -> str:
    """The words without marks, on one line; of a formula the signs that readers see."""
    return " ".join("".join(_plain(parts)).split())


def _plain(parts: Sequence[nodes.Node]) -> Iterator[str]:
    for part in parts:
        match part:
            case nodes.Text(text) | nodes.Code(text) | nodes.Reference(_, text):
                yield text
            case nodes.Formula(tex):
                yield signs(tex)
            case nodes.SoftBreak() | nodes.HardBreak():
                yield " "
            case nodes.Styled() | nodes.Element() | nodes.Marked() | nodes.Link() | nodes.InlineFootnote():
                yield from _plain(part.inlines)
            case nodes.Image() | nodes.FootnoteReference():
                pass
            case nodes.Inline():
                yield write_inlines((part,))


def marked(mark: str, inside: Inlines) -> Inline:
    """Words with a mark: an element of HTML, or a class of ours."""
    if mark in WORD_MARKS:
        return nodes.Marked(inside, (mark,))
    if mark == "code" and all(isinstance(part, nodes.Text) for part in inside):
        return nodes.Code(plain(inside))
    if style := STYLES.get(mark):
        return style(inside)
    name: Any = mark
    return nodes.Element(name, inside)


def paragraph(parts: Inlines) -> Block:
    """Words as a block; a formula alone on its line is one."""
    match parts:
        case (nodes.Formula(tex, display=True),):
            return nodes.FormulaBlock(tex)
    return nodes.Paragraph(parts)


def on_one_line(parts: Sequence[Inline]) -> Inlines:
    """Words for a heading or a title."""
    line = nodes.Paragraph(tuple(parts))
    space = (nodes.Text(" "),)
    return tidy(with_inlines(line, lambda part: space if isinstance(part, nodes.HardBreak) else (part,)).inlines)


# Tidying


def tidy(parts: Sequence[Inline]) -> Inlines:
    """The same with single spaces, none at the ends or beside a line's end, and only marks that Markdown can nest."""
    merged = list(_trimmed(_merged(parts, frozenset())))
    while merged and isinstance(merged[-1], nodes.HardBreak):
        merged.pop()
    return tuple(dropwhile(lambda part: isinstance(part, nodes.HardBreak), merged))


def _merged(parts: Sequence[Inline], around: frozenset[object]) -> list[Inline]:
    """Spaces out of marks, empty marks and those within the same mark away, neighbours of one kind together."""
    tidied = [new for part in parts for new in (_tidied(part, around) if isinstance(part, _HOLDS_INLINES) else [part])]
    spaced = (
        nodes.Text(_SPACES.sub(" ", part.text)) if isinstance(part, nodes.Text) else part for part in joined(tidied)
    )
    groups = ([*group] for _, group in groupby(spaced, _kind))
    return [part for group in groups for part in (_as_one(group, around) if len(group) > 1 else group)]


def _as_one(same: Sequence[Inline], around: frozenset[object]) -> list[Inline]:
    """Neighbours of one kind as one; formulas with spaces between them if together they would be another one."""
    first = same[0]
    if isinstance(first, nodes.Code):
        return [nodes.Code("".join(part.code for part in same if isinstance(part, nodes.Code)))]
    if isinstance(first, nodes.Formula):
        every = [part.tex for part in same if isinstance(part, nodes.Formula)]
        if signs(" ".join(every)) == "".join(map(signs, every)):
            return [nodes.Formula(" ".join(every), first.display)]
        return [part for formula in same for part in (formula, nodes.Text(" "))][:-1]
    inside = [inner for part in same if isinstance(part, nodes.Styled | nodes.Element) for inner in part.inlines]
    return [replace(first, inlines=tuple(_merged(inside, around)))]


def _kind(part: Inline) -> object:
    """What neighbours have in common that can be one; two links or labels never are."""
    match part:
        case nodes.Element(name):
            return name
        case nodes.Styled() | nodes.Code() | nodes.Formula():
            return type(part)
    return id(part)


def _tidied(part: nodes.Styled | nodes.Element | nodes.Marked | nodes.Link, around: frozenset[object]) -> list[Inline]:
    kind = type(part) if isinstance(part, nodes.Marked | nodes.Link) else _kind(part)
    inside = _merged(part.inlines, around | {kind})
    if kind in around or not inside:
        return inside
    before, after = nodes.Text(""), nodes.Text("")
    if isinstance(first := inside[0], nodes.Text) and first.text[:1].isspace():
        before, inside[0] = nodes.Text(" "), nodes.Text(first.text.lstrip())
    if isinstance(last := inside[-1], nodes.Text) and last.text[-1:].isspace():
        after, inside[-1] = nodes.Text(" "), nodes.Text(last.text.rstrip())
    inside = [inner for inner in inside if inner != nodes.Text("")]
    whole = replace(part, inlines=tuple(inside))
    return [before, *([_without_marks(whole) if isinstance(whole, nodes.Link) else whole] if inside else []), after]


def _without_marks(link: nodes.Link) -> Inline:
    """A link whose words have no classes of ours, which can only be around it."""
    if len(link.inlines) == 1 and isinstance(mark := link.inlines[0], nodes.Marked):
        return replace(mark, inlines=(_without_marks(replace(link, inlines=mark.inlines)),))
    return with_inlines(link, lambda part: part.inlines if isinstance(part, nodes.Marked) else (part,))


def _trimmed(parts: list[Inline]) -> Iterator[Inline]:
    ends = (nodes.HardBreak(), *parts, nodes.HardBreak())
    for before, part, after in zip(ends, parts, ends[2:], strict=False):
        if isinstance(part, nodes.Text):
            text = part.text.lstrip() if isinstance(before, nodes.HardBreak) else part.text
            text = text.rstrip() if isinstance(after, nodes.HardBreak) else text
            yield from [nodes.Text(text)] if text else []
        else:
            yield part


def _with_addresses(parts: Sequence[Inline]) -> Iterator[Inline]:
    for part in parts:
        if isinstance(part, nodes.Text):
            for start, end, href in bare_links(part.text):
                words = nodes.Text(part.text[start:end])
                if href:
                    yield nodes.Link(readable_address(href), (words,), is_bare=True)
                elif words.text:
                    yield words
        elif isinstance(part, nodes.Styled | nodes.Element | nodes.Marked):
            yield replace(part, inlines=tuple(_with_addresses(part.inlines)))
        elif isinstance(part, nodes.Link) and part.inlines == (nodes.Text(part.href),):
            yield replace(part, is_bare=True)
        else:
            yield part


# Elements


def _all(page: Page, content: Sequence[HtmlNode], *, in_link: bool) -> Iterator[Inline]:
    for node in content:
        if not node.tag:
            yield from [nodes.Text(node.words)] if in_link else _of_text(page, node)
        else:
            yield from _of_element(page, node, in_link=in_link)


def _of_text(page: Page, text: HtmlNode) -> Iterator[Inline]:
    """Words, with formulas if the page sets them."""
    done = 0
    if page.has_tex and page.tex:
        for match in _TEX.finditer(text.words):
            tex = " ".join(next(filter(None, match.groups())).split())
            if signs(tex):
                yield from page.words(text.words[done : match.start()], text)
                yield nodes.Formula(tex, display=match[1] is not None or match[3] is not None)
                done = match.end()
    yield from page.words(text.words[done:], text)


def _of_element(page: Page, element: HtmlNode, *, in_link: bool) -> Iterator[Inline]:
    match element.tag:
        case tag if tag in _MEDIA:
            yield from _media(page, element)
        case tag if tag in UNSEEN:
            return
        case "br":
            yield nodes.HardBreak()
        case "drawing" | "img":
            yield from page.picture(element, "")
        case "pn-tex":
            yield from _typeset(page, element)
        case "wbr":
            yield nodes.Text("\u200b")
        case "q":
            yield from (nodes.Text("“"), *_all(page, element.children, in_link=in_link), nodes.Text("”"))
        case _:
            yield from _of_marked(page, element, in_link=in_link)


def _of_marked(page: Page, element: HtmlNode, *, in_link: bool) -> Iterator[Inline]:
    tag = element.tag
    meaning = page.meaning(element)
    role = meaning.role
    if tip := element.attributes.get("title") or element.attributes.get("data-tip", ""):
        page.tell("tooltip", f"what is shown when pointing at words is left out: {tip[:80]}", element)
    if tag in _CONTROLS and element.children:
        page.tell("control", f"<{tag}> becomes its words: pages have no programs", element)
    if _is_left_out(page, element, role):
        return
    if role == "footnote":
        inside = tidied(page, element)
        yield from [nodes.InlineFootnote(inside)] if plain(inside) else []
        return
    if role in ("math", "formula", "fraction") or (page.tex and not in_link and _is_variable(element)):
        yield from formula(page, element, in_link=in_link)
        return
    inside = tidied(page, element, in_link=in_link or tag == "a")
    if "data-cites" in element.attributes:
        yield from page.cite(element, inside)
        return
    before, after = (" ", " ") if tag in BLOCKS and inside else _spaces(element)
    if tag == "a":
        label = page.footnotes.get(element.attributes.get("href", "")[1:])
        is_note = label and remove_marker(page, element)
        yield from [nodes.FootnoteReference(label)] if label and is_note else page.link(element, inside)
        return
    mark = tag if tag in MARKS else ""
    if role in ("mark", "cell") and meaning.name in WORD_MARKS and plain(inside):
        mark = "" if _VERDICT.fullmatch(plain(inside)) else meaning.name
    mark = mark or _ROLE_MARKS.get(role, "")
    if tag in ("strong", "b") and mark in WORD_MARKS and mark not in ("pill", "term"):
        inside = (marked(tag, inside),)
    yield nodes.Text(before)
    is_note = mark == "sup" and all(isinstance(part, nodes.FootnoteReference) for part in inside)
    yield from [marked(mark, inside)] if mark and plain(inside) and not is_note else inside
    yield nodes.Text(after)


def _is_left_out(page: Page, element: HtmlNode, role: str) -> bool:
    """Whether pages have no use for an element, such as `#` beside a heading, `↩` below a footnote and "Top"."""
    href, words = element.attributes.get("href", ""), element.text().strip()
    if role == "drop":
        page.drop(element)
        return True
    if element.tag == "a" and href in _TOP and _UP.fullmatch(words):
        page.remove("navigation", "a link to the top of the page is left out", element)
        return True
    is_sign = element.tag == "a" and href.startswith("#") and words and not any(map(str.isalnum, words))
    return (role == "marker" or bool(is_sign)) and remove_marker(page, element)


def remove_marker(page: Page, element: HtmlNode) -> bool:
    """Leave out what a list shows by itself; `(a)` is more than that."""
    words = element.text().strip()
    if any(map(str.isalpha, words)):
        return False
    if words:
        page.remove("list-marker", f"{words} is left out: the list shows it", element)
    return True


def _is_variable(element: HtmlNode) -> bool:
    """Whether an element in italics is one letter, maybe with an index: `<em>h<sub>c</sub></em>`."""
    if element.tag not in ("i", "em", "var") or element.classes:
        return False
    index = [child for child in element.children if child.tag]
    words = "".join(child.words for child in element.children if not child.tag)
    return bool(_LETTER.fullmatch(words)) and all(child.tag in ("sub", "sup") for child in index)


def tidied(page: Page, element: HtmlNode, *, in_link: bool = False) -> Inlines:
    """The content of an element within a paragraph."""
    return tidy(list(_all(page, element.children, in_link=in_link)))


def _spaces(element: HtmlNode) -> tuple[str, str]:
    """The spaces just inside of an element, which belong outside of its marks."""
    inside = [child.words for child in element.children] or [""]
    return " " if inside[0][:1].isspace() else "", " " if inside[-1][-1:].isspace() else ""


def formula(page: Page, element: HtmlNode, *, in_link: bool = False) -> Iterator[Inline]:
    """A formula within a line: TeX if that shows the same signs, else its words with their marks."""
    if element.first("pn-tex"):
        yield from tidied(page, element, in_link=in_link)
        return
    whole = page.meaning(element).role == "fraction"
    tex = as_tex([element] if whole else element.children, page.table) if page.tex else None
    before, after = _spaces(element)
    yield nodes.Text(before)
    if tex is not None and not in_link:
        yield nodes.Formula(tex)
    else:
        inside = tidied(page, element, in_link=in_link)
        if page.tex and not in_link and not re.fullmatch(r"[\w\s.]*", plain(inside)):
            page.tell("formula-as-text", f"a formula stays as it is written: {plain(inside)[:60]}", element)
        yield from inside
    yield nodes.Text(after)


def _typeset(page: Page, element: HtmlNode) -> Iterator[Inline]:
    """A formula that the page had set: its TeX, or that as code if our pages cannot show it; else its words."""
    tex = element.attributes.get("tex", "")
    if not tex:
        yield nodes.Text(f" {element.words} ")
    elif signs(tex):
        yield nodes.Formula(tex, display="display" in element.attributes)
    else:
        page.tell("formula-as-text", f"a formula stays as it is written: {tex[:60]}", element)
        yield nodes.Code(tex)


def _media(page: Page, element: HtmlNode) -> Iterator[Inline]:
    source = element.attributes.get("src") or element.attributes.get("data", "")
    page.tell("image-as-link", f"<{element.tag}> becomes a link", element)
    if source.startswith(("http://", "https://")):
        yield nodes.Link(readable_address(source), (nodes.Text(source),))
    yield from _all(page, element.children, in_link=False)


_STOP = regex(r"\s*([,.;，。；])\s*")
_ASCII = str.maketrans("，。；", ",.;")


def around_formulas(parts: Inlines) -> Iterator[Block]:
    """The blocks of a paragraph with formulas that have numbers: these stand on lines of their own.

    A comma or full stop after such a formula becomes its own.
    """
    run: list[nodes.Inline] = []
    rest = list(parts)
    while rest:
        part = rest.pop(0)
        if not (isinstance(part, nodes.Formula) and part.display):
            run.append(part)
            continue
        if plain(words := tidy(run)):
            yield paragraph(words)
        run = []
        tex = part.tex.strip()
        if rest and isinstance(after := rest[0], nodes.Text) and (stop := _STOP.match(after.text)):
            rest[0] = nodes.Text(after.text[stop.end() :])
            body, end, environment = tex.rpartition(r"\end{")
            sign = stop[1].translate(_ASCII)
            tex = f"{body.rstrip()}{sign}\n{end}{environment}" if body and tex.endswith("}") else tex + sign
        yield nodes.FormulaBlock(tex)
    if plain(words := tidy(run)):
        yield paragraph(words)
