"""After notes, topics and keys got other names, findings say what these were in the last good build, and are now."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from running import files_of

from paper_notes.build import build, update
from paper_notes.engine.user_cache import cache_folder

FILES = {
    "site.yaml": "title: Notes\nlanguages: [en]\ntopics: [tea, milk]\n",
    "library.bib": "@misc{lu760tea, title = {The Classic of Tea}, author = {Lu, Yu}, eprint = {2601.00001}}\n",
    "tea/topic.yaml": "title: Tea\n",
    "milk/topic.yaml": "title: Milk\n",
    "tea/01_Leaf/note.yaml": "title: Leaf\npapers: lu760tea\n",
    "tea/01_Leaf/en.md": "See [[#2]], [[02_Water]] and [@lu760tea].\n",
    "tea/02_Water/note.yaml": "title: Water\n",
    "tea/02_Water/en.md": "Hot, see [[#1]].\n",
    "milk/01_Cow/note.yaml": "title: Cow\n",
    "milk/01_Cow/en.md": "See [[tea/#2]].\n",
    "milk/05_Goat/note.yaml": "title: Goat\n",
    "milk/05_Goat/en.md": "A goat.\n",
}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The sources of a collection that was built."""
    for name, text in FILES.items():
        file = tmp_path / "notes_src" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    assert update(tmp_path).plan
    return tmp_path / "notes_src"


def hints(notes: Path) -> dict[str, str]:
    """Where each finding is, and its hint."""
    found = build(notes.parent)
    assert found.plan is None
    return {str(problem.location).removeprefix("notes_src/"): problem.hint for problem in found.diagnostics}


def test_a_note_that_got_another_number(notes: Path) -> None:
    (notes / "tea/02_Water").rename(notes / "tea/07_Hot_water")
    was = '"Water"'
    assert hints(notes) == {
        "milk/01_Cow/en.md:1:5": f'did you mean "tea/#7"? In the last good build "tea/#2" was {was}',
        "tea/01_Leaf/en.md:1:5": f'did you mean "#7"? In the last good build "tea/#2" was {was}',
        "tea/01_Leaf/en.md:1:13": f'did you mean "#7"? In the last good build "tea/02_Water" was {was}',
    }


def test_a_note_that_went_to_another_topic_and_what_it_refers_to(notes: Path) -> None:
    (notes / "tea/02_Water").rename(notes / "milk/02_Water")
    (notes / "milk/01_Cow").rename(notes / "milk/03_Cow")
    found = hints(notes)
    assert found["tea/01_Leaf/en.md:1:5"].startswith('did you mean "milk/#2"?')
    assert found["milk/03_Cow/en.md:1:5"].startswith('did you mean "#2"?')
    assert found["milk/02_Water/en.md:1:10"].startswith('did you mean "tea/#1"? In the last good build "tea/#1" was')


def test_a_topic_that_got_another_name(notes: Path) -> None:
    (notes / "tea").rename(notes / "chai")
    (notes / "site.yaml").write_text(FILES["site.yaml"].replace("tea", "chai"), "utf-8")
    assert hints(notes) == {
        "milk/01_Cow/en.md:1:5": 'did you mean "chai/#2"? In the last good build "tea/#2" was "Water"',
    }


def test_a_note_that_is_gone_is_not_replaced_by_any_other(notes: Path) -> None:
    shutil.rmtree(notes / "tea/02_Water")
    found = hints(notes)
    assert set(found) == {"milk/01_Cow/en.md:1:5", "tea/01_Leaf/en.md:1:5", "tea/01_Leaf/en.md:1:13"}
    assert all(hint.startswith('in the last good build this was "Water"') for hint in found.values())


def test_a_key_that_got_another_name(notes: Path) -> None:
    bib = FILES["library.bib"].replace("lu760tea", "yu760classic")
    (notes / "library.bib").write_text(bib, "utf-8")
    assert set(hints(notes).values()) == {
        'did you mean "yu760classic"? In the last good build "lu760tea" was "The Classic of Tea"'
    }


def test_without_a_memory_only_what_is_there_is_named(notes: Path) -> None:
    (notes / "tea/02_Water").rename(notes / "tea/07_Hot_water")
    shutil.rmtree(cache_folder(notes.parent))
    assert hints(notes)["tea/01_Leaf/en.md:1:5"] == "it has #1, #7"


def test_what_is_written_does_not_depend_on_the_memory(notes: Path) -> None:
    (notes / "tea/02_Water").rename(notes / "tea/07_Hot_water")
    for name in ("tea/01_Leaf/en.md", "milk/01_Cow/en.md"):
        text = FILES[name].replace("#2", "#7").replace("02_Water", "#7")
        (notes / name).write_text(text, "utf-8")
    assert update(notes.parent).plan
    remembering = files_of(notes.parent / "site")
    shutil.rmtree(notes.parent / "site")
    shutil.rmtree(cache_folder(notes.parent))
    assert update(notes.parent).plan
    assert files_of(notes.parent / "site") == remembering


def test_names_are_kept_while_a_warning_still_needs_them(notes: Path) -> None:
    site = notes / "site.yaml"
    site.write_text(f"{site.read_text('utf-8')}rules: {{dangling-reference: warning, dead-link: off}}\n", "utf-8")
    (notes / "tea/02_Water").rename(notes / "tea/07_Hot_water")
    first, second = update(notes.parent), build(notes.parent)
    assert first.plan
    assert [problem.hint for problem in second.diagnostics] == [problem.hint for problem in first.diagnostics]
    assert all('was "Water"' in problem.hint for problem in second.diagnostics)
