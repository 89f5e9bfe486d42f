"""`paper-notes verify`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from paper_notes.commands.collection import open_collection
from paper_notes.commands.help import columns
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import (
    INPUT_WRONG,
    all_or_nothing,
    fail,
    is_terminal,
    jobs_option,
    json_option,
    print_json,
    root_option,
    say,
    say_diagnostics,
    say_waiting,
    speaks,
    tell,
    translated,
)
from paper_notes.corpus.model import Corpus, Note
from paper_notes.diagnostics import Diagnostic, in_file_order
from paper_notes.features.verify.accepting import Dialogue, claims_to_decide, with_accepted
from paper_notes.features.verify.commands.accepting import Screens, ask
from paper_notes.features.verify.evidence import KINDS
from paper_notes.features.verify.report import NoteReport, reports_on, to_keep
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked

_WIDTH = 20


@click.command()
@click.argument("note", metavar="[NOTE]...", nargs=-1)
@click.option("--keep", is_flag=True, help="Keep the results beside the notes, for pages and for clones without PDFs.")
@click.option("--accept", is_flag=True, help="Decide what each number is bound to, a key for each, and keep that.")
@click.option("--crops", is_flag=True, help="Keep where cells stand, too: cards of numbers then show their tables.")
@click.option("--yes", is_flag=True, help="With --accept: accept what is certain without asking.")
@click.option("--all", "show_all", is_flag=True, help="Show each number with its place, and each sentence to check.")
@root_option
@jobs_option
@json_option
def verify(
    note: tuple[str, ...],
    keep: bool,
    accept: bool,
    crops: bool,
    yes: bool,
    show_all: bool,
    root: Path,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Look in the papers for the numbers and quotations of NOTE, or of all notes.

    NOTE is written as in `show`. A number is looked for in the place that the note names beside it, such as Table 2,
    in its row and column. Nothing is sent anywhere, and nothing is proved: a number that is found may still be used
    wrongly. Numbers of your own are declared in the text, [7.1]{from="1/(1-0.86)"}, see the guide.
    """
    if accept:
        _accept(root, note, jobs, certain=yes, crops=crops)
        return
    keep = keep or crops
    if keep:
        with all_or_nothing(), locked(root, say_waiting):
            corpus, reports = examined(root, note, jobs)
            updated = _keep(root, corpus, reports, crops=crops)
    else:
        corpus, reports = examined(root, note, jobs)
        updated = []
    if as_json:
        print_json(notes=[_as_json(report) for report in reports], kept=updated)
        _end(corpus, reports)
    for report in reports:
        _print(corpus, report, show_all=show_all)
        if note or show_all:
            _print_details(corpus, report, show_all=show_all)
    if keep:
        say(f"kept: {', '.join(updated)}" if updated else "what is kept is up to date")
    elif any(finding for report in reports for finding in report.findings) and not note:
        say("Name a note to see where: `paper-notes verify spec-rl/4`")
    elif any(row.kept.kind == "ambiguous" for report in reports for row in report.rows):
        say(f"Say which cells are meant: `paper-notes verify {' '.join(note)} --accept`")
    _end(corpus, reports)


def _accept(root: Path, names: Sequence[str], jobs: int | None, *, certain: bool, crops: bool) -> None:
    """Ask for each number what it is bound to, and keep the answers."""
    if not (certain or is_terminal()):
        fail("--accept asks, so it needs a terminal", "accept what is certain without being asked: --accept --yes")
    corpus, reports = examined(root, names, jobs)
    accepted, asked = 0, is_terminal()
    decided = []
    for report in reports:
        languages = corpus.note(report.note).languages
        dialogue = Dialogue(claims_to_decide(report, speaks() if speaks() in languages else languages[0]))
        screens = Screens(corpus, report)
        if certain:
            dialogue.accept_certain()
        asked = asked and ask(dialogue, screens)
        bindings = {binding for binding in dialogue.decided.values() if binding}
        spots = {binding: spot for binding in bindings if (spot := screens.spot(binding))}
        decided.append(with_accepted(report, dialogue, spots))
        accepted += dialogue.accepted
    with all_or_nothing(), locked(root, say_waiting):
        kept = _keep(root, corpus, decided, crops=crops)
    say(
        f"{accepted} are accepted and kept in {', '.join(kept)}"
        if kept
        else f"{accepted} are accepted; what is kept is up to date"
    )


def _end(corpus: Corpus, reports: Iterable[NoteReport]) -> None:
    """Exit 1 if a finding is an error, as the collection's rules have it."""
    findings = corpus.severities.judged(finding for report in reports for finding in report.findings)
    sys.exit(INPUT_WRONG if any(finding.severity == "error" for finding in findings) else 0)


