"""`paper-notes export --epub`: a note, a topic, a reading path or the whole collection as a book."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import fail, say, say_diagnostics
from paper_notes.features.epub.commands.rendered import (
    chosen_languages,
    chosen_topic,
    rendered_collection,
    say_left_out,
    write_files,
)

if TYPE_CHECKING:
    from paper_notes.corpus.model import Corpus, Note
    from paper_notes.features.epub.book import Wanted

_UNSAFE = re.compile(r"[^\w.+-]+")


def export_book(
    what: str | None, root: Path, lang: str | None, output: Path | None, *, force: bool, drafts: bool
) -> None:
    """Write the book."""
    from paper_notes.artifacts import Artifact
    from paper_notes.features.epub.book import make_book
    from paper_notes.features.epub.epub import epub
    from paper_notes.render.theme.theme import read_theme, theme_of

    with rendered_collection(root, drafts=drafts) as there:
        corpus = there.corpus
        wanted = _wanted(corpus, root, what)
        files, problems = read_theme(root, corpus.site.words, corpus.site.look)
        if files is None:
            say_diagnostics(problems)
            fail("nothing was written")
        theme = theme_of(files, corpus.site.words)
        book = make_book(wanted, corpus, there.bodies, there.resolver, chosen_languages(corpus, lang), theme)
        target = output or Path(f"{_UNSAFE.sub('-', wanted.name)}.epub")
        write_files(target, [Artifact(PurePosixPath(target.name), epub(book))], force=force)
    say(f"Written: {click.format_filename(target)} (notes: {len(wanted.notes)})")
    if what is None or wanted.topic:
        say_left_out(corpus, wanted.topic.id if wanted.topic else None)


def _wanted(corpus: Corpus, root: Path, what: str | None) -> Wanted:
    """What was named: the collection, a topic, `topic/path`, the only path of this id, or a note. Raises UserError."""
    from paper_notes.diagnostics import UserError
    from paper_notes.features.epub.book import Wanted

    if what is None:
        return Wanted("notes", corpus.site.title, _some(corpus.notes, "the collection"))
    if name := chosen_topic(corpus, root, what):
        topic = corpus.topic(name)
        return Wanted(name, topic.title, _some(corpus.notes_of(name), name), topic=topic)
    known = [(topic, path) for topic in corpus.topics for path in topic.reading_paths]
    named = [one for one in known if f"{one[0].id}/{one[1].id}" == what] or [one for one in known if one[1].id == what]
    if len(named) > 1:
        several = ", ".join(f"{topic.id}/{path.id}" for topic, path in named)
        raise UserError(f'"{what}" could be {len(named)} reading paths', f"write one of {several}")
    if named:
        topic, path = named[0]
        notes = tuple(corpus.note(step) for step in dict.fromkeys(path.steps))
        return Wanted(f"{topic.id}-{path.id}", path.title, _some(notes, what), path=path)
    note = the_note(corpus, root, what)
    return Wanted(note.name, note.title, (note,))


def _some(notes: tuple[Note, ...], name: str) -> tuple[Note, ...]:
    from paper_notes.diagnostics import UserError

    if not notes:
        raise UserError(f"there are no notes in {name}", "a book needs one at least")
    return notes
