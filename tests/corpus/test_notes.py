"""The notes of a topic: folders and single files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path, PurePosixPath

import pytest
from building import said, source

from paper_notes.corpus import note_files
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Lang, Note, Site, TopicId, Translated
from paper_notes.corpus.note_reader import read_notes
from paper_notes.corpus.read_files import kinds_from
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.engine.cache import Cache
from paper_notes.languages.language import Words
from paper_notes.languages.text import Text
from paper_notes.sources.yaml import YamlDocument

TOPIC = TopicId("topic")


def notes(
    files: Mapping[str, str], languages: tuple[Lang, ...] = ("zh", "en"), cache: Cache | None = None
) -> tuple[list[Note], str]:
    """The notes in the files below a topic's folder, and their diagnostics."""
    words = Words.of(*languages)
    kinds = kinds_from({}, words, YamlDocument(PurePosixPath("site.yaml")), [])
    site = Site(Text.of(zh="x"), words, (TOPIC,), None, None, readme=(), kinds=kinds)
    problems: list[Diagnostic] = []
    members = tuple(source(f"notes_src/topic/{path}", text) for path, text in files.items())
    with (cache or Cache()).table("notes") as table:
        drafts = read_notes(site, TOPIC, members, problems, table)
    return [draft.note for draft in drafts], said(problems).replace("notes_src/topic/", "")


def only(files: Mapping[str, str], languages: tuple[Lang, ...] = ("zh", "en")) -> Note:
    [note], problems = notes(files, languages)
    assert problems == ""
    return note


def test_a_folder_is_a_note_in_both_languages() -> None:
    note = only({"04_A-b.c/note.yaml": "title: x\n", "04_A-b.c/zh.md": "中\n", "04_A-b.c/en.md": "en\n"})
    assert (note.id, note.topic, note.number, note.name) == ("topic/04_A-b.c", "topic", 4, "04_A-b.c")
    assert [(text.lang, str(text.path), text.text, text.first_line) for text in note.texts] == [
        ("zh", "notes_src/topic/04_A-b.c/zh.md", "中\n", 1),
        ("en", "notes_src/topic/04_A-b.c/en.md", "en\n", 1),
    ]
    assert str(note.location) == "notes_src/topic/04_A-b.c/note.yaml:1:1"


def test_the_files_of_a_note_are_what_is_not_text_of_it() -> None:
    texts = {"01_A/note.yaml": "title: x\n", "01_A/zh.md": "x"}
    note = only(texts | {"01_A/a.svg": "<svg/>", "01_A/sub/b.csv": "1", "01_A/c.md": "x"})
    assert sorted(note.files) == ["a.svg", "c.md", "sub/b.csv"]
    assert note.files["sub/b.csv"].text == "1"


FOLDER = {"01_A/note.yaml": "title: x\n", "01_A/zh.md": "中", "01_A/en.md": "en"}
SINGLE = {"02_B.md": "---\ntitle: x\n---\nwords\n"}


