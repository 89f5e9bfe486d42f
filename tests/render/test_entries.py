"""Notes that list papers: cards on their page, a calendar, and no trace on pages about papers that were read."""

from __future__ import annotations

import itertools
import json
import re
from functools import partial
from pathlib import Path

import pytest
from listing import collection_of, note, page_of
from running import PROJECT, built, collection

from paper_notes.languages.text import Lang, Text
from paper_notes.render.pages import digests
from paper_notes.render.pages.collection import View
from paper_notes.render.pages.digests import DigestsPage, digests_page, digests_parts
from paper_notes.render.pages.entries import Field, fields_of

NOTE = "inference/notes/04_2014-12-23.html"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(collection("japanese", tmp_path_factory.mktemp("lists")))


def cards(page: str) -> list[str]:
    return page.partition('<div class="end">')[0].split('<section class="entry"')[1:]


def test_each_paper_is_a_card_whose_sections_are_folded(site: Path) -> None:
    adam, adadelta = cards((site / NOTE).read_text("utf-8"))
    assert 'id="p-1412-6980" data-words="SGD|Momentum"' in adam
    assert "--v: 100" in adam
    assert "--v: 13" in adadelta
    assert "31 votes" in adam
    headline, folded = adam.partition("<details")[::2]
    assert "<strong>moments</strong>" in headline, "what it is about in one sentence is open"
    assert "It converges faster." in folded
    assert "No learning rate is chosen by hand." in adadelta
    assert "ADADELTA: An Adaptive Learning Rate Method" in adadelta, "without a section, it has its own title"


def test_no_level_of_headings_is_left_out_below_a_folded_section(tmp_path: Path) -> None:
    root = collection("japanese", tmp_path)
    text = root / "notes_src" / NOTE.replace("notes/", "").replace(".html", "/en.md")
    text.write_text(text.read_text("utf-8") + "\n### More {#p-1412-6980-more}\n\na\n\n#### Deeper\n\nb\n", "utf-8")
    levels = [int(level) for level in re.findall(r"<h(\d)", (built(root) / NOTE).read_text("utf-8"))]
    assert 3 in levels
    assert all(level <= before + 1 for before, level in itertools.pairwise(levels))


def test_a_card_under_another_heading_names_the_paper(site: Path) -> None:
    adam, adadelta = cards((site / NOTE).read_text("utf-8"))
    assert "<cite>Adam: A Method for Stochastic Optimization</cite>" in adam
    assert "<cite>" not in adadelta, "its heading is its title"


def test_no_other_style_applies_to_the_sections_of_a_card(site: Path) -> None:
    (name,) = set(re.findall(r'<details class="([^"]+)"', "".join(cards((site / NOTE).read_text("utf-8")))))
    styles = (PROJECT / "assets/css").rglob("*.css")
    own = [style.name for style in styles if re.search(rf"\.{name}(?![\w-])", style.read_text("utf-8"))]
    assert own == ["44-entry.css"], "a class that lines of formulas had, too, put texts beside their headings"


