"""The grammar of blocks with others inside: admonitions, directives, shortcodes, and tags of HTML, JSX and Liquid."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce

from markdown_it.rules_block import StateBlock

from paper_notes.document.nodes import Span
from paper_notes.features.importing.markdown.dialects import tables
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape

MAX_DEPTH = 30
"""So many blocks may be within each other: our pages have 40 levels, and Python not many more."""
Fields = Mapping[str, str]
_NO_FIELDS: Fields = {}


def fields_of(hit: re.Match[str]) -> Fields:
    """What the groups of a match say."""
    return {name: value or "" for name, value in hit.groupdict().items()}


def text_of(state: StateBlock, number: int) -> str:
    """A line without what is before its words."""
    return state.src[begin_of(state, number) : state.eMarks[number]]


def begin_of(state: StateBlock, number: int) -> int:
    """Where the words of a line begin."""
    return state.bMarks[number] + state.tShift[number]


def leaf(state: StateBlock, kind: str, start: int, end: int, fields: Fields = _NO_FIELDS) -> bool:
    """A block that is not looked into; it ends before a line."""
    token = state.push("foreign", "", 0)
    token.info, token.map, state.line = kind, [start, end], end
    last = max(number for number in range(start, end) if number == start or not state.isEmpty(number))
    token.meta["foreign"] = {"fields": fields, "opening": Span(begin_of(state, start), state.eMarks[last])}
    return True


_BLANKS = " \t\u00a0\u3000\u200b\ufeff>"
FENCE = regex(r"(?P<mark>`{3,}(?!.*`)|~{3,})[ \t]*\{?\.?(?P<language>(?!\w+=)[\w+-]*)")


def is_fence_end(line: str, mark: str, *, strict: bool = False) -> bool:
    """Whether a line ends a block of code; CommonMark is `strict` about blanks behind it and its length."""
    bare = line.strip(" \t" if strict else _BLANKS)
    return bare == mark[0] * len(bare) and len(bare) >= (len(mark) if strict else 3)


def outside_code(lines: Iterable[str]) -> Iterator[int]:
    """The numbers of the lines that are not of blocks of code."""
    mark = ""
    for number, line in enumerate(lines):
        bare = line.lstrip(" \t>").rstrip()
        if mark:
            mark = "" if is_fence_end(bare, mark, strict=True) else mark
        elif opening := FENCE.match(bare):
            mark = opening["mark"]
        else:
            yield number


_INDENTING = regex(
    r"(?P<sign>!!!|\?\?\?)(?P<open>\+?)[ \t]*(?P<kinds>[A-Za-z][\w -]*)(?:[ \t]*\"(?P<title>[^\n]*)\")?"
    r"|(?P<tab>===)[!+]?[ \t]+\"(?P<tab_title>[^\n]*)\""
)


def indented(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`!!! note "Title"`, `??? note` and `=== "Tab"`, whose text is indented."""
    at = begin_of(state, start)
    if state.src[at : at + 1] not in ("!", "?", "=") or state.is_code_block(start):
        return False
    hit = _INDENTING.fullmatch(text_of(state, start).rstrip())
    if not hit:
        return False
    column = state.sCount[start]
    inside = range(start + 1, end)
    first = next((number for number in inside if not state.isEmpty(number)), start)
    by = min(max(state.sCount[first] - column, 0), 4) if first == start + 1 else 4
    after = start + 1
    for number in inside:
        if not state.isEmpty(number):
            if by == 0 or state.sCount[number] < column + by:
                break
            after = number + 1
    if after == start + 1 and hit["tab"]:
        return False
    if silent:
        return True
    opening = Span(at, state.eMarks[start])
    _box(state, "indented", fields_of(hit), (start, after), opening, column + by)
    return True


