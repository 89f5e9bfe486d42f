"""A page as a tree of what its author meant: nothing swallowed, nothing spread, with line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from html.parser import HTMLParser

from paper_notes.markdown.figures.svg import ELEMENTS
from paper_notes.patterns import regex
from paper_notes.sources.characters import UNUSABLE, short_references
from paper_notes.values import Struct, field

Report = Callable[[str, str, int, int], None]
"""Called with the kind of a mistake, a message, and line and column from 1."""

# Which elements HTML has, and how they nest

VOID = frozenset("area base basefont br col embed hr img input link meta param source track wbr".split())
MATHML = frozenset(
    "mrow mi mn mo ms mtext mspace mphantom mpadded mstyle merror menclose mfenced mfrac msqrt mroot msub msup msubsup"
    " munder mover munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd semantics".split()
)
"""What stands inside of `<math>`."""
MATHJAX = frozenset(
    "MathJax MathJax_Preview MathJax_Display MathJax_CHTML MathJax_SVG MathJax_SVG_Display MJXc-display mjx-chtml"
    " MathJax_MathML".split()
)
"""Classes of what MathJax 2 shows of the TeX that is in a script behind it."""
INLINE = MATHML | frozenset(
    "a abbr acronym b bdi bdo big button cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small"
    " span strike strong sub sup time tt u var input img br wbr audio video canvas object select option textarea"
    " progress meter output map math annotation annotation-xml mjx-container nobr".split()
)
BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p picture pre search section"
    " summary table tbody td tfoot th thead tr ul".split()
)
UNSEEN = frozenset(
    "base link meta title style script template noscript iframe basefont colgroup col param source track".split()
)
"""Elements whose content no page shows."""
KNOWN = VOID | INLINE | BLOCKS | UNSEEN | {"head"}
"""All others, such as `<think>`, are words of the author's."""
TOOLS = ("mjx-", "mp-")
"""What elements that programs invented begin with: MathJax, WeChat."""
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
CELLS = ("td", "th")
ROWS = ("thead", "tbody", "tfoot")
PICTURES = ("drawing", "img")
_WITHOUT_WORDS = frozenset("hidden checkbox radio password file image color range".split())
"""Kinds of `<input>` whose value no page shows."""


