"""Links that lead nowhere, in every kind of file we write."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from paper_notes.artifacts import Artifact
from paper_notes.checks import dead_links
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus
from paper_notes.sources.tree import read_tree
from paper_notes.values import replace


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    loaded, _ = load(read_tree(Path(__file__).parent / "sites" / "bilingual")[0])
    assert loaded is not None
    return replace(loaded, site=replace(loaded.site, base_url="https://e.org/x/"))


def found(corpus: Corpus, files: dict[str, str]) -> list[str]:
    artifacts = {PurePosixPath(path): Artifact.text(path, text) for path, text in files.items()}
    return [f"{problem.location} {problem.message}" for problem in dead_links(corpus, artifacts)]


OTHERS = {
    "site/index.html": "<p>",
    "site/t/index.html": '<i id="here"></i><i id="a&amp;b"></i><i id="图"></i>',
    "site/t/README.md": "# One\n\n## 🔵 二（2 篇）\n\n## One\n\n```\n# not me\n```\n",
}
ALIVE = (
    "index.html", "./index.html#here", "../t/", "../t", "..", "../index.html", "README.md#one", "README.md#-二2-篇",
    "README.md#one-1", "index.html?lang=en#here", "index.html#%E5%9B%BE", "index.html#图", "https://example.org/#x",
    "mailto:a@b.c", "//example.org/", "https://e.org/x/", "https://e.org/x/t/#here", "https://e.org/x/t/index.html",
    "https://e.org/other",
)  # fmt: skip
DEAD = (
    "nothing.html", "index.html#nowhere", "../../index.html", "/t/index.html", "README.md#not-me", "README.md#One",
    "https://e.org/x/nothing.html", "https://e.org/x/t/#nowhere", "#nowhere",
)  # fmt: skip


@pytest.mark.parametrize("href", [*ALIVE, "index.html#a&amp;b"])
def test_links_of_a_page_that_lead_somewhere(corpus: Corpus, href: str) -> None:
    assert found(corpus, {**OTHERS, "site/t/a.html": f'<a class="x" href="{href}">a</a>'}) == []


@pytest.mark.parametrize("href", DEAD)
def test_links_of_a_page_that_lead_nowhere(corpus: Corpus, href: str) -> None:
    page = f'<p>\n图<a class="x" href="{href}">a</a><link href="{href}">'
    assert found(corpus, {**OTHERS, "site/t/a.html": page}) == [
        f'site/t/a.html:2:15 the link to "{href}" leads nowhere'
    ]


@pytest.mark.parametrize(
    "page",
    [
        '<code>&lt;a href="nothing.html"&gt;</code>',
        '<p>write href="nothing.html" here</p>',
        '<p title="1 > 0"> href="nothing.html"</p>',
        "<script>let a = '<a href=\"nothing.html\">'</script>",
        '<svg><use href="#g"/><g id="g"/></svg>',
        '<img alt="" src="data:image/png;base64,AA==">',
    ],
)
def test_what_only_looks_like_a_link(corpus: Corpus, page: str) -> None:
    assert found(corpus, {"site/a.html": page}) == []


def test_a_tag_with_a_sign_in_an_attribute_is_one_all_the_same(corpus: Corpus) -> None:
    assert found(corpus, {"site/a.html": '<a title="1 > 0" href="b.html">x</a>'}) == [
        'site/a.html:1:18 the link to "b.html" leads nowhere'
    ]


@pytest.mark.parametrize("href", ALIVE)
def test_links_of_markdown_that_lead_somewhere(corpus: Corpus, href: str) -> None:
    assert found(corpus, {**OTHERS, "site/t/README.en.md": f"a [b]({href}) c"}) == []


@pytest.mark.parametrize("href", DEAD)
def test_links_of_markdown_that_lead_nowhere(corpus: Corpus, href: str) -> None:
    assert found(corpus, {**OTHERS, "site/t/README.en.md": f"图\n\n- 文 [b]({href}) [c]({href})"}) == [
        f'site/t/README.en.md:3:9 the link to "{href}" leads nowhere'
    ]


def test_code_in_markdown_holds_no_links(corpus: Corpus) -> None:
    assert found(corpus, {"site/README.md": "`[a](b)` ``[a](`b)``\n\n```text\n[a](b)\n```\n"}) == []


def test_brackets_of_a_title_are_no_link(corpus: Corpus) -> None:
    text = r"[f\[i\](x), `g`](nowhere.html) and f\[j\](y), g\[k](z)"
    assert found(corpus, {**OTHERS, "site/README.md": text}) == [
        'site/README.md:1:18 the link to "nowhere.html" leads nowhere'
    ]


def test_outside_of_the_site_only_regions_are_ours(corpus: Corpus) -> None:
    region = "<!-- paper-notes:begin list -->\n[a](site/index.html) [b](site/b.html)\n<!-- paper-notes:end -->\n"
    text = f"[mine](nothing.md)\n\n{region}\n[mine](#nowhere)\n"
    assert found(corpus, {**OTHERS, "README.md": text}) == ['README.md:4:26 the link to "site/b.html" leads nowhere']


def test_addresses_in_feeds_and_site_maps(corpus: Corpus) -> None:
    feed = '<feed>\n<link href="https://e.org/x/t/"/><link href="b.html"/>\n<id>https://e.org/x/c.html</id></feed>'
    urls = "<urlset><url><loc>https://e.org/x/t/index.html</loc></url><url><loc>https://e.org/x/d</loc></url></urlset>"
    files = {**OTHERS, "site/feed.xml": feed, "site/sitemap.xml": urls, "site/robots.txt": "Sitemap: https://e.org/x/s"}
    assert found(corpus, files) == [
        'site/feed.xml:2:40 the link to "b.html" leads nowhere',
        'site/feed.xml:3:5 the link to "https://e.org/x/c.html" leads nowhere',
        'site/sitemap.xml:1:69 the link to "https://e.org/x/d" leads nowhere',
        'site/robots.txt:1:10 the link to "https://e.org/x/s" leads nowhere',
    ]
    assert found(replace(corpus, site=replace(corpus.site, base_url=None)), {"site/a.xml": urls}) == []


def test_every_page_of_a_collection_is_looked_at(corpus: Corpus) -> None:
    pages = {f"site/{number}.html": '<a href="#x">' for number in range(50)}
    assert len(found(corpus, pages)) == 50


def test_a_published_pdf_is_linked_and_not_read(corpus: Corpus) -> None:
    class Large:
        sha256, size = "0" * 64, 3_000_000

        @property
        def data(self) -> bytes:
            raise AssertionError("the PDF was read")

    page = Artifact.text("site/index.html", '<a href="pdfs/a.pdf">a</a><a href="pdfs/b.pdf">b</a>')
    pdf = Artifact(PurePosixPath("site/pdfs/a.pdf"), Large())
    dead = dead_links(corpus, {artifact.path: artifact for artifact in (page, pdf)})
    assert [problem.message for problem in dead] == ['the link to "pdfs/b.pdf" leads nowhere']
