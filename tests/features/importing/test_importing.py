"""`paper-notes import FOLDER`: nothing of the originals is lost, and nothing that a person wrote since."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
import yaml
from making_pictures import png
from running import PROJECT, paper_notes, write

from paper_notes.features.importing import page_proof
from paper_notes.features.importing.commands.import_notes import _lost_of
from paper_notes.features.importing.import_collection import TextReport
from paper_notes.features.importing.import_record import RecordedText, read_record
from paper_notes.features.importing.markdown import source
from paper_notes.features.importing.markdown.front import Front, front
from paper_notes.features.importing.proof.compare import Difference, Proof
from paper_notes.features.importing.types import Original
from paper_notes.values import replace

SITE = "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: [old]\n"
ORIGINALS = {
    "rl/01_PPO.md": "# PPO\n\nLead.\n\n" + "".join(f"## Part {n}\n\nText {n} of PPO.\n\n" for n in range(1, 13)),
    "rl/GRPO.md": "---\ntitle: GRPO\ntags: [rl, grpo]\n---\n\nSee [that](01_PPO.md).\n\n![a plot](plot.svg)\n",
    "rl/plot.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><text x="2" y="12">plot</text></svg>',
    "memory/note.html": "<html><title>Memory</title><body><h1>Memory</h1><p>Kept <b>words</b>.</p></body></html>",
    "loose.txt": "not a note",
}

CLASSES = (
    '<html><body><h1>A</h1><div class="toolbar">Menu</div><div class="insight">Think of <span class="hot">this</span>.'
    '</div><table><tr><th>a</th></tr><tr><td class="win">yes</td></tr></table></body></html>'
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "mine", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    write(tmp_path / "theirs", ORIGINALS)
    return tmp_path / "mine"


def take_in(root: Path, *options: str) -> str:
    done = paper_notes("import", root.parent / "theirs", "--offline", "--root", root, *options)
    assert done.exit_code == int("--check" in options), done.output
    return done.stderr


def test_a_folder_becomes_topics_and_notes_that_build(root: Path) -> None:
    said = take_in(root)
    assert "new topics: memory, rl" in said
    assert "neither notes nor pictures: 1 (.txt 1), such as loose.txt" in said
    assert (root / "notes_src/site.yaml").read_text() == SITE.replace("[old]", "[old, memory, rl]")
    text = (root / "notes_src/rl/02_GRPO/en.md").read_text()
    assert "[[rl/#1|that]]" in text
    assert (root / "notes_src/rl/02_GRPO/figures/plot.svg").read_text() == ORIGINALS["rl/plot.svg"]
    assert paper_notes("build", "--root", root).exit_code == 0
    page = (root / "site/memory/notes/01_note.html").read_text()
    assert "Kept <strong>words</strong>" in page
    assert "notes/01_note.html" in (root / "site/memory/note.html").read_text(), "the old address leads to it"


def test_a_vault_has_no_addresses_and_a_front_matter_names_the_authors(root: Path) -> None:
    react = "---\ntitle: ReAct\narxiv: 2210.03629\nauthors: [Shunyu Yao, Jeffrey Zhao]\n---\n\nText.\n"
    write(root.parent / "theirs", {".obsidian/app.json": "{}", "LLM papers/ReAct.md": react})
    take_in(root)
    assert (root / "notes_src/LLM-papers/topic.yaml").read_text() == "title:\n  en: LLM-papers\n"
    assert "missing-translation" not in paper_notes("check", "--root", root).stderr, "nobody has written in the other"
    note = (root / "notes_src/LLM-papers/01_ReAct/note.yaml").read_text()
    assert "ReAct.html" not in note
    assert "author = {Yao, Shunyu and Zhao, Jeffrey}" in (root / "notes_src/library.bib").read_text()


def test_notes_of_a_folder_called_pages_are_not_put_among_pages_of_the_users_own(root: Path) -> None:
    write(root, {"notes_src/pages/about.en.md": "---\ntitle: About\n---\nWho writes.\n"})
    write(root.parent / "theirs", {"Pages/Tea.md": "# Tea\n\nText.\n"})
    take_in(root)
    assert "Text." in (root / "notes_src/Pages-theirs/01_Tea/en.md").read_text()
    assert paper_notes("build", "--root", root).exit_code == 0


def test_what_a_tool_made_of_its_notes_is_left_out_and_a_navigation_names_topics(root: Path) -> None:
    nav = "site_name: Mine\nnav:\n- 强化学习:\n  - rl/02_Second.md\n  - rl/First.md\n"
    pages = {"docs/rl/First.md": "# First\n\n文字。\n", "docs/rl/02_Second.md": "# Second\n\n文字。\n"}
    made = {"site/rl/First/index.html": "<html><body><h1>First</h1></body></html>", "overrides/main.html": "<p>x</p>"}
    shutil.rmtree(root.parent / "theirs")
    write(root.parent / "theirs", {"mkdocs.yml": nav, **pages, **made})
    assert "site/rl/First/index.html" in take_in(root)
    assert (root / "notes_src/rl/topic.yaml").read_text() == "title:\n  zh: 强化学习\n"
    assert sorted(path.name for path in (root / "notes_src").glob("*/*/")) == ["02_Second", "03_First"]


def test_links_to_blocks_of_other_notes_lead_to_them(root: Path) -> None:
    write(root.parent / "theirs", {"rl/01_PPO.md": "# PPO\n\nText. ^claim\n\n| a |\n|---|\n| b |\n^tab\n"})
    text = "See [[01_PPO#^claim]], [it](01_PPO.md#^tab) and [[01_PPO#^gone|that]].\n"
    write(root.parent / "theirs", {"rl/GRPO.md": text, "loose.md": "As in ![[01_PPO#^tab]].\n"})
    said = take_in(root)
    assert 'unknown-section: 1, such as rl/GRPO.md:1:1: "#^gone" is no section or block of rl/01_PPO.md' in said
    assert paper_notes("build", "--root", root).exit_code == 0
    page = (root / "site/rl/notes/02_GRPO.html").read_text()
    assert re.findall(r'href="01_PPO\.html([^"]*)"[^>]*>([^<]+)</a>[ ,.]', page) == [
        ("#claim-en", "01_PPO"),
        ("#tab-en", "it"),
        ("", "that"),
    ]
    assert 'href="../../rl/notes/01_PPO.html#tab-en"' in next((root / "site").glob("theirs/notes/*.html")).read_text()
    target = (root / "site/rl/notes/01_PPO.html").read_text()
    assert '<p><span id="claim-en"></span>Text.</p>' in target
    assert '<th><span id="tab-en"></span>a</th>' in target


def test_no_word_of_a_formula_that_a_page_had_set_is_lost(root: Path) -> None:
    cases = yaml.safe_load((Path(__file__).parent / "html/parts.yaml").read_text("utf-8"))["pages"]
    pages = [case["html"] for name, case in cases.items() if "has set" in name or "MathML" in name]
    assert len(pages) == 5
    write(root.parent / "theirs", {"set.html": f"<html><body><h1>Set</h1>{''.join(pages)}</body></html>"})
    said = take_in(root)
    kept = re.search(r"kept ([\d,]+) of ([\d,]+) characters", said)
    assert kept
    assert kept[1] == kept[2]


def test_with_check_nothing_is_written(root: Path) -> None:
    before = sorted(root.rglob("*"))
    assert "would create notes_src/rl/01_PPO/en.md" in take_in(root, "--check")
    assert sorted(root.rglob("*")) == before


def test_a_second_import_changes_nothing(root: Path) -> None:
    take_in(root)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert "new: 0, changed: 0, as before: 3" in take_in(root)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_ten_sections_edited_by_hand_stay_when_the_original_changes(root: Path) -> None:
    take_in(root)
    mine = root / "notes_src/rl/01_PPO/en.md"
    text = mine.read_text()
    for number in range(1, 11):
        text = text.replace(f"Text {number} of PPO.", f"My own words {number}.")
    mine.write_text(text)
    original = root.parent / "theirs/rl/01_PPO.md"
    changed = original.read_text().replace("Text 3 of PPO.", "Their new 3.").replace("Text 12 of PPO.", "Their new 12.")
    original.write_text(changed + "## Part 13\n\nA new part.\n")
    said = take_in(root)
    after = mine.read_text()
    assert all(f"My own words {number}." in after for number in range(1, 11))
    assert "Their new 12." in after
    assert "A new part." in after
    assert "Their new 3." not in after
    assert (mine.parent / "en.md.imported").read_text() == "## Part 3\n\nTheir new 3.\n\n"
    assert "both-changed: 1" in said
    assert paper_notes("build", "--root", root).exit_code == 0
    assert "as before: 3" in take_in(root)


def test_facts_that_a_person_changed_stay(root: Path) -> None:
    take_in(root)
    facts = root / "notes_src/rl/02_GRPO/note.yaml"
    facts.write_text(facts.read_text().replace("status: reading", "status: read  # at last"))
    original = root.parent / "theirs/rl/GRPO.md"
    original.write_text(original.read_text().replace("tags: [rl, grpo]", "tags: [rl, new]"))
    take_in(root)
    assert "status: read  # at last" in facts.read_text()
    assert "- new" in facts.read_text()


def test_a_note_that_was_deleted_stays_deleted_and_one_that_was_moved_is_found(root: Path) -> None:
    take_in(root)
    shutil.rmtree(root / "notes_src/memory/01_note")
    assert paper_notes("move", "rl/1", "old/7_PPO", "--root", root).exit_code == 0
    original = root.parent / "theirs/rl/01_PPO.md"
    original.write_text(original.read_text().replace("Text 2 of PPO.", "New 2."))
    said = take_in(root)
    assert "changed: 1, as before: 1, deleted by you: 1" in said
    assert not (root / "notes_src/memory/01_note").exists()
    assert "New 2." in (root / "notes_src/old/07_PPO/en.md").read_text()


def test_files_in_other_encodings_are_read_and_garbled_ones_repaired(root: Path) -> None:
    chinese = "# 策略梯度\n\n这篇笔记讲的是策略梯度方法，以及它为什么需要基线。\n"
    theirs = root.parent / "theirs"
    (theirs / "rl/gbk.md").write_bytes(chinese.encode("gb18030"))
    (theirs / "rl/garbled.md").write_text(chinese.replace("策略", "价值").encode().decode("latin-1"))
    said = take_in(root)
    notes = "".join(path.read_text() for path in (root / "notes_src/rl").glob("*/zh.md"))
    assert "这篇笔记讲的是策略梯度方法" in notes
    assert "这篇笔记讲的是价值梯度方法" in notes
    assert "the file is not UTF-8 but GBK" in said


def test_a_few_bytes_that_nobody_can_read_spoil_no_other_word(root: Path) -> None:
    chinese = "# 策略\n\n数据、推理、语料与记忆。\n\n这里Form".encode() + b"\xff\xfeula\n"
    (root.parent / "theirs/rl/cut.md").write_bytes(chinese)
    said = take_in(root)
    (note,) = (root / "notes_src/rl").glob("*_cut/zh.md")
    assert note.read_text("utf-8") == "数据、推理、语料与记忆。\n\n这里Form\ufffd\ufffdula"
    assert "rl/cut.md:5:7: bytes that are not UTF-8, here and further down, are shown as \ufffd: 2" in said
    assert paper_notes("build", "--root", root).exit_code == 0


def test_a_page_that_is_where_it_was_is_said_to_be_nowhere_else(root: Path) -> None:
    shutil.rmtree(root.parent / "theirs")
    write(root.parent / "theirs", {f"birds/notes/{name}.md": f"# {name}\n\nWords.\n" for name in ("owl", "tit")})
    assert "taken-address" not in take_in(root)
    assert paper_notes("build", "--root", root).exit_code == 0


def test_dates_come_from_git(root: Path) -> None:
    theirs = root.parent / "theirs"
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", theirs)
    subprocess.run([*git, "init", "-q"], check=True)
    for day in ("2024-02-03", "2024-05-06"):
        (theirs / "rl/01_PPO.md").write_text(f"# PPO\n\nOn {day}.\n")
        subprocess.run([*git, "add", "-A"], check=True)
        dates = {"GIT_AUTHOR_DATE": f"{day}T12:00:00", "GIT_COMMITTER_DATE": f"{day}T12:00:00", "PATH": "/usr/bin:/bin"}
        subprocess.run([*git, "commit", "-qm", day], check=True, env=dates)
    take_in(root, "--dates", "git")
    facts = (root / "notes_src/rl/01_PPO/note.yaml").read_text()
    assert "created: 2024-02-03\nupdated: 2024-05-06\n" in facts


def test_dates_of_a_file_are_those_of_all_its_names(root: Path) -> None:
    repository = root.parent / "repository"
    write(repository, {"drafts/ppo.md": ORIGINALS["rl/01_PPO.md"], "theirs/rl/GRPO.md": "# Another\n"})
    moves: dict[str, Callable[[], object]] = {
        "2024-01-02": lambda: None,
        "2024-02-03": lambda: (repository / "theirs/rl/GRPO.md").unlink(),
        "2024-03-04": lambda: (repository / "drafts/ppo.md").rename(repository / "theirs/rl/ppo.md"),
        "2024-04-05": lambda: (repository / "theirs/rl/GRPO.md").write_text(ORIGINALS["rl/GRPO.md"]),
        "2024-05-06": lambda: (repository / "theirs/rl/ppo.md").write_text(ORIGINALS["rl/01_PPO.md"] + "More.\n"),
        "2024-06-07": lambda: (repository / "theirs/rl/ppo.md").rename(repository / "theirs/rl/01_PPO.md"),
    }
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", repository)
    subprocess.run(["git", "init", "-q", repository], check=True)
    for day, move in moves.items():
        move()
        dates = {"GIT_AUTHOR_DATE": f"{day}T12:00:00", "GIT_COMMITTER_DATE": f"{day}T12:00:00", "PATH": "/usr/bin:/bin"}
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", day], check=True, env=dates)
    done = paper_notes("import", repository / "theirs", "--offline", "--dates", "git", "--root", root)
    assert done.exit_code == 0, done.output
    assert "created: 2024-01-02\nupdated: 2024-05-06\n" in (root / "notes_src/rl/01_PPO/note.yaml").read_text()
    assert "created: 2024-04-05\nupdated: 2024-04-05\n" in (root / "notes_src/rl/02_GRPO/note.yaml").read_text()


def test_the_report_as_json_names_each_note(root: Path) -> None:
    done = paper_notes("import", root.parent / "theirs", "--offline", "--root", root, "--json")
    value = json.loads(done.stdout)
    assert [note["note"] for note in value["notes"]] == ["memory/01_note", "rl/01_PPO", "rl/02_GRPO"]
    assert all(note["kept"] == note["characters"] > 0 for note in value["notes"])
    assert value["unread"] == [{"path": "loose.txt", "why": "other-kind"}]


@pytest.mark.parametrize(
    ("paths", "about"),
    [
        (("nowhere",), 'there is no file or folder "nowhere"'),
        (("empty",), "there are no notes in empty"),
        (("theirs", "empty"), "one folder is taken in at a time"),
    ],
)
def test_what_cannot_be_taken_in_is_said(
    paths: tuple[str, ...], about: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root.parent / "empty").mkdir()
    monkeypatch.chdir(root.parent)
    done = paper_notes("import", *paths, "--offline", "--root", root)
    assert (done.exit_code, about in done.stderr) == (1, True), done.stderr


def test_a_record_that_cannot_be_read_stops_the_import(root: Path) -> None:
    take_in(root)
    (root / "notes_src/.imported.json").write_text("{")
    done = paper_notes("import", root.parent / "theirs", "--offline", "--root", root)
    assert (done.exit_code, "restore it from git" in done.stderr) == (1, True), done.stderr


def test_records_of_earlier_versions_are_read() -> None:
    text = {"note": "rl/01_PPO", "language": "en", "original": "ab"}
    recorded = {"version": 1, "taken": {"theirs/ppo.md": text}}
    assert read_record(json.dumps(recorded).encode()) == {"theirs/ppo.md": RecordedText(**text)}


def test_another_folder_of_the_same_name_overwrites_nothing(root: Path) -> None:
    take_in(root)
    write(root.parent / "elsewhere/theirs", {"rl/01_PPO.md": "# Other\n\nOther words.\n"})
    done = paper_notes("import", root.parent / "elsewhere/theirs", "--offline", "--root", root)
    assert (done.exit_code, "was taken in before" in done.stderr) == (1, True), done.stderr


def test_what_waits_adds_up(root: Path) -> None:
    take_in(root)
    mine = root / "notes_src/rl/01_PPO/en.md"
    mine.write_text(mine.read_text().replace("Text 1 of", "My 1 of").replace("Text 2 of", "My 2 of"))
    original = root.parent / "theirs/rl/01_PPO.md"
    for number in (1, 2):
        original.write_text(original.read_text().replace(f"Text {number} of PPO", f"New {number} of PPO"))
        take_in(root)
    waiting = (mine.parent / "en.md.imported").read_text()
    assert "New 1 of PPO" in waiting
    assert "New 2 of PPO" in waiting
    assert "still waits for you" in take_in(root)


def test_one_file_of_a_folder_keeps_its_references_to_the_others(root: Path) -> None:
    take_in(root)
    done = paper_notes("import", root.parent / "theirs", "--offline", "--root", root, "--as", "markdown")
    assert "changed: 0" in done.stderr
    text = (root / "notes_src/rl/02_GRPO/en.md").read_bytes()
    (root.parent / "theirs/rl/01_PPO.md").unlink()
    take_in(root)
    assert (root / "notes_src/rl/02_GRPO/en.md").read_bytes() == text


def test_notes_without_text_hold_nothing_back(root: Path) -> None:
    write(
        root.parent / "theirs",
        {"rl/stub.md": "# Only a title\n", "rl/empty.md": "", "RL/case.md": "# Case\n\nWords.\n"},
    )
    said = take_in(root)
    assert "no-text: 1" in said
    assert "empty.md" in said
    assert paper_notes("build", "--root", root).exit_code == 0


@pytest.mark.parametrize("topic", ["a/b", "..", "/abs", "CON"])
def test_a_topic_that_can_be_no_folder_is_refused(topic: str, root: Path) -> None:
    done = paper_notes("import", root.parent / "theirs", "--offline", "--topic", topic, "--root", root)
    assert (done.exit_code, "cannot be the folder of a topic" in done.stderr) == (1, True), done.stderr


@pytest.mark.parametrize("part", [".", "notes_src", "notes_src/old"])
def test_the_collection_itself_is_refused(part: str, root: Path) -> None:
    done = paper_notes("import", root / part, "--offline", "--root", root)
    assert (done.exit_code, "is this collection itself" in done.stderr) == (1, True), done.stderr


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    "text",
    [
        "See ![the plot](pdf:2510.26475#figure-3) here.",
        "![the plot](pdf:2510.26475#figure-3)",
        "| a |\n|---|\n| ![the plot](pdf:nobody#page-1) |",
        "See the plot [[rl/#99]] and [@nobody2020x].",
        "The plot $\\nosuch{x}$.",
        ":::stats\nthe plot\n:::",
        "---\nsummary: the plot ![](pdf:2310.00001#page-1) [[rl/#99]] [@nobody2020x]\n---\n\nx",
        "## The plot {#same}\n\nx\n\n## Other {#same}\n\ny",
    ],
)
def test_our_own_syntax_in_originals_does_not_stop_the_build(text: str, root: Path) -> None:
    write(root.parent / "theirs", {"rl/own.md": f"{text}\n", "rl/own.html": f"<h1>Own</h1><p>{text}</p>"})
    take_in(root, "--keep-going")
    done = paper_notes("build", "--root", root)
    assert done.exit_code == 0, done.output
    for folder in (root / "notes_src/rl").glob("*_own"):
        assert "the plot" in "".join(path.read_text().casefold() for path in folder.iterdir())


def lose(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """Let pages be without some words, as if our reader had a bug."""
    real = page_proof.note_html
    monkeypatch.setattr(page_proof, "note_html", lambda *work: re.sub("|".join(words), "", real(*work)))


TOUCAN = (
    '<html lang="en"><body><h1>TOUCAN</h1><p>A bird.</p><svg viewBox="0 0 9 9"><text>first</text></svg><p>Then:</p>'
    '<svg viewBox="0 0 40 20"><text x="2" y="12">beak</text></svg><table><tr><td>wings</td></tr></table></body></html>'
)


def test_a_note_that_would_lose_words_is_left_out_and_all_others_come_in(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unique = ORIGINALS["rl/01_PPO.md"].replace("Text 7 of PPO", "Seven quokkas")
    write(root.parent / "theirs", {"birds/22_TOUCAN.html": TOUCAN, "rl/01_PPO.md": unique})
    lose(monkeypatch, "Seven quokkas", "beak", "wings")
    done = paper_notes("import", root.parent / "theirs", "--offline", "--root", root)
    assert done.exit_code == 1
    assert 'lost of figure 2 of 22_TOUCAN.html: "beak"' in done.stdout
    assert 'lost of table 1 of 22_TOUCAN.html: "wings"' in done.stdout
    assert 'rl/01_PPO.md:31:1: lost of line 31 of 01_PPO.md: "seven quokkas"' in done.stdout
    assert "left out, words would be lost: 2 (birds/22_TOUCAN.html, rl/01_PPO.md)" in done.stderr
    folders = sorted(path.name for path in (root / "notes_src").glob("*/*/"))
    assert folders == ["01_note", "02_GRPO"], "the place of the one that is left out stays free"
    assert "See that" in next((root / "notes_src").glob("rl/*/en.md")).read_text()
    assert paper_notes("build", "--root", root).exit_code == 0


def test_lines_that_the_reader_drops_behind_the_front_matter_are_missed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"Line {word} of a note about birds." for word in ("one", "two", "three", "four", "five", "six", "seven")]
    write(root.parent / "theirs", {"birds/owl.md": "---\ntags: [owl]\n---\n" + "\n".join(lines) + "\n"})

    def without_six_lines(original: Original) -> Front:
        read = front(original)
        return replace(read, text=read.text.split("\n", 6)[-1]) if original.path.stem == "owl" else read

    monkeypatch.setattr(source, "front", without_six_lines)
    done = paper_notes("import", root.parent / "theirs", "--offline", "--root", root)
    assert done.exit_code == 1
    assert "notes left out, as they would lose words: 1" in done.stderr
    assert all(f"birds/owl.md:{at}:" in done.stdout for at in range(4, 10)), done.stdout


def test_every_key_of_a_front_matter_is_in_note_yaml(root: Path) -> None:
    addresses = "aliases: [/birds/owls/, /owl/]\npermalink: /v/\n"
    front_matter = f"{addresses}language: English\ndate: 2026-01-13 10:00:00\nweight: 7\ntags: [owl]\ndraft: false\n"
    write(root.parent / "theirs", {"birds/owl.md": f"---\n{front_matter}---\n# Owl\n\nIt flies.\n"})
    assert "kept in `extra`: aliases, permalink, language" in take_in(root)
    note = (root / "notes_src/birds/07_owl/note.yaml").read_text()
    assert "extra:\n  aliases:\n  - /birds/owls/\n  - /owl/\n  language: English\n  permalink: /v/\n" in note
    assert "2026-01-13" in note
    take_in(root)
    assert (root / "notes_src/birds/07_owl/note.yaml").read_text() == note


@pytest.mark.nightly
def test_a_note_that_loses_words_says_where_until_they_are_found(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unique = ORIGINALS["rl/01_PPO.md"].replace("Text 7 of PPO", "Seven quokkas")
    write(root.parent / "theirs", {"birds/22_TOUCAN.html": TOUCAN, "rl/01_PPO.md": unique})
    with monkeypatch.context() as bug:
        lose(bug, "Seven quokkas", "beak")
        assert paper_notes("import", root.parent / "theirs", "--offline", "--root", root).exit_code == 1
        said = take_in(root, "--keep-going")
    assert "new: 2, changed: 1" in said
    toucan, ppo = root / "notes_src/birds/22_TOUCAN/en.md", next((root / "notes_src/rl").glob("*_PPO/en.md"))
    box = ":::warning\nNot taken in: beak (Figure 2 of `22_TOUCAN.html`)\n:::\n"
    assert f"Then:\n\n{box}" in toucan.read_text()
    assert "Text 6 of PPO.\n\n## Part 7\n\n:::warning\nNot taken in: seven quokkas (Line 31" in ppo.read_text()
    assert "|that]]" in next((root / "notes_src/rl").glob("*_GRPO/en.md")).read_text(), "the link leads there now"
    assert paper_notes("build", "--root", root).exit_code == 0
    assert "changed: 2" in take_in(root)
    assert ":::warning" not in toucan.read_text() + ppo.read_text()


def test_the_box_about_a_lost_heading_is_where_the_heading_was(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# Bush\n\nLead.\n\n## 1. One\n\nFirst.\n\n## 2. Platypus\n\nSecond.\n"
    write(root.parent / "theirs", {"birds/bush.md": text})
    lose(monkeypatch, "Platypus")
    done = paper_notes("import", root.parent / "theirs", "--offline", "--keep-going", "--root", root)
    assert 'birds/bush.md:9:7: lost of the heading in line 9 of bush.md: "platypus"' in done.stdout
    (note,) = (root / "notes_src/birds").glob("*_bush/en.md")
    assert "First.\n\n:::warning\nNot taken in: platypus (Line 9 of `bush.md`)\n:::\n\n## Platypus" in note.read_text()


def test_a_note_that_came_in_before_stays_when_it_would_lose_words(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_in(root)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    original = root.parent / "theirs/rl/01_PPO.md"
    original.write_text(original.read_text().replace("Text 7 of", "Newer 7 of"))
    lose(monkeypatch, "Newer 7")
    assert paper_notes("import", root.parent / "theirs", "--offline", "--root", root).exit_code == 1
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_the_row_of_a_note_that_is_left_out_stays_in_the_readme(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (
        "| 1 | [PPO](rl/01_PPO.md) | x |\n| 2 | [GRPO](rl/GRPO.md) | y |\n| 3 | [TOUCAN](birds/22_TOUCAN.html) | z |\n"
    )
    listing = f"# Mine\n\n## RL\n\n| # | Note | About |\n|---|---|---|\n{rows}"
    write(root.parent / "theirs", {"birds/22_TOUCAN.html": TOUCAN, "README.md": listing})
    with monkeypatch.context() as bug:
        lose(bug, "beak")
        assert paper_notes("import", root.parent / "theirs", "--offline", "--root", root).exit_code == 1
    readme = root / "README.md"
    assert "| 3 | [TOUCAN](birds/22_TOUCAN.html) | z |" in readme.read_text().partition("paper-notes:end")[2]
    take_in(root)
    assert paper_notes("build", "--root", root).exit_code == 0
    assert "22_TOUCAN.html" not in readme.read_text()
    assert "[TOUCAN](site/" in readme.read_text()


def test_a_check_and_json_name_what_would_be_lost(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sorted(root.rglob("*"))
    lose(monkeypatch, "Kept")
    done = paper_notes("import", root.parent / "theirs", "--offline", "--check", "--json", "--root", root)
    assert done.exit_code == 1
    value = json.loads(done.stdout)
    assert [note["original"] for note in value["notes"]] == ["rl/01_PPO.md", "rl/GRPO.md"]
    assert [(one["original"], one["differences"][0]["words"]) for one in value["lossy"]] == [
        ("memory/note.html", "kept")
    ]
    assert {"path": "memory/note.html", "why": "lossy"} in value["unread"]
    assert sorted(root.rglob("*")) == before


def test_where_every_note_would_lose_words_nothing_is_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sorted(root.rglob("*"))
    lose(monkeypatch, r"\w")
    done = paper_notes("import", root.parent / "theirs", "--offline", "--root", root)
    assert (done.exit_code, "Nothing was written" in done.stderr) == (1, True), done.stderr
    assert 'memory/note.html:1:52: lost of line 1 of note.html: "kept words"' in done.stdout
    assert sorted(root.rglob("*")) == before


def test_the_table_of_classes_in_the_guide_means_what_it_says(root: Path) -> None:
    guide = (PROJECT / "notes_src/guide/06_Notes_you_have/en.md").read_text("utf-8")
    table = re.findall(r"```yaml\n(.*?)```", guide.partition("{#classes}")[2], re.DOTALL)[0]
    write(root.parent, {"my.yaml": table, "html/a.html": CLASSES})
    done = paper_notes(
        "import", root.parent / "html", "--offline", "--classes", root.parent / "my.yaml", "--root", root
    )
    assert done.exit_code == 0, done.output
    text = (root / "notes_src/html/01_a/en.md").read_text()
    assert text == ":::intuition\nThink of **this**.\n:::\n\n| a |\n|---|\n| [yes]{.good} |\n"


def test_a_meaning_that_no_class_has_is_refused_with_what_was_meant(root: Path) -> None:
    write(root.parent, {"my.yaml": ".a: plain\n.b: stong\n"})
    done = paper_notes(
        "import", root.parent / "theirs", "--offline", "--classes", root.parent / "my.yaml", "--root", root
    )
    assert done.exit_code == 1
    assert 'my.yaml:2:5: "stong" is no meaning of a class' in done.stderr
    assert 'did you mean "strong"?' in done.stderr


LONG = "AdaRank: Adaptive Rank Pruning for Enhanced Model Merging"


def test_a_link_whose_words_are_the_title_shows_the_whole_title(root: Path) -> None:
    write(root.parent / "theirs", {"rl/long.md": f"# {LONG}\n\nText.\n", "rl/index.md": f"See [{LONG}](long.md).\n"})
    take_in(root)
    assert paper_notes("build", "--root", root).exit_code == 0
    pages = "".join(page.read_text() for page in (root / "site/rl/notes").glob("*.html"))
    assert f">{LONG}</a>" in pages


FAULTS = {
    "a heading's second half": ("## Part 7 of it", "## Part 7", "the heading in line 3"),
    "a cell": ("| a | cell |", "| a |  |", "table 1"),
    "a caption": ("<figcaption>What it shows</figcaption>", "", "figure 1"),
    "an item": ("- first item\n", "", "line 12"),
    "a footnote": ("Said below.", "x", "line 19"),
    "an alt text": ("![quokkas in a tree]", "![a]", "figure 2"),
    "a paragraph": ("The second paragraph.", "", "line 17"),
}
FAULTY = """# Birds

