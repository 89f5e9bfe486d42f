"""The pieces of an original from its raw file: one function for each format, in `FORMATS`.

Markdown is read by the stock parser of CommonMark with the usual plugins. It knows no dialect: a sign of one is either
no word anyway, or is listed here as a sign that no reader sees.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.texmath import texmath_plugin

from paper_notes.features.importing.proof.dialects import BEGINS as DIALECTS
from paper_notes.features.importing.proof.dialects import CELLS, NO_TEXT, NO_TITLE, add_dialects
from paper_notes.features.importing.proof.visible import (
    NUMBER,
    Link,
    Part,
    VisiblePart,
    formula,
    link_to,
    numbered,
    spaced,
    visible,
    words_of,
    written_tex,
)
from paper_notes.markdown.syntax.first_signs import BLOCKS, INLINES, SignRuler, asking_blocks, asking_inlines
from paper_notes.patterns import regex
from paper_notes.values import replace

_FRONT = regex(
    r"(?:---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*$|\+\+\+[ \t]*\n(?P<toml>.*?)^\+\+\+[ \t]*$)\n?",
    re.DOTALL | re.MULTILINE,
)
_PROPERTIES = regex(r"(?:[\w-]+::[ \t].*(?:\n|\Z))+")
"""Of a page of Logseq."""
_FILE_PLACE = regex(r"^file-path::[^\n]*|(?<=\])\([^()\s]*\.pdf\)", re.MULTILINE)
"""Where the PDF is that such a page has the highlights of. Its name is shown."""
_KEY = regex(r"^[ \t]*(?:-[ \t]+)*(?:[\w .-]+|\"[^\"\n]*\"|'[^'\n]*')[ \t]*(?:::?(?=\s|$)|=)", re.MULTILINE)
_REMARK = regex(r"(?:^|\s)#\s[^\"']*$")
_ITEM = regex(r"^[ \t]*-[ \t]|,(?!\s\d{4}\b)|[，;；、\[\]{}\"]|(?<=\w)'|'(?=\w)")
_NO_LINK: Link = ""
_NOTHING = frozenset("false no off null ~ [] {}".split())
_UNSEEN = regex(
    r"<!--.{0,999}?-->|%%.{0,999}?%%|\{>>.{0,999}?<<\}|\{/\*.{0,999}?\*/\}"  # remarks
    r"|\{\{<\s*mermaid.{0,2000}?/mermaid\s*>\}\}"  # a drawing
    r"|\{%-?\s*comment\b.{0,999}?endcomment\s*-?%\}|\{::comment\}.{0,999}?\{:/comment\}"
    r"|\{%.{0,500}?%\}|\{\{[<%].{0,500}?[%>]\}\}"  # Liquid, and Hugo's shortcodes
    r"|\\(?:eq)?ref\{[^{}\n]*\}|\[\^[^\]\s]*\](?!:)"  # a reference to a formula; the mark of a footnote without text
    r"|\[![\w-]+(?:[ \t]*\|[^\]\n]*)?\][+-]?|\A\[[ xX/<>?!*-]\](?=\s)"  # the kind of a callout; the box of a task
    r"|\{(?:open|:?[^{}\n]*[.#=:][^{}\n]*)\}|(?<=[)\]])\{\s*[\w-]+\s*\}|(?<=\x02)\{[^{}\n]*\}"  # attributes
    r"|(?:(?<=\s)|\A)\^[A-Za-z0-9-]+[ \t]*(?=\n|\Z)"  # the name of a block
    r"|@(?:sec|fig|tbl|eq|thm|lem|cor|def|lst|exm)-[\w-]+"  # the number of what has this name
    # of Logseq: properties, when a task was worked at, what was marked in a PDF, whose page is shown
    r"|(?m:^[ \t]*(?:id|collapsed|heading|background-color|ls-type|hl-(?:color|type|stamp))::[^\n]*)"
    r"|(?m:^[ \t]*(?:logseq|query|card)[.-][\w.-]+::[^\n]*)|(?m:^[ \t]*hl-page::)|\A\[:span\]"
    r"|(?m:^[ \t]*:LOGBOOK:[ \t]*$).{0,9999}?(?m:^[ \t]*:END:[ \t]*$)"
    r"|\{\{cloze\b|\{\{(?:query|embed|video|youtube|renderer)\b.{0,300}?\}\}+|\A(?:TODO|DOING|DONE|LATER|NOW)\s"
    r"|#\+BEGIN_(?:SRC|EXPORT)[ \t]+\w+|#\+\w+"
    r"|\([^()\s]*%[0-9A-F]{2}[^()\s]*\)"  # the address of what Notion names before it
    r"|(?m:^[ \t]*;?(?:-{1,2}8<-{1,2}|<<<)[^\n]*)"  # a file that is shown here
    r"|(?m:^(?:type|open): \w+$)|\(\([0-9a-f-]{36}\)\)"  # an option of a box; a reference to a block
    r"|\[toc\]|\A\w+\s*\{:?[ \t]*toc[ \t]*\}"  # where a tool puts a table of contents
    r"|\[:[a-z0-9-]+:\]\[[^\[\]\n]*\]|:[a-z0-9_+-]+:(?!:)"  # an icon, which may lead to something
    r"|(?m:^\*\[[^\]\n]+\]:[^\n]*)",  # what an abbreviation means
    re.DOTALL | re.IGNORECASE,
)
_TAG = regex(r"<[^<>]*>")
_LABEL = regex(r"\"([^\"]*)\"|[\[({|]+([^\[\](){}|\"]*)[\])}|]")
_WIKI = regex(r"(!?)\[\[([^\[\]|\n]+?)\\?(?:\|([^\[\]\n]*))?\]\]")
_FENCE_INFO, _NO_INFO = re.compile(r"\A\w+(?:[ \t]+\w+=\"[^\"]*\")*(?=[ \t])"), re.compile(r"(?!)")
"""Of a block of code that some tools see where CommonMark sees code in a line."""
_LINK = regex(r"(!?)\[([^\[\]\n]*)\]\((?=[^()\n]*[./#{])[^()\n]*\)(?:\{[^{}\n]*\})?")
"""A link that CommonMark sees none in, for a blank in its address or the tags around it."""
_BLOCK = regex(r"#\^[\w-]+$")
_PICTURE = regex(r"\.(?:png|jpe?g|gif|webp|svg|avif|bmp|excalidraw|canvas)$", re.IGNORECASE)
_NO_ALT = regex(
    r"(?:image|img|alt|alt text|picture|图片|screenshot|untitled)?(?:\.\w+)?|[\w.-]+\.(?:png|jpe?g|gif|webp|svg)"
    r"|https?://\S+",
    re.IGNORECASE,
)
_BRACKETED = regex(r"(\\{1,2})\((.{1,2000}?)\1\)|(\\{1,2})\[(.{1,2000}?)\3\]", re.DOTALL)
_DIRECTIVE = regex(r"\{([\w:.=+-]+)[^{}]*\}[ \t]*(.*)")
_OPTION = regex(r"^(?:[ \t]*(?:#\||:)[ \t]*[\w.-]+:(?:[ \t].*)?\n)+|\A---\n(?:.*\n)*?---\n|^#\|.*\n", re.MULTILINE)
_SAID = regex(r"^(?:#|//)\|[ \t]*(?:code-summary|(?:fig|tbl|lst)-cap):[ \t]*(.*)$", re.MULTILINE)
"""What a cell says of itself."""
_AD = regex(r"^(?:title:(.*)|(?:collapse|icon|color):.*)$", re.MULTILINE)
"""Options of a box of Obsidian's plug-in."""
_ROLE = regex(r"\{([\w:.-]+)\}\0([^\0]*)\0")
_TARGET = regex(r"(.*?)\s*<[^<>]+>", re.DOTALL)
_REFERENCES = frozenset("prf doc ref numref eq term download any keyref abbr".split())
"""Roles whose words name what they lead to: pages show words of their own for it."""
_IN_CODE = regex(
    r"(?m:^[ \t]*;?(?:-{1,2}8<-{1,2}|<<<).*$)|\[!code[^\]\n]*\]"
    r"|(?://|#|<!--|/\*)[ \t]*highlight-(?:next-line|start|end)\b"
)
"""What a tool takes out of code: files to show there, and which lines to mark."""
_OF_MARKDOWN = frozenset({"", "markdown", "md", "mdx", "text", "txt"})
_FOLD = regex(r"(?:^[ \t]*</?(?:details|summary)\b.*\n)+(?=[ \t]*(?:```|~~~))", re.MULTILINE)
"""Tags right above code, which CommonMark would take for a part of them."""
_INNER_FENCE = regex(r"^ {0,3}`{3,}\w.*$", re.MULTILINE)
"""In code of other languages: the fence before has no end, and this begins another block of code."""
_SIZE = regex(r"(?:^|\|)\s*(?:\d+(?:x\d+)?|left|right|center|inline)\s*(?=$|\|)")
_SCRIPT = regex(r"import\s+(?:[^\n]+\sfrom\s+)?['\"]|export\s+(?:default|const|let|function|class)\b")
"""Of MDX."""


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("gfm-like", {"linkify": False}).enable(["table", "strikethrough"])
    for plugin in (footnote_plugin, deflist_plugin, amsmath_plugin):
        parser.use(plugin)
    parser.use(dollarmath_plugin, allow_digits=False, double_inline=True)
    parser.use(texmath_plugin, "brackets")
    parser.inline.ruler.before("escape", "bracketed_tex", _bracketed)
    add_dialects(parser)
    parser.block.ruler = SignRuler(parser.block.ruler, {**BLOCKS, **DIALECTS}, asking_blocks)
    parser.inline.ruler = SignRuler(parser.inline.ruler, {**INLINES, "bracketed_tex": "\\"}, asking_inlines)
    return parser