@pytest.mark.parametrize(
    ("files", "path", "text", "anew"),
    [
        (FOLDER, "01_A/en.md", "other words, and more", False),
        (FOLDER, "01_A/en.md", "  \n", True),
        (FOLDER, "01_A/en.md", "---\ntitle: y\n---\nen", True),
        (FOLDER, "01_A/note.yaml", "title: y\n", True),
        (FOLDER, "01_A/en.txt.md", "misnamed", True),
        (SINGLE, "02_B.md", "---\ntitle: x\n---\nother words\n", False),
        (SINGLE, "02_B.md", "---\ntitle: y\n---\nwords\n", True),
        (SINGLE, "02_B.md", "---\ntitle: x\n---\n \n", True),
        (SINGLE, "02_B.md", "words\n", True),
    ],
)
def test_only_what_says_something_of_the_note_is_read_anew(
    files: Mapping[str, str], path: str, text: str, anew: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what was kept is what reading would give."""
    read = list[str]()

    def noted(reader: Callable[..., object], *arguments: object) -> object:
        read.append(reader.__name__)
        return reader(*arguments)

    for reader in (note_files.folder, note_files.single_file):
        monkeypatch.setattr(note_files, reader.__name__, partial(noted, reader))
    with closing(Cache(tmp_path / "cache.sqlite")) as cache:
        assert notes(files, cache=cache) == notes(files)
        read.clear()
        edited = {**files, path: text}
        kept = notes(edited, cache=cache)
        assert bool(read) == anew
        assert kept == notes(edited)


def test_a_record_of_translations_has_its_place() -> None:
    facts = "title: x\ntranslated:\n  lead: {zh: 0123456789, en: abcdef0123}\n"
    note = only({"01_A/note.yaml": facts, "01_A/zh.md": "x"})
    where = Location(note.location.path, 3, 3)
    assert note.translated == {"lead": Translated({"zh": "0123456789", "en": "abcdef0123"}, where)}


def test_an_empty_text_is_no_text() -> None:
    (note,), problems = notes({"01_A/note.yaml": "title: x\n", "01_A/zh.md": "\n \n", "01_A/en.md": "x"})
    assert note.languages == ("en",)
    assert note.title.languages == ("en",)
    assert "warning[note-without-text]: zh.md is empty" in problems


@pytest.mark.parametrize(
    ("text", "lang", "first_line", "body"),
    [
        ("---\ntitle: x\n---\n正文\n", "zh", 4, "正文\n"),
        ("---\ntitle: x\nlanguage: en\n---\ntext", "en", 5, "text"),
        ("--- \ntitle: x\n---\t\n\ntext", "zh", 4, "\ntext"),
        ("---\ntitle: x\n---\na\n\n---\n\nb", "zh", 4, "a\n\n---\n\nb"),
        ("---\ntitle: 'a --- b'\n# ---\n---\ntext", "zh", 5, "text"),
    ],
)
def test_a_single_file_is_a_note_in_one_language(text: str, lang: Lang, first_line: int, body: str) -> None:
    note = only({"07_Quick.md": text})
    assert (note.name, note.number, note.files) == ("07_Quick", 7, {})
    (found,) = note.texts
    assert (found.lang, str(found.path), found.text, found.first_line) == (
        lang,
        "notes_src/topic/07_Quick.md",
        body,
        first_line,
    )


def test_a_single_file_speaks_the_first_language_of_the_site() -> None:
    note = only({"07_Quick.md": "---\ntitle: x\n---\ntext"}, ("en", "zh"))
    assert (note.languages, note.title) == (("en",), Text.of(en="x"))


def test_facts_of_a_single_file_have_their_lines() -> None:
    _, problems = notes({"07_Quick.md": "---\ntitle: x\nkind: papr\n---\ntext"})
    assert problems == '07_Quick.md:3:7: error[bad-value]: `kind` cannot be "papr"\n  hint: did you mean "paper"?\n'


@pytest.mark.parametrize("facts", ["title: [\n", "titel: x\n", "", "- x\n"])
def test_a_note_whose_facts_cannot_be_read_is_still_a_note(facts: str) -> None:
    [note], problems = notes({"01_A/note.yaml": facts, "01_A/zh.md": "x"})
    assert (note.id, note.title, note.languages) == ("topic/01_A", Text.of(zh="01_A", en="01_A"), ("zh",))
    assert "error[" in problems


def test_other_folders_and_files_are_no_notes() -> None:
    found, problems = notes({"topic.yaml": "title: x\n", "figures/a.svg": "<svg/>", "data.csv": "1", "more.bib": ""})
    assert (found, problems) == ([], "")


def test_numbers_are_ordered_as_numbers() -> None:
    files = {f"{number}_N.md": "---\ntitle: x\n---\ntext" for number in ("10", "9", "002", "100000")}
    assert [note.number for note in notes(files)[0]] == [2, 9, 10, 100000]


@pytest.mark.parametrize(("text", "has_text"), [("x", True), ("\n x", True), ("", False), ("\n \n", False)])
def test_a_page_of_ones_own_has_a_text(text: str, *, has_text: bool) -> None:
    files = {"site.yaml": "title: T\nlanguages: [en]\ntopics: [t]\n", "t/topic.yaml": "title: T\n"}
    files["pages/about.md"] = f"---\ntitle: A\n---\n{text}"
    _, problems = load(tuple(source(f"notes_src/{name}", content) for name, content in files.items()))
    missing = "notes_src/pages/about.md:1:1: error[note-without-text]: the page has no text"
    assert [missing in str(problem) for problem in problems if "pages" in str(problem)] == [True] * (not has_text)
