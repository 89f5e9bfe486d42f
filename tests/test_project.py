"""The project's addresses are said in one place, and nothing links to one that is not there."""

from __future__ import annotations

import re
import tomllib

import pytest
from running import PROJECT

from paper_notes.addresses import addresses_in
from paper_notes.features.papers.web import user_agent

TEXTS = [
    *(
        PROJECT / f"{name}.md"
        for name in ("README", "README.zh", "PACKAGE", "SECURITY", "CONTRIBUTING", "ARCHITECTURE")
    ),
    PROJECT / "pyproject.toml",
    *(PROJECT / "notes_src/guide").glob("*/*.md"),
    *(
        path
        for path in (PROJECT / "paper_notes/starter").rglob("*.*")
        if path.suffix in (".yml", ".yaml", ".json", ".py")
    ),
]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_text_has_a_made_up_address_of_the_project(path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(
        r"<this repository>|to be filled in|example\.(?:org|com)/paper-notes|github\.com/you/paper-notes", text
    )


def test_what_package_indexes_show_links_to_no_file() -> None:
    told = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["readme"]
    assert told == "PACKAGE.md"
    assert not re.search(r"\]\((?!https:)", (PROJECT / told).read_text("utf-8"))


def test_what_asks_others_says_where_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["Homepage, https://example.org/p", "Issues, https://example.org/p/issues", "Odd, file:///x"]
    assert dict(addresses_in(lines)) == {
        "Homepage": "https://example.org/p",
        "Issues": "https://example.org/p/issues",
    }
    monkeypatch.setattr("paper_notes.features.papers.web.project_addresses", lambda: addresses_in(lines))
    assert user_agent().endswith(" (+https://example.org/p)")
