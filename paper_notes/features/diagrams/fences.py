"""Figures from code fences: ```plot, drawn by us, ```mermaid and ```vega-lite by optional tools; all are checked."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import PurePosixPath

from markdown_it.token import Token
from markupsafe import escape

from paper_notes.diagnostics import Diagnostic
from paper_notes.engine.sandboxed_process import Limits, Stopped, limited
from paper_notes.features.diagrams import mermaid, plot, vega
from paper_notes.features.diagrams.svg import BadDiagram
from paper_notes.markdown.context import Context, place_of
from paper_notes.markdown.figures.svg import inline_svg
from paper_notes.markdown.syntax.code import Fence, code_html
from paper_notes.patterns import regex
from paper_notes.sources.tree import checked_text

TOOLS: Mapping[str, tuple[str, Limits]] = {
    "mermaid": ("merman", Limits("mermaid")),
    "vega": ("vl_convert", Limits("vega", aside=512 * 1024 * 1024)),
}
"""For each extra: its module, and its limits. `aside` is the memory that V8 reserves for code."""
MACHINES: Mapping[str, frozenset[tuple[str, str]]] = {
    "mermaid": frozenset({("Linux", "x86_64"), ("Windows", "AMD64"), ("Darwin", "arm64")}),
}
"""The systems and processors that an extra can be installed on, as `platform` names them; without an entry all."""
_MAX_CHARACTERS = 4_000_000
_TITLE = regex(
    r'^\s*(?:accTitle\s*:|accDescr\s*:|(?:pie\s+(?:showData\s+)?)?title\s*:?(?=\s))\s*"?([^"\n{]+)|"(?:title|description)"\s*:\s*"([^"\n]+)"',
    re.MULTILINE,
)
"""In Mermaid and in Vega-Lite."""
_LABEL = regex(r"[\[({>|]{1,2}\"?([^\[\](){}|\"\n]{1,80})\"?[\])}|]{1,2}")
_BREAK = regex(r"<[^>]*>")
MOST_LABELS = 6
"""How many parts of a diagram without a title are read to those who cannot see it."""
_ID = regex(r"\s*\{#([A-Za-z][\w-]*)\}\s*$")


def drawn_figure(
    context: Context,
    token: Token,
    language: str,
    draw: Callable[[str], str],
    extra: str = "",
    below: Callable[[], str] = str,
) -> str:
    """The figure of a fence, drawn by the tool of an extra, or by a function of ours; `below` is HTML under it.

    The text after the language in its first line is title and alternative text.
    """
    first = token.map[0] if token.map else 0
    where = context.locate(first, language)
    title = token.info.strip()[len(language) :].strip()
    anchor = ""
    if own := _ID.search(title):
        title, anchor = title[: own.start()], context.block_id(own[1], where)
    context.counters["figure"] += 1
    context.counters["svg"] += 1
    label = context.word("component.figure", number=str(context.counters["figure"]))

    def report(_line: int, _column: int, message: str, hint: str) -> None:
        hint = hint.replace("into the caption", "into the text")
        context.report(where, "bad-diagram", f"the drawing of the {language} fence: {message}", hint)

    if context.counters["stopped"]:
        return ""  # one stopped diagram is enough: each takes the whole time limit
    try:
        drawn = _drawn(extra, draw, token.content)
    except Stopped as stopped:
        context.counters["stopped"] += 1
        hint = "show less in it, or write what it computes into the fence"
        context.report(where, "stopped-diagram", f"drawing the {language} fence {stopped}", hint)
        return ""
    except ImportError:
        hint = how_to_get(extra, platform.system(), platform.machine())
        message = f"a {language} fence needs the extra `{extra}`; its source is shown instead"
        context.counters[extra] += 1
        if context.counters[extra] == 1:  # for all of the text
            context.report(where, "missing-extra", message, hint, "warning")
        return context.keep(code_html(str(escape(token.content))))
    except BadDiagram as problem:
        if problem.offset >= 0:
            place = place_of(context.lines, first + 1, token.content)
            where = context.at(*place.at(min(problem.offset, len(token.content.rstrip()))))
        context.report(where, "bad-diagram", f"{language}: {' '.join(problem.message.split())}", problem.hint)
        return ""
    prefix = f"{context.lang}-{context.counters['svg']}{extra or language}"
    svg = inline_svg(
        drawn,
        lang=context.lang,
        prefix=prefix,
        label=title or _own_title(token.content) or _first_labels(language, token.content) or label,
        report=report,
        counters=context.counters,
    )
    name = f' <span class="fig-title">{escape(title)}</span>' if title else ""
    caption = f'<figcaption><span class="fig-label">{label}</span>{name}</figcaption>'
    figure = f'<figure class="fig"{anchor}><div class="fig-body">{svg}{below()}</div>{caption}</figure>\n'
    return context.keep(figure)


def plot_figure(context: Context, token: Token) -> str:
    """The figure of a ```plot fence, and the numbers that it shows as a table that opens below it."""
    shown: list[plot.PlotTable] = []

    def draw(source: str) -> str:
        shown.append(plot.parse_plot(source, partial(_table_beside, context)))
        return plot.draw(shown[0])

    def table() -> str:
        summary = escape(context.word("component.data"))
        return f'<details class="fold data"><summary>{summary}</summary>{plot.data_table(shown[0])}</details>'

    return drawn_figure(context, token, "plot", draw, below=table)


def _table_beside(context: Context, name: str) -> str:
    """The text of a CSV file beside the note. Raises LookupError."""
    source = context.files.get(PurePosixPath(name).as_posix())
    if source is None:
        raise LookupError(f'there is no file "{name}" beside the note')
    text = checked_text(source)
    if isinstance(text, Diagnostic):
        raise LookupError(f'"{name}" cannot be read: {text.message}')
    return source.text


def how_to_get(extra: str, system: str, machine: str) -> str:
    """What to do on a machine if an extra is missing."""
    if (system, machine) in MACHINES.get(extra, {(system, machine)}):
        return "`paper-notes doctor` has the line that installs it"
    return f"there is none for {system} on {machine}: draw it elsewhere, and put the SVG beside the note"


def _own_title(source: str) -> str:
    """What the source itself says that it shows."""
    title = _TITLE.search(source)
    return (title[1] or title[2]).strip() if title else ""


def _first_labels(language: str, source: str) -> str:
    """The words of a Mermaid diagram's first parts, in the order in which it names them."""
    every = dict.fromkeys(" ".join(_BREAK.sub(" ", words).split()) for words in _LABEL.findall(source))
    labels = [words for words in every if words][:MOST_LABELS]
    return ", ".join(labels) if language == "mermaid" and len(labels) > 1 else ""


@lru_cache(maxsize=16)
def _by_tool(extra: str, draw: Callable[[str], str], source: str) -> str:
    """Cached: while a note is written, its diagrams are drawn again and again; and twice where it has marks."""
    return limited(TOOLS[extra][1], draw, source)


def _drawn(extra: str, draw: Callable[[str], str], source: str) -> str:
    """The SVG, which the tool of an extra draws in its own process. Raises ImportError, BadDiagram and Stopped."""
    if extra and find_spec(TOOLS[extra][0]) is None:
        raise ImportError(TOOLS[extra][0])
    drawn = _by_tool(extra, draw, source) if extra else draw(source)
    if len(drawn) > _MAX_CHARACTERS:
        message = f"the drawing has {len(drawn):,} characters, more than the {_MAX_CHARACTERS:,} allowed"
        raise BadDiagram(message, -1, "show less in it")
    return drawn


MERMAID = Fence("mermaid", partial(drawn_figure, language="mermaid", extra="mermaid", draw=mermaid.draw))
VEGA_LITE = Fence("vega-lite", partial(drawn_figure, language="vega-lite", extra="vega", draw=vega.draw))
PLOT = Fence("plot", plot_figure)
