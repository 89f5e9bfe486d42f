"""Limits on the size, depth and open brackets of a formula, which protect the converter.

The converter is recursive, and each bracket that is never closed doubles its time.
"""

from __future__ import annotations

import re
import unicodedata

MAX_LENGTH = 10_000
"""The most characters of a formula."""
MAX_DEPTH = 100
"""The most levels of braces, and of nested elements: browsers stop at 512."""
MAX_UNCLOSED = 16
"""The most brackets that are never closed."""
_FENCES = "paren brack brace angle ang floor ceil vert Vert group moustache bracket parenthesis Brace Brack brbrak"
_NAMES = "|".join(sorted(_FENCES.split(), key=len, reverse=True))
_SIGN = r"\s*(?:\\[a-zA-Z]+|\\.|.)"
_TOKEN = re.compile(
    r"\\[\\%]|%[^\n]*"
    rf"|(?P<push>\\left(?![a-zA-Z]){_SIGN}|\{{)|(?P<pop>\\right(?![a-zA-Z]){_SIGN}|\}})"
    rf"|(?P<open>\\[bB]igg?l{_SIGN}|\\[lu]?l(?:{_NAMES}|corner)(?![a-zA-Z])|\\\{{|[(\[⎰⌜⌞])"
    rf"|(?P<close>\\[bB]igg?r{_SIGN}|\\[ru]?r(?:{_NAMES}|corner)(?![a-zA-Z])|\\\}}|[)\]⎱⌝⌟])"
    rf"|\\(?:middle|[bB]igg?m?)(?![a-zA-Z]){_SIGN}|\\[a-zA-Z]+|\\.|(?P<other>[^\x00-\x7f])",
    re.DOTALL,
)
"""The tokens that open or close. `\\left` and `\\right` make a group, as braces do; others with a size do not count."""
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_DEFINITION = re.compile(
    r"\\(?:newcommand|renewcommand|providecommand|[gex]?def|let|DeclareMathOperator)(?![a-zA-Z])\*?"
    r"\s*(?:\{\s*)?(\\[a-zA-Z]+|\\.)(?:\s*\})?"
)
_ARGUMENT = re.compile(r"#[1-9]")


class TexProblem(Exception):
    """TeX that does not parse. `offset` counts characters from the start of the formula."""

    def __init__(self, message: str, offset: int, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.offset, self.hint = message, offset, hint


def check_size(tex: str) -> None:
    """Raises TexProblem for a formula that the converter cannot handle in reasonable time and stack."""
    if len(tex) > MAX_LENGTH:
        raise TexProblem(f"the formula has {len(tex):,} characters, more than the {MAX_LENGTH:,} allowed", 0)
    if tex.count("{") > MAX_DEPTH:
        depth = 0
        for brace in _BRACE.finditer(tex):
            depth += (brace[0] == "{") - (brace[0] == "}")
            if depth > MAX_DEPTH:
                raise TexProblem(f"more than {MAX_DEPTH} braces within each other", brace.start())
    if len(tex) > MAX_UNCLOSED:
        unclosed = _unclosed(tex)
        if len(unclosed) > MAX_UNCLOSED:
            raise TexProblem(f"more than {MAX_UNCLOSED} brackets are never closed", unclosed[0])
    if _DEFINITION.search(tex):
        _check_definitions(tex)


def _kind(token: re.Match[str]) -> str:
    """`push`, `pop`, `open`, `close`, or empty for any other token."""
    if token.lastgroup != "other":
        return token.lastgroup or ""
    kind = {"Ps": "open", "Pe": "close"}.get(unicodedata.category(token[0]), "")
    return "" if kind == "close" and unicodedata.east_asian_width(token[0]) in "WF" else kind


def _unclosed(tex: str) -> list[int]:
    """Offsets of the brackets that are not closed within the braces around them."""
    found: list[int] = []
    scopes: list[list[int]] = [[]]
    for token in _TOKEN.finditer(tex):
        kind = _kind(token)
        if kind == "push":
            scopes.append([])
        elif kind == "pop" and len(scopes) > 1:
            found += scopes.pop()
        elif kind == "open":
            scopes[-1].append(token.start())
        elif kind == "close" and scopes[-1]:
            scopes[-1].pop()
    return sorted(found + [place for scope in scopes for place in scope])


def _check_definitions(tex: str) -> None:
    """Raises TexProblem if commands that the formula defines could write more brackets than may stay unclosed.

    A command can hide a bracket, drop an argument that closes one, or write it twice. So all brackets that the
    definitions can write or touch count as unclosed.
    """
    definitions = list(_DEFINITION.finditer(tex))
    bodies = [_body(tex, found.end()) for found in definitions]
    inside = sum(map(_brackets, bodies))
    outside = _brackets(tex) - inside if any("#" in body or "[" in body for body in bodies) else 0
    names = {found[1] for found in definitions}
    uses = sum(len(re.findall(re.escape(name) + r"(?![a-zA-Z])", tex)) for name in names) - len(definitions)
    repeats = max(len(_ARGUMENT.findall(body)) - len(set(_ARGUMENT.findall(body))) for body in bodies)
    written = (outside + inside * uses ** len(definitions)) * (1 + max(repeats, 0)) ** uses
    if uses and written > MAX_UNCLOSED:
        message = "the commands that this formula defines could write too many brackets"
        raise TexProblem(message, definitions[0].start())


def _body(tex: str, start: int) -> str:
    """The text after the name in a definition, from its arguments to the end of its braces."""
    depth = 0
    for brace in _BRACE.finditer(tex, start):
        depth += (brace[0] == "{") - (brace[0] == "}")
        if brace[0] == "}" and depth == 0:
            return tex[start : brace.end()]
        if brace[0][0] == "\\" and depth == 0:  # a \let of another command
            return tex[start : brace.end()]
    return tex[start:]


def _brackets(tex: str) -> int:
    return sum(_kind(token) == "open" for token in _TOKEN.finditer(tex))
