"""HTML within lines: what our pages have stays, what has a form in Markdown gets it, the rest is words."""

from __future__ import annotations

import re
from html import unescape

from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.links import image, link
from paper_notes.features.importing.markdown.run import Run
from paper_notes.markdown.sanitise import TAGS

ATTRIBUTE = re.compile(r"""([A-Za-z_:@][\w:.-]*)(?:\s*=\s*("[^"]*"|'[^']*'|\{[^{}]*\}|[^\s"'=<>`]+))?""")
_KEPT = frozenset(
    "abbr b bdi bdo br cite code del dfn em i ins kbd mark q rp rt ruby s samp small strong sub sup u var wbr".split()
)
_BLOCKS = frozenset("table thead tbody tfoot tr td th caption blockquote dl dt dd hr details summary".split())
"""Elements around blocks, which stay, too."""
KNOWN = TAGS | frozenset(
    "a address area article audio base big body button canvas center data datalist dialog embed fieldset font footer"
    " form frame frameset h1 head header hgroup html iframe img label legend link main map marquee menu meta meter nav"
    " noscript object optgroup option output param picture progress script search section select slot source strike"
    " style svg template textarea time title track tt video".split()
)
"""Names of elements of HTML; others are words between brackets."""
_SPANS = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "details": ("open",), "abbr": ("title",)}
_LABELS = ("label", "title", "text", "summary", "heading")
_MEDIA = frozenset({"iframe", "video", "audio", "embed", "source"})


def attributes(written: str) -> dict[str, str]:
    """The attributes of a tag by their names in small letters."""
    found = {}
    for name, value in ATTRIBUTE.findall(written):
        inner = value[1:-1] if value[:1] in ("'", '"', "{") else value
        found[name.lower()] = unescape(inner).strip("\"'`")
    return found


def tag(run: Run, slash: str, name: str, written: str, whole: str) -> str:
    """What stands for one tag."""
    conversion = run.conversion
    lowered = name.lower()
    if name[0].isupper() and conversion.mdx and lowered not in _KEPT:
        return "" if slash else _component(conversion, name, written)
    if lowered in ("strike", "tt"):
        return f"<{slash}{'del' if lowered == 'strike' else 'code'}>"
    if lowered in _KEPT or lowered in _BLOCKS:
        if slash:
            return f"</{lowered}>"
        kept = {key: value for key, value in attributes(written).items() if key in _SPANS.get(lowered, ())}
        shown = "".join(f' {key}="{value}"' if value else f" {key}" for key, value in kept.items() if '"' not in value)
        return f"<{lowered}{shown}>"
    if lowered in ("img", "image") and not slash:
        values = attributes(written)
        return image(
            run, values.get("alt", ""), values.get("src", "") or values.get("data-src", ""), values.get("title", "")
        )
    if lowered in _MEDIA and not slash and (address := attributes(written).get("src", "")):
        return link(run, address, address, "")
    if lowered in KNOWN:
        return " " if lowered in ("p", "div", "li") else ""
    escaped = rf"\{whole}"
    return re.sub(r"(?<!^)([*_\[\]`$])", r"\\\1", escaped)


def _component(conversion: Conversion, name: str, written: str) -> str:
    """The words of a component of JSX or Vue that has none inside."""
    conversion.report("changed", "component", f"<{name}> is left out, its words stay")
    values = attributes(written)
    words = next((values[key] for key in _LABELS if values.get(key)), "")
    return f"**{words}** " if words else ""


def anchor(run: Run, written: str, within: str) -> str:
    """`<a href="...">words</a>`, and an `<a>` that only is a place."""
    values = attributes(written)
    address = values.get("href", "")
    if not address:
        return run.inner(within)
    return link(run, " ".join(within.split()), address, "")
