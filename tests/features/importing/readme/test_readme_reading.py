"""A README that somebody kept by hand says which notes and papers there are, whatever its style."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from paper_notes.features.importing.readme.listing import language_of
from paper_notes.features.importing.readme.reading import HandKeptReadme, ReadmeSection, read_readme
from paper_notes.features.importing.readme.rows import dates_of
from paper_notes.languages.language import Words
from paper_notes.values import Struct

HERE = Path(__file__).parent
PLACES = ("span", "every", "start")
CASES = yaml.safe_load((HERE / "read.yaml").read_text("utf-8"))


def read(name: str) -> HandKeptReadme:
    return read_readme(PurePosixPath("README.md"), (HERE / name).read_text("utf-8"))


def said(value: object) -> Any:
    """A value as YAML has it."""
    if isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__ if name not in PLACES}
        return {name: said(field) for name, field in fields.items() if field}
    return [*map(said, value)] if isinstance(value, tuple) else value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_readme_is_read_as(case: dict[str, Any]) -> None:
    assert said(read_readme(PurePosixPath("README.md"), case["from"]).sections) == case["read"]


@pytest.fixture(scope="module")
def shelves() -> tuple[ReadmeSection, ...]:
    return read("shelves.zh.md").sections


def test_a_heading_has_emoji_folder_title_and_a_count_that_is_no_part_of_it(shelves: tuple[ReadmeSection, ...]) -> None:
    assert [(one.emoji, one.folder, one.title, one.counted) for one in shelves] == [
        ("🐋", "whales", "鲸歌与计数", True),
        ("🧊", "ice", "冰下噪声", True),
        ("", "", "鲸歌与计数", False),
        ("", "", "冰下噪声", False),
    ]
    assert shelves[0].intro == "先听后数。这里的笔记都带**频谱图**。"


def test_rows_have_label_address_summary_and_own_mark_in_their_order(shelves: tuple[ReadmeSection, ...]) -> None:
    (table,) = shelves[0].tables
    assert table.kind == "notes"
    assert [(row.number, row.title, row.own) for row in table.notes] == [
        (3, "SongTree (海湾队)", False),
        (1, "BuoyNet", True),
        (7, "🧭 听声定位综述", False),
    ]
    assert table.notes[1].about == "浮标阵列 / p_{ij} 取最大 / `delay=3` 秒"
    assert table.notes[1].address == "https://example.org/shelf/whales/notes/01_BuoyNet.html"
    assert [row.span for row in table.rows] == [*table.every]


def test_a_sentence_of_arrows_is_a_reading_path(shelves: tuple[ReadmeSection, ...]) -> None:
    (guide,) = shelves[0].guides
    assert guide.title == "建议阅读顺序"
    assert [(step.number, step.words) for step in guide.steps] == [
        (7, "综述"),
        (1, "浮标"),
        (3, "SongTree, 最难的一篇"),
    ]


def test_a_guide_has_its_steps_and_all_that_is_said_of_them(shelves: tuple[ReadmeSection, ...]) -> None:
    (guide,) = shelves[1].guides
    assert guide.title == "Floe 系列阅读建议"
    assert [(step.number, step.words, step.name) for step in guide.steps] == [
        (None, "F-2 (碰撞 / 两体)", "F-2"),
        (1, "谱", "谱"),
    ]
    assert guide.text.splitlines()[0] == "- F-2 讲碰撞,一次只看两块"
    assert guide.text.endswith("的分解。")


def test_papers_have_team_versions_venue_links_remarks_and_badges(shelves: tuple[ReadmeSection, ...]) -> None:
    song, ear = shelves[2].tables[0].papers
    assert song.team == "海湾队 + North Pier Lab (Ada Quill, ..., Bo Lin 通讯)"
    assert (song.versions, song.venue) == (("2024-01-03 (v1)", "2024-05-20 (v4)"), "WHALE 2024")
    assert [(link.label, link.url) for link in song.links] == [
        ("2401.01234", "https://arxiv.org/abs/2401.01234"),
        ("HF Dataset (Apache-2.0)", "https://huggingface.co/datasets/pier/songtree"),
    ]
    assert (ear.title, ear.badges, ear.team) == ("(经典) Counting by Ear", ("Tech Report",), "")
    assert shelves[3].tables[0].papers[0].remarks == ("no official code as of 2024-02",)


def test_an_awesome_list_is_a_list_of_papers_by_topic() -> None:
    surveys, forecasting = read("awesome.en.md").sections
    assert [row.title for row in surveys.tables[0].papers] == ["A Survey of Learned Tides", "Forty Years of Gauges"]
    assert surveys.tables[0].papers[0].about == "J. Marsh and I. Dune, 2023."
    assert (forecasting.title, forecasting.intro) == ("Forecasting", "Short horizons first.")
    rows = [row for table in forecasting.tables for row in table.papers]
    assert [(row.title, row.versions, row.own) for row in rows] == [
        ("TideFormer", ("2024-03",), False),
        ("MoonGRU", (), True),
        ("MoonGRU-2", (), False),
        ("Harmonic Nets", (), False),
    ]


def test_an_item_may_begin_with_an_emoji_and_an_html_link_is_a_link() -> None:
    text = "- 🔥 **LongNet** [[Code]](https://a.example/x)\n- <a href='https://a.example/y'>*Two* words</a>, 2024\n"
    (section,) = read_readme(PurePosixPath("README.md"), text).sections
    rows = section.tables[0].papers
    assert [(row.title, row.about, [link.url for link in row.links]) for row in rows] == [
        ("LongNet", "", ["https://a.example/x"]),
        ("Two words", "2024", ["https://a.example/y"]),
    ]


def test_columns_are_known_by_their_heads_and_the_others_are_named() -> None:
    parsing, registers = read("columns.en.md").sections
    (table,) = parsing.tables
    assert (table.kind, table.unmapped) == ("", ("Level",))
    assert [(row.number, row.title, row.address, dict(row.others)) for row in table.notes] == [
        (1, "Pika Parsing", "parsing/01-pika.md", {"Level": "hard"}),
        (2, "Left Recursion for PEGs", "parsing/02-left-recursion.md", {"Level": "easy"}),
    ]
    assert table.notes[0].about == "parse backwards; `a | b`"
    assert [(row.title, row.address) for row in table.papers] == [
        ("Pika Parsing", "parsing/01-pika.md"),
        ("Island Grammars", ""),
    ]
    (guide,) = parsing.guides
    assert [step.address for step in guide.steps] == ["parsing/02-left-recursion.md", "parsing/01-pika.md"]
    assert guide.text.endswith("Then write a parser of your own.")
    assert [row.about for row in registers.tables[0].notes] == ["allocation in one pass", "slow and good"]


def test_what_our_own_regions_hold_is_not_read() -> None:
    row = "| 1 | [A](x/01_a.html) | about |"
    table = f"| # | Note | About |\n|---|---|---|\n{row}\n"
    inside = f"<!-- paper-notes:begin notes -->\n\n{table}\n<!-- paper-notes:end -->\n"
    assert read_readme(PurePosixPath("README.md"), f"# T\n\n{inside}").sections == ()
    assert len(read_readme(PurePosixPath("README.md"), f"# T\n\n{inside}\n{table}").sections[0].tables) == 1


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("README.md", "List of models " * 9 + "前沿模型", "zh"),
        ("README.md", "A list of models and methods of all kinds, by 王", "en"),
        ("README.en.md", "前沿模型", "en"),
        ("README.md", "茶" * 3 + "a" * 97, "en"),
        ("README.md", "茶" * 4 + "a" * 96, "zh"),
        ("README.md", "", "en"),
        ("README_zh-CN.md", "List", "zh"),
    ],
)
def test_the_language_is_that_of_its_name_or_its_script(name: str, text: str, expected: str) -> None:
    assert language_of(PurePosixPath(name), text * 20, Words.of("en", "zh")) == expected


@pytest.mark.parametrize(
    ("cell", "versions", "rest"),
    [
        ("2024-03", ("2024-03",), ""),
        ("2024年3月", ("2024-03",), ""),
        ("Mar 2024", ("2024-03",), ""),
        ("2024/03/09", ("2024-03-09",), ""),
        ("2024", ("2024",), ""),
        ("2024-12 至今", ("2024-12 至今",), ""),
        ("—", (), ""),
        ("soon", (), "soon"),
        ("2024-02 (V1) → 2025-07 (V4) · Tide 2025", ("2024-02 (V1)", "2025-07 (V4)"), "Tide 2025"),
    ],
)
def test_a_cell_of_dates_is_versions_and_a_venue(cell: str, versions: tuple[str, ...], rest: str) -> None:
    assert dates_of(cell) == (versions, rest)
