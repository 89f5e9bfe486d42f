"""`paper-notes import` and `export`: documents about many papers."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from paper_notes.cli.collection import load_collection, load_growing
from paper_notes.cli.terminal import (
    all_or_nothing,
    fail,
    json_option,
    print_json,
    print_text,
    root_option,
    say,
    say_difference,
    say_waiting,
)

if TYPE_CHECKING:
    from paper_notes.documents.values import Document
    from paper_notes.importers.as_meant import Meant
    from paper_notes.importers.documents import Imported
    from paper_notes.output.plan import Plan


@click.command(name="import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--topic", required=True, help="The topic's folder below notes_src/.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; say what would be written.")
@root_option
@json_option
def import_(files: tuple[Path, ...], topic: str, only_check: bool, root: Path, as_json: bool) -> None:
    """Take in reports of a day's papers, and lists of papers, as notes that list them.

    Papers that are new get an entry in library.bib; existing ones are not touched. Nothing of a document is lost: the
    note must give it back, or nothing is written, and the line that would be lost is named. A document that is garbled,
    as in `ä¸­æ–‡`, is repaired first, as `paper-notes repair` does it; what is not certain is listed in doubts.tsv.
    """
    from paper_notes.output.disk import apply_whole
    from paper_notes.output.lock import locked

    with all_or_nothing(), locked(root, say_waiting):
        made, plan = _import(files, topic, root)
        if not only_check:
            apply_whole(root, plan)
    if as_json:
        print_json(
            imported=[
                {
                    "folder": str(one.folder),
                    "entries": one.entries,
                    "sections": one.sections,
                    "known": one.known,
                    "mended": one.mended,
                    "characters": one.characters,
                    "garbled": meant.repaired.garbling or None,
                    "lost_bytes": meant.repaired.lost,
                    "doubtful": len(meant.doubts),
                }
                for meant, one in made
            ]
        )
        return
    for path, (meant, one) in zip(files, made, strict=True):
        say(f"{click.format_filename(path)} -> {one.folder}")
        say(f"  {one.entries} papers, {one.known} of them known; {one.sections} sections")
        say(f"  nothing is lost of {one.characters:,} characters; {one.mended} texts were escaped")
        done = meant.repaired
        if done.garbling:
            say(f"  {done.characters:,} characters were garbled ({done.garbling}), and {done.lost:,} bytes lost")
            say(f"  repaired: {done.characters - len(done.guesses):,} are certain, {len(done.guesses):,} were guessed")
        if meant.doubts:
            say(f"  doubtful: {len(meant.doubts):,}; see doubts.tsv, fill in its column `choose`, and run `repair`")
    if only_check:
        say_difference(plan)


def _import(files: tuple[Path, ...], topic: str, root: Path) -> tuple[list[tuple[Meant, Imported]], Plan]:
    from paper_notes.corpus.load import load
    from paper_notes.importers.as_meant import as_meant, with_doubts
    from paper_notes.importers.documents import import_document, read_document
    from paper_notes.importers.scaffold import check_builds, check_place, sources_with
    from paper_notes.output.disk import compare
    from paper_notes.sources.input_file import read_input_file

    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
    there = load_growing(root)
    corpus, sources = there.corpus, there.sources
    check_place(corpus, topic=topic, name=None)
    written = {artifact.path: artifact for artifact in there.topics}
    made: list[tuple[Meant, Imported]] = []
    for path in files:
        if made:
            sources, _ = sources_with(sources, made[-1][1].artifacts)
            corpus = load(sources)[0] or corpus
        meant = as_meant(PurePosixPath(path), read_input_file(path), there.sources)
        document = read_document(PurePosixPath(path), meant.text)
        one = import_document(document, meant.text, corpus, sources, topic=topic, today=today)
        one = replace(one, artifacts=with_doubts(one.artifacts, meant, sources))
        check_builds(sources, one.artifacts)
        made.append((meant, one))
        written |= {artifact.path: artifact for artifact in one.artifacts}
    return made, compare(root, list(written.values()), read=there.before)


@click.command()
@click.argument("what", metavar="NOTE | FILE.bib")
@click.option("--format", "form", type=click.Choice(["report", "list"]), help="By default what the note was made from.")
@click.option("--as-found", is_flag=True, help="Give back the document that was imported, with its oddities.")
@click.option("--in", "lang", help="The language of the texts; else the first that the note has.")
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write it to this file.")
@click.option("--force", is_flag=True, help="Overwrite that file if it is there.")
@root_option
def export(
    what: str, form: str | None, as_found: bool, lang: str | None, output: Path | None, force: bool, root: Path
) -> None:
    """Write a note that lists papers as a report of a day or as a list; or any .bib file as a list.

    Without --as-found the document is mended: anchors are those of GitHub, addresses have no stray signs, texts are in
    no fence of code.
    """
    from paper_notes.importers.documents import WRITERS

    document = _of_bibtex(Path(what)) if what.endswith(".bib") else _of_note(what, root, lang, as_found=as_found)
    text = WRITERS[form or document.format](document)
    if output is None:
        print_text(text)
        return
    from paper_notes.artifacts import Artifact
    from paper_notes.output.disk import apply_whole, compare

    plan = compare(output.parent, [Artifact.text(PurePosixPath(output.name), text)])
    if plan.update and not force:
        fail(f"{click.format_filename(output)} is there already", "add --force, or name another with --output")
    apply_whole(output.parent, plan)
    say(f"Written: {click.format_filename(output)}")


def _of_bibtex(path: Path) -> Document:
    from paper_notes.diagnostics import has_errors
    from paper_notes.documents.of_note import document_of_bibtex
    from paper_notes.sources.input_file import read_input_file

    document, problems = document_of_bibtex(path.name, read_input_file(path))
    if has_errors(problems):
        fail(f"{path} has errors: {problems[0].location}: {problems[0].message}", problems[0].hint)
    return document


def _of_note(reference: str, root: Path, lang: str | None, *, as_found: bool) -> Document:
    from paper_notes.diagnostics import UserError
    from paper_notes.documents.of_note import document_of
    from paper_notes.languages.text import Lang
    from paper_notes.queries.listing import find_note

    corpus, _ = load_collection(root)
    note = find_note(corpus, reference)
    if not note.entries:
        raise UserError(f"{note.reference} lists no papers", "name a note with `entries:`, or a .bib file")
    spoken = Lang(lang) if lang else note.languages[0]
    if spoken not in note.languages:
        raise UserError(f'{note.reference} has no text in "{spoken}"', f"known: {', '.join(note.languages)}")
    return document_of(note, spoken, corpus.papers, as_found=as_found)
