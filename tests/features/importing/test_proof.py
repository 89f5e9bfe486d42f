"""The proof of an import compares the built page with the file as it came, and no fault hides from it."""

from __future__ import annotations

import json
import random
from pathlib import PurePosixPath

import pytest

from paper_notes.features.importing.page_proof import findings_of
from paper_notes.features.importing.proof.compare import (
    Difference,
    Known,
    Proof,
    Removed,
    _days,
    _torn,
    matches,
    prove,
    with_columns,
)
from paper_notes.features.importing.proof.originals import FORMATS, pieces_of
from paper_notes.features.importing.proof.visible import page_words, visible, words_of
from paper_notes.features.importing.types import Original

BODY = """<h2><span class="sn">1</span> Method<a class="anchor" href="#m" aria-label="#m">#</a></h2>
<div class="body zh">
<p>One two three four five six seven eight nine.</p><p>第二段说的是另一件事情。</p>
<figure><div><svg aria-label="it"><text>pipeline</text></svg></div><figcaption>图 1 caption</figcaption></figure>
<table><tr><th>name</th><th>score</th></tr><tr><td>alpha</td><td>3</td></tr></table></div>"""
MARKDOWN = """---
title: A title
permalink: /v/
---
# A title

## 1. Method

One two three four five six seven eight nine.

第二段说的是另一件事情。

<figure><svg><text>pipeline</text></svg><figcaption>图 1 caption</figcaption></figure>

| name | score |
|---|---|
| alpha | 3 |
"""
HTML = """<title>not shown</title><body><h1>A title</h1><h2>1. Method</h2>
<p>One two three <b>fo</b>ur five six seven eight nine.</p><p>第二段说的是另一件事情。</p>
<figure><svg><text>pipeline</text></svg><figcaption>图 1 caption</figcaption></figure>
<table><tr><th>name<th>score<tr><td>alpha<td>3</table><p style="display:none">hidden words</p>"""
ORIGINALS = {".md": MARKDOWN, ".html": HTML}
FACTS = ("A title", "/v/")


def page_of(body: str, title: str = "A title") -> str:
    """A page as the template lays it out."""
    return (
        f"<nav><h2>目录</h2></nav><article><header><h1>{title}</h1><details><summary>12 min</summary></details>"
        f"</header>{body}</article><div>keywords of the frame</div>"
    )


def proof_of(
    original: str, body: str, form: str = ".html", facts: tuple[str, ...] = FACTS, *removals: Removed
) -> Proof:
    """What is proven of an original with this text on its page."""
    return prove(FORMATS[form](original), page_words(page_of(body), ("en",)), Known(facts, ("anothernote",)), removals)


def told(proof: Proof) -> list[str]:
    """Each difference on a line."""
    return [_told(difference) for difference in proof.differences]


def _told(difference: Difference) -> str:
    where = f"{difference.part or 'line'} {difference.number or difference.line}"
    return f"{difference.kind} {where}: {' '.join(difference.words)}"


@pytest.mark.parametrize("form", ORIGINALS)
def test_a_page_with_all_words_in_order_has_no_differences(form: str) -> None:
    proof = proof_of(ORIGINALS[form], BODY, form)
    assert not proof.differences
    assert proof.kept == proof.words


