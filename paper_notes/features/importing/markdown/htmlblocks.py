"""Blocks of HTML in Markdown: their words and structure as Markdown, so that what is inside is read as such."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape

from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.htmltables import table, table_end
from paper_notes.features.importing.markdown.lines import Line
from paper_notes.features.importing.markdown.run import remark

_BLOCK = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu"
    "|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr"
    "|track|ul"
)
_STARTS = re.compile(rf"</?(?:{_BLOCK})(?=[\s/>]|$)", re.IGNORECASE)
_RAW = re.compile(r"<(pre|script|style|textarea|svg)(?=[\s>]|$)", re.IGNORECASE)
_ALONE = re.compile(r"</?[A-Za-z][A-Za-z0-9.:-]*(?:\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?/?>")
_TAG = re.compile(
    r"<!--.*?-->|<(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9.:-]*)(?P<rest>(?:\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?)/?>",
    re.DOTALL,
)
_BREAKS = frozenset(
    "address article aside body center dialog div fieldset figcaption figure footer form header html main nav p picture"
    " section summary dl dt dd details blockquote".split()
)
_KEPT = frozenset("blockquote dl dt dd".split())


def html_end(lines: Sequence[Line], start: int, *, after_blank: bool) -> int:
    """The index after the block of HTML that begins at `start`; `start` if none does."""
    words = lines[start].words
    if raw := _RAW.match(words):
        ending = f"</{raw[1].lower()}>"
        for place in range(start, len(lines)):
            if ending in lines[place].text.lower():
                return place + 1
        return start
    if not _STARTS.match(words) and not (after_blank and _ALONE.fullmatch(words)):
        return start
    end = start
    while end < len(lines) and lines[end].words:
        end += 1
    if re.match(r"<table(?=[\s>])", words, re.IGNORECASE):  # a blank line in a table does not end it
        closed = next((place + 1 for place in range(start, len(lines)) if "</table>" in lines[place].text.lower()), end)
        end = max(closed, end) if closed - start < 400 else end
    return end


@dataclass
class _Writer:
    """Markdown that is being made of HTML."""

    conversion: Conversion
    parts: list[str] = field(default_factory=list)
    lists: list[tuple[str, int]] = field(default_factory=list)

    def gap(self) -> None:
        self.parts.append("\n\n")


def html_block(conversion: Conversion, lines: Sequence[Line]) -> list[Line]:
    """The lines as Markdown."""
    indent, number = lines[0].indent, lines[0].number
    text = "\n".join(line.text for line in lines)
    conversion.line = number
    if raw := _RAW.match(text.strip()):
        made = _raw(conversion, raw[1].lower(), text.strip())
    else:
        made = _markdown(conversion, text.strip())
    return [Line(number, " " * indent + line if line.strip() else "") for line in ["", *made.split("\n"), ""]]


def _raw(conversion: Conversion, name: str, text: str) -> str:
    inner = re.sub(r"^<[^>]*>|</\w+\s*>.*$", "", text, flags=re.DOTALL)
    after = text[text.lower().rfind(f"</{name}>") + len(name) + 3 :].strip()
    if name == "svg":
        path = conversion.added("drawing.svg", text.encode())
        if path:
            title = re.search(r"<title[^>]*>([^<]*)</title>", text)
            return f"![{unescape(title[1]).strip() if title else 'drawing'}]({path})"
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())
    if name in ("script", "style"):
        conversion.report("unmapped", name, f"<{name}> is kept as a comment")
        return remark(text) + (f"\n\n{after}" if after else "")
    return _fence(inner) + (f"\n\n{after}" if after else "")


def _fence(inner: str) -> str:
    code = unescape(re.sub(r"</?(?:code|span|b|i|em|strong|a|kbd|samp)\b[^<>]*>", "", inner)).strip("\n")
    language = re.search(r"language-([\w+-]+)", inner)
    mark = "`" * max((len(run) + 1 for run in re.findall("`{3,}", code)), default=3)
    return f"{mark}{language[1] if language else 'text'}\n{code}\n{mark}"


def _markdown(conversion: Conversion, text: str) -> str:
    writer = _Writer(conversion)
    text = _FIGURE.sub(_figure, text)
    done, place = 0, 0
    while found := _TAG.search(text, place):
        _words(writer, text[done : found.start()])
        place = done = found.end()
        name = (found["name"] or "").lower()
        if not name:
            writer.parts.append(f"\n\n{found[0]}\n\n")
        elif name == "table" and not found["slash"]:
            end = table_end(text, found.start())
            writer.parts.append(f"\n\n{table(conversion, text[found.start() : end])}\n\n")
            place = done = end
        elif (
            name in ("pre", "script", "style", "svg")
            and not found["slash"]
            and (end := text.lower().find(f"</{name}>", place)) >= 0
        ):
            end += len(name) + 3
            writer.parts.append(f"\n\n{_raw(conversion, name, text[found.start() : end])}\n\n")
            place = done = end
        else:
            _one_tag(writer, found, name)
    _words(writer, text[done:])
    return re.sub(r"\n{3,}", "\n\n", "".join(writer.parts)).strip("\n")


_FIGURE = re.compile(r"<figure\b[^<>]*>(.*?)</figure>", re.DOTALL | re.IGNORECASE)
_CAPTION = re.compile(r"<figcaption\b[^<>]*>(.*?)</figcaption>", re.DOTALL | re.IGNORECASE)
_PICTURE = re.compile(r"<img\b(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>|!\[[^\[\]]*\]\([^()]*\)(?:\{[^{}]*\})?", re.IGNORECASE)


def _figure(found: re.Match[str]) -> str:
    """A figure of HTML with one picture and a caption, as ours."""
    pictures, caption = _PICTURE.findall(found[1]), _CAPTION.search(found[1])
    words = " ".join(caption[1].split()) if caption else ""
    rest = _PICTURE.sub("", _CAPTION.sub("", found[1])) if caption else found[1]
    if len(pictures) != 1 or not words or re.sub(r"<[^<>]*>|\s", "", rest):
        return found[0]
    return f"\n\n:::figure\n{pictures[0]}\n\n{words}\n:::\n\n"


def _words(writer: _Writer, text: str) -> None:
    depth = "  " * max(len(writer.lists) - 1, 0) + "   " if writer.lists else ""
    lines = text.split("\n")
    writer.parts.append("\n".join([lines[0], *(depth + line.strip() if line.strip() else "" for line in lines[1:])]))


def _one_tag(writer: _Writer, found: re.Match[str], name: str) -> None:
    slash = found["slash"]
    if name in ("ul", "ol", "li"):
        _list_tag(writer, name, slash)
    elif name == "summary" or re.fullmatch("h[1-6]", name):
        writer.parts.append("**\n\n" if slash else "\n\n**")
    elif name == "hr":
        writer.parts.append("\n\n---\n\n")
    elif name in _KEPT:
        writer.parts.append(f"\n\n<{slash}{name}>\n\n")
    elif name in _BREAKS:
        writer.gap()
    else:
        writer.parts.append(found[0])


def _list_tag(writer: _Writer, name: str, slash: str) -> None:
    if name == "li":
        if not slash:
            kind, number = writer.lists.pop() if writer.lists else ("ul", 0)
            writer.lists.append((kind, number + 1))
            mark = f"{number + 1}." if kind == "ol" else "-"
            writer.parts.append(f"\n{'   ' * (len(writer.lists) - 1)}{mark} ")
        return
    if slash:
        writer.lists = writer.lists[:-1]
    else:
        writer.lists.append((name, 0))
    if not writer.lists or (len(writer.lists) == 1 and not slash):
        writer.gap()
