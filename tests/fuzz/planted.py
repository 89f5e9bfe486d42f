"""Strategies: Markdown and HTML in which words are planted that a reader must see, and words that nobody need see.

What must be seen is known from where a word was planted, not from what the program makes of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count

from hypothesis import strategies as st

from paper_notes.markdown.syntax.components import COMPONENTS

SEEN, UNSEEN = "\ue000", "\ue001"
"""Stand for a word that must be seen, and for one in a comment, an address or an attribute."""
_LETTERS = "abcdfghjklmnprst"
WORD = re.compile(f"qx[{_LETTERS}]{{3}}")
_COMMENT = re.compile("<!--(?!-?>).*?-->", re.DOTALL)
_VALUE = r"""=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)"""
_TAG = re.compile(rf"""<[a-z][\w-]*(?:\s+[\w-]+(?:\s*{_VALUE})?)*\s*/?>""", re.IGNORECASE)
_FENCE = re.compile("(?:```|~~~).*")
"""The line that opens a block of code says what kind of code it is."""
_ATTRIBUTE_VALUE = re.compile(_VALUE)


@dataclass(frozen=True)
class Planted:
    """A text, and the line (from 1) of each word in it that must be seen."""

    text: str
    words: dict[str, int]


def word(number: int) -> str:
    """A word that stands nowhere else, and is no part of another."""
    return "qx" + "".join(_LETTERS[number // 16**place % 16] for place in range(3))


def planted(template: str) -> Planted:
    numbers = count()
    places: dict[str, int] = {}
    parts = []
    line = 1
    for part in re.split(f"([{SEEN}{UNSEEN}])", template):
        name = part
        if part in (SEEN, UNSEEN):
            name = word(next(numbers))
            if part == SEEN:
                places[name] = line
        line += part.count("\n")
        parts.append(name)
    text = "".join(parts)
    hidden = [*_COMMENT.findall(text), *_FENCE.findall(text)]
    hidden += [value for tag in _TAG.findall(text) for value in _ATTRIBUTE_VALUE.findall(tag)]
    unseen = "".join(hidden)
    return Planted(text, {name: line for name, line in places.items() if name not in unseen})


def _templates(text: str) -> list[str]:
    """One a line; `W` is a word to be seen, `H` one that is not, `\\n` the end of a line."""
    made = [line.replace("W", SEEN).replace("H", UNSEEN).replace("\\n", "\n") for line in text.strip("\n").split("\n")]
    return [line.strip(" ").replace("␣", " ") for line in made]


INLINE = _templates(r"""
W
*W*
**W
W**
_W_
~~W~~
`W`
``W
`W
[W](https://a.example/H)
[W](https://a.example "H")
[W](<https://a.example/H H>)
[W](W)
[W](
](W)
![W](figure.svg)
![W](none.svg)
![W
<b>W</b>
<b>W
</b>
<b W
<b title="H">W
<b title='H'>W</b>
<b title="W
<b title=W
"W">
'W'>
<b W>
<b class=W>
<b title=H>W</b>
<b/W>
</b W>
</W>
</ W>
</
</W
<!-- H -->
<!-- W
-->W
<!-->W-->
<!--->W-->
<!---->W
<!-- H --!>W
<!-W-->
<? W ?>
<?W
<?php W
?>
<!X W>
<!X W
<!x>W
<!>W
<![CDATA[W]]>
<![CDATA[W
]]>
<script>W</script>
<script>W
<style>W</style>
<textarea>W
<title>W</title>
<template>W</template>
<select><option>W</select>
<option>W
<iframe>W</iframe>
<noscript>W</noscript>
<noembed>W</noembed>
<plaintext>W
<xmp>W</xmp>
<svg><text>W</text></svg>
<svg>W
<math><mi>W</mi></math>
<math>W
<head>W</head>
<body>W
<frameset>W
<object>W</object>
<audio>W</audio>
<canvas>W</canvas>
<form>W
<button>W</button>
<a href="H">W</a>
<img alt="H" src=W>
<input value="H">W
<details><summary>W</summary>
<details>W
</details>
<summary>W</summary>
<ruby>W<rt>W</rt></ruby>
<rp>W</rp>
<table><tr><td>W
<table>W
<tr>W
<td>W</td>
</table>
<col>W
<colgroup>W
<caption>W</caption>
<pre>W
</pre>
<p>W
</p>
<h2>W</h2>
<ul><li>W
<dl><dt>W<dd>W
<W>
<W W="H">W
<b
W<br>W
W<wbr>W
[^a]
[^b]
[^W]
^[W]
^[W
[W]{.term}
[W]{.W}
[W]{.term W}
[W]{#H}
[W]{a=W}
[W]{
{W}
{#H}
{.W}
[W]
[W][r]
[W][]
[W][W]
[r]
[[#1|W]]
[[#1|W W]]
[[W]]
[[W
[@W]
[@k, W]
[see W @k, p. 3]
[W @k; @W, W]
[-@W]
@W
$W$
$$W$$
$W
$\text{W}$
$x % W
\W
\<b>W
&lt;W
&W;
&#W;
W\nW
W\\\nW
W␣␣\nW
|W
W|W
\|W
`W|W`
https://W.example/W
<https://W.example>
<W@a.example>
1 < W > 2
a<W
arXiv:2310.00001 W
#1 W
10.1234/W
公式W中文
“W”
+ W
""")
_BLOCKS = _templates(r"""
<div>\nW
<div>W</div>
<div>\n\nW\n\n</div>
<div
<div W
<div class="term"\nW
<div title="W\n\nW
<div title="H"\n>W</div>
</div W>
</div
<p>if a <b W
<p>a <b and W</p>
<p>a < W</p>
<script
<script W
<script>\nW\n\nW\n</script>
<style
<textarea\nW
<textarea>\n\nW
<pre\nW
<pre>\n\nW
<pre>\nW\n\nW\n</pre>
<title
<!--
<!-- H
<!-- H -->W
<!-- W\n\nW
-->
--> W
<?
<? W\n\nW
<?xml W ?>\n\nW
?>
<!X
<!X W\n\nW
<!DOCTYPE W>
<![CDATA[
<![CDATA[ W\n\nW
]]>
<iframe\nW
<details>\n<summary>W</summary>\n\nW\n\n</details>
<details>\n\nW
<table>\n<tr><td>W\n\nW
<ul>\n<li>W\n\nW\n</ul>
<b\nW
<b title="H"\n>\nW
| W | W |\n|---|---|\n| W | W |
| W | W |\n|---|---|\n| W | W | W |
W | W\n--|--\nW | W | W
| W |\n|---|\n| W | W |\nW
|W|\n|-|\n|`W|W`|
|W|\n|-|\n|W\|W|W
|W|\n|-|\n|W\\|W|
- | W |\n  |---|\n  | W | W |
> | W |\n> |---|\n> | W | W |
1. a\n\n   W|W\n   -|-\n   W|W|W
| W |\n|---|---|
| W |\n|---|\n<b>W | W
[r]: https://a.example/H
[r]: https://a.example "H"
[r]: W
[W]: W
[W]: https://a.example/W
[W]: W "W"
[W]: W\n"W"
[W]:\nW
[W]: W W
> [W]: W
- [W]: W
[//]: # (W)
[^a]: W
[^a]: W\n\n    W
[^b]: W [^a]
[^W]: W
[^W]: W [^a] ^[W]
[^a]:
> [^a]: W
- [^a]: W
[^a]: [r]: W
[^a]: <div W
W\n: W
W\n\n: W\n\n: W
W\n~ W
: W
:::tldr W
:::stats W\nW\n: W\n:::
:::stats\nW\n\nW\n: W\n:::
:::figure W\n![W](figure.svg)\n\nW\n:::
:::figure\n![W](figure.svg) W\n![W](figure.svg)\n:::
:::figure W\nW\n:::
:::recall W\nW\n\nW\n: W\n: W\n\nW\n:::
:::timeline W\nW\n: W\n:::
:::timeline\n- W\n:::
:::paper W\nW\n:::
:::paper\nW\n:::
:::symbols W\n| W |\n|-|\n| W |\n:::
:::demo W\nW\n:::
:::proof W\nW\n:::
:::quote W\nW\n:::
:::details W\nW\n:::
:::W\nW\n:::
:::note W {#H}\nW\n:::
:::note {W}\nW\n:::
:::note {#a} W\nW\n:::
:::: W
:::
::: W
:::note
> :::note W\n> W
- :::note W\n  W
```\nW\n```
```py H\nW\n```
```mermaid W\nW\n```
~~~
```
    W
