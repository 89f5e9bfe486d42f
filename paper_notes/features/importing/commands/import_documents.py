"""`paper-notes import` of reports of a day's papers and lists of papers: each becomes a note that lists them."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path, PurePosixPath

import click

from paper_notes.commands.terminal import all_or_nothing, print_json, say, say_difference, say_waiting
from paper_notes.features.lists.documents import Imported, import_documents, is_document, read_document
from paper_notes.features.papers.commands.editable import load_editable
from paper_notes.features.papers.scaffold import check_place
from paper_notes.features.repair.doubts import DecodedText, decode_text, with_doubts
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan
from paper_notes.sources.tree import read_input_file


def is_report_or_list(path: Path) -> bool:
    """Whether a file is what `digest` reads; one that is not there may be, by its name."""
    if not path.is_file():
        return path.suffix.lower() in (".md", ".txt")
    text = read_input_file(path).decode("utf-8-sig", errors="replace")
    return path.suffix.lower() not in (".html", ".htm") and is_document(text.replace("\r\n", "\n"))


def import_reports_and_lists(
    files: tuple[Path, ...], topic: str, root: Path, *, only_check: bool, as_json: bool
) -> None:
    """Write a note for each report or list, and say what has become of it. Raises UserError."""
    with all_or_nothing(), locked(root, say_waiting):
        notes, plan = _planned(files, topic, root)
        if not only_check:
            apply_whole(root, plan)
    if as_json:
        print_json(
            imported=[
                {
                    "folder": str(note.folder),
                    "new": bool(note.artifacts),
                    "entries": note.entries,
                    "sections": note.sections,
                    "known": note.known,
                    "mended": note.mended,
                    "characters": note.characters,
                    "garbled": meant.repaired.garbling or None,
                    "lost_bytes": meant.repaired.lost,
                    "doubtful": len(meant.doubts),
                }
                for meant, note in notes
            ]
        )
        return
    for path, (meant, note) in zip(files, notes, strict=True):
        if not note.artifacts:
            say(f"{click.format_filename(path)} -> {note.folder}: it is there already, and is left as it is")
            continue
        say(f"{click.format_filename(path)} -> {note.folder}")
        say(f"  {note.entries} papers, {note.known} of them known; {note.sections} sections")
        say(f"  nothing is lost of {note.characters:,} characters; {note.mended} texts were escaped")
        done = meant.repaired
        if done.garbling:
            say(f"  {done.characters:,} characters were garbled ({done.garbling}), and {done.lost:,} bytes lost")
            say(f"  repaired: {done.characters - len(done.guesses):,} are certain, {len(done.guesses):,} were guessed")
        if meant.doubts:
            say(f"  doubtful: {len(meant.doubts):,}; see doubts.tsv, fill in its column `choose`, and run `repair`")
    if only_check:
        say_difference(plan)


def _planned(files: tuple[Path, ...], topic: str, root: Path) -> tuple[list[tuple[DecodedText, Imported]], Plan]:
    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
    collection = load_editable(root)
    check_place(collection.corpus, topic=topic, name=None)
    paths = [PurePosixPath(path) for path in files]
    meant = [decode_text(PurePosixPath(path), read_input_file(path), collection.sources) for path in files]
    documents = (
        (path, read_document(path, decoded.text), decoded.text) for path, decoded in zip(paths, meant, strict=True)
    )
    imported = import_documents(documents, collection.corpus, collection.sources, topic=topic, today=today)
    notes = [
        (
            text,
            replace(note, artifacts=with_doubts(note.artifacts, text, collection.sources)) if note.artifacts else note,
        )
        for text, note in zip(meant, imported, strict=True)
    ]
    new = [artifact for _, note in notes for artifact in note.artifacts]
    return notes, compare(root, [*(collection.topics if new else ()), *new], read=collection.before)
