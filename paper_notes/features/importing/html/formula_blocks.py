"""Formulas and code on lines of their own."""

from __future__ import annotations

import re

from paper_notes.features.importing.html.boxes import component
from paper_notes.features.importing.html.elements import BLOCKS
from paper_notes.features.importing.html.figures import lone
from paper_notes.features.importing.html.formulas import as_tex, several, signs
from paper_notes.features.importing.html.inline import Break, Formula, Inline, Words, plain
from paper_notes.features.importing.html.lists import Inner, beside
from paper_notes.features.importing.html.our_syntax import has_plain_formulas
from paper_notes.features.importing.html.page import Page
from paper_notes.features.importing.html.read_back import read_back
from paper_notes.features.importing.html.tree import Element, Node, Text
from paper_notes.features.importing.html.words_of import inline
from paper_notes.features.importing.html.writing import paragraph

_LANGUAGE = re.compile(r"(?:lang(?:uage)?-)?([A-Za-z][\w+#-]*)")
_HELD = frozenset({"drawing", "img", "table", "ul", "ol", "pre", "details", "dl", "pn-tex"})


def formula_block(page: Page, element: Element, inner: Inner) -> list[str]:
    """A formula as TeX if all of its lines read back as they are, else in a box as it is written."""
    if element.first(*_HELD) or element.tag in ("table", "ul", "ol"):
        return beside(page, element.children, inner)
    lines = _lines(element)
    if not lines:
        return []
    tex = [as_tex(line, page.table) for line in lines] if page.options.tex else []
    known = [one for one in tex if one is not None]
    if known and len(known) == len(lines):
        whole = several(known)
        if signs(whole):
            page.write((Formula(whole, "".join(signs(one) for one in known)),))
            return [f"$$\n{whole}\n$$"]
    if element.tag == "pre":
        return code(page, element)
    parts: list[Inline] = []
    for line in lines:
        parts += [*([Break()] if parts else []), *inline(page, line)]
    if not plain(parts):
        return []
    if page.options.tex:
        page.tell("formula-as-text", f"a formula stays as it is written: {plain(parts)[:60]}", element)
    page.write(parts)
    return _as_written(page, tuple(parts))


def _as_written(page: Page, parts: tuple[Inline, ...]) -> list[str]:
    """The box of a formula that is no TeX: centred, in the type of code, unless it has marks."""
    if has_plain_formulas() and all(isinstance(part, Words | Break) for part in parts):
        text = "".join(part.text if isinstance(part, Words) else "\n" for part in parts)
        made = f"```formula\n{text}\n```"
        if "```" not in text and not read_back(made, page.lang, inline=False).problems:
            return [made]
    return component(page, "formula", "", [paragraph(parts, page.lang)])


def _lines(element: Element) -> list[list[Node]]:
    """The lines of a formula: line ends and blocks divide it."""
    lines: list[list[Node]] = [[]]
    for child in element.children:
        if isinstance(child, Element) and child.tag == "br":
            lines.append([])
        elif isinstance(child, Element) and child.tag in BLOCKS:
            lines += [*_lines(child), []]
        elif isinstance(child, Text) and element.tag == "pre":
            first, *others = child.words.split("\n")
            lines[-1].append(Text(first, child.line, child.column))
            lines += [[Text(other, child.line, child.column)] for other in others]
        else:
            lines[-1].append(child)
    return [line for line in lines if "".join(map(words, line)).strip()]


def code(page: Page, element: Element) -> list[str]:
    """A block of code, and the pictures in it."""
    return [
        *_fenced(page, element),
        *(text for one in element.elements() if one.tag in ("drawing", "img") for text in lone(page, one)),
    ]


def _fenced(page: Page, element: Element) -> list[str]:
    text = words(element).replace("\u00a0", " ").strip("\n").rstrip()
    if not text.strip():
        return []
    inside = element.first("code") or element
    names = [found[1] for name in (*inside.classes, *element.classes) if (found := _LANGUAGE.fullmatch(name))]
    fence = "`" * max(3, max((len(run) + 1 for run in re.findall("`+", text)), default=0))
    page.letters.add(text, ["code"])
    for name in (*names, "text"):
        made = f"{fence}{name}\n{text}\n{fence}"
        if not read_back(made, page.lang, inline=False).problems:
            return [made]
    return [f"{fence}text\n{text}\n{fence}"]


def words(node: Node) -> str:
    """The words of a piece of the tree, as they are; line ends as such."""
    if isinstance(node, Text):
        return node.words
    if node.tag == "br":
        return "\n"
    return "".join(map(words, node.children))
