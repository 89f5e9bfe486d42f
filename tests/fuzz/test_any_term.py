"""Whatever the terms of a glossary are, they are found as if each were looked for on its own, the longest first."""

from __future__ import annotations

from building import NOTE
from hypothesis import given
from hypothesis import strategies as st

from paper_notes.corpus.model import GlossaryTerm
from paper_notes.diagnostics import Location
from paper_notes.languages.language import Words
from paper_notes.languages.text import Text
from paper_notes.markdown.syntax.glossary import Finder, finder

pieces = st.sampled_from(["a", "b", "s", "A", "S", "-", " ", "词", "公", "(", "é", "1"])
names = st.lists(pieces, min_size=1, max_size=5).map("".join).filter(str.strip)


def finder_of(*words: str) -> Finder:
    terms = tuple(
        GlossaryTerm(name, Text.of(zh=name, en=name), (), (), None, Location(NOTE / "glossary.yaml")) for name in words
    )
    found = finder(terms, "zh", Words.of("zh", "en"))
    assert found
    return found


@given(st.lists(names, min_size=1, max_size=6), st.lists(pieces, max_size=30).map("".join))
def test_many_terms_are_found_as_each_alone(words: list[str], text: str) -> None:
    found = [match.span() for match in finder_of(*words).find(text)]
    alone = [pattern for name in words for pattern in finder_of(name).patterns]
    done = 0
    for start, end in found:
        assert start == min(match.start() for pattern in alone if (match := pattern.search(text, done)))
        assert end == max(match.end() for pattern in alone if (match := pattern.match(text, start)))
        done = end
    assert not any(pattern.search(text, done) for pattern in alone)
