"""A model for commands: named by the environment, with the collection's cache, and what is said of its answers."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TypeVar

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
from paper_notes.values import Struct

T = TypeVar("T")
Question = tuple[str, Prompt, Callable[[str], Checked[T]]]
"""What it is about, as it is shown; the prompt; and what reads the answer."""
Texts = tuple[ModelText, ...]
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


class Asked(Struct, frozen=True):
    """How the asking of some questions ended."""

    asker: Asker
    """With what was used."""
    failed: int
    """Answers that could not be used as a whole."""
    not_asked: tuple[str, ...]
    """Questions to which it did not come, because the model, the budget or the user's patience gave out."""
    by_user: bool
    """Ctrl-C was pressed."""

    def as_json(self) -> dict[str, object]:
        """For `--json`."""
        asker = self.asker
        return {
            "failed": self.failed,
            "not_asked": [*self.not_asked],
            "tokens": asker.tokens,
            "sent": asker.sent,
            "received": asker.received,
            "cost": asker.cost,
        }

    def show(self) -> None:
        """Say what was not done, and what the rest cost."""
        for name in self.not_asked:
            say(f"{name}: not asked any more")
        asker = self.asker
        cost = f"; cost: {asker.cost}" if asker.cost else ""
        say(f"Tokens sent: {asker.sent:,}; received: {asker.received:,}{cost}.")

    def end(self, *, more: bool) -> None:
        """End the program if anything is left to do."""
        if self.by_user:
            interrupted(". What was answered is written")
        if self.failed or self.not_asked or more:
            sys.exit(INPUT_WRONG)


class Drafts(Struct, frozen=True):
    """What was written of a model's answers about a note, and how the asking ended."""

    asked: Asked
    applied: Applied
    updated: tuple[PurePosixPath, ...]

    def as_json(self) -> dict[str, object]:
        """The result for `--json`."""
        written, left = self.applied.written, self.applied.left
        return {
            "written": [{"section": text.section, "lang": text.lang} for text in written],
            "not_written": [{"section": text.section, "lang": text.lang, "why": why} for text, why in left],
            **self.asked.as_json(),
            "updated": [str(path) for path in self.updated],
        }

    def show(self, root: Path, untranslated: str = "") -> None:
        """Say what was written and what it cost; `untranslated` is a note that another language still lacks."""
        for text, reason in self.applied.left:
            say(f"{text.lang}.md: {text.section}: not written: {reason}")
        for path in self.updated:
            say(f"wrote {click.format_filename(root / path)}")
        say(f"Sections written: {len(self.applied.written)}; not usable: {self.asked.failed}.")
        self.asked.show()
        if self.applied.written:
            if untranslated:
                say(f"`paper-notes translate {untranslated}` writes the other language.")
            say("Read them: `reviewed: true` in note.yaml takes the badge away, and what you change is yours.")

    def end(self) -> None:
        """End the program if anything is left to do."""
        self.asked.end(more=bool(self.applied.left))


@contextmanager
def open_asker(root: Path, budget: int | None) -> Iterator[Asker]:
    """The model that the environment names. Raises UserError if there is none that can be asked."""
    model = model_of(os.environ)
    with closing(open_cache(root)) as cache, closing(Web(say=say)) as web:
        yield Asker(model, web, cache, budget)


def only_said(
    note: NoteId, questions: Sequence[Question[T]], left: Left, *, nothing: str, only_check: bool, as_json: bool
) -> bool:
    """Say what is left and what would be asked; True if that is all, because of `--check` or nothing to ask.

    `nothing` is what is said if there is nothing to ask. With `--check` it ends the program if there is something.
    """
    if not as_json:
        say_left(left)
    if not (only_check or not questions):
        if not as_json:
            say_total(questions)
        return False
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
    return True


def drafted(root: Path, note: str, questions: Sequence[Question[Texts]], asker: Asker, doing: str) -> Drafts:
    """Ask all questions about a note one after another, and write what was answered. Raises UserError."""
    texts = list[ModelText]()
    asked = ask_all(questions, asker, doing, texts.extend)
    applied, plan = _write_texts(root, note, texts, asker, questions[0][1].id)
    return Drafts(asked, applied, tuple(artifact.path for artifact in (*plan.create, *plan.update)))


def ask_all(questions: Sequence[Question[T]], asker: Asker, doing: str, take: Callable[[T], object]) -> Asked:
    """Ask all questions one after another; `take` gets what is usable of each answer. What ends this early is said."""
    failed, done, by_user = 0, 0, False
    try:
        with counting(f"{doing}: {asker.model.name}", len(questions)) as progress:
            for name, prompt, check in questions:
                asker.watch = partial(_advance, progress, done)
                outcome = asker.ask(prompt, check)
                if outcome.findings:
                    failed += 1
                    some = outcome.value is not None
                    say(f"{name}: this is left out, because it cannot be used:" if some else
                        f"{name}: this is left, because the model's answers cannot be used:")  # fmt: skip
                    for finding in outcome.findings:
                        say(f"  - {finding}")
                if outcome.doubts:
                    say(f"{name}: look at this when you read it:")
                    for doubt in outcome.doubts:
                        say(f"  - {doubt}")
                if outcome.value is not None:
                    take(outcome.value)
                done += 1
                progress(done)
    except UserError as error:
        say_problem(error.message, error.hint)
    except KeyboardInterrupt:
        by_user = True
        say("")
    return Asked(asker, failed, tuple(name for name, _, _ in questions[done:]), by_user)


def _advance(progress: Callable[..., None], done: int, share: float) -> None:
    """Show that a part of the next answer has come; the rest is its check."""
    progress(done + 0.9 * share)


def say_left(left: Left) -> None:
    """Say which sections are left as they are, and why."""
    for section, reason in left:
        say(f"{section}: left as it is: {reason}")


def say_questions(questions: Sequence[Question[T]]) -> None:
    """Say what would be sent."""
    for name, prompt, _ in questions:
        say(f"would ask for {name}: about {prompt.tokens:,} tokens")
    say_total(questions)
    where = os.environ.get("PAPER_NOTES_MODEL_URL", "")
    say(f"They would go to {where}." if where else "PAPER_NOTES_MODEL_URL is not set, so nobody can be asked yet.")


def say_total(questions: Sequence[Question[T]]) -> None:
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
