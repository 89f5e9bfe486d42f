"""`paper-notes new`."""

from __future__ import annotations

import datetime
from dataclasses import replace
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paper_notes.cli.collection import without_errors
from paper_notes.cli.progress import downloading
from paper_notes.cli.terminal import (
    all_or_nothing,
    json_option,
    print_json,
    root_option,
    say,
    say_waiting,
)
from paper_notes.cli.web import open_web

if TYPE_CHECKING:
    from paper_notes.corpus.model import Corpus, Fact
    from paper_notes.importers.importer import Found
    from paper_notes.importers.web import Web
    from paper_notes.output.plan import Plan
    from paper_notes.sources.pdf.model import PdfFacts
    from paper_notes.sources.tree import Source


class _WithForms(click.Command):
    """Its help lists the forms of PAPER from the importers, which are slow to import: only when help is shown."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from paper_notes.importers.resolve import IMPORTERS

        forms = [row for importer in IMPORTERS for row in importer.help]
        width = max(len(example) for example, _ in forms)
        lines = "\n".join(f"{example:{width}}  {meaning}" for example, meaning in forms)
        self.help = cleandoc(self.help or "").replace("FORMS", lines)
        super().format_help_text(ctx, formatter)


@click.command(cls=_WithForms)
@click.argument("paper")
@click.option("--topic", required=True, help="The topic's folder below notes_src/.")
@click.option("--name", help="A short name for the folder and the page, such as ReSpec.")
@click.option("--offline", is_flag=True, help="Use no network: fill in only what PAPER itself says.")
@click.option(
    "--pdf/--no-pdf",
    "with_pdf",
    default=None,
    help="Download the PDF of an arXiv paper into notes_src/pdfs/; do not copy a PDF that was given.",
)
@click.option("--draft", is_flag=True, help="Do not publish the note yet: only `paper-notes serve` shows it.")
@root_option
@json_option
def new(
    paper: str,
    topic: str,
    name: str | None,
    offline: bool,
    with_pdf: bool | None,
    draft: bool,
    root: Path,
    as_json: bool,
) -> None:
    """Start a note on PAPER, whatever it is known by.

    \b
    FORMS

    Nothing is ever written over, and if anything goes wrong nothing is written at all. You may go on writing meanwhile:
    what you save is kept.
    """  # noqa: D301 -- the backspace is click's mark of lines to be left as they are
    from paper_notes.output.disk import apply_whole
    from paper_notes.output.lock import locked

    with all_or_nothing():
        corpus = _first_look(root, topic, name)
        found = _found(paper, corpus, root, offline=offline, with_pdf=with_pdf)
        with locked(root, say_waiting):  # read again: much may have changed during the network requests
            corpus, sources, topic_files = _collection(root, topic, name)
            plan, missing = _plan(root, corpus, sources, found, topic, name, topic_files, is_draft=draft)
            apply_whole(root, plan)
    if as_json:
        created, updated = ([str(artifact.path) for artifact in part] for part in (plan.create, plan.update))
        print_json(created=created, updated=updated, source=found.draft.source, missing=missing)
        return
    for word, part in (("created", plan.create), ("updated", plan.update)):
        for artifact in part:
            say(f"{word} {click.format_filename(root / artifact.path)}")
    folder = next(path.parent for path in (artifact.path for artifact in plan.create) if path.name == "note.yaml")
    follows = "`paper-notes serve` shows it" if draft else "`paper-notes build` makes the page"
    say(f"Write on in {click.format_filename(root / folder)}; {follows}.")
    if missing:
        say(f"Still missing: {', '.join(missing)}; the note says where to put what you find out.")


def _first_look(root: Path, topic: str, name: str | None) -> Corpus:
    """The collection before network requests. If it has errors, another run may be writing: it is read again."""
    from paper_notes.diagnostics import UserError
    from paper_notes.output.lock import locked

    try:
        return _collection(root, topic, name)[0]
    except UserError as error:
        if not error.diagnostics:
            raise
        with locked(root, say_waiting):
            return _collection(root, topic, name)[0]


def _collection(root: Path, topic: str, name: str | None) -> tuple[Corpus, tuple[Source, ...], tuple[Source, ...]]:
    """Corpus, sources, and a new `topic.yaml` for each topic that has no folder yet."""
    from paper_notes.corpus.load import load
    from paper_notes.importers.scaffold import check_place, first_topic_files
    from paper_notes.sources.tree import read_tree

    sources, unreadable = read_tree(root)
    corpus, mistakes = load(sources)
    topic_files: tuple[Source, ...] = ()
    if corpus:
        check_place(corpus, topic=topic, name=name)
        topic_files = first_topic_files(corpus, sources)
        corpus, mistakes = load((*sources, *topic_files)) if topic_files else (corpus, mistakes)
    return without_errors(corpus, [*unreadable, *mistakes]), sources, topic_files


def _found(paper: str, corpus: Corpus, root: Path, *, offline: bool, with_pdf: bool | None) -> Found:
    """The paper's facts, and its PDF if it is to be put into the collection."""
    from paper_notes.diagnostics import UserError, has_errors
    from paper_notes.importers.importer import Services
    from paper_notes.importers.resolve import recognise, resolve
    from paper_notes.importers.scaffold import check_unread, known_paper
    from paper_notes.sources.input_file import read_input_file

    importer, reference = recognise(paper, corpus.papers, lambda text: Path(text).is_file())
    check_unread(corpus, known_paper(corpus, reference.draft), reference.draft.arxiv)
    with open_web(root) as web:
        services = Services(
            web=None if offline else web,
            papers=corpus.papers,
            read_file=lambda path: read_input_file(Path(path)),
            read_pdf=_read_pdf,
            say=say,
        )
        found = resolve(importer, reference, services)
        if has_errors(found.diagnostics):
            raise UserError(f"the entry has errors: {paper}", "fix them there first", found.diagnostics)
        check_unread(corpus, known_paper(corpus, found.draft), found.draft.arxiv)
        if found.pdf is not None:
            inside = Path(reference.file).resolve().is_relative_to((root / "notes_src").resolve())
            return replace(found, pdf=None) if inside or with_pdf is False else found
        if offline and with_pdf:
            raise UserError("--pdf asks arXiv, and --offline asks nobody", "leave one of them out")
        return _downloaded(found, web) if with_pdf else found


