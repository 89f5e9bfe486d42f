"""`paper-notes lookup` with a note or --all: what was unknown of papers is filled in."""

from __future__ import annotations

import datetime
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from paper_notes.commands.collection import load_collection
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import (
    INPUT_WRONG,
    all_or_nothing,
    end_check,
    print_json,
    say,
    say_waiting,
)
from paper_notes.corpus.model import Corpus
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import UserError
from paper_notes.features.moving.move import Move, move, relocated
from paper_notes.features.moving.references import CollectionFiles, Relocation
from paper_notes.features.papers.commands.services import ask_arxiv, open_services, say_failures
from paper_notes.features.papers.completion import (
    Completion,
    Unfinished,
    complete,
    fill,
    reference_of,
    unfinished,
    unfinished_papers,
)
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.resolve import recognise, resolve
from paper_notes.features.papers.zotero import IN_ZOTERO, name_of
from paper_notes.output.lock import locked
from paper_notes.output.renaming import carry_out, finish
from paper_notes.sources.tree import Source, read_readmes
from paper_notes.values import replace

Drafts = Mapping[BibKey, Draft | None]
"""What was found out, by the key of the paper; None if there was nothing to ask for."""
Choose = Callable[[Corpus, tuple[Source, ...]], Sequence[Unfinished]]
"""Finds the papers to fill in, among all of a collection as it is now."""


def fill_in(note: str, given: str | None, root: Path, *, only_check: bool, as_json: bool, brought: int = 0) -> None:
    """Fill in what is unknown of the paper of a note, of which marks were `brought` already. Raises UserError."""

    def wanted(corpus: Corpus, sources: tuple[Source, ...]) -> Sequence[Unfinished]:
        return [unfinished(corpus, sources, the_note(corpus, root, note))]

    with all_or_nothing():
        (work,) = wanted(*load_collection(root))
        drafts = {work.paper.key: _asked(root, work, given)}
        (completion,), moved = _written(root, wanted, drafts, f"lookup {note}", only_check=only_check)
    if as_json:
        names = [str(path) for path in moved.renamed[0]] if moved.renamed else None
        facts = {"filled": dict(completion.filled), "moved": names, "missing": completion.missing}
        print_json(**facts, marks=brought, written=not only_check)
    else:
        _say(completion, moved, written=not only_check)
    if only_check:
        end_check(changes=bool(not moved.empty or brought))


def fill_in_all(root: Path, *, only_check: bool, as_json: bool) -> None:
    """Fill in what is unknown of all papers without a title or authors; exit 1 if of some nothing was found."""

    def wanted(corpus: Corpus, sources: tuple[Source, ...]) -> Sequence[Unfinished]:
        return [work for work in unfinished_papers(corpus, sources) if work.paper.key in drafts]

    with all_or_nothing():
        corpus, sources = load_collection(root)
        works = [*unfinished_papers(corpus, sources)]
        drafts, problems = _asked_of_all(root, corpus, works)
        completions, moved = _written(root, wanted, drafts, "lookup --all", only_check=only_check)
    if as_json:
        papers = [
            {"paper": completion.paper, "filled": dict(completion.filled), "missing": completion.missing}
            for completion in completions
        ]
        failed = {key: problem.message for key, problem in problems.items()}
        print_json(papers=papers, failed=failed, written=not only_check)
    else:
        for completion in completions:
            facts = dict(completion.filled)
            say(f"{facts.get('key', completion.paper)}: {facts.get('title', facts.get('authors', ''))}")
        say_failures(problems.items())
        say(f"Papers without a title or authors: {len(works)}; found: {len(completions)}.")
    if only_check:
        end_check(changes=not moved.empty)
    if problems:
        sys.exit(INPUT_WRONG)


