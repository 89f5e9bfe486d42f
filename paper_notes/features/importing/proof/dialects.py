"""What dialects of Markdown build of whole lines, as rules for the stock parser: boxes, tabs, directives, tags of JSX.

A rule takes the signs off its lines, and what they hold is read as anywhere else. The words of a title become a
paragraph; what is no Markdown, such as cells of a program, becomes a block of code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from paper_notes.patterns import regex

CELLS = frozenset("python ipython3 python3 r julia ojs dot bash code code-cell code-block sourcecode".split())
"""Directives of MyST and Quarto that hold code; the others hold Markdown."""
NO_TEXT = frozenset("tableofcontents toctree bibliography include literalinclude image index".split())
NO_TITLE = NO_TEXT | frozenset("figure solution-start exercise-start html define tab-set".split())
_GRID = regex(r"[\d\s]*")
"""What stands behind `{grid}`: numbers of columns."""
_INDENTING = regex(r"(?:(?:!!!|\?\?\?\+?)[ \t]*[\w |-]*|===[!+]*(?=[ \t]+\"))[ \t]*(?:\"(?P<title>.*)\")?")
_FENCE = regex(
    r"(?P<mark>:{3,}|/{3,}(?=[ \t]*(?:[\w-]+[ \t]*(?:\||$)|$)))[ \t]*"
    r"(?:(?:\{(?P<braces>[^{}]*)\}|(?P<kind>[A-Za-z][\w-]*)(?=[\s\[{|]|$))"
    r"[ \t|]*(?:\[(?P<bracket>[^\]]*)\])?(?P<title>.*))?"
)
_NAMED = regex(r"[\w:-]+")
_TITLE = regex(r"\btitle=(?:\"([^\"]*)\"|'([^']*)')")
_OPTION = regex(r"[ \t]*:(?P<key>[\w-]+):(?P<value>.*)")
_SLASH_OPTION = regex(r" {4,}(?P<key>[a-z_]+):(?P<value>.*)")
_BRACED = reduce(lambda inner, _: rf"\{{(?:[^{{}}]++|{inner})*+\}}", range(15), r"\{[^{}]*+\}")
_VALUE = rf"\"[^\"]*\"|'[^']*'|{_BRACED}"
_TAG = regex(
    rf"<(?P<end>/?)(?P<name>[A-Za-z][\w.-]*)(?P<attributes>(?:\s(?:[^<>\"'{{}}]|{_VALUE})*)?)(?P<empty>/?)>[ \t]*"
)
_IS_READ = regex(r"\s(?:markdown(?![\w-])|className=)")
"""Of tags of HTML in which Markdown is read: all that are written in JSX."""
_COMPONENT = regex(rf"<(?P<name>[A-Z][\w.]*)(?P<attributes>(?:\s(?:[^<>{{}}\"'/]|/(?!>)|{_VALUE})*)?)(?P<empty>/?)>")
_SHOWN = frozenset(
    "title label heading name summary question description text caption content answer code command".split()
)
"""Attributes of components that a reader sees."""
_ATTRIBUTE = regex(rf"(?P<key>[\w@:.-]+)(?:\s*=\s*(?P<value>{_VALUE}))?")
_STRING = regex(r"\{?\s*([\"'`])((?:(?!\$\{).)*?)\1\s*\}?", re.DOTALL)
_LABEL = regex(r"\blabel[\"']?\s*:\s*([\"'`])(.*?)\1")
_DATA = regex(r"\{\s*[\[{]")
_MACHINE = frozenset("id key icon image color variant className style".split())
"""Attributes whose data are none of a reader's."""
_OPENS_CODE = regex(r"\{\{[<%]\s*(?P<short>code|highlight)\s(?:.*[^/])?[>%]\}\}|\{%-?\s*(?P<liquid>highlight)\b.*%\}")
_UNSEEN = regex(r"\([^()\s]+\)=|\+\+\+.*|%[ \t].*|\\(?:newpage|pagebreak|clearpage|tableofcontents)")
"""The label of what follows, the end of a block, and a remark, in MyST; what only a printed page has, in Quarto."""


BEGINS = {
    "indenting": "!?=",
    "fences": ":/",
    "component": "<",
    "tags": "<",
    "code_tags": "{",
    "unseen": "(+%\\",
    "amsmath": "\\",
    "math_block_eqno": "\\",
    "math_block": "$\\",
}
"""What the first lines of these begin with, and of blocks of formulas, so that they are asked there only."""


