"""The visible words of a Markdown text as it came, read from its tree before anything is converted.

Words that the tree itself has lost are noticed by `completeness.plain_lines`, which knows no syntax. Formulas,
drawings, pictures and the title are left out. The page may have more words, such as labels of boxes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Document, Inline, Node
from paper_notes.document.parse import Dialect, parse_inline
from paper_notes.features.importing.html.words import visible_words as words_of_html
from paper_notes.features.importing.markdown.blocks import CODE, SNIPPET, arguments, shown_code
from paper_notes.features.importing.markdown.dialects import tables
from paper_notes.features.importing.markdown.directives import PLACES, caption_of, is_crossref, without_crossrefs
from paper_notes.features.importing.markdown.grammar import DRAWN, ForeignBlock, Sign, kind_of
from paper_notes.features.importing.markdown.headings import HEADING, typed_number
from paper_notes.features.importing.markdown.raw_html import PICTURE
from paper_notes.features.importing.markdown.rewriting import without_remarks
from paper_notes.markdown.sanitise import is_html

_OPTIONS = re.compile(r"(?:\s*\{:?[^{}]*[.#=:][^{}]*\})+\s*$")
_BRACES = re.compile(r"\s*\{[^{}]*\}\s*$")
_TAG = re.compile(r"</?([A-Za-z][\w.:-]*)")
_TARGET = re.compile(r"(?s:(.*?)\s*<[^<>]+>)")
_BLOCK_NAME = re.compile(r"#\^[\w-]+$")
_AFTER_FORMULA = re.compile(r"(?s:.*)(?:\$\$|\\\]|\\end\{\w+\*?\})(?![ \t]*(?:\{#|\^))(.*)")


class VisibleWords:
    """The words of one text without the blocks that begin at places `left_out`; `names` are those of its blocks."""

    def __init__(self, text: str, dialect: Dialect, left_out: Collection[int], names: Collection[str]) -> None:
        self.text, self.dialect, self.left_out, self.names = text, dialect, left_out, names
        self.footnotes: dict[object, str] = {}
        """The words of footnotes by their labels, in the order of their use."""

    def of(self, document: Document) -> str:
        """All words, in lines; those of footnotes last, as on the page."""
        for node in document.walk():
            if isinstance(node, nodes.FootnoteReference):
                self.footnotes[node.label] = ""
            elif isinstance(node, nodes.InlineFootnote):
                self.footnotes[node] = self._joined(node.children)
        return "\n".join([self._joined(_apart(document.children)), *self.footnotes.values()])

    def _joined(self, parts: Iterable[Node | str]) -> str:
        """The words of nodes that follow one another; without recursion, as texts may be deeper than Python's stack."""
        words: list[str] = []
        stack = [*parts][::-1]
        while stack:
            part = stack.pop()
            if isinstance(part, str):
                words.append(part)
            else:
                stack += self._parts(part)[::-1]
        return "".join(words)

    def _parts(self, node: Node) -> Sequence[Node | str]:  # noqa: C901 -- a case a kind
        """The words of a node, or the nodes that have them."""
        match node:
            case nodes.Text(words) | nodes.Code(words):
                return [words]
            case nodes.SoftBreak() | nodes.HardBreak():
                return ["\n"]
            case nodes.Formula() | nodes.EquationReference() | nodes.Image() | nodes.InlineFootnote():
                return [" "]
            case nodes.Reference(target, words):
                return [words or _BLOCK_NAME.sub("", target)]
            case nodes.Citation():
                source = self.text[slice(*node.span)]
                return [without_crossrefs(source) if is_crossref(source) else source]
            case nodes.RawInline(html):
                tag = _TAG.match(html)
                return [html] if tag and not is_html(tag[1]) and tag[1][0].islower() else []
            case Sign():
                return [self._of_sign(node)]
            case nodes.CodeBlock(code, info):
                return (
                    []
                    if info.partition(" ")[0].strip("{}") in DRAWN or SNIPPET.fullmatch(code.strip())
                    else [shown_code(code)]
                )
            case Block() if node.span.start in self.left_out:
                return []
            case nodes.Heading():
                return [_of_heading(self._joined(node.children))]
            case nodes.RawBlock(html):
                words = words_of_html(html)
                return [_of_heading(words) if HEADING.fullmatch(html.strip()) else words]
            case nodes.Row(cells):  # cells beyond the last column are in no node
                rest = self.text[max(cell.span.end for cell in cells) : node.span.end].strip(" |")
                return [*_apart(cells), self._phrase(rest)]
            case nodes.FootnoteDefinition(label) if self.footnotes.get(label) == "":
                self.footnotes[label] = self._joined(_apart(node.children))
                return []
            case ForeignBlock():
                return self._of_block(node)
        return _apart(node.children)

    def _of_sign(self, sign: Sign) -> str:
        fields = sign.fields
        if sign.kind == "name":
            return "" if fields["block"].casefold() in self.names else self.text[slice(*sign.span)]
        if sign.kind == "role":
            return self._of_role(sign.fields["role"], sign.fields["words"])
        if sign.kind == "change":
            return f"{self._phrase(fields['words'])} {self._phrase(fields['new'])}"
        if sign.kind in ("ins", "del", "mark", "link", "variable", "span"):
            return self._phrase(fields["words"])
        if sign.kind == "macro":
            words = fields["rest"].strip() if fields["macro"] != "query" else ""
            return self._phrase(words) or self.text[slice(*sign.span)]
        return fields.get("sub") or fields.get("sup") or fields.get("keys") or ""

    def _of_role(self, name: str, words: str) -> str:
        kind, target = tables().roles.get(name, "words"), _TARGET.fullmatch(words)
        if kind in ("formula", "equation") or (kind == "target" and not target):
            return " "
        shown = target[1] if target else words
        return " " if kind == "target" and PLACES.search(shown) else self._phrase(shown)

    def _of_block(self, block: ForeignBlock) -> Sequence[Node | str]:
        fields, written = block.fields, self.text[slice(*block.opening)]
        match block.kind:
            case "html":
                return [words_of_html(PICTURE.sub("", written))]
            case "verbatim":
                return [without_remarks(written)]
            case "stray":
                return [self._phrase(written)]
            case "opaque":
                return self._of_opaque(kind_of(block), fields)
            case "formula":
                after = _AFTER_FORMULA.fullmatch(written)
                return [after[1]] if after else []
        if "too deep" in fields:
            return [without_remarks(self.text[slice(*block.span)])]
        if (name := fields.get("short") or fields.get("liquid")) in CODE:
            return [] if CODE[name] in DRAWN else [self.text[block.opening.end : block.closing.start]]
        values = {**fields, **arguments(fields.get("arguments", ""))[0]}
        if kind_of(block) == "figure":
            values["title"] = ""
        titles = [_BRACES.sub("", values.get(key, "")) for key in ("tab_title", "bracket", "title", "caption")]
        return ["\n".join(map(self._phrase, titles)), *_apart(block.blocks)]

    def _of_opaque(self, kind: str, fields: Mapping[str, str]) -> Sequence[str]:
        """The words of a directive whose text is no Markdown."""
        words = [self._phrase(caption_of(fields)), " ", self._phrase(fields.get(":header", ""))]
        match kind:
            case "code":
                return [*words, "\n", fields["code"]]
            case "rows" | "terms":
                lines = (self._phrase(line) for line in (fields["title"], *fields["code"].split("\n")))
                return [*words, *(f"\n{line}" for line in lines)]
            case "html":
                return [words_of_html(fields["code"])] if fields["title"].strip() == "html" else []
        return []

    def _phrase(self, text: str) -> str:
        """The words of Markdown that is a part of something foreign."""
        part = VisibleWords(text, self.dialect, (), self.names)
        return part._joined(parse_inline(text, self.dialect)) if text.strip() else ""


def _apart(children: Iterable[Node]) -> Sequence[Node | str]:
    """The nodes with a line end around each block."""
    parts: list[Node | str] = []
    for child in children:
        parts += [child] if isinstance(child, Inline) else ["\n", child, "\n"]
    return parts


def _of_heading(words: str) -> str:
    """The words of a heading without its id and the number that its author typed: pages count by themselves."""
    words = _OPTIONS.sub("", words).strip()
    number = typed_number(words)
    return words[number[1] :] if number else words