class HtmlNode(Struct):
    """An element of a page, or words, whose `tag` is empty.

    A drawing is an element `drawing` with its `source`, a formula that was set already one `pn-tex` with its `tex`.
    """

    tag: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    line: int = 0
    column: int = 0
    children: list[HtmlNode] = field(default_factory=list)
    words: str = ""
    """Entities replaced; of `style` and `title` what is in them, of `pn-tex` the words if there is no `tex`."""

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(self.attributes.get("class", "").split())

    @property
    def is_blank(self) -> bool:
        """Whether these are only spaces."""
        return not self.tag and not self.words.strip()

    @property
    def content(self) -> list[HtmlNode]:
        """Its children but spaces."""
        return [child for child in self.children if not child.is_blank]

    def text(self) -> str:
        """All words inside of it, as they are; line ends as such, formulas as TeX."""
        if self.tag in ("", "pn-tex"):
            return self.attributes.get("tex") or self.words
        return "\n" if self.tag == "br" else "".join(child.text() for child in self.children)

    def lines(self) -> str:
        """All words inside of it, those of each block on lines of their own."""
        own = self.text().replace("\n", " ") if self.tag in ("", "pn-tex") else ""
        words = own or "".join(child.lines() for child in self.children)
        return f"\n{words}\n" if self.tag in BLOCKS or self.tag == "br" else words

    def elements(self) -> Iterator[HtmlNode]:
        """The element and all elements inside of it, in order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack += [child for child in reversed(element.children) if child.tag]

    def links(self) -> list[str]:
        """The addresses of all links inside of it."""
        return [element.attributes.get("href", "") for element in self.elements() if element.tag == "a"]

    def elements_of(self, *tags: str) -> list[HtmlNode]:
        """Its children with one of these tags."""
        return [element for element in self.children if element.tag in tags]

    def items(self) -> Iterator[tuple[HtmlNode, int]]:
        """What is in a list, with the number before it, which an item may say; what is no item counts as one."""
        is_reversed = "reversed" in self.attributes
        number = _number(self.attributes.get("start", ""), len(self.elements_of("li")) if is_reversed else 1)
        for child in self.content:
            number = _number(child.attributes.get("value", ""), number) if child.tag == "li" else number
            yield child, number
            number += -1 if is_reversed else 1

    def first(self, *tags: str) -> HtmlNode | None:
        """The first element inside of it with one of these tags."""
        return next((element for element in self.elements() if element is not self and element.tag in tags), None)


_TABLE = ("table",)
_ENDED_BY: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "li": (("ul", "ol", "menu", "dir"), ("li",)),
    **dict.fromkeys(("dt", "dd"), (("dl",), ("dt", "dd"))),
    **dict.fromkeys(CELLS, (_TABLE, CELLS)),
    "tr": (_TABLE, ("tr", *CELLS, "caption")),
    **dict.fromkeys(ROWS, (_TABLE, ("tr", *CELLS, *ROWS, "caption"))),
    "option": ((), ("option",)),
    **dict.fromkeys(("rt", "rp"), ((), ("rt", "rp"))),
}
"""The lists or tables that an element belongs to, and the open elements in there that its start tag ends."""
_WRAPPERS = frozenset("html body main article section header footer nav form center".split())
_WRAPPER_CLASS = regex(r"wrap|container|content|page|main|body|article|post|note$|col|grid|layout|inner|section")
_ENDS_BY_ITSELF = frozenset("p li dt dd td th tr thead tbody tfoot html body main option".split())
"""Elements whose end tags HTML lets authors leave out."""
_TABLE_PARTS = frozenset({"table", "tr", *ROWS, *CELLS})
"""The only end tags that reach beyond a cell."""
OPENING = "\ufdda"
"""A `<` that is a sign of the author's. A single character, so that columns stay what they are."""
_CUT = f"pn-cut{OPENING}"
"""The tag that stands for what the prescan cuts out, and that no author can write."""
MAX_DEPTH = 60
"""Elements that are deeper are beside each other."""
_TAG_START = regex(r"<(/?)([A-Za-z][\w-]*)")


def parse(source: str, report: Report) -> HtmlNode:
    """The tree of a page; mistakes are put right and reported."""
    prescan = _Prescan(source, report)
    builder = _Builder(prescan.cut, report)
    text = short_references(prescan.text())
    builder.count(text)
    builder.feed(text)
    builder.close()
    builder.end(1)
    return builder.root


