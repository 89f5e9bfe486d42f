"""Feeds and the sitemap of a site whose address is known are valid by their schemas."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from building import source
from lxml import etree

from paper_notes.corpus.load import load
from paper_notes.indexes.published import ENTRIES, feeds, sitemap, tag_address
from paper_notes.markdown.bodies import render_bodies
from paper_notes.render.links import link_resolver

HERE = Path(__file__).parent
ATOM = etree.RelaxNG(etree.parse(HERE / "atom.rng"))
SITEMAP = etree.XMLSchema(etree.parse(HERE / "sitemap.xsd"))
A = "{http://www.w3.org/2005/Atom}"
SITE = "title: {zh: 笔<记>, en: Notes & more}\ntopics: [one, two]\nauthor: {zh: 小明, en: Ming}\n"
PUBLISHED = f"{SITE}base_url: https://me.example.org/n/\ntags: {{rl: {{zh: 强化学习}}}}\n"
BIB = (
    "@article{wu2024a, title={A < B}, author={Wu, A. and 李, 明}, year=2024, month=2, doi={10.1234/x}, journal={J}}\n"
    "@misc{li2023b, title={C}, author={Li, A.}, year=2023, doi={10.1234/y}}\n"
)
FILES = {
    "site.yaml": PUBLISHED,
    "a.bib": BIB,
    "one/topic.yaml": "title: {zh: 一, en: One}\n",
    "two/topic.yaml": "title: {zh: 二, en: Two}\n",
    "one/01_旧/note.yaml": """\
