"""The marked regions of READMEs."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.corpus.model import Content, Corpus, Lang, ReadmeTarget, Site, Topic, TopicId
from paper_notes.diagnostics import Location
from paper_notes.indexes.regions import Region, regions_of, renewed
from paper_notes.languages.language import Words
from paper_notes.languages.text import Text

README = PurePosixPath("README.md")
BEGIN, END = "<!-- paper-notes:begin -->", "<!-- paper-notes:end -->"
SITE_YAML = Location(PurePosixPath("notes_src/site.yaml"), 5, 3)


def target(
    region: str = "", content: Content | None = None, lang: Lang | None = None, topic: str | None = None
) -> ReadmeTarget:
    return ReadmeTarget(README, region, content, lang, TopicId(topic) if topic else None, SITE_YAML)


def corpus(*targets: ReadmeTarget) -> Corpus:
    topics = tuple(Topic(TopicId(name), Text.of(zh=name, en=name), "", None, (), SITE_YAML) for name in ("a", "b"))
    site = Site(
        Text.of(zh="题", en="Title"),
        Words.of("zh", "en"),
        (TopicId("a"), TopicId("b")),
        None,
        None,
        targets or (target(),),
    )
    return Corpus(site, topics, (), {}, (), ())


def content(region: Region, text: str) -> str:
    topic = f" of {region.topic}" if region.topic else ""
    return f"{region.content}{topic} in {region.lang}\n"


def made(text: str, *targets: ReadmeTarget) -> str:
    artifact, problems = renewed(README, text, corpus(*targets), content)
    assert artifact is not None, problems
    return artifact.data.decode()


def test_a_region_gets_everything_in_the_first_language() -> None:
    before = f"a\n{BEGIN}\nold\n{END}\nb"
    after = f"a\n{BEGIN}\n\nall in zh\n\n{END}\nb"
    assert made(before) == after
    assert made(after) == after


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("lang=en", "all in en"),
        ("list", "list in zh"),
        ("papers lang=en topic=b", "papers of b in en"),
        ("topic=a   recent", "recent of a in zh"),
        ("mine", "list of b in en"),
        ("mine lang=zh", "list of b in zh"),
    ],
)
def test_a_marker_says_what_it_wants(words: str, expected: str) -> None:
    begin = f"<!-- paper-notes:begin {words} -->"
    named = target("mine", "list", "en", "b")
    assert made(f"{BEGIN}\n{END}\n{begin}\n{END}\n<!-- paper-notes:begin mine -->\n{END}", target(), named) == (
        f"{BEGIN}\n\nall in zh\n\n{END}\n{begin}\n\n{expected}\n\n{END}\n"
        f"<!-- paper-notes:begin mine -->\n\nlist of b in en\n\n{END}"
    )


def test_site_yaml_says_what_a_marker_does_not() -> None:
    english = target("", "notes", "en", "a")
    begin = "<!-- paper-notes:begin summary -->"
    assert made(f"{BEGIN}\n{END}\n{begin}\n{END}", english) == (
        f"{BEGIN}\n\nnotes of a in en\n\n{END}\n{begin}\n\nsummary of a in en\n\n{END}"
    )


def test_contents_are_written_last_from_the_file_as_it_is_then() -> None:
    seen = []

    def watched(region: Region, text: str) -> str:
        seen.append((region.content, "## New" in text))
        return "## New" if region.content == "all" else "contents"

    text = f"<!-- paper-notes:begin contents -->\n{END}\n{BEGIN}\n{END}\n"
    artifact, problems = renewed(README, text, corpus(), watched)
    assert problems == ()
    assert artifact is not None
    assert artifact.data.decode() == (
        f"<!-- paper-notes:begin contents -->\n\ncontents\n\n{END}\n{BEGIN}\n\n## New\n\n{END}\n"
    )
    assert seen == [("all", False), ("contents", True)]


OUTSIDE = "\ufeff# 题\r\n\ttabs  \nmixed\rends \u3000\x0c\n\n"


@pytest.mark.parametrize("after", ["", "\n", " the same line", "\r\n\r\nend", "\n```\nan open fence"])
def test_everything_outside_stays_byte_for_byte(after: str) -> None:
    assert made(f"{OUTSIDE}{BEGIN}\nx\n{END}{after}") == f"{OUTSIDE}{BEGIN}\n\nall in zh\n\n{END}{after}"


def test_line_ends_of_a_region_stay_as_they_are() -> None:
    assert made(f"\ufeff{BEGIN}\r\n{END}\r\n") == f"\ufeff{BEGIN}\r\n\r\nall in zh\r\n\r\n{END}\r\n"


def test_an_empty_content_leaves_an_empty_region() -> None:
    artifact, _ = renewed(README, f"{BEGIN}\nold\n{END}", corpus(), lambda region, text: "\n")
    assert artifact is not None
    assert artifact.data.decode() == f"{BEGIN}\n{END}"


@pytest.mark.parametrize(
    "quoted",
    [
        f"Write `{BEGIN}` here.",
        f"    {BEGIN}",
        f"- {END}",
        f"`{END}`",
        f"```markdown\n{BEGIN}\n{END}\n```",
        f"~~~~\n~~~\n{END}\n~~~~",
    ],
)
def test_a_marker_in_a_line_or_in_code_means_nothing(quoted: str) -> None:
    text = f"{quoted}\n{BEGIN}\n{{}}{END}\n{quoted}\n"
    assert made(text.format("")) == text.format("\nall in zh\n\n")


def test_a_text_of_the_collection_cannot_end_the_region() -> None:
    artifact, problems = renewed(README, f"{BEGIN}\n{END}", corpus(), lambda region, text: f"{END}\n{BEGIN}\n")
    assert problems == ()
    assert artifact is not None
    assert made(artifact.data.decode()) == f"{BEGIN}\n\nall in zh\n\n{END}"


PAIR = "\n  hint: write <!-- paper-notes:begin --> and <!-- paper-notes:end --> on lines of their own"
FORM = "\n  hint: write <!-- paper-notes:begin -->, with a content, lang=en or topic=name behind `begin` if you like"
KNOWN = "all, contents, digest, directories, entries, list, notes, papers, paths, recent, summary"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no markers\n", ["1:1 site.yaml wants regions of this file kept, but there are no markers" + PAIR]),
        (f"\n{BEGIN}\n", ["2:1 this region does not end" + PAIR]),
        (
            f"{END}\n  {BEGIN}\n",
            ["1:1 this region ends, but does not begin" + PAIR, "2:3 this region does not end" + PAIR],
        ),
        (
            f"{BEGIN}\n{BEGIN}\n{END}\n{END}\n",
            [
                "1:1 this region does not end before the next one begins" + PAIR,
                "4:1 this region ends, but does not begin" + PAIR,
            ],
        ),
        (f"{BEGIN} {END}\n", ["1:1 this region does not end" + PAIR]),
        (f"\ufeff<!-- paper-notes:begin\n-->\n{BEGIN}\n{END}", ["1:2 the marker does not end on its line" + FORM]),
        (f"<!-- paper-notes:beginn x -->\n{BEGIN}\n{END}", ['1:1 there is no marker "paper-notes:beginn x"' + FORM]),
        (
            f"a\n<!-- paper-notes:begin lang=fr -->\n{END}\n",
            ['2:29 the site has no language "fr"\n  hint: write lang=zh or lang=en'],
        ),
        (
            f"<!-- paper-notes:begin topic=c -->\n{END}\n",
            ['1:30 there is no topic "c"\n  hint: known: a, b'],
        ),
        (
            f"<!-- paper-notes:begin lists -->\n{END}\n",
            ['1:24 there is no region "lists"\n  hint: did you mean "list"?'],
        ),
        (f"<!-- paper-notes:begin x -->\n{END}\n", [f'1:24 there is no region "x"\n  hint: known: {KNOWN}']),
        (
            f"<!-- paper-notes:begin list notes -->\n{END}\n",
            ['1:29 a region has one name; "notes" is one too many' + FORM],
        ),
        (
            f"<!-- paper-notes:begin language=en -->\n{END}\n",
            ['1:24 a marker has no option "language"\n  hint: did you mean "lang"?'],
        ),
        (
            f"<!-- paper-notes:begin papers order=old -->\n{END}\n",
            ['1:37 papers have no order "old"\n  hint: did you mean "oldest"?'],
        ),
        (
            f"<!-- paper-notes:begin fold=all -->\n{END}\n",
            ['1:29 a region cannot fold "all"\n  hint: write fold=topics'],
        ),
        (
            f"<!-- paper-notes:begin list note=a/1 -->\n{END}\n",
            ['1:29 "list" is about no single note\n  hint: `note=` is for `entries`: write that, or leave it out'],
        ),
        (
            f"<!-- paper-notes:begin entries note=a/9 -->\n{END}\n",
            ['1:37 no note "a/9" in topic "a"\n  hint: the topic has no notes yet'],
        ),
    ],
)
def test_markers_that_do_not_make_sense(text: str, expected: list[str]) -> None:
    artifact, problems = renewed(README, text, corpus(), content)
    assert artifact is None
    assert [str(problem) for problem in problems] == [
        f"README.md:{place}: error[readme-markers]: {message}"
        for place, _, message in (line.partition(" ") for line in expected)
    ]


def test_a_region_that_site_yaml_names_must_be_there() -> None:
    targets = (target("mine"),)
    _, problems = regions_of(README, f"{BEGIN}\n{END}", corpus(*targets), targets)
    assert list(map(str, problems)) == [
        (
            'notes_src/site.yaml:5:3: error[readme-markers]: README.md has no region "mine"\n'
            "  hint: write <!-- paper-notes:begin mine --> and <!-- paper-notes:end --> into it"
        )
    ]


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_a_text_that_leaves_code_open_does_not_take_the_end_of_its_region(fence: str) -> None:
    def open_code(region: Region, text: str) -> str:
        return f"see\n\n{fence}text\nx\n"

    before = f"{BEGIN}\nold\n{END}\nb"
    artifact, problems = renewed(README, before, corpus(), open_code)
    assert problems == ()
    assert artifact is not None
    assert artifact.data.decode() == f"{BEGIN}\n\nsee\n\n{fence}text\nx\n{fence}\n\n{END}\nb"
