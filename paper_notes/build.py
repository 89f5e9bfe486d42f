"""The whole build, top to bottom."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from paper_notes.artifacts import Artifact
from paper_notes.cache import Cache, open_cache
from paper_notes.checks import check
from paper_notes.corpus.load import load
from paper_notes.diagnostics import Diagnostic, has_errors, in_file_order
from paper_notes.indexes.site import NO_PDFS, PdfBytes, indexes, pdf_bytes
from paper_notes.markdown.render import render_bodies
from paper_notes.output.disk import MANIFEST, compare
from paper_notes.output.plan import Plan
from paper_notes.render.pages import render_pages
from paper_notes.render.theme import load_theme
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import read_readmes, read_tree


@dataclass(frozen=True)
class Build:
    """What a build found out. `plan` is None if there are errors: then nothing may be written."""

    plan: Plan | None
    diagnostics: tuple[Diagnostic, ...]
    notes: int = 0
    pdf_bytes: PdfBytes = NO_PDFS


def build(root: Path) -> Build:
    """Work out the site of the collection at `root`, without writing any of it: `output.disk.apply` does that."""
    with closing(open_cache(root)) as cache:
        return _build(root, cache)


def _build(root: Path, cache: Cache) -> Build:
    sources, unreadable = read_tree(root, cache)
    pdfs = PdfReader(cache)
    corpus, mistakes = load(sources, pdfs.identity, cache)
    problems = [*unreadable, *mistakes]
    if corpus is None:
        return _stopped(problems)
    readmes, mistakes = read_readmes(root, [target.file for target in corpus.site.readme])
    problems += mistakes

    bodies, mistakes = render_bodies(corpus.notes, corpus.terms)
    problems += mistakes
    theme, mistakes = load_theme(root)
    problems += mistakes
    if theme is None:
        return _stopped(problems)

    pages, mistakes = render_pages(corpus, bodies, theme, pdfs)
    problems += mistakes
    lists, mistakes = indexes(corpus, pages, readmes)
    problems += mistakes
    artifacts: list[Artifact] = [*pages.artifacts, *lists]
    if not has_errors(problems):
        problems += check(corpus, artifacts)
    if has_errors(problems):
        return _stopped(problems)
    return Build(compare(root, artifacts, MANIFEST), in_file_order(problems), len(corpus.notes), pdf_bytes(corpus))


def _stopped(problems: list[Diagnostic]) -> Build:
    return Build(None, in_file_order(problems))