title: {zh: 旧, en: "Old <one>"}
summary: {zh: "见 [[#2]] 与 [[two/#1|那篇]]，**重点**", en: S}
created: 2024-01-02
updated: 2024-05-06
tags: [rl, x & y]
papers: [wu2024a, li2023b]
""",
    "one/01_旧/zh.md": "文\n",
    "one/01_旧/en.md": "text\n",
    "one/02_New/note.yaml": "title: {zh: 新, en: New}\ncreated: 2024-06-01\n",
    "one/02_New/zh.md": "文\n",
    "two/01_Undated/note.yaml": "title: {zh: 无, en: None}\n",
    "two/01_Undated/en.md": "text\n",
}


def published(files: dict[str, str] = FILES) -> dict[str, bytes]:
    corpus, problems = load(tuple(source(f"notes_src/{name}", text) for name, text in files.items()))
    assert corpus is not None, problems
    resolver = link_resolver(corpus, render_bodies(corpus.notes)[0].outlines)
    pages = [PurePosixPath(name) for name in ("index.html", "404.html", "tags.html", "one/index.html")]
    pages.append(PurePosixPath("one/notes/01_旧.html"))
    return {str(made.path): made.data for made in (*feeds(corpus, resolver), *sitemap(corpus, pages))}


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return published()


def test_there_is_a_feed_for_each_language_and_topic_with_a_dated_note(made: dict[str, bytes]) -> None:
    feeds = ["site/feed.en.xml", "site/feed.zh.xml", "site/one/feed.en.xml", "site/one/feed.zh.xml"]
    assert sorted(made) == sorted([*feeds, "site/robots.txt", "site/sitemap.xml"])


def test_without_an_address_there_is_none_of_it() -> None:
    assert published(FILES | {"site.yaml": SITE}) == {}


@pytest.mark.parametrize("name", ["feed.zh.xml", "feed.en.xml", "one/feed.zh.xml", "one/feed.en.xml"])
def test_feeds_are_valid(made: dict[str, bytes], name: str) -> None:
    feed = etree.fromstring(made[f"site/{name}"])
    ATOM.assertValid(feed)
    ids = [element.text for element in feed.iter(f"{A}id")]
    assert len(ids) == len(set(ids))
    assert feed.findtext(f"{A}updated") == max(element.text for element in feed.iter(f"{A}updated"))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b"<updated>2024-06-01T", b"<updated>2024-06-01 "),
        (b"<id>tag:", b"<id>"),
        (b"<author><name>", b"<author>"),
        (b'rel="self"', b'rel="itself"'),
        (b"</title>", b"</title><title>x</title>"),
    ],
)
def test_the_schema_would_say_so(made: dict[str, bytes], right: bytes, wrong: bytes) -> None:
    broken = made["site/feed.zh.xml"].replace(right, wrong, 1)
    parser = etree.XMLParser(recover=True)
    assert broken != made["site/feed.zh.xml"]
    assert not ATOM.validate(etree.fromstring(broken, parser))


def test_an_entry(made: dict[str, bytes]) -> None:
    feed = etree.fromstring(made["site/one/feed.zh.xml"])
    assert feed.findtext(f"{A}title") == "笔<记> · 一"
    assert feed.findtext(f"{A}author/{A}name") == "小明"
    new, old = feed.findall(f"{A}entry")
    assert new.findtext(f"{A}id") == "tag:me.example.org,2026:n/one/02_New/zh"
    assert old.findtext(f"{A}id") == "tag:me.example.org,2026:n/one/01_%E6%97%A7/zh"
    assert (old.findtext(f"{A}published"), old.findtext(f"{A}updated")) == (
        "2024-01-02T00:00:00Z",
        "2024-05-06T00:00:00Z",
    )
    assert [(link.get("rel"), link.get("href")) for link in old.findall(f"{A}link")] == [
        ("alternate", "https://me.example.org/n/one/notes/01_%E6%97%A7.html?lang=zh"),
        ("related", "https://doi.org/10.1234/x"),
    ]
    assert [(tag.get("term"), tag.get("label")) for tag in old.findall(f"{A}category")] == [
        ("rl", "强化学习"),
        ("x & y", "x & y"),
    ]
    assert (
        old.findtext(f"{A}summary")
        == "见 一 #2 新 与 那篇，重点\n论文：A < B · A. Wu, 李明 · J · 2024-02\n论文：C · A. Li · 2023"
    )


def test_only_the_feed_of_the_site_says_what_it_is_about() -> None:
    made = published(FILES | {"site.yaml": f"{PUBLISHED}description: {{zh: 说明, en: On things}}\n"})
    texts = {name: etree.fromstring(made[name]).findtext(f"{A}subtitle") for name in made if "feed" in name}
    about = {"site/feed.en.xml": "On things", "site/feed.zh.xml": "说明"}
    assert texts == {**about, "site/one/feed.en.xml": None, "site/one/feed.zh.xml": None}


def test_a_feed_has_the_last_changed_notes_only() -> None:
    many = {
        f"one/{number:03}_N/{name}": text
        for number in range(10, 80)
        for name, text in (("note.yaml", f"title: n{number}\ncreated: 2025-01-{number % 28 + 1:02}\n"), ("zh.md", "文"))
    }
    feed = etree.fromstring(published(FILES | many)["site/feed.zh.xml"])
    entries = feed.findall(f"{A}entry")
    assert len(entries) == ENTRIES
    dates = [entry.findtext(f"{A}updated") or "" for entry in entries]
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize(
    ("base_url", "name", "address"),
    [
        ("https://me.github.io/notes/", "rl/04_A/zh", "tag:me.github.io,2026:notes/rl/04_A/zh"),
        ("https://EXAMPLE.org:8080/", "feed.zh.xml", "tag:example.org,2026:feed.zh.xml"),
        ("https://笔记.example/", "a b", "tag:xn--uvz335a.example,2026:a%20b"),
    ],
)
def test_tag_addresses(base_url: str, name: str, address: str) -> None:
    assert tag_address(base_url, name) == address


def test_the_sitemap_is_valid_and_lists_every_page_but_404(made: dict[str, bytes]) -> None:
    document = etree.fromstring(made["site/sitemap.xml"])
    SITEMAP.assertValid(document)
    found = {url[0].text: [child.text or child.get("href") for child in url[1:]] for url in document}
    base = "https://me.example.org/n/"
    assert found == {
        base: ["2024-06-01", f"{base}?lang=zh", f"{base}?lang=en"],
        f"{base}tags.html": ["2024-06-01", f"{base}tags.html?lang=zh", f"{base}tags.html?lang=en"],
        f"{base}one/": ["2024-06-01", f"{base}one/?lang=zh", f"{base}one/?lang=en"],
        f"{base}one/notes/01_%E6%97%A7.html": [
            "2024-05-06",
            f"{base}one/notes/01_%E6%97%A7.html?lang=zh",
            f"{base}one/notes/01_%E6%97%A7.html?lang=en",
        ],
    }
    assert not SITEMAP.validate(etree.fromstring(made["site/sitemap.xml"].replace(b"2024-06-01", b"June")))


def alternates(sitemap: bytes) -> list[tuple[str | None, str | None]]:
    """Language and address of the other forms of the pages."""
    return [(link.get("hreflang"), link.get("href")) for link in etree.fromstring(sitemap).iter("{*}link")][:2]


def test_languages_are_in_the_order_of_the_site() -> None:
    base = "https://me.example.org/n/"
    made = published(FILES | {"site.yaml": f"{PUBLISHED}languages: [en, zh]\n"})
    assert alternates(made["site/sitemap.xml"]) == [("en", f"{base}?lang=en"), ("zh-CN", f"{base}?lang=zh")]
    assert b'xml:lang="zh-CN"' in made["site/feed.zh.xml"]
    feed = etree.fromstring(made["site/feed.en.xml"])
    assert [link.get("hreflang") for link in feed.findall(f"{A}link")] == ["en", "en"]


def test_a_site_in_one_language_has_feeds_in_that_one_and_no_other_forms_of_pages() -> None:
    site = "title: Notes\nlanguages: [en]\ntopics: [one]\nbase_url: https://me.example.org/n/\n"
    files = {"one/topic.yaml": "title: One\n", "one/01_A/en.md": "Words.\n"}
    made = published({"site.yaml": site, **files, "one/01_A/note.yaml": "title: A\ncreated: 2024-06-01\n"})
    feeds = ["site/feed.en.xml", "site/one/feed.en.xml"]
    assert sorted(made) == sorted([*feeds, "site/robots.txt", "site/sitemap.xml"])
    assert alternates(made["site/sitemap.xml"]) == []


def test_robots_are_told_of_the_sitemap(made: dict[str, bytes]) -> None:
    text = made["site/robots.txt"].decode()
    assert text == "User-agent: *\nAllow: /\n\nSitemap: https://me.example.org/n/sitemap.xml\n"


@pytest.mark.parametrize(("number", "more"), [(6, ""), (7, " et al.")])
def test_of_the_authors_of_a_paper_six_are_named(number: int, more: str) -> None:
    people = [f"Ann Lee{letter}" for letter in "abcdefg"[:number]]
    bib = BIB.replace("Wu, A. and 李, 明", " and ".join(people))
    feed = etree.fromstring(published(FILES | {"a.bib": bib})["site/feed.en.xml"])
    (summary,) = [text for text in feed.xpath("//*[local-name()='summary']/text()") if "Leea" in text]
    assert f"A < B · {', '.join(people[:6])}{more} · J" in summary
