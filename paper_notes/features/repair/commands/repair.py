"""`paper-notes repair`."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.terminal import (
    all_or_nothing,
    check_option,
    end_check,
    fail,
    json_option,
    output_option,
    print_json,
    say,
    say_waiting,
)
from paper_notes.diagnostics import UserError
from paper_notes.features.repair.doubts import RepairedFile, learned_from, repair_file
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.sources.doubts import NAME
from paper_notes.sources.tree import SOURCE_FOLDER, Source, nearest_collection, read_input_file, read_tree

_LARGEST = 8 * 1024 * 1024
"""Bytes: some minutes of work."""


@click.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@output_option("Write the repaired text there instead.")
@check_option
@json_option
def repair(file: Path, output: Path | None, only_check: bool, as_json: bool) -> None:
    """Repair the text of FILE, whose UTF-8 was read as another encoding and saved, as in `ä¸­æ–‡`.

    Bytes that were lost are guessed from the words around them; garbling the result would give the damaged file again.
    What is not certain is listed in doubts.tsv beside the file: write the right character into the last column, and
    run the command again. The damaged file is kept as FILE.damaged. Text that is not garbled is left alone.
    """
    target = output or file
    with all_or_nothing(), locked(nearest_collection(target.parent), say_waiting):
        result, wrote = _repair(file, target, only_check)
    done, doubts = result.repaired, len(result.doubts)
    if as_json:
        print_json(
            file=str(file),
            garbled=done.garbling or None,
            characters=done.characters,
            lost_bytes=done.lost,
            guessed=len(done.guesses),
            doubtful=doubts,
            hopeless_lines=done.hopeless,
            chosen=result.chosen,
            wrote=wrote,
        )
    else:
        _say(click.format_filename(file), click.format_filename(target), result)
        say(f"{'would write' if only_check else 'wrote'}: {', '.join(wrote)}" if wrote else "nothing to write")
    if only_check:
        end_check(changes=bool(wrote))


def _say(file: str, target: str, result: RepairedFile) -> None:
    """What was garbled, repaired and guessed."""
    done, doubts = result.repaired, len(result.doubts)
    if done.hopeless:
        say(f"{file}: lines that stay garbled ({done.garbling}), as too much of them is lost: {done.hopeless:,}")
    if done.characters:
        say(f"{target}: {done.characters:,} characters were garbled ({done.garbling}), and {done.lost:,} bytes lost")
        say(f"repaired: {done.characters - len(done.guesses):,} are certain, {len(done.guesses):,} were guessed")
    elif not done.hopeless and not result.chosen and not doubts:
        say(f"{file} is not garbled")
    if result.chosen:
        say(f"chosen in doubts.tsv: {result.chosen:,}")
    if doubts:
        say(f"doubtful: {doubts:,}; look at doubts.tsv, fill in its column `choose`, and run the command again")


def _repair(file: Path, target: Path, check: bool) -> tuple[RepairedFile, list[str]]:
    """Read, repair and write. Raises UserError."""
    data = _text_of(file, read_input_file(file))
    folder = target.parent
    sources = [Source(PurePosixPath(file.name), data)] if target == file else []
    if target != file and target.exists():
        fail(f"{click.format_filename(target)} is there already", "name another file with --output")
    listing: Source | None = None
    if (folder / NAME).exists():
        listing = Source(PurePosixPath(NAME), read_input_file(folder / NAME))
        sources.append(listing)
    result = repair_file(target.name, data.decode(), listing, _others(file, target))
    if result.problems:
        raise UserError("what was chosen cannot be put in", diagnostics=result.problems)
    artifacts = []
    new = result.text.encode()
    if new != data or target != file:
        artifacts.append(Artifact(PurePosixPath(target.name), new))
    if result.repaired.characters and target == file:
        artifacts.append(Artifact(_free(folder, file.name, data), data))
    if result.listing is not None:
        artifacts.append(Artifact.text(NAME, result.listing))
    plan = compare(folder, artifacts, read=sources)
    if not check:
        apply_whole(folder, plan)
    return result, [str(artifact.path) for artifact in (*plan.create, *plan.update)]


def _text_of(file: Path, data: bytes) -> bytes:
    """The bytes of a text in UTF-8 that is small enough. Ends the program for others."""
    shown = click.format_filename(file)
    if len(data) > _LARGEST:
        fail(f"{shown} has {len(data):,} bytes, more than the {_LARGEST:,} that are repaired", "split it")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        hint = "repair is for texts that were read wrongly and saved as UTF-8; save this one as UTF-8"
        fail(f"{shown}: line {line} is not valid UTF-8 (byte 0x{data[error.start]:02X})", hint)
    if b"\0" in data:
        fail(f"{shown} is not text: it has a byte 0", "repair is for texts such as .md, .bib and .yaml")
    return data


def _free(folder: Path, name: str, data: bytes) -> PurePosixPath:
    """A name for the damaged file that is free, or has these bytes already."""
    number = 1
    while True:
        path = PurePosixPath(f"{name}.damaged" if number == 1 else f"{name}.damaged-{number}")
        if not os.path.lexists(folder / path) or read_input_file(folder / path) == data:
            return path
        number += 1


def _others(file: Path, target: Path) -> list[str]:
    """The texts of the collection that the file is in, but for itself."""
    root = nearest_collection(target.parent)
    if not (root / SOURCE_FOLDER / "site.yaml").exists():
        return []
    sources, _ = read_tree(root)
    own = {(path.parent.resolve() / path.name) for path in (file, target)}
    return list(learned_from(source for source in sources if (root / source.path).resolve() not in own))
