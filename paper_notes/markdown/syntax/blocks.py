"""Our block syntax: `:::name` containers and task lists; and what is found out about all blocks of a text."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.corpus.model import COLOURS
from paper_notes.markdown.context import Context, context_of, line_of
from paper_notes.markdown.syntax.anchors import heading_options
from paper_notes.markdown.syntax.components import components
from paper_notes.markdown.syntax.declared import declared_option
from paper_notes.markdown.syntax.first_signs import BLOCKS, SignRuler, asking_blocks
from paper_notes.markdown.syntax.tables import TABLE_RULE, columns_of, hide_bars, show_bars, too_wide
from paper_notes.patterns import regex

_OPEN = regex(r":{3,}[ \t]*([A-Za-z][\w-]*)(.*)")
_CLOSE = regex(r":{3,}[ \t]*")
_FENCE = regex(r"(`{3,}|~{3,})")
_ITEM = regex(r"(?:(?:[-*+:~]|\d{1,9}[.)])[ \t]+)+")
"""What stands before the first block of an item of a list."""
_OPTIONS = regex(r"(?<!\])\{([^{}]*)\}$")
_ID = regex(r"[A-Za-z][\w-]*")
MAX_BLOCKS = 50_000
"""The most paragraphs, headings, items and cells of a text."""


def install(md: MarkdownIt) -> None:
    """Add our block rules to a parser."""
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("fence", "component", _component, alternatives)
    md.core.ruler.before("block", "hide_bars", hide_bars)
    md.core.ruler.after("block", "show_bars", show_bars)
    md.core.ruler.after("show_bars", "bounded", _bounded)
    md.core.ruler.after("block", "unclosed_fences", _unclosed_fences)
    md.core.ruler.after("block", "unread_tables", _unread_tables)
    md.core.ruler.before("inline", "heading_options", heading_options)
    md.core.ruler.before("inline", "table_rows", _table_rows)


class BodyBlocks(ParserBlock):
    """The block parser; it reports content that the library would drop silently."""

    def __init__(self) -> None:
        super().__init__()
        self.ruler = SignRuler(self.ruler, BLOCKS, asking_blocks)

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803 -- the library's names
        deep = state.level >= state.md.options["maxNesting"]
        line = state.skipEmptyLines(startLine) if deep else endLine
        if line < endLine and state.sCount[line] >= state.blkIndent:
            context = context_of(state.env)
            message = f"more than {state.md.options['maxNesting']} levels of nesting: what is inside would be left out"
            context.report(context.locate(line), "too-deep", message, "flatten it")
        super().tokenize(state, startLine, endLine)


def _bounded(state: StateCore) -> None:
    """Report and drop a text with too many blocks: no browser shows it well."""
    blocks = [token for token in state.tokens if token.type == "inline"]
    if len(blocks) > MAX_BLOCKS:
        context = context_of(state.env)
        where = context.locate((blocks[MAX_BLOCKS].map or [0])[0])
        message = f"the text has {len(blocks):,} paragraphs, items and cells, more than the {MAX_BLOCKS:,} allowed"
        context.report(where, "file-too-large", message, "make several notes of it")
        state.tokens = []


def _component(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`:::name title {#id}` ... `:::`. Containers nest; each `:::name` has its own `:::`."""
    first = state.bMarks[start] + state.tShift[start]
    if state.src[first : first + 3] != ":::" or state.is_code_block(start):
        return False
    line = line_of(state, start)
    opened = _OPEN.fullmatch(line)
    if not opened:
        return _stray_end(state, start, line, silent)
    if silent:
        return True
    context = context_of(state.env)
    last, closed = _matching_end(state, start, end)
    name, title = opened[1], opened[2].strip()
    where = context.locate(start, name)
    if name not in components():
        hint = context.suggestions.did_you_mean(name, components()) or f"there are {', '.join(components())}"
        context.report(where, "unknown-component", f'there is no component "{name}"', hint)
    if not closed:
        context.report(where, "unclosed-component", f'":::{name}" is never closed', "end it with a line of `:::`")
    block_id, colour, declared = "", "", dict[str, Any]()
    if options := _OPTIONS.search(title):
        title = title[: options.start()].rstrip()
        declared, rest = declared_option(context, options[1], start)
        block_id, colour = _options(context, start, rest, name)
    token = state.push("component_open", "", 1)
    token.block, token.map, token.info = True, [start, last], name
    token.meta = {"id": block_id, "colour": colour, "line": start, "lines": (start, last + closed), **declared}
    if title:
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = title, [start, start + 1], []
        inline.meta = {"title": True}
    old_line_max, old_parent = state.lineMax, state.parentType
    state.lineMax, state.parentType = last, "component"
    state.md.block.tokenize(state, start + 1, last)
    state.lineMax, state.parentType = old_line_max, old_parent
    token = state.push("component_close", "", -1)
    token.block, token.info = True, name
    state.line = last + (1 if closed else 0)
    return True


