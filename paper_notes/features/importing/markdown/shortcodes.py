"""Shortcodes of Hugo and Quarto, `{{< name "value" key="value" >}}`, and tags of Liquid, `{% name value %}`.

One stands alone on a line, within words, or around other blocks, as tags of HTML and JSX do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from paper_notes.document import nodes
from paper_notes.document.write import write_inlines, write_markdown
from paper_notes.features.importing.html.links import pixels
from paper_notes.features.importing.markdown.boxes import arguments
from paper_notes.features.importing.markdown.conversion import PICTURES
from paper_notes.features.importing.markdown.dialects import tables
from paper_notes.features.importing.markdown.directives import figure, included
from paper_notes.features.importing.markdown.grammar import ForeignBlock, Sign
from paper_notes.features.importing.markdown.inline import image, link
from paper_notes.features.importing.markdown.jsx import Component, Value, component_at
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


def component(rewriting: Rewriting, node: ForeignBlock | Sign) -> str | None:
    """What a component shows that has nothing inside; nothing for the end of one."""
    span, is_block = (node.opening, True) if isinstance(node, ForeignBlock) else (node.span, False)
    tag = component_at(rewriting.text, span.start)
    if tag is None:
        return ""
    if mark := tables().icons.get(tag.name):
        return mark
    values = _shown(rewriting, tag)
    if tables().directives.get(tag.name) == "code":
        code = next((value for value in values.values() if isinstance(value, str)), "")
        return (
            write_markdown(nodes.Document((nodes.CodeBlock(code, "bash"),))).rstrip("\n") if is_block else f"`{code}`"
        )
    head = _head(rewriting, values)
    if not is_block:
        return f"{head} " if head else ""
    head = f"- {head}" if head.startswith("**[") else head
    return "\n\n".join(filter(None, (head, "\n".join(_inner(rewriting, tag.attributes)))))


def _around(rewriting: Rewriting, node: ForeignBlock) -> str:
    """The words of a component around other blocks. A tab may have its name from what is around all tabs."""
    tag = component_at(rewriting.text, node.opening.start)
    if tag is None:
        return ""
    if isinstance(items := tag.attributes.get("items"), list):
        rewriting.tabs = [item for item in items if isinstance(item, str)]
        return ""
    if head := _head(rewriting, _shown(rewriting, tag)):
        return head
    value = tag.attributes.get("value") if tag.name == "TabItem" else None
    name = value or (rewriting.tabs.pop(0) if tag.name.endswith("Tab") and rewriting.tabs else "")
    return f"**{name}**" if name else ""


def _shown(rewriting: Rewriting, tag: Component) -> dict[str, Value]:
    """The attributes of a component that readers see."""
    if tag.name.lower() not in tables().unwrapped:
        rewriting.report("changed", "component", f"<{tag.name}> is left out, its words stay")
    if hidden := [key for key, value in tag.attributes.items() if value is None]:
        rewriting.report("unmapped", "expression", f"a program is left out: {', '.join(hidden)} of <{tag.name}>")
    meanings = tables().attributes
    return {key: value for key, value in tag.attributes.items() if meanings.get(key, "type") != "type"}


def _head(rewriting: Rewriting, values: Mapping[str, Value]) -> str:
    """The line of an object: its title, which may be a link, its type, and its other words."""
    meanings = tables().attributes
    strings = (
        (meanings.get(key.strip(), "words"), value.strip()) for key, value in values.items() if isinstance(value, str)
    )
    said = [(meaning, " ".join(value.split())) for meaning, value in strings if value]
    address = dict(reversed(said)).get("address", "")
    parts = []
    for meaning, value in said:
        if meaning == "title":
            words = write_inlines((nodes.Text(value),))
            parts.append(f"**{link(rewriting, words, address, '') if address else words}**")
            address = ""
        elif meaning == "picture":
            parts.append(image(rewriting, dict(said).get("title", ""), value, ""))
        elif meaning == "type":
            parts.append(write_inlines((nodes.Code(value),)))
        elif meaning == "words":
            parts.append(rewriting.phrase(value))
    return " ".join([*parts, *([link(rewriting, address, address, "")] if address else ())])


def _inner(rewriting: Rewriting, values: Mapping[str, Value]) -> Iterator[str]:
    """Items for the data in an object."""
    for key, value in values.items():
        if not isinstance(value, str) and tables().attributes.get(key) != "nothing":
            yield from _items(rewriting, value)


def _items(rewriting: Rewriting, value: Value) -> Iterator[str]:
    """Items for some data."""
    if isinstance(value, str) and value.strip():
        yield f"- {rewriting.phrase(' '.join(value.split()))}"
    elif isinstance(value, list):
        for item in value:
            yield from _items(rewriting, item)
    elif isinstance(value, dict):
        head, inner = _head(rewriting, value), [*_inner(rewriting, value)]
        yield from [f"- {head}", *(f"  {line}" for line in inner)] if head else inner
