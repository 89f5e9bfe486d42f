"""Highlighted code, by Pygments, as classes."""

from __future__ import annotations

from markupsafe import escape

PLAIN = frozenset({"", "text", "txt", "plain", "none", "console-output", "output"})


class UnknownLanguage(Exception):
    """There is no lexer of that name."""


def highlight(code: str, language: str) -> str:
    """The code as HTML spans, without a wrapper. Raises UnknownLanguage."""
    if language.lower() in PLAIN:
        return str(escape(code))
    from pygments import highlight as run  # imported late: most notes have little code, start-up is felt by all
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        raise UnknownLanguage(language) from None
    return str(run(code, lexer, HtmlFormatter(nowrap=True)))


def known_languages() -> list[str]:
    """All names a code fence may carry."""
    from pygments.lexers import get_all_lexers

    return [alias for _, aliases, _, _ in get_all_lexers() for alias in aliases]