def _bracketed(state: StateInline, silent: bool) -> bool:
    """A formula between brackets with backslashes, one or two."""
    match = _BRACKETED.match(state.src, state.pos) if state.src[state.pos] == "\\" else None
    if match and "](" in match[0]:
        return False  # links in brackets
    if match and not silent:
        state.push("math_inline", "math", 0).content = match[2] or match[4]
    state.pos = match.end() if match else state.pos
    return bool(match)


def html(text: str) -> list[VisiblePart]:
    """The pieces of a page; its title first, whatever stands above it."""
    pieces = [*_telling(visible(text))]
    title = next((at for at, piece in enumerate(pieces) if piece.level == 1), None)
    return pieces if title is None else [pieces[title], *pieces[:title], *pieces[title + 1 :]]


def markdown(text: str) -> list[VisiblePart]:
    """The pieces of a Markdown text, with those of its front matter."""
    front = _FRONT.match(text)
    pieces = [*_facts(front["yaml"] or front["toml"] or "")] if front else []
    if front is None and (front := _PROPERTIES.match(text)):
        pieces = [*_facts(_FILE_PLACE.sub("", front[0]), 1)]
    start = front.end() if front else 0
    return [*pieces, *_blocks(text[start:], text.count("\n", 0, start) + 1)]


