"""The project's addresses are said in one place, and nothing links to one that is not there."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import metadata
from types import SimpleNamespace

import pytest
from running import PROJECT

from paper_notes import __version__
from paper_notes.features.papers.request import user_agent
from paper_notes.project import InstalledFrom, addresses_in, install_line, origin
from paper_notes.values import replace

TEXTS = [
    *(
        PROJECT / f"{name}.md"
        for name in ("README", "README.zh", "PACKAGE", "SECURITY", "CONTRIBUTING", "ARCHITECTURE")
    ),
    PROJECT / "pyproject.toml",
    *(PROJECT / "notes_src/guide").glob("*/*.md"),
    *(
        path
        for path in (PROJECT / "paper_notes/features/starting").rglob("*.*")
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
    monkeypatch.setattr("paper_notes.features.papers.request.project_addresses", lambda: addresses_in(lines))
    assert user_agent().endswith(" (+https://example.org/p)")


GIT = {"url": "https://example.org/p.git", "vcs_info": {"vcs": "git", "commit_id": "0a1b"}}
PINNED = f"paper-notes=={__version__}"
ORIGINS = {
    "from PyPI": (None, PINNED, ""),
    "from a checkout": ({"url": "file:///home/me/my%20p", "dir_info": {"editable": True}}, "", "/home/me/my p"),
    "from a folder": ({"url": "file:///home/me/p", "dir_info": {}}, "", ""),
    "from a wheel on disk": ({"url": "file:///tmp/p.whl", "archive_info": {}}, "", ""),
    "from a wheel on the web": (
        {"url": "https://me:secret@example.org/p.whl", "archive_info": {"hashes": {"sha256": "ab"}}},
        "paper-notes @ https://example.org/p.whl#sha256=ab",
        "",
    ),
    "from a repository": (GIT, "paper-notes @ git+https://example.org/p.git@0a1b", ""),
    "from a repository of this machine": ({**GIT, "url": "file:///p.git"}, "", ""),
    "from a private repository": ({**GIT, "url": "ssh://git@example.org/p.git"}, "", ""),
}


@pytest.mark.parametrize(("record", "requirement", "folder"), ORIGINS.values(), ids=ORIGINS.keys())
def test_where_it_came_from_is_what_others_install_if_they_can_reach_it(
    record: object, requirement: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = None if record is None else json.dumps(record)
    needs = [
        "pytest>=8; extra == 'vega'",
        "nh3; extra == 'vega'",
        "nobody-has-it; extra == 'mermaid'",
        "nh3; extra == 'dask'",
    ]
    for requires, extras in ((None, ""), (needs, "[vega]")):
        installed = SimpleNamespace(read_text=lambda file: text, version=__version__, requires=requires)
        monkeypatch.setattr(metadata, "distribution", lambda name, installed=installed: installed)
        wanted = requirement.replace("paper-notes", f"paper-notes{extras}")
        found = origin()
        assert replace(found, copied="") == InstalledFrom(__version__, wanted, extras, folder)
        of_folder = isinstance(record, dict) and record.get("dir_info") == {}
        assert (found.copied == "/home/me/p") == of_folder


def test_without_an_installation_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)
    assert origin() == InstalledFrom(__version__)


def test_both_readmes_have_the_same_lines_to_type_and_lead_to_each_other() -> None:
    en, zh = ((PROJECT / name).read_text("utf-8") for name in ("README.md", "README.zh.md"))
    en_lines, zh_lines = (
        [
            line.partition("#")[0].rstrip()
            for block in re.findall(r"(?s)```(?:sh|yaml)\n(.*?)```", text)
            for line in block.split("\n")
        ]
        for text in (en, zh)
    )
    assert en_lines == zh_lines
    assert len(en_lines) > 7
    assert ("](README.zh.md)" in en[:200], "](README.md)" in zh[:200]) == (True, True)


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_readme_begins_with_the_line_that_installs(name: str) -> None:
    urls = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {})
    source = f"git+{urls['Repository']}" if "Repository" in urls else "."
    (block, *_) = re.findall(r"```sh\n(.*?)```", (PROJECT / name).read_text("utf-8"), re.DOTALL)
    first, second, third = block.splitlines()
    assert first == install_line(source)
    assert second.startswith("paper-notes init ")
    assert "paper-notes serve" in third
