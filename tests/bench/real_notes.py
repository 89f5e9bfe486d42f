"""Texts and figures as long as those of real notes: about 8 KB of Markdown in each language, 8 formulas, a drawing.

Indices and numbers differ from note to note, so that no formula and no figure is found in a cache of another note.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from real_words import ALIGNED, CODE, DISPLAY, INLINE, SENTENCES, Pair

COLOURS = ("blue", "orange", "green", "purple", "teal")


def real_texts(
    dice: random.Random, terms: Sequence[tuple[str, str, str]], number: int, size: int, keys: Sequence[str]
) -> Pair:
    """Chinese and English: a card, then five sections with all that notes are made of. `keys` are papers to cite."""
    formulas = _formulas(dice)
    inline, display, aligned = formulas[:5], formulas[5:7], formulas[7]
    cites = [f" [@{key}]" for key in keys] or [""]
    near = f"[[#{dice.randint(1, size)}#method]]", f"[[#{dice.randint(1, size)}]]"
    rows = [[2**step, *(dice.randint(100, 990) / 10 for _ in range(4))] for step in range(1, 7)]
    code = _numbers(dice, CODE) if number % 3 == 0 else ""
    stats = [f"{dice.randint(2, 9)}.{dice.randint(0, 9)}×", f"{dice.randint(20, 95)}%"]
    texts = []
    paragraphs = [
        [[sentence(dice, terms) for _ in range(dice.randint(4, 5))] for _ in range(count)]
        for count in (1, 2, 2, 2, 2, 1)
    ]
    for place, lang in enumerate(("zh", "en")):

        def say(zh: str, en: str, chosen: str = lang) -> str:
            return zh if chosen == "zh" else en

        lead, motivation, method, proof, trials, limits = (
            [say("", " ").join(pair[place] for pair in pairs) for pairs in section] for section in paragraphs
        )
        table = [
            say(
                "| 批量 | 基线 | 本文 | 去掉草稿 | 去掉缓存 |",
                "| Batch | Baseline | This paper | No draft | No cache |",
            ),
            "|---:|---:|---:|---:|---:|",
            *("| " + " | ".join(map(str, row)) + " |" for row in rows),
        ]
        texts.append(
            f"""\
:::tldr
{lead[0]}

:::stats
{stats[0]}
: {say("吞吐相对基线，批量 8", "throughput over the baseline, batch 8")}

{stats[1]}
: {say("接受率，温度 1", "acceptance rate at temperature 1")}
:::
:::

## {say("动机", "Motivation")}

{motivation[0]}

{say("设", "Let")} ${inline[0]}${say("，其中", ", where")} ${inline[1]}${say("。", ".")} {motivation[1]}

{say("参见", "See")} {near[0]}{say("与", " and ")}{near[1]}{cites[0]}{say("。", ".")}

## {say("核心方法", "Method")}

{method[0]}

$$
{display[0]}
$$

:::formula {say("逐行翻译", "Line by line")} {{#eq-main}}
$$
{aligned}
$$

${inline[2]}$
: {say("一轮里要算的量，与草稿长度成正比", "what one round computes, in proportion to the length of the draft")}

${inline[3]}$
: {say("打分头给出的估计，只在训练时更新", "the estimate of the scoring head, updated in training only")}
:::

{method[1]}

### {say("为什么成立", "Why it holds")} {{#why}}

{proof[0]}

$$
{display[1]}
$$

{proof[1]}

:::note {say("别忘了前提", "Mind the premise")}
{say("以上推导要求", "The derivation above needs")} ${inline[4]}${say("。", ".")} {paragraphs[-1][0][-1][place]}
:::

{code}
## {say("实验", "Experiments")}

{trials[0]}

{chr(10).join(table)}

:::figure {{#fig-main}}
![{say("四种设置随批量的变化", "Four settings over the batch size")}](result.svg)

{say("批量越大，差距越小；虚线是基线。", "The larger the batch, the smaller the gap; the dashed line is the baseline.")}
:::

{trials[1]}

1. {say("[主要结果](#eq-main)在三个随机种子上都成立。", "The [main result](#eq-main) holds for three seeds.")}
2. {say("[图](#fig-main)里的误差棒是标准差。", "The error bars of the [figure](#fig-main) are standard deviations.")}
3. {say("代码与权重都已公开，许可证是 MIT。", "Code and weights are public under the MIT licence.")}

## {say("局限", "Limitations")}

{limits[0]}

- {say("没有报告训练成本。", "The cost of training is not reported.")}
- {say("长上下文只测到 32K。", "Long contexts were tested up to 32K only.")}{cites[-1]}
"""
        )
    return texts[0], texts[1]


def real_figure(dice: random.Random) -> str:
    """A chart of about 2 KB with labels in both languages."""
    lines = []
    for colour in COLOURS[: dice.randint(3, 4)]:
        points = [(60 + 50 * step, dice.randint(600, 2400) / 10) for step in range(8)]
        path = " ".join(f"{x},{y}" for x, y in points)
        lines.append(f'<polyline points="{path}" fill="none" stroke="var(--fig-{colour}, #2457c5)" stroke-width="2"/>')
        lines += [f'<circle cx="{x}" cy="{y}" r="3" fill="var(--fig-{colour}, #2457c5)"/>' for x, y in points[::2]]
    base = dice.randint(1200, 2000) / 10
    ticks = [
        f'<text x="{60 + 100 * step}" y="272" font-size="14" text-anchor="middle">{2**step * dice.randint(1, 9)}</text>'
        for step in range(4)
    ]
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 300" fill="currentColor">',
            '<text systemLanguage="zh" x="10" y="24" font-size="15" font-weight="600">吞吐随批量的变化</text>',
            '<text systemLanguage="en" x="10" y="24" font-size="15" font-weight="600">Throughput by batch size</text>',
            f'<path d="M50 {base}H460" stroke="var(--fig-line, #9aa1ad)" stroke-dasharray="3 4"/>',
            '<path d="M50 40V250H460" fill="none" stroke="currentColor"/>',
            *lines,
            *ticks,
            "</svg>\n",
        ]
    )


def _formulas(dice: random.Random) -> list[str]:
    """Five for the line, two for a line of their own, and one of several lines."""
    chosen = [*dice.sample(INLINE, 5), *dice.sample(DISPLAY, 2), dice.choice(ALIGNED)]
    return [_numbers(dice, pattern) for pattern in chosen]


def _paragraph(dice: random.Random, terms: Sequence[tuple[str, str, str]]) -> list[Pair]:
    return [sentence(dice, terms) for _ in range(dice.randint(4, 5))]


def sentence(dice: random.Random, terms: Sequence[tuple[str, str, str]]) -> Pair:
    """A sentence in both languages."""
    zh, en = dice.choice(SENTENCES)
    (zh_a, en_a, _), (zh_b, en_b, _) = dice.sample(terms, 2)
    numbers = {"n": dice.randint(2, 9), "m": dice.randint(1, 9), "l": dice.randint(10, 96)}
    return zh.format(a=zh_a, b=zh_b, **numbers), en.format(a=en_a, b=en_b, **numbers)


def _numbers(dice: random.Random, pattern: str) -> str:
    i, j, k = dice.sample(range(1, 1000), 3)
    return pattern.format(i=i, j=j, k=k, n=dice.randint(2, 9), m=dice.randint(1, 9))
