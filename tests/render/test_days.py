"""A year of daily lists floods no list of notes: home page, statistics, README; who asks for them gets them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from days_collection import DAYS, REGIONS, files
from running import built, write


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("days"), files())
    built(root)
    return root


def test_the_home_page_has_links_to_the_latest_days_and_counts_them_apart(root: Path) -> None:
    home = (root / "site/index.html").read_text("utf-8").partition("<noscript>")[0]
    assert "1 note, 9 daily lists" in home
    assert re.findall(r'<a href="daily/notes/[^"]*"><span class="when">([\d-]*)</span>', home) == [
        f"2026-01-{day:02}" for day in range(DAYS, DAYS - 7, -1)
    ]
    assert '<a href="digests.html"' in home
    assert home.count('<span class="no">') == 0, "days are in no rows, and stand first here"


def test_statistics_and_pages_of_topics_leave_days_out_of_notes(root: Path) -> None:
    stats = re.sub(r"<[^>]*>", " ", (root / "site/stats.html").read_text("utf-8"))
    assert "2026-01-02" in stats, "the first note is the one that is not of a day"
    assert "Digest" not in stats.partition("<main")[2]
    topic = (root / "site/daily/index.html").read_text("utf-8")
    assert topic.count('class="no"') == 0
    assert "Day 9" not in topic


def test_each_day_is_an_item_of_the_feed(root: Path) -> None:
    feed = (root / "site/feed.en.xml").read_text("utf-8")
    assert [f"<title>Day {day}</title>" in feed for day in range(1, DAYS + 1)] == [True] * DAYS


def test_regions_of_a_readme_have_days_where_they_ask_for_them(root: Path) -> None:
    text = (root / "README.md").read_text("utf-8")
    found = dict(re.findall(r"begin (.*?) lang=en -->\n(.*?)<!-- paper-notes:end", text, re.DOTALL))
    assert [("Day 9" in found[region]) for region in REGIONS] == [False, False, False, False, True, True, True]
    assert "[9 daily lists](https://tea.example/digests.html): [2026-01-09]" in found["all"]
    assert found["list"].count("\n- ") == 1
    assert found["list topic=daily"].count("\n- ") == DAYS
    assert "1 note ·" in found["summary"]
    own = (root / "site/daily/README.en.md").read_text("utf-8")
    assert "- **2026-01**: [09](https://tea.example/daily/notes/09_2026-01-09.html) [08]" in own


def test_the_search_knows_each_card_by_title_authors_id_and_keywords(root: Path) -> None:
    file = (root / "site/search-all.css").read_text("utf-8")
    rows, *_ = json.loads(json.loads(file[file.index(':"') + 1 : file.rindex("}")]))
    (zh_ids, zh), (_, en) = next(halves for note, *halves in rows if note == "daily/03_2026-01-03")
    facts = "Yu Lu, Petr Svoboda · 2601.00003 · oolong a3"
    assert zh.split("\n")[0] == f"水 3\tKettle a3 · {facts}"
    assert en.split("\n")[0] == f"Water 3\tKettle a3 · {facts}"
    assert [name.split(" ")[-1] for name in zh_ids] == ["p-2601-00003", "p-2601-00003-area", "p-b3"]
    assert zh.split("\n")[2] == "Kettle b3\tYu Lu, Petr Svoboda · oolong b3", "it has no section"
    assert "Kettle b3" not in en, "once is enough"
