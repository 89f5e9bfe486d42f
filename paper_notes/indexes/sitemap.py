"""`sitemap.xml` and `robots.txt` for search engines, if the site's address is known."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from markupsafe import Markup

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Note
from paper_notes.languages.language import Language
from paper_notes.render.links import MISSING, SITE, absolute, note_path, topic_path

_HEAD = """\
<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
"""
MOST = 50_000
"""Addresses of one sitemap at most, by the protocol."""


def sitemap(corpus: Corpus, pages: Iterable[PurePosixPath]) -> tuple[Artifact, ...]:
    """Both files. `pages` are the paths of HTML pages, relative to the site."""
    base_url = corpus.site.base_url
    if base_url is None:
        return ()
    notes = {note_path(note): note for note in corpus.written}
    topics = {topic_path(topic.id): corpus.notes_of(topic.id) for topic in corpus.topics}
    known = sorted((page for page in pages if page != MISSING), key=lambda page: (len(page.parts), str(page)))
    urls = []
    for page in known[:MOST]:
        shown = (notes[page],) if page in notes else topics.get(page, corpus.notes)
        own = notes[page].languages if page in notes else corpus.site.languages
        languages = tuple(corpus.site.words[lang] for lang in own)
        urls.append(_url(absolute(page, base_url), _changed(shown), languages))
    robots = f"User-agent: *\nAllow: /\n\nSitemap: {base_url}sitemap.xml\n"
    return (
        Artifact.text(SITE / "sitemap.xml", _HEAD + "\n".join(urls) + "\n</urlset>\n"),
        Artifact.text(SITE / "robots.txt", robots),
    )


def _url(address: str, changed: datetime.date | None, languages: tuple[Language, ...]) -> Markup:
    parts = [Markup("<loc>{}</loc>").format(address)]
    if changed:
        parts.append(Markup("<lastmod>{}</lastmod>").format(changed))
    return Markup("<url>{}</url>").format(Markup("").join([*parts, *_alternates(address, languages)]))


def _alternates(address: str, languages: tuple[Language, ...]) -> Iterator[Markup]:
    if len(languages) > 1:
        for language in languages:
            href = f"{address}?lang={language.tag}"
            yield Markup('<xhtml:link rel="alternate" hreflang="{}" href="{}"/>').format(language.html, href)


def _changed(notes: Iterable[Note]) -> datetime.date | None:
    """The latest date on which one of the notes was written or changed."""
    return max((day for note in notes if (day := note.updated or note.created)), default=None)
