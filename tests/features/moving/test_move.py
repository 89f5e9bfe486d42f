"""Moving notes: where to, what is written anew, and the former addresses that are kept."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus, Lang, NoteId, TopicId
from paper_notes.corpus.references import name_of
from paper_notes.diagnostics import UserError
from paper_notes.features.moving.edits import FileEdit, edited
from paper_notes.features.moving.move import (
    former_name,
    move,
    move_topic,
    moved_by_hand,
    wanted_name,
    wanted_topic,
    with_address,
)
from paper_notes.features.moving.references import CollectionFiles, Relocation, in_readme
from paper_notes.markdown.render import render_body
from paper_notes.markdown.translations import digests
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml

TOPIC = """\
title: Tea
reading_paths:
  - {id: a, title: All, steps: ['#1', 02_Water, milk/1, {note: milk/1, words: x}]} # 02_Water
"""
INTRO = """\
title: Milk
intro: >
  First [[tea/#2]], and then `[[tea/#2]]`
  and [[tea/02_Water#hot|that one]].
"""
LEAF = """\
---
title: Leaf # [[#2]]
summary: "As in [[#2]]"
corrects: [{note: '#02', claim: a, correction: b}]
---
See [[#2]].
"""
FILES = {
    "site.yaml": "title: Notes\nlanguages: [ja, en]\ntopics: [tea, milk]\n",
    "tea/topic.yaml": TOPIC,
    "milk/topic.yaml": INTRO,
    "tea/01_Leaf.md": LEAF,
    "tea/02_Water/note.yaml": "title: Water\n",
    "tea/02_Water/en.md": "## Hot {#hot}\n\nSee [[#1]], [[#2#hot]] and [[milk/#1]].\n",
    "tea/02_Water/cup.svg": "<svg/>",
    "milk/01_Cow/note.yaml": "title: Cow\n",
    "milk/01_Cow/ja.md": "茶 [[ tea/02_Water | 水 ]] を。\n",
    "milk/03_Goat/note.yaml": "title: Goat\n",
    "milk/03_Goat/en.md": "A goat.\n",
    "glossary.yaml": "- {ja: 茶, en: tea, definition: {en: 'Of [[#1]] and [[tea/#2]].'}}\n",
}


def read(files: Mapping[str, str | bytes]) -> tuple[Corpus, tuple[Source, ...]]:
    sources = tuple(
        Source(PurePosixPath("notes_src", name), data.encode() if isinstance(data, str) else data)
        for name, data in sorted(files.items())
    )
    corpus, problems = load(sources)
    assert corpus
    assert {problem.rule for problem in problems} <= {"dangling-reference"}
    return corpus, sources


def changed(files: Mapping[str, str | bytes], note: str, to: str) -> dict[str, str]:
    """The files that change, by their names after the move."""
    corpus, sources = read(files)
    found = corpus.note(NoteId(note))
    files = CollectionFiles(corpus, sources)
    made = move(files, {found.id: wanted_name(to, name_of(found.id), files).id})
    assert made.renamed
    return {str(source.path).removeprefix("notes_src/"): source.data.decode() for source in made.sources}


def test_every_reference_keeps_its_form() -> None:
    assert changed(FILES, "tea/02_Water", "milk/7") == {
        "tea/topic.yaml": FILES["tea/topic.yaml"].replace("02_Water, m", "milk/07_Water, m"),
        "milk/topic.yaml": FILES["milk/topic.yaml"]
        .replace("First [[tea/#2", "First [[milk/#7")
        .replace("tea/02_Water#", "milk/07_Water#"),
        "tea/01_Leaf.md": FILES["tea/01_Leaf.md"]
        .replace("in [[#2", "in [[milk/#7")
        .replace("#02", "milk/#07")
        .replace("See [[#2", "See [[milk/#7"),
        "milk/07_Water/note.yaml": "title: Water\naliases: [tea/02_Water]\n",
        "milk/07_Water/en.md": "## Hot {#hot}\n\nSee [[tea/#1]], [[#7#hot]] and [[milk/#1]].\n",
        "milk/01_Cow/ja.md": "茶 [[ milk/07_Water | 水 ]] を。\n",
        "glossary.yaml": FILES["glossary.yaml"].replace("tea/#2", "milk/#7"),
    }


def test_own_pages_the_navigation_the_footer_and_headlines_follow() -> None:
    look = "navigation: [about, tea, 'tea/#2', {title: Hot, link: 'tea/#2#hot'}]\nfooter: 'See [[tea/#2]].'\n"
    page = "---\ntitle: About\n---\nBegin with [[tea/#2]] or [[about]].\n"
    listed = "title: Goat\nentries:\n- {paper: lu, headline: 'As [[tea/#2]] says.'}\n"
    files = {
        **FILES,
        "site.yaml": FILES["site.yaml"] + look,
        "pages/about.en.md": page,
        "milk/03_Goat/note.yaml": listed,
        "library.bib": "@misc{lu, title={Tea}, author={Lu, Yu}}\n",
    }
    made = changed(files, "tea/02_Water", "milk/7")
    assert made["site.yaml"] == files["site.yaml"].replace("tea/#2", "milk/#7")
    assert made["pages/about.en.md"] == page.replace("tea/#2", "milk/#7")
    assert made["milk/03_Goat/note.yaml"] == listed.replace("tea/#2", "milk/#7")
    corpus, sources = read(files)
    renamed = move_topic(CollectionFiles(corpus, sources), TopicId("tea"), TopicId("cha"))
    site = next(source.text for source in renamed.sources if source.path.name == "site.yaml")
    assert "navigation: [about, cha, 'cha/#2', {title: Hot, link: 'cha/#2#hot'}]" in site


def test_in_its_topic_only_what_names_it_changes() -> None:
    made = changed(FILES, "milk/03_Goat", "4")
    assert made == {"milk/04_Goat/note.yaml": "title: Goat\naliases: [milk/03_Goat]\n"}
    made = changed(FILES, "tea/02_Water", "tea/02_Hot")
    assert "tea/01_Leaf.md" not in made, "its references are by number"
    assert "steps: ['#1', 02_Hot, milk/1, {note: milk/1, words: x}]" in made["tea/topic.yaml"]


def test_the_order_of_its_topic_names_it_as_it_is_called_now() -> None:
    files = {**FILES, "tea/topic.yaml": TOPIC + "order: [2, '#1']\n"}
    assert "order: [7, '#1']" in changed(files, "tea/02_Water", "7")["tea/topic.yaml"]
    assert "order: ['milk/7', '#1']" in changed(files, "tea/02_Water", "milk/7")["tea/topic.yaml"].replace(
        "[milk/7,", "['milk/7',"
    )


def test_a_note_in_one_file() -> None:
    made = changed(FILES, "tea/01_Leaf", "milk")
    assert made["milk/04_Leaf.md"] == FILES["tea/01_Leaf.md"].replace("in [[#2", "in [[tea/#2").replace(
        "'#02'", "'tea/#02'"
    ).replace("See [[#2", "See [[tea/#2").replace("}]\n", "}]\naliases: [tea/01_Leaf]\n")


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_and_byte_order_marks_stay(end: str) -> None:
    files = {name: codecs.BOM_UTF8 + text.replace("\n", end).encode() for name, text in FILES.items()}
    for name, text in changed(files, "tea/02_Water", "milk/7").items():
        assert text.startswith("\ufeff"), name
        assert text.count(end) == len(text.splitlines())


def test_code_formulas_and_comments_are_no_references() -> None:
    text = "`[[tea/#2]]` $[[tea/#2]]$ <!-- [[tea/#2]] --> \\[[tea/#2]]\n\n```text\n[[tea/#2]]\n```\n\n    [[tea/#2]]\n"
    assert "milk/01_Cow/ja.md" not in changed({**FILES, "milk/01_Cow/ja.md": text}, "tea/02_Water", "milk/7")


@pytest.mark.parametrize(
    "text",
    [
        "| a |\n|---|\n| x \\| `[[tea/#2]]` [[OLD\\|w]] |\n",
        "`[[tea/#2]]` [[OLD]] [[OLD]]\n",
        "> - a[^1]\n>   **[[OLD]]**\n\n[^1]: [[OLD#hot]]\n",
        ":::note [[OLD]]\n![[[OLD]]](a.svg)\n:::\n",
        "## [[OLD]] {#a}\n\n[[OLD|`a|b`]] [[tea/#25]]\n",
    ],
)
def test_references_in_every_place_of_a_text(text: str) -> None:
    files = {**FILES, "milk/01_Cow/ja.md": text.replace("OLD", "tea/#2")}
    assert changed(files, "tea/02_Water", "milk/7")["milk/01_Cow/ja.md"] == text.replace("OLD", "milk/#7")


def test_texts_that_were_recorded_as_translations_stay_so() -> None:
    texts = {"milk/01_Cow/ja.md": "## A {#a}\n\n[[tea/#2]]\n", "milk/01_Cow/en.md": "## A {#a}\n\nSee [[tea/#2]].\n"}
    corpus, _ = read({**FILES, **texts})
    recorded = digests(render_body(corpus.note(NoteId("milk/01_Cow")), words=corpus.site.words))["a"]
    note = f"title: Cow\ntranslated:\n  a: {{ja: {recorded['ja']}, en: '{recorded['en']}'}} # ok\n"
    made = changed({**FILES, **texts, "milk/01_Cow/note.yaml": note}, "tea/02_Water", "milk/7")
    corpus, _ = read({**FILES, **texts, **made})
    now = corpus.note(NoteId("milk/01_Cow"))
    assert digests(render_body(now, words=corpus.site.words))["a"] == now.translated["a"].digests != recorded
    outdated = note.replace(recorded["ja"], "0123456789")
    made = changed({**FILES, **texts, "milk/01_Cow/note.yaml": outdated}, "tea/02_Water", "milk/7")
    assert "0123456789" in made["milk/01_Cow/note.yaml"], "what was out of step stays so"


def test_a_record_in_front_matter_that_grows_stays_true() -> None:
    record = "{digest: '0123456789', model: m, prompt: p, date: 2026-01-01, source: s}"
    facts = f"title: S\nsummary: '[[tea/#2]], [[tea/#2]]'\ndrafted: {{a: {{ja: {record}}}}}"
    note = f"---\n{facts}\n---\n# A {{#a}}\n\n[[tea/#2]]\n"

    def digest(text: str) -> str:
        corpus, _ = read({**FILES, "milk/08_Short.md": text})
        return digests(render_body(corpus.note(NoteId("milk/08_Short")), words=corpus.site.words))["a"][Lang("ja")]

    note = note.replace("0123456789", before := digest(note))
    after = changed({**FILES, "milk/08_Short.md": note}, "tea/02_Water", "milk/123456")["milk/08_Short.md"]
    assert f"digest: '{digest(after)}'" in after
    assert digest(after) != before


def test_back_to_where_it_was() -> None:
    files = {**FILES, "tea/02_Water/note.yaml": "title: Water\naliases:\n  - milk/07_Water # old\n  - a.html\n"}
    made = changed(files, "tea/02_Water", "milk/7")
    assert made["milk/07_Water/note.yaml"] == "title: Water\naliases:\n  - tea/02_Water # old\n  - a.html\n"


def test_a_topic_with_all_its_notes() -> None:
    settings = """\
title: Notes
languages: [ja, en]
topics: ['tea', milk] # tea
readme: [{topic: tea}, docs/INDEX.md]
rules: {tea/: {missing-translation: off}, tea/02_Water/: {lost-syntax: off}}
"""
    corpus, sources = read({**FILES, "site.yaml": settings})
    made = move_topic(CollectionFiles(corpus, sources), TopicId("tea"), TopicId("chai"))
    files = {str(source.path).removeprefix("notes_src/"): source.data.decode() for source in made.sources}
    assert files == {
        "site.yaml": settings.replace("'tea'", "'chai'").replace("topic: tea", "topic: chai").replace("tea/", "chai/"),
        "milk/topic.yaml": INTRO.replace("First [[tea", "First [[chai").replace("tea/02", "chai/02"),
        "milk/01_Cow/ja.md": FILES["milk/01_Cow/ja.md"].replace("tea/", "chai/"),
        "glossary.yaml": FILES["glossary.yaml"].replace("tea/", "chai/"),
        "chai/topic.yaml": f"{TOPIC}aliases: [tea]\n",
        "chai/01_Leaf.md": LEAF.replace("}]\n", "}]\naliases: [tea/01_Leaf]\n"),
        "chai/02_Water/note.yaml": "title: Water\naliases: [tea/02_Water]\n",
    }


@pytest.mark.parametrize(
    ("to", "message"), [("milk", "already a notes_src/milk"), ("tea/", "there already"), ("a b", "cannot be the name")]
)
def test_names_that_a_topic_cannot_have(to: str, message: str) -> None:
    corpus, sources = read(FILES)
    with pytest.raises(UserError, match=message):
        wanted_topic(to, TopicId("tea"), CollectionFiles(corpus, sources))


def test_paths_in_a_readme_outside_of_what_builds_write() -> None:
    readme = """\
[a](notes_src/tea/02_Water/en.md), `site/tea/notes/02_Water.html`, notes_src/tea/02_Waterfall, my-notes_src/tea/02_Water
<!-- paper-notes:begin topic=tea -->
notes_src/tea/02_Water
<!-- paper-notes:end -->
notes_src/tea/02_Water.
"""
    source = Source(PurePosixPath("README.md"), readme.encode())
    edits = in_readme(source, Relocation({NoteId("tea/02_Water"): NoteId("milk/07_Water")}, {}))
    first, _, rest = readme.partition("\n")
    first = first.replace("(notes_src/tea/02_Water", "(notes_src/milk/07_Water")
    first = first.replace("tea/notes/02_Water", "milk/notes/07_Water")
    assert edited(source, edits).decode() == f"{first}\n{rest}".replace("02_Water.\n", "X").replace(
        "notes_src/tea/X", "notes_src/milk/07_Water.\n"
    )


def test_what_is_left_after_a_folder_was_renamed_by_hand() -> None:
    files = {name.replace("tea/02_Water", "milk/07_Water"): text for name, text in FILES.items()}
    files["milk/07_Water/en.md"] = files["milk/07_Water/en.md"].replace("[[#1]]", "[[tea/#1]]")
    corpus, sources = read(files)
    was = former_name("notes_src/tea/02_Water/")
    assert was
    made = moved_by_hand(CollectionFiles(corpus, sources), corpus.note(NoteId("milk/07_Water")), was)
    assert made.renamed == ()
    by_hand = {str(source.path).removeprefix("notes_src/"): source.data.decode() for source in made.sources}
    assert by_hand == changed(FILES, "tea/02_Water", "milk/7")


@pytest.mark.parametrize(
    ("to", "message", "hint"),
    [
        ("milk/1", 'already taken in milk by "01_Cow"', "free: 02, 04"),
        ("tea/2", "there already", "another"),
        ("milkk/1", "no topic", "milk"),
        ("milk/cow", "no place", "models/7"),
        ("milk/7_a b", "cannot be the name", "letters"),
        ("milk/9_x#y", "cannot be the name", "letters"),
    ],
)
def test_where_it_cannot_go(to: str, message: str, hint: str) -> None:
    with pytest.raises(UserError, match=message) as raised:
        changed(FILES, "tea/02_Water", to)
    assert hint in raised.value.hint


def test_not_over_the_former_address_of_another_note() -> None:
    files = {**FILES, "milk/03_Goat/note.yaml": "title: Goat\naliases: milk/07_Water\n"}
    with pytest.raises(UserError, match="former address of milk/03_Goat"):
        changed(files, "tea/02_Water", "milk/7")


def added(text: str, address: str = "rl/03_X") -> str:
    source = Source(PurePosixPath("note.yaml"), text.encode())
    edit = with_address(source, address, own="ml/07_X")
    return edited(source, [edit]).decode() if edit else text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("title: a\n", "title: a\naliases: [rl/03_X]\n"),
        ("title: a", "title: a\naliases: [rl/03_X]\n"),
        ("title: |\n  a\n\n", "title: |\n  a\n\naliases: [rl/03_X]\n"),
        ("aliases: [x/1_y] # z\n", "aliases: [rl/03_X, x/1_y] # z\n"),
        ("aliases: []\ntitle: a\n", "aliases: [rl/03_X]\ntitle: a\n"),
        ("aliases: # q\n  - 'x/1_y' # a\n  - x/2_y\n", "aliases: # q\n  - rl/03_X\n  - 'x/1_y' # a\n  - x/2_y\n"),
        ("aliases:\n- x/1_y\ntitle: a\n", "aliases:\n- rl/03_X\n- x/1_y\ntitle: a\n"),
        ("aliases: 'x/1_y' # z\n", "aliases: [rl/03_X, x/1_y] # z\n"),
        ("aliases:\ntitle: a\n", "aliases: [rl/03_X]\ntitle: a\n"),
        ("aliases: [\n  x/1_y,\n]\n", "aliases: [\n  rl/03_X, x/1_y,\n]\n"),
        ("aliases: [rl/03_X]\n", "aliases: [rl/03_X]\n"),
        ("aliases: [x/1_y, 'ml/07_X']\n", "aliases: [x/1_y, 'rl/03_X']\n"),
        ("aliases: ml/07_X\n", "aliases: rl/03_X\n"),
        ("title: a\r\n", "title: a\r\naliases: [rl/03_X]\r\n"),
    ],
)
def test_one_address_more(before: str, after: str) -> None:
    assert added(before) == after


def test_a_topic_with_signs_of_yaml_is_quoted() -> None:
    assert added("title: a\n", "it's: [1]/03_X") == "title: a\naliases: ['it''s: [1]/03_X']\n"


@pytest.mark.parametrize("text", ["  title: a # b\n\n", '{"title": "a"}\n', "aliases: &a [x/1_y]\nextra: *a\n"])
def test_what_is_written_in_another_way_is_left_to_the_user(text: str) -> None:
    with pytest.raises(UserError, match="cannot be added to") as raised:
        added(text)
    assert raised.value.hint


def test_an_edit_that_is_not_there_is_refused() -> None:
    source = Source(PurePosixPath("a.md"), b"one\n")
    document = parse_yaml(source.path, "a: one\n")
    assert isinstance(document, YamlDocument)
    with pytest.raises(ValueError, match=r"a\.md:1:4"):
        edited(source, [FileEdit(document.location(("a",)), "one", "two")])
