"""Sentences of a translation that are lost, invented or turned into their contrary; and true ones that pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_model import FakeModel
from running import paper_notes
from tea_notes import BREWING_EN, KNOWN, TERMS, asked_for, between, collection, translator

from paper_notes.features.drafting.asking import Checked
from paper_notes.features.drafting.prompts import lines_around
from paper_notes.features.drafting.translate import TranslationJob, check
from paper_notes.languages.language import BUILT_IN_WORDS
from paper_notes.languages.text import Lang

ZH = """\
## 味道 {#taste}

我不相信绿茶更苦。评审喝了五种茶，只有一种加了糖。泡得越久，苦味可能上升，香气下降到 40%。每杯等 3 ms，接受率 0.81。

这里的分数都由两位评审各自打出，再取平均。详见 [它的主页](https://example.org/a) 和公式 $x+y$。

| 茶 | 分 |
|---|---|
| 绿茶 | 0.5 | 评审说很淡，0.7 分
"""
EN = """\
## Taste {#taste}

I do not believe that green tea is more bitter. The judges drank five teas, of which only one had sugar. The longer \
it brews, the more its bitterness may rise, while the scent drops to 40%. Each cup takes 3 ms; acceptance rate 0.81.

All these scores were given by two judges independently, and then averaged. See [its page](https://example.org/a) and \
the formula $x+y$.

| tea | points |
|---|---|
| green | 0.5 | rather thin, say the judges, 0.7 points
"""
PLANTED = {
    "negation dropped": ("I do not believe", "I believe", "the original says no, the translation does not"),
    "negation added": ("scores were given", "scores were not given", "the translation says no"),
    "number word": ("five teas", "four teas", "a number in words is another one: 5 became 4"),
    "digit": ("0.81", "0.18", "a number is missing or changed: 0.81"),
    "unit": ("3 ms", "3 s", "the unit of 3 was ms and is s"),
    "percent lost": ("40%", "40", "the unit of 40 was % and is none"),
    "sentence lost": (" The judges drank five teas, of which only one had sugar.", "", "is missing or shortened"),
    "sentence invented": (
        "then averaged.",
        "then averaged. Nobody else in the whole field has ever measured tea with so much care before.",
        "a sentence is new or longer",
    ),
    "term": ("acceptance rate", "approval share", 'the glossary says "acceptance rate" for "接受率"'),
    "direction": ("the scent drops to", "the scent rises to", "says that something rises"),
    "tail of a row": (" | rather thin, say the judges, 0.7 points", " |", "it ends before the block `paragraph p`"),
    "tail of a row changed": ("0.7 points", "0.9 points", "a number is missing or changed: 0.7"),
    "formula": ("$x+y$", "$x-y$", 'a formula is missing or changed: "x+y"'),
    "link": ("[its page](https://example.org/a)", "its page", 'a link is missing or changed: "https://example.org/a"'),
    "hedge": ("bitterness may rise", "bitterness rises", "leaves it open whether it is so"),
    "only": ("of which only one", "of which some", "says that it is only this"),
}  # fmt: skip


def checked(answer: str, source: str = ZH, *, lines: bool = True) -> Checked[object]:
    job = TranslationJob("taste", (Lang("zh"), Lang("en")), source, "0123456789")
    opening, closing = lines_around(source)
    return check(job, TERMS, BUILT_IN_WORDS, f"{opening}\n{answer}\n{closing}" if lines else answer)


def test_a_true_translation_passes_without_a_doubt() -> None:
    result = checked(EN)
    assert (result.findings, result.doubts) == ((), ())
    back = TranslationJob("taste", (Lang("en"), Lang("zh")), EN, "0123456789")
    result = check(back, TERMS, BUILT_IN_WORDS, ZH)
    assert (result.findings, result.doubts) == ((), ())


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_mistake_is_told(kind: str) -> None:
    old, new, words = PLANTED[kind]
    assert EN.count(old) == 1
    result = checked(EN.replace(old, new))
    assert [finding for finding in (*result.findings, *result.doubts) if words in finding], result


def test_sentences_may_be_merged_and_split_but_not_lost() -> None:
    zh = "模型先写草稿，再由目标模型验证。接受的直接采用，被拒的重采一个。每轮至少产出一个 token。"
    whole = (
        "The model drafts first, and the target model verifies. What is accepted is used as it is, and what is "
        "rejected is resampled. Each round yields at least one token."
    )
    merged = whole.replace("verifies. What", "verifies, so that what")
    split = whole.replace(", and the target", ". Then the target")
    for text in (whole, merged, split):
        result = checked(text, zh)
        assert (result.findings, result.doubts) == ((), ()), text
    lost = "The model drafts first, and the target model verifies. Each round yields at least one token."
    assert "a sentence of the original is missing or shortened" in checked(lost, zh).findings[0]


DRAWING = """\
```mermaid 一轮 {#fig-round}
flowchart TD
  A[先猜五个] -->|是| B("再验 2 次")
  click A "https://example.org/a"
```

```vega-lite 曲线
{"mark": "line", "encoding": {"x": {"field": "a", "title": "接受率 α"}}}
```"""
DRAWN = (
    DRAWING.replace("一轮", "One round").replace("先猜五个", "guess five").replace("是", "yes")
    .replace("再验 2 次", "verify 2 times").replace("曲线", "Curve").replace("接受率 α", "acceptance rate α")
)  # fmt: skip


def test_words_in_drawings_that_are_code_are_translated_and_nothing_else_of_them() -> None:
    assert checked(DRAWN, DRAWING).findings == ()
    for old, new, words in (
        ("-->", "---", "a piece of code is missing or changed"),
        ('"field": "a"', '"field": "b"', "a piece of code is missing or changed"),
        ("example.org/a", "evil.example", "a piece of code is missing or changed"),
        ("guess five", "guess <a href=x>five</a>", "a piece of code is missing or changed"),
        ("guess five", "see www.evil.example", "address www.evil.example"),
        ("2 times", "3 times", "a number is missing or changed: 2"),
        ("guess five", "guess four", "a number in words is another one: 5 became 4"),
    ):
        assert DRAWN.count(old) == 1
        assert any(words in finding for finding in checked(DRAWN.replace(old, new), DRAWING).findings), (old, new)


@pytest.mark.parametrize("fence", ["", "```", "```markdown"])
def test_a_good_answer_needs_no_lines_around_it(fence: str) -> None:
    answer = f"{fence}\n{EN}\n```" if fence else EN
    assert checked(answer, lines=False).value is not None
    assert checked(answer.replace("0.81", "0.18"), lines=False).findings[0].startswith("the translation is not between")


def test_a_polite_word_is_no_translation_of_a_plain_sentence() -> None:
    polite = "I am sorry, but this is a thing that I will do for you later today."
    assert (
        "is not between one line"
        in checked(polite, "今天晚些时候，我会为你做这件事，请你多多包涵。", lines=False).findings[0]
    )


def test_what_is_doubted_is_asked_about_once_then_written_and_said(model: FakeModel, tmp_path: Path) -> None:
    root = collection(tmp_path / "tea")
    doubtful = BREWING_EN.replace("Do not forget", "Perhaps do not forget")
    model.reply = lambda messages: (
        translator(messages)
        if asked_for(messages) not in KNOWN or "怎样泡" not in asked_for(messages)
        else between(messages, doubtful)
    )
    result = paper_notes("translate", "tea/1", "brewing", "--root", root)
    assert result.exit_code == 0, result.stderr
    assert len(model.questions) == 2
    assert "leave what is right as it is" in model.questions[1]["messages"][-1]["content"]
    assert "en.md: brewing: look at this when you read it:\n  - the translation leaves it open" in result.stderr
    assert "Perhaps do not forget" in (root / "notes_src/tea/01_Brewing/en.md").read_text("utf-8")