\tW
$$\nW\n$$
$$
---
===
***
# W
## W
## W {#H}
## {#H}
## W {W}
## W [^a]
##W
###### W
## <b W
## <b>W
## [W](https://a.example)
W\n===
W\n---
> [!NOTE] W
> [!NOTE] W\n> W
> [!NOTE]\n\nW
> W\nW
- [ ] W
- [x] W\n  - W
- W\n\n  W
1. W\n2) W
* W\n+ W
""")
BLOCKS = (
    *_BLOCKS,
    "> " * 41 + SEEN,
    "- " * 41 + SEEN,
    "*" * 90 + SEEN,
    "[" * 45 + SEEN + "]" * 45,
    "<b>" * 41 + SEEN,
    "<div>" * 41 + SEEN + "\n\n" + SEEN,
    ":::note\n" * 41 + SEEN + "\n:::" * 41,
    "**_" * 30 + SEEN + "_**" * 30,
    *(f":::{name} {SEEN}\n{SEEN}\n\n{SEEN}\n: {SEEN}\n:::" for name in COMPONENTS),
)
STARTS = ("", "", "", "> ", "- ", "  - ", "1. ", "    ", "   ", "| ", "# ", "## ", ": ", "[^a]: ", "\t", "<div>", ">")
_pieces = st.sampled_from(INLINE)
_lines = st.builds(
    lambda start, parts, gap: start + gap.join(parts),
    st.sampled_from(STARTS),
    st.lists(_pieces, min_size=1, max_size=4),
    st.sampled_from([" ", " ", "", "\n"]),
)
_blocks = st.one_of(_lines, st.sampled_from(BLOCKS), st.sampled_from(BLOCKS))
documents = st.builds(
    lambda blocks, gap: planted(gap.join([*blocks, SEEN])),
    st.lists(_blocks, min_size=1, max_size=5),
    st.sampled_from(["\n\n", "\n\n", "\n"]),
)
"""Notes whose last word must be seen too."""
short_texts = st.builds(
    lambda blocks, gap: planted(gap.join([*blocks, SEEN])),
    st.lists(_blocks, min_size=1, max_size=3),
    st.sampled_from(["\n\n", "\n", " "]),
)
"""Intros, guides and summaries."""
