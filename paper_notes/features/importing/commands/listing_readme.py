"""The README that lists the notes of a request to import, and what it makes of that before they are read."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from paper_notes.commands.terminal import say
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import UserError
from paper_notes.features.importing.folders import ImportRequest
from paper_notes.features.importing.lists import FORMAT as LIST
from paper_notes.features.importing.placement import PlacedNote
from paper_notes.features.importing.readme.adding import Additions
from paper_notes.features.importing.readme.listing import arranged, arxiv_of, by_address, listing_of, topics_of
from paper_notes.features.importing.readme.reading import HandKeptReadme, read_readme
from paper_notes.features.importing.readme.regions import README, emptied
from paper_notes.features.importing.readme.rows import is_page
from paper_notes.features.importing.readme.words import PAGES
from paper_notes.features.lists.forms import document_in
from paper_notes.features.starting.beginning import readme_text
from paper_notes.identifiers import ArxivId
from paper_notes.patterns import regex
from paper_notes.project import install_line
from paper_notes.render.links import SITE, note_path
from paper_notes.sources.tree import Source, present, read_input_text
from paper_notes.values import replace

_NAMES = ("README.md", "readme.md", "Readme.md", "README.markdown", "index.md")
"""Of files at the top of a folder that may list all of it, the likeliest first."""
_SHARE = 3
"""One that lists the notes has a row for one in three at least; any other page may have a table with some links."""
_MANY = 5
"""A file with so many rows lists notes or papers; one with fewer may be a note that mentions some."""

_INSTALL = regex(rf"^{re.escape(install_line(''))}.*?(?=  |$)", re.MULTILINE)
"""The line of a README that installs the program."""


def read_listing(path: PurePosixPath, text: str, files: Iterable[PurePosixPath], corpus: Corpus) -> HandKeptReadme:
    """A README that may lead to these files, and to notes of the collection."""
    find = by_address([*((str(file), str(file)) for file in files), *((note.id, note.id) for note in corpus.notes)])
    return read_readme(path, text, lambda address: is_page(address) or find(address) is not None)


def with_readme(request: ImportRequest, readme: HandKeptReadme, corpus: Corpus) -> ImportRequest:
    """The request with topics and numbers as the README has them."""
    topics, files = topics_of(readme, corpus, request.topic), request.folder.files - {readme.path}
    outside = bool(files) and readme.path not in request.folder.files
    places = {path: (topic, number) for path, topic, number in arranged(readme, topics, files)}
    return replace(request, readme=None if outside else readme.path, arranged=places)


def with_listing(
    request: ImportRequest, named: Path | None, corpus: Corpus
) -> tuple[ImportRequest, HandKeptReadme | None]:
    """The request with the README that lists its files, if there is one: the `named` one, or that among the files.

    Raises UserError if the one that is named lists nothing.
    """
    files = sorted(request.folder.files, key=str)
    if named:
        readme = read_listing(PurePosixPath(named.name), read_input_text(named), files, corpus)
        if not readme.sections:
            hint = "a table or a list, each row with a link to a note or a paper"
            raise UserError(f'"{named}" lists no notes and no papers', hint)
        return with_readme(request, readme, corpus), readme
    for path in map(PurePosixPath, _NAMES):
        data = request.folder.read(path) if len(files) > 1 and path in request.folder.files else None
        readme = read_listing(path, (data or b"").decode("utf-8-sig", errors="replace"), files, corpus)
        listed = with_readme(request, readme, corpus)
        notes = [file for file in files if file != path and file.suffix.lower() in PAGES]
        if listed.arranged and len(listed.arranged) * _SHARE >= len(notes):
            say(f"{path} lists the notes: its labels, topics, papers and reading paths are taken in, too.")
            return listed, readme
    return request, None


def say_listing(request: ImportRequest, corpus: Corpus) -> None:
    """Say how a file that was named alone, and taken in as one note, can be read as the list that it looks like."""
    (path, *others) = request.asked or (PurePosixPath(),)
    if request.only or others or path.suffix.lower() not in LIST.suffixes:
        return
    text = (request.folder.read(path) or b"").decode("utf-8-sig", errors="replace")
    count = 0 if document_in(text) else len([*read_listing(path, text, (), corpus).rows])
    if count >= _MANY:
        name = shlex.quote(str(request.place / path))
        say(f"{path} lists {count} notes or papers: `paper-notes import --as readme {name}` takes in each of them.")


def papers_in(readme: HandKeptReadme) -> Iterable[ArxivId]:
    """The arXiv ids of its rows."""
    return [arxiv.id for _, row in readme.rows if row.is_paper and (arxiv := arxiv_of(row))]


def additions(
    readme: HandKeptReadme, request: ImportRequest, notes: Sequence[PlacedNote], corpus: Corpus, root: Path
) -> Additions:
    """What the README adds to the collection when these notes are taken in."""
    own = next(iter(present(root, README)), None)
    base_url = "" if corpus.site.base_url else published_at(readme, request.folder.files)
    begin = corpus.site.base_url or base_url or f"{SITE}/"
    if base_url:
        say(f"The links of {readme.path} lead to {base_url}, which becomes the `base_url` of site.yaml.")
    starters = own is not None and _is_starters(own, corpus)
    listing = listing_of(readme, corpus, notes, request.topic)
    key = f"{request.name}/{readme.path}"
    return Additions(listing, key, own, lambda note: f"{begin}{note_path(note)}", starters, base_url)


def published_at(readme: HandKeptReadme, files: Iterable[PurePosixPath]) -> str:
    """Where the notes are published, as most rows that name a note have it: what is before the paths of the files."""
    pages = {str(path.with_suffix("")) for path in files if path.suffix.lower() in PAGES}
    begins = Counter[str]()
    addresses = [row.address for _, row in readme.rows if row.address]
    for address in addresses:
        if re.match(r"https?://(?!(?:www\.)?(?:github|gitlab|gitee)\.com/)", address):
            bare = unquote(address).removesuffix("/").removesuffix(".html")
            parts = bare.split("/")[3:]
            own = next((page for at in range(len(parts)) if (page := "/".join(parts[at:])) in pages), "")
            begins[bare.removesuffix(own)] += bool(own)
    [(begin, count)] = begins.most_common(1) or [("", 0)]
    return begin if count * 2 > len(addresses) else ""


def _is_starters(own: Source, corpus: Corpus) -> bool:
    """Whether a README is still as `paper-notes init` has written it, but for its regions."""
    try:
        text, languages = emptied(own.text).split(), corpus.site.languages
        title = corpus.site.title[corpus.site.default_language]
        install = _INSTALL.search(own.text)
        line = install[0].rstrip() if install else ""
        starters = (readme_text(languages, topic, title, line) for topic in corpus.site.topics)
        return any(emptied(starter).split() == text for starter in starters)
    except (UserError, UnicodeDecodeError):
        return False
