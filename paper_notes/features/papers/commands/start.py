"""What `paper-notes new` does: looks papers up, and makes the files of their notes."""

from __future__ import annotations

import datetime
import shlex
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.progress import counting
from paper_notes.commands.terminal import all_or_nothing, say, say_waiting
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus, Fact, TopicId
from paper_notes.diagnostics import UserError, has_errors
from paper_notes.engine.cache import Cache, open_cache
from paper_notes.features.papers.annotations import PdfAnnotation, read_annotations
from paper_notes.features.papers.arxiv import ArxivReference
from paper_notes.features.papers.commands.editable import EditableCollection, chosen_topic, load_editable
from paper_notes.features.papers.commands.services import open_services
from paper_notes.features.papers.downloads import download_pdf
from paper_notes.features.papers.importer import Fetched, Importer, PaperReference, Services, UnreadablePdf
from paper_notes.features.papers.known_papers import KnownPapers
from paper_notes.features.papers.pdf import outline_of
from paper_notes.features.papers.resolve import recognise, resolve
from paper_notes.features.papers.scaffold import (
    AlreadyNoted,
    Scaffolded,
    check_builds,
    check_kind,
    check_place,
    known_unread,
    plain_note,
    scaffold,
)
from paper_notes.features.starting.beginning import FIRST_TOPIC
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.pdf.reader import within_limits
from paper_notes.sources.tree import SOURCE_FOLDER, Source, files_below
from paper_notes.values import Struct, replace

_SHOWN = 3
"""So many PDFs that a library names and nobody has are said."""


class NewNotes(Struct, frozen=True):
    """Which notes to make, and how papers are looked up: the parameters of `paper-notes new`."""

    root: Path
    papers: tuple[str, ...]
    """As they were named; a folder means the PDFs in it."""
    topic: str | None
    new_topic: bool
    name: str | None
    title: str | None
    kind: str | None
    key: str | None
    each: bool
    offline: bool
    with_pdf: bool | None
    draft: bool
    only_check: bool

    def load(self, cache: Cache) -> EditableCollection:
        """The collection, in which there is a place for the notes. Raises UserError."""

        def check(corpus: Corpus) -> None:
            check_place(corpus, topic=self.topic_in(corpus), name=self.name)

        new_topic = self.topic if self.new_topic else None
        return load_editable(self.root, check, new_topic=new_topic, first_topic=self.topic or FIRST_TOPIC, cache=cache)

    @property
    def kind_of_note(self) -> str:
        """The kind that was named; else a note is on its paper, or just a note."""
        return self.kind or ("note" if self.title is not None else "paper")

    def topic_in(self, corpus: Corpus) -> TopicId:
        """The topic of the notes. Raises UserError."""
        return chosen_topic(self.topic, corpus, self.root)


def start(wanted: NewNotes) -> tuple[Plan, tuple[Fact, ...], str | None]:
    """Make the notes, all or none of them. Raises UserError.

    What was written, the facts that any of their papers lacks, and where those of the first paper come from.
    """
    with all_or_nothing(), closing(open_cache(wanted.root)) as cache:
        corpus = _first_look(wanted, cache).corpus
        _check_options(wanted, corpus)
        papers = _look_up(wanted, corpus) if wanted.papers else ()
        if without := [reason for paper in papers for reason in paper.without]:
            more = f" and {len(without) - _SHOWN} more" if len(without) > _SHOWN else ""
            say(f"PDFs of the entries that cannot be read, {len(without)}: {', '.join(without[:_SHOWN])}{more}")
        with locked(wanted.root, say_waiting):  # read again: much may have changed during the network requests
            collection = wanted.load(cache)
            known_papers = KnownPapers(collection.corpus)
            for paper in papers:
                if not paper.draft.key and (known := known_papers.find(paper.draft)):  # not named by the user
                    say(f'The collection has this paper as "{known.key}": its entry is used.')
            plan, missing = _plan(wanted, collection, papers)
            if not wanted.only_check:
                apply_whole(wanted.root, plan)
    return plan, missing, papers[0].draft.source if papers else None


