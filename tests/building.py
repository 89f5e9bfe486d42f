"""Values to test with: sources, notes and what was said, made from plain texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang, Note, NoteId, NoteText, TopicId
from paper_notes.corpus.note_files import as_written
from paper_notes.corpus.schema import NoteFile
from paper_notes.diagnostics import Diagnostic, Location, in_file_order
from paper_notes.languages.text import Text
from paper_notes.sources.tree import Source

NOTE = PurePosixPath("notes_src/topic/01_Note")


def source(path: PurePosixPath | str, data: str | bytes) -> Source:
    return Source(PurePosixPath(path), data.encode() if isinstance(data, str) else data)


def note(texts: Mapping[Lang, str], files: Mapping[str, str | bytes] = {}) -> Note:
    """A note of these texts and figures; all else as it comes."""
    return Note(
        id=NoteId("topic/01_Note"),
        topic=TopicId("topic"),
        number=1,
        name="01_Note",
        title=Text.of(zh="题", en="Title"),
        papers=(),
        summary=None,
        corrects=(),
        extra={},
        translated={},
        texts=tuple(NoteText(lang, NOTE / f"{lang}.md", text) for lang, text in texts.items()),
        files={name: source(NOTE / name, data) for name, data in files.items()},
        location=Location(NOTE / "note.yaml"),
        **as_written(NoteFile.model_validate({"title": {"zh": "题", "en": "Title"}})),
    )


def said(diagnostics: Iterable[Diagnostic]) -> str:
    """All findings as the terminal shows them, in file order."""
    return "".join(f"{diagnostic}\n" for diagnostic in in_file_order(diagnostics))
