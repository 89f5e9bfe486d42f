"""`paper-notes move`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path, PurePosixPath

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
from paper_notes.corpus.references import name_of
from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import Cache, open_cache
from paper_notes.features.moving.move import (
    Move,
    former_name,
    move_topic,
    moved_by_hand,
    topic_named,
    wanted_name,
    wanted_topic,
)
from paper_notes.features.moving.move import move as move_notes
from paper_notes.features.moving.order import placed_before, swapped
from paper_notes.features.moving.references import CollectionFiles
from paper_notes.output.lock import locked
from paper_notes.output.renaming import carry_out, finish
from paper_notes.sources.tree import NOTHING_UNSAVED, read_readmes, read_tree

CURED = frozenset({"dangling-reference", "duplicate-number"})
"""Errors that a collection may have when a note of it is moved."""


@click.command()
@click.argument("note")
@click.argument("to", required=False)
@click.option("--before", metavar="NOTE", help="Put it before this one: those behind move up as far as needed.")
@click.option("--swap", metavar="NOTE", help="Let the two change places.")
@check_option
@root_option
@json_option
def move(
    note: str, to: str | None, before: str | None, swap: str | None, root: Path, only_check: bool, as_json: bool
) -> None:
    """Move NOTE to another topic, number or name, and rewrite all references to it and in it.

    NOTE is written like spec-rl/#4 or spec-rl/04_ReSpec; TO like models/7, models/07_Name, models (the next number
    there) or 7 (in the same topic). Its old page then leads to the new one. After a folder was renamed by hand, the
    same command with its former name does the rest. NOTE and TO may also be a topic and its new name.
    """
    given = [(name, value) for name, value in (("TO", to), ("--before", before), ("--swap", swap)) if value]
    if len(given) != 1:
        raise click.UsageError("Say one thing: TO, --before or --swap.")
    words = [note, given[0][1]] if to else [note, *given[0]]

    def work_out(files: CollectionFiles) -> Move:
        if to:
            return _to(files, note, to)
        names = [name_of(each.id) for each in files.corpus.notes]
        own, other = (name_of(find_note(files.corpus, text).id) for text in (note, before or swap or ""))
        places = placed_before(names, own, other) if before else swapped(own, other)
        return move_notes(files, places)

    change(root, ["move", *words], work_out, only_check=only_check, as_json=as_json)


def _to(files: CollectionFiles, reference: str, to: str) -> Move:
    """Raises UserError."""
    corpus = files.corpus
    if topic := topic_named(reference, corpus):
        return move_topic(files, topic, wanted_topic(to, topic, files))
    try:
        note = find_note(corpus, reference)
    except UserError:
        was = former_name(reference)
        with suppress(UserError):
            if was and (renamed := find_note(corpus, to)):
                return moved_by_hand(files, renamed, was)
        raise
    now = wanted_name(to, name_of(note.id), files)
    return move_notes(files, {note.id: now.id})


def change(
    root: Path,
    command: Sequence[str],
    work_out: Callable[[CollectionFiles], Move],
    *,
    only_check: bool,
    as_json: bool,
) -> None:
    """Work out, carry out and say what `command` means for the files of the collection. Raises UserError.

    A run of the same command that was killed is finished, and so is one of another, before this is worked out.
    """
    line = shlex.join(command)
    with all_or_nothing(), locked(root, say_waiting), closing(open_cache(root)) as cache:
        done = None if only_check else finish(root)
        if done:
            say(f"Finished what was interrupted: paper-notes {done.command}")
        if done and done.command == line:
            return
        result = work_out(loaded(root, cache))
        if not only_check and not result.empty:
            carry_out(root, result.renaming(line))
    if as_json:
        edits = [
            {"path": str(edit.location.path), "line": edit.location.line, "column": edit.location.column}
            | {"old": edit.old, "new": edit.new}
            for edit in result.edits
        ]
        moved = [{"was": was, "now": now} for was, now in result.ids.items()]
        removed = [str(path) for path in result.removed]
        print_json(moved=moved, removed=removed, edits=edits, written=not only_check)
    else:
        _say(result, written=not only_check)
    if only_check:
        end_check(changes=not result.empty)


def loaded(root: Path, cache: Cache, unsaved: Mapping[PurePosixPath, bytes] = NOTHING_UNSAVED) -> CollectionFiles:
    """The collection, which may have errors that a move is the cure of. Raises UserError if it has others.

    `unsaved` as in `read_tree`.
    """
    sources, problems = read_tree(root, cache, unsaved)
    corpus, mistakes = load(sources, cache=cache)
    others = [problem for problem in (*problems, *mistakes) if problem.rule not in CURED]
    corpus = without_errors(corpus, others)
    readmes, _ = read_readmes(root, [target.file for target in corpus.site.readme])
    return CollectionFiles(corpus, sources, readmes, cache)


def _say(result: Move, *, written: bool) -> None:
    """What was changed, or would be."""
    for pair in result.renamed:
        old, new = map(click.format_filename, pair)
        say(f"moved {old} to {new}" if written else f"would move {old} to {new}")
    for path in result.removed:
        say(f"removed {path}" if written else f"would remove {path}")
    for edit in result.edits:
        text = f"{edit.old} -> {edit.new}" if edit.old else f"+ {edit.new.strip().removesuffix(',')}"
        tell(f"changed {result.after(edit)}: {text}" if written else f"would change {edit.location}: {text}")
    for source in result.sources if not result.edits else ():
        say(f"updated {source.path}" if written else f"would update {source.path}")
    for edit in result.ambiguous:
        say(f"Two notes have this number; look whether {result.after(edit)} means {edit.new}: {edit.old}")
    if result.empty:
        say("Nothing is left to do.")
    elif written:
        leads = ": the old page leads to the new one" if result.ids else ""
        say(f"Now run `paper-notes build`{leads}.")