def _first_look(wanted: NewNotes, cache: Cache) -> EditableCollection:
    """The collection before network requests. If it has errors, another run may be writing: it is read again."""
    try:
        return wanted.load(cache)
    except UserError as error:
        if not error.diagnostics:
            raise
        with locked(wanted.root, say_waiting):
            return wanted.load(cache)


def _check_options(wanted: NewNotes, corpus: Corpus) -> None:
    if not wanted.papers and wanted.title is None:
        raise click.UsageError("Missing argument 'PAPER': a paper, or --title for a note on none.")
    if wanted.papers and wanted.title is not None:
        raise UserError("--title is for a note on no paper", f'leave out "{" ".join(wanted.papers)}", or --title')
    check_kind(corpus, wanted.kind_of_note)
    if wanted.title is not None and (wanted.key or wanted.each or wanted.with_pdf):
        raise UserError("--key, --all and --pdf are for papers, and --title is for a note on none", "leave them out")
    if (wanted.each or len(wanted.papers) > 1) and (wanted.key or wanted.name):
        raise UserError(
            f"{'--key' if wanted.key else '--name'} is for one paper, and these are several", "leave it out"
        )


def _look_up(wanted: NewNotes, corpus: Corpus) -> tuple[Fetched, ...]:
    """The facts of the papers, or of each in a file, and the PDFs if they are to be put into the collection."""

    def command(reference: str) -> str:
        return f"paper-notes new {shlex.quote(reference)} --topic {shlex.quote(wanted.topic_in(corpus))}"

    named = [_recognised(wanted, text, corpus) for given in wanted.papers for text in _files_of(given)]
    with open_services(wanted.root, corpus.papers, command, offline=wanted.offline) as services:
        references = [
            (importer, member)
            for importer, reference in named
            for member in (importer.members(reference, services) if wanted.each and importer.members else (reference,))
        ]
        if len(named) == 1 and not wanted.each:
            return (_one_paper(wanted, *references[0], corpus, services),)
        papers, unreadable = [], None
        for importer, reference in references:
            try:
                papers.append(_one_paper(wanted, importer, reference, corpus, services))
            except AlreadyNoted as problem:
                _say_passed_over(problem)
            except UnreadablePdf as problem:
                _say_passed_over(problem)
                unreadable = problem
    if not papers and unreadable:
        raise unreadable
    if not papers:
        raise UserError(f"there are notes on all papers in {', '.join(wanted.papers)} already")
    return tuple(papers)


def _files_of(text: str) -> Sequence[str]:
    """What was named; of a folder, the PDFs in it and below it. Raises UserError."""
    if not Path(text).is_dir():
        return [text]
    if pdfs := [path for path, _ in files_below(Path(text))[0] if path.lower().endswith(".pdf")]:
        return pdfs
    raise UserError(f"there are no PDFs in {text}", "`paper-notes import` takes in folders of notes")


def _recognised(wanted: NewNotes, text: str, corpus: Corpus) -> tuple[Importer[Any], PaperReference[Any]]:
    """The paper or the file of papers that a text names. Raises UserError."""
    importer, reference = recognise(text, corpus.papers, lambda text: Path(text).is_file())
    if (importer.members is None and wanted.each) or (wanted.key and not (importer.members and reference.file)):
        raise UserError(f"{'--key' if wanted.key else '--all'} is for .bib and .ris files", "leave it out")
    if wanted.key:
        importer, reference = recognise(f"{reference.file}:{wanted.key}", (), lambda text: Path(text).is_file())
    return importer, reference


def _say_passed_over(problem: UserError) -> None:
    say(f"Passed over, because {problem.message}.")


