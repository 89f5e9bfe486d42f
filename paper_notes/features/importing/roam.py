"""Pages of Roam as Markdown: blocks are an outline, attributes at its top are facts."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator

from paper_notes.document.write import table_of
from paper_notes.features.importing.formats import written_as_markdown
from paper_notes.features.importing.unpacking import Json
from paper_notes.features.papers.records import mappings
from paper_notes.patterns import regex

_TASK = regex(r"\{\{(?:\[\[)?(TODO|DONE)(?:\]\])?\}\}\s*")
_ATTRIBUTE = regex(r"(?P<key>(?:\[\[)?[^\n:`\[\]|]{1,60}(?:\]\])?)::[ \t]*(?P<value>[^\n]*)")
_SHOWN = regex(r"\{\{(?:\[\[)?(?:embed|video|youtube|iframe|pdf)(?:\]\])?:\s*(?P<what>[^{}]*?)\s*\}\}")
_ALIAS = regex(r"\[(?P<words>[^\[\]]*)\]\((?:\(*)?\[\[(?P<target>[^\[\]|]+)(?:\|[^\[\]]*)?\]\](?:\)*)?\)")
_TAG = regex(r"(?<![\w/&])#(?:\[\[(?P<long>[^\[\]]+)\]\]|(?P<short>[\w/-]+))")
_TAGS = regex(r"#?\[\[([^\[\]]+)\]\]|#([\w/-]+)")
_ITALIC = regex(r"(?<!_)__(?=\S)(?P<words>[^_\n]+?)(?<=\S)__(?!_)")
_MARK = regex(r"\^\^(?=\S)(?P<words>[^^\n]+?)(?<=\S)\^\^")
_FORMULA = regex(r"\$\$(?P<tex>[^$]+?)\$\$")
_FENCE = regex(r"```(?P<language>[\w+#-]*)\n(?P<code>.*?)\n?```", re.DOTALL)
_TABLE = regex(r"\{\{(?:\[\[)?table(?:\]\])?\}\}\s*")


def as_markdown(text: str) -> str:
    """The page in this JSON as Markdown with front matter."""
    page = json.loads(text)
    known = frozenset(map(str, page.get("pages") or ()))
    facts, blocks = _facts(page)
    front = [f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts]
    return "\n".join(["---", *front, "---", "", *_outline(blocks, known), ""])


def _facts(page: Json) -> tuple[list[tuple[str, str | list[str]]], list[Json]]:
    """The title, the days, and attributes at the top of a page, and the blocks below these."""
    days = (("date", page.get("create-time")), ("updated", page.get("edit-time")))
    facts: list[tuple[str, str | list[str]]] = [("title", str(page.get("title", "")))]
    facts += [(key, _day(time)) for key, time in days if time]
    blocks = mappings(page.get("children"))
    while (
        blocks and not blocks[0].get("children") and (match := _ATTRIBUTE.fullmatch(str(blocks[0].get("string", ""))))
    ):
        key, value = match["key"].strip("* []").lower(), match["value"]
        tags = [tag for pair in _TAGS.findall(value) for tag in pair if tag]
        facts.append((key, tags if tags and key in ("tags", "tag") else value.replace("[[", "").replace("]]", "")))
        blocks = blocks[1:]
    return [*dict(facts).items()], blocks


def _day(time: object) -> str:
    try:
        return datetime.datetime.fromtimestamp(float(str(time)) / 1000, datetime.UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def _outline(blocks: list[Json], known: frozenset[str]) -> Iterator[str]:
    """Headings, what is below them, and lists of all other blocks."""
    for block in blocks:
        if isinstance(heading := block.get("heading"), int) and 0 < heading < 4:
            yield from ("", f"{'#' * (heading + 1)} {' '.join(_words(block, known).split())}", "")
            yield from _outline(mappings(block.get("children")), known)
        else:
            yield from _item(block, known)


def _item(block: Json, known: frozenset[str]) -> Iterator[str]:
    """A block and those below it as an item of a list; without recursion, which has an end in Python."""
    stack = [(block, 0)]
    while stack:
        block, depth = stack.pop()
        blanks = "    " * min(depth, 20)
        if _TABLE.fullmatch(str(block.get("string", ""))):
            yield from ("", *(f"{blanks}{line}" for line in _table(block, known)), "")
            continue
        first, *more = _words(block, known).split("\n")
        yield f"{blanks}- {first}"
        yield from (f"{blanks}  {line}" for line in more)
        stack += [(child, depth + 1) for child in mappings(block.get("children"))][::-1]


def _table(block: Json, known: frozenset[str]) -> list[str]:
    """A table: each row is a chain of blocks, one below the other."""
    rows = []
    for child in mappings(block.get("children")):
        cells, cell = [], child
        while cell:
            cells.append(" ".join(_words(cell, known).replace("|", r"\|").split()))
            cell = next(iter(mappings(cell.get("children"))), {})
        rows.append(cells)
    return table_of(rows) if rows else []


def _words(block: Json, known: frozenset[str]) -> str:
    """The text of a block in the signs of Markdown."""
    text = str(block.get("string", ""))
    parts = _FENCE.split(text)
    if len(parts) == 1:
        text = _line(text, known)
    else:  # language and code follow each other behind the words before them
        text = ""
        for at in range(0, len(parts) - 1, 3):
            text += f"{_line(parts[at], known)}\n\n```{parts[at + 1]}\n{parts[at + 2]}\n```\n\n"
        text = (text + _line(parts[-1], known)).strip()
    name = block.get("named")
    return f"{text} ^{name}" if name else text


def _line(text: str, known: frozenset[str]) -> str:
    text = _TASK.sub(lambda match: "[x] " if match[1] == "DONE" else "[ ] ", text)
    text = _SHOWN.sub(lambda match: match["what"], text)
    text = _ALIAS.sub(lambda match: f"[[{match['target']}|{match['words']}]]", text)
    text = _TAG.sub(lambda match: _tag(match, known), text)
    text = _ITALIC.sub(r"*\g<words>*", _MARK.sub(r"==\g<words>==", _FORMULA.sub(r"$\g<tex>$", text)))
    if match := _ATTRIBUTE.fullmatch(text):
        return f"**{match['key'].strip('* ')}**: {match['value']}"
    return text


def _tag(match: re.Match[str], known: frozenset[str]) -> str:
    name = match["long"] or match["short"]
    return f"[[{name}|#{name}]]" if name in known else f"#{name}"


FORMAT = written_as_markdown("roam", (".roam",), as_markdown)
