"""`paper-notes list` and `show`. What takes long to import is imported late, for help and TAB."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import click

from paper_notes.commands.collection import open_collection
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import (
    colour,
    fail,
    json_option,
    lang_option,
    plain,
    print_json,
    root_option,
    say,
    tell,
)
from paper_notes.corpus.model import Corpus, Lang, Note, Status
from paper_notes.diagnostics import did_you_mean
from paper_notes.languages.language import Words, canonical

F = TypeVar("F", bound=Callable[..., Any])
ORDERS = ("number", "newest", "papers", "rating", "title")
_titles = lang_option("Titles in this language; else the site's first.")


def _any_of(name: str, field: str, meaning: str, choices: tuple[str, ...] = ()) -> Callable[[F], F]:
    """An option for a field of `NoteFilter`."""
    kind, metavar = (click.Choice(choices), None) if choices else (None, name.upper())
    text = f"{meaning}; may be given several times."
    return click.option(f"--{name}", field, multiple=True, type=kind, metavar=metavar, help=text)


@click.command("list")
@_any_of("topic", "topics", "Notes of this topic (its folder)")
@_any_of("kind", "kinds", "Notes of this kind")
@_any_of("tag", "tags", "Notes with this tag")
@click.option(
    "--year",
    "years",
    multiple=True,
    type=int,
    metavar="YEAR",
    help="Of the paper, or of a note without one; may be repeated.",
)
@_any_of("status", "statuses", "Notes in this state", (*get_args(Status), "draft"))
@click.option("--written", "language", metavar="LANG", help="Notes that have a text in this language, or in `both`.")
@click.option(
    "--rating", type=click.IntRange(1, 5), metavar="1-5", default=None, help="Notes with at least so many stars."
)
@click.option(
    "--text", default="", help="All of these words, in title, summary, tags, papers or text; terms by any name."
)
@click.option("--sort", type=click.Choice(ORDERS), default="number", show_default=True, help="The order.")
@_titles
@root_option
@json_option
def list_notes(
    root: Path, lang: str | None, as_json: bool, sort: Any, language: str | None, rating: int | None, **filters: Any
) -> None:
    """List the notes of the collection, with the filters of the home page.

    On a terminal it is a table; through a pipe each note is a line of fields with tabs between them:
    topic/#number, title, kind, status, rating, date, languages, tags.
    """
    from paper_notes.features.queries.listing import NoteFilter, facts, select, words_of

    with open_collection(root, pdfs=False) as collection:
        corpus = collection.corpus
        bodies = collection.bodies()[0] if filters["text"] else {}
        texts = {note: words_of(body) for note, body in bodies.items()}
    for topic in filters["topics"]:
        if topic not in corpus.site.topics:
            fail(f'there is no topic "{topic}"', did_you_mean(topic, corpus.site.topics))
    kinds = [kind.id for kind in corpus.site.kinds]
    for kind in filters["kinds"]:
        if kind not in kinds:
            fail(f'there is no kind "{kind}"', did_you_mean(kind, kinds))
    shown_in = _language(lang, "--lang", corpus) or corpus.site.default_language
    written: Lang | Literal["both"] | None = (
        "both" if language == "both" else _language(language, "--written", corpus, "both")
    )
    wanted = NoteFilter(language=written, rating=rating or 0, **filters)
    notes = select(corpus, wanted, sort, shown_in, texts)
    if as_json:
        print_json(notes=[facts(note, corpus) for note in notes])
    elif sys.stdout.isatty():
        _print_table(notes, shown_in)
    else:
        for note in notes:
            tell(*(" ".join(field.split()) for field in _fields(note, shown_in)))
    if not as_json:
        say(f"{len(notes)} of {len(corpus.notes)} notes")
    unknown = [tag for tag in wanted.tags if not any(tag in note.tags for note in corpus.notes)]
    if unknown and not notes:
        hint = did_you_mean(unknown[0], {tag for note in corpus.notes for tag in note.tags})
        say(f'  hint: no note has the tag "{unknown[0]}"; {hint}')


def _language(value: str | None, option: str, corpus: Corpus, *others: str) -> Lang | None:
    """The language of the site that an option names. Raises click.BadParameter if the site does not have it."""
    lang = canonical(value) if value else None
    if value is not None and lang not in corpus.site.languages:
        hint = did_you_mean(value, [*corpus.site.languages, *others])
        raise click.BadParameter(f'the site has no language "{value}"; {hint}', param_hint=option)
    return lang


def _fields(note: Note, lang: Lang) -> tuple[str, ...]:
    date = note.updated or note.created
    return (
        note.reference,
        note.title[lang],
        note.kind,
        note.state,
        "★" * (note.rating or 0),
        date.isoformat() if date else "",
        " ".join(note.languages),
        ", ".join(note.tags),
    )


def _print_table(notes: tuple[Note, ...], lang: Lang) -> None:
    """Print a table as wide as the terminal; in a narrow one the last columns are left out."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(color_system=None if colour() is False else "auto", highlight=False)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bold")
    names = ("note", "title", "kind", "status", "rating", "date", "lang", "tags")
    count = next((count for least, count in ((110, 8), (90, 7), (72, 6), (50, 4)) if console.width >= least), 2)
    for name in names[:count]:
        table.add_column(name, no_wrap=name not in ("title", "tags"), ratio={"title": 3, "tags": 1}.get(name))
    for note in notes:
        table.add_row(*(Text(plain(" ".join(field.split()))) for field in _fields(note, lang)[:count]))
    if notes:
        console.print(table)


