"""What a build found out, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from paper_notes.corpus.model import Corpus, NoteId
from paper_notes.diagnostics import Diagnostic
from paper_notes.indexes.site import NO_PDFS, PdfBytes
from paper_notes.markdown.body import Outline
from paper_notes.output.plan import Plan
from paper_notes.render.notes import NotePageMaker
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, field


class Build(Struct, frozen=True):
    """The result of a build. `plan` is None if there are errors: then nothing may be written."""

    plan: Plan | None
    diagnostics: tuple[Diagnostic, ...]
    notes: int = 0
    pdf_bytes: PdfBytes = NO_PDFS
    readmes: tuple[Source, ...] = ()
    """The files outside of the site whose marked regions are kept."""
    maker: NotePageMaker | None = None
    """Renders and checks one note whose text is all that changed, for who cannot wait until the next build ends."""
    pdfs_read: bool = True
    """False if reading a PDF took too long: the next build tries again."""
    drafts: tuple[PurePosixPath, ...] = ()
    """Folders and files of the notes that are left out of the site, as they are drafts."""
    prompts: Mapping[NoteId, int] = field(default_factory=dict)
    """How much of what `paper-notes new` asks for is still to be answered, by note."""
    place: Path | None = None
    """The folder whose `site/` the plan is for: the collection, or see `Disk`."""
    published: Plan | None = None
    """The plan of the site itself, where this is a build of another place."""
    corpus: Corpus | None = None
    """What could be read, with errors too."""
    outlines: Mapping[NoteId, Outline] = field(default_factory=dict)
    """Of its notes."""
