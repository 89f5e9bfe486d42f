"""HTML in Markdown: blocks by the reader of pages; within lines what our pages have stays, the rest is words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape

from paper_notes.document import nodes
from paper_notes.document.nodes import Inline, Span
from paper_notes.document.parse import parse_inline
from paper_notes.document.write import write_inlines, write_markdown
from paper_notes.features.importing.html.format import read_fragment
from paper_notes.features.importing.html.page import GROUPS, Inlines, Page
from paper_notes.features.importing.html.tree import HtmlNode
from paper_notes.features.importing.markdown.grammar import ForeignBlock
from paper_notes.features.importing.markdown.links import image, link
from paper_notes.features.importing.markdown.rewriting import Rewriting
from paper_notes.markdown.sanitise import TAGS, is_html

_ATTRIBUTE = re.compile(r"""([A-Za-z_:@][\w:.-]*)(?:\s*=\s*("[^"]*"|'[^']*'|\{[^{}]*\}|[^\s"'=<>`]+))?""")
_TAG = re.compile(r"<(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9.:-]*)(?P<attributes>\s[^<>]*?)?/?>", re.DOTALL)
_INLINE = frozenset(
    "abbr b bdi bdo br cite code del dfn em i ins kbd mark q rp rt ruby s samp small strong sub sup u var wbr".split()
)
_ATTRIBUTES = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "details": ("open",), "abbr": ("title",)}
"""Those that stay."""
_LABELS = ("label", "title", "text", "summary", "heading")
_MEDIA = frozenset({"iframe", "video", "audio", "embed", "source"})


def attributes(written: str) -> dict[str, str]:
    """The attributes of a tag by their names in small letters."""
    read = {}
    for name, value in _ATTRIBUTE.findall(written):
        inner = value[1:-1] if value[:1] in ("'", '"', "{") else value
        read[name.lower()] = unescape(inner).strip("\"'`")
    return read


def remark(text: str) -> str:
    """A comment, which no page has."""
    text = text.replace("-->", "--&gt;").strip("\n")
    return f"<!--{text}-->" if text.strip() else ""


def raw_block(rewriting: Rewriting, node: nodes.RawBlock) -> None:
    """A block of HTML, as a reader of pages reads it."""
    html, content = node.html.strip(), rewriting.content(node.span)
    if html.startswith("<!--"):
        return
    if program := re.match(r"<(script|style)\b", html, re.IGNORECASE):
        name = program[1].lower()
        rewriting.conversion.report("unmapped", name, f"<{name}> is kept as a comment")
        rewriting.edit(content, remark(html))
        return
    section = rewriting.conversion.headings.get(node.span.start)
    if section:
        rewriting.edit(content, f"{'#' * section.level} {rewriting.phrase(section.text)}")
    elif node is rewriting.conversion.title_block:
        rewriting.edit(content, "")
    else:
        rewriting.edit(content, _written(rewriting, html))


def foreign_html(rewriting: Rewriting, node: ForeignBlock) -> None:
    """An element that blank lines do not end, and a figure that may hold a picture in Markdown."""
    html = PICTURE.sub(_as_html, rewriting.source(node.opening))
    rewriting.edit(node.opening, _written(rewriting, html))


_OF_PIECES = frozenset({"unmapped-class", "stray-end", "unclosed-element"})
"""In Markdown classes are only about looks, and the end of an element stands in another piece than its beginning."""
PICTURE = re.compile(r"!\[([^\[\]]*)\]\(([^()\s]*)(?:\s\"[^\"]*\")?\)(?:\{[^{}]*\})?")


def _as_html(picture: re.Match[str]) -> str:
    return f'<img alt="{escape(picture[1])}" src="{escape(picture[2])}">'


