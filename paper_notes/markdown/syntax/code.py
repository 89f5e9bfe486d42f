"""Code highlighted by Pygments, with CSS classes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import escape

if TYPE_CHECKING:
    from pygments.formatter import Formatter
    from pygments.lexer import Lexer

PLAIN = frozenset(
    {"", "text", "txt", "plain", "plaintext", "plain-text", "none", "nohighlight", "console-output", "output"}
)


class UnknownLanguage(Exception):
    """There is no lexer of that name."""


def highlight(code: str, language: str) -> str:
    """The code as HTML spans, without a wrapper. Raises UnknownLanguage."""
    if language.lower() in PLAIN:
        return str(escape(code))
    from pygments import highlight as run  # slow to import, and most notes have little code

    return str(run(code, _lexer(language), _formatter()))


def code_html(code: str, language: str = "") -> str:
    """The block for code that is already HTML."""
    name = f" language-{escape(language)}" if language else ""
    return f'<div class="code"><pre tabindex="0"><code class="hl{name}">{code}</code></pre></div>\n'


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name

    if language.lower() not in _names():  # for an unknown name Pygments searches all installed packages, every time
        raise UnknownLanguage(language)
    return get_lexer_by_name(language, stripnl=False, ensurenl=False)


@lru_cache(maxsize=1)
def _formatter() -> Formatter[str]:
    from pygments.formatters.html import HtmlFormatter

    return HtmlFormatter(nowrap=True)


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    return frozenset(name.lower() for name in known_languages())


@lru_cache(maxsize=1)
def known_languages() -> tuple[str, ...]:
    """All names of languages that a code fence may use."""
    from pygments.lexers import get_all_lexers

    return tuple(alias for _, aliases, _, _ in get_all_lexers() for alias in aliases)
