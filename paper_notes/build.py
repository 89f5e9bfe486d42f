"""The whole build, top to bottom."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from paper_notes.artifacts import Artifact
from paper_notes.checks import check
from paper_notes.corpus.former import remember_names, with_new_names
from paper_notes.corpus.load import load
from paper_notes.diagnostics import Diagnostic, has_errors, in_file_order
from paper_notes.engine.build_context import BuildContext
from paper_notes.engine.cache import Cache, open_cache
from paper_notes.engine.gc_tuning import infrequent_gc
from paper_notes.engine.workers import Workers
from paper_notes.indexes.site import NO_PDFS, PdfBytes, indexes, pdf_bytes
from paper_notes.markdown.bodies import render_bodies
from paper_notes.output.disk import MANIFEST, Disk, apply, compare
from paper_notes.output.fingerprint import remember, snapshot
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan
from paper_notes.output.staging import Stage, remove_stale, remove_temporary
from paper_notes.render.site_pages import render_pages
from paper_notes.render.theme.own_places import in_own_files
from paper_notes.render.theme.theme import read_theme
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import SOURCE_FOLDER, Source, read_readmes, read_tree


@dataclass(frozen=True)
class Build:
    """What a build found out. `plan` is None if there are errors: then nothing may be written."""

    plan: Plan | None
    diagnostics: tuple[Diagnostic, ...]
    notes: int = 0
    pdf_bytes: PdfBytes = NO_PDFS
    readmes: tuple[Source, ...] = ()
    """The files outside of the site whose marked regions are kept."""
    rewritten: Callable[[Source], Artifact | None] = lambda source: None
    """The page of a note whose text is all that changed since: lets `serve` show it before the next build ends."""
    settled: bool = True
    """False if something took too long to be read: the next build tries again."""


def build(root: Path, jobs: int | None = 1, executor: Executor | None = None, *, adopt: bool = False) -> Build:
    """Work out the site of the collection at `root`, without writing any of it; `output.disk.apply` would do that.

    `jobs` and `executor` are those of `Workers`, `adopt` is that of `compare`.
    """
    with closing(open_cache(root)) as cache, closing(Workers(jobs, executor)) as workers:
        return _build(root, Disk(root, cache), cache, workers, adopt=adopt)


def update(
    root: Path,
    jobs: int | None = None,
    executor: Executor | None = None,
    waiting: Callable[[], None] = lambda: None,
    cache: Cache | None = None,
    *,
    adopt: bool = False,
) -> Build:
    """Bring the site of the collection at `root` up to date. `waiting` is called if another build is at it now.

    Whoever builds again and again passes the same `cache`: then what is known is not even read from disk.
    """
    if not (root / SOURCE_FOLDER).is_dir():
        return build(root)
    with ExitStack() as stack:
        stack.enter_context(locked(root, waiting))
        workers = stack.enter_context(closing(Workers(jobs, executor)))
        again, cache = cache is not None, cache or stack.enter_context(closing(open_cache(root)))
        remove_stale(root)
        remove_temporary(root, root / MANIFEST.parent)
        before, disk = None if again else snapshot(root), Disk(root, cache)
        result = _build(root, disk, cache, workers, adopt=adopt)
        if result.plan:
            apply(root, result.plan, disk)
            disk.save()
            remove_stale(root)
            if before and result.settled:
                remember(cache, before, result.plan, result.readmes, result.notes, result.diagnostics)
        cache.write()
        return result


@infrequent_gc()
def _build(root: Path, disk: Disk, cache: Cache, workers: Workers, *, adopt: bool) -> Build:
    context = BuildContext(cache, workers, disk.existing, Stage(root).spill)
    sources, unreadable = read_tree(root, cache)
    pdfs = PdfReader(cache)
    corpus, mistakes = load(sources, pdfs.identity, cache)
    problems = [*unreadable, *mistakes]
    if corpus is None:
        return _stopped(problems)
    readmes, mistakes = read_readmes(root, [target.file for target in corpus.site.readme])
    problems += mistakes

    bodies, mistakes = render_bodies(corpus.notes, corpus.terms, cache, workers, corpus.site.words)
    problems += mistakes
    theme, mistakes = read_theme(root, corpus.site.words)
    problems += mistakes
    if theme is None:
        return _stopped(problems)
    pages, mistakes = render_pages(corpus, bodies, theme, pdfs, context)
    problems += mistakes
    lists, mistakes = indexes(pages, readmes, context)
    problems += [*mistakes, *(warning for warning in pdfs.warnings() if warning not in problems)]
    artifacts: list[Artifact] = [*pages.artifacts, *lists]
    if not has_errors(problems):
        problems += check(corpus, artifacts, pages.links)
    if has_errors(problems):
        return _stopped(with_new_names(in_own_files(problems, theme), corpus, cache))
    remember_names(corpus, cache)
    plan, settled = compare(root, artifacts, MANIFEST, disk, readmes, adopt=adopt), not pdfs.stopped
    return Build(plan, in_file_order(problems), len(corpus.notes), pdf_bytes(corpus), readmes, pages.rewritten, settled)


def _stopped(problems: list[Diagnostic]) -> Build:
    return Build(None, in_file_order(problems))
