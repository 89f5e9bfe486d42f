"""Pages and READMEs say which texts a model wrote and no one has read."""

from __future__ import annotations

import re
from pathlib import Path

from fake_model import FakeModel
from running import built, paper_notes, write
from tea_notes import SITE, collection, translator

FACTS = "notes_src/tea/01_Brewing/note.yaml"
MARKERS = "<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n"
READMES = "readme: [{file: README.md, lang: en}, {file: ZH.md, lang: zh}]\n"


def badges(page: Path) -> list[str]:
    found = re.findall(r'class="drafted([^>]*)>([^<]*)<', page.read_text("utf-8"))
    return [f"{'en: ' if 'en' in where else ''}{words}" for where, words in found]


def test_what_no_one_has_read_has_a_badge(tmp_path: Path, model: FakeModel) -> None:
    root = collection(tmp_path / "tea")
    write(root, {"notes_src/site.yaml": SITE + READMES, "README.md": MARKERS, "ZH.md": MARKERS})
    model.reply = translator
    paper_notes("translate", "tea/1", "--root", root)
    site = built(root)
    note, home, readme = site / "tea/notes/01_Brewing.html", site / "index.html", root / "README.md"
    one = "drafted by tea-7b, not reviewed"
    assert badges(note) == ["en: 3 sections drafted by tea-7b, not reviewed", one, one, one]
    assert badges(home) == [f"en: {one}"]
    assert f"(site/tea/notes/01_Brewing.html) *({one})*" in readme.read_text("utf-8")
    assert "tea-7b" not in (root / "ZH.md").read_text("utf-8")

    text = root / "notes_src/tea/01_Brewing/en.md"
    text.write_text(text.read_text("utf-8").replace("only 388", "a mere 388"), "utf-8")
    built(root)
    assert badges(note) == ["en: 2 sections drafted by tea-7b, not reviewed", one, one]

    facts = root / FACTS
    facts.write_text(f"{facts.read_text('utf-8')}reviewed: true\n", "utf-8")
    built(root)
    assert (badges(note), badges(home), "tea-7b" in readme.read_text("utf-8")) == ([], [], False)
