"""The policy for HTML that a note may hold. Formulas, figures and code are set aside before and are not sanitised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache, lru_cache

import nh3
from markupsafe import escape

from paper_notes.diagnostics import Location
from paper_notes.markdown.context import OWN, Context, SourceMap
from paper_notes.markdown.syntax.components import components
from paper_notes.patterns import regex
from paper_notes.sources.characters import UNUSABLE, unescape

TAGS = frozenset(
    "a abbr aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption"
    " figure h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup"
    " table tbody td tfoot th thead tr u ul var wbr input".split()
)
WRITTEN_CLASSES = frozenset("term pill good bad partial new open closed num".split())
"""Classes that a note may put on a span: `[text]{.term}`."""
_OUR_CLASSES = WRITTEN_CLASSES.union(
    "table stack labels th right center left held best math-block cite cites note-ref external shown gl fig fig-body"
    " fig-label footnote-ref footnote-backref footnotes footnotes-list footnote-item contains-task-list task-list-item"
    " task-list-item-checkbox mistake doubtful merged row-best row-own row-baseline".split()
)
"""Classes that our syntax writes, besides those of components."""
_ATTRIBUTES = {
    "*": {"class", "id", "lang", "title", "dir", "aria-label", "role", "tabindex"},
    "a": {"href"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "col": {"span"},
    "ol": {"start", "reversed"},
    "li": {"value"},
    "details": {"open"},
    "input": {"checked", "disabled"},
}
_SAFE_ROLES = frozenset({"group", "note", "doc-noteref", "doc-footnote", "doc-backlink"})
_WRITTEN_TAGS = TAGS - {"a", "input"}
_WRITTEN_ATTRIBUTES = _ATTRIBUTES["*"] - {"id", "role", "tabindex"}
MAX_DEPTH = 40
"""The most elements of a note's own HTML that are open at once."""
_CLOSE_THEMSELVES = frozenset(
    "br hr wbr col input p li dt dd tr td th thead tbody tfoot colgroup caption rt rp".split()
)
"""Elements without an end tag, and those that the next of their kind ends."""


def sanitise(html: str) -> str:
    """The HTML with only what the policy allows. Ids that are not ours are dropped."""
    return _cleaner().clean(html)


def _kept(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "class":
        classes = [name for name in value.split() if name in _classes()]
        return " ".join(classes) or None
    if attribute == "id":
        return value[1:] if value.startswith(OWN) else None
    if attribute == "role":
        return value if value in _SAFE_ROLES else None
    if attribute == "tabindex":
        return "0" if value == "0" else None
    return value


@cache
def _classes() -> frozenset[str]:
    """The classes that our syntax and the components write."""
    return _OUR_CLASSES.union(*(component.classes.split() for component in components().values()))


@lru_cache(maxsize=1)
def _cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(TAGS),
        clean_content_tags={"script", "style", "title", "template", "iframe", "noscript", "svg", "math"},
        attributes=_ATTRIBUTES,
        attribute_filter=_kept,
        set_tag_attribute_values={"input": {"type": "checkbox"}},  # one at most: nh3 sets several in any order
        link_rel=None,
        url_schemes={"http", "https", "mailto", "zotero"},
    )


_INSTEAD = {
    "a": "write [text](https://...), [text](#section) or [[#15]]",
    "svg": "save the figure as a file and write ![what it shows](figure.svg)",
    "img": "write ![what it shows](picture.png)",
    "math": "write $x$ or $$x$$",
    "input": "write a task list: - [ ] text",
    "style": "pages have one look; mark words with [text]{.term}",
    "script": "notes cannot run programs",
    "id": "sections and components take an id: {#my-id}",
    "class": "known: " + ", ".join(sorted(WRITTEN_CLASSES)),
}


