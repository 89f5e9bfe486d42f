"""`paper-notes digest`."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from paper_notes.commands.collection import load_collection
from paper_notes.commands.progress import counting
from paper_notes.commands.terminal import (
    all_or_nothing,
    check_option,
    end_check,
    json_option,
    new_topic_option,
    print_json,
    root_option,
    say,
    say_changes,
    say_waiting,
    topic_option,
)
from paper_notes.corpus.load import SITE_FILE, load
from paper_notes.corpus.model import NoteId
from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import Cache, open_cache
from paper_notes.features.drafting.applying import check_files
from paper_notes.features.drafting.asking import context_of
from paper_notes.features.drafting.claims import PaperText
from paper_notes.features.drafting.commands.model import (
    Drafts,
    Left,
    Question,
    Texts,
    budget_option,
    drafted,
    open_asker,
    say_left,
    say_questions,
)
from paper_notes.features.drafting.first_texts import (
    as_texts,
    jobs_of,
    of_abstract,
    parts_to_draft,
    prompt_of,
)
from paper_notes.features.drafting.first_texts import origin_of as draft_origin
from paper_notes.features.drafting.support import Setting
from paper_notes.features.lists.daily import (
    DailySource,
    Day,
    DayFilter,
    Merged,
    days_of,
    fetch_day,
    merge_days,
    origin_of,
)
from paper_notes.features.moving.topics import no_topic
from paper_notes.features.papers.commands.editable import load_editable
from paper_notes.features.papers.commands.services import open_web
from paper_notes.markdown.render import render_body
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan
from paper_notes.sources.tree import read_tree

DAILY = "daily"
"""The topic that needs not be named."""


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
            if drafts[note].asked.not_asked:
                break
    return drafts


def _questions(root: Path, name: NoteId) -> tuple[Sequence[Question[Texts]], Left]:
    """What the model is asked about the papers of a note, and the papers about which nothing can be."""
    corpus, _ = load_collection(root)
    words, lang = corpus.site.words, corpus.site.default_language
    note = next((note for note in corpus.notes if note.id == name), None)
    if note is None:  # it would be new
        return (), ()
    check_files(note, words)
    body = render_body(note, words=words)
    questions, left = list[Question[Texts]](), list[tuple[str, str]]()
    for entry in note.entries:
        paper = corpus.papers[entry.paper]
        source = of_abstract(paper)
        origin = draft_origin("abstract", source.first.encode())
        sections = parts_to_draft(note, body, paper, lang, words, origin)
        if not sections:
            continue
        if not paper.abstract:
            left.append((paper.arxiv or str(paper.key), "its abstract is not known"))
            continue
        setting = Setting(PaperText(source), lang, paper.title, corpus.terms)
        for job in jobs_of(paper, sections, setting, origin, context_of(os.environ)):
            read = partial(as_texts, job, words)
            questions.append((f"{lang}.md: {paper.arxiv or paper.key}", prompt_of(job), read))
    return tuple(questions), tuple(left)


@click.command()
@click.argument("when", default="today")
@topic_option("The topic's folder below notes_src/; `daily` needs not be there yet.", default=DAILY, show_default=True)
@new_topic_option
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Only the first N papers of a day.")
@click.option("--min-votes", type=click.IntRange(min=0), metavar="N", help="Only papers with at least N votes.")
@click.option(
    "--from",
    "source",
    metavar="SOURCE",
    default="hf",
    show_default=True,
    help="Who is asked: hf is Hugging Face; arxiv:cs.CL is a category of arXiv.",
)
@click.option("--refresh-votes", is_flag=True, help="Also bring the votes of papers that are there up to date.")
@click.option("--ask-model", is_flag=True, help="Let a model draft what is said of each paper, see `draft`.")
@budget_option
@check_option
@root_option
@json_option
def digest(
    when: str,
    topic: str,
    new_topic: bool,
    top: int | None,
    min_votes: int | None,
    source: str,
    refresh_votes: bool,
    ask_model: bool,
    budget: int | None,
    only_check: bool,
    root: Path,
    as_json: bool,
) -> None:
    """Make a note that lists the papers of a day, as Hugging Face or arXiv has them, or add to it.

    WHEN is `today`, a day as 2026-01-13, a week as 2026-W03 or a month as 2026-01; each day has a note of its own, and
    begins and ends in UTC. To a note that is there only new papers are added, at their places: what you wrote stays,
    and a second run writes nothing. With --ask-model a model says what each paper is about, from its abstract, see
    `draft`.
    """
    origin, today = origin_of(source), datetime.datetime.now(datetime.UTC).date()
    dates = days_of(when, today)
    if origin.format == "arxiv" and (min_votes or refresh_votes):
        raise UserError("arXiv counts no votes", "leave out --min-votes and --refresh-votes")
    new_topic = new_topic or topic == DAILY
    wanted = DayFilter(top, min_votes, refresh_votes)
    with all_or_nothing():
        _check_topic(root, topic, new_topic=new_topic)
        days = _fetched(root, origin, dates, today, renew=refresh_votes)
        with locked(root, say_waiting):  # read again: much may have changed during the network requests
            day_notes, plan = _merge(root, days, origin, wanted, topic, new_topic=new_topic)
            if not only_check:
                apply_whole(root, plan)
    if not as_json:
        for day, day_note in zip(days, day_notes, strict=True):
            _say_day(day, day_note)
        if only_check:
            say_changes(plan)
    notes = (
        [NoteId("/".join(day_note.folder.parts[1:])) for day_note in day_notes if day_note.folder] if ask_model else []
    )
    drafts = draft_days(root, notes, budget, only_check=only_check, quiet=as_json)
    if as_json:
        values = [{"note": note, **of_note.as_json()} for note, of_note in drafts.items()]
        more = {"drafts": values} if ask_model else {}
        print_json(days=[_as_json(day, day_note) for day, day_note in zip(days, day_notes, strict=True)], **more)
    for of_note in drafts.values():
        of_note.end()
    if only_check:
        end_check(changes=bool(plan.create or plan.update))


def _check_topic(root: Path, topic: str, *, new_topic: bool) -> None:
    """Raise UserError before anything is asked if there is no such topic, or no settings that can be read."""
    corpus = load(tuple(source for source in read_tree(root)[0] if source.path == SITE_FILE))[0]
    if corpus is None:
        load_editable(root, cache=Cache())
    elif not new_topic and topic not in corpus.site.topics:
        raise no_topic(topic, corpus)


def _fetched(
    root: Path, origin: DailySource, dates: Sequence[datetime.date], today: datetime.date, *, renew: bool
) -> list[Day]:
    days: list[Day] = []
    with open_web(root) as web, counting(f"Asking {origin.service.name}", len(dates)) as progress:
        for date in dates:
            days.append(fetch_day(web, origin, date, today, renew=renew))
            progress(len(days))
    return days


def _merge(
    root: Path, days: Sequence[Day], origin: DailySource, wanted: DayFilter, topic: str, *, new_topic: bool
) -> tuple[tuple[Merged, ...], Plan]:
    """One plan for all days."""
    with closing(open_cache(root)) as cache:
        collection = load_editable(root, new_topic=topic if new_topic else None, cache=cache)
    day_notes = merge_days(days, origin, wanted, collection.corpus, collection.sources, topic=topic)
    written = [artifact for day_note in day_notes for artifact in day_note.artifacts]
    return day_notes, compare(root, [*(collection.topics if written else ()), *written], read=collection.before)


def _say_day(day: Day, day_note: Merged) -> None:
    if day.unreadable:
        say(f"{day.date}: left out, because they have no arXiv id or no title: {day.unreadable}")
    for paper in day.papers if day_note.artifacts else ():
        for what in paper.draft.left_out:
            say(f"{paper.draft.arxiv}: left out: {what}")
    if day_note.folder is None and not day.papers:
        say(f"{day.date}: no papers")
    elif day_note.folder is None:
        say(f"{day.date}: no papers with so many votes, of {len(day.papers)}")
    elif day_note.is_new:
        say(f"{day.date} -> {day_note.folder}: a new note; papers: {day_note.added}")
    elif day_note.artifacts:
        said = f"papers added: {day_note.added}, there before: {day_note.before}; votes changed: {day_note.votes}"
        say(f"{day.date} -> {day_note.folder}: {said}")
    else:
        say(f"{day.date} -> {day_note.folder}: nothing new")


def _as_json(day: Day, day_note: Merged) -> dict[str, object]:
    return {
        "date": day.date.isoformat(),
        "folder": str(day_note.folder) if day_note.folder else None,
        "new": day_note.is_new,
        "papers": len(day.papers),
        "added": day_note.added,
        "there": day_note.before,
        "votes": day_note.votes,
        "left_out": day.unreadable,
    }
