"""`paper-notes draft`: what is asked, what waits beside the note, and `--review`."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath

import click

from paper_notes.commands.collection import load_collection, open_collection, without_errors
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import lang_option, print_json, say, say_waiting
from paper_notes.corpus.model import Lang, Note
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.features.drafting.applying import check_files
from paper_notes.features.drafting.asking import context_of
from paper_notes.features.drafting.claims import Claim
from paper_notes.features.drafting.commands.model import (
    Left,
    Question,
    ask_all,
    model_options,
    only_said,
    open_asker,
)
from paper_notes.features.drafting.commands.review import review_on_terminal
from paper_notes.features.drafting.first_texts import (
    Claims,
    DraftJob,
    check,
    jobs_of,
    origin_of,
    prompt_of,
    sections_to_draft,
)
from paper_notes.features.drafting.prompts import DRAFT
from paper_notes.features.drafting.reviewing import pdf_of, setting_of
from paper_notes.features.drafting.waiting import WaitingDraft, file_of, waiting, written
from paper_notes.markdown.render import render_body
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.values import Struct, replace

_DOING = "Asking the model for drafts"


@click.command()
@click.argument("note")
@click.argument("sections", metavar="[SECTION]...", nargs=-1)
@lang_option("Write in this language; else in the site's first.")
@click.option("--review", is_flag=True, help="Decide about each claim of a draft, beside what it rests on.")
@model_options
def draft(
    root: Path,
    note: str,
    sections: tuple[str, ...],
    lang: str | None,
    budget: int | None,
    *,
    review: bool,
    only_check: bool,
    as_json: bool,
) -> None:
    """Let a model draft the sections of NOTE that are not written yet, from the PDF of its paper.

    Each sentence has to bring what it rests on: words of the PDF with their page, or a cell of one of its tables. What
    does not agree with that is refused and asked again, then left out. The rest waits in a file beside the note, and
    nothing of it is in the note until you have decided: with --review, sentence by sentence, or in `serve`. What you
    have written is never changed; your stance is left to you. Long papers are sent in several parts.

    The model is that of PAPER_NOTES_MODEL at PAPER_NOTES_MODEL_URL, an OpenAI-compatible address, with the key in
    PAPER_NOTES_MODEL_KEY. Nothing is sent anywhere without these variables, and
    with --check nobody is asked: what would be sent is said, and how much.
    """
    if review:
        review_on_terminal(root, note, lang)
        return
    work = work_on(root, note, sections, lang)
    name, nothing = work.note.id, f"{work.note.id}: nothing to draft"
    if only_said(name, work.questions, work.left, nothing=nothing, only_check=only_check, as_json=as_json):
        return
    answers = list[Claims]()
    with open_asker(root, budget) as asker:
        asked = ask_all(work.questions, asker, _DOING, answers.append)
    path, known = keep(root, work, answers, asker.model.name)
    undone = [name for name in work.sections if name not in known]
    if as_json:
        sections_of = {name: len(said) for name, said in known.items()}
        print_json(note=name, claims=sections_of, undone=undone, **asked.as_json(), left=dict(work.left))
    else:
        for section in undone:
            say(f"{section}: nothing is drafted: no claim about it agreed with the paper, or none was made")
        if known:
            say(f"wrote {click.format_filename(root / path)}")
        claims = sum(map(len, known.values()))
        say(f"Claims that wait for your review: {claims}, in {len(known)} sections; the note is as it was.")
        asked.show()
        if known:
            say(f"`paper-notes draft --review {name}`, or `serve` at /.paper-notes/review/, shows its evidence.")
    asked.end(more=bool(undone))


class DraftWork(Struct, frozen=True):
    """What the model is asked about a note."""

    note: Note
    lang: Lang
    origin: str
    sections: tuple[str, ...]
    questions: tuple[Question[Claims], ...]
    left: Left


def work_on(root: Path, name: str, wanted: tuple[str, ...], to: str | None) -> DraftWork:
    """What there is to ask. Raises UserError."""
    with open_collection(root) as collection:
        corpus, words = collection.corpus, collection.corpus.site.words
        note = the_note(corpus, root, name)
        lang = Lang(to) if to else corpus.site.default_language
        if lang not in words.tags:
            raise UserError(f'"{lang}" is no language of this collection', did_you_mean(lang, words.tags))
        check_files(note, words)
        body = render_body(note, words=words)
        without_errors(corpus, body.diagnostics, "note")
        setting = setting_of(corpus, note, lang, collection.pdfs)
    origin, known = origin_of("pdf", pdf_of(corpus, note).data), waiting(note).get(lang)
    waits = [section.name for section in known.sections] if known else []
    sections, left = sections_to_draft(note, body, lang, words, wanted, waits)
    paper = corpus.papers[note.papers[0]]
    jobs = jobs_of(paper, sections, setting, origin, context_of(os.environ)) if sections else ()
    questions = tuple((_name(job, number, len(jobs)), prompt_of(job), partial(check, job, words))
                      for number, job in enumerate(jobs, 1))  # fmt: skip
    return DraftWork(note, lang, origin, tuple(request.name for request in sections), questions, left)


def _name(job: DraftJob, number: int, count: int) -> str:
    ids = ", ".join(request.name for request in job.sections)
    return f"{job.lang}.md: {ids}" if count == 1 else f"{job.lang}.md, part {number} of {count}: {ids}"


def keep(
    root: Path, work: DraftWork, answers: Sequence[Claims], model: str
) -> tuple[PurePosixPath, dict[str, tuple[Claim, ...]]]:
    """Write the claims into the file beside the note as it is now, and give its path and them. Raises UserError."""
    known: dict[str, tuple[Claim, ...]] = {}
    for claims in answers:
        for request, said in claims.items():
            if said:
                known[request.name] = (*known.get(request.name, ()), *said)
    path, today = file_of(work.note, work.lang), datetime.date.today()  # noqa: DTZ011 -- the user's own calendar
    if not known:
        return path, known
    with locked(root, say_waiting):
        corpus, sources = load_collection(root)
        note = the_note(corpus, root, work.note.id)
        new = WaitingDraft(work.lang, model, DRAFT, today.isoformat(), work.origin, ())
        draft = replace(new, sections=before.sections) if (before := waiting(note).get(work.lang)) else new
        for claims in answers:
            draft = draft.with_claims(claims)
        apply_whole(root, compare(root, [written(note, draft)], read=sources))
    return path, known
