"""`paper-notes cards`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from importlib import util
from pathlib import Path, PurePosixPath

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import (
    drafts_option,
    fail,
    force_option,
    jobs_option,
    json_option,
    lang_option,
    output_option,
    print_json,
    root_option,
    say,
)
from paper_notes.corpus.model import Corpus, Note
from paper_notes.diagnostics import UserError
from paper_notes.features.cards.card_texts import markdown, table
from paper_notes.features.cards.cards import Card, CardMaker
from paper_notes.features.cards.flashcards import KINDS, USUAL_KINDS
from paper_notes.features.epub.commands.rendered import (
    chosen_languages,
    chosen_topic,
    rendered_collection,
    say_left_out,
    write_files,
)

_SUFFIX = {"apkg": "apkg", "tsv": "tsv", "markdown": "md"}


@click.command()
@click.argument("places", metavar="[NOTE | TOPIC]...", nargs=-1)
@click.option("--topic", metavar="TOPIC", multiple=True, help="Cards of this topic's notes only; may be repeated.")
@lang_option("The language of the cards; by default all of the site, each below the other.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([*KINDS, "every"]),
    help="Such cards, by default point and formula; may be repeated.",
)
@click.option("--format", "form", type=click.Choice(list(_SUFFIX)), default="apkg", show_default=True, help="The file.")
@output_option("Write to this file, by default cards.apkg, .tsv or .md.")
@force_option
@drafts_option
@root_option
@jobs_option
@json_option
def cards(
    places: tuple[str, ...],
    topic: tuple[str, ...],
    lang: str | None,
    kinds: tuple[str, ...],
    form: str,
    output: Path | None,
    force: bool,
    with_drafts: bool,
    root: Path,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Make cards of what notes have to remember, for Anki and other programs.

    Self-test questions become cards (point), and so do whole formulas (formula); with `--kind`, symbols (symbol) and
    each line of a formula that is explained (line), too. A card names its note, and leads back to its section if the
    site has an address.

    Import the file again after notes have changed: cards are updated and keep their schedule, also if a note was moved.
    A question that is worded anew is a new card, unless it has a name: ` ^name` at its end.
    """
    if form == "apkg":
        _check_genanki()
    target = output or Path(f"cards.{_SUFFIX[form]}")
    folder = f"{target.stem}.media"
    with rendered_collection(root, jobs, drafts=with_drafts) as collection:
        notes = _notes(collection.corpus, root, places, topic)
        languages = chosen_languages(collection.corpus, lang)
        maker = CardMaker(
            collection.corpus,
            collection.resolver,
            languages,
            "dollars" if form == "markdown" else "mathjax",
            frozenset(kind for kind in KINDS if kind in (kinds or USUAL_KINDS) or "every" in kinds),
            place=(lambda name: f"{folder}/{name}") if form == "markdown" else str,
        )
        all_cards = list(maker.cards(notes, collection.bodies))
        title = collection.corpus.site.title[languages[0]]
    if not all_cards:
        fail(
            "there is nothing to remember in these notes",
            "write questions into :::recall, see `paper-notes explain recall`; `--kind every` has symbols and lines",
        )
    if form == "apkg":
        from paper_notes.features.cards.anki import package  # imports an extra

        files = [Artifact(PurePosixPath(target.name), package(all_cards, maker.pictures.files, _changed(root, notes)))]
    else:
        text = table(all_cards) if form == "tsv" else markdown(all_cards, title)
        files = [Artifact.text(target.name, text)]
        files += [Artifact(PurePosixPath(folder, name), data) for name, data in sorted(maker.pictures.files.items())]
    write_files(target, files, force=force)
    _report(target, all_cards, form, folder if maker.pictures.files else "", as_json=as_json)
    if not as_json and not places and not topic:
        say_left_out(collection.corpus)


def _notes(corpus: Corpus, root: Path, places: tuple[str, ...], topics: tuple[str, ...]) -> list[Note]:
    """The notes that were named, in the order of the collection; all if none was. Raises UserError."""
    wanted: set[str] = set()
    for typed in topics:
        known = chosen_topic(corpus, root, typed)
        if known is None:
            raise UserError(f'no topic "{typed}"', f"known: {', '.join(corpus.site.topics)}")
        wanted |= {note.id for note in corpus.notes_of(known)}
    for typed in places:
        known = chosen_topic(corpus, root, typed)
        named = corpus.notes_of(known) if known else (the_note(corpus, root, typed),)
        wanted |= {note.id for note in named}
    return [note for note in corpus.notes if not (places or topics) or note.id in wanted]


def _changed(root: Path, notes: Iterable[Note]) -> dict[str, int]:
    """When the files of each note were changed last, in seconds; SOURCE_DATE_EPOCH says it for all."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if re.fullmatch("[0-9]{1,12}", given):
        return {note.id: int(given) for note in notes}
    paths = {note.id: {note.location.path, *(text.path for text in note.texts)} for note in notes}
    return {
        name: max((int((root / path).stat().st_mtime) for path in of_note if (root / path).is_file()), default=0)
        for name, of_note in paths.items()
    }


def _check_genanki() -> None:
    if util.find_spec("genanki") is None:  # an extra
        fail(
            "packages for Anki are written by genanki, which is not installed",
            "`paper-notes doctor` has the line that installs it",
        )


def _report(target: Path, all_cards: list[Card], form: str, folder: str, *, as_json: bool) -> None:
    counts = {
        kind: sum(card.kind == kind for card in all_cards) for kind in dict.fromkeys(card.kind for card in all_cards)
    }
    notes = len({card.note.id for card in all_cards})
    if as_json:
        print_json(
            file=str(target), cards=len(all_cards), notes=notes, kinds=counts, ids=[card.id for card in all_cards]
        )
        return
    say(f"Written: {click.format_filename(target)} (cards: {len(all_cards)}, notes: {notes})")
    if folder and form == "tsv":
        say(f"Before you import it, copy the pictures in {folder} into the folder collection.media of Anki")
