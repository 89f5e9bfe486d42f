"""Boxes of others, as our components: admonitions, tabs, callouts, directives, folds, shortcodes around text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.lines import FENCE, Line, dedented, fence_end, indented, shifted
from paper_notes.features.importing.markdown.tags import attributes

Made = tuple[list[Line], int] | None
"""Lines, and the index after those that they stand for; None: nothing of the kind."""
Again = Callable[[list[Line]], list[Line]]
"""Converts what is inside of a box."""


@dataclass(frozen=True, slots=True)
class Container:
    """One kind of box: how its first line looks, and what it becomes."""

    name: str
    pattern: re.Pattern[str]
    make: Callable[[Conversion, Sequence[Line], int, re.Match[str], Again], Made]


def box(conversion: Conversion, kind: str, title: str, inner: Sequence[Line], first: Line, last: int = 0) -> list[Line]:
    """A component around lines. A kind that is none is an alert: its name is its title, in the language of the note."""
    name = conversion.tables.callouts.get(kind.lower(), "")
    title = title.strip()
    if not name:
        return _alert(f"[!{kind}] {title}".rstrip(), inner, first)
    if name == "figure" or (name == "quote" and not title):
        name = "note" if name == "figure" else name
    indent = " " * first.indent
    head = f"{indent}:::{name} {title}".rstrip() if title else f"{indent}:::{name}"
    inside = [*inner]
    while inside and not inside[0].words:
        del inside[0]
    while inside and not inside[-1].words:
        del inside[-1]
    if not inside and title:
        inside, head = [Line(first.number, indent + title)], f"{indent}:::{name}"
    after = Line(inside[-1].number if inside else first.number, f"{indent}:::")
    return [Line(first.number, ""), Line(first.number, head), *inside, after, Line(after.number, "")]


def _alert(head: str, inner: Sequence[Line], first: Line) -> list[Line]:
    """A quotation that is a box, as we read it, too."""
    made = [Line(first.number, head)]
    place = 0
    while place < len(inner):
        words = inner[place].words
        end = fence_end(inner, place) if FENCE.match(words) else place + 1
        if words or (len(made) > 1 and made[-1].words):
            made += inner[place:end]
        place = end
    while not made[-1].words:
        made.pop()
    indent = " " * first.indent
    quoted = [line.with_text(f"{indent}> {line.text[min(line.indent, first.indent) :]}".rstrip()) for line in made]
    return [Line(first.number, ""), *quoted, Line(made[-1].number, "")]


def _admonition(conversion: Conversion, lines: Sequence[Line], place: int, found: re.Match[str], again: Again) -> Made:
    """`!!! note "Title"` of MkDocs, with its text indented; `???` is folded, `???+` open at first."""
    first = lines[place]
    end = indented(lines, place + 1, first.indent + 4)
    if (
        end == place + 1
        and place + 1 < len(lines)
        and lines[place + 1].words
        and lines[place + 1].indent > first.indent
    ):
        end = indented(lines, place + 1, lines[place + 1].indent)
    inner = again(dedented(lines[place + 1 : end], 4))
    kinds = [kind for kind in found["kinds"].split() if kind not in ("inline", "end", "annotate")]
    title = found["title"]
    kind = kinds[0] if kinds else "note"
    if found["sign"] == "???" and not found["open"]:
        known = conversion.tables.callouts.get(kind, "")
        return box(conversion, "details", title or ("" if known == "details" else kind.capitalize()), inner, first), end
    return box(conversion, kind, title or "", inner, first), end


def _tab(conversion: Conversion, lines: Sequence[Line], place: int, found: re.Match[str], again: Again) -> Made:
    """`=== "Tab"`: its title above its text."""
    first = lines[place]
    end = indented(lines, place + 1, first.indent + 4)
    if end == place + 1:
        return None
    conversion.report("changed", "tab", "tabs follow one another", first.number)
    return [*_titled(first, found["title"]), *again(dedented(lines[place + 1 : end], 4))], end


def _titled(first: Line, title: str) -> list[Line]:
    words = f"{' ' * first.indent}**{title.strip()}**" if title.strip() else ""
    return [Line(first.number, ""), Line(first.number, words), Line(first.number, "")]


def _directive(conversion: Conversion, lines: Sequence[Line], place: int, found: re.Match[str], again: Again) -> Made:
    """`:::tip Title` of Docusaurus, VitePress, Pandoc and MyST."""
    first = lines[place]
    inside = found["braces"] or ""
    kind = found["kind"] or next((name[1:] for name in inside.split() if name.startswith(".")), inside.strip())
    kind = re.sub("^callout-?|^admonition-?", "", kind) or "note"
    options = attributes(" ".join(filter(None, (inside, found["options"]))))
    title = (found["bracket"] or "")[1:-1] or options.get("title", "") or (found["title"] or "").strip()
    end, after = _directive_end(lines, place, len(found["colons"]))
    inner = again(list(lines[place + 1 : end]))
    if not kind or kind.lower() in {name.lower() for name in conversion.tables.unwrapped}:
        return [*_titled(first, title), *inner, Line(lines[min(after, len(lines)) - 1].number, "")], after
    return box(conversion, kind, title, inner, first), after


def _directive_end(lines: Sequence[Line], place: int, colons: int) -> tuple[int, int]:
    """The index of the line that closes a directive, and that after it."""
    opened = [colons]
    number = place + 1
    while number < len(lines):
        words = lines[number].words
        if FENCE.match(words):
            number = fence_end(lines, number)
            continue
        if words.startswith(":::"):
            count = len(words) - len(words.lstrip(":"))
            if words.strip(":").strip():
                opened.append(count)
            elif any(one <= count for one in opened):
                while opened and opened[-1] > count:
                    opened.pop()
                opened.pop()
                if not opened:
                    return number, number + 1
        number += 1
    return len(lines), len(lines)


def _stray(conversion: Conversion, lines: Sequence[Line], place: int, found: re.Match[str], again: Again) -> Made:
    return [lines[place].with_text(f"{' ' * lines[place].indent}\\{found[0]}")], place + 1


def _details(conversion: Conversion, lines: Sequence[Line], place: int, found: re.Match[str], again: Again) -> Made:
    """`<details><summary>Title</summary>` ... `</details>`."""
    depth, last = 0, -1
    for number in range(place, len(lines)):
        depth += len(re.findall(r"<details\b", lines[number].text, re.IGNORECASE))
        depth -= len(re.findall(r"</details\s*>", lines[number].text, re.IGNORECASE))
        if depth <= 0:
            last = number
            break
    if last < 0:
        return None
    text = "\n".join(line.text for line in lines[place : last + 1])
    opening = re.match(r"\s*<details\b[^>]*>", text, re.IGNORECASE)
    closing = [*re.finditer(r"</details\s*>", text, re.IGNORECASE)][-1]
    assert opening
    inner, after = text[opening.end() : closing.start()], text[closing.end() :]
    summary = re.match(r"\s*<summary\b[^>]*>(.*?)</summary\s*>", inner, re.DOTALL | re.IGNORECASE)
    title = " ".join(summary[1].split()) if summary else ""
    title = re.sub(r"</?(?:b|strong|h[1-6]|p|div|span|i|em)\b[^>]*>", "", title)
    start = opening.end() + (summary.end() if summary else 0)
    skipped = text.count("\n", 0, start)
    body = text[start : closing.start()].split("\n")
    inside = [Line(lines[place].number + skipped + at, line) for at, line in enumerate(body)]
    if first := next((line for line in inside if line.words), None):
        common = min((line.indent for line in inside if line.words), default=0) if first.indent else 0
        inside = dedented(inside, common)
        inside = shifted(again(inside), lines[place].indent)
    tail = again([Line(lines[last].number, after)]) if after.strip() else []
    return [*box(conversion, "details", title, inside, lines[place]), *tail], last + 1


def _jsx_box(conversion: Conversion, lines: Sequence[Line], place: int, found: re.Match[str], again: Again) -> Made:
    """`<Admonition type="tip" title="...">` ... `</Admonition>`."""
    ending = f"</{found['name']}>"
    last = next((at for at in range(place + 1, len(lines)) if lines[at].words == ending), -1)
    if last < 0:
        return None
    options = attributes(found["rest"] or "")
    kind = options.get("type", "") or (
        "note" if found["name"] in ("Admonition", "Callout", "Aside", "aside") else found["name"]
    )
    inside = list(lines[place + 1 : last])
    inside = dedented(inside, min((line.indent for line in inside if line.words), default=0))
    inner = shifted(again(inside), lines[place].indent)
    return box(conversion, kind, options.get("title", ""), inner, lines[place]), last + 1


def _quote(conversion: Conversion, lines: Sequence[Line], place: int, found: re.Match[str], again: Again) -> Made:
    """A quotation; `> [!kind]- Title` is a callout of Obsidian and GitHub."""
    first, end = lines[place], place
    while end < len(lines):
        words = lines[end].words
        lazy = end > place and words and _LAZY.match(words) and _LAZY.match(lines[end - 1].words.lstrip("> "))
        if not words.startswith(">") and not lazy:
            break
        end += 1
    inside = [_unquoted(line) for line in lines[place:end]]
    head = _HEAD.fullmatch(inside[0].words)
    if head is None:
        made = again(inside)
        while made and not made[-1].words:
            made.pop()
        while made and not made[0].words:
            del made[0]
        indent = " " * first.indent
        return [line.with_text(f"{indent}> {line.text}".rstrip()) for line in made], end
    kind = head["kind"].partition("|")[0].strip()
    title = f"[!{kind}]{head['fold']} {head['title'] or ''}".rstrip()
    return _alert(title, shifted(again(inside[1:]), first.indent), first), end


_LAZY = re.compile(r"(?![-*+>#|:!?=]|\d+[.)]|```|~~~|<|\$\$)\S")
_HEAD = re.compile(r"\[!(?P<kind>[^\[\]]+)\](?P<fold>[+-]?)(?:[ \t]+(?P<title>.*)|(?P<none>[ \t]*))")


def _unquoted(line: Line) -> Line:
    words = line.words
    if not words.startswith(">"):
        return line.with_text(words)
    return line.with_text(words[2:] if words[1:2] == " " else words[1:])


CONTAINERS = (
    Container(
        "admonition",
        re.compile(
            r"(?P<sign>!!!|\?\?\?)(?P<open>\+?)[ \t]*(?P<kinds>[A-Za-z][\w -]*)(?:[ \t]*\"(?P<title>[^\n]*)\")?[ \t]*"
        ),
        _admonition,
    ),
    Container("tab", re.compile(r"===[!+]?[ \t]+\"(?P<title>[^\n]*)\"[ \t]*"), _tab),
    Container(
        "directive",
        re.compile(
            r"(?P<colons>:{3,})[ \t]*(?:\{(?P<braces>[^{}]*)\}|(?P<kind>[A-Za-z][\w-]*))"
            r"(?P<bracket>\[.*?\])?(?:[ \t]*\{(?P<options>[^{}]*)\})?(?P<title>.*)"
        ),
        _directive,
    ),
    Container("stray", re.compile(r":{3,}.*"), _stray),
    Container("details", re.compile(r"<details\b.*", re.IGNORECASE), _details),
    Container(
        "jsx",
        re.compile(
            r"<(?P<name>Admonition|Callout|[Aa]side|Note|Tip|Info|Warning|Caution|Danger|Important)(?P<rest>\s[^<>]*)?>"
        ),
        _jsx_box,
    ),
    Container("quote", re.compile(r">.*"), _quote),
)
"""The first come first. A row that our own syntax reads as it is can go."""