FAULTS = {
    "a heading's words": ("Method", "", "lost heading {heading}: method"),
    "a heading's number": (
        '<span class="sn">1</span>',
        '<span class="sn">2</span>',
        "lost heading {heading}: 1",
    ),
    "the end of a line": (" seven eight nine", "", "lost line {line}: seven eight nine"),
    "a paragraph": ("<p>第二段说的是另一件事情。</p>", "", "lost line {second}: 第 二 段 说 的 是 另 一 件 事 情"),
    "words of a drawing": ("<text>pipeline</text>", "", "lost figure 1: pipeline"),
    "a caption": ("图 1 caption", "", "lost figure 1: 图 1 caption"),
    "a cell": ("<td>alpha</td>", "<td></td>", "lost table 1: alpha"),
    "a number in a table": ("<td>3</td>", "", "lost table 1: 3"),
    "two paragraphs": (
        "<p>One two three four five six seven eight nine.</p><p>第二段说的是另一件事情。</p>",
        "<p>第二段说的是另一件事情。</p><p>One two three four five six seven eight nine.</p>",
        "moved line {line}: one two three four five six seven eight nine",
    ),
    "a paragraph, twice": (
        "<p>第二段",
        "<p>One two three four five six seven eight nine.</p><p>第二段",
        "twice line {line}: one two three four five six seven eight nine",
    ),
    "words that are hidden": ("One two three", "<span hidden>One two three</span>", "lost line {line}: one two three"),
    "words in another language's half": (
        "<p>One two three",
        '<p class="en" lang="en">One two three four five six seven eight nine.</p><p>',
        "lost line {line}: one two three",
    ),
    "words only beside the pointer": (
        "第二段说的是另一件事情。",
        '<a title="第二段说的是另一件事情。">.</a>',
        "lost line {second}: 第 二 段 说 的 是 另 一 件 事 情",
    ),
}


@pytest.mark.parametrize("form", ORIGINALS)
@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_missing_is_told_by_the_part_that_it_is_in(form: str, fault: str) -> None:
    before, after, said = FAULTS[fault]
    lines = {".md": (7, 9, 11), ".html": (1, 2, 2)}[form]
    assert before in BODY
    expected = said.format(heading=lines[0], line=lines[1], second=lines[2])
    assert told(proof_of(ORIGINALS[form], BODY.replace(before, after, 1), form)) == [expected]


@pytest.mark.parametrize(
    ("original", "shown", "lost"),
    [
        ("<ol start=3><li>a<li>b</ol>", '<ol start="3"><li>a</li><li>b</li></ol>', ""),
        ("<ol start=3><li>a<li>b</ol>", "<ol><li>a</li><li>b</li></ol>", "3"),
        ("<ol><li>a</ol> <ol start=2><li>b</ol>", "<ol><li>a</li><li>b</li></ol>", ""),
        ("<ol><li>a</ol><p>c</p><ol start=2><li>b</ol>", "<ol><li>a</li></ol>c<ol><li>b</li></ol>", "2"),
        ("<ol><li>a<li value='7'>b</ol>", "<ol><li>a</li><li>b</li></ol>", "7"),
        ("<ol><li value=1>a<li value=2>b</ol>", "<ol><li>a</li><li>b</li></ol>", ""),
        ("<ol reversed><li>a<ul><li>x</ul><li>b<li>c</ol>", "<ol><li>a<ul><li>x</ul></li><li>b</li></ol>", "3 2 c"),
        ("<ul><li value=5>a</ul><p>By <input type=hidden value=no><input type=radio value=no></p>", "<p>a By</p>", ""),
        ("<p>By <input type=text value='A &amp; B'></p><input value=C>", "<p>By A</p>", "b c"),
        ("<textarea>typed</textarea>", "", "typed"),
    ],
)
def test_numbers_of_items_and_what_is_typed_into_fields_are_words(original: str, shown: str, lost: str) -> None:
    differences = proof_of(f"<h1>A title</h1>{original}", shown).lost
    assert " ".join(word for difference in differences for word in difference.words) == lost


def test_the_first_number_of_a_list_in_markdown_is_a_word() -> None:
    assert told(proof_of("# A title\n\n3. a\n4. b\n", "<ol><li>a</li><li>b</li></ol>", ".md")) == ["lost line 3: 3"]


def test_each_value_of_front_matter_is_among_the_facts() -> None:
    assert told(proof_of(MARKDOWN, BODY, ".md", ("A title",))) == ["lost fact 3: v"]
    original = "---\ndate: 2024-05-01T10:00:00+08:00\ntags: [a b, c]\nstatus: read\ndraft: false\n---\n"
    facts = ("2024-05-01", "a b", "reading")
    assert told(proof_of(original, "", ".md", facts)) == ["lost fact 3: c", "lost fact 4: read"]


