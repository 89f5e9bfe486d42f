"""`paper-notes guide`: it opens a page that is there, and says where it is."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

import pytest
from running import PROJECT, paper_notes

from paper_notes.features.opening.commands.open import guide_page


@pytest.mark.parametrize("opened", [True, False])
def test_the_page_is_opened_and_named(opened: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    launched = []
    monkeypatch.setattr(webbrowser, "open", lambda place: launched.append(place) or opened)
    result = paper_notes("guide")
    assert result.exit_code == 0
    page = PROJECT / "site/guide/index.html"
    assert (launched, result.stdout.splitlines()) == ([page.as_uri()], [str(page)])
    assert ("yourself" in result.stderr) != opened


def test_nothing_is_opened_if_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(webbrowser, "open")
    assert Path(paper_notes("guide", "--no-open").stdout.strip()) == guide_page()


def test_a_checkout_that_was_never_built_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys.modules["paper_notes.features.opening.commands.open"],
        "__file__",
        str(tmp_path / "paper_notes/features/opening/commands/guide.py"),
    )
    result = paper_notes("guide")
    assert result.exit_code == 1
    assert "make site" in result.stderr