def _stray_end(state: StateBlock, start: int, line: str, silent: bool) -> bool:
    if not _CLOSE.fullmatch(line):
        return False
    if not silent:
        context = context_of(state.env)
        hint = "remove it, or open a component above it with `:::name`"
        context.report(context.locate(start, ":::"), "stray-component-end", "this `:::` closes nothing", hint)
        state.line = start + 1
    return True


def _matching_end(state: StateBlock, start: int, end: int) -> tuple[int, bool]:
    """The line of the `:::` that closes the container, and whether there is one."""
    opened = [0]  # for each open container the column of the item that it begins, as it ends with the item
    fence, fence_column = "", 0
    for number in range(start + 1, end):
        column = state.sCount[number]
        if column < state.blkIndent and not state.isEmpty(number):
            return number, False
        line = line_of(state, number)
        if fence and (column >= fence_column or not line):
            if line.startswith(fence) and line.strip() == line[0] * len(line.strip()):
                fence = ""
            continue
        fence = ""
        item = _ITEM.match(line)
        column += item.end() if item else 0
        line = line[item.end() :] if item else line
        if marker := _FENCE.match(line):
            fence, fence_column = marker[1], column if item else 0
        elif _OPEN.fullmatch(line):
            opened.append(column if item else 0)
        elif not item and _CLOSE.fullmatch(line):
            while opened[-1] > column:
                opened.pop()
            opened.pop()
            if not opened:
                return number, True
    return end, False


def _options(context: Context, line: int, options: str, name: str) -> tuple[str, str]:
    """The id of a component, and the colour of a quotation."""
    block_id = colour = ""
    for option in options.split():
        if option.startswith("#") and _ID.fullmatch(option[1:]):
            block_id = option[1:]
        elif name == "quote" and option[:1] == "." and option[1:] in COLOURS:
            colour = option[1:]
        else:
            hint = "a component takes an id: {#my-id}"
            if name == "quote":
                hint = f"a quotation takes an id and a colour: {{#my-id .green}}; there are {', '.join(COLOURS)}"
            context.report(context.locate(line, option), "unknown-option", f'unknown option "{option}"', hint)
    return block_id, colour


def _unclosed_fences(state: StateCore) -> None:
    """Tells of code blocks that nothing closes: all that follows is code."""
    context = context_of(state.env)
    for token in state.tokens:
        if token.type == "fence" and token.map:
            content = token.content.count("\n") + (not token.content.endswith("\n")) * bool(token.content)
            if content >= token.map[1] - token.map[0] - 1:
                message = "this code block is never closed: all that follows in its text, list or quotation is code"
                hint = f"end it with a line of {token.markup}, indented like the first one"
                context.report(context.locate(token.map[0], token.markup), "unclosed-fence", message, hint, "warning")


def _unread_tables(state: StateCore) -> None:
    """Tells of tables whose head has another width than the rule below it: they are shown as plain words."""
    context = context_of(state.env)
    for opening, inline in pairwise(state.tokens):
        if opening.type != "paragraph_open" or "|" not in inline.content or not inline.map:
            continue
        for number, (head, rule) in enumerate(pairwise(inline.content.split("\n"))):
            if "|" in head and "|" in rule and TABLE_RULE.fullmatch(rule.strip()):
                heads, rules = columns_of(head), columns_of(rule)
                message = f"this is not read as a table: its head has {heads} cells, the rule below it {rules}"
                hint = "give both as many; write `\\|` for a bar in a cell, in a formula \\mid or \\vert"
                context.report(context.locate(inline.map[0] + number), "table-cells", message, hint, "warning")
                break


def _table_rows(state: StateCore) -> None:
    """Report cells beyond the last column: they are not shown, and mostly come from a `|` in code or a formula."""
    context = context_of(state.env)
    for token, columns, beyond in too_wide(state.tokens, context.lines):
        width = columns + len(beyond)
        message = f"this row has more cells than the header: {width}, not {columns}; the rest would be left out"
        hint = "write `\\|` for a bar in a cell; in a formula \\mid or \\vert"
        context.report(context.locate((token.map or [0])[0]), "table-cells", message, hint, "warning")


_BOX = regex(r"\[([ xX])\](?=\s)")


def task_lists(state: StateCore) -> None:
    """Give each list item that starts with `[ ]` or `[x]` a box, and its list a class."""
    lists: list[Token] = []
    tokens = state.tokens
    for place, token in enumerate(tokens):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append(token)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open" and [t.type for t in tokens[place + 1 : place + 3]] == [
            "paragraph_open",
            "inline",
        ]:
            inline = tokens[place + 2]
            if (match := _BOX.match(inline.content)) and inline.children:
                inline.content = inline.content[match.end() :]
                inline.children[0].content = inline.children[0].content[match.end() :]
                inline.children.insert(0, _box(done=match[1] != " "))
                token.attrSet("class", "task-list-item")
                lists[-1].attrSet("class", "contains-task-list")


def _box(*, done: bool) -> Token:
    checked = ' checked="checked"' if done else ""
    html = f'<input class="task-list-item-checkbox"{checked} disabled="disabled" type="checkbox">'
    return Token("html_inline", "", 0, content=html)