def _read_pdf(data: bytes) -> PdfFacts:
    from paper_notes.sources.pdf.reader import facts_of

    say("Reading the PDF ...")
    return facts_of(data)


def _downloaded(found: Found, web: Web) -> Found:
    """`found` with the PDF from arXiv and its outline."""
    from paper_notes.diagnostics import UserError
    from paper_notes.importers.arxiv import ArxivReference
    from paper_notes.importers.download import download_pdf
    from paper_notes.importers.pdf import outline_of
    from paper_notes.sources.pdf.model import PdfProblem

    if found.draft.arxiv is None:
        hint = "download it yourself, and give the file: paper-notes new paper.pdf"
        raise UserError("--pdf downloads from arXiv only, and this paper is not known to be there", hint)
    reference = ArxivReference(found.draft.arxiv, found.draft.version)
    with downloading(f"Downloading the PDF of {reference}") as progress:
        data = download_pdf(web, reference, progress=progress)
    try:
        outline = outline_of(_read_pdf(data))
    except PdfProblem as problem:
        say(f"The PDF was downloaded, but cannot be read: {problem.message}")
        outline = ()
    return replace(found, pdf=data, draft=replace(found.draft, outline=outline))


def _plan(
    root: Path,
    corpus: Corpus,
    sources: tuple[Source, ...],
    found: Found,
    topic: str,
    name: str | None,
    topic_files: tuple[Source, ...],
    *,
    is_draft: bool,
) -> tuple[Plan, tuple[Fact, ...]]:
    from paper_notes.artifacts import Artifact
    from paper_notes.importers.scaffold import scaffold
    from paper_notes.output.disk import compare

    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
    artifacts = [Artifact(file.path, file.data) for file in topic_files]
    everything = (*sources, *topic_files)
    made = scaffold(
        corpus, everything, found.draft, topic=topic, name=name, today=today, pdf=found.pdf, is_draft=is_draft
    )
    return compare(root, [*artifacts, *made.artifacts], read=sources), made.missing
