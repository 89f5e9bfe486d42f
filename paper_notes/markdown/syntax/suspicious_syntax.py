"""Finds what looks like syntax in what the parser took for plain words: mistyped, or as other programs write it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from markdown_it.token import Token

from paper_notes.diagnostics import Location, RuleId, Severity
from paper_notes.markdown.context import Context
from paper_notes.markdown.math.delimiters import is_formula
from paper_notes.markdown.syntax.components import COMPONENTS
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace


class _Lost(Struct, frozen=True):
    """What a pattern finds in a run of words, where a line end begins each line and escaped signs are NULs."""

    pattern: str
    seems: str
    hint: str
    rule: RuleId = "lost-syntax"
    severity: Severity = "warning"


_KEYBOARD = "type it with the signs of an English keyboard: "
_IN_DOLLARS = "formulas stand in dollars: $x^2$ within text, $$ ... $$ on lines of their own"
_NO_COMMENT = (
    "end it with %%, or write <!-- ... -->, which no page has; if it is meant to be shown, put it in backticks"
)
_TARGET = r"(?:https?://|mailto:|\.{0,2}/|[\w.-]+\.(?:md|html?|pdf|png|svg|jpe?g|gif|webp)\b)"
_LOST = (
    _Lost(
        r"\n%%(?!%).*|%%[^%\n]*[^%\n\d]%%|(?<![%\d])(?<!\d )%%(?!%)[^%\n]*",
        "a comment, and would be published",
        _NO_COMMENT,
        "published-comment",
        "error",
    ),
    _Lost(
        r"\[\[[^\[\]\n]*(?:\]\]?)?",
        "a reference",
        "write [[#15]], [[models/#19]] or [[#15|text]] (in a table `\\|`), and not inside the text of a link",
    ),
    _Lost(
        r"\[-?@(?:[^\[\]\n]*\]|\w[^\[\]\n]*$)",
        "a citation",
        "write [@key], [@key, Table 2] or [see @one; @two, p. 3], in brackets that close on the same line",
    ),
    _Lost(
        r"(?<!\[-)(?<![A-Za-z0-9_@/.\[])@[A-Za-z][\w:-]*(?:1[5-9]|20)\d\d(?!\d)\w*",
        "a citation",
        "put it in brackets: [@key], or [-@key] to leave out the name; write \\@ where no paper is meant",
    ),
    _Lost(
        r"\\(?:[A-Za-z]*cite[A-Za-z]*|[Cc]ref|autoref)\*?(?:\[[^\[\]\n]*\])*\{[^{}\n]*\}?",
        "a citation or a reference",
        "write [@key] for a paper, [[#15]] for a note, [text](#id) for a section or a figure",
    ),
    _Lost(
        r"\\(?:textbf|textit|emph|texttt|underline|footnote|href|url|(?:sub)*section|paragraph)\*?\{[^{}\n]*\}?",
        "a command of LaTeX",
        "outside of formulas write Markdown: **bold**, *italic*, `code`, ## Title, [text](https://...), ^[a footnote]",
    ),
    _Lost(r"\[\^[^\[\]\s]+\]", "a footnote", "write its text as [^name]: ... on a line of its own"),
    _Lost(
        r"(?:\[[^\[\]\n]*)?\]\([^()\s]*",
        "a link",
        "an address starts with https://, http:// or mailto: and has no spaces; references and marks stand outside",
    ),
    _Lost(
        rf"[\[【［][^\[\]【】［］\n]*(?:[\]】］]（|[】］]\(){_TARGET}[^\s（）()]*",
        "a link",
        f"{_KEYBOARD}[text](address)",
    ),
    _Lost(r"(?:【|［|\[(?=＠))-?[@＠][A-Za-z][^\[\]【】［］\n]*[\]】］]?", "a citation", f"{_KEYBOARD}[@key]"),
    _Lost(r"[【［]{2}[^\[\]【】［］\n]*[】］]{2}", "a reference", f"{_KEYBOARD}[[#15]]"),
    _Lost(
        r"＊＊[^＊\n]+＊＊|＄[^＄\n]+＄|｀[^｀\n]+｀|\n｜.+｜|\n＞ ?(?=[^\d\s]).*", "Markdown", f"{_KEYBOARD}** $ ` | >"
    ),
    _Lost(
        r"\n(?:#{2,6}(?=[^\s#\d])|＃{1,6}).*",
        "a heading",
        "write ## with the sign of an English keyboard, then a space, then the title",
    ),
    _Lost(r"\n: .*", "an explanation", "it follows its term, which is one line with a blank line above it"),
    _Lost(
        rf"\n(?::{{3,}}|::[ \t]*(?:{'|'.join(COMPONENTS)})\b).*",
        "a component",
        "write `:::name title` on a line of its own",
    ),
    _Lost(r"\n:*：[:：]+.*", "a component", f"{_KEYBOARD}:::name title"),
    _Lost(r"\{ *[.#][\w-]+ *\}", "a mark", "write [text]{.term}; sections and components take {#id}"),
    _Lost(
        r"(?<![A-Za-z0-9_*/^)\]}])\*\*(?!kwargs)(?!\s*[Pp]\s*[<=≤])(?=[^\s*/.,)|\]'\"])[^*\n]*(?:\*\*)?",
        "bold",
        "end it with ** in the same paragraph, without a space just inside; write \\*\\* where stars are meant",
    ),
    _Lost(
        r"\$\$(?=[^$]*\$?[^$]*$)",
        "a formula",
        "end it with $$ before the next empty line",
        "lost-formula",
    ),
    _Lost(
        r"\$\$|\$(?=[^$\\\n]*\\[A-Za-z])[^$\n]*+\$",
        "a formula",
        "no space just inside the dollars: write $\\alpha$, not $ \\alpha $",
        "lost-formula",
    ),
    _Lost(
        r"(?<![A-Za-z0-9$\\}])\$(?:[^$\n]*?\\[A-Za-z]{2,}[^$\n]*|[A-Za-z]'?(?:\s*[_^=<>≤≥≈∈]|(?<![MBK])(?<![mbk](?=[)）]))(?![A-Za-z0-9_$]))[^$\n]*)$",
        "a formula",
        "end it with a second $ in the same paragraph; write \\$ where a dollar is meant",
        "lost-formula",
    ),
    _Lost(r"\\begin\{[A-Za-z]+\*?\}", "a formula", "put it between $$ and $$", "lost-formula"),
)
"""The first come first: what lies within what one has found is left to it. No comment may be lost in others."""
_DIGIT = regex(r"\s*\d\s*")
_MAY_BE_LOST = regex(r"[\[\]{$@【［＊＄｀｜＞＃]|\n[:#：]|\\[A-Za-z]|%%|\*\*")
"""One of these signs stands in each of those patterns; most texts have none."""


def report_lost(context: Context, tokens: list[Token]) -> list[Token]:
    """Tell of what was lost in the block that was just parsed. Code, formulas and links are no words.

    Gives the tokens up to the first comment: even a page that marks mistakes may not publish one.
    """
    _report_brackets(context, tokens)
    done = 0
    line_starts = True
    kept = tokens
    for is_text, run in groupby(tokens, lambda token: token.type in ("text", "text_special")):
        if not is_text:
            others = list(run)
            done = max(token.meta["at"][1] if "at" in token.meta else 0 for token in others)
            line_starts = others[-1].type in ("softbreak", "hardbreak")
            continue
        texts = list(run)
        words = "".join(
            token.content if token.type == "text" or token.content == token.markup else "\0" * len(token.content)
            for token in texts
        )
        shown = "".join(token.content for token in texts)
        words, shown = (f"\n{words}", f"\n{shown}") if line_starts else (words, shown)
        if _MAY_BE_LOST.search(words):
            comment = _report_run(context, words, shown, done)
            if comment is not None and kept is tokens:
                kept = _until(tokens, texts, max(comment - line_starts, 0))
    return kept


def lost_signs(words: str) -> Iterator[int]:
    """Where signs are in a run of words that would be reported; a line end begins each line of it."""
    if _MAY_BE_LOST.search(words):
        taken = 0
        spans = [match.span() for lost in _LOST for match in re.finditer(lost.pattern, words)]
        for start, end in sorted(spans):
            if start >= taken or words[start : start + 2] == "%%":
                sign = start + (words[start] == "\n")
                yield from range(sign, sign + 2 if words.startswith("%%", sign) else sign + 1)
                taken = end


def _until(tokens: Sequence[Token], texts: Sequence[Token], offset: int) -> list[Token]:
    """The tokens up to a character of some of them that are texts, and the ends of what is open there."""
    last = texts[0]
    for last in texts:
        if offset < len(last.content):
            break
        offset -= len(last.content)
    place = next(place for place, token in enumerate(tokens) if token is last)
    kept, opened = [*tokens[:place], replace(last, content=last.content[:offset])], 0
    for token in tokens[place + 1 :]:
        if token.nesting < 0 and opened == 0:
            kept.append(token)
        else:
            opened += token.nesting
    return kept


def _report_run(context: Context, words: str, shown: str, start: int) -> int | None:
    """Tell of the first of each kind in a run of words, which begins at `start` of the block or later.

    Gives where a comment begins in the run.
    """
    taken: list[range] = []
    comment = None
    for lost in _LOST:
        match = re.search(lost.pattern, words)
        if not match or any(match.start() in span for span in taken):
            continue
        taken.append(range(*match.span()))
        seen = shown[match.start() : match.end()].strip()
        if lost.rule == "published-comment":
            comment, seen = match.start(), "%%"  # what is in it is nobody's business
        where = _find(context, match[0], start)
        context.report(where, lost.rule, f'"{seen[:60]}" is not read as {lost.seems}', lost.hint, lost.severity)
    return comment


def _report_brackets(context: Context, tokens: Sequence[Token]) -> None:
    r"""Tell of `\( ... \)` and `\[ ... \]`, which are escaped brackets in Markdown and formulas elsewhere."""
    opened: dict[str, Token] = {}
    for token in tokens:
        if token.type != "text_special" or "at" not in token.meta:
            continue
        if token.markup in ("\\(", "\\["):
            opened[token.content] = token
        elif token.markup in ("\\)", "\\]") and (begin := opened.pop("(" if token.content == ")" else "[", None)):
            tex = context.place.text[begin.meta["at"][1] : token.meta["at"][1] + 2]
            if is_formula(tex[2:-2], begin.content) or _DIGIT.fullmatch(tex[2:-2]):  # too long for one, or a number
                shown = " ".join(tex.split())[:60]
                message = f'"{shown}" is not read as a formula'
                context.report(context.locate_token(begin), "lost-formula", message, _IN_DOLLARS, "warning")


def _find(context: Context, words: str, start: int) -> Location:
    """Where the words stand in the block that is being parsed; from a NUL on they are written otherwise there."""
    words = words.strip().partition("\0")[0]
    return context.at(*context.place.at(max(context.place.text.find(words, start), 0)))
