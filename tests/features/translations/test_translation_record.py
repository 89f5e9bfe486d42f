"""Records of translations: only one block of `note.yaml` is written, and the command reports it."""

from __future__ import annotations

import json
import re
import sys
from contextlib import ExitStack
from pathlib import Path
from textwrap import indent

import pytest
from building import NOTE, note, source
from running import collection, files_of, paper_notes, write

from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import UserError
from paper_notes.features.translations.record import Record, record
from paper_notes.markdown.render import render_body
from paper_notes.markdown.translations import digests
from paper_notes.output import guarded
from paper_notes.output.lock import locked
from paper_notes.sources.tree import Source

ZH = "引子\n\n## 动机\n\n一。\n\n### 旁支\n\n二。\n\n## 局限\n\n三。\n"
EN = "Lead\n\n## Motivation\n\nOne.\n\n### Aside\n\nTwo.\n\n## Limitations\n\nThree.\n"
FILE = NOTE / "note.yaml"


# -- the record ----------------------------------------------------------------------------------------------------


def made(
    facts: str | bytes, zh: str = ZH, en: str = EN, wanted: tuple[str, ...] = (), name: str = "01_Note"
) -> tuple[Record, tuple[Source, ...]]:
    """The record of a note in a collection of its own, and that collection's sources."""
    base = f"notes_src/topic/{name}"
    texts = [source(f"{base}/{lang}.md", text) for lang, text in (("zh", zh), ("en", en)) if text]
    sources = (
        source("notes_src/site.yaml", "title: {zh: 站, en: Site}\ntopics: [topic]\n"),
        source("notes_src/topic/topic.yaml", "title: {zh: 题, en: Topic}\n"),
        source(f"{base}/note.yaml", facts),
        *texts,
    )
    found = corpus_of(sources).notes[0]
    return record(found, render_body(found), sources, wanted), sources


def corpus_of(sources: tuple[Source, ...]) -> Corpus:
    corpus, problems = load(sources)
    assert corpus is not None
    assert problems == ()
    return corpus


def test_languages_are_in_the_order_of_the_note() -> None:
    base = "notes_src/topic/01_Note"
    sources = (
        source("notes_src/site.yaml", "title: S\nlanguages: [en, zh]\ntopics: [topic]\n"),
        source("notes_src/topic/topic.yaml", "title: T\n"),
        source(f"{base}/note.yaml", "title: N\n"),
        source(f"{base}/en.md", "Lead\n"),
        source(f"{base}/zh.md", "引子\n"),
    )
    found = corpus_of(sources).notes[0]
    text = record(found, render_body(found), sources).artifact.data.decode()
    assert re.fullmatch(r"title: N\ntranslated:\n  lead: \{en: [0-9a-f]{10}, zh: [0-9a-f]{10}\}\n", text)


BLOCK = "translated:\n" + "".join(
    f"  {section}: {{zh: {pair['zh']}, en: {pair['en']}}}\n"
    for section, pair in digests(render_body(note({"zh": ZH, "en": EN}))).items()
)
PAIR = "{zh: 0123456789, en: 00000e0000}"
OLD = f"translated:\n  motivation: {PAIR}\n"


def windows(text: str) -> str:
    return text.replace("\n", "\r\n")


FILES = {
    "at the end": ("title: 题\n", f"title: 题\n{BLOCK}"),
    "no newline": ("title: 题", f"title: 题\n{BLOCK}"),
    "in place": (f"title: 题\n{OLD}tags: [a]\n", f"title: 题\n{BLOCK}tags: [a]\n"),
    "at the very end": (f"title: 题\n{OLD.rstrip()}", f"title: 题\n{BLOCK}"),
    "first": (f"{OLD}title: 题\n", f"{BLOCK}title: 题\n"),
    "comments": (
        f"# a\ntitle:   题 # b\n\n{OLD}\n  # c\n# d\ntags: [a]  # e\n# f\n",
        f"# a\ntitle:   题 # b\n\n{BLOCK}\n  # c\n# d\ntags: [a]  # e\n# f\n",
    ),
    "a comment inside": (
        f"title: 题\ntranslated:\n  aside: {PAIR}\n# x\n  lead:\n    zh: 0123456789\n    en: 0123456789\ntags: a\n",
        f"title: 题\n{BLOCK}tags: a\n",
    ),
    "on one line": (f"translated: {{lead: {PAIR}}}\ntitle: 题\n", f"{BLOCK}title: 题\n"),
    "quoted": (f"title: 题\n'translated':\n  lead: {PAIR}\n", f"title: 题\n{BLOCK}"),
    "indented": ("  title: 题\n  tags: a\n", "  title: 题\n  tags: a\n" + indent(BLOCK, "  ")),
    "windows": (windows(f"title: 题\n{OLD}tags: a\n"), windows(f"title: 题\n{BLOCK}tags: a\n")),
    "byte order mark": ("\ufefftitle: 题\n", f"\ufefftitle: 题\n{BLOCK}"),
    "a text like a key": (f"title: |\n  {OLD}tags: a\n", f"title: |\n  {OLD}tags: a\n{BLOCK}"),
}


