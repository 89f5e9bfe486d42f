"""A collection of lists of a day, and one note."""

from __future__ import annotations

import json

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
