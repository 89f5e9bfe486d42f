"""What a reader marked in a PDF, or in Zotero, as quotations in a section of a note's texts; each is brought once.

`note.yaml` remembers digests of the marks that were brought. So what the user edits, moves or deletes in the texts
afterwards is never looked at, never written over, and does not come back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Location
from paper_notes.document.nodes import (
    Block,
    Citation,
    Component,
    Document,
    Heading,
    Image,
    Inline,
    Paragraph,
    Strikethrough,
    Text,
)
from paper_notes.document.parse import parse
from paper_notes.document.write import write_markdown
from paper_notes.features.moving.edits import FileEdit, edited
from paper_notes.features.papers.annotations import PdfAnnotation
from paper_notes.features.papers.note_template import CITABLE, words_of
from paper_notes.identifiers import folded_title
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang
from paper_notes.markdown.syntax.references import CitedPaper
from paper_notes.patterns import regex
from paper_notes.sources.characters import one_line
from paper_notes.sources.tree import Source, text_position
from paper_notes.sources.yaml_edit import with_block
from paper_notes.values import Struct, replace

SECTION = "highlights"
_SURE = 24
"""So many letters are the same words wherever they stand; fewer only on the same page."""
_LAST = 1_000_000
"""In place of a page, for what is on the whole paper."""
_PAGE = regex(r"p\. (\d+)")


class Brought(Struct, frozen=True):
    """The marks that are new, and the files that have them."""

    marks: tuple[PdfAnnotation, ...]
    artifacts: tuple[Artifact, ...]


def digest_of(mark: PdfAnnotation) -> str:
    """Ten hex digits that tell a mark from others, however its lines are broken, and whichever program made it."""
    letters = folded_title(mark.words or mark.comment)
    name = f"{mark.kind == 'note'} {letters}" if letters else " ".join(f"{round(side / 10)}" for side in mark.box)
    place = "" if len(letters) >= _SURE else f"{mark.page} "
    return hashlib.sha256((place + name).encode()).hexdigest()[:10]


def new_marks(marks: Iterable[PdfAnnotation], known: Mapping[str, tuple[str, ...]]) -> dict[str, PdfAnnotation]:
    """The marks that were not brought yet, by their digests; of two on the same words one, with both comments."""
    before = {digest for digests in known.values() for digest in digests}
    new: dict[str, PdfAnnotation] = {}
    for mark in marks:
        if (digest := digest_of(mark)) in new:
            comments = dict.fromkeys(filter(None, (new[digest].comment, mark.comment)))
            new[digest] = replace(new[digest], comment="\n".join(comments))
        elif digest not in before and (mark.picture or one_line(mark.words) or one_line(mark.comment)):
            new[digest] = mark
    return new


def bring(
    marks: Iterable[PdfAnnotation],
    known: Mapping[str, tuple[str, ...]],
    key: BibKey,
    texts: Mapping[Lang, Source],
    facts: Source,
    words: Words,
) -> Brought:
    """Put the marks that are new into each of these texts of a note on a paper, and remember them in its note.yaml.

    They go into the section `highlights`, in the order of pages, and the section to the end of the text if there is
    none. Raises UserError if note.yaml is written in a way that nothing can be added to.
    """
    new = dict(sorted(new_marks(marks, known).items(), key=lambda row: row[1].page or _LAST))
    if not new:
        return Brought((), ())
    folder = facts.path.parent
    pictures = {digest: f"mark-{digest}.webp" for digest, mark in new.items() if mark.picture}
    files = [Artifact(folder / pictures[digest], mark.picture.data) for digest, mark in new.items() if mark.picture]
    quotations = [(mark.page, quotation(mark, key, pictures.get(digest, ""))) for digest, mark in new.items()]
    for lang, text in texts.items():
        heading = Heading(2, (Text(words[lang]("new.highlights")),), SECTION)
        edits = _edits(text.path, text.text, quotations, heading)
        files.append(Artifact(text.path, edited(text, edits)))
    record: dict[str, tuple[str, ...]] = dict(known)
    for digest, mark in new.items():
        record[f"p{mark.page}"] = (*record.get(f"p{mark.page}", ()), digest)
    record = dict(sorted(record.items(), key=lambda row: int(row[0][1:]) if row[0][1:].isdecimal() else 0))
    files.append(Artifact(facts.path, with_block(facts.path, facts.data, "highlights", record)))
    return Brought(tuple(new.values()), tuple(files))


def quotation(mark: PdfAnnotation, key: BibKey, picture: str) -> tuple[Block, ...]:
    """A mark as Markdown: the words as a quotation with their source, then what the reader wrote on them."""
    place = f"p. {mark.page}" if mark.page else ""
    cited = Citation((CitedPaper(key, locator=place),)) if CITABLE.fullmatch(key) else None
    source: Inline = cited or Text(", ".join(filter(None, (key, place))))
    comment = [Paragraph(words_of(line)) for text in mark.comment.split("\n") if (line := one_line(text))]
    if mark.kind == "note":
        *before, last = comment
        return (*before, Paragraph((*last.inlines, Text(" "), source)))
    inlines: tuple[Inline, ...] = words_of(mark.words)
    if picture:
        inlines = (Image(picture, (Text(one_line(mark.comment) or place),)),)
    elif mark.kind == "struck":
        inlines = (Strikethrough(inlines),)
    return (Component("quote", (source,), (Paragraph(inlines),), colour=mark.colour), *comment)


def _edits(
    path: PurePosixPath, text: str, quotations: Sequence[tuple[int, tuple[Block, ...]]], heading: Heading
) -> Iterator[FileEdit]:
    """Each quotation goes before the first of a later page, or to the end of the section."""
    blocks = parse(text).blocks
    start = next((at for at, block in enumerate(blocks) if isinstance(block, Heading) and block.id == SECTION), None)
    inside: Sequence[Block] = ()
    if start is not None:
        level = getattr(blocks[start], "level", 2)
        after = (at for at, block in enumerate(blocks[start + 1 :], start + 1) if _ends(block, level))
        inside = blocks[start + 1 : next(after, len(blocks))]
    end = len(text.rstrip()) if start is None else (inside[-1] if inside else blocks[start]).span.end
    last: list[Block] = [heading] if start is None else []
    for page, written in quotations:
        before = next((block.span.start for block in inside if _page_of(block) > (page or _LAST)), None)
        if before is None:
            last += written
        else:
            yield FileEdit(Location(path, *text_position(text, before)), "", f"{write_markdown(Document(written))}\n")
    if last:
        gap = "\n\n" if text[:end].strip() else ""
        new = gap + write_markdown(Document(tuple(last))).rstrip("\n")
        yield FileEdit(Location(path, *text_position(text, end)), "", new if text[end:] else f"{new}\n")


def _ends(block: Block, level: int) -> bool:
    return isinstance(block, Heading) and block.level <= level


def _page_of(block: Block) -> int:
    """The page that a quotation or note is from; 0 for all else."""
    inlines = block.title if isinstance(block, Component) else block.inlines if isinstance(block, Paragraph) else ()
    locators = (paper.locator for inline in inlines if isinstance(inline, Citation) for paper in inline.papers)
    return next((int(page[1]) for locator in locators if (page := _PAGE.fullmatch(locator))), 0)
