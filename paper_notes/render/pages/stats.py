"""Statistics: notes and words by date, topic, kind and language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from paper_notes.corpus.model import Lang, Note, Text
from paper_notes.languages.language import Language, Words
from paper_notes.render.charts import Bar, Calendar, Column, Datum, bars, calendar, columns, enough
from paper_notes.render.labels import language_name, language_names
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.view_factory import PageContext, PageFrame, emoji_title, note_papers_in
from paper_notes.values import Struct, replace

MONTHS = 12
"""Months shown at least, so that a young collection is not one broad column."""
MOST_MONTHS = 60
"""A collection with a longer history is counted by years."""


class Plot(Struct, frozen=True):
    """Columns over time, and the same numbers as a table."""

    id: str
    title: Text
    about: Text
    """The plot in a sentence, for screen readers."""
    wide: bool
    key: tuple[tuple[Text, str], ...]
    """The series with their totals; empty if there is only one."""
    columns: tuple[Column, ...]
    head: tuple[Text, ...]
    rows: tuple[tuple[Text, tuple[str, ...]], ...]


class BarPlot(Struct, frozen=True):
    """Bars with their names and values: a table, with bars if it has enough rows."""

    id: str
    title: Text
    key: tuple[tuple[Text, str], ...]
    """As for a `Plot`."""
    drawn: bool
    bars: tuple[Bar, ...]


class StatsPage(Struct, frozen=True):
    """`stats.html`."""

    chrome: PageFrame
    numbers: tuple[tuple[Text, Text], ...]
    """Numbers with their labels."""
    translated: Text | None
    """A sentence instead of a plot if all sections are translated."""
    calendar: Calendar | None
    plots: tuple[Plot, ...]
    bars: tuple[BarPlot, ...]


def stats_page(collection: CollectionContext, context: PageContext) -> StatsPage:
    """The view of `stats.html`. Plots that would have too little to show are left out."""
    whole, words = collection, context.words
    collection = replace(whole, corpus=whole.corpus.without_days)
    plots = (
        _by_date("notes", words("label.notes"), lambda note: 1, collection, words),
        *(_by_language(language, collection, words) for language in words.languages),
        _papers(whole, words),
    )
    translated, translation = _translation(collection, words)
    corpus = collection.corpus
    by_topic = ((emoji_title(topic), len(whole.corpus.notes_of(topic.id))) for topic in corpus.topics)
    kinds = Counter(note.kind for note in whole.corpus.notes).most_common()
    by_kind = ((corpus.site.kind_name(kind), number) for kind, number in kinds)
    days = (day for note in collection.corpus.notes for day in {note.created, note.updated} if day)
    return StatsPage(
        chrome=context.list_frame("stats"),
        numbers=_numbers(collection, len(whole.corpus.notes) - len(corpus.notes), words),
        translated=translated,
        calendar=calendar(days, words),
        plots=tuple(plot for plot in plots if plot),
        bars=tuple(
            plot
            for plot in (_notes_by("topic", by_topic, words), _notes_by("kind", by_kind, words), translation)
            if plot and plot.bars
        ),
    )


def written(note: Note, language: Language, collection: CollectionContext) -> int:
    """Length of the note's text in a language: in characters if it has no spaces between words, else in words."""
    words, characters = collection.outlines[note.id].counts.get(language.tag, (0, 0))
    return characters if language.ideographic else words


def _unit(language: Language) -> str:
    return "characters" if language.ideographic else "words"


def _units(language: Language, words: Words) -> Text:
    """The unit of length in a language: `Chinese characters`, `English words`."""
    return words(f"label.{_unit(language)}", language=language_name(language.tag, words))


def _by_language(language: Language, collection: CollectionContext, words: Words) -> Plot | None:
    unit = _unit(language)
    name = unit if [*map(_unit, words.languages)].count(unit) == 1 else f"{unit}-{language.tag}"
    return _by_date(name, _units(language, words), lambda note: written(note, language, collection), collection, words)


def _numbers(collection: CollectionContext, daily: int, words: Words) -> tuple[tuple[Text, Text], ...]:
    notes = collection.corpus.notes
    numbers = [
        (len(notes), words("label.notes")),
        (daily, words("label.daily-lists")),
        (len(note_papers_in(notes)), words("label.papers-read")),
        *(
            (sum(written(note, language, collection) for note in notes), _units(language, words))
            for language in words.languages
        ),
    ]
    dated = sorted(_date(note) for note in notes if note.created or note.updated)
    shown = [(words.alike(f"{number:,}"), name) for number, name in numbers if number]
    return (*shown, *((words.alike(day), words("label.first-note")) for day in dated[:1]))


def _date(note: Note) -> str:
    """The date of creation, or if unknown, of the last change."""
    return str(note.created or note.updated)


def months_between(first: str, last: str) -> tuple[str, ...]:
    """`2025-11`, `2025-12`, `2026-01` ..., both ends included."""
    start, end = (int(month[:4]) * 12 + int(month[5:]) - 1 for month in (first, last))
    return tuple(f"{month // 12:04}-{month % 12 + 1:02}" for month in range(start, end + 1))


