"""`paper-notes import`."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from paper_notes.commands.terminal import (
    all_or_nothing,
    json_option,
    print_json,
    root_option,
    say,
    say_difference,
    say_waiting,
)
from paper_notes.features.papers.commands.editable import load_editable

if TYPE_CHECKING:
    from paper_notes.features.lists.documents import Imported
    from paper_notes.features.repair.decoding import DecodedText
    from paper_notes.output.plan import Plan


@click.command(name="import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--topic", help="The topic's folder below notes_src/; by default that of each folder.")
@click.option(
    "--as", "form", type=click.Choice(["html", "markdown", "readme", "report", "list"]), help="What the files are."
)
@click.option(
    "--classes", type=click.Path(path_type=Path, dir_okay=False), help="A table of the classes of HTML notes."
)
@click.option(
    "--readme",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The README that lists the notes; by default the one of the folder.",
)
@click.option("--offline", is_flag=True, help="Do not ask arXiv for the papers of the notes.")
@click.option("--download", is_flag=True, help="Fetch pictures of other sites that the notes show.")
@click.option("--no-tex", is_flag=True, help="Leave formulas written in Unicode as they are.")
@click.option("--dates", type=click.Choice(["git"]), help="Take the dates of notes from the history of their files.")
@click.option("--keep-going", is_flag=True, help="Take in notes that lose words, too, and mark the places.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; say what would be written.")
@root_option
@json_option
def import_(
    paths: tuple[Path, ...],
    topic: str | None,
    form: str | None,
    classes: Path | None,
    readme: Path | None,
    offline: bool,
    download: bool,
    no_tex: bool,
    dates: str | None,
    keep_going: bool,
    only_check: bool,
    root: Path,
    as_json: bool,
) -> None:
    """Take in notes that exist: a folder of HTML or Markdown files, reports of a day's papers, lists of papers.

    A folder becomes topics and notes: links between its files become references, pictures come along, and what our
    text cannot say is kept as words. Run it again when the originals have changed: what you have written since stays.

    A report or list becomes one note that lists its papers. Papers that are new get an entry in a papers.bib
    beside the note; existing ones are not touched. A document that is in the collection already is left alone.

    A README that lists the notes in tables says more of them: labels, summaries, topics, reading paths, papers by
    date. It becomes the README of the collection, and each build keeps its tables. --as readme reads it alone.

    No word is lost: a note of which some would be is left out and named, and all others are taken in. A file that is
    garbled, as in `ä¸­æ–‡`, is repaired first, as `paper-notes repair` does it; what is not certain is listed in
    doubts.tsv.
    """
    if form not in ("report", "list") and (form or not all(map(_is_document, paths))):
        from paper_notes.features.importing.commands.taking_in import Asked, import_notes

        import_notes(
            paths,
            root,
            Asked(topic, form, classes, readme, offline, not no_tex, dates, only_check, keep_going, as_json, download),
        )
        return
    if topic is None:
        raise click.UsageError("Missing option '--topic': reports and lists go into a topic that you name.")
    _import_documents(paths, topic, root, only_check=only_check, as_json=as_json)


def _is_document(path: Path) -> bool:
    from paper_notes.features.lists.documents import is_document
    from paper_notes.sources.input_file import read_input_file

    if not path.is_file():
        return path.suffix.lower() in (".md", ".txt")  # of which the error will be that it is not there
    text = read_input_file(path).decode("utf-8-sig", errors="replace")
    return path.suffix.lower() not in (".html", ".htm") and is_document(text.replace("\r\n", "\n"))


def _import_documents(files: tuple[Path, ...], topic: str, root: Path, *, only_check: bool, as_json: bool) -> None:
    from paper_notes.output.disk import apply_whole
    from paper_notes.output.lock import locked

    with all_or_nothing(), locked(root, say_waiting):
        made, plan = _import(files, topic, root)
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


def _import(files: tuple[Path, ...], topic: str, root: Path) -> tuple[list[tuple[DecodedText, Imported]], Plan]:
    from paper_notes.features.lists.documents import import_documents, read_document
    from paper_notes.features.papers.scaffold import check_place
    from paper_notes.features.repair.decoding import decode_text, with_doubts
    from paper_notes.output.disk import compare
    from paper_notes.sources.input_file import read_input_file

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
