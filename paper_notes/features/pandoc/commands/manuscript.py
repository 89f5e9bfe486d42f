"""`paper-notes export NOTE --to docx`: a note for those who must hand in a document of another program."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import say
from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import UserError
from paper_notes.features.epub.commands.rendered import rendered_collection, write_files
from paper_notes.features.pandoc.manuscript import manuscript
from paper_notes.features.pandoc.pandoc import WRITES, document_of, program
from paper_notes.render.plain_markdown import link_texts


def export_manuscript(
    what: str, root: Path, lang: str | None, form: str, output: Path | None, *, force: bool, drafts: bool
) -> None:
    """Write the document."""
    if not program():
        hint = "`paper-notes doctor` has the line that installs the extra `pandoc`"
        raise UserError(f"{form} is written by pandoc, which is not installed", hint)
    with rendered_collection(root, drafts=drafts) as collection:
        note = the_note(collection.corpus, root, what)
        spoken = Lang(lang) if lang else note.languages[0]
        if spoken not in note.languages:
            raise UserError(f'{note.reference} has no text in "{spoken}"', f"known: {', '.join(note.languages)}")
        links = link_texts(note, spoken, collection.bodies.outlines[note.id], collection.resolver)
        suffix, holds_pictures = WRITES[form].suffix, WRITES[form].holds_pictures
        target = output or Path(f"{note.name}{suffix}")
        folder = "" if holds_pictures else f"{target.stem}.files"
        markdown, pictures = manuscript(note, spoken, collection.corpus, links, folder)
    try:
        document = document_of(markdown, form)
    except ValueError as error:
        raise UserError(f"pandoc could not write {form}: {error}", "try another format") from error
    beside = [Artifact(PurePosixPath(folder, name), data) for name, data in pictures.items() if folder]
    write_files(target, [Artifact(PurePosixPath(target.name), document), *beside], force=force)
    say(f"Written: {click.format_filename(target)}")
