"""Pages at addresses where no note is: the 404 page, and former addresses, which lead on."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from pathlib import PurePosixPath

from markupsafe import Markup

from paper_notes.corpus.model import Alias, Corpus, Lang, Text, TopicId
from paper_notes.corpus.references import name_of
from paper_notes.diagnostics import Diagnostic, Severity
from paper_notes.render.links import absolute, note_path, page_of, topic_path
from paper_notes.render.view_factory import PageContext, PageFrame, emoji_title
from paper_notes.values import Struct


class MissingPage(Struct, frozen=True):
    """`404.html`."""

    chrome: PageFrame


def missing_page(context: PageContext) -> MissingPage:
    """The view of `404.html`."""
    title = context.words("page.missing.title")
    return MissingPage(context.chrome(title, title, None))


class MovedPage(Struct, frozen=True):
    """The page at a former address."""

    languages: tuple[Lang, ...]
    title: Text
    """That of the page it leads to."""
    href: str
    """The link to that page."""
    address: str
    """The absolute address of that page if the site has one, else the same link."""
    script: Markup
    csp: str


def moved_pages(
    corpus: Corpus, taken: Container[PurePosixPath], report: Callable[[Diagnostic], None]
) -> Iterator[tuple[PurePosixPath, Alias]]:
    """The paths of these pages in the site. Reports addresses that are `taken` by other pages."""
    owners = {note_path(note): note.id for note in corpus.notes}
    first: dict[PurePosixPath, Alias] = {}
    for alias in corpus.aliases:
        path = path_of(alias)
        severity: Severity = "error"
        before = first.setdefault(path, alias)
        if path == _target(alias, corpus)[0]:
            message, severity = f'the page is at its former address "{alias.address}" itself', "warning"
        elif path in owners:
            message = f'the note {owners[path]} is at the former address "{alias.address}"'
        elif path in taken:
            message = f'another page of the site is at the former address "{alias.address}"'
        elif before is alias:
            yield path, alias
            continue
        elif (before.topic, before.note) == (alias.topic, alias.note):
            message, severity = f'the former address "{alias.address}" is here twice', "warning"
        else:
            message = f'the former address "{alias.address}" is also one of {before.note or before.topic}'
        report(Diagnostic(alias.location, "taken-address", message, "delete it from `aliases:`", severity))


def path_of(alias: Alias) -> PurePosixPath:
    """The path of the page at a former address, relative to the site."""
    if alias.former:
        name = name_of(alias.former)
        return page_of(name.topic, name.name)
    if not alias.is_path:
        return topic_path(TopicId(alias.address))
    return PurePosixPath(alias.address, "index.html") if alias.address.endswith("/") else PurePosixPath(alias.address)


def _target(alias: Alias, corpus: Corpus) -> tuple[PurePosixPath, Text]:
    """The page that a former address leads to, and its title."""
    if alias.note:
        note = corpus.note(alias.note)
        return note_path(note), note.title
    return topic_path(alias.topic), emoji_title(corpus.topic(alias.topic))


def moved_page(alias: Alias, context: PageContext) -> MovedPage:
    """The view of a page that leads on."""
    (path, title), site = _target(alias, context.corpus), context.corpus.site
    return MovedPage(
        languages=site.languages,
        title=title,
        href=context.href(path),
        address=absolute(path, site.base_url) if site.base_url else context.href(path),
        script=context.theme.more_script[context.kind],
        csp=context.theme.csp(context.kind),
    )
