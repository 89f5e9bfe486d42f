"""Whatever a README holds, only what stands between its markers changes, and a second time nothing does."""

from __future__ import annotations

from functools import cache
from pathlib import Path, PurePosixPath

from hypothesis import example, given
from hypothesis import strategies as st
from judging import unreadable
from texts import lines, texts

from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus, ReadmeTarget
from paper_notes.diagnostics import Location
from paper_notes.indexes.regions import Region, regions_of, renewed
from paper_notes.sources.tree import read_tree
from paper_notes.values import replace

README = PurePosixPath("README.md")
WHERE = Location(PurePosixPath("notes_src/site.yaml"), 3, 1)
TARGETS = (ReadmeTarget(README, "", None, None, None, WHERE), ReadmeTarget(README, "mine", "list", "en", None, WHERE))
begins = st.builds(
    "<!-- paper-notes:begin {} -->".format,
    st.lists(
        st.sampled_from(["all", "list", "contents", "mine", "lang=en", "lang=zh", "topic=arches", "lang=fr", "x"]),
        max_size=3,
        unique=True,
    ).map(" ".join),
)
good_begins = st.sampled_from(["", "all", "list lang=en", "contents", "mine", "topic=arches"]).map(
    "<!-- paper-notes:begin {} -->".format
)
regions = st.builds(
    lambda begin, inside, ending: f"{begin}\n{inside}{ending}<!-- paper-notes:end -->",
    st.one_of(good_begins, begins),
    st.sampled_from(["", "old\n", "old\n\nmore\n"]),
    st.sampled_from(["", "\n"]),
)
readmes = st.builds(
    lambda parts, end: end.join("\n".join(parts).split("\n")),
    st.lists(st.one_of(lines, regions, regions, begins, st.just("```")), max_size=8),
    st.sampled_from(["\n", "\n", "\r\n", "\r"]),
)


@cache
def corpus() -> Corpus:
    loaded, _ = load(read_tree(Path(__file__).parents[1] / "sites" / "bilingual")[0])
    assert loaded is not None
    assert "arches" in loaded.site.topics
    return replace(loaded, site=replace(loaded.site, readme=TARGETS))


@example(readme="\r0\n<!-- paper-notes:begin all list -->", content="", tail="")
@given(readme=readmes, content=texts, tail=st.sampled_from(["", "\n"]))
def test_regions(readme: str, content: str, tail: str) -> None:
    readme += tail
    if "paper-notes:begin mine" not in readme:  # its own complaint would be the only one
        readme += "\n\n<!-- paper-notes:begin mine -->\n<!-- paper-notes:end -->\n"

    def write(region: Region, _text: str) -> str:
        return f"{region.content} {region.lang} {region.topic or ''}\n{content}"

    made, problems = renewed(README, readme, corpus(), write)
    for problem in problems:
        assert unreadable(problem, readme if problem.location.path == README else None) == ""
    assert (made is None) == bool(problems)
    if made is None:
        return
    after = made.data.decode()
    assert outside(readme) == outside(after)
    again, problems = renewed(README, after, corpus(), write)
    assert problems == ()
    assert again is not None
    assert again.data.decode() == after


def outside(text: str) -> list[str]:
    """The pieces of a file that are its owner's: all but the regions."""
    found, _ = regions_of(README, text, corpus(), TARGETS)
    starts = [0, *(region.stop for region in found)]
    ends = [*(region.start for region in found), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]
