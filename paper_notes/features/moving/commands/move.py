"""`paper-notes move`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from paper_notes.commands.collection import without_errors
from paper_notes.commands.naming import find_note
from paper_notes.commands.terminal import (
    all_or_nothing,
    check_option,
    end_check,
    json_option,
    print_json,
    root_option,
    say,
    say_waiting,
    tell,
)
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus
from paper_notes.corpus.references import name_of
from paper_notes.diagnostics import UserError
from paper_notes.features.moving.move import (
    Move,
    former_name,
    is_place,
    move_topic,
    moved_by_hand,
    topic_named,
    wanted_name,
    wanted_topic,
)
from paper_notes.features.moving.move import move as moved
from paper_notes.output.lock import locked
from paper_notes.output.renaming import Renaming, Rewrite, carry_out, finish
from paper_notes.sources.tree import Source, read_readmes, read_tree

CURED = frozenset({"dangling-reference", "duplicate-number"})
"""Errors that a collection may have when a note of it is moved."""


@click.command()
@click.argument("note")
@click.argument("to")
@root_option
@check_option
@json_option
def move(note: str, to: str, root: Path, only_check: bool, as_json: bool) -> None:
    """Move NOTE to another topic, number or name, and rewrite all references to it and in it.

    NOTE is written like spec-rl/#4 or spec-rl/04_ReSpec; TO like models/7, models/07_Name, models (the next number
    there) or 7 (in the same topic). Its old page then leads to the new one. After a folder was renamed by hand, the
    same command with its former name does the rest. NOTE and TO may also be a topic and its new name.
    """
    with all_or_nothing(), locked(root, say_waiting):
        done = None if only_check else finish(root)
        if done:
            say(f"Finished the move to {click.format_filename(root / done.new)} that was interrupted.")
        if done and done.old and is_place(note, done.old) and is_place(to, done.new):
            return
        result = _work_out(root, note, to)
        if not only_check:
            _carry_out(root, result)
    if as_json:
        edits = [
            {"path": str(edit.location.path), "line": edit.location.line, "column": edit.location.column}
            | {"old": edit.old, "new": edit.new}
            for edit in result.edits
        ]
        print_json(was=result.was, now=result.now, edits=edits, written=not only_check)
    else:
        _say(result, written=not only_check)
    if only_check:
        end_check(changes=bool(result.renamed or result.edits))


def _work_out(root: Path, reference: str, to: str) -> Move:
    """Raises UserError."""
    corpus, sources = _loaded(root)
    readmes, _ = read_readmes(root, [target.file for target in corpus.site.readme])
    if topic := topic_named(reference, corpus):
        return move_topic(corpus, sources, readmes, topic, wanted_topic(to, topic, corpus, sources))
    try:
        note = find_note(corpus, reference)
    except UserError:
        was = former_name(reference)
        with suppress(UserError):
            if was and (renamed := find_note(corpus, to)):
                return moved_by_hand(corpus, sources, readmes, renamed, was)
        raise
    return moved(corpus, sources, readmes, note, wanted_name(to, name_of(note.id), corpus, sources))


def _loaded(root: Path) -> tuple[Corpus, tuple[Source, ...]]:
    """The collection, which may have errors that a move is the cure of. Raises UserError if it has others."""
    sources, problems = read_tree(root)
    corpus, mistakes = load(sources)
    others = [problem for problem in (*problems, *mistakes) if problem.rule not in CURED]
    return without_errors(corpus, others), sources


def _carry_out(root: Path, result: Move) -> None:
    """Raises UserError."""
    if result.renamed or result.edits:
        old, new = result.renamed or (None, result.place)
        rewrites = (Rewrite(source.path, result.before[source.path], source.data) for source in result.sources)
        carry_out(root, Renaming(old, new, tuple(rewrites)))


def _say(result: Move, *, written: bool) -> None:
    """What was changed, or would be."""
    if result.renamed:
        old, new = map(click.format_filename, result.renamed)
        say(f"moved {old} to {new}" if written else f"would move {old} to {new}")
    for edit in result.edits:
        change = f"{edit.old} -> {edit.new}" if edit.old else f"+ {edit.new.strip().removesuffix(',')}"
        tell(f"changed {result.after(edit)}: {change}" if written else f"would change {edit.location}: {change}")
    for edit in result.ambiguous:
        say(f"Two notes have this number; look whether {result.after(edit)} means {edit.new}: {edit.old}")
    if not result.renamed and not result.edits:
        say("Nothing is left to do.")
    elif written:
        say("Now run `paper-notes build`: the old page leads to the new one.")
