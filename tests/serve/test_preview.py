"""write_preview(): the page of a note whose text was changed, before the build that follows."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from running import write

from paper_notes.build import Build, update
from paper_notes.output.plan import Plan
from paper_notes.serve.session import write_preview

TEXT = "notes_src/t/01_A/en.md"
PAGE = "site/t/notes/01_A.html"
FILES = {
    "site.yaml": "title: {zh: 站, en: Site}\ntopics: [t]\n",
    "t/topic.yaml": "title: {zh: 题, en: Topic}\n",
    "t/01_A/note.yaml": "title: {zh: 甲, en: A}\n",
    "t/01_A/zh.md": "## 动机\n\n见 [[#2]]。\n",
    "t/01_A/en.md": "## Motivation\n\nSee [[#2]].\n",
    "t/02_B.md": "---\ntitle: {zh: 乙, en: B}\nlanguage: en\n---\nB.\n",
}


@pytest.fixture
def last(tmp_path: Path) -> Build:
    built = update(write(tmp_path, {f"notes_src/{name}": text for name, text in FILES.items()}), jobs=1)
    assert built.plan is not None
    return built


def early(root: Path, last: Build, name: str, text: str) -> Plan | None:
    write(root, {name: text})
    return write_preview(root, last, frozenset({PurePosixPath(name)}))


@pytest.mark.parametrize("words", ["See [[#2]], and again.", "$x$ and [[#2]]", "[[#2]]\n\n- [ ] `code`"])
def test_it_is_the_page_that_the_build_makes(tmp_path: Path, last: Build, words: str) -> None:
    before = (tmp_path / PAGE).read_bytes()
    plan = early(tmp_path, last, TEXT, f"## Motivation\n\n{words}\n")
    assert plan is not None
    assert [str(artifact.path) for artifact in plan.update] == [PAGE]
    shown = (tmp_path / PAGE).read_bytes()
    assert shown != before
    built = update(tmp_path, jobs=1)
    assert built.plan is not None
    assert PurePosixPath(PAGE) in built.plan.unchanged
    assert (tmp_path / PAGE).read_bytes() == shown


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (TEXT, "## Motivation\n\nSee [[#2]].\n\n## Another section\n"),
        (TEXT, "## Motivation\n\nSee [[#2]] and [[#3]].\n"),
        (TEXT, "## Motivation\n\nSee [[#2]] and $\\broken$.\n"),
        (TEXT, "  \n"),
        (TEXT, "See [[#2]]. \0"),
        ("notes_src/t/01_A/note.yaml", "title: {zh: 丙, en: C}\n"),
        ("notes_src/t/02_B.md", FILES["t/02_B.md"] + "More.\n"),
        ("notes_src/t/03_C/en.md", "New."),
        ("assets/css/99-own.css", "p { color: red }"),
    ],
)
def test_where_more_may_change_the_build_is_waited_for(tmp_path: Path, last: Build, name: str, text: str) -> None:
    before = (tmp_path / PAGE).read_bytes()
    assert early(tmp_path, last, name, text) is None
    assert (tmp_path / PAGE).read_bytes() == before


def test_two_files_at_once_a_page_that_is_gone_and_errors_before_are_left_to_the_build(
    tmp_path: Path, last: Build
) -> None:
    write(tmp_path, {TEXT: "## Motivation\n\nSee [[#2]]!\n"})
    both = frozenset({PurePosixPath(TEXT), PurePosixPath("notes_src/t/01_A/zh.md")})
    assert write_preview(tmp_path, last, both) is None
    one = frozenset({PurePosixPath(TEXT)})
    assert write_preview(tmp_path, Build(None, ()), one) is None
    (tmp_path / PAGE).unlink()
    assert write_preview(tmp_path, last, one) is None
    assert not (tmp_path / PAGE).exists()
