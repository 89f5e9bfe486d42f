"""The README that lists the notes of `paper-notes import`: the one that is named, or that of the folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from paper_notes.commands.terminal import say

if TYPE_CHECKING:
    from paper_notes.corpus.model import Corpus
    from paper_notes.features.importing.folders import Wanted
    from paper_notes.features.importing.placing import Placed
    from paper_notes.features.importing.readme.adding import Additions
    from paper_notes.features.importing.readme.values import Readme
    from paper_notes.identifiers import ArxivId
    from paper_notes.sources.tree import Source


def with_listing(
    wanted: Wanted, paths: Sequence[Path], named: Path | None, corpus: Corpus, *, as_readme: bool
) -> tuple[Wanted, Readme | None]:
    """What is wanted, with the README that lists it, if there is one: the `named` one, or that among the files.

    With `as_readme` the only path is one. Raises UserError.
    """
    from paper_notes.diagnostics import UserError
    from paper_notes.features.importing.readme.choosing import lists, own_readmes, read_listing, with_readme

    named = named or (paths[0] if as_readme else None)
    if as_readme and (len(paths) > 1 or not paths[0].is_file()):
        raise UserError("--as readme reads one file", "name it: `paper-notes import --as readme README.md`")
    files = sorted(wanted.folder.files, key=str)
    if named:
        readme = read_listing(PurePosixPath(named.name), _text(named), files, corpus)
        if not readme.sections:
            hint = "a table or a list, each row with a link to a note or a paper"
            raise UserError(f'"{named}" lists no notes and no papers', hint)
        inside = PurePosixPath(named.name) in wanted.folder.files
        return with_readme(wanted, readme, corpus) if inside or not files else _beside(wanted, readme, corpus), readme
    for path in own_readmes(files) if len(files) > 1 else ():
        data = wanted.folder.read(path)
        readme = read_listing(path, (data or b"").decode("utf-8-sig", errors="replace"), files, corpus)
        others = [file for file in files if file != path]
        if lists(readme, others):
            say(f"{path} lists the notes: its labels, topics, papers and reading paths are taken in, too.")
            return with_readme(wanted, readme, corpus), readme
    return wanted, None


def _beside(wanted: Wanted, readme: Readme, corpus: Corpus) -> Wanted:
    """What is wanted of a folder that the README is not in."""
    from paper_notes.features.importing.readme.choosing import with_readme

    return replace(with_readme(wanted, readme, corpus), readme=None)


def papers_in(readme: Readme) -> Iterable[ArxivId]:
    """The arXiv ids of its rows."""
    from paper_notes.features.importing.readme.papers import links_in

    rows = (row for section in readme.sections for table in section.tables for row in table.papers)
    return [arxiv for row in rows if (arxiv := links_in(row).arxiv)]


def added_by(readme: Readme, wanted: Wanted, notes: Sequence[Placed], corpus: Corpus, root: Path) -> Additions:
    """What the README adds to the collection when these notes are taken in."""
    from paper_notes.features.importing.readme.choosing import additions
    from paper_notes.render.links import SITE, note_path

    own = next(iter(own_readme(root)), None)
    begin = corpus.site.base_url or f"{SITE}/"
    starters = own is not None and _is_starters(own, corpus)
    return additions(
        readme, wanted, notes, corpus, own, page_of=lambda note: f"{begin}{note_path(note)}", replaceable=starters
    )


def own_readme(root: Path) -> list[Source]:
    """The collection's README, if it has one."""
    from paper_notes.features.importing.readme.giving_back import README
    from paper_notes.sources.input_file import read_input_file
    from paper_notes.sources.tree import Source

    path = root / README
    return [Source(README, read_input_file(path))] if path.is_file() else []


def _is_starters(own: Source, corpus: Corpus) -> bool:
    """Whether a README is still as `paper-notes init` has written it, but for its regions."""
    from paper_notes.diagnostics import UserError
    from paper_notes.features.importing.readme.giving_back import emptied
    from paper_notes.starter.beginning import readme_text

    try:
        text = emptied(own.text).split()
        made = (emptied(readme_text(corpus.site.languages, topic)).split() for topic in corpus.site.topics)
        return any(one == text for one in made)
    except (UserError, UnicodeDecodeError):
        return False


def _text(path: Path) -> str:
    from paper_notes.diagnostics import UserError
    from paper_notes.sources.input_file import read_input_file

    try:
        return read_input_file(path).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text", "save it as UTF-8") from error