## Part 7 of it

| a | cell |
|---|---|
| 1 | 2 |

<figure><img src="a.png" alt="a"><figcaption>What it shows</figcaption></figure>


- first item
- second item

Words[^1]. ![quokkas in a tree](a.png)

The second paragraph.

[^1]: Said below.
"""


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_reader_is_told_with_its_place(fault: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after, part = FAULTS[fault]
    assert before in FAULTY
    write(root.parent / "theirs", {"birds/owl.md": FAULTY})
    (root.parent / "theirs/birds/a.png").write_bytes(png())

    def faulty(original: Original) -> Front:
        read = front(original)
        return replace(read, text=read.text.replace(before, after)) if original.path.stem == "owl" else read

    monkeypatch.setattr(source, "front", faulty)
    done = paper_notes("import", root.parent / "theirs", "--offline", "--root", root)
    assert done.exit_code == 1
    assert f"lost of {part} of owl.md" in done.stdout, done.stdout
    assert "left out, words would be lost: 1 (birds/owl.md)" in done.stderr


def test_a_check_prints_a_line_for_each_note(root: Path) -> None:
    done = paper_notes("import", root.parent / "theirs", "--offline", "--check", "--root", root)
    assert done.exit_code == 1
    assert re.search(r"^ +[\d,]+ +[\d,]+  rl/01_PPO\.md$", done.stderr, re.MULTILINE), done.stderr


MANY = {
    "rl/GRPO.md": ORIGINALS["rl/GRPO.md"]
    + "\n[gone](a.md) [gone](b.md) ![c](c.png) [[d]]\n\n$$\na\n\nb\n$$\n\n# Again\n",
    "rl/list.md": "---\narxiv: 2401.00001\n---\n\n# L\n\n- [x](y.md)\n",
    **dict.fromkeys(("a.pdf", "b.zip", "c.bib"), ""),
}
FOUND = """\
  without a counterpart: 5
    local-link: 3, such as rl/GRPO.md:10:1: the link to "a.md" leads to no note
    missing-image: 1, such as rl/GRPO.md:10:1: there is no picture "c.png"
    unknown-note: 1, such as rl/GRPO.md:10:1: no note is called "d"
  put right: 1
    blank-in-formula: 1, such as rl/GRPO.md:12:1: a formula holds a blank line
  left out, files that are neither notes nor pictures: 4 (.pdf 1, .zip 1, .bib 1, .txt 1), such as a.pdf
    unpack theirs/b.zip and import the folder: in an archive of Notion's there may be another one
    a PDF of a paper becomes a note with `paper-notes new theirs/a.pdf`
    each paper in .bib becomes a note with `paper-notes new theirs/c.bib --all --topic TOPIC`, with its PDF if the \
