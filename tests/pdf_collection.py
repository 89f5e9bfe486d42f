"""A small collection that shows figures, tables and places of two PDFs."""

from __future__ import annotations

TEXT = """\
:::tldr
{word}
:::

## 动机 {{#motivation}}

![](pdf:2601.00001#figure-1)

![{word}](pdf:2601.00001#table-1)

:::figure
![{word}](pdf:author2026small#figure-2)

{word}
:::

![{word}](pdf:2601.00001#page-3:60,300,300,440)
"""
FILES = {
    "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [one]\n",
    "notes_src/library.bib": (
        "@misc{author2026small, title={A Small Paper About Nothing in Particular}, author={Author, Ann},\n"
        "  year={2026}, eprint={2601.00001}}\n"
        "@misc{other2020, title={Other}, author={Other, C.}, year={2020}, eprint={2001.00002}}\n"
    ),
    "notes_src/one/topic.yaml": "title: {zh: 一, en: One}\n",
    "notes_src/one/01_Small/note.yaml": "title: {zh: 甲, en: Small}\npapers: [author2026small]\n",
    "notes_src/one/01_Small/zh.md": TEXT.format(word="中文"),
    "notes_src/one/01_Small/en.md": TEXT.format(word="words"),
    "notes_src/one/02_Other/note.yaml": "title: {zh: 乙, en: Other}\npapers: [other2020]\n",
    "notes_src/one/02_Other/zh.md": "中\n",
    "notes_src/one/02_Other/en.md": "en\n",
}
