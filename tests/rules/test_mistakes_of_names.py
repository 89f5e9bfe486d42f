"""Single mistakes in names and references: the rule, the place and the words of the hint for each."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from running import write

from paper_notes.build import build

MISTAKES = yaml.safe_load((Path(__file__).parent / "mistakes_of_names.yaml").read_text("utf-8"))
COLLECTION = {
    "notes_src/site.yaml": "title: Notes\nlanguages: [en]\ntopics: [tea]\n",
    "notes_src/tea/topic.yaml": "title: Tea\n",
    "notes_src/tea/01_Green/note.yaml": "title: Green\n",
    "notes_src/tea/01_Green/en.md": "A text.\n",
}


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake["claim"] for mistake in MISTAKES])
def test_a_mistake_is_found_where_it_is(mistake: dict, tmp_path: Path) -> None:
    files = {name: text for name, text in (COLLECTION | mistake["files"]).items() if text is not None}
    found = build(write(tmp_path, files)).diagnostics
    expected = [(said["rule"], said["at"]) for said in mistake["said"]]
    assert [(problem.rule, str(problem.location)) for problem in found] == expected
    for problem, said in zip(found, mistake["said"], strict=True):
        assert said.get("hint", "") in problem.hint
