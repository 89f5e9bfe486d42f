"""The components of a note, one small function each: `:::name title {#id}` with Markdown inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from markdown_it.token import Token
from markupsafe import escape

from paper_notes.diagnostics import Location
from paper_notes.markdown.code import code_html, highlight
from paper_notes.markdown.context import Context
from paper_notes.markdown.images import crop_target, is_crop


@dataclass(frozen=True)
class Block:
    """A component as its function gets it: `title` is HTML or empty, `anchor` is ` id="..."` or empty."""

    name: str
    title: str
    written: str
    """The title as it stands in the source."""
    source: str
    """The Markdown inside."""
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
    for opening in _definition_lists(block, "write each as two lines: the number, then `: what it is`"):
        opening.attrSet("class", "stats")
    is_bare = not block.title and not block.anchor
    return block.inner if is_bare else f"<div{block.anchor}>{_box_title(block)}{block.inner}</div>\n"


def _figure(block: Block) -> str:
    images = [child for token in block.content for child in token.children or [] if child.type == "image"]
    if len(images) != 1:
        hint = "put exactly one `![what it shows](file.svg)` inside; everything else is the caption"
        block.context.report(block.where, "bad-component", f":::figure holds {len(images)} images", hint)
        return block.inner
    block.context.counters["figure"] += 1
    picture = block.render([_inline_of(images)])
    rest = _without_images(block.content)
    caption = block.render(rest)
    if is_crop(src := str(images[0].attrs.get("src", ""))):
        caption += block.context.slot("source", crop_target(src), "" if rest else "caption", block.where)
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
            token = token.copy(children=children)
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


def _quote(block: Block) -> str:
    source = f"<figcaption>{block.title}</figcaption>" if block.title else ""
    return f'<figure class="quote"{block.anchor}><blockquote>{block.inner}</blockquote>{source}</figure>\n'


def _timeline(block: Block) -> str:
    for opening in _definition_lists(block, "write each as two lines: the date, then `: what happened`"):
        opening.attrSet("class", "timeline")
    return f"<div{block.anchor}>{_box_title(block)}{block.inner}</div>\n"


def _recall(block: Block) -> str:
    """Questions whose answers open on demand: each item of a definition list is one."""
    html: list[str] = []
    tokens = block.content
    done = 0
    for opening in _definition_lists(block, "write each as two lines: the question, then `: the answer`"):
        start = tokens.index(opening)
        end = _closing(tokens, start)
        html += [block.render(tokens[done:start]), *_questions(block, tokens[start + 1 : end])]
        done = end + 1
    html.append(block.render(tokens[done:]))
    title = block.title or block.label("自测", "Test yourself")
    return f'<div class="recall"{block.anchor}><p class="box-title">{title}</p>{"".join(html)}</div>\n'


def _questions(block: Block, tokens: list[Token]) -> Iterator[str]:
    """The items of a definition list: a question, and one answer or several."""
    place = 0
    while place < len(tokens):
        end = _closing(tokens, place)
        inner = block.render(tokens[place + 1 : end])
        if tokens[place].type == "dt_open":
            yield f'<details class="recall-item"><summary>{inner}</summary>'
        else:
            yield f"<div>{inner}</div>"
            yield "" if end + 1 < len(tokens) and tokens[end + 1].type == "dd_open" else "</details>\n"
        place = end + 1


def _definition_lists(block: Block, hint: str) -> list[Token]:
    """What opens the definition lists right inside the block; it must hold one."""
    level = block.content[0].level if block.content else 0
    openings = [token for token in block.content if token.type == "dl_open" and token.level == level]
    if not openings:
        block.context.report(block.where, "bad-component", f":::{block.name} holds a definition list", hint)
    return openings


def _closing(tokens: list[Token], start: int) -> int:
    """Where the block that opens at `start` ends."""
    kind, level = tokens[start].type.replace("_open", "_close"), tokens[start].level
    return next(
        place for place in range(start, len(tokens)) if (tokens[place].type, tokens[place].level) == (kind, level)
    )


def _paper(block: Block) -> str:
    key = block.written.strip("[] ").removeprefix("@")
    if not key:
        hint = "write its BibTeX key after the name: :::paper chen2025respec"
        block.context.report(block.where, "bad-component", ":::paper names no paper", hint)
    facts = block.context.slot("paper", key, "", block.where) if key else ""
    return f'<div class="paper-card"{block.anchor}>{facts}{block.inner}</div>\n'


def _details(block: Block) -> str:
    summary = block.title or block.label("展开", "Details")
    return f'<details class="fold"{block.anchor}><summary>{summary}</summary>{block.inner}</details>\n'


def _demo(block: Block) -> str:
    """Markdown, and what becomes of it."""
    code = block.context.keep(code_html(highlight(block.source, "markdown"), "markdown"))
    source = f'<p class="demo-label">{block.label("源码", "Source")}</p>{code}'
    result = f'<p class="demo-label">{block.label("效果", "Result")}</p><div>{block.inner}</div>'
    return f'<div class="demo"{block.anchor}>{_box_title(block)}{source}{result}</div>\n'


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
    "demo": _demo,
    "quote": _quote,
    "timeline": _timeline,
    "recall": _recall,
    "paper": _paper,
    "note": _callout("注", "Note"),
    "intuition": _callout("直觉", "Intuition"),
    "warning": _callout("警告", "Warning"),
    "caveat": _callout("存疑", "Caveat"),
    "tip": _callout("提示", "Tip"),
    "important": _callout("要点", "Important"),
    "caution": _callout("当心", "Caution"),
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