@pytest.mark.parametrize(("before", "after"), FILES.values(), ids=FILES)
def test_only_the_block_is_written(before: str, after: str) -> None:
    made_of_it, sources = made(before)
    assert made_of_it.artifact.path == FILE
    assert made_of_it.artifact.data.decode() == after
    assert made(after)[0].artifact.data.decode() == after, "a second time changes nothing"
    again = corpus_of((*[item for item in sources if item.path != FILE], source(FILE, after)))
    assert {section: item.digests for section, item in again.notes[0].translated.items()} == digests(
        render_body(again.notes[0])
    )


def test_what_is_not_named_stays_as_it_was() -> None:
    before = f"title: 题\ntranslated:\n  gone: {PAIR}\n  lead: {PAIR}\n"
    result, _ = made(before, wanted=("aside",))
    assert (result.recorded, result.alone, result.dropped) == (("aside",), (), ("gone",))
    aside = BLOCK.splitlines()[3]
    assert aside.startswith("  aside:")
    after = f"title: 题\ntranslated:\n  lead: {PAIR}\n{aside}\n"
    assert result.artifact.data.decode() == after


def test_sections_of_one_language_are_left_out() -> None:
    result, _ = made("title: 题\n", zh=ZH + "\n## 结论\n\n四。\n")
    assert (result.recorded, result.alone) == (("lead", "motivation", "aside", "limitations"), ("conclusion",))
    assert result.artifact.data.decode() == f"title: 题\n{BLOCK}"


PROBLEMS = {
    "unknown": (("motivatoin",), 'topic/01_Note has no section "motivatoin"', 'did you mean "motivation"?'),
    "one half": (
        ("conclusion",),
        'the section "conclusion" has no counterpart in en.md',
        "write it there too, or give both the same id: ## Title {#my-id}",
    ),
}


@pytest.mark.parametrize(("wanted", "message", "hint"), PROBLEMS.values(), ids=PROBLEMS)
def test_sections_that_cannot_be_recorded(wanted: tuple[str, ...], message: str, hint: str) -> None:
    with pytest.raises(UserError) as caught:
        made("title: 题\n", zh=f"{ZH}\n## 结论\n\n四。\n", wanted=wanted)
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_a_note_in_one_language_has_nothing_to_record() -> None:
    with pytest.raises(UserError, match="topic/01_Note is in one language, so there is no translation to record"):
        made("title: 题\n", en="")


def test_two_texts_without_a_common_section_have_nothing_to_record() -> None:
    with pytest.raises(UserError, match="the two texts of topic/01_Note have no section in common"):
        made("title: 题\n", zh="一", en="## A\n\nb\n")


@pytest.mark.parametrize("facts", ["{title: 题}\n", "title: 题\n...\n", "title: |\n  题"])
def test_a_file_that_would_not_read_back_the_same_is_left_alone(facts: str) -> None:
    with pytest.raises(UserError, match=f"{FILE} is written in a way that it cannot be added to"):
        made(facts)


# -- the command ---------------------------------------------------------------------------------------------------

SITE = {
    "notes_src/site.yaml": "title: {zh: 站, en: Site}\ntopics: [topic]\n",
    "notes_src/topic/topic.yaml": "title: {zh: 题, en: Topic}\n",
    "notes_src/topic/01_Note/note.yaml": "title: {zh: 题, en: Title}  # mine\n",
    "notes_src/topic/01_Note/zh.md": ZH,
    "notes_src/topic/01_Note/en.md": EN,
    "notes_src/topic/02_quick.md": "---\ntitle: {zh: 快, en: Quick}\n---\n一行。\n",
}


def test_the_command_records_and_check_tells_what_changed(tmp_path: Path) -> None:
    root = write(tmp_path, SITE)
    facts = root / "notes_src/topic/01_Note/note.yaml"
    first = paper_notes("sync", "topic/1", "--root", root)
    assert (first.exit_code, first.stdout) == (0, "")
    assert first.stderr == f"recorded in {facts}: lead, motivation, aside, limitations\n"
    assert facts.read_text("utf-8") == SITE["notes_src/topic/01_Note/note.yaml"] + BLOCK
    again = paper_notes("sync", "topic/1", "--root", root)
    assert again.stderr == f"recorded already in {facts}: lead, motivation, aside, limitations\n"
    assert paper_notes("check", "--root", root).stderr == "2 notes: nothing is wrong.\n"

    write(root, {"notes_src/topic/01_Note/zh.md": ZH.replace("一", "壹").replace("二", "贰")})
    checked = paper_notes("check", "--root", root)
    assert checked.exit_code == 0
    assert checked.stderr.count("warning[outdated-translation]") == 2

    before = facts.read_text("utf-8")
    result = paper_notes("sync", "topic/#1", "aside", "--json", "--root", root)
    assert json.loads(result.stdout) == {
        "note": "topic/01_Note",
        "recorded": ["aside"],
        "one_language": [],
        "dropped": [],
        "updated": ["notes_src/topic/01_Note/note.yaml"],
    }
    after = facts.read_text("utf-8")
    changed = [line for line, old in zip(after.splitlines(), before.splitlines(), strict=True) if line != old]
    assert [line.partition(":")[0] for line in changed] == ["  aside"]
    assert paper_notes("check", "--root", root).stderr.count("warning[outdated-translation]") == 1


