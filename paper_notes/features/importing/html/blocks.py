"""A page's tree as Markdown of ours: headings, paragraphs, lists, boxes, figures. Each block is read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paper_notes.features.importing.html import boxes, figures, formula_blocks, lists
from paper_notes.features.importing.html.classes import Meaning
from paper_notes.features.importing.html.elements import BLOCKS, HEADINGS, UNSEEN
from paper_notes.features.importing.html.inline import Inline, Marked, Picture, plain
from paper_notes.features.importing.html.page import Page
from paper_notes.features.importing.html.read_back import MARKS, WORD_MARKS, Letter, read_back
from paper_notes.features.importing.html.tables import table
from paper_notes.features.importing.html.tree import Element, Node, Text
from paper_notes.features.importing.html.words_of import inline
from paper_notes.features.importing.html.writing import as_words, paragraph, title

_PICTURES = frozenset({"drawing", "img"})
_BROKEN = frozenset(
    "unclosed-component stray-component-end bad-component unknown-component html-not-allowed unclosed-fence"
    " too-deep too-tangled".split()
)
"""What a block breaks for others."""
_ROLE_MARKS = {"strong": "strong", "emphasis": "em", "small": "small", "meta": "small"}


def note_text(page: Page, root: Element) -> str:
    """The text of a note, without its title."""
    return "\n\n".join(_blocks(page, root.children)) + "\n"


def _inside(page: Page, nodes: Sequence[Node]) -> list[str]:
    """The blocks inside of another one."""
    page.depth += 1
    made = _blocks(page, nodes)
    page.depth -= 1
    return made


def _blocks(page: Page, nodes: Sequence[Node]) -> list[str]:
    made: list[str] = []
    run: list[Node] = []
    for node in nodes:
        if isinstance(node, Element) and (node.tag in BLOCKS or _holds_blocks(node)):
            made += _of_run(page, run)
            run = []
            made += _block(page, node) if _is_open(page, node) else _checked(page, node)
        elif not (isinstance(node, Element) and node.tag in UNSEEN and node.tag != "iframe"):
            run.append(node)
    return _apart([*made, *_of_run(page, run)])


def _holds_blocks(element: Element) -> bool:
    return any(one.tag in BLOCKS for one in element.elements())


def _is_open(page: Page, element: Element) -> bool:
    """Whether a block adds nothing to what is inside of it, which is checked by itself."""
    return page.depth > 0 or (
        element.tag in ("div", "section", "main", "article", "body", "header", "footer", "form") and not element.classes
    )


def _checked(page: Page, element: Element) -> list[str]:
    """The blocks, if our parser shows all words of them; else their words without any marks, and their pictures."""
    start, files = len(page.letters.found), len(page.files)
    made = _block(page, element)
    if not made:
        return made
    seen = read_back("\n\n".join(made), page.lang, inline=False)
    if _within(page.letters.found[start:], seen.letters) and not _BROKEN.intersection(seen.problems):
        return made
    page.tell("block-as-text", f"<{element.tag}> has become plain text: its marks would not be read", element)
    shown = "\n\n".join(made)
    pictures = [(Picture(name, page.last_heading or name),) for name in [*page.files][files:] if f"]({name})" in shown]
    return [*(paragraph(one, page.lang) for one in pictures), *as_words("".join(_rows(element)), page.lang)]


def _within(wanted: Sequence[Letter], found: Sequence[Letter]) -> bool:
    rest = iter(letter for letter, _ in found)
    return all(any(letter == other for other in rest) for letter, _ in wanted if letter not in "-.")


def _rows(node: Node) -> Iterator[str]:
    if isinstance(node, Text):
        yield node.words
    else:
        yield "\n" if node.tag in BLOCKS or node.tag == "br" else ""
        for child in node.children:
            yield from _rows(child)
        yield "\n" if node.tag in BLOCKS else ""


def _apart(made: list[str]) -> list[str]:
    """Lists that follow each other with other markers, so that they stay two."""
    for place in range(1, len(made)):
        for first, other in (("- ", "* "), ("* ", "- ")):
            if made[place].startswith(first) and made[place - 1].startswith(first):
                made[place] = lists.with_marker(made[place], first, other)
                break
    return made


def _of_run(page: Page, run: Sequence[Node]) -> list[str]:
    """Inline content between blocks: a paragraph, or pictures that stand alone."""
    real = [node for node in run if isinstance(node, Element) or node.words.strip()]
    if not real:
        return []
    if all(isinstance(node, Element) and node.tag in _PICTURES for node in real):
        return [text for node in real if isinstance(node, Element) for text in figures.lone(page, node)]
    return _paragraph(page, inline(page, run))


def _paragraph(page: Page, parts: tuple[Inline, ...], mark: str = "") -> list[str]:
    if not plain(parts) and not any(isinstance(part, Picture) for part in parts):
        return []
    parts = (Marked(mark, parts),) if mark else parts
    page.write(parts)
    return [paragraph(parts, page.lang)]


def _block(page: Page, element: Element) -> list[str]:
    meaning = page.meaning(element)
    if meaning.role == "drop":
        page.tell("dropped-element", f"<{element.tag}> is left out, as the table of classes says", element)
        page.left_out.add((element.line, element.column))
        return []
    if element.tag in HEADINGS:
        return _heading(page, element)
    match meaning.role:
        case "box":
            return boxes.box(page, element, meaning.name, _inside)
        case "stats":
            return boxes.stats(page, element, _inside)
        case "contents":
            return boxes.contents(page, element, _inside)
        case "figure":
            return figures.figure(page, element, _inside)
        case "formula" | "math":
            return formula_blocks.formula_block(page, element, _inside)
        case "quote":
            return boxes.quote(page, element, _inside)
        case "details":
            return boxes.details(page, element, _inside)
    return _by_tag(page, element, meaning)


def _by_tag(page: Page, element: Element, meaning: Meaning) -> list[str]:
    match element.tag:
        case "ul" | "ol" | "menu" | "dir":
            return lists.items(page, element, _inside)
        case "dl":
            return lists.definitions(page, element, _inside)
        case "pre":
            return formula_blocks.code(page, element)
        case "hr":
            return []
        case "table":
            return _table(page, element)
    mark = (
        meaning.name
        if meaning.role in ("mark", "cell") and meaning.name in WORD_MARKS
        else _ROLE_MARKS.get(meaning.role, MARKS.get(element.tag, ""))
    )
    if mark and not any(_holds_blocks(child) for child in element.children if isinstance(child, Element)):
        return _paragraph(page, inline(page, element.children), mark)
    return _blocks(page, element.children)


def _table(page: Page, element: Element) -> list[str]:
    captions = [child for child in element.children if isinstance(child, Element) and child.tag == "caption"]
    before = [text for caption in captions for text in _blocks(page, caption.children)]
    made = table(page, element)
    return [*before, *([made] if made else [])]


def _heading(page: Page, element: Element) -> list[str]:
    parts: tuple[Inline, ...] = tuple(part for part in inline(page, element.children) if not isinstance(part, Picture))
    pictures = [text for one in element.elements() if one.tag in _PICTURES for text in figures.lone(page, one)]
    if not plain(parts):
        return pictures
    if page.depth:
        page.write(parts)
        return [f"#### {title(parts, page.lang)}", *pictures]
    page.last_heading = plain(parts)
    level = page.numbering.level(element.tag)
    if level != int(element.tag[1]):
        page.tell("heading-level", f"<{element.tag}> becomes a heading of level {level}: none is left out", element)
    bare, own = page.numbering.number(level, parts)
    if bare != parts:
        page.counted.add((element.line, element.column))
    parts = bare
    page.write(parts)
    page.written |= {page.headings[id(element)]} if id(element) in page.headings else set()
    options = " ".join(filter(None, [f"#{page.headings[id(element)]}" if id(element) in page.headings else "", own]))
    return [f"{'#' * level} {title(parts, page.lang)}{f' {{{options}}}' if options else ''}", *pictures]
