"""`paper-notes stats`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from paper_notes.commands.collection import open_collection
from paper_notes.commands.terminal import jobs_option, json_option, print_json, root_option, tell, translated
from paper_notes.corpus.model import Corpus
from paper_notes.features.queries.statistics import statistics

_SHOWN = 12
"""Items of a list at most; `--json` has all."""
_BAR = 24
"""The characters of the longest bar."""


@click.command()
@click.option("--all", "show_all", is_flag=True, help=f"Name all that is untranslated or unread, not just {_SHOWN}.")
@root_option
@jobs_option
@json_option
def stats(root: Path, jobs: int | None, *, show_all: bool, as_json: bool) -> None:
    """Count notes, words and what is left to do.

    Notes are counted by topic, kind, status and year, texts by language with the time to read them. Left to do are
    texts and sections in one language only, translations that are out of step, and papers of the .bib files that no
    note is about. The pages of the site have more: see stats.html.
    """
    with open_collection(root, pdfs=False) as collection:
        corpus = collection.corpus
        numbers = statistics(corpus, collection.bodies(jobs)[0].outlines)
    if as_json:
        print_json(**numbers)
        return
    most = max(len(corpus.notes), len(corpus.papers), 1) if show_all else _SHOWN
    tell(translated(f"{_count(numbers['notes'], 'note')} in {_count(len(numbers['topics']), 'topic')}"), bold=True)
    for lang, written in numbers["languages"].items():
        tell(f"  {lang}: {translated(_length(**written))}")
    _print_counts("By topic", numbers["topics"])
    _print_counts("By kind", numbers["kinds"])
    _print_counts("By status", numbers["statuses"])
    _print_counts("By year", numbers["years"])
    _print_left(corpus, numbers, most)


def _length(notes: int, words: int, characters: int, minutes: int) -> str:
    """`13 notes, 52,100 words, 3 h 50 min to read`."""
    if not notes:
        return "no notes"
    length = _count(characters, "character") if characters > words else _count(words, "word")
    hours, minutes = divmod(minutes, 60)
    return ", ".join((_count(notes, "note"), length, f"{f'{hours} h ' if hours else ''}{minutes} min to read"))


def _print_counts(title: str, counts: Mapping[str, int]) -> None:
    if not counts:
        return
    tell("")
    tell(translated(title), bold=True)
    width, most = max(map(len, counts)), max(counts.values())
    for name, count in counts.items():
        bar = "█" * max(round(count / max(most, 1) * _BAR), bool(count))
        tell(f"  {name:{width}} {count:6,}  {bar}".rstrip())


def _print_left(corpus: Corpus, numbers: Mapping[str, Any], most: int) -> None:
    if len(corpus.site.languages) > 1:
        lacking = ((corpus.note(item["note"]).reference, item["missing"]) for item in numbers["untranslated"])
        _print_list("Untranslated notes", (f"{note}: no {lang}" for note, lang in lacking), most)
        for title, name in (
            ("Sections in one language only", "single_sections"),
            ("Translations out of step", "outdated_sections"),
        ):
            lines = (f"{corpus.note(note).reference}: {', '.join(ids)}" for note, ids in numbers[name].items())
            _print_list(title, lines, most)
    tell("")
    tell(translated("Papers"), bold=True)
    every, read, cited = (numbers["papers"][name] for name in ("all", "read", "cited"))
    others = every - read - cited
    tell("  " + translated(f"{every:,} in .bib files: {read:,} read, {cited:,} only cited, {others:,} neither"))
    titles = (f"{key}: {corpus.papers[key].title}" for key in numbers["papers"]["unread"])
    _print_list("Unread papers", titles, most)


def _print_list(title: str, lines: Iterable[str], most: int) -> None:
    shown = list(lines)
    if not shown:
        return
    tell("")
    tell(f"{translated(title)} ({len(shown):,})", bold=True)
    for line in shown[:most]:
        tell(f"  {line}")
    if len(shown) > most:
        tell(translated(f"  and {len(shown) - most:,} more; --all names them"))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
