"""Converts short Markdown for GitHub: references become links, our blocks GitHub's, labels of footnotes unique."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar
from markdown_it.token import Token

from paper_notes.indexes.gfm import cell, escaped, in_address, line_start
from paper_notes.markdown.body import Slot
from paper_notes.markdown.renderer import within_ideographs
from paper_notes.markdown.short_texts import inline_footnotes
from paper_notes.markdown.syntax.alerts import CALLOUTS

Tokens = Sequence[Token]
_MARKS = {"em": ("*", "em"), "strong": ("**", "strong"), "s": ("~~", "del"), "mark": ("**", "strong")}
"""GitHub's mark for emphasis, and the HTML element for places where the mark would not be recognised."""
_UNSAFE_TEX = re.compile(r"[`*\[\]<~&\n]|\\[^A-Za-z]|(?<![^\W_])_")
"""TeX that Markdown would change between dollars."""
_NORM = re.compile(r"(?<!\\)\\\|")
"""TeX for a norm. In a cell of a table its bar would lose the backslash."""
_BESIDE_DOLLAR = re.compile(r"""[\s!-#%-/:-@\[-^{-}]?""")
_AUTOLINK = re.compile(r"(?:https?://|mailto:)?[^\s<>]+")
_SPACE = re.compile(r"[\t-\r]")
_TICKS = re.compile("`+")


class _Line:
    """Writes the inline content of one block. `stack` is one text for each open mark or link."""

    def __init__(self, writer: GithubWriter, tokens: Tokens, *, one_line: bool) -> None:
        self.writer, self.tokens, self.one_line = writer, tokens, one_line
        self.stack = [""]
        self.words = ""
        """Text that is not escaped yet: whether a character needs it depends on its neighbours."""
        self.links: list[Token] = []

    def write(self) -> str:
        place = 0
        while place < len(self.tokens):
            token = self.tokens[place]
            if token.type in ("text", "text_special"):
                self.words += token.content
            elif token.type in _SILENT:
                pass
            else:
                self.flush()
                place += self.token(token, place)
            place += 1
        self.flush()
        return self.stack[0]

    def flush(self) -> None:
        if self.words:
            if self.words[0] == ":" and self.stack[-1].endswith("]"):
                self.stack[-1] += "\\"  # `[^1]:` at the start of a line would define a footnote
            words = escaped(_SPACE.sub(" ", self.words))
            starts = self.stack[-1].endswith("\n") or self.stack == [""]
            self.add(line_start(words.lstrip(" ")) if starts and not self.one_line else words)
            self.words = ""

    def add(self, markdown: str) -> None:
        if markdown.startswith("[") and self.stack[-1].endswith("!"):
            self.stack[-1] = f"{self.stack[-1][:-1]}\\!"  # `![` would begin a picture
        self.stack[-1] += markdown

    def token(self, token: Token, place: int) -> int:
        """Write one token; the result is the number of following tokens that were written with it."""
        kind = token.type
        if kind == "link_open" and (label := self.auto_label(place)):
            self.add(f"<{label}>")
            return 2
        if kind.endswith("_open"):
            self.stack.append("")
            self.links += [token] if kind == "link_open" else []
        elif kind == "link_close":
            title = str(self.links[-1].attrs.get("title", ""))
            href = in_address(str(self.links.pop().attrs.get("href", "")))
            shown = ' "{}"'.format(escaped(" ".join(title.split())).replace('"', '\\"')) if title else ""
            self.add(f"[{self.stack.pop()}]({href}{shown})")
        elif kind.endswith("_close"):
            inner, nested = self.stack.pop(), len(self.stack) > 1
            name = kind.removesuffix("_close")
            self.add(emphasised(name, self.stack[-1][-1:], inner, self.beside(place + 1), nested=nested))
        else:
            self.add(self.leaf(token, place))
        return 0

    def leaf(self, token: Token, place: int) -> str:  # noqa: C901 -- a case for each kind
        """The Markdown of a token that has no others inside it; empty for those of unknown kinds."""
        match token.type:
            case "softbreak":
                return "" if within_ideographs(self.tokens, place) else " " if self.one_line else "\n"
            case "hardbreak":
                return "<br>" if self.one_line else "\\\n"
            case "code_inline":
                return _code(token.content, in_cell=self.one_line)
            case "math_inline" | "math_inline_double":
                return _math(token, self.stack[-1][-1:], self.beside(place + 1), in_cell=self.one_line)
            case "html_inline" if "at" not in token.meta:  # the check box of a task
                return "[x]" if "checked=" in token.content else "[ ]"
            case "html_inline":
                if self.stack[-1].endswith("\n"):  # at the start of a line it could be read as a block
                    hard = self.tokens[place - 1].type == "hardbreak"
                    self.stack[-1] = self.stack[-1][:-2] + "<br>" if hard else self.stack[-1][:-1] + " "
                return token.content.replace("\n", " ") if self.one_line else token.content
            case "image":  # its alternative text: GitHub cannot find the files of a note
                return self.writer.inline(token.children, one_line=True)
            case "footnote_ref":
                number = token.meta["id"]
                if number in self.writer.notes:
                    return f" ({self.writer.inline(self.writer.notes[number], one_line=True)})"
                return f"[^{self.writer.label}{number + 1}]"
            case "slot":
                parts = token.meta.get("shown", ())
                shown = "".join(escaped(part) if isinstance(part, str) else self.writer.link(part) for part in parts)
                return f"({shown})" if token.info == "cite" else shown
        return ""

    def auto_label(self, place: int) -> str:
        """The text of a link that equals its address, if GitHub recognises it in angle brackets; else empty."""
        token, *after = self.tokens[place : place + 3]
        if [part.type for part in after] != ["text", "link_close"]:
            return ""
        label, href = after[0].content, str(token.attrs.get("href", ""))
        own = token.markup == "autolink" or (token.info == "auto" and href == label)
        return label if own and _AUTOLINK.fullmatch(label) else ""

    def beside(self, place: int) -> str:
        """The first character of the next token, or a typical one of its kind; empty at the end."""
        for token in self.tokens[place:]:
            if token.type in ("text", "text_special") and token.content:
                return token.content[0]
            if token.type not in (*_SILENT, "text", "text_special"):
                return _FIRST.get(token.type, "x")
        return ""


