"""The sentences of a text and of its translation side by side: none is lost, invented, or turned into its contrary.

Only Chinese and English, whose words are in `cues.yaml`, are compared.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from paper_notes.features.verify.numbers import changed_words
from paper_notes.features.verify.sentences import END, NO_WORDS, Sentence, aligned, joined, marks_of, read_sentences
from paper_notes.features.verify.wording import pattern_of, word_table
from paper_notes.languages.text import Lang


class TranslationFinding(NamedTuple):
    """What is wrong with a translation. What is not `sure` is asked about once, and then said to the person."""

    text: str
    sure: bool = True


_TITLE = 6.0
"""Words that a title or a cell has at most."""
_SURE, _DOUBTED = 0.5, 0.35
"""From where on a sentence is surely, or maybe, lost: logarithm of how much longer one side is, and words it lacks."""


def _lost(ours: Sequence[Sentence], theirs: Sequence[Sentence], langs: tuple[Lang, Lang]) -> float:
    """How likely a sentence of either side is missing in the other."""
    if not ours or not theirs:
        return math.inf
    sizes = [sum(sentence.size for sentence in side) for side in (ours, theirs)]
    marks = [marks_of(side) for side in (ours, theirs)]
    terse, wordy = marks if langs[0] == "zh" else marks[::-1]  # Chinese keeps few Latin words, English has only these
    lacking = abs(terse[NO_WORDS] - wordy[NO_WORDS])
    lacking += sum(1 for mark in terse if mark[0].isalpha() and mark not in wordy)
    likely = abs(math.log(sizes[0] / sizes[1])) + 0.15 * min(lacking, 3)
    return likely - (0.75 * math.sqrt(10 / sum(sizes)) if len(ours) == len(theirs) else 0.0)


_LANGUAGES = ("zh", "en")
_SAYS: Mapping[str, str] = {
    "negation": "says no",
    "only": "says that it is only this",
    "may": "leaves it open whether it is so",
    "must": "says that it must be so",
    "never": "says never",
    "always": "says that it is always so",
    "rises": "says that something rises",
    "falls": "says that something falls",
}
"""What the words of each row of `cues.yaml` say."""


class _Cue(NamedTuple):
    says: str
    opposite: str
    clear: Mapping[str, re.Pattern[str]]
    maybe: Mapping[str, re.Pattern[str]]
    sure: Mapping[str, re.Pattern[str] | None]


@lru_cache(maxsize=1)
def _cues() -> Mapping[str, _Cue]:
    return {name: _cue(name, row) for name, row in word_table(__package__, "cues.yaml").items()}


def _cue(name: str, row: Mapping[str, Any]) -> _Cue:
    def pattern(lang: str, *kinds: str) -> re.Pattern[str]:
        return re.compile(pattern_of("|".join(row[lang][kind] for kind in kinds), lang), re.IGNORECASE)

    clear = {lang: pattern(lang, "clear") for lang in _LANGUAGES}
    maybe = {lang: pattern(lang, *row[lang].keys() & {"clear", "any"}) for lang in _LANGUAGES}
    sure = {lang: pattern(lang, "sure") if "sure" in row[lang] else None for lang in _LANGUAGES}
    return _Cue(_SAYS[name], str(row.get("opposite", "")), clear, maybe, sure)


def compared(source: str, translation: str, langs: tuple[Lang, Lang]) -> Iterator[TranslationFinding]:
    """What the sentences of a block say otherwise in its translation."""
    if {*langs} != {*_LANGUAGES}:
        return
    for ours, theirs in aligned(read_sentences(source), read_sentences(translation)):
        likely = _lost(ours, theirs, langs)
        if likely > _DOUBTED:
            longer = sum(sentence.size for sentence in ours) > sum(sentence.size for sentence in theirs)
            text = _shown(ours if longer else theirs)
            what = "a sentence of the original is missing or shortened" if longer else "a sentence is new or longer"
            yield TranslationFinding(f"{what}: {text}", likely > _SURE)
        if ours and theirs:
            lost, new = changed_words(joined(ours), joined(theirs))
            if lost:
                yield TranslationFinding(f"a number in words is another one: {', '.join(lost)} became {', '.join(new)}")
            if any(each.size >= _TITLE or END.search(each.text) for each in (*ours, *theirs)):
                # no titles and cells: 局限 is "What it cannot do"
                yield from _contrary(joined(ours), joined(theirs), langs, _shown(ours))


def _shown(side: Sequence[Sentence]) -> str:
    text = joined(side).replace(NO_WORDS, "…")
    return f'"{text if len(text) <= 80 else text[:79] + "…"}"'


def _contrary(source: str, translation: str, langs: tuple[Lang, Lang], shown: str) -> Iterator[TranslationFinding]:
    """What the words of one sentence say, and nothing in the other does."""
    if source == translation:
        return  # a name
    (own, other), cues = langs, _cues()
    for cue in cues.values():
        if cue.opposite:
            contrary = cues[cue.opposite]
            if _affirmed(cue, own, source) > _times(cue.clear[other], translation) and (
                _affirmed(contrary, other, translation) > _times(contrary.clear[own], source)
            ):
                yield TranslationFinding(
                    f"the original {cue.says}, the translation {contrary.says}: {shown}", sure=False
                )
        elif _times(cue.clear[own], source) > _times(cue.maybe[other], translation):
            sure = _is_sure(cue, own, source) and not cue.maybe[other].search(translation)
            yield TranslationFinding(f"the original {cue.says}, the translation does not: {shown}", sure)
        elif _times(cue.clear[other], translation) > _times(cue.maybe[own], source):
            sure = _is_sure(cue, other, translation) and not cue.maybe[own].search(source)
            yield TranslationFinding(f"the translation {cue.says}, the original does not: {shown}", sure)


def _affirmed(cue: _Cue, lang: Lang, text: str) -> int:
    """How often a text has clear words of a row without a negation right before: "no longer" is "not more"."""
    denied = _cues()["negation"].clear[lang]
    reach = 5 if lang == "zh" else 14
    return sum(
        not denied.search(text, max(0, match.start() - reach), match.start())
        for match in cue.clear[lang].finditer(text)
    )


def _times(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _is_sure(cue: _Cue, lang: Lang, text: str) -> bool:
    pattern = cue.sure[lang]
    return bool(pattern and pattern.search(text))
