"""Code highlighted by Pygments, with CSS classes.

Its lexers are regular expressions that a few bytes can keep busy for hours: they run in a process with limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from markupsafe import escape

from paper_notes.engine.sandboxed_process import Limits, Stopped, limited
from paper_notes.extensions import brought
from paper_notes.values import Struct

if TYPE_CHECKING:  # the process with limits imports this module, and should start at once
    from markdown_it.token import Token
    from pygments.formatter import Formatter
    from pygments.lexer import Lexer

    from paper_notes.diagnostics import Location
    from paper_notes.markdown.context import Context

PLAIN = frozenset(
    {"", "text", "txt", "plain", "plaintext", "plain-text", "none", "nohighlight", "console-output", "output"}
)

_LIMITS = Limits("code", seconds=2)
"""Real code takes a thousandth of that for each kilobyte, or less."""


class Fence(Struct, frozen=True):
    """A language of code fences that are drawn, and not shown as code."""

    language: str
    draw: Callable[[Context, Token], str]
    """The HTML of a fence; empty if it cannot be drawn, which is reported then."""


@cache
def fences() -> Mapping[str, Fence]:
    """All such languages, which features bring."""
    return {fence.language: fence for fence in brought("fences")}


class UnknownLanguage(Exception):
    """There is no lexer of that name."""


def highlight(context: Context, where: Location, code: str, language: str) -> str:
    """The code as HTML spans, without a wrapper; as it is if highlighting was stopped. Raises UnknownLanguage."""
    if language.lower() in PLAIN or context.counters["stopped"]:  # one is enough: each takes the whole time limit
        return str(escape(code))
    try:
        return limited(_LIMITS, _highlighted, code, language)
    except Stopped as stopped:
        context.counters["stopped"] += 1
        hint = "write `text` for its language, which has no highlighting, or show less"
        context.report(where, "stopped-code", f"highlighting the {language} fence {stopped}", hint)
        return str(escape(code))


def _highlighted(code: str, language: str) -> str:
    from pygments import highlight as run  # slow to import, all of it, and most notes have little code

    return str(run(code, _lexer(language), _formatter()))


def code_html(code: str, language: str = "") -> str:
    """The block for code that is already HTML."""
    name = f" language-{escape(language)}" if language else ""
    return f'<div class="code"><pre tabindex="0"><code class="hl{name}">{code}</code></pre></div>\n'


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name

    if language.lower() not in map(str.lower, known_languages()):  # for others Pygments searches all packages each time
        raise UnknownLanguage(language)
    return get_lexer_by_name(language, stripnl=False, ensurenl=False)


@lru_cache(maxsize=1)
def _formatter() -> Formatter[str]:
    from pygments.formatters.html import HtmlFormatter

    return HtmlFormatter(nowrap=True)


@lru_cache(maxsize=1)
def known_languages() -> tuple[str, ...]:
    """All names of languages that a code fence may use."""
    from pygments.lexers import get_all_lexers

    return tuple(alias for _, aliases, _, _ in get_all_lexers() for alias in aliases)
