r"""Words as Markdown: escapes what our grammar would take for syntax, and leaves what it can.

Most signs take a backslash. Where a rule of the grammar looks at the raw line (`{#id}` at its end), or gives the
backslash a meaning of its own (`\[` may begin a formula), the sign is an entity.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from paper_notes.markdown.syntax.typographer import SIGNS

_SIGN = re.compile(
    r"(?P<entity>\\(?=[()\[\]])|(?<=.)\](?=[({\[])|\{(?=:|[#.]|n=|-|from=)|\}$)"
    r"|(?P<bracket>\[)|(?P<bracketed>\])"
    r"|(?P<always>[\\`$]|<(?=[A-Za-z/!?])|&(?=\#?\w+;))"
    r"|(?P<delimiter>[*_~=%^|!])"
)
_BRACKETED = re.compile(r"\[(?! ?\]|TOC\])(?:(?<=\w\[)|(?![xX]\]))(?:[^\W_]|[ .,+;/–−∞×·%-]){1,80}\]", re.IGNORECASE)
"""Words in brackets that no syntax begins with."""
_PRICE = re.compile(r"(?<![^\s(])\$\d")
_PATH = re.compile(r"\\(?![A-Za-z]+\*?[\[{])[^\W_]")
_EMOJI = re.compile(r"(?=:([a-z0-9_+-]{1,30}):)")
_ADDRESS = re.compile(r"https?(?=://)|arxiv(?=:\s?\d)|10(?=\.\d{4,9}/)", re.IGNORECASE)
_HANDLE = re.compile(r"@(?=[A-Za-z][\w:-]*(?:1[5-9]|20)\d\d)")
"""A name with a year, which is taken for a citation that somebody mistyped."""
_LINE_START = re.compile(
    r"\d{1,9}(?=[.)](?:\s|$))|(?=#{1,6}(?:\s|$)|>|[-+](?:\s|$)|-+\s*$|(?:-\s*){3,}$|=+\s*$|[~:](?:\s|$)|:::)"
)


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around some words."""

    before: str = ""
    """The character before them; empty at the beginning of the block, a line end at that of a line."""
    after: str = ""
    """The character after them, in the same way."""
    in_brackets: bool = False
    """Whether a closing bracket would end a link, a mark or a footnote."""
    in_link: bool = False
    """Whether the words are those of a link, in which no address is one."""
    in_cell: bool = False
    """Whether the block is a cell of a table, in which nothing begins a block."""
    is_title: bool = False
    """Whether something is before the words, as in a heading, and options may stand behind them."""
    has_table: bool = False
    """Whether two lines of the block might be the head of a table."""
    has_formula: bool = False
    """Whether a dollar stands elsewhere in the block."""
    has_brackets: bool = True
    """Whether a bracket is closed somewhere in the block."""
    has_bracket_end: bool = False
    r"""Whether a `\\]` stands somewhere in the block, so that a `\\[` would begin a formula."""

    @property
    def starts_line(self) -> bool:
        return self.before in ("", "\n")

    @property
    def ends_line(self) -> bool:
        return self.after in ("", "\n")


def escaped(text: str, around: Around) -> str:
    """The Markdown that is read as these words."""
    changed = {token.start(): sign for token in _SIGN.finditer(text) if (sign := _sign(text, token, around))}
    for kept in _BRACKETED.finditer(text):
        before, after = _beside(text, *kept.span(), around)
        if before not in "!^]\\[" and after not in "([{:]":
            changed = {at: sign for at, sign in changed.items() if not kept.start() <= at < kept.end()}
    names = [token for token in _EMOJI.finditer(text) if token[1] in SIGNS] if ":" in text else []
    places = [token.start() for token in (*names, *_HANDLE.finditer(text))]
    if not around.in_link:
        places += [token.end() for token in _ADDRESS.finditer(text)]
    if around.starts_line and not (around.in_cell or around.is_title) and (token := _LINE_START.match(text)):
        places.append(token.end())
    for at in places:
        changed.setdefault(at, f"\\{text[at]}")
    if around.before == "]" and text[0] in ":({":  # what defines a link or a footnote, an address, or a mark
        changed[0] = _entity(text[0])
    for at, is_edge in ((0, around.starts_line), (len(text) - 1, around.ends_line)):
        if is_edge and text[at].isspace():
            changed[at] = _entity(text[at])
    if around.ends_line and around.is_title and text[-1] == "#":  # the end of a heading
        changed[len(text) - 1] = "\\#"
    return "".join(changed.get(at, sign) for at, sign in enumerate(text)) if changed else text


def _sign(text: str, token: re.Match[str], around: Around) -> str:
    """What to write for a sign; empty if it can stay."""
    sign = token[0]
    before, after = _beside(text, *token.span(), around)
    match token.lastgroup:
        case "entity":
            return _entity(sign) if sign != "}" or (around.ends_line and around.is_title) else ""
        case "bracket" if not around.has_brackets:
            return ""
        case "bracket":
            starts_line = around.starts_line and token.start() == 0
            return _entity(sign) if starts_line or around.has_bracket_end else f"\\{sign}"
        case "bracketed":
            return _entity(sign) if around.in_brackets else ""
        case "always" if _can_stay(text, token.start(), around):
            return ""
        case "always":
            return _entity(sign) if sign == "\\" and after in "()[]" else f"\\{sign}"
    can_stay = {
        "*": before.isspace() and after.isspace() and before != "\n",
        "_": before.isalnum() and after.isalnum(),
        "^": not before.isspace() and after != "[",
        "!": after != "[",
        "|": not around.has_table,
    }.get(sign, sign not in (before, after))
    return "" if can_stay else f"\\{sign}"


def _can_stay(text: str, at: int, around: Around) -> bool:
    """Whether a backslash is one of a path, or a dollar one of a price, that no formula begins or ends with."""
    if text[at] == "$" and _PRICE.match(text, at) and not around.has_formula:
        after = text.find("$", at + 1)
        return after < 0 or text[after - 1].isspace()
    return text[at] == "\\" and bool(_PATH.match(text, at))


def _beside(text: str, start: int, end: int, around: Around) -> tuple[str, str]:
    before, after = text[start - 1 : start] if start else around.before, text[end : end + 1] or around.after
    return before or "\n", after or "\n"


def _entity(sign: str) -> str:
    return f"&#{ord(sign)};"
