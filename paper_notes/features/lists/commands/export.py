"""`paper-notes export`. Books, documents and data are imported when they are asked for: some need extras."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.collection import load_collection
from paper_notes.commands.naming import find_note
from paper_notes.commands.terminal import (
    drafts_option,
    fail,
    force_option,
    lang_option,
    output_option,
    print_text,
    root_option,
    say,
)
from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, Note
from paper_notes.diagnostics import UserError, has_errors
from paper_notes.features.lists.documents import AS_FOUND, document_of, document_of_bibtex
from paper_notes.features.lists.documents import as_found as as_found_
from paper_notes.features.lists.forms import Form, PaperDocument, write_document
from paper_notes.features.pandoc.pandoc import WRITES
from paper_notes.languages.text import Lang
from paper_notes.output.disk import apply_whole, compare
from paper_notes.sources.tree import Source, read_input_text


@click.command()
@click.argument("what", metavar="[NOTE | FILE.bib | TOPIC | PATH]", required=False)
@click.option("--epub", is_flag=True, help="A book (EPUB 3) of a note, a topic, a reading path, or of all.")
@click.option(
    "--data",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="All notes, papers, terms and numbers as .json or .jsonl; their JSON Schema as .schema.json.",
)
@click.option("--format", "form", type=click.Choice(["report", "list"]), help="By default what the note was made from.")
@click.option("--to", type=click.Choice([*WRITES]), help="A note as a document of Word, LaTeX ..., by pandoc.")
@click.option("--as-found", is_flag=True, help="Give back the document that was imported, with its oddities.")
@lang_option("The language of the texts; else the first that the note has, and all in a book.")
@output_option("Write it to this file.")
@force_option
@drafts_option
@root_option
def export(
    what: str | None,
    epub: bool,
    data: Path | None,
    form: Form | None,
    to: str | None,
    as_found: bool,
    lang: str | None,
    output: Path | None,
    force: bool,
    with_drafts: bool,
    root: Path,
) -> None:
    """Write a note that lists papers as a report of a day or as a list; or any .bib file as a list.

    Without --as-found the document is corrected: anchors are those of GitHub, addresses have no stray signs, texts are
    in no fence of code.

    --epub makes a book instead, with formulas, figures and both languages, one below the other: of a note, a topic, a
    reading path (spec-rl/start), or of the whole collection. --lang takes one language.

    --to docx, odt, latex, typst, org, html5 or rtf is for those who must hand a note in: with its formulas, tables,
    pictures, and a list of the papers that it cites.

    --data writes the whole collection for pandas, DuckDB and scripts.
    """
    if data:
        from paper_notes.features.library.commands.data import export_data

        if what or epub or form or as_found or lang or output:
            raise click.UsageError("--data FILE writes the whole collection; only --force and --drafts go with it.")
        export_data(root, data, force=force, drafts=with_drafts)
        return
    if to:
        from paper_notes.features.pandoc.commands.manuscript import export_manuscript

        if not what or epub or form or as_found:
            raise click.UsageError("--to needs a NOTE; --lang, --output, --force and --drafts go with it.")
        export_manuscript(what, root, lang, to, output, force=force, drafts=with_drafts)
        return
    if epub:
        from paper_notes.features.epub.commands.book import export_book

        if form or as_found:
            raise click.UsageError("--epub makes a book; --format and --as-found are for documents.")
        export_book(what, root, lang, output, force=force, drafts=with_drafts)
        return
    if what is None:
        raise click.UsageError("Missing argument 'NOTE | FILE.bib': only --epub can take all.")

    text = _of_list(what, root, lang, form, as_found=as_found, drafts=with_drafts)
    if output is None:
        print_text(text)
        return
    plan = compare(output.parent, [Artifact.text(PurePosixPath(output.name), text)])
    if plan.update and not force:
        fail(f"{click.format_filename(output)} is there already", "add --force, or name another with --output")
    apply_whole(output.parent, plan)
    say(f"Written: {click.format_filename(output)}")


def _of_bibtex(path: Path, form: Form | None) -> PaperDocument:
    document, problems = document_of_bibtex(path.name, read_input_text(path).encode(), form)
    if has_errors(problems):
        fail(f"{path} has errors: {problems[0].location}: {problems[0].message}", problems[0].hint)
    return document


def _of_list(reference: str, root: Path, lang: str | None, form: Form | None, *, as_found: bool, drafts: bool) -> str:
    """The document of a note that lists papers, or of a .bib file."""
    if reference.endswith(".bib"):
        return write_document(_of_bibtex(Path(reference), form))
    corpus, sources = load_collection(root, drafts=drafts)
    note = find_note(corpus, reference)
    if not note.entries and not (note.source and as_found):
        raise UserError(f"{note.reference} lists no papers", "name a note with `entries:`, or a .bib file; or add --to")
    spoken = Lang(lang) if lang else note.languages[0]
    if spoken not in note.languages:
        raise UserError(f'{note.reference} has no text in "{spoken}"', f"known: {', '.join(note.languages)}")
    original = _as_found(note, Lang(lang) if lang else None, corpus, sources) if as_found else None
    return original or write_document(document_of(note, spoken, corpus.papers, form))


def _as_found(note: Note, lang: Lang | None, corpus: Corpus, sources: Iterable[Source]) -> str | None:
    """The document that a note was made from, with what is new; None if it was made from none that is kept."""
    path = BASE / note.id / AS_FOUND
    data = next((source.data for source in sources if source.path == path), None)
    if data is None:
        say(f"{note.reference} was made from no document that is kept: it is written in the usual form")
        return None
    back = as_found_(note, lang, corpus, data.decode())
    for title, other in back.moved:
        say(f"{title}: it has a note of its own, {other}; here it is as it was imported")
    return back.text
