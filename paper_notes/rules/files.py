"""The catalogue of rules: files and YAML."""

from __future__ import annotations

from paper_notes.rules.told import Rules, Told

FILES: Rules = {
    "no-collection": {
        "zh": Told("这里没有 `notes_src/`，或者里面没有 `site.yaml`。", "建一个，或用 `--root` 指到合集所在的文件夹。"),
        "en": Told(
            "There is no `notes_src/` here, or no `site.yaml` in it.",
            "Make one, or name the folder of the collection with `--root`.",
        ),
    },
    "unreadable-file": {
        "zh": Told(
            "文件没有读的权限，不是普通文件，是指向文件夹或绕成圈的链接，或者文件名里有不能显示的字符。",
            "检查权限，改名，或用真正的文件代替链接。",
        ),
        "en": Told(
            "The file may not be read, is no regular file, is a link to a "
            "folder or in a circle, or has a name that cannot be shown.",
            "Check its permissions, rename it, or put a real file in the place of the link.",
        ),
    },
    "outside-collection": {
        "zh": Told(
            "符号链接指到了合集或自己的文件夹（`notes_src/`、`templates/`、`assets/`）外面，或指向隐藏文件："
            "别处的东西（比如 `.git/config`）不会悄悄进到页面里。",
            "把文件拷进来。",
        ),
        "en": Told(
            "A symbolic link leads out of the collection or of its folder (`notes_src/`, `templates/`, `assets/`), or "
            "to a hidden file: nothing from elsewhere, such as `.git/config`, gets into pages unnoticed.",
            "Copy the file in.",
        ),
    },
    "file-too-large": {
        "zh": Told(
            "Markdown 超过 512 KB 或五万个段落、列表项、单元格，"
            "其他文本超过 8 MB，别的文件超过 64 MB，或图把页面撑过 32 MB。",
            "缩小、拆开，或移出 `notes_src/`。",
        ),
        "en": Told(
            "A Markdown file of more than 512 KB or 50,000 paragraphs, items and cells, "
            "another text of more than 8 MB, "
            "any file of more than 64 MB, or figures that make a page larger than 32 MB.",
            "Make it smaller, split it, or move it out of `notes_src/`.",
        ),
    },
    "invalid-utf8": {
        "zh": Told("文本文件里有不是 UTF-8 的字节，位置指到第一个。", "用编辑器另存为 UTF-8。"),
        "en": Told(
            "A text file holds bytes that are not UTF-8; the position is that of the first one.",
            "Save the file as UTF-8.",
        ),
    },
    "control-character": {
        "zh": Told(
            "文本里有看不见的控制字符，或改变书写方向却没有收尾的字符，或 YAML 的转义写出了这样的字符。",
            "删掉它；列号指到它所在的位置。",
        ),
        "en": Told(
            "The text holds a control character, which cannot be seen, or one that turns the direction of writing "
            "without an end, or an escape in YAML makes one.",
            "Delete it; the column tells where it stands.",
        ),
    },
    "yaml-syntax": {
        "zh": Told(
            "YAML 写坏了：括号或引号没有闭合，缩进不齐，或者用了不支持的写法。",
            "多半是含 `: ` 或 `#` 的文字没加引号，或用了制表符缩进；看这一行和上一行。",
        ),
        "en": Told(
            "The YAML is broken: a bracket or quotation that is not closed, "
            "uneven indentation, or a form that is not supported.",
            "Mostly a text with `: ` or `#` needs quotes, or a tab "
            "indents a line; look at this line and the one above.",
        ),
    },
    "yaml-too-deep": {
        "zh": Told("YAML 嵌套超过 40 层。", "摊平它。"),
        "en": Told("More than 40 levels of YAML inside each other.", "Flatten it."),
    },
    "yaml-too-large": {
        "zh": Told("一个 YAML 文件超过一百万字符，或别名展开后超过十万个值。", "拆开，或去掉重复的别名。"),
        "en": Told(
            "A YAML file of more than a million characters, or of more "
            "than 100,000 values once its aliases are followed.",
            "Split it, or remove repeated aliases.",
        ),
    },
    "duplicate-key": {
        "zh": Told("同一个键在一处写了两次，后一个会悄悄盖掉前一个。", "留一个。"),
        "en": Told(
            "A key stands twice in one place: the second would silently replace the first.", "Keep one of the two."
        ),
    },
    "unknown-key": {
        "zh": Told("没有这个键，多半是拼写错了。", "看提示的拼写；自己的数据放进 `extra:`。"),
        "en": Told(
            "There is no such key; mostly it is misspelt.",
            "See the hint for the spelling; data of your own goes under `extra:`.",
        ),
    },
    "missing-key": {
        "zh": Told("缺一个必填的键。", "补上；多数文件只有 `title` 必填。"),
        "en": Told("A key that must be there is not.", "Add it; in most files only `title` must be there."),
    },
    "bad-value": {
        "zh": Told(
            "值的类型或范围不对：不是日期、不是列表、不在可选的词里；或 `.bib` 字段缺值。",
            "照提示改；日期写 `2026-11-21`。",
        ),
        "en": Told(
            "The value is of the wrong type or out of range: no date, no list, "
            "none of the known words; or a field of a `.bib` file has no value.",
            "Do as the hint says; a date is written `2026-11-21`.",
        ),
    },
    "missing-topic-file": {
        "zh": Told("`site.yaml` 列出的专题文件夹里没有 `topic.yaml`。", "建一个，写上 `title:`。"),
        "en": Told(
            "The folder of a topic that `site.yaml` lists has no `topic.yaml`.", "Make one with a `title:` in it."
        ),
    },
    "unknown-topic": {
        "zh": Told("`site.yaml` 列了一个没有文件夹的专题。", "建文件夹，或改拼写。"),
        "en": Told("`site.yaml` lists a topic that has no folder.", "Make the folder, or mend the spelling."),
    },
    "unlisted-topic": {
        "zh": Told("有一个专题文件夹没列在 `site.yaml` 里，它的笔记会漏掉。", "加进 `topics:`。"),
        "en": Told(
            "The folder of a topic is not listed in `site.yaml`, so its notes would be left out.",
            "Add it to `topics:`.",
        ),
    },
    "duplicate-tag": {
        "zh": Told("`site.yaml` 里一个词同时代表两个标签。", "只留给其中一个。"),
        "en": Told("One word stands for two tags in `site.yaml`.", "Keep it with one of the two."),
    },
}
