"""The user's own navigation: what each entry leads to, and its title."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from paper_notes.corpus.model import Corpus, NavigationEntry, Text
from paper_notes.corpus.read_site import is_outside
from paper_notes.corpus.references import NO_TOPIC
from paper_notes.diagnostics import Diagnostic, Suggestions
from paper_notes.markdown.body import Slot
from paper_notes.render.labels import short_title
from paper_notes.render.links import LinkResolver, note_path, own_file, topic_path


@dataclass(frozen=True, slots=True)
class NavigationLink:
    """An entry of the navigation, for any page."""

    title: Text
    target: PurePosixPath | None
    """A file of the site; None for an address elsewhere."""
    rest: str
    """What follows: `#section`, or the whole address."""


def navigation(
    corpus: Corpus, resolver: LinkResolver, lists: Iterable[tuple[PurePosixPath, Text]]
) -> tuple[tuple[NavigationLink, ...], tuple[Diagnostic, ...]]:
    """The entries, and what is wrong with them. `lists` are the pages of the whole collection, with their titles."""
    pages = {path.stem: (path, title) for path, title in lists}
    pages |= {topic.id: (topic_path(topic.id), topic.title) for topic in corpus.topics}
    pages |= {page.name: (note_path(page), page.title) for page in corpus.pages}
    files = {str(path): path for path in map(own_file, corpus.own_files)}

    def link(entry: NavigationEntry) -> NavigationLink | Diagnostic:
        if is_outside(entry.link):
            return NavigationLink(entry.title or Text(), None, entry.link)
        if entry.link in pages:
            path, title = pages[entry.link]
            return NavigationLink(entry.title or title, path, "")
        if entry.link in files:
            if entry.title is None:
                hint = "write it as {title: ..., link: ...}"
                return Diagnostic(entry.location, "bad-value", "a link to a file needs a title", hint)
            return NavigationLink(entry.title, files[entry.link], "")
        target = resolver.find(entry.link, NO_TOPIC)
        if isinstance(target, tuple):
            note = corpus.note(target[0])
            section = f"#{target[1]}" if target[1] else ""
            return NavigationLink(entry.title or note.title.map(short_title), note_path(note), section)
        wrong = resolver.target(Slot("note", entry.link, "", entry.location), NO_TOPIC)
        if isinstance(wrong, Diagnostic) and (target is None or entry.link.partition("/")[0] in pages):
            return wrong  # a section or a note that is not there
        message = f'the navigation leads to "{entry.link}", which is no page, topic, note or file of static/'
        hint = Suggestions().did_you_mean(entry.link, [*pages, *files])
        return Diagnostic(entry.location, "dangling-reference", message, hint)

    links = [link(entry) for entry in corpus.site.navigation]
    return (
        tuple(link for link in links if isinstance(link, NavigationLink)),
        tuple(link for link in links if isinstance(link, Diagnostic)),
    )
