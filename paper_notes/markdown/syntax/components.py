"""The components of a note, one row of COMPONENTS each: `:::name title {#id}` with Markdown inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from markdown_it.token import Token
from markupsafe import escape

from paper_notes.corpus.model import COLOURS, Text
from paper_notes.diagnostics import Location
from paper_notes.extensions import brought
from paper_notes.markdown.context import Context, closing
from paper_notes.markdown.figures.images import crop_target, is_crop
from paper_notes.markdown.syntax.code import code_html, highlight
from paper_notes.values import Struct


def without_images(tokens: list[Token]) -> list[Token]:
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


_SIGN = r"\s*[:：.．、·|—–]\s*"
"""What stands between the label of a figure and its caption."""


def typed_label(tokens: list[Token], word: str) -> tuple[int, list[Token]]:
    """The number that a caption begins with, and the caption without it: `Figure 1:`, `Fig. 1.`, `**图 1** ·`; or 0."""
    inline = next((place for place, token in enumerate(tokens[:2]) if token.type == "inline"), None)
    children = (
        []
        if inline is None
        else [child for child in tokens[inline].children or [] if child.type != "text" or child.content]
    )
    is_strong = [child.type for child in children[:3]] == ["strong_open", "text", "strong_close"]
    text = children[is_strong].content if children[is_strong:] and children[is_strong].type == "text" else ""
    typed = re.match(rf"(?:{re.escape(word)}|Fig\.)\s*(\d{{1,4}})(?:{_SIGN}{'|$' * is_strong})", text)
    if inline is None or not typed:
        return 0, tokens
    rest = [children[is_strong].copy(content=text[typed.end() :]), *children[is_strong + 1 :]]
    if is_strong and rest[0].content:
        rest = [children[0], *rest]
    elif is_strong and (rest := rest[2:]) and rest[0].type == "text":
        rest[0] = rest[0].copy(content=re.sub(rf"^(?:{_SIGN}|\s+)", "", rest[0].content))
    if not any(child.content for child in rest):
        return 0, tokens
    return int(typed[1]), [*tokens[:inline], tokens[inline].copy(children=rest), *tokens[inline + 1 :]]


class ComponentBlock(Struct, frozen=True):
    """A component in a text, as passed to its function: `title` is HTML or empty, `anchor` is ` id="..."` or empty."""

    name: str
    title: str
    written: str
    """The title as Markdown."""
    source: str
    """The Markdown inside."""
    anchor: str
    content: list[Token]
    context: Context
    where: Location
    render: Callable[[list[Token]], str]
    unfolded: bool = False
    """Whether what can be folded is shown at first."""
    colour: str = ""
    """Of a quotation."""

    @property
    def inner(self) -> str:
        return self.render(self.content)

    def word(self, name: str, **values: str) -> str:
        """One of the words of components, in the language of the text."""
        return self.context.word(f"component.{name}", **values)


class ComponentKind(Struct, frozen=True):
    """All that defines one component; the styles of ours are in `assets/css/parts/NN-class.css`."""

    name: str
    render: Callable[[ComponentBlock], str]
    classes: str
    """Classes that its HTML may have, separated by spaces: the sanitiser drops all others."""
    help: Text
    """What it is for, in one line, for `paper-notes explain`."""
    style: str = ""
    """CSS of a component that a feature brings: only pages that use one of its classes have it."""


def _tldr(block: ComponentBlock) -> str:
    title = block.title or block.word("tldr")
    return f'<section class="tldr"{block.anchor}><p class="tldr-label">{title}</p>{block.inner}</section>\n'


def _stats(block: ComponentBlock) -> str:
    for opening in _definition_lists(block, "write each as two lines: the number, then `: what it is`"):
        opening.attrSet("class", "stats")
    is_bare = not block.title and not block.anchor
    return block.inner if is_bare else f"<div{block.anchor}>{_box_title(block)}{block.inner}</div>\n"


def _figure(block: ComponentBlock) -> str:
    images = [child for token in block.content for child in token.children or [] if child.type == "image"]
    if len(images) != 1:
        hint = "put exactly one `![what it shows](file.svg)` inside; everything else is the caption"
        block.context.report(block.where, "bad-component", f":::figure holds {len(images)} images", hint)
        return block.inner
    word = block.word("figure", number="").strip()
    number, rest = typed_label(without_images(block.content), word)
    block.context.counters["figure"] = number or block.context.counters["figure"] + 1  # the author knows
    picture = block.render([Token("inline", "", 0, children=images)])
    label = block.word("figure", number=str(block.context.counters["figure"]))
    caption = block.render(rest)
    if is_crop(src := str(images[0].attrs.get("src", ""))):
        caption += block.context.slot("source", crop_target(src), "" if rest else "caption", block.where)
    title = f' <span class="fig-title">{block.title}</span>' if block.title else ""
    caption = f'<figcaption><span class="fig-label">{label}</span>{title}{caption}</figcaption>'
    parts = [f'<div class="fig-body">{picture}</div>', caption]
    is_below = any(child.type == "image" for token in block.content[:3] for child in token.children or [])
    return f'<figure class="fig"{block.anchor}>{"".join(parts if is_below else reversed(parts))}</figure>\n'


def _formula(block: ComponentBlock) -> str:
    for token in block.content:
        if token.type == "dl_open":
            token.attrSet("class", "reading")
    return f'<div class="formula"{block.anchor}>{_box_title(block)}{block.inner}</div>\n'


def _box_title(block: ComponentBlock) -> str:
    return f'<p class="box-title">{block.title}</p>' if block.title else ""


def _quote(block: ComponentBlock) -> str:
    source = f"<figcaption>{block.title}</figcaption>" if block.title else ""
    colour = f" q-{block.colour}" if block.colour else ""
    return f'<figure class="quote{colour}"{block.anchor}><blockquote>{block.inner}</blockquote>{source}</figure>\n'


def _timeline(block: ComponentBlock) -> str:
    for opening in _definition_lists(block, "write each as two lines: the date, then `: what happened`"):
        opening.attrSet("class", "timeline")
    return f"<div{block.anchor}>{_box_title(block)}{block.inner}</div>\n"


def _recall(block: ComponentBlock) -> str:
    """Questions whose answers open on demand: each item of a definition list is one."""
    html: list[str] = []
    tokens = block.content
    done = 0
    for opening in _definition_lists(block, "write each as two lines: the question, then `: the answer`"):
        start = tokens.index(opening)
        end = closing(tokens, start)
        html += [block.render(tokens[done:start]), *_questions(block, tokens[start + 1 : end])]
        done = end + 1
    html.append(block.render(tokens[done:]))
    title = block.title or block.word("recall")
    return f'<div class="recall"{block.anchor}><p class="box-title">{title}</p>{"".join(html)}</div>\n'


def _questions(block: ComponentBlock, tokens: list[Token]) -> Iterator[str]:
    """The items of a definition list: a question, and one answer or several."""
    place = 0
    while place < len(tokens):
        end = closing(tokens, place)
        inner = block.render(tokens[place + 1 : end])
        if tokens[place].type == "dt_open":
            yield f'<details class="recall-item"><summary>{inner}</summary>'
        else:
            yield f"<div>{inner}</div>"
            yield "" if end + 1 < len(tokens) and tokens[end + 1].type == "dd_open" else "</details>\n"
        place = end + 1


def _definition_lists(block: ComponentBlock, hint: str) -> list[Token]:
    """The opening tokens of the definition lists right inside the block, which must hold one."""
    level = block.content[0].level if block.content else 0
    openings = [token for token in block.content if token.type == "dl_open" and token.level == level]
    if not openings:
        block.context.report(block.where, "bad-component", f":::{block.name} holds a definition list", hint)
    return openings


def _paper(block: ComponentBlock) -> str:
    key = block.written.strip("[] ").removeprefix("@")
    if not key:
        hint = "write its BibTeX key after the name: :::paper chen2025respec"
        block.context.report(block.where, "bad-component", ":::paper names no paper", hint)
    facts = block.context.slot("paper", key, "", block.where) if key else ""
    return f'<div class="paper-card"{block.anchor}>{facts}{block.inner}</div>\n'


def _details(block: ComponentBlock) -> str:
    summary = block.title or block.word("details")
    shown = " open" if block.unfolded else ""
    return f'<details class="fold"{block.anchor}{shown}><summary>{summary}</summary>{block.inner}</details>\n'


def _demo(block: ComponentBlock) -> str:
    """Markdown, and its result."""
    code = block.context.keep(code_html(highlight(block.context, block.where, block.source, "markdown"), "markdown"))
    source = f'<p class="demo-label">{block.word("demo-source")}</p>{code}'
    result = f'<p class="demo-label">{block.word("demo-result")}</p><div>{block.inner}</div>'
    return f'<div class="demo"{block.anchor}>{_box_title(block)}{source}{result}</div>\n'


def _row(name: str, render: Callable[[ComponentBlock], str], classes: str, zh: str, en: str) -> ComponentKind:
    return ComponentKind(name, render, classes, Text.of(zh=zh, en=en))


def _box(name: str, css_class: str, zh: str, en: str) -> ComponentKind:
    """A box that has a title only if the note gives one."""

    def render(block: ComponentBlock) -> str:
        return f'<div class="{css_class}"{block.anchor}>{_box_title(block)}{block.inner}</div>\n'

    return _row(name, render, f"{css_class} box-title", zh, en)


def _callout(name: str, zh: str, en: str) -> ComponentKind:
    """A box with a title, which is the word of its name unless the note gives one."""

    def render(block: ComponentBlock) -> str:
        head = f'<p class="callout-title">{block.title or block.word(name)}</p>'
        return f'<aside class="callout callout-{name}"{block.anchor}>{head}{block.inner}</aside>\n'

    return _row(name, render, f"callout callout-{name} callout-title", zh, en)


def _statement(name: str, zh: str, en: str, *, counter: str = "") -> ComponentKind:
    """A block of mathematical prose, labelled by the word of its name, and numbered if it has a counter."""

    def render(block: ComponentBlock) -> str:
        number = ""
        if counter:
            block.context.counters[counter] += 1
            number = str(block.context.counters[counter])
        label = block.word(name, number=number)
        if name == "proof":
            block.context.counters["step"] = 0
        title = f'<span class="thm-name">{block.title}</span>' if block.title else ""
        head = f'<p class="thm-title"><span class="thm-label">{label}</span>{title}</p>'
        return f'<div class="thm thm-{name}"{block.anchor}>{head}{block.inner}</div>\n'

    return _row(name, render, f"thm thm-{name} thm-title thm-label thm-name", zh, en)


_QUOTE_CLASSES = " ".join(("quote", *(f"q-{colour}" for colour in COLOURS)))
_ROWS = (
    _row("tldr", _tldr, "tldr tldr-label", "速读卡片，写在正文最前面", "The card at the top: the note in brief"),
    _row(
        "stats",
        _stats,
        "stats box-title",
        zh="关键数字，写成定义列表：先数字，后含义",
        en="Key numbers: a definition list of number and meaning",
    ),
    _row(
        "figure",
        _figure,
        "fig fig-body fig-label fig-title",
        zh="带编号和说明的图：恰好一张图",
        en="A numbered figure: exactly one image, and its caption",
    ),
    _row(
        "formula",
        _formula,
        "formula reading box-title",
        zh="公式，以及用定义列表写的逐行解读",
        en="A formula, and its reading as a definition list",
    ),
    _box("symbols", "symbols", "符号表，写成定义列表", "Symbols: a definition list of their meanings"),
    _box("card", "card-box", "中性的框，标题可省", "A neutral box, with a title or without one"),
    _row("details", _details, "fold", "折叠起来的内容，点开才显示", "What is folded away until the reader opens it"),
    _row("demo", _demo, "demo demo-label box-title", "Markdown 源码和它的效果", "Markdown, and what becomes of it"),
    _row("quote", _quote, _QUOTE_CLASSES, "引文，标题是出处", "A quotation; the title is its source"),
    _row(
        "timeline",
        _timeline,
        "timeline box-title",
        zh="时间线，写成定义列表：先日期，后事件",
        en="A timeline: a definition list of date and event",
    ),
    _row(
        "recall",
        _recall,
        "recall recall-item box-title",
        zh="自测题，写成定义列表：答案点开才显示",
        en="A self-test: a definition list of questions; answers open on demand",
    ),
    _row(
        "paper",
        _paper,
        "paper-card",
        "一篇论文的卡片，标题是它的 BibTeX 键",
        "A card of a paper; the title is its BibTeX key",
    ),
    _callout("note", "旁注", "An aside; the argument goes on without it"),
    _callout("intuition", "直觉：为什么是这样", "Why it is so, in plain words"),
    _callout("warning", "容易出错的地方", "Where it is easy to go wrong"),
    _callout("caveat", "证据不足的结论", "A conclusion on weak evidence"),
    _callout("tip", "实用的建议", "Practical advice"),
    _callout("important", "不能漏看的要点", "What must not be missed"),
    _callout("caution", "有损失风险的操作", "An action that may do harm"),
    _statement("theorem", "定理，自动编号", "A theorem, numbered", counter="theorem"),
    _statement("lemma", "引理，和定理一起编号", "A lemma, numbered with theorems", counter="theorem"),
    _statement("proposition", "命题，和定理一起编号", "A proposition, numbered with theorems", counter="theorem"),
    _statement("corollary", "推论，和定理一起编号", "A corollary, numbered with theorems", counter="theorem"),
    _statement("definition", "定义，自动编号", "A definition, numbered", counter="definition"),
    _statement("proof", "证明", "A proof, whose steps count from 1"),
    _statement("step", "证明或推导的一步，自动编号", "A step of a proof, numbered", counter="step"),
    _statement("example", "例子，自动编号", "A worked example, numbered", counter="example"),
)
"""A new one is a function, a row here and a style sheet."""
COMPONENTS: Mapping[str, ComponentKind] = {row.name: row for row in _ROWS}
"""Those of the core."""


@cache
def components() -> Mapping[str, ComponentKind]:
    """All components by name: those of the core, then those of the features."""
    return {**COMPONENTS, **{row.name: row for row in brought("components")}}


def unknown(block: ComponentBlock) -> str:
    """The HTML of a component that does not exist, which has been reported."""
    return f"<div>{escape(block.name)}{block.inner}</div>\n"