def add_dialects(parser: MarkdownIt) -> None:
    """Teach a parser the lines of dialects. Links may lead anywhere: an address is no word."""
    rules = (_indenting, _fences, _component, _tags, _code_tags)
    for name, rule in ((rule.__name__[1:], rule) for rule in rules):
        parser.block.ruler.before("table", name, rule, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.block.ruler.before("table", "unseen", _unseen, {"alt": ["paragraph"]})
    parser.validateLink = lambda url: True  # type: ignore[method-assign]


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip()


def _words(state: StateBlock, words: str, line: int) -> None:
    """A paragraph of these words."""
    if words.strip():
        state.push("paragraph_open", "p", 1).map = [line, line + 1]
        token = state.push("inline", "", 0)
        token.content, token.map, token.children = words.strip(), [line, line + 1], []
        token.meta["said"] = True
        state.push("paragraph_close", "p", -1)


def _inside(state: StateBlock, start: int, end: int, most: int) -> None:
    """Read the lines that are indented below the one before `start`, by `most` columns at most."""
    column = state.sCount[start - 1]
    first = next((number for number in range(start, end) if not state.isEmpty(number)), end)
    by = min(state.sCount[first] - column, most) if first < end else 0
    inner = range(first, end) if by > 0 else range(0)
    after = next((at for at in inner if state.sCount[at] < column + by and not state.isEmpty(at)), end)
    state.line = start
    if by > 0:
        before = state.blkIndent, state.lineMax, state.parentType
        state.blkIndent, state.lineMax, state.parentType = column + by, after, "root"
        state.level += 1
        state.md.block.tokenize(state, start, after)
        state.level -= 1
        state.blkIndent, state.lineMax, state.parentType = before
        state.line = after


def _indenting(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`!!! note "Title"`, `??? note` and `=== "Tab"`, whose text is indented, in MkDocs."""
    match = None if state.is_code_block(start) else _INDENTING.fullmatch(_line(state, start))
    if match and not silent:
        _words(state, match["title"] or "", start)
        _inside(state, start + 1, end, 4)
    return bool(match)


def _fences(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The first and the last line of `:::name Title`, `:::{name} Title` and `/// name | Title`, with their options."""
    match = None if state.is_code_block(start) else _FENCE.fullmatch(_line(state, start))
    if not match or silent:
        return bool(match)
    braces = match["braces"] or ""
    name = braces.split()[0].lower() if braces and _NAMED.fullmatch(braces.split()[0]) else match["kind"] or ""
    said = _TITLE.search(braces + (match["title"] or ""))
    title = (said[1] or said[2] or "") if said else f"{match['bracket'] or ''} {match['title'] or ''}"
    is_hidden = name in NO_TITLE | CELLS or (name == "grid" and _GRID.fullmatch(title))
    _words(state, "" if is_hidden else title, start)
    first = start + 1
    options = _SLASH_OPTION if match["mark"][0] == "/" else _OPTION
    while name and first < end and (option := options.fullmatch(state.src[state.bMarks[first] : state.eMarks[first]])):
        _words(state, option["value"] if option["key"] == "caption" else "", first)
        first += 1
    state.line = first
    if braces and name in CELLS | NO_TEXT | {"math"}:
        last = next((at for at in range(first, end) if _line(state, at) == match["mark"]), end)
        _code(state, f"{{{name}}}", first, last)
        state.line = min(last + 1, end)
    return True


def _code(state: StateBlock, info: str, first: int, last: int) -> None:
    token = state.push("fence", "code", 0)
    token.info, token.map = info, [first - 1, last]
    token.content = state.getLines(first, last, state.blkIndent, True)


def _tags(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line of tags that have Markdown within or behind them: of components, with `markdown`, and those at an end."""
    line = _line(state, start)
    if not line.startswith("<") or state.is_code_block(start):
        return False
    tags = [*_TAG.finditer(line)]
    if "".join(tag[0] for tag in tags) != line or not all(map(_holds_markdown, tags)):
        return False
    if not silent:
        for tag in tags:
            for words in () if tag["end"] else _said(state, tag["name"], tag["attributes"]):
                _words(state, words, start)
        _inside(state, start + 1, end, 0 if tags[-1]["end"] else 99)
    return True


def _holds_markdown(tag: re.Match[str]) -> bool:
    return bool(tag["end"]) or tag["name"][0].isupper() or bool(_IS_READ.search(tag["attributes"]))


def _component(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The first tag of a component, which may go over several lines, with nothing behind it."""
    begin = state.bMarks[start] + state.tShift[start]
    tag = None if state.is_code_block(start) else _COMPONENT.match(state.src, begin, state.eMarks[end - 1])
    if not tag:
        return False
    last = next(at for at in range(start, end) if state.eMarks[at] >= tag.end())
    if state.src[tag.end() : state.eMarks[last]].strip():
        return False
    if not silent:
        for words in _said(state, tag["name"], tag["attributes"]):
            _words(state, words, start)
        _inside(state, last + 1, end, 0 if tag["empty"] else 99)
    return True


def _said(state: StateBlock, name: str, attributes: str) -> Iterator[str]:
    """What readers see of a component's attributes, in their order. Tabs share the names of their box."""
    waiting = state.env.setdefault("tabs", [])
    is_named = False
    for attribute in _ATTRIBUTE.finditer(attributes):
        key, value = attribute["key"], attribute["value"] or ""
        string = _STRING.fullmatch(value)
        if key == "items" or (key == "values" and _DATA.match(value)):
            waiting[:] = [item[2] for item in (_LABEL if "label" in value else _STRING).finditer(value)]
        elif key == "alt" and string:
            yield f"![{string[2]}](.)"
        elif (string and key in _SHOWN) or (_DATA.match(value) and key not in _MACHINE):
            is_named = True
            yield string[2] if string else re.sub("[{}]", " ", value)  # else the innermost are taken for attributes
    if name.endswith(("Tab", "TabItem")) and waiting and not is_named:
        yield waiting.pop(0)


def _code_tags(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`{{< highlight >}}` of Hugo and `{% highlight %}` of Liquid around lines of code."""
    match = None if state.is_code_block(start) else _OPENS_CODE.fullmatch(_line(state, start))
    if not match:
        return False
    sign = rf"\{{\{{[<%]\s*/{match['short']}\b.*" if match["short"] else rf"\{{%-?\s*end{match['liquid']}\b.*"
    last = next((at for at in range(start + 1, end) if re.fullmatch(sign, _line(state, at))), None)
    if last is not None and not silent:
        _code(state, "", start + 1, last)
        state.line = last + 1
    return last is not None


def _unseen(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line that no page shows, or a remark of Obsidian over several, whatever is in it."""
    line, last = "" if state.is_code_block(start) else _line(state, start), start
    if line.startswith("%%") and line.count("%%") == 1:
        last = next((at for at in range(start + 1, end) if "%%" in _line(state, at)), start)
    is_unseen = last > start or bool(_UNSEEN.fullmatch(line))
    state.line = last + 1 if is_unseen and not silent else state.line
    return is_unseen
