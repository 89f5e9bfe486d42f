"""What a new note says before anybody has written it: the sections in both languages, and what to write in each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from paper_notes.corpus.model import Fact, Lang
from paper_notes.corpus.paper import BibKey
from paper_notes.markdown.math import mathml
from paper_notes.markdown.texsize import TexProblem
from paper_notes.sources.pdf.model import OutlineItem

_URL = re.compile(r"https?://[\w%#&?=./:@~+,;!*'()-]*[\w/]", re.ASCII | re.IGNORECASE)
_ESCAPED = re.compile(r"[\\`*\[{<~$]|\](?=\()|:(?=::)|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
_BLOCK_START = re.compile(r"(\d*)([-+=#>:.)|])")  # what begins a list, a heading ... at the start of a line
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*")  # which reads the same from behind
_NUMBER = re.compile(r"(\d+|[IVX]+)\.?\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Start:
    """What a new note can say before anybody has written it."""

    abstract: str
    """Plain text with `$...$`, or empty."""
    source: str
    """Markdown: whose abstract it is."""
    missing: tuple[Fact, ...]
    key: BibKey
    outline: tuple[OutlineItem, ...] = ()


def skeleton(lang: Lang, start: Start) -> str:
    """The Markdown of a new note."""
    card, sections = _TEXTS[lang]
    parts = [card]
    if start.missing:
        parts.append(_still_missing(lang, start))
    if start.abstract:
        said = {"zh": "—— 摘要，", "en": "— abstract, "}[lang]
        parts.append(f"> {as_markdown(start.abstract)}\n>\n> {said}{start.source}\n")
    if start.outline:
        before, heading, after = sections.partition(_METHOD[lang])
        sections = f"{before}{_section_by_section(lang, start.outline)}\n{heading}{after}"
    return "\n".join([*parts, sections])


def _still_missing(lang: Lang, start: Start) -> str:
    facts = [_FACTS[lang][fact] for fact in start.missing]
    if lang == "zh":
        text = f"**还缺**：{'、'.join(facts)}。查到后写进 `.bib` 里的 `{start.key}`，再删掉这一块。"
    else:
        text = (
            f"**Still missing**: {', '.join(facts)}. Put them into `{start.key}` in the `.bib`, then delete this block."
        )
    return f":::note\n{text}\n:::\n"


def _section_by_section(lang: Lang, outline: tuple[OutlineItem, ...]) -> str:
    """The paper's own sections as headings to write under, with the pages they begin on."""
    title, ask, page, claims = _WALK[lang]
    made = f"{title}\n\n{ask}\n"
    number = 0
    for entry in outline:
        if entry.level == 1:
            number += 1
            heading = _NUMBER.sub(r"§\1 ", entry.title)  # our headings have numbers of their own
            made += f"\n### {as_markdown(heading)} {{#paper-{number}}}\n\n*{page.format(entry.page)}{claims}*\n"
        else:
            gap = "" if made.splitlines()[-1].startswith("- ") else "\n"
            made += f"{gap}- {as_markdown(entry.title)} ({page.format(entry.page)})\n"
    return made


def as_markdown(text: str) -> str:
    """One line of plain text as Markdown that says the same: formulas and addresses stay, all else is literal."""
    made: list[str] = []
    done = 0
    while (start := text.find("$", done)) >= 0:
        end = text.find("$", start + 1)
        inner = text[start + 1 : end]
        if end < 0 or not _is_math(inner, text[end + 1 : end + 2]):
            made += _literal(text[done:start]), r"\$"
            done = start + 1
            continue
        # a digit outside of the dollars would make them money, so it moves inside
        before = _AMOUNT.match(text[done:start][::-1])
        after = _AMOUNT.match(text, end + 1)
        first, last = start - (before.end() if before else 0), after.end() if after else end + 1
        made.append(_literal(text[done:first]))
        formula = _formula(text[first:start] + inner.strip() + text[end + 1 : last])
        needs_space = formula.startswith("`") and "".join(made[-2:]).endswith("`")
        made.append(f" {formula}" if needs_space else formula)
        done = last
    made.append(_literal(text[done:]))
    whole = "".join(made)
    return _BLOCK_START.sub(r"\1\\\2", whole, count=1) if _BLOCK_START.match(whole) else whole


def _is_math(inner: str, after: str) -> bool:
    if re.search(r"\\[A-Za-z]|[\^_]", inner):
        return True
    is_money = inner[:1].isdigit() or inner[-1:].isspace() or after[:1].isdigit()
    return not is_money and any(map(str.isalpha, inner))


