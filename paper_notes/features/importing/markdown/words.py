"""The visible words of a Markdown text, taken from the original by other means than the conversion.

How they are compared: of both sides only letters and digits count, in order (`readback.letters`).
Formulas are on neither side: those of the page are dropped with their `<math>`, and here they are left out; so are
drawings, and what stands in pictures. The title is no part of the words. The page may have more than they: labels of
boxes, and the address of a link that leads nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from html import unescape
from itertools import chain
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from paper_notes.features.importing.markdown.anchors import without_names
from paper_notes.features.importing.markdown.headings import typed_number
from paper_notes.markdown.sanitise import is_html
from paper_notes.markdown.syntax.tables import TABLE_RULE, columns_of
from paper_notes.markdown.syntax.typographer import SIGNS

FENCE = re.compile(r"(?P<fence>`{3,}+(?!.*`)|~{3,})[ \t]*(?P<info>.*)")
_ITEM = re.compile(r"(?P<marker>[-*+]|\d{1,9}[.)])(?P<space>[ \t]+|$)")


class NumberedLine(NamedTuple):
    """A line of a text; `number` is that of the line of the original, from 1, that it comes from."""

    number: int
    text: str

    @property
    def indent(self) -> int:
        """The width of the blanks before its words."""
        return len(self.text) - len(self.text.lstrip(" "))

    @property
    def words(self) -> str:
        """Without blanks around."""
        return self.text.strip()

    def with_text(self, text: str) -> NumberedLine:
        """The line with other text."""
        return NumberedLine(self.number, text)


def lines_of(text: str, first: int = 1) -> list[NumberedLine]:
    """The lines of a text."""
    return [NumberedLine(number, line) for number, line in enumerate(text.split("\n"), first)]


def fence_end(lines: Sequence[NumberedLine], start: int) -> int:
    """The index after the fence that begins at `start`; without an end all lines are in it."""
    opened = FENCE.match(lines[start].words)
    assert opened
    mark, indent = opened["fence"], lines[start].indent
    for place in range(start + 1, len(lines)):
        words = lines[place].words
        if words.startswith(mark) and not words.strip(mark[0]):
            return place + 1
        if words and lines[place].indent < indent and indent >= 2 and _leaves(words):
            return place
    return len(lines)


def _leaves(words: str) -> bool:
    """Whether such words at a smaller indentation end a list, and the code in it."""
    return words.startswith("#") or bool(_ITEM.match(words))


Piece = tuple[int, str]
"""The line of the original, from 1, and visible text."""
_INDENTING = re.compile(
    r"(?:!!!|\?\?\?\+?)[ \t]*[A-Za-z][\w -]*(?:\"(?P<title>.*)\")?[ \t]*|===[!+]?[ \t]+\"(?P<tab>.*)\"[ \t]*"
)
_CALLOUT = re.compile(r"\[![A-Za-z][^\[\]\n]*\][+-]?(?![(\[])")
_BOX = re.compile(r"\[[ xX]\](?=\s)")
_DIRECTIVE = re.compile(r"(?m)^[ >]*:{3,}[ \t]*(?:\{[^{}\n]*\}|[\w-]+)?(?:\[(.*?)\])?(?:[ \t]*\{[^{}\n]*\})?")
_OPTIONS = re.compile(r"(?m)^([ >]*:{3,}[^\n]*?)[ \t]*\{[^{}\n]*\}[ \t]*$")
_DEFINITION = re.compile(
    r"(?m)^[ >]*\[(?:\^?)[^\]\n]+\]:[ \t]*(?:<[^>\n]*>|\S+)[ \t]*"
    r"(?:\"[^\"\n]*\"|'[^'\n]*'|\([^)\n]*\))?[ \t]*$"
)
_REMARK = re.compile(
    r"(?m:^\*\[[^\[\]\n]+\]:.*$)|\{>>.*?<<\}|(?<![\d%])%%.*?%%|<!--.*?-->|\{/\*.*?\*/\}"
    r"|(?m:^[ \t]*(?:%%|<!--))(?:[^\n]|\n(?![ \t]*\n))*",
    re.DOTALL,
)
_SHORTCODE = re.compile(
    r"\{\{[<%]\s*(mermaid|katex|math)\b(?:(?!\{\{).)*\{\{[<%]\s*/\s*\1\s*[>%]\}\}|"
    r"\{\{[<%].*?[>%]\}\}|\{%.*?%\}|\{\{\s*(?:site|page)\.[\w.]+\s*\}\}",
    re.DOTALL,
)
_PROGRAM = re.compile(r"import\s.+from\s+['\"]|import\s+['\"]|export\s+(?:const|default|function|let|var)\b")
_FORMULA_WITH_BAR = re.compile(r"(?<!\\)\$(?!\s)(?=[^$`\n]*\|)(?:\\.|[^$`\\\n])+?(?<!\s)\$(?!\d)")
"""In a row of a table that has more cells than its head it is what makes them more."""
_CAPTION = re.compile(r"(?:caption|title)=\"([^\"]*)\"")
_CODE_OR_TEX = re.compile(
    r"\$`[^`\n]+`\$|(?P<code>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|\\{1,2}\((?:(?!\n\s*\n).)+?\\{1,2}\)|\\{1,2}\[(?:(?!\n\s*\n).)+?\\{1,2}\](?!\()|(?P<escape>\\[^\w\s])"
    r"|\$\$.+?\$\$|\$(?!\s)(?:\\.|[^$\\`])+?(?<!\s)\$(?!\d)"
    r"|\$[ \t]+(?:(?!\\[(\[])[^$\n`])*?(?:\\[A-Za-z]|[_^=])(?:(?!\\[(\[])[^$\n`])*\$"
    r"|\$(?=[^\s\d])(?:(?!\\[(\[])[^$\n`])*\\[A-Za-z](?:(?!\\[(\[])[^$\n`])*[ \t]\$"
    r"|\\(?:eq|c|C|auto)?ref\{[^{}]*\}",
    re.DOTALL,
)
_BRACES = re.compile(r"\{:?[ \t]*[.#:][^{}\n]*\}|(?<=\))\{[^{}\n]*\}")
_EMBED = re.compile(r"!\[\[[^\[\]\n]*\]\]")
_WIKI = re.compile(r"\[\[([^\[\]\n|]*?)(?:\\?\|([^\[\]\n]*))?\]\](?!\()")
_WIKI_BAR = re.compile(r"\[\[([^\[\]|]*?)\\?\|(?=[^\[\]|]*\]\])")
_EMOJI = re.compile(r"(?<![\w:]):([a-z0-9_+-]+):")
_TOC = re.compile(
    r"(?mi)^[ \t]*(?:[-*+][ \t]+toc\s*\n\s*\{:toc\}|\[\[?_?toc_?\]?\]|\{:toc\}|@\[toc\].*|\$\{toc\})[ \t]*$"
)
_DRAWING = r"<svg\b.*?</svg\s*>"
_HIDDEN = re.compile(r"<(script|style|svg)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?([A-Za-z][\w.:-]*)((?:\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?)/?>")
_LINE_TEX = re.compile(r"\$\$|\\{1,2}\[|\\begin\{(?:equation|align|gather|multline|eqnarray|alignat|flalign)\*?\}")
_DRAWN = frozenset({"mermaid", "vega", "vega-lite", "math"})
_SPACED_PICTURE = re.compile(r"!\[([^\[\]\n]*)\]\([^()\n]*\)")
_SPACED_LINK = re.compile(r"(?<!!)\[([^\[\]\n]*)\]\((?!<)[^()\n\"]* [^()\n\"]*\)")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).use(footnote_plugin)


def pieces(
    lines: Sequence[NumberedLine],
    *,
    title: range = range(0),
    mdx: bool = False,
    names: Collection[str] = (),
    verbatim: Sequence[range] = (),
) -> list[Piece]:
    """The visible text in order; the lines of the title and the `names` of blocks are left out.

    Lines whose numbers are in `verbatim` show all that is written.
    """
    hidden = {number for numbers in (title, *verbatim) for number in numbers}
    kept = [line.with_text("" if line.number in hidden else without_names(line.text, names)) for line in lines]
    result = [*_pieces(_plainer(kept, mdx=mdx), 0)]
    for numbers in verbatim:
        after = next((place for place, (number, _) in enumerate(result) if number >= numbers.stop), len(result))
        inside = (line for line in lines if line.number in numbers and not FENCE.match(line.text))
        result[after:after] = [(line.number, line.text) for line in inside]
    return result


def _plainer(lines: list[NumberedLine], *, mdx: bool) -> list[NumberedLine]:
    """Without what no parser of CommonMark knows: boxes that indent their text, formulas on lines of their own."""
    result: list[NumberedLine] = []
    place = columns = 0
    opened: list[int] = []
    while place < len(lines):
        line = lines[place]
        words = line.words
        columns = _columns(lines, place, columns)
        if columns and columns_of(words) > columns:
            line = line.with_text(_FORMULA_WITH_BAR.sub(" ", line.text))
            words = line.words
        while words and opened and line.indent < opened[-1]:
            opened.pop()
        by = 4 * len(opened)
        text = line.text[min(by, line.indent) :]
        if FENCE.match(words):
            end = fence_end(lines, place)
            result += [entry.with_text(entry.text[min(by, entry.indent) :]) for entry in lines[place:end]]
            place = end
            continue
        if match := _INDENTING.fullmatch(words):
            result += [line.with_text(""), line.with_text(match["title"] or match["tab"] or ""), line.with_text("")]
            opened.append(line.indent + 4)
        elif mdx and _PROGRAM.match(words) and not (place and lines[place - 1].words):
            while place < len(lines) and lines[place].words:
                result.append(lines[place].with_text(""))
                place += 1
            continue
        elif (tex := _LINE_TEX.match(words)) and (last := _tex_end(lines, place, tex[0])) > place:
            rest = re.split(r"\$\$|\\{1,2}\]|\\end\{\w+\*?\}", lines[last].words)[-1]
            result += [line.with_text("")] * (last - place) + [
                lines[last].with_text(rest if not re.match(r"\s*\{#", rest) else "")
            ]
            place = last
        else:
            result.append(line.with_text(_WIKI_BAR.sub(r"[[\1\\|", text) if words[:1] == "|" else text))
        place += 1
    return result


def _columns(lines: Sequence[NumberedLine], place: int, before: int) -> int:
    """How many cells the rows of the table have to which a line belongs; 0 if it belongs to none."""
    if place + 1 < len(lines) and "|" in lines[place].words and TABLE_RULE.fullmatch(lines[place + 1].words):
        return columns_of(lines[place + 1].words)
    return before if "|" in lines[place].words else 0


def _tex_end(lines: Sequence[NumberedLine], place: int, mark: str) -> int:
    """The line that ends a formula that begins here; `place` if it does so itself."""
    words = lines[place].words
    ending = {"$": "$$", "\\[": "\\]"}.get(mark[:1] if mark[0] == "$" else mark[-2:], "\\end{" + mark[7:-1] + "}")
    if ending in words[len(mark) :]:
        return place
    if ending == "\\]" and words.strip("\\") != "[":
        return place
    limit = min(len(lines), place + 200)
    return next((at for at in range(place + 1, limit) if ending in lines[at].text), place)


def _pieces(lines: Sequence[NumberedLine], depth: int) -> Iterator[Piece]:
    text = _TOC.sub("", "\n".join(line.text for line in lines))
    blocks = _REMARK.sub(lambda match: "\n" * match[0].count("\n"), text) if "`" not in text else without_remarks(text)
    blocks = _SHORTCODE.sub(lambda match: " ".join(_CAPTION.findall(match[0])) + "\n" * match[0].count("\n"), blocks)
    blocks = without_remarks(blocks, _DRAWING) if "<svg" in blocks else blocks
    md = _parser()
    heading = False
    numbers = [line.number for line in lines] or [1]
    env: dict[str, object] = {}
    rules = md.core.ruler.get_active_rules()
    try:
        md.core.ruler.enableOnly(["normalize", "block"])
        tokens = md.parse(blocks, env)
    finally:
        md.core.ruler.enableOnly(rules)
    footnotes: dict[str, list[Piece]] = {name: [] for name in re.findall(r"(?<!\\)\[\^([^\[\]\s]+)\](?!:)", text)}
    in_footnote = ""
    for token in tokens:
        at = numbers[min(token.map[0], len(numbers) - 1)] if token.map else numbers[-1]
        if token.type == "footnote_reference_open":
            label = token.meta["label"]
            in_footnote = label if footnotes.get(label) == [] else ""  # only the first of a name is one
        elif token.type == "footnote_reference_close":
            in_footnote = ""
        elif token.type in ("heading_open", "heading_close"):
            heading = token.type == "heading_open"
        elif token.type == "inline":
            match = [*_inline(token.content, at, env, heading=heading), (at, " ")]
            if in_footnote:
                footnotes[in_footnote] += match  # the page has them in the order of their use
            else:
                yield from match
        elif token.type == "code_block" or (
            token.type == "fence" and token.info.split(" ")[0].strip("{}") not in _DRAWN
        ):
            yield from (
                (at + row + (token.type == "fence"), line) for row, line in enumerate(token.content.split("\n"))
            )
        elif token.type == "html_block" and depth < 5:
            inner = _without_tags(_HIDDEN.sub("", token.content))
            yield from _pieces(
                [NumberedLine(at + row, line.strip()) for row, line in enumerate(inner.split("\n"))], depth + 1
            )
    yield from chain.from_iterable(footnotes.values())


def without_remarks(text: str, pattern: str = _REMARK.pattern) -> str:
    """The text without what nobody may publish: comments that are not in code. Its lines keep their numbers.

    It may also be without other pieces of a `pattern`.
    """
    code = re.compile(
        r"(?ms)^[ >]*(`{3,}+|~{3,}+)[^\n]*\n.*?^[ >]*\1[`~]*[ \t]*$|(?<!`)(`+)(?!`)[^\n]+?(?<!`)\2(?!`)|"
        f"(?P<remark>{pattern})"
    )
    return code.sub(lambda match: "\n" * match[0].count("\n") if match["remark"] else match[0], text)


def _without_tags(html: str) -> str:
    return unescape(_TAG.sub(lambda match: " " if is_html(match[1]) or match[1][0].isupper() else match[0], html))


def _inline(text: str, number: int, env: dict[str, object], *, heading: bool) -> list[Piece]:
    """The visible text of a paragraph, a heading or a cell, by its lines."""
    text = _CALLOUT.sub("", text, count=1) if text.startswith("[!") else text
    text = text[3:] if _BOX.match(text) else text
    text = _OPTIONS.sub(r"\1", text)
    text = _DIRECTIVE.sub(lambda match: f"{match[1] or ''} ", text)
    text = _DEFINITION.sub("", text)
    text = _CODE_OR_TEX.sub(lambda match: match[0] if match["code"] or match["escape"] else " ", text)
    text = _EMBED.sub("", text)
    text = _WIKI.sub(_wiki, text)
    text = _BRACES.sub("", text)
    text = _SPACED_LINK.sub(r"\1", _SPACED_PICTURE.sub("", text))
    text = _EMOJI.sub(_emoji, text)
    if heading:
        text = _TAG.sub("", text) if "`" not in text else text
        typed = typed_number(text.strip())
        text = text.strip()[typed[1] :] if typed else text
    tokens: list[Token] = []
    md = _parser()
    md.inline.parse(text, md, env, tokens)
    result: list[Piece] = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            result.append((number, " "))
            number += 1
        elif token.type in ("text", "code_inline", "text_special"):
            result.append((number, token.content))
        elif token.type == "html_inline":
            name = _TAG.match(token.content)
            if name and not is_html(name[1]) and not name[1][0].isupper():
                result.append((number, token.content))
    return result


def _wiki(match: re.Match[str]) -> str:
    target = match[1].rstrip("\\")
    words = match[2] if match[2] is not None else re.sub(r"#\^[\w-]+$", "", target).replace("#", " ")
    return "" if target.lower() in ("toc", "_toc_") else re.sub(r"([\[\]])", r"\\\1", words)


def _emoji(match: re.Match[str]) -> str:
    if re.match("material-|octicons-|fontawesome-|simple-|fas-|fab-", match[1]):
        return ""
    return SIGNS.get(match[1], match[0])


def joined(match: Sequence[Piece]) -> str:
    """The pieces as one text, a line for each line of the original."""
    result: list[str] = []
    last = 0
    for number, text in match:
        result += ["\n" if number != last and result else "", text]
        last = number
    return "".join(result)
