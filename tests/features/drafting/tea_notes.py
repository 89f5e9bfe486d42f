"""A small collection whose first note is in Chinese only, and a translator who knows it by heart."""

from __future__ import annotations

import re
from pathlib import Path

from fake_model import Messages
from running import write

from paper_notes.corpus.model import GlossaryTerm, Text
from paper_notes.diagnostics import NOWHERE

SITE = "title: {zh: 茶, en: Tea}\nlanguages: [zh, en]\ntopics: [tea]\n"
NOTE = """\
title: {zh: 泡茶, en: Brewing tea}   # both
kind: paper
papers: [li2024tea]
created: 2026-01-02
"""
LIBRARY = "@misc{li2024tea, title={Tea}, author={Li, Bai}, year={2024}, eprint={2401.00001}, archiveprefix={arXiv}}\n"
GLOSSARY = "- {zh: 接受率, en: acceptance rate, avoid: [acceptance ratio]}\n"
TERMS = (
    GlossaryTerm("acceptance", Text.of(zh="接受率", en="acceptance rate"), (), ("acceptance ratio",), None, NOWHERE),
)
LEAD = """\
:::tldr
**一句话**：茶越浓，睡得越晚。
:::"""
BREWING = """\
## 怎样泡 {#brewing}

水温 $T = 95$ 度，泡 3 分钟，见 [@li2024tea, 表 2] 与 [[#2]]。接受率 94.5%，比 `baseline` 高 20 万分，\
详见[主页](https://example.org/a)。

| 茶 | 分 |
|---|---|
| 绿茶 | 0.81 |

:::note 小心
别忘了 $\\alpha$。
:::

```python
print(95)  # 水
```"""
LIMITS = """\
## 局限

只试了 Qwen3-8B，样本只有 388 份[^1]。

[^1]: 附注。"""
ZH = f"{LEAD}\n\n{BREWING}\n\n{LIMITS}\n"
LEAD_EN = """\
:::tldr
**In one sentence**: the stronger the tea, the later one sleeps.
:::"""
BREWING_EN = """\
## How to brew {#brewing}

Water of $T = 95$ degrees, three minutes, see [@li2024tea, Table 2] and [[#2]]. The acceptance rate is 94.5%, \
200,000 points above `baseline`; more on [its page](https://example.org/a).

| tea | points |
|---|---|
| green tea | 0.81 |

:::note Take care
Do not forget $\\alpha$.
:::

```python
print(95)  # 水
```"""
LIMITS_EN = """\
## Limitations

Only Qwen3-8B was tried, and the sample had only 388 cups[^1].

[^1]: A remark."""
KNOWN = {LEAD: LEAD_EN, BREWING: BREWING_EN, LIMITS: LIMITS_EN}
SECTION = re.compile(r"<section-(\w+)>\n(.*)\n</section-\1>", re.DOTALL)


def collection(root: Path, zh: str = ZH) -> Path:
    """The collection in a folder."""
    return write(
        root,
        {
            "notes_src/site.yaml": SITE,
            "notes_src/library.bib": LIBRARY,
            "notes_src/glossary.yaml": GLOSSARY,
            "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
            "notes_src/tea/01_Brewing/note.yaml": NOTE,
            "notes_src/tea/01_Brewing/zh.md": zh,
            "notes_src/tea/02_Other/note.yaml": "title: {zh: 二, en: Two}\n",
            "notes_src/tea/02_Other/zh.md": "二。\n",
            "notes_src/tea/02_Other/en.md": "Two.\n",
        },
    )


def asked_for(messages: Messages) -> str:
    """The section that is to be translated."""
    found = SECTION.search(messages[1]["content"])
    assert found
    return found[2]


def between(messages: Messages, text: str) -> str:
    """A text between the lines that the question asks for."""
    mark = re.search(r"<translation-(\w+)>", messages[0]["content"])
    assert mark
    return f"<translation-{mark[1]}>\n{text}\n</translation-{mark[1]}>"


def translator(messages: Messages) -> str:
    """Answers as a good model would."""
    return between(messages, KNOWN[asked_for(messages)])