class _Builder(HTMLParser):
    def __init__(self, cut: Sequence[HtmlNode], report: Report) -> None:
        super().__init__(convert_charrefs=True)
        self.root = HtmlNode("html", {}, 1, 1)
        self.stack = [self.root]
        self.cut, self.report = cut, report
        self.opened: Counter[str] = Counter()
        self.closed: Counter[str] = Counter()
        """How many start and end tags of each element the whole page has."""

    def count(self, text: str) -> None:
        for end, tag in _TAG_START.findall(text):
            (self.closed if end else self.opened)[tag.lower()] += 1

    def place(self) -> tuple[int, int]:
        line, column = self.getpos()
        return line, column + 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open(tag, attrs, is_closed=tag in VOID)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """`<br/>` is an empty element, and so is `<p/>`, in which nobody means to put what follows."""
        self.open(tag, attrs, is_closed=True)

    def open(self, tag: str, attrs: list[tuple[str, str | None]], *, is_closed: bool) -> None:
        attributes: dict[str, str] = {}
        for name, value in attrs:
            attributes.setdefault(name, UNUSABLE.sub("\ufffd", (value or "").replace(OPENING, "<")))
        line, column = self.place()
        if tag in ("html", "head", "body"):
            self.root.attributes |= attributes
            return
        if tag == _CUT:
            self.stack[-1].children.append(self.cut[int(attributes["number"])])
            return
        if tag in BLOCKS and MATHJAX.isdisjoint(attributes.get("class", "").split()):  # they stand within paragraphs
            self.make_room(tag)
        element = HtmlNode(tag, attributes, line, column)
        if tag == "input" and attributes.get("type", "").lower() not in _WITHOUT_WORDS and attributes.get("value"):
            element.children.append(HtmlNode(words=f" {attributes['value']} ", line=line, column=column))
        if tag in ("a", "button") and any(element.tag == tag for element in self.inline_run()):
            self.end(max(depth for depth, element in enumerate(self.stack) if element.tag == tag))
        self.stack[-1].children.append(element)
        if not is_closed and len(self.stack) < MAX_DEPTH:
            self.stack.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("html", "head", "body") or tag in VOID:
            if tag == "br":
                self.handle_starttag("br", [])
            return
        if tag in HEADINGS and self.stack[-1].tag in HEADINGS:
            tag = self.stack[-1].tag  # <h2> ... </h3>
        for depth in range(len(self.stack) - 1, 0, -1):
            if self.stack[depth].tag == tag:
                self.end(depth, implied=False)
                return
            if self.stack[depth].tag == "table" or (self.stack[depth].tag in CELLS and tag not in _TABLE_PARTS):
                break
        self.tell("stray-end", f"</{tag}> ends nothing")

    def handle_data(self, data: str) -> None:
        line, column = self.place()
        parent = self.stack[-1]
        words = UNUSABLE.sub("\ufffd", data.replace(OPENING, "<"))
        if parent.tag in ("table", "tr", *ROWS) and words.strip():
            shown = f'"{" ".join(words.split())[:40]}"'
            self.tell("misplaced-text", f"text between the cells of a table: {shown}")
        parent.children.append(HtmlNode(words=words, line=line, column=column))

    def tell(self, kind: str, message: str, at: HtmlNode | None = None) -> None:
        line, column = (at.line, at.column) if at else self.place()
        self.report(kind, message, line, column)

    def inline_run(self) -> list[HtmlNode]:
        """The innermost open elements that are inline."""
        run: list[HtmlNode] = []
        for element in reversed(self.stack[1:]):
            if element.tag not in INLINE:
                break
            run.append(element)
        return run

    def make_room(self, tag: str) -> None:
        """End what cannot hold a block: inline elements, paragraphs, headings, items before this one."""
        scope, ended = _ENDED_BY.get(tag, ((), ()))
        for depth in range(len(self.stack) - 1, 0, -1):
            if self.stack[depth].tag in scope or (ended and self.stack[depth].tag == "table"):
                break
            if self.stack[depth].tag in ended:
                while self.stack[depth - 1].tag in ended:
                    depth -= 1
                self.end(depth)
                break
        run = self.inline_run()
        is_card = [element.tag for element in run] == ["a"] and self.opened["a"] == self.closed["a"]
        if run and not (is_card and tag == "div"):
            self.end(len(self.stack) - len(run))
        if self.stack[-1].tag == "pre" and self.opened["pre"] > self.closed["pre"]:
            self.end(len(self.stack) - 1)
        last = self.stack[-1]
        is_open = last.tag in HEADINGS and (tag in HEADINGS or self.opened[last.tag] > self.closed[last.tag])
        if last.tag == "p" or is_open or (last.tag == "summary" and tag in ("p", "ul", "ol", "table", "div", "pre")):
            self.end(len(self.stack) - 1)
        if tag in ("h1", "h2"):
            self.end_boxes()

    def end_boxes(self) -> None:
        """End a box that a heading of the page would be inside of, since nobody ended it."""
        first = next((at for at, element in enumerate(self.stack) if at and not _is_wrapper(element)), 0)
        boxes = self.stack[first:] if first else []
        if any(box.tag in ("td", "th", "table", "details", "blockquote", "li") for box in boxes):
            return
        if not any(self.opened[box.tag] > self.closed[box.tag] for box in boxes):
            return
        for box, inner in zip(boxes, [*boxes[1:], None], strict=True):
            inside = [child for child in box.children if not child.is_blank]
            if inside and inside != [inner]:
                self.end(first)
                return

    def end(self, depth: int, *, implied: bool = True) -> None:
        """End the element at this depth and all that are open inside of it; `implied`: not by its own end tag."""
        for element in self.stack[depth + (not implied) :]:
            if element.tag not in _ENDS_BY_ITSELF:
                name = ".".join([element.tag, *element.classes[:1]])
                self.tell("unclosed-element", f"<{name}> is not closed", element)
        del self.stack[depth:]