def jupyter(text: str) -> list[VisiblePart]:
    """The pieces of a notebook: its cells, and what they have put out, but for pictures."""
    cells = _mappings(json.loads(text).get("cells"))
    places = re.finditer('"cell_type"', text)
    pieces: list[VisiblePart] = []
    for cell, place in zip(cells, places, strict=False):
        line, source = text.count("\n", 0, place.start()) + 1, _text(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            pieces += _blocks(source, line)
        else:
            pieces.append(VisiblePart(source, line))
        pieces += (piece for output in _mappings(cell.get("outputs")) for piece in _of_output(output, line))
    return pieces


def _mappings(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


_PROGRAM = regex(r"<script|<iframe", re.IGNORECASE)
_ESCAPES = regex(r"\x1b\[[0-9;]*[A-Za-z]")


def _text(value: object, between: str = "") -> str:
    return between.join(map(str, value)) if isinstance(value, list) else str(value or "")


def _of_output(output: Mapping[str, Any], line: int) -> Iterator[VisiblePart]:
    """What a reader sees of an output that is no picture: HTML without a program, or plain text."""
    data = output.get("data")
    forms = {**output, **data} if isinstance(data, dict) else output
    if "picture" in forms or any(kind.startswith("image/") for kind in forms):
        return
    html, plain = _text(forms.get("text/html")), _text(forms.get("text/plain", forms.get("text")))
    if html.strip() and not _PROGRAM.search(html):
        yield from visible(html, line)
    elif latex := _text(forms.get("text/latex")):
        yield VisiblePart(written_tex(latex), line)
    else:
        yield VisiblePart(_ESCAPES.sub("", plain or _text(forms.get("traceback"), "\n")), line)


def roam(text: str) -> list[VisiblePart]:
    """The pieces of a page of Roam: the strings of its blocks, in their order."""
    page = json.loads(text)
    pieces = [VisiblePart(str(page.get("title", "")), 1, "heading", level=1)]
    blocks = _mappings(page.get("children"))[::-1]
    while blocks:
        block = blocks.pop()
        words = _CALLED.sub(r"\1", _BLOCKS.sub(" ", str(block.get("string", ""))))
        if attribute := _ATTRIBUTE.match(words):
            pieces += (VisiblePart(value, 1, "fact") for value in re.split(r"[#,\[\]]+", words[attribute.end() :]))
            continue
        pieces += _blocks(words.replace("^^", "==").replace("__", "*"), 1)
        blocks += _mappings(block.get("children"))[::-1]
    return pieces


_ATTRIBUTE = regex(r"[\w ]+::\s")
_BLOCKS = regex(r"\(\([\w-]{6,}\)\)|\[\[[^\[\]|]*#\^[^\[\]|]*\]\]")
"""References to blocks: a page shows what these say."""
_CALLED = regex(r"\{\{(?:\[\[)?(?:TODO|DONE|table|embed|video|youtube)(?:\]\])?:?\s*([^{}]*)\}\}")


def table(text: str) -> list[VisiblePart]:
    """The cells of lines of values with commas between them."""
    reader = csv.reader(text.splitlines(keepends=True))
    return [VisiblePart(cell, reader.line_num, "table", 1) for row in reader for cell in row]


FORMATS: Mapping[str, Callable[[str], Sequence[VisiblePart]]] = {
    **dict.fromkeys((".md", ".markdown", ".mdx", ".qmd", ".rmd"), markdown),
    **dict.fromkeys((".html", ".htm"), html),
    ".ipynb": jupyter,
    ".roam": roam,
    ".csv": table,
}
"""By the suffixes of files. Another format gets a function here that knows its raw file."""


def pieces_of(suffix: str, text: str) -> Sequence[VisiblePart]:
    """The pieces of a file; none of what is not known here."""
    read = FORMATS.get(suffix.lower())
    return read(text) if read else ()


def _telling(pieces: Iterable[VisiblePart]) -> Iterator[VisiblePart]:
    """The pieces without what is said in place of a picture only because something has to be, or the caption says."""
    each = [VisiblePart(""), *pieces, VisiblePart("")]
    for before, piece, after in zip(each, each[1:], each[2:], strict=False):
        beside = [spaced(words_of(other.text)) for other in (before, after) if piece.is_tip and not other.is_tip]
        own = spaced(words_of(piece.text)) if piece.is_tip else ""
        if not (piece.is_tip and (_NO_ALT.fullmatch(piece.text.strip()) or any(own in words for words in beside))):
            yield piece


def _facts(front: str, first_line: int = 2) -> Iterator[VisiblePart]:
    """Each value in a front matter, whatever its key; those that say nothing are left out."""
    for line, written in enumerate(front.split("\n"), first_line):
        value = "" if written.lstrip().startswith(("#", "[", "$")) else _REMARK.sub("", _KEY.sub("", written))
        if value.strip().lower() not in _NOTHING:
            items = (_KEY.sub("", item) if "{" in value else item for item in _ITEM.split(value))
            yield from (VisiblePart(item, line, "fact") for item in items if item.strip())


def _blocks(text: str, first_line: int) -> list[VisiblePart]:
    """The pieces of a text without front matter."""
    names: dict[str, Any] = {}
    tokens = _parser().parse(_FOLD.sub(lambda fold: _TAG.sub("", fold[0]), text), names)
    return _Walk(first_line, names.get("references", {})).pieces(tokens)


_DEEP = 100
"""So many boxes within each other are read; what is deeper stays as it is written, on pages from a third of it on."""


class _Walk:
    """One walk over the tokens of a text."""

    def __init__(self, first_line: int, names: dict[str, Any], depth: int = 0) -> None:
        self.first_line, self.names, self.depth = first_line, names, depth
        self.counts = {"figure": 0, "table": 0}

    def pieces(self, tokens: Sequence[Token]) -> list[VisiblePart]:  # noqa: C901 -- the kinds of tokens
        """The pieces of all tokens."""
        pieces: list[VisiblePart] = []
        line, part, level = self.first_line, "", 0
        for token in tokens:
            line = self.first_line + token.map[0] if token.map else line
            match token.type:
                case "inline" if "said" in token.meta or not _SCRIPT.match(token.content):
                    pieces += self._inline(token, line, part, level)  # type: ignore[arg-type]
                case "heading_open":
                    part, level = "heading", int(token.tag[1])
                case "ordered_list_open" if "start" in token.attrs:
                    pieces.append(VisiblePart(f"{NUMBER}{token.attrs['start']}", line))
                case "table_open":
                    self.counts["table"] += 1
                    part = "table"
                case "heading_close" | "table_close":
                    part, level = "", 0
                case "fence":
                    pieces += self._code(token, line)
                case "code_block":  # or what stands below a term
                    words = _ROLE.sub(_of_role, token.content.replace("`", "\0")).replace("\0", "`")
                    pieces.append(VisiblePart(_IN_CODE.sub("", words), line))
                case "math_block" | "math_block_label" | "math_block_eqno" | "amsmath":
                    pieces.append(VisiblePart(formula(token.content), line))
                case "html_block":
                    pieces += (replace(piece, text=_seen(piece.text)) for piece in self._html(token.content, line))
        return pieces

    def _inside(self, text: str, line: int) -> list[VisiblePart]:
        """The pieces of a box below a line, which uses the names of links of the whole text."""
        if self.depth == _DEEP:
            return [VisiblePart(text, line + 1)]
        inner = _Walk(line + 1, self.names, self.depth + 1)
        inner.counts = self.counts
        return inner.pieces(_parser().parse(text, {"references": self.names}))

    def _html(self, html: str, line: int) -> Iterator[VisiblePart]:
        pieces = [replace(piece, text=_seen(piece.text)) if piece.is_tip else piece for piece in visible(html, line)]
        pieces = [*_telling(piece for piece in pieces if piece.text.strip())]
        for kind in self.counts:
            before = self.counts[kind]
            self.counts[kind] += max((piece.number for piece in pieces if piece.part == kind), default=0)
            pieces = [replace(piece, number=piece.number + before) if piece.part == kind else piece for piece in pieces]
        yield from pieces

    def _code(self, token: Token, line: int) -> Iterator[VisiblePart]:
        """A block of code; of a drawing the labels."""
        directive = _DIRECTIVE.match(token.info.strip())
        info = (directive[1] if directive else token.info.strip().partition(" ")[0]).strip("{}.").lower()
        if info == "mermaid":
            self.counts["figure"] += 1
            yield from (VisiblePart(label, line, "figure", self.counts["figure"]) for label in _labels(token.content))
        elif info == "math":
            yield VisiblePart(formula(_OPTION.sub("", token.content)), line)
        elif info == "=html" or (directive and info == "raw"):
            yield from self._html(token.content, line + 1)
        elif directive and info not in CELLS:
            if info not in NO_TITLE:
                yield VisiblePart(_seen(directive[2]), line)
            if info not in NO_TEXT:
                yield from self._inside(_OPTION.sub("", token.content), line)
        elif info.startswith("ad-"):
            yield from self._inside(_AD.sub(r"\1", token.content), line)
        elif directive:
            yield from (VisiblePart(said[1], line) for said in _SAID.finditer(token.content))
            yield VisiblePart(_OPTION.sub("", token.content), line + 1)
        else:
            if title := re.search(r"(?:title|filename)=(?:\"([^\"]*)\"|'([^']*)')", token.info):
                yield VisiblePart(title[1] or title[2] or "", line)
            code = _IN_CODE.sub("", token.content)
            yield VisiblePart(code if info in _OF_MARKDOWN else _INNER_FENCE.sub("", code), line + 1)

    def _inline(self, token: Token, line: int, part: Part, level: int) -> Iterator[VisiblePart]:  # noqa: C901 -- as above
        """A line of words; what is only told in the place of pictures comes behind it."""
        words, tags, tips = list[str](), list[str](), list[VisiblePart]()
        links, link = set[Link](), _NO_LINK
        number = self.counts.get(part, 0)
        for child in token.children or ():
            match child.type:
                case "text":
                    words.append(child.content)
                    if link or any(map(str.isalpha, child.content)):
                        links.add(link)
                case "link_open" | "link_close":
                    link = link_to(str(child.attrs.get("href", "")))
                    words += "\2" if child.nesting < 0 else ""
                case "strong_close" | "em_close":
                    words.append("\2")
                case "code_inline":
                    fence = _FENCE_INFO if len(child.markup) > 2 else _NO_INFO
                    words.append(f"\0{fence.sub('', child.content)}\0\2")
                case "softbreak" | "hardbreak":
                    words.append("\n")
                case "math_inline" | "math_inline_double" | "math_single":
                    words.append(f"\0{formula(child.content)}\0")
                case "html_inline":
                    words.append("\1")
                    tags.append(child.content)
                case "image":
                    self.counts["figure"] += 1
                    alt = _SIZE.sub("", child.content).strip(" |")
                    tips += _telling([VisiblePart(_seen(alt), line, "figure", self.counts["figure"], is_tip=True)])
                    words.append("\2")
                case "footnote_ref" | "footnote_anchor":
                    words.append(" ")
        text = _seen("".join(words))
        if tags:
            waiting = iter(tags)
            html = re.sub("\1", lambda _: next(waiting, ""), escape(text, quote=False))
            pieces = [
                replace(piece, part=piece.part or part, number=piece.number or number, level=level)
                for piece in self._html(html, line)
            ]
            if level:  # its words in one
                shown = " ".join(piece.text for piece in pieces if not piece.is_tip)
                pieces = [VisiblePart(numbered(shown), line, part, level=level), *(own for own in pieces if own.is_tip)]
            yield from pieces
        elif text.strip():
            whole = links.pop() if len(links) == 1 else _NO_LINK
            yield VisiblePart(numbered(text) if level else text, line, part, number, level=level, link=whole)
        yield from tips


def _seen(text: str) -> str:
    """The words of a line without what no reader sees; code and formulas, between two NUL, stay as they are."""
    text = _WIKI.sub(_linked, text) if "[[" in text else text
    text = _LINK.sub(lambda link: " " if link[1] else link[2], text) if "](" in text else text
    if "\0" in text:
        text = _ROLE.sub(_of_role, text) if "}\0" in text else text
        parts = text.split("\0")
        return "".join(part if at % 2 else _seen(part) for at, part in enumerate(parts))
    return _UNSEEN.sub(" ", text).replace("\2", "")


def _of_role(match: re.Match[str]) -> str:
    """The words of a role, such as `{ref}`words <target>``."""
    name, words = match[1].partition(":")[0].lower(), match[2]
    if name == "math":
        return f"\0{formula(words)}\0"
    target = _TARGET.fullmatch(words)
    return target[1] if target else " " if name in _REFERENCES else words


def _linked(match: re.Match[str]) -> str:
    """The words of a link between double brackets; of a picture none."""
    target, words = match[2], match[3]
    if target.strip("_ ").lower() == "toc":
        return " "
    if match[1]:
        target = target.partition("#")[0].strip()
        if _PICTURE.search(target):
            return " "
        words = _SIZE.sub("", words or "")
    return words or _BLOCK.sub("", target).replace("#", " ")


def _labels(code: str) -> Iterator[str]:
    """The words in a drawing of Mermaid: those between brackets and quotes, not those of comments and settings."""
    for line in code.split("\n"):
        for label in () if line.lstrip().startswith("%%") else _LABEL.finditer(line):
            yield _TAG.sub(" ", label[1] or label[2])
