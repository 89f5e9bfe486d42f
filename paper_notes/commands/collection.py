"""Loads the collection for commands that work with notes: all of it, without errors.

Nearly all commands import this module, and help and TAB must not wait for what it needs: that is imported late.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from paper_notes.commands.progress import watched
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import Diagnostic, UserError, in_file_order
from paper_notes.sources.tree import Source, read_tree
from paper_notes.values import Struct

if TYPE_CHECKING:
    from paper_notes.engine.cache import Cache
    from paper_notes.markdown.bodies import Bodies
    from paper_notes.sources.pdf.reader import PdfReader


class OpenCollection(Struct, frozen=True):
    """A collection without errors in its files, with its cache."""

    corpus: Corpus
    pdfs: PdfReader
    cache: Cache
    sources: tuple[Source, ...]

    def bodies(self, jobs: int | None = None) -> tuple[Bodies, tuple[Diagnostic, ...]]:
        """The texts of all notes, and what is wrong in them. Those that were rendered before come from the cache."""
        from paper_notes.engine.workers import Workers
        from paper_notes.markdown.bodies import render_bodies

        corpus, words = self.corpus, self.corpus.site.words
        with closing(Workers(jobs, watch=watched)) as workers:
            return render_bodies(corpus.written, corpus.terms, self.cache, workers, words, corpus.drafts)


@contextmanager
def open_collection(root: Path, *, drafts: bool = True, pdfs: bool = True) -> Iterator[OpenCollection]:
    """The collection at `root`; what is found out meanwhile is cached. Raises UserError if it has errors.

    Without `pdfs` none is opened to see which paper it is.
    """
    from paper_notes.corpus.load import load
    from paper_notes.engine.cache import open_cache
    from paper_notes.sources.pdf.reader import PdfReader

    with closing(open_cache(root)) as cache:
        sources, unreadable = read_tree(root, cache, own_files=True)
        reader = PdfReader(cache)
        corpus, mistakes = load(sources, reader.identity if pdfs else None, cache, drafts=drafts)
        yield OpenCollection(without_errors(corpus, [*unreadable, *mistakes]), reader, cache, sources)
        cache.write()


def load_collection(root: Path, *, drafts: bool = True) -> tuple[Corpus, tuple[Source, ...]]:
    """The collection at `root`, and all of its sources. Raises UserError if it has errors.

    Without `drafts`, for what others are to read, those are left out, as in the site.
    """
    from paper_notes.corpus.load import load

    sources, unreadable = read_tree(root)
    corpus, mistakes = load(sources, drafts=drafts)
    return without_errors(corpus, [*unreadable, *mistakes]), sources


def without_errors(corpus: Corpus | None, problems: Iterable[Diagnostic], what: str = "collection") -> Corpus:
    """The corpus. Raises UserError if it is None or any of the `problems` are errors."""
    problems = corpus.severities.judged(corpus.outside_drafts(problems)) if corpus else problems
    errors = tuple(problem for problem in in_file_order(problems) if problem.severity == "error")
    if corpus is None or errors:
        raise UserError(f"the {what} has errors; fix them first", diagnostics=errors)
    return corpus
