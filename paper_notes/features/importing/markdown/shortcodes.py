"""Shortcodes of Hugo and Quarto, `{{< name "value" key="value" >}}`, and tags of Liquid, `{% name value %}`.

One stands alone on a line, within words, or around other blocks, as tags of HTML and JSX do.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from paper_notes.document import nodes
from paper_notes.document.write import fenced, write_inlines
from paper_notes.features.importing.html.links import pixels
from paper_notes.features.importing.markdown.boxes import COMPONENT, VALUE, arguments
from paper_notes.features.importing.markdown.conversion import PICTURES
from paper_notes.features.importing.markdown.dialects import tables
from paper_notes.features.importing.markdown.directives import figure, included
from paper_notes.features.importing.markdown.grammar import ForeignBlock, Sign
from paper_notes.features.importing.markdown.inline import image, link
from paper_notes.features.importing.markdown.rewriting import Rewriting
from paper_notes.patterns import regex

Meaning = tuple[str, str]
"""The kind and the title of a box; one without a kind is only what is in it."""
HEAD = "head"
"""The kind of what has its words in front of what is in it; they are as they will be written."""
_TYPED = frozenset({"admonition", "notice", "hint", "callout", "alert", "aside"})
"""Boxes that say their kind in an argument."""
_CODE = {"mermaid": "mermaid", "math": "math", "katex": "math", "highlight": "", "code": ""}
_TAGS = regex(r"</?(?:b|strong|h[1-6]|p|div|span|i|em)\b[^>]*>")


def alone(rewriting: Rewriting, node: ForeignBlock) -> str:
    """What stands for one on a line of its own."""
    named, values = arguments(node.fields["arguments"])
    shown = "figure" if node.kind == "liquid" else tables().shortcodes[node.fields["name"]]
    match shown:
        case "figure":
            return _figure(rewriting, named, values, is_file=node.kind == "liquid")
        case "file":
            return included(rewriting, next(iter(values), ""))
        case "nothing":
            return ""
    return _elsewhere(shown, values or [*filter(None, [named.get("id")])]) or as_code(rewriting, node)


def _elsewhere(address: str, values: list[str]) -> str:
    """The link to a page elsewhere; empty if nothing says which."""
    last = "/".join(values) if "gist" in address else "".join(values[-1:] if "status" in address else values[:1])
    return f"<{address.format(last)}>" if values else ""


def _figure(rewriting: Rewriting, named: dict[str, str], values: list[str], *, is_file: bool) -> str:
    """`{{< figure src="a.png" caption="..." >}}` and `{% include figure.html image="a.png" %}`."""
    keys = ("src", "image", "image_path", "url", "path", "file")
    source = next((named[key] for key in keys if key in named), "")
    caption = " ".join(filter(None, map(named.get, ("title", "caption", "attr", "content", "text", "message"))))
    if is_file and PurePosixPath(source.partition("?")[0]).suffix.lower() not in PICTURES:
        message = f'"{values[0] if values else "include"}" is left out: it is no text of this note'
        rewriting.report("unmapped", "liquid", message)
        return rewriting.phrase(caption)
    source = source or "".join(values[:1])
    alt, width = named.get("alt") or caption, pixels(named.get("width", ""))
    return figure(rewriting, image(rewriting, alt, source.replace(" ", "%20"), "", width), caption)


def within(rewriting: Rewriting, node: Sign) -> str:
    """What stands for a shortcode within words."""
    named, values = arguments(node.fields["arguments"])
    name, values = node.fields["name"], values or [*named.values()]
    if values and name in ("ref", "relref"):
        place, _ = rewriting.conversion.note(values[0])
        return link(rewriting, place.outline.title if place else values[0], values[0], "")
    if name in tables().unwrapped:  # all tabs on one line
        return f" **{rewriting.phrase(values[0])}** " if values and name.endswith("tab") else " "
    shown = tables().shortcodes.get(name, "")
    if "{}" in shown and values:
        return _elsewhere(shown, values)
    rewriting.report("unmapped", "shortcode", f'the shortcode "{name}" is kept as it is written')
    return as_code(rewriting, node)


def liquid(rewriting: Rewriting, node: Sign) -> str | None:
    """What stands for a tag of Liquid within words."""
    if node.fields["name"] in ("raw", "comment", "capture"):
        return ""
    if rewriting.is_literal:
        return None
    rewriting.report("unmapped", "liquid", f'"{rewriting.source(node.span)[:60]}" is kept as it is written')
    return as_code(rewriting, node)


def as_code(rewriting: Rewriting, node: ForeignBlock | Sign) -> str:
    """Something foreign as it is written."""
    return f"`{rewriting.source(node.opening if isinstance(node, ForeignBlock) else node.span)}`"


def around(rewriting: Rewriting, node: ForeignBlock) -> Meaning:
    """What one around other blocks means."""
    form, name, known = node.fields["form"], node.fields["name"], tables()
    named, values = arguments(node.fields["arguments"])
    if form == "liquid":
        values = [words] if (words := node.fields["arguments"].strip(" \"'")) else []
    inside = rewriting.text[node.opening.end : node.closing.start].strip()
    if name in _CODE and form != "tag" and not (_CODE[name] == "math" and inside.startswith("$$")):
        return f"```{_CODE[name] or (values[0].split()[0] if values else 'text')}", ""
    title = _TAGS.sub("", node.fields.get("title", "")) or named.get("title", "") or named.get("summary", "")
    kind = name.lower()
    if form == "tag" and (name[0].isupper() or name == "div") and kind not in (*known.callouts, "info"):
        return HEAD, _around(rewriting, node)
    if known.callouts.get(kind) == "details":
        return "details", title or "".join(values[:1] if form == "shortcode" else values)
    if name in known.unwrapped or kind in _CODE:
        words = title or next((named[key] for key in ("label", "value", "name") if named.get(key)), "")
        is_titled = "tab" in kind and not kind.endswith(("tabs", "set"))  # around all of them, a value is an id
        return "", words or "".join(values[:1] if is_titled else ())
    if form == "tag" or kind in known.callouts or kind == "info":
        kind = named.get("type") or (values[0] if values and kind in _TYPED else name)
        values = values[1:] if values[:1] == [kind] else values
        title = title or " ".join(value for value in values if value.lower() not in ("true", "false"))
        return "note" if kind.lower() in _TYPED else kind, title
    if form == "liquid" and name not in ("raw", "comment"):
        rewriting.report("unmapped", "liquid", f'"{name}" is left out, what is in it stays')
    elif form == "shortcode":
        rewriting.report("unmapped", "shortcode", f'the shortcode "{name}" is left out, what is in it stays')
    return "", title or named.get("name", "")


# Components of JSX

_ATTRIBUTE = regex(rf"(?P<key>[\w@:.-]+)(?:\s*=\s*(?P<value>{VALUE}))?")
_STRING = regex(r"\{?\s*([\"'`])(?P<words>(?:(?!\$\{).)*?)\1\s*\}?", re.DOTALL)
_LABEL = regex(r"\blabel[\"']?\s*:\s*([\"'`])(?P<words>.*?)\1")
_DATA = regex(r"\{\s*[\[{]")
"""A list or an object: what a program shows of it, only that knows."""


def component(rewriting: Rewriting, node: ForeignBlock | Sign) -> str | None:
    """What a component shows that has nothing inside; nothing for the end of one."""
    span, is_block = (node.opening, True) if isinstance(node, ForeignBlock) else (node.span, False)
    tag = COMPONENT.fullmatch(rewriting.source(span))
    head = _head(rewriting, tag) if tag else ""
    if head is None:
        code = nodes.Code(" ".join(rewriting.source(span).split()))
        return fenced(rewriting.source(span), "jsx") if is_block else write_inlines((code,))
    if not is_block:
        return f"{head} " if head else ""
    return f"- {head}" if head.startswith("**[") else head


def _around(rewriting: Rewriting, node: ForeignBlock) -> str:
    """The words of a component around other blocks. A tab may have its name from what is around all tabs."""
    tag = COMPONENT.match(rewriting.text, node.opening.start)
    if tag is None:
        return ""
    attributes = {attribute["key"]: attribute["value"] or "" for attribute in _ATTRIBUTE.finditer(tag["attributes"])}
    if _DATA.match(data := attributes.get("items") or attributes.get("values", "")):
        rewriting.tabs = [item["words"] for item in (_LABEL if "label" in data else _STRING).finditer(data)]
        count = sum(isinstance(block, ForeignBlock) and _is_tab(block.fields.get("name", "")) for block in node.blocks)
        if unused := ", ".join(rewriting.tabs[count:]):
            rewriting.report("unmapped", "tab", f"names of tabs without a text are left out: {unused}")
        del rewriting.tabs[count:]
        return ""
    if (head := _head(rewriting, tag)) != "":
        return fenced(tag[0], "jsx") if head is None else head
    if not _is_tab(tag["name"]):
        return ""
    name = rewriting.tabs.pop(0) if rewriting.tabs else attributes.get("value", "").strip("\"'")
    return f"**{name}**" if name else ""


def _is_tab(name: str) -> bool:
    return name.endswith(("Tab", "TabItem"))


def _head(rewriting: Rewriting, tag: re.Match[str]) -> str | None:
    """What readers see of a tag: its title, which may be a link, and its other words; None if it has data."""
    said = _strings(rewriting, tag)
    if said is None:
        return None
    named = dict(reversed(said))
    address = named.get("address", "")
    parts = []
    for meaning, words in said:
        if meaning == "title":
            title = write_inlines((nodes.Text(words),))
            parts.append(f"**{link(rewriting, title, address, '') if address else title}**")
            address = ""
        elif meaning == "picture":
            parts.append(image(rewriting, named.get("alt") or named.get("title", ""), words, ""))
        elif meaning == "words" or (meaning == "alt" and "picture" not in named):
            parts.append(rewriting.phrase(words))
    return " ".join([*parts, *([link(rewriting, address, address, "")] if address else ())])


def _strings(rewriting: Rewriting, tag: re.Match[str]) -> list[tuple[str, str]] | None:
    """What each string among the attributes of a tag is, and its words; None if there is data."""
    name, known = tag["name"], tables()
    said: list[tuple[str, str]] = []
    programs: list[str] = []
    for attribute in _ATTRIBUTE.finditer(tag["attributes"]):
        key, value = attribute["key"], attribute["value"] or ""
        meaning, string = known.attributes.get(key, ""), _STRING.fullmatch(value)
        if (has_data := _DATA.match(value)) and meaning != "nothing":
            rewriting.report("unmapped", "component", f"<{name}> is kept as it is written: only a program shows data")
            return None
        if string and (words := " ".join(string["words"].split())):
            said.append((meaning, words))
        elif value and not (string or has_data or value.strip("{} ").isalnum()):
            programs.append(key)
    if name.lower() not in known.unwrapped:
        rewriting.report("changed", "component", f"<{name}> is left out, its words stay")
    if programs:
        rewriting.report("unmapped", "expression", f"a program is left out: {', '.join(programs)} of <{name}>")
    return said
