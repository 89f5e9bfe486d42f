"""Sources to Corpus: good collections, and the diagnostics of bad ones."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from building import said, source

from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus, CorrectedClaim
from paper_notes.diagnostics import Diagnostic
from paper_notes.engine.cache import Cache
from paper_notes.languages.text import Text
from paper_notes.markdown.bodies import render_bodies

HERE = Path(__file__).parent
CASES = yaml.safe_load((HERE / "load_cases.yaml").read_text("utf-8"))
EVERY_MISTAKE = yaml.safe_load((HERE / "every_mistake.yaml").read_text("utf-8"))
SOUND = {
    "site.yaml": "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: [one, two]\n",
    "library.bib": "@misc{right2020note, title={Right}, author={Right, A.}, year={2020}, month=jan}\n",
    "one/topic.yaml": "title: {zh: 一, en: One}\n",
    "two/topic.yaml": "title: {zh: 二, en: Two}\n",
    "one/01_First/note.yaml": "title: {zh: 甲, en: First}\n",
    "one/01_First/zh.md": "中\n",
    "one/01_First/en.md": "en\n",
}


def loaded(files: Mapping[str, str | None], cache: Cache | None = None) -> tuple[Corpus | None, tuple[Diagnostic, ...]]:
    sources = (source(f"notes_src/{path}", text) for path, text in sorted(files.items()) if text is not None)
    return load(tuple(sources), cache=cache)


def corpus(files: Mapping[str, str]) -> Corpus:
    """The corpus of a collection that nothing is wrong with."""
    value, problems = loaded(SOUND | files)
    assert problems == ()
    assert value is not None
    return value


@pytest.mark.parametrize("case", CASES, ids=[case["claim"] for case in CASES])
def test_what_is_said(case: dict) -> None:
    _, problems = loaded(SOUND | case["files"])
    assert said(problems).replace("notes_src/", "") == case["said"]


def test_what_is_kept_of_other_files_changes_nothing(tmp_path: Path) -> None:
    """From one case to the next as from one edit to the next, in one cache; and each once more from there."""
    logo = {"site.yaml": SOUND["site.yaml"] + "logo: a.svg\n"}
    text = {"site.yaml": SOUND["site.yaml"] + "logo: a.md\n"}
    pictures = (logo | {"a.svg": "<svg/>"}, logo | {"a.svg": "<svg></svg>"}, logo, text, text | {"a.md": "x"})
    edits = [SOUND | files for files in (*pictures, *(case["files"] for case in CASES))]
    with closing(Cache(tmp_path / "cache.sqlite")) as cache:
        for files in edits:
            cold = loaded(files)
            for _ in range(2):
                cache._tables.clear()  # as for another process
                assert loaded(files, cache) == cold


def test_every_mistake_is_shown_at_once_and_in_file_order() -> None:
    value, problems = loaded(EVERY_MISTAKE["files"])
    assert value is not None
    _, in_texts = render_bodies(value.notes)
    assert said([*problems, *in_texts]) == EVERY_MISTAKE["said"]


def test_the_order_of_files_does_not_matter() -> None:
    files = EVERY_MISTAKE["files"]
    sources = [source(f"notes_src/{path}", text) for path, text in sorted(files.items())]
    assert said(load(tuple(sources))[1]) == said(load(tuple(reversed(sources)))[1])


def test_a_broken_site_file_still_gives_a_corpus_to_find_mistakes_in() -> None:
    value, _ = loaded(SOUND | {"site.yaml": "title: [\n"})
    assert value is not None
    assert [note.id for note in value.notes] == ["one/01_First"]
    assert loaded(SOUND | {"site.yaml": None})[0] is None


def test_the_site() -> None:
    site = corpus({}).site
    assert (site.title, site.languages, site.default_language) == (Text.of(zh="笔记", en="Notes"), ("zh", "en"), "zh")
    assert (site.topics, site.base_url, site.readme, site.description) == (("one", "two"), None, (), None)


@pytest.mark.parametrize(
    "url", ["https://me.example.org/notes", "https://me.example.org/notes/", "https://me.example.org/notes//"]
)
def test_the_address_of_the_site_ends_with_a_slash(url: str) -> None:
    assert (
        corpus({"site.yaml": f"{SOUND['site.yaml']}base_url: {url}\n"}).site.base_url == "https://me.example.org/notes/"
    )


def test_a_bare_text_is_in_the_first_language_of_the_site() -> None:
    found = corpus(
        {
            "site.yaml": "title: N\nlanguages: [en, zh]\ntopics: [one, two]\n",
            "one/topic.yaml": "title: T\n",
            "one/01_First/note.yaml": "title: X\n",
        }
    )
    assert (found.site.title, found.topics[0].title, found.notes[0].title) == (
        Text.of(en="N"),
        Text.of(en="T"),
        Text.of(en="X"),
    )


def test_what_is_listed_twice_counts_once() -> None:
    site = corpus({"site.yaml": "title: x\nlanguages: [zh, en, zh]\ntopics: [two, one, two]\n"}).site
    assert (site.languages, site.topics) == (("zh", "en"), ("two", "one"))


def test_notes_are_in_the_order_of_topics_and_numbers() -> None:
    note = "title: x\n"
    found = corpus({
        "site.yaml": "title: x\ntopics: [two, one]\n",
        "one/10_B/note.yaml": note, "one/10_B/zh.md": "x",
        "one/2_C/note.yaml": note, "one/2_C/en.md": "x",
        "one/3-D.md": "---\ntitle: D\n---\nx",
        "two/01_A/note.yaml": note, "two/01_A/zh.md": "x",
    })  # fmt: skip
    assert [note.id for note in found.notes] == ["two/01_A", "one/01_First", "one/2_C", "one/3-D", "one/10_B"]
    assert [note.label for note in found.notes] == ["01", "01", "02", "03", "10"]
    assert [note.id for note in found.notes_of(found.topics[1].id)] == [
        "one/01_First",
        "one/2_C",
        "one/3-D",
        "one/10_B",
    ]
    assert [note.languages for note in found.notes] == [("zh",), ("zh", "en"), ("en",), ("zh",), ("zh",)]


def test_reading_paths_lead_to_notes_of_any_topic() -> None:
    found = corpus(
        {
            "one/topic.yaml": """
