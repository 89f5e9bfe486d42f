"""Blocks of a foreign text in our syntax, each kind by a function of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import unescape
from pathlib import PurePosixPath
from typing import Any

from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Span
from paper_notes.features.importing.markdown import boxes, html
from paper_notes.features.importing.markdown.conversion import PICTURES
from paper_notes.features.importing.markdown.grammar import ForeignBlock
from paper_notes.features.importing.markdown.links import image
from paper_notes.features.importing.markdown.rewriting import Rewriting
from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.markdown.syntax.code import fences, known_languages
from paper_notes.markdown.syntax.tables import columns_of, with_hidden

_VIDEOS = {
    "youtube": "https://www.youtube.com/watch?v={}",
    "vimeo": "https://vimeo.com/{}",
    "bilibili": "https://www.bilibili.com/video/{}",
    "gist": "https://gist.github.com/{}",
    "tweet": "https://twitter.com/i/status/{}",
}
_NUMBER = re.compile(r"[ \t]*\{#([\w:-]+)\}|[ \t]*\(([\w.]+)\)")
_ALERT = re.compile(r"\[![^\[\]|\n]+(\|[^\[\]\n]*)\]")
_BRACES = re.compile(r"[ \t]*\{:?[ \t]*[.#][^{}]*\}$")
_NAME = re.compile(r"\^[A-Za-z0-9-]+")


def _foreign(rewriting: Rewriting, node: ForeignBlock) -> None:
    if node.kind in _LEAVES:
        _LEAVES[node.kind](rewriting, node)
    else:
        boxes.box(rewriting, node)


def _heading(rewriting: Rewriting, node: nodes.Heading) -> None:
    """A section as `headings` has it; the title is gone, and a heading in a box is none of the text."""
    content = rewriting.content(node.span)
    section = rewriting.conversion.headings.get(node.span.start)
    if node is rewriting.conversion.title_block:
        rewriting.edit(node.span, "")
        return
    inlines = [inline.span for inline in node.inlines]
    if section:
        words, level = section.words, section.level
        options = [*([f"#{section.id}"] if section.id else ()), *([f"n={section.own}"] if section.own else ())]
    else:
        words = Span(inlines[0].start, inlines[-1].end) if inlines else Span(content.end, content.end)
        level, options = max(node.level, 3), []
        if braces := _BRACES.search(rewriting.source(words)):
            words = Span(words.start, words.start + braces.start())
    if words.start >= words.end:
        rewriting.edit(content, "")
        return
    rewriting.edit(Span(content.start, words.start), f"{'#' * level} ")
    rewriting.edit(Span(words.end, node.span.end), f" {{{' '.join(options)}}}" if options else "")
    rewriting.words(node.inlines)


def _drop(rewriting: Rewriting, node: Block) -> None:
    rewriting.edit(rewriting.content(node.span), "")


def _code(rewriting: Rewriting, node: nodes.CodeBlock) -> None:
    """Code is never touched, but for the name of the language; a title that it has becomes a line above it."""
    start = rewriting.content(node.span).start
    line = rewriting.text[start : rewriting.end(start)]
    fence = re.match(r"(`{3,}|~{3,})[ \t]*", line)
    if not fence:
        return
    language, title = _language(rewriting, node.info)
    if title:
        rewriting.edit(Span(start, start), f"**{rewriting.phrase(title)}**\n\n")
    rewriting.edit(Span(start + fence.end(), start + len(line)), language)
    last = rewriting.source(node.span).rpartition("\n")[2].strip(" \t>")
    if rewriting.end(start) >= node.span.end or not last.startswith(fence[1]) or last.strip(fence[1][0]):
        rewriting.conversion.report("mended", "unclosed-fence", "a block of code does not end")
        rewriting.edit(Span(start, start), "")
        begin = rewriting.starts[rewriting.row(start)]
        rewriting.insert(node.span.end, f"\n{rewriting.prefix(start)}{fence[1]}" if begin <= start else fence[1])


_NAMED = re.compile(r"(?:title|filename|name|caption)=(?:\"([^\"]*)\"|'([^']*)')|\[([^\]]+)\]")
_LANGUAGE = re.compile(r"\{?\.?([\w+#.-]*)")


def _language(rewriting: Rewriting, info: str) -> tuple[str, str]:
    """The language of a block of code as we know it, and its title."""
    named = _NAMED.search(info)
    title = next(filter(None, named.groups()), "") if named else ""
    match = _LANGUAGE.match(info)
    language = match[1].lower().strip(".,:") if match else ""
    if language in fences() or language == "math" or not info:
        return language, title
    alias = _LANGUAGES.get(language, language)
    if not alias or alias in known_languages():
        return alias, title
    dotted = language.rpartition(".")[2]
    if dotted != language and dotted in known_languages():
        return dotted, title or language
    rewriting.conversion.report("changed", "code-language", f'there are no colours for "{language}"')
    return "text", title


_LANGUAGES = {
    **dict.fromkeys(("jsonc", "json5", "jsonl"), "json"),
    **dict.fromkeys(("vue", "svelte"), "html"),
    **dict.fromkeys(("shell-session", "sh-session"), "console"),
    **dict.fromkeys(("dotenv", "env", "zsh"), "bash"),
    **dict.fromkeys(("mjs", "cjs"), "javascript"),
    **dict.fromkeys("plain prompt pseudo pseudocode algorithm gitignore log csv tsv ascii".split(), "text"),
    "py3": "python",
    "conf": "ini",
    "proto": "protobuf",
    "latex-math": "latex",
    "mdx": "markdown",
}


def _formula(rewriting: Rewriting, node: nodes.FormulaBlock) -> None:
    """A formula on lines of its own, without blank lines inside; one that we cannot show is code."""
    source = rewriting.source(rewriting.content(node.span))
    if source.startswith(("```", "~~~")):
        if not _is_shown(node.tex):
            start = rewriting.content(node.span).start + len(source) - len(source.lstrip("`~"))
            rewriting.edit(Span(start, rewriting.end(start)), "text")
    else:
        _write_formula(rewriting, node.span, node.tex, "")


def _foreign_formula(rewriting: Rewriting, node: ForeignBlock) -> None:
    """An environment without dollars, and a formula with something behind its last mark."""
    source = rewriting.source(node.opening)
    mark = node.fields["mark"]
    ending = {"$$": "$$", "\\[": "\\]", "\\\\[": "\\\\]"}.get(mark) or mark.replace("begin", "end", 1)
    tex, _, after = source[len(mark) :].rpartition(ending)
    if mark.startswith("\\begin"):
        tex = f"{mark}{tex}{ending}"
    prefix = re.compile(r"^[ \t>]*", re.MULTILINE)
    _write_formula(rewriting, node.span, prefix.sub("", tex), after)


def _write_formula(rewriting: Rewriting, span: Span, tex: str, after: str) -> None:
    content = rewriting.content(span)
    lines = [line.strip() for line in tex.strip().split("\n")]
    source = rewriting.source(content)
    is_ours = source.startswith("$$") and not after and all(lines)
    if not all(lines):
        rewriting.conversion.report("mended", "blank-in-formula", "a formula holds a blank line")
    given = tex = "\n".join(filter(None, lines))
    if (number := _NUMBER.fullmatch(after)) and number[1]:
        tex += f"\n\\label{{{number[1]}}}"
        after = ""
    tex = rewriting.conversion.without_known_labels(tex)
    after = after.strip()
    if not _is_shown(tex):
        rewriting.conversion.report("unmapped", "as-text", "this is kept as text: its TeX is not understood")
        rewriting.as_code(content)
        if name := _NAME.search(after):
            rewriting.insert(span.end, f"\n\n{rewriting.named(name[0][1:])}")
        return
    if _NAME.fullmatch(after):
        after = rewriting.named(after[1:])
    if not is_ours or tex != given:
        rewriting.edit(content, f"$$\n{tex}\n$$" + (f"\n\n{after}" if after else ""))


def _is_shown(tex: str) -> bool:
    try:
        mathml(tex, display=True)
    except TexProblem:
        return False
    return True


def _table(rewriting: Rewriting, node: nodes.Table) -> None:
    """A table; bars beyond its last column are signs."""
    rewriting.in_table = True
    for row in node.rows:
        rewriting.inside(row)
        start = rewriting.content(row.span).start
        line = rewriting.text[start : rewriting.end(start)].rstrip()
        hidden = with_hidden(line, len(row.cells))
        count = columns_of(hidden)
        if count > len(row.cells):
            rewriting.at(row.span)
            message = f"a row of a table has {count} cells, not {len(row.cells)}"
            rewriting.conversion.report("mended", "table-row", message)
            bars = [match.start() for match in re.finditer(r"(?<!\\)\|", hidden)]
            bars = bars[1:] if line.startswith("|") else bars
            bars = bars[:-1] if line.endswith("|") else bars
            for bar in bars[len(row.cells) - 1 :]:
                rewriting.escape(start + bar)
    rewriting.in_table = False


def _footnote(rewriting: Rewriting, node: nodes.FootnoteDefinition) -> None:
    """A footnote; one that nothing refers to, and a second one of a name, is a paragraph."""
    if node.label not in rewriting.footnotes:
        rewriting.escape(rewriting.content(node.span).start)
    rewriting.footnotes.discard(node.label)
    rewriting.inside(node)


def _alert(rewriting: Rewriting, node: nodes.Alert) -> None:
    """A callout of Obsidian: its kind may have options behind a bar."""
    head = re.compile(r"\[![^\[\]|\n]+(\|[^\[\]\n]*)\]").search(
        rewriting.text, node.span.start, rewriting.end(node.span.start)
    )
    if head:
        rewriting.edit(Span(*head.span(1)), "")
    rewriting.inside(node)


def _figure(rewriting: Rewriting, node: ForeignBlock) -> None:
    """`{{< figure src="a.png" caption="..." >}}` and `{% include figure.html image="a.png" %}`."""
    named, values = boxes.arguments(node.fields["arguments"])
    keys = ("src", "image", "image_path", "url", "path", "file")
    source = next((named[key] for key in keys if key in named), "")
    caption = " ".join(filter(None, (named.get("title"), named.get("caption"), named.get("attr"))))
    if node.fields["name"].startswith("include"):
        if PurePosixPath(source.partition("?")[0]).suffix.lower() not in PICTURES:
            called = values[0] if values else "include"
            message = f'"{called}" is left out: it is no text of this note'
            rewriting.conversion.report("unmapped", "liquid", message)
            rewriting.edit(node.opening, rewriting.phrase(caption))
            return
    elif not source:
        source = values[0] if values else ""
    picture = image(rewriting, named.get("alt") or caption, source.replace(" ", "%20"), "")
    shown = f"{picture}\n\n{rewriting.phrase(caption)}" if caption else picture
    rewriting.edit(node.opening, f":::figure\n{shown}\n:::" if caption and picture.startswith("![") else shown)


def _attributes(rewriting: Rewriting, node: ForeignBlock) -> None:
    """Attributes of the block above, with their line: a blank one would set the items of a list apart."""
    start = rewriting.starts[rewriting.row(node.opening.start)]
    rewriting.edit(Span(max(start - 1, 0), node.opening.end), "")


def _video(rewriting: Rewriting, node: ForeignBlock) -> None:
    named, values = boxes.arguments(node.fields["arguments"])
    values = values or [named["id"]] if "id" in named or values else []
    name = node.fields["name"]
    if values:
        address = _VIDEOS[name].format("/".join(values) if name == "gist" else values[-1 if name == "tweet" else 0])
        rewriting.edit(node.opening, f"<{address}>")
    else:
        rewriting.edit(node.opening, f"`{rewriting.source(node.opening)}`")


def _hidden(rewriting: Rewriting, node: ForeignBlock) -> None:
    """What nobody meant to publish, as a comment."""
    source = rewriting.source(node.opening)
    for sign in ("%%", "<!--"):
        source = source.removeprefix(sign)
    rewriting.edit(node.opening, html.remark(re.sub(r"%%[ \t]*$", "", source)))


def _program(rewriting: Rewriting, node: ForeignBlock) -> None:
    rewriting.conversion.report("unmapped", "import", "lines of a program are left out")
    rewriting.edit(node.opening, html.remark(rewriting.source(node.opening)))


def _verbatim(rewriting: Rewriting, node: ForeignBlock) -> None:
    source = rewriting.source(node.opening)
    if node.opening.start == 0 and source.startswith(("---", "+++")):  # front matter that cannot be read
        rewriting.edit(node.opening, "\n".join(["```text", *source.split("\n")[1:-1], "```"]))
        return
    message = "this block is shown as it was written: too much in it is within something else, or never closed"
    rewriting.conversion.report("unmapped", "as-text", message)
    rewriting.as_code(node.opening)


def _name(rewriting: Rewriting, node: ForeignBlock) -> None:
    rewriting.edit(node.opening, rewriting.named(node.fields["block"]))


def _definition(rewriting: Rewriting, node: ForeignBlock) -> None:
    """The address of links, which have it themselves; one that no link has is a comment."""
    source = rewriting.source(rewriting.content(node.span))
    if node.fields["label"] in ("//", "comment"):
        source = source.partition(":")[2].strip(" #\t").strip("()\"'")
    is_used = " ".join(node.fields["label"].split()).casefold() in rewriting.labels
    rewriting.edit(rewriting.content(node.span), "" if is_used else html.remark(f" {source} "))


def _drawing(rewriting: Rewriting, node: ForeignBlock) -> None:
    """A drawing that stands in the text, as a figure; its words, if no page can show it."""
    source = rewriting.source(node.opening)
    path = rewriting.conversion.added("drawing.svg", source.encode())
    title = re.search(r"<title[^>]*>([^<]*)</title>", source)
    words = " ".join(unescape(re.sub(r"<[^>]*>", " ", source)).split())
    rewriting.edit(node.opening, f"![{unescape(title[1]).strip() if title else 'drawing'}]({path})" if path else words)


_LEAVES = {
    "drawing": _drawing,
    "html": html.foreign_html,
    "contents": lambda rewriting, node: rewriting.edit(node.opening, ""),
    "attributes": _attributes,
    "wrapper": lambda rewriting, node: rewriting.edit(node.opening, ""),
    "end": lambda rewriting, node: rewriting.edit(node.opening, ""),
    "abbreviation": lambda rewriting, node: rewriting.edit(node.opening, html.remark(f" {node.fields['words']} ")),
    "program": _program,
    "comment": _hidden,
    "formula": _foreign_formula,
    "figure": _figure,
    "video": _video,
    "name": _name,
    "verbatim": _verbatim,
    "stray": lambda rewriting, node: rewriting.escape(node.opening.start),
    "definition": _definition,
}

BLOCKS: Mapping[type[Block], Callable[[Rewriting, Any], None]] = {
    ForeignBlock: _foreign,
    nodes.Heading: _heading,
    nodes.Contents: _drop,
    nodes.CodeBlock: _code,
    nodes.FormulaBlock: _formula,
    nodes.RawBlock: html.raw_block,
    nodes.Table: _table,
    nodes.FootnoteDefinition: _footnote,
    nodes.Alert: _alert,
}
