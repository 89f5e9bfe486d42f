"""The address of the site comes from that of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import paper_notes, write

from paper_notes.features.starting.pages_address import pages_address
from paper_notes.project import InstalledFrom

OTHER = '[core]\n\tbare = false\n[remote "other"]\n\turl = https://github.com/a/b\n'
CONFIG = OTHER + '[remote "origin"]\n\turl = {}\n\tfetch = x\n'


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://github.com/Me/my-notes.git", "https://me.github.io/my-notes/"),
        ("git@github.com:me/Notes", "https://me.github.io/Notes/"),
        ("ssh://git@github.com/me/a.b.git", "https://me.github.io/a.b/"),
        ("https://x:token@github.com/me/me.github.io", "https://me.github.io/"),
        ("https://gitlab.com/me/notes.git", ""),
        ("https://github.com.evil.org/me/notes", ""),
        ("https://github.com/me/../x", ""),
        ("/home/me/notes", ""),
    ],
)
def test_of_a_repository_at_github(url: str, address: str, tmp_path: Path) -> None:
    write(tmp_path, {".git/config": CONFIG.format(url)})
    assert pages_address(tmp_path) == address


def test_of_no_repository(tmp_path: Path) -> None:
    assert pages_address(tmp_path) == ""
    write(tmp_path, {".git/config": '[remote "origin"]\n\tfetch = x\n[branch "a"]\n\turl = https://github.com/me/n\n'})
    assert pages_address(tmp_path) == ""
    (tmp_path / "linked/.git").mkdir(parents=True)
    (tmp_path / "linked/.git/config").symlink_to(write(tmp_path, {"c": CONFIG.format("https://github.com/me/n")}) / "c")
    assert pages_address(tmp_path / "linked") == ""


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://x:token@github.com/lab/paper-notes.git", "git+https://github.com/lab/paper-notes.git"),
        ("git@git.example.org:lab/paper-notes", "git+https://git.example.org/lab/paper-notes"),
        ("/home/me/paper-notes", "ADDRESS"),
    ],
)
def test_the_readme_says_how_others_get_a_program_that_was_installed_from_a_clone(
    url: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"clone/.git/config": CONFIG.format(url)})
    source = InstalledFrom("1.2", copied=str(tmp_path / "clone"))
    monkeypatch.setattr("paper_notes.features.starting.commands.init.origin", lambda: source)
    assert paper_notes("init", tmp_path / "n", "--languages", "en").exit_code == 0
    assert f"\npipx install {address}    # the program, once" in (tmp_path / "n/README.md").read_text("utf-8")


@pytest.mark.parametrize("languages", ["zh,en", "zh-Hant", "ja"])
def test_a_new_collection_knows_where_it_will_be_published(languages: str, tmp_path: Path) -> None:
    write(tmp_path, {".git/config": CONFIG.format("https://github.com/me/notes")})
    assert paper_notes("init", tmp_path, "--languages", languages).exit_code == 0
    assert "\nbase_url: https://me.github.io/notes/\n" in (tmp_path / "notes_src/site.yaml").read_text("utf-8")
    built = paper_notes("build", "--root", tmp_path, "--jobs", "1")
    assert "base_url" not in built.stderr
    assert "](https://me.github.io/notes/reading/" in (tmp_path / "README.md").read_text("utf-8")


def test_a_collection_that_says_none_gets_it_with_pages_and_nothing_else_of_its_settings_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = InstalledFrom("1.2", "paper-notes @ git+https://example.org/p.git@0a1b")  # else each makes a wheel
    monkeypatch.setattr("paper_notes.features.starting.commands.init.origin", lambda: public)
    site = tmp_path / "notes_src/site.yaml"
    said = paper_notes("init", tmp_path, "--languages", "en", "--pages").stderr
    assert "To publish: git init, git remote add origin ADDRESS, and repeat this" in said
    begun = site.read_text("utf-8")
    write(tmp_path, {".git/config": CONFIG.format("https://github.com/me/notes")})
    said = paper_notes("init", tmp_path, "--pages").stderr
    assert "To publish: git push" in said
    published = site.read_text("utf-8")
    assert published == begun.replace(
        "# base_url: https://you.github.io/my-notes/", "base_url: https://me.github.io/notes/"
    )
    write(tmp_path, {"notes_src/site.yaml": "title: Mine # really\r\ntopics: [reading]\r\n"})
    assert paper_notes("init", tmp_path, "--pages").exit_code == 0
    assert site.read_bytes().startswith(
        b"title: Mine # really\r\ntopics: [reading]\r\nbase_url: https://me.github.io/notes/"
    )
    for settings in ("title: Mine\ntopics: [reading]\nbase_url: https://own.org/\n", "title: [broken\n"):
        write(tmp_path, {"notes_src/site.yaml": settings})
        assert "The site will be at" not in paper_notes("init", tmp_path, "--pages").stderr
        assert site.read_text("utf-8") == settings


def test_without_one_build_says_once_where_the_tables_lead(tmp_path: Path) -> None:
    assert paper_notes("init", tmp_path).exit_code == 0
    assert "\n# base_url: " in (tmp_path / "notes_src/site.yaml").read_text("utf-8")
    built = paper_notes("build", "--root", tmp_path, "--jobs", "1")
    assert "The tables of README.md link to files in site/, which GitHub does not show as pages." in built.stderr
    note = next(tmp_path.glob("notes_src/reading/*/note.yaml"))
    note.write_text(note.read_text("utf-8").replace("tags: [attention]", "tags: [attention, more]"), "utf-8")
    built = paper_notes("build", "--root", tmp_path, "--jobs", "1")
    assert "updated" in built.stderr
    assert "base_url" not in built.stderr


def test_a_workflow_can_say_it(tmp_path: Path) -> None:
    assert paper_notes("init", tmp_path).exit_code == 0
    build = ("build", "--root", tmp_path, "--jobs", "1")
    assert paper_notes(*build).exit_code == 0
    plain = (tmp_path / "site/index.html").read_bytes()
    assert paper_notes(*build, "--base-url", "https://me.github.io/n").exit_code == 0
    assert "<loc>https://me.github.io/n/papers.html<" in (tmp_path / "site/sitemap.xml").read_text("utf-8")
    assert "](https://me.github.io/n/reading/" in (tmp_path / "README.md").read_text("utf-8")
    assert paper_notes(*build, "--check").exit_code == 1
    assert paper_notes(*build, "--base-url", "").exit_code == 0
    assert (tmp_path / "site/index.html").read_bytes() == plain
    site = tmp_path / "notes_src/site.yaml"
    site.write_text(f"{site.read_text('utf-8')}base_url: https://own.org/\n", "utf-8")
    assert paper_notes(*build, "--base-url", "https://me.github.io/n").exit_code == 0
    assert "](https://own.org/reading/" in (tmp_path / "README.md").read_text("utf-8")
    assert paper_notes(*build, "--base-url", "me.github.io").exit_code == 2
