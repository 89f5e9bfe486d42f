"""Shortcodes of Hugo and tags of Liquid that take lines of their own, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from paper_notes.features.importing.markdown.containers import Again, Made, box
from paper_notes.features.importing.markdown.conversion import PICTURES, Conversion
from paper_notes.features.importing.markdown.lines import Line
from paper_notes.features.importing.markdown.tags import ATTRIBUTE

OPENED = re.compile(r"\{\{(?:<|%)[ \t]*(?P<name>[\w/-]+)(?P<arguments>.*?)(?P<self>/?)[ \t]*(?:>|%)\}\}(?P<rest>.*)")
LIQUID = re.compile(r"\{%-?[ \t]*(?P<name>\w+)(?P<arguments>.*?)-?%\}(?P<rest>.*)")
_BOXES = frozenset("admonition notice hint callout alert note tip warning info danger caution important".split())
_FOLDS = frozenset("details expand spoiler collapse accordion".split())
_TABS = frozenset("tab tabitem codetab".split())
_VIDEO = {
    "youtube": "https://www.youtube.com/watch?v={}",
    "vimeo": "https://vimeo.com/{}",
    "bilibili": "https://www.bilibili.com/video/{}",
    "gist": "https://gist.github.com/{}",
    "tweet": "https://twitter.com/i/status/{}",
}
_DROPPED = frozenset({"toc", "raw", "endraw", "comment", "endcomment", "assign"})
_VALUE = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|`([^`]*)`|(\S+)")


def shortcode(conversion: Conversion, lines: Sequence[Line], place: int, found: re.Match[str], again: Again) -> Made:
    """`{{< name arguments >}}` ... `{{< /name >}}`."""
    first, name = lines[place], found["name"].lower()
    if name.startswith("/"):
        return [Line(first.number, "")], place + 1
    named, values = _arguments(found["arguments"])
    last, before = _end(lines, place, found)
    inner = _inside(lines, place, last, found["rest"], before)
    after = max(last, place) + 1
    if name == "figure" or (name == "img" and (named.get("src") or values)):
        return _figure(first, named, values), place + 1
    if name in _VIDEO and values:
        address = _VIDEO[name].format("/".join(values) if name == "gist" else values[-1 if name == "tweet" else 0])
        return [Line(first.number, f"{' ' * first.indent}<{address}>")], place + 1
    if last < 0:
        return None
    if name in ("mermaid", "math", "katex", "highlight", "code"):
        language = {"math": "math", "katex": "math", "mermaid": "mermaid"}.get(name, values[0] if values else "text")
        return [Line(first.number, f"```{language}"), *inner, Line(lines[last].number, "```")], after
    if name in _BOXES:
        kind = named.get("type") or (
            values[0] if values and name in ("admonition", "notice", "hint", "callout", "alert") else name
        )
        rest = values[1:] if values and values[0] == kind else values
        title = named.get("title") or " ".join(value for value in rest if value.lower() not in ("true", "false"))
        return box(
            conversion,
            kind if kind not in ("alert", "callout", "admonition", "notice", "hint") else "note",
            title,
            again(inner),
            first,
        ), after
    if name in _FOLDS:
        title = named.get("title") or named.get("summary") or (values[0] if values else "")
        return box(conversion, "details", title, again(inner), first), after
    title = named.get("title") or named.get("name") or (values[0] if name in _TABS and values else "")
    if name not in _TABS and name not in conversion.tables.unwrapped:
        conversion.report(
            "unmapped", "shortcode", f'the shortcode "{name}" is left out, what is in it stays', first.number
        )
    words = [Line(first.number, ""), Line(first.number, f"**{title}**"), Line(first.number, "")] if title else []
    return [*words, Line(first.number, ""), *again(inner), Line(first.number, "")], after


def liquid(conversion: Conversion, lines: Sequence[Line], place: int, found: re.Match[str], again: Again) -> Made:
    """`{% highlight python %}` ... `{% endhighlight %}` of Jekyll."""
    first, name = lines[place], found["name"]
    if name in ("include", "include_relative") and not found["rest"].strip():
        return _included(conversion, first, found["arguments"]), place + 1
    if name in _DROPPED and not found["rest"].strip():
        return [Line(first.number, "")], place + 1
    ending = re.compile(rf"\{{%-?\s*end{name}\s*-?%\}}")
    last = next((at for at in range(place + 1, len(lines)) if ending.match(lines[at].words)), -1)
    if last < 0:
        return None
    inner = list(lines[place + 1 : last])
    if name == "highlight":
        language = found["arguments"].split()[0] if found["arguments"].split() else "text"
        return [Line(first.number, f"```{language}"), *inner, Line(lines[last].number, "```")], last + 1
    if name in _BOXES:
        return box(conversion, name, found["arguments"].strip(" \"'"), again(inner), first), last + 1
    conversion.report("unmapped", "liquid", f'"{name}" is left out, what is in it stays', first.number)
    return [Line(first.number, ""), *again(inner), Line(first.number, "")], last + 1


def _included(conversion: Conversion, first: Line, written: str) -> list[Line]:
    """`{% include figure.html image="a.png" caption="..." %}`: the figure that it likely is, else only its caption."""
    named, values = _arguments(written)
    source = next((named[key] for key in ("src", "image", "image_path", "url", "path", "file") if key in named), "")
    if PurePosixPath(source.partition("?")[0]).suffix.lower() in PICTURES:
        return _figure(first, {**named, "src": source}, [])
    called = values[0] if values else "include"
    conversion.report("unmapped", "liquid", f'"{called}" is left out: it is no text of this note', first.number)
    words = " ".join(filter(None, (named.get("title", ""), named.get("caption", ""))))
    return [Line(first.number, ""), first.with_text(words), Line(first.number, "")]


def _arguments(written: str) -> tuple[dict[str, str], list[str]]:
    """Arguments with and without a name."""
    named = {key.lower(): value.strip("\"'`") for key, value in ATTRIBUTE.findall(written) if value}
    rest = re.sub(r"[\w:-]+=(?:\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\S+)", "", written)
    return named, [one or two or three for one, two, three in _VALUE.findall(rest)]


def _end(lines: Sequence[Line], place: int, found: re.Match[str]) -> tuple[int, str]:
    """The line that ends a shortcode and what is before the end in it; -1 if it has none."""
    name = re.escape(found["name"])
    opening = re.compile(rf"\{{\{{[<%]\s*{name}\b(?:(?!\}}\}}).)*(?<!/)\s*[>%]\}}\}}")
    ending = re.compile(rf"\{{\{{[<%]\s*/\s*{name}\s*[>%]\}}\}}")
    if found["self"]:
        return -1, ""
    if closed := ending.search(found["rest"]):
        return place, found["rest"][: closed.start()]
    depth = 1
    for at in range(place + 1, len(lines)):
        depth += len(opening.findall(lines[at].text))
        if closed := ending.search(lines[at].text):
            depth -= 1
            if depth <= 0:
                return at, lines[at].text[: closed.start()]
    return -1, ""


def _inside(lines: Sequence[Line], place: int, last: int, rest: str, before: str) -> list[Line]:
    if last < 0:
        return []
    if last == place:
        return [Line(lines[place].number, before.strip())]
    inner = [Line(lines[place].number, rest.strip())] if rest.strip() else []
    inner += lines[place + 1 : last]
    return [*inner, Line(lines[last].number, before.rstrip())] if before.strip() else inner


def _figure(first: Line, named: dict[str, str], values: list[str]) -> list[Line]:
    """`{{< figure src="a.png" caption="..." >}}`."""
    source = named.get("src") or (values[0] if values else "")
    caption = " ".join(filter(None, (named.get("title", ""), named.get("caption", ""), named.get("attr", ""))))
    picture = f"![{named.get('alt') or caption}]({source.replace(' ', '%20')})"
    indent = " " * first.indent
    words = [picture] if not caption else [":::figure", picture, "", caption, ":::"]
    return [Line(first.number, indent + line if line else "") for line in ["", *words, ""]]
