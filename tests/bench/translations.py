"""How well answers of `paper-notes translate` are judged: true translations that are refused, mistakes that pass.

    python tests/bench/translations.py [ROOT] [--seed 28] [--refused] [--missed]

Both languages of the notes at ROOT were written by people. They are taken paragraph by paragraph, each as if it were a
model's translation of the other, in both directions; pairs whose code differs are left out, as a model keeps code. What
is refused is a false refusal; what is doubted is sent back once, and then written and said. Then mistakes of twelve
kinds are planted, one at a time, into paragraphs that passed without a doubt.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from paper_notes.commands.collection import load_collection
from paper_notes.corpus.model import Corpus, Lang
from paper_notes.diagnostics import Location
from paper_notes.features.drafting.applying import spans_of
from paper_notes.features.drafting.prompts import lines_around
from paper_notes.features.drafting.translate import TranslationJob, check
from paper_notes.features.verify.sentences import sentences
from paper_notes.markdown.render import render_body
from paper_notes.markdown.short_texts import read_short

PROJECT = Path(__file__).resolve().parents[2]
ZH, EN = Lang("zh"), Lang("en")
EACH = 120
"""Mistakes of a kind that are planted."""


@dataclass(frozen=True)
class Pair:
    """A paragraph, list, table or box in one language, and its translation in the other."""

    where: str
    langs: tuple[Lang, Lang]
    source: str
    translation: str


def pairs_of(corpus: Corpus) -> Iterator[Pair]:
    """The pairs of all notes in two languages, in both directions; not those of sections with other blocks."""
    words = corpus.site.words
    for note in corpus.notes:
        if len(note.texts) < 2:
            continue
        spans = spans_of(note, render_body(note, words=words), words)
        zh, en = ({span.id: span.text for span in spans[lang]} for lang in (ZH, EN))
        for section in [name for name in zh if name in en]:
            blocks = [_blocks(zh[section], ZH, corpus), _blocks(en[section], EN, corpus)]
            if [kind for kind, _ in blocks[0]] != [kind for kind, _ in blocks[1]]:
                continue
            for number, ((_, chinese), (_, english)) in enumerate(zip(*blocks, strict=True), 1):
                where = f"{note.id} {section} {number}"
                yield Pair(where, (ZH, EN), chinese, english)
                yield Pair(where, (EN, ZH), english, chinese)


def _blocks(text: str, lang: Lang, corpus: Corpus) -> list[tuple[str, str]]:
    """The blocks of a section that are in no other one, with their kinds."""
    lines = text.split("\n")
    where = Location(PurePosixPath("text.md"))
    blocks, done = [], 0
    for token in read_short.__wrapped__(text, lang, where, corpus.site.words).tokens:
        if token.level == 0 and token.nesting >= 0 and token.map and token.map[0] >= done:
            done = token.map[1]
            blocks.append((token.type, "\n".join(lines[slice(*token.map)])))
    return blocks


def judged(pair: Pair, corpus: Corpus, answer: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Why an answer is refused, and what is doubted in it."""
    job = TranslationJob("x", pair.langs, pair.source, "0123456789")
    opening, closing = lines_around(pair.source)
    checked = check(job, corpus.terms, corpus.site.words, f"{opening}\n{answer}\n{closing}")
    return checked.findings, checked.doubts


def _replaced(*changes: tuple[str, str]) -> Callable[[str, random.Random], str]:
    """Makes one of these changes at one place; patterns with spaces around words are English."""

    def plant(text: str, dice: random.Random) -> str:
        places = [(match, new) for old, new in changes for match in re.finditer(old, text)]
        if not places:
            return text
        match, new = dice.choice(places)
        return text[: match.start()] + match.expand(new) + text[match.end() :]

    return plant


def _digit(text: str, dice: random.Random) -> str:
    places = [match for match in re.finditer(r"(?<![\w.$\[#@/\\-])\d+\.\d+(?![\w$/])", text) if "$" not in text]
    if not places:
        return text
    at = dice.choice(places).end() - 1
    return text[:at] + str((int(text[at]) + dice.randint(1, 9)) % 10) + text[at + 1 :]


def _lost(text: str, dice: random.Random) -> str:
    said = [said for _, said in sentences(text)] if not re.search(r"^[|:>*\-#\d]|\n", text) else []
    if len(said) < 2:
        return text
    gone = dice.choice(said)
    return text.replace(gone, "", 1).strip() if len(gone) > 12 else text


INVENTED = {
    ZH: "此外，作者还在三个新的数据集上重复了全部实验，结论完全一致。",
    EN: " The authors also repeated all of their experiments on several new datasets and found the very same.",
}


def _invented(text: str, dice: random.Random) -> str:
    if len([*sentences(text)]) < 2 or re.search(r"^[|:>*\-#\d]|\n", text):
        return text
    return text + INVENTED[ZH if re.search("[\u4e00-\u9fff]", text) else EN]


def _tail(text: str, dice: random.Random) -> str:
    rows = [row for row in re.findall(r"^\|.*\|$", text, re.MULTILINE) if "---" not in row and row.count("|") > 2]
    cells = [(row, cell) for row in rows[1:] for cell in [row.rstrip("| ").rpartition("|")[2]] if cell.strip()]
    if not cells:
        return text
    row, cell = dice.choice(cells)
    return text.replace(row, row[: row.rindex(cell)] + "  |", 1)


