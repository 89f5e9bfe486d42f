"""`paper-notes cards`: what becomes a card, in which words, and that Anki keeps one's schedule."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from making_pictures import png
from running import paper_notes, write

from paper_notes.features.cards.tex import definitions
from paper_notes.markdown.math.convert import MACROS

SITE = "title: {zh: 茶, en: Tea}\ntopics: [leaf, pot]\nbase_url: https://example.org/t/\n"
ZH = r"""## 符号 {#symbols}

:::symbols 符号
$\theta$
: 温度，单位 $\mathrm{K}$[^k]

$p'$
: 变化

$p$
: 压强
:::

[^k]: 开尔文。

## 公式

:::formula 冷却 {#eq-cool}
$$
\E[T] = T_0 e^{-kt} % 牛顿
\label{cool}
$$

$T_0$
: 开始时的温度，见 [[#2]]

$e^{-kt}$
: 衰减

**直觉**：越热凉得越快。
:::

## 记忆点

:::recall
茶为什么会凉？
: 因为 $T > T_{\text{室}}$。

  ![杯子](cup.svg)

水多热才好？ ^hot
: 看茶叶。
:::
"""
EN = r"""## Symbols {#symbols}

:::symbols Symbols
$\theta$
: the temperature in $\mathrm{K}$[^k]

$p'$
: a change

$p$
: the pressure
:::

[^k]: Kelvin.

## Formulas

:::formula Cooling {#eq-cool}
$$
\E[T] = T_0 e^{-kt} \label{cool}
$$

$T_0$
: the temperature at first, see [[#2]]

$e^{-kt}$
: decay

**Intuition**: what is hotter cools faster.
:::

## Memory points

:::recall
Why does tea cool?
: Because $T > T_{\text{room}}$.

  ![a cup](cup.svg)

How hot must water be? ^hot
: It depends on the leaf. ![leaf](leaf.png)
:::
"""
CUP = '<svg viewBox="0 0 40 20"><rect width="9" height="9" fill="#2457c5"/><text x="1" y="9">T</text></svg>'
FILES = {
    "notes_src/site.yaml": SITE,
    "notes_src/leaf/topic.yaml": "title: {zh: '叶::子', en: Leaf}\n",
    "notes_src/pot/topic.yaml": "title: {zh: 壶, en: Pot}\n",
    "notes_src/leaf/01_Cooling/note.yaml": "title: {zh: 凉, en: 'Cooling: why'}\ntags: [heat of tea]\n",
    "notes_src/leaf/01_Cooling/zh.md": ZH,
    "notes_src/leaf/01_Cooling/en.md": EN,
    "notes_src/leaf/01_Cooling/cup.svg": CUP,
    "notes_src/leaf/02_Water.md": "---\ntitle: {zh: 水, en: Water}\n---\n没有。\n",
}
EPOCH = 1_700_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write(tmp_path / "tea", FILES)
    (root / "notes_src/leaf/01_Cooling/leaf.png").write_bytes(png())
    for path in root.rglob("*"):
        os.utime(path, (EPOCH, EPOCH))
    return root


def rows(root: Path, *arguments: str) -> list[dict[str, str]]:
    """The cards as the table has them."""
    target = root / "out.tsv"
    done = paper_notes("cards", *arguments, "--format", "tsv", "--output", target, "--force", "--root", root)
    assert done.exit_code == 0, done.stderr
    head, lines = [], []
    for line in target.read_text("utf-8").splitlines(keepends=True):
        (head if line.startswith("#") else lines).append(line)
    assert head[:4] == ["#separator:tab\n", "#html:true\n", "#notetype:paper-notes\n", "#guid column:1\n"]
    names = head[-1].removeprefix("#columns:").rstrip("\n").split("\t")
    return list(csv.DictReader(lines, names, delimiter="\t"))


def kinds(cards: list[dict[str, str]]) -> list[str]:
    return [card["tags"].rpartition("kind::")[2] for card in cards]


def test_questions_symbols_formulas_and_their_lines_become_cards_in_both_languages(root: Path) -> None:
    cards = rows(root, "--kind", "every")
    assert kinds(cards) == [*["symbol"] * 3, "formula", "line", "line", "point", "point"]
    theta, _, _, cooling, first, _, why, hot = cards
    assert theta["Question"] == (  # the sign is the same in both languages, so it is there once
        '<div class="side" lang="zh-CN">在“凉”里，这个符号表示什么？</div>'
        r'<div class="side" lang="en">What does it stand for in “Cooling”?</div><div>\(\theta\)</div>'
    )
    assert theta["Answer"] == (
        r'<div class="side" lang="zh-CN">温度，单位 \(\mathrm{K}\)<sup>[1]</sup>'
        '<div class="footnotes">[1] <p>开尔文。</p></div></div>'
        r'<div class="side" lang="en">the temperature in \(\mathrm{K}\)<sup>[1]</sup>'
        '<div class="footnotes">[1] <p>Kelvin.</p></div></div>'
    )
    formula = r'<div class="math-block">\[\def\E{\mathbb{E}}\E[T] = T_0 e^{-kt}\]</div>'
    assert cooling["Question"].endswith(
        '“Cooling”:</div><div class="side" lang="zh-CN">冷却</div><div class="side" lang="en">Cooling</div>'
    )
    assert cooling["Answer"].startswith(f"<div>{formula}</div>")
    assert "越热凉得越快" in cooling["Answer"]
    assert first["Question"].endswith(rf"say?</div><div>{formula}</div><div>\(T_0\)</div>")
    assert '<a href="https://example.org/t/leaf/notes/02_Water.html">' in first["Answer"]
    assert r"\(T &gt; T_{\text{室}}\)" in why["Answer"]
    assert hot["Question"].endswith('<div class="side" lang="en">How hot must water be?</div>')
    assert why["Link"] == ('<a href="https://example.org/t/leaf/notes/01_Cooling.html#memory-points">leaf/#1 §3</a>')
    assert why["About"] == "凉 · Cooling"
    assert (why["deck"], why["tags"]) == ("茶::叶:子", "leaf heat_of_tea kind::point")
    assert " id=" not in json.dumps(cards)


def test_one_language_or_some_kinds_can_be_chosen_and_the_ids_stay(root: Path) -> None:
    every = {card["id"]: card for card in rows(root, "--kind", "every")}
    usual = rows(root)
    assert kinds(usual) == ["formula", "point", "point"]
    assert usual == [card for card in every.values() if card in usual]
    english = rows(root, "--lang", "en", "--kind", "every")
    assert [card["id"] for card in english] == list(every)
    assert english[-1]["Question"] == '<div class="side" lang="en">How hot must water be?</div>'
    assert (english[0]["deck"], english[0]["About"]) == ("Tea::Leaf", "Cooling")
    assert kinds(rows(root, "leaf/1", "--kind", "point", "--kind", "line")) == ["line", "line", "point", "point"]
    assert len(rows(root, "--topic", "leaf")) == len(usual)


def test_an_id_depends_on_what_is_asked_and_not_on_place_answer_punctuation_or_address(root: Path) -> None:
    before = {card["Question"]: card["id"] for card in rows(root, "--lang", "en")}
    note = root / "notes_src/leaf/01_Cooling"
    zh, en = ((note / name).read_text("utf-8") for name in ("zh.md", "en.md"))
    zh = zh.replace("茶为什么会凉？", "茶，为什么会凉?").replace("水多热才好", "水要几度").replace("看茶叶", "都行")
    zh = zh.replace("$p'$\n: 变化\n\n$p$\n: 压强", "$p$\n: 压力\n\n$p'$\n: 变化")
    en = en.replace("How hot must water be", "Which temperature").replace("Because", "As")
    en = en.replace("$p'$\n: a change\n\n$p$\n: the pressure", "$p$\n: force\n\n$p'$\n: change")
    write(note, {"zh.md": zh, "en.md": en})
    assert paper_notes("move", "leaf/1", "pot/7", "--root", root).exit_code == 0
    after = {card["Question"]: card["id"] for card in rows(root, "--lang", "en")}
    old, new = (
        f'<div class="side" lang="en">{words}?</div>' for words in ("How hot must water be", "Which temperature")
    )
    assert {new if question == old else question: name for question, name in before.items()} == after
    moved = (note.parents[1] / "pot/07_Cooling/zh.md").read_text("utf-8")
    write(note.parents[1] / "pot/07_Cooling", {"zh.md": moved.replace("茶，为什么会凉?", "茶怎么凉了？")})
    unknown = {card["id"] for card in rows(root)} - set(before.values())
    assert len(unknown) == 1, "a question in other words, without a name, is another card"


def test_a_question_that_only_one_language_has_is_a_card_in_it(root: Path) -> None:
    note = root / "notes_src/leaf/01_Cooling"
    en = (note / "en.md").read_text("utf-8")
    write(note, {"en.md": en.replace("How hot", "Which pot?\n: Clay.\n\nHow hot")})
    points = rows(root, "--kind", "point")
    assert [re.findall(r'lang="([^"]+)"', card["Question"]) for card in points] == [
        ["zh-CN"],
        ["zh-CN", "en"],  # known by its name
        ["en"],
        ["en"],
    ]


SIGN_OF = '在“一”里，这个符号表示什么？</div><div class="side" lang="zh-CN">{}'


def test_labelled_lines_of_plain_sections_become_cards_too(tmp_path: Path) -> None:
    """As notes from elsewhere have them: lines that begin with a label, definitions, rows of a table."""
    text = """**不算**：这里不是。

## 记忆要点 (Memory points)

:::card
[立场]{.pill} 先**看**再说\\
  还有一行\\
[公式]{.pill} $x = 1$
:::

- **坑：** 别漏
- 没有标签

数字
: 三

### 更细

**细节** · 也算。

## 符号表

| 符号 | 含义 | 单位 |
|---|---|---|
| $x$ | 长 | 米 |

$y$：高，$z$ 不算

`k` 不是符号

## 结尾

**也不算**：不是。
"""
    files = {
        "notes_src/site.yaml": "title: 笔记\nlanguages: [zh]\ntopics: [a]\n",
        "notes_src/a/topic.yaml": "title: 甲\n",
    }
    root = write(tmp_path, {**files, "notes_src/a/01_One.md": f"---\ntitle: 一\n---\n{text}"})
    found = [
        (card["tags"].partition("::")[2], card["Question"], card["Answer"]) for card in rows(root, "--kind", "every")
    ]
    words = [tuple(re.sub(r'^<div class="side" lang="zh-CN">|</div>$', "", part) for part in card) for card in found]
    assert words == [
        ("point", "数字", "三"),
        ("point", "立场", "先<strong>看</strong>再说<br/>\n还有一行"),
        ("point", "公式", r"\(x = 1\)"),
        ("point", "坑", "别漏"),
        ("point", "细节", "也算。"),
        ("symbol", SIGN_OF.format(r"\(x\)"), "长<br/>\n米"),
        ("symbol", SIGN_OF.format(r"\(y\)"), r"高，\(z\) 不算"),
    ]


def test_pictures_lie_beside_a_table_and_the_markdown_is_for_people(root: Path) -> None:
    target = root / "cards.md"
    assert paper_notes("cards", "--format", "markdown", "--output", target, "--root", root).exit_code == 0
    text = target.read_text("utf-8")
    assert "### [凉 · Cooling](https://example.org/t/leaf/notes/01_Cooling.html)" in text
    assert "$$\\E[T] = T_0 e^{-kt}$$" in text
    assert "> 因为 $T > T_{\\text{室}}$。" in text
    shown = re.findall(r"!\[([^\]]*)\]\(cards\.media/([^)]+)\)", text)
    assert [words for words, _ in shown] == ["杯子", "a cup", "leaf"]
    kept = {path.name: path.read_bytes() for path in (root / "cards.media").iterdir()}
    assert set(kept) == {name for _, name in shown}
    drawn = next(data for name, data in kept.items() if name.endswith(".svg"))
    assert b'fill="#2457c5"' in drawn
    assert b"var(" not in drawn
    again = paper_notes("cards", "--format", "markdown", "--output", target, "--root", root)
    assert again.exit_code == 0, "nothing has changed"
    target.write_text("mine", "utf-8")
    assert paper_notes("cards", "--format", "markdown", "--output", target, "--root", root).exit_code == 1
    assert target.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--topic", "cups"), 'no topic "cups"'),
        (("--lang", "fr"), 'the site has no language "fr"'),
        (("leaf/9",), 'no note "leaf/9" in topic "leaf"'),
        (("leaf/2",), "there is nothing to remember in these notes"),
    ],
)
def test_what_cannot_be_made_is_named(root: Path, arguments: tuple[str, ...], said: str) -> None:
    done = paper_notes("cards", *arguments, "--output", root / "x.apkg", "--root", root)
    assert done.exit_code == 1
    assert said in done.stderr
    assert "hint: " in done.stderr
    assert not (root / "x.apkg").exists()


def test_macros_that_mathjax_lacks_are_defined_where_they_are_used() -> None:
    """All of ours were tried with MathJax 3.2.2, which Anki has: it knows those that get no definition here."""
    known = set("mbox pmb substack dotsb dotsc dotsm dotsi dotso smash hbox thicksim thickapprox strut".split())
    for name, inside in MACROS.items():
        made = definitions(rf"x\{name}_2")
        assert (made == "") is (name in known), name
        assert not made or made.endswith(f"{{{inside}}}"), name
    assert definitions(r"\E[\abs{x}] + \E") == r"\def\E{\mathbb{E}}\def\abs#1{\left\lvert #1\right\rvert}"
    assert definitions(r"\Earth") == ""
    assert definitions(r"\argmin_x \bm{x} \eqdef \tg") == (
        r"\def\argmin{\operatorname*{arg\,min}}\def\bm#1{\boldsymbol{#1}}\def\eqdef{≝}\def\tg{\operatorname{tg}}"
    )


def packed(root: Path, *arguments: str) -> Path:
    target = root / "cards.apkg"
    done = paper_notes("cards", *arguments, "--force", "--output", target, "--root", root, "--json")
    assert done.exit_code == 0, done.stderr
    return target


class Anki:
    """A collection of Anki, and what an import says."""

    def __init__(self, folder: Path) -> None:
        from anki.collection import Collection

        self.collection = Collection(str(folder / "collection.anki2"))

    def take_in(self, package: Path) -> dict[str, int]:
        from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

        request = ImportAnkiPackageRequest(package_path=str(package), options=ImportAnkiPackageOptions())
        log = self.collection.import_anki_package(request).log
        return {name: len(getattr(log, name)) for name in ("new", "updated", "duplicate", "conflicting")}

    def read_table(self, root: Path) -> None:
        from anki.collection import ImportCsvRequest

        model = self.collection.models.new("paper-notes")
        for name in ("Question", "Answer", "About", "Link"):
            self.collection.models.add_field(model, self.collection.models.new_field(name))
        template = self.collection.models.new_template("Card")
        template["qfmt"], template["afmt"] = "{{Question}} {{About}}", "{{Answer}} {{Link}}"
        self.collection.models.add_template(model, template)
        self.collection.models.add(model)
        rows(root, "--kind", "every")
        table = str(root / "out.tsv")
        metadata = self.collection.get_csv_metadata(table, None)
        self.collection.import_csv(ImportCsvRequest(path=table, metadata=metadata))

    def notes(self) -> dict[str, Any]:
        found = (self.collection.get_note(number) for number in self.collection.find_notes(""))
        return {note.guid: note for note in found}


@pytest.fixture
def anki(tmp_path: Path) -> Iterator[Anki]:
    one = Anki(tmp_path)
    yield one
    one.collection.close()


@pytest.mark.nightly
def test_anki_takes_in_the_package_and_keeps_the_schedule_of_changed_cards(root: Path, anki: Anki) -> None:
    table = rows(root, "--kind", "every")
    assert anki.take_in(packed(root, "--kind", "every")) == {"new": 8, "updated": 0, "duplicate": 0, "conflicting": 0}
    notes = anki.notes()
    assert set(notes) == {row["id"] for row in table}
    for row in table:
        note = notes[row["id"]]
        assert dict(note.items()) == {name: row[name] for name in ("Question", "Answer", "About", "Link")}
        assert sorted(note.tags) == sorted(row["tags"].split())
        (card,) = note.cards()
        assert anki.collection.decks.name(card.did) == row["deck"]
        assert row["Question"] in card.question()
    assert {note.mid for note in notes.values()} == {1_607_392_001}, "people's collections know the cards by it"
    assert table[0]["id"] == "pnd2f23b049014572278"
    pictures = {name for row in table for name in re.findall(r'src="([^"]+)"', row["Answer"])}
    assert len(pictures) == 2  # the drawing is the same in both languages
    assert pictures == set(os.listdir(anki.collection.media.dir()))

    why = notes[table[6]["id"]].cards()[0]
    why.type = why.queue = 2
    why.ivl, why.reps, why.due = 40, 7, 99
    anki.collection.update_card(why)
    text = root / "notes_src/leaf/01_Cooling/en.md"
    write(text.parent, {"en.md": text.read_text("utf-8").replace("Because", "Simply because")})
    os.utime(text, (EPOCH + 60, EPOCH + 60))
    assert anki.take_in(packed(root, "--kind", "every")) == {"new": 0, "updated": 8, "duplicate": 0, "conflicting": 0}
    after = anki.notes()
    assert after.keys() == notes.keys()
    assert "Simply because" in after[table[6]["id"]]["Answer"]
    kept = after[table[6]["id"]].cards()[0]
    assert (kept.id, kept.type, kept.ivl, kept.reps, kept.due) == (why.id, 2, 40, 7, 99)
    assert anki.take_in(packed(root, "--kind", "every")) == {"new": 0, "updated": 0, "duplicate": 8, "conflicting": 0}


PLAYED = {
    "a sound": "[sound:http://evil.example/a.mp3]",
    "speech": "[anki:tts lang=en_US voices=x]words[/anki:tts]",
    "a sound by its number": "[anki:play:q:0]",
    "LaTeX": "[latex]\\input{/etc/passwd}[/latex] [LaTeX]x[/LaTeX]",
    "LaTeX in a line": "[$]x[/$] [$$]y[/$$]",
    "words that hide": "{{c1::hidden::hint}}",
    "a field": "{{FrontSide}} {{Question}} {{#About}}x{{/About}}",
    "a formula": "\\(x\\) \\[y\\]",
    "a link in a formula": "\\(\\href{javascript:pwned=1}{x}\\) \\[\\require{html}\\style{color:red}{x}\\]",
}
"""What Anki would act on, as words."""


def as_anki_shows(field: str) -> str:
    """The words of a field, but for formulas: those that MathJax finds, which joins what `<wbr>` divides."""
    return re.sub(
        r"\\\(.*?\\\)|\\\[.*?\\\]", "", unescape(re.sub("<[^>]*>", "\0", re.sub("<wbr/?>", "", field)))
    ).replace("\0", "")


@pytest.mark.nightly
@pytest.mark.parametrize("form", ["apkg", "tsv"])
def test_words_that_are_syntax_to_anki_are_shown_as_written(tmp_path: Path, anki: Anki, form: str) -> None:
    """In a question, an answer, a note's title, which link and title show, an attribute, code, and in a formula."""
    points = [
        f"Why **{name}**? {escaped} `{written}`\n: As {escaped} see [[#1]] and [x](https://a.example/ '{escaped}')\n"
        for name, written in PLAYED.items()
        for escaped in [re.sub(r"[\\\[\](){}$]", lambda sign: f"&#{ord(sign[0])};", written)]
    ]
    points.append("<bdi>\\\\<wbr>(x\\\\<wbr>)</bdi>\n: $\\text{[sound:x.mp3]}$ and $$[sound:x.mp3]$$ and ${{c1::x}}$\n")
    title = json.dumps(" ".join(PLAYED.values()))
    files = {
        "notes_src/site.yaml": "title: '[sound:a.mp3]'\nlanguages: [en]\ntopics: [t]\nbase_url: https://example.org/\n",
        "notes_src/t/topic.yaml": "title: '{{Question}}'\n",
        "notes_src/t/01_N.md": f"---\ntitle: {title}\n---\n:::recall\n" + "\n".join(points) + ":::\n",
    }
    root = write(tmp_path / "notes", files)
    if form == "apkg":
        anki.take_in(packed(root))
    else:
        anki.read_table(root)
    notes = anki.notes().values()
    assert len(notes) == len(points)
    seen = {}
    for note in notes:
        (card,) = note.cards()
        shown = card.render_output()
        assert (shown.question_av_tags, shown.answer_av_tags) == ([], [])
        assert anki.collection._backend.cloze_numbers_in_note(note._to_backend_note()) == []
        for html in (shown.question_text, shown.answer_text):
            assert "[anki:" not in html
            assert not anki.collection._backend.extract_latex(text=html, svg=False, expand_clozes=False).latex
        seen[as_anki_shows(note["Question"])] = as_anki_shows(note["Answer"])
    for name, written in PLAYED.items():
        answer = seen[f"Why {name}? {written} {written}"]
        assert answer.startswith(f"As {written} see ")
        assert "#1 [sound and x" in answer
    assert r"\(x\)" in seen


def test_the_same_notes_give_the_same_bytes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = packed(root).read_bytes()
    assert packed(root).read_bytes() == first
    os.utime(root / "notes_src/leaf/01_Cooling/en.md", (EPOCH + 60, EPOCH + 60))
    assert packed(root).read_bytes() != first
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(EPOCH))
    assert packed(root).read_bytes() == first


@pytest.mark.parametrize("epoch", ["9" * 5_000, "9" * 20, "²", "-1", ""])
def test_a_time_that_is_none_says_nothing(root: Path, monkeypatch: pytest.MonkeyPatch, epoch: str) -> None:
    first = packed(root).read_bytes()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert packed(root).read_bytes() == first


def test_without_genanki_only_packages_are_impossible(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = paper_notes("cards", "--output", root / "x.apkg", "--root", root)
    assert done.exit_code == 1
    assert "`paper-notes doctor` has the line that installs it" in done.stderr
    monkeypatch.undo()
    assert rows(root)
