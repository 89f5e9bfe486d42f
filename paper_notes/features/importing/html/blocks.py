"""A page's tree as blocks: headings, paragraphs, lists, code and formulas; boxes and tables are elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from paper_notes.document import nodes
from paper_notes.document.nodes import Block
from paper_notes.document.write import can_touch
from paper_notes.features.importing.html import boxes
from paper_notes.features.importing.html.boxes import beside, lone
from paper_notes.features.importing.html.classes import Meaning
from paper_notes.features.importing.html.formulas import as_tex, several, signs
from paper_notes.features.importing.html.headings import Numbering
from paper_notes.features.importing.html.inlines import (
    MARKS,
    WORD_MARKS,
    inlines,
    marked,
    on_one_line,
    paragraph,
    plain,
)
from paper_notes.features.importing.html.page import Inlines, Page
from paper_notes.features.importing.html.tables import table
from paper_notes.features.importing.html.tree import BLOCKS, HEADINGS, PICTURES, UNSEEN, HtmlElement, HtmlText, Node
from paper_notes.markdown.syntax.code import known_languages

_ROLE_MARKS = {"strong": "strong", "emphasis": "em", "small": "small", "meta": "small"}
_LANGUAGE = re.compile(r"(?:lang(?:uage)?-)?([A-Za-z][\w+#-]*)")
_NO_FORMULA = frozenset({"drawing", "img", "table", "ul", "ol", "pre", "details", "dl", "pn-tex"})
"""What no formula holds."""


class BlockReader:
    """Reads the blocks of one page."""

    def __init__(self, page: Page, numbering: Numbering) -> None:
        self.page = page
        self.numbering = numbering
        self.origins: dict[int, Node] = {}
        """The element that each block at the top was made of, by `id()` of the block."""

    def blocks(self, content: Sequence[Node]) -> list[Block]:
        """The blocks of these nodes of the tree."""
        blocks: list[Block] = []
        run: list[Node] = []
        for node in content:
            if isinstance(node, HtmlElement) and (node.tag in BLOCKS or _holds_blocks(node)):
                blocks += self._traced(run, self._of_run(run))
                run = []
                blocks += self._traced([node], self._block(node))
            elif not (isinstance(node, HtmlElement) and node.tag in UNSEEN and node.tag != "iframe"):
                run.append(node)
        return [*blocks, *self._traced(run, self._of_run(run))]

    def inside(self, content: Sequence[Node]) -> list[Block]:
        """The blocks inside of another one."""
        self.page.depth += 1
        blocks = self.blocks(content)
        self.page.depth -= 1
        return blocks

    def _traced(self, content: Sequence[Node], blocks: list[Block]) -> list[Block]:
        if self.page.depth == 0:
            self.origins = {id(block): content[0] for block in blocks} | self.origins
        return blocks

    def _of_run(self, run: Sequence[Node]) -> list[Block]:
        """Inline content between blocks: a paragraph, or pictures that stand alone."""
        real = [node for node in run if isinstance(node, HtmlElement) or node.words.strip()]
        if real and all(isinstance(node, HtmlElement) and node.tag in PICTURES for node in real):
            return [block for node in real if isinstance(node, HtmlElement) for block in lone(self.page, node)]
        return _paragraph(inlines(self.page, run)) if real else []

    def _block(self, element: HtmlElement) -> list[Block]:
        page, tag = self.page, element.tag
        meaning = page.meaning(element)
        if meaning.role == "drop":
            page.drop(element)
            return []
        if tag in HEADINGS:
            return self._heading(element)
        if meaning.role in ("formula", "math"):
            return self._formula(element)
        if meaning.role == "box":
            return boxes.box(page, element, meaning.name, self.inside)
        if read := boxes.BY_ROLE.get(meaning.role):
            return read(page, element, self.inside)
        return self._by_tag(element, meaning)

    def _by_tag(self, element: HtmlElement, meaning: Meaning) -> list[Block]:
        match element.tag:
            case "ul" | "ol" | "menu" | "dir":
                return self._list(element)
            case "dl":
                return self._definitions(element)
            case "pre":
                return self._code(element)
            case "hr":
                return []
            case "table":
                captions = [block for child in element.elements_of("caption") for block in self.blocks(child.children)]
                return [*captions, *table(self.page, element)]
        mark = MARKS.get(element.tag, "")
        if meaning.role in ("mark", "cell") and meaning.name in WORD_MARKS:
            mark = meaning.name
        mark = _ROLE_MARKS.get(meaning.role, mark)
        if mark and not any(_holds_blocks(child) for child in element.children if isinstance(child, HtmlElement)):
            return _paragraph(inlines(self.page, element.children), mark)
        return self.blocks(element.children)

    def _heading(self, element: HtmlElement) -> list[Block]:
        page = self.page
        parts = on_one_line([part for part in inlines(page, element.children) if not isinstance(part, nodes.Image)])
        pictures = [block for inner in element.elements() if inner.tag in PICTURES for block in lone(page, inner)]
        if not plain(parts):
            return pictures
        level, number = 4, None
        if page.is_fragment:
            level = int(element.tag[1])
        elif not page.depth:
            page.last_heading = plain(parts)
            level = self.numbering.level(element.tag)
            if level != int(element.tag[1]):
                message = f"<{element.tag}> becomes a heading of level {level}: none is left out"
                page.tell("heading-level", message, element)
            bare, number = self.numbering.number(level, parts)
            if bare != parts:
                page.counted.add((element.line, element.column))
            parts = bare
        block_id = page.ids.get(id(element), "") if not page.depth else ""
        return [nodes.Heading(level, parts, block_id, number), *pictures]

    def _list(self, element: HtmlElement) -> list[Block]:
        """A list; what is between its items is one of them."""
        items: list[list[Block]] = []
        for child in element.children:
            if isinstance(child, HtmlText):
                items += [self.inside([child])] if child.words.strip() else []
            elif child.tag == "li":
                self.page.meaning(child)
                items.append(self.inside(child.children))
            elif child.tag in ("ul", "ol") and items:
                items[-1] += self.inside([child])
            else:
                items.append(self.inside([child]))
        items = [blocks for blocks in items if blocks]
        if not items:
            return []
        start = _start(element) if element.tag == "ol" else None
        return [nodes.List(tuple(nodes.Item(tuple(blocks)) for blocks in items), start, _is_loose(items))]

    def _definitions(self, element: HtmlElement) -> list[Block]:
        """A definition list; terms that nothing explains, and explanations of nothing, are blocks by themselves."""
        blocks: list[Block] = []
        entries: list[nodes.Term | nodes.Definition] = []
        for child in _entries(element):
            if isinstance(child, HtmlElement) and child.tag == "dd" and entries:
                explained = self.inside(child.children)
                if explained and not isinstance(explained[0], nodes.Component | nodes.CodeBlock):
                    entries.append(nodes.Definition(tuple(explained)))
                    continue
            else:
                explained = []
            blocks += _definition_list(entries)
            entries = []
            if isinstance(child, HtmlElement) and child.tag == "dt" and not any(map(_holds_blocks, _elements(child))):
                term = on_one_line(inlines(self.page, child.children))
                entries += [nodes.Term(term)] if plain(term) else []
            elif explained:
                blocks += explained
            else:
                content = child.children if isinstance(child, HtmlElement) and child.tag in ("dt", "dd") else [child]
                blocks += beside(self.page, content, self.inside)
        return [*blocks, *_definition_list(entries)]

    def _formula(self, element: HtmlElement) -> list[Block]:
        """A formula as TeX if all of its lines read back as they are, else in a box as it is written."""
        page = self.page
        if element.first(*_NO_FORMULA) or element.tag in ("table", "ul", "ol"):
            return beside(page, element.children, self.inside)
        lines = _formula_lines(element)
        if not lines:
            return []
        tex = [as_tex(line, page.table) for line in lines] if page.tex else []
        known = [line for line in tex if line is not None]
        if len(known) == len(lines) and signs(several(known)):
            return [nodes.FormulaBlock(several(known))]
        if element.tag == "pre":
            return self._code(element)
        parts: list[nodes.Inline] = []
        for line in lines:
            parts += [*([nodes.HardBreak()] if parts else []), *inlines(page, line)]
        if not plain(parts):
            return []
        if page.tex:
            page.tell("formula-as-text", f"a formula stays as it is written: {plain(parts)[:60]}", element)
        if all(isinstance(part, nodes.Text | nodes.HardBreak) for part in parts):
            text = "".join(part.text if isinstance(part, nodes.Text) else "\n" for part in parts)
            return [nodes.CodeBlock(text, "formula")]
        block = paragraph(tuple(parts))
        return [block if isinstance(block, nodes.FormulaBlock) else nodes.Component("formula", (), (block,))]

    def _code(self, element: HtmlElement) -> list[Block]:
        """A block of code, and the pictures in it."""
        pictures = [block for inner in element.elements() if inner.tag in PICTURES for block in lone(self.page, inner)]
        text = element.text().replace("\u00a0", " ").strip("\n").rstrip()
        if not text.strip():
            return pictures
        inside = element.first("code") or element
        names = [match[1] for name in (*inside.classes, *element.classes) if (match := _LANGUAGE.fullmatch(name))]
        info = next((name for name in names if name.lower() in known_languages()), "text")
        return [nodes.CodeBlock(text, info), *pictures]


def _paragraph(parts: Inlines, mark: str = "") -> list[Block]:
    if not plain(parts) and not any(isinstance(part, nodes.Image) for part in parts):
        return []
    return [paragraph((marked(mark, parts),) if mark else parts)]


def _holds_blocks(element: HtmlElement) -> bool:
    return any(inner.tag in BLOCKS for inner in element.elements())


def _elements(element: HtmlElement) -> Iterator[HtmlElement]:
    yield from (child for child in element.children if isinstance(child, HtmlElement))


def _is_loose(items: Sequence[Sequence[Block]]) -> bool:
    """Whether the items of a list have to be set apart: not if each is a paragraph, maybe with lists below it."""
    kinds = nodes.List | nodes.DefinitionList
    is_tight = all(
        isinstance(blocks[0], nodes.Paragraph)
        and all(isinstance(block, kinds) and not block.is_loose for block in blocks[1:])
        and all(map(can_touch, blocks, blocks[1:]))
        for blocks in items
    )
    return not is_tight and any(isinstance(block, nodes.Paragraph) for blocks in items for block in blocks)


def _start(element: HtmlElement) -> int:
    start = element.attributes.get("start", "")
    return int(start) if start.isdecimal() and len(start) < 9 else 1


def _entries(element: HtmlElement) -> Iterator[Node]:
    """Terms and explanations; `<div>` may group them."""
    for child in element.children:
        if isinstance(child, HtmlElement) and child.tag == "div" and not child.classes:
            yield from _entries(child)
        elif isinstance(child, HtmlElement) or child.words.strip():
            yield child


def _definition_list(entries: Sequence[nodes.Term | nodes.Definition]) -> list[Block]:
    if len(entries) == 1 and isinstance(term := entries[0], nodes.Term):
        return [nodes.Paragraph(term.inlines)]
    is_loose = _is_loose([entry.blocks for entry in entries if isinstance(entry, nodes.Definition)])
    return [nodes.DefinitionList(tuple(entries), is_loose)] if entries else []


def _formula_lines(element: HtmlElement) -> list[list[Node]]:
    """The lines of a formula: line ends and blocks divide it."""
    lines: list[list[Node]] = [[]]
    for child in element.children:
        if isinstance(child, HtmlElement) and child.tag == "br":
            lines.append([])
        elif isinstance(child, HtmlElement) and child.tag in BLOCKS:
            lines += [*_formula_lines(child), []]
        elif isinstance(child, HtmlText) and element.tag == "pre":
            first, *others = child.words.split("\n")
            lines[-1].append(HtmlText(first, child.line, child.column))
            lines += [[HtmlText(other, child.line, child.column)] for other in others]
        else:
            lines[-1].append(child)
    return [line for line in lines if "".join(node.text() for node in line).strip()]
