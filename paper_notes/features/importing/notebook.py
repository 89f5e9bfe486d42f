"""Jupyter notebooks as Markdown: cells, and what they have put out, in the best form that a page can show."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from paper_notes.document.write import fenced
from paper_notes.features.importing.formats import written_as_markdown
from paper_notes.features.importing.unpacking import Json, cells_of, joined
from paper_notes.features.papers.records import mapping, mappings
from paper_notes.patterns import regex

_COLOURS = regex(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f]")
_ATTACHMENT = regex(r"\]\(attachment:([^()\s]+)\)")
_PROGRAM = regex(r"<script\b|<iframe\b", re.IGNORECASE)
_HIDDEN = frozenset("hide-input hide-cell remove-input remove-cell hide_input remove_input".split())
_DOLLARS = regex(r"\s*\$+\s*(?:\\displaystyle)?\s*(?P<tex>.*?)\s*\$+\s*", re.DOTALL)


def as_markdown(text: str) -> str:
    """A notebook as the directives of MyST say it."""
    notebook = json.loads(text)
    language = _language(notebook)
    parts = [part.strip("\n") for cell in cells_of(notebook) for part in _cell(cell, language)]
    title = mapping(mapping(notebook).get("metadata")).get("title")
    front = [f"---\ntitle: {json.dumps(str(title), ensure_ascii=False)}\n---"] if title and parts else []
    front = [] if parts and parts[0].startswith("---\n") else front
    return "\n\n".join([*front, *filter(None, parts)]) + "\n"


def _language(notebook: object) -> str:
    metadata = mapping(mapping(notebook).get("metadata"))
    names = (
        mapping(metadata.get(key)).get(name) for key, name in (("language_info", "name"), ("kernelspec", "language"))
    )
    return next((str(name) for name in names if name), "python")


def _cell(cell: Json, language: str) -> Iterator[str]:
    source = joined(cell.get("source"))
    kind = cell.get("cell_type")
    if kind == "markdown":
        yield _ATTACHMENT.sub(lambda match: f"]({_attached(cell, match[1])})", source)
    elif kind == "code":
        metadata = mapping(cell.get("metadata"))
        tags = metadata.get("tags")
        is_tagged = isinstance(tags, list) and bool(_HIDDEN & {*map(str, tags)})
        is_hidden = is_tagged or mapping(metadata.get("jupyter")).get("source_hidden")
        options = ":tags: [hide-input]\n\n" if is_hidden else ""
        if source.strip():
            yield fenced(f"{options}{source}".strip("\n"), f"{{code-cell}} {language}")
        for output in mappings(cell.get("outputs")):
            yield from _output(output)
    elif source.strip():  # raw; the front matter of Quarto is one
        yield source if source.startswith("---\n") else fenced(source.strip("\n"), "text")


def _attached(cell: Json, name: str) -> str:
    return str(mapping(mapping(cell.get("attachments")).get(name)).get("picture", name))


def _output(output: Json) -> Iterator[str]:
    match output.get("output_type"):
        case "stream":
            yield _plain(joined(output.get("text")))
        case "error":
            lines = output.get("traceback")
            plain = lines if isinstance(lines, list) and lines else [f"{output.get('ename')}: {output.get('evalue')}"]
            yield _plain("\n".join(map(str, plain)))
        case "execute_result" | "display_data":
            yield _shown(mapping(output.get("data")))


def _shown(bundle: Json) -> str:
    """An output in the first of its forms that a page can show."""
    plain, html = joined(bundle.get("text/plain")), joined(bundle.get("text/html"))
    if picture := bundle.get("picture"):
        return f"![{'' if plain.startswith('<') else ' '.join(plain.split())[:200]}]({picture})"
    if html.strip() and not _PROGRAM.search(html):
        return fenced(html.strip("\n"), "{raw} html")
    if markdown := joined(bundle.get("text/markdown")):
        return markdown
    if latex := joined(bundle.get("text/latex")):
        bare = _DOLLARS.fullmatch(latex)
        return f"$$\n{bare['tex'] if bare else latex.strip()}\n$$"
    if plain:
        return _plain(plain)
    return next((fenced("", f"{{raw}} {kind}") for kind in bundle if "/" in kind), "")


def _plain(text: str) -> str:
    text = _COLOURS.sub("", text)
    return fenced(text.strip("\n"), "text") if text.strip() else ""


FORMAT = written_as_markdown("jupyter", (".ipynb",), as_markdown)