_HTML = frozenset(
    "address area article audio base big body button canvas center data datalist dialog embed fieldset font footer form"
    " frame frameset h1 head header hgroup html iframe label legend link main map marquee menu meta meter nav noscript"
    " object optgroup option output param picture progress search select slot source strike template textarea time"
    " title track tt video".split()
)
"""Other elements of HTML; `<think>` is none."""
_ELEMENTS = TAGS | _HTML | {"svg", "img", "math", "style", "script"}


def is_html(name: str) -> bool:
    """Whether a tag of this name is HTML, or a part of a drawing or a formula: `<think>` is not."""
    return name.lower() in _ELEMENTS


def written_html(context: Context, html: str, place: SourceMap, offset: int = 0) -> str:
    """A note's own HTML without what the policy removes, which is reported. It starts at `offset` of `place`.

    Only whole tags and whole comments are markup; any other `<` is a character, so that no text is lost in a tag that
    never ends.
    """
    kept: list[str] = []
    for kind, start, piece in _pieces(html):
        if kind == "tag":
            where = context.at(*place.at(offset + start))
            name, attributes = _tag_of(piece)
            if not is_html(name.removeprefix("/")):
                _check_name(context, name, where)
                kept.append(str(escape(unescape(piece))))
                continue
            if not (name.startswith("/") and context.open_tags[name[1:]]):  # its start tag was checked
                _check_tag(context, name, attributes, where)
            if _is_too_deep(context, name, where):
                return "".join(kept)
        elif kind == "stray":
            context.counters["stray"] += 1
            if context.counters["stray"] <= _MAX_STRAYS:
                _report_stray(context, html, start, context.at(*place.at(offset + start)))
        kept.append(_ENTITY.sub(_without_marker, piece))
    return "".join(kept)


def _pieces(html: str) -> Iterator[tuple[str, int, str]]:
    """Kind (`tag`, `text`, `stray`), offset and text of each piece; comments are left out.

    A `stray` is a `<` that begins neither a whole tag nor a whole comment, but would swallow text in a browser.
    """
    done = 0
    last_comment = html.rfind("-->")
    while (start := html.find("<", done)) >= 0:
        if done < start:
            yield "text", done, html[done:start]
        if html.startswith("<!--", start) and (short := _EMPTY_COMMENT.match(html, start)):
            done = short.end()
        elif html.startswith("<!--", start) and start + 4 <= last_comment:
            done = html.index("-->", start + 4) + 3
        elif tag := _WHOLE_TAG.match(html, start):
            yield "tag", start, tag[0]
            done = tag.end()
        else:
            swallows = _SWALLOWS.match(html, start)
            yield "stray" if swallows else "text", start, "&lt;"
            done = start + 1
    if done < len(html):
        yield "text", done, html[done:]


def _tag_of(tag: str) -> tuple[str, list[tuple[str, str]]]:
    """The name of a whole tag, with a slash if it is an end tag, and its attributes."""
    name = _TAG_NAME.match(tag, 1)
    assert name
    attributes = _ATTRIBUTE.findall(tag, name.end())
    return name[0].lower(), [
        (key.lower(), unescape(value[1:-1] if value[:1] in ("'", '"') else value)) for key, value in attributes
    ]


def _report_stray(context: Context, html: str, start: int, where: Location) -> None:
    if html.startswith("<!--", start):
        message, hint = "this comment does not end: all that follows it would be left out", "end it with -->"
    elif html[start + 1] in "!?":
        message = f'"{html[start : start + 9].split()[0]}" is not allowed in a note: browsers leave out what follows it'
        hint = "write a comment as <!-- ... -->, and &lt; where < is only a sign"
    else:
        match = _TAG_NAME.match(html, start + 1)
        message = f'"<{match[0][:40] if match else "/"}" begins a tag that does not end, or not as a tag does'
        hint = "end it with >, or write &lt; where < is only a sign"
    context.report(where, "html-not-allowed", message, hint)