def _number(written: str, otherwise: int) -> int:
    """A number before an item, if Markdown can have it."""
    return int(written) if written.isdecimal() and len(written) < 9 else otherwise


def _is_wrapper(element: HtmlNode) -> bool:
    """Whether an element may hold all sections of a page."""
    if element.tag == "div":
        return not element.classes or any(map(_WRAPPER_CLASS.search, element.classes))
    return element.tag in _WRAPPERS


# Prescan: the source made fit for `html.parser`, with as many lines as before

_ATTRIBUTE = r"""\s+[A-Za-z_:@][\w:.@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?"""
_PIECE = regex(
    rf"""(?P<comment><!--)|(?P<cdata><!\[CDATA\[)|(?P<hidden><(?P<hides>(?a:script|style|template|noscript|title))\b[^>]*>)
    |(?P<drawing><(?a:svg)(?=[\s/>]))
    |(?P<other><!doctype[^>]*>|<\?[^>]*>)
    |(?P<tag></?(?P<name>[A-Za-z][\w:-]*)(?:{_ATTRIBUTE})*\s*/?>)
    |(?P<sign><)""",
    re.IGNORECASE | re.VERBOSE,
)
_HIDDEN = frozenset("script style template noscript title".split())
_ENDS = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE | re.ASCII) for name in _HIDDEN} | {
    "comment": re.compile("-->"),
    "cdata": re.compile(r"\]\]>"),
}
_SVG = regex(r"<(/?)svg(?=[\s/>])[^>]*?(/?)>", re.IGNORECASE | re.ASCII)
_GOES_ON = regex(rf"\s*<(?:{'|'.join(sorted(ELEMENTS - {'svg', 'a', 'title', 'set'}))})\s+[\w:-]+=", re.IGNORECASE)
"""What shows that a drawing was ended too early."""
_AFTER_DRAWING = regex(
    r"</(?:div|figure|p|section|td|li|main|body)\s*>|<(?:figcaption|h[1-6]|table|ul|hr)\b", re.IGNORECASE
)
"""What ends a drawing that its author did not end."""
_MATH_TYPE = regex(r"<script[^>]*\btype\s*=\s*[\"']?math/tex([^>]*)>", re.IGNORECASE)
_COMMENT = regex(r"%?\s*(?:<!\[CDATA\[|\]\]>)|(?<!\\)%[^\n]*")
_SWALLOWED = regex(r"</?([A-Za-z][\w:-]*)[^<>\n]*>")


