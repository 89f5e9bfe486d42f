"""Drafts: nothing that is published knows of them, and nothing wrong in them stops it; `serve` shows them."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath

import pytest
from reading_html import in_search_file
from running import paper_notes, write

from paper_notes.artifacts import Artifact
from paper_notes.build import Build, build, update
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.output.disk import place_of_drafts
from paper_notes.output.plan import Plan
from paper_notes.serve.files import ServedFile, ServedSite
from paper_notes.serve.session import with_drafts, write_preview
from paper_notes.sources.tree import read_tree

DRAFT = """\
title: {zh: 乌龙, en: Oolong}
summary: {zh: 半发酵, en: Half oxidised}
tags: [semi]
papers: [oolong2024, tea2024]
draft: true
corrects: [{note: 1, claim: It is black, correction: It is not}]
"""
SECRETS = ("乌龙", "Oolong", "半发酵", "Half oxidised", "semi", "oolong2024", "Wuyi", "岩骨", "black")
"""Words that only the draft has."""
FILES = {
    "README.md": "# Tea\n<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n",
    "notes_src/site.yaml": (
        "title: {zh: 茶, en: Tea}\ntopics: [tea]\nreadme: true\nbase_url: https://example.org/\n"
        "tags: {green: {zh: 绿, en: Green}}\n"
    ),
    "notes_src/library.bib": (
        "@misc{oolong2024, title = {Wuyi}, author = {Roe, Ann}, year = {2024}}\n"
        "@misc{tea2024, title = {Leaves}, author = {Doe, Jo}, year = {2024}}\n"
        "@misc{unread2024, title = {Unread}, author = {Doe, Jo}, year = {2024}}\n"
    ),
    "notes_src/tea/topic.yaml": (
        "title: {zh: 茶, en: Tea}\n"
        "reading_paths:\n  - {id: a, title: {zh: 甲, en: A}, steps: [1, 2]}\n"
        "  - {id: b, title: {zh: 乙, en: B}, steps: [2]}\n"
    ),
    "notes_src/tea/01_Green/note.yaml": "title: {zh: 绿茶, en: Green}\ntags: [green]\ncreated: 2026-01-01\n",
    "notes_src/tea/01_Green/zh.md": "## 动机\n见 [[#2]] 与 [[#2#motivation|那里]]。\n",
    "notes_src/tea/01_Green/en.md": "## Motivation\nSee [[#2]], and [@tea2024].\n",
    "notes_src/tea/02_Dark/note.yaml": DRAFT,
    "notes_src/tea/02_Dark/zh.md": "## 动机\n岩骨 [[#1]]。\n",
    "notes_src/tea/02_Dark/en.md": "## Motivation\nWuyi, after [[#1]].\n",
    "notes_src/tea/03_White.md": "---\ntitle: White\nlanguage: en\n---\nSee [[#1]].\n",
}


def corpus_of(root: Path, *, drafts: bool = False) -> tuple[Corpus, list[Diagnostic]]:
    corpus, problems = load(read_tree(root)[0], drafts=drafts)
    assert corpus
    return corpus, corpus.outside_drafts(problems)


def wanted(made: Build) -> dict[str, str]:
    """All files of a site that is not there yet, apart from pictures."""
    assert made.plan, "\n".join(map(str, made.diagnostics))
    artifacts: list[Artifact] = [*made.plan.create, *made.plan.update]
    return {str(artifact.path): artifact.data.decode(errors="replace") for artifact in artifacts}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def test_nothing_that_is_published_knows_of_a_draft(root: Path) -> None:
    made = build(root)
    files = wanted(made)
    assert (made.notes, made.drafts) == (2, (PurePosixPath("notes_src/tea/02_Dark"),))
    told = {path: word for path, text in files.items() for word in SECRETS if word in text or "02_Dark" in text}
    assert told == {}
    green = files["site/tea/notes/01_Green.html"]
    assert "See #2, and" in green
    assert "见 #2 与 那里" in green
    assert "README.md" in files
    assert "Unread" in files["site/papers.html"], "an entry that no note reads stays in the library"
    assert "Leaves" in files["site/papers.html"]
    assert 'id="path-a"' in files["site/tea/index.html"]
    assert 'id="path-b"' not in files["site/tea/index.html"], "only the draft was in it"
    places = [(found.rule, found.severity, str(found.location)) for found in made.diagnostics]
    assert places == [
        ("draft-reference", "warning", "notes_src/tea/01_Green/en.md:2:5"),
        ("draft-reference", "warning", "notes_src/tea/01_Green/zh.md:2:3"),
        ("draft-reference", "warning", "notes_src/tea/01_Green/zh.md:2:12"),
        ("draft-reference", "warning", "notes_src/tea/topic.yaml:3:47"),
        ("draft-reference", "warning", "notes_src/tea/topic.yaml:4:44"),
    ]


def test_a_list_shows_papers_that_a_draft_reads_too(root: Path) -> None:
    listed = (
        "title: A day\nkind: digest\n"
        'entries: [{paper: oolong2024}, {paper: unread2024, headline: {en: "[@also2024] and [[#1]]"}}]\n'
    )
    more = "@misc{also2024, title = {Silver}, author = {Poe, Al}, year = {2024}}\n"
    draft = DRAFT.replace("tea2024", "tea2024, also2024")
    library = FILES["notes_src/library.bib"] + more
    write(root, {"notes_src/tea/04_Day/note.yaml": listed, "notes_src/tea/04_Day/en.md": "Today.\n"})
    write(root, {"notes_src/library.bib": library, "notes_src/tea/02_Dark/note.yaml": draft})
    page = wanted(build(root))["site/tea/notes/04_Day.html"]
    assert "Wuyi" in page
    assert "Poe" in page
    assert 'href="01_Green.html"' in page, "a headline refers to notes and papers as any text does"


def test_the_site_with_drafts_is_another_one(root: Path) -> None:
    first = update(root, 1)
    assert first.plan
    before = {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
    shown = update(root, 1, drafts=True)
    assert {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()} == before
    place = place_of_drafts(root)
    assert shown.place == place
    assert not place.is_relative_to(root)
    assert (shown.notes, [found for found in shown.diagnostics if found.rule == "draft-reference"]) == (3, [])
    page = (place / "site/tea/notes/02_Dark.html").read_text("utf-8")
    assert ">Draft</span>" in page
    assert ">草稿</span>" in page
    home = (place / "site/index.html").read_text("utf-8")
    assert home.count(">Draft</span>") == 1
    assert ["draft", "草稿", "Draft"] in in_search_file((place / "site/search-notes.css").read_text("utf-8"))[
        "statuses"
    ]
    assert not (place / "README.md").exists()
    for drafts in (False, True):
        again = update(root, 1, drafts=drafts)
        assert again.plan
        assert again.plan.empty, "one site is not taken for the other"


def test_a_draft_that_is_published_is_a_note_like_any_other(root: Path) -> None:
    update(root, 1)
    write(root, {"notes_src/tea/02_Dark/note.yaml": DRAFT.replace("draft: true\n", "")})
    update(root, 1)
    made = {path.relative_to(root): path.read_bytes() for path in (root / "site").rglob("*") if path.is_file()}
    write(root, {"notes_src/tea/02_Dark/note.yaml": DRAFT.replace("draft: true", "draft: false")})
    cold = {
        PurePosixPath(path): text for path, text in wanted(build(write(root.with_name("cold"), _sources(root)))).items()
    }
    assert {path for path in made if path.suffix == ".html"} == {path for path in cold if path.suffix == ".html"}
    assert made[Path("site/tea/notes/01_Green.html")].decode() == cold[PurePosixPath("site/tea/notes/01_Green.html")]
    assert 'href="02_Dark.html"' in cold[PurePosixPath("site/tea/notes/01_Green.html")]


def _sources(root: Path) -> dict[str, str]:
    return {name: (root / name).read_text("utf-8") for name in FILES}


WRONG = {
    "a formula": ("en.md", "## Motivation\n$\\nothing$\n"),
    "a reference": ("en.md", "[[#77]] and [@nobody]\n"),
    "a key": ("note.yaml", f"{DRAFT}colour: red\n"),
    "half a line": ("note.yaml", f"{DRAFT}tags: [a\n"),
    "no title": ("note.yaml", "draft: true\n"),
    "a paper that is not there": ("note.yaml", DRAFT.replace("oolong2024", "oolong2025")),
    "a picture": ("en.md", "![A pot](pot.png)\n"),
}


@pytest.mark.parametrize(("name", "text"), WRONG.values(), ids=WRONG.keys())
def test_a_mistake_in_a_draft_stops_nothing(name: str, text: str, root: Path) -> None:
    _, quiet = corpus_of(write(root, {f"notes_src/tea/02_Dark/{name}": text}))
    assert {found.rule for found in quiet} == {"draft-reference"}


def test_check_says_what_is_wrong_in_drafts_as_warnings(root: Path) -> None:
    write(root, {"notes_src/tea/02_Dark/en.md": "$\\nothing$ and [[#77]]\n"})
    checked, built = paper_notes("check", "--root", root, "-j", 1), paper_notes("build", "--root", root, "-j", 1)
    assert (checked.exit_code, built.exit_code) == (0, 0)
    for words in ("02_Dark/en.md:1:2: warning[bad-tex]", "02_Dark/en.md:1:16: warning[dangling-reference]"):
        assert words in checked.stderr
        assert words not in built.stderr
    assert "(1 draft left out)" in built.stderr
    assert paper_notes("list", "--root", root, "--text", "Wuyi").stdout.split("\t")[3] == "draft"


def test_a_draft_keeps_its_number(root: Path) -> None:
    other = {"notes_src/tea/02_Black/note.yaml": "title: B\n", "notes_src/tea/02_Black/en.md": "Text.\n"}
    write(root, other)
    corpus, found = corpus_of(root)
    assert [(note.number, note.name) for note in corpus.notes] == [(1, "01_Green"), (2, "02_Black"), (3, "03_White")]
    assert found == [], "the published note has it"
    _, found = corpus_of(root, drafts=True)
    assert [(one.rule, str(one.location)) for one in found] == [
        ("duplicate-number", "notes_src/tea/02_Dark/note.yaml:1:1")
    ]


def test_a_paper_of_a_draft_stays_where_something_else_cites_it(root: Path) -> None:
    write(root, {"notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\nintro: After [@oolong2024].\n"})
    assert "Wuyi" in wanted(build(root))["site/papers.html"]


PLAN = Plan((), (), (), ())


def test_serve_shows_the_site_with_drafts_if_there_are_any(tmp_path: Path) -> None:
    wrong = Diagnostic(Location(PurePosixPath("notes_src/t/1.md")), "bad-tex", "no")
    drafts = (PurePosixPath("notes_src/t/1.md"),)
    plain, site = Build(PLAN, (), place=tmp_path), Build(PLAN, (), drafts=drafts)
    assert with_drafts(lambda _: plain) == plain
    shown = with_drafts(lambda with_them: Build(PLAN, (wrong,), place=tmp_path) if with_them else site)
    assert (shown.place, shown.published, shown.drafts, shown.diagnostics) == (tmp_path, PLAN, drafts, (wrong,))
    stopped = with_drafts(lambda with_them: Build(None, (wrong,)) if with_them else site)
    assert (stopped.plan, stopped.published) == (None, PLAN), "the site itself is up to date"
    assert with_drafts(lambda with_them: Build(None, (wrong,), drafts=drafts)).plan is None


def test_a_new_note_can_begin_as_a_draft(root: Path) -> None:
    entry = (
        write(root.with_name("downloads"), {"a.bib": "@misc{puer2024, title = {Pu-erh}, year = {2024}}\n"}) / "a.bib"
    )
    result = paper_notes("new", entry, "--topic", "tea", "--offline", "--draft", "--root", root)
    assert result.exit_code == 0, result.output
    assert "`paper-notes serve` shows it" in result.stderr
    corpus, _ = corpus_of(root)
    assert [(note.number, note.draft) for note in corpus.drafts] == [(2, True), (4, True)]


def test_the_server_shows_the_place_that_it_is_told(tmp_path: Path) -> None:
    home = PurePosixPath("index.html")
    write(tmp_path, {"a/site/index.html": "published", "b/site/index.html": "with drafts"})
    files = ServedSite(tmp_path / "a")
    files.show(tmp_path / "b")
    found = files.find(home)
    assert isinstance(found, ServedFile)
    with found.open() as file:
        assert file.read() == b"with drafts"


def test_a_text_that_is_saved_is_seen_at_once_where_drafts_are(root: Path) -> None:
    update(root, 1)
    last, page = update(root, 1, drafts=True), "site/tea/notes/02_Dark.html"
    name = "notes_src/tea/02_Dark/en.md"
    write(root, {name: FILES[name] + "\nMore of it.\n"})
    plan = write_preview(root, last, frozenset({PurePosixPath(name)}))
    assert plan
    assert "More of it." in (place_of_drafts(root) / page).read_text("utf-8")
    assert not (root / page).exists()


LISTS = {
    "notes_src/tea/04_Day/note.yaml": "title: {zh: 一天, en: A day}\nkind: digest\ndraft: true\ncreated: 2026-01-02\n"
    "source: {format: hf-daily, date: 2026-01-02}\nentries: [{paper: oolong2024}]\n",
    "notes_src/tea/04_Day/en.md": "A day.\n",
}
ASKED = ":::recall\nWhy {}?\n: Because.\n:::\n"
EXPORTERS = {
    "a book of all": ("export", "--epub"),
    "a book of a topic": ("export", "tea", "--epub"),
    "a book of a path": ("export", "a", "--epub"),
    "cards of all": ("cards", "--format", "tsv"),
    "cards of a topic": ("cards", "tea", "--format", "markdown"),
}


def exported(root: Path, *arguments: str) -> str:
    """All that a command writes, unpacked."""
    target = root / "exported"
    done = paper_notes(*arguments, "--root", root, "--output", target, "--force")
    assert done.exit_code == 0, done.output
    if "--epub" not in arguments:
        return target.read_text("utf-8")
    with zipfile.ZipFile(target) as whole:
        return "".join(whole.read(name).decode(errors="replace") for name in whole.namelist())


@pytest.mark.parametrize("arguments", EXPORTERS.values(), ids=EXPORTERS.keys())
def test_what_is_exported_has_drafts_only_if_they_are_asked_for(arguments: tuple[str, ...], root: Path) -> None:
    for name, word in (("01_Green", "green"), ("02_Dark", "Wuyi")):
        write(root, {f"notes_src/tea/{name}/en.md": f"## Motivation\n\n{ASKED.format(word)}"})
    text = exported(root, *arguments)
    assert "green" in text
    assert [word for word in SECRETS if word in text] == []
    assert "Wuyi" in exported(root, *arguments, "--drafts")


def test_a_draft_that_is_named_is_exported_only_if_it_is_asked_for(root: Path) -> None:
    write(root, LISTS)
    for arguments in (("export", "tea/2", "--epub"), ("cards", "tea/2", "--format", "tsv"), ("export", "tea/4")):
        done = paper_notes(*arguments, "--root", root, "--output", root / "exported")
        assert done.exit_code == 1
        assert f'"{next(name for name in arguments if "/" in name)}" is a draft' in done.stderr
        assert "--drafts" in done.stderr
        assert not (root / "exported").exists()
    assert "Wuyi" in exported(root, "export", "tea/4", "--drafts")


def test_what_is_left_out_is_said(root: Path) -> None:
    said = paper_notes("export", "--epub", "--root", root, "--output", root / "exported").stderr
    assert "(notes: 2)" in said
    assert "1 draft is left out; --drafts takes it as well" in said


def test_who_writes_is_told_of_drafts_by_one_word(root: Path) -> None:
    listed = paper_notes("list", "--status", "draft", "--root", root)
    assert [line.split("\t")[0] for line in listed.stdout.splitlines()] == ["tea/#2"]
    assert "\tdraft\t" in listed.stdout
    counted = paper_notes("stats", "--root", root).stdout
    assert [line.split()[:2] for line in counted.splitlines() if "draft" in line] == [["draft", "1"]]
