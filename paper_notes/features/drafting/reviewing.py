"""A draft that waits, beside the PDF that its evidence is in: what a reviewer sees, and what becomes of decisions."""

from __future__ import annotations

from collections.abc import Sequence

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang, Note
from paper_notes.diagnostics import UserError
from paper_notes.features.drafting.applying import apply_drafts
from paper_notes.features.drafting.claims import Claim, NoEvidence, PaperText, SourceWords
from paper_notes.features.drafting.support import Setting, is_unlinked, mistakes
from paper_notes.features.drafting.waiting import WaitingDraft, waiting, written
from paper_notes.features.papers.scaffold import check_builds
from paper_notes.features.verify.paper import Passages, passages_of
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, replace

GONE = "this is not in the PDF that is at hand"


def pdf_of(corpus: Corpus, note: Note) -> Source:
    """The PDF of the note's paper. Raises UserError."""
    if not note.papers:
        raise UserError(f"{note.id} is about no paper", "name one in `papers:` of its note.yaml")
    paper = corpus.papers[note.papers[0]]
    pdf = corpus.pdf_of(paper.key, paper.version) or corpus.pdf_of(paper.key)
    if pdf is None or pdf.problem:
        raise UserError(f"there is no PDF of {paper.key} to read", "put it into notes_src/pdfs/")
    return pdf.source


def passages_in(pdf: Source, pdfs: PdfReader) -> Passages:
    """What a PDF says. Raises UserError."""
    passages = passages_of(pdf, pdfs)
    if isinstance(passages, PdfProblem):
        raise UserError(f"{pdf.path}: {passages.message}", passages.hint)
    if not any(row.text for part in passages.parts for row in part.rows):
        raise UserError(f"{pdf.path} has no text: its pages are pictures", "use another copy")
    return passages


def setting_of(corpus: Corpus, note: Note, lang: Lang, pdfs: PdfReader) -> Setting:
    """What the claims of a note are compared with. Raises UserError."""
    passages = passages_in(pdf_of(corpus, note), pdfs)
    return Setting(PaperText(passages), lang, corpus.papers[note.papers[0]].title, corpus.terms)


def doubts(claim: Claim, setting: Setting | None) -> tuple[str, ...]:
    """What speaks against a claim by now: the file may have been changed, and the PDF may be another one."""
    if setting is None:
        return (GONE,)
    printed = [_still(item, setting.paper) for item in claim.evidence]
    if not printed or None in printed:
        return (GONE,)
    alone = ("nothing in it can be compared with its evidence by a program: read both",)
    against = tuple(mistakes(claim.text, [item for item in printed if item], setting))
    return against or (alone if is_unlinked(claim.text, setting) else ())


def _still(item: SourceWords, paper: PaperText) -> SourceWords | None:
    try:
        if item.table:
            return paper.cell(item.table, item.labels, item.words, item.page)
        return paper.quotation(item.words, item.page)
    except NoEvidence:
        return None


def as_it_is(note: Note, draft: WaitingDraft) -> WaitingDraft:
    """The draft as it waits beside the note now, with the decisions of this one. Raises UserError if none does."""
    now = waiting(note).get(draft.lang)
    if now is None:
        raise UserError(f"{note.id}: its draft is not there any more", "it was decided or deleted meanwhile")
    return now.with_decisions_of(draft)


class Finished(Struct, frozen=True):
    """What was decided, as files: those to write, and the draft's own if nothing waits any more."""

    artifacts: tuple[Artifact, ...]
    gone: tuple[Source, ...]
    sections: tuple[str, ...]
    """Those that are in the note now."""
    left: tuple[tuple[str, str], ...]
    """Those that could not be put there, and why: what was edited in them is open again."""


def finish(corpus: Corpus, sources: Sequence[Source], note: Note, draft: WaitingDraft) -> Finished:
    """Put the sections that are decided into the note as it is now. Nothing that a person wrote there changes.

    Raises UserError if the collection would not build.
    """
    applied = apply_drafts(note, sources, draft.texts(corpus.site.words), corpus.site.words, None)
    names = [text.card or text.section for text in applied.written]
    left = [(text.card or text.section, reason) for text, reason in applied.left]
    rest = draft.without([*names, *draft.dropped])
    rest = replace(rest, sections=tuple(
        replace(section, claims=tuple(replace(claim, decision="") if claim.own else claim for claim in section.claims))
        if section.name in dict(left) else section
        for section in rest.sections
    ))  # fmt: skip
    check_builds(sources, applied.artifacts)
    path = written(note, draft).path
    files = (*applied.artifacts, *((written(note, rest),) if rest.sections else ()))
    gone = tuple(source for source in sources if source.path == path and not rest.sections)
    return Finished(files, gone, tuple(names), tuple(left))
