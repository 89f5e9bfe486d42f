"""The text of an original as it is parsed: line by line that of the file, without what no parser can read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from paper_notes.document.nodes import Document
from paper_notes.features.importing.markdown.boxes import outside_code
from paper_notes.features.importing.markdown.dialects import dialect
from paper_notes.features.importing.markdown.front import Front, front
from paper_notes.features.importing.markdown.grammar import read_tree
from paper_notes.features.importing.markdown.headings import Headings, headings
from paper_notes.features.importing.markdown.outlines import unfolded
from paper_notes.features.importing.types import Folder, Original
from paper_notes.markdown.syntax.tables import TABLE_RULE, columns_of, with_hidden
from paper_notes.patterns import regex
from paper_notes.values import Struct

MOST_OPEN = 200
"""So many brackets of a kind may be open in a paragraph: each lets its reader look for its end through all the rest."""
_ENDS = {"\\(": "\\)", "\\[": "\\]", "<!--": "-->", "{": "}", "[": "]", "(": ")", "<": ">"}
_STARTS = {end: start for start, end in _ENDS.items()}
_SIGN = regex(r"\\[()\[\]]|\\.|<!--|-->|<(?=[A-Za-z/!?])|[\[\](){}>]")
MOST_IN_ALL = 2000
"""So many brackets of a kind may be open in all blocks of a text together."""
MOST_QUOTED = 30
"""So many quotations and items may begin on a line: pages show 40 levels."""
_QUOTED = regex(rf"(?:[ \t]*(?:>|(?:[-*+]|\d{{1,9}}[.)])(?=[ \t]))){{{MOST_QUOTED + 1}}}")
_TAB = 4
_ADDRESSES = regex(
    r"(?P<code>`+[^`]*`+)|(?<=\]\()\s*(?:\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?[\"`]?(?P<ref>[^\"`%>]+?)[\"`]?(?:\s+\"[^\"]*\")?\s*[%>]\}\}"
    r"|\{%\s*link\s+(?P<link>[^%]+?)\s*%\}|\{%\s*post_url\s+(?P<post>[^%]+?)\s*%\}"
    r"|\{\{\s*[\"'](?P<filtered>[^\"']*)[\"']\s*\|\s*(?:relative_url|absolute_url|relURL|absURL)\s*\}\}"
    r"|\{\{\s*(?:site\.baseurl|site\.url)\s*\}\}(?P<based>[^\s()]*))"
)
"""Addresses in the language of templates, which no parser of Markdown takes for addresses; in code they are words."""
_PROPERTY = regex(r"[^\W\d_][^:：\n]{0,40}: \S")
_RELATED = regex(r"([^\s(),:：][^(),:：\n]*?) \(([^()\s]+\.(?:md|csv))\)")
"""`Title (path.md)`: how Notion writes relations."""
_NOTHING = regex(r"(`+[^`]*`+)|<!---?>")
"""A comment without an inside, which another `-->` does not end."""


class ForeignText(Struct, frozen=True):
    """A text and its tree, and what its front matter says."""

    original: Original
    front: Front
    mdx: bool
    text: str
    document: Document
    structure: Headings
    uneven: tuple[int, ...]
    """Lines, from 1 in the original, of tables whose head has another number of cells than their rule."""


def parse(original: Original, folder: Folder) -> ForeignText:
    """The text behind the front matter in the dialect of its folder; what cannot be read is a block of code."""
    spoken = dialect(folder)
    facts = front(original).with_properties() if spoken.outline else front(original)
    mdx = spoken.mdx or original.path.suffix.lower() == ".mdx"
    lines = facts.text.split("\n")
    if "{%" in facts.text or "{{" in facts.text:
        for row in outside_code(lines):
            lines[row] = _ADDRESSES.sub(_address, lines[row])
    lines = unfolded(lines) if spoken.outline else [_without_tabs(line) for line in lines]
    if spoken.properties:
        lines[:] = [*_with_breaks(lines)]
    uneven = []
    for number in range(1, len(lines)):
        head, rule = lines[number - 1], lines[number]
        if "|" in head and ("|" in rule or ":" in rule) and "-" in rule and TABLE_RULE.fullmatch(rule.strip(" \t>")):
            width = columns_of(with_hidden(head, columns_of(rule)))
            if width and width != columns_of(rule):
                marks = [*re.findall(":?-+:?", rule), *["---"] * width][:width]
                lines[number] = f"{rule[: len(rule) - len(rule.lstrip(' >'))]}| {' | '.join(marks)} |"
                uneven.append(number + facts.first_line)
    if "<!-" in facts.text:
        for row in outside_code(lines):
            lines[row] = _NOTHING.sub(lambda match: match[1] or "", lines[row])
    verbatim = [*_tangled(lines)]
    if facts.broken:
        mark = lines[0].strip()[:3]
        last = next((at for at in range(1, len(lines)) if lines[at].strip() in (mark, "...")), 0)
        verbatim = [range(last + 1), *(numbers for numbers in verbatim if numbers.start > last)] if last else verbatim
    text = "\n".join(lines)
    document = read_tree(text, spoken.signs, mdx=mdx, verbatim=verbatim)
    structure = headings(document, text, titled=facts.title)
    return ForeignText(original, facts, mdx, text, document, structure, tuple(uneven))


def _with_breaks(lines: Sequence[str]) -> Iterator[str]:
    """The lines, of which those of properties below the title end where they do, and link to the pages they name."""
    is_head = True
    for line in lines:
        is_property = is_head and bool(_PROPERTY.match(line))
        is_head = is_head and (is_property or not line.strip() or line.startswith("# "))
        yield _RELATED.sub(r"[\1](\2)", line) + "  " if is_property else line


def _address(match: re.Match[str]) -> str:
    if match["code"]:
        return match[0]
    if match["link"] or match["post"]:
        return f"/{match['link']}" if match["link"] else f"/_posts/{match['post']}.md"
    return match["ref"] or match["filtered"] or match["based"] or ""


def _without_tabs(line: str) -> str:
    words = line.lstrip(" \t")
    blanks = line[: len(line) - len(words)]
    return blanks.expandtabs(_TAB) + words if "\t" in blanks else line


def _most_open(text: str) -> Counter[str]:
    """How many brackets of each kind are open at once in a paragraph, at the most."""
    open_now, most = Counter[str](), Counter[str]()
    for sign in _SIGN.findall(text):
        if sign in _ENDS:
            open_now[sign] += 1
            most[sign] = max(most[sign], open_now[sign])
        elif (start := _STARTS.get(sign)) and open_now[start]:
            open_now[start] -= 1
    return most


def _tangled(lines: Sequence[str]) -> Iterator[range]:
    """Blocks with so much open in them that reading them would take minutes."""
    blocks = [(rows, _most_open("\n".join(lines[rows.start : rows.stop]))) for rows in _paragraphs(lines)]
    total = sum((count for _, count in blocks), Counter[str]())
    many = {sign for sign, count in total.items() if count > MOST_IN_ALL}
    for rows, count in blocks:
        deep = any(_QUOTED.match(lines[row]) for row in rows)
        if deep or max(count.values(), default=0) > MOST_OPEN or any(count[sign] > 1 for sign in many):
            yield rows


def _paragraphs(lines: Sequence[str]) -> Iterator[range]:
    """Lines without a blank one between them, and without code."""
    first = last = -1
    for number in [*outside_code(lines), len(lines) + 1]:
        if number != last + 1 or not lines[number].strip():
            if first >= 0:
                yield range(first, last + 1)
            first = -1
        if first < 0 and number < len(lines) and lines[number].strip():
            first = number
        last = number