def examined(root: Path, names: Sequence[str], jobs: int | None) -> tuple[Corpus, tuple[NoteReport, ...]]:
    """The collection, and what is found out about the notes that were named, or all. Raises UserError."""
    with open_collection(root) as collection:
        corpus = collection.corpus
        notes: Iterable[Note] = [the_note(corpus, root, name) for name in names]
        if not names:  # all that say something of papers; a list of papers quotes them, and has its own care
            notes = (note for note in corpus.written if note.papers and not note.entries)
        return corpus, tuple(reports_on(corpus, collection.bodies(jobs)[0], collection.pdfs, notes))


def facts_of(root: Path, jobs: int | None) -> tuple[Diagnostic, ...]:
    """The findings of all notes, for `check --verify`. Raises UserError."""
    corpus, reports = examined(root, (), jobs)
    return in_file_order(corpus.severities.judged(finding for report in reports for finding in report.findings))


def _keep(root: Path, corpus: Corpus, reports: Iterable[NoteReport], *, crops: bool) -> list[str]:
    artifacts = [file for report in reports for file in to_keep(corpus.note(report.note), report, crops=crops)]
    plan = compare(root, artifacts, adopt=True)
    apply_whole(root, plan)
    return [str(artifact.path) for artifact in (*plan.create, *plan.update)]


def _print(corpus: Corpus, report: NoteReport, *, show_all: bool) -> None:
    note = corpus.note(report.note)
    tell(f"{note.reference} {note.title[note.languages[0]]}", bold=True)
    for paper in report.held:
        if paper.paper.key in note.papers or show_all:
            where = f"{paper.path}, {paper.index.passages.pages} p." if paper.index else translated("no PDF")
            tell(f"  {paper.paper.key}: {where}")
    languages = note.languages
    tell("  " + " " * _WIDTH + "".join(f"{lang:>8}" for lang in languages))
    counts = {lang: report.counts(lang) for lang in languages}
    for kind in KINDS:
        numbers = [counts[lang][kind] for lang in languages]
        if any(numbers):
            tell(_line(translated(KINDS[kind]), numbers))
    others: dict[str, int] = {}
    for finding in report.findings:
        if finding.rule not in ("fact-not-found", "fact-elsewhere", "fact-differs"):
            others[finding.rule] = others.get(finding.rule, 0) + 1
    for rule, count in others.items():
        tell(_line(rule, [count]))
    if report.claims:
        tell(_line(translated("sentences to check"), [len(report.claims)]))
    tell("")


def _line(name: str, numbers: Sequence[int]) -> str:
    return "  " + name + " " * (_WIDTH - columns(name)) + "".join(f"{number:8,}" for number in numbers)


def _print_details(corpus: Corpus, report: NoteReport, *, show_all: bool) -> None:
    """Where things are."""
    if show_all:
        paths = {text.lang: text.path for text in corpus.note(report.note).texts}
        for row in report.rows:
            if row.kept.verdict != "unchecked":
                where = f"{paths[row.lang]}:{row.line}:{row.column}"
                tell(f"{where}  {row.kept.text}  {translated(KINDS[row.kept.kind])}  {translated(row.place)}".rstrip())
        tell("")
        tell(translated("No search can check these sentences:"), bold=True)
        for location, said in report.claims:
            tell(f"{location.path}:{location.line}  {said}")
    say_diagnostics(in_file_order(corpus.severities.judged(report.findings)))


def _as_json(report: NoteReport) -> dict[str, object]:
    languages = dict.fromkeys(row.lang for row in report.rows)
    return {
        "note": report.note,
        "papers": [
            {"key": paper.paper.key, "pdf": paper.path or None, "sha256": paper.sha256 or None} for paper in report.held
        ],
        "counts": {lang: report.counts(lang) for lang in languages},
        "numbers": [
            {
                "lang": row.lang,
                "section": row.section,
                "line": row.line,
                "column": row.column,
                "number": row.kept.text,
                "result": row.kept.verdict,
                "bound": row.kept.kind,
                "binding": str(row.kept.binding or "") or None,
                "accepted": bool(row.kept.accepted),
                "paper": row.kept.spot.key if row.kept.spot else None,
                "place": row.place or None,
                "chance": row.kept.chance,
                "kept": row.from_kept,
            }
            for row in report.rows
        ],
        "findings": [finding.as_json() for finding in report.findings],
        "sentences": [
            {"file": str(location.path), "line": location.line, "text": said} for location, said in report.claims
        ],
    }
