"""What stands within lines in our syntax: words, links, pictures, tags of HTML and signs of other tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, unquote

from paper_notes.document import nodes
from paper_notes.document.edit import Edit
from paper_notes.document.nodes import Inline, Span
from paper_notes.document.write import write_cell, write_inlines
from paper_notes.features.importing.html.links import data_in, pixels
from paper_notes.features.importing.markdown.boxes import arguments
from paper_notes.features.importing.markdown.conversion import PICTURES, is_remote
from paper_notes.features.importing.markdown.grammar import Sign
from paper_notes.features.importing.markdown.headings import plain
from paper_notes.features.importing.markdown.rewriting import Rewriting
from paper_notes.features.importing.types import NotePlace
from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.markdown.sanitise import TAGS, is_html
from paper_notes.markdown.syntax.suspicious_syntax import lost_signs
from paper_notes.patterns import regex
from paper_notes.render.labels import short_title

_MONEY = regex(r"\d[\d.,]*+\s?(?:[KMBTkmbt]\b|[A-Za-z\u4e00-\u9fff]{2,}|[-–—~/,.，。、；;:：]|\s)")
_NO_MONEY = regex(r"[\\_^={}]")
_NUMBER = regex(r"(?<![\w&/\\#])#(?=\d{1,5}(?![\w.]))")
_EXPRESSION = regex(r"(?<!\\)\{(?![\s{}%<#:./])[^{}\n]*\}?")
_CITED_KEY = regex(r"(?<=@)[\w:.+/-]*\w")
_KEY = regex(r"\[(@[\w:.-]*\w)[^\[\]@]*\]")
_WORD = regex(r"\w+")
_ESCAPED = regex(r"\\[!-/:-@\[-`{-~]")
_SIZE = regex(r"(?:^|\|)\s*(?:\d+(?:x\d+)?|left|right|center|inline)\s*(?=$|\|)")
_PAGE_OPEN = regex(r"https?://|mailto:|zotero://", re.IGNORECASE)
_NO_ALT = frozenset("|image|img|alt|alt text|picture|图片|image.png|screenshot|untitled".split("|"))
_EXPORTED = (".svg", ".png", ".light.svg", ".light.png")
"""Ends of the names of pictures that Obsidian's plug-ins put beside a drawing."""
_PAGE = regex(r"\[\[([^\[\]|]+)\]\]")
"""What a link of Logseq leads to: `[words]([[page]])`."""
_ICONS = "https://www.notion.so/icons/"
"""Where Notion has the pictures before its callouts."""
_TOC = frozenset({"toc", "_toc_"})
_BLOCK = regex(r"#\^[A-Za-z0-9-]+\s*$")
"""The name of a block says nothing to readers."""
_SAID_WIDTH = regex(r"\{[^{}\n]*\bwidth[\s=:]*[\"']?(\d{2,4}(?:px)?)[\"'\s,}]")
"""Behind a picture, as tools write it: `{ width="300" }`, `{:height 120, :width 300}`."""
_TAG = regex(r"<(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9.:-]*)(?P<attributes>\s[^<>]*?)?/?>", re.DOTALL)
_INLINE = frozenset(
    "abbr b bdi bdo br cite code del dfn em i ins kbd mark q rp rt ruby s samp small strong sub sup u var wbr".split()
)
_ATTRIBUTES = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "details": ("open",), "abbr": ("title",)}
"""Those that stay."""
_MEDIA = frozenset({"iframe", "video", "audio", "embed", "source"})


