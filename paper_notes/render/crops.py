"""Parts of papers' PDFs (figures, tables, pages) as pictures with their source: drawn, or kept by the collection."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from pathlib import PurePosixPath
from urllib.parse import unquote

from markupsafe import Markup, escape

from paper_notes.artifacts import Artifact
from paper_notes.corpus.kept_crops import PaperFolders
from paper_notes.corpus.model import Corpus, Pdf
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.corpus.pdfs import pdf_place
from paper_notes.diagnostics import NOWHERE, Diagnostic, Location, RuleId, Suggestions
from paper_notes.identifiers import ArxivId, parse_arxiv
from paper_notes.languages.language import Language
from paper_notes.markdown.body import Slot
from paper_notes.patterns import regex
from paper_notes.sources.pdf.crop_metadata import CropRecord, NotKept, kept_file, read_kept_file
from paper_notes.sources.pdf.document import shown
from paper_notes.sources.pdf.model import Box, PdfFigures, PdfProblem
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, replace

COLUMN = 700
"""Pixels: the largest width of a picture on a page."""
HIGHEST = 1000
SCALE = 1.5
"""Pixels on the page per point of the paper: text of 10 points is as large as the note's own."""
DENSITY = 2
"""Pixels of the picture per pixel on the page, for high-resolution screens."""
LIMIT = 150_000
"""Bytes of a picture at most. The median of 134 figures and tables is 20 KB."""
THUMBNAIL = (120, 170)
THUMBNAIL_BYTES = 8_000
FIRST_PAGE = "first-page"
"""The part that the small picture beside a paper's facts shows."""
_OTHER_SIGNS = regex(r"[^\w.,+-]+")
_LONGEST = 80
"""Characters of a part in the name of its file: more than any that exists has."""

_PART = regex(r"(?P<figure>(?:figure|table)-\S+)|page-(?P<page>\d{1,5})(?::(?P<box>.*))?", re.IGNORECASE)
_SHOWN = 40
"""Names that a hint lists at most."""
_HOW = "write pdf:2510.26475#figure-3, #table-2, #page-4, or #page-4:x0,y0,x1,y1 in points"


