"""Whatever the terms of a glossary are, they are found as if each were looked for on its own, the longest first."""

from __future__ import annotations

import re

import pytest
from building import NOTE
from hypothesis import given
from hypothesis import strategies as st

from paper_notes.corpus.model import GlossaryTerm
from paper_notes.diagnostics import Location
from paper_notes.languages.language import Words
from paper_notes.languages.text import Text
from paper_notes.markdown.syntax.glossary import Finder, finder
from paper_notes.typography import CJK, IDEOGRAPHS

# without ſ, ı and the Kelvin sign, which re.IGNORECASE takes for s, i and k, and nobody else does
PIECES = [*"absAS- 词公(é1kKiσςΣßẞ_한①²\N{FULLWIDTH LATIN CAPITAL LETTER A}", "İ"]
pieces = st.sampled_from(PIECES)
names = st.lists(pieces, min_size=1, max_size=5).map("".join).filter(str.strip)
WORD = rf"-|[^\W\u00a0-\u00bf\u2000-\u2bff{CJK}]"
SEAM = re.compile(rf"(?<=[{IDEOGRAPHS}])(?=[^\s{IDEOGRAPHS}])|(?<=[^\s{IDEOGRAPHS}])(?=[{IDEOGRAPHS}])")
BESIDE = re.compile(f"(?<=[{IDEOGRAPHS}]) | (?=[{IDEOGRAPHS}])")


def finder_of(*words: str) -> Finder:
    terms = tuple(
        GlossaryTerm(name, Text.of(zh=name, en=name), (), (), None, Location(NOTE / "glossary.yaml")) for name in words
    )
    found = finder(terms, "zh", Words.of("zh", "en"))
    assert found
    return found


def pattern_of(name: str) -> re.Pattern[str]:
    """What a term is in a text, in the words of regular expressions."""
    words = BESIDE.sub("", re.sub(r"[\s-]+", " ", name.strip()))
    letters = "[ -]?".join(re.escape(part).replace(r"\ ", "[ -]") for part in SEAM.split(words))
    before = "" if re.match(f"[{CJK}]", words) else f"(?<!{WORD})"
    plural, after = ("", "") if re.search(f"[{CJK}]$", words) else ("s?", f"(?!{WORD})")
    return re.compile(f"{before}(?{'' if words.isupper() else 'i'}:{letters}{plural}){after}")


@given(st.lists(names, min_size=1, max_size=6), st.lists(pieces, max_size=30).map("".join))
def test_many_terms_are_found_as_each_alone(words: list[str], text: str) -> None:
    alone = list(map(pattern_of, words))
    done = 0
    for start, end in finder_of(*words).find(text):
        assert start == min(match.start() for pattern in alone if (match := pattern.search(text, done)))
        assert end == max(match.end() for pattern in alone if (match := pattern.match(text, start)))
        done = end
    assert not any(pattern.search(text, done) for pattern in alone)


@pytest.mark.parametrize(
    ("term", "text", "parts"),
    [
        (
            "token",
            "a ktoken",
            [],
        ),  # a class that ignores case would take k for the Kelvin sign, which is none of a word
        ("kelvin", "300 \N{KELVIN SIGN}elvin", ["\N{KELVIN SIGN}elvin"]),
        ("straße", "eine STRAẞE, eine Strasse", ["STRAẞE"]),
        ("İstanbul", "x İSTANBUL istanbul", ["İSTANBUL", "istanbul"]),
        ("λόγος", "ΛΌΓΟΣ und λόγοσ", ["ΛΌΓΟΣ", "λόγοσ"]),
        ("KV 缓存", "KV缓存、kv-缓存", ["KV缓存"]),
        ("ab", "²ab ①ab _ab 1ab", ["ab", "ab"]),
    ],
)
def test_letters_with_odd_cases_keep_their_places(term: str, text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in finder_of(term).find(text)] == parts