def _formula(tex: str) -> str:
    try:
        if "`" in tex:
            raise TexProblem("code binds tighter than formulas", tex.index("`"))
        mathml(tex, display=False)
    except TexProblem:
        fence = "`" * (max(map(len, re.findall("`+", tex)), default=0) + 1)  # longer than any run inside
        return f"{fence} ${tex}$ {fence}"
    return f"${tex}$"


def _literal(text: str) -> str:
    made, done = "", 0
    for url in _URL.finditer(text):
        made += _ESCAPED.sub(r"\\\g<0>", text[done : url.start()])
        made += f"<{url[0]}>"
        done = url.end()
    return made + _ESCAPED.sub(r"\\\g<0>", text[done:])


_ZH = (
    """\
:::tldr
**一句话**：*这篇论文做了什么，效果如何，为什么值得记住。*

:::stats
—
: *最重要的一个数字，出自哪张表*

—
: *第二个数字，出自哪张表*
:::

**立场**：*你自己的判断：信几分，会不会用。*
:::
""",
    """\
## 动机

*现有做法卡在哪里？为什么以前没人解决？*

## 背景速查

*读懂后文要用到的概念，一句话一个。*

:::symbols 符号表
$x$
: *它代表什么，形状或取值范围是什么*
:::

## 核心方法

*分几步，每一步为什么这样做；画一张图。*

## 公式逐行翻译

*挑出最关键的公式，逐个符号翻译成人话。*

:::formula 公式的名字
$$
y = f(x)
$$

$f(x)$
: *这一项算的是什么*

**直觉**：*为什么公式长成这样，换一种写法会坏在哪里。*
:::

## 实验

*结论和支撑它的数字，注明出自哪张表；对照是否公平。*

## 局限

*作者承认的，和他们没有说的。*

## 待验证问题

1. *读完仍然存疑、可以动手验证的问题。*

## 记忆点

1. *半年后还想记得的一句话。*
""",
)

_EN = (
    """\
:::tldr
**In one sentence**: *what the paper does, how well it works, and why it is worth remembering.*

:::stats
—
: *the most important number, and the table it comes from*

—
: *the second number, and the table it comes from*
:::

**Stance**: *your own judgement: how much you believe, and whether you would use it.*
:::
""",
    """\
## Motivation

*Where do existing methods get stuck? Why had nobody solved it?*

## Background

*The ideas that the rest of the note needs, one sentence each.*

:::symbols Symbols
$x$
: *what it stands for, and its shape or range*
:::

## Method

*The steps, and why each is done this way; draw a figure.*

## Formulas line by line

*Pick the formula that matters most and put every symbol into words.*

:::formula Name of the formula
$$
y = f(x)
$$

$f(x)$
: *what this term computes*

**Intuition**: *why the formula looks like this, and what would break if it did not.*
:::

## Experiments

*The findings and the numbers behind them, each with its table; are the comparisons fair?*

## Limitations

*Those the authors admit, and those they do not mention.*

## Open questions

1. *A doubt that is left after reading, and that you could test.*

## Memory points

1. *A sentence you want to remember half a year from now.*
""",
)

_TEXTS: Mapping[Lang, tuple[str, str]] = {"zh": _ZH, "en": _EN}
"""The card at the top, and the sections. Both languages have the same blocks, so that they stand side by side."""

_METHOD: Mapping[Lang, str] = {"zh": "## 核心方法\n", "en": "## Method\n"}
"""The paper's own sections stand before this one."""
_WALK: Mapping[Lang, tuple[str, str, str, str]] = {
    "zh": (
        "## 逐节精读 {#section-by-section}",
        "*每节一两句话：它主张什么，凭什么；不值得记的小节就删掉。*",
        "第 {} 页",
        "起：这一节主张什么？",
    ),
    "en": (
        "## Section by section {#section-by-section}",
        "*A sentence or two for each: what it claims, and on what grounds; delete those not worth remembering.*",
        "p. {}",
        " on: what does it claim?",
    ),
}
_FACTS: Mapping[Lang, Mapping[Fact, str]] = {
    "zh": {"title": "标题", "authors": "作者", "year": "年份", "abstract": "摘要"},
    "en": {"title": "the title", "authors": "the authors", "year": "the year", "abstract": "the abstract"},
}