def _box(
    state: StateBlock,
    kind: str,
    fields: Fields,
    lines: tuple[int, int],
    opening: Span,
    column: int,
    closing: Span | None = None,
) -> None:
    """A block with others inside: from its first line to that after its last one, whose words are at a `column`."""
    start, after = lines
    starts, src = state.env["starts"], state.src
    first = _line_of(starts, opening.end) + 1
    last = _line_of(starts, closing.start) if closing else after
    token = state.push("foreign_open", "", 1)
    token.info, token.map = kind, [start, after]
    stop = src.find("\n", opening.end) if closing is None or last >= first else closing.start
    _words(state, src[opening.end : stop if stop >= 0 else len(src)], first - 1)
    dedents = []
    if state.level < MAX_DEPTH:
        by = column - state.blkIndent
        for number in range(first, last):
            if by > 0 and not state.isEmpty(number):
                outer = min(state.blkIndent, state.sCount[number])
                begin = begin_of(state, number) - state.sCount[number] + outer
                dedents.append(Span(begin, min(begin + by, begin_of(state, number))))
        before = state.blkIndent, state.lineMax, state.parentType
        state.blkIndent, state.lineMax, state.parentType = column, last, "root"
        state.md.block.tokenize(state, first, last)
        state.blkIndent, state.lineMax, state.parentType = before
    else:
        fields = {**fields, "too deep": "yes"}
    if closing and last >= first:
        _words(state, src[begin_of(state, last) : closing.start], last)
    state.push("foreign_close", "", -1)
    token.meta["foreign"] = {
        "fields": fields,
        "opening": opening,
        "closing": closing or Span(-1, -1),
        "dedents": tuple(dedents),
    }
    state.line = after
    if closing:
        end = src.find("\n", closing.end)
        _words(state, src[closing.end : end if end >= 0 else len(src)], _line_of(starts, closing.end))


def _words(state: StateBlock, text: str, line: int) -> None:
    """A paragraph that is a part of a line."""
    if text.strip():
        state.push("paragraph_open", "p", 1).map = [line, line + 1]
        token = state.push("inline", "", 0)
        token.content, token.map, token.children = text.strip(), [line, line + 1], []
        state.push("paragraph_close", "p", -1)


def _line_of(starts: Sequence[int], offset: int) -> int:
    return bisect_right(starts, offset) - 1


_FENCED_BOX = regex(
    r"(?P<fence>`{3,}|~{3,})(?:ad-(?P<ad>\w+)|[ ]?\{(?P<kind>[a-z][\w:-]*|=(?P<raw>\w+))\}[ \t]*(?P<title>.*))"
)
_OPTION = regex(r"(?P<key>:[\w-]+|title|collapse|icon|color)[ \t]*:(?:[ \t]+(?P<value>.*))?")
_CELL_OPTION = regex(r"(?:#|//|--)\|[ \t]*(?P<key>[\w.-]+):(?:[ \t]+(?P<value>.*))?")
_RULE = regex(r"-{3,}[ \t]*")
_YAML_LINE = regex(r"(?P<key>[\w-]+):[ \t]*(?P<value>.*)")
BOX = "box"
READ_INSIDE = frozenset({BOX, "figure", "list"})
"""What the directives are in which Markdown is read; what is in others is theirs."""


def role_of(kind: str) -> str:
    """What a directive of this name is; empty for one that nobody knows."""
    known = tables()
    return known.directives.get(kind) or (BOX if kind in known.callouts or kind in known.unwrapped else "")


