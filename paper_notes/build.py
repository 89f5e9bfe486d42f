"""The whole build, top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from paper_notes.artifacts import Artifact
from paper_notes.built import Build as Build
from paper_notes.checks import check
from paper_notes.corpus.former import remember_names, with_new_names
from paper_notes.corpus.load import load
from paper_notes.diagnostics import Diagnostic, has_errors, in_file_order
from paper_notes.engine.build_context import BuildContext
from paper_notes.engine.cache import Cache, open_cache
from paper_notes.engine.gc_tuning import infrequent_gc
from paper_notes.engine.workers import Workers
from paper_notes.indexes.site import indexes, pdf_bytes
from paper_notes.markdown.bodies import render_bodies
from paper_notes.output.disk import MANIFEST, Disk, apply, compare
from paper_notes.output.fingerprint import remember, snapshot
from paper_notes.output.lock import locked
from paper_notes.output.staging import Stage, remove_stale, remove_temporary
from paper_notes.render.site_pages import render_pages
from paper_notes.render.theme.own_places import in_own_files
from paper_notes.render.theme.theme import read_theme
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import SOURCE_FOLDER, read_readmes, read_tree


def build(
    root: Path,
    jobs: int | None = 1,
    executor: Executor | None = None,
    *,
    adopt: bool = False,
    strict: bool = False,
    drafts: bool = False,
) -> Build:
    """Compute the site of the collection at `root` without writing anything; `output.disk.apply` writes the plan.

    `jobs` and `executor` are those of `Workers`, `adopt` is that of `compare`. `strict` makes each warning an error.
    With `drafts`, the site is another one that has them, too, in the user's cache folder.
    """
    with closing(open_cache(root)) as cache, closing(Workers(jobs, executor)) as workers:
        return _build(root, Disk(root, cache, drafts=drafts), cache, workers, adopt=adopt, strict=strict)


def update(
    root: Path,
    jobs: int | None = None,
    executor: Executor | None = None,
    waiting: Callable[[], None] = lambda: None,
    cache: Cache | None = None,
    *,
    adopt: bool = False,
    strict: bool = False,
    drafts: bool = False,
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
        disk = Disk(root, cache, drafts=drafts)
        remove_temporary(root, disk.root / MANIFEST.parent)
        before = None if again or drafts else snapshot(root)
        result = _build(root, disk, cache, workers, adopt=adopt, strict=strict)
        if result.plan:
            apply(disk.root, result.plan, disk, Stage(root))
            disk.save()
            remove_stale(root)
            if before and result.settled:
                counts = result.notes, len(result.drafts)
                remember(cache, before, result.plan, result.readmes, counts, result.diagnostics)
        cache.write()
        return result


@infrequent_gc()
def _build(root: Path, disk: Disk, cache: Cache, workers: Workers, *, adopt: bool, strict: bool) -> Build:
    context = BuildContext(cache, workers, disk.existing, Stage(root).spill, disk.variant)
    sources, unreadable = read_tree(root, cache)
    pdfs = PdfReader(cache)
    corpus, mistakes = load(sources, pdfs.identity, cache, published=not disk.drafts)
    if corpus is None:
        return _stopped([*unreadable, *mistakes])
    problems = corpus.without_drafts([*unreadable, *mistakes])
    severities = replace(corpus.severities, strict=strict)
    readmes, mistakes = read_readmes(root, [target.file for target in corpus.site.readme if not disk.drafts])
    problems += mistakes

    bodies, mistakes = render_bodies(corpus.notes, corpus.terms, cache, workers, corpus.site.words, corpus.drafts)
    problems += mistakes
    theme, mistakes = read_theme(root, corpus.site.words)
    problems += mistakes
    if theme is None:
        return _stopped(severities.judged(problems))
    pages, mistakes = render_pages(corpus, bodies, theme, pdfs, context)
    problems += mistakes
    lists, mistakes = indexes(pages, readmes, context)
    problems += [*mistakes, *(warning for warning in pdfs.warnings() if warning not in problems)]
    artifacts: list[Artifact] = [*pages.artifacts, *lists]
    if not has_errors(severities.judged(problems)):
        problems += check(corpus, artifacts, pages.links)
    found = severities.judged(with_new_names(in_own_files(problems, theme), corpus, cache))
    drafts = tuple(note.place for note in corpus.drafts)
    if has_errors(found):
        return Build(None, in_file_order(found), drafts=drafts)
    if not disk.drafts:
        remember_names(found, corpus, cache)
    plan, settled = compare(disk.root, artifacts, MANIFEST, disk, readmes, adopt=adopt), not pdfs.stopped
    result = Build(plan, in_file_order(found), len(corpus.notes), pdf_bytes(corpus), readmes, pages.rewritten, settled)
    return replace(result, drafts=drafts, prompts=bodies.prompts, place=disk.root)


def _stopped(problems: Iterable[Diagnostic]) -> Build:
    return Build(None, in_file_order(problems))
