"""The components of a note, one small function each: `:::name title {#id}` with Markdown inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from markdown_it.token import Token
from markupsafe import escape

from paper_notes.diagnostics import Location
from paper_notes.markdown.context import Context


@dataclass(frozen=True)
class Block:
    """A component as its function gets it: `title` is HTML or empty, `anchor` is ` id="..."` or empty."""

    name: str
    title: str
    anchor: str
    content: list[Token]
    context: Context
    where: Location
    render: Callable[[list[Token]], str]

    @property
    def inner(self) -> str:
        return self.render(self.content)

    def label(self, zh: str, en: str) -> str:
        return self.context.word(zh, en)


def _tldr(block: Block) -> str:
    title = block.title or block.label("速读卡片", "TL;DR")
    return f'<section class="tldr"{block.anchor}><p class="tldr-label">{title}</p>{block.inner}</section>\n'


def _stats(block: Block) -> str:
    if not block.content or block.content[0].type != "dl_open":
        hint = "write each as two lines: the number, then `: what it is`"
        block.context.report(block.where, "bad-component", ":::stats holds a definition list", hint)
    for token in block.content:
        if token.type == "dl_open":
            token.attrSet("class", "stats")
    return block.inner


def _figure(block: Block) -> str:
    images = [child for token in block.content for child in token.children or [] if child.type == "image"]
    if len(images) != 1:
        hint = "put exactly one `![what it shows](file.svg)` inside; everything else is the caption"
        block.context.report(block.where, "bad-component", f":::figure holds {len(images)} images", hint)
        return block.inner
    block.context.counters["figure"] += 1
    picture = block.render([_inline_of(images)])
    caption = block.render(_without_images(block.content))
    label = f"{block.label('图', 'Figure')} {block.context.counters['figure']}"
    title = f' <span class="fig-title">{block.title}</span>' if block.title else ""
    caption = f'<figcaption><span class="fig-label">{label}</span>{title}{caption}</figcaption>'
    return f'<figure class="fig"{block.anchor}><div class="fig-body">{picture}</div>{caption}</figure>\n'


def _inline_of(children: list[Token]) -> Token:
    return Token("inline", "", 0, children=children)


def _without_images(tokens: list[Token]) -> list[Token]:
    """The tokens without images, and without paragraphs that held nothing else."""
    kept: list[Token] = []
    for token in tokens:
        if token.children and any(child.type == "image" for child in token.children):
            children = [child for child in token.children if child.type != "image"]
            while children and children[0].type in ("softbreak", "hardbreak"):
                del children[0]
            token.children = children
        kept.append(token)
        is_paragraph = [t.type for t in kept[-3:]] == ["paragraph_open", "inline", "paragraph_close"]
        if is_paragraph and not any(child.type != "softbreak" for child in kept[-2].children or []):
            del kept[-3:]
    return kept


def _formula(block: Block) -> str:
    for token in block.content:
        if token.type == "dl_open":
            token.attrSet("class", "reading")
    return f'<div class="formula"{block.anchor}>{_box_title(block)}{block.inner}</div>\n'


def _symbols(block: Block) -> str:
    return f'<div class="symbols"{block.anchor}>{_box_title(block)}{block.inner}</div>\n'


def _box_title(block: Block) -> str:
    return f'<p class="box-title">{block.title}</p>' if block.title else ""


def _details(block: Block) -> str:
    summary = block.title or block.label("展开", "Details")
    return f'<details class="fold"{block.anchor}><summary>{summary}</summary>{block.inner}</details>\n'


def _callout(zh: str, en: str) -> Callable[[Block], str]:
    def render(block: Block) -> str:
        title = block.title or block.label(zh, en)
        head = f'<p class="callout-title">{title}</p>'
        return f'<aside class="callout callout-{block.name}"{block.anchor}>{head}{block.inner}</aside>\n'

    return render


def _statement(zh: str, en: str, *, counter: str = "") -> Callable[[Block], str]:
    """A block of mathematical prose; those with a counter are numbered by it."""

    def render(block: Block) -> str:
        label = block.label(zh, en)
        if counter:
            block.context.counters[counter] += 1
            label = f"{label} {block.context.counters[counter]}"
        if block.name == "proof":
            block.context.counters["step"] = 0
        title = f'<span class="thm-name">{block.title}</span>' if block.title else ""
        head = f'<p class="thm-title"><span class="thm-label">{label}</span>{title}</p>'
        return f'<div class="thm thm-{block.name}"{block.anchor}>{head}{block.inner}</div>\n'

    return render


COMPONENTS: Mapping[str, Callable[[Block], str]] = {
    "tldr": _tldr,
    "stats": _stats,
    "figure": _figure,
    "formula": _formula,
    "symbols": _symbols,
    "details": _details,
    "note": _callout("注", "Note"),
    "intuition": _callout("直觉", "Intuition"),
    "warning": _callout("警告", "Warning"),
    "caveat": _callout("存疑", "Caveat"),
    "theorem": _statement("定理", "Theorem", counter="theorem"),
    "lemma": _statement("引理", "Lemma", counter="theorem"),
    "proposition": _statement("命题", "Proposition", counter="theorem"),
    "corollary": _statement("推论", "Corollary", counter="theorem"),
    "definition": _statement("定义", "Definition", counter="definition"),
    "proof": _statement("证明", "Proof"),
    "step": _statement("步骤", "Step", counter="step"),
    "example": _statement("例", "Example", counter="example"),
}
"""Every component. A new one is a function and a line here."""


def unknown(block: Block) -> str:
    """What stands in for a component that does not exist (its diagnostic has been given)."""
    return f"<div>{escape(block.name)}{block.inner}</div>\n"
