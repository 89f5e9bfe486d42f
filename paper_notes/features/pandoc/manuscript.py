"""A note as Markdown of pandoc's: citations of papers, formulas with their macros, and its pictures."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from urllib.parse import unquote

from paper_notes.citation.formats import csl_item
from paper_notes.corpus.model import Corpus, Lang, Note
from paper_notes.corpus.paper import BibKey
from paper_notes.document import nodes
from paper_notes.document.nodes import Node
from paper_notes.document.parse import parse
from paper_notes.document.write import write_markdown
from paper_notes.engine.sandboxed_process import Limits, Stopped, limited
from paper_notes.features.epub.xhtml import for_file
from paper_notes.markdown.figures.svg import inline_svg
from paper_notes.patterns import regex
from paper_notes.render.plain import plain
from paper_notes.render.plain_markdown import LinkTexts, macros_written_out, plain_document
from paper_notes.sources.pdf.document import drawing_png

_TYPES = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp"}
_SIZE = regex(r'^<svg(?=[^>]*( viewBox="[^" ]* [^" ]* ([^" ]+) ([^" ]+)"))(?:[^>]*? width="[^"]*")?[^>]*(?=>)')
"""The opening of a drawing: its width is in letters of a page, and MuPDF needs both sides."""
_LIMITS = Limits("drawings")


def manuscript(
    note: Note, lang: Lang, corpus: Corpus, links: LinkTexts, folder: str = ""
) -> tuple[str, Mapping[str, bytes]]:
    """The text of a note in one language with all that it refers to, and its pictures by their names in `folder`.

    Without a folder they are inside of the text. Drawings become pixels: Word and LaTeX show no SVG of ours. What
    cannot be drawn is left as its words.
    """
    pictures: dict[str, bytes] = {}
    text = next(text for text in note.texts if text.lang == lang)
    cited: dict[BibKey, None] = {}
    macros = {**dict(corpus.site.words.macros), **dict(text.macros)}

    def own(node: Node, others: Sequence[Node]) -> Sequence[Node]:
        match node:
            case nodes.Citation(papers=papers) if all(BibKey(paper.key) in corpus.papers for paper in papers):
                cited.update(dict.fromkeys(BibKey(paper.key) for paper in papers))
                return [node]
            case nodes.Image(src=src):
                data, suffix = _picture(note, lang, src)
                if not data:
                    return others
                name = f"picture-{len(pictures) + 1}{suffix}"
                pictures[name] = data
                inside = f"data:image/{_TYPES[suffix]};base64,{base64.b64encode(data).decode()}"
                return [nodes.Image(f"{folder}/{name}" if folder else inside, node.inlines)]
            case nodes.Element(name="sub" | "sup", inlines=(nodes.Text(words),)):
                return [nodes.Formula(rf"{{}}{'_' if node.name == 'sub' else '^'}{{\text{{{words}}}}}")]
            case nodes.Element(inlines=inside):
                return inside  # HTML is not for other programs
            case nodes.Reference(target=target, text=words) if not corpus.site.base_url:
                return [nodes.Text(words or links.notes.get(target, (target, ""))[0])]  # a path leads nowhere there
        return others

    tree = plain_document(macros_written_out(parse(text.text), macros), links, corpus.site.words[lang], own)
    body = write_markdown(tree)
    head = {
        "title": plain(note.title[lang]),
        "lang": lang,
        "references": [csl_item(corpus.papers[key]) for key in cited],
    }
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items() if value]
    return "\n".join(("---", *lines, "---", "", body)), pictures


def _picture(note: Note, lang: Lang, src: str) -> tuple[bytes, str]:
    """A picture beside the note in a format that documents have, and the end of its name; nothing if it is none."""
    source = note.files.get(PurePosixPath(unquote(src)).as_posix())
    suffix = source.path.suffix.lower() if source else ""
    if source and suffix == ".svg":
        svg = inline_svg(source.text, lang=lang, prefix="d", label="", report=_ignore, counters=Counter())
        with suppress(ValueError, Stopped):
            return limited(_LIMITS, drawing_png, _SIZE.sub(r'<svg width="\2" height="\3"\1', for_file(svg))), ".png"
    return (source.data, suffix) if source and suffix in _TYPES else (b"", "")


def _ignore(_line: int, _column: int, _message: str, _hint: str) -> None:
    """What is wrong with a drawing the build says."""