def test_lines_behind_the_front_matter_are_read_from_the_file_itself() -> None:
    lost = "---\na: b\n---\n" + "".join(f"Line number {number} of six.\n\n" for number in range(6)) + "The rest.\n"
    proof = proof_of(lost, "<p>The rest.</p>", ".md", ("b",))
    assert [difference.line for difference in proof.lost] == [4, 6, 8, 10, 12, 14]


@pytest.mark.parametrize(
    ("original", "shown", "column"),
    [
        ("<p>One two</p><p>one <b>thr</b>ee four</p>", "<p>One two</p><p>one four</p>", 0),
        ("<p>One two</p><p>one <b>three</b> (<i>four</i>) five</p>", "<p>One two</p><p>one five</p>", 25),
        ("<p>ab</p><p>cd ab ef</p>", "<p>ab</p><p>cd ef</p>", 16),
        ("<p>先说结论。</p><p>再说方法。</p>", "<p>先说结论。</p><p>再说。</p>", 18),
    ],
)
def test_a_page_on_one_line_is_told_with_columns(original: str, shown: str, column: int) -> None:
    (lost,) = with_columns(proof_of(original, shown), original).lost
    assert lost.column == max(column, 1)


def test_words_of_drawings_stand_in_any_order_and_their_settings_are_none() -> None:
    drawing = """%%{init: {"flowchart": {"rankSpacing": 25}}}%%\ngraph TD\nA["输入<br/>Input"] -->|是| B["输出"]"""
    svg = "<svg><text>是</text><text>输入</text><text>Input</text><text>输出</text></svg>"
    original = f"# A title\n\nBefore.\n\n```mermaid\n{drawing}\n```\n"
    assert not told(proof_of(original, f"<p>Before.</p>{svg}", ".md"))
    lost = told(proof_of(original, f"<p>Before.</p>{svg.replace('是', '')}", ".md"))
    assert lost == ["lost figure 1: 是"]


def test_a_title_that_the_page_cuts_is_lost() -> None:
    title = "AdaRank: Adaptive Rank Pruning for Enhanced Model Merging"
    proof = proof_of(f"See [{title}](long.md).", "<p>See <a>#4 AdaRank</a>.</p>", ".md")
    assert told(proof) == ["lost line 1: adaptive rank pruning for enhanced model merging"]
    assert not proof_of(f"See [{title}](long.md).", f"<p>See <a>{title}</a>.</p>", ".md").differences


@pytest.mark.parametrize(
    ("original", "shown"),
    [
        ("H<sub>2</sub>O and x²", "H<sub>2</sub>O and x2"),
        ("H 2 O and x<sup>2</sup>", "H2O and x²"),
        ("ﬁne Ｗｉｄｅ TÊTE", "fine wide tête"),
        ("in<b>ter</b>nal", "<i>inter</i>nal"),
        ("Fig. 1: words", '<span class="fig-label">图 1</span> words'),
        ("$\\alpha_i + \\frac{a}{b}$ here", "<math><mi>α</mi><mi>i</mi><mo>+</mo><mi>a</mi><mi>b</mi></math> here"),
        ("E = mc<sup>2</sup> &amp; more", "E = <math><mi>m</mi><mi>c</mi><mn>2</mn></math> &amp; more"),
    ],
)
def test_words_that_are_written_in_another_way_are_kept(original: str, shown: str) -> None:
    form = ".md" if "$" in original else ".html"
    assert not proof_of(original, f"<p>{shown}</p>", form).differences


def test_words_of_the_frame_stand_for_none_of_the_text() -> None:
    assert told(proof_of("<p>目录</p><p>12 min</p><p>keywords</p>", "")) == ["lost line 1: 目 录 12 min keywords"]


