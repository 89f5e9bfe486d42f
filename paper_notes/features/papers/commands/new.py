"""`paper-notes new`."""

from __future__ import annotations

import datetime
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import cleandoc
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from paper_notes.commands.collection import without_errors
from paper_notes.commands.progress import downloading
from paper_notes.commands.terminal import (
    all_or_nothing,
    json_option,
    print_json,
    root_option,
    say,
    say_waiting,
)
from paper_notes.features.papers.commands.choosing import chooser
from paper_notes.features.papers.commands.web import open_web

if TYPE_CHECKING:
    from paper_notes.corpus.model import Corpus, Fact
    from paper_notes.features.papers.importer import Found, Importer, Reference, Services
    from paper_notes.features.papers.scaffold import Scaffolded
    from paper_notes.features.papers.web import Web
    from paper_notes.output.plan import Plan
    from paper_notes.sources.pdf.model import PdfFacts
    from paper_notes.sources.tree import Source

    _Make = Callable[[Corpus, tuple[Source, ...]], Scaffolded]


class _WithForms(click.Command):
    """Its help lists the forms of PAPER from the importers, which are slow to import: only when help is shown."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from paper_notes.features.papers.resolve import IMPORTERS

        forms = [row for importer in IMPORTERS for row in importer.help]
        width = max(len(example) for example, _ in forms)
        lines = "\n".join(f"{example:{width}}  {meaning}" for example, meaning in forms)
        self.help = cleandoc(self.help or "").replace("FORMS", lines)
        super().format_help_text(ctx, formatter)


@click.command(cls=_WithForms)
@click.argument("paper", required=False)
@click.option("--topic", required=True, help="The topic's folder below notes_src/.")
@click.option("--name", help="A short name for the folder and the page, such as ReSpec.")
@click.option("--title", help="Start a note on no paper, with this title; needs --kind.")
@click.option("--kind", help="The kind of note, such as tutorial; without it, paper.")
@click.option("--key", help="The entry of a .bib file, or the number of a record in a .ris file.")
@click.option("--all", "each", is_flag=True, help="Make a note of each paper in a .bib or .ris file.")
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
    paper: str | None,
    topic: str,
    name: str | None,
    title: str | None,
    kind: str | None,
    key: str | None,
    each: bool,
    offline: bool,
    with_pdf: bool | None,
    draft: bool,
    root: Path,
    as_json: bool,
) -> None:
    """Start a note on PAPER, whatever it is known by.

    \b
    FORMS

    Of several papers that PAPER may be, you choose one. With --title and --kind in place of PAPER, the note is on none.

    Nothing is ever written over, and if anything goes wrong nothing is written at all. You may go on writing meanwhile:
    what you save is kept.
    """  # noqa: D301 -- the backspace is click's mark of lines to be left as they are
    from paper_notes.output.disk import apply_whole
    from paper_notes.output.lock import locked

    with all_or_nothing():
        corpus = _first_look(root, topic, name)
        _check_options(corpus, paper, title, kind, key, name, each=each, with_pdf=bool(with_pdf))
        how = _How(root, topic, offline, with_pdf)
        found = _found(paper, corpus, how, key=key, each=each) if paper else ()
        with locked(root, say_waiting):  # read again: much may have changed during the network requests
            corpus, sources, topic_files = _collection(root, topic, name)
            _say_known(corpus, found)
            make = _makes(found, title, topic, name, kind, is_draft=draft)
            plan, missing = _plan(root, corpus, sources, make, topic_files)
            apply_whole(root, plan)
    if as_json:
        created, updated = ([str(artifact.path) for artifact in part] for part in (plan.create, plan.update))
        source = found[0].draft.source if found else None
        print_json(created=created, updated=updated, source=source, missing=missing)
        return
    for word, part in (("created", plan.create), ("updated", plan.update)):
        for artifact in part:
            say(f"{word} {click.format_filename(root / artifact.path)}")
    folders = [artifact.path.parent for artifact in plan.create if artifact.path.name == "note.yaml"]
    where = click.format_filename(root / folders[0]) if len(folders) == 1 else f"{len(folders)} folders"
    follows = "`paper-notes serve` shows it" if draft else "`paper-notes build` makes the page"
    say(f"Write on in {where}; {follows}.")
    if missing:
        say(f"Still missing: {', '.join(missing)}; the note says where to put what you find out.")
        if offline and len(folders) == 1:
            note = "/".join(folders[0].parts[1:])
            say(f"With a network, `paper-notes complete {note}` looks it up.")


@dataclass(frozen=True, slots=True)
class _How:
    """How papers are looked up."""

    root: Path
    topic: str
    offline: bool
    with_pdf: bool | None


def _check_options(
    corpus: Corpus,
    paper: str | None,
    title: str | None,
    kind: str | None,
    key: str | None,
    name: str | None,
    *,
    each: bool,
    with_pdf: bool,
) -> None:
    from paper_notes.diagnostics import UserError
    from paper_notes.features.papers.scaffold import check_kind

    if kind is not None:
        check_kind(corpus, kind)
    if paper is None and title is None:
        raise click.UsageError("Missing argument 'PAPER': a paper, or --title and --kind for a note on none.")
    if paper is not None and title is not None:
        raise UserError("--title is for a note on no paper", f'leave out "{paper}", or --title')
    if title is not None and kind is None:
        raise UserError(
            "a note on no paper needs its kind",
            f"say it with --kind: {', '.join(kind.id for kind in corpus.site.kinds)}",
        )
    if title is not None and (key or each or with_pdf):
        raise UserError("--key, --all and --pdf are for papers, and --title is for a note on none", "leave them out")
    if each and (key or name):
        raise UserError(f"--all is for several papers, {'--key' if key else '--name'} for one", "leave one of them out")


def _say_known(corpus: Corpus, found: Sequence[Found]) -> None:
    """Say which papers the collection has already, under keys that the user did not name."""
    from paper_notes.features.papers.scaffold import known_paper

    for one in found:
        known = None if one.draft.key else known_paper(corpus, one.draft)
        if known:
            say(f'The collection has this paper as "{known.key}": its entry is used.')


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
    from paper_notes.features.papers.scaffold import check_place, first_topic_files
    from paper_notes.sources.tree import read_tree

    sources, unreadable = read_tree(root)
    corpus, mistakes = load(sources)
    topic_files: tuple[Source, ...] = ()
    if corpus:
        check_place(corpus, topic=topic, name=name)
        topic_files = first_topic_files(corpus, sources)
        corpus, mistakes = load((*sources, *topic_files)) if topic_files else (corpus, mistakes)
    return without_errors(corpus, [*unreadable, *mistakes]), sources, topic_files


def _found(paper: str, corpus: Corpus, how: _How, *, key: str | None = None, each: bool = False) -> tuple[Found, ...]:
    """The facts of the paper, or of each in a file, and the PDF if it is to be put into the collection."""
    from paper_notes.diagnostics import UserError
    from paper_notes.features.papers.importer import Services
    from paper_notes.features.papers.resolve import recognise
    from paper_notes.features.papers.scaffold import AlreadyNoted, check_unread, known_paper
    from paper_notes.sources.input_file import read_input_file

    def command(reference: str) -> str:
        return f"paper-notes new {shlex.quote(reference)} --topic {shlex.quote(how.topic)}"

    importer, reference = recognise(paper, corpus.papers, lambda text: Path(text).is_file())
    if (key or each) and (importer.members is None or not reference.file):
        raise UserError(f"{'--key' if key else '--all'} is for .bib and .ris files", "leave it out")
    if key:
        importer, reference = recognise(f"{reference.file}:{key}", (), lambda text: Path(text).is_file())
    check_unread(corpus, known_paper(corpus, reference.draft), reference.draft.arxiv)
    with open_web(how.root) as web:
        services = Services(
            web=None if how.offline else web,
            papers=corpus.papers,
            read_file=lambda path: read_input_file(Path(path)),
            read_pdf=_read_pdf,
            say=say,
            choose=chooser(command),
        )
        if not (each and importer.members):
            return (_one(paper, importer, reference, corpus, services, web, how),)
        found = []
        for member in importer.members(reference, services):
            try:
                found.append(_one(paper, importer, member, corpus, services, web, how))
            except AlreadyNoted as problem:
                say(f"Passed over, because {problem.message}.")
    if not found:
        raise UserError(f"there are notes on all papers in {paper} already")
    return tuple(found)


def _one(
    paper: str,
    importer: Importer[Any],
    reference: Reference[Any],
    corpus: Corpus,
    services: Services,
    web: Web,
    how: _How,
) -> Found:
    """The facts of one paper."""
    from paper_notes.diagnostics import UserError, has_errors
    from paper_notes.features.papers.resolve import resolve
    from paper_notes.features.papers.scaffold import check_unread, known_paper

    found = resolve(importer, reference, services)
    if has_errors(found.diagnostics):
        raise UserError(f"the entry has errors: {paper}", "fix them there first", found.diagnostics)
    check_unread(corpus, known_paper(corpus, found.draft), found.draft.arxiv)
    if found.pdf is not None:
        inside = Path(reference.file).resolve().is_relative_to((how.root / "notes_src").resolve())
        return replace(found, pdf=None) if inside or how.with_pdf is False else found
    if how.offline and how.with_pdf:
        raise UserError("--pdf asks arXiv, and --offline asks nobody", "leave one of them out")
    return _downloaded(found, web) if how.with_pdf else found


def _read_pdf(data: bytes) -> PdfFacts:
    from paper_notes.sources.pdf.reader import facts_of

    say("Reading the PDF ...")
    return facts_of(data)


def _downloaded(found: Found, web: Web) -> Found:
    """`found` with the PDF from arXiv and its outline."""
    from paper_notes.diagnostics import UserError
    from paper_notes.features.papers.arxiv import ArxivReference
    from paper_notes.features.papers.downloads import download_pdf
    from paper_notes.features.papers.pdf import outline_of
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


def _makes(
    found: Sequence[Found], title: str | None, topic: str, name: str | None, kind: str | None, *, is_draft: bool
) -> Sequence[_Make]:
    """For each note what makes its files, of the collection as it is with the notes before it."""
    from paper_notes.features.papers.plain_note import plain_note
    from paper_notes.features.papers.scaffold import Scaffolded, scaffold

    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar

    def of_paper(one: Found) -> _Make:
        of_kind = partial(scaffold, kind=kind or "paper", topic=topic, name=name, today=today, check=False)
        return lambda corpus, sources: of_kind(corpus, sources, one.draft, pdf=one.pdf, is_draft=is_draft)

    def of_none(corpus: Corpus, sources: tuple[Source, ...]) -> Scaffolded:
        of_kind = partial(plain_note, kind=kind or "", topic=topic, name=name, today=today, is_draft=is_draft)
        files = of_kind(corpus, sources, title or "")
        return Scaffolded(files, ())

    return [of_none] if title is not None else [of_paper(one) for one in found]


def _plan(
    root: Path,
    corpus: Corpus,
    sources: tuple[Source, ...],
    makes: Sequence[_Make],
    topic_files: tuple[Source, ...],
) -> tuple[Plan, tuple[Fact, ...]]:
    """The plan for all notes, and the facts that any of them lacks."""
    from paper_notes.artifacts import Artifact
    from paper_notes.corpus.load import load
    from paper_notes.engine.cache import Cache
    from paper_notes.features.papers.scaffold import check_builds
    from paper_notes.output.disk import compare
    from paper_notes.sources.tree import Source

    cache = Cache()
    files: dict[PurePosixPath, Artifact] = {file.path: Artifact(file.path, file.data) for file in topic_files}
    missing: dict[Fact, None] = {}
    now = {source.path: source for source in (*sources, *topic_files)}
    for place, make in enumerate(makes):
        if place:
            now |= {path: Source(path, artifact.data) for path, artifact in files.items()}
            whole = tuple(now[path] for path in sorted(now))
            corpus = load(whole, cache=cache)[0] or corpus
        made = make(corpus, tuple(now[path] for path in sorted(now)))
        files |= {artifact.path: artifact for artifact in made.artifacts}
        missing |= dict.fromkeys(made.missing)
    check_builds((*sources, *topic_files), tuple(files.values()))
    return compare(root, files.values(), read=sources), tuple(missing)
