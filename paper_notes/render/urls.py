"""Absolute addresses and feeds, which a site has only if its address is known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import quote

from paper_notes.corpus.model import Corpus, Lang, Note, TopicId
from paper_notes.render.views import FeedLink, Published

Feed = tuple[Lang, TopicId | None]
"""The language of a feed, and its topic; None for all topics."""


def absolute(path: PurePosixPath, base_url: str) -> str:
    """The absolute address of a file of the site, percent-encoded; that of `index.html` is its folder."""
    name = str(path).removesuffix("index.html") if path.name == "index.html" else str(path)
    return base_url + quote(name, safe="/+")


def feed_path(lang: Lang, topic: TopicId | None) -> PurePosixPath:
    """The path of a feed, relative to the site."""
    return PurePosixPath(topic or "", f"feed.{lang}.xml")


def in_feed(corpus: Corpus, lang: Lang, topic: TopicId | None) -> tuple[Note, ...]:
    """The notes of a feed, the latest first: those with a text in the language and a date."""
    notes = [
        note
        for note in corpus.notes
        if lang in note.languages and (note.updated or note.created) and topic in (None, note.topic)
    ]
    notes.sort(key=lambda note: str(note.updated or note.created), reverse=True)
    return tuple(notes)


def feeds(corpus: Corpus) -> Iterator[Feed]:
    """All feeds that have an entry: those of the site, then those of each topic."""
    if corpus.site.base_url:
        for topic in (None, *(topic.id for topic in corpus.topics)):
            for lang in corpus.site.languages:
                if in_feed(corpus, lang, topic):
                    yield lang, topic


def feed_title(corpus: Corpus, lang: Lang, topic: TopicId | None) -> str:
    """The title of a feed: `Paper Notes · Models`."""
    title = corpus.site.title[lang]
    return f"{title} · {corpus.topic(topic).title[lang]}" if topic else title


def published(
    corpus: Corpus, page: PurePosixPath, topic: TopicId | None, languages: tuple[Lang, ...], known: tuple[Feed, ...]
) -> Published | None:
    """The page's own address, and its feeds: the site's and those of its topic."""
    base_url = corpus.site.base_url
    if base_url is None:
        return None
    links = (
        FeedLink(
            lang,
            f"{feed_title(corpus, lang, place)} ({corpus.site.words[lang].name})",
            absolute(feed_path(lang, place), base_url),
        )
        for lang, place in known
        if place in (None, topic)
    )
    return Published(absolute(page, base_url), languages, tuple(links))