KINDS: Mapping[str, Callable[[str, random.Random], str]] = {
    "negation dropped": _replaced(
        (r"\b(do|does|did|is|are|was|were|can|could|has|have) not\b", r"\1"), (r"\bcannot\b", "can"),
        (r"不(能|会|是|可|要|需|相信|成立|影响)", r"\1"), ("没有", "有"),
    ),
    "number word": _replaced(
        (r"\btwo\b", "three"), (r"\bthree\b", "four"), (r"\bfour\b", "six"), (r"\bfive\b", "four"),
        (r"两(?=[个种条篇步层类])", "三"), (r"三(?=[个种条篇步层类])", "四"), (r"四(?=[个种条篇步层类])", "五"),
    ),
    "digit": _digit,
    "unit": _replaced(
        (r"(?<=\d) ms\b", " s"), (r"(?<=\d) s\b", " ms"), (r"(?<=\d)%", "×"), (r"(?<=\d) GB\b", " MB"),
        (r"(?<=\d) MB\b", " GB"), (r"(?<=\d) KB\b", " MB"), (r"(?<=\d)×", "%"), (r"(?<=\d) 秒", " 毫秒"),
        (r"(?<=\d) seconds", " minutes"), (r"(?<=\d) (points|个百分点)", "%"),
    ),
    "sentence lost": _lost,
    "sentence invented": _invented,
    "term": _replaced(
        ("acceptance rate", "approval share"), ("speculative decoding", "guessing decoder"), ("draft model", "helper"),
        ("target model", "main network"), ("rollout", "unrolling"), ("接受率", "通过比例"), ("投机解码", "猜想式生成"),
        ("草稿模型", "小模型"), ("目标模型", "大模型"), ("无损", "零失真"),
        ("拒绝采样", "舍弃抽取"), ("KV 缓存", "键值暂存"),
    ),
    "direction": _replaced(
        (r"\bdrops\b", "rises"), (r"\bfalls\b", "rises"), (r"\brises\b", "falls"), (r"\bincreases\b", "decreases"),
        (r"\bgrows\b", "shrinks"), (r"\bhigher\b", "lower"), (r"\blower\b", "higher"), (r"\bfaster\b", "slower"),
        (r"\bslower\b", "faster"), (r"\blarger\b", "smaller"), (r"\bsmaller\b", "larger"), ("降到", "升到"),
        ("下降", "上升"), ("提高", "降低"), ("上升", "下降"), ("更高", "更低"), ("更快", "更慢"), ("增加", "减少"),
        ("涨到", "跌到"), ("掉到", "涨到"), ("变大", "变小"),
    ),
    "tail of a row": _tail,
    "formula": _replaced((r"(?<=[^\\\s$])\+(?=[^$\n]*\$)", "-"), (r"(?<=\$)\\alpha(?=[^$\n]*\$)", r"\\beta"),
                         (r"\\le(?=[^$\n]*\$)", r"\\ge")),
    "link": _replaced((r"\[([^\]\[\n]+)\]\([^)\n]+\)", r"\1"), (r"\[\[[^\]\n]+\]\]", ""), (r" ?\[@[^\]\n]+\]", "")),
    "hedge": _replaced(
        (r"\b(may|might) ", "will "), (r"\b(perhaps|probably|possibly|presumably) ", ""), (r"\bseems? to\b", "does"),
        ("可能", ""), ("也许|或许|大概|似乎|多半|恐怕", ""), (r"\bonly ", ""), (r"只(?=有|是|在|用)", ""),
    ),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path, nargs="?", default=PROJECT)
    parser.add_argument("--seed", type=int, default=28)
    parser.add_argument("--refused", action="store_true", help="show the true pairs that are refused or doubted")
    parser.add_argument("--missed", action="store_true", help="show the mistakes that pass")
    options = parser.parse_args()
    corpus, _ = load_collection(options.root)
    dice, counts, good = random.Random(options.seed), Counter[str](), list[Pair]()
    for pair in pairs_of(corpus):
        refused, doubts = judged(pair, corpus, pair.translation)
        if any("piece of code" in finding for finding in refused):
            counts["left out"] += 1
            continue
        counts.update(pairs=1, refused=bool(refused), doubted=bool(doubts))
        if not refused and not doubts:
            good.append(pair)
        elif options.refused:
            _show(pair, pair.translation, *refused, *(f"? {doubt}" for doubt in doubts))
    share = {name: f"{counts[name]} ({counts[name] / counts['pairs']:.1%})" for name in ("refused", "doubted")}
    say(f"{counts['pairs']} true pairs: {share['refused']} refused, {share['doubted']} doubted;")
    say(f"{counts['left out']} left out")
    dice.shuffle(good)
    say("kind                 planted  refused  doubted  told")
    for kind in KINDS:
        count = _planted(kind, good, corpus, dice, show=options.missed)
        share_told = 1 - count["passed"] / max(count.total(), 1)
        say(f"{kind:20}{count.total():8}{count['refused']:9}{count['doubted']:9}{share_told:6.0%}")


def _planted(kind: str, pairs: list[Pair], corpus: Corpus, dice: random.Random, *, show: bool) -> Counter[str]:
    """How many mistakes of a kind are refused, doubted, or pass."""
    count = Counter[str]()
    for pair in pairs:
        answer = KINDS[kind](pair.translation, dice)
        if answer != pair.translation:
            refused, doubts = judged(pair, corpus, answer)
            count["refused" if refused else "doubted" if doubts else "passed"] += 1
            if show and not (refused or doubts):
                _show(pair, answer, kind)
        if count.total() == EACH:
            break
    return count


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")


def _show(pair: Pair, answer: str, *why: str) -> None:
    say(f"--- {pair.where} {pair.langs[0]} to {pair.langs[1]}\n{pair.source}\n=>\n{answer}\n  ! " + "\n  ! ".join(why))


if __name__ == "__main__":
    main()