def _text(rewriting: Rewriting, node: nodes.Text) -> None:
    """Words: signs that our pages would take for something, or warn of, are escaped."""
    if node.span.start < 0:
        return
    source = rewriting.source(node.span)
    starts_line = node.span.start in (
        rewriting.content(node.span).start,
        rewriting.starts[rewriting.row(node.span.start)],
    )
    words = ("\n" if starts_line else "") + _ESCAPED.sub("\0\0", source)
    signs = {offset - starts_line for offset in lost_signs(words)}
    signs |= {match.start() - starts_line for match in _NUMBER.finditer(words)}
    for offset in sorted(signs):
        if 0 <= offset < len(source) and not source[offset].isalnum():
            rewriting.escape(node.span.start + offset)
    for match in _WORD.finditer(source) if rewriting.abbreviations and not rewriting.in_link else ():
        if long := rewriting.abbreviations.pop(match[0], ""):
            span = Span(node.span.start + match.start(), node.span.start + match.end())
            rewriting.edits.append(Edit(span, f'<abbr title="{escape(long)}">{match[0]}</abbr>'))
    if rewriting.conversion.mdx:
        for match in _EXPRESSION.finditer(source):
            rewriting.at(Span(node.span.start + match.start(), node.span.end))
            rewriting.report("unmapped", "expression", f'"{match[0][:60]}" is kept as it is written')


def _formula(rewriting: Rewriting, node: nodes.Formula) -> None:
    """A formula between dollars; a sum of money is words, and what we cannot show is code."""
    source = rewriting.source(node.span)
    if source.startswith("$") and not node.display and _MONEY.match(node.tex) and not _NO_MONEY.search(node.tex):
        rewriting.escape(node.span.start)
        return
    written = in_dollars(rewriting, node.tex, "$$" if node.display else "$")
    if not is_shown(written.strip("$")):
        if source.startswith("\\[") and "](" in source:  # links in brackets
            rewriting.edit(node.span, f"&#91;{rewriting.phrase(source[2:-2])}&#93;")
            return
        rewriting.edit(node.span, f"`{source}`" if "`" not in source else rf"\{source}")
        return
    if not source.startswith("$") or source.startswith("$`"):
        rewriting.edit(node.span, written)


def is_shown(tex: str) -> bool:
    """Whether a page can show a formula."""
    try:
        mathml(tex, display=True)
    except TexProblem:
        return False
    return True


def display_formula(rewriting: Rewriting, tex: str, label: str) -> str:
    """A formula on lines of its own with its label; empty if its TeX is not understood."""
    named = f"{tex}\n\\label{{{label}}}" if label else tex
    lines = rewriting.conversion.without_known_labels(named).split("\n")
    tex = "\n".join(filter(None, map(str.strip, lines)))
    if is_shown(tex):
        return f"$$\n{tex}\n$$"
    rewriting.report("unmapped", "as-text", "this is kept as text: its TeX is not understood")
    return ""


def in_dollars(rewriting: Rewriting, tex: str, dollars: str) -> str:
    """A formula within words."""
    tex = re.sub(r"\n[ \t]*>?[ \t]*", " " if dollars == "$" else "\n", tex.strip())
    if rewriting.in_table:
        tex = re.sub(r"(?<!\\)\|", r"\\vert ", tex).replace("\n", " ")
    return f"{dollars}{tex}{dollars}"


def _link(rewriting: Rewriting, node: nodes.Link) -> None:
    source = rewriting.source(node.span)
    if node.is_bare:
        if source.startswith("<") and not re.match(r"<(?:https?|mailto|zotero):|<[^:]*@", source):
            rewriting.edit(node.span, f"`{source[1:-1]}`")
        return
    words = rewriting.converted(node.inlines, in_link=True)
    words = words if source.endswith((")", "]")) else " ".join(words.split())  # in HTML line ends are blanks
    rewriting.edit(node.span, words if rewriting.in_link else link(rewriting, words, node.href, node.title))


def _image(rewriting: Rewriting, node: nodes.Image) -> None:
    words = [part.span for part in node.inlines if part.span.start >= 0]
    alt = rewriting.source(Span(words[0].start, words[-1].end)) if words else ""
    said = _SAID_WIDTH.match(rewriting.text, node.span.end)
    width = pixels(said[1]) if said else node.width
    rewriting.edit(node.span, image(rewriting, alt, node.src, node.title, width))


def _equation(rewriting: Rewriting, node: nodes.EquationReference) -> None:
    """A reference to a formula; one to none is words."""
    if node.label.casefold() not in rewriting.conversion.equations:
        rewriting.escape(node.span.start)


