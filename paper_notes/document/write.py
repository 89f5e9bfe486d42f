"""A Document to Markdown. The law: what is written is read as the same tree, `parse(write_markdown(d)) == d`.

All of it holds for any Markdown but for what a `Flavour` says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count

from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Document, Inline
from paper_notes.document.parse import readable_address
from paper_notes.markdown.math.convert import NUMBER
from paper_notes.markdown.syntax.cjk import can_close, can_open
from paper_notes.markdown.syntax.declared import Origin
from paper_notes.markdown.syntax.inline import FORMULA, HIGHLIGHT, SHOWN_WIDTH, SURELY_TEX, bare_links
from paper_notes.markdown.syntax.references import CitedPaper
from paper_notes.markdown.syntax.typographer import signs
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace

_LINE_NAME = regex(r"(?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9-]+|\d{6}")
"""A name that can stand behind a `^`."""


class Flavour(Struct, frozen=True):
    """What the readers of a Markdown take for syntax, where others would not."""

    escaped: Callable[[str, Around], str]
    """The Markdown that is read as these words."""
    signs: Mapping[type[nodes.Styled], tuple[str, ...]]
    """What may stand on both sides of words of a style."""
    is_styled: Callable[[str, str, Around], bool]
    """Whether a sign on both sides of words is read as one."""
    formula: Callable[[nodes.Formula, Around], str]
    formula_block: Callable[[str], list[str]]
    code: Callable[[str, Around], str]
    target: Callable[[str], str]
    """An address as that of a link."""
    cell: Callable[[str], str]
    """Markdown as a cell of a table, which a bar would end."""
    finds_addresses: bool
    """Whether an address in running text is a link."""
    looks_ahead: bool
    """Whether what is escaped depends on all of the block."""


class Around(Struct, frozen=True):
    """What stands around some words."""

    flavour: Flavour
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

    ahead: str = ""
    """The next words, up to a space."""
    open_signs: tuple[str, ...] = ()
    """The signs of emphasis that are open around the words."""
    has_lines: bool = False
    """Whether the block has more than one line."""

    @property
    def starts_line(self) -> bool:
        return self.before in ("", "\n")

    @property
    def ends_line(self) -> bool:
        return self.after in ("", "\n")


# Blocks: each is a list of lines


def _blocks(blocks: Sequence[Block], flavour: Flavour, *, is_tight: bool = False) -> list[str]:
    lines: list[str] = []
    last: Block | None = None
    others = False
    """Whether a list has the other markers, because one of its kind is right before it."""
    for block in blocks:
        others = isinstance(block, nodes.List) and _is_same_kind(last, block) and not others
        if last and not (is_tight and can_touch(last, block)):
            lines.append("")
        lines += _list(block, flavour, others=others) if isinstance(block, nodes.List) else _block(block, flavour)
        last = block
    return lines


def _is_same_kind(last: Block | None, block: nodes.List) -> bool:
    return isinstance(last, nodes.List) and (last.start is None) == (block.start is None)


def can_touch(first: Block, second: Block) -> bool:
    """Whether no blank line is needed between two blocks."""
    if isinstance(first, nodes.Paragraph):
        is_list = isinstance(second, nodes.List) and second.start in (None, 1) and bool(second.items[0].blocks)
        return is_list or isinstance(second, _INTERRUPTING)
    return isinstance(first, _ENDING) or (isinstance(first, nodes.List) and isinstance(second, _INTERRUPTING))


_INTERRUPTING = (nodes.CodeBlock, nodes.Quote, nodes.Alert, nodes.Heading, nodes.Component, nodes.Table)
_ENDING = (nodes.CodeBlock, nodes.Heading, nodes.Component, nodes.ThematicBreak, nodes.FormulaBlock)


def _block(block: Block, flavour: Flavour) -> list[str]:  # noqa: C901 -- a case for each kind
    match block:
        case nodes.Paragraph(inlines=()):
            return [_names(block.names).strip()]
        case nodes.Paragraph():
            return (_words(block.inlines, flavour) + _names(block.names) + _from(block.origin)).split("\n")
        case nodes.Heading():
            return [_heading(block, flavour)]
        case nodes.DefinitionList():
            return _definitions(block, flavour)
        case nodes.Quote():
            return _indented("> ", "> ", _blocks(block.blocks, flavour))
        case nodes.Alert():
            head = f"[!{block.kind}]{block.fold}" + (f" {_line(block.title, flavour)}" if block.title else "")
            return _indented("> ", "> ", [head, *_below(block.blocks, flavour)])
        case nodes.Component():
            title = f" {_line(block.title, flavour)}" if block.title else ""
            named = f"#{block.id}" if block.id else "", f".{block.colour}" if block.colour else ""
            options = " ".join(filter(None, (*named, _from(block.origin).strip(" {}"))))
            written = f" {{{options}}}" if options or title.endswith("}") else ""  # else its braces would be options
            return [f":::{block.name}{title}{written}", *_blocks(block.blocks, flavour), ":::"]
        case nodes.Table():
            return table_of([_row(row, flavour) for row in block.rows], [_RULES[side] for side in block.alignments])
        case nodes.CodeBlock():
            return fenced(block.code, block.info).split("\n")
        case nodes.FormulaBlock(tex):
            return flavour.formula_block(tex)
        case nodes.FootnoteDefinition():
            return _indented(f"[^{block.label}]: ", "    ", _below(block.blocks, flavour) or [""])
        case nodes.RawBlock(text) | nodes.CommentBlock(text):
            return text.split("\n")
        case nodes.ThematicBreak():
            return ["___"]  # dashes would be a heading's underline, or with the sign of an item the line itself
        case nodes.Contents():
            return ["[TOC]"]
    raise TypeError(block)


def _below(blocks: Sequence[Block], flavour: Flavour) -> list[str]:
    """The lines of blocks after a head, which only a paragraph may follow at once."""
    return [*([] if not blocks or isinstance(blocks[0], nodes.Paragraph) else [""]), *_blocks(blocks, flavour)]


def _heading(heading: nodes.Heading, flavour: Flavour) -> str:
    options = [f"#{heading.id}"] if heading.id else []
    if heading.number is not None:
        options.append(f"n={heading.number}" if heading.number else "-")
    written = f" {{{' '.join(options)}}}" if options else ""
    return f"{'#' * heading.level} {_line(heading.inlines, flavour)}".rstrip() + written + _from(heading.origin)


def _definitions(block: nodes.DefinitionList, flavour: Flavour) -> list[str]:
    lines: list[str] = []
    last: nodes.Node | None = None
    for entry in block.entries:
        if isinstance(entry, nodes.DefinedTerm):
            lines += [""] if last else []
            lines.append(
                _block_words(_on_one_line(entry.inlines), Around(flavour)) + _names(entry.names) + _from(entry.origin)
            )
        else:
            lines += [""] if block.is_loose and isinstance(last, nodes.Definition) else []
            lines += _indented(": ", "  ", _blocks(entry.blocks, flavour, is_tight=not block.is_loose))
        last = entry
    return lines


_RULES = {"": "---", "left": ":---", "center": ":---:", "right": "---:"}


def table_of(rows: Sequence[Sequence[str]], rules: Sequence[str] = ()) -> list[str]:
    """The lines of a table of cells that are Markdown; the first row is the head, and short rows get empty cells."""
    width = max(map(len, rows))
    head, *body = (f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows)
    return [head, f"|{'|'.join(rules or ['---'] * width)}|", *body]


def _row(row: nodes.Row, flavour: Flavour) -> list[str]:
    mark = f" {{.{row.mark}}}" if row.mark else ""
    return [_cell(cell, flavour, mark if number == 0 else "") for number, cell in enumerate(row.cells)]


def _cell(cell: nodes.Cell, flavour: Flavour, mark: str) -> str:
    signs = {"above": "^^", "left": "<<", "": ""}
    words = signs[cell.merged] or write_cell(cell.inlines, flavour)
    words = f"\\{words}" if words in ("^^", "<<") and not cell.merged else words
    return words + mark + _from(cell.origin)


def fenced(code: str, info: str) -> str:
    """A block of code, with as long a fence as it needs."""
    sign = "~" if "`" in info else "`"
    longest = max((len(run) for run in re.findall(f"{sign}+", code)), default=0)
    fence = sign * max(3, longest + 1)
    return "\n".join([f"{fence}{info}", *([code] if code else []), fence])


def _list(block: nodes.List, flavour: Flavour, *, others: bool) -> list[str]:
    lines: list[str] = []
    number = block.start
    for item in block.items:
        if lines and block.is_loose:
            lines.append("")
        marker = ("*" if others else "-") if number is None else f"{number}{')' if others else '.'}"
        box = "" if item.done is None else "[x] " if item.done else "[ ] "
        content = _blocks(item.blocks, flavour, is_tight=not block.is_loose)
        content = [box + content[0], *content[1:]] if content else [""]
        lines += _indented(f"{marker} ", " " * (len(marker) + 1), content)
        number = None if number is None else number + 1
    return lines


def _indented(first: str, others: str, lines: Sequence[str]) -> list[str]:
    starts = (others if number else first for number in count())
    return [start + line if line else start.rstrip() for start, line in zip(starts, lines or [""], strict=False)]


def _names(names: Sequence[str]) -> str:
    """Names of a block behind its words, of which only the last can stand behind a `^`."""
    return "".join(
        f" ^{name}" if place == len(names) and _LINE_NAME.fullmatch(name) else f" {{: #{name} }}"
        for place, name in enumerate(names, 1)
    )


def _from(origin: Origin | None) -> str:
    """`{from=...}`, after a space."""
    if origin is None:
        return ""
    value = {"own": "own", "figure": f"figure {origin.value}".strip()}.get(origin.kind, origin.value)
    return f' {{from="{value}"}}' if " " in value or not value.isascii() else f" {{from={value}}}"


# Escapes of what our grammar would take for syntax in words. Most signs take a backslash. Where a rule of the grammar
# looks at the raw line (`{#id}` at its end), or gives the backslash a meaning of its own (`\[` may begin a formula),
# the sign is an entity.

_SIGN = regex(
    r"(?P<entity>\\(?=[()\[\]])|(?<=.)\](?=[({\[])|\{(?=:|[#.]|n=|-|from=)|\}$)"
    r"|(?P<bracket>\[)|(?P<bracketed>\])"
    r"|(?P<always>[\\`$]|<(?=[A-Za-z/!?])|&(?=\#?\w+;))"
    r"|(?P<delimiter>[*_~=%^|!])"
)
_BRACKETED = regex(r"\[(?! ?\]|TOC\])(?:(?<=\w\[)|(?![xX]\]))(?:[^\W_]|[ .,+;/–−∞×·%-]){1,80}\]", re.IGNORECASE)
"""Words in brackets that no syntax begins with."""
_PRICE = regex(r"(?<![^\s(])\$\d")
_PATH = regex(r"\\(?![A-Za-z]+\*?[\[{])[^\W_]")
_EMOJI = regex(r"(?=:([a-z0-9_+-]{1,30}):)")
_ADDRESS = regex(r"https?(?=://)|arxiv(?=:\s?\d)|10(?=\.\d{4,9}/)", re.IGNORECASE)
_HANDLE = regex(r"@(?=[A-Za-z][\w:-]*(?:1[5-9]|20)\d\d)")
"""A name with a year, which is taken for a citation that somebody mistyped."""
_LINE_START = regex(
    r"\d{1,9}(?=[.)](?:\s|$))|(?=#{1,6}(?:\s|$)|>|[-+](?:\s|$)|-+\s*$|(?:-\s*){3,}$|=+\s*$|[~:](?:\s|$)|:::)"
)


def _escaped(text: str, around: Around) -> str:
    """The Markdown that is read as these words."""
    changed = {token.start(): sign for token in _SIGN.finditer(text) if (sign := _sign(text, token, around))}
    for kept in _BRACKETED.finditer(text):
        before, after = _beside(text, *kept.span(), around)
        if before not in "!^]\\[" and after not in "([{:]":
            changed = {at: sign for at, sign in changed.items() if not kept.start() <= at < kept.end()}
    names = [token for token in _EMOJI.finditer(text) if token[1] in signs()] if ":" in text else []
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
            is_doubtful = after in "()[]" if sign == "\\" else token.end() == len(text) and after == sign
            return _entity(sign) if is_doubtful else f"\\{sign}"  # a dollar right before a formula would be part of it
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


# Words


def _line(inlines: Sequence[Inline], flavour: Flavour) -> str:
    return _block_words(_on_one_line(inlines), Around(flavour, is_title=True))


def _on_one_line(inlines: Sequence[Inline]) -> Sequence[Inline]:
    return [nodes.Text(" ") if isinstance(part, nodes.SoftBreak) else part for part in inlines]


def _words(inlines: Sequence[Inline], flavour: Flavour) -> str:
    has_lines = any(isinstance(node, nodes.SoftBreak | nodes.HardBreak) for inline in inlines for node in inline.walk())
    return _block_words(inlines, Around(flavour, has_lines=has_lines))


def _block_words(inlines: Sequence[Inline], place: Around) -> str:
    """The words of a block; once more with escapes for what only the whole shows to be syntax."""
    with_dollars = sum("$" in node.text for inline in inlines for node in inline.walk() if isinstance(node, nodes.Text))
    has_formula = any(isinstance(node, nodes.Formula) for inline in inlines for node in inline.walk())
    place = replace(place, has_formula=has_formula or with_dollars > 1)
    written = _inlines(inlines, place)
    if not place.flavour.looks_ahead:
        return written
    whole = replace(
        place,
        # without any it says nothing, and most blocks need not be written again
        has_brackets="]" in written or "&#93;" in written or not ("[" in written or "&#91;" in written),
        has_bracket_end="\\[" in written and "\\]" in written,
        has_table=place.has_lines and any(map(_RULE.fullmatch, written.split("\n"))),
    )
    return written if whole == place else _inlines(inlines, whole)


_WORD = regex(r"^\S*")
_RULE = regex(r"[\\\s|:-]*-[\\\s|:-]*")
"""The line below the head of a table."""


def _inlines(inlines: Sequence[Inline], place: Around) -> str:
    written = ""
    for number, inline in enumerate(inlines):
        following = inlines[number + 1] if number + 1 < len(inlines) else None
        after = _first_sign(following, place.flavour) if following else place.after
        ahead = _WORD.findall(following.text)[0] if isinstance(following, nodes.Text) else after
        if isinstance(inline, nodes.Text) and isinstance(following, nodes.Link):
            after = "["  # also of a bare address, which may need brackets after all
        if isinstance(inline, nodes.RawInline) and written.endswith("\n"):
            written += "    "  # so far in no block of HTML begins
        here = replace(place, before=written[-1:] or place.before, after=after, ahead=ahead)
        written += _inline(inline, here)
    return written


_FIRST_SIGNS: Mapping[type[Inline], str] = {
    nodes.SoftBreak: "\n",
    nodes.Emphasis: "*",
    nodes.Strong: "*",
    nodes.Strikethrough: "~",
    nodes.Highlight: "=",
    nodes.Code: "`",
    nodes.Formula: "$",
    nodes.Image: "!",
    nodes.InlineFootnote: "^",
    nodes.Comment: "%",
    **dict.fromkeys((nodes.Element, nodes.RawInline), "<"),
    **dict.fromkeys((nodes.HardBreak, nodes.EquationReference), "\\"),
}
"""What inlines begin with that do not begin with a bracket."""


def _first_sign(inline: Inline, flavour: Flavour) -> str:
    match inline:
        case nodes.Text(text):
            return flavour.escaped(text, Around(flavour, "a", "a"))[:1]
        case nodes.Link(inlines=(nodes.Text(text),), is_bare=True):
            return text[0]
    return _FIRST_SIGNS.get(type(inline), "[")


def _inline(inline: Inline, place: Around) -> str:  # noqa: C901 -- a case for each kind
    match inline:
        case nodes.Text(text):
            return place.flavour.escaped(text, place)
        case nodes.SoftBreak():
            return "\n"
        case nodes.HardBreak():
            stands_alone = place.starts_line or place.ends_line or not place.has_lines
            return "<br>" if stands_alone else "\\\n"
        case nodes.Code(code):
            return place.flavour.code(code, place)
        case nodes.Formula():
            return place.flavour.formula(inline, place)
        case nodes.EquationReference():
            return f"\\{'eqref' if inline.brackets else 'ref'}{{{inline.label}}}"
        case nodes.Styled():
            return _styled(inline, place)
        case nodes.Element():
            return _in_element(inline.name, inline.inlines, place)
        case nodes.Link():
            return _link(inline, place)
        case nodes.Image():
            return "!" + _alternative_text(inline, place) + _address(inline.src, inline.title, place.flavour)
        case nodes.Reference():
            return f"[[{inline.target}|{inline.text}]]" if inline.text else f"[[{inline.target}]]"
        case nodes.Citation():
            return f"[{'; '.join(map(_cited, inline.papers))}]"
        case nodes.FootnoteReference():
            return f"[^{inline.label}]"
        case nodes.InlineFootnote():
            return "^" + _in_brackets(inline.inlines, place)
        case nodes.Marked():
            options = [*(f".{name}" for name in inline.classes), _from(inline.origin).strip(" {}")]
            return _in_brackets(inline.inlines, place) + f"{{{' '.join(filter(None, options))}}}"
        case nodes.RawInline():
            return inline.html
        case nodes.Comment():
            return f"%%{inline.text}%%"
    raise TypeError(inline)


def between_backticks(code: str, _place: Around) -> str:
    """Code between as few backticks as it needs."""
    runs = {len(run) for run in re.findall("`+", code)}
    sign = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    is_padded = "`" in (code[:1], code[-1:]) or (code[:1] == code[-1:] == " " and code.strip())
    return f"{sign} {code} {sign}" if is_padded else f"{sign}{code}{sign}"


def _formula_block(tex: str) -> list[str]:
    plain = "$" not in tex and all(line.strip() for line in tex.split("\n")) and tex == tex.strip("\n")
    return ["$$", *tex.split("\n"), "$$"] if plain else fenced(tex, "math").split("\n")


def _formula(formula: nodes.Formula, place: Around) -> str:
    tex = formula.tex
    if formula.display and not NUMBER.search(tex):
        return f"$${tex}$$"
    beside = any(sign.isdigit() for sign in (place.before, place.after) if sign)
    if FORMULA.fullmatch(f"${tex}$") and place.before != "$" and (SURELY_TEX.search(tex) or not beside):
        return f"${tex}$"
    return f"$`{tex}`$" if "`" not in tex and "\n" not in tex and place.before != "$" else f"\\({tex}\\)"


def _cited(paper: CitedPaper) -> str:
    locator = f", {paper.locator}" if paper.locator else ""
    return f"{paper.before}{'-' * paper.without_author}@{paper.key}{locator}"


def _link(link: nodes.Link, place: Around) -> str:
    if link.is_bare and isinstance(link.inlines[0], nodes.Text):
        words = link.inlines[0].text
        if place.flavour.finds_addresses and _is_found(words, link.href, place):
            return words
        if link.href in (words, f"mailto:{words}") and not re.search(r"[\s<>]", words):
            return f"<{words}>"
    return _in_brackets(link.inlines, replace(place, in_link=True)) + _address(link.href, link.title, place.flavour)


def _is_found(words: str, href: str, place: Around) -> bool:
    """Whether these words alone are read as a link to the address."""
    links = [(start, end, readable_address(href)) for start, end, href in bare_links(words + place.ahead) if href]
    is_plain = _escaped(words, replace(place, in_link=True)) == words and not re.match(r"[\w./<]", place.before)
    return is_plain and links[:1] == [(0, len(words), href)]


def _address(href: str, title: str, flavour: Flavour) -> str:
    words = re.sub(r'(["\\])', r"\\\1", re.sub(r"&(?=#?\w+;)", "&amp;", title))
    return f'({flavour.target(href)} "{words}")' if title else f"({flavour.target(href)})"


def _target(href: str) -> str:
    href = re.sub(r"&(?=#?\w+;)", "&amp;", href)
    plain = href and not re.search(r"[\s<>\\]|^\(|[()]", href)
    return href if plain else "<" + re.sub(r"([<>\\])", r"\\\1", href) + ">"


def _in_brackets(inlines: Sequence[Inline], place: Around) -> str:
    return "[" + _inlines(inlines, replace(place, before="[", after="]", in_brackets=True)) + "]"


def _alternative_text(image: nodes.Image, place: Around) -> str:
    """The words of a picture, and its width; words that look like one are written so that they are words."""
    words = _in_brackets(image.inlines, place).removesuffix("]")
    words = SHOWN_WIDTH.sub(lambda match: f"&#124;{match[0][1:]}", words)
    return f"{words}|{image.width}]" if image.width else f"{words}]"


def _in_element(name: str, inlines: Sequence[Inline], place: Around) -> str:
    return f"<{name}>{_inlines(inlines, replace(place, before='>', after='<'))}</{name}>"


def _styled(inline: nodes.Styled, place: Around) -> str:
    """Words between signs, or in an element where no sign would be read."""
    characters = [sign[0] for sign in place.open_signs]
    for sign in sorted(place.flavour.signs[type(inline)], key=lambda sign: sign[0] in characters):
        if characters.count(sign[0]) < 2 and sign not in place.open_signs and sign[0] != place.before:
            around = replace(place, before=sign[0], after=sign[0], open_signs=(*place.open_signs, sign))
            words = _inlines(inline.inlines, around)
            if place.flavour.is_styled(sign, words, place):
                return f"{sign}{words}{sign}"
    return _in_element(inline.tag, inline.inlines, place)


def _is_styled(sign: str, words: str, place: Around) -> bool:
    return _is_highlight(words, place) if sign == "==" else _is_emphasis(sign, words, place)


def _is_emphasis(sign: str, words: str, place: Around) -> bool:
    if not words or sign[0] in (words[0], words[-1], place.after):
        return False
    splits = sign[0] != "_"
    before, after = place.before or " ", place.after or " "
    return can_open(before, words[0], splits_words=splits) and can_close(words[-1], after, splits_words=splits)


def _is_highlight(words: str, place: Around) -> bool:
    after = "_" if place.after == "*" else place.after  # emphasis may have either sign
    highlight = HIGHLIGHT.match(f"=={words}=={after}")
    return bool(highlight and highlight.end() == len(words) + 4) and not re.match(r"[A-Za-z0-9_=!<>)\]]", place.before)


OURS = Flavour(
    _escaped,
    signs={
        nodes.Emphasis: ("*", "_"),
        nodes.Strong: ("**", "__"),
        nodes.Strikethrough: ("~~",),
        nodes.Highlight: ("==",),
    },
    is_styled=_is_styled,
    formula=_formula,
    formula_block=_formula_block,
    code=between_backticks,
    target=_target,
    cell=lambda words: words.replace("|", "\\|"),
    finds_addresses=True,
    looks_ahead=True,
)


def write_markdown(document: Document, flavour: Flavour = OURS) -> str:
    """The Markdown of a text, with a line end behind its last line."""
    text = "\n".join(_blocks(document.blocks, flavour))
    return f"{text}\n" if text else ""


def write_inlines(inlines: Sequence[Inline], flavour: Flavour = OURS) -> str:
    """The Markdown of words on a line of their own, such as a title."""
    return _line(inlines, flavour)


def write_cell(inlines: Sequence[Inline], flavour: Flavour = OURS) -> str:
    """The Markdown of words in a cell of a table."""
    return flavour.cell(_block_words(_on_one_line(inlines), Around(flavour, in_cell=True)))
