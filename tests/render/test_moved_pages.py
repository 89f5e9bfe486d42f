"""Pages at former addresses: they lead on, and nothing else names them."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from pathlib import Path

import pytest
from running import built, files_of, write

from paper_notes.build import build

FILES = {
    "notes_src/site.yaml": "title: Notes\nlanguages: [ja, en]\ntopics: [tea]\nbase_url: https://example.org/n\n",
    "notes_src/tea/topic.yaml": "title: {ja: 茶, en: Tea}\n",
    "notes_src/tea/01_Leaf/note.yaml": "title: {ja: 葉, en: A <Leaf>}\naliases: [old/03_Leaf, blog/x.html, 24/leaf/]\n",
    "notes_src/tea/01_Leaf/ja.md": "葉。\n",
    "notes_src/tea/01_Leaf/en.md": "A leaf.\n",
}
OLD = ("old/notes/03_Leaf.html", "blog/x.html", "24/leaf/index.html")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return files_of(built(write(tmp_path_factory.mktemp("moved"), FILES)))


@pytest.mark.parametrize("name", OLD)
def test_the_page_leads_to_the_note(name: str, site: dict[str, bytes]) -> None:
    page = site[name].decode()
    href = "../" * name.count("/") + "tea/notes/01_Leaf.html"
    assert f'<noscript><meta http-equiv="refresh" content="0; url={href}"></noscript>' in page
    assert '<link rel="canonical" href="https://example.org/n/tea/notes/01_Leaf.html">' in page
    assert '<meta name="robots" content="noindex">' in page
    assert re.findall(r'<p lang="([^"]+)">.*<a href="(.+)">(.+)</a>', page) == [
        ("ja", href, "葉"),
        ("en", href, "A &lt;Leaf&gt;"),
    ]
    assert len(page) < 2_000


def test_the_former_name_of_a_topic_leads_to_its_page(tmp_path: Path) -> None:
    topic = "title: {ja: 茶, en: Tea}\naliases: [chai, drinks/tea.html]\n"
    made = built(write(tmp_path, {**FILES, "notes_src/tea/topic.yaml": topic}))
    for name in ("chai/index.html", "drinks/tea.html"):
        assert '<a href="../tea/index.html">Tea</a>' in (made / name).read_text("utf-8")


def test_only_its_own_script_may_run(site: dict[str, bytes]) -> None:
    page = site[OLD[0]].decode()
    (script,) = re.findall(r"<script>(.*?)</script>", page)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = re.findall(r'Security-Policy" content="([^"]*)"', page)
    assert f"script-src 'sha256-{digest}'" in html.unescape(policy)
    assert "location.hash" in script


def test_no_list_feed_search_or_site_map_has_it(site: dict[str, bytes]) -> None:
    for name, data in site.items():
        if name != ".manifest":
            assert not [old for old in OLD if old.removesuffix("index.html").encode() in data], name


def test_without_an_address_of_the_site_the_canonical_link_is_relative(tmp_path: Path) -> None:
    settings = FILES["notes_src/site.yaml"].partition("base_url")[0]
    page = built(write(tmp_path, {**FILES, "notes_src/site.yaml": settings})) / OLD[0]
    assert '<link rel="canonical" href="../../tea/notes/01_Leaf.html">' in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("aliases", "severity", "words"),
    [
        ("tea/01_Leaf", "warning", "itself"),
        ("[a.html, a.html]", "warning", "twice"),
        ("index.html", "error", "another page"),
        ("tea/", "error", "another page"),
    ],
)
def test_addresses_that_are_taken(aliases: str, severity: str, words: str, tmp_path: Path) -> None:
    note = f"title: {{ja: 葉, en: A leaf}}\naliases: {aliases}\n"
    (found,) = build(write(tmp_path, {**FILES, "notes_src/tea/01_Leaf/note.yaml": note})).diagnostics
    assert (found.rule, found.severity, found.location.line) == ("taken-address", severity, 2)
    assert words in found.message
