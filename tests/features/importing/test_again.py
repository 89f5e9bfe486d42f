"""What was taken in is known again: a part of the folder, the folder by another name, on another machine."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from running import files_of, paper_notes, write

from paper_notes.features.importing import outside
from paper_notes.features.importing.import_record import alike, sketch_of

SITE = "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: [old]\n"
ORIGINALS = {
    "mkdocs.yml": "site_name: Docs\n",
    "index.md": "# Home\n\nSee [PPO](rl/01_PPO.md#the-loss-of-ppo).\n",
    "rl/01_PPO.md": "# PPO\n\nAll about PPO.\n\n## The loss of PPO\n\nSmall steps.\n",
    "rl/GRPO.md": "# GRPO\n\nAs [PPO](01_PPO.md#the-loss-of-ppo), [[index]].\n\n"
    "![a plot](../img/plot.svg)\n\n## Why\n\nNo critic.\n",
    "img/plot.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><text x="2" y="12">plot</text></svg>',
    "mtp.zh.md": "# 多词预测\n\n一次预测多个词。\n",
    "mtp.en.md": "# Multi-token prediction\n\nSeveral words at once.\n",
}
RECORD = "notes_src/.imported.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "mine", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    write(tmp_path / "docs", ORIGINALS)
    take_in(tmp_path / "mine", "docs")
    return tmp_path / "mine"


def take_in(root: Path, *paths: str) -> str:
    done = paper_notes("import", *(root.parent / path for path in paths), "--offline", "--root", root)
    assert done.exit_code == 0, done.output
    return done.stderr


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


PARTS = [("docs/rl",), ("docs/rl/GRPO.md",), ("docs/mtp.zh.md",), ("docs/index.md", "docs/rl/GRPO.md")]


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("paths", PARTS)
def test_a_part_of_a_folder_is_known_and_nothing_of_it_changes(paths: tuple[str, ...], root: Path) -> None:
    before = files(root)
    said = take_in(root, *paths)
    assert "new: 0, changed: 0" in said
    assert 'is in "docs", which was taken in earlier' in said or paths[0].count("/") == 1
    assert files(root) == before


def test_what_is_new_in_one_file_is_taken(root: Path) -> None:
    change(root.parent / "docs/rl/GRPO.md", "No critic.", "No critic at all.")
    write(root.parent, {"docs/rl/New.md": "# New\n\nAfter [PPO](01_PPO.md#the-loss-of-ppo).\n"})
    assert "new: 0, changed: 1" in take_in(root, "docs/rl/GRPO.md")
    assert "new: 1, changed: 0" in take_in(root, "docs/rl/New.md")
    text = (root / "notes_src/rl/02_GRPO/en.md").read_text()
    assert "No critic at all." in text
    assert "[[rl/#1#the-loss-of-ppo|PPO]]" in (root / "notes_src/rl/03_New/en.md").read_text()
    assert "new: 0, changed: 0, as before: 5" in take_in(root, "docs")


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("place", ["docs2", "elsewhere/docs", "elsewhere/notes"])
def test_a_folder_that_was_moved_is_known(place: str, root: Path) -> None:
    (root.parent / place).parent.mkdir(exist_ok=True)
    (root.parent / "docs").rename(root.parent / place)
    before = files(root)
    assert "new: 0, changed: 0" in take_in(root, place)
    assert files(root) == before
    change(root.parent / place / "rl/GRPO.md", "No critic.", "No critic at all.")
    assert "new: 0, changed: 1" in take_in(root, f"{place}/rl")


def test_a_file_and_a_folder_in_it_that_have_other_names_are_known(root: Path) -> None:
    docs = root.parent / "docs"
    (docs / "rl").rename(docs / "policies")
    (docs / "policies/01_PPO.md").rename(docs / "policies/01_Proximal.md")
    change(docs / "policies/GRPO.md", "01_PPO.md", "01_Proximal.md")
    change(docs / "index.md", "rl/01_PPO.md", "policies/01_Proximal.md")
    assert "new: 0" in take_in(root, "docs")
    record = (root / RECORD).read_text()
    assert "docs/policies/01_Proximal.md" in record
    assert "docs/rl/" not in record


def test_a_larger_folder_than_the_first_is_known(root: Path, tmp_path: Path) -> None:
    write(tmp_path / "second", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    second = tmp_path / "second"
    take_in(second, "docs/rl/GRPO.md")
    take_in(second, "docs/rl")
    assert "new: 2, changed: 2, as before: 0" in take_in(second, "docs")
    assert "new: 0, changed: 0, as before: 4" in take_in(second, "docs")


def test_the_record_has_nothing_of_a_machine(root: Path) -> None:
    (root.parent / "far/away").mkdir(parents=True)
    shutil.copytree(root, root.parent / "far/mine")
    shutil.copytree(root.parent / "docs", root.parent / "far/docs")
    take_in(root.parent / "far/mine", "docs")
    assert (root.parent / "far/mine" / RECORD).read_bytes() == (root / RECORD).read_bytes()
    assert "place" not in (root / RECORD).read_text()


def test_a_copy_beside_the_folder_and_another_of_its_name_are_none(root: Path) -> None:
    shutil.copytree(root.parent / "docs", root.parent / "docs2")
    assert "new: 4" in take_in(root, "docs2")
    write(root.parent / "other/docs", {"rl/01_PPO.md": "# Else\n\nOther words.\n", "rl/Own.md": "# Own\n\nMore.\n"})
    before = files(root)
    done = paper_notes("import", root.parent / "other/docs", "--offline", "--root", root)
    assert (done.exit_code, 'another folder called "docs" was taken in before' in done.stderr) == (1, True)
    assert files(root) == before
    assert "new: 1" in take_in(root, "other/docs/rl/Own.md")


def test_a_copy_inside_of_the_folder_is_none(root: Path) -> None:
    shutil.copytree(root.parent / "docs/rl", root.parent / "docs/v1/rl")
    assert "new: 2, changed: 0" in take_in(root, "docs/v1")
    assert '"docs/v1/rl/GRPO.md"' in (root / RECORD).read_text()
    assert "new: 0, changed: 0, as before: 6" in take_in(root, "docs")


def test_the_same_stub_in_another_folder_does_not_make_it_the_same(root: Path) -> None:
    stub = {"index.md": ORIGINALS["index.md"], "rl/01_PPO.md": "# Else\n\nOther.\n", "rl/GRPO.md": "# Own\n\nMore.\n"}
    write(root.parent / "other/docs", stub)
    before = files(root)
    done = paper_notes("import", root.parent / "other/docs", "--offline", "--root", root)
    assert (done.exit_code, 'another folder called "docs" was taken in before' in done.stderr) == (1, True)
    assert files(root) == before


def test_records_of_earlier_versions_are_understood(root: Path) -> None:
    record = root / RECORD
    value = json.loads(record.read_text())
    for one in value["taken"].values():
        one["place"] = "0123456789"
    record.write_text(json.dumps(value))
    change(root.parent / "docs/rl/GRPO.md", "No critic.", "No critic at all.")
    assert "new: 0, changed: 1" in take_in(root, "docs")
    assert "place" not in record.read_text()


def test_one_file_does_not_fail_for_its_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paper_notes.features.importing.outside.MAX_FILES", 3)
    write(tmp_path / "mine", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    write(tmp_path / "docs", ORIGINALS)
    said = take_in(tmp_path / "mine", "docs/rl/GRPO.md")
    assert "new: 1" in said
    assert "left out" not in said


def test_pages_of_two_folders_at_the_same_address_do_not_stop_the_build(root: Path) -> None:
    shutil.copytree(root.parent / "docs", root.parent / "others")
    change(root.parent / "others/rl/01_PPO.md", "All about PPO.", "Another view of PPO.")
    write(root.parent / "others", {"rl/topic.md": "---\npermalink: /rl/index.html\n---\n\nA page of the folder.\n"})
    said = take_in(root, "others")
    assert "taken-address: " in said
    done = paper_notes("build", "--root", root)
    assert done.exit_code == 0, done.output
    page = (root / "site/rl/01_PPO.html").read_text()
    assert "notes/01_PPO.html" in page, "the first one is there"


def test_nothing_is_imported_to_where_links_lead_to_another_page(root: Path) -> None:
    """A topic that was moved leads on from where it was, which the import would make a topic again."""
    assert paper_notes("move", "rl", "learning", "--root", root).exit_code == 0
    before = files_of(root)
    shutil.copytree(root.parent / "docs/rl", root.parent / "more/rl")
    change(root.parent / "more/rl/01_PPO.md", "All about PPO.", "Another view of PPO.")
    done = paper_notes("import", root.parent / "more", "--offline", "--root", root)
    assert (done.exit_code, files_of(root)) == (1, before), done.output
    assert "paper-notes: rl is a former address of learning, which leads there. Nothing was written\n" in done.stderr
    assert "  hint: delete it from `aliases:` in notes_src/learning/topic.yaml:" in done.stderr


def test_each_file_that_is_not_taken_is_named_with_its_reason(tmp_path: Path) -> None:
    write(tmp_path / "mine", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    docs = tmp_path / "docs"
    others = {"LICENSE.md": "MIT\n", "empty.md": "", "img/unused.svg": "<svg/>", "a.txt": "a", "b.txt": "b", "Make": ""}
    write(docs, {**ORIGINALS, **others, "large.md": f"# Large\n\n{'word ' * 120_000}"})
    (docs / "binary.md").write_bytes(b"# A\n\0\0\n")
    (docs / "link.md").symlink_to(docs / "index.md")
    (docs / "linked").symlink_to(docs / "rl")
    said = take_in(tmp_path / "mine", "docs")
    assert "neither notes nor pictures: 4 (.txt 2, make 1, .yml 1), such as Make" in said.replace("Make 1", "make 1")
    assert "left out, pictures that no note shows: 1 (img/unused.svg)" in said
    assert "left out, links to other places: 2 (link.md, linked); import what they lead to" in said
    assert "left out, larger than 512 KB: 1 (large.md)" in said
    assert "left out, not text: 1 (binary.md)" in said
    assert "left out, empty: 1 (empty.md)" in said
    assert "no notes but files of a repository or a tool: 1 (LICENSE.md)" in said


def test_files_that_cannot_be_read_are_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> object:
        raise PermissionError(13, "Permission denied", path)

    write(root.parent, {"docs/rl/secret.md": "# Secret\n"})
    opened = outside.open_file
    monkeypatch.setattr(outside, "open_file", lambda path: refuse(path) if "secret" in path else opened(path))
    assert "left out, cannot be read: 1 (rl/secret.md); check their permissions" in take_in(root, "docs")


def test_a_section_that_only_the_original_deleted_and_an_order_that_both_changed_are_told(root: Path) -> None:
    ppo, note = root.parent / "docs/rl/01_PPO.md", root / "notes_src/rl/01_PPO/en.md"
    write(root.parent, {"docs/rl/01_PPO.md": "# PPO\n\nAll.\n\n## A\n\nOne.\n\n## B\n\nTwo.\n\n## C\n\nThree.\n"})
    take_in(root, "docs")
    change(note, "## A\n\nOne.\n\n## B\n\nTwo.", "## B\n\nTwo.\n\n## A\n\nOne.")
    change(ppo, "## B\n\nTwo.\n\n## C\n\nThree.", "## C\n\nThree.\n\n## B\n\nTwo.")
    said = take_in(root, "docs")
    assert "en.md:3:1: you and the original have changed the order of sections: yours stays; the first is: B" in said
    change(note, "Three.", "Three, mine.")
    change(ppo, "## C\n\nThree.\n\n", "")
    said = take_in(root, "docs")
    assert "en.md:11:1: you have changed what the original has deleted: it stays: C" in said
    assert "Three, mine." in note.read_text()
    assert "doubtful" not in take_in(root, "docs")


def test_files_that_were_deleted_or_renamed_are_told_and_their_notes_stay(root: Path) -> None:
    (root.parent / "docs/rl/01_PPO.md").unlink()
    (root.parent / "docs/rl/GRPO.md").rename(root.parent / "docs/GRPO.md")
    change(root.parent / "docs/GRPO.md", "../img", "img")
    said = take_in(root, "docs")
    assert "  not there any more, while their notes stay: 1 (rl/01_PPO.md)\n" in said
    assert "GRPO.md:1:1: it was docs/rl/GRPO.md when it was taken in: its note stays where it is" in said
    assert (root / "notes_src/rl/01_PPO/en.md").is_file()
    assert (root / "notes_src/rl/02_GRPO/en.md").is_file()
    said = take_in(root, "docs")
    assert ("not there any more" in said, "it was" in said) == (True, False)
    assert "not there any more" not in take_in(root, "docs/GRPO.md"), "who names a file asks of no other"


def test_of_two_files_that_are_alike_the_one_that_has_not_changed_is_known_by_another_name(root: Path) -> None:
    same = "".join(f"Line {n} of both.\n\n" for n in range(30))
    write(root.parent, {f"docs/rl/{name}.md": f"# {name}\n\n{same}" for name in ("Left", "Right")})
    take_in(root, "docs")
    (root.parent / "docs/rl/Left.md").unlink()
    (root.parent / "docs/rl/Right.md").rename(root.parent / "docs/rl/Moved.md")
    said = take_in(root, "docs")
    assert "Moved.md:1:1: it was docs/rl/Right.md when it was taken in" in said


def test_a_fact_that_the_original_does_not_say_any_more_stays_and_is_told(root: Path) -> None:
    write(root.parent, {"docs/rl/01_PPO.md": "---\ntags: [policy]\n---\n# PPO\n\nAll about PPO.\n"})
    take_in(root, "docs")
    write(root.parent, {"docs/rl/01_PPO.md": "# PPO\n\nAll about PPO.\n"})
    assert ":1: the original does not say `tags` any more, which stays" in take_in(root, "docs")
    assert "- policy" in (root / "notes_src/rl/01_PPO/note.yaml").read_text()


def test_a_sketch_has_the_smallest_hashes_of_lines_of_some_length() -> None:
    assert sketch_of("abc\n  abc  \n") == ""
    assert sketch_of("abcd\nabc\n abcd") == sketch_of("abcd") != ""
    every = [sketch_of(f"line {number}") for number in range(13)]
    assert sketch_of("\n".join(f"line {number}" for number in range(13))) == " ".join(sorted(every)[:12])


@pytest.mark.parametrize(
    ("mine", "least", "are_alike"), [(3, 0.25, True), (2, 0.25, False), (6, 0.5, True), (5, 0.5, False)]
)
def test_texts_are_alike_from_so_many_lines_in_common_on(mine: int, least: float, are_alike: bool) -> None:
    """Of the twelve smallest hashes of both."""
    hashes = [f"{number:08x}" for number in range(14)]
    assert alike(" ".join(hashes), " ".join(hashes[12 - mine : 12]), least) is are_alike
    assert alike(" ".join(hashes[:12]), " ".join(hashes[:mine]), least) is are_alike
    assert not alike("", "")
