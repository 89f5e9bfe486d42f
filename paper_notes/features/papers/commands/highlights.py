"""`paper-notes highlights`."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.collection import OpenCollection, open_collection
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import (
    all_or_nothing,
    check_option,
    fail,
    json_option,
    print_json,
    root_option,
    say,
    say_waiting,
    tell,
)
from paper_notes.corpus.model import Corpus, Note
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.features.papers.annotations import PdfAnnotation, read_annotations
from paper_notes.features.papers.commands.services import open_services
from paper_notes.features.papers.highlights import Brought, bring
from paper_notes.features.papers.resolve import recognise
from paper_notes.features.papers.scaffold import as_yaml
from paper_notes.features.papers.zotero import IN_ZOTERO, name_of
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.pdf.reader import within_limits
from paper_notes.sources.tree import Source, read_input_file

_SHOWN = 72
"""Characters of a mark in a row at most."""


@click.command()
@click.argument("note")
@click.argument("pdf", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--lang", metavar="LANG", help="Only into the text in this language; else into all texts of the note.")
@check_option
@root_option
@json_option
def highlights(note: str, pdf: Path | None, lang: str | None, only_check: bool, root: Path, as_json: bool) -> None:
    """Bring what you marked in the PDF of NOTE into its text, as quotations with page, colour and comment.

    Highlights, underlines and strike-outs become quotations, notes paragraphs, drawings pictures: in the section
    Highlights of each text, in the order of the paper. The PDF is that of the collection, unless you name another copy.

    Run it again when you have read on: only what is new is added. What you edit or delete in the text stays so, as
    note.yaml remembers what was brought.
    """
    target, brought = bring_marks(root, note, pdf, lang, only_check=only_check, quiet=as_json)
    if as_json:
        print_json(note=target.id, added=list(map(_as_json, brought.marks)), written=not only_check)
    if only_check and brought.marks:
        fail("nothing was written; run it without --check")


def bring_marks(
    root: Path,
    name: str,
    file: Path | None,
    lang: str | None = None,
    *,
    only_check: bool,
    quiet: bool,
    zotero: str = "",
) -> tuple[Note, Brought]:
    """Bring the marks in a PDF into a note; or those that Zotero knows, of the paper called so. Raises UserError."""
    with all_or_nothing(), locked(root, say_waiting), open_collection(root) as collection:
        note = the_note(collection.corpus, root, name)
        if not note.papers:
            raise UserError(f"{note.id} is about no paper", "name one in `papers:` of its note.yaml")
        tags: tuple[str, ...] = ()
        if zotero:
            marks, tags = _in_zotero(root, collection.corpus, note, zotero)
        else:
            marks = _in_pdf(collection, note, file)
        brought = _into(note, collection.sources, marks, collection.corpus, lang, tags)
        if not only_check:
            apply_whole(root, compare(root, brought.artifacts, read=collection.sources))
    for mark in () if quiet else brought.marks:
        text = " ".join((mark.words or mark.comment).split())
        short = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
        tell(f"p. {mark.page or '-':<3} {mark.colour or '-':<7} {short}".rstrip())
    say(f"Marks: {len(marks)}; new in {note.id}: {len(brought.marks)}.")
    return note, brought


def _into(
    note: Note,
    sources: tuple[Source, ...],
    marks: tuple[PdfAnnotation, ...],
    corpus: Corpus,
    lang: str | None,
    tags: tuple[str, ...],
) -> Brought:
    """The marks that are new to a note, and its files with them, and with tags if it has none. Raises UserError."""
    if note.location.path.name != NOTE_FILE:
        message = f"{note.location.path} is a note in a single file, to which nothing can be added"
        raise UserError(message, f"make a folder of it, with {NOTE_FILE} and a file <language>.md for each language")
    if lang and lang not in note.languages:
        raise UserError(f"{note.id} has no text in {lang}", did_you_mean(lang, note.languages))
    by_path = {source.path: source for source in sources}
    texts = {text.lang: by_path[text.path] for text in note.texts if lang in (None, text.lang)}
    facts = by_path[note.location.path]
    changed = facts
    if tags and not note.tags:
        end = b"" if facts.data.endswith(b"\n") else b"\n"
        changed = Source(facts.path, facts.data + end + as_yaml({"tags": [*tags]}).encode())
    brought = bring(marks, note.highlights, note.papers[0], texts, changed, corpus.site.words)
    is_written = brought.marks or changed is facts
    return brought if is_written else Brought((), (Artifact(changed.path, changed.data),))


def _in_pdf(collection: OpenCollection, note: Note, file: Path | None) -> tuple[PdfAnnotation, ...]:
    """The marks in the PDF of the note's paper, or in this file. Raises UserError."""
    if file:
        source = Source(PurePosixPath(file.as_posix()), read_input_file(file))
    else:
        corpus = collection.corpus
        paper = corpus.papers[note.papers[0]]
        pdf = corpus.pdf_of(paper.key, paper.version) or corpus.pdf_of(paper.key)
        if pdf is None or pdf.problem:
            hint = f"put it into notes_src/pdfs/, or name it: paper-notes highlights {note.id} paper.pdf"
            raise UserError(f"there is no PDF of {paper.key} to read", hint)
        source = pdf.source
    marks = collection.pdfs.read(source, "annotations", tuple[PdfAnnotation, ...], read_annotations)
    if isinstance(marks, PdfProblem):
        raise UserError(f"{source.path}: {marks.message}", marks.hint)
    return marks


def _in_zotero(root: Path, corpus: Corpus, note: Note, name: str) -> tuple[tuple[PdfAnnotation, ...], tuple[str, ...]]:
    """The marks and notes that Zotero has of the paper, those in its PDF itself, and its tags. Raises UserError."""
    paper = corpus.papers[note.papers[0]]
    importer, reference = recognise(name_of(paper) if name == IN_ZOTERO else name, (), lambda text: False)
    with open_services(root, {}, lambda other: f"paper-notes lookup {note.id} --from {other} --zotero") as services:
        fetched = importer.fetch(reference, services)
    in_pdf = within_limits(read_annotations, fetched.pdf) if fetched.pdf else ()
    return (*fetched.marks, *in_pdf), fetched.tags


def _as_json(mark: PdfAnnotation) -> dict[str, object]:
    return {name: getattr(mark, name) for name in ("kind", "page", "words", "comment", "colour")}