def test_the_command_tells_what_it_left_out_and_dropped(tmp_path: Path) -> None:
    root = write(tmp_path, SITE)
    facts = root / "notes_src/topic/01_Note/note.yaml"
    paper_notes("sync", "topic/1", "--root", root)
    zh = ZH.replace("旁支", "旁支 {#side}") + "\n## 结论\n\n四。\n"
    en = EN.replace("Aside", "Aside {#side}")
    write(root, {"notes_src/topic/01_Note/zh.md": zh, "notes_src/topic/01_Note/en.md": en})
    assert paper_notes("sync", "topic/01_Note", "--root", root).stderr == (
        f"recorded in {facts}: lead, motivation, side, limitations\n"
        "not recorded, because only one language has them: conclusion\n"
        "dropped, because the note no longer has them: aside\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["topic/2"], "topic/02_quick is in one language, so there is no translation to record"),
        (["topic/9"], 'no note "topic/9" in topic "topic"'),
        (["topic/1", "methd"], 'topic/01_Note has no section "methd"'),
    ],
)
def test_the_command_says_why_it_wrote_nothing(arguments: list[str], message: str, tmp_path: Path) -> None:
    root = write(tmp_path, SITE)
    before = files_of(root)
    result = paper_notes("sync", *arguments, "--root", root)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"paper-notes: {message}. Nothing was written\n  hint: ")
    assert files_of(root) == before


def test_the_command_writes_nothing_while_there_are_errors(tmp_path: Path) -> None:
    root = write(tmp_path, SITE | {"notes_src/topic/01_Note/zh.md": f"{ZH}\n$\\foo$\n"})
    before = files_of(root)
    result = paper_notes("sync", "topic/1", "--root", root)
    assert result.exit_code == 1
    assert "zh.md:15:2: error[bad-tex]: " in result.stderr
    assert result.stderr.endswith("paper-notes: the note has errors; fix them first. Nothing was written\n")
    broken = write(root, {"notes_src/topic/01_Note/note.yaml": "titel: x\n"})
    result = paper_notes("sync", "topic/1", "--root", broken)
    assert result.stderr.endswith("paper-notes: the collection has errors; fix them first. Nothing was written\n")
    assert files_of(root).keys() == before.keys()


def test_the_command_needs_a_collection(tmp_path: Path) -> None:
    result = paper_notes("sync", "topic/1", "--root", tmp_path)
    assert result.exit_code == 1
    assert "error[no-collection]" in result.stderr
    assert paper_notes("sync").exit_code == 2


def test_a_site_tells_on_its_pages_what_is_outdated(tmp_path: Path) -> None:
    root = collection("translated", tmp_path)
    assert paper_notes("sync", "tides/1", "--root", root).exit_code == 0
    assert paper_notes("build", "--root", root).exit_code == 0
    page = (root / "site/tides/notes/01_Tides.html").read_text("utf-8")
    assert "<p>in step</p>" in page
    assert "outdated-translation" not in paper_notes("check", "--root", root).stderr


# -- others write meanwhile ----------------------------------------------------------------------------------------


def test_a_save_just_before_the_block_is_written_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = collection("bilingual", tmp_path)
    file = min(root.glob("notes_src/*/*/note.yaml"))
    note = file.parent.relative_to(root / "notes_src").as_posix()
    real, saved = guarded.exchange, file.read_bytes() + b"# saved just now\n"

    def saving(one: Path, other: Path) -> bool:
        monkeypatch.undo()
        file.write_bytes(saved)
        return real(one, other)

    monkeypatch.setattr(guarded, "exchange", saving)
    result = paper_notes("sync", note, "--root", root)
    assert result.exit_code == 1
    assert result.stderr.endswith(
        f"paper-notes: notes_src/{note}/note.yaml was changed while it was being used; run the command again. "
        "Nothing was written\n"
    )
    assert file.read_bytes() == saved
    assert paper_notes("sync", note, "--root", root).exit_code == 0
    assert file.read_bytes().startswith(saved)


def test_it_waits_for_others_who_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = collection("bilingual", tmp_path)
    file = min(root.glob("notes_src/*/*/note.yaml"))
    with ExitStack() as other:
        other.enter_context(locked(root))

        def waiting() -> None:
            file.write_bytes(file.read_bytes() + b"# by the other\n")
            other.close()

        monkeypatch.setattr(sys.modules["paper_notes.features.translations.commands.sync"], "say_waiting", waiting)
        note = file.parent.relative_to(root / "notes_src").as_posix()
        assert paper_notes("sync", note, "--root", root).exit_code == 0
    assert b"# by the other\ntranslated:\n" in file.read_bytes()
