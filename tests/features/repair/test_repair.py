"""Garbled text comes back; what is as it should be stays; what is not certain says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from making_tables import packed
from running import EXAMPLES, PROJECT

from paper_notes.features.repair.damage import find_damage
from paper_notes.features.repair.garbling import GARBLINGS, Garbling
from paper_notes.features.repair.model import BITS, COUNTS, REST, CharacterModel, counted, folded, load_tables, unpacked
from paper_notes.features.repair.text import CERTAIN, Guess, repair_text

REFERENCE = PROJECT.parent / "shared" / "reference" / "paper-list-30-undamaged.md"
WAYS = {way.name: way for way in GARBLINGS}
TURKISH = WAYS["cp1254"]
NOTE = (PROJECT / "notes_src" / "guide" / "03_Papers_and_citations" / "zh.md").read_text("utf-8")
PROSE = NOTE[:1500]

CLEAN = {
    "french": "L’été dernier, à Noël, le cœur naïf : « déjà vu » — où ça ? Ô ÉTÉ, façon garçon… café, æquo. ",
    "german": "Größe, Spaß“, „Äpfel“, Übermaß — „Ä“ und „Ü“.",
    "portuguese": "SÃO PAULO, MAÇÃ, NÃO; coração, «põe».",
    "spanish": "¿Qué año? ¡Mañana, señor! «El niño», corazón; pingüino… Ñandú.",
    "turkish": "Işığın hızı: ğ, ş, Ğ, İ; çok güzel.",
    "italian": "Perché… «è»? Sì, così è… è»",
    "chinese": "“强化学习”中的策略梯度——见 §3·1，误差 ±0.5 %，3×4 = 12。",
    "japanese": "大規模言語モデルの推論を、強化学習で改善する。",
    "signs": "α ≤ β → γ, 20 °C, 5 µm, “quotes” – dashes — … € £ ©",
    "emoji": "🏆 好 👩‍💻 ❤️",
    "french, with spaces that do not break": "«\u00a0café\u00a0», «\u00a0thé\u00a0»\u00a0; «\u00a0été\u00a0»\u00a0!",
    "czech": "Vyšší, příští; „žížala“, „Ř“, stáž",
    "vietnamese": "Tiếng Việt: “Ă”, “Â”, «Â», “Ã” — cũng thế.",
    "quoted letters": "“é” “É” ‘à’ «ç» „ß“ ”é” é… à— ñ»",
    "code": "Write `re.sub('Ã©','é',s)`.",
    "code, bare": "re.sub('Ã©','é',s)",
    "code that shows both": ">>> fix('schÃ¶n')\n'schön'",
    "a page on it": "In French, “é” becomes “Ã©”, and “à” becomes “Ã”.",
    "a test of it": '"original": "TÃ¼bingen, l’humanitÃ©",\n"fixed": "Tübingen, l’humanité"',
    "chinese that is UTF-8 as GBK": "联通的移动设备，版本和默认设备。",
}


@pytest.mark.parametrize("text", CLEAN.values(), ids=CLEAN)
def test_text_that_is_as_it_should_be_is_left_alone(text: str) -> None:
    for lines in (text, f"{text}\n{text}", f"# {text}\r\n\r\n{text}"):
        assert find_damage(lines) is None
        assert repair_text(lines).text == lines


LOSSLESS = [WAYS[name] for name in ("cp1252 with controls", "cp1254 with controls", "latin-1")]


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("inner", [None, *LOSSLESS], ids=lambda way: way.name if way else "once")
@pytest.mark.parametrize("outer", LOSSLESS, ids=lambda way: way.name)
def test_what_lost_nothing_comes_back_whole_from_one_word_on(outer: Garbling, inner: Garbling | None) -> None:
    way = outer.after(inner) if inner else outer
    for text in (
        "Les données d’entraînement — très coûteuses.",
        "Größe",
        "um sistema é Debian",
        "Příliš žluťoučký kůň",
        "nguồn dữ liệu",
        "ŻÓŁĆ i SKŁADNIA",
        "© 2020 Ñandú",
        "Обучение с подкреплением",
        "שלום، مرحبا",
        "강화 학습을 위한 모델",
        "用户的表现低于基线，模型仍不错。",
    ):
        assert repair_text(way.garble(text)).text == text


PAGE = """# 强化学习中的奖励模型

大语言模型的训练与推理，能提供客观、可验证的标准。
It doesn’t cover all “new” methods.

