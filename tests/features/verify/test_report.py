"""Quotations, sentences that a person has to check, languages that differ, and facts of the bibliography."""

from __future__ import annotations

from functools import cache
from pathlib import PurePosixPath

import making_pdfs
import pytest
from building import said
from running import paper_notes, write

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.bibliography import facts, same_venue
from paper_notes.features.verify.differences import differences
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.paper import read_passages
from paper_notes.features.verify.quotations import claims, quotations
from paper_notes.features.verify.statements import read_statements
from paper_notes.values import replace

KEY = BibKey("lu760tea")


@cache
def index() -> PaperIndex:
    return PaperIndex(read_passages(making_pdfs.results()))


def text_of(text: str, lang: str = "en") -> NoteText:
    return NoteText(Lang(lang), PurePosixPath(f"{lang}.md"), text)


@pytest.mark.parametrize(
    ("quotation", "found"),
    [
        ("We brew every leaf that we can find, with care, in cold water.", True),
        ("we brew every leaf-that we can ﬁnd", True),  # letters count: neither hyphens, ligatures nor spaces
        ("We brew every leaf … in cold water.", True),
        ("in cold water … We brew every leaf", False),  # fragments are in order
        ("We brew every leaf in cold water.", False),
        ("We boil every leaf that we can find.", False),
    ],
)
def test_a_quotation_is_word_for_word_but_for_what_is_left_out(quotation: str, found: bool) -> None:
    text = text_of(f":::quote [@lu760tea]\n{quotation}\n:::\n")
    problems = list(quotations(read_statements(text), text, {KEY: index()}))
    assert (not problems) is found


def test_words_in_quotes_are_looked_for_only_where_a_citation_follows() -> None:
    for written, wrong in (
        ('They say "we brew all leaves in very hot water" [@lu760tea].', True),
        ('They say "we brew every leaf that we can find" [@lu760tea].', False),
        ('I call it "the way of all the lazy tea people" here.', False),
    ):
        text = text_of(written)
        assert bool(list(quotations(read_statements(text), text, {KEY: index()}))) is wrong, written


def test_a_quotation_of_a_paper_that_is_not_at_hand_is_let_be() -> None:
    text = text_of(":::quote [@other]\nNobody has these words at hand.\n:::\n")
    assert not list(quotations(read_statements(text), text, {KEY: index(), BibKey("other"): None}))


def test_sentences_that_no_search_can_check_are_listed() -> None:
    text = "It scores 71.2. Only green tea does. The paper does not state the cost; it is the first one.\n\nAll good."
    assert [said for _, said in claims(read_statements(text_of(text)))] == [
        "Only green tea does.", "The paper does not state the cost;", "it is the first one.", "All good.",
    ]  # fmt: skip
    text = "得 71.2 分。只有绿茶如此。论文没有说明花费，从不提及。"
    assert [said for _, said in claims(read_statements(text_of(text, "zh")))] == [
        "只有绿茶如此。", "论文没有说明花费，从不提及。",
    ]  # fmt: skip


