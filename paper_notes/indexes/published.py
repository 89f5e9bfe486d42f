"""What a site has only if its address is known: Atom feeds, and `sitemap.xml` and `robots.txt` for search engines."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import quote, urlsplit

from markupsafe import Markup, escape

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang, Note, TopicId
from paper_notes.corpus.paper import Paper
from paper_notes.languages.language import Language
from paper_notes.markdown.short_texts import LONG
from paper_notes.render.labels import author_names
from paper_notes.render.links import (
    HOME,
    MISSING,
    SITE,
    LinkResolver,
    absolute,
    feed_path,
    feed_title,
    in_feed,
    note_path,
    topic_path,
)
from paper_notes.render.theme.theme import GENERATOR
from paper_notes.render.view_factory import tag_name

ENTRIES = 50
"""Entries of a feed at most: it shows what is new and is not an archive."""
_TAG_YEAR = 2026
"""A `tag:` address (RFC 4151) names a date on which its author held the domain. One date for all keeps every id stable
when dates of notes are corrected."""


def feeds(corpus: Corpus, resolver: LinkResolver) -> tuple[Artifact, ...]:
    """All feeds that have an entry. They depend on their notes only, not on the clock."""
    base_url = corpus.site.base_url
    if base_url is None:
        return ()
    return tuple(
        Artifact.text(SITE / feed_path(lang, topic), _feed(corpus, resolver, lang, topic, base_url))
        for lang, topic in resolver.feeds
    )


def _feed(corpus: Corpus, resolver: LinkResolver, lang: Lang, topic: TopicId | None, base_url: str) -> str:
    notes = in_feed(corpus, lang, topic)[:ENTRIES]
    site, words = corpus.site, corpus.site.words[lang]
    page = absolute(topic_path(topic) if topic else HOME, base_url)
    parts = [
        Markup("<id>{}</id>").format(tag_address(base_url, str(feed_path(lang, topic)))),
        Markup("<title>{}</title>").format(feed_title(corpus, lang, topic)),
        Markup("<updated>{}</updated>").format(_time(notes[0].updated or notes[0].created)),
        _link("self", "application/atom+xml", absolute(feed_path(lang, topic), base_url), words.html),
        _link("alternate", "text/html", f"{page}?lang={lang}", words.html),
        Markup("<author><name>{}</name></author>").format((site.author or site.title)[lang]),
        Markup("<generator>{}</generator>").format(GENERATOR),
    ]
    if topic is None and site.description:
        parts.insert(2, Markup("<subtitle>{}</subtitle>").format(site.description[lang]))
    parts += [_entry(note, corpus, resolver, lang, base_url) for note in notes]
    start = f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{words.html}">'
    return "\n".join(['<?xml version="1.0" encoding="utf-8"?>', start, *parts, "</feed>\n"])


def _entry(note: Note, corpus: Corpus, resolver: LinkResolver, lang: Lang, base_url: str) -> Markup:
    papers = [corpus.papers[key] for key in note.papers]
    words = corpus.site.words[lang]
    parts = [
        Markup("<id>{}</id>").format(tag_address(base_url, f"{note.id}/{lang}")),
        Markup("<title>{}</title>").format(note.title[lang]),
        Markup("<updated>{}</updated>").format(_time(note.updated or note.created)),
        _link("alternate", "text/html", f"{absolute(note_path(note), base_url)}?lang={lang}", words.html),
    ]
    if note.created:
        parts.append(Markup("<published>{}</published>").format(_time(note.created)))
    parts += [
        Markup('<link rel="related" title="{}" href="{}"/>').format(f"{paper.title} · {link.label}", link.url)
        for paper in papers[:1]
        for link in paper.links
    ]
    for tag in note.tags:
        parts.append(Markup('<category term="{}" label="{}"/>').format(tag, tag_name(tag, corpus)[lang]))
    lines = [resolver.plain_summary(note, LONG)[lang], *(_about(paper, words) for paper in papers)]
    parts.append(Markup("<summary>{}</summary>").format("\n".join(line for line in lines if line)))
    return Markup("<entry>\n{}\n</entry>").format(Markup("\n").join(parts))


def _about(paper: Paper, words: Language) -> str:
    """One line about a paper: title, authors, venue and date."""
    facts = " · ".join(filter(None, (paper.title, author_names(paper, 6), paper.venue, paper.date_label)))
    return words("feed.paper", facts=facts)


def _link(rel: str, kind: str, href: str, lang: str) -> Markup:
    return Markup('<link rel="{}" type="{}" hreflang="{}" href="{}"/>').format(rel, kind, lang, escape(href))


def _time(day: datetime.date | None) -> str:
    """A date as the start of that day in UTC: sources have no times."""
    return f"{day}T00:00:00Z"


def tag_address(base_url: str, name: str) -> str:
    """An id that stays the same if the page moves within the domain's site: `tag:me.github.io,2026:notes/rl/04/zh`."""
    place = urlsplit(base_url)
    host = (place.hostname or "").encode("idna").decode()
    return f"tag:{host},{_TAG_YEAR}:" + quote(place.path.strip("/") + "/" + name, safe="/+,:;=@!$*()'-._~").strip("/")


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
    every = corpus.site.languages
    known = {note_path(note): (_changed([note]), note.languages) for note in corpus.written}
    known |= {topic_path(topic.id): (_changed(corpus.notes_of(topic.id)), every) for topic in corpus.topics}
    lists, urls = (_changed(corpus.notes), every), []
    wanted = sorted((page for page in pages if page != MISSING), key=lambda page: (len(page.parts), str(page)))
    for page in wanted[:MOST]:
        changed, shown_in = known.get(page, lists)
        urls.append(_url(absolute(page, base_url), changed, tuple(corpus.site.words[lang] for lang in shown_in)))
    robots = f"User-agent: *\nAllow: /\n\nSitemap: {base_url}sitemap.xml\n"
    return (
        Artifact.text(SITE / "sitemap.xml", _HEAD + "\n".join(urls) + "\n</urlset>\n"),
        Artifact.text(SITE / "robots.txt", robots),
    )


def _changed(notes: Iterable[Note]) -> datetime.date | None:
    """The day when the latest of these notes was written or revised, if any says it."""
    return max((day for note in notes if (day := note.updated or note.created)), default=None)


def _url(address: str, changed: datetime.date | None, languages: tuple[Language, ...]) -> str:
    address = escape(address)
    parts = [f"<loc>{address}</loc>", f"<lastmod>{changed}</lastmod>" if changed else ""]
    if len(languages) > 1:
        link = '<xhtml:link rel="alternate" hreflang="{}" href="{}?lang={}"/>'
        parts += [link.format(escape(language.html), address, escape(language.tag)) for language in languages]
    return f"<url>{''.join(parts)}</url>"