_SILENT = frozenset({"span_open", "span_close", "term_open", "term_close", "held_open", "held_close"})
_FIRST = {
    **dict.fromkeys(("softbreak", "hardbreak"), " "),
    **dict.fromkeys((f"{name}_{end}" for name in _MARKS for end in ("open", "close")), "*"),
    "code_inline": "`",
    "html_inline": "<",
    "link_open": "[",
    "link_close": "]",
    "footnote_ref": "[",
}


def _is_punctuation(sign: str) -> bool:
    return isMdAsciiPunct(ord(sign)) or isPunctChar(sign)


def _flanks(outer: str, inner: str) -> bool:
    """CommonMark's rule, which ignores Chinese: whether a mark between the two may open (or close) emphasis."""
    if inner.isspace():
        return False
    return not _is_punctuation(inner) or not outer or outer.isspace() or _is_punctuation(outer)


def emphasised(name: str, before: str, inner: str, after: str, *, nested: bool) -> str:
    """Emphasised text: between marks, or in an element where marks would not be recognised."""
    if not inner.strip():
        return inner
    sign, tag = _MARKS[name]
    first, last = inner[0], inner[-1]
    opens = _flanks(before, first) and not (nested and (not before or _flanks(first, before)))
    clear = not {before, first, last, after} & set("*~_")
    if opens and clear and _flanks(after, last):
        return f"{sign}{inner}{sign}"
    return f"<{tag}>{inner}</{tag}>"


def _code(content: str, *, in_cell: bool) -> str:
    if in_cell and "\\|" in content:
        return f"<code>{escaped(content)}</code>"
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(content)), default=0))
    space = " " if content[:1] in ("`", " ") or content[-1:] in ("`", " ") else ""
    space = "" if not content.strip(" ") else space
    return f"{ticks}{space}{content}{space}{ticks}"


def _math(token: Token, before: str, after: str, *, in_cell: bool) -> str:
    """A formula between dollars; with backticks if Markdown or the characters beside it would break it."""
    tex, double = token.content, token.type == "math_inline_double"
    if in_cell:
        tex = _NORM.sub(r"\\Vert ", tex.replace("\n", " "))
    free = _BESIDE_DOLLAR.fullmatch(before) and _BESIDE_DOLLAR.fullmatch(after)
    if free and not _UNSAFE_TEX.search(tex):
        return f"$${tex}$$" if double else f"${tex}$"
    if "`" in tex:
        return _code(tex.replace("\n", " "), in_cell=in_cell)
    return f"$`{tex}`$" if not double else f"$`\\displaystyle {tex}`$"


_ALERTS = {name: sign for sign, name in CALLOUTS.items()}
_ALIGNED = {"text-align:left": ":--", "text-align:right": "--:", "text-align:center": ":-:"}


