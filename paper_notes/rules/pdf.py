"""The catalogue of rules: PDFs and figures from them."""

from __future__ import annotations

from paper_notes.rules.told import Rules, Told

PDF: Rules = {
    "bad-pdf": {
        "zh": Told(
            "文件不是 PDF、截断、损坏、加密、空的、没有页，解开后大得离谱，或要读太久；没有笔记用它时是警告。",
            "重新下载；加密的另存一份不带密码的。",
        ),
        "en": Told(
            "The file is no PDF, is truncated, damaged, encrypted, empty, without pages, "
            "absurdly large once unpacked, or takes too long to read; a warning while no note needs it.",
            "Download it again; save an encrypted one without its password.",
        ),
    },
    "damaged-pdf": {
        "zh": Told("PDF 有损坏，修补后能读，但可能缺东西。", "重新下载。"),
        "en": Told(
            "The PDF is damaged; it could be repaired for reading, but something may be missing.", "Download it again."
        ),
    },
    "wrong-pdf": {
        "zh": Told("文件名或旁边的笔记说是一篇，PDF 的首页说是另一篇。", "改名，或换成对的那份。"),
        "en": Told(
            "The name of the file, or the note beside it, says one paper, and the first page another.",
            "Rename it, or put the right one in its place.",
        ),
    },
    "unknown-pdf": {
        "zh": Told("认不出这份 PDF 是哪篇论文。", "用 arXiv 编号或 BibTeX 键给它起名，或在 `.bib` 里加上条目。"),
        "en": Told(
            "Nothing tells which paper this PDF is.",
            "Name it by its arXiv id or BibTeX key, or add the entry to a `.bib` file.",
        ),
    },
    "pdf-without-text": {
        "zh": Told("首页没有文字层，多半是扫描件，图表不能按图注找。", "按位置取：`pdf:…#page-4:x0,y0,x1,y1`。"),
        "en": Told(
            "The first page has no text, as in a scan, so figures cannot be found by their captions.",
            "Show parts by their place: `pdf:…#page-4:x0,y0,x1,y1`.",
        ),
    },
    "missing-pdf": {
        "zh": Told("引用或要发布的论文不在 `.bib` 里，或没有它的 PDF。", "提示说了放到哪里、叫什么。"),
        "en": Told(
            "The paper whose figure is shown, or which is published, "
            "is not in the `.bib` files, or there is no PDF of it.",
            "The hint says where to put it, and under which name.",
        ),
    },
    "unknown-figure": {
        "zh": Told("论文里没找到这个编号的图或表。", "提示列出找到的全部；也可以按位置取。"),
        "en": Told(
            "No figure or table of this number was found in the paper.",
            "The hint lists all that were found; or show it by its place.",
        ),
    },
    "bad-crop": {
        "zh": Told(
            "没说取 PDF 的哪一部分，页码或方框不对，或那里画不出来。",
            "写 `#figure-3`、`#page-4` 或 `#page-4:x0,y0,x1,y1`。",
        ),
        "en": Told(
            "It is not said which part of the PDF to show, the page "
            "or box does not exist, or nothing can be drawn there.",
            "Write `#figure-3`, `#page-4` or `#page-4:x0,y0,x1,y1`.",
        ),
    },
}
