"""What the workflow of a new collection installs."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from paper_notes import __version__
from paper_notes.starter import beginning

PINNED = f"paper-notes=={__version__}"
GIT = {"url": "https://example.org/p.git", "vcs_info": {"vcs": "git", "commit_id": "0a1b"}}
CASES = {
    "from PyPI": (None, PINNED, False),
    "from a checkout": ({"url": "file:///home/me/p", "dir_info": {"editable": True}}, PINNED, True),
    "from a wheel on disk": ({"url": "file:///tmp/p.whl", "archive_info": {}}, PINNED, True),
    "from a wheel on the web": ({"url": "https://example.org/p.whl"}, "paper-notes @ https://example.org/p.whl", False),
    "from a repository": (GIT, "paper-notes @ git+https://example.org/p.git@0a1b", False),
    "from a private repository": ({**GIT, "url": "ssh://git@example.org/p.git"}, PINNED, False),
    "nobody knows": ([], PINNED, False),
}


@pytest.mark.parametrize(("told", "wanted", "local"), CASES.values(), ids=CASES.keys())
def test_it_is_what_was_installed_here_if_others_can_reach_it(
    told: object, wanted: str, local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = None if told is None else json.dumps(told)
    monkeypatch.setattr(beginning, "distribution", lambda name: SimpleNamespace(read_text=lambda file: text))
    assert beginning.requirement() == wanted
    assert beginning.is_local() == local


def test_without_an_installation_it_is_this_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise beginning.PackageNotFoundError(name)

    monkeypatch.setattr(beginning, "distribution", missing)
    assert beginning.requirement() == PINNED
