"""The catalogue of rules: the text of a note, its formulas and figures."""

from __future__ import annotations

from paper_notes.rules.told import Rules, Told

TEXT: Rules = {
    "bad-tex": {
        "zh": Told("公式解析不了；列号指到出错的地方。", "检查括号、参数和环境是否成对；不认识的命令换一种写法。"),
        "en": Told(
            "The formula cannot be parsed; the column is where it goes wrong.",
            "Check braces, arguments and environments; write an unknown command in another way.",
        ),
    },
    "lost-formula": {
        "zh": Told("看起来像公式，却没有被当成公式，会原样显示美元符号。", "`$` 外侧别挨数字，内侧别有空格。"),
        "en": Told(
            "This looks like a formula but is not read as one: the dollars would be shown.",
            "No digit just outside of `$`, no space just inside.",
        ),
    },
    "lost-syntax": {
        "zh": Told(
            "看起来像引用、文献、脚注、链接、组件或标记，却没有被当成它们，会原样显示。",
            "照提示改；若就是要显示它，放进反引号。",
        ),
        "en": Told(
            "This looks like a reference, citation, footnote, link, component "
            "or mark but is not read as one: it would be shown as it stands.",
            "Do as the hint says; if it is meant to be shown, put it into backticks.",
        ),
    },
    "table-cells": {
        "zh": Told("一行的格子比表头多，多出来的不会显示；多半是公式或代码里有竖线。", "格子里的竖线写成 `\\|`。"),
        "en": Told(
            "A row has more cells than the header, and the rest would "
            "not be shown; mostly a formula or code holds a bar.",
            "Write a bar inside of a cell as `\\|`.",
        ),
    },
    "unused-footnote": {
        "zh": Told("写了脚注的内容，正文却没有引用它，它不会显示。", "引用它，或删掉。"),
        "en": Told(
            "A footnote is written, but nothing refers to it, so it is not shown.", "Refer to it, or delete it."
        ),
    },
    "unused-definition": {
        "zh": Told(
            "`[名字]: 地址` 这样的一行定义一个链接，却没有哪里用到它；整行都不会显示。",
            "用 `[文字][名字]` 引用它，或删掉；本来是正文的，写成 `\\[`。",
        ),
        "en": Told(
            "A line such as `[name]: address` defines a link, but nothing uses it: the whole line is not shown.",
            "Use it as `[text][name]`, or delete it; where it is meant as text, write `\\[`.",
        ),
    },
    "too-deep": {
        "zh": Told("列表、引用、组件或 HTML 互相嵌套超过 40 层，再里面的会漏掉。", "摊平。"),
        "en": Told(
            "Lists, quotations, components or HTML stand more than 40 levels "
            "inside each other: what is deeper would be left out.",
            "Flatten it.",
        ),
    },
    "too-tangled": {
        "zh": Told("方括号一层套一层，要花几分钟才能看出它们的意思。", "补上右括号，或写 `\\[`。"),
        "en": Told(
            "There are so many brackets within brackets that it would take minutes to tell what they mean.",
            "Close them, or write `\\[`.",
        ),
    },
    "unknown-component": {
        "zh": Told("没有这个组件，或没有这种 `> [!…]` 提示框。", "看提示的拼写；指南里列有全部组件。"),
        "en": Told(
            "There is no such component, or no such alert `> [!…]`.",
            "See the hint for the spelling; the guide shows all components.",
        ),
    },
    "unclosed-component": {
        "zh": Told("组件没有结束，后面的正文会全算在它里面。", "在它结束的地方补一行 `:::`。"),
        "en": Told(
            "A component is never closed, so that all the text below would stand in it.",
            "Write a line of `:::` where it ends.",
        ),
    },
    "stray-component-end": {
        "zh": Told("多了一行 `:::`，没有组件可以结束。", "删掉它，或在上面补上 `:::名字`。"),
        "en": Told("A line of `:::` that closes nothing.", "Delete it, or open a component above with `:::name`."),
    },
    "unknown-option": {
        "zh": Told("花括号里有不认识的东西。", "组件只能写 `{#id}`，行内标记只能写 `{.名字}`。"),
        "en": Told(
            "Something in the braces is not known.",
            "A component takes `{#id}`, marked words take `{.name}`; nothing else.",
        ),
    },
    "bad-component": {
        "zh": Told(
            "组件里缺了它必须有的东西：`:::figure` 要恰好一张图，`:::stats`、"
            "`:::timeline`、`:::recall` 要定义列表，`:::paper` 要论文的键。",
            "照提示补上。",
        ),
        "en": Told(
            "The component lacks what it is made of: `:::figure` holds exactly one image, `:::stats`, "
            "`:::timeline` and `:::recall` hold a definition list, `:::paper` names a paper.",
            "Add what the hint says.",
        ),
    },
    "unknown-class": {
        "zh": Told("没有这个行内标记。", "看提示里有哪些。"),
        "en": Told("There is no such mark for words.", "The hint has those that exist."),
    },
    "inconsistent-term": {
        "zh": Told("正文用了术语表 `avoid:` 里的说法。", "改成提示里的说法；引文里不管。"),
        "en": Told(
            "The text uses words that the glossary lists under `avoid:`.",
            "Write what the hint says; quotations are left alone.",
        ),
    },
    "unknown-code-language": {
        "zh": Told("代码块写了不认识的语言，所以没有着色。", "看提示的名字，或写 `text`。"),
        "en": Told(
            "The language of a code block is not known, so the code has no colours.",
            "See the hint for the name, or write `text`.",
        ),
    },
    "html-not-allowed": {
        "zh": Told("原始 HTML 里有笔记不许用的标签、属性或类。", "用提示里的 Markdown 写法。"),
        "en": Told(
            "HTML in the text has a tag, attribute or class that cannot stand in a note.",
            "Write the Markdown that the hint names.",
        ),
    },
    "missing-image": {
        "zh": Told(
            "图不在笔记的文件夹里；或者只有给宽栏的 `*.wide.svg`，没有给其他地方的那一张。", "改名，或把图拷进来。"
        ),
        "en": Told(
            "The image is not in the note's folder; or there is only the `*.wide.svg` for wide columns, "
            "and not the drawing for all others.",
            "Correct the name, or copy the image in.",
        ),
    },
    "remote-image": {
        "zh": Told("图在网上，而页面不向任何地方要东西。", "把图存到笔记旁边。"),
        "en": Told("The image is somewhere on the web, and pages ask nobody for anything.", "Save it beside the note."),
    },
    "bad-image": {
        "zh": Told("图的格式不支持，或内容与扩展名不符。", "重新导出成 SVG、PNG、JPEG、WebP、AVIF 或 GIF。"),
        "en": Told(
            "The format of the image is not supported, or its content is not what its name says.",
            "Export it again as SVG, PNG, JPEG, WebP, AVIF or GIF.",
        ),
    },
    "large-image": {
        "zh": Told("图超过 1 MB，会让页面大三分之一还多。", "缩小，或存成 WebP。"),
        "en": Told(
            "An image of more than 1 MB, which stands in the page a third larger still.",
            "Scale it down, or save it as WebP.",
        ),
    },
    "missing-alt": {
        "zh": Told(
            "图没有替代文字，看不见图的人和搜索都不知道它是什么。",
            "在 `![…]` 里写图上有什么；用文字画的图写在语言后面。",
        ),
        "en": Told(
            "An image has no text in its place for those who cannot see it, and for the search.",
            "Write what it shows into `![…]`; for a drawn diagram, after the language.",
        ),
    },
    "bad-svg": {
        "zh": Told(
            "SVG 不合格：XML 不良构，有页面里不许的元素、属性、引用，或用 `<use>` 之类画出几万个元素。",
            "行列号指到图文件里，照提示改。",
        ),
        "en": Told(
            "The SVG cannot be used: it is not well-formed XML, holds elements, attributes or references "
            "that a page cannot have, or draws tens of thousands of elements by `<use>` and its like.",
            "The position is in the figure's file; do as the hint says.",
        ),
    },
    "missing-extra": {
        "zh": Told("`mermaid` 或 `vega-lite` 代码块要用的工具没有装，页面先显示源码。", "照提示安装。"),
        "en": Told(
            "The tool that draws a `mermaid` or `vega-lite` block is not installed; the page shows its source for now.",
            "Install it as the hint says.",
        ),
    },
    "bad-diagram": {
        "zh": Told(
            "图的文字画不出来，或画出了不许的东西：链接、图片、外部数据、每次都不同的数。",
            "照提示改；工具知道位置时，行列号指到那里。",
        ),
        "en": Told(
            "The text of a diagram cannot be drawn, or draws what a "
            "page cannot have: links, images, data from elsewhere, numbers that differ each time.",
            "Do as the hint says; where the tool knows the place, the position is that.",
        ),
    },
    "stopped-diagram": {
        "zh": Told(
            "画图的工具超过了 7 秒或大约 500 MB 内存，被停下，或者自己崩溃了。下次构建会重新画。",
            "少画一些，或把要算的结果直接写进代码块；若只是机器太忙，再构建一次。",
        ),
        "en": Told(
            "The tool that draws the diagram took more than 7 seconds or about 500 MB of memory "
            "and was stopped, or it failed. The next build tries again.",
            "Draw less, or write what is computed into the block; if the machine was only busy, build again.",
        ),
    },
}
