"""`paper-notes translate`: what it writes, whose text it leaves alone, what it asks and what it costs."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fake_model import KEY, FakeModel, Messages, problem
from running import files_of, paper_notes, write
from tea_notes import (
    BREWING,
    BREWING_EN,
    KNOWN,
    LEAD,
    LEAD_EN,
    LIMITS_EN,
    ZH,
    asked_for,
    between,
    collection,
    translator,
)

from paper_notes.features.drafting import asking
from paper_notes.features.drafting.commands import model as commands
from paper_notes.features.drafting.prompts import Prompt
from paper_notes.features.papers.web import Web

PLACE = "notes_src/tea/01_Brewing"


@pytest.fixture
def root(tmp_path: Path, model: FakeModel) -> Path:
    model.reply = translator
    return collection(tmp_path / "tea")


def translate(root: Path, *arguments: str) -> Any:
    return paper_notes("translate", "tea/1", *arguments, "--root", root)


def test_a_collection_in_one_language_has_nothing_to_translate(root: Path, model: FakeModel) -> None:
    settings = root / "notes_src/site.yaml"
    settings.write_text(settings.read_text("utf-8").replace("[zh, en]", "[zh]"), "utf-8")
    result = translate(root)
    assert result.exit_code == 1
    assert "the collection is in one language" in result.stderr
    assert model.questions == []


def test_a_whole_note_is_translated_and_what_you_change_is_yours(root: Path, model: FakeModel) -> None:
    en, facts = root / PLACE / "en.md", root / PLACE / "note.yaml"
    before = facts.read_text("utf-8")
    result = translate(root)
    assert result.exit_code == 0, result.stderr
    assert en.read_text("utf-8") == f"{LEAD_EN}\n\n{BREWING_EN}\n\n{LIMITS_EN}\n"
    assert facts.read_text("utf-8").startswith(f"{before}drafted:\n  lead: {{en: {{digest: ")
    assert paper_notes("check", "--root", root).exit_code == 0

    mine = en.read_text("utf-8").replace("the later one sleeps", "the less I sleep")
    en.write_text(mine, "utf-8")
    asked, there = len(model.questions), files_of(root)
    result = translate(root)
    assert (result.exit_code, result.stderr) == (0, "tea/01_Brewing: nothing to translate\n")
    assert (len(model.questions), files_of(root)) == (asked, there)
    result = translate(root, "lead")
    assert "lead: left as it is: en.md: it is yours: delete it there to have it translated" in result.stderr
    assert files_of(root) == there


def test_a_source_that_changed_is_translated_again_unless_the_translation_is_yours(
    root: Path, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    translate(root)
    en, zh = root / PLACE / "en.md", root / PLACE / "zh.md"
    text = en.read_text("utf-8").replace("Only Qwen3-8B", "Just Qwen3-8B")
    en.write_text(text, "utf-8")
    zh.write_text(ZH.replace("睡得越晚", "睡得越少").replace("只试了", "仅试了"), "utf-8")
    told = paper_notes("check", "--root", root).stderr
    assert "en.md:1:1: warning[outdated-translation]: the English before the first heading was written for" in told
    assert "run `paper-notes translate tea/01_Brewing lead`: a model wrote it" in told
    monkeypatch.setitem(KNOWN, LEAD.replace("睡得越晚", "睡得越少"), LEAD_EN.replace("later", "less"))
    model.questions.clear()
    result = translate(root)
    assert result.exit_code == 0
    assert len(model.questions) == 1
    assert en.read_text("utf-8") == text.replace("the later one sleeps", "the less one sleeps")


def test_sections_go_to_their_places_and_all_else_keeps_its_bytes(root: Path) -> None:
    en = root / PLACE / "en.md"
    own = "\ufeffMy lead.  \r\n\r\n## Limitations\r\nMine,\r\n\r\n\r\nall of it.\r\n"
    en.write_bytes(own.encode())
    assert translate(root).exit_code == 0
    crlf = BREWING_EN.replace("\n", "\r\n")
    expected = own.replace("## Limitations", f"{crlf}\r\n\r\n## Limitations")
    assert en.read_bytes().decode() == expected


def test_prompts_of_a_new_note_make_room_and_are_not_sent(root: Path, model: FakeModel) -> None:
    skeleton = (Path(__file__).parents[3] / "paper_notes/languages/en.yaml").read_text("utf-8")
    asks = skeleton[skeleton.index("## Limitations") :].split("\n\n")[1].strip()
    write(root, {f"{PLACE}/en.md": f"Mine.\n\n## Limitations\n\n{asks}\n"})
    assert translate(root, "limitations").exit_code == 0
    assert (root / PLACE / "en.md").read_text("utf-8") == f"Mine.\n\n{LIMITS_EN}\n"


def test_only_the_sections_and_the_language_that_are_named(root: Path, model: FakeModel) -> None:
    assert translate(root, "brewing", "--lang", "en").exit_code == 0
    assert [asked_for(question["messages"]) for question in model.questions] == [BREWING]
    assert "nothing to translate" in translate(root, "--lang", "zh").stderr
    assert 'has no section "brew"' in translate(root, "brew").stderr
    assert '"fr" is no language of this collection' in translate(root, "--lang", "fr").stderr


def test_check_says_what_would_be_sent_and_asks_nobody(
    root: Path, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_of(root)
    result = translate(root, "--check")
    assert result.exit_code == 1
    assert "would ask for en.md: brewing: about " in result.stderr
    assert "received: an estimate.\n" in result.stderr
    assert (model.questions, files_of(root)) == ([], before)
    told = json.loads(translate(root, "--check", "--json").stdout)
    assert BREWING in told["questions"][1]["messages"][1]["content"]
    for name in ("PAPER_NOTES_MODEL_URL", "PAPER_NOTES_MODEL"):
        monkeypatch.delenv(name)
    assert "nobody can be asked yet" in translate(root, "--check").stderr
    result = translate(root)
    assert result.exit_code == 1
    assert "no model is asked, because PAPER_NOTES_MODEL_URL is not set\n  hint: set it, such as" in result.stderr


def test_answers_are_kept_and_the_key_is_nowhere(root: Path, model: FakeModel, tmp_path: Path) -> None:
    told = json.loads(translate(root, "--json").stdout)
    assert [text["section"] for text in told["written"]] == ["lead", "brewing", "limitations"]
    assert told["tokens"] == told["sent"] + told["received"] > 300
    assert {header["authorization"] for header in model.headers} == {f"Bearer {KEY}"}
    files = {**files_of(root), **files_of(tmp_path / "caches")}
    assert not [name for name, data in files.items() if KEY.encode() in data or b"sk-of-somebody" in data]

    (root / PLACE / "en.md").unlink()
    told = json.loads(translate(root, "--json").stdout)
    assert (len(told["written"]), told["tokens"], len(model.questions)) == (3, 0, 3)


def test_a_budget_ends_it_before_more_is_spent(root: Path, model: FakeModel) -> None:
    result = translate(root, "--max-tokens", "600")
    assert result.exit_code == 1
    assert re.search("the budget of 600 tokens is spent: [0-9]+ are used", result.stderr)
    assert len(model.questions) == 1
    assert (root / PLACE / "en.md").read_text("utf-8") == f"{LEAD_EN}\n"


def test_what_it_costs_is_said_before_and_after(root: Path, model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPER_NOTES_MODEL_PRICE", "1000 2000 CNY")
    check, result = translate(root, "lead", "--check"), translate(root, "lead")
    before = re.search(r"about (\d+) tokens sent and (\d+) received", check.stderr)
    assert before
    assert before[0] in result.stderr
    assert f"would cost about {(int(before[1]) * 1000 + int(before[2]) * 2000) / 1e6:.4f} CNY." in check.stderr
    after = re.search(r"Tokens sent: (\d+); received: (\d+); cost: ([\d.]+) CNY", result.stderr)
    assert after
    assert float(after[3]) == pytest.approx((int(after[1]) * 1000 + int(after[2]) * 2000) / 1e6, abs=1e-4)
    monkeypatch.setenv("PAPER_NOTES_MODEL_PRICE", "cheap")
    assert "PAPER_NOTES_MODEL_PRICE is not a price" in translate(root, "--check").stderr


def test_ctrl_c_keeps_what_is_done(root: Path, model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def impatient(self: asking.Asker, prompt: Prompt, check: Any) -> Any:
        if len(model.questions) == 2:
            raise KeyboardInterrupt
        return ask(self, prompt, check)

    ask = asking.Asker.ask
    monkeypatch.setattr(asking.Asker, "ask", impatient)
    result = translate(root)
    assert result.exit_code == 130
    assert "interrupted. What was answered is written" in result.stderr
    assert (root / PLACE / "en.md").read_text("utf-8") == f"{LEAD_EN}\n\n{BREWING_EN}\n"


def test_a_busy_server_is_asked_again(root: Path, model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(commands, "Web", partial(Web, sleep=waited.append))
    model.answers = [problem(429, "slow down", Retry_After="17"), problem(503)]
    result = translate(root, "lead")
    assert result.exit_code == 0, result.stderr
    assert waited == [17.0, 10.0]
    assert "the model: it answered 429 (slow down); trying again in 17 s ..." in result.stderr


def test_what_a_server_does_not_know_is_left_out(root: Path, model: FakeModel) -> None:
    model.answers = [problem(400, "Unsupported parameter: 'max_tokens'"), problem(400, "temperature must be 1")]
    assert translate(root).exit_code == 0
    assert [sorted(question.keys() & {"max_tokens", "temperature"}) for question in model.questions] == [
        ["max_tokens", "temperature"],
        ["temperature"],
        [],
        [],
        [],
    ]


def test_what_you_write_meanwhile_stays(root: Path, model: FakeModel) -> None:
    en = root / PLACE / "en.md"

    def busy(messages: Messages) -> str:
        en.write_text("## How I brew {#brewing}\n\nMine.\n", "utf-8")
        zh = (root / PLACE / "zh.md").read_text("utf-8").replace("附注", "另一条附注")
        (root / PLACE / "zh.md").write_text(zh, "utf-8")
        return translator(messages)

    model.reply = busy
    result = translate(root)
    assert result.exit_code == 1
    assert "en.md: brewing: not written: you have written there meanwhile" in result.stderr
    assert "en.md: limitations: not written: its source has changed meanwhile" in result.stderr
    assert en.read_text("utf-8") == f"{LEAD_EN}\n\n## How I brew {{#brewing}}\n\nMine.\n"


def test_one_section_that_fails_leaves_the_others(root: Path, model: FakeModel) -> None:
    model.reply = lambda messages: "No." if asked_for(messages) == BREWING else translator(messages)
    result = translate(root)
    assert result.exit_code == 1
    assert (root / PLACE / "en.md").read_text("utf-8") == f"{LEAD_EN}\n\n{LIMITS_EN}\n"
    assert "Sections written: 2; not usable: 1." in result.stderr


def test_headings_without_ids_are_paired_or_left(root: Path, model: FakeModel) -> None:
    known = {"## 甲\n\n一。": "## First\n\nOne.", "## 乙\n\n二。": "## Second\n\nTwo."}
    write(root, {f"{PLACE}/zh.md": "\n\n".join(known)})
    model.reply = lambda messages: between(messages, known[asked_for(messages)])
    assert translate(root).exit_code == 0
    assert paper_notes("check", "--strict", "--root", root).exit_code == 0
    assert "\n  first: {en: " in (root / PLACE / "note.yaml").read_text("utf-8")
    assert "nothing to translate" in translate(root).stderr

    known = {"## 甲\n\n一。": "No.", "## 乙\n\n二。": "## Second\n\nTwo."}
    (root / PLACE / "en.md").unlink()
    write(root, {f"{PLACE}/zh.md": "\n\n".join(known) + "\n\n## 丙\n\n三。\n"})
    model.reply = lambda messages: between(messages, known.get(asked_for(messages), "No."))
    result = translate(root, "乙")
    assert result.exit_code == 1
    assert "en.md: 乙: not written: it cannot be paired with its source: give that heading an id" in result.stderr
    assert not (root / PLACE / "en.md").exists()


def test_a_heading_that_loses_its_usual_words_keeps_its_id(root: Path, model: FakeModel) -> None:
    model.reply = lambda messages: between(messages, LIMITS_EN.replace("Limitations", "What it cannot do"))
    assert translate(root, "limitations").exit_code == 0
    assert (root / PLACE / "en.md").read_text("utf-8").startswith("## What it cannot do {#limitations}\n")


def test_a_note_in_a_single_file_is_no_place_for_translations(root: Path) -> None:
    write(root, {"notes_src/tea/03_One.md": "---\ntitle: 一\n---\n一。\n"})
    result = paper_notes("translate", "tea/3", "--root", root)
    assert result.exit_code == 1
    assert "03_One.md is a note in a single file" in result.stderr


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"PAPER_NOTES_MODEL_URL": "ftp://x"}, "PAPER_NOTES_MODEL_URL is not a web address"),
        ({"PAPER_NOTES_MODEL_URL": "https://me:secret@x/v1"}, "a web address without a password in it"),
        ({"PAPER_NOTES_MODEL_KEY": "sk 1"}, "PAPER_NOTES_MODEL_KEY cannot be a key"),
        ({"PAPER_NOTES_MODEL_KEY": "", "PAPER_NOTES_MODEL_URL": "http://gpu/v1"}, "OPENAI_API_KEY is not sent to"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_right(
    root: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], words: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    result = translate(root)
    assert result.exit_code == 1
    assert words in result.stderr
    assert "secret" not in result.stderr


def test_without_a_key_of_ours_that_of_openai_is_used_and_without_any_none(
    root: Path, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAPER_NOTES_MODEL_KEY")
    assert translate(root, "lead").exit_code == 0
    monkeypatch.delenv("OPENAI_API_KEY")
    result = translate(root, "brewing")
    assert result.exit_code == 0, result.stderr
    assert [header.get("authorization") for header in model.headers] == ["Bearer sk-of-somebody-else", None]


def test_what_a_model_thinks_before_its_answer_is_none_of_it(root: Path, model: FakeModel) -> None:
    model.reply = lambda messages: f"<think>{between(messages, 'Hm.')} {{no}}</think>\n\n{translator(messages)}"
    assert translate(root).exit_code == 0
    assert (root / PLACE / "en.md").read_text("utf-8") == f"{LEAD_EN}\n\n{BREWING_EN}\n\n{LIMITS_EN}\n"


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("title: 泡茶  # 短", 'title: {zh: 泡茶, en: "Brewing tea"}  # 短'),
        ("title: {zh: 泡茶}  # 短", 'title: {zh: 泡茶, en: "Brewing tea"}  # 短'),
        ("title:\n  zh: 泡茶  # 短", 'title:\n  zh: 泡茶  # 短\n  en: "Brewing tea"'),
    ],
)
def test_a_title_and_a_summary_get_the_other_language_and_keep_every_byte(
    root: Path, model: FakeModel, written: str, becomes: str
) -> None:
    facts = root / PLACE / "note.yaml"
    old = (
        facts.read_text("utf-8").replace("title: {zh: 泡茶, en: Brewing tea}   # both", written)
        + "summary: '水温与时间。'\n"
    )
    facts.write_text(old, "utf-8")
    known = {**KNOWN, "泡茶": "Brewing tea", "水温与时间。": "Water and time."}
    model.reply = lambda messages: between(messages, known[asked_for(messages)])
    result = translate(root, "title", "summary")
    assert result.exit_code == 0, result.stderr
    new = facts.read_text("utf-8")
    assert new == old.replace(written, becomes).replace(
        "'水温与时间。'", "{zh: '水温与时间。', en: \"Water and time.\"}"
    )
    assert "Sections written: 2" in result.stderr
    assert translate(root, "title").stderr == "tea/01_Brewing: nothing to translate\n"
    assert paper_notes("check", "--root", root).exit_code == 0


def test_the_writers_own_paragraphs_go_along_as_examples(root: Path, model: FakeModel) -> None:
    own = "接受率越高，泡得越快；我在 [@li2024tea] 里没有找到反例，所以这里只当作经验之谈，读的时候请留意。"
    its = (
        "The higher the acceptance rate, the faster it brews; I found no counterexample in [@li2024tea], "
        "so mind that this is only experience."
    )
    far = "天气很好的日子，邻居们会到院子里来晒被子，孩子们在旁边追着猫跑，谁也不去管它到底是谁家的，只管跑得开心就好。"
    fair = (
        "On days when the weather is fine, the neighbours come into the yard to air their quilts, "
        "while children chase a cat there."
    )
    write(
        root,
        {
            "notes_src/tea/02_Other/zh.md": f"{far}\n\n## 一 {{#one}}\n\n{own}\n\n## 二 {{#two}}\n\n{own}错 7\n",
            "notes_src/tea/02_Other/en.md": f"{fair}\n\n## One {{#one}}\n\n{its}\n\n## Two {{#two}}\n\n{its}\n",
        },
    )
    assert translate(root, "brewing").exit_code == 0
    asked = model.questions[0]["messages"][1]["content"]
    assert f"\n{own}\n=>\n{its}\n</example-" in asked
    assert asked.count("\n=>\n") == 2
    assert "错 7" not in asked
    translate(root, "lead")
    assert len(model.questions[-1]["messages"][1]["content"]) < 3_000
