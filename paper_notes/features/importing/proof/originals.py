"""The pieces of an original from its raw file: one function for each format, in `FORMATS`.

Markdown is read by the stock parser of CommonMark with the usual plugins. It knows no dialect: a sign of one is either
no word anyway, or is listed here as a sign that no reader sees.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.texmath import texmath_plugin

from paper_notes.features.importing.proof.visible import Part, Piece, formula, numbered, visible

_FRONT = re.compile(
    r"(?:---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*$|\+\+\+[ \t]*\n(?P<toml>.*?)^\+\+\+[ \t]*$)\n?",
    re.DOTALL | re.MULTILINE,
)
_KEY = re.compile(r"^[ \t]*(?:-[ \t]+)*(?:[\w .-]+|\"[^\"\n]*\"|'[^'\n]*')[ \t]*(?::(?=\s|$)|=)", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*-[ \t]|[,，;；、\[\]{}\"]|(?<=\w)'|'(?=\w)")
_NOTHING = frozenset("false no off null ~ [] {}".split())
_INNER = re.compile(r"[ \t]*(?:!!!|\?\?\?\+?|===)(?=[ \t])")
"""What an indented text belongs to, in MkDocs: to CommonMark it is code."""
_UNSEEN = re.compile(
    r"<!--.{0,999}?-->|%%.{0,999}?%%|\{>>.{0,999}?<<\}|\{/\*.{0,999}?\*/\}"  # remarks
    r"|\{%.{0,500}?%\}|\{\{[<%].{0,500}?[%>]\}\}"  # Liquid, and Hugo's shortcodes
    r"|\[\^[^\]\s]*\](?!:)"  # the mark of a footnote whose text is missing
    r"|\[![\w-]+\][+-]?|\A\[[ xX/-]\](?=\s)"  # the kind of a callout; the box of a task
    r"|\{:?[^{}\n]*[.#=:][^{}\n]*\}"  # attributes
    r"|(?:(?<=\s)|\A)\^[A-Za-z0-9-]+[ \t]*(?=\n|\Z)"  # the name of a block
    r"|\[\[_?toc_?\]\]|\[toc\]|\A\w+\s*\{:?[ \t]*toc[ \t]*\}"  # where a tool puts a table of contents
    r"|:[a-z0-9_+-]+:(?!:)|\A\*\[[^\]\n]+\]:[^\n]*",  # an icon; what an abbreviation means
    re.DOTALL | re.IGNORECASE,
)
_FENCE_SIGN = re.compile(
    r"^[ \t]*(?:(?:!!!|\?\?\?\+?)[ \t]*[\w -]+|:{3,}[ \t]*(?:\{[^{}\n]*\}|[\w-]+)?|===!?\+?)(?=[ \t\"]|$)", re.MULTILINE
)
"""What opens a box or a tab; its title is behind it."""
_WIKI = re.compile(r"(!?)\[\[([^\[\]|\n]+?)\\?(?:\|([^\[\]\n]*))?\]\]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+[\"'][^()\"']*[\"'])?\)")
_BLOCK = re.compile(r"#\^[\w-]+$")
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|webp|svg|avif|bmp)$", re.IGNORECASE)
_NO_ALT = re.compile(
    r"(?:image|img|alt|alt text|picture|图片|screenshot|untitled)?(?:\.\w+)?|[\w.-]+\.(?:png|jpe?g|gif|webp|svg)",
    re.IGNORECASE,
)
_SIZE = re.compile(r"(?:^|\|)\s*(?:\d+(?:x\d+)?|left|right|center|inline)\s*(?=$|\|)")
_SCRIPTS = re.compile(r"^(?:import|export)\s[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*", re.MULTILINE)
"""Of MDX."""


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("gfm-like", {"linkify": False}).enable(["table", "strikethrough"])
    for plugin in (footnote_plugin, deflist_plugin, amsmath_plugin):
        parser.use(plugin)
    parser.use(dollarmath_plugin, allow_digits=False, double_inline=True)
    return parser.use(texmath_plugin, "brackets")


def html(text: str) -> list[Piece]:
    """The pieces of a page; its title first, whatever stands above it."""
    return _with_title_first(_telling(visible(text)))


def markdown(text: str) -> list[Piece]:
    """The pieces of a Markdown text, with those of its front matter."""
    front = _FRONT.match(text)
    pieces = [*_facts(front["yaml"] or front["toml"] or "")] if front else []
    start = front.end() if front else 0
    return [*pieces, *_with_title_first(_blocks(text[start:], text.count("\n", 0, start) + 1))]


def jupyter(text: str) -> list[Piece]:
    """The pieces of a notebook: its cells, and what they have put out, but for pictures."""
    notebook = json.loads(text)
    cells = notebook.get("cells") or [cell for sheet in notebook.get("worksheets", ()) for cell in sheet["cells"]]
    places = re.finditer('"cell_type"', text)
    pieces: list[Piece] = []
    for cell, place in zip(cells, places, strict=False):
        line, source = text.count("\n", 0, place.start()) + 1, _text(cell.get("source", cell.get("input", "")))
        if cell.get("cell_type") in ("markdown", "heading"):
            source = f"# {source}" if cell["cell_type"] == "heading" else source
            pieces += _blocks(source, line)
        else:
            pieces.append(Piece(source, line))
        pieces += (piece for output in cell.get("outputs") or () for piece in _of_output(output, line))
    return _with_title_first(pieces)


_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def _text(value: object) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _of_output(output: Mapping[str, Any], line: int) -> Iterator[Piece]:
    """What a reader sees of an output that is no picture: an HTML table, or plain text."""
    forms = {**output, **(output.get("data") or {})}
    if "picture" in forms or any(kind.startswith("image/") or kind in ("png", "jpeg", "svg") for kind in forms):
        return
    html, plain = _text(forms.get("text/html", forms.get("html"))), _text(forms.get("text/plain", forms.get("text")))
    if "<table" in html:
        yield from visible(html, line)
    elif latex := _text(forms.get("text/latex")):
        yield Piece(formula(latex), line)
    else:
        yield Piece(_ESCAPES.sub("", plain or "\n".join(map(str, forms.get("traceback") or ()))), line)


def roam(text: str) -> list[Piece]:
    """The pieces of a page of Roam: the strings of its blocks, in their order."""
    page = json.loads(text)
    pieces = [Piece(str(page.get("title", "")), 1, "heading", level=1)]
    blocks = [*reversed(page.get("children") or ())]
    while blocks:
        block = blocks.pop()
        words = _CALLED.sub(r"\1", str(block.get("string", "")))
        pieces += _blocks(words.replace("^^", "==").replace("__", "*"), 1)
        blocks += reversed(block.get("children") or ())
    return pieces


_CALLED = re.compile(r"\{\{(?:\[\[)?(?:TODO|DONE|table|embed|video|youtube)(?:\]\])?:?\s*([^{}]*)\}\}")

FORMATS: Mapping[str, Callable[[str], Sequence[Piece]]] = {
    "html": html,
    "markdown": markdown,
    "jupyter": jupyter,
    "roam": roam,
}
"""By the names of the importer's formats. Another format gets a function here that knows its raw file."""