def _written(
    root: Path, wanted: Choose, drafts: Drafts, command: str, *, only_check: bool
) -> tuple[tuple[Completion, ...], Move]:
    """What is filled in, and the change of all files, which is carried out. Raises UserError."""
    with locked(root, say_waiting):  # read again: much may have changed during the network requests
        if not only_check and (done := finish(root)):
            say(f"Finished what was interrupted: paper-notes {done.command}")
        corpus, sources = load_collection(root)
        today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
        works = wanted(corpus, sources)
        completions = complete([(work, drafts.get(work.paper.key)) for work in works], today)
        edits = [edit for completion in completions for edit in completion.edits]
        readmes, _ = read_readmes(root, [target.file for target in corpus.site.readme])
        files = CollectionFiles(corpus, sources, readmes)
        places = dict(completion.moved for completion in completions if completion.moved)
        moved = move(files, places, edits) if places else relocated(files, Relocation({}, {}), (), more=edits)
        if not only_check and not moved.empty:
            carry_out(root, moved.renaming(command))
    return completions, moved


def _asked(root: Path, work: Unfinished, given: str | None) -> Draft | None:
    """The facts of the paper; None if none are unknown. Raises UserError."""
    if not work.unknown and not given:
        return None
    if given == IN_ZOTERO:
        given = name_of(work.paper)
    importer, reference = recognise(given, (), lambda text: Path(text).is_file()) if given else reference_of(work)
    others = {key: paper for key, paper in work.corpus.papers.items() if key != work.paper.key}
    instead = "until then the note stays as it is; --from says what to ask for"

    def command(other: str) -> str:
        return f"paper-notes lookup {work.name} --from {shlex.quote(other)}"

    with open_services(root, others, command, named=given is not None, instead=instead) as services:
        draft = resolve(importer, reference, services).draft
    return _of_no_other(work, draft)


def _of_no_other(work: Unfinished, draft: Draft) -> Draft:
    """The draft. Raises UserError if the collection has its paper under another key."""
    if draft.key:
        hint = f"name that in `papers:` of {work.name}, and delete the other entry"
        raise UserError(f'the collection has this paper as "{draft.key}", too', hint)
    return draft


def _asked_of_all(
    root: Path, corpus: Corpus, works: Sequence[Unfinished]
) -> tuple[dict[BibKey, Draft | None], dict[BibKey, UserError]]:
    """The facts of papers, and why there are none. arXiv is asked for many at once, others for each paper."""
    drafts: dict[BibKey, Draft | None] = {}
    problems: dict[BibKey, UserError] = {}
    later = "run `paper-notes lookup --all` later"
    answers = ask_arxiv(root, [work.paper.arxiv for work in works if work.paper.arxiv], instead=later)
    with open_services(root, corpus.papers, named=False, instead=later) as services:
        for work in works:
            key = work.paper.key
            try:
                draft = answers[work.paper.arxiv] if work.paper.arxiv else None
                if isinstance(draft, UserError):
                    raise draft
                if draft is None:
                    others = {other: paper for other, paper in corpus.papers.items() if other != key}
                    resolved = resolve(*reference_of(work), replace(services, papers=others))
                    draft = _of_no_other(work, resolved.draft)
                fill(work, draft, key)
                drafts[key] = draft
            except UserError as problem:
                problems[key] = problem
    return drafts, problems


def _say(completion: Completion, moved: Move, *, written: bool) -> None:
    """What was filled in, or would be."""
    renamed = moved.renamed[0] if moved.renamed else None
    for name, value in completion.filled:
        say(f"{'filled' if written else 'would fill'} {name}: {value}")
    if renamed:
        old, new = map(click.format_filename, renamed)
        say(f"{'moved' if written else 'would move'} {old} to {new}")
    if not completion.filled and not renamed:
        say("Nothing that can be filled in." if completion.missing else "Nothing is missing.")
    if completion.missing:
        say(f"Still missing: {', '.join(completion.missing)}; write it into the .bib.")
    elif written and (completion.filled or renamed):
        say("Nothing is missing any more; `paper-notes build` makes the page.")
