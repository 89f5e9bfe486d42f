"""`paper-notes translate`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from paper_notes.commands.collection import load_collection, without_errors
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import lang_option, print_json
from paper_notes.corpus.model import Lang, Note
from paper_notes.features.drafting.commands.model import (
    Left,
    Question,
    Texts,
    drafted,
    model_options,
    only_said,
    open_asker,
)
from paper_notes.features.drafting.style import examples_of
from paper_notes.features.drafting.translate import check, prompt_of, work
from paper_notes.markdown.render import render_body


@click.command()
@click.argument("note")
@click.argument("sections", metavar="[SECTION]...", nargs=-1)
@lang_option("Only into this language.")
@model_options
def translate(
    root: Path,
    note: str,
    sections: tuple[str, ...],
    lang: str | None,
    budget: int | None,
    *,
    only_check: bool,
    as_json: bool,
) -> None:
    """Let a model translate the sections of NOTE that are missing in one language.

    So are those that a model translated before and whose source has changed since. What a person has written or
    changed is never written over. SECTION is the id of a section, `lead` for the text before the first heading, or
    `title` or `summary`, which are added to note.yaml in the other language.

    Formulas, numbers, citations, references, boxes, ids and code have to stay as they are, and terms have to be those
    of the glossary; otherwise the answer is sent back, three times at most, and then the section is left as it is.

    The model is that of PAPER_NOTES_MODEL at PAPER_NOTES_MODEL_URL, an OpenAI-compatible address, with the key in
    PAPER_NOTES_MODEL_KEY. Nothing is sent anywhere without these variables, and
    with --check nobody is asked: what would be sent is said, and how much.
    """
    target, questions, left = _work(root, note, sections, lang)
    nothing = f"{target.id}: nothing to translate"
    if only_said(target.id, questions, left, nothing=nothing, only_check=only_check, as_json=as_json):
        return
    with open_asker(root, budget) as asker:
        drafts = drafted(root, target.id, questions, asker, "Asking the model to translate")
    if as_json:
        print_json(note=target.id, **drafts.as_json(), left=dict(left))
    else:
        drafts.show(root)
    drafts.end()


def _work(
    root: Path, name: str, sections: tuple[str, ...], lang: str | None
) -> tuple[Note, Sequence[Question[Texts]], Left]:
    """The note, what there is to translate, and what the model is asked. Raises UserError."""
    corpus, _ = load_collection(root)
    words, terms = corpus.site.words, corpus.terms
    note = the_note(corpus, root, name)
    body = render_body(note, words=words)
    without_errors(corpus, body.diagnostics, "note")
    jobs, left = work(note, body, words, sections, Lang(lang) if lang else None)
    near = [note, *(other for other in corpus.notes if other.topic == note.topic and other.id != note.id)]
    examples = {langs: examples_of(near, langs, words) for langs in {job.langs for job in jobs}}
    questions = [
        (
            job.section if job.is_field else f"{job.langs[1]}.md: {job.section}",
            prompt_of(job, note, terms, words, examples),
            partial(check, job, terms, words),
        )
        for job in jobs
    ]
    return note, questions, left
