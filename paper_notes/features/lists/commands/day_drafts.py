"""Drafts for the papers of days: what `paper-notes digest --draft` does after the papers are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from paper_notes.commands.collection import load_collection
from paper_notes.corpus.model import NoteId
from paper_notes.features.drafting.applying import check_files
from paper_notes.features.drafting.commands.model import (
    Drafts,
    Left,
    Question,
    drafted,
    open_asker,
    say_left,
    say_questions,
)
from paper_notes.features.drafting.first_texts import DraftJob, check, origin_of, parts_to_draft, prompt_of
from paper_notes.features.drafting.source_text import marking, of_abstract, text_of
from paper_notes.markdown.render import render_body


def draft_days(
    root: Path, notes: Sequence[NoteId], budget: int | None, *, only_check: bool, quiet: bool
) -> Mapping[NoteId, Drafts]:
    """Draft what is missing about the papers of these notes, one question a paper. Raises UserError."""
    drafts: dict[NoteId, Drafts] = {}
    work = [(note, *_questions(root, note)) for note in notes]
    asked = [question for _, questions, _ in work for question in questions]
    if not quiet:
        for _, _, left in work:
            say_left(left)
    if only_check or not asked:
        if asked and not quiet:
            say_questions(asked)
        return drafts
    with open_asker(root, budget) as asker:
        for note, questions, _ in work:
            if not questions:
                continue
            drafts[note] = drafted(root, note, questions, asker, "Asking the model for drafts")
            if not quiet:
                drafts[note].show(root, note)
            if drafts[note].stopped or drafts[note].by_user:
                break
    return drafts


def _questions(root: Path, name: NoteId) -> tuple[Sequence[Question], Left]:
    """What the model is asked about the papers of a note, and the papers about which nothing can be."""
    corpus, _ = load_collection(root)
    words, lang = corpus.site.words, corpus.site.default_language
    note = next((note for note in corpus.notes if note.id == name), None)
    if note is None:  # it would be new
        return (), ()
    check_files(note, words)
    body = render_body(note, words=words)
    questions, left = [], list[tuple[str, str]]()
    for entry in note.entries:
        paper = corpus.papers[entry.paper]
        source = of_abstract(paper)
        origin = origin_of("abstract", source.first.encode())
        sections = parts_to_draft(note, body, paper, lang, words, origin)
        if not sections:
            continue
        if not paper.abstract:
            left.append((paper.arxiv or str(paper.key), "its abstract is not known"))
            continue
        job = DraftJob(paper, lang, sections, text_of(source), origin)
        mark = marking(source, paper.key, lang, words)
        questions.append((f"{lang}.md: {paper.arxiv or paper.key}", prompt_of(job), partial(check, job, words, mark)))
    return tuple(questions), tuple(left)
