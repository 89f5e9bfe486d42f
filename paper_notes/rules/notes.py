"""The catalogue of rules: notes, their names and their references."""

from __future__ import annotations

from paper_notes.rules.told import Rules, Told

NOTES: Rules = {
    "note-without-number": {
        "zh": Told("笔记的文件夹或文件名不以编号开头。", "改成 `07_名字` 的样子。"),
        "en": Told(
            "The name of the note's folder or file does not start with a number.", "Rename it, as in `07_Name`."
        ),
    },
    "bad-topic-name": {
        "zh": Told(
            "专题的文件夹名会成为网址的一部分，而有的磁盘不接受它（`CON`、`a:b`、以点结尾）；"
            "以 `pn-` 开头的名字是页面自己用的。",
            "给文件夹改名。",
        ),
        "en": Told(
            "The folder of a topic becomes a part of addresses, and some disks refuse its name (`CON`, `a:b`, a dot at "
            "its end); names that begin with `pn-` are those of parts of the pages.",
            "Rename the folder.",
        ),
    },
    "bad-note-name": {
        "zh": Told(
            "笔记的名字会成为网页的文件名，而里面有不能用在文件名里的字符。", "只用字母、数字（中文也行）和 `. _ + -`。"
        ),
        "en": Told(
            "The name of a note becomes the file name of its page, and holds a character that cannot stand there.",
            "Use letters (of any script), digits and `. _ + -`.",
        ),
    },
    "duplicate-number": {
        "zh": Told("一个专题里两篇笔记同号，引用就分不清了。", "改其中一篇；提示里有下一个空号。"),
        "en": Told(
            "Two notes of a topic have one number, so references could not tell them apart.",
            "Rename one of them; the hint has the next free number.",
        ),
    },
    "missing-note-file": {
        "zh": Told("笔记的文件夹里没有 `note.yaml`。", "补上，写 `title:`。"),
        "en": Told("The note's folder has no `note.yaml`.", "Make one with a `title:` in it."),
    },
    "note-without-text": {
        "zh": Told("笔记没有站点语言的正文，或正文是空的。", "写 `zh.md` 或 `en.md`；单文件笔记把正文写在头信息下面。"),
        "en": Told(
            "The note has no text in a language of the site, or an empty one.",
            "Write `zh.md` or `en.md`; in a note that is a single file, below its front matter.",
        ),
    },
    "missing-front-matter": {
        "zh": Told("专题文件夹里的 Markdown 文件没有头信息。", "开头加两行 `---`，中间写 `title:`；或改成一个文件夹。"),
        "en": Told(
            "A Markdown file in the folder of a topic has no front matter.",
            "Start it with two lines of `---` and a `title:` between them; or make a folder of it.",
        ),
    },
    "unlisted-language": {
        "zh": Told(
            "正文的语言不在 `site.yaml` 的 `languages:` 里；`zh.md`、`en.md` 只是警告，不会显示。",
            "加进 `languages:`，或删掉这份正文。",
        ),
        "en": Told(
            "The language of the text is not among `languages:` in `site.yaml`; for "
            "`zh.md` and `en.md` that is a warning, and the text is not shown.",
            "Add it to `languages:`, or delete the text.",
        ),
    },
    "missing-translation": {
        "zh": Told("标题、简介、专题或阅读路径的文字缺一种语言，页面会用另一种代替。", "补上 `zh:` 或 `en:`。"),
        "en": Told(
            "A title, summary, or text of a topic or reading path lacks "
            "a language; pages show the other one in its place.",
            "Add `zh:` or `en:`.",
        ),
    },
    "tag-variant": {
        "zh": Told("这个标签与另一个只差大小写、连字符、单复数或全半角。", "照提示改，或把它列为那个标签的别名。"),
        "en": Told(
            "This tag differs from another one only in case, hyphens, plural or width.",
            "Write it as the hint says, or name it among the aliases of that tag.",
        ),
    },
    "dangling-reference": {
        "zh": Told("引用的笔记或专题不存在：改了编号，或者写错了。", "看提示里有哪些编号，或最像的名字。"),
        "en": Told(
            "The note or topic that is referred to does not exist: it got another number, or the name is wrong.",
            "The hint has the numbers that exist, or the closest name.",
        ),
    },
    "plain-reference": {
        "zh": Told(
            "正文里直接写了 `#4`，而本专题正好有这个编号的笔记；读者点不了它。",
            "写成 `[[#4]]`；不是指笔记就写 `\\#4`。",
        ),
        "en": Told(
            "The text says plain `#4`, and the topic has a note of that number: a reader cannot follow it.",
            "Write `[[#4]]`; or `\\#4` if no note is meant.",
        ),
    },
    "unknown-bibkey": {
        "zh": Told("引用、`papers:`、`crossref` 或 `xdata` 写的论文不在 `.bib` 文件里。", "改拼写，或加一个条目。"),
        "en": Told(
            "A citation, `papers:`, `crossref` or `xdata` names a paper that is not in the `.bib` files.",
            "Mend the spelling, or add the entry.",
        ),
    },
    "unknown-anchor": {
        "zh": Told("链接或引用指向一个不存在的小节或组件 id。", "改拼写，或给那个小节加 `{#id}`。"),
        "en": Told(
            "A link or reference leads to a section or component id that does not exist.",
            "Mend the spelling, or give that section its `{#id}`.",
        ),
    },
    "local-link": {
        "zh": Told(
            "链接到本地文件：页面单独拷走时它会断。", "笔记用 `[[#4]]`，本页内用 `[文字](#id)`，别处写完整网址。"
        ),
        "en": Told(
            "A link to a local file: it would be dead as soon as the page is copied elsewhere.",
            "Write `[[#4]]` for a note, `[text](#id)` within the page, and whole addresses for anything else.",
        ),
    },
    "duplicate-id": {
        "zh": Told("同一个 id 用了两次，或与页面自己的 id 重名。", "换一个。"),
        "en": Told("One id stands twice, or belongs to the page itself.", "Choose another one."),
    },
    "bad-id": {
        "zh": Told("id 的写法不对。", "字母开头，之后是字母、数字、`-`、`_`。"),
        "en": Told("This cannot be an id.", "Start with a letter; then letters, digits, `-` and `_`."),
    },
    "heading-level": {
        "zh": Told(
            "用了 `#`、五级以下的标题，或跳了一级。", "小节从 `##` 到 `####`，一级一级来；题目写在 `note.yaml` 里。"
        ),
        "en": Told(
            "A heading of `#`, of more than four, or one that skips a level.",
            "Sections go from `##` to `####`, one level at a time; the title stands in `note.yaml`.",
        ),
    },
    "empty-heading": {
        "zh": Told("标题里没有字。", "写上标题，或删掉这一行。"),
        "en": Told("A heading without words.", "Write its title, or delete the line."),
    },
    "footnote-in-heading": {
        "zh": Told("标题里有脚注，而标题会在目录里重复出现。", "把脚注放到下面的正文里。"),
        "en": Told(
            "A footnote stands in a heading, which is repeated in the table of contents.",
            "Put the footnote into the text below.",
        ),
    },
    "section-order": {
        "zh": Told("两种语言的小节 id 相同而顺序不同，左右对照就对不上。", "改成同一顺序。"),
        "en": Told(
            "Both languages have the same section ids in another order, so they cannot stand side by side.",
            "Give both the same order.",
        ),
    },
    "section-mismatch": {
        "zh": Told("小节在另一种语言里没有，或级别不同。", "那边也写上；标题不像时，给两边同一个 `{#id}`。"),
        "en": Told(
            "A section has no counterpart in the other language, or one of another level.",
            "Write it there too; where the headings are unlike, give both the same `{#id}`.",
        ),
    },
    "outdated-translation": {
        "zh": Told("这一节按旧的另一种语言写成，那边后来改过，这边没跟上。", "改好这边，再运行提示里的命令。"),
        "en": Told(
            "This section was written for an earlier text of the other language, which has changed since.",
            "Revise it, then run the command in the hint.",
        ),
    },
    "stale-record": {
        "zh": Told("`translated:` 里记着一个已经不存在的小节。", "删掉那一行；id 改了就按新 id 重记。"),
        "en": Told(
            "`translated:` has a record of a section that does not exist any more.",
            "Delete that line; if the id has changed, record the new one.",
        ),
    },
}