def differing(zh: str, en: str) -> str:
    texts = {Lang("zh"): text_of(zh, "zh"), Lang("en"): text_of(en)}
    sections = {lang: {"lead": read_statements(text)} for lang, text in texts.items()}
    return said(differences(sections, texts))


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("得 71.2 分，约 2.6 万次。", "It scores 71.2, with 26K cups."),
        ("六成到八成的茶。", "60–80% of the tea."),
        ("五十次，快 2 倍。", "Fifty times, twice as fast."),
        ("$x^2+1=3$", "$x^2+1=3$"),
        ("$$\nx^2+1=3\n$$", "$$\nx^2 + 1 = 3\n$$"),
        ("[好]{.good}，见 [@lu760tea]。", "[good]{.good}, see [@lu760tea]."),
        ("EAGLE-3 与 7B。", "EAGLE-3 and 7B."),
        ("148 毫秒，多 14.5 个百分点，128K token。", "148 ms, 14.5 points more, 128K tokens."),
        ("快 2.4 倍，用 35 步；表 12 有。", "2.4x as fast, in 35 steps; Table 12 has it."),
        ("Oolong 得 41.5，Sencha 得 52.6。", "Sencha gets 52.6. Oolong gets 41.5."),
        ("RL 得 41.5（表 3）。", "It scores 41.5 (Table 3)."),
        ("GRPO 的 Reward 得 41.5。", "Reward of 41.5, GRPO has. The reward grows."),
        ("五个里有三个更好；第一四分位是 0.4。", "Three of five are better. The 1st quartile is 0.4."),
        ("花一千万 token 以上。", "Ten million tokens or more."),
        ("差距为 0.5 分。", "The gap is −0.5."),
        ("还有至少 784 行。", "At least 784 lines more."),
        ("arma 钟面上 7.76 s，处理器用了 25.69 s。", "arma uses 25.69 s of processor for 7.76 s on the clock."),
        ("93.4% 与 96.6% 的差距不大。", "The gap between 96.6% and 93.4% is small."),
        ("有两三个想法；发表的是二，正确的是六。", "Two or three ideas; it is two and the correct one six."),
        ('在 [3.0]{from="2*1.5"}–[3.2×]{from="1.6*2"}。', "Between 3.0 and 3.2×."),
        ("见 §4.2，有三分之一。", "See Table 2, a third."),
        ("$\\alpha=0.65$ 时是 2.86，$\\beta=0.53$ 时是 2.13。", "2.86 at $\\alpha=0.65$, 2.13 at $\\beta=0.53$."),
    ],
)
def test_two_languages_that_say_the_same_do_not_differ(zh: str, en: str) -> None:
    assert differing(zh, en) == ""


@pytest.mark.parametrize(
    "block",
    [
        "| model | score |\n|---|---|\n| one | 41.5 |\n| two | 52.6 |\n| three | 63.7 [@lu760tea] |\n",
        "- It needs 4.1 GB.\n- It takes 312 hours, $x^2=3$.\n",
        "A paragraph with 41.5 points [@lu760tea], and 52.6 points.",
    ],
)
def test_a_block_that_one_language_lacks_is_one_warning(block: str) -> None:
    shared = "得 71.2 分。", "It scores 71.2."
    for zh, en in ((shared[0], f"{shared[1]}\n\n{block}"), (f"{shared[0]}\n\n{block}", shared[1])):
        told = differing(zh, en)
        assert told.count("[languages-differ]") == told.count("warning") == 1, told
        assert ".md:3:1: warning" in told, told
        assert "has nothing like this block" in told, told


def test_a_wrong_number_is_no_block_that_is_lacking() -> None:
    told = differing("得 71.2 分。\n\n多 3.5 分。", "It scores 72.1.\n\nThat is 3.5 more.")
    assert told.count("error[languages-differ]") == 2, told