def _telling(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces without what is said in place of a picture only because something has to be."""
    return (piece for piece in pieces if not (piece.is_tip and _NO_ALT.fullmatch(piece.text.strip())))


def _with_title_first(pieces: Iterable[Piece]) -> list[Piece]:
    pieces = [*pieces]
    title = next((at for at, piece in enumerate(pieces) if piece.level == 1), None)
    return pieces if title is None else [pieces[title], *pieces[:title], *pieces[title + 1 :]]


def _facts(front: str) -> Iterator[Piece]:
    """Each value in a front matter, whatever its key; those that say nothing are left out."""
    for line, written in enumerate(front.split("\n"), 2):
        value = "" if written.lstrip().startswith("#") else _KEY.sub("", written)
        if value.strip().lower() not in _NOTHING:
            yield from (Piece(item, line, "fact") for item in _ITEM.split(value) if item.strip())


def _blocks(text: str, first_line: int) -> list[Piece]:
    """The pieces of a text without front matter."""
    if text.lstrip().startswith(("import ", "export ")) or "\nexport " in text:
        text = _SCRIPTS.sub(lambda match: "\n" * match[0].count("\n"), text)
    return _Walk(first_line).pieces(_parser().parse(text))


class _Walk:
    """One walk over the tokens of a text."""

    def __init__(self, first_line: int) -> None:
        self.first_line = first_line
        self.counts = {"figure": 0, "table": 0}

    def pieces(self, tokens: Sequence[Token]) -> list[Piece]:
        """The pieces of all tokens."""
        pieces: list[Piece] = []
        line, part, level, is_inner = self.first_line, "", 0, False
        for token in tokens:
            line = self.first_line + token.map[0] if token.map else line
            match token.type:
                case "inline":
                    pieces += self._inline(token, line, part, level)  # type: ignore[arg-type]
                    is_inner = bool(_INNER.match(token.content)) or (is_inner and line == self.first_line)
                    continue
                case "heading_open":
                    part, level = "heading", int(token.tag[1])
                case "table_open":
                    self.counts["table"] += 1
                    part = "table"
                case "heading_close" | "table_close":
                    part, level = "", 0
                case "fence" | "code_block":
                    if token.type == "code_block" and is_inner:
                        inner = _Walk(line)
                        inner.counts = self.counts
                        pieces += inner.pieces(_parser().parse(token.content))
                        continue
                    pieces += self._code(token, line)
                case "math_block" | "math_block_label" | "math_block_eqno" | "amsmath":
                    pieces.append(Piece(formula(token.content), line))
                case "html_block":
                    pieces += (replace(piece, text=_marked(piece.text)) for piece in self._html(token.content, line))
            is_inner = is_inner and token.type in ("paragraph_close", "paragraph_open")
        return pieces

    def _html(self, html: str, line: int) -> Iterator[Piece]:
        pieces = [*_telling(visible(html, line))]
        for kind in self.counts:
            before = self.counts[kind]
            self.counts[kind] += max((piece.number for piece in pieces if piece.part == kind), default=0)
            pieces = [replace(piece, number=piece.number + before) if piece.part == kind else piece for piece in pieces]
        yield from pieces

    def _code(self, token: Token, line: int) -> Iterator[Piece]:
        """A block of code; of a drawing the labels."""
        info = token.info.strip().partition(" ")[0].strip("{}.").lower()
        if info == "math":
            yield Piece(formula(token.content), line)
        elif info == "mermaid":
            self.counts["figure"] += 1
            yield from (Piece(label, line, "figure", self.counts["figure"]) for label in _labels(token.content))
        else:
            if title := re.search(r"(?:title|filename)=(?:\"([^\"]*)\"|'([^']*)')", token.info):
                yield Piece(title[1] or title[2] or "", line)
            yield Piece(token.content, line + (token.type == "fence"))

    def _inline(self, token: Token, line: int, part: Part, level: int) -> Iterator[Piece]:  # noqa: C901 -- as above
        """A line of words; what is only told in the place of pictures comes behind it."""
        words, tags, tips = list[str](), list[str](), list[Piece]()
        number = self.counts.get(part, 0)
        for child in token.children or ():
            match child.type:
                case "text":
                    words.append(child.content)
                case "code_inline":
                    words.append(f"\0{child.content}\0")
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
                    told = (alt, str(child.attrs.get("title", "")))
                    tips += _telling(Piece(text, line, "figure", self.counts["figure"], is_tip=True) for text in told)
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
                pieces = [Piece(numbered(shown), line, part, level=level), *(own for own in pieces if own.is_tip)]
            yield from pieces
        elif text.strip():
            yield Piece(numbered(text) if level else text, line, part, number, level=level)
        yield from tips


def _seen(text: str) -> str:
    """The words of a line without what no reader sees; code and formulas, between two NUL, stay as they are."""
    if "\0" in text:
        parts = text.split("\0")
        return "".join(part if at % 2 else _seen(part) for at, part in enumerate(parts))
    text = _UNSEEN.sub(" ", _FENCE_SIGN.sub(" ", text))
    return _WIKI.sub(_linked, text) if "[[" in text else text


def _marked(text: str) -> str:
    """The words between the tags of a block of HTML, where some tools read Markdown, too."""
    return _seen(_LINK.sub(r"\1", text) if "](" in text else text)


def _linked(match: re.Match[str]) -> str:
    """The words of a link between double brackets; of a picture none."""
    target, words = match[2], match[3]
    if match[1] and _PICTURE.search(target.partition("#")[0].strip()):
        return " "
    return words or _BLOCK.sub("", target).replace("#", " ")


def _labels(code: str) -> Iterator[str]:
    """The words in a drawing of Mermaid: those between brackets and quotes."""
    for line in code.split("\n"):
        yield from (
            label[1] or label[2] for label in re.finditer(r"\"([^\"]*)\"|[\[({|]+([^\[\](){}|\"]*)[\])}|]", line)
        )