class _Prescan:
    """Cuts drawings, scripts and comments out of a page, and makes each `<` that begins no tag of HTML a sign.

    It takes time in proportion to the source: what has no end is looked for once.
    """

    def __init__(self, source: str, report: Report) -> None:
        self.source, self.report = source, report
        self.cut: list[HtmlNode] = []
        self.lines = [0, *(end.end() for end in re.finditer("\n", source))]
        self.last = source.rfind(">") + 1
        """Where no tag can begin any more."""
        self.endless: set[str] = set()
        """The kinds of pieces of which no end follows."""
        self.svg_ends: dict[int, int] = {}
        self.custom: set[str] = set()
        """Names of elements that a site invented, such as `<clipboard-copy class="...">`."""
        """Where drawings end that have an end tag, by their offset, as far as `svg_read`."""
        self.svg_read = 0

    def text(self) -> str:
        """The source for the parser. What is cut out is in `cut`; a tag with its number stands for it."""
        kept: list[str] = []
        done = 0
        while token := _PIECE.search(self.source, done, self.last):
            kept.append(self.source[done : token.start()])
            piece, done = self.piece(token)
            kept.append(piece)
        return "".join([*kept, self.source[done:].replace("<", OPENING)])

    def piece(self, token: re.Match[str]) -> tuple[str, int]:
        """What the parser gets for a piece of the page, and where that ends."""
        kind, start, end = token.lastgroup or "", token.start(), token.end()
        if kind == "drawing":
            end = self.end_of_drawing(start)
            return self.cut_out(HtmlNode("drawing", {"source": self.source[start:end]}), start, end), end
        if kind == "other":
            return _blank(token[0]), end
        name = (token["name"] or token["hides"] or kind).lower()
        if kind in ("tag", "sign"):
            return self.tag(token, name), end
        if closing := self.end_of(name, start + 2):
            inside = self.source[end : closing.start()]
            return self.hidden(token, name, inside, closing.end()), closing.end()
        return (self.tag(token, name), end) if kind == "hidden" else (OPENING, start + 1)

    def hidden(self, token: re.Match[str], name: str, inside: str, end: int) -> str:
        """What stands for a comment, or an element that is not shown."""
        if name == "cdata":
            return inside.replace("<", OPENING).replace("&", "&amp;")
        if name == "script" and (script := _MATH_TYPE.search(token[0])):
            display = {"display": ""} if "mode=display" in script[1] else {}
            tex = {"tex": " ".join(_COMMENT.sub("", inside).split())}
            return self.cut_out(HtmlNode("pn-tex", tex | display), token.start(), end)
        if name in ("style", "title"):
            return self.cut_out(HtmlNode(name, words=inside), token.start(), end)
        return _blank(self.source[token.start() : end])

    def cut_out(self, element: HtmlNode, start: int, end: int) -> str:
        """Put an element in the place of a piece. What follows keeps its line and column."""
        element.line, element.column = self.place(start)
        self.cut.append(element)
        written = f'<{_CUT} number="{len(self.cut) - 1}"'
        *lines, last = self.source[start:end].split("\n")
        if lines and not last:
            return written + "\n" * (len(lines) - 1) + ">\n"
        room = len(last) - 1 - (0 if lines else len(written))
        return written + "\n" * len(lines) + " " * room + ">"

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.lines, offset) - 1
        return line + 1, offset - self.lines[line] + 1

    def end_of(self, name: str, start: int) -> re.Match[str] | None:
        """Where a comment or a hidden element ends."""
        end = None if name in self.endless else _ENDS[name].search(self.source, start)
        if end is None:
            self.endless.add(name)
        return end

    def end_of_drawing(self, start: int) -> int:
        """Where a drawing ends, though its author may not have ended it."""
        if start >= self.svg_read:
            self.read_svg_tags(start)
        end = self.svg_ends.get(start, len(self.source))
        after = _AFTER_DRAWING.search(self.source, start, end)
        if after and (start not in self.svg_ends or _SVG.search(self.source, start + 4, end - 1)):
            return after.start()  # another drawing has the end of this one, if it has any
        return end

    def read_svg_tags(self, start: int) -> None:
        """Find the end of this drawing and of those in it, up to the end of the page if it has none."""
        opened: list[int] = []
        for tag in _SVG.finditer(self.source, start, self.last):
            self.svg_read = tag.end()
            if not tag[1]:
                opened.append(tag.start())
            if tag[2] or (tag[1] and (len(opened) > 1 or not _GOES_ON.match(self.source, tag.end()))):
                self.svg_ends[opened.pop()] = tag.end()
            if not opened:
                return
        self.svg_read = len(self.source)

    def tag(self, token: re.Match[str], name: str) -> str:
        """A tag of HTML as it is; the `<` of anything else is a sign."""
        tag = token[0]
        if name in _HIDDEN:
            self.report("unclosed-element", f"<{name}> is not closed", *self.place(token.start()))
            return _blank(tag)
        if name in KNOWN or name.startswith(TOOLS) or name in self.custom:
            return tag
        if "-" in name and "=" in tag:
            self.custom.add(name)  # authors' words in angle brackets have no attributes
            return tag
        if name == "svg":
            self.report("stray-end", f"{_shown(tag)} is outside of a drawing", *self.place(token.start()))
            return _blank(tag)
        swallowed = _SWALLOWED.match(self.source, token.start())
        if token["name"] or (swallowed and swallowed[1].lower() not in KNOWN):
            shown = _shown(tag if token["name"] or not swallowed else swallowed[0])
            self.report("swallowed-tag", f"{shown} is no tag of HTML, but words", *self.place(token.start()))
        return OPENING + tag[1:]


def _blank(piece: str) -> str:
    return re.sub(r"[^\n]", " ", piece)


def _shown(tag: str) -> str:
    return tag if len(tag) <= 40 else f"{tag[:39]}…"