def _is_too_deep(context: Context, name: str, where: Location) -> bool:
    """Count open elements across all HTML of a text. True for a tag that exceeds MAX_DEPTH, which is reported once."""
    is_open = context.open_tags
    if name.startswith("/"):
        is_open[name[1:]] -= is_open[name[1:]] > 0
    elif name not in _CLOSE_THEMSELVES:
        is_open[name] += 1
    if is_open.total() <= MAX_DEPTH:
        return False
    is_open[name] -= 1
    context.counters["too deep"] += 1
    if context.counters["too deep"] == 1:
        message = f"more than {MAX_DEPTH} HTML elements are open here"
        context.report(where, "too-deep", message, f"close them: </{name}>")
    return True


def report_open(context: Context) -> None:
    """Report elements that a short text leaves open: in a README they would enclose all that follows."""
    for name, times in context.open_tags.items():
        if times and name in _WRITTEN_TAGS:
            message = f"<{name}> is not closed: in a README it would enclose all that follows"
            context.report(context.at(0, 0), "html-not-allowed", message, f"end it with </{name}>")


_MISTYPED = 0.8
"""How similar a name is to one of HTML if it is most likely meant for it: `<stong>` is, `<path>` is not."""


def _check_name(context: Context, name: str, where: Location) -> None:
    """Report a tag that is not HTML and is shown as text, if it is most likely a mistyped one."""
    close = context.suggestions.closest(name, _WRITTEN_TAGS)
    if close and not name.startswith("/") and SequenceMatcher(None, name, close).ratio() >= _MISTYPED:
        message = f"<{name}> is no HTML and is shown as text"
        hint = f"did you mean <{close}>? Put it in backticks where it is meant"
        context.report(where, "html-not-allowed", message, hint, "warning")


def _check_tag(context: Context, name: str, attributes: list[tuple[str, str]], where: Location) -> None:
    if name.removeprefix("/") not in _WRITTEN_TAGS:
        hint = _INSTEAD.get(name.removeprefix("/"), "write Markdown instead")
        context.report(where, "html-not-allowed", f"<{name}> is not allowed in a note", hint)
        return
    known = _WRITTEN_ATTRIBUTES | _ATTRIBUTES.get(name, set())
    for attribute, value in attributes:
        what = f'attribute "{attribute}"' if attribute not in known else ""
        if attribute == "class" and (strange := set(value.split()) - WRITTEN_CLASSES):
            what = f'class "{min(strange)}"'
        if what:
            hint = _INSTEAD.get("script" if attribute.startswith("on") else attribute, "write Markdown instead")
            context.report(where, "html-not-allowed", f"the {what} of <{name}> is not allowed in a note", hint)


_VALUE = r"""(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+")"""
_WHOLE_TAG = regex(
    rf"<[A-Za-z][A-Za-z0-9-]*+(?:\s++[A-Za-z_:][\w:.-]*+(?:\s*+=\s*+{_VALUE})?)*+\s*+/?>|</[A-Za-z][A-Za-z0-9-]*+\s*+>",
    re.ASCII,
)
"""Tags as CommonMark defines them."""
_TAG_NAME = regex("/?[A-Za-z][A-Za-z0-9-]*+")
_ATTRIBUTE = regex(rf"([A-Za-z_:][\w:.-]*+)(?:\s*+=\s*+({_VALUE}))?", re.ASCII)
_EMPTY_COMMENT = regex("<!--(?:-?>)")
_SWALLOWS = regex("<[A-Za-z/!?]")
_MAX_STRAYS = 100
"""How many stray `<` of one text are reported: nobody reads thousands."""
_ENTITY = regex(r"&#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?")


def _without_marker(match: re.Match[str]) -> str:
    """Replace references to control characters, and to the noncharacters that mark slots, fragments and ids."""
    code = int(match[1][-8:], 16) if match[1] else int(match[2][-8:])
    return "\ufffd" if code <= 0x10FFFF and UNUSABLE.match(chr(code)) else match[0]
