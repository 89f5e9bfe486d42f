"""All files that a build wants to write, made from the corpus and its bodies, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence

from paper_notes.artifacts import Artifact
from paper_notes.checks import check
from paper_notes.corpus.error_markers import ErrorMarkers, concern_all, errors_among
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import Diagnostic, Severities, has_errors
from paper_notes.engine.build_context import BuildContext
from paper_notes.engine.cache import pack, unpack
from paper_notes.indexes.assistants import assistant_files
from paper_notes.indexes.site import indexes
from paper_notes.markdown.bodies import Bodies
from paper_notes.render.crops import crop_files
from paper_notes.render.notes import NotePageMaker
from paper_notes.render.site_pages import render_pages
from paper_notes.render.theme.theme import ThemeFiles, in_own_files
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, replace

_KEY = "errors that the last build went on with"


class SiteFiles(Struct, frozen=True):
    """The wanted files."""

    artifacts: tuple[Artifact, ...]
    problems: tuple[Diagnostic, ...]
    """Everything that is wrong with the collection, known before or found here, as severe as the collection says."""
    writable: bool
    """False if there are errors, but for those that the files mark."""
    maker: NotePageMaker | None
    """As in `Build`."""
    kept: tuple[Source, ...]
    """Pictures from PDFs among the sources that an earlier build has written."""


class SiteMaker(Struct, frozen=True):
    """Makes the files of a site, again if what they mark is not what is wrong."""

    corpus: Corpus
    bodies: Bodies
    theme: ThemeFiles
    pdfs: PdfReader
    readmes: tuple[Source, ...]
    severities: Severities
    problems: Sequence[Diagnostic]
    """What was found before."""

    def files(self, context: BuildContext, *, keep_going: bool) -> SiteFiles:
        """The files; with `keep_going` they mark what is wrong, else they must not be written if there are errors.

        What is wrong is known when all is made. So the marks are those of the last build, and if they are not right,
        the pages that have others are made again.
        """
        if not keep_going:
            return self._made(context, ErrorMarkers())
        context = context.remembering()
        known = context.cache.get(_KEY + context.variant) or b""
        former = ErrorMarkers(unpack(tuple[Diagnostic, ...], known) or (), self.severities)
        result = self._made(context, former)
        errors = errors_among(result.problems)
        if errors != former.errors:
            context.cache.put(_KEY + context.variant, pack(errors))
            result = self._made(context, ErrorMarkers(errors, self.severities))
        unread = {error.location.path for error in errors}  # READMEs, which stay as they are
        artifacts = tuple(artifact for artifact in result.artifacts if artifact.path not in unread)
        return replace(result, artifacts=artifacts, writable=not concern_all(errors))

    def _made(self, context: BuildContext, marks: ErrorMarkers) -> SiteFiles:
        problems = list(self.problems)
        pages, mistakes = render_pages(self.corpus, self.bodies, self.theme, self.pdfs, context, marks)
        problems += mistakes
        lists, mistakes = indexes(pages, self.readmes, context)
        crops = crop_files(self.corpus, pages.resolver.crops)
        problems += [
            *mistakes,
            *crops.diagnostics,
            *(diagnostic for diagnostic in self.pdfs.warnings() if diagnostic not in problems),
        ]
        own = not context.variant  # a site with drafts is elsewhere, where nobody keeps pictures
        texts = assistant_files(self.corpus, self.bodies, pages.resolver, context)
        artifacts = (*pages.artifacts, *lists, *texts, *(crops.artifacts if own else ()))
        sound = not has_errors(self.severities.judged(problems))
        if sound or marks.severities:
            diagnostic = check(self.corpus, artifacts, pages.links)
            # where something is wrong already, links may lead nowhere because of it
            problems += [problem for problem in diagnostic if sound or problem.rule != "dead-link"]
        judged = self.severities.judged(in_own_files(problems, self.theme))
        return SiteFiles(artifacts, judged, not has_errors(judged), pages.maker, crops.read if own else ())
