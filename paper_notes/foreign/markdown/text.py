"""A whole foreign text as one in our syntax: blocks first, then what stands in their lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from paper_notes.foreign.markdown.blocks import blocks
from paper_notes.foreign.markdown.conversion import Conversion
from paper_notes.foreign.markdown.front import Front
from paper_notes.foreign.markdown.headings import Headings
from paper_notes.foreign.markdown.inline import inline, label
from paper_notes.foreign.markdown.lines import Line, lines_of, prose
from paper_notes.foreign.markdown.run import remark

_DEFINITION = re.compile(r"\[(?P<label>(?!\^)(?:[^\[\]\\]|\\.)+)\]:[ \t]*(?P<address><[^<>\n]*>|\S+)(?P<title>[ \t]+(?:\"[^\"]*\"|'[^']*'|\(.*\)))?[ \t]*")
_FOOTNOTE = re.compile(r"\[\^(?P<label>[^\[\]\s]+)\]:")
_FOOTNOTE_USE = re.compile(r"(?<!\\)\[\^([^\[\]\s]+)\](?!:)")
_ADDRESSES = re.compile(
    r"(?<=\]\()\s*(?:\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?[\"`]?(?P<ref>[^\"`%>]+?)[\"`]?(?:\s+\"[^\"]*\")?\s*[%>]\}\}"
    r"|\{%\s*link\s+(?P<link>[^%]+?)\s*%\}|\{%\s*post_url\s+(?P<post>[^%]+?)\s*%\}"
    r"|\{\{\s*[\"'](?P<filtered>[^\"']*)[\"']\s*\|\s*(?:relative_url|absolute_url|relURL|absURL)\s*\}\}"
    r"|\{\{\s*(?:site\.baseurl|site\.url)\s*\}\}(?P<based>[^\s()]*))"
)
_CELL = re.compile(r"(?<!\\)(\|)")
_COMPONENT = re.compile(r" *:{3,} *[A-Za-z]")


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


def text_lines(front: Front) -> list[Line]:
    """The lines of the text; front matter that cannot be read is a block of code."""
    lines = lines_of(_ADDRESSES.sub(_address, front.text), front.first_line)
    if front.broken:
        mark = lines[0].words[:3]
        last = next((at for at in range(1, len(lines)) if lines[at].words in (mark, "...")), 0)
        if last:
            lines[0] = lines[0].with_text("```text")
            lines[last] = lines[last].with_text("```")
    return lines


def _address(found: re.Match[str]) -> str:
    if found["link"] or found["post"]:
        return f"/{found['link']}" if found["link"] else f"/_posts/{found['post']}.md"
    return found["ref"] or found["filtered"] or found["based"] or ""


def converted(conversion: Conversion, lines: Sequence[Line], found: Headings, raw: frozenset[int]) -> list[Line]:
    """The text in our syntax. Blocks with one of the lines `raw` of the original are put there as they are, as text."""
    kept = [line for line in lines if not found.title_line <= line.number < found.title_line + found.title_lines]
    made = _in_lines(conversion, blocks(conversion, kept), raw)
    return closed(_with_footnotes(made))


@lru_cache(maxsize=1)
def _block_parser() -> MarkdownIt:
    md = MarkdownIt("commonmark").enable("table")
    md.use(footnote_plugin).use(deflist_plugin)
    md.use(dollarmath_plugin, allow_labels=False, allow_blank_lines=False)
    md.core.ruler.enableOnly(["normalize", "block"])
    return md


def _in_lines(conversion: Conversion, lines: list[Line], raw: frozenset[int]) -> list[Line]:
    """The lines with what stands in them rewritten; code, formulas and comments are not touched."""
    tokens = _block_parser().parse("\n".join(line.text for line in lines))
    kind = [""] * len(lines)
    starts = set()
    for token in tokens:
        if not token.map:
            continue
        first, last = token.map
        if token.type in ("fence", "code_block", "math_block") or (
            token.type == "html_block" and token.content.lstrip().startswith("<!--")
        ):
            kind[first:last] = ["code"] * (last - first)
        elif token.type == "table_open":
            kind[first:last] = ["table"] * (last - first)
        elif token.type == "inline" and not token.level == -1:
            starts.add(first)
    made: list[Line] = []
    run: list[Line] = []

    def finish() -> None:
        if run:
            text = inline("\n".join(line.text for line in run), conversion, run[0].number)
            made.extend(Line(run[min(at, len(run) - 1)].number, part) for at, part in enumerate(text.split("\n")))
            run.clear()

    for place, line in enumerate(lines):
        if kind[place] == "code":
            finish()
            made.append(line)
        elif kind[place] == "table":
            finish()
            parts = [
                part if part == "|" else inline(part, conversion, line.number, in_table=True)
                for part in _CELL.split(line.text)
            ]
            made.append(line.with_text("".join(parts).replace("\n", " ")))
        elif not line.words:
            finish()
            made.append(line)
        elif (definition := _DEFINITION.fullmatch(line.words)) and "[" in line.words[:1]:
            finish()
            if label(definition["label"]) not in conversion.used:
                comment = line.words if definition["label"] not in ("//", "comment") else (definition["title"] or "").strip()[1:-1]
                conversion.remarks.append((len(made), definition["label"], comment))
            made.append(line.with_text(""))
        else:
            if place in starts or _COMPONENT.match(line.text) or line.words.startswith(":::"):
                finish()
            run.append(line)
            if line.words.startswith(":::"):
                finish()
    finish()
    for at, name, comment in conversion.remarks:
        if label(name) not in conversion.used:
            made[at] = made[at].with_text(remark(f" {comment} "))
    return made


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
            made.append(line.with_text(f"\\[^{found['label']}\\]:{line.words[found.end() :]}"))
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
    for place, line in enumerate(text):
        words = line.lstrip(" >")
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
        made.append(line if in_code[place] else line.with_text(line.text.rstrip() + ("  " if line.text.endswith("  ") and line.words else "")))
    while made and not made[-1].words:
        made.pop()
    return made
