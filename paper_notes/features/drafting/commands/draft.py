"""`paper-notes draft`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from paper_notes.commands.collection import open_collection, without_errors
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import lang_option
from paper_notes.corpus.model import Corpus, Lang, Note
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.features.drafting.applying import check_files
from paper_notes.features.drafting.commands.model import Left, Question, model_options, work_on
from paper_notes.features.drafting.first_texts import (
    DraftJob,
    check,
    marking,
    origin_of,
    prompt_of,
    sections_to_draft,
    text_of,
)
from paper_notes.features.verify.paper import Passages, passages_of
from paper_notes.markdown.render import render_body
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.pdf.reader import PdfReader


@click.command()
@click.argument("note")
@click.argument("sections", metavar="[SECTION]...", nargs=-1)
@lang_option("Write in this language; else in the site's first.")
@model_options
def draft(root: Path, note: str, sections: tuple[str, ...], lang: str | None, **options: Any) -> None:
    """Let a model draft the sections of NOTE that are not written yet, from the PDF of its paper.

    They are those of a new note, such as motivation and method; a TL;DR, doubts and judgements are left to you. What a
    person has written or changed is never written over. Each number is looked for in the PDF, and what is not there is
    marked in the text. One question is asked, with all that the PDF says.

    The model is that of PAPER_NOTES_MODEL at PAPER_NOTES_MODEL_URL, an OpenAI-compatible address, with the key in
    PAPER_NOTES_MODEL_KEY. Nothing is sent anywhere without these variables, and
    with --check nobody is asked: what would be sent is said, and how much.
    """
    target, questions, left = _work(root, note, sections, lang)
    doing, nothing = "Asking the model for drafts", f"{target.id}: nothing to draft"
    work_on(root, target.id, questions, left, doing, nothing=nothing, untranslated=target.id, **options)


def _work(root: Path, name: str, wanted: tuple[str, ...], to: str | None) -> tuple[Note, Sequence[Question], Left]:
    """The note, what the model is asked, and the sections that are left. Raises UserError."""
    with open_collection(root) as collection:
        corpus, words = collection.corpus, collection.corpus.site.words
        note = the_note(corpus, root, name)
        lang = Lang(to) if to else corpus.site.default_language
        if lang not in words.tags:
            raise UserError(f'"{lang}" is no language of this collection', did_you_mean(lang, words.tags))
        check_files(note, words)
        body = render_body(note, words=words)
        without_errors(corpus, body.diagnostics, "note")
        passages, data = _passages(corpus, note, collection.pdfs)
    origin = origin_of("pdf", data)
    sections, left = sections_to_draft(note, body, lang, words, origin, wanted)
    if not sections:
        return note, (), left
    paper = corpus.papers[note.papers[0]]
    job = DraftJob(paper, lang, sections, text_of(passages), origin)
    ids = ", ".join(request.section for request in sections)
    question = partial(check, job, words, marking(passages, paper.key, lang, words))
    return note, ((f"{lang}.md: {ids}", prompt_of(job), question),), left


def _passages(corpus: Corpus, note: Note, pdfs: PdfReader) -> tuple[Passages, bytes]:
    """What the PDF of the note's paper says, and its bytes. Raises UserError."""
    if not note.papers:
        raise UserError(f"{note.id} is about no paper", "name one in `papers:` of its note.yaml")
    paper = corpus.papers[note.papers[0]]
    pdf = corpus.pdf_of(paper.key, paper.version) or corpus.pdf_of(paper.key)
    if pdf is None or pdf.problem:
        raise UserError(f"there is no PDF of {paper.key} to read", "put it into notes_src/pdfs/")
    passages = passages_of(pdf.source, pdfs)
    if isinstance(passages, PdfProblem):
        raise UserError(f"{pdf.source.path}: {passages.message}", passages.hint)
    if not any(row.text for part in passages.parts for row in part.rows):
        raise UserError(f"{pdf.source.path} has no text: its pages are pictures", "use another copy")
    return passages, pdf.source.data