@click.command()
@click.argument("note")
@_titles
@root_option
@json_option
def show(note: str, lang: str | None, root: Path, as_json: bool) -> None:
    """Show all that is known of NOTE: facts, papers, sections and their length, and links from and to it.

    NOTE is written like spec-rl/4, spec-rl/#4 or spec-rl/04_ReSpec_2510.26475; in the topic's folder 4 will do. Or it
    is the path of its folder, the file or address of its page, or a part of its name or title that no other note has.
    """
    from paper_notes.features.queries.listing import details
    from paper_notes.render.links import link_resolver
    from paper_notes.render.pages.note import relations

    with open_collection(root, pdfs=False) as collection:
        corpus = collection.corpus
        shown_in = _language(lang, "--lang", corpus) or corpus.site.default_language
        wanted = the_note(corpus, root, note, guess=True)
        bodies, _ = collection.bodies()
        resolver = link_resolver(corpus, bodies.outlines)
        summary = details(wanted, bodies[wanted.id], corpus, resolver, relations(corpus, bodies.outlines, resolver))
    if as_json:
        print_json(**summary)
        return
    _print_details(wanted, summary, corpus, shown_in)


def _print_details(note: Note, summary: Mapping[str, Any], corpus: Corpus, lang: Lang) -> None:
    facts = [note.kind, note.state, "★" * (note.rating or 0), ", ".join(note.languages), "own paper" * note.own]
    dates = [f"{name} {summary[name]}" for name in ("created", "updated") if summary[name]]
    tell(f"{note.reference}  {note.title[lang]}", bold=True)
    if note.summary:
        tell(note.summary[lang])
    tell(" · ".join(part for part in (*facts, *dates) if part))
    for name, value in (("tags", ", ".join(note.tags)), ("source", summary["source"]), ("page", summary["page"])):
        if value:
            tell(f"{name}: {value}")
    _print_part("Papers", [_paper_line(paper) for paper in summary["papers"]])
    _print_part("Sections", [_section_line(section, corpus.site.words, lang) for section in summary["sections"]])
    links = {name: [_note_line(corpus, other, lang) for other in summary[name]] for name in ("links_to", "backlinks")}
    _print_part("Cites", summary["cites"])
    _print_part("Links to", links["links_to"])
    _print_part("Linked from", links["backlinks"])
    steps = [f"{path['title'][lang]} ({path['position']} of {path['length']})" for path in summary["paths"]]
    _print_part("Reading paths", steps)
    for title, key in (("Corrects", "corrects"), ("Corrected by", "corrected_by")):
        lines = [
            f"{_note_line(corpus, item['note'], lang)}: {item['claim'][lang]} → {item['correction'][lang]}"
            for item in summary[key]
        ]
        _print_part(title, lines)


def _print_part(title: str, lines: list[str]) -> None:
    if lines:
        tell("")
        tell(title, bold=True)
        for line in lines:
            tell(f"  {line}")


def _paper_line(paper: Mapping[str, Any]) -> str:
    authors = paper["team"] or ", ".join(paper["authors"][:3])
    return " · ".join(part for part in (paper["key"], paper["title"], authors, paper["date"]) if part)


def _section_line(section: Mapping[str, Any], words: Words, lang: Lang) -> str:
    halves = {tag: section[tag] for tag in words.tags if section[tag]}
    heading = (halves.get(lang) or next(iter(halves.values())))["heading"]
    units = {tag: "characters" if words[tag].ideographic else "words" for tag in halves}
    counts = ", ".join(f"{tag} {half[units[tag]]} {units[tag]}" for tag, half in halves.items())
    return f"{'  ' * (section['level'] - 2)}{heading}  #{section['id']}  ({counts})"


def _note_line(corpus: Corpus, note_id: Any, lang: Lang) -> str:
    note = corpus.note(note_id)
    return f"{note.reference}  {note.title[lang]}"
