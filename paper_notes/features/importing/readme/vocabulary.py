"""Words by which the parts of a hand-kept README are known: heads of columns, marks, titles of reading paths."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from paper_notes.patterns import regex

Column = Literal[
    "number", "note", "title", "about", "size", "team", "date", "links", "code", "project", "data", "venue", "notes"
]
_COLUMNS: Mapping[Column, str] = {
    "number": "#|no|no.|nr|num|number|id|№|序号|编号|編號|番号",
    "note": "笔记|筆記|note|reading note|ノート",
    "title": "论文|論文|标题|標題|题目|名称|名稱|paper|papers|title|name|work|method",
    "about": "主题|主題|内容|內容|简介|簡介|说明|說明|描述|一句话|要点|概要|摘要"
    "|about|topic|summary|description|tl;dr|tldr|in short|what|key idea|notes on",
    "size": "大小|size|サイズ|字数|length",
    "team": "团队|團隊|机构|機構|单位|作者|所属|著者"
    "|team|teams|affiliation|affiliations|institution|institutions|authors|author|by|org",
    "date": "日期|时间|時間|年份|年|date|dates|year|when|month|published|日付",
    "links": "链接|連結|鏈接|リンク|资源|原文|arxiv|link|links|url|pdf|resources|source|paper link|doi",
    "code": "代码|代碼|コード|code|github|repo|repository|implementation",
    "project": "项目|主页|project|page|website|project page|demo",
    "data": "数据|數據|データ|data|dataset|datasets|weights|model|models|checkpoint",
    "venue": "会议|會議|期刊|发表|發表|venue|conference|journal|published in|accepted",
    "notes": "notes|reading notes|my notes|阅读笔记|精读",
}
"""Heads of columns, in lower case."""
_OWN = (
    "本人参与|本人參與|本人论文|本人|我们的工作|自己的论文|共著"
    "|own paper|own work|own|ours|our paper|our work|my paper|my work|co-?author"
)
OWN = regex(rf"\s*[*_]*[(（\[【]\s*(?:{_OWN})\s*[)）\]】][*_]*", re.IGNORECASE)
"""The mark of papers by whoever keeps the list."""
PATH = regex(
    r"阅读(?:建议|顺序|路线|路径|指南|次序)|閱讀(?:建議|順序|路線)|学习路线|路线图|読む順"
    r"|\breading (?:order|path|guide|list|plan|track)s?\b|\b(?:suggested|recommended) order\b"
    r"|\b(?:where to (?:start|begin)|start here|read in this order|roadmap|how to read|series)\b",
    re.IGNORECASE,
)
"""What the title of a reading path has."""
NOTHING = frozenset("|-|--|–|—|/|n/a|na|none|无|無|?|tbd".split("|"))
"""What a cell says that says nothing."""
GENERIC = frozenset(
    "note|notes|my notes|reading notes|link|links|here|paper|pdf|url|read|details|more"
    "|笔记|筆記|链接|連結|阅读|详情|📝|📄|🔗|✅|✓|→|x".split("|")
)
"""Labels of links that are no name of what they lead to."""
COUNT = regex(
    r"\s*[(（\[]\s*\d+\s*(?:篇(?:笔记|论文)?|個|个|件|本|notes?|papers?|entries|items)?\s*[)）\]]\s*$", re.IGNORECASE
)
"""At the end of a heading: how many there are."""
ARROW = regex(r"\s*(?:→|⟶|➜|➔|⇒|=>|->|—>|>>)\s*")


def column_of(head: str) -> Column | None:
    """What a column with this head has, as plain text."""
    words = head.casefold().strip()
    return next((column for column, heads in _COLUMNS.items() if words in heads.split("|")), None)