def report_citation(rewriting: Rewriting, source: str) -> None:
    """Say that a citation stays as words."""
    rewriting.report("unmapped", "citation", f'"{source[:60]}" cites no paper of this collection yet')


def citation(rewriting: Rewriting, node: nodes.Citation) -> None:
    """A citation of a paper that is not here is words, or leads to the note `@key` of it."""
    source = rewriting.source(node.span)
    key = _KEY.fullmatch(source)
    place, _ = rewriting.conversion.wiki(key[1]) if key else (None, False)
    if place:
        rewriting.edit(node.span, reference(rewriting, place, "", source[1:-1]))
        return
    if rewriting.conversion.cite(paper.key for paper in node.papers):
        known = rewriting.conversion.places.citations
        rewriting.edit(node.span, _CITED_KEY.sub(lambda match: known.get(match[0], match[0]), source))
        return
    report_citation(rewriting, source)
    rewriting.escape(node.span.start)
    for match in re.finditer(r"(?<![\w\\])@(?=[A-Za-z])", source):
        rewriting.escape(node.span.start + match.start())


def _cited(rewriting: Rewriting, node: Sign) -> str:
    """A citation without brackets, as a sentence has it."""
    key = node.fields["key"]
    return f"[@{rewriting.conversion.places.citations[key]}]" if rewriting.conversion.cite([key]) else rf"\@{key}"


def _strikethrough(rewriting: Rewriting, node: nodes.Strikethrough) -> None:
    """`<strike>`, which is gone from HTML."""
    start, end = node.span
    if rewriting.text[start : start + 8].lower() == "<strike>":
        rewriting.edit(Span(start, start + 8), "<del>")
        rewriting.edit(Span(end - 9, end), "</del>")
    rewriting.words(node.inlines)


def _marked(rewriting: Rewriting, node: nodes.Marked) -> None:
    """Words with attributes that mean nothing here."""
    if not node.inlines:
        rewriting.edit(node.span, "")
        return
    rewriting.edit(Span(node.span.start, node.inlines[0].span.start), "")
    rewriting.edit(Span(node.inlines[-1].span.end, node.span.end), "")
    rewriting.words(node.inlines)


def _element(name: str) -> Callable[[Rewriting, Sign], str]:
    return lambda rewriting, node: f"<{name}>{rewriting.phrase(node.fields['words'])}</{name}>"


def _change(rewriting: Rewriting, node: Sign) -> str:
    """What stands in the place of other words."""
    return f"{_element('del')(rewriting, node)}<ins>{rewriting.phrase(node.fields['new'])}</ins>"


def _script(rewriting: Rewriting, node: Sign) -> str:
    name = "sub" if "sub" in node.fields else "sup"
    return f"<{name}>{node.fields[name]}</{name}>"


def _task(rewriting: Rewriting, node: Sign) -> str | None:
    """The box of a task in a state that our pages do not have."""
    before = rewriting.text[rewriting.starts[rewriting.row(node.span.start)] : node.span.start]
    if not before.strip(" \t>"):
        return None  # in no list
    rewriting.report("changed", "task", f'the state of the task "[{node.fields["state"]}]" is left out')
    return "[x]" if node.fields["state"] == "-" else "[ ]"


def _icon(rewriting: Rewriting, node: Sign) -> str:
    rewriting.report("unmapped", "icon", f'the icon ":{node.fields["icon"]}:" is left out')
    return ""


def _macro(rewriting: Rewriting, node: Sign) -> str:
    """`{{embed [[note]]}}`, `{{video https://...}}`, `{{query ...}}`."""
    name, rest = node.fields["macro"], node.fields["rest"].strip()
    if name == "embed":
        rewriting.report("changed", "embedded-note", f'the text of "{rest[:60]}" is not shown here, but linked')
        return rewriting.phrase(rest)
    if name == "cloze":
        return rewriting.phrase(rest)
    if _PAGE_OPEN.match(rest):
        return f"<{rest}>"
    rewriting.report("unmapped", name, f'"{rest[:60]}" is kept as it is written: pages ask nothing')
    return f"`{rewriting.source(node.span)}`"