def test_what_was_said_in_place_of_a_picture_may_be_its_caption_and_else_is_lost() -> None:
    original = "![what it shows](a.png)\n\n![image](b.png)\n"
    for shown in ('<img src="data:" alt="what it shows">', "<figure><figcaption>What it shows</figcaption></figure>"):
        assert not proof_of(original, shown, ".md").differences
    assert told(proof_of(original, '<img src="data:" alt="a">', ".md")) == ["lost figure 1: what it shows"]


REMOVALS = [
    (Removed("contents", "目录\n1. Method"), "<p>目录</p><ul><li>1. Method</ul>", True),
    (Removed("contents", "目录\nWords of a loss"), "<p>目录</p><p>Words of a loss</p>", False),
    (Removed("navigation", "上一篇\nAnother note"), "<a>上一篇</a><br><a>Another note</a>", True),
    (Removed("navigation", "Words of a loss"), "<p>Words of a loss</p>", False),
    (Removed("title", "A title"), "<h1>A title</h1><p>A title</p>", True),
    (Removed("title", "Words of a loss"), "<p>Words of a loss</p>", False),
    (Removed("facts", "作者：A. Nobody · 更新 2024-05-01"), "<p>作者：A. Nobody · 更新 2024-05-01</p>", True),
    (Removed("facts", "Words of a loss"), "<p>Words of a loss</p>", False),
    (Removed("navigation", "Edit on GitHub"), '<a href="https://a.example">Edit on GitHub</a>', True),
]


@pytest.mark.parametrize(("removal", "original", "is_said"), REMOVALS)
def test_what_an_importer_leaves_out_is_proven_by_its_kind(removal: Removed, original: str, is_said: bool) -> None:
    facts = (*FACTS, "A. Nobody", "2024-05-01")
    assert proof_of(original, BODY, ".html", facts).lost
    lost = proof_of(original, BODY, ".html", facts, removal).lost
    assert not lost if is_said else "loss" in lost[-1].words


def test_a_number_that_a_list_shows_is_not_taken_for_the_same_number_in_a_line() -> None:
    original = "<h1>T</h1><p>See 1 and 1.<sup>1</sup> Then 1 more.</p>"
    page = "<h1>T</h1><p>See 1 and 1. Then 1 more.</p>"
    assert told(proof_of(original, page, ".html", (), Removed("list-marker", "1", 1))) == []
    assert told(proof_of(original, page.replace("Then 1", "Then"), ".html", (), Removed("list-marker", "1", 1)))


def test_pictures_around_a_text_are_declared_and_others_are_lost() -> None:
    around = '<div>A title <img src="n.png" alt="forward"></div>'
    original = f"{around}{HTML}<img src='last.png' alt='what it shows'>"
    removals = Removed("page-frame", "A title"), Removed("page-frame", "forward")
    proof = proof_of(original, BODY, ".html", FACTS, *removals)
    assert told(proof) == ["lost figure 3: what it shows"]
    assert proof.left_out == 3


def test_a_page_that_speaks_of_a_library_of_formulas_has_none_for_that() -> None:
    shown = "<p>renderMathInElement sets \\(\\frac{a}{b}\\).</p>"
    assert not proof_of("`renderMathInElement` sets `\\(\\frac{a}{b}\\)`.", shown, ".md").differences


def test_the_cells_of_a_database_are_its_words() -> None:
    shown = "<table><tr><th>Name<th>Rating<tr><td>Deep, wide<td></table>"
    assert told(proof_of('Name,Rating\n"Deep, wide",5\n', shown, ".csv")) == ["lost table 1: 5"]


def test_what_nobody_can_read_is_said_not_to_be_proven() -> None:
    original = Original(PurePosixPath("a.org"), "* Title\n")
    proof = prove(pieces_of(".org", original.text), page_words(page_of(""), ()))
    assert [finding.kind for finding in findings_of(original, proof)] == ["not-proven"]


