"""The cache never shows: a build after any edit equals one without a cache. `remembering.py` tries many more."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cold import ColdBuilds, as_if_large
from editing_the_program import CHANGES, EditedProgram
from living import Edit, dump
from remembering import Remembering
from running import EXAMPLES, PROJECT, built, write

from paper_notes.languages.text import Text
from paper_notes.render.view_factory import PageContext, PageFrame

EDITED = 100 if EXAMPLES else 4


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ColdBuilds]:
    with ColdBuilds(tmp_path_factory.mktemp("cold")) as builds:
        yield builds


@pytest.mark.nightly
def test_any_edits_give_the_site_and_the_words_of_a_build_from_nothing(tmp_path: Path, cold: ColdBuilds) -> None:
    with closing(Remembering(tmp_path, cold, seed=1)) as tried:
        for number in range(EDITED):
            edited, problem = tried.step()
            assert not problem, f"edit {number}: {edited}\n{problem}"


@pytest.mark.nightly
def test_so_they_do_where_lists_are_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_if_large(monkeypatch)
    (tmp_path / "cold").mkdir()
    with (
        ColdBuilds(tmp_path / "cold", large=True) as cold,
        closing(Remembering(tmp_path / "warm", cold, seed=2)) as tried,
    ):
        for number in range(EDITED):
            edited, problem = tried.step()
            assert not problem, f"edit {number}: {edited}\n{problem}"
        assert [*tried.root.glob("site/map-*.html")], "there are parts"


def test_of_lists_in_parts_only_those_are_made_again_that_show_what_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_if_large(monkeypatch)
    root = write(
        tmp_path,
        {
            "notes_src/site.yaml": "title: {zh: 集, en: All}\ntopics: [one, two, three]\n",
            **{f"notes_src/{topic}/topic.yaml": f"title: {topic}\n" for topic in ("one", "two", "three")},
            "notes_src/library.bib": "".join(
                f"@misc{{p{year}, title={{Of {year}}}, year={year}}}\n" for year in (2020, 2021)
            ),
            "notes_src/one/01_A/note.yaml": "title: {zh: 甲, en: Anchor}\npapers: [p2020]\n",
            "notes_src/one/01_A/zh.md": "见 [@p2021]。\n",
            "notes_src/two/01_B/note.yaml": "title: {zh: 乙, en: Bolt}\npapers: [p2021]\n",
            "notes_src/two/01_B/zh.md": "见 [[one/#1]]。\n",
            "notes_src/three/01_C/note.yaml": "title: {zh: 丙, en: Chain}\n",
            "notes_src/three/01_C/zh.md": "见 [[three/#2]]。\n",
            "notes_src/three/02_D/note.yaml": "title: {zh: 丁, en: Dock}\n",
            "notes_src/three/02_D/zh.md": "见 [[two/#1]]。\n",
        },
    )
    made: list[str] = []
    plain = PageContext.list_frame

    def noted(context: PageContext, name: str, part: Text | None = None, **values: object) -> PageFrame:
        made.append(context.page.stem)
        return plain(context, name, part, **values)

    monkeypatch.setattr(PageContext, "list_frame", noted)
    parts = ["map-one", "map-three", "map-two", "papers-2020", "papers-2021"]

    def made_again(name: str, old: str, new: str) -> list[str]:
        made.clear()
        (file := root / "notes_src" / name).write_text(file.read_text("utf-8").replace(old, new), "utf-8")
        built(root)
        return sorted(name for name in made if name in parts)

    assert made_again("site.yaml", "All", "Every") == parts
    assert made_again("three/01_C/note.yaml", "Chain", "Chains") == ["map-three"]
    assert made_again("one/01_A/note.yaml", "Anchor", "Anchors") == ["map-one", "map-two", "papers-2020", "papers-2021"]
    assert made_again("library.bib", "Of 2020", "From 2020") == ["papers-2020"]
    assert made_again("one/01_A/zh.md", "[@p2021]", "谁") == ["papers-2021"]
    assert made_again("two/01_B/zh.md", "[[one/#1]]", "谁") == ["map-one", "map-two"]


@pytest.mark.nightly
def test_an_edited_program_gives_the_site_of_a_build_from_nothing(tmp_path: Path) -> None:
    tried = EditedProgram(tmp_path, seed=1, pdf=True)
    assert tried.begin() == 0
    edited, problem = tried.step(CHANGES[0], next(change for change in CHANGES if "from_bibtex" in change[0]))
    assert not problem, f"{edited}\n{problem}"


def test_the_changes_of_the_program_can_be_made() -> None:
    assert [name for name, old, _ in CHANGES if old not in (PROJECT / name).read_text("utf-8")] == []


def a_note_one_byte_larger(dice: random.Random, root: Path) -> str:
    """A change so small that only the shown size of all notes together changes."""
    text = root / "notes_src/arches/01_N1/zh.md"
    text.write_text(f"{text.read_text('utf-8')}\n{'x' * 180}\n", "utf-8")
    return "180 bytes more"


def an_intro_names_a_section(dice: random.Random, root: Path) -> str:
    named = {"zh": "[[arches/#1#second]]", "en": "[[arches/#1#second]]"}
    dump(root / "notes_src/cables/topic.yaml", title={"zh": "缆", "en": "Cables"}, intro=named)
    return "an intro names a section"


def the_section_goes(dice: random.Random, root: Path) -> str:
    for lang in ("zh", "en"):
        text = root / f"notes_src/arches/01_N1/{lang}.md"
        text.write_text(text.read_text("utf-8").replace("{#second}", "{#third}"), "utf-8")
    return "the section has another name"


def a_definition_names_a_note(dice: random.Random, root: Path) -> str:
    named = {"zh": "弯的 [[arches/#2]] [@ada2019]", "en": "Bent [[arches/#2]] [@ada2019]"}
    terms = [{"zh": "拱", "en": "arch", "definition": named}]
    (root / "notes_src/glossary.yaml").write_text(json.dumps(terms, ensure_ascii=False), "utf-8")
    return "a definition names a note and a paper"


def the_note_has_another_title(dice: random.Random, root: Path) -> str:
    dump(root / "notes_src/arches/02_N2/note.yaml", title={"zh": "别的", "en": "Different"}, papers=["ada2019"])
    return "the note has another title"


def a_paper_whose_pdf_nobody_shows(dice: random.Random, root: Path) -> str:
    for path in root.glob("notes_src/*/*/note.yaml"):
        dump(path, title={"zh": "别的", "en": "Different"}, papers=["nothing2026"], thumbnail=False)
    text = root / "notes_src/arches/02_N2/en.md"
    text.write_text(text.read_text("utf-8").replace("\n![A part](pdf:2601.00001#figure-1)\n", ""), "utf-8")
    return "a paper whose PDF nobody shows"


def no_pdf(dice: random.Random, root: Path) -> str:
    (root / "notes_src/papers/2601.00001.pdf").unlink()
    return "no PDF any more"


def half_a_formula(dice: random.Random, root: Path) -> str:
    with (root / "notes_src/arches/01_N1/zh.md").open("a", encoding="utf-8") as text:
        text.write("\n\n- 半个 $\\frac{1}{$ 公式\n")
    return "half a formula"


def half_a_line(dice: random.Random, root: Path) -> str:
    (root / "notes_src/arches/02_N2/note.yaml").write_text("title: {zh: 半", "utf-8")
    return "half a line of YAML"


def words_above_and_words_elsewhere(dice: random.Random, root: Path) -> str:
    for name in ("arches/01_N1/zh.md", "cables/03_N3/zh.md"):
        text = root / "notes_src" / name
        text.write_text(f"多一段。\n\n{text.read_text('utf-8')}", "utf-8")
    return "words above the formula, and in another note"


def everything_right_again(dice: random.Random, root: Path) -> str:
    text = root / "notes_src/arches/01_N1/zh.md"
    text.write_text(text.read_text("utf-8").replace("\\frac{1}{", "x"), "utf-8")
    dump(root / "notes_src/arches/02_N2/note.yaml", title={"zh": "整", "en": "Whole"})
    return "everything is right again"


@pytest.mark.nightly
def test_marks_are_never_remembered_for_pages_without_them(tmp_path: Path, cold: ColdBuilds) -> None:
    edits = (half_a_formula, half_a_line, words_above_and_words_elsewhere, everything_right_again)
    with closing(Remembering(tmp_path, cold, seed=1, edits=edits, keep_going=1)) as tried:
        for _ in ("the beginning", *edits):
            said, problem = tried.step()
            assert not problem, f"{said}: {problem}"
        assert tried.marked == 3


@pytest.mark.nightly
@pytest.mark.parametrize(
    "edits",
    [
        (a_note_one_byte_larger,) * 3,
        (the_section_goes,),
        (the_note_has_another_title,),
        (a_paper_whose_pdf_nobody_shows, no_pdf),
    ],
    ids=lambda edits: edits[-1].__name__,
)
def test_edits_whose_effect_is_far_away(edits: tuple[Edit, ...], tmp_path: Path, cold: ColdBuilds) -> None:
    with closing(Remembering(tmp_path, cold, seed=1, edits=edits)) as tried:
        for prepare in (an_intro_names_a_section, a_definition_names_a_note):
            prepare(random.Random(1), tried.root)
        assert tried.step() == ("the beginning", "")
        for _ in edits:
            said, problem = tried.step()
            assert not problem, f"{said}: {problem}"