def _variable(rewriting: Rewriting, node: Sign) -> str | None:
    if rewriting.is_literal:
        return None
    if node.fields["words"].strip() == "page.title":
        return write_inlines((nodes.Text(rewriting.conversion.outline.title),))
    rewriting.report("unmapped", "variable", f'"{rewriting.source(node.span)[:60]}" is kept as it is written')
    return None


def _name(rewriting: Rewriting, node: Sign) -> str | None:
    is_name = node.fields["block"].casefold() in dict(rewriting.conversion.outline.blocks)
    return rewriting.named(node.fields["block"]) if is_name and not (rewriting.in_table or rewriting.in_link) else None


def _spaced_link(rewriting: Rewriting, node: Sign) -> str:
    words = rewriting.phrase(node.fields["words"], in_link=True)
    return link(rewriting, words, node.fields["address"], node.fields["title"] or node.fields["quoted"])


# Links and pictures: to notes as references, to files as what a page can show of them


def link(rewriting: Rewriting, inner: str, address: str, title: str) -> str:
    """A link of others, whose words are converted already."""
    conversion = rewriting.conversion
    address = address.strip()
    address = _ESCAPED.sub(lambda match: match[0][1], address)
    if (page := _PAGE.fullmatch(unquote(address))) and not rewriting.in_link:
        return wiki(rewriting, f"{page[1]}|{inner}")
    if address.startswith("//") or re.match(r"www\.[\w-]+\.", address):
        address = f"https://{address.lstrip('/')}"
    if _PAGE_OPEN.match(address):
        tip = f' "{title}"' if title else ""
        return f"[{inner}]({_encoded(address)}{tip})"
    if not address:
        return _bare(inner)
    if (label := _labelled(rewriting, inner, address)) is not None:
        return label
    if is_remote(address):
        conversion.report("unmapped", "unknown-address", f'"{address[:80]}" is no address that a page can link to')
        return f"{inner} {_code(address)}"
    place, anchor = conversion.note(address)
    return _no_note(rewriting, inner, address) if place is None else _to_note(rewriting, place, anchor, inner)


def _labelled(rewriting: Rewriting, inner: str, address: str) -> str | None:
    """A link to what has a label, as MyST has it; None for one that leads to a file or a section of this note."""
    conversion, label = rewriting.conversion, address.removeprefix("#")
    place, anchor = (None, "") if is_remote(address) else conversion.note(address)
    if place and not (address.startswith("#") and conversion.section(place, anchor) is None):
        return None
    known, target, words = conversion.labelled(label)
    return None if known is None else to_label(rewriting, known, target, inner or words, label)


def to_label(rewriting: Rewriting, place: NotePlace, anchor: str, words: str, label: str) -> str:
    """A reference to what has a label; `=` is where formulas are."""
    is_own = place.outline.path == rewriting.conversion.original.path
    if anchor == "=":
        return rf"\eqref{{{label}}}" if is_own else reference(rewriting, place, "", words)
    if is_own:
        return f"[{words}](#{anchor})" if anchor and not rewriting.in_link else words
    return reference(rewriting, place, anchor, words)


def _to_note(rewriting: Rewriting, place: NotePlace, anchor: str, inner: str) -> str:
    """A link to a note, or to a section or block of it."""
    conversion = rewriting.conversion
    section = conversion.section(place, anchor) if anchor else ""
    if anchor.startswith("^") and not section and conversion.dialect.outline:
        place, section = conversion.block(anchor) or (place, None)
        inner = inner or ("" if section else f"`(({anchor[1:]}))`")
    if anchor and section is None and anchor != "top":
        conversion.report("unmapped", "unknown-section", f'"#{anchor}" is no section or block of {place.outline.path}')
    section = section or ""
    if place.outline.path == conversion.original.path:
        return f"[{inner}](#{section})" if section and not rewriting.in_link else _bare(inner)
    return reference(rewriting, place, section, inner)


