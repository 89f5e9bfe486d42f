"""Numbers in words: `five benchmarks`, `五个基准`, how many a paper says there are, and `more than twice`, `三倍多`.

Only what a paper counts in one way is compared: a note may well speak of two of its five benchmarks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from paper_notes.features.verify.quantities import chinese_value, english_value
from paper_notes.features.verify.statements import Statement
from paper_notes.features.verify.wording import table_of_words
from paper_notes.patterns import regex
from paper_notes.values import Struct

_UNDER_TEN = "two|three|four|five|six|seven|eight|nine"
_NUMERAL = (
    f"(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-(?:one|{_UNDER_TEN}))?|(?:thir|four|fif|six|seven|eigh|nine)teen"
    rf"|ten|eleven|twelve|{_UNDER_TEN})(?![\s-](?:hundred|thousand|[mb]illion))"
)
"""From two to ninety-nine."""
_CHINESE_NUMERAL = "[二三四五六七八九]?十[一二三四五六七八九]?|[两二三四五六七八九]"
_NOUNS = {chinese: stem for stem, words in table_of_words()["counted"].items() for chinese in words.split()}
_ENGLISH = regex(rf"\b({_NUMERAL})[\s-]+((?:[A-Za-z][\w-]*\s+){{0,2}}[A-Za-z]{{3,}})", re.IGNORECASE)
_PRINTED = regex(rf"(?<![\w.])((?i:{_NUMERAL})|\d{{1,2}}(?=\s[a-z]))\s+((?:[A-Za-z][\w-]*\s+){{0,2}}[A-Za-z]{{3,}})")
_IN_DIGITS = frozenset({"passage", "dataset", "benchmark", "baseline"})
"""What is counted in digits, too; numbers before other nouns may be of anything."""
_RETRIEVES = regex(r"(?:检索|召回|取回)\S{0,2}\s?$")  # then 段 is a passage
_NUMBER_OF = regex(r"\bnumber of (?:[a-z]+ )?([a-z]{3,}s) (?:is |was )?(?:set )?(?:to|is|as) ([2-9])\b")
_CHINESE = regex(
    rf"(?<![零〇一二三四五六七八九十百千第\d.,-])({_CHINESE_NUMERAL}|[2-9](?=\s?(?:[个条篇]|段(?!时))))\s?"
    r"(?:个|种|项|类|组|篇|张|条|段|步|层|轮|块|处|点)?\s?(?:[^，。；、：（）\s]{0,4}?)"
    rf"({'|'.join(sorted(_NOUNS, key=len, reverse=True))})(?![列行图]|中(?:赢|有|只|选|最|的))"
)
_PART = regex(
    r"\b(?:of|other|more|first|last|these|those|another|only|every|I|my)\b|其中|其余|另|前|后|这|那|其他|只|我|里|中",
    re.IGNORECASE,
)
_FAR = 2
_LINK = re.compile(r"\b(?:of|on|in|for|and|with|that|are|is|shows|gives|has|takes|across|over|from|to|by|at|per|all)\b")
"""What ends the words that are counted: `two types of models` are no two models, `Figure 5 shows` counts nothing."""
_REACH = 8
"""Characters before a number in which a word may say that it counts a part."""


_ENGLISH_LIST = regex(
    rf"\b(?P<count>{_NUMERAL})\s(?:[A-Za-z][\w-]*\s?){{1,6}}:\s"
    r"(?P<list>(?:[^,:;?!]+?,\s)+?[^,:;?!]+?,?\sand\s[^,:;?!]+?)(?=[,.;]\s|[.;]?$)",
    re.IGNORECASE,
)
_CHINESE_LIST = regex(
    rf"(?P<count>{_CHINESE_NUMERAL})[个种类项组件条](?!月)[^，。；：:]{{0,8}}[：:]\s?(?P<list>[^，。；：:？！、]+、[^，。；：:？！]+)"
)
_SEPARATOR = regex(r",\s(?:and\s)?|\sand\s|、|和|与|以及")
_ASIDE = regex(r"[(（][^()（）]*[)）]")
_ITEM = 34
"""Characters of what is listed; longer ones may have commas of their own."""


def _value(numeral: str) -> int:
    """Of digits, or of a number in words of either language."""
    if numeral.isdecimal():
        return int(numeral)
    return english_value(numeral.lower()) if numeral.isascii() else chinese_value(numeral)


_FEW = 12
"""Up to this, numbers are usually in words; larger ones count other things: `four stations`, `69 stations`."""


class Count(Struct, frozen=True):
    """So many of these."""

    start: int
    end: int
    value: int
    noun: str


class PrintedCount(Struct, frozen=True):
    """How many of something a row or sentence of a passage has."""

    value: int
    passage: int
    """The how many-th passage of the paper it is in."""
    row: int
    start: int
    text: str
    is_beside: bool
    """Whether at most one word is between the number and the noun."""


def counts_in(text: str) -> Iterator[Count]:
    """What a text counts in words, but parts of something, and what its writer did."""
    for match in _ENGLISH.finditer(text):
        if not _PART.search(text[max(0, match.start() - _REACH) : match.end(1) + 7]):
            noun = next((word for word in _LINK.split(match[2])[0].split() if word.endswith("s") and len(word) > 3), "")
            if noun:
                yield Count(match.start(1), match.end(1), _value(match[1]), stem(noun))
    for match in _CHINESE.finditer(text):
        if not _PART.search(text[max(0, match.start() - 4) : match.start()]):
            if match[1].isdecimal() and _NOUNS[match[2]] not in _IN_DIGITS:
                continue
            if match[2] == "段" and not _RETRIEVES.search(text[: match.start()]):
                continue
            value = _value(match[1])
            yield Count(match.start(1), match.end(1), value, stem(f"{_NOUNS[match[2]]}s"))


def misnumbered(text: str) -> Iterator[tuple[int, str, str]]:
    """Numbers in words before a list after a colon that has one more or one less: where, the word, and how many."""
    for pattern in (_ENGLISH_LIST, _CHINESE_LIST):
        for match in pattern.finditer(text):
            items = [item.strip() for item in _SEPARATOR.split(_ASIDE.sub("", match["list"])) if item.strip()]
            value, longest = _value(match["count"]), max(map(len, items), default=0)
            if value > 2 and abs(len(items) - value) == 1 and longest <= _ITEM:
                yield match.start("count"), match["count"], str(len(items))


_MULTIPLE = regex(
    rf"\b(?P<more>more than |over |well over )?(?P<nearly>almost |nearly |not quite )?"
    rf"(?P<word>twice|(?P<times>{_NUMERAL}) times)(?! (?:a|per|the number)\b)"
    rf"|(?P<over>超过|不止)?(?P<near>近|将近|不到|接近)?(?P<chinese>{_CHINESE_NUMERAL})倍(?P<odd>多|以上)?",
    re.IGNORECASE,
)
_TWO, _LOOSE = 2, Decimal("0.25")


def mismultiplied(statement: Statement) -> Iterator[tuple[int, str, str]]:
    """Where such words are that are clearly wrong, the words, and the ratio of the two numbers of their sentence."""
    if statement.table >= 0:
        return
    for match in _MULTIPLE.finditer(statement.text):
        start, end = statement.sentence(match.start())
        numbers = [each.figures for each in statement.numbers if start <= each.figures.start < end]
        values = [each.value for each in numbers if each.end <= match.start()]
        is_pair = len(numbers) == len(values) == _TWO and min(values) > 0
        if not is_pair or numbers[0].unit != numbers[1].unit or not all(each.decimals for each in numbers):
            continue
        ratio = max(values) / min(values)
        said = Decimal(_value(match["times"] or match["chinese"] or "two"))
        if match["more"] or match["over"] or match["odd"]:
            fits = said * (1 - _LOOSE / 10) <= ratio < (said + 1) * (1 + _LOOSE / 5)
        elif match["nearly"] or match["near"]:
            fits = said * (1 - _LOOSE) <= ratio <= said * (1 + _LOOSE / 10)
        else:
            fits = abs(ratio - said) <= said * _LOOSE
        if not fits:
            yield match.start(), match[0].strip(), f"{ratio:.2f}"


def printed_counts(passages: Sequence[Sequence[str]]) -> Mapping[str, Sequence[PrintedCount]]:
    """All that a paper counts, by noun. The passages are rows or sentences."""
    counts: dict[str, list[PrintedCount]] = defaultdict(list)
    for place, rows in enumerate(passages):
        for number, row in enumerate(rows):
            for match in _NUMBER_OF.finditer(row):
                counts[stem(match[1])].append(
                    PrintedCount(int(match[2]), place, number, match.start(), match[0], is_beside=True)
                )
            for match in _PRINTED.finditer(row):
                if (value := _value(match[1])) > 1:
                    for between, word in enumerate(_LINK.split(match[2])[0].split()):
                        if not word.endswith("s"):
                            continue  # `3 model objects` are no models
                        count = PrintedCount(value, place, number, match.start(), match[0], between < _FAR)
                        counts[stem(word)].append(count)
    return counts


def otherwise(count: Count, printed: Mapping[str, Sequence[PrintedCount]]) -> PrintedCount | None:
    """What a paper says instead, if it counts them in one way nearly always; None if it does not, or agrees."""
    every = [item for item in printed.get(count.noun, ()) if (item.value > _FEW) == (count.value > _FEW)]
    by_value = Counter(item.value for item in every)
    if not every or count.noun in _COMMON or count.value in by_value:
        return None
    value, times = by_value.most_common(1)[0]
    first = next(item for item in every if item.value == value)
    if len(every) == 1 and count.noun in _GENERIC:
        return None
    clear = first.is_beside if len(every) == 1 else len(by_value) == 1 or (times > 1 and 2 * times >= len(every))
    return first if clear else None


def stem(noun: str) -> str:
    """Without its ending: `categories` and `category` are one."""
    return re.sub(r"(?:ies|y|es|s)$", "", noun.lower())


_COMMON = frozenset(
    map(
        stem,
        "times orders runs months papers searches generations tokens steps numbers points years days hours things ways"
        " sides cases ones components parts units degrees".split(),
    )
)
"""What a text counts of its own."""
_GENERIC = frozenset(map(stem, "models methods mechanisms settings experiments results groups steps variants".split()))
"""What a paper has several kinds of: one count of them says little."""