このモデルは日本語のテキストを処理します。
"""


@pytest.mark.parametrize("encoding", ["gbk", "gb18030", "shift_jis", "cp932"])
def test_utf_8_that_was_read_as_an_east_asian_encoding_comes_back_where_nothing_was_lost(encoding: str) -> None:
    lines = PAGE.encode().decode(encoding, "replace").split("\n")
    made = repair_text("\n".join(lines))
    assert made.garbling
    for damaged, meant, line in zip(lines, PAGE.split("\n"), made.text.split("\n"), strict=True):
        if "\ufffd" not in damaged:
            assert line == meant


def test_what_big5_lost_is_recognised_and_left_as_it_is() -> None:
    damaged = PAGE.encode().decode("big5", "replace")
    made = repair_text(damaged)
    assert made.hopeless >= 3
    assert made.text.split("\n")[0] == damaged.split("\n")[0]


def test_our_own_texts_are_left_alone() -> None:
    for path in (*(PROJECT / "notes_src").rglob("*.md"), *(PROJECT / "paper_notes").rglob("*.yaml")):
        if not path.match("guide/02_*/*") and path.parent.name != "terminal":  # which show garbled text
            assert find_damage(path.read_text("utf-8")) is None, path


SURE = ("cp1254 with controls", "cp1252 with controls", "latin-1")
"""These lose nothing."""


@pytest.mark.nightly
@pytest.mark.parametrize("way", [way for way in GARBLINGS if len(way.lost) < 10], ids=lambda way: way.name)
def test_a_note_of_ours_comes_back(way: Garbling) -> None:
    damaged = way.garble(PROSE)
    made = repair_text(damaged)
    assert way.garble(made.text) == damaged
    wrong = [place for place, (sign, wanted) in enumerate(zip(made.text, PROSE, strict=True)) if sign != wanted]
    assert {guess.offset for guess in made.doubts} >= set(wrong)
    assert len(wrong) <= (0 if way.name in SURE else 5)


@pytest.mark.parametrize(
    "text",
    [
        "模型的策略梯度方法，在强化学习中得到了广泛的应用。",
        "強化學習中的策略梯度方法，與監督學習不同：它需要與環境互動。",
        "このモデルは日本語のテキストを処理します。",
        "Café naïve, déjà vu: l’été “quoted” — where? Ça va… Élan.",
        "Η μάθηση είναι δύσκολη, α ≤ β.",
        "🏆 第一名 ❤️ 1️⃣ 🚀 “很好”——再见……",
    ],
)
def test_the_damage_of_what_comes_back_is_the_damage(text: str) -> None:
    for way in (TURKISH, WAYS["cp1252"], WAYS["latin-1"], TURKISH.after(TURKISH)):
        damaged = way.garble(text)
        made = repair_text(damaged)
        assert made.garbling, way.name
        assert len(made.text) == len(text)
        assert way.garble(made.text) == damaged
        if not made.lost:
            assert made.text == text


def test_words_are_told_by_those_around_them() -> None:
    text = "- 强化学习中的奖励模型\n- 大语言模型的训练与推理\n- 不同的方法，可以提高性能\n"
    assert repair_text(TURKISH.garble(text)).text == text


@pytest.mark.nightly
def test_text_that_was_garbled_twice_comes_back() -> None:
    twice = TURKISH.after(TURKISH)
    made = repair_text(twice.garble(PROSE))
    assert made.garbling == "cp1254 after cp1254"
    assert sum(sign != wanted for sign, wanted in zip(made.text, PROSE, strict=True)) <= len(made.doubts)


def test_a_garbled_paragraph_in_a_text_comes_back_and_the_rest_stays() -> None:
    before, after = "干净的一段：“引用”——café、naïve。\n\n", "\n\n后面的 ± 1 % 也是干净的，été。\n"
    middle = "强化学习中的奖励模型，是大语言模型训练的关键。"
    assert repair_text(before + TURKISH.garble(middle) + after).text == before + middle + after


def test_what_is_garbled_beside_changes_no_line_that_is_as_it_should_be() -> None:
    damaged = TURKISH.garble("强化学习中的奖励模型，是大语言模型训练的关键。")
    for text in CLEAN.values():
        assert repair_text(f"{text}\n\n{damaged}\n\n{text}").text.count(text) == 2, text


def test_what_reads_well_stays_in_a_garbled_line() -> None:
    damaged = TURKISH.garble("奖励模型的训练，") + "“é” — " + TURKISH.garble("模型")
    assert repair_text(damaged).text == "奖励模型的训练，“é” — 模型"


def test_a_single_garbled_sign_in_a_line_comes_back() -> None:
    assert repair_text("It doesnâ€™t matter.\nA café.\n").text == "It doesn’t matter.\nA café.\n"
    assert repair_text("In a cafÃ© in Paris.\n").text == "In a café in Paris.\n"


def test_a_person_may_know_better_from_what_is_said_elsewhere() -> None:
    """What is learned from the collection settles what the tables cannot know."""
    name = "岐嵎算法"
    damaged = TURKISH.garble(f"我们提出{name}。")
    assert repair_text(damaged, [f"{name}很快。用{name}训练。" * 3]).text == f"我们提出{name}。"


def test_what_is_less_than_certain_is_a_doubt() -> None:
    made = repair_text(TURKISH.garble("甲中乙，丙不丁，戊与己。"))
    assert {guess for guess in made.guesses if guess.probability < CERTAIN} <= set(made.doubts)
    assert made.doubts
    for guess in made.guesses:
        assert made.text[guess.offset] == guess.choice
        assert sum(share for _, share in guess.ranked) == pytest.approx(1, abs=1e-6)
        assert all(TURKISH.garble(sign) == guess.damaged for sign, _ in guess.ranked)


def test_what_would_turn_the_meaning_is_a_doubt_at_less() -> None:
    """A 不 for a 中 is worse than a 发 for a 向, and so is a 十 for a 子."""
    for other, is_doubtful in (("不", True), ("十", True), ("且", False)):
        ranked = (("中", 0.99), (other, 0.01))
        assert Guess(0, "ä¸", ranked).is_doubtful is is_doubtful
        assert Guess(0, "ä¸", ((other, 0.99), ("中", 0.01))).is_doubtful is is_doubtful
    assert not Guess(0, "ä¸", (("不", 0.9995), ("中", 0.0005))).is_doubtful


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("file", "share"),
    [
        (PROJECT / "notes_src/daily/01_2026-01-13/zh.md", 0.012),
        pytest.param(
            REFERENCE, 0.005, marks=pytest.mark.skipif(not REFERENCE.exists(), reason="is not ours to publish")
        ),
    ],
    ids=["a day", "a long list"],
)
def test_of_a_list_of_papers_nearly_all_comes_back_right_and_wrong_signs_are_mostly_doubts(
    file: Path, share: float
) -> None:
    """Of a long list its first part; in `make nightly` all of it."""
    text = file.read_text("utf-8")[: None if EXAMPLES else 10_000]
    made = repair_text(TURKISH.garble(text))
    wrong = {offset for offset, (sign, wanted) in enumerate(zip(made.text, text, strict=True)) if sign != wanted}
    assert len(wrong) <= share * sum(not sign.isascii() for sign in text)
    assert len(wrong & {guess.offset for guess in made.doubts}) >= 0.8 * len(wrong)
    assert TURKISH.garble(made.text) == TURKISH.garble(text)


PIECES = st.sampled_from(
    ["强化学习", "中", "的", "不同", "，", "“模型”", " LLM ", "\n", "——", "é", "𝑥", "🏆", "α", "揭示", "与"]
)


@pytest.mark.nightly
@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from(GARBLINGS[:9]))
def test_garbling_what_was_repaired_gives_the_damaged_text(text: str, way: Garbling) -> None:
    damaged = way.garble("奖励模型的训练过程\n" + text)
    found = find_damage(damaged)
    made = repair_text(damaged)
    assert found
    done, length, parts = 0, 0, []
    for unit in found.units:  # what was not repaired is not garbled again: it may be as it should be
        length += unit.start - done
        parts += [damaged[done : unit.start], found.garbling.garble(made.text[length])]
        length, done = length + 1, unit.end
    assert "".join([*parts, damaged[done:]]) == damaged


def test_names_in_latin_letters_spaces_and_bold_do_not_part_words() -> None:
    assert folded("在 **Large Language-Model 2** 中，用 3.5 %") == "在a中，用0%"


def test_of_lines_that_are_not_plain_ascii_all_sequences_up_to_three_are_counted() -> None:
    assert counted(["中文\nplain words\n", "漢文"], {"漢": "汉"}) == {
        "": {"\n": 4, "中": 1, "文": 2, "汉": 1},
        "\n": {"中": 1, "汉": 1},
        "中": {"文": 1},
        "汉": {"文": 1},
        "文": {"\n": 2},
        "\n中": {"文": 1},
        "\n汉": {"文": 1},
        "中文": {"\n": 1},
        "汉文": {"\n": 1},
    }


def test_what_the_tables_leave_out_is_counted() -> None:
    """So a character that was never seen after two others is no likelier than it should be."""
    model = CharacterModel(load_tables())
    for history in ("", "的", "模型", "强化"):
        total = sum(model.probability(history, sign) for sign in load_tables().characters)
        assert 0.5 < total < 1.05, history
    assert model.probability("", REST) < 1e-6


def test_the_tables_are_small() -> None:
    assert (PROJECT / "paper_notes/features/repair/counts.bin").stat().st_size <= 1_000_000
    assert "中" in load_tables().followers("")


def test_tables_come_back_from_their_file_as_they_were() -> None:
    counts = [{0: 63, 2: 5}, {(0 << BITS) + 2: 7, (2 << BITS) + 1: 0}, {(((1 << BITS) + 2) << BITS) + 2: 9}]
    tables = unpacked(packed("中国文", {"國": "国"}, counts))
    assert tables.folds == {"國": "国"}
    assert tables.followers("") == {"中": COUNTS[63], "文": COUNTS[5]}
    assert tables.followers("中") == {"文": COUNTS[7]}
    assert tables.followers("文") == {"国": COUNTS[0]}
    assert tables.followers("国文") == {"文": COUNTS[9]}
    assert tables.followers("国") == tables.followers("x") == {}