@pytest.mark.parametrize(
    ("zh", "en", "told"),
    [
        ("得 71.2 分。", "It scores 72.1.", ['zh.md:1:3: error[languages-differ]: "71.2"', 'en.md:1:11: error']),
        ("$x^2=3$", "$x^2=4$", ["the formulas of section", "only in zh: x^2=3; only in en: x^2=4"]),
        ("$$\nx^2=3\n$$", "$$\nx^2=4\n$$", ["the formulas of section", "only in zh: x^2=3; only in en: x^2=4"]),
        ("见 [@lu760tea]。", "See it.", ["the references of section", "only in zh: lu760tea"]),
        ("[好]{.good}", "[good]{.bad}", ["the verdicts of section"]),
        ("要 148 毫秒。", "It takes 148 s.", ['zh.md:1:3: warning[languages-differ]: "148 ms" is "148 s"', "en.md:1"]),
        ("要 128K 个 token。", "It takes 128M tokens.", ['"128K tokens" is "128M tokens" in en.md:1']),
        ("高 14.5 个百分点。", "It is 14.5% higher.", ['"14.5 points" is "14.5%"']),
        (
            "Oolong 比 Sencha 高 5.2 分。\n\nMatcha 没有。",
            "Oolong beats Matcha by 5.2 points.\n\nNo Sencha here.",
            ["zh.md:1:1: warning", '"Sencha" is "Matcha" in en.md:1', '"Matcha" is "Sencha" in zh.md:1'],
        ),
        ("五个里有三个更好，用了 5 次。", "Four of five are better, in 5 runs.", ['"3" is "4" in en.md:1']),
        ("训练 6 轮，$6\\times 10^{-4}$。", "Trained for eight rounds, $6\\times 10^{-4}$.", ['"6" is "8" in en.md:1']),
        ("见表 2，得 41.5。", "See Table 3: 41.5.", ['"Table 2" is "Table 3" in en.md:1']),
        ("偏差为 −0.0100。", "The bias is 0.0100.", ['"-0.0100" is "0.0100" in en.md:1']),
        ("错误率从 47.4% 压到 75.5%。", "It raises the error from 47.4% to 75.5%.", ['"错误率从 47.4% 压到 75.5%" is']),
        ("有四个和三个水平。", "It has three and three levels.", ['"4" is "3" in en.md:1', '"3" is "4" in zh.md:1']),
        ("约为两倍。", "It is about three times as much.", ['"2" is "3" in en.md:1']),
        ("用 2.67 GHz 的机器。", "On a machine with 2.67 MHz.", ['"2.67 GHz" is "2.67 MHz" in en.md:1']),
        ("输了 500 ml 血。", "They lost 500 l of blood.", ['"500 ml" is "500 l" in en.md:1']),
        ("原文 60.3%，重排 88.9%。", "88.9% as it is, 60.3% sorted.", ['"60.3, 88.9" is "88.9, 60.3" in en.md:1']),
    ],
)  # fmt: skip
def test_a_difference_is_told_with_both_places(zh: str, en: str, told: list[str]) -> None:
    shown = differing(zh, en)
    assert all(part in shown for part in told), shown
    assert "zh.md:1" in shown
    assert "en.md:1" in shown


def test_cells_are_compared_with_those_at_the_same_place() -> None:
    told = differing(
        "| a | b |\n|---|---|\n| 1.5 | 2.5 |\n| 3.5 | 4.5 |\n",
        "| a | b |\n|---|---|\n| 3.5 | 2.5 |\n| 1.5 | 4.5 |\n",
    )
    assert 'zh.md:3:1: warning[languages-differ]: "1.5" is "3.5" in en.md:3' in told
    assert 'en.md:4:1: warning[languages-differ]: "1.5" is "3.5" in zh.md:4' in told


def test_words_of_labels_that_go_together_elsewhere_are_told_where_they_do_not() -> None:
    rows = {"固定": "constant", "可变": "variable"}
    zh = "".join(f"{word}删失下好，{at}.5。\n\n" for at in range(1, 5) for word in rows)
    en = "".join(f"With {word} censoring it is good, {at}.5.\n\n" for at in range(1, 5) for word in rows.values())
    zh += "| 删失 | 偏差 |\n|---|---|\n| 固定 | 1.5 |\n| 可变 | 2.5 |\n"
    en += "| censoring | bias |\n|---|---|\n| constant | 1.5 |\n| variable | 2.5 |\n"
    assert differing(zh, en) == ""
    told = differing(zh, en.replace("With constant", "With variable", 1))
    assert 'en.md:1:1: warning[languages-differ]: "variable" is "固定" in zh.md:1' in told
    assert told.count("[languages-differ]") == 2, told
    without_tables = (text.partition("|")[0] for text in (zh, en.replace("With constant", "With variable", 1)))
    assert differing(*without_tables) == ""  # words that are no labels go together by chance


