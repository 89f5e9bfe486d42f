"""Statistics: what was written when, about what, in which languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from paper_notes.corpus.model import Lang, Note, Topic
from paper_notes.languages.text import zh_en
from paper_notes.render.charts import Bar, Calendar, Column, Datum, bars, calendar, columns, enough
from paper_notes.render.labels import KINDS
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.parts import ListName, PageContext, bi, note_papers_in
from paper_notes.render.views import Bi, Chrome

MONTHS = 12
"""At least so many months are shown, so that a young collection is not one broad column."""
MOST_MONTHS = 60
"""A collection with a longer history is counted by years."""
NOTES = zh_en("笔记", "Notes")
_CHARACTERS, _WORDS = zh_en("中文字", "Chinese characters"), zh_en("英文词", "English words")
_MONTH, _YEAR = zh_en("月", "Month"), zh_en("年", "Year")


@dataclass(frozen=True, slots=True)
class Plot:
    """Columns over time, and the same numbers as a table."""

    id: str
    title: Bi
    about: Bi
    """The plot in a sentence, for those who cannot see it."""
    wide: bool
    key: tuple[tuple[Bi, str], ...]
    """The series and how many there are of each; empty where there is one only."""
    columns: tuple[Column, ...]
    head: tuple[Bi, ...]
    rows: tuple[tuple[Bi, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class BarPlot:
    """Bars with their names and values: a table, with bars if it has enough rows."""

    id: str
    title: Bi
    key: tuple[tuple[Bi, str], ...]
    """As for a `Plot`."""
    drawn: bool
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class StatsPage:
    """`stats.html`."""

    chrome: Chrome
    numbers: tuple[tuple[Bi, Bi], ...]
    """The number, and what it counts."""
    translated: Bi | None
    """In words, where there is nothing to translate."""
    calendar: Calendar | None
    plots: tuple[Plot, ...]
    bars: tuple[BarPlot, ...]


def stats_page(material: CollectionContext, context: PageContext, title: Bi) -> StatsPage:
    """The view of `stats.html`. Plots that would have too little to show are left out."""
    plots = (
        _by_date(material, "notes", zh_en("笔记", "Notes"), NOTES, lambda note: 1),
        _by_date(material, "characters", _CHARACTERS, _CHARACTERS, lambda note: written(note, material)[0]),
        _by_date(material, "words", _WORDS, _WORDS, lambda note: written(note, material)[1]),
        _papers(material),
    )
    translated, translation = _translation(material)
    about = zh_en("写了多少、写了什么、译了多少。", "How much was written, about what, and how much is translated.")
    return StatsPage(
        chrome=context.chrome(title, about, None),
        numbers=_numbers(material),
        translated=translated,
        calendar=calendar(day for note in material.corpus.notes for day in {note.created, note.updated} if day),
        plots=tuple(plot for plot in plots if plot),
        bars=tuple(plot for plot in (_by_topic(material), _by_kind(material), translation) if plot and plot.bars),
    )


def written(note: Note, material: CollectionContext) -> tuple[int, int]:
    """Chinese characters of the Chinese text, and English words of the English one."""
    counts = material.outlines[note.id].counts
    return (counts["zh"][1] if "zh" in counts else 0, counts["en"][0] if "en" in counts else 0)


def _numbers(material: CollectionContext) -> tuple[tuple[Bi, Bi], ...]:
    notes = material.corpus.notes
    words = [written(note, material) for note in notes]
    numbers = [
        (len(notes), NOTES),
        (len(note_papers_in(notes)), zh_en("读过的论文", "Papers read")),
        (sum(zh for zh, _ in words), _CHARACTERS),
        (sum(en for _, en in words), _WORDS),
    ]
    dated = sorted(_date(note) for note in notes if note.created or note.updated)
    shown = [(zh_en(f"{number:,}", f"{number:,}"), name) for number, name in numbers if number]
    return (*shown, *((zh_en(day, day), zh_en("最早一篇", "the first note")) for day in dated[:1]))


def _date(note: Note) -> str:
    """The day it was first written, or changed where that is all there is."""
    return str(note.created or note.updated)


def months_between(first: str, last: str) -> tuple[str, ...]:
    """`2025-11`, `2025-12`, `2026-01` ..., both ends included."""
    start, end = (int(month[:4]) * 12 + int(month[5:]) - 1 for month in (first, last))
    return tuple(f"{month // 12:04}-{month % 12 + 1:02}" for month in range(start, end + 1))


def _by_date(
    material: CollectionContext, name: str, title: Bi, series: Bi, count: Callable[[Note], int]
) -> Plot | None:
    dated = [(_date(note)[:7], note) for note in material.corpus.notes if note.created or note.updated]
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
        Datum(zh_en(time, time), (total,), _tick(time), by_year or len(months) == MONTHS or time.endswith("-01"))
        for time, total in totals.items()
    ]
    per = (
        zh_en(f"每年{title.zh}", f"{title.en} per year")
        if by_year
        else zh_en(f"每月{title.zh}", f"{title.en} per month")
    )
    return _plot(name, per, (series,), data, _YEAR if by_year else _MONTH, wide=name == "notes")


def _tick(time: str) -> str:
    """The number of a month, but the year where it begins."""
    year, _, month = time.partition("-")
    return year if month in {"", "01"} else str(int(month))


def _papers(material: CollectionContext) -> Plot | None:
    corpus = material.corpus
    read = set(note_papers_in(corpus.notes))
    dated = [(paper.year, paper.key in read) for paper in corpus.papers.values() if paper.year]
    years = range(min(year for year, _ in dated), max(year for year, _ in dated) + 1) if dated else range(0)
    years = years[-MOST_MONTHS:]
    counted = Counter(dated)
    data = [
        Datum(zh_en(str(year), str(year)), (counted[year, True], counted[year, False]), str(year)) for year in years
    ]
    series = (zh_en("读过", "read"), zh_en("只在库中", "only in the library"))
    return _plot("papers", zh_en("论文的年份", "Papers by year"), series, data, _YEAR, wide=True)


def _plot(name: str, title: Bi, series: tuple[Bi, ...], data: list[Datum], rows: Bi, *, wide: bool) -> Plot | None:
    """A plot of columns; None if it has too few. Series that are always 0 are left out."""
    used = _used(data)
    series, data = tuple(series[place] for place in used), [_only(datum, used) for datum in data]
    if not enough(data):
        return None
    return Plot(
        id=f"plot-{name}",
        title=title,
        about=_about(title, data),
        wide=wide,
        key=_key(series, data) if len(series) > 1 else (),
        columns=columns(data, series),
        head=(rows, *series),
        rows=tuple((datum.name, tuple(f"{value:,}" for value in datum.values)) for datum in data),
    )


def _used(data: Sequence[Datum]) -> tuple[int, ...]:
    """The series that are not 0 throughout."""
    return tuple(
        place for place, values in enumerate(zip(*(datum.values for datum in data), strict=True)) if any(values)
    )


def _only(datum: Datum, used: Iterable[int]) -> Datum:
    return replace(datum, values=tuple(datum.values[place] for place in used))


def _key(series: tuple[Bi, ...], data: Sequence[Datum]) -> tuple[tuple[Bi, str], ...]:
    sums = [f"{sum(values):,}" for values in zip(*(datum.values for datum in data), strict=True)]
    return tuple(zip(series, sums, strict=True))


def _by_topic(material: CollectionContext) -> BarPlot:
    data = [Datum(_named(topic), (len(material.corpus.notes_of(topic.id)),)) for topic in material.corpus.topics]
    return _bars("topics", zh_en("各专题", "By topic"), (NOTES,), [datum for datum in data if any(datum.values)])


def _named(topic: Topic) -> Bi:
    return zh_en(*(f"{topic.emoji} {topic.title[lang]}".strip() for lang in ("zh", "en")))


def _by_kind(material: CollectionContext) -> BarPlot:
    counted = Counter(note.kind for note in material.corpus.notes)
    data = [Datum(bi(KINDS[kind]), (number,)) for kind, number in counted.most_common()]
    return _bars("kinds", zh_en("各类型", "By kind"), (NOTES,), data)


def _translation(material: CollectionContext) -> tuple[Bi | None, BarPlot | None]:
    """How many sections have both languages and are in step, may be behind, or lack one: in words if all are fine."""
    series = (
        zh_en("两种语言都有", "in both languages"),
        zh_en("可能不同步", "maybe out of step"),
        zh_en("只有中文", "Chinese only"),
        zh_en("只有英文", "English only"),
    )
    corpus = material.corpus
    counts = {topic: _coverage(corpus.notes_of(topic.id), material) for topic in corpus.topics}
    data = [Datum(_named(topic), values) for topic, values in counts.items() if any(values)]
    if len(corpus.site.languages) < 2 or not data:
        return None, None
    used = _used(data)
    if used == (0,):
        number = sum(sum(datum.values) for datum in data)
        return zh_en(f"全部 {number:,} 节都有中英两版。", f"Every section is in both languages ({number:,})."), None
    title = zh_en("翻译覆盖（节）", "Translation, by sections")
    shown = [_only(datum, used) for datum in data]
    return None, _bars("translation", title, tuple(series[place] for place in used), shown, shares=True)


def _bars(name: str, title: Bi, series: tuple[Bi, ...], data: list[Datum], *, shares: bool = False) -> BarPlot:
    key = _key(series, data) if shares else ()
    return BarPlot(f"plot-{name}", title, key, shares or enough(data), bars(data, series, shares=shares))


def _coverage(notes: Iterable[Note], material: CollectionContext) -> tuple[int, int, int, int]:
    both = behind = 0
    single: Counter[Lang] = Counter()
    for note in notes:
        outline = material.outlines[note.id]
        for section, languages in outline.sections:
            if len(languages) == 2:
                behind += section in outline.outdated
                both += section not in outline.outdated
            else:
                single[languages[0]] += 1
    return both, behind, single["zh"], single["en"]


def _about(title: Bi, data: Sequence[Datum]) -> Bi:
    """The plot in a sentence: how many there are in all, and where the most."""
    most = max(data, key=lambda datum: sum(datum.values))
    total, top = sum(sum(datum.values) for datum in data), sum(most.values)
    return zh_en(
        f"{title.zh}：共 {total:,}，最多的是 {most.name.zh}（{top:,}）。",
        f"{title.en}: {total:,} in all, the most for {most.name.en} ({top:,}).",
    )


PAGE = CollectionPage(
    ListName("stats", zh_en("统计", "Statistics")),
    lambda material: bool(material.corpus.notes),
    stats_page,
    counts=True,
)
