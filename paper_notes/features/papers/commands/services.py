"""What importers may use in a command: the network, with answers kept, and the user, who chooses among papers."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import click

from paper_notes.commands.progress import counting
from paper_notes.commands.terminal import is_terminal, say, say_problem
from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.arxiv import BATCH, ask_many
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Choice, Services, nobody_chooses
from paper_notes.features.papers.pdf_facts import PdfFacts, facts_of
from paper_notes.features.papers.web import DAY, Web
from paper_notes.sources.tree import read_input_file

_LISTED = 50
"""Papers that are listed at most."""
_LONGEST = 100
"""Characters of a title that are shown."""


@contextmanager
def open_web(root: Path, instead: str | None = None) -> Iterator[Web]:
    """A Web with the cache of the collection. `instead` is what the user can do without any service."""
    from paper_notes.engine.cache import open_cache  # slow to import, and the help of commands is quick

    with (
        closing(open_cache(root)) as cache,
        closing(Web(store=cache, addresses=os.environ, say=say, instead=instead)) as web,
    ):
        yield web


def ask_arxiv(
    root: Path, ids: Sequence[ArxivId], *, instead: str, fresh: float = DAY
) -> dict[ArxivId, Draft | UserError]:
    """The answer of arXiv for each paper. If it cannot be reached, the error is that of all papers left."""
    answers: dict[ArxivId, Draft | UserError] = {}
    if not ids:
        return answers
    with open_web(root, instead) as web, counting("Asking arXiv", len(ids)) as progress:
        for start in range(0, len(ids), BATCH):
            try:
                answers |= ask_many(web, ids[start : start + BATCH], fresh=fresh)
            except UserError as problem:
                answers |= dict.fromkeys(ids[start:], problem)
                break
            progress(min(start + BATCH, len(ids)))
    return answers


def say_failures(problems: Iterable[tuple[str, UserError]]) -> None:
    """Print each problem once, with the papers that it concerns: pairs of a key or an id and the problem."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for name, problem in problems:
        by_reason.setdefault((problem.message, problem.hint), []).append(name)
    for (message, hint), names in by_reason.items():
        say_problem(message)
        if len(names) > 1 or names[0] not in message:
            say(f"  not known: {', '.join(names)}")
        if hint:
            say(f"  hint: {hint}")


@contextmanager
def open_services(
    root: Path,
    papers: Mapping[BibKey, Paper],
    command: Callable[[str], str] | None = None,
    *,
    offline: bool = False,
    named: bool = True,
    instead: str | None = None,
) -> Iterator[Services]:
    """What importers may use: the network unless `offline`, these papers, and the user's files.

    `command` is what to run for one of several papers, by its reference; without it nobody is asked to choose.
    """
    choose = _chooser(command) if command else nobody_chooses
    with open_web(root, instead) as web:
        yield Services(
            None if offline else web, papers, lambda path: read_input_file(Path(path)), _read_pdf, say, choose, named
        )


def _read_pdf(data: bytes) -> PdfFacts:
    say("Reading the PDF ...")
    return facts_of(data)


def _chooser(command: Callable[[str], str]) -> Callable[[Sequence[Choice], UserError], int]:
    """Asks which of several papers is meant; where nobody can be asked, lists them."""

    def choose(choices: Sequence[Choice], problem: UserError) -> int:
        for number, choice in enumerate(choices[:_LISTED], 1):
            say(f"{number:3}  {_line(choice)}")
        if len(choices) > _LISTED:
            say(f"     and {len(choices) - _LISTED} more")
        if not is_terminal():
            hint = f"for the first of them: {command(choices[0].reference)}; {problem.hint}"
            raise UserError(problem.message, hint)
        try:
            answer: int = click.prompt("Which one? 0 for none", type=click.IntRange(0, len(choices)), err=True)
        except click.Abort:
            answer = 0
        if answer == 0:
            raise UserError("no paper was chosen", problem.hint)
        return answer - 1

    return choose


def _line(choice: Choice) -> str:
    draft, title = choice.draft, choice.draft.title or ""
    title = title if len(title) <= _LONGEST else f"{title[:_LONGEST]}…"
    facts = ", ".join(filter(None, (draft.short_authors, f"{draft.year or ''}")))
    alike = f", {choice.likeness:.0%} alike" if choice.likeness is not None else ""
    return f"{title} ({facts or 'authors unknown'}{alike}): {shlex.quote(choice.reference)}"
