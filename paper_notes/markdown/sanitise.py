"""The policy for HTML that a note may hold. Formulas, figures and code are set aside before and never pass here."""

from __future__ import annotations

import re

import nh3

from paper_notes.markdown.context import Context

TAGS = frozenset(
    "a abbr aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption"
    " figure h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup table"
    " tbody td tfoot th thead tr u ul var wbr input".split()
)
WRITTEN_CLASSES = frozenset("term pill good bad partial new open closed num".split())
"""Classes that a note may put on a span: `[text]{.term}`."""
_OUR_CLASSES = WRITTEN_CLASSES | frozenset(
    "tldr tldr-label stats fig fig-body fig-label formula reading symbols box-title fold callout callout-title thm"
    " thm-title thm-label thm-name table code math-block cite cites note-ref external footnote-ref footnote-backref"
    " footnotes footnotes-list footnote-item contains-task-list task-list-item task-list-item-checkbox"
    " right center left held".split()
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
_SAFE_ROLES = frozenset({"region", "note", "doc-noteref", "doc-footnote", "doc-backlink"})
_TAG = re.compile(r"<([A-Za-z][\w-]*)")


def sanitise(html: str, lang: str) -> str:
    """The HTML with only what the policy allows. Ids that are not ours are dropped: ours end in the language."""

    def keep(tag: str, attribute: str, value: str) -> str | None:
        if attribute == "class":
            classes = [name for name in value.split() if name in _OUR_CLASSES or name.startswith(_CLASS_FAMILIES)]
            return " ".join(classes) or None
        if attribute == "id":
            return value if value.endswith(f"-{lang}") or value.startswith("fn") else None
        if attribute == "role":
            return value if value in _SAFE_ROLES else None
        if attribute == "tabindex":
            return "0" if value == "0" else None
        return value

    return nh3.clean(
        html,
        tags=set(TAGS),
        clean_content_tags={"script", "style", "title", "template", "iframe", "noscript", "svg", "math"},
        attributes=_ATTRIBUTES,
        attribute_filter=keep,
        tag_attribute_values={"input": {"type": {"checkbox"}}},
        link_rel=None,
        url_schemes={"http", "https", "mailto"},
    )


def report_forbidden(context: Context, html: str, line: int, lines: int) -> None:
    """A diagnostic for each tag in raw HTML that the policy takes out."""
    for name in dict.fromkeys(match[1] for match in _TAG.finditer(html)):
        if name.lower() in TAGS:
            continue
        hint = _INSTEAD.get(name.lower(), "write Markdown instead")
        where = context.locate(line, f"<{name}", lines)
        context.report(where, "html-not-allowed", f"<{name}> cannot stand in a note", hint)


_INSTEAD = {
    "svg": "save the figure as a file and write ![what it shows](figure.svg)",
    "img": "write ![what it shows](picture.png)",
    "math": "write $x$ or $$x$$",
}
