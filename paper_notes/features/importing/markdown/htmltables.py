"""Tables of HTML in Markdown, as tables of pipes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.tags import attributes

_PART = re.compile(
    r"<(?P<slash>/?)(?P<name>table|thead|tbody|tfoot|tr|td|th|caption|colgroup|col)(?P<rest>(?:\s[^<>]*)?)/?>",
    re.IGNORECASE,
)


_SPAN = re.compile(r"(row|col)span\s*=\s*[\"']?(\d{1,3})", re.IGNORECASE)


def table_end(text: str, start: int) -> int:
    """Where a table ends that may hold others."""
    depth = 0
    for found in re.finditer(r"<(/?)table(?=[\s/>])", text[start:], re.IGNORECASE):
        depth += -1 if found[1] else 1
        if not depth:
            return start + found.end() + 1
    return len(text)


@dataclass
class _Read:
    """The cells of a table, and the words around them."""

    rows: list[list[str]] = field(default_factory=list)
    spans: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    caption: str = ""
    after: str = ""


def table(conversion: Conversion, html: str) -> str:
    """A table of HTML as one of pipes; as HTML where cells hold blocks, or are merged as ours cannot be."""
    if re.search(r"<(?:table|ul|ol|pre|p|li|blockquote)\b", html[6:], re.IGNORECASE):
        conversion.report("changed", "html-table", "a table stays HTML, because its cells hold more than words")
        return _as_html(html)
    read = _read(html)
    rows = [*read.rows]
    if any(span != (1, 1) for span in read.spans.values()):
        grid = _grid(rows, read.spans)
        if grid is None:
            conversion.report("changed", "html-table", "a table stays HTML, because our tables cannot merge its cells")
            return _as_html(html)
        rows = grid
    rows = [row for row in rows if row]
    if not rows:
        return f"{read.caption}\n\n{read.after}"
    width = max(map(len, rows))
    lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows]
    lines.insert(1, f"| {' | '.join(['---'] * width)} |")
    return "\n".join([*([read.caption, ""] if read.caption else []), *lines, *(["", read.after] if read.after else [])])


def _read(html: str) -> _Read:
    read, cell = _Read(), False
    for found in _PART.finditer(html):
        name, until = found["name"].lower(), _PART.search(html, found.end())
        inner = " ".join(html[found.end() : until.start() if until else len(html)].split())
        inner = inner.replace("|", r"\|")
        if name == "tr" and not found["slash"]:
            read.rows.append([])
            cell = False
        elif name in ("td", "th"):
            cell = not found["slash"]
            if cell:
                read.rows = read.rows or [[]]
                read.spans[len(read.rows) - 1, len(read.rows[-1])] = _spans(found["rest"])
                read.rows[-1].append("")
        elif name == "caption" and not found["slash"]:
            read.caption, inner = inner, ""
        if inner and cell:
            read.rows[-1][-1] = f"{read.rows[-1][-1]} {inner}".strip()
        elif inner:
            read.after = f"{read.after} {inner}".strip()
    return read


def _spans(attributes: str) -> tuple[int, int]:
    """How many rows and columns a cell has."""
    found = {name.lower(): int(number) or 1 for name, number in _SPAN.findall(attributes)}
    return found.get("row", 1), found.get("col", 1)


def _grid(rows: list[list[str]], spans: Mapping[tuple[int, int], tuple[int, int]]) -> list[list[str]] | None:
    """The rows with a mark for each place that a cell above or on the left takes; None if our tables cannot say it."""
    taken: dict[tuple[int, int], str] = {}
    made: list[list[str]] = []
    for number, row in enumerate(rows):
        line: list[str] = []
        for place, text in enumerate(row):
            while (number, len(line)) in taken:
                line.append(taken[number, len(line)])
            high, wide = min(spans[number, place][0], len(rows) - number), spans[number, place][1]
            if high > 1 and (wide > 1 or not made):
                return None
            taken |= {(number + below, len(line)): "^^" for below in range(1, high)}
            line += [f"\\{text}" if text in ("^^", "<<") else text, *["<<"] * (wide - 1)]
        while (number, len(line)) in taken:
            line.append(taken[number, len(line)])
        made += [line] if line else []
    return made


def _as_html(html: str) -> str:
    """The table with a blank line around what is in each cell, so that it is read as Markdown."""
    parts: list[str] = []
    done = 0
    for found in _PART.finditer(html):
        inner = "\n".join(line.strip() for line in _inner(html[done : found.start()]).split("\n")).strip()
        if inner:
            parts.append(f"\n{inner}\n")
        name = found["name"].lower()
        kept = {
            key: value
            for key, value in attributes(found["rest"]).items()
            if key in ("colspan", "rowspan") and value.isdigit()
        }
        options = "".join(f' {key}="{value}"' for key, value in kept.items())
        if name not in ("col", "colgroup"):
            parts.append(f"<{found['slash']}{name}{options}>")
        done = found.end()
    rest = html[done:].strip()
    return "\n".join([*parts, *([rest] if rest else [])])


def _inner(html: str) -> str:
    """Blocks within a cell."""
    html = re.sub(r"<li\b[^>]*>", "\n- ", html, flags=re.IGNORECASE)
    html = re.sub(r"</?(?:p|ul|ol|div)\b[^>]*>", "\n\n", html, flags=re.IGNORECASE)
    return re.sub(r"</li>", "", html, flags=re.IGNORECASE)