class Crop(Struct, frozen=True):
    """A part of a page of a PDF."""

    paper: Paper
    record: CropRecord
    picture: Picture

    def label(self, language: Language) -> str:
        """`Figure 3`, `图 3`, `p. 4`."""
        if self.record.kind is None:
            return language("label.page", number=str(self.record.page))
        return language(f"label.{self.record.kind}", number=self.record.number)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels on the page."""
        return shown_size(self.picture, _width_of(self.record.box))


class _Part(Struct, frozen=True):
    """A part of a paper as it was asked for."""

    name: str
    """Of the paper, as it was written."""
    paper: Paper
    version: int | None
    part: str
    """`figure-a.1`, `page-4`, `page-4:72,90,300,410`"""
    page: int | None
    """None for a figure or table, whose page the PDF knows."""
    box: Box | None


class Crops:
    """Finds the parts of papers that notes show: among the pictures that are kept, or drawn from the PDF, once each."""

    def __init__(
        self,
        corpus: Corpus,
        reader: PdfReader,
        drawn_before: Mapping[str, Crop] | None = None,
        thumbnails: Mapping[BibKey, Picture | None] | None = None,
    ) -> None:
        """`drawn_before` and `thumbnails` are parts that were drawn before."""
        self._corpus = corpus
        self._reader = reader
        self._pictures = {source.path: source for source in corpus.kept.pictures}
        self.shown: dict[PurePosixPath, Artifact] = {}
        """The files of all pictures that were found among those that are kept, or drawn."""
        self._found: dict[str, Crop | Diagnostic] = dict(drawn_before or {})
        self.broken: list[Diagnostic] = []
        """Kept pictures of first pages that are broken: no slot can report them."""
        self._thumbnails = dict(thumbnails or {})
        self._suggestions = Suggestions()

    @cached_property
    def _folders(self) -> PaperFolders:
        return PaperFolders(self._corpus.papers.values())

    @cached_property
    def _by_arxiv(self) -> dict[ArxivId, Paper]:
        return {paper.arxiv: paper for paper in self._corpus.papers.values() if paper.arxiv}

    def find(self, target: str) -> Crop | None:
        """The part that a slot names, or None if it does not exist (`check` reports why)."""
        crop = self._get(target)
        return crop if isinstance(crop, Crop) else None

    def table(self, target: str) -> Crop | None:
        """The table that a slot of kind `table` names; None if it does not exist, or was drawn from another PDF."""
        part, _, pdf = target.rpartition(" ")
        crop = self.find(part)
        return crop if crop and crop.record.pdf == pdf else None

    def check_table(self, slot: Slot) -> tuple[Diagnostic, ...]:
        """The diagnostics of a slot of kind `table`: warnings, for a card without a picture has words."""
        if self.table(slot.target):
            return ()
        target, file = slot.target.rpartition(" ")[0], slot.location.path.name
        crop, hint = self._get(target), f"run `paper-notes verify --crops` where its PDF is; or delete {file}"
        why = f"{self.file_of(target)} was drawn from another PDF"
        if isinstance(crop, Diagnostic):
            why, hint = crop.message, f"{crop.hint}; or delete {file}"
        message = f"cards of numbers have no picture of {target}: {why}"
        return (Diagnostic(slot.location, "stale-cells", message, hint, "warning"),)

    def check(self, slot: Slot) -> tuple[Diagnostic, ...]:
        """The diagnostics of a slot of kind `crop`."""
        crop = self._get(slot.target)
        return (replace(crop, location=slot.location),) if isinstance(crop, Diagnostic) else ()

    def image(self, slot: Slot, label: str, language: Language) -> Markup:
        """The picture; `label` is how the paper is cited."""
        crop = self.find(slot.target)
        if crop is None:
            return escape(slot.text)
        alt = slot.text or language("label.part-of", part=crop.label(language), paper=label)
        width, height = crop.size
        template = Markup('<img class="crop" src="{}" width="{}" height="{}" alt="{}">')
        return template.format(data_uri(crop.picture), width, height, alt)

    def thumbnail(self, key: BibKey) -> Picture | None:
        """The first page of a paper, small; None if it has no PDF that can be drawn."""
        if key not in self._thumbnails:
            self._thumbnails[key] = self._first_page(key)
        return self._thumbnails[key]

    def file_of(self, target: str) -> PurePosixPath | None:
        """The file that keeps the part that a slot names, or would; None for what names no part of a paper."""
        asked = self._asked(target)
        return None if isinstance(asked, Diagnostic) else self.place_of(asked.paper, asked.version, asked.part)

    def place_of(self, paper: Paper, version: int | None, part: str) -> PurePosixPath:
        """The file for a part of a paper; `version` is None for the newest there is."""
        return self._folders.of(paper, version) / file_name(part)

    def _kept(self, file: PurePosixPath, part: str, pdf: Pdf | None) -> tuple[CropRecord, Picture] | None:
        """The picture in a file; None without the file, or if `pdf` is another one, of which it should be drawn.

        Raises NotKept for a file with something else in it.
        """
        source = self._pictures.get(file)
        if source is None:
            return None
        record, picture = read_kept_file(source.data)
        if record.part != part:
            raise NotKept(f"is the picture of {record.part}")
        if not _is_current(record, pdf):
            return None
        self.shown[file] = Artifact(file, source)
        return record, picture

    def _first_page(self, key: BibKey) -> Picture | None:
        pdf, file = self._corpus.pdf_of(key), self.place_of(self._corpus.papers[key], None, FIRST_PAGE)
        try:
            known = self._kept(file, FIRST_PAGE, pdf)
        except NotKept as problem:
            self.broken.append(replace(_changed(file, problem), location=Location(file)))
            return None
        if known or pdf is None or pdf.problem:
            return known[1] if known else None
        width, height = (side * DENSITY for side in THUMBNAIL)
        drawn = self._reader.picture(pdf.source, 1, None, width=width, height=height, limit=THUMBNAIL_BYTES)
        if isinstance(drawn, PdfProblem):
            return None
        record = CropRecord(FIRST_PAGE, pdf.source.sha256, pdf.version, 1, None, None, "", "")
        self.shown[file] = Artifact(file, kept_file(record, drawn))
        return drawn

    def _get(self, target: str) -> Crop | Diagnostic:
        if target not in self._found:
            self._found[target] = self._search(target)
        return self._found[target]

    def _search(self, target: str) -> Crop | Diagnostic:
        asked = self._asked(target)
        if isinstance(asked, Diagnostic):
            return asked
        file = self.place_of(asked.paper, asked.version, asked.part)
        pdf = self._corpus.pdf_of(asked.paper.key, asked.version)
        try:
            known = self._kept(file, asked.part, pdf)
        except NotKept as problem:
            return _changed(file, problem)
        if known:
            return Crop(asked.paper, *known)
        return self._drawn(asked, pdf, file) if pdf else self._missing(asked, file)

    def _asked(self, target: str) -> _Part | Diagnostic:
        name, _, part = target.partition("#")
        wanted = _PART.fullmatch(part.strip())
        if wanted is None:
            return _wrong("bad-crop", f'"pdf:{target}" does not say which part of the paper to show', _HOW)
        name = name.strip()
        paper, version = self._paper(name)
        if paper is None:
            known = [*self._by_arxiv, *self._corpus.papers]
            hint = self._suggestions.did_you_mean(name, tuple(map(str, known))) or "add it to a .bib file"
            return _wrong("missing-pdf", f'no entry in the .bib files is the paper "{name}"', hint)
        if wanted["figure"]:
            return _Part(name, paper, version, wanted["figure"].lower(), None, None)
        box, page = _box(wanted["box"]), int(wanted["page"])
        if isinstance(box, Diagnostic):
            return box
        return _Part(name, paper, version, f"page-{page}{f':{shown(box)}' if box else ''}", page, box)

    def _missing(self, asked: _Part, file: PurePosixPath) -> Diagnostic:
        other = self._corpus.pdf_of(asked.paper.key) if asked.version else None
        beside = (path.stem for path in self._pictures if path.parent == file.parent)
        kept = sorted(name for name in beside if name != FIRST_PAGE)
        hint = f"there is one of v{other.version}" if other and other.version else pdf_place(asked.paper)
        message = f'there is no PDF of "{asked.name}"'
        if kept:
            message = (
                f'there is no PDF of "{asked.name}", and {asked.part} is not among the pictures that are kept of it'
            )
            hint = f"{hint}; kept without it: {', '.join(kept[:_SHOWN])}"
        elif not other:
            hint = f"{hint}; or, where this was built before, commit {file}"
        return _wrong("missing-pdf", message, hint)

    def _drawn(self, asked: _Part, pdf: Pdf, file: PurePosixPath) -> Crop | Diagnostic:
        figures = pdf.problem or self._reader.figures(pdf.source)
        if isinstance(figures, PdfProblem):
            return _wrong("bad-pdf", f"{pdf.source.path} cannot be shown: {figures.message}", figures.hint)
        record = _record(figures, asked, pdf)
        if isinstance(record, Diagnostic):
            return record
        width, height = min(COLUMN, round(_width_of(record.box))) * DENSITY, HIGHEST * DENSITY
        drawn = self._reader.picture(pdf.source, record.page, record.box, width=width, height=height, limit=LIMIT)
        if isinstance(drawn, PdfProblem):
            return _wrong("bad-crop", drawn.message, drawn.hint or _HOW)
        self.shown[file] = Artifact(file, kept_file(record, drawn))
        return Crop(asked.paper, record, drawn)

    def _paper(self, name: str) -> tuple[Paper | None, int | None]:
        if paper := self._corpus.papers.get(BibKey(name)):
            return paper, None
        arxiv, version = parse_arxiv(name) or (None, None)
        return (self._by_arxiv.get(arxiv), version) if arxiv else (None, None)


def _wrong(rule: RuleId, message: str, hint: str) -> Diagnostic:
    """Why a part cannot be shown; the slot that asks for it knows where."""
    return Diagnostic(NOWHERE, rule, message, hint)


def _changed(file: PurePosixPath, problem: NotKept) -> Diagnostic:
    hint = "restore it from version control, or delete it: the next build with the PDF draws it again"
    return _wrong("changed-crop", f"{file} {problem}", hint)


def _record(known: PdfFigures, asked: _Part, pdf: Pdf) -> CropRecord | Diagnostic:
    """Where the part is in the PDF."""
    record = partial(CropRecord, asked.part, pdf.source.sha256, pdf.version)
    if asked.page is not None:
        if not 1 <= asked.page <= known.pages:
            hint = f"it has pages 1 to {known.pages}"
            return _wrong("bad-crop", f'"{asked.name}" has no page {asked.page}', hint)
        return record(asked.page, asked.box, None, "", "")
    if figure := {figure.anchor.lower(): figure for figure in known.figures}.get(asked.part):
        return record(figure.page, figure.box, figure.kind, figure.number, figure.caption)
    anchors = [figure.anchor for figure in known.figures]
    hint = f"found: {', '.join(anchors[:_SHOWN])}" if anchors else "no captions were found"
    return _wrong(
        "unknown-figure", f'"{asked.name}" has no {asked.part}', f"{hint}; or show its place: #page-4:x0,y0,x1,y1"
    )


def _box(written: str | None) -> Box | Diagnostic | None:
    """The box after the page; None for the whole page."""
    if written is None:
        return None
    try:
        left, top, right, bottom = (float(number) for number in written.split(","))
    except ValueError:
        return _wrong("bad-crop", f'the box "{written}" is not four numbers', _HOW)
    if not (0 <= left < right <= 20_000 and 0 <= top < bottom <= 20_000):
        hint = "left, top, right, bottom, in points from the top left of the page"
        return _wrong("bad-crop", f'the box "{written}" is empty', hint)
    return left, top, right, bottom


def shown_size(picture: Picture, width: float) -> tuple[int, int]:
    """Width and height of a picture on the page: as wide as wanted, unless it would be too high."""
    widest = min(COLUMN, round(width))
    shape = picture.height / max(picture.width, 1)
    shown = max(1, min(widest, round(HIGHEST / max(shape, 0.001))))
    return shown, max(1, round(shown * shape))


def data_uri(picture: Picture) -> str:
    """The picture as the value of `src`."""
    return f"data:image/webp;base64,{base64.b64encode(picture.data).decode()}"


def _width_of(box: Box | None) -> float:
    return (box[2] - box[0]) * SCALE if box else float(COLUMN)


def file_name(part: str) -> str:
    """The name of the file that keeps a part: `figure-3.webp`, `page-4_72,90,300,410.webp`."""
    return f"{_OTHER_SIGNS.sub('_', part)[:_LONGEST]}.webp"


def _is_current(record: CropRecord, pdf: Pdf | None) -> bool:
    """Whether a picture need not be drawn again from this PDF.

    Another file of the same version, or an older version, as a co-author may have it, changes nothing.
    """
    if pdf is None or pdf.problem or pdf.source.sha256 == record.pdf:
        return True
    return bool(record.version and pdf.version and pdf.version <= record.version)


_NAMED = regex(r"""pdf:([^\s#()<>\[\]"']{1,200}#[^\s()<>\[\]"']{1,200})""", re.IGNORECASE)


class CropFiles(Struct, frozen=True):
    """The files in the folder of kept pictures as they should be."""

    artifacts: tuple[Artifact, ...]
    """All that have to be there."""
    read: tuple[Source, ...]
    """Those that were there and are ours: a build may replace them, and delete those that need not be there."""
    diagnostics: tuple[Diagnostic, ...]


def crop_files(corpus: Corpus, crops: Crops) -> CropFiles:
    """Compare what the pages show with what is kept. Call it when all pages are known.

    A picture that no page shows is deleted only if it could be drawn again, and if no text names it: not even a note
    that is not built now, or a comment.
    """
    shown = crops.shown
    artifacts, problems = list(shown.values()), list(crops.broken)
    ours = [source for source in corpus.kept.pictures if source.path in shown]
    pdfs = {pdf.source.sha256 for pdf in corpus.pdfs if not pdf.problem}
    named: frozenset[PurePosixPath] | None = None
    for source, record in _not_shown(corpus, crops):
        if named is None:
            named = frozenset(_named(corpus, crops))
        ours.append(source)
        if source.path in named or record.pdf not in pdfs:
            artifacts.append(Artifact(source.path, source))
        if source.path not in named and record.pdf not in pdfs:
            message = "nothing shows this picture of a part of a paper any more"
            hint = "delete it; only the PDF could bring it back, so no build deletes it"
            problems.append(Diagnostic(Location(source.path), "unused-crop", message, hint, "warning"))
    return CropFiles(tuple(artifacts), tuple(ours), tuple(problems))


def _not_shown(corpus: Corpus, crops: Crops) -> Iterator[tuple[Source, CropRecord]]:
    """Pictures of ours that no page shows. Other files in the folder, such as copies, are not our business."""
    for source in corpus.kept.pictures:
        if source.path not in crops.shown:
            try:
                record, _ = read_kept_file(source.data)
            except NotKept:
                continue
            if source.path.name == file_name(record.part):
                yield source, record


def _named(corpus: Corpus, crops: Crops) -> Iterator[PurePosixPath]:
    """The files of all parts that any text names, and of the papers of notes that are not among the corpus."""
    read = {note.location.path for note in corpus.notes}
    read |= {text.path for note in corpus.notes for text in note.texts}
    for source in corpus.kept.texts:
        text = source.data.decode("utf-8", "replace")
        for target in dict.fromkeys(_NAMED.findall(text)):
            if file := crops.file_of(unquote(target)):
                yield file
        if source.path not in read and "papers" in text:
            papers = (paper for key, paper in corpus.papers.items() if key in text)
            yield from (crops.place_of(paper, None, FIRST_PAGE) for paper in papers)
