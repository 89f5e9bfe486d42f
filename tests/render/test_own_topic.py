"""References in texts of a topic mean its own notes, on whatever page or in whatever file the text is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from listing import EN, ZH, collection_of, note
from reading_html import in_search_file
from running import built, write

from paper_notes.build import build
from paper_notes.corpus.model import NoteId
from paper_notes.render.page_inputs import InputCollector, corpus_of, resolver_of
from paper_notes.render.site_pages import site_context
from paper_notes.render.theme.theme import ThemeFiles

SITE = {
    "notes_src/site.yaml": (
        "title: {zh: 桥, en: Bridges}\ntopics: [a, b]\nbase_url: https://example.org/n\nreadme: true\n"
    ),
    "README.md": "<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n",
    "notes_src/l.bib": "@misc{k, title={T}, author={Doe, J.}, year=2020}\n",
    "notes_src/glossary.yaml": "- {zh: 缆, en: cable, definition: {zh: '见 [[#7]]。', en: 'See [[#7]].'}}\n",
}
TOPIC = "title: {{zh: 题{0}, en: Topic {0}}}\n"
TOPIC += "intro: {{zh: '先读 [[#7]]。再读别的。', en: 'Read [[#7]] first. Then others.'}}\n"


def files_of_topic(topic: str) -> dict[str, str]:
    """A topic with notes 1 and 7; its intro and its first note's summary refer to `#7`."""
    folder = f"notes_src/{topic}"
    facts = "papers: [k]\ntags: [t]\ncreated: 2024-05-01\nsummary: {zh: '接着 [[#7]]。', en: 'After it [[#7]].'}\n"
    title = "title: {{zh: {0}, en: {0}}}\n"
    return {
        f"{folder}/topic.yaml": TOPIC.format(topic),
        f"{folder}/01_One/note.yaml": title.format(f"First {topic}") + facts,
        f"{folder}/01_One/zh.md": "缆。\n",
        f"{folder}/01_One/en.md": "A cable.\n",
        f"{folder}/07_Seven/note.yaml": title.format(f"Seventh {topic}"),
        f"{folder}/07_Seven/zh.md": "见 [[#1]]。\n",
        f"{folder}/07_Seven/en.md": "See [[#1]].\n",
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("own-topic")
    return built(write(root, {**SITE, **files_of_topic("a"), **files_of_topic("b")}))


def part(page: Path, start: str, end: str) -> str:
    text = page.read_text("utf-8")
    return text[text.index(start) : text.index(end, text.index(start))]


def hrefs(html: str, name: str = "Seven") -> list[str]:
    return re.findall(rf'href="([^"]*_{name}\.html)"', html)


def test_intros_and_summaries_on_the_home_page_lead_into_their_own_topics(site: Path) -> None:
    for topic, other in (("a", "b"), ("b", "a")):
        shown = part(site / "index.html", f'<section class="topic" id="{topic}">', "</section>")
        # twice in the intro, twice in the summary, and the row of the note itself
        assert hrefs(shown) == [f"{topic}/notes/07_Seven.html"] * 5, other


def test_intros_and_summaries_on_pages_of_topics_and_notes_lead_into_their_own_topics(site: Path) -> None:
    for topic in "ab":
        assert set(hrefs(part(site / topic / "index.html", "<main", "</main>"))) == {"notes/07_Seven.html"}
        assert set(hrefs(part(site / topic / "notes/01_One.html", '<p class="dek">', "</p>"))) == {"07_Seven.html"}


def test_cards_on_tags_and_papers_name_the_topic_of_what_a_summary_refers_to(site: Path) -> None:
    for name in ("tags", "papers", "map"):
        cards = re.findall(r'data-(?:zh|en|summary)="([^"]*Seventh[^"]*)"', (site / f"{name}.html").read_text("utf-8"))
        assert "接着 题a #7 Seventh a。" in cards, name
        assert "After it Topic b #7 Seventh b." in cards, name


def test_a_card_in_a_note_names_what_the_summary_of_another_topic_refers_to() -> None:
    notes = {
        **note("one/01_A", zh="见 [[two/#1]]。\n"),
        **note("two/01_B", "summary: {zh: '见 [[#2]]', en: 'See [[#2]]'}\n"),
        **note("two/02_C"),
        **note("one/02_D"),
    }
    material, resolver = collection_of(notes)
    collector = InputCollector(material.corpus, material.outlines, resolver, material.relations)
    inputs = collector.of(material.corpus.note(NoteId("one/01_A")))
    common = site_context(material.corpus, resolver, (), ThemeFiles({}, {}))
    seen = resolver_of(common, inputs).plain_summary(corpus_of(common, inputs).note(NoteId("two/01_B")))
    assert (seen[ZH], seen[EN]) == ("见 二 #2 题C", "See Two #2 Title C")


def test_readmes_lead_into_the_topic_of_each_text(site: Path) -> None:
    for path in (site / "README.md", site / "README.en.md", site.parent / "README.md"):
        rows = [line for line in path.read_text("utf-8").splitlines() if line.startswith("| #1 |")]
        assert [hrefs(re.sub(r"\]\(([^)]*)\)", r' href="\1"', row)) for row in rows] == [
            [f"https://example.org/n/{topic}/notes/07_Seven.html"] for topic in "ab"
        ]
    for topic in "ab":
        text = (site / topic / "README.en.md").read_text("utf-8")
        assert f"Read [#7 Seventh {topic}](https://example.org/n/{topic}/notes/07_Seven.html) first." in text


def test_feeds_descriptions_and_search_name_the_note_with_its_topic(site: Path) -> None:
    for lang, words in (("zh", "接着 题{0} #7 Seventh {0}。"), ("en", "After it Topic {0} #7 Seventh {0}.")):
        feed = next(path for path in site.glob(f"*{lang}*.xml") if "sitemap" not in path.name).read_text("utf-8")
        found = in_search_file((site / "search-notes.css").read_text("utf-8"))
        texts = [text for row in found["notes"] for text in row if isinstance(text, str)]
        for topic in "ab":
            assert words.format(topic) in feed
            assert words.format(topic) in " ".join(texts) or (site / "search-all.css").exists()
    for topic in "ab":
        page = (site / topic / "index.html").read_text("utf-8")
        assert f'content="先读 题{topic} #7 Seventh {topic}。再读别的。"' in page
        own = (site / topic / "notes/01_One.html").read_text("utf-8")
        assert f'content="接着 题{topic} #7 Seventh {topic}。"' in own


def test_home_leads_to_the_feeds(site: Path) -> None:
    feeds = re.findall(r'<a href="([^"]+\.xml)" hreflang="([^"]+)">', part(site / "index.html", "<main", "</main>"))
    assert feeds == [("feed.zh.xml", "zh-CN"), ("feed.en.xml", "en")]


def test_a_definition_means_the_notes_of_the_first_topic_on_every_page(site: Path) -> None:
    """They belong to no topic, so their references must not change with the page that shows them."""
    assert hrefs(part(site / "glossary.html", "<main", "</main>")) == ["a/notes/07_Seven.html"] * 2
    terms = part(site / "b/notes/01_One.html", 'id="term-cable"', "</main>")
    assert hrefs(terms)[:2] == ["../../a/notes/07_Seven.html"] * 2


def test_a_number_that_only_another_topic_has_is_a_mistake_once(tmp_path: Path) -> None:
    files = {**SITE, **files_of_topic("a"), **files_of_topic("b")}
    files = {name: text for name, text in files.items() if "b/07" not in name and "glossary" not in name}
    found = [str(problem).splitlines()[0] for problem in build(write(tmp_path, files)).diagnostics]
    assert found == [
        'notes_src/b/01_One/note.yaml:5:10: error[dangling-reference]: no note "#7" in topic "b"',
        'notes_src/b/topic.yaml:2:8: error[dangling-reference]: no note "#7" in topic "b"',
    ]