def test_the_bibliography_is_compared_with_page_one(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from paper_notes.corpus.load import load
    from paper_notes.sources.tree import read_tree

    bib = "@misc{lu760tea, title={The Classic of Tea}, author={Lu, Yu and Wang, Wei}, year={760}, version={2}}\n"
    write(tmp_path, {"notes_src/site.yaml": "title: T\ntopics: []\n", "notes_src/library.bib": bib})
    corpus, _ = load(read_tree(tmp_path)[0])
    assert corpus
    paper = corpus.papers[KEY]
    assert "does not name Wei Wang" in said(facts(paper, index(), "The Classic of Tea", None))
    assert "is not that of its PDF" in said(facts(replace(paper, title="Coffee and Cocoa"), index(), "The Classic", 1))
    published = PaperIndex(replace(index().passages, first="Yu Lu. Proceedings of the 3rd Tea Conference, 2023."))
    assert "is of 2022, page 1 of its PDF says 2023" in said(
        facts(replace(paper, year=2022, venue="Tea Conference", authors=paper.authors[:1]), published, "", None)
    )
    preprint = replace(paper, year=2022, venue="", authors=paper.authors[:1])
    assert said(facts(preprint, published, "", None)) == ""
    told = said(facts(replace(paper, version=2, authors=paper.authors[:1]), index(), "The Classic of Tea", 1))
    assert 'the entry of "lu760tea" is of v2, its PDF is v1' in told


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize(
    "text",
    ["9" * 5000 + ".5", "$" + "{" * 300 + "1=2$", "1" + "+1" * 3000 + " = 3", "| 1 |\n|---|\n" + "| 2.5 |\n" * 400,
     "Table " + "1, " * 2000, "(" * 500 + "=7", "1.5e999999 = 2", "\\frac" * 400 + "=1.5"],
)  # fmt: skip
def test_no_text_stops_it_or_takes_long(text: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    write(tmp_path, {
        "notes_src/site.yaml": "title: T\nlanguages: [en]\ntopics: [tea]\n",
        "notes_src/library.bib": "@misc{lu760tea, title={The Classic of Tea}, author={Lu, Yu}, year={1760}}\n",
        "notes_src/tea/topic.yaml": "title: Tea\n",
        "notes_src/tea/01_Green/note.yaml": "title: Green\npapers: [lu760tea]\n",
        "notes_src/tea/01_Green/en.md": text + "\n",
    })  # fmt: skip
    (tmp_path / "notes_src/pdfs").mkdir()
    (tmp_path / "notes_src/pdfs/lu760tea.pdf").write_bytes(making_pdfs.results())
    done = paper_notes("verify", "--keep", "--root", tmp_path)
    assert done.exit_code in (0, 1), done.output
    assert "Traceback" not in done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)


@pytest.mark.parametrize(
    ("printed", "entry", "same"),
    [
        ("Proceedings of the 40 th International Conference on Machine Learning, Honolulu, 2023", "ICML", True),
        ("Published as a conference paper at COLM 2025", "Conference on Language Modeling", True),
        ("Proceedings of the 37th Conference on Neural Information Processing Systems 2023", "NeurIPS", True),
        ("Published in Transactions on Machine Learning Research 2024", "TMLR", True),
        ("Published as a conference paper at ICLR 2025", "Proceedings of ICLR", True),
        ("Published as a conference paper at ICLR 2025", "ICML", False),
        ("Published as a conference paper at ICLR 2025", "Advances in Neural Information Processing Systems", False),
        ("Proceedings of the AAAI Conference on Artificial Intelligence 2024", "World Wide Web Conference", False),
    ],
)
def test_a_venue_is_the_same_in_short_and_in_full(printed: str, entry: str, same: bool) -> None:
    assert same_venue(printed, entry) == same