entry names one
"""


def test_what_an_import_says_as_a_whole(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root.parent / "theirs", MANY)
    monkeypatch.chdir(root.parent)
    command = ("import", "theirs", "--offline", "--root", root)
    assert paper_notes(*command).stderr == (
        "imported from theirs: 4 notes into memory, rl\n"
        "  new topics: memory, rl\n"
        "  new: 4, changed: 0, as before: 0, deleted by you: 0\n"
        "  kept 258 of 258 characters of words\n"
        "  new entries in library.bib: 1\n"
        f"{FOUND}"
    )
    write(root.parent / "theirs", {"rl/01_PPO.md": "# PPO\n\nOther.\n"})
    shutil.rmtree(root / "notes_src/memory/01_note")
    assert paper_notes(*command, "--check").stderr == (
        "imported from theirs: 4 notes into memory, rl\n"
        "  new: 0, changed: 1, as before: 2, deleted by you: 1\n"
        "  kept 58 of 58 characters of words\n"
        f"{FOUND}"
        "  words  on the page  note\n"
        "      2            2  rl/01_PPO.md\n"
        "     13           13  rl/GRPO.md\n"
        "      4            4  rl/list.md\n"
        "would update notes_src/.imported.json\n"
        "would update notes_src/rl/01_PPO/en.md\n"
        "paper-notes: nothing was written; run it without --check\n"
    )


def test_of_lost_words_so_many_places_are_named_and_so_many_words_of_each() -> None:
    lost = {
        "line 1": Difference("lost", "", 0, 1, tuple(map(str, range(31)))),
        "figure 2": Difference("lost", "figure", 2, 1, ("a",)),
        "table 3": Difference("lost", "table", 3, 1, ("a",)),
        "the heading in line 1": Difference("lost", "heading", 0, 1, ("a",)),
    }
    for what, one in lost.items():
        for number, more in ((30, []), (31, ["... and in 1 other places"]), (33, ["... and in 3 other places"])):
            report = TextReport(PurePosixPath("x.md"), "a/01_x", "new", Proof(1, 1, 1, 1, 0, (one,) * number))
            said = f'x.md:1:1: lost of {what} of x.md: "{" ".join(one.words[:30])}"'
            assert [*_lost_of([report])] == [*[said] * 30, *more]


@pytest.mark.parametrize(
    ("options", "table", "said"),
    [
        (("theirs", "--as", "readme"), "", "--as readme reads one file"),
        (("theirs/rl/GRPO.md", "theirs/loose.txt", "--as", "readme"), "", "--as readme reads one file"),
        (("theirs", "--classes", "t.yaml"), "- a\n", '"t.yaml" is no table of classes'),
        (("theirs", "--classes", "t.yaml"), "a: [b]\n", '"t.yaml" is no table of classes'),
        (("theirs", "--classes", "t.yaml"), "a: {\n", "t.yaml:2:1: a value is missing here"),
        (("theirs", "--classes", "none.yaml"), "", "the pages have no classes that repeat and that are unknown"),
    ],
)
def test_what_is_asked_for_and_means_nothing_is_refused(
    options: tuple[str, ...], table: str, said: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root.parent, {"t.yaml": table})
    monkeypatch.chdir(root.parent)
    done = paper_notes("import", *options, "--offline", "--root", root)
    assert (done.exit_code, done.stderr.partition("\n")[0].removesuffix(". Nothing was written")) == (
        1,
        f"paper-notes: {said}",
    )


def test_a_field_below_the_title_is_a_fact_and_no_word_that_is_lost(root: Path) -> None:
    write(root.parent / "vault", {"A.md": "# A\n\nstatus:: read\nrating:: 4\n\nSome text.\n"})
    done = paper_notes("import", root.parent / "vault", "--offline", "--root", root)
    assert done.exit_code == 0, done.output
    assert "rating: 4" in next(root.glob("notes_src/*/*_A/note.yaml")).read_text("utf-8")