def test_what_is_left_out_on_purpose_is_counted_apart_from_what_is_kept() -> None:
    plain = proof_of(HTML, BODY)
    for removal, original, is_said in REMOVALS[:4]:
        proof = proof_of(HTML.replace("<h2>", f"{original}<h2>"), BODY, ".html", FACTS, removal)
        added = len(words_of(removal.words))
        assert (proof.words + proof.left_out, proof.kept) == (plain.words + added, plain.kept)
        assert proof.left_out > 0 if is_said else proof.left_out < added


def test_a_citation_is_proven_by_the_paper_that_it_leads_to() -> None:
    original = "Long [see @weil:2001_x, p. 2; @tides]."
    cited = (
        '<span class="cites">[see <a class="cite" href="#ref-{}" title="Roots">Weil, 2001</a>, p.&nbsp;2; {}]</span>'
    )
    tides = '<a class="cite" href="#ref-tidesa" title="T">Thomson, 1868</a>'
    for paper, shown, lost in (
        ("weil:2001_x", tides, []),
        ("weil:2001_x", "", ["lost line 1: tides"]),
        ("other", tides, ["lost line 1: weil 2001 x"]),
    ):
        page = page_words(page_of(f"<p>Long {cited.format(paper, shown)}.</p>"), ("en",), {"tidesa": "tides"})
        assert told(prove(FORMATS[".md"](original), page, Known((), frozenset()), ())) == lost


@pytest.mark.parametrize(
    ("original", "shown", "kind"),
    [("先说结论，再说方法。", "再说方法，先说结论。", "moved"), ("快于慢", "慢于快", "lost"), ("大小", "小大", "lost")],
)
def test_chinese_words_in_another_order_are_told(original: str, shown: str, kind: str) -> None:
    proof = proof_of(f"<p>{original}</p>", f"<p>{shown}</p>")
    assert [difference.kind for difference in proof.differences] == [kind]


def test_the_longest_common_sequence_is_found() -> None:
    chance = random.Random(5)
    for _ in range(60):
        a, b = ([chance.choice("abcd") for _ in range(chance.randrange(14))] for _ in range(2))
        table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
        for at, first in enumerate(a):
            for to, second in enumerate(b):
                equal = table[at][to] + 1 if first == second else 0
                table[at + 1][to + 1] = max(equal, table[at][to + 1], table[at + 1][to])
        rows = [*matches(a, b)]
        assert sum(size for _, _, size in rows) == table[-1][-1]
        assert all(a[start : start + size] == b[at : at + size] for start, at, size in rows)
        assert rows == sorted(rows)


def test_large_texts_are_compared_between_fixed_points() -> None:
    words = [f"{number * 7919 % 3000}" for number in range(30_000)]
    changed = [*words[:9000], "new", *words[9001:20_000], *words[20_050:]]
    assert sum(size for _, _, size in matches(words, changed)) == len(words) - 51


def test_the_words_of_markdown_are_those_that_a_reader_sees() -> None:
    text = (
        "# Title {#id}\n\n> [!note] Said\n> inside\n\n"
        '!!! tip "Named"\n    indented [link](https://a.example "tip")\n\n'
        "Words[^1], [[Page#Part|shown]] and [[Page]] %%remark%% <!-- comment --> :smile: `code` ==mark== ^name\n\n"
        ":::warning Titled\n\nbox\n\n:::\n\n{{< short >}} {% liquid %} &amp; <kbd>Ctrl</kbd>\n\n"
        "[^1]: The footnote."
    )
    pieces = FORMATS[".md"](text)
    words = " ".join(word for piece in pieces for word in words_of(piece.text))
    assert words == (
        "title said inside named indented link words shown and page code mark titled box ctrl the footnote"
    )


