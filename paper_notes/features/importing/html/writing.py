"""Words and marks as Markdown that reads back as what was meant: escaped no more than it takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paper_notes.features.importing.html.inline import (
    Break,
    Formula,
    Inline,
    Link,
    Marked,
    Picture,
    Reference,
    Words,
    meant,
    plain,
)
from paper_notes.features.importing.html.read_back import WORD_MARKS, read_back
from paper_notes.features.importing.tangled import is_tangled
from paper_notes.typography import is_cjk

_SIGNS = re.compile(r"%%|:(?=[\w+-]+:)|[\\`*_\[\]<>$~^#|{}@=]")
_SURELY = re.compile(
    r"\\(?=[!-/:-@\[-`{-~\n]|$)|[`*]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|(?<=\])\(|%%"
)
_ALL = re.compile(r"[!-/:-@\[-`{-~]")
_LINE_START = re.compile(r"[#>+=|~:-]|\d{1,9}(?=[.)](?:\s|$))|\[(?=[^\[\]]*\]:|!)")
_RULE = re.compile(r"[|:\s-]*-[|:\s-]*")
"""The line below the head of a table."""
_OUR_MARK = re.compile(r"\]\{\.\w+\}$")
_MARKDOWN = {"strong": "**", "em": "*", "del": "~~"}
LEVELS = 4
"""How hard signs are escaped: those that surely mean something, all that may, and HTML for marks, entities for all."""


@dataclass(frozen=True, slots=True)
class Writer:
    """How one piece is written: how hard its signs are escaped, and what a line's end is."""

    level: int
    break_: str
    in_table: bool = False

    def write(self, parts: Sequence[Inline], inside: frozenset[str] = frozenset()) -> str:
        ends = [_ends(part) for part in parts]
        around = [" ", *(last for _, last in ends)], [*(first for first, _ in ends[1:]), " "]
        return "".join(self.one(part, inside, beside) for part, *beside in zip(parts, *around, strict=False))

    def one(self, part: Inline, inside: frozenset[str], beside: Sequence[str]) -> str:
        match part:
            case Words(text):
                return self.words(text)
            case Marked("code", within):
                return self.code(within)
            case Marked(mark, within):
                if mark in inside:
                    return self.write(within, inside)
                html = any(map(_is_stuck, _ends(part), beside))
                return self.marked(mark, self.write(within, inside | {mark}), html=html)
            case Link(target, within):
                return self.link(target, self.write(within, inside))
            case Reference(target, text):
                bar = r"\|" if self.in_table else "|"
                return f"[[{target}{bar}{text}]]"
            case Formula(tex, _, display):
                return self.formula(tex, "$$" if display else "$")
            case Picture(file, alt, _):
                return f"![{self.words(alt)}]({file})"
            case Break():
                return self.break_

    def words(self, text: str) -> str:
        escaped = [_surely, _all_signs, _all_signs, _entities][self.level](text)
        return escaped.replace("|", r"\|") if self.in_table and self.level == 0 else escaped

    def marked(self, mark: str, inside: str, *, html: bool) -> str:
        if mark in _MARKDOWN and self.level < 2 and not html:
            return f"{_MARKDOWN[mark]}{inside}{_MARKDOWN[mark]}"
        if mark in WORD_MARKS:
            return f"[{inside}]{{.{mark}}}"
        return f"<{mark}>{inside}</{mark}>"

    def formula(self, tex: str, dollars: str) -> str:
        if self.in_table:  # a bar would end the cell
            tex = re.sub(r"\\\||(?<!\\)\|", lambda bar: "\\Vert " if len(bar[0]) > 1 else "\\vert ", tex).strip()
        return f"{dollars}{tex}{dollars}"

    def code(self, within: Sequence[Inline]) -> str:
        if not all(isinstance(part, Words) for part in within):
            return f"<code>{self.write(within)}</code>"
        text = plain(within)
        if self.level == 3 or (self.in_table and "|" in text and "\\" in text):
            return f"<code>{_entities(text)}</code>"
        fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
        space = " " if text[:1] == "`" or text[-1:] == "`" else ""
        text = text.replace("|", r"\|") if self.in_table else text
        return f"{fence}{space}{text}{space}{fence}"

    def link(self, target: str, inside: str) -> str:
        if re.search(r"[\s()<>]", target):
            target = target.replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")
            target = re.sub(r"\s", "%20", target)
        target = target.replace("|", "%7C")
        bare = re.sub(r"\\(.)", r"\1", inside)
        return target if bare == target and self.level == 0 else f"[{inside}]({target})"


def _ends(part: Inline) -> tuple[str, str]:
    """The first and the last character of a part; a space for a line's end."""
    text = (
        "`" if isinstance(part, Marked) and part.mark == "code" else " " if isinstance(part, Break) else _text((part,))
    )
    return text[:1] or " ", text[-1:] or " "


