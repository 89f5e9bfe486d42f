r"""Words as Markdown: escapes what our grammar would take for syntax, and leaves what it can.

Most signs take a backslash. Where a rule of the grammar looks at the raw line (`{#id}` at its end), or gives the
backslash a meaning of its own (`\[` may begin a formula), the sign is an entity.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from paper_notes.markdown.syntax.emoji import SIGNS

_SIGN = re.compile(
    r"(?P<entity>\\(?=[()\[\]])|(?<=.)\](?=[({\[])|\{(?=:|[#.]|n=|-|from=)|\}$)"
    r"|(?P<bracket>\[)|(?P<bracketed>\])"
    r"|(?P<always>[\\`$]|<(?=[A-Za-z/!?])|&(?=\#?\w+;))"
    r"|(?P<delimiter>[*_~=%^|!])"
)
_BRACKETED = re.compile(r"\[(?! ?\]|[xX]\]|TOC\])(?:[^\W_]|[ .,+;/–-]){1,80}\]", re.IGNORECASE)
"""Words in brackets that no syntax begins with."""
_EMOJI = re.compile(r"(?=:([a-z0-9_+-]{1,30}):)")
_ADDRESS = re.compile(r"https?(?=://)|arxiv(?=:\s?\d)|10(?=\.\d{4,9}/)", re.IGNORECASE)
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
    has_lines: bool = False
    """Whether the block has several lines, two of which might be the head of a table."""
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
    changed = {found.start(): sign for found in _SIGN.finditer(text) if (sign := _sign(text, found, around))}
    for kept in _BRACKETED.finditer(text):
        before, after = _beside(text, *kept.span(), around)
        if before not in "!^]\\[" and after not in "([{:]":
            changed = {at: sign for at, sign in changed.items() if not kept.start() <= at < kept.end()}
    names = [found for found in _EMOJI.finditer(text) if found[1] in SIGNS] if ":" in text else []
    places = [*(found.start() for found in names), *(found.end() for found in _ADDRESS.finditer(text))]
    if around.starts_line and (found := _LINE_START.match(text)):
        places.append(found.end())
    for at in places:
        changed.setdefault(at, f"\\{text[at]}")
    if around.before == "]" and text[0] in ":({":  # what defines a link or a footnote, an address, or a mark
        changed[0] = _entity(text[0])
    for at, is_edge in ((0, around.starts_line), (len(text) - 1, around.ends_line)):
        if is_edge and text[at].isspace():
            changed[at] = _entity(text[at])
    if around.ends_line and text[-1] == "#":  # the end of a heading
        changed[len(text) - 1] = "\\#"
    return "".join(changed.get(at, sign) for at, sign in enumerate(text)) if changed else text


def _sign(text: str, found: re.Match[str], around: Around) -> str:
    """What to write for a sign; empty if it can stay."""
    sign = found[0]
    before, after = _beside(text, *found.span(), around)
    match found.lastgroup:
        case "entity":
            return _entity(sign) if sign != "}" or around.ends_line else ""
        case "bracket":
            starts_line = around.starts_line and found.start() == 0
            return _entity(sign) if starts_line or around.has_bracket_end else f"\\{sign}"
        case "bracketed":
            return _entity(sign) if around.in_brackets else ""
        case "always":
            return _entity(sign) if sign == "\\" and after in "()[]" else f"\\{sign}"
    can_stay = {
        "*": before.isspace() and after.isspace() and before != "\n",
        "_": before.isalnum() and after.isalnum(),
        "^": not before.isspace() and after != "[",
        "!": after != "[",
        "|": not around.has_lines,
    }.get(sign, sign not in (before, after))
    return "" if can_stay else f"\\{sign}"


def _beside(text: str, start: int, end: int, around: Around) -> tuple[str, str]:
    before, after = text[start - 1 : start] if start else around.before, text[end : end + 1] or around.after
    return before or "\n", after or "\n"


def _entity(sign: str) -> str:
    return f"&#{ord(sign)};"
