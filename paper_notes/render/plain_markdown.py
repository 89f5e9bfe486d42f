"""A text as Markdown that any program reads: what only our pages know becomes words, links and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang, Note
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Document, Inline, Node, with_parts
from paper_notes.document.parse import parse_inline
from paper_notes.languages.language import Language
from paper_notes.macros import Macros
from paper_notes.markdown.body import Outline
from paper_notes.markdown.figures.images import is_crop
from paper_notes.markdown.math.convert import TexProblem, without_macros
from paper_notes.render.labels import cite_label, reference
from paper_notes.render.links import LinkResolver, absolute, markdown_path, note_path, relative
from paper_notes.render.plain import plain
from paper_notes.values import Struct, replace


class LinkTexts(Struct, frozen=True):
    """What a text refers to, as words and addresses: all that its Markdown depends on besides itself."""

    notes: Mapping[str, tuple[str, str]]
    """By target, as it is written."""
    papers: Mapping[str, tuple[str, str, str]]
    """By BibTeX key: the label of a citation, the label without names, the address (may be empty)."""
    page: str
    """The address of the page, which has the places that links within the text lead to."""
    places: Mapping[str, str]
    """Their ids on the page: that of a named block ends with the language."""


def link_texts(note: Note, lang: Lang, outline: Outline, resolver: LinkResolver) -> LinkTexts:
    """What a note refers to, with links from its Markdown to that of other notes: whole ones if they are known."""
    corpus, start = resolver.corpus, markdown_path(note, lang)

    def address(path: PurePosixPath) -> str:
        return absolute(path, corpus.site.base_url) if corpus.site.base_url else relative(path, start)

    texts: dict[str, tuple[str, str]] = {}
    papers: dict[str, tuple[str, str, str]] = {}
    for kind, target in outline.mentions:
        if kind == "note" and isinstance(linked := resolver.find(target, note.topic, lang), tuple):
            other = corpus.note(linked[0])
            label = reference(corpus, other, lang, note.topic, target)
            spoken = lang if lang in other.languages else other.languages[0]
            path = markdown_path(other, spoken) if other.topic else note_path(other)
            texts[target] = label, address(path)
        elif paper := corpus.papers.get(BibKey(target)):
            papers[target] = cited_paper(paper)
    anchors = outline.anchors
    places = {name: anchors.find(name, lang) for name in anchors.names}
    return LinkTexts(texts, papers, address(note_path(note)), places)


def cited_paper(paper: Paper) -> tuple[str, str, str]:
    """How texts cite a paper: the label, the label without names, and the address (may be empty)."""
    return cite_label(paper), cite_label(paper, bare=True), next((link.url for link in paper.links), "")


def plain_document(
    document: Document,
    links: LinkTexts,
    words: Language,
    own: Callable[[Node, Sequence[Node]], Sequence[Node]] = lambda _node, others: others,
) -> Document:
    """The same text in blocks and inlines of GitHub's Markdown. Comments and tags of HTML are left out.

    `own` says what a reader who knows more is given for a node instead; it is told what others are given.
    """

    def change(node: Inline | Block) -> Sequence[Node]:
        return own(node, _inline(node, links) if isinstance(node, Inline) else _block(node, links, words))

    return with_parts(document, change)


def macros_written_out(document: Document, macros: Macros) -> Document:
    """The same text with what the macros of its formulas stand for: other programs know none of them."""

    def change(node: Inline | Block) -> Sequence[Node]:
        nonlocal macros
        if isinstance(node, nodes.Formula | nodes.FormulaBlock):
            with suppress(TexProblem):  # which the build says
                written, macros = without_macros(node.tex, macros)
                return [replace(node, tex=written.text)]
        return [node]

    return with_parts(document, change)


def _inline(inline: Inline, links: LinkTexts) -> Sequence[Inline]:  # noqa: C901 -- a case for each kind
    match inline:
        case nodes.Reference(target=target, text=text):
            label, address = links.notes.get(target, (target, ""))
            shown = (nodes.Text(text or label),)
            return [nodes.Link(address, shown)] if address else shown
        case nodes.Citation():
            return [nodes.Text("("), *_cited(inline, links), nodes.Text(")")]
        case nodes.Image(src=src, inlines=words):
            is_outside = src.startswith(("http://", "https://")) and not is_crop(src)
            return [inline] if is_outside else [nodes.Emphasis(words)] if words else []
        case nodes.Link(href=href):
            if href.startswith("#"):
                place = links.places.get(href[1:], "")
                href = f"{links.page}#{place}" if place else links.page
            return [replace(inline, href=href, is_bare=False)]
        case nodes.Highlight(inlines=inside):
            return [nodes.Strong(inside)]
        case nodes.Marked(inlines=inside):
            return inside
        case nodes.InlineFootnote(inlines=inside):
            return [nodes.Text(" ("), *inside, nodes.Text(")")]
        case nodes.EquationReference(label=label, brackets=brackets):
            return [nodes.Text(f"({label})" if brackets else label)]
        case nodes.Comment() | nodes.RawInline():
            return []
    return [inline]


def _cited(citation: nodes.Citation, links: LinkTexts) -> Iterator[Inline]:
    for number, cited in enumerate(citation.papers):
        label, bare, address = links.papers.get(cited.key, (cited.key, cited.key, ""))
        shown = (nodes.Text(bare if cited.without_author else label),)
        yield nodes.Text(("; " if number else "") + (f"{cited.before.strip()} " if cited.before else ""))
        yield from [nodes.Link(address, shown)] if address else shown
        yield nodes.Text(f", {cited.locator}" if cited.locator else "")


def _block(block: Block, links: LinkTexts, words: Language) -> Sequence[Block]:  # noqa: C901 -- a case for each kind
    match block:
        case nodes.Component(name="demo") | nodes.CommentBlock() | nodes.Contents() | nodes.Paragraph(inlines=()):
            return []
        case nodes.Component(name="paper", title=title):
            key = "".join(inline.text for inline in title if isinstance(inline, nodes.Text)).strip().removeprefix("@")
            label, _, address = links.papers.get(key, (key, "", ""))
            shown = (nodes.Text(label),)
            return [nodes.Paragraph((nodes.Link(address, shown),) if address else shown), *block.blocks]
        case nodes.Component():
            title = block.title or _label(block.name, words)
            return [*([nodes.Paragraph((nodes.Strong(title),))] if title else []), *block.blocks]
        case nodes.Alert():
            title = block.title or _label(block.kind.lower(), words) or (nodes.Text(block.kind.capitalize()),)
            return [nodes.Quote((nodes.Paragraph((nodes.Strong(title),)), *block.blocks))]
        case nodes.DefinitionList():
            return [nodes.List(tuple(_items(block)))]
        case nodes.Heading():
            return [replace(block, id="", number=None, origin=None)]
        case nodes.Paragraph():
            return [nodes.Paragraph(block.inlines)]
        case nodes.Table():
            return [replace(block, rows=tuple(_row(row) for row in block.rows))]
        case nodes.CodeBlock():
            return [replace(block, info=block.info.split()[0] if block.info.split() else "")]
        case nodes.RawBlock(html=html):
            text = plain(html)
            return [nodes.Paragraph((nodes.Text(text),))] if text else []
    return [block]


def _items(block: nodes.DefinitionList) -> Iterator[nodes.Item]:
    """A term and its definitions as an item each: GitHub's Markdown has no such lists."""
    terms: list[Inline] = []
    inside: list[Block] = []
    for entry in (*block.entries, None):
        if isinstance(entry, nodes.Definition):
            inside += entry.blocks
            continue
        if terms:
            head: tuple[Inline, ...] = (nodes.Strong(tuple(terms)),)
            if inside and isinstance(first := inside[0], nodes.Paragraph):
                head, inside = (*head, nodes.Text(": "), *first.inlines), inside[1:]
            yield nodes.Item((nodes.Paragraph(head), *inside))
        terms, inside = [*entry.inlines] if entry else [], []


def _row(row: nodes.Row) -> nodes.Row:
    return nodes.Row(tuple(nodes.Cell(cell.inlines) for cell in row.cells))


def _label(name: str, words: Language) -> tuple[Inline, ...]:
    """What our pages call a component that has no title of its own."""
    word = words.words.get(f"component.{name}", "")
    return parse_inline(word.replace("{number}", "").strip()) if isinstance(word, str) and word else ()