def _written(rewriting: Rewriting, html: str) -> str:
    """The Markdown of a piece of HTML."""
    line = rewriting.conversion.line

    def report(kind: str, message: str, row: int, column: int) -> None:
        if kind not in _OF_PIECES:
            rewriting.conversion.report(GROUPS[kind], kind, message, line + row - 1)

    def linked(element: HtmlNode, inside: Inlines) -> Inlines:
        href = element.attributes.get("href", "")
        return parse_inline(link(rewriting, write_inlines(inside), href, "")) if href and inside else inside

    def picture(element: HtmlNode, beside: str) -> Iterable[Inline]:
        alt, title = element.attributes.get("alt") or beside, element.attributes.get("title", "")
        if element.tag == "drawing":
            path = rewriting.conversion.added("drawing.svg", element.attributes["source"].encode())
            return (nodes.Image(path, (nodes.Text(alt or "drawing"),)),) if path else ()
        source = element.attributes.get("src", "") or element.attributes.get("data-src", "")
        return parse_inline(image(rewriting, alt, source, title))

    page = Page(
        report=report, link=linked, picture=picture, has_tex=True, lang=rewriting.conversion.outline.lang or "en"
    )
    blocks = [_lowered(block) for block in read_fragment(html, page)]
    return write_markdown(nodes.Document(tuple(blocks))).rstrip("\n")


def _lowered(block: nodes.Block) -> nodes.Block:
    """A heading that is none of the text's own sections is no section of the page."""
    return nodes.Paragraph((nodes.Strong(block.inlines),)) if isinstance(block, nodes.Heading) else block


def raw_inline(rewriting: Rewriting, node: nodes.RawInline, inlines: Sequence[Inline], place: int) -> int:
    """A tag within words, or with all up to its end if it is a link. Gives how many inlines that are."""
    if node.html.startswith("<!--"):
        if node.html in ("<!-->", "<!--->"):
            rewriting.edit(node.span, "")
        return 1
    tag = _TAG.fullmatch(node.html)
    if tag is None:
        return 1
    if tag["name"].lower() == "a" and not tag["slash"]:
        address = attributes(tag["attributes"] or "").get("href", "")
        places = range(place + 1, len(inlines)) if address and rewriting.unclosed is not inlines else range(0)
        end = next((at for at in places if _is_end(inlines[at])), place)
        words = inlines[place + 1 : end]
        if end == place and address:
            rewriting.unclosed = inlines
        if end > place:
            inner = " ".join(rewriting.converted(words, in_link=True).split())
            rewriting.edit(Span(node.span.start, inlines[end].span.end), link(rewriting, inner, address, ""))
            return end + 1 - place
    written = _tag(rewriting, tag)
    ends_line = rewriting.text[node.span.end : node.span.end + 1] in ("", "\n")
    rewriting.edit(node.span, written.rstrip() if ends_line else written)
    return 1


def _is_end(node: Inline) -> bool:
    return isinstance(node, nodes.RawInline) and node.html.lower().startswith("</a")


def _tag(rewriting: Rewriting, tag: re.Match[str]) -> str:
    """What stands for one tag."""
    name, written = tag["name"].lower(), attributes(tag["attributes"] or "")
    if tag["name"][0].isupper() and rewriting.conversion.mdx and name not in _INLINE:
        return "" if tag["slash"] else _component(rewriting, tag["name"], written)
    name = {"strike": "del", "tt": "code"}.get(name, name)
    if name in _INLINE or (name in TAGS and name in ("hr", "details", "summary", "td", "th", "tr", "table")):
        kept = [(key, value) for key, value in written.items() if key in _ATTRIBUTES.get(name, ()) and '"' not in value]
        shown = "".join(f' {key}="{value}"' if value else f" {key}" for key, value in kept)
        return f"<{tag['slash']}{name}{'' if tag['slash'] else shown}>"
    if name in ("img", "image") and not tag["slash"]:
        source = written.get("src", "") or written.get("data-src", "")
        return image(rewriting, written.get("alt", ""), source, written.get("title", ""))
    if name in _MEDIA and not tag["slash"] and (address := written.get("src", "")):
        return link(rewriting, address, address, "")
    if is_html(name):
        return " " if name in ("p", "div", "li") else ""
    return rf"\{tag[0]}"


def _component(rewriting: Rewriting, name: str, written: dict[str, str]) -> str:
    """The words of a component of JSX or Vue that has none inside."""
    rewriting.conversion.report("changed", "component", f"<{name}> is left out, its words stay")
    words = next((written[key] for key in _LABELS if written.get(key)), "")
    return f"**{words}** " if words else ""
