"""Whatever a note holds, a book and cards of it are well-formed XML, and cards have a text."""

from __future__ import annotations

from xml.etree import ElementTree

from building import note
from hypothesis import given, settings
from texts import let_in, texts

from paper_notes.corpus.model import Corpus, Lang, Site, Topic, TopicId
from paper_notes.diagnostics import NOWHERE
from paper_notes.features.cards.card_texts import markdown
from paper_notes.features.cards.cards import CardMaker
from paper_notes.features.cards.flashcards import KINDS
from paper_notes.features.epub.chapter import ChapterMaker
from paper_notes.features.epub.xhtml import Palette
from paper_notes.languages.language import Words
from paper_notes.languages.text import Text
from paper_notes.markdown.render import render_body
from paper_notes.render.links import link_resolver, note_path

TOPIC = TopicId("topic")
WORDS = Words.of("zh", "en")
SITE = Site(Text.of(zh="站", en="Site"), WORDS, (TOPIC,), None, None, ())
TOPICS = (Topic(TOPIC, Text.of(zh="题", en="Topic"), "", None, (), NOWHERE),)


@settings(max_examples=settings.default.max_examples // 4)
@given(texts, texts)
def test_books_and_cards(one: str, two: str) -> None:
    one, two = let_in(one), let_in(two)
    asked = ":::recall\n问？\n: " + one.replace("\n", "\n  ") + "\n:::\n"
    of = note({Lang("zh"): f"## 记忆点\n\n{asked}\n{one}", Lang("en"): two})
    body = render_body(of, words=WORDS)
    corpus = Corpus(SITE, TOPICS, (of,), {}, (), ())
    resolver = link_resolver(corpus, {of.id: body.outline})
    chapter = ChapterMaker(corpus, resolver, WORDS.tags, {note_path(of): "x.xhtml"}, Palette({})).chapter(of, body)
    ElementTree.fromstring(f'<body xmlns:epub="http://www.idpf.org/2007/ops">{chapter.xml}</body>')
    for marks in ("mathjax", "dollars"):
        cards = CardMaker(corpus, resolver, WORDS.tags, marks, frozenset(KINDS)).cards([of], {of.id: body})
        for card in cards:
            ElementTree.fromstring(f"<div>{card.question}{card.answer}</div>")
        assert not cards or markdown(cards, "Cards").startswith("# Cards\n")
