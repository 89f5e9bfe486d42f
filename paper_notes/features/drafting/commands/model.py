"""A model for commands: named by the environment, with the collection's cache, and what is said of its answers."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

import click

from paper_notes.commands.collection import load_collection
from paper_notes.commands.naming import the_note
from paper_notes.commands.progress import counting
from paper_notes.commands.terminal import (
    INPUT_WRONG,
    check_option,
    end_check,
    interrupted,
    json_option,
    print_json,
    root_option,
    say,
    say_problem,
    say_waiting,
)
from paper_notes.corpus.model import Drafted, NoteId
from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import open_cache
from paper_notes.features.drafting.applying import Applied, ModelText, apply_drafts
from paper_notes.features.drafting.asking import Asker, Checked, model_of, price_of
from paper_notes.features.drafting.prompts import Prompt
from paper_notes.features.papers.scaffold import check_builds
from paper_notes.features.papers.web import Web
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan

Question = tuple[str, Prompt, Callable[[str], Checked[tuple[ModelText, ...]]]]
"""What it is about, as it is shown; the prompt; and what reads the answer."""
Left = Sequence[tuple[str, str]]
"""Sections that are left as they are, and why."""

budget_option = click.option(
    "--max-tokens",
    "budget",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop before more than N tokens are sent and received.",
)


def model_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of commands that ask about one note, and its collection."""
    return budget_option(check_option(root_option(json_option(command))))


@dataclass(frozen=True)
class Drafts:
    """What was written of a model's answers about a note, and how the asking ended."""

    applied: Applied
    updated: tuple[PurePosixPath, ...]
    failed: int
    asker: Asker
    """With what was used."""
    stopped: bool
    """Not all were asked, because the model or the budget gave out; this has been said."""
    by_user: bool
    """Ctrl-C was pressed."""

    def as_json(self) -> dict[str, object]:
        """The result for `--json`."""
        written, left = self.applied.written, self.applied.left
        return {
            "written": [{"section": text.section, "lang": text.lang} for text in written],
            "not_written": [{"section": text.section, "lang": text.lang, "why": why} for text, why in left],
            "failed": self.failed,
            "tokens": self.asker.tokens,
            "sent": self.asker.sent,
            "received": self.asker.received,
            "cost": self.asker.cost,
            "updated": [str(path) for path in self.updated],
        }

    def show(self, root: Path, untranslated: str = "") -> None:
        """Say what was written and what it cost; `untranslated` is a note that another language still lacks."""
        for text, reason in self.applied.left:
            say(f"{text.lang}.md: {text.section}: not written: {reason}")
        for path in self.updated:
            say(f"wrote {click.format_filename(root / path)}")
        say(f"Sections written: {len(self.applied.written)}; not usable: {self.failed}.")
        say_used(self.asker)
        if self.applied.written:
            if untranslated:
                say(f"`paper-notes translate {untranslated}` writes the other language.")
            say("Read them: `reviewed: true` in note.yaml takes the badge away, and what you change is yours.")

    def end(self) -> None:
        """End the program if anything is left to do."""
        if self.by_user:
            interrupted(". What was answered is written")
        if self.failed or self.stopped or self.applied.left:
            sys.exit(INPUT_WRONG)


@contextmanager
def open_asker(root: Path, budget: int | None) -> Iterator[Asker]:
    """The model that the environment names. Raises UserError if there is none that can be asked."""
    model = model_of(os.environ)
    with closing(open_cache(root)) as cache, closing(Web(say=say)) as web:
        yield Asker(model, web, cache, budget)


