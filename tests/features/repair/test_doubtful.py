"""Doubtful characters of a repaired text are marked where they are read, and nowhere else."""

from __future__ import annotations

import re

import pytest
from building import note

from paper_notes.corpus.model import Lang
from paper_notes.features.repair.doubts import doubts_of
from paper_notes.features.repair.garbling import GARBLINGS
from paper_notes.features.repair.text import Guess
from paper_notes.markdown.render import render_body
from paper_notes.sources.doubts import Doubt, written

ZH = Lang("zh")
GUESSES = {"中": "不", "不": "与", "与": "中"}


def shown(text: str, places: list[int], choose: str = "", file: str = "zh.md") -> str:
    """The HTML of a text whose characters at these places are doubtful, with `<…>` around those that are marked."""
    guesses = [Guess(at, GARBLINGS[0].garble(text[at]), ((text[at], 0.6), (GUESSES[text[at]], 0.4))) for at in places]
    doubts = [Doubt(*(*doubt.cells[:-1], choose)) for doubt in doubts_of(file, text, guesses)]
    body = render_body(note({ZH: text}, {"doubts.tsv": written(doubts)}))
    half = body.halves[ZH]
    html = half.lead + "".join(part.halves[ZH].heading + part.halves[ZH].html for part in body.sections)
    return re.sub(r'<span class="doubtful" title="[^"]*">(.)</span>', r"«\1»", html + half.footnotes).replace("\n", "")


@pytest.mark.parametrize(
    "marked",
    [
        "训练«中»的奖励，与测试中的不同。",
        "中不与，中不«与»，中不与。",
        "**中**与 `中`，«不»是 [中](https://example.org/中)。",
        "第一段中。@@第二段«中»，不与。",
        "- 一中@- 二«中»@- 三«不»中",
        "## 题目«与»中@@正文«中»。",
        "## 甲@@| 中 | 与 |@|---|---|@| 不«中» | «与» |",
        "> 引用«中»的话@> 与«不»",
        "脚注[^1]是«中»。@@[^1]: 说明«不»中。",
        "「«中»」",
        "公式 $中$ 与«中»",
    ],
)
def test_each_doubtful_character_is_marked(marked: str) -> None:
    marked = marked.replace("@", "\n")
    text, places = "", []
    for part in re.split("(«.»)", marked):
        if part.startswith("«"):
            places.append(len(text))
            part = part[1]
        text += part
    html = shown(text, places)
    assert re.findall(".?«.»", html) == re.findall(".?«.»", re.sub(r"\n> |\n- ", "", marked).replace("| «", ">«"))
    assert re.sub("[«»]", "", html) == shown(text, [])


def test_the_mark_says_what_else_it_may_be() -> None:
    text = "训练中的奖励"
    doubts = written(doubts_of("zh.md", text, [Guess(2, "ä¸", (("中", 0.6), ("不", 0.3), ("与", 0.1)))]))
    html = render_body(note({ZH: text}, {"doubts.tsv": doubts})).halves[ZH].lead
    assert 'title="这个字损坏过，是猜的；也可能是：不 30%, 与 10%">中</span>' in html


def test_what_a_person_chose_is_not_marked_any_more_nor_is_what_another_file_has() -> None:
    assert "«" not in shown("训练中的奖励", [2], choose="中")
    assert "«" not in shown("训练中的奖励", [2], file="en.md")


@pytest.mark.parametrize("text", ["`训练中`", "```\n训练中\n```", "<!-- 中 -->", "![中](x.png)", ""])
def test_what_is_code_or_not_seen_has_no_mark(text: str) -> None:
    assert "«" not in shown(text, [text.index("中")] if text else [])


@pytest.mark.parametrize("listing", ["", "\t\t\n", "file\tline\n", "中" * 40])
def test_a_broken_list_of_doubts_marks_nothing(listing: str) -> None:
    assert "class" not in render_body(note({ZH: "训练中"}, {"doubts.tsv": listing})).halves[ZH].lead