title: {zh: 一, en: One}
emoji: 🔵
intro: {zh: 中, en: en}
reading_paths:
  - id: start
    title: {zh: 先, en: First}
    steps: [1, "#1", two/#1, 01_First]
    guide: {zh: 读}
""",
            "two/01_A/note.yaml": "title: x\n",
            "two/01_A/zh.md": "x",
        }
    )
    topic = found.topics[0]
    assert (topic.title, topic.emoji, topic.intro) == (Text.of(zh="一", en="One"), "🔵", Text.of(zh="中", en="en"))
    [path] = topic.reading_paths
    assert (path.id, path.title, path.guide) == ("start", Text.of(zh="先", en="First"), Text.of(zh="读"))
    assert path.steps == ("one/01_First", "one/01_First", "two/01_A", "one/01_First")
    assert str(path.location) == "notes_src/one/topic.yaml:6:5"


def test_a_step_of_a_reading_path_may_have_words_of_its_own() -> None:
    path = "reading_paths: [{id: a, title: A, steps: [1, {note: two/1, words: {en: the proof}}]}]\n"
    found = corpus(
        {
            "one/topic.yaml": f"title: {{zh: 一, en: One}}\n{path}",
            "two/01_A/note.yaml": "title: x\n",
            "two/01_A/zh.md": "x",
        }
    )
    assert found.topics[0].reading_paths[0].named_steps == (
        ("one/01_First", None),
        ("two/01_A", Text.of(en="the proof")),
    )


def test_corrections_lead_to_notes() -> None:
    found = corpus(
        {
            "two/02_B/note.yaml": "title: x\ncorrects: [{note: one/#1, claim: 错, correction: {zh: 对, en: right}}]\n",
            "two/02_B/zh.md": "x",
        }
    )
    note = found.note(found.notes[-1].id)
    assert note.corrects == (CorrectedClaim(found.notes[0].id, Text.of(zh="错"), Text.of(zh="对", en="right"), None),)


def test_papers_come_from_all_bib_files() -> None:
    found = corpus(
        {
            "one/more.bib": "@misc{left2021note, title={Left}, author={Left, B.}, year={2021}, month=feb}\n",
            "one/01_First/note.yaml": "title: x\npapers: [left2021note, right2020note]\n",
        }
    )
    assert set(found.papers) == {"right2020note", "left2021note"}
    assert found.notes[0].papers == ("left2021note", "right2020note")


@pytest.mark.parametrize("head", ["", "terms:\n"])
def test_the_glossary_is_a_list_with_or_without_a_key(head: str) -> None:
    text = (
        f"{head}- {{zh: 词, en: token, aliases: [词元], definition: {{zh: 单位}}}}\n- {{zh: 二, en: two, aliases: b}}\n"
    )
    first, second = corpus({"glossary.yaml": text}).terms
    assert (first.name, first.aliases, first.definition) == (
        Text.of(zh="词", en="token"),
        ("词元",),
        Text.of(zh="单位"),
    )
    assert (second.aliases, second.definition) == (("b",), None)
    assert str(second.location) == f"notes_src/glossary.yaml:{2 + bool(head)}:3"