@dataclass(frozen=True)
class GithubWriter:
    """Writes the tokens of one text as GitHub's Markdown; `link` converts a reference."""

    link: Callable[[Slot], str]
    label: str = ""
    """Prefix of the labels of footnotes, which must be unique in the file."""
    notes: Mapping[int, Tokens] = field(default_factory=dict)
    """Footnotes of a text in one line, which are put in place of their references."""

    def inline(self, tokens: Tokens | None, *, one_line: bool = False) -> str:
        return _Line(self, tokens or (), one_line=one_line).write()

    def line(self, tokens: Tokens) -> str:
        """A text in one line, without blocks."""
        return replace(self, notes=inline_footnotes(tokens)).inline(tokens[0].children, one_line=True)

    def blocks(self, tokens: Tokens, *, tight: bool = False) -> str:
        """Blocks with blank lines between them; in a tight list, only where they would merge."""
        markdown = ""
        before = ""
        for token, inside in _parts(tokens):
            block = self.block(token, inside)
            if block:
                joined = tight and before == "paragraph_open" and _interrupts(token, block)
                markdown += ("\n" if joined else "\n\n") * bool(markdown) + block
                before = token.type
        return markdown

    def block(self, token: Token, inside: Tokens) -> str:  # noqa: C901 -- a case for each kind
        match token.type:
            case "paragraph_open" | "dt_open":
                return "".join(self.inline(part.children) for part in inside if part.type == "inline")
            case "inline":
                return self.inline(token.children)
            case "heading_open":
                words = re.sub(r"(^| )(#+)$", r"\1\\\2", self.inline(inside[0].children, one_line=True))
                return f"{'#' * int(token.tag[1])} {words}".rstrip()
            case "blockquote_open":
                return _indented(self.blocks(inside), "> ", "> ")
            case "hr":
                return "___"
            case "html_block":
                return token.content.rstrip("\n")
            case "fence" | "code_block":
                sign = "~" if "`" in token.info else "`"
                runs = [len(run) for run in re.findall(f"{sign}+", token.content)]
                fence = sign * max(3, 1 + max(runs, default=0))
                return f"{fence}{token.info.strip()}\n{token.content.removesuffix(chr(10))}\n{fence}"
            case "math_block":
                return f"```math\n{token.content.strip(chr(10))}\n```"
            case "bullet_list_open" | "ordered_list_open":
                return self.list(token, inside)
            case "dl_open":
                return self.definitions(inside)
            case "component_open":
                return self.component(token, inside)
            case "table_open":
                return self.table(inside)
            case "footnote_block_open":
                return "\n\n".join(
                    _indented(self.blocks(content), f"[^{self.label}{note.meta['id'] + 1}]: ", "    ")
                    for note, content in _parts(inside)
                    if note.type == "footnote_open"
                )
        return ""

    def list(self, token: Token, inside: Tokens) -> str:
        items = [(item, content) for item, content in _parts(inside) if item.type == "list_item_open"]
        tight = any(part.hidden for _, content in items for part in content if part.level == token.level + 2)
        number = int(str(token.attrs.get("start", 1)))
        written = []
        for place, (_, content) in enumerate(items):
            marker = f"{number + place}{token.markup} " if token.type == "ordered_list_open" else f"{token.markup} "
            written.append(_indented(self.blocks(content, tight=tight), marker, " " * len(marker)))
        return ("\n" if tight else "\n\n").join(written)

    def definitions(self, inside: Tokens) -> str:
        """A definition list as a list of terms with their explanations: GitHub has none."""
        items: list[list[str]] = []
        before = ""
        for part, content in _parts(inside):
            if part.type == "dt_open" and before != "dt_open":
                items.append([])
            items[-1].append(self.block(part, content) if part.type == "dt_open" else self.blocks(content))
            before = part.type
        return "\n".join(_indented("\n\n".join(filter(None, item)), "- ", "  ") for item in items)

    def component(self, token: Token, inside: Tokens) -> str:
        """A component as a quotation with its title on top, or as GitHub's alert of the same kind."""
        has_title = bool(inside) and inside[0].meta.get("title")
        title = self.inline(inside[0].children, one_line=True) if has_title else ""
        body = self.blocks(inside[1:] if has_title else inside)
        content = "\n\n".join(filter(None, (emphasised("strong", "", title, "", nested=False), body)))
        alert = f"[!{_ALERTS[token.info]}]\n" if token.info in _ALERTS else ""
        return _indented(alert + content, "> ", "> ")

    def table(self, inside: Tokens) -> str:
        rows: list[list[str]] = []
        aligned = []
        for part in inside:
            if part.type == "tr_open":
                rows.append([])
            elif part.type == "merged_cell":
                rows[-1].append("")
            elif part.type == "inline":
                rows[-1].append(cell(self.inline(part.children, one_line=True)))
            elif part.nesting == 1 and part.type in ("th_open", "td_open") and len(rows) == 1:
                aligned.append(_ALIGNED.get(str(part.attrs.get("style", "")), "---"))
        head, *others = [f"| {' | '.join(row)} |" for row in rows]
        return "\n".join([head, f"| {' | '.join(aligned)} |", *others])


def _parts(tokens: Tokens) -> list[tuple[Token, Tokens]]:
    """Each block with the tokens inside it."""
    parts: list[tuple[Token, Tokens]] = []
    depth = start = 0
    for place, token in enumerate(tokens):
        if depth == 0:
            start = place
        depth += token.nesting
        if depth == 0:
            parts.append((tokens[start], tokens[start + 1 : place]))
    return parts


def _interrupts(token: Token, block: str) -> bool:
    """Whether the block may follow a paragraph without a blank line."""
    if token.type == "ordered_list_open":
        return str(token.attrs.get("start", 1)) == "1" and " " in block.partition("\n")[0].strip()
    return token.type == "fence" or (token.type == "bullet_list_open" and " " in block.partition("\n")[0].strip())


def _indented(content: str, first: str, rest: str) -> str:
    """The lines of nested blocks, with `first` before the first one and `rest` before all others."""
    lines = content.split("\n")
    blank = rest.rstrip()
    indented = [f"{first}{lines[0]}".rstrip() if not lines[0] else first + lines[0]]
    return "\n".join([*indented, *(rest + line if line else blank for line in lines[1:])])
