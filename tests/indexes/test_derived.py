"""indexes(): everything derived, as artifacts."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from paper_notes.corpus.load import load
from paper_notes.indexes.site import indexes
from paper_notes.markdown.bodies import render_bodies
from paper_notes.render.links import link_resolver
from paper_notes.render.site_pages import Pages
from paper_notes.sources.tree import Source, read_readmes, read_tree

SCENARIOS = Path(__file__).parents[1] / "sites"
MARKED = b"<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n"


def made(scenario: str, readme: bytes | None) -> tuple[dict[str, str], list[str]]:
    sources, _ = read_tree(SCENARIOS / scenario)
    corpus, _ = load(sources)
    assert corpus is not None
    resolver = link_resolver(corpus, render_bodies(corpus.notes)[0].outlines)
    topics = {topic.id: b"" for topic in corpus.topics}
    pages = Pages((), {note.id: 1000 for note in corpus.notes}, resolver, topics=topics)
    sources = (Source(PurePosixPath("README.md"), readme),) if readme is not None else ()
    artifacts, problems = indexes(pages, sources)
    return {str(artifact.path): artifact.data.decode() for artifact in artifacts}, list(map(str, problems))


def test_the_bibliography_is_sorted_by_key() -> None:
    artifacts, problems = made("bilingual", MARKED)
    assert problems == []
    keys = [line for line in artifacts["site/papers.bib"].splitlines() if line.startswith("@")]
    assert keys == ["@article{lin2019stone,", "@misc{lin2021unread,", "@misc{okafor2023wind,"]
    assert "bp" not in artifacts["site/papers.bib"], "@string names are replaced by what they mean"
    assert artifacts["site/.nojekyll"] == ""
    assert artifacts["README.md"].startswith("<!-- paper-notes:begin -->\n\n## 🌉")


def test_no_papers_no_bibliography_and_no_readme_unless_asked_for() -> None:
    artifacts, problems = made("minimal", None)
    assert problems == []
    assert "site/papers.bib" not in artifacts
    assert "README.md" not in artifacts


def test_a_readme_that_is_missing_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("here")
    wanted = [PurePosixPath(name) for name in ("README.md", "docs/INDEX.md", "README.md")]
    readmes, problems = read_readmes(tmp_path, wanted)
    assert [readme.text for readme in readmes] == ["here"]
    assert list(map(str, problems)) == [
        (
            "docs/INDEX.md:1:1: error[readme-markers]: site.yaml wants regions of this file kept, "
            "but there is no docs/INDEX.md\n"
            "  hint: write one with <!-- paper-notes:begin --> and <!-- paper-notes:end --> in it"
        )
    ]
