"""The data of the search: in the home page, and in the files with the texts."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from building import note
from reading_html import in_search_file
from running import write

from paper_notes.build import build
from paper_notes.corpus.model import NoteId
from paper_notes.languages.text import Lang
from paper_notes.markdown.render import render_body
from paper_notes.output.disk import apply
from paper_notes.render.search.texts import LARGEST, entry, for_script, grams, shards, sheet

SITE = {
    "notes_src/site.yaml": "title: {zh: 站, en: Site}\ntopics: [t]\n",
    "notes_src/t/topic.yaml": "title: {zh: 题, en: Topic}\nemoji: 🔵\n",
    "notes_src/a.bib": (
        "@misc{k1, title={A <b> title}, author={Li, Wei and 张三}, year={2024}, month=3, doi={10.1145/1}}\n"
    ),
    "notes_src/glossary.yaml": "- {zh: 投机解码, en: speculative decoding, aliases: [SD], avoid: [推测解码],\n"
    "   definition: {zh: 一句 $x_1$, en: One $x_1$}}\n",
}


def home_of(root: Path) -> str:
    made = build(root)
    assert made.plan is not None, "\n".join(map(str, made.diagnostics))
    apply(root, made.plan)
    return (root / "site/index.html").read_text("utf-8")


def facts_of(root: Path) -> dict[str, Any]:
    home_of(root)
    data: dict[str, Any] = in_search_file((root / "site/search-notes.css").read_text("utf-8"))
    return data


def entries_of(count: int, size: int, changed: int = -1) -> dict[NoteId, str]:
    made = {}
    for number in range(count):
        body = render_body(note({"zh": ("改" if number == changed else "字") * size}))
        made[NoteId(f"t/{number:03}")] = entry(NoteId(f"t/{number:03}"), body, no_words, map(Lang, ("zh", "en")))
    return made


def files_of(entries: dict[NoteId, str]) -> dict[str, str]:
    parted = shards({name: len(text.encode()) for name, text in entries.items()})
    return {shard.path: sheet(shard.name, (entries[name] for name in shard.notes)) for shard in parted}


def texts_of(file: str) -> list[Any]:
    assert re.search(r"head\{--pn-(?:all|[01]+):", file)
    texts: list[Any] = in_search_file(file)
    return texts


def no_words(*_: object) -> str:
    return ""


def test_the_facts_of_a_note(tmp_path: Path) -> None:
    facts = (
        "title: {zh: 标题, en: Title}\nsummary: {zh: '**粗** $x$', en: '`a<b`'}\nkind: tutorial\npapers: [k1]\n"
        "tags: [b, a]\nkeywords: [drafts]\nshort: {zh: 短, en: N}\n"
        "created: 2025-02-03\nstatus: todo\nrating: 4\nown: true\n"
    )
    files = {**SITE, "notes_src/t/07_N/note.yaml": facts, "notes_src/t/07_N/zh.md": "x\n"}
    data = facts_of(write(tmp_path, files))
    [
        [topic, number, kind, status, date, year, tags, langs, rating, marks, minutes, papers, keywords, shard, *texts]
    ] = data["notes"]
    assert data["topics"][topic] == ["t", "", "题", "Topic"], (
        "a sign that pages draw is not in what is no more than text"
    )
    assert (data["kinds"][kind], data["statuses"][status]) == (
        ["tutorial", "教程", "Tutorial"],
        ["todo", "待读", "To read"],
    )
    assert (number, date, year, langs, rating, marks) == (7, "2025-02-03", 2024, 1, 4, 1)
    assert [data["tags"][tag] for tag in tags] == [["b"], ["a"]]
    assert minutes == [1, 1]
    assert [data["papers"][paper] for paper in papers] == [
        ["k1", "A <b> title", "Wei Li, 张三", "", "2024-03", "10.1145/1"]
    ]
    assert keywords == ["短", "N", "drafts"]
    assert texts == ["t/notes/07_N.html", "标题", "Title", "粗 x", "a<b"]
    assert data["terms"] == [
        ["term-speculative-decoding", ["投机解码", "speculative decoding"], ["SD", "推测解码"], ["一句 x_1", "One x_1"]]
    ]
    assert (data["shards"], shard) == (["all"], 0)


def test_a_file_of_texts() -> None:
    [(path, file)] = files_of(entries_of(2, 3)).items()
    assert path == "search-all.css"
    rows, variants, traditional = texts_of(file)
    assert sorted(rows) == [
        ["t/000", [["lead"], "字字字"], [[], ""]],
        ["t/001", [["lead"], "字字字"], [[], ""]],
    ]
    assert (variants, traditional) == ("", "")


def test_data_and_texts_have_a_string_for_each_language_of_the_site_in_its_order(tmp_path: Path) -> None:
    english = Lang("en")
    body = render_body(note({"zh": "字\n", "en": "Word.\n"}))
    assert json.loads(entry(NoteId("t/1"), body, no_words, [english, Lang("zh")]))[1:] == [
        [["lead"], "Word."],
        [["lead"], "字"],
    ]
    assert json.loads(entry(NoteId("t/1"), body, no_words, [english]))[1:] == [[["lead"], "Word."]]
    files = {
        "notes_src/site.yaml": "title: Site\nlanguages: [en, zh]\ntopics: [t]\ntags: {x: {zh: 甲, aliases: [y]}}\n",
        "notes_src/t/topic.yaml": "title: {zh: 题, en: Topic}\n",
        "notes_src/glossary.yaml": "- {zh: 投机解码, en: speculative decoding}\n",
        "notes_src/t/07_N/note.yaml": "title: {zh: 标题, en: Title}\nsummary: {zh: 要, en: Gist}\ntags: [x]\n",
        "notes_src/t/07_N/zh.md": f"{'字' * 900}\n",
    }
    data = facts_of(write(tmp_path, files))
    [fields] = data["notes"]
    assert fields[7] == 2, "the second language has the second bit"
    assert fields[10] == [3, 3]
    assert fields[-4:] == ["Title", "标题", "Gist", "要"]
    assert data["topics"] == [["t", "", "Topic", "题"]]
    assert data["kinds"][0] == ["paper", "Paper", "论文精读"]
    assert data["statuses"][0] == ["todo", "To read", "待读"]
    assert data["tags"] == [["x", "x", "甲", "y"]]
    assert data["terms"] == [["term-speculative-decoding", ["speculative decoding", "投机解码"], [], []]]


def test_a_file_brings_what_comparing_its_characters_takes() -> None:
    _, variants, traditional = texts_of(sheet("all", ['["t/1",[["lead"],"Ｒé门"],[[],""]]']))
    assert (variants, traditional) == ("éeＲr", "門门")


@pytest.mark.nightly
def test_texts_are_parted_by_size_and_a_change_touches_one_file() -> None:
    before = files_of(entries_of(60, 10_000))
    assert len(before) > 3
    assert all(len(file.encode()) < LARGEST * 1.1 for file in before.values())
    found = [row[0] for file in before.values() for row in texts_of(file)[0]]
    assert sorted(found) == [f"t/{number:03}" for number in range(60)]
    after = files_of(entries_of(60, 10_000, changed=17))
    assert list(after) == list(before)
    assert len(before.items() - after.items()) == 1


@pytest.mark.nightly
def test_a_further_note_changes_the_file_it_comes_into() -> None:
    assert len(files_of(entries_of(60, 10_000)).items() - files_of(entries_of(61, 10_000)).items()) == 1


@pytest.mark.parametrize(
    ("sizes", "files"),
    [
        ((LARGEST - 1, 1), "all"),
        ((LARGEST, 1), "0 1"),
        ((9 * LARGEST,), "all"),
        ((LARGEST, LARGEST, LARGEST), "0 101010 101011"),
    ],
)
def test_a_file_is_parted_beyond_its_limit_unless_it_has_one_note(sizes: tuple[int, ...], files: str) -> None:
    made = shards({NoteId(f"t/{number:03}"): size for number, size in enumerate(sizes)})
    assert " ".join(shard.name for shard in made) == files


def test_no_texts_no_files() -> None:
    assert files_of({}) == {}


@pytest.mark.parametrize("text", ["</script><script>", "<!--<script>", "\u2028 \u2029", 'a"b\\c\n'])
def test_a_value_in_a_script_ends_nothing(text: str) -> None:
    made = for_script([text])
    assert json.loads(made) == [text]
    assert not re.search("[<\u2028\u2029\n]", made)
    assert for_script({"字": [1, None, "😀"]}) == '{"字":[1,null,"😀"]}', "and takes no more room than it must"


def test_names_of_files_are_paths_beside_the_home_page(tmp_path: Path) -> None:
    files = {**SITE, "notes_src/t/07_N/note.yaml": "title: x\n", "notes_src/t/07_N/zh.md": "x\n"}
    root = write(tmp_path, files)
    home_of(root)
    assert (root / "site" / PurePosixPath("search-all.css")).is_file()


def has_gram(bits: str, gram: str) -> bool:
    value = 0
    for sign in gram:
        value = (value * 7919 + ord(sign)) % 65536
    return bool(base64.b64decode(bits)[value >> 3] & 1 << (value & 7))


def test_the_grams_of_a_file_are_of_letters_and_of_characters_as_they_are_compared() -> None:
    bits = grams(["Ｒényi 獎勵 KL", "x"])
    assert [gram for gram in ("ren", "nyi", "奖励") if not has_gram(bits, gram)] == []
    assert [gram for gram in ("rén", "獎勵", "kl", "yi奖", "lx") if has_gram(bits, gram)] == []
    assert has_gram(grams(["獎勵"], chinese=False), "獎勵")
    assert len(base64.b64decode(grams([]))) == 8192
