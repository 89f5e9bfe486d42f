"""A README that lists notes is taken in with them, and comes back with all that it said."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml
from readme_import import Imported, empty, imported, stubs
from running import EXAMPLES, PROJECT, UPDATE

from paper_notes.document import nodes
from paper_notes.document.parse import parse, parse_inline
from paper_notes.features.importing.proof import visible
from paper_notes.features.importing.readme.vocabulary import OWN
from paper_notes.features.importing.readme.words import links_of, words_of
from paper_notes.sources.tree import Source

HERE = Path(__file__).parent
SHELVES, AWESOME, COLUMNS = (
    (HERE / name).read_text("utf-8") for name in ("shelves.zh.md", "awesome.en.md", "columns.en.md")
)
REFERENCE = PROJECT.parent / "shared" / "reference" / "collection-README.md"


@pytest.fixture(scope="module")
def shelves() -> Imported:
    return imported(empty(), stubs(SHELVES), SHELVES)


def value(made: Imported, path: str) -> dict[str, object]:
    found: dict[str, object] = yaml.safe_load(made.text(path))
    return found


def said(made: Imported, *kinds: str) -> list[str]:
    """The findings, or those of some kinds."""
    findings = (finding for finding in made.findings if not kinds or finding.kind in kinds)
    return [f"{finding.location.line} {finding.group} {finding.kind}: {finding.message}" for finding in findings]


def outside(text: str) -> list[str]:
    """The lines that are in no region and no table, no markers among them, and no empty ones."""
    kept, inside = [], False
    for line in text.split("\n"):
        inside = inside or line.startswith("<!-- paper-notes:begin")
        if line.strip() and not inside and not line.startswith("|"):
            kept.append(line)
        inside = inside and not line.startswith("<!-- paper-notes:end")
    return kept


TAKEN_IN = HERE / "taken_in"
TEXTS = {"shelves": SHELVES, "awesome": AWESOME, "columns": COLUMNS} | {
    name: case["from"]
    for name in ("rows of papers, notes and both", "items of lists", "sections with folders", "reading paths")
    for case in yaml.safe_load((HERE / "read.yaml").read_text("utf-8"))
    if case["name"].startswith(name)
}


@pytest.mark.parametrize("name", TEXTS)
def test_all_that_is_taken_in_of_a_readme_is_as_written_down(name: str) -> None:
    """All sources but the texts of notes, the README as a build writes it, and what is said."""
    made = imported(empty("zh", "en"), stubs(TEXTS[name]), TEXTS[name])
    kept = [source for source in made.sources if source.path.suffix in (".yaml", ".bib")]
    parts = [f"===== {source.path}\n{source.text}" for source in sorted(kept, key=lambda source: source.path)]
    written = made.built() if "paper-notes:begin" in made.readme else made
    parts += [f"===== README.md\n{written.readme}", "=====", *said(made), ""]
    expected = TAKEN_IN / f"{name.partition(',')[0].replace(' ', '-')}.txt"
    if UPDATE:
        expected.write_text("\n".join(parts), "utf-8")
    assert "\n".join(parts) == expected.read_text("utf-8")


def test_rows_become_facts_of_their_notes(shelves: Imported) -> None:
    song = value(shelves, "whales/03_SongTree_2401.01234/note.yaml")
    assert song["short"] == {"zh": "SongTree (海湾队)"}
    assert song["summary"] == {"zh": "以树分歌 / **三种乐句**(含静默) / 见 [[whales/#1|#01]]"}
    assert song["papers"] == ["arxiv240101234"]
    buoy = value(shelves, "whales/01_BuoyNet/note.yaml")
    assert (buoy["own"], buoy["short"]) == (True, {"zh": "BuoyNet"})


def test_headings_become_topics_with_their_order_and_reading_paths(shelves: Imported) -> None:
    whales = value(shelves, "whales/topic.yaml")
    assert whales["title"] == {"zh": "鲸歌与计数"}
    assert (whales["emoji"], whales["order"]) == ("🐋", [3, 1, 7])
    assert whales["intro"] == {"zh": "先听后数。这里的笔记都带**频谱图**。"}
    assert whales["papers"] == ["countingbyear"]
    (path,) = value(shelves, "ice/topic.yaml")["reading_paths"]  # type: ignore[misc]
    assert [step["note"] for step in path["steps"]] == [2, 1]
    assert path["steps"][0]["words"] == {"zh": "F-2 (碰撞 / 两体)"}
    assert path["guide"]["zh"].startswith("- F-2 讲碰撞,一次只看两块\n- 01 回到谱")
    assert "[[whales/#3|SongTree (03)]]" in path["guide"]["zh"]


def test_papers_become_entries_with_links_versions_and_remarks(shelves: Imported) -> None:
    papers = {paper.label_in_lists: paper for paper in shelves.corpus.papers.values()}
    song, ear, crack = papers["SongTree"], papers["(经典) Counting by Ear"], papers["CrackList"]
    assert song.versions == ("2024-01-03 (v1)", "2024-05-20 (v4)")
    assert (song.venue, song.links[1].label) == ("WHALE 2024", "HF Dataset (Apache-2.0)")
    assert (ear.badges, ear.links[0].url) == (("Tech Report",), "https://example.org/ear.pdf?v=A_1")
    assert crack.remarks == ("no official code as of 2024-02",)


def test_every_word_link_and_sentence_comes_back_in_its_order(shelves: Imported) -> None:
    _assert_comes_back(SHELVES, shelves.built().readme)
    assert outside(shelves.built().readme)[:3] == ["# 海洋声学读书会", outside(SHELVES)[1], outside(SHELVES)[2]]
    assert "建议阅读顺序" in shelves.built().readme
    assert value(shelves, "site.yaml")["readme"] is True


def test_wrong_counts_are_named_and_stay_the_writers(shelves: Imported) -> None:
    assert said(shelves) == [
        "9 changed sizes: sizes are those of the pages, and are counted at each build",
        "37 changed columns: the columns of the table are those of our lists",
        '5 doubtful wrong-count: "🐋 whales/ — 鲸歌与计数 (2 篇)" counts wrong: there are 3 rows',
        "19 changed sizes: sizes are those of the pages, and are counted at each build",
        "44 changed columns: the columns of the table are those of our lists",
        '17 doubtful wrong-count: "🧊 ice/ — 冰下噪声 (1 篇)" counts wrong: there are 2 rows',
    ]
    assert "(2 篇)" in shelves.built().readme


def test_a_row_whose_note_is_not_there_stays_below_the_list() -> None:
    files = stubs(SHELVES, but=("07_Locating.html", "02_Floe2.html"))
    made = imported(empty(), files, SHELVES)
    text = made.built().readme
    row = next(line for line in SHELVES.split("\n") if "07_Locating" in line)
    assert text.count(row) == 1
    assert text.index("topic=whales -->") < text.index("<!-- paper-notes:end") < text.index(row)
    no_note = "leads to no note that was taken in: its row stays below the list"
    not_all = "stays as it is: not all of its notes were taken in"
    assert said(made, "row-without-note", "path-stays") == [
        f'13 doubtful row-without-note: "🧭 听声定位综述" {no_note}',
        f'15 unmapped path-stays: the reading path "建议阅读顺序" {not_all}',
        f'22 doubtful row-without-note: "Floe-2" {no_note}',
        f'24 unmapped path-stays: the reading path "Floe 系列阅读建议" {not_all}',
    ]
    assert "建议阅读顺序: **07 (综述) → 01 (浮标) → 03 (SongTree, 最难的一篇)**" in text
    _assert_comes_back(SHELVES, text, ordered=False)


def test_reading_paths_one_behind_the_other_become_one_region() -> None:
    text = SHELVES.replace("最难的一篇)**\n", "最难的一篇)**\n\n### 浮标路线\n\n01 (浮标) → 07 (综述)\n")
    made = imported(empty(), stubs(text), text)
    assert [path["title"] for path in value(made, "whales/topic.yaml")["reading_paths"]] == [  # type: ignore[attr-defined]
        {"zh": "建议阅读顺序"},
        {"zh": "浮标路线"},
    ]
    assert said(made, "path-stays") == []
    assert made.built().readme.count("<!-- paper-notes:begin paths topic=whales -->") == 1
    between = text.replace("### 浮标路线", "另外：\n\n### 浮标路线")
    assert said(imported(empty(), stubs(between), between), "path-stays") == [
        '15 unmapped path-stays: the reading path "建议阅读顺序" stays as it is',
        '19 unmapped path-stays: the reading path "浮标路线" stays as it is',
    ]


def test_links_in_its_text_to_files_that_were_taken_in_lead_to_their_pages() -> None:
    code = "\n```text\n[this](whales/notes/01_BuoyNet.html)\n```\n"
    text = (
        f"{SHELVES}\nBegin with [this](whales/notes/01_BuoyNet.html#a) or [that](https://example.org/x.html).\n{code}"
    )
    made = imported(empty(), stubs(SHELVES), text)
    assert said(made, "address") == [
        '53 changed address: "whales/notes/01_BuoyNet.html#a" leads to the page of whales/#1 now'
    ]
    page = "[this](site/whales/notes/01_BuoyNet.html#a)"
    assert made.readme.endswith(f"\nBegin with {page} or [that](https://example.org/x.html).\n{code}")
    assert imported(made.built(), stubs(SHELVES), text).own == made.built().own


def test_links_may_spell_an_address_otherwise() -> None:
    table = "## 甲\n\n| # | 笔记 |\n|---|---|\n| 1 | [笔](w/notes/01_笔.html) |\n| 2 | [A](<w/notes/02_A B.html>) |\n"
    text = f'{table}\n见 [它](w/notes/01_%E7%AC%94.html) 和 [另一篇](<w/notes/02_A B.html> "t")。\n'
    files = {"w/notes/01_笔.html": "笔\n正文。\n", "w/notes/02_A B.html": "A\n正文。\n"}
    made = imported(empty(), files, text)
    assert made.readme.endswith('\n见 [它](site/w/notes/01_笔.html) 和 [另一篇](<site/w/notes/02_A-B.html> "t")。\n')


def test_the_same_again_changes_nothing(shelves: Imported) -> None:
    built = shelves.built()
    again = imported(built, stubs(SHELVES), SHELVES)
    assert again.own == built.own
    assert {*again.sources} == {*built.sources}


def test_what_both_have_changed_since_is_kept() -> None:
    one = imported(empty(), stubs(SHELVES), SHELVES).built()
    assert one.own
    mine = one.own.text.replace("每周一篇，离线也能读。", "每周两篇。").replace("# 海洋", "Mine.\n\n# 海洋")
    files = {str(source.path): source for source in one.sources}
    topic = files["notes_src/whales/topic.yaml"]
    edited = Source(topic.path, topic.data.replace("emoji: 🐋".encode(), "emoji: 🐳".encode()))
    sources = tuple(edited if source.path == topic.path else source for source in one.sources)
    new = (
        SHELVES.replace("数字以原文为准", "数字以原文为准，单位也是")
        .replace("四条路线", "五条路线")
        .replace("🐋", "🦭")
    )
    two = imported(Imported(sources, Source(one.own.path, mine.encode())), stubs(SHELVES), new)
    assert two.own
    assert "每周两篇。" in two.own.text
    assert "单位也是" in two.own.text
    assert two.text("whales/07_Locating/note.yaml").count("五条路线") == 1
    assert value(two, "whales/topic.yaml")["emoji"] == "🐳"
    yours = (
        "you and the original have changed `emoji` in notes_src/whales/topic.yaml: yours stays, the new value is: 🦭"
    )
    assert said(two, "both-changed") == [f"1 doubtful both-changed: {yours}"]


def test_another_readme_that_is_there_is_not_touched() -> None:
    own = Source(PROJECT.__class__("README.md"), b"# Mine\n\nHand-written.\n")  # type: ignore[arg-type]
    start = empty()
    made = imported(Imported(start.sources, own), stubs(SHELVES), SHELVES)
    assert made.own == own
    assert made.made
    waiting = next(one for one in made.made.artifacts if one.path.name == "README.md.imported")
    assert b"paper-notes:begin notes topic=whales" in waiting.data
    waits = "there is another README.md: it stays as it is, and what is new waits in README.md.imported"
    assert said(made, "both-changed") == [f"1 doubtful both-changed: {waits}"]


def test_notes_that_are_there_get_what_the_readme_says_of_them() -> None:
    files = stubs(SHELVES)
    alone = imported(empty(), files, SHELVES)
    bare = tuple(
        Source(one.path, b"title: {zh: " + one.path.parts[2].encode() + b"}\n") if one.path.name == "note.yaml" else one
        for one in alone.sources
        if one.path.name != ".imported.json"
    )
    made = imported(Imported(bare, None), {}, SHELVES)
    assert value(made, "whales/07_Locating/note.yaml")["summary"] == {"zh": "四条路线 · 2019 → 2024"}
    assert value(made, "whales/01_BuoyNet/note.yaml")["own"] is True
    _assert_comes_back(SHELVES, made.built().readme)


def test_an_awesome_list_becomes_topics_with_papers_that_nobody_has_read() -> None:
    made = imported(empty("en"), {}, AWESOME)
    assert made.readme == AWESOME
    assert "readme" not in value(made, "site.yaml")
    assert list(made.corpus.site.topics) == ["first", "surveys", "forecasting"]
    surveys, forecasting = made.corpus.topics[1:]
    assert [made.corpus.papers[key].label_in_lists for key in surveys.papers] == [
        "A Survey of Learned Tides",
        "Forty Years of Gauges",
    ]
    assert len(forecasting.papers) == 4
    stays = "changed list-stays: the list stays as it is; what it says of notes and papers is in the collection, too"
    assert said(made) == [f"{line} {stays}" for line in (12, 19, 25)]


def test_a_table_with_a_column_of_its_own_stays_as_it_is() -> None:
    files = {
        "parsing/01-pika.md": "Pika\nText.\n",
        "parsing/02-left-recursion.md": "Left recursion\nText.\n",
        "registers/01-linear-scan.md": "Linear scan\nText.\n",
        "registers/02-colouring.md": "Graph colouring\nText.\n",
    }
    made = imported(empty("en"), files, COLUMNS)
    pika = value(made, "parsing/01_pika/note.yaml")
    assert pika["extra"] == {"Level": "hard"}
    assert pika["summary"] == {"en": "parse backwards; `a | b`"}
    assert value(made, "registers/02_colouring/note.yaml")["summary"] == {"en": "slow and good"}
    (path,) = value(made, "parsing/topic.yaml")["reading_paths"]  # type: ignore[misc]
    assert (path["id"], path["steps"]) == ("where-to-start", [2, 1])
    assert path["guide"]["en"].startswith("1. [[parsing/#2|Left recursion]] — one page\n2. [[parsing/#1|Pika]]")
    assert said(made, "table-stays") == ["11 unmapped table-stays: the table stays as it is: no list of ours has Level"]
    if made.own:
        assert "| 1 | [Pika Parsing](https://arxiv.org/abs/2005.06444) | hard |" in made.own.text


@pytest.mark.nightly
@pytest.mark.skipif(not REFERENCE.exists(), reason="there is no reference beside the repository")
def test_the_reference_comes_back() -> None:
    """Its first sections; in `make nightly` all of it."""
    whole = REFERENCE.read_text("utf-8")
    assert sum(len(table.rows) - 1 for table in _tables(whole)) == 156
    text = whole if EXAMPLES else "\n## ".join(whole.split("\n## ")[:3])
    made = imported(empty(), stubs(text), text)
    built = made.built().readme
    _assert_comes_back(text, built)
    assert {finding.kind for finding in made.findings} == {"sizes", "wrong-count", *(["columns"] if EXAMPLES else [])}
    assert imported(made.built(), stubs(text), text).own == made.built().own


def _tables(text: str) -> list[nodes.Table]:
    return [block for block in parse(text).blocks if isinstance(block, nodes.Table)]


def _cells(row: nodes.Row) -> list[str]:
    return [words_of(cell.inlines) for cell in row.cells]


def _numbers(text: str) -> Counter[str]:
    """The words of a text; numbers may have no zeros before them."""
    return Counter(word.lstrip("0") or word for word in visible.words_of(text))


def _has_sizes(table: nodes.Table) -> bool:
    return _cells(table.rows[0])[3] == "大小"


def _assert_comes_back(original: str, built: str, *, ordered: bool = True) -> None:
    """All words but heads of columns and sizes, all labels, all addresses but those of notes; rows in their order."""
    left_out = [cell for table in _tables(original) for cell in _cells(table.rows[0])]
    left_out += [_cells(row)[3] for table in _tables(original) if _has_sizes(table) for row in table.rows[1:]]
    wanted = _words(original) - _numbers("\n".join(left_out))
    assert sorted(wanted - _words(built))[:9] == []
    links = {(words_of(link.inlines).replace("’", "'"), link.href) for link in links_of(parse(built).blocks)}
    pages = {(label, address.rpartition("/")[2]) for label, address in links}
    for link in links_of(parse(original).blocks):
        label = OWN.sub("", words_of(link.inlines)).strip()
        assert (label, link.href) in links or (label, link.href.rpartition("/")[2]) in pages
    for before, after in zip(_tables(original), _tables(built), strict=True) if ordered else ():
        column = 1 if _has_sizes(before) else 0
        firsts = [OWN.sub("", _cells(row)[column]) for row in before.rows[1:]]
        shown = [_cells(row)[1] for row in after.rows[1:]]
        assert [_numbers(one) <= _numbers(two) for one, two in zip(firsts, shown, strict=False)] == [True] * len(firsts)


def _words(text: str) -> Counter[str]:
    return _numbers("\n".join(words_of(parse_inline(OWN.sub("", line))) for line in text.split("\n")))
