"""Statistics: what was written when, about what, in which languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from markupsafe import Markup

from paper_notes.corpus.model import Lang, Note, Topic
from paper_notes.render.charts import Chart, Datum, bars, columns
from paper_notes.render.list_views import Plot, StatsPage
from paper_notes.render.lists.material import Material
from paper_notes.render.parts import Maker, bi, note_papers_in
from paper_notes.render.views import Bi
from paper_notes.render.words import KINDS

MONTHS = 12
"""At least so many months are shown, so that a young collection is not one broad column."""
MOST_MONTHS = 60
"""A collection with a longer history is counted by years."""
NOTES = Bi("笔记", "Notes")


def stats_page(material: Material, maker: Maker, title: Bi) -> StatsPage:
    """The view of `stats.html`. Plots that would have nothing to show are left out."""
    plots = (
        _per_month(material, "notes", Bi("每月笔记", "Notes per month"), (NOTES,), lambda note: (1,)),
        _per_month(material, "words", Bi("每月字数", "Words per month"), _WORDS, lambda note: written(note, material)),
        _papers(material),
        _by_topic(material),
        _by_kind(material),
        _translation(material),
    )
    about = Bi("写了多少、写了什么、译了多少。", "How much was written, about what, and how much is translated.")
    return StatsPage(
        chrome=maker.chrome(title, about, None),
        numbers=_numbers(material),
        plots=tuple(_shown(plot) for plot in plots if plot.data),
    )


_WORDS = (Bi("中文字", "Chinese characters"), Bi("英文词", "English words"))


@dataclass(frozen=True, slots=True)
class _Plan:
    """A plot before it is drawn: how, and what its rows are called."""

    chart: Chart
    draw: Callable[[Chart], Markup]
    rows: Bi

    @property
    def data(self) -> tuple[Datum, ...]:
        return self.chart.data


def written(note: Note, material: Material) -> tuple[int, int]:
    """Chinese characters of the Chinese text, and English words of the English one."""
    counts = material.outlines[note.id].counts
    return (counts["zh"][1] if "zh" in counts else 0, counts["en"][0] if "en" in counts else 0)


def _numbers(material: Material) -> tuple[tuple[Bi, Bi], ...]:
    notes = material.corpus.notes
    words = [written(note, material) for note in notes]
    languages = material.corpus.site.languages
    both = sum(len(note.languages) == 2 for note in notes)
    share = f"{round(100 * both / len(notes))}%" if notes else "0%"
    numbers = [
        (len(notes), NOTES),
        (len(note_papers_in(notes)), Bi("读过的论文", "Papers read")),
        (sum(zh for zh, _ in words), _WORDS[0]),
        (sum(en for _, en in words), _WORDS[1]),
    ]
    shown = [(Bi(f"{number:,}", f"{number:,}"), name) for number, name in numbers if number]
    if len(languages) == 2:
        shown.append((Bi(share, share), Bi("有中英两版", "in both languages")))
    return tuple(shown)


def months_between(first: str, last: str) -> tuple[str, ...]:
    """`2025-11`, `2025-12`, `2026-01` ..., both ends included."""
    start, end = (int(month[:4]) * 12 + int(month[5:]) - 1 for month in (first, last))
    return tuple(f"{month // 12:04}-{month % 12 + 1:02}" for month in range(start, end + 1))


def _per_month(
    material: Material, name: str, title: Bi, series: tuple[Bi, ...], count: Callable[[Note], tuple[int, ...]]
) -> _Plan:
    """Notes by the day they were first written, or changed where that is all there is."""
    dated = [(str(note.created or note.updated)[:7], note) for note in material.corpus.notes if _dated(note)]
    months: tuple[str, ...] = ()
    if dated:
        first, last = min(month for month, _ in dated), max(month for month, _ in dated)
        early = f"{int(last[:4]) - 1:04}-{int(last[5:]) + 1:02}" if last[5:] != "12" else f"{last[:4]}-01"
        months = months_between(min(first, early), last)
    by_year = len(months) > MOST_MONTHS
    if by_year:
        dated = [(month[:4], note) for month, note in dated]
        months = tuple(dict.fromkeys(month[:4] for month in months))
        title = Bi(title.zh.replace("每月", "每年"), title.en.replace("month", "year"))
    totals = {month: [0] * len(series) for month in months}
    for month, note in dated:
        totals[month] = [one + more for one, more in zip(totals[month], count(note), strict=True)]
    data = tuple(Datum(Bi(month, month), tuple(values)) for month, values in totals.items())
    if not any(any(datum.values) for datum in data):
        data = ()
    used = [place for place in range(len(series)) if any(datum.values[place] for datum in data)]
    data = tuple(Datum(datum.label, tuple(datum.values[place] for place in used)) for datum in data)
    about = _about(title, data)
    shown, languages = tuple(series[place] for place in used), material.corpus.site.languages
    chart = Chart(f"plot-{name}", title, about, shown, data, languages, apart=True)
    return _Plan(chart, columns, Bi("年", "Year") if by_year else Bi("月", "Month"))


def _dated(note: Note) -> bool:
    return bool(note.created or note.updated)


def _papers(material: Material) -> _Plan:
    corpus = material.corpus
    read = set(note_papers_in(corpus.notes))
    dated = [(paper.year, paper.key in read) for paper in corpus.papers.values() if paper.year]
    years = range(min(year for year, _ in dated), max(year for year, _ in dated) + 1) if dated else range(0)
    if len(years) > MOST_MONTHS:
        years = range(years[-1] - MOST_MONTHS + 1, years[-1] + 1)
    counted = Counter(dated)
    data = tuple(Datum(Bi(str(year), str(year)), (counted[year, True], counted[year, False])) for year in years)
    title = Bi("论文的年份", "Papers by year")
    series = (Bi("读过", "read"), Bi("只在库中", "only in the library"))
    chart = Chart("plot-papers", title, _about(title, data), series, data, corpus.site.languages)
    return _Plan(chart, columns, Bi("年", "Year"))


def _by_topic(material: Material) -> _Plan:
    data = tuple(Datum(_named(topic), (len(material.corpus.notes_of(topic.id)),)) for topic in material.corpus.topics)
    return _bars(material, "topics", Bi("各专题", "By topic"), (NOTES,), Bi("专题", "Topic"), data)


def _named(topic: Topic) -> Bi:
    return Bi(*(f"{topic.emoji} {topic.title[lang]}".strip() for lang in ("zh", "en")))


def _by_kind(material: Material) -> _Plan:
    counted = Counter(note.kind for note in material.corpus.notes)
    data = tuple(Datum(bi(KINDS[kind]), (number,)) for kind, number in counted.most_common())
    return _bars(material, "kinds", Bi("各类型", "By kind"), (NOTES,), Bi("类型", "Kind"), data)


def _translation(material: Material) -> _Plan:
    """How many sections have both languages and are in step, may be behind, or lack one."""
    series = (
        Bi("两种语言都有", "in both languages"),
        Bi("可能不同步", "maybe out of step"),
        Bi("只有中文", "Chinese only"),
        Bi("只有英文", "English only"),
    )
    data: tuple[Datum, ...] = ()
    if len(material.corpus.site.languages) == 2:
        data = tuple(
            Datum(_named(topic), _coverage(material.corpus.notes_of(topic.id), material))
            for topic in material.corpus.topics
            if material.corpus.notes_of(topic.id)
        )
    used = [place for place in range(len(series)) if any(datum.values[place] for datum in data)]
    data = tuple(Datum(datum.label, tuple(datum.values[place] for place in used)) for datum in data)
    names = tuple(series[place] for place in used)
    title = Bi("翻译覆盖（节）", "Translation, by sections")
    plan = _bars(material, "translation", title, names, Bi("专题", "Topic"), data)
    return replace(plan, chart=replace(plan.chart, shares=True))


def _coverage(notes: Iterable[Note], material: Material) -> tuple[int, int, int, int]:
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


def _bars(material: Material, name: str, title: Bi, series: tuple[Bi, ...], rows: Bi, data: tuple[Datum, ...]) -> _Plan:
    data = data if any(any(datum.values) for datum in data) else ()
    chart = Chart(f"plot-{name}", title, _about(title, data), series, data, material.corpus.site.languages)
    return _Plan(chart, bars, rows)


def _about(title: Bi, data: tuple[Datum, ...]) -> Bi:
    """The plot in a sentence: how many there are in all, and where the most."""
    if not data:
        return title
    most = max(data, key=lambda datum: sum(datum.values))
    total, top = sum(sum(datum.values) for datum in data), sum(most.values)
    return Bi(
        f"{title.zh}：共 {total:,}，最多的是 {most.label.zh}（{top:,}）。",
        f"{title.en}: {total:,} in all, the most for {most.label.en} ({top:,}).",
    )


def _shown(plan: _Plan) -> Plot:
    chart = plan.chart
    rows = tuple((datum.label, tuple(f"{value:,}" for value in datum.values)) for datum in chart.data)
    legend = () if chart.series == (NOTES,) else chart.series
    return Plot(chart.id, chart.title, plan.draw(chart), legend, (plan.rows, *chart.series), rows)
