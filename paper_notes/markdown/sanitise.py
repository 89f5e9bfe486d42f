"""The policy for HTML that a note may hold. Formulas, figures and code are set aside before and never pass here."""

from __future__ import annotations

import re
from functools import lru_cache
from html.parser import HTMLParser

import nh3

from paper_notes.diagnostics import Location
from paper_notes.markdown.context import OWN, Context, Place
from paper_notes.sources.characters import UNUSABLE

TAGS = frozenset(
    "a abbr aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption"
    " figure h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup"
    " table tbody td tfoot th thead tr u ul var wbr input".split()
)
WRITTEN_CLASSES = frozenset("term pill good bad partial new open closed num".split())
"""Classes that a note may put on a span: `[text]{.term}`."""
_OUR_CLASSES = WRITTEN_CLASSES | frozenset(
    "tldr tldr-label stats fig fig-body fig-label fig-title formula reading symbols box-title fold callout"
    " callout-title thm thm-title thm-label thm-name table stack labels th code math-block cite cites note-ref external"
    " footnote-ref footnote-backref footnotes footnotes-list footnote-item contains-task-list task-list-item"
    " task-list-item-checkbox"
    " right center left held num best good bad partial gl quote timeline recall recall-item paper-card"
    " demo demo-label shown".split()
)
_CLASS_FAMILIES = ("callout-", "thm-")
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
"""Of a note's own elements that are open at once."""
_CLOSE_THEMSELVES = frozenset(
    "br hr wbr col input p li dt dd tr td th thead tbody tfoot colgroup caption rt rp".split()
)
"""Elements without an end, and those that the next of their kind ends."""


def sanitise(html: str) -> str:
    """The HTML with only what the policy allows. Ids that are not ours are dropped."""
    return _cleaner().clean(html)


def _kept(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "class":
        classes = [name for name in value.split() if name in _OUR_CLASSES or name.startswith(_CLASS_FAMILIES)]
        return " ".join(classes) or None
    if attribute == "id":
        return value[1:] if value.startswith(OWN) else None
    if attribute == "role":
        return value if value in _SAFE_ROLES else None
    if attribute == "tabindex":
        return "0" if value == "0" else None
    return value


@lru_cache(maxsize=1)
def _cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(TAGS),
        clean_content_tags={"script", "style", "title", "template", "iframe", "noscript", "svg", "math"},
        attributes=_ATTRIBUTES,
        attribute_filter=_kept,
        set_tag_attribute_values={"input": {"type": "checkbox"}},  # one at most: nh3 sets several in any order
        link_rel=None,
        url_schemes={"http", "https", "mailto"},
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


def written_html(context: Context, html: str, place: Place, offset: int = 0) -> str:
    """A note's own HTML, which stands at an offset of a place. What the policy takes out of it is reported."""
    whole = _complete(html)
    if len(whole) < len(html) and (lost := html.find("<!--", len(whole))) >= 0:
        where = context.at(*place.at(offset + lost))
        message = "this comment does not end: all that follows it would be left out"
        context.report(where, "html-not-allowed", message, "end it with -->")
    for start, name, attributes in _Reader(whole).found:
        where = context.at(*place.at(offset + start))
        if _is_too_deep(context, name, where):
            return ""
        if not name.startswith("/"):
            _check_tag(context, name, attributes, where)
    return _ENTITY.sub(_without_marker, html)


def _is_too_deep(context: Context, name: str, where: Location) -> bool:
    """Count what is open, from one piece of the text's HTML to the next; told of once."""
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


def _check_tag(context: Context, name: str, attributes: list[tuple[str, str]], where: Location) -> None:
    if name not in _WRITTEN_TAGS:
        hint = _INSTEAD.get(name, "write Markdown instead")
        context.report(where, "html-not-allowed", f"<{name}> cannot stand in a note", hint)
        return
    known = _WRITTEN_ATTRIBUTES | _ATTRIBUTES.get(name, set())
    for attribute, value in attributes:
        what = f'attribute "{attribute}"' if attribute not in known else ""
        if attribute == "class" and (strange := set(value.split()) - WRITTEN_CLASSES):
            what = f'class "{min(strange)}"'
        if what:
            hint = _INSTEAD.get("script" if attribute.startswith("on") else attribute, "write Markdown instead")
            context.report(where, "html-not-allowed", f"the {what} of <{name}> cannot stand in a note", hint)


def _complete(html: str) -> str:
    """The HTML up to where only tags and comments follow that never end: a browser sees nothing in those.

    The parser would look for the end of each of them anew.
    """
    html = html[: html.rfind(">") + 1].replace("<![", "<!x")  # to a browser too `<![CDATA[` only ends with the next ">"
    open_comment = html.find("<!--", html.rfind("-->") + 1)
    return html if open_comment < 0 else html[:open_comment]


class _Reader(HTMLParser):
    """The tags of a piece of HTML: offset, name (with a slash if it is an end), attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[int, str, list[tuple[str, str]]]] = []
        self.lines = [0, *(match.end() for match in re.finditer("\n", html))]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line, column = self.getpos()
        self.found.append((self.lines[line - 1] + column, tag, [(name, value or "") for name, value in attrs]))

    def handle_endtag(self, tag: str) -> None:
        line, column = self.getpos()
        self.found.append((self.lines[line - 1] + column, f"/{tag}", []))


_ENTITY = re.compile(r"&#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?")


def _without_marker(match: re.Match[str]) -> str:
    """References to control characters, and to the noncharacters that mark slots, fragments and ids, are taken out."""
    code = int(match[1][-8:], 16) if match[1] else int(match[2][-8:])
    return "\ufffd" if code <= 0x10FFFF and UNUSABLE.match(chr(code)) else match[0]