def test_it_says_where_the_paper_was_read_and_offers_all_papers(site: Path) -> None:
    page = (site / NOTE).read_text("utf-8")
    adam, adadelta = cards(page)
    assert "optimisation/notes/02_Adam.html" in adam
    assert "Has a note:" not in adadelta
    assert page.count('class="Z3988"') == 2
    assert "citation_title" not in page, "it is about none of them alone"
    (data,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    assert [part["name"] for part in json.loads(data)["hasPart"]] == [
        "Adam: A Method for Stochastic Optimization",
        "ADADELTA: An Adaptive Learning Rate Method",
    ]
    assert (site / NOTE).with_suffix(".bib").read_text("utf-8").count("@misc{") == 2


def test_pages_about_papers_that_were_read_leave_out_those_that_are_only_listed(site: Path) -> None:
    for name in ("papers.html", "papers.bib", "inference/papers.bib", "README.md", "index.html"):
        text = (site / name).read_text("utf-8")
        assert "ADADELTA" not in text, name
        assert "Zeiler" not in text, name


def test_the_calendar_leads_to_each_day(site: Path) -> None:
    page = (site / "digests.html").read_text("utf-8")
    assert re.findall(r'<time datetime="2014-12-23">2014-12-23</time></p><p><a href="([^"]+)">', page) == [NOTE]
    assert "<table" not in page, "a few days are lines"


def test_many_days_are_a_calendar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(digests, "FEW", 0)
    page = (built(collection("japanese", tmp_path)) / "digests.html").read_text("utf-8")
    assert re.findall(r'<td><a class="l4" href="([^"]+)"><i aria-hidden="true">23</i><em>2014-12-23: ', page) == [NOTE]
    weeks = re.findall(r"<tr>(.*?)</tr>", page.partition("<tbody>")[2], re.DOTALL)
    assert [week.count("<td") for week in weeks] == [7] * 5
    assert 'id="m2014-12"' in page


def test_very_many_days_have_a_page_for_each_year() -> None:
    def day(number: int, date: str, papers: str) -> dict[str, str]:
        entries = ", ".join(f"{{paper: {key}}}" for key in papers)
        return note(f"one/{number:02}_D", f"source: {{format: hf-daily, date: {date}}}\nentries: [{entries}]\n")

    bib = {"a.bib": "".join(f"@misc{{{key}, title={{T{key}}}, year=2020}}\n" for key in "abcd")}
    files = (bib, day(1, "2026-02-01", "abcd"), day(2, "2026-01-31", "a"), day(3, "2025-12-31", "abc"))
    collection, _ = collection_of(*files)
    assert digests_parts(collection) == digests_parts(collection, large=3) == {}
    parts = digests_parts(collection, large=2)
    assert [*parts] == ["2025", "2026"]

    def years(view: View | None) -> list[tuple[int, list[str], str]]:
        page = page_of("digests", *files, view=view)
        assert isinstance(page, DigestsPage)
        return [(year.year, [month.id for month in year.months], year.href) for year in page.years]

    assert years(partial(digests_page, large=2)) == [], "few days are lines"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "FEW", 0)
        latest = (2026, ["2026-02", "2026-01"])
        assert years(None) == [(*latest, "#y2026"), (2025, ["2025-12"], "#y2025")]
        assert years(partial(digests_page, large=2)) == [(*latest, "#y2026"), (2025, [], "digests-2025.html")]
        assert years(parts["2025"].view) == [(2026, [], "digests-2026.html"), (2025, ["2025-12"], "#y2025")]
        page = page_of("digests", *files)
        assert isinstance(page, DigestsPage)
        shown = [day for month in page.years[0].months for week in month.weeks for day in week if day and day.notes]
        assert [(str(day.date), [n.level for n in day.notes]) for day in shown] == [
            ("2026-02-01", [4]),
            ("2026-01-31", [1]),
        ]


def test_a_collection_without_lists_has_no_calendar(tmp_path: Path) -> None:
    site = built(collection("minimal", tmp_path))
    assert not (site / "digests.html").exists()
    assert "digests" not in (site / "index.html").read_text("utf-8")


ZH, EN = Lang("zh"), Lang("en")


def test_fields_are_those_that_several_papers_share_but_not_all() -> None:
    areas = [
        {ZH: "自然语言处理 (NLP) - 推理加速 / 全部"},
        {ZH: "NLP-代码大模型、强化学习（Reinforcement Learning, RL）；全部"},
        {ZH: "强化学习 · 视觉-语言模型，全部。"},
        {},
        {ZH: "这里有一句很长的话，讲的是机器人和具身智能在许多不同场景里分别怎样得到应用以及为什么 / 全部"},
        {ZH: "全部"},
    ]
    own, fields = fields_of(areas, (ZH,))
    assert [(field.id, field.count) for field in fields] == [("全部", 5), ("自然语言处理", 2), ("强化学习", 2)]
    assert own == (
        ("自然语言处理", "全部"),
        ("自然语言处理", "强化学习", "全部"),
        ("强化学习", "全部"),
        (),
        ("全部",),
        ("全部",),
    )
    _, fields = fields_of([areas[0], areas[1], areas[2]], (ZH,))
    assert [field.id for field in fields] == ["自然语言处理", "强化学习"], "what all papers have tells none apart"


def test_a_field_is_named_in_both_languages_where_both_texts_name_as_many() -> None:
    areas = [
        {ZH: "视觉 / 语音", EN: "Vision / Speech"},
        {ZH: "视觉、机器人", EN: "Vision"},
        {ZH: "语音", EN: "speech"},
        {ZH: "机器人", EN: ""},
    ]
    _, fields = fields_of(areas, (ZH, EN))
    assert fields == (
        Field("视觉", Text.of(zh="视觉", en="Vision"), 2),
        Field("语音", Text.of(zh="语音", en="Speech"), 2),
        Field("机器人", Text.of(zh="机器人"), 2),
    )


def test_a_filter_with_one_choice_is_none() -> None:
    assert fields_of([{ZH: "茶"}, {ZH: "茶"}, {ZH: "水"}], (ZH,)) == (((), (), ()), ())
    assert fields_of([], (ZH,)) == ((), ())
    assert fields_of([{}, {}], ()) == (((), ()), ()), "a note without a text"
