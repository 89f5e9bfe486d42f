"""A year of daily lists floods no list of notes: home page, statistics, README; who asks for them gets them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from running import built, write

DAYS = 9
REGIONS = ("all", "list", "recent", "summary", "list topic=daily", "notes topic=daily", "digest")


def files() -> dict[str, str]:
    """A note, and nine days with two papers each; the second paper has no section."""
    found = {
        "notes_src/site.yaml": (
            "title: {zh: 茶, en: Tea}\ntopics: [daily, tea]\nreadme: true\nbase_url: https://tea.example/\n"
        ),
        "notes_src/daily/topic.yaml": "title: {zh: 每日, en: Daily}\n",
        "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
        "notes_src/tea/01_Green/note.yaml": "title: {zh: 绿茶, en: Green tea}\ncreated: 2026-01-02\n",
        "notes_src/tea/01_Green/zh.md": "## 动机\n\n好喝。\n",
        "notes_src/tea/01_Green/en.md": "## Motivation\n\nIt is good.\n",
        "README.md": "".join(
            f"<!-- paper-notes:begin {region} lang=en -->\n<!-- paper-notes:end -->\n" for region in REGIONS
        ),
    }
    for day in range(1, DAYS + 1):
        folder, keys = f"notes_src/daily/{day:02}_2026-01-{day:02}", (f"a{day}", f"b{day}")
        section = f"p-2601-0000{day}"
        entries = [{"paper": key, "keywords": [f"oolong {key}"]} for key in keys]
        facts = {
            "title": {"zh": f"第 {day} 天", "en": f"Day {day}"},
            "kind": "digest",
            "created": f"2026-01-{day:02}",
            "source": {"format": "hf-daily", "date": f"2026-01-{day:02}"},
            "entries": entries,
        }
        found |= {
            f"{folder}/note.yaml": json.dumps(facts, ensure_ascii=False),
            f"{folder}/zh.md": f"## 水 {day} {{#{section}}}\n\n### 应用领域 {{#{section}-area}}\n\n热水\n",
            f"{folder}/en.md": f"## Water {day} {{#{section}}}\n\n### Area {{#{section}-area}}\n\nHot\n",
            f"{folder}/papers.bib": "".join(
                f"@misc{{{key}, title={{Kettle {key}}}, author={{Lu, Yu and Svoboda, Petr}}, year={{2026}}"
                + (f", eprint={{2601.0000{day}}}, archiveprefix={{arXiv}}}}\n" if key == keys[0] else "}\n")
                for key in keys
            ),
        }
    return found


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("days"), files())
    built(root)
    return root


def test_the_home_page_has_links_to_the_latest_days_and_counts_them_apart(root: Path) -> None:
    home = (root / "site/index.html").read_text("utf-8").partition("<noscript>")[0]
    assert "1 note, 9 daily lists" in home
    assert re.findall(r'<a href="daily/notes/[^"]*"><time>([\d-]*)</time>', home) == [
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