def _bare(words: str) -> str:
    """Words of a link that is none any more: they may not begin a list or a heading."""
    return re.sub(
        r"^(\d{1,9})([.)])(?=\s|$)|^([-+#>|])",
        lambda match: rf"{match[1]}\{match[2]}" if match[1] else rf"\{match[3]}",
        words,
    )


def _no_note(rewriting: Rewriting, inner: str, address: str) -> str:
    """The words of a link to no note: with the address, unless the words tell it already."""
    rewriting.report("unmapped", "local-link", f'the link to "{address[:80]}" leads to no note')
    shown, inner = unquote(address), _bare(inner)
    return inner if plain(inner) in (shown, PurePosixPath(shown).name) else f"{inner} {_code(shown)}".strip()


_PICTURE = regex(r"!\[[^\[\]]*\]\([^()\s]*\)")


def reference(rewriting: Rewriting, place: NotePlace, section: str, words: str) -> str:
    """Our reference to a note, with words unless they are its title without a colon: pages show it only up to that."""
    target = f"{place.reference}#{section}" if section else place.reference
    pictures = "".join(_PICTURE.findall(words))
    shown = plain(_PICTURE.sub("", words))
    shown = shown.translate({ord("["): "(", ord("]"): ")", ord("|"): "/"})
    if rewriting.in_link:
        return shown
    title = place.outline.title
    if not shown or (section[:1] in ("", "^") and shown == title == short_title(title)):
        return f"{pictures}[[{target}]]"
    return f"{pictures}[[{target}{rewriting.bar}{shown}]]"


def wiki(rewriting: Rewriting, written: str) -> str:
    """`[[note]]`, `[[note#section|words]]`."""
    conversion = rewriting.conversion
    target, bar, words = written.replace(r"\|", "|").partition("|")
    if target.strip().lower() in _TOC and not bar:
        return ""
    name, _, anchor = target.partition("#")
    spoken = _BLOCK.sub("", target) if name.strip() else target
    inner = rewriting.phrase(words, in_link=True) if words else spoken.replace("#", " > ").strip(" >")
    own = conversion.places.by_path.get(conversion.original.path)
    place, is_ambiguous = conversion.wiki(name) if name.strip() else (own, False)
    if place is None:
        if name.strip().isdigit() or (re.fullmatch(r"[\d,\s.-]+", target) and not bar):
            return rf"\[[{target}]]"
        conversion.report("unmapped", "unknown-note", f'no note is called "{name.strip()[:80]}"')
        return _bare(inner)
    if is_ambiguous:
        message = f'several notes are called "{name.strip()[:80]}": {place.outline.path} was taken'
        conversion.report("doubtful", "ambiguous-note", message)
    if anchor.startswith("^") and not (name.strip() or words or rewriting.in_link):
        section = conversion.section(place, anchor)
        inner = "" if conversion.dialect.outline else inner
        return f"[[#{section}]]" if section else _to_note(rewriting, place, anchor, inner)
    return _to_note(rewriting, place, anchor, inner)


def wiki_embed(rewriting: Rewriting, written: str) -> str:
    """`![[picture.png|300]]`, `![[note]]`."""
    target, _, options = written.replace(r"\|", "|").partition("|")
    name = target.partition("#")[0].strip()
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in PICTURES:
        return image(rewriting, options, name, "")
    for end in _EXPORTED if suffix in (".excalidraw", ".canvas") else ():
        if rewriting.conversion.picture(f"{name}{end}"):
            return image(rewriting, options, f"{name}{end}", "")
    options = _SIZE.sub("", options)
    place, _ = rewriting.conversion.wiki(name) if name else (None, False)
    if place is not None and place.outline.path != rewriting.conversion.original.path:
        rewriting.report("changed", "embedded-note", f'the text of "{target}" is not shown here, but linked')
    if place is None and suffix:
        rewriting.report("unmapped", "missing-file", f'"{name}" cannot be shown here')
        return _code(name)
    return wiki(rewriting, f"{target}|{options}" if options else target)


