"""Classes that nobody knows are proposed by what they look like."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import yaml
from running import paper_notes

from paper_notes.features.importing.html.class_proposals import as_table, proposals
from paper_notes.features.importing.types import Original

PAGE = """<!doctype html><style>
:root{--warm:#b3303b} .idea{border-left:4px solid #1b7445;background:#dff2e6} .pitfall{border:1px solid var(--warm)}
.lozenge{background:#eee;border-radius:9px} .hot{color:var(--warm)} .keys{font-family:Menlo} tr.mine{background:#fff8e8}
td.up{color:#1b7445}
</style><h1>T</h1><div class="idea">a</div><div class="idea">b</div><div class="pitfall">c</div>
<div class="pitfall">d</div><p><i class="lozenge">e</i><i class="lozenge">f</i><b class="hot">g</b><b class="hot">h</b>
<i class="keys">i</i><i class="keys">j</i></p><div class="my-note">k</div><div class="my-note">l</div>
<p class="once">m</p><p class="tip">n</p><div class="bare">o</div><div class="bare">p</div>
<table><tr class="mine"><td class="up">1</td></tr><tr class="mine"><td class="up">2</td></tr></table>"""


def test_a_class_is_proposed_by_what_it_looks_like_and_how_often_it_occurs() -> None:
    rows = proposals([Original(PurePosixPath(name), PAGE) for name in ("1.html", "2.html")], {".bare": "plain"})
    assert {name: row.proposal for name, row in rows.items()} == {
        "idea": "box tip",
        "pitfall": "box warning",
        "lozenge": "mark pill",
        "hot": "mark bad",
        "keys": "code",
        "my-note": "box note",
        "mine": "row best",
        "up": "cell good",
        "once": "plain",
    }
    assert (rows["idea"].count, rows["idea"].pages, rows["idea"].example) == (
        4,
        {"1.html", "2.html"},
        '1.html:5: <div> "a"',
    )
    assert "once" not in proposals([Original(PurePosixPath("1.html"), PAGE)], {})
    assert yaml.safe_load(as_table("What they\\nmean", rows))[".idea"] == "box tip"


def test_a_table_that_is_not_there_is_written_and_makes_cards_of_cards(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old/1.html").write_text(PAGE, "utf-8")
    collection = tmp_path / "notes"
    paper_notes("init", str(collection), "--languages", "en")
    command = (
        "import",
        str(tmp_path / "old"),
        "--offline",
        "--classes",
        str(tmp_path / "my.yaml"),
        "--root",
        str(collection),
    )
    assert paper_notes(*command, "--check").exit_code == 1
    assert not (tmp_path / "my.yaml").exists()
    assert paper_notes(*command).exit_code == 0
    assert [*collection.rglob(".imported.json")] == []
    assert paper_notes(*command).exit_code == 0
    assert ":::tip\na\n:::" in "".join(path.read_text("utf-8") for path in collection.rglob("en.md"))
