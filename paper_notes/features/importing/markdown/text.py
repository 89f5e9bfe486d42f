"""A whole foreign text as one in our syntax: blocks first, then what stands in their lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from paper_notes.features.importing.markdown.blocks import blocks
from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.front import Front
from paper_notes.features.importing.markdown.headings import Headings
from paper_notes.features.importing.markdown.inline import inline, label
from paper_notes.features.importing.markdown.lines import FENCE, Line, fence_end, lines_of, prose
from paper_notes.features.importing.markdown.run import remark
from paper_notes.features.importing.markdown.tangled import with_tangled

_DEFINITION = re.compile(
    r"\[(?P<label>(?!\^)(?:[^\[\]\\]|\\.)+)\]:[ \t]*(?P<address><[^<>\n]*>|\S+)"
    r"(?P<title>[ \t]+(?:\"[^\"]*\"|'[^']*'|\(.*\)))?[ \t]*"
)
_FOOTNOTE = re.compile(r"\[\^(?P<label>[^\[\]\s]+)\]:")
_FOOTNOTE_USE = re.compile(r"(?<!\\)\[\^([^\[\]\s]+)\](?!:)")
_ADDRESSES = re.compile(
    r"(?<=\]\()\s*(?:\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?[\"`]?(?P<ref>[^\"`%>]+?)[\"`]?(?:\s+\"[^\"]*\")?\s*[%>]\}\}"
    r"|\{%\s*link\s+(?P<link>[^%]+?)\s*%\}|\{%\s*post_url\s+(?P<post>[^%]+?)\s*%\}"
    r"|\{\{\s*[\"'](?P<filtered>[^\"']*)[\"']\s*\|\s*(?:relative_url|absolute_url|relURL|absURL)\s*\}\}"
    r"|\{\{\s*(?:site\.baseurl|site\.url)\s*\}\}(?P<based>[^\s()]*))"
)
_NOTHING = re.compile(r"(`+[^`]*`+)|<!---?>")
"""A comment without an inside, which another `-->` does not end."""
_CELL = re.compile(r"(?<!\\)(\|)")


def definitions(lines: Sequence[Line]) -> dict[str, str]:
    """The addresses of the link definitions by their labels; footnotes are there with a `^`, without any."""
    found: dict[str, str] = {}
    for _, line in prose(lines):
        words = line.words.lstrip("> ")
        if not words.startswith("["):
            continue
        if link := _DEFINITION.fullmatch(words):
            address = link["address"]
            found.setdefault(label(link["label"]), address[1:-1] if address.startswith("<") else address)
        elif footnote := _FOOTNOTE.match(words):
            found.setdefault(f"^{footnote['label']}", "")
    return found


def text_lines(front: Front) -> tuple[list[Line], list[range]]:
    """The lines of the text, and the numbers of those that are code as nothing can read them.

    Front matter that cannot be read is a block of code, too.
    """
    lines, tangled = with_tangled(lines_of(_ADDRESSES.sub(_address, front.text), front.first_line))
    place = 0 if "<!-" in front.text else len(lines)
    while place < len(lines):
        if FENCE.match(lines[place].words):
            place = fence_end(lines, place)
        else:
            text = _NOTHING.sub(lambda found: found[1] or "", lines[place].text)
            lines[place] = lines[place].with_text(text)
            place += 1
    if front.broken:
        mark = lines[0].words[:3]
        last = next((at for at in range(1, len(lines)) if lines[at].words in (mark, "...")), 0)
        if last:
            lines[0] = lines[0].with_text("```text")
            lines[last] = lines[last].with_text("```")
    return lines, tangled


def _address(found: re.Match[str]) -> str:
    if found["link"] or found["post"]:
        return f"/{found['link']}" if found["link"] else f"/_posts/{found['post']}.md"
    return found["ref"] or found["filtered"] or found["based"] or ""


def converted(conversion: Conversion, lines: Sequence[Line], found: Headings) -> list[Line]:
    """The text in our syntax, without its title."""
    kept = [line for line in lines if not found.title_line <= line.number < found.title_line + found.title_lines]
    made = _in_lines(conversion, blocks(conversion, kept))
    return closed(_with_footnotes(_with_figures(made)))


@lru_cache(maxsize=1)
def _block_parser() -> MarkdownIt:
    md = MarkdownIt("commonmark").enable("table")
    md.use(footnote_plugin).use(deflist_plugin)
    md.use(dollarmath_plugin, allow_labels=False, allow_blank_lines=False)
    md.core.ruler.enableOnly(["normalize", "block"])
    return md


def _kinds(lines: Sequence[Line]) -> tuple[list[str], set[int]]:
    """Which lines are code (with formulas and comments) or tables, and where paragraphs begin."""
    kinds = [""] * len(lines)
    starts: set[int] = set()
    for token in _block_parser().parse("\n".join(line.text for line in lines)):
        if not token.map:
            continue
        first, last = token.map
        is_comment = token.type == "html_block" and token.content.lstrip().startswith("<!--")
        if is_comment or token.type in ("fence", "code_block", "math_block"):
            kinds[first:last] = ["code"] * (last - first)
        elif token.type == "table_open":
            kinds[first:last] = ["table"] * (last - first)
        elif token.type == "inline":
            starts.add(first)
    return kinds, starts


def _in_lines(conversion: Conversion, lines: list[Line]) -> list[Line]:
    """The lines with what stands in them rewritten; code, formulas and comments are not touched."""
    kinds, starts = _kinds(lines)
    made: list[Line] = []
    run: list[Line] = []

    def finish() -> None:
        if run:
            text = inline("\n".join(line.text for line in run), conversion, run[0].number)
            made.extend(Line(run[min(at, len(run) - 1)].number, part) for at, part in enumerate(text.split("\n")))
            run.clear()

    for place, line in enumerate(lines):
        is_head = line.words.startswith(":::")
        definition = _DEFINITION.fullmatch(line.words) if not kinds[place] else None
        if place in starts or kinds[place] or is_head or definition or not line.words:
            finish()
        if kinds[place] == "table":
            made.append(line.with_text(_row(conversion, line)))
        elif definition:
            conversion.remarks.append((len(made), definition["label"], _said(definition)))
            made.append(line.with_text(""))
        elif kinds[place] or not line.words:
            made.append(line)
        else:
            run.append(line)
            if is_head:
                finish()
    finish()
    return _with_remarks(conversion, made)


def _with_remarks(conversion: Conversion, made: list[Line]) -> list[Line]:
    """The lines; link definitions that no link has are comments."""
    for at, name, comment in conversion.remarks:
        if label(name) not in conversion.linked:
            made[at] = made[at].with_text(remark(f" {comment} "))
    return made


def _row(conversion: Conversion, line: Line) -> str:
    """A row of a table, cell by cell."""
    parts = _CELL.split(line.text)
    parts[::2] = [inline(part, conversion, line.number, in_table=True) for part in parts[::2]]
    return "".join(parts).replace("\n", " ")


def _said(definition: re.Match[str]) -> str:
    """What a link definition without a link says: some are comments, `[//]: # (comment)`."""
    is_comment = definition["label"] in ("//", "comment")
    return (definition["title"] or "").strip()[1:-1] if is_comment else definition[0]


def _with_figures(lines: list[Line]) -> list[Line]:
    """The lines; a figure whose picture is none any more is only its words."""
    dropped: set[int] = set()
    for place, line in enumerate(lines):
        if line.words == ":::figure":
            end = next((at for at in range(place, len(lines)) if lines[at].words == ":::"), place)
            if sum(inner.text.count("![") for inner in lines[place:end]) != 1:
                dropped |= {place, end}
    return [line.with_text("") if place in dropped else line for place, line in enumerate(lines)]


def _with_footnotes(lines: list[Line]) -> list[Line]:
    """The lines; footnotes that nothing refers to, and second ones of a name, are paragraphs."""
    text = "\n".join(line.text for line in lines)
    if "[^" not in text:
        return lines
    used = set(_FOOTNOTE_USE.findall(text))
    taken: set[str] = set()
    made: list[Line] = []
    for line in lines:
        found = _FOOTNOTE.match(line.words)
        if found and (found["label"] not in used or found["label"] in taken):
            made.append(line.with_text(f"\\[^{found['label']}]:{line.words[found.end() :]}"))
            continue
        if found:
            taken.add(found["label"])
        made.append(line)
    return made


def closed(lines: list[Line]) -> list[Line]:
    """The lines without more than one blank line in a row, except in code."""
    text = [line.text for line in lines]
    in_code = [False] * len(lines)
    fence = ""
    for place, one in enumerate(text):
        words = one.lstrip(" >")
        if fence:
            in_code[place] = True
            if words.startswith(fence) and not words.strip().strip(fence[0]):
                fence = ""
        elif words.startswith(("```", "~~~")):
            fence = words[: len(words) - len(words.lstrip(words[0]))]
    made: list[Line] = []
    for place, line in enumerate(lines):
        if not line.words and not in_code[place] and (not made or not made[-1].words):
            continue
        made.append(
            line
            if in_code[place]
            else line.with_text(line.text.rstrip() + ("  " if line.text.endswith("  ") and line.words else ""))
        )
    while made and not made[-1].words:
        made.pop()
    return made
