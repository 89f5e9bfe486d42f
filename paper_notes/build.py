"""The whole build, top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
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
from paper_notes.indexes.kept_crops import crop_files
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
    """The result of a build. `plan` is None if there are errors: then nothing may be written."""

    plan: Plan | None
    diagnostics: tuple[Diagnostic, ...]
    notes: int = 0
    pdf_bytes: PdfBytes = NO_PDFS
    readmes: tuple[Source, ...] = ()
    """The files outside of the site whose marked regions are kept."""
    rewritten: Callable[[Source], Artifact | None] = lambda source: None
    """Renders one note whose text is all that changed: lets `serve` show its page before the next build ends."""
    settled: bool = True
    """False if reading a PDF took too long: the next build tries again."""


def build(
    root: Path, jobs: int | None = 1, executor: Executor | None = None, *, adopt: bool = False, strict: bool = False
) -> Build:
    """Compute the site of the collection at `root` without writing anything; `output.disk.apply` writes the plan.

    `jobs` and `executor` are those of `Workers`, `adopt` is that of `compare`. `strict` makes each warning an error.
    """
    with closing(open_cache(root)) as cache, closing(Workers(jobs, executor)) as workers:
        return _build(root, Disk(root, cache), cache, workers, adopt=adopt, strict=strict)


def update(
    root: Path,
    jobs: int | None = None,
    executor: Executor | None = None,
    waiting: Callable[[], None] = lambda: None,
    cache: Cache | None = None,
    *,
    adopt: bool = False,
    strict: bool = False,
) -> Build:
    """Bring the site of the collection at `root` up to date. `waiting` is called if another build is running.

    A caller that builds repeatedly passes the same `cache`: cached values then stay in memory.
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
        result = _build(root, disk, cache, workers, adopt=adopt, strict=strict)
        if result.plan:
            apply(root, result.plan, disk)
            disk.save()
            remove_stale(root)
            if before and result.settled:
                remember(cache, before, result.plan, result.readmes, result.notes, result.diagnostics)
        cache.write()
        return result


@infrequent_gc()
def _build(root: Path, disk: Disk, cache: Cache, workers: Workers, *, adopt: bool, strict: bool) -> Build:
    context = BuildContext(cache, workers, disk.existing, Stage(root).spill)
    sources, unreadable = read_tree(root, cache)
    pdfs = PdfReader(cache)
    corpus, mistakes = load(sources, pdfs.identity, cache)
    problems = [*unreadable, *mistakes]
    if corpus is None:
        return _stopped(problems)
    severities = replace(corpus.severities, strict=strict)
    readmes, mistakes = read_readmes(root, [target.file for target in corpus.site.readme])
    problems += mistakes
    bodies, mistakes = render_bodies(corpus.notes, corpus.terms, cache, workers, corpus.site.words)
    theme, of_theme = read_theme(root, corpus.site.words)
    problems += [*mistakes, *of_theme]
    if theme is None:
        return _stopped(severities.judged(problems))
    pages, mistakes = render_pages(corpus, bodies, theme, pdfs, context)
    problems += mistakes
    lists, mistakes = indexes(pages, readmes, context)
    crops = crop_files(corpus, pages.resolver.crops)
    problems += [*mistakes, *crops.diagnostics, *(found for found in pdfs.warnings() if found not in problems)]
    artifacts: list[Artifact] = [*pages.artifacts, *lists, *crops.artifacts]
    if not has_errors(severities.judged(problems)):
        problems += check(corpus, artifacts, pages.links)
    found = severities.judged(with_new_names(in_own_files(problems, theme), corpus, cache))
    if has_errors(found):
        return _stopped(found)
    remember_names(found, corpus, cache)
    plan, known = compare(root, artifacts, MANIFEST, disk, readmes, crops.read, adopt=adopt), pdf_bytes(corpus)
    return Build(plan, in_file_order(found), len(corpus.notes), known, readmes, pages.rewritten, not pdfs.stopped)


def _stopped(problems: Iterable[Diagnostic]) -> Build:
    return Build(None, in_file_order(problems))