def work_on(
    root: Path,
    note: NoteId,
    questions: Sequence[Question],
    left: Left,
    doing: str,
    *,
    nothing: str,
    budget: int | None,
    only_check: bool,
    as_json: bool,
    untranslated: str = "",
) -> None:
    """Ask the model about a note, write its answers, say so, and end; with `only_check` say what would be asked.

    `doing` and `nothing` are what is said meanwhile, and if there is nothing to ask. Raises UserError.
    """
    if not as_json:
        say_left(left)
    if only_check or not questions:
        if as_json:
            asked = [
                {"section": name, "tokens": prompt.tokens, "messages": prompt.messages} for name, prompt, _ in questions
            ]
            print_json(note=note, questions=asked, left=dict(left))
        elif questions:
            say_questions(questions)
        else:
            say(nothing)
        end_check(changes=bool(questions))
        return
    with open_asker(root, budget) as asker:
        if not as_json:
            say_total(questions)
        drafts = drafted(root, note, questions, asker, doing)
    if as_json:
        print_json(note=note, **drafts.as_json(), left=dict(left))
    else:
        drafts.show(root, untranslated)
    drafts.end()


def drafted(root: Path, note: str, questions: Sequence[Question], asker: Asker, doing: str) -> Drafts:
    """Ask all questions about a note one after another, and write what was answered. Raises UserError.

    What ends this early is said.
    """
    texts: list[ModelText] = []
    failed, stopped, by_user = 0, False, False
    try:
        with counting(f"{doing}: {asker.model.name}", len(questions)) as progress:
            for number, (name, prompt, check) in enumerate(questions, 1):
                asker.watch = partial(_advance, progress, number - 1)
                outcome = asker.ask(prompt, check)
                if outcome.findings:
                    failed += 1
                    say(f"{name}: this is left, because the model's answers cannot be used:")
                    for finding in outcome.findings:
                        say(f"  - {finding}")
                if outcome.doubts:
                    say(f"{name}: look at this when you read it:")
                    for doubt in outcome.doubts:
                        say(f"  - {doubt}")
                texts += outcome.value or ()
                progress(number)
    except UserError as error:
        stopped = True
        say_problem(error.message, error.hint)
    except KeyboardInterrupt:
        by_user = True
        say("")
    applied, plan = _write_texts(root, note, texts, asker, questions[0][1].id)
    updated = tuple(artifact.path for artifact in (*plan.create, *plan.update))
    return Drafts(applied, updated, failed, asker, stopped, by_user)


def _advance(progress: Callable[..., None], done: int, share: float) -> None:
    """Show that a part of the next answer has come; the rest is its check."""
    progress(done + 0.9 * share)


def say_used(asker: Asker) -> None:
    """Say what was used."""
    cost = f"; cost: {asker.cost}" if asker.cost else ""
    say(f"Tokens sent: {asker.sent:,}; received: {asker.received:,}{cost}.")


def say_left(left: Left) -> None:
    """Say which sections are left as they are, and why."""
    for section, reason in left:
        say(f"{section}: left as it is: {reason}")


def say_questions(questions: Sequence[Question]) -> None:
    """Say what would be sent."""
    for name, prompt, _ in questions:
        say(f"would ask for {name}: about {prompt.tokens:,} tokens")
    say_total(questions)
    where = os.environ.get("PAPER_NOTES_MODEL_URL", "")
    say(f"They would go to {where}." if where else "PAPER_NOTES_MODEL_URL is not set, so nobody can be asked yet.")


def say_total(questions: Sequence[Question]) -> None:
    """Say how much is sent, and what that costs."""
    total = sum(prompt.tokens for _, prompt, _ in questions)
    expected = sum(prompt.expected for _, prompt, _ in questions)
    say(f"In all {len(questions)} questions, about {total:,} tokens sent and {expected:,} received: an estimate.")
    if price := price_of(os.environ):
        say(f"That would cost about {price.of(total, expected)}.")


def _write_texts(root: Path, note: str, texts: Sequence[ModelText], asker: Asker, prompt: str) -> tuple[Applied, Plan]:
    """Write texts into a note as it is now: much may have changed while the model was asked. Raises UserError."""
    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
    with locked(root, say_waiting):
        corpus, sources = load_collection(root)
        made_by = Drafted("", asker.model.name, prompt, today, source="")
        applied = apply_drafts(the_note(corpus, root, note), sources, texts, corpus.site.words, made_by)
        try:
            check_builds(sources, applied.artifacts)
        except UserError as error:
            raise UserError(error.message, "nothing was written; the answers are kept for the next run") from error
        plan = compare(root, applied.artifacts, read=sources)
        apply_whole(root, plan)
    return applied, plan
