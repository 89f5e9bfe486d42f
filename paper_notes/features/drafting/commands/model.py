"""A model for commands: named by the environment, with the collection's cache, and what is said of its answers."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import click

from paper_notes.commands.terminal import INPUT_WRONG, interrupted, say, say_problem
from paper_notes.features.papers.commands.progress import counting

T = TypeVar("T")

if TYPE_CHECKING:
    from paper_notes.features.drafting.asking import Asker, Checked
    from paper_notes.features.drafting.ownership import Landed, MadeBy, Text
    from paper_notes.features.drafting.prompts import Prompt
    from paper_notes.output.plan import Plan

    Questions = Sequence[tuple[str, Prompt, Callable[[str], Checked[T]]]]

budget_option = click.option(
    "--max-tokens",
    "budget",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop before more than N tokens are sent and received.",
)
check_option = click.option(
    "--check", "only_check", is_flag=True, help="Ask nobody, write nothing: say what would be sent, and how much."
)


@dataclass(frozen=True)
class Answers(Generic[T]):
    """What a model gave for questions, and how it ended."""

    values: tuple[T, ...]
    failed: int
    tokens: int
    stopped: bool
    """Not all were asked, because the model or the budget gave out; this has been said."""
    by_user: bool
    """Ctrl-C was pressed."""


@contextmanager
def open_asker(root: Path, budget: int | None) -> Iterator[Asker]:
    """The model that the environment names. Raises UserError if there is none that can be asked."""
    from paper_notes.engine.cache import open_cache
    from paper_notes.features.drafting.asking import Asker
    from paper_notes.features.drafting.endpoint import Endpoint, model_of

    model = model_of(os.environ)
    with closing(open_cache(root)) as cache, closing(Endpoint(model, say=say)) as endpoint:
        yield Asker(endpoint, cache, budget)


def answers(asker: Asker, questions: Questions[T], doing: str) -> Answers[T]:
    """Ask all questions one after another. What ends this early is said, and what was answered stays."""
    from paper_notes.diagnostics import UserError

    values: list[T] = []
    failed, stopped, by_user = 0, False, False
    try:
        with counting(f"{doing}: {asker.source.model.name}", len(questions)) as progress:
            for number, (name, prompt, check) in enumerate(questions, 1):
                outcome = asker.ask(prompt, check)
                if outcome.findings:
                    failed += 1
                    _say_failure(name, outcome.findings)
                if outcome.value is not None:
                    values.append(outcome.value)
                progress(number)
    except UserError as error:
        stopped = True
        say_problem(error.message, error.hint)
    except KeyboardInterrupt:
        by_user = True
        say("")
    return Answers(tuple(values), failed, asker.tokens, stopped, by_user)


def _say_failure(name: str, findings: Sequence[str]) -> None:
    say(f"{name}: this is left, because the model's answers cannot be used:")
    for finding in findings:
        say(f"  - {finding}")


def say_left(left: Sequence[tuple[str, str]]) -> None:
    """Say which sections are left as they are, and why."""
    for section, reason in left:
        say(f"{section}: left as it is: {reason}")


def say_questions(questions: Questions[T]) -> None:
    """Say what would be sent."""
    for name, prompt, _ in questions:
        say(f"would ask for {name}: about {prompt.tokens:,} tokens")
    total = sum(prompt.tokens for _, prompt, _ in questions)
    expected = sum(prompt.expected for _, prompt, _ in questions)
    say(f"In all {len(questions)} questions, about {total:,} tokens sent and {expected:,} received: an estimate.")
    where = os.environ.get("PAPER_NOTES_MODEL_URL", "")
    say(f"They would go to {where}." if where else "PAPER_NOTES_MODEL_URL is not set, so nobody can be asked yet.")


def questions_as_json(questions: Questions[T]) -> list[dict[str, object]]:
    """What would be sent, word for word."""
    return [{"section": name, "tokens": prompt.tokens, "messages": prompt.messages} for name, prompt, _ in questions]


def write_texts(root: Path, note: str, texts: Sequence[Text], asker: Asker, prompt: str) -> tuple[Landed, Plan]:
    """Write texts into a note as it is now: much may have changed while the model was asked. Raises UserError."""
    from paper_notes.commands.collection import load_collection
    from paper_notes.commands.naming import the_note
    from paper_notes.commands.terminal import say_waiting
    from paper_notes.diagnostics import UserError
    from paper_notes.features.drafting.ownership import MadeBy, land
    from paper_notes.features.papers.scaffold import check_builds
    from paper_notes.output.disk import apply_whole, compare
    from paper_notes.output.lock import locked

    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
    with locked(root, say_waiting):
        corpus, sources = load_collection(root)
        found = the_note(corpus, root, note)
        made_by: MadeBy = MadeBy(asker.source.model.name, prompt, today)
        landed = land(found, sources, texts, corpus.site.words, made_by)
        try:
            check_builds(sources, landed.artifacts)
        except UserError as error:
            raise UserError(error.message, "nothing was written; the answers are kept for the next run") from error
        plan = compare(root, landed.artifacts, read=sources)
        apply_whole(root, plan)
    return landed, plan


def as_values(made: Answers[T], landed: Landed, plan: Plan) -> dict[str, object]:
    """The result for `--json`."""
    return {
        "written": [{"section": text.section, "lang": text.lang} for text in landed.written],
        "not_written": [{"section": text.section, "lang": text.lang, "why": why} for text, why in landed.left],
        "failed": made.failed,
        "tokens": made.tokens,
        "updated": [str(artifact.path) for artifact in (*plan.create, *plan.update)],
    }


def say_written(root: Path, made: Answers[T], landed: Landed, plan: Plan, other: str = "") -> None:
    """Say what was written and what it cost; `other` is a note that another language of the site still lacks."""
    for text, reason in landed.left:
        say(f"{text.lang}.md: {text.section}: not written: {reason}")
    for artifact in (*plan.create, *plan.update):
        say(f"wrote {click.format_filename(root / artifact.path)}")
    say(f"Sections written: {len(landed.written)}; not usable: {made.failed}; tokens used: {made.tokens:,}.")
    if landed.written:
        if other:
            say(f"`paper-notes translate {other}` writes the other language.")
        say("Read them: `reviewed: true` in note.yaml takes the badge away, and what you change is yours.")


def end(made: Answers[T], landed: Landed) -> None:
    """End the program if anything is left to do."""
    if made.by_user:
        interrupted(". What was answered is written")
    if made.failed or made.stopped or landed.left:
        sys.exit(INPUT_WRONG)
