"""The pages at former addresses of notes: each leads to its note. No list, feed or search knows them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from markupsafe import Markup

from paper_notes.corpus.model import Alias, Corpus, Lang, Note, Text
from paper_notes.corpus.references import name_of
from paper_notes.diagnostics import Diagnostic, Severity
from paper_notes.render.links import note_path, page_of
from paper_notes.render.parts import PageContext
from paper_notes.render.urls import absolute


@dataclass(frozen=True, slots=True)
class MovedPage:
    """The page at a former address of a note."""

    languages: tuple[Lang, ...]
    title: Text
    """That of the note."""
    href: str
    """The link to the note."""
    address: str
    """The absolute address of the note if the site has one, else the same link."""
    script: Markup
    csp: str


def moved_pages(
    corpus: Corpus, taken: Container[PurePosixPath], report: Callable[[Diagnostic], None]
) -> Iterator[tuple[PurePosixPath, Note]]:
    """The paths of these pages in the site, and their notes. Reports addresses that are `taken` by other pages."""
    owners = {note_path(note): note for note in corpus.notes}
    first: dict[PurePosixPath, Alias] = {}
    for alias in corpus.aliases:
        path, note = path_of(alias), corpus.note(alias.note)
        before = first.setdefault(path, alias)
        severity: Severity = "error"
        if path == note_path(note):
            message, severity = f'the note is at its former address "{alias.address}" itself', "warning"
        elif path in owners:
            message = f'the note {owners[path].id} is at the former address "{alias.address}"'
        elif path in taken:
            message = f'another page of the site is at the former address "{alias.address}"'
        elif before is not alias and before.note == alias.note:
            message, severity = f'the former address "{alias.address}" is here twice', "warning"
        elif before is not alias:
            message = f'the former address "{alias.address}" is also one of {before.note}'
        else:
            yield path, note
            continue
        report(Diagnostic(alias.location, "taken-address", message, "delete it from `aliases:`", severity))


def path_of(alias: Alias) -> PurePosixPath:
    """The path of the page at a former address, relative to the site."""
    if alias.former:
        name = name_of(alias.former)
        return page_of(name.topic, name.name)
    return PurePosixPath(alias.address, "index.html") if alias.address.endswith("/") else PurePosixPath(alias.address)


def moved_page(note: Note, context: PageContext) -> MovedPage:
    """The view of a page that leads to the note."""
    href, site = context.href(note_path(note)), context.corpus.site
    return MovedPage(
        languages=site.languages,
        title=note.title,
        href=href,
        address=absolute(note_path(note), site.base_url) if site.base_url else href,
        script=context.theme.more_script[context.kind],
        csp=context.theme.csp(context.kind),
    )