DIALECTS = dict(
    case.split("\n=> ")
    for case in r"""!!! note "One"
    two

    === "Three"

        ```yaml hl_lines="8"
        four
        ```
=> one two three four
----
??? tip

    1. one
    2. two

three
=> one two three
----
:::{note} One
:class: hidden
:::

::: warning Two
three
:::
=> one two three
----
::::{grid} 1 2 2 3
:gutter: 1
:::{grid-item-card} One
two
:::
::::
=> one two
----
:::{toctree}
hidden
:::

:::{code} hidden
:::

::: {.callout-tip title="One"}
two
:::
=> one two
----
::: package.Class

words
=> package class words
----
/// html | div.hidden
    attrs: {hidden: true}
one
///

/// tab | Two
    new: hidden
three
///
=> one two three
----
(hidden/label)=
# One

+++
two
=> one two
----
<Tabs items={["one", "two"]}>
  <Tab hidden={a => 1}>
    ```tsx hidden="x"
    three
    ```
  </Tab>
  <Tab>
    four
  </Tab>
</Tabs>
=> one three two four
----
<Hidden
  title="One"
  rows={[
    { two: 'three', four: [{ five: `six` }] },
  ]}
  style={{ hidden: 1 }}
  kind="hidden"
/>
=> one two three four five six
----
<Rows a={[{ b: [{ c: [{ d: 'e<f | g>' }] }] }]} />
=> b c d e f g
----
<Tabs items={["one", "hidden"]}>
<Tab>
two
</Tab>
</Tabs>
<Tabs values={[{label: 'three', value: 'hidden'}]}>
<TabItem value="hidden">
<Image alt="four" srcLight="hidden" />
</TabItem>
</Tabs>
=> one two three four
----
<details>
<summary>one</summary>
````markdown
```two

````
</details>

```{mermaid}
%%| hidden: 10
classDiagram
a[three] -- hidden
```
```html filename="<four>"
five
```
```{python}
#| code-summary: six
#| code-fold: hidden
seven
```
=> one two three four five six seven
----
<div class="hidden" markdown>
[one][hidden]
</div>
  [hidden]: javascript:go
=> one
----
[one](a.md){ data-hidden } `two`{ .hidden } [:icon:](a.md)[:icon:](b.md) three
=> one two three
----
{{< highlight go >}}
${ONE}_$two
{{< /highlight >}}

three
=> one two three
----
```json
one
```tsx hidden
two
```
=> one two
----
> [!note | hidden]
> one
=> one
----
---
date: "June 16, 2018" # hidden
---
one
=> june 16 2018 one
----
<img alt=":hidden:" src="a.png"> one
=> one
----
%%
## hidden
```json
hidden
```
%%

one
=> one
----
% `hidden <https://a.example/hidden>`__

one
=> one
----
```ad-note
title: One
collapse: open
two **three** [^1]
```

four^[five] [^1]

[^1]: six
=> one two three four five six
----
:::{glossary}
One
    two

    {class}`three` {doc}`hidden`
:::
=> one two three
----
see \[[1](https://a.example/?a=%20)|[2](b.md)\]
=> see 1 2""".split("\n----\n")
)
"""What is written, and the words that readers see."""


@pytest.mark.parametrize("text", DIALECTS)
def test_signs_of_dialects_are_no_words_and_what_they_hold_is(text: str) -> None:
    assert " ".join(word for piece in FORMATS[".md"](text) for word in words_of(piece.text)) == DIALECTS[text]


def test_numbers_of_equations_are_those_of_the_page() -> None:
    shown = "<math><mi>a</mi><mtext>(7)</mtext></math>"
    assert not proof_of("$$\n\\begin{align}a\\end{align}\n$$", shown, ".md").differences


def test_the_words_of_a_drawing_stand_in_any_order_and_each_is_missed() -> None:
    original = '```mermaid\nA["Audio Input"] --> B["Audio Output"] --> C["Ear"]\n```'
    shown = "<svg><text>Ear</text><text>Audio Output</text><text>Audio Input</text></svg>"
    assert not proof_of(original, shown, ".md").lost
    assert told(proof_of(original, shown.replace("Input", ""), ".md")) == ["lost figure 1: input"]


