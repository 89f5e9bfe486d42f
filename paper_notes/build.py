"""The whole build, top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from pathlib import Path, PurePosixPath
from typing import TypedDict, Unpack

from paper_notes.built import Build as Build
from paper_notes.corpus.load import load
from paper_notes.corpus.rename_hints import remember_names, with_rename_hints
from paper_notes.diagnostics import Diagnostic, has_errors, in_file_order
from paper_notes.engine.build_context import BuildContext, infrequent_gc
from paper_notes.engine.cache import Cache, open_cache
from paper_notes.engine.workers import Watch, Workers
from paper_notes.indexes.site import pdf_bytes
from paper_notes.markdown.bodies import render_bodies
from paper_notes.output.disk import MANIFEST, Disk, apply, compare
from paper_notes.output.fingerprint import remember, snapshot
from paper_notes.output.lock import locked
from paper_notes.output.staging import Stage, remove_stale
from paper_notes.render.theme.theme import read_theme
from paper_notes.site_files import SiteMaker
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import NOTHING_UNSAVED, SOURCE_FOLDER, read_readmes, read_tree
from paper_notes.values import replace


class BuildOptions(TypedDict, total=False):
    """`adopt` as in `compare`; `watch` as in `Workers`; `strict`: warnings are errors.

    With `keep_going` pages mark errors (`corpus.error_markers`). With `drafts`, the site is another one that has them,
    too, in the user's cache folder. `base_url` is where the site is published, if `site.yaml` does not say it.
    `unsaved` as in `read_tree`.
    """

    adopt: bool
    strict: bool
    keep_going: bool
    drafts: bool
    base_url: str
    unsaved: Mapping[PurePosixPath, bytes]
    watch: Watch


def build(root: Path, jobs: int | None = 1, executor: Executor | None = None, **options: Unpack[BuildOptions]) -> Build:
    """Compute the site of the collection at `root` without writing anything; `output.disk.apply` writes the plan.

    `jobs` and `executor` are those of `Workers`.
    """
    with closing(open_cache(root)) as cache, closing(Workers(jobs, executor, options.get("watch"))) as workers:
        return _build(root, Disk(root, cache, drafts=options.get("drafts", False)), cache, workers, **options)


def update(
    root: Path,
    jobs: int | None = None,
    executor: Executor | None = None,
    waiting: Callable[[], None] = lambda: None,
    cache: Cache | None = None,
    **options: Unpack[BuildOptions],
) -> Build:
    """Bring the site of the collection at `root` up to date. `waiting` is called if another build is running.

    A caller that builds repeatedly passes the same `cache`: cached values then stay in memory.
    """
    if not (root / SOURCE_FOLDER).is_dir():
        return build(root)  # which reports that there is none
    with ExitStack() as stack:
        stack.enter_context(locked(root, waiting))
        workers = stack.enter_context(closing(Workers(jobs, executor, options.get("watch"))))
        repeated = cache is not None
        cache = cache or stack.enter_context(closing(open_cache(root)))
        remove_stale(root)
        drafts = options.get("drafts", False)
        disk = Disk(root, cache, drafts=drafts)
        unusual = repeated or drafts or options.get("base_url")
        before = None if unusual else snapshot(root)  # lets the next process see that nothing has changed
        result = _build(root, disk, cache, workers, **options)
        if result.plan:
            apply(disk.root, result.plan, disk, Stage(root))
            disk.save()
            remove_stale(root)
            if before and result.pdfs_read and not has_errors(result.diagnostics):
                counts = result.notes, len(result.drafts)
                remember(root, cache, before, result.plan, result.readmes, counts, result.diagnostics)
        cache.write()
        return result


@infrequent_gc()
def _build(root: Path, disk: Disk, cache: Cache, workers: Workers, **options: Unpack[BuildOptions]) -> Build:
    context = BuildContext(cache, workers, disk.existing, Stage(root).spill, disk.variant)
    sources, unreadable = read_tree(root, cache, options.get("unsaved", NOTHING_UNSAVED), own_files=True)
    pdfs = PdfReader(cache)
    corpus, mistakes = load(sources, pdfs.identity, cache, drafts=disk.drafts)
    if corpus is None:
        return _failed([*unreadable, *mistakes])
    if not corpus.site.base_url and (base_url := options.get("base_url")):
        corpus = replace(corpus, site=replace(corpus.site, base_url=base_url.rstrip("/") + "/"))
    problems = corpus.outside_drafts([*unreadable, *mistakes])
    severities = replace(corpus.severities, strict=options.get("strict", False))
    readmes, mistakes = read_readmes(root, [target.file for target in corpus.site.readme if not disk.drafts])
    problems += mistakes

    bodies, mistakes = render_bodies(corpus.written, corpus.terms, cache, workers, corpus.site.words, corpus.drafts)
    problems += mistakes
    theme, mistakes = read_theme(root, corpus.site.words, corpus.site.look)
    problems += mistakes
    if theme is None:
        return _failed(severities.judged(problems))
    maker = SiteMaker(corpus, bodies, theme, pdfs, readmes, severities, problems)
    keep_going = options.get("keep_going", False)
    files = maker.files(context, keep_going=keep_going)
    diagnostics = in_file_order(severities.judged(with_rename_hints(files.problems, corpus, cache)))
    drafts = tuple(note.place for note in corpus.drafts)
    if not files.writable or (has_errors(diagnostics) and not keep_going):
        return replace(_failed(diagnostics), drafts=drafts, maker=files.maker, corpus=corpus, outlines=bodies.outlines)
    if not disk.drafts:
        remember_names(diagnostics, corpus, cache)
    plan = compare(disk.root, files.artifacts, MANIFEST, disk, readmes, files.kept, adopt=options.get("adopt", False))
    result = Build(plan, diagnostics, len(corpus.notes), pdf_bytes(corpus), readmes, files.maker, not pdfs.stopped)
    result = replace(result, corpus=corpus, outlines=bodies.outlines)
    return replace(result, drafts=drafts, prompts=bodies.prompts, place=disk.root)


def _failed(problems: Iterable[Diagnostic]) -> Build:
    return Build(None, in_file_order(problems))