def _by_date(
    name: str, title: Text, count: Callable[[Note], int], collection: CollectionContext, words: Words
) -> Plot | None:
    dated = [(_date(note)[:7], note) for note in collection.corpus.notes if note.created or note.updated]
    if not dated:
        return None
    first, last = min(month for month, _ in dated), max(month for month, _ in dated)
    early = f"{int(last[:4]) - 1:04}-{int(last[5:]) + 1:02}" if last[5:] != "12" else f"{last[:4]}-01"
    months = months_between(min(first, early), last)
    by_year = len(months) > MOST_MONTHS
    size = 4 if by_year else 7
    totals = dict.fromkeys((month[:size] for month in months), 0)
    for month, note in dated:
        totals[month[:size]] += count(note)
    data = [
        Datum(words.alike(time), (total,), _tick(time), by_year or len(months) == MONTHS or time.endswith("-01"))
        for time, total in totals.items()
    ]
    period = "year" if by_year else "month"
    per = words(f"label.per-{period}", title=title)
    return _plot(name, per, (title,), data, period, words, wide=name == "notes")


def _tick(time: str) -> str:
    """The label below a column: the number of the month, or the year for January."""
    year, _, month = time.partition("-")
    return year if month in {"", "01"} else str(int(month))


def _papers(collection: CollectionContext, words: Words) -> Plot | None:
    corpus = collection.corpus
    read = set(note_papers_in(corpus.notes))
    dated = [(paper.year, paper.key in read) for paper in corpus.own_papers.values() if paper.year]
    years = range(min(year for year, _ in dated), max(year for year, _ in dated) + 1) if dated else range(0)
    years = years[-MOST_MONTHS:]
    counted = Counter(dated)
    data = [Datum(words.alike(str(year)), (counted[year, True], counted[year, False]), str(year)) for year in years]
    series = (words("label.read"), words("label.in-library"))
    return _plot("papers", words("label.papers-by-year"), series, data, "year", words, wide=True)


def _plot(
    name: str, title: Text, series: tuple[Text, ...], data: list[Datum], period: str, words: Words, *, wide: bool
) -> Plot | None:
    """A plot of columns, one for each period; None if it has too few. Series that are always 0 are left out."""
    series, data = _without_empty(series, data)
    if not enough(data):
        return None
    return Plot(
        id=f"plot-{name}",
        title=title,
        about=_about(title, data, words),
        wide=wide,
        key=_key(series, data) if len(series) > 1 else (),
        columns=columns(data, series, words),
        head=(words(f"label.{period}"), *series),
        rows=tuple((datum.name, tuple(f"{value:,}" for value in datum.values)) for datum in data),
    )


def _without_empty(series: Sequence[Text], data: Sequence[Datum]) -> tuple[tuple[Text, ...], list[Datum]]:
    """The series that are not 0 throughout, and their data."""
    used = [index for index, values in enumerate(zip(*(datum.values for datum in data), strict=True)) if any(values)]
    kept = [replace(datum, values=tuple(datum.values[index] for index in used)) for datum in data]
    return tuple(series[index] for index in used), kept


def _key(series: tuple[Text, ...], data: Sequence[Datum]) -> tuple[tuple[Text, str], ...]:
    sums = [f"{sum(values):,}" for values in zip(*(datum.values for datum in data), strict=True)]
    return tuple(zip(series, sums, strict=True))


def _notes_by(what: str, numbers: Iterable[tuple[Text, int]], words: Words) -> BarPlot:
    data = [Datum(name, (number,)) for name, number in numbers if number]
    return _bars(f"{what}s", words(f"label.by-{what}"), (words("label.notes"),), data)


def _translation(collection: CollectionContext, words: Words) -> tuple[Text | None, BarPlot | None]:
    """Sections in both languages, outdated in one, or lacking one, by topic; a sentence if all are up to date."""
    series = (
        words("label.in-both"),
        words("label.out-of-step"),
        *(words("label.in-one", language=language_name(lang, words)) for lang in words.tags),
    )
    corpus = collection.corpus
    counts = {topic: _coverage(corpus.notes_of(topic.id), collection, words) for topic in corpus.topics}
    data = [Datum(emoji_title(topic), values) for topic, values in counts.items() if any(values)]
    if len(words.tags) < 2 or not data:
        return None, None
    used, shown = _without_empty(series, data)
    if used == series[:1]:
        number = sum(sum(datum.values) for datum in data)
        return words("label.all-in-both", number=number, languages=language_names(words)), None
    return None, _bars("translation", words("label.translation"), used, shown, shares=True)


def _bars(name: str, title: Text, series: tuple[Text, ...], data: list[Datum], *, shares: bool = False) -> BarPlot:
    key = _key(series, data) if shares else ()
    return BarPlot(f"plot-{name}", title, key, shares or enough(data), bars(data, series, shares=shares))


def _coverage(notes: Iterable[Note], collection: CollectionContext, words: Words) -> tuple[int, ...]:
    both = behind = 0
    single: Counter[Lang] = Counter()
    for note in notes:
        outline = collection.outlines[note.id]
        for section, languages in outline.sections:
            if len(languages) == 2:
                behind += section in outline.outdated
                both += section not in outline.outdated
            else:
                single[languages[0]] += 1
    return both, behind, *(single[lang] for lang in words.tags)


def _about(title: Text, data: Sequence[Datum], words: Words) -> Text:
    """The plot in a sentence: the total, and the highest column."""
    most = max(data, key=lambda datum: sum(datum.values))
    total, top = sum(sum(datum.values) for datum in data), sum(most.values)
    return words("label.plot", title=title, total=total, name=most.name, most=top)


PAGE = CollectionPage("stats", lambda collection: bool(collection.corpus.without_days.notes), stats_page, counts=True)