def test_hidden_parts_of_a_page_are_none_of_its_words() -> None:
    html = "<style>.x{display:none}</style><p class=x>a</p><p hidden>b</p><script>c</script><!-- d --><b>e</b><i>f</i>"
    assert [piece.text for piece in visible(html)] == ["ef"]


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize(
    "hostile", ["<a '", '<a "', "<div><p", "<!--", "<svg>", "&", "<table><td>", "$a", "[[", "{{<", "%%"]
)
def test_no_text_takes_long_to_read(hostile: str) -> None:
    for form in (".md", ".html"):
        assert FORMATS[form](f"{hostile * 3_000}\n\nwords\n") is not None


def test_a_heading_with_a_number_may_stand_around_the_text() -> None:
    removal = Removed("page-frame", "3 comments\nnice")
    html = "<p>a b c</p>\n<h2>3 comments</h2><p>nice</p>"
    assert not proof_of(html, "<p>a b c</p>", ".html", FACTS, removal).lost


def test_an_output_of_a_notebook_is_what_a_page_shows_of_its_forms() -> None:
    forms = ({"text/html": "<pre>one</pre>", "text/plain": "<hidden>"}, {"text/html": "<script>", "text/plain": "two"})
    outputs = [{"output_type": "execute_result", "data": data} for data in forms]
    notebook = {"cells": [{"cell_type": "code", "source": "", "outputs": outputs}]}
    words = [word for piece in FORMATS[".ipynb"](json.dumps(notebook)) for word in words_of(piece.text)]
    assert words == ["one", "two"]


def test_what_a_caption_says_of_a_picture_is_there_once() -> None:
    html = '<h1>T</h1><figure><img alt="One two"><figcaption>Figure 1. One two</figcaption></figure><img alt="Three">'
    assert [piece.text for piece in FORMATS[".html"](html)] == ["T", "Figure 1. One two", "Three"]


@pytest.mark.parametrize(
    ("gone", "page", "lost", "more"),
    [
        ("ab cd", "", [0, 1], ""),
        ("ab", "x ab y", [], "x y"),
        ("ab", "xaby", [], "xaby"),
        ("ab cd", "abcd e", [], "e"),
        ("a b", "b a", [], ""),
        ("abc d", "d abc", [1], "d"),
        ("figure", "图", [], ""),
        ("tea pot", "teapox", [1], "teapox"),
        ("abcdefgh", "abcdefgx", [0], "abcdefgx"),
        ("k abcdefghij", "l abcdefghij", [0], "l"),
        ("ab cdef", "ab xy cd", [1], "xy"),
        ("abc xyz", "abcq xyz", [0], "abcq"),
        ("abcd xyz", "abcdq xyz", [], "abcdq"),
        ("a " * 30 + "b " * 30, "b " * 30 + "a " * 30, [], ""),
        ("a " * 31 + "b " * 30, "b " * 30 + "a " * 31, [*range(31, 61)], "b " * 30),
        (f"{'a' * 300} b {'c' * 299}", f"{'a' * 300} d {'c' * 299}", [1], "d"),
        (f"{'a' * 300} b {'c' * 300}", f"{'a' * 300} d {'c' * 300}", [0, 1, 2], f"{'a' * 300} d {'c' * 300}"),
    ],
)
def test_words_that_are_torn_or_joined_on_the_page_have_arrived(
    gone: str, page: str, lost: list[int], more: str
) -> None:
    assert _torn(gone.split(), page.split()) == ({*lost}, more.split())


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2024-5-6", "2024-05-06 "),
        ("2024年5月6日 10:11", "2024-05-06  "),
        ("May 6, 2024", "2024-05-06 "),
        ("November 3, 2025 10:12 AM", "2025-11-03  "),
        ("Foo 3, 2025", "Foo 3, 2025"),
        ("at 10:11", "at 10:11"),
    ],
)
def test_days_are_read_as_facts_have_them(text: str, days: str) -> None:
    assert _days(text) == days
