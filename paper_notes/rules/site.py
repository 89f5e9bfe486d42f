"""The catalogue of rules: what is made."""

from __future__ import annotations

from paper_notes.rules.told import Rules, Told

SITE: Rules = {
    "readme-markers": {
        "zh": Told(
            "`readme:` 里的文件不存在或没有标记；标记不成对；或标记要的内容、语言、专题不存在。",
            "照提示改，或从 `readme:` 里去掉这个文件。",
        ),
        "en": Told(
            "A file of `readme:` does not exist or has no markers; a marker has no counterpart; "
            "or it asks for a content, language or topic that does not exist.",
            "Do as the hint says, or take the file out of `readme:`.",
        ),
    },
    "bad-template": {
        "zh": Told("自己改的模板或样式有错，或模板没完没了。", "与自带的同名文件对照；删掉它就用回自带的。"),
        "en": Told(
            "A template or style of your own is wrong, or a template does not come to an end.",
            "Compare it with the one of the same name that comes with paper-notes; without it that one is used.",
        ),
    },
    "dead-link": {
        "zh": Told("我们写出的文件里有链接断了，`#` 位置也算；只会由自己改的模板引起。", "与自带的模板对照。"),
        "en": Told(
            "A link in a file that is written leads nowhere, to a `#` "
            "place too; only templates of your own can cause it.",
            "Compare them with those that come with paper-notes.",
        ),
    },
    "unportable-path": {
        "zh": Told(
            "网站里有两个文件在某些磁盘上是同一个（只差大小写或重音的写法），或名字不被某些磁盘接受。",
            "给它所来自的专题、笔记或 BibTeX 键改名。",
        ),
        "en": Told(
            "Two files of the site are one to disks that do not tell case or accents apart, or a name is one that some "
            "disks refuse.",
            "Rename the topic, the note or the BibTeX key that it comes from.",
        ),
    },
    "page-loads-file": {
        "zh": Told("页面会去请求另一个文件，就不再能单独打开；只会由自己改的模板引起。", "把那个文件内联进模板。"),
        "en": Told(
            "The page would ask for another file, and so not open on its own; only templates of your own can cause it.",
            "Inline that file in the template.",
        ),
    },
}
