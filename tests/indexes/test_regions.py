"""The marked regions of the root README."""

from __future__ import annotations

import pytest

from paper_notes.corpus.model import Lang, Site, Text
from paper_notes.indexes.regions import root_readme

SITE = Site(Text("题", "Title"), ("zh", "en"), (), None, None, readme=True)
BEGIN, END = "<!-- paper-notes:begin -->", "<!-- paper-notes:end -->"


def content(lang: Lang) -> str:
    return {"zh": "中文\n", "en": "English\n"}[lang]


def renewed(text: str) -> str:
    made, problems = root_readme(text, SITE, content)
    assert made is not None, problems
    return made.data.decode()


def test_a_region_gets_the_first_language() -> None:
    before = f"a\n{BEGIN}\nold\n{END}\nb"
    after = f"a\n{BEGIN}\n\n中文\n\n{END}\nb"
    assert renewed(before) == after
    assert renewed(after) == after


def test_each_region_has_its_language() -> None:
    begin = "<!-- paper-notes:begin lang={} -->"
    text = f"{begin.format('en')}\n{END}\n--\n{begin.format('zh')}\n{END}"
    assert renewed(text) == f"{begin.format('en')}\n\nEnglish\n\n{END}\n--\n{begin.format('zh')}\n\n中文\n\n{END}"


def test_line_ends_stay_as_they_are() -> None:
    assert renewed(f"a\r\n{BEGIN}\r\n{END}\r\n") == f"a\r\n{BEGIN}\r\n\r\n中文\r\n\r\n{END}\r\n"


@pytest.mark.parametrize("quoted", [f"Write `{BEGIN}` here.", f"    {BEGIN}", f"- {END}", f"`{END}`"])
def test_a_marker_inside_of_a_line_means_nothing(quoted: str) -> None:
    assert renewed(f"{quoted}\n{BEGIN}\n{END}\n{quoted}\n") == f"{quoted}\n{BEGIN}\n\n中文\n\n{END}\n{quoted}\n"


def test_a_text_of_the_collection_cannot_end_the_region() -> None:
    made, _ = root_readme(f"{BEGIN}\n{END}", SITE, lambda lang: f"{END}\n{BEGIN}\n")
    assert made is not None
    again, problems = root_readme(made.data.decode(), SITE, content)
    assert problems == ()
    assert again is not None
    assert again.data.decode() == f"{BEGIN}\n\n中文\n\n{END}"


HINT = "\n  hint: write <!-- paper-notes:begin --> and <!-- paper-notes:end --> on lines of their own"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "no markers\n",
            "README.md:1:1: error[readme-markers]: site.yaml says `readme: true`, but there are no markers" + HINT,
        ),
        (
            f"\n{BEGIN}\n",
            "README.md:2:1: error[readme-markers]: 1 begin markers and 0 end markers do not make pairs" + HINT,
        ),
        (
            f"{END}\n{BEGIN}\n",
            "README.md:2:1: error[readme-markers]: 1 begin markers and 1 end markers do not make pairs" + HINT,
        ),
        (
            f"{BEGIN}\n{BEGIN}\n{END}\n{END}\n",
            "README.md:1:1: error[readme-markers]: 2 begin markers and 2 end markers do not make pairs" + HINT,
        ),
        (
            f"{BEGIN} {END}\n",
            "README.md:1:1: error[readme-markers]: 1 begin markers and 0 end markers do not make pairs" + HINT,
        ),
        (
            f"a\n<!-- paper-notes:begin lang=fr -->\n{END}\n",
            'README.md:2:29: error[readme-markers]: the site has no language "fr"\n  hint: write lang=zh or lang=en',
        ),
    ],
)
def test_markers_that_do_not_make_sense(text: str, expected: str) -> None:
    made, problems = root_readme(text, SITE, content)
    assert made is None
    assert "\n".join(map(str, problems)) == expected
