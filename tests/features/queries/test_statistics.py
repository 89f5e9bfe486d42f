"""`paper-notes stats`: the numbers of a collection, and what is left to do."""

from __future__ import annotations

import json
from pathlib import Path

from running import SITES, paper_notes, write

ROOT = SITES / "bilingual"


def test_the_numbers_of_a_collection() -> None:
    told = json.loads(paper_notes("stats", "--json", "--root", ROOT, "--jobs", "1").stdout)
    assert told["notes"] == 3
    assert told["topics"] == {"arches": 2, "cables": 1}
    assert told["kinds"] == {"paper": 2, "landscape": 1}
    assert told["statuses"] == {"read": 2, "revisit": 1}
    assert told["years"] == {"2023": 1, "2019": 1, "unknown": 1}
    assert list(told["languages"]) == ["zh", "en"]
    assert set(told["languages"]["zh"]) == {"notes", "words", "characters", "minutes"}
    assert told["papers"] == {"all": 3, "read": 2, "cited": 0, "unread": ["lin2021unread"]}
    assert list(told["single_sections"]) == ["arches/02_Brick_2020"]


def test_what_is_left_to_do(tmp_path: Path) -> None:
    entries = "".join(f"@misc{{k{n:02}, title={{P}}, year={{2020}}, author={{A B}}}}\n" for n in range(20))
    root = write(tmp_path, {
        "notes_src/site.yaml": "title: {ja: S, en: S}\nlanguages: [ja, en]\ntopics: [t]\n",
        "notes_src/t/topic.yaml": "title: {ja: T, en: T}\n",
        "notes_src/t/01_A/note.yaml": "title: A\npapers: [k00]\n",
        "notes_src/t/01_A/en.md": f"See [@k05]. {'word ' * 20_000}\n",
        "notes_src/a.bib": entries,
    })  # fmt: skip
    result = paper_notes("stats", "--root", root, "--jobs", "1")
    assert result.exit_code == 0, result.stderr
    for words in (
        "1 note in 1 topic\n",
        "en: 1 note, 20,001 words, 1 h 51 min to read",
        "Untranslated notes (1)\n  t/#1: no ja\n",
        "20 in .bib files: 1 read, 1 only cited, 18 neither",
        "Unread papers (19)\n  k05: P\n",
        "and 7 more",
    ):
        assert words in result.stdout
    assert "k19: P" in paper_notes("stats", "--all", "--root", root, "--jobs", "1").stdout


def test_a_collection_without_notes_and_one_with_errors(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {"notes_src/site.yaml": "title: S\nlanguages: [en]\ntopics: [t]\n", "notes_src/t/topic.yaml": "title: T\n"},
    )
    empty = paper_notes("stats", "--root", root)
    assert (empty.exit_code, empty.stdout.splitlines()[0]) == (0, "0 notes in 1 topic")
    broken = paper_notes("stats", "--root", SITES / "every-mistake")
    assert (broken.exit_code, broken.stdout) == (1, "")