def _text(parts: Sequence[Inline]) -> str:
    return "".join(part.text if isinstance(part, Words) else plain((part,)) for part in parts)


def _is_stuck(inside: str, outside: str) -> bool:
    """Whether stars between two characters would not be a mark: `**Note:**that`."""
    return not inside.isalnum() and outside.isalnum() and not is_cjk(outside)


def _surely(text: str) -> str:
    return _SURELY.sub(_escaped, text)


def _all_signs(text: str) -> str:
    return _SIGNS.sub(_escaped, text.replace("&", "&amp;"))


def _entities(text: str) -> str:
    return _ALL.sub(lambda sign: f"&#{ord(sign[0])};", text)


def _escaped(sign: re.Match[str]) -> str:
    return "&amp;" if sign[0] == "&" else "%&#37;" if sign[0] == "%%" else "\\" + sign[0]


def _levels(parts: Sequence[Inline]) -> range:
    """How much is escaped, the least first: at once everything where our parser would look for the end of brackets."""
    return range(LEVELS - 1 if is_tangled(plain(parts)) else 0, LEVELS)


def _written(
    parts: Sequence[Inline],
    lang: str,
    make: Callable[[int], Writer],
    finish: Callable[[str], str],
    *,
    inline: bool,
) -> str | None:
    wanted = meant(parts)
    for level in _levels(parts):
        text = finish(make(level).write(parts))
        if read_back(text, lang, inline=inline).equals(wanted):
            return text
    return None


def paragraph(parts: Sequence[Inline], lang: str, *, break_: str = "\\\n") -> str:
    """A paragraph, or lines of one."""
    return _or_less(parts, lang, lambda level: Writer(level, break_), _lines, inline=False)


def title(parts: Sequence[Inline], lang: str) -> str:
    """On one line: a heading, the title of a component or a note, a term."""
    return _or_less(parts, lang, lambda level: Writer(level, " "), _one_line)


def term(parts: Sequence[Inline], lang: str) -> str:
    """On one line that begins nothing else."""
    return _safe_start(title(parts, lang))


def cell(parts: Sequence[Inline], lang: str) -> str:
    """In the cell of a table."""
    for given in (parts, _without_marks(parts)):
        wanted = meant(given)
        for level in _levels(given):
            text = _on_one_line(Writer(level, "<br>", in_table=True).write(given))
            if read_back(_unbarred(text), lang).equals(wanted):
                return f"\\{text}" if text in ("^^", "<<") else text
    return _entities(plain(parts))


def _unbarred(text: str) -> str:
    """What the table leaves of a cell for its words."""
    return text.replace(r"\|", "|")


def _or_less(
    parts: Sequence[Inline],
    lang: str,
    make: Callable[[int], Writer],
    finish: Callable[[str], str],
    *,
    inline: bool = True,
) -> str:
    """The Markdown of it; marks that cannot be written are left out, words never."""
    made = _written(parts, lang, make, finish, inline=inline)
    if made is None:
        made = _written(_without_marks(parts), lang, make, finish, inline=inline)
    if made is None:
        made = finish(_entities(plain(parts)))
    return made


def _without_marks(parts: Sequence[Inline]) -> tuple[Inline, ...]:
    bare: list[Inline] = []
    for part in parts:
        match part:
            case Marked(_, inside):
                bare += _without_marks(inside)
            case Link(target, inside):
                bare.append(Link(target, _without_marks(inside)))
            case _:
                bare.append(part)
    return tuple(bare)


def _lines(text: str) -> str:
    return "\n".join(_safe_start(line) for line in text.split("\n"))


def _safe_start(line: str) -> str:
    """The line without what would begin a heading, a list, a quotation, a table or a component."""
    if not (found := _LINE_START.match(line)):
        return line
    if found[0].isdigit():
        return f"{found[0]}\\{line[found.end() :]}"
    if not _RULE.fullmatch(line) and re.match(r"[#>+=-](?![\s#>=+-]|$)|[~|:](?![~|:\s])", line):
        return line
    return f"\\{line}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _one_line(text: str) -> str:
    """A line that does not seem to end with an id of ours."""
    text = _on_one_line(text)
    if text.endswith("}") and not _OUR_MARK.search(text):
        text = text[:-1].removesuffix("\\") + "&#125;"
    return text


def as_words(text: str, lang: str) -> list[str]:
    """Lines of words as a paragraph of no marks."""
    rows = [row for line in text.split("\n") if (row := " ".join(line.split()))]
    parts = [part for row in rows for part in (Words(row), Break())][:-1]
    return [paragraph(parts, lang)] if parts else []