def _one_paper(
    wanted: NewNotes, importer: Importer[Any], reference: PaperReference[Any], corpus: Corpus, services: Services
) -> Fetched:
    known_unread(corpus, reference.draft)
    paper = resolve(importer, reference, services)
    if has_errors(paper.diagnostics):
        named = reference.file or reference.id
        raise UserError(f"the entry has errors: {named}", "fix them there first", paper.diagnostics)
    known_unread(corpus, paper.draft)
    if paper.pdf is not None:
        is_inside = Path(paper.pdf_file).resolve().is_relative_to((wanted.root / SOURCE_FOLDER).resolve())
        paper = replace(paper, marks=(*paper.marks, *_marks(paper.pdf)))
        return replace(paper, pdf=None) if is_inside or wanted.with_pdf is False else paper
    return _with_pdf(paper, services) if wanted.with_pdf else paper


def _marks(pdf: bytes) -> tuple[PdfAnnotation, ...]:
    """What the user has marked in a PDF; the facts of one that cannot be read have been told of."""
    try:
        return within_limits(read_annotations, pdf)
    except PdfProblem:
        return ()


def _with_pdf(paper: Fetched, services: Services) -> Fetched:
    """The paper with its PDF from arXiv, and the outline of that."""
    if services.web is None:
        raise UserError("--pdf asks arXiv, and --offline asks nobody", "leave one of them out")
    if paper.draft.arxiv is None:
        hint = "download it yourself, and give the file: paper-notes new paper.pdf"
        raise UserError("--pdf downloads from arXiv only, and this paper is not known to be there", hint)
    reference = ArxivReference(paper.draft.arxiv, paper.draft.version)
    with counting(f"Downloading the PDF of {reference}") as progress:
        data = download_pdf(services.web, reference, progress=progress)
    try:
        outline = outline_of(services.read_pdf(data))
    except PdfProblem as problem:
        say(f"The PDF was downloaded, but cannot be read: {problem.message}")
        outline = ()
    return replace(paper, pdf=data, draft=replace(paper.draft, outline=outline))


def _plan(wanted: NewNotes, collection: EditableCollection, papers: Sequence[Fetched]) -> tuple[Plan, tuple[Fact, ...]]:
    """The plan for all notes, and the facts that any of them lacks. Each note is made with those before it in place."""
    cache, corpus = collection.cache, collection.corpus
    files: dict[PurePosixPath, Artifact] = {file.path: file for file in collection.topics}
    missing: dict[Fact, None] = {}
    sources = {source.path: source for source in collection.sources}
    for number, paper in enumerate(papers or [None]):
        if number:
            sources |= {path: Source(path, artifact.data) for path, artifact in files.items()}
            corpus = load(tuple(sources[path] for path in sorted(sources)), cache=cache)[0] or corpus
        try:
            note = _note(wanted, corpus, tuple(sources[path] for path in sorted(sources)), paper)
        except AlreadyNoted as problem:  # the same paper twice
            if not number:
                raise
            _say_passed_over(problem)
            continue
        files |= {artifact.path: artifact for artifact in note.artifacts}
        missing |= dict.fromkeys(note.missing)
    check_builds(collection.sources, tuple(files.values()), cache=cache)
    return compare(wanted.root, files.values(), read=collection.before), tuple(missing)


def _note(wanted: NewNotes, corpus: Corpus, sources: tuple[Source, ...], paper: Fetched | None) -> Scaffolded:
    """The files of one note."""
    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
    options: Any = {
        "topic": wanted.topic_in(corpus),
        "name": wanted.name,
        "kind": wanted.kind_of_note,
        "today": today,
        "is_draft": wanted.draft,
    }
    if paper is None:
        return Scaffolded(plain_note(corpus, sources, wanted.title or "", **options), ())
    return scaffold(
        corpus, sources, paper.draft, pdf=paper.pdf, marks=paper.marks, tags=paper.tags, check=False, **options
    )
