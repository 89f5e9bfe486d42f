"""A page's tree as blocks of ours. Tables are elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar

from paper_notes.document import nodes
from paper_notes.document.nodes import Block
from paper_notes.document.write import can_touch
from paper_notes.features.importing.html.box_titles import CALLOUTS, THEOREMS, label_of, theorem, title_of
from paper_notes.features.importing.html.facts import without_facts
from paper_notes.features.importing.html.formulas import as_tex, several, signs
from paper_notes.features.importing.html.headings import Numbering
from paper_notes.features.importing.html.inlines import (
    MARKS,
    WORD_MARKS,
    around_formulas,
    inlines,
    marked,
    on_one_line,
    paragraph,
    plain,
    remove_marker,
    tidy,
)
from paper_notes.features.importing.html.page import Inlines, Page, meaning_of
from paper_notes.features.importing.html.tables import table
from paper_notes.features.importing.html.tree import BLOCKS, CELLS, HEADINGS, PICTURES, UNSEEN, HtmlNode
from paper_notes.features.importing.proof.compare import RemovalKind
from paper_notes.markdown.syntax.code import known_languages
from paper_notes.markdown.syntax.components import COMPONENTS
from paper_notes.patterns import regex
from paper_notes.values import replace

_ROLE_MARKS = {"strong": "strong", "emphasis": "em", "small": "small"}
_LANGUAGE = regex(r"(?:lang(?:uage)?-)?([A-Za-z][\w+#-]*)")
_CONTENTS = regex(r"目\s*[录錄次]|(?:table of )?contents|toc|outline|もくじ", re.IGNORECASE)
_PROOF = regex(r"(?:proof|证明|證明)[.。:：]?", re.IGNORECASE)
_CAPTION = regex(r"\s*(?:[图圖]|Fig(?:ure|\.)?)\s*\d+\s*[.:：·、|—–-]", re.IGNORECASE)
_ARROW = regex(r"\s*(?:[←-⇿⟵-⟿➔-➾▶►▸➤]|-+>|=+>)\ufe0f?\s*")
_NO_FORMULA = frozenset({"drawing", "img", "table", "ul", "ol", "pre", "details", "dl", "pn-tex"})
"""What no formula holds."""


class BlockReader:
    """Reads the blocks of one page."""

    def __init__(self, page: Page, numbering: Numbering) -> None:
        self.page = page
        self.numbering = numbering
        self.theorems: Counter[str] = Counter()
        self.depth = 0
        """How many blocks are open that hold others."""

    def blocks(self, content: Sequence[HtmlNode]) -> list[Block]:
        """The blocks of these nodes of the tree."""
        blocks: list[Block] = []
        run: list[HtmlNode] = []
        heading = HtmlNode()
        for node in content:
            if self._lists_sections(node):
                self._remove_contents(node)
                title = blocks[-1] if blocks else None
                if isinstance(title, nodes.Heading) and _CONTENTS.fullmatch(plain(title.inlines)):
                    blocks.pop()
                    self._remove_contents(heading)
            elif _holds_blocks(node):
                blocks += self._of_run(run)
                run = []
                match blocks[-1:]:
                    case [nodes.Paragraph((nodes.Image(),)) as picture] if self._is_caption(node):
                        if caption := self.inside(node.children):
                            blocks[-1:] = [nodes.Component("figure", (), (picture, *caption))]
                    case _:
                        blocks += self._block(node)
                heading = node if blocks and isinstance(blocks[-1], nodes.Heading) else heading
            elif not (node.tag in UNSEEN and node.tag != "iframe"):
                run.append(node)
        return [*blocks, *self._of_run(run)]

    def inside(self, content: Sequence[HtmlNode]) -> list[Block]:
        """The blocks inside of another one."""
        self.depth += 1
        blocks = self.blocks(content)
        self.depth -= 1
        return blocks

    def _of_run(self, run: Sequence[HtmlNode]) -> list[Block]:
        """Inline content between blocks: a paragraph, or pictures that stand alone."""
        content = [node for node in run if not node.is_blank]
        if all(node.tag in PICTURES for node in content):
            return [block for node in content for block in self.picture(node)]
        return _paragraph(inlines(self.page, run))

    def _block(self, element: HtmlNode) -> list[Block]:
        page, tag = self.page, element.tag
        meaning = page.meaning(element)
        if meaning.role == "drop":
            page.drop(element)
            return []
        if tag in HEADINGS:
            return self._heading(element)
        if meaning.role == "marker" and remove_marker(page, element):
            return []
        if tag == "a" and not element.first(*_NO_FORMULA, *HEADINGS):
            return _paragraph(inlines(page, [element]))
        if meaning.role == "box" and tag != "pre":
            return self._box(element, meaning.name)
        if read := self.by_role.get(meaning.role) or self.by_tag.get(tag):
            return read(self, element)
        mark = tag if tag in MARKS else ""
        if meaning.role in ("mark", "cell") and meaning.name in WORD_MARKS:
            mark = meaning.name
        mark = _ROLE_MARKS.get(meaning.role, mark)
        if mark and not any(map(_holds_blocks, element.children)):
            return _paragraph(inlines(self.page, element.children), mark)
        if _is_row_with_arrows(element):
            return _paragraph(inlines(self.page, element.children))
        return self.blocks(element.children)

    def _heading(self, element: HtmlNode) -> list[Block]:
        page = self.page
        parts = on_one_line([part for part in inlines(page, element.children) if not isinstance(part, nodes.Image)])
        pictures = [block for inner in element.elements() if inner.tag in PICTURES for block in self.picture(inner)]
        if not plain(parts):
            return pictures
        level, number = 4, None
        if page.is_fragment:
            level = int(element.tag[1])
        elif not self.depth:
            page.last_heading = plain(parts)
            level = self.numbering.level(int(element.tag[1]))
            if level != int(element.tag[1]):
                message = f"<{element.tag}> becomes a heading of level {level}: none is left out"
                page.tell("heading-level", message, element)
            parts, number = self.numbering.number(level, parts)
        block_id = page.ids.get(id(element), "") if not self.depth else ""
        return [nodes.Heading(level, parts, block_id, number), *pictures]

    def _table(self, element: HtmlNode) -> list[Block]:
        captions = [block for child in element.elements_of("caption") for block in self.blocks(child.children)]
        if (made := table(self.page, element)) is not None:
            return [*captions, *made]
        self.page.tell("table-as-text", "a table with too many cells for a page is one text after another", element)
        return [*captions, *self.blocks([child for child in element.content if child.tag != "caption"])]

    def _list(self, element: HtmlNode) -> list[Block]:
        """A list; what is between its items is one of them. Where its numbers leap, another list begins."""
        items: list[tuple[int, list[Block], bool | None]] = []
        for child, number in element.items():
            if child.tag == "li":
                self.page.meaning(child)
                items.append((number, self.inside(child.children), self._is_done(child)))
            elif child.tag in ("ul", "ol") and items:
                while [inner.tag in ("ul", "ol") for inner in child.content] == [True]:
                    child = child.content[0]
                items[-1][1].extend(self.inside([child]))
            else:
                items.append((number, self.inside([child]), None))
        filled = [(number, nodes.Item(tuple(blocks), task)) for number, blocks, task in items if blocks]
        is_loose = _is_loose([item.blocks for _, item in filled])
        lists: list[Block] = []
        for _, run in groupby(enumerate(filled), lambda place: element.tag == "ol" and place[1][0] - place[0]):
            (_, (start, item)), *others = run
            every = (item, *(other for _, (_, other) in others))
            lists.append(nodes.List(every, start if element.tag == "ol" else None, is_loose))
        return lists

    def _is_done(self, item: HtmlNode) -> bool | None:
        """Whether a task is done; None if the item is none."""
        stack = [*item.content]
        while stack and stack[0].tag not in ("ul", "ol", "table"):
            first = stack.pop(0)
            meaning = meaning_of(first, self.page.table)
            if first.tag == "input" and first.attributes.get("type") == "checkbox":
                return "checked" in first.attributes
            if meaning and meaning.role == "task":
                return meaning.name == "done"
            if not first.tag:
                return None
            stack = [*first.content, *stack]
        return None

    def _definitions(self, element: HtmlNode) -> list[Block]:
        """A definition list; terms that nothing explains, and explanations of nothing, are blocks by themselves."""
        blocks: list[Block] = []
        entries: list[nodes.DefinedTerm | nodes.Definition] = []
        for child in _entries(element):
            if child.tag == "dd" and entries:
                explained = self.inside(child.children)
                if explained and not isinstance(explained[0], nodes.Component | nodes.CodeBlock):
                    entries.append(nodes.Definition(tuple(explained)))
                    continue
            else:
                explained = []
            if child.tag != "dt" or not (entries and isinstance(entries[-1], nodes.Definition)):
                blocks += _definition_list(entries)
                entries = []
            if child.tag == "dt" and not any(map(_holds_blocks, child.children)):
                term = on_one_line(inlines(self.page, child.children))
                entries += [nodes.DefinedTerm(term)] if plain(term) else []
            elif explained:
                blocks += explained
            else:
                content = child.children if child.tag in ("dt", "dd") else [child]
                blocks += self.blocks(content)
        return [*blocks, *_definition_list(entries)]

    def _formula(self, element: HtmlNode) -> list[Block]:
        """A formula as TeX if all of its lines read back as they are, else in a box as it is written."""
        page = self.page
        if element.first(*_NO_FORMULA) or element.tag in ("table", "ul", "ol"):
            return self.blocks(element.children)
        lines = _lines(element)
        if not lines:
            return []
        is_set = page.has_tex and any(
            part.display for part in inlines(page, element.children) if isinstance(part, nodes.Formula)
        )
        tex = [as_tex(line, page.table) for line in lines] if page.tex and not is_set else []
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
        if isinstance(block := paragraph(tuple(parts)), nodes.FormulaBlock):
            return [block]
        if page.tex:
            page.tell("formula-as-text", f"a formula stays as it is written: {plain(parts)[:60]}", element)
        if all(isinstance(part, nodes.Text | nodes.HardBreak) for part in parts):
            text = "".join(part.text if isinstance(part, nodes.Text) else "\n" for part in parts)
            return [nodes.CodeBlock(text, "formula")]
        return [nodes.Component("formula", (), (block,))]

    def _code(self, element: HtmlNode) -> list[Block]:
        """A block of code, and the pictures in it."""
        pictures = [block for inner in element.elements() if inner.tag in PICTURES for block in self.picture(inner)]
        lines = [child for child in element.children if not child.is_blank]
        if len(lines) > 1 and all(child.tag == "code" for child in lines) and "\n" not in element.text().strip():
            text = "\n".join(line.text() for line in lines)  # as WeChat has them
        else:
            text = element.text()
        text = text.replace("\u00a0", " ").strip("\n").rstrip()
        if not text.strip():
            return pictures
        inside = element.first("code") or element
        said = [element.attributes.get(name, "") for name in ("data-lang", "data-language")]
        names = [
            match[1] for name in (*inside.classes, *element.classes, *said) if (match := _LANGUAGE.fullmatch(name))
        ]
        info = next((name for name in names if name.lower() in known_languages()), "text")
        return [nodes.CodeBlock(text, info), *pictures]

    # Boxes

    def _box(self, element: HtmlNode, name: str) -> list[Block]:
        """A box; a heading at its beginning is its title."""
        title, rest = title_of(self.page, element)
        if name in THEOREMS and not title:
            name, title, rest = theorem(self.page, element, name, self.theorems)
        if name in CALLOUTS and not title:
            title, rest = label_of(element)
        if element.tag in self.by_tag:
            inside = {key: value for key, value in element.attributes.items() if key != "class"}
            title, rest = (), [replace(element, attributes=inside)]
        blocks = self.inside(rest)
        if not blocks and not title:
            return []
        match blocks:
            case [nodes.Component("card", (), lines)] if any(self.page.role(node) == "listing" for node in rest):
                blocks = [*lines]
        if name == "proof" and _PROOF.fullmatch(plain(title)):
            title = ()  # the box says so
        if name in COMPONENTS:
            return [nodes.Component(name, title, tuple(blocks), self.page.ids.get(id(element), ""))]
        head = [nodes.Paragraph((nodes.Strong(title),))] if title else []
        return [nodes.Quote((*head, *blocks))]

    def _pairs(self, element: HtmlNode) -> list[Block]:
        """Key numbers and what they mean, dates and what happened, if each element has both; else what is inside."""
        name = self.page.role(element)
        entries: list[nodes.DefinedTerm | nodes.Definition] = []
        for child in element.content if not element.first(*PICTURES) else ():
            first, *others = child.content or [child]
            term = self._of_pair(first)
            words = () if any(node.tag in BLOCKS or node.first(*BLOCKS) for node in term) else inlines(self.page, term)
            rest = (
                child.children[next(at for at, node in enumerate(child.children) if node is first) + 1 :]
                if others
                else []
            )
            blocks = self.inside(self._of_pair(others[0]) if len(others) == 1 else rest) if plain(words) else []
            is_short = len(others) == 1 and [type(block) for block in blocks] == [nodes.Paragraph]
            if not blocks or (name == "stats" and not is_short):
                return self.blocks(element.children)
            entries += [nodes.DefinedTerm(on_one_line(words)), nodes.Definition(tuple(blocks))]
        if not entries:
            return self.blocks(element.children)
        return [nodes.Component(name, (), tuple(_definition_list(entries)))]

    def _of_pair(self, part: HtmlNode) -> list[HtmlNode]:
        """What a number or label holds; another element as it is."""
        is_holder = part.tag in BLOCKS or self.page.meaning(part, "stat").role in ("number", "label", "small", "strong")
        return part.children if part.tag and is_holder else [part]

    def _equation(self, element: HtmlNode) -> list[Block]:
        """A displayed formula, or several aligned ones, with their numbers."""
        lines: list[list[str]] = []
        for row in (row for row in element.elements() if row.tag == "tr"):
            cells = [cell for cell in row.elements_of(*CELLS) if cell.first("pn-tex") or "ltx_td" in cell.classes]
            texts = ([inner.text() for inner in cell.elements() if inner.tag == "pn-tex"] for cell in cells)
            tex = [" ".join(" ".join(parts).replace("\\displaystyle", "").split()) for parts in texts]
            number = " ".join("".join(cell.text() for cell in row.elements_of(*CELLS) if cell not in cells).split())
            tex += [f"\\qquad \\text{{{number}}}"] if number else []
            lines.append(tex)
        aligned = " \\\\\n".join("&".join([" ".join(tex[:1]), " ".join(tex[1:])]) for tex in lines)
        whole = f"\\begin{{aligned}}\n{aligned}\n\\end{{aligned}}" if len(lines) > 1 else " ".join(filter(None, *lines))
        return [nodes.FormulaBlock(whole)] if signs(whole) else self.blocks(element.children)

    def _listing(self, element: HtmlNode) -> list[Block]:
        """Lines of code, or of an algorithm with its formulas."""
        dropped = [child for child in element.content if self.page.role(child) == "drop"]
        for child in dropped:
            self.page.drop(child)
        lines = _lines(replace(element, children=[child for child in element.children if child not in dropped]))
        if not element.first("pn-tex"):
            said = ("".join(node.text() for node in line).replace("\u00a0", " ") for line in lines)
            text = "\n".join(line.strip("\n").rstrip() for line in said)
            names = (name.rpartition("language_")[2].lower() for name in element.classes)
            info = next((name for name in names if name in known_languages()), "text")
            return [nodes.CodeBlock(text, info)] if text.strip() else []
        parts = [part for line in lines for part in (nodes.HardBreak(), *inlines(self.page, line))][1:]
        return [nodes.Component("card", (), (nodes.Paragraph(tuple(parts)),))] if plain(parts) else []

    def _footnotes(self, element: HtmlNode) -> list[Block]:
        """The footnotes at the end of a page, without the links back."""
        labels = self.page.footnotes
        notes = [inner for inner in element.elements() if inner.attributes.get("id", "") in labels]
        if not notes:
            return self.blocks(element.children)
        blocks: list[Block] = []
        for note in notes:
            for holder in note.elements():
                for link in [child for child in holder.children if _leads_back(child)]:
                    remove_marker(self.page, link)
                    holder.children.remove(link)
            inside = self.inside(note.children) or [nodes.Paragraph((nodes.Text("–"),))]
            blocks.append(nodes.FootnoteDefinition(labels[note.attributes["id"]], tuple(inside)))
        for holder in element.elements():
            holder.children = [child for child in holder.children if all(child is not note for note in notes)]
        return [*(self.blocks([element]) if element.tag == "ol" else self.blocks(element.children)), *blocks]

    def _quote(self, element: HtmlNode) -> list[Block]:
        """A quotation; its source at the end stands below it."""
        *content, last = element.content or [HtmlNode()]
        if content and (last.tag in ("cite", "footer") or self.page.role(last) == "source"):
            blocks = self.inside(content)
            source = _without_dash(on_one_line(inlines(self.page, last.children)))
            blocks = [*blocks[:-1], *(_undashed(block) for block in blocks[-1:])]
            if blocks and plain(source):
                return [nodes.Component("quote", source, tuple(blocks))]
            blocks += self.inside([last])
        else:
            blocks = self.inside(element.children)
        return [nodes.Quote(tuple(blocks))] if blocks else []

    def _details(self, element: HtmlNode) -> list[Block]:
        """What is folded away."""
        summary = next(iter(element.elements_of("summary")), HtmlNode())
        content = [node for child in summary.children for node in (child.children if child.tag in BLOCKS else [child])]
        title = on_one_line([part for part in inlines(self.page, content) if not isinstance(part, nodes.Image)])
        blocks = self.inside([child for child in element.children if child is not summary])
        return [nodes.Component("details", title if plain(title) else (), tuple(blocks))]

    def _contents(self, element: HtmlNode) -> list[Block]:
        """A table of contents or navigation: left out if it only has links; the page makes its own."""
        page = self.page
        links = element.links()
        is_local = all(link.startswith("#") for link in links)
        if not links or not (is_local or page.role(element) == "navigation"):
            return self.blocks(element.children)
        title, rest = title_of(self.page, element)
        if not title and (first := element.content[0]).tag in ("strong", "b", "span", "p") and not first.first("a"):
            title, rest = on_one_line(inlines(page, first.children)), element.content[1:]
        if not page.is_fragment and not any(map(self._says_more, rest)):
            self._remove_contents(element, is_local=is_local)
            return []
        if not is_local:
            return self.blocks(element.children)
        page.tell("contents", "a table of contents that says more than the headings is folded away", element)
        return [nodes.Component("details", title if plain(title) else (), tuple(self.inside(rest)))]

    def _lists_sections(self, element: HtmlNode) -> bool:
        """Whether a list at the top, which may be folded away, is a table of contents without saying so."""
        if self.depth or self.page.is_fragment or element.tag not in ("ul", "ol", "details"):
            return False
        content = [child for child in element.content if child.tag != "summary"]
        links = element.links()
        sections = [link for link in links if link.startswith("#") and link[1:] in self.page.anchors]
        return len(sections) == len(links) > 2 and not any(map(self._says_more, content))

    def _says_more(self, node: HtmlNode) -> bool:
        """Whether there are words outside of links that are not in the heading that a link leads to, either."""
        links = [link.attributes.get("href", "")[1:] for link in node.elements_of("a")]
        if node.tag == "li" and len(links) == 1:
            own = "".join("".join(child.text() for child in node.children if child.tag not in ("ul", "ol")).split())
            if own in self.page.headings.get(links[0], ""):
                return any(self._says_more(child) for child in node.elements_of("ul", "ol"))
        if node.tag in ("ul", "ol", "li", "nav", "div"):
            return any(map(self._says_more, node.children))
        return _says_more(node)

    def _remove_contents(self, element: HtmlNode, *, is_local: bool = True) -> None:
        kind: RemovalKind = "contents" if is_local else "navigation"
        words = "a table of contents" if is_local else "a row of links"
        self.page.remove(kind, f"{words} is left out: the page makes its own", element)

    def _meta(self, element: HtmlNode) -> list[Block]:
        """The line below the title, without the facts that the page shows of itself."""
        page = self.page
        if element.first(*_NO_FORMULA, *HEADINGS):
            return self._table(element) if element.tag == "table" else self.blocks(element.children)
        lines = [without_facts(inlines(page, line), page.facts) for line in _lines(element)]
        kept = [line for line, _ in lines if plain(line)]
        parts = tuple(part for line in kept for part in (nodes.HardBreak(), *line))[1:]
        if gone := [words for _, facts in lines for words in facts]:
            message = f"the note knows, and its page shows: {'; '.join(gone)}"
            page.remove("facts", message, element, "\n".join(gone))
        return _paragraph(parts, "small")

    def picture(self, element: HtmlNode, said: str = "") -> list[Block]:
        """A picture as a paragraph of its own; a drawing that cannot be one as a block of its words."""
        parts = tuple(self.page.picture(element, said or self.page.last_heading))
        if element.tag == "drawing" and len(parts) == 1 and isinstance(words := parts[0], nodes.Text):
            return [nodes.CodeBlock(words.text, "text")]
        return [nodes.Paragraph(parts)] if parts else []

    def _figure(self, element: HtmlNode) -> list[Block]:
        """A numbered figure for each picture; the words beside it are its caption.

        Words before the first one are its caption if none follow. Of several with words below all, the last has them.
        Where one of several has a caption that says so, words below others, such as `(a)`, make no figures of them, and
        those of its own are its title.
        """
        own: set[int] = set()
        content = self._flat(element, own)
        starts = [at for at, node in enumerate(content) if node.tag in PICTURES]
        figures = [inner for inner in element.elements() if self.page.role(inner) == "figure" and inner is not element]
        if not starts or (figures and not own):
            return self.blocks(element.children)
        before = content[: starts[0]]
        captions = [content[start + 1 : end] for start, end in zip(starts, [*starts[1:], len(content)], strict=True)]
        above: list[HtmlNode] = []
        if not any(map(_words, captions)) and not any(node.tag in HEADINGS or node.first(*HEADINGS) for node in before):
            above, before = before, []
        blocks = self.blocks(before)
        is_captioned = [any(id(node) in own for node in below) for below in captions]
        said = _words(above) or next(filter(None, map(_words, captions)), "")
        block_id = self.page.ids.get(id(element), "")
        for start, below, is_numbered in zip(starts, captions, is_captioned, strict=True):
            pictures = self.picture(content[start], _words(below) or said)
            others = any(node.first(*PICTURES) for node in (*above, *below))
            is_part = any(is_captioned) and not is_numbered
            match pictures:
                case [nodes.Paragraph((nodes.Image(),))] if (
                    (_words([*above, *below]) or block_id) and not others and not is_part
                ):
                    title, caption = self._own_words(below, own) if len(starts) > 1 and is_numbered else ((), below)
                    inside = (*self.inside(above), *pictures, *self.inside(caption))
                    blocks.append(nodes.Component("figure", title, inside, block_id))
                    block_id = ""
                case _:
                    blocks += [*self.blocks(above), *pictures, *self.blocks(below)]
            above = []
        return blocks

    def _own_words(self, below: Sequence[HtmlNode], captions: set[int]) -> tuple[Inlines, Sequence[HtmlNode]]:
        """The words below the last of several pictures that are its own, such as `(b)`, and the caption of all."""
        first = next(at for at, node in enumerate(below) if id(node) in captions)
        words = [node for node in below[:first] if not node.is_blank]
        if not words or any(node.first(*BLOCKS) for part in words for node in part.children):
            return (), below
        return on_one_line(inlines(self.page, words)), below[first:]

    def _is_caption(self, element: HtmlNode) -> bool:
        """Whether an element behind a picture is its caption, though nothing holds both."""
        if self.page.role(element) == "caption":
            return True
        is_line = element.tag in ("p", "div", "center") and not element.first(*BLOCKS, *PICTURES, "br")
        return is_line and bool(_CAPTION.match(element.text()))

    def _flat(self, element: HtmlNode, captions: set[int]) -> list[HtmlNode]:
        """What is inside, without the boxes around pictures and captions, whose nodes are added by `id()`."""
        content: list[HtmlNode] = []
        for child in element.children:
            if child.tag not in ("", *PICTURES):
                role = self.page.role(child) or self.page.meaning(child).role
                is_box = role == "figure" or child.tag in ("figcaption", "p", "div", "a", "center")
                if role == "caption" or (is_box and child.first(*PICTURES)):
                    inside = self._flat(child, set() if role == "figure" else captions)
                    captions |= {id(node) for node in inside if role == "caption"}
                    content += [*inside, HtmlNode(words="\n")]
                    continue
            content.append(child)
        return content

    by_role: ClassVar[Mapping[str, Callable[[BlockReader, HtmlNode], list[Block]]]] = {
        "formula": _formula,
        "math": _formula,
        "stats": _pairs,
        "timeline": _pairs,
        "contents": _contents,
        "navigation": _contents,
        "equation": _equation,
        "listing": _listing,
        "footnotes": _footnotes,
        "meta": _meta,
        "figure": _figure,
        "quote": _quote,
        "details": _details,
    }
    by_tag: ClassVar[Mapping[str, Callable[[BlockReader, HtmlNode], list[Block]]]] = {
        **dict.fromkeys(("ul", "ol", "menu", "dir"), _list),
        "dl": _definitions,
        "pre": _code,
        "hr": lambda reader, element: [],
        "table": _table,
    }


def _paragraph(parts: Inlines, mark: str = "") -> list[Block]:
    if not plain(parts) and not any(isinstance(part, nodes.Image | nodes.FootnoteReference) for part in parts):
        return []
    if not mark and any(isinstance(part, nodes.Formula) and r"\label{" in part.tex for part in parts):
        return list(around_formulas(parts))
    return [paragraph((marked(mark, parts),) if mark else parts)]


_DASH = regex(r"\s*[—–―-]+\s*")


def _without_dash(source: Inlines) -> Inlines:
    """The source of a quotation without the dash that pages set before it."""
    if source and isinstance(first := source[0], nodes.Text) and (dash := _DASH.match(first.text)):
        return (*((nodes.Text(rest),) if (rest := first.text[dash.end() :]) else ()), *source[1:])
    return source


def _undashed(block: Block) -> Block:
    """The end of a quotation without the dash before its source."""
    match block:
        case nodes.Paragraph((*parts, nodes.Text(text))) if _DASH.fullmatch(text.rpartition("\n")[2]) and parts:
            return replace(block, inlines=tidy(parts))
    return block


def _leads_back(node: HtmlNode) -> bool:
    """Whether this is a link from a footnote to where it belongs."""
    is_local = node.tag == "a" and node.attributes.get("href", "").startswith("#")
    return is_local and not any(map(str.isalpha, node.text()))


def _words(content: Sequence[HtmlNode]) -> str:
    return " ".join(" ".join(node.text() for node in content).split())


def _is_row_with_arrows(element: HtmlNode) -> bool:
    """Whether an element holds steps side by side, each a few words, with arrows between them."""
    parts = element.content
    is_flat = len(parts) > 2 and not any(part.first(*BLOCKS, *PICTURES) for part in parts)
    return is_flat and any(_ARROW.fullmatch(part.text()) for part in parts)


def _holds_blocks(element: HtmlNode) -> bool:
    return any(inner.tag in BLOCKS for inner in element.elements())


def _says_more(node: HtmlNode) -> bool:
    """Whether there are words outside of links."""
    if node.tag == "a" or node.tag in UNSEEN:
        return False
    return any(map(str.isalpha, node.words)) or node.tag in PICTURES or any(map(_says_more, node.children))


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


def _entries(element: HtmlNode) -> Iterator[HtmlNode]:
    """Terms and explanations; `<div>` may group them."""
    for child in element.content:
        yield from _entries(child) if child.tag == "div" and not child.classes else (child,)


def _definition_list(entries: Sequence[nodes.DefinedTerm | nodes.Definition]) -> list[Block]:
    if entries and isinstance(term := entries[-1], nodes.DefinedTerm):  # which nothing explains
        return [*_definition_list(entries[:-1]), nodes.Paragraph(term.inlines)]
    is_loose = _is_loose([entry.blocks for entry in entries if isinstance(entry, nodes.Definition)])
    return [nodes.DefinitionList(tuple(entries), is_loose)] if entries else []


def _lines(element: HtmlNode) -> list[list[HtmlNode]]:
    """The lines of a formula or of facts: line ends and blocks divide it."""
    lines: list[list[HtmlNode]] = [[]]
    for child in element.children:
        if child.tag == "br":
            lines.append([])
        elif child.tag in CELLS:
            lines[-1] += [*(node for line in _lines(child) for node in line), HtmlNode(words=" ")]
        elif child.tag in BLOCKS:
            lines += [*_lines(child), []]
        elif not child.tag and element.tag == "pre":
            first, *others = child.words.split("\n")
            lines[-1].append(HtmlNode(words=first, line=child.line, column=child.column))
            lines += [[HtmlNode(words=other, line=child.line, column=child.column)] for other in others]
        else:
            lines[-1].append(child)
    return [line for line in lines if "".join(node.text() for node in line).strip()]
