"""What has changed in a folder that another program keeps: which of its texts are to be read, and what is then new."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from paper_notes.commands.terminal import fail, say_problem
from paper_notes.corpus.load import load
from paper_notes.corpus.model import OutsideFolder
from paper_notes.engine.cache import Cache
from paper_notes.features.importing.commands.import_notes import (
    ImportOptions,
    LeftOut,
    say_imported,
    take_in,
    tell_lost,
)
from paper_notes.features.importing.commands.requested_files import is_text, say_unread
from paper_notes.features.importing.markdown.conversion import PICTURES
from paper_notes.features.importing.outside import reader
from paper_notes.sources.tree import read_tree
from paper_notes.values import replace


def named_folders(root: Path, cache: Cache) -> tuple[OutsideFolder, ...]:
    """The folders that the settings name; none if the settings are wrong, which the build reports."""
    corpus, _ = load(read_tree(root, cache)[0], cache=cache)
    return corpus.site.sources if corpus else ()


def to_read(files: Mapping[str, str], changed: AbstractSet[str], before: Container[str]) -> Sequence[Path] | None:
    """The texts that may say something else since these files have changed, come or gone; None if that may be all.

    Besides themselves, those that name a picture, or a text that was not there `before`.
    """
    paths = {name: PurePosixPath(name) for name in changed}
    texts = {name for name, path in paths.items() if is_text(path)}
    if texts - files.keys() or any(paths[name].suffix.lower() not in PICTURES for name in changed - texts):
        return None
    named = {paths[name].stem.casefold() for name in texts if name not in before}
    named |= {paths[name].name.casefold() for name in changed - texts}
    read = reader({PurePosixPath(name): file for name, file in files.items()})
    for path in filter(is_text, map(PurePosixPath, files.keys() - texts) if named else ()):
        said = unquote((read(path) or b"").decode(errors="replace")).casefold()
        texts |= {str(path)} if any(name in said for name in named) else set()
    return [Path(files[name]) for name in sorted(texts)]


def take_in_changed(root: Path, path: str, topic: str | None, files: Sequence[Path], *, write: bool) -> None:
    """Take in the folder of this path, or some files of it, and say what is new. Raises UserError."""
    if not files:
        return
    asked = ImportOptions(topic=topic, offline=True, only_check=not write, source=path)
    try:
        taken = take_in(files, root, asked)
    except LeftOut as problem:  # said once, as all that an import says; the note stays as it was
        say_problem(problem.message, problem.hint)
        return
    if not write and not taken.plan.empty:
        fail(f'the notes are not what "{path}" says; run `paper-notes build`')
    news = tuple(text for text in taken.imported.texts if text.state in ("new", "changed"))
    if news:
        say_imported(taken.wanted, replace(taken.imported, texts=news))
    else:
        say_unread({file: why for file, why in taken.imported.unread.items() if why == "deleted"}, taken.wanted.place)
    if taken.lossy:
        tell_lost(taken.lossy, asked)
        rest = LeftOut(taken.lossy, path)
        say_problem(rest.message, rest.hint)