def image(rewriting: Rewriting, alt: str, address: str, title: str, width: int = 0) -> str:
    """A picture: a figure of the note, or words and an address in its place. The words may say how wide it is, too."""
    conversion = rewriting.conversion
    width = width or next(
        filter(None, (pixels(size[0].strip("| ").partition("x")[0]) for size in _SIZE.finditer(alt))), 0
    )
    address = address.strip()
    if address in conversion.files:  # a drawing that stood in the text
        return f"![{alt}]({address})"
    alt = " ".join(plain(_SIZE.sub("", alt).strip(" |")).split())
    alt = alt.translate({ord("["): "(", ord("]"): ")"})
    if alt.lower() in _NO_ALT:
        alt = plain(title) or alt
    shown = alt if alt.lower() not in _NO_ALT else _spoken(address)
    if address.startswith("data:"):
        suffix, data = data_in(address)
        path = conversion.added(f"inline.{suffix}", data) if data else ""
        if not path:
            rewriting.report("unmapped", "unusable-image", "a picture in the text itself cannot be read")
        return _picture(rewriting, path, shown, "", width) if path else f"{shown} {_code('data:')}"
    if address.startswith(_ICONS):
        conversion.report("changed", "icon", f'the icon ":{PurePosixPath(address).stem}:" is left out')
        return ""
    fetched = conversion.folder.remote.get(address)
    if fetched is None and (_PAGE_OPEN.match(address) or address.startswith("//")):
        address = f"https:{address}" if address.startswith("//") else address
        conversion.report("changed", "remote-image", f'the picture "{address[:80]}" is a link: it is not in the folder')
        return shown if rewriting.in_link else f"[{shown}]({_encoded(address)})"
    file = fetched or conversion.picture(address)
    path = conversion.figure(file) if file is not None else ""
    if path:
        return _picture(rewriting, path, shown, title if plain(title) != shown else "", width)
    name = unquote(address)
    if file is None:
        conversion.report("unmapped", "missing-image", f'there is no picture "{name[:80]}"')
    else:
        conversion.report("unmapped", "unusable-image", f'"{name[:80]}" cannot be shown on a page')
    return f"{shown} {_code(name)}" if name not in ("", shown) else _code(name) if name else shown


def _picture(rewriting: Rewriting, path: str, alt: str, title: str, width: int) -> str:
    picture = nodes.Image(path, (nodes.Text(alt),), title, width)
    return write_cell((picture,)) if rewriting.in_table else write_inlines((picture,))


def _spoken(address: str) -> str:
    """What the name of a file says."""
    path = "" if address.startswith("data:") else unquote(address.partition("?")[0].partition("#")[0])
    return re.sub(r"[\[\]_`*|<>$\\-]+", " ", PurePosixPath(path).stem).strip() or "image"


def _encoded(address: str) -> str:
    """The address without signs that would end it."""
    is_safe = address.count("(") == address.count(")") and not re.search(r"[\s<>\"\\`]", address)
    return address if is_safe else quote(address, safe="%/:=&?~#+!$,;'@()*[]-._")


def _code(text: str) -> str:
    return write_inlines((nodes.Code(text.replace("|", "/")),))


# Tags of HTML: what our pages have stays, the rest is words


def remark(text: str) -> str:
    """A comment, which no page has."""
    text = text.replace("-->", "--&gt;").strip("\n")
    return f"<!--{text}-->" if text.strip() else ""


