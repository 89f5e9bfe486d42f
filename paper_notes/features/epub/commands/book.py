"""`paper-notes export --epub`: a note, a topic, a reading path or the whole collection as a book."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import fail, say, say_diagnostics
from paper_notes.corpus.model import Corpus, Note
from paper_notes.diagnostics import UserError
from paper_notes.features.epub.book import BookRequest, make_book
from paper_notes.features.epub.commands.rendered import (
    chosen_languages,
    chosen_topic,
    rendered_collection,
    say_left_out,
    write_files,
)
from paper_notes.features.epub.epub import epub
from paper_notes.patterns import regex
from paper_notes.render.theme.theme import read_theme, theme_of

_UNSAFE = regex(r"[^\w.+-]+")


def export_book(
    what: str | None, root: Path, lang: str | None, output: Path | None, *, force: bool, drafts: bool
) -> None:
    """Write the book."""
    with rendered_collection(root, drafts=drafts) as collection:
        corpus = collection.corpus
        wanted = _wanted(corpus, root, what)
        files, problems = read_theme(root, corpus.site.words, corpus.site.look)
        if files is None:
            say_diagnostics(problems)
            fail("nothing was written")
        theme = theme_of(files, corpus.site.words)
        book = make_book(wanted, corpus, collection.bodies, collection.resolver, chosen_languages(corpus, lang), theme)
        target = output or Path(f"{_UNSAFE.sub('-', wanted.name)}.epub")
        write_files(target, [Artifact(PurePosixPath(target.name), epub(book))], force=force)
    say(f"Written: {click.format_filename(target)} (notes: {len(wanted.notes)})")
    if what is None or wanted.topic:
        say_left_out(corpus, wanted.topic.id if wanted.topic else None)


def _wanted(corpus: Corpus, root: Path, what: str | None) -> BookRequest:
    """What was named: the collection, a topic, `topic/path`, the only path of this id, or a note. Raises UserError."""
    if what is None:
        return BookRequest("notes", corpus.site.title, _some(corpus.notes, "the collection"))
    if name := chosen_topic(corpus, root, what):
        topic = corpus.topic(name)
        return BookRequest(name, topic.title, _some(corpus.notes_of(name), name), topic=topic)
    known = [(topic, path) for topic in corpus.topics for path in topic.reading_paths]
    named = [item for item in known if f"{item[0].id}/{item[1].id}" == what] or [
        item for item in known if item[1].id == what
    ]
    if len(named) > 1:
        several = ", ".join(f"{topic.id}/{path.id}" for topic, path in named)
        raise UserError(f'"{what}" could be {len(named)} reading paths', f"write one of {several}")
    if named:
        topic, path = named[0]
        notes = tuple(corpus.note(step) for step in dict.fromkeys(path.steps))
        return BookRequest(f"{topic.id}-{path.id}", path.title, _some(notes, what), path=path)
    note = the_note(corpus, root, what)
    return BookRequest(note.name, note.title, (note,))


def _some(notes: tuple[Note, ...], name: str) -> tuple[Note, ...]:
    if not notes:
        raise UserError(f"there are no notes in {name}", "a book needs one at least")
    return notes
