"""Bibliographies to take along: for the site, for each topic and for each note, in every format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.citation.formats import FORMATS
from paper_notes.corpus.model import Corpus
from paper_notes.corpus.paper import BibKey
from paper_notes.engine.file_memo import FileMemo, Report
from paper_notes.render.links import SITE, LinkResolver, note_export, site_export, topic_export


def bibliographies(corpus: Corpus, resolver: LinkResolver, once: FileMemo) -> tuple[Artifact, ...]:
    """All files. The site has every paper, a topic those that its notes read or cite; where there are none, no file.

    Papers are in the order of their keys; those of a note as the note has them, the papers it reads first.
    """
    made = [*_files(corpus, site_export, sorted(corpus.papers), once)]
    for topic in corpus.topics:
        made += _files(corpus, partial(topic_export, topic.id), sorted(resolver.papers_of_topic(topic.id)), once)
    for note in corpus.notes:
        made += _files(corpus, partial(note_export, note), resolver.papers_of_note(note.id), once)
    return tuple(made)


def _files(
    corpus: Corpus, path: Callable[[str], PurePosixPath], keys: Sequence[BibKey], once: FileMemo
) -> tuple[Artifact, ...]:
    papers = tuple(corpus.papers[key] for key in keys)

    def make(report: Report) -> Iterator[Artifact]:
        for form in FORMATS:
            yield Artifact.text(SITE / path(form.suffix), form.write(papers))

    return once.files(str(path("")), papers, make) if papers else ()
