"""`paper-notes topic`: topics are made, put in another order, renamed and removed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.help import CommandGroup
from paper_notes.commands.terminal import (
    all_or_nothing,
    check_option,
    end_check,
    json_option,
    print_json,
    root_option,
    say_changes,
    say_waiting,
)
from paper_notes.corpus.load import SITE_FILE, load
from paper_notes.corpus.model import Corpus, TopicId
from paper_notes.corpus.references import name_of
from paper_notes.corpus.schema import MAX_TEXT
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.engine.cache import open_cache
from paper_notes.features.moving.commands.move import change, loaded
from paper_notes.features.moving.commands.remove import allowed, not_in_git_option
from paper_notes.features.moving.move import Move, move_topic, topic_named, wanted_topic
from paper_notes.features.moving.move import move as move_notes
from paper_notes.features.moving.order import renumbered, reordered
from paper_notes.features.moving.references import CollectionFiles
from paper_notes.features.moving.remove import remove_topic
from paper_notes.features.moving.topics import first_topic_files, with_topic
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.sources.characters import one_line

_before_option = click.option("--before", metavar="TOPIC", help="Put it before this topic; else it is the last.")


@click.group(cls=CommandGroup)
def topic() -> None:
    """Make, order, rename and remove topics: folders of notes below notes_src/, which site.yaml names."""


@topic.command()
@click.argument("name")
@click.option("--title", metavar="TITLE", help="What readers see; else the name of the folder.")
@_before_option
@check_option
@root_option
@json_option
def new(name: str, title: str | None, before: str | None, root: Path, only_check: bool, as_json: bool) -> None:
    """Make the topic NAME: its folder, its topic.yaml, and its line in site.yaml."""
    with all_or_nothing(), locked(root, say_waiting), closing(open_cache(root)) as cache:
        corpus, sources, *_ = loaded(root, cache)
        if name in corpus.site.topics:
            raise UserError(f"the topic {name} is there already", "write notes into it")
        changed = with_topic(sources, name, _place(corpus, before))
        site = next(source for source in changed if source.path == SITE_FILE)
        after, _ = load(changed)
        titled = one_line(name if title is None else title)
        if not 0 < len(titled) <= MAX_TEXT:
            raise UserError(f'"{titled[:80]}" cannot be the title of a topic', "give it a few words")
        titles = dict.fromkeys(map(str, corpus.site.languages), titled)
        files = [Artifact(SITE_FILE, site.data), *(first_topic_files(after, sources, titles) if after else ())]
        plan = compare(root, files, read=sources)
        if not only_check:
            apply_whole(root, plan)
    if as_json:
        created, updated = ([str(artifact.path) for artifact in part] for part in (plan.create, plan.update))
        print_json(created=created, updated=updated, written=not only_check)
    else:
        say_changes(plan, None if only_check else root)
    if only_check:
        end_check(changes=not plan.empty)


def _place(corpus: Corpus, before: str | None) -> int | None:
    """Where in the list a topic goes that is to be before another. Raises UserError."""
    return list(corpus.site.topics).index(_known(corpus, before)) if before else None


def _known(corpus: Corpus, text: str) -> TopicId:
    if known := topic_named(text, corpus):
        return known
    raise UserError(f'there is no topic "{text}"', did_you_mean(text, corpus.site.topics))


@topic.command()
@click.argument("name", metavar="TOPIC")
@click.argument("to", metavar="[NEW NAME]", required=False)
@_before_option
@check_option
@root_option
@json_option
def move(name: str, to: str | None, before: str | None, root: Path, only_check: bool, as_json: bool) -> None:
    """Give TOPIC another name, with all references to its notes, or another place among the topics."""
    if bool(to) == bool(before):
        raise click.UsageError("Say one thing: a new name, or --before.")

    def work_out(files: CollectionFiles) -> Move:
        known = _known(files.corpus, name)
        if to:
            return move_topic(files, known, wanted_topic(to, known, files))
        return reordered(files, known, _known(files.corpus, before or ""))

    command = ["topic", "move", name, *((to,) if to else ("--before", before or ""))]
    change(root, command, work_out, only_check=only_check, as_json=as_json)


@topic.command()
@click.argument("name", metavar="TOPIC")
@check_option
@root_option
@json_option
def renumber(name: str, root: Path, only_check: bool, as_json: bool) -> None:
    """Give the notes of TOPIC the numbers from 1 on, in their order, and rewrite all references to them."""

    def work_out(files: CollectionFiles) -> Move:
        places = renumbered([name_of(note.id) for note in files.corpus.notes], _known(files.corpus, name))
        return move_notes(files, places)

    change(root, ["topic", "renumber", name], work_out, only_check=only_check, as_json=as_json)


@topic.command()
@click.argument("name", metavar="TOPIC")
@not_in_git_option
@check_option
@root_option
@json_option
def remove(name: str, uncommitted: bool, root: Path, only_check: bool, as_json: bool) -> None:
    """Remove TOPIC, which has no notes any more: its folder and its line in site.yaml."""

    def work_out(files: CollectionFiles) -> Move:
        result = remove_topic(files, _known(files.corpus, name))
        return allowed(root, result, uncommitted=uncommitted or only_check)

    command = ["topic", "remove", name, *(("--uncommitted",) if uncommitted else ())]
    change(root, command, work_out, only_check=only_check, as_json=as_json)
