"""`paper-notes draft --review`: one key a claim, in 80 columns; what was decided is kept, and goes into the note."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import making_pdfs
import pytest
from fake_model import FakeModel
from running import files_of, paper_notes
from swift_notes import GOOD, PLACE, collection, pdf_in, reply

from paper_notes.commands.help import columns

WAITS = f"{PLACE}/draft.en.json"


@pytest.fixture
def root(tmp_path: Path, model: FakeModel) -> Path:
    model.reply = reply
    root = collection(tmp_path / "tea")
    paper_notes("draft", "tea/1", "--root", root)
    return root


def reviewed(root: Path, keys: str) -> Any:
    return paper_notes("draft", "tea/1", "--review", "--root", root, typed=keys)


def decisions(root: Path) -> dict[str, list[str]]:
    sections = json.loads((root / WAITS).read_text("utf-8"))["sections"]
    return {section["name"]: [claim["decision"] for claim in section["claims"]] for section in sections}


def test_a_claim_is_shown_with_what_it_rests_on(root: Path) -> None:
    result = reviewed(root, "aq")
    assert "one-sentence  1/14  en\n  SwiftBrew outperforms TwinKettle by 2.4 points on TeaBench.\n" in result.stdout
    assert "    p. 1: “SwiftBrew outperforms TwinKettle by 2.4 points on TeaBench.”\n" in result.stdout
    assert "    p. 2: T1[SwiftBrew, TeaBench] = 71.2\n" in result.stdout
    assert "[a]ccept  [e]dit  [d]rop  [b]ack  [q]uit" in result.stderr
    assert max(map(columns, result.output.splitlines())) <= 80 + len(str(root))
    assert all(columns(line) <= 80 for line in result.stdout.splitlines())


def test_what_is_accepted_goes_into_the_note_and_the_rest_nowhere(root: Path) -> None:
    before = files_of(root)
    result = reviewed(root, "aaa" + "d" + "da" + "a" + "aa" + "a" + "a" + "d" + "a" + "a")
    assert result.exit_code == 0, result.stderr
    assert "Decided: 14; open: 0." in result.stderr
    after = files_of(root)
    assert {name for name in {*before, *after} if after.get(name) != before.get(name)} == {f"{PLACE}/en.md", WAITS}
    assert WAITS not in after, "nothing waits any more"
    text = (root / PLACE / "en.md").read_text("utf-8")
    assert (
        "**In one sentence**: SwiftBrew outperforms TwinKettle by 2.4 points on TeaBench.\n\n:::stats\n71.2\n: accuracy"
        in text
    )
    assert "**Stance**: *your own judgement" in text
    assert "**Still missing**: " in text
    assert (
        "## Method\n\nSwiftBrew first wets the leaves. It then pours steam.\n\n## Formulas line by line\n\n$$L" in text
    )
    assert "{#paper-2}\n\n- Steam is poured then.\n\n### §3" in text
    assert "### §1 Introduction {#paper-1}\n\n*p. 1 on: what does it claim?*\n" in text, "dropped: still to be written"
    assert "## Limitations\n\n*Those the authors admit" in text
    assert "drafted" not in (root / PLACE / "note.yaml").read_text("utf-8"), "a person has answered for it"
    assert paper_notes("check", "--root", root).exit_code == 0


def test_quitting_keeps_what_was_decided(root: Path) -> None:
    result = reviewed(root, "adq")
    assert "Decided: 2; open: 12." in result.stderr
    assert "one-sentence: written into the note" in result.stderr
    assert "one-sentence" not in decisions(root)
    again = reviewed(root, "a")
    assert "motivation  1/12  en\n" in again.stdout, "it goes on there"
    assert "interrupted" not in again.stderr


def test_a_section_is_written_when_all_of_it_is_decided(root: Path) -> None:
    reviewed(root, "aaaaaq")
    assert decisions(root)["paper-2"] == ["accepted", ""]
    assert "The leaves are wetted" not in (root / PLACE / "en.md").read_text("utf-8")
    reviewed(root, "aq")
    assert "- The leaves are wetted first.\n- Steam is poured then.\n" in (root / PLACE / "en.md").read_text("utf-8")


def test_back_takes_the_last_decision_back(root: Path) -> None:
    reviewed(root, "dbaq")
    assert "**In one sentence**: SwiftBrew outperforms" in (root / PLACE / "en.md").read_text("utf-8")


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\nprintf "%s" "$NEW_TEXT" > "$1"\ntouch -d "+1 minute" "$1"\n', "utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    return script


def test_what_is_edited_is_written_as_it_was_edited(root: Path, editor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEW_TEXT", "SwiftBrew beats TwinKettle, on one bench.")
    reviewed(root, "eq")
    assert "**In one sentence**: SwiftBrew beats TwinKettle, on one bench.\n" in (root / PLACE / "en.md").read_text(
        "utf-8"
    )


def test_an_edit_that_would_be_a_mistake_is_open_again(
    root: Path, editor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (root / PLACE / "en.md").read_bytes()
    monkeypatch.setenv("NEW_TEXT", "So $\\frac{1$ is.")
    result = reviewed(root, "eq")
    assert "en.md: one-sentence: not written: it would be a mistake here" in result.stderr
    assert ((root / PLACE / "en.md").read_bytes(), decisions(root)["one-sentence"]) == (before, [""])


def test_what_you_wrote_meanwhile_stays(root: Path) -> None:
    en = root / PLACE / "en.md"
    mine = re.sub(r"(?<=## Motivation\n\n).*", "My own words.", en.read_text("utf-8"))
    mine = mine.replace("*what the paper does, how well it works, and why it is worth remembering.*", "Mine.")
    en.write_text(mine, "utf-8")
    result = reviewed(root, "aaaq")
    assert "motivation: not written: you have written there meanwhile" in result.stderr
    assert "one-sentence: not written: you have written there meanwhile" in result.stderr
    assert en.read_text("utf-8").replace("71.2\n: accuracy of SwiftBrew on TeaBench", "") != mine
    assert "My own words." in en.read_text("utf-8")
    assert "**In one sentence**: Mine.\n" in en.read_text("utf-8")
    assert GOOD["motivation"][0]["text"] not in en.read_text("utf-8")


def test_another_pdf_or_a_changed_file_is_told_of(root: Path) -> None:
    assert "!" not in reviewed(root, "q").stdout
    waits = root / WAITS
    waits.write_text(
        waits.read_text("utf-8").replace('"text": "SwiftBrew outperforms', '"text": "SlowPot outperforms'), "utf-8"
    )
    assert '! its evidence does not speak of "SlowPot"' in reviewed(root, "q").stdout
    pdf_in(root).write_bytes(making_pdfs.results("SwiftBrew: Faster Tea by Two Leaves"))
    assert "! this is not in the PDF that is at hand" in reviewed(root, "q").stdout


def test_a_draft_that_cannot_be_read_is_a_mistake_with_a_place(root: Path) -> None:
    for broken in (
        '{"sections": 1}',
        "[]",
        "{",
        '{"lang": "en", "model": 1, "prompt": "", "date": "", "source": "", "sections": []}',
    ):
        (root / WAITS).write_text(broken, "utf-8")
        result = reviewed(root, "a")
        assert result.exit_code == 1
        assert f"{WAITS} is no draft of paper-notes" in result.stderr
    (root / WAITS).unlink()
    assert (
        "no draft waits for a review\n  hint: `paper-notes draft tea/01_Swift` makes one" in reviewed(root, "a").stderr
    )


def test_no_page_knows_of_a_draft(root: Path) -> None:
    assert paper_notes("build", "--root", root, "-j", 1).exit_code == 0
    pages = b"".join((root / "site").rglob("*.html").__next__().read_bytes() for _ in range(1))
    assert b"TwinKettle" not in pages
    assert not [path for path in (root / "site").rglob("*") if path.is_file() and b"TwinKettle" in path.read_bytes()]
