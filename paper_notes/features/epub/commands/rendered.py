"""Loads what is published of a collection, with its texts rendered, for commands that give notes to other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.collection import open_collection, without_errors
from paper_notes.commands.naming import below, find_topic, here, names_of
from paper_notes.commands.terminal import fail, say
from paper_notes.corpus.model import Corpus, Lang, TopicId
from paper_notes.diagnostics import UserError
from paper_notes.markdown.bodies import Bodies
from paper_notes.output.disk import apply_whole, compare
from paper_notes.render.crops import Crops
from paper_notes.render.excerpts import excerpts_of
from paper_notes.render.links import LinkResolver, link_resolver
from paper_notes.render.notes import wrong_references
from paper_notes.values import Struct


class Rendered(Struct, frozen=True):
    """A collection without errors, and what its texts refer to."""

    corpus: Corpus
    bodies: Bodies
    resolver: LinkResolver


@contextmanager
def rendered_collection(root: Path, jobs: int | None = None, *, drafts: bool) -> Iterator[Rendered]:
    """The collection at `root`, without drafts unless they are asked for. Raises UserError.

    Texts that were rendered before come from the cache.
    """
    with open_collection(root, drafts=drafts) as collection:
        corpus = collection.corpus
        bodies, mistakes = collection.bodies(jobs)
        resolver = link_resolver(corpus, bodies.outlines, Crops(corpus, collection.pdfs), excerpts_of(bodies))
        without_errors(corpus, [*mistakes, *wrong_references(corpus, bodies, resolver)])
        yield Rendered(corpus, bodies, resolver)


def chosen_languages(corpus: Corpus, lang: str | None) -> tuple[Lang, ...]:
    """The languages that are wanted: those of the site, or one of them. Raises UserError."""
    known = corpus.site.languages
    if lang in (None, "both"):
        return known
    if lang not in known:
        raise UserError(f'the site has no language "{lang}"', f"known: both, {', '.join(known)}")
    return tuple(tag for tag in known if tag == lang)


def chosen_topic(corpus: Corpus, root: Path, typed: str) -> TopicId | None:
    """The topic that was named; None if it is none."""
    return find_topic(names_of(corpus), below(root, typed), here(root))


def say_left_out(corpus: Corpus, topic: TopicId | None = None) -> None:
    """Say how many drafts of the collection, or of a topic, are not in what was made of it."""
    count = sum(topic in (None, note.topic) for note in corpus.drafts)
    if count == 1:
        say("1 draft is left out; --drafts takes it as well")
    elif count:
        say(f"{count} drafts are left out; --drafts takes them as well")


def write_files(target: Path, files: Iterable[Artifact], *, force: bool) -> None:
    """Write files into the folder of `target`; other files that are there already only with `force`."""
    plan = compare(target.parent, list(files))
    if plan.update and not force:
        fail(f"{click.format_filename(target)} is there already", "add --force, or name another with --output")
    apply_whole(target.parent, plan)
