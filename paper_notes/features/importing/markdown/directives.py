"""Directives whose text is no Markdown, roles within lines, and references to what has a label: MyST and Quarto."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from paper_notes.document import nodes
from paper_notes.document.write import fenced, table_of
from paper_notes.features.importing.html.links import pixels
from paper_notes.features.importing.markdown import inline
from paper_notes.features.importing.markdown.boxes import Fields, role_of
from paper_notes.features.importing.markdown.conversion import PICTURES
from paper_notes.features.importing.markdown.dialects import tables
from paper_notes.features.importing.markdown.grammar import ForeignBlock, Sign
from paper_notes.features.importing.markdown.inline import (
    display_formula,
    image,
    in_dollars,
    is_shown,
    link,
    reference,
    remark,
)
from paper_notes.features.importing.markdown.raw_html import written_html
from paper_notes.features.importing.markdown.rewriting import Rewriting
from paper_notes.markdown.syntax.code import known_languages
from paper_notes.patterns import regex

_KERNELS = regex("ipython3?|python3")
_BAR = regex(r"(\$[^$\n]+\$)|(?<!\\)\|")
_TARGET = regex(r"(?s:(?P<words>.*?)\s*<(?P<target>[^<>]+)>)")
PLACES = regex(r"%s|\{(?:number|name)\}")
"""Words of a reference that hold the number of what it leads to."""
_FOLDED = frozenset("hide-input hide-cell remove-input remove-cell".split())
"""Tags of cells whose code a page of the book does not show at once."""


def component(name: str, rest: str = "") -> str:
    """The first line of a component."""
    return f":::{name} {rest}".rstrip()


def braced(named: str) -> str:
    """The id of a component that has the name of a block."""
    return f"{{#{named[1:]}}}" if named else ""


def pictured(rewriting: Rewriting, node: ForeignBlock) -> str:
    """The picture that a directive names."""
    width = pixels(node.fields.get(":width", ""))
    return image(rewriting, node.fields.get(":alt", ""), node.fields["title"], "", width)


def figure(rewriting: Rewriting, picture: str, caption: str, named: str = "") -> str:
    """A picture with its caption; what stands for one that cannot be shown is above that."""
    if caption and picture.startswith("!["):
        return "\n".join([component("figure", braced(named)), picture, "", rewriting.phrase(caption), ":::"])
    return "\n\n".join(filter(None, (picture, named or rewriting.phrase(caption))))


def _opaque(rewriting: Rewriting, node: ForeignBlock) -> str:
    kind = node.fields["kind"]
    written = _WRITTEN[role_of(kind)](rewriting, node, kind)
    label = node.fields["block"]
    if label and written and role_of(kind) != "formula" and (named := rewriting.named(label)):
        written += f"\n\n{named}"
    return written


def _code(rewriting: Rewriting, node: ForeignBlock, kind: str) -> str:
    fields = node.fields
    language = _KERNELS.sub("python", fields["title"].strip().lower()) or ("python" if kind == "code-cell" else "text")
    if language not in known_languages():
        rewriting.report("changed", "code-language", f'there are no colours for "{language}"')
        language = "text"
    caption = rewriting.phrase(caption_of(fields))
    written = (f"**{caption}**\n\n" if caption else "") + fenced(fields["code"].strip("\n"), language)
    tags = re.findall(r"[\w-]+", fields.get(":tags", ""))
    is_folded = _FOLDED & {*tags} or "false" in (fields.get(":echo"), fields.get(":include"))
    if is_folded or fields.get(":code-fold", "false") != "false":
        summary = rewriting.phrase(fields.get(":code-summary", "")) or language
        return "\n".join([component("details", summary), written, ":::"])
    return written


def caption_of(fields: Fields) -> str:
    """What a directive or a cell says of its result."""
    keys = (":caption", ":fig-cap", ":tbl-cap", ":lst-cap", ":fig.cap")
    return next((fields[key] for key in keys if fields.get(key)), "")


def _formula(rewriting: Rewriting, node: ForeignBlock, kind: str) -> str:
    tex = f"{node.fields['title']}\n{node.fields['code']}"
    return display_formula(rewriting, tex, node.fields["block"]) or fenced(tex.strip("\n"), "text")


def _rows(rewriting: Rewriting, node: ForeignBlock, kind: str) -> str:
    """A table that is written as lines with commas."""
    fields = node.fields
    lines = [line for key in (":header", "code") for line in fields.get(key, "").strip().split("\n")]
    rows = [row for row in csv.reader(lines, skipinitialspace=True) if row]
    return _table(rewriting, [[_without_bars(rewriting.phrase(cell)) for cell in row] for row in rows], fields)


def is_list_table(node: ForeignBlock) -> bool:
    """Whether nothing is in it but a list of lists."""
    lists = [block for block in node.blocks if isinstance(block, nodes.List)]
    cells = [item.blocks for block in lists for item in block.items]
    rows = [row[0] for row in cells if len(row) == 1 and isinstance(row[0], nodes.List)]
    is_whole = len(lists) == len(node.blocks) and len(rows) == len(cells) > 0
    return is_whole and all(_fits(item) for row in rows for item in row.items)


def _fits(item: nodes.Item) -> bool:
    """Whether a cell can hold all that is in an item."""
    nested = (inner for block in item.blocks if isinstance(block, nodes.List) for inner in block.items)
    return all(isinstance(block, nodes.Paragraph | nodes.List) for block in item.blocks) and all(map(_fits, nested))


def list_table(rewriting: Rewriting, node: ForeignBlock) -> str:
    """A table that is written as a list of lists."""
    lists = (block for block in node.blocks if isinstance(block, nodes.List))
    items = [[block for block in item.blocks if isinstance(block, nodes.List)] for each in lists for item in each.items]
    rewriting.in_table = True
    rows = [
        [_without_bars("<br>".join(_lines(rewriting, cell))) for block in row for cell in block.items] for row in items
    ]
    rewriting.in_table = False
    return _table(rewriting, rows, node.fields)


def _lines(rewriting: Rewriting, item: nodes.Item) -> Iterator[str]:
    """The lines of a cell: those of lists in it begin with a bullet."""
    for block in item.blocks:
        if isinstance(block, nodes.Paragraph):
            yield " ".join(rewriting.converted(block.inlines).split())
        elif isinstance(block, nodes.List):
            yield from (f"• {' '.join(_lines(rewriting, inner))}" for inner in block.items)


def _without_bars(words: str) -> str:
    """The words of a cell, which a bar would end outside of formulas."""
    return _BAR.sub(lambda match: match[1] or r"\|", words)


def _table(rewriting: Rewriting, rows: list[list[str]], fields: Fields) -> str:
    """The table of some cells, below its caption; without a head of its own that is empty."""
    has_head = ":header" in fields or fields.get(":header-rows", "0").strip() != "0"
    caption = rewriting.phrase(fields["title"])
    head = [] if has_head and rows else [[""] * max(map(len, rows), default=1)]
    return "\n".join([*([f"**{caption}**", ""] if caption else ()), *table_of([*head, *rows])])


def _terms(rewriting: Rewriting, node: ForeignBlock, kind: str) -> str:
    """Terms, each with what it means on indented lines below it."""
    written: list[str] = []
    for line in node.fields["code"].strip("\n").split("\n"):
        words = rewriting.phrase(line.strip())
        is_meaning = line[:1] in (" ", "\t")
        begins = is_meaning and bool(written) and not written[-1].startswith((": ", "  "))
        written.append((": " if begins else "  ") + words if is_meaning and words else words)
    return "\n".join(written)


def _file(rewriting: Rewriting, node: ForeignBlock, kind: str) -> str:
    language = node.fields.get(":language") or node.fields.get(":lang", "")
    return included(rewriting, node.fields["title"].strip(), language)


def included(rewriting: Rewriting, address: str, language: str = "") -> str:
    """A file that a text shows: as code, as a picture, or as a reference if it is a note."""
    conversion = rewriting.conversion
    place, _ = conversion.note(address)
    file = conversion.picture(address)
    place = place or (conversion.places.by_path.get(file) if file else None)
    if place is not None:
        conversion.report("changed", "embedded-note", f'the text of "{address}" is not shown here, but linked')
        return reference(rewriting, place, "", place.outline.title)
    if file is not None and file.suffix.lower() in PICTURES:
        return image(rewriting, "", address, "")
    data = conversion.folder.read(file) if file is not None else None
    try:
        code = data.decode("utf-8-sig").replace("\r\n", "\n") if data else ""
    except UnicodeDecodeError:
        code = ""
    if not code or len(code) > _LONGEST:
        conversion.report("unmapped", "missing-file", f'"{address[:80]}" cannot be shown here')
        return f"`{address}`"
    suffix = PurePosixPath(address).suffix.lstrip(".")
    shown = next((name for name in (language, suffix) if name in known_languages()), "text")
    conversion.report("changed", "included", f'the text of "{address[:80]}" stands here now')
    return fenced(code.rstrip("\n"), shown)


_LONGEST = 100_000
"""Characters of a file that is shown in a note."""


def _html(rewriting: Rewriting, node: ForeignBlock, kind: str) -> str:
    if node.fields["title"].strip() == "html":
        return written_html(rewriting, node.fields["code"])
    return _left_out(rewriting, node, kind)


def _left_out(rewriting: Rewriting, node: ForeignBlock, kind: str) -> str:
    """What pages have by themselves, or of another format; a list of other notes is told."""
    if kind in ("raw", "toctree", "include"):
        name = f"{kind} {node.fields['title']}" if kind == "raw" else kind
        rewriting.report("unmapped", "directive", f'the directive "{name}" is left out')
    return remark(node.fields["code"]) if kind == "raw" else ""


_WRITTEN: Mapping[str, Callable[[Rewriting, ForeignBlock, str], str]] = {
    "code": _code,
    "formula": _formula,
    "rows": _rows,
    "picture": lambda rewriting, node, _: pictured(rewriting, node),
    "terms": _terms,
    "file": _file,
    "html": _html,
    "nothing": _left_out,
}


def _captioned(rewriting: Rewriting, node: ForeignBlock) -> str:
    """`![caption](file){#fig-x}` alone on a line."""
    caption = node.fields["caption"]
    picture = image(rewriting, caption, node.fields["source"], "")
    return figure(rewriting, picture, caption, rewriting.named(node.fields["block"]))


def _caption(rewriting: Rewriting, node: ForeignBlock) -> str:
    return f"{rewriting.phrase(node.fields['caption'])} {rewriting.named(node.fields['block'])}"


BLOCKS: Mapping[str, Callable[[Rewriting, ForeignBlock], str]] = {
    "opaque": _opaque,
    "captioned": _captioned,
    "caption": _caption,
    "file": lambda rewriting, node: included(rewriting, node.fields["address"]),
    "target": lambda rewriting, node: "",
    "percent": lambda rewriting, node: remark(node.fields.get("rest", "")),
}


# Roles and references


def _role(rewriting: Rewriting, node: Sign) -> str | None:
    """What stands for `{name}`words``; None if it stays."""
    name, words = node.fields["role"], node.fields["words"].strip()
    known = tables().roles.get(name, "")
    if not known and "role" not in rewriting.conversion.dialect.signs:
        return None
    with_target = _TARGET.fullmatch(words)
    shown, target = (with_target["words"], with_target["target"]) if with_target else ("", words)
    match known:
        case "formula":
            return in_dollars(rewriting, words, "$") if is_shown(words) else f"`{words}`"
        case "equation":
            return labelled(rewriting, target, "") or f"`{target}`"
        case "target":
            return labelled(rewriting, target, "" if PLACES.search(shown) else shown) or rewriting.phrase(
                shown or target
            )
        case "citation":
            keys = [key.strip() for key in words.split(",")]
            if rewriting.conversion.cite(keys):
                return f"[{'; '.join(f'@{rewriting.conversion.places.citations[key]}' for key in keys)}]"
            inline.report_citation(rewriting, words)
            return rf"\[{rewriting.phrase(words)}]"
        case "sub" | "sup" | "kbd":
            return f"<{known}>{rewriting.phrase(words)}</{known}>"
        case "words":
            return rewriting.phrase(shown or words)
    return None if not known and rewriting.in_link else f"`{shown or words}`"


def labelled(rewriting: Rewriting, label: str, words: str) -> str | None:
    """A reference to what has a label, or to a note; None if nothing has it."""
    conversion = rewriting.conversion
    place, anchor, said = conversion.labelled(label)
    if place is None:
        place, _ = conversion.note(label)
        if place is None:
            if label.casefold() not in conversion.equations:
                conversion.report("unmapped", "unknown-label", f'nothing is labelled "{label[:80]}"')
                return None
            return rf"\eqref{{{label}}}"
        return link(rewriting, rewriting.phrase(words) or place.outline.title, label, "")
    return inline.to_label(rewriting, place, anchor, rewriting.phrase(words or said), label)


_CROSSREF = regex(rf"@((?:{'|'.join(tables().labels)})[-:][\w:.-]*\w)")
_CITED = regex(r"@[\w:.#$%&+?<>~/-]*\w")


def citation(rewriting: Rewriting, node: nodes.Citation) -> None:
    """A citation of papers; `[Figure @fig-x; @tbl-y]` only looks like one: so Quarto refers to figures."""
    source = rewriting.source(node.span)
    if not all(map(_CROSSREF.fullmatch, _CITED.findall(source))):
        inline.citation(rewriting, node)
        return
    rewriting.edit(node.span, _CROSSREF.sub(lambda match: labelled(rewriting, match[1], "") or match[0], source[1:-1]))


SIGNS: Mapping[str, Callable[[Rewriting, Sign], str | None]] = {
    "role": _role,
    "crossref": lambda rewriting, node: labelled(rewriting, node.fields["label"], ""),
}
