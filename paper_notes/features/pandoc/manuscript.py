"""A note as Markdown of pandoc's: citations of papers, formulas with their macros, and pictures inside of the text."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

from paper_notes.citation.formats import csl_item
from paper_notes.corpus.model import Corpus, Lang, Note
from paper_notes.corpus.paper import BibKey
from paper_notes.document import nodes
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Inline
from paper_notes.document.parse import parse
from paper_notes.document.write import write_markdown
from paper_notes.engine.sandboxed_process import Limits, Stopped, limited
from paper_notes.features.epub.xhtml import for_file
from paper_notes.macros import Macros
from paper_notes.markdown.figures.svg import inline_svg
from paper_notes.markdown.math.convert import without_macros
from paper_notes.render.plain import plain
from paper_notes.render.plain_markdown import LinkTexts, plain_document
from paper_notes.sources.pdf.document import drawing_png

_TYPES = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp"}
_SIZE = re.compile(r'^<svg(?=[^>]*( viewBox="[^" ]* [^" ]* ([^" ]+) ([^" ]+)"))(?:[^>]*? width="[^"]*")?[^>]*(?=>)')
"""The opening of a drawing: its width is in letters of a page, and MuPDF needs both sides."""
_LIMITS = Limits("drawings")


def manuscript(note: Note, lang: Lang, corpus: Corpus, links: LinkTexts) -> str:
    """The text of a note in one language, with all that it refers to.

    Drawings become pixels: Word and LaTeX show no SVG of ours. What cannot be drawn is left as its words.
    """
    text = next(text for text in note.texts if text.lang == lang)
    cited: dict[BibKey, None] = {}
    macros = {**dict(corpus.site.words.macros), **dict(text.macros)}

    def own(inline: Inline) -> Sequence[Inline] | None:
        match inline:
            case nodes.Citation(papers=papers) if all(BibKey(paper.key) in corpus.papers for paper in papers):
                cited.update(dict.fromkeys(BibKey(paper.key) for paper in papers))
                return [inline]
            case nodes.Image(src=src):
                data = _picture(note, lang, src)
                return [nodes.Image(data, inline.inlines)] if data else None
            case nodes.Element(name="sub" | "sup", inlines=(nodes.Text(words),)):
                return [nodes.Formula(rf"{{}}{'_' if inline.name == 'sub' else '^'}{{\text{{{words}}}}}")]
            case nodes.Element(inlines=inside):
                return inside  # HTML is not for other programs
            case nodes.Reference(target=target, text=words) if not corpus.site.base_url:
                return [nodes.Text(words or links.notes.get(target, (target, ""))[0])]  # a path leads nowhere there
        return None

    tree = plain_document(parse(_macros_written_out(text.text, macros)), links, corpus.site.words[lang], own)
    body = write_markdown(tree)
    head = {
        "title": plain(note.title[lang]),
        "lang": lang,
        "references": [csl_item(corpus.papers[key]) for key in cited],
    }
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items() if value]
    return "\n".join(("---", *lines, "---", "", body))


def _macros_written_out(text: str, macros: Macros) -> str:
    """The text with what the macros of its formulas stand for: pandoc reads no definitions where TeX is not allowed."""
    edits = []
    for node in parse(text).walk():
        if isinstance(node, nodes.Formula | nodes.FormulaBlock):
            written, macros = without_macros(node.tex, macros)
            if written.text != node.tex:
                edits.append(Edit(node.span, text[slice(*node.span)].replace(node.tex, written.text)))
    return apply(text, edits)


def _picture(note: Note, lang: Lang, src: str) -> str:
    """A picture beside the note as a `data:` address; empty if it is none that can be shown."""
    source = note.files.get(PurePosixPath(unquote(src)).as_posix())
    if source is None:
        return ""
    suffix = source.path.suffix.lower()
    if suffix == ".svg":
        svg = inline_svg(source.text, lang=lang, prefix="d", label="", report=_ignore, counters=Counter())
        try:
            sized = _SIZE.sub(r'<svg width="\2" height="\3"\1', for_file(svg))
            data, kind = limited(_LIMITS, drawing_png, sized), "png"
        except (ValueError, Stopped):
            return ""
    elif suffix in _TYPES:
        data, kind = source.data, _TYPES[suffix]
    else:
        return ""
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def _ignore(_line: int, _column: int, _message: str, _hint: str) -> None:
    """What is wrong with a drawing the build says."""
