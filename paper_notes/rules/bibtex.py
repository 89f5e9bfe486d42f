"""The catalogue of rules: BibTeX files."""

from __future__ import annotations

from paper_notes.rules.told import Rules, Told

BIBTEX: Rules = {
    "missing-bibkey": {
        "zh": Told("条目没有键，谁也引用不了它。", "在开括号后面写一个：`@misc{key,`。"),
        "en": Told("The entry has no key, so nobody could cite it.", "Write one after the brace: `@misc{key,`."),
    },
    "bad-bibkey": {
        "zh": Told("键里有不许的字符。", "用字母、数字和 `: . / _ + -`。"),
        "en": Told("The key holds a character that cannot stand there.", "Use letters, digits and `: . / _ + -`."),
    },
    "duplicate-bibkey": {
        "zh": Told("两个条目用同一个键。", "删一个，或换一个键。"),
        "en": Told("Two entries have one key.", "Delete one of them, or give it another key."),
    },
    "duplicate-paper": {
        "zh": Told("两个条目是同一篇论文：arXiv 编号、DOI，或题目和第一作者相同。", "留一个，所有笔记都用它的键。"),
        "en": Told(
            "Two entries are one paper: the same arXiv id, DOI, or title and first author.",
            "Keep one, and use its key in all notes.",
        ),
    },
    "missing-field": {
        "zh": Told("条目没有题目；没有作者也没有团队则是警告。", "补上 `title` 或 `author`。"),
        "en": Told(
            "The entry has no title; without an author or organization it is a warning.", "Add `title` or `author`."
        ),
    },
    "duplicate-field": {
        "zh": Told("一个条目里同一字段写了两次。", "留一个。"),
        "en": Told("One field stands twice in an entry.", "Keep one of the two."),
    },
    "missing-comma": {
        "zh": Told("键或字段后面少了逗号。", "补上。"),
        "en": Told("There is no comma after a key or a field.", "Add it."),
    },
    "unclosed-brace": {
        "zh": Told("花括号没有闭合，后面的字段会被吞掉。", "提示说了应在哪一行之前闭合。"),
        "en": Told(
            "A brace is never closed, and would swallow the fields below.",
            "The hint has the line by which to close it.",
        ),
    },
    "unclosed-quote": {
        "zh": Told("引号没有闭合，后面的字段会被吞掉。", "提示说了应在哪一行之前闭合；也可以改用花括号。"),
        "en": Told(
            "A quotation mark is never closed, and would swallow the fields below.",
            "The hint has the line by which to close it; braces do as well.",
        ),
    },
    "unexpected-text": {
        "zh": Told("条目里有不是字段的文字。", "写成 `name = {value},`；条目里面没有注释，删掉。"),
        "en": Told(
            "Something inside of an entry is no field.",
            "Write it as `name = {value},`; there are no comments inside of an entry.",
        ),
    },
    "unread-text": {
        "zh": Told(
            "条目外面有读不懂的文字：像条目却不完整的是错误，别的说明文字只是警告。",
            "注释以 `%` 开头；条目写成 `@misc{key, ...}`。",
        ),
        "en": Told(
            "A text between entries that is not read: an error if it looks like an entry, otherwise a warning.",
            "Start comments with `%`; write an entry as `@misc{key, ...}`.",
        ),
    },
    "undefined-bib-string": {
        "zh": Told("用了一个到此为止没有定义的 `@string`。", "在上面定义它；若就是文字，加花括号。"),
        "en": Told(
            "The name of an `@string` that is not defined up to here.",
            "Define it above; if it is text, put braces around it.",
        ),
    },
    "crossref-cycle": {
        "zh": Told("`crossref` 或 `xdata` 绕成了圈，或一个接一个没完。", "删掉其中一个。"),
        "en": Told("`crossref` or `xdata` goes round in a circle, or on and on.", "Delete one of them."),
    },
    "unknown-bib-type": {
        "zh": Told("不认识的条目类型。", "看提示的拼写，或改成 `@misc`。"),
        "en": Told("There is no such type of entry.", "See the hint for the spelling, or write `@misc`."),
    },
    "ignored-preamble": {
        "zh": Told("`@preamble` 在这里不起作用。", "删掉它。"),
        "en": Told("`@preamble` does nothing here.", "Delete it."),
    },
    "bad-name": {
        "zh": Told(
            "这里不像是一个人名，多半是作者之间用了逗号。",
            "作者之间写 ` and `，每个写成 `姓, 名`；“等”写 `and others`。",
        ),
        "en": Told(
            "This does not look like the name of one person; mostly commas stand between authors.",
            "Write ` and ` between authors, each as `Last, First`; `and others` for et al.",
        ),
    },
    "bad-arxiv-id": {
        "zh": Told("`eprint` 不是 arXiv 编号。", "写成 `2510.26475` 或 `cs/0112017`。"),
        "en": Told("`eprint` holds no arXiv id.", "Write it as `2510.26475` or `cs/0112017`."),
    },
    "bad-doi": {
        "zh": Told("`doi` 不是 DOI。", "写成 `10.1145/3442188.3445922`。"),
        "en": Told("`doi` holds no DOI.", "Write it as `10.1145/3442188.3445922`."),
    },
    "bad-url": {
        "zh": Told("网址写法不对。", "写完整的 `https://...`，不含空格。"),
        "en": Told("This is no web address.", "Write all of it, from `https://` on and without spaces."),
    },
    "bad-date": {
        "zh": Told("`date` 读不懂。", "写 `2025-10-30`、`2025-10` 或 `2025`。"),
        "en": Told("`date` cannot be read.", "Write `2025-10-30`, `2025-10` or `2025`."),
    },
    "bad-year": {
        "zh": Told("年份读不懂，这篇论文就没有日期。", "写四位数。"),
        "en": Told("The year cannot be read, so the paper has no date.", "Write four digits."),
    },
    "bad-month": {
        "zh": Told("月份读不懂。", "写 `oct`、`October` 或 `10`。"),
        "en": Told("The month cannot be read.", "Write `oct`, `October` or `10`."),
    },
    "bad-day": {
        "zh": Told("这个月没有这一天。", "改日期，或去掉。"),
        "en": Told("The month has no such day.", "Mend the day, or leave it out."),
    },
}