def _raw_inline(rewriting: Rewriting, node: nodes.RawInline) -> int | None:
    """A tag within words, or with all up to its end if it marks them."""
    if node.html.startswith("<!--"):
        if node.html in ("<!-->", "<!--->"):
            rewriting.edit(node.span, "")
        return 1
    tag = _TAG.fullmatch(node.html)
    if tag is None:
        return 1
    if not tag["slash"] and "background" in _attributes(tag).get("style", ""):
        inlines, place = rewriting.siblings
        end = next((at for at in range(place + 1, len(inlines)) if _is_end(inlines[at], tag["name"].lower())), place)
        if end > place + 1:
            marked = rewriting.converted(inlines[place + 1 : end])
            rewriting.edit(Span(node.span.start, inlines[end].span.end), f"<mark>{marked}</mark>")
            return end + 1 - place
    written = _tag(rewriting, tag)
    ends_line = rewriting.text[node.span.end : node.span.end + 1] in ("", "\n")
    rewriting.edit(node.span, written.rstrip() if ends_line else written)
    return 1


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    """The attributes of a tag; those without a value are empty."""
    named, bare = arguments(tag["attributes"] or "")
    return {**dict.fromkeys(bare, ""), **named}


def _is_end(node: Inline, name: str) -> bool:
    return isinstance(node, nodes.RawInline) and node.html.lower().startswith(f"</{name}")


def _tag(rewriting: Rewriting, tag: re.Match[str]) -> str:
    """What stands for one tag."""
    name, written = tag["name"].lower(), _attributes(tag)
    name = {"strike": "del", "tt": "code"}.get(name, name)
    if name in _INLINE or (name in TAGS and name in ("hr", "details", "summary", "td", "th", "tr", "table")):
        kept = [(key, value) for key, value in written.items() if key in _ATTRIBUTES.get(name, ()) and '"' not in value]
        shown = "".join(f' {key}="{value}"' if value else f" {key}" for key, value in kept)
        return f"<{tag['slash']}{name}{'' if tag['slash'] else shown}>"
    if name in ("img", "image") and not tag["slash"]:
        source = written.get("src", "") or written.get("data-src", "")
        width = pixels(written.get("width", ""))
        return image(rewriting, written.get("alt", ""), source, written.get("title", ""), width)
    if name in _MEDIA and not tag["slash"] and (address := written.get("src", "")):
        return link(rewriting, address, address, "")
    if is_html(name):
        return " " if name in ("p", "div", "li") else ""
    return rf"\{tag[0]}"


SIGNS: Mapping[str, Callable[[Rewriting, Sign], str | None]] = {
    "comment": lambda rewriting, node: remark(node.fields["words"]),
    "jsx_comment": lambda rewriting, node: remark(node.fields["words"]),
    "ins": _element("ins"),
    "del": _element("del"),
    "mark": _element("mark"),
    "script": _script,
    "change": _change,
    "keys": lambda rewriting, node: "+".join(
        f"<kbd>{key.strip(chr(34))}</kbd>" for key in node.fields["keys"].split("+")
    ),
    "icon": _icon,
    "macro": _macro,
    "variable": _variable,
    "cited": _cited,
    "task": _task,
    "span": lambda rewriting, node: rewriting.phrase(node.fields["words"]),
    "text": lambda rewriting, node: rewriting.phrase(node.fields["words"]),
    "attributes": lambda rewriting, node: "",
    "name": _name,
    "formula": lambda rewriting, node: in_dollars(rewriting, node.fields["tex"], "$"),
    "embed": lambda rewriting, node: wiki_embed(rewriting, node.fields["target"]),
    "image": lambda rewriting, node: image(
        rewriting, node.fields["words"], node.fields["address"], node.fields["title"] or node.fields["quoted"]
    ),
    "link": _spaced_link,
}
"""What stands for a sign; None if it stays."""

INLINES: Mapping[type[Inline], Callable[[Rewriting, Any], int | None]] = {
    nodes.Text: _text,
    nodes.Strikethrough: _strikethrough,
    nodes.Formula: _formula,
    nodes.Link: _link,
    nodes.Image: _image,
    nodes.Reference: lambda rewriting, node: rewriting.edit(
        node.span, wiki(rewriting, rewriting.source(node.span)[2:-2])
    ),
    nodes.EquationReference: _equation,
    nodes.Marked: _marked,
    nodes.Comment: lambda rewriting, node: rewriting.edit(node.span, remark(node.text)),
    nodes.RawInline: _raw_inline,
}
