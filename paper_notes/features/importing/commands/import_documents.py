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
from paper_notes.features.repair.decoding import DecodedText, decode_text, with_doubts
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan
from paper_notes.sources.input_file import read_input_file


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
        made, plan = _planned(files, topic, root)
        if not only_check:
            apply_whole(root, plan)
    if as_json:
        print_json(
            imported=[
                {
                    "folder": str(one.folder),
                    "new": bool(one.artifacts),
                    "entries": one.entries,
                    "sections": one.sections,
                    "known": one.known,
                    "mended": one.mended,
                    "characters": one.characters,
                    "garbled": meant.repaired.garbling or None,
                    "lost_bytes": meant.repaired.lost,
                    "doubtful": len(meant.doubts),
                }
                for meant, one in made
            ]
        )
        return
    for path, (meant, one) in zip(files, made, strict=True):
        if not one.artifacts:
            say(f"{click.format_filename(path)} -> {one.folder}: it is there already, and is left as it is")
            continue
        say(f"{click.format_filename(path)} -> {one.folder}")
        say(f"  {one.entries} papers, {one.known} of them known; {one.sections} sections")
        say(f"  nothing is lost of {one.characters:,} characters; {one.mended} texts were escaped")
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
    there = load_editable(root)
    check_place(there.corpus, topic=topic, name=None)
    paths = [PurePosixPath(path) for path in files]
    meant = [decode_text(PurePosixPath(path), read_input_file(path), there.sources) for path in files]
    documents = ((path, read_document(path, one.text), one.text) for path, one in zip(paths, meant, strict=True))
    found = import_documents(documents, there.corpus, there.sources, topic=topic, today=today)
    made = [
        (text, replace(one, artifacts=with_doubts(one.artifacts, text, there.sources)) if one.artifacts else one)
        for text, one in zip(meant, found, strict=True)
    ]
    new = [artifact for _, one in made for artifact in one.artifacts]
    return made, compare(root, [*(there.topics if new else ()), *new], read=there.before)
