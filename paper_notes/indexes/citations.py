"""Bibliographies of the site, of each topic and of each note, in every format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.citation.formats import FORMATS
from paper_notes.corpus.model import Corpus
from paper_notes.corpus.paper import BibKey
from paper_notes.engine.build_context import FileMemo, Report
from paper_notes.render.links import SITE, LinkResolver, note_export, site_export, topic_export


def bibliographies(corpus: Corpus, resolver: LinkResolver, memo: FileMemo) -> tuple[Artifact, ...]:
    """All bibliographies: the site's with every paper, a topic's or note's with those that it reads or cites, if any.

    Papers are in the order of their keys; in a note's, those that it reads come first, then those that it cites.
    """
    artifacts = [*_files(corpus, site_export, sorted(corpus.own_papers), memo)]
    for topic in corpus.topics:
        artifacts += _files(corpus, partial(topic_export, topic.id), sorted(resolver.papers_of_topic(topic.id)), memo)
    for note in corpus.notes:
        artifacts += _files(corpus, partial(note_export, note), resolver.papers_of_note(note.id), memo)
    return tuple(artifacts)


def _files(
    corpus: Corpus, path: Callable[[str], PurePosixPath], keys: Sequence[BibKey], memo: FileMemo
) -> tuple[Artifact, ...]:
    papers = tuple(corpus.papers[key] for key in keys)

    def make(report: Report) -> Iterator[Artifact]:
        for form in FORMATS:
            yield Artifact.text(SITE / path(form.suffix), form.write(papers))

    return memo.files(str(path("")), papers, make) if papers else ()
