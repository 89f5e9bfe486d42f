"""Outlines of Logseq as Markdown: bullets with headings are sections, properties of blocks are names or nothing.

Up to the next section as many blank lines stand as lines are gone: places in the file are about what they were.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from paper_notes.features.importing.markdown.boxes import FENCE, is_fence_end
from paper_notes.patterns import regex
from paper_notes.values import Struct, field, replace

_BULLET = regex(r"(?P<indent>[ \t]*)-(?:[ \t]+(?P<words>.*))?")
_PROPERTY = regex(r"[ \t]*(?P<key>[\w.-]+)::(?:[ \t]+(?P<value>.*))?")
_HEADING = regex(r"#{1,6}[ \t]+\S")
_OWN = regex(r"collapsed|heading|id|background-color|created-at|updated-at|ls-type|hl-.*|logseq\..*")
"""Properties that say something to Logseq only."""
_INDENT = "    "
_BLOCK = regex(r"(?P<code>`+[^`]*`+)|(?P<link>\]\()?\(\((?P<name>[0-9a-f]{8}-[0-9a-f-]{27})\)\)")
"""What refers to a block, and code, in which nothing does."""
_READ = regex(r"file(?:-path)?::.*?(?P<folder>[^()\s]+)\.pdf\b")
"""The PDF that a page of highlights is of; pictures of it are in a folder beside, of this name."""
_TASK = regex(r"(?:TODO|LATER|(?P<done>DONE))[ \t]+")
_BOX = regex(r"#\+BEGIN_(\w+)(?:[ \t]+(\w+).*)?", re.IGNORECASE)


class _Bullet(Struct):
    """A bullet with the lines that belong to it; `depth` is the number of bullets that it is in."""

    depth: int
    words: str
    lines: list[str] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    gone: int = 0
    """Lines of properties that say something to Logseq only."""

    def is_section(self) -> bool:
        """Whether it is a heading, by its words or by a property."""
        return bool(_HEADING.match(self.words)) or self.properties.get("heading", "false") != "false"


def unfolded(lines: Sequence[str]) -> list[str]:
    """The lines of an outline as those of a text. What is in no bullet stays as it is."""
    first = next((number for number, line in enumerate(lines) if _BULLET.fullmatch(line)), len(lines))
    result = ["" if line.startswith("file-path::") else line for line in lines[:first]]
    read = next((match["folder"] for line in lines[:first] if (match := _READ.match(line))), "")
    sections: list[int] = []
    gone = 0
    for bullet in _bullets(lines[first:]):
        while sections and sections[-1] >= bullet.depth:
            sections.pop()
        if bullet.is_section() and len(sections) == bullet.depth:
            result += [*[""] * gone, *_section(bullet)]
            sections.append(bullet.depth)
            gone = 0
        else:
            indent = _INDENT * (bullet.depth - len(sections))
            mark = "1." if bullet.properties.get("logseq.order-list-type") == "number" else "-"
            words = _named(_highlight(bullet, read))
            result += [f"{indent}{mark} {words}"] if words else []
            result += [f"{indent}  {line}" if line else "" for line in bullet.lines]
            gone += not words
        gone += bullet.gone
    return result


def _highlight(bullet: _Bullet, folder: str) -> _Bullet:
    """What was marked in a PDF with its page; a marked area as the picture that Logseq keeps of it."""
    said = bullet.properties
    if said.get("ls-type") != "annotation":
        return bullet
    words, page = bullet.words, said.get("hl-page", "")
    if said.get("hl-type") == "area":
        words = f"![p. {page}]({folder}/{page}_{said.get('id')}_{said.get('hl-stamp')}.png)"
    return replace(bullet, words=f"{words} (p. {page})" if page else words)


def _section(bullet: _Bullet) -> Iterator[str]:
    level = bullet.properties.get("heading", "")
    marks = "#" * (int(level) if level in [*"123456"] else bullet.depth + 2)
    words = _named(bullet)
    yield words if _HEADING.match(words) else f"{marks} {words}"
    yield from bullet.lines


def _named(bullet: _Bullet) -> str:
    """The words of a bullet with the name by which others refer to it."""
    name = bullet.properties.get("id", "")
    return f"{bullet.words} ^{name}" if name and bullet.words and not FENCE.match(bullet.words) else bullet.words


def _bullets(lines: Sequence[str]) -> Iterator[_Bullet]:
    unit = 4 if any(line.startswith("\t") for line in lines) else 2
    bullet: _Bullet | None = None
    fence, logged = "", False
    for line in lines:
        line = line if fence else _BLOCK.sub(_reference, line)
        start = None if fence else _BULLET.fullmatch(line)
        if start:
            if bullet:
                yield _boxed(bullet)
            words = _TASK.sub(lambda task: "[x] " if task["done"] else "[ ] ", (start["words"] or "").strip())
            bullet = _Bullet(len(start["indent"].expandtabs(unit)) // unit, words)
        elif bullet:
            words = _within(line, bullet.depth * unit + 2)
            said = None if fence else _PROPERTY.fullmatch(words)
            logged = not fence and (logged or words.strip() == ":LOGBOOK:")
            if said:
                bullet.properties[said["key"]] = (said["value"] or "").strip()
            if logged or (said and _OWN.fullmatch(said["key"])):
                bullet.gone += 1
                logged = logged and words.strip() != ":END:"
            else:
                bullet.lines.append(words)
        fence = _fence(words, fence)
    if bullet:
        yield _boxed(bullet)


def _reference(written: re.Match[str]) -> str:
    """A reference to a block as Obsidian has it."""
    if written["code"]:
        return written[0]
    return f"{written['link']}#^{written['name']}" if written["link"] else f"[[#^{written['name']}]]"


def _boxed(bullet: _Bullet) -> _Bullet:
    """A bullet that is a quotation, a box or code in the way of Org mode as one of Markdown."""
    box = _BOX.fullmatch(bullet.words)
    if not box or not bullet.lines:
        return bullet
    if box[1].lower() in ("src", "example", "export"):
        lines = ["```" if line.lower().startswith("#+end_") else line for line in bullet.lines]
        return replace(bullet, words=f"```{box[2] or 'text'}", lines=lines)
    lines = [f"> {line}" for line in bullet.lines if line and not line.lower().startswith("#+end_")]
    words = ">" if box[1].lower() == "quote" else f"> [!{box[1]}]"
    return replace(bullet, words=words, lines=lines, gone=bullet.gone + len(bullet.lines) - len(lines))


def _within(line: str, column: int) -> str:
    """A line without the blanks up to a column."""
    blanks = line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4)
    return blanks[column:] + line.lstrip(" \t")


def _fence(line: str, fence: str) -> str:
    """The mark of the block of code that goes on behind a line."""
    if fence:
        return "" if is_fence_end(line, fence, strict=True) else fence
    opening = FENCE.match(line)
    return opening["mark"] if opening else ""