def fenced(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A directive that is written as a block of code: ```` ```{note} ````, ```` ```ad-note ````."""
    if state.src[begin_of(state, start) : begin_of(state, start) + 3] not in ("```", "~~~"):
        return False
    hit = _FENCED_BOX.fullmatch(text_of(state, start).strip())
    role = (role_of(hit["kind"]) if hit["kind"] else BOX) if hit else ""
    is_cell = bool(hit and start + 1 < end and _CELL_OPTION.fullmatch(text_of(state, start + 1)))
    if not hit or not (role or is_cell or hit["raw"]) or state.is_code_block(start):
        return False
    if silent:
        return True
    mark = hit["fence"]
    texts = ((number, text_of(state, number).strip()) for number in range(start + 1, end))
    last = next((number for number, text in texts if is_fence_end(text, mark, strict=True)), None)
    fields = {name: value or "" for name, value in hit.groupdict().items()}
    if hit["raw"] == "markdown":
        fields, role = {**fields, "kind": "container"}, BOX
    elif hit["raw"] or is_cell:
        name = "raw" if hit["raw"] else "code-cell"
        fields, role = {**fields, "kind": name, "title": hit["raw"] or hit["kind"]}, role_of(name)
    fields, first = _with_options(state, fields, start + 1, end if last is None else last)
    if fields["kind"].endswith("-start") and last is not None:  # the box ends with a directive of its own
        ends = re.compile(rf"`{{3,}}\{{{hit['kind'].removesuffix('start')}end\}}.*")
        fields, first = {**fields, "title": "", "block": ""}, last + 1
        last = next((number for number in range(first, end) if ends.fullmatch(text_of(state, number).strip())), None)
    after = end if last is None else last + 1
    if fields["kind"].endswith("-start") and last is not None:
        after = min(last + 2, end)
    closing = Span(begin_of(state, last), state.eMarks[after - 1]) if last is not None else None
    fields["kind"] = fields["kind"].removesuffix("-start")
    if role not in READ_INSIDE:
        return _opaque(state, fields, (start, after), range(first, end if last is None else last))
    opening = Span(begin_of(state, start), state.eMarks[first - 1])
    _box(state, "directive", fields, (start, after), opening, state.blkIndent, closing)
    return True


def _with_options(state: StateBlock, fields: Fields, first: int, end: int) -> tuple[dict[str, str], int]:
    """The fields and options of a directive, each behind a colon, and the line after these."""
    options: dict[str, str] = {}
    pattern = _OPTION
    if first < end and _RULE.fullmatch(text_of(state, first)):
        pattern, first = _YAML_LINE, first + 1
    elif first < end and _CELL_OPTION.fullmatch(text_of(state, first)):
        pattern = _CELL_OPTION
    while first < end and (option := pattern.fullmatch(text_of(state, first).strip())):
        options[f":{option['key'].removeprefix(':')}"] = (option["value"] or "").strip("\"'")
        first += 1
    first += pattern is _YAML_LINE and first < end
    label = options.get(":name") or options.get(":label") or fields.get("block", "")
    title = fields.get("title") or options.get(":title", "")
    return {**fields, **options, "title": title, "block": label}, first


def _opaque(state: StateBlock, fields: Fields, lines: tuple[int, int], inside: range) -> bool:
    code = state.getLines(inside.start, inside.stop, state.sCount[lines[0]], False) if inside else ""
    return leaf(state, "opaque", *lines, {**fields, "code": code})


_BRACED = reduce(lambda inner, _: rf"\{{(?:[^{{}}]++|{inner})*+\}}", range(15), r"\{[^{}]*+\}")
VALUE = rf"\"[^\"]*\"|'[^']*'|{_BRACED}"
"""Of an attribute of JSX."""
COMPONENT = regex(rf"<(?P<name>[A-Z][\w.]*)(?P<attributes>(?:\s(?:[^<>{{}}\"'/]|/(?!>)|{VALUE})*)?)(?P<empty>/?)>")
_TAGS = r"[A-Z][\w.]*|aside|details|div"
_PAIRED = regex(
    r"(?P<code>^[ >]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?^[ >]*(?P=fence)[`~]*[ \t]*$|.*))"
    r"|\{\{[<%][ \t]*(?P<end_short>/?)[ \t]*(?P<shortcode>[\w/-]+)"
    r"(?P<of_shortcode>(?:(?!\}\})[^\n]){0,1000}?)(?P<self>/?)[ \t]*[>%]\}\}"
    r"|\{%-?[ \t]*(?P<end_liquid>end)?(?P<liquid>\w+)(?P<of_liquid>(?:(?!%\})[^\n]){0,500}?)-?%\}"
    rf"|<(?P<end_tag>/?)(?P<tag>{_TAGS})(?P<of_tag>\s(?:[^<>{{}}\"'/]|/(?!>)|{VALUE})*)?>"
    r"|^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<colons>:{3,}|/{3,}(?=[ \t]*(?:[\w-]+[ \t]*(?:[|{]|$)|$)))[ \t]*"
    r"(?:(?:\{(?P<braces>[^{}\n]*)\}|(?P<kind>[A-Za-z][\w-]*)(?=[\s\[{|]|$))(?P<bracket>\[[^\]\n]*\])?"
    r"(?:[ \t]*\{(?P<options>[^{}\n]*)\})?(?P<title>[^\n]*)|(?P<end_colons>)[ \t]*$)",
    re.DOTALL | re.MULTILINE,
)
"""The first and the last marks of boxes, and blocks of code, in which there are none."""
_SUMMARY = regex(r"\s*<summary\b[^>]*>(?P<title>.*?)</summary\s*>", re.DOTALL | re.IGNORECASE)


_Pairs = dict[int, tuple[re.Match[str], Span | None]]
"""The first marks of boxes by where they are, each with the place of its last one."""


def _pairs(state: StateBlock) -> _Pairs:
    """Those of the text, which are looked for once."""
    if "pairs" not in state.env:
        pairs: _Pairs = {}
        opened: dict[str, list[re.Match[str]]] = {}
        for mark in _PAIRED.finditer(state.src):
            if mark["colons"]:
                _take_colons(mark, opened.setdefault(":", []), pairs)
            elif not mark["code"] and (mark["tag"] != "div" or state.env["mdx"]):
                name = f"<{mark['tag'].lower()}" if mark["tag"] else mark["shortcode"] or f"%{mark['liquid']}"
                stack = opened.setdefault(name, [])
                if not (mark["end_short"] or mark["end_liquid"] or mark["end_tag"]):
                    stack += [] if mark["self"] else [mark]
                elif stack:
                    first = stack.pop()
                    pairs[first.start()] = first, Span(*mark.span())
        state.env["pairs"] = pairs
    known: _Pairs = state.env["pairs"]
    return known


def _take_colons(mark: re.Match[str], stack: list[re.Match[str]], pairs: _Pairs) -> None:
    """A mark of a directive: its last one has as many colons as the first, or more; without it all is inside."""
    count = len(mark["colons"])
    if mark["end_colons"] is None:
        stack.append(mark)
        pairs[mark.start("colons")] = mark, None
    elif any(len(other["colons"]) <= count for other in stack):
        while len(stack[-1]["colons"]) > count:
            stack.pop()
        first = stack.pop()
        pairs[first.start("colons")] = first, Span(mark.start("colons"), mark.end())


def paired(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A box with an end of its own: directives, shortcodes, tags of Liquid, and of HTML or JSX."""
    at = begin_of(state, start)
    if state.src[at : at + 1] not in ("<", "{", ":", "/") or state.is_code_block(start):
        return False
    hit, closing = _pairs(state).get(at, (None, None))
    if hit is None:
        return False
    starts = state.env["starts"]
    after = end if closing is None else _line_of(starts, closing.start) + 1
    if hit["liquid"] and (after == start + 1 or hit["liquid"] == "comment"):
        return False
    if hit["tag"] and closing and after == start + 1 and state.src[closing.end : state.eMarks[start]].strip():
        return False  # the words behind it are of the same line
    if after > end or any(
        state.sCount[number] < state.blkIndent and not state.isEmpty(number) for number in range(start + 1, after)
    ):
        if not hit["colons"]:
            return False
        after, closing = end, None
    if silent:
        return True
    if hit["colons"]:
        return _colons(state, hit, (start, after), closing)
    form = next(form for form in ("tag", "shortcode", "liquid") if hit[form])
    fields, opening = {"form": form, "name": hit[form], "arguments": hit[f"of_{form}"] or ""}, Span(at, hit.end())
    summary = _SUMMARY.match(state.src, hit.end(), closing.start if closing else 0) if hit["tag"] else None
    if summary:
        fields["title"], opening = summary["title"], Span(at, summary.end())
    first = _line_of(starts, opening.end) + 1
    indents = [state.sCount[number] for number in range(first, after - 1) if not state.isEmpty(number)]
    column = min(indents) if indents and form == "tag" else state.blkIndent
    _box(state, "element", fields, (start, after), opening, max(column, state.blkIndent), closing)
    return True


_BLOCK_OPTION = regex(r"[ ]{4}(?P<key>[a-z_]+):[ \t]*(?P<value>.*)")
_BRACES = regex(r"[ \t]*\{[^{}]*\}[ \t]*$")
_ID = regex(r"(?<![^\s{])#([\w:.-]+)")
_CALLOUT = regex("^callout-?|^admonition-?")


def _of_colons(hit: re.Match[str]) -> Fields:
    """The kind of a box between colons, its title, its label and its options, which pandoc has in braces."""
    known, braces, rest = tables(), (hit["braces"] or "").strip(), hit["title"] or ""
    options, _ = arguments(f"{braces} {hit['options'] or ''}")
    label = _ID.search(f"{braces} {hit['options'] or ''} {rest}")
    title = (hit["bracket"] or "")[1:-1] or options.get("title", "") or _BRACES.sub("", rest).strip(" \t|")
    kind = hit["kind"] or braces
    if braces and not role_of(braces):
        kinds = [_CALLOUT.sub("", name[1:]) or "note" for name in braces.split() if name[0] == "."]
        if label:
            kinds.append(known.labels.get(re.split("[-:]", label[1])[0], ""))
        kind = next((name for name in kinds if role_of(name) == BOX), "div")
        title = title or options.get("name", "")
    kind = "details" if options.get("collapse") == "true" else _CALLOUT.sub("", kind) or "note"
    headed = "yes" if braces and not role_of(braces) else ""
    return {"kind": kind, "title": title, "block": label[1] if label else "", "headed": headed}


_ARGUMENT = regex(
    r"""(?:([A-Za-z_:@][\w:.-]*)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|\{["'`]?([^{}]*?)["'`]?\}|([^\s"'=<>`]\S*))"""
)


def arguments(written: str) -> tuple[dict[str, str], list[str]]:
    """The arguments of a tag or shortcode with a name, by that in small letters, and those without one."""
    named: dict[str, str] = {}
    values: list[str] = []
    for name, *forms in _ARGUMENT.findall(written):
        value = unescape(next(filter(None, forms), ""))
        if name:
            named[name.lower()] = value
        else:
            values.append(value)
    return named, values


def _colons(state: StateBlock, hit: re.Match[str], lines: tuple[int, int], closing: Span | None) -> bool:
    """A directive between colons."""
    start, after = lines
    starts = state.env["starts"]
    fields: Fields = _of_colons(hit)
    first, last = start + 1, _line_of(starts, closing.start) if closing else after
    opening = Span(begin_of(state, start), hit.end())
    if state.src[opening.start] == "/":
        while first < last and (
            option := _BLOCK_OPTION.fullmatch(state.src[state.bMarks[first] : state.eMarks[first]])
        ):
            fields, first = {**fields, f":{option['key']}": option["value"]}, first + 1
        opening = Span(opening.start, state.eMarks[first - 1])
    if role := role_of((hit["braces"] or "").strip()):
        fields, first = _with_options(state, fields, first, last)
        opening = Span(opening.start, state.eMarks[first - 1])
    if role not in ("", *READ_INSIDE):
        return _opaque(state, fields, lines, range(first, last))
    _box(state, "directive", fields, lines, opening, state.blkIndent, closing)
    return True
