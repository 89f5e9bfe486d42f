"""What the shell offers after TAB: looked up in the names of folders, without loading the collection.

A parameter is completed by its name: `note` is a note in every command. Mistakes are passed over in silence, since
whatever is printed would stand in the middle of the line that the user types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import get_args

import click
from click.shell_completion import CompletionItem

from paper_notes.commands.naming import entries, here, names_on_disk, site_file, site_languages
from paper_notes.corpus.model import BUILT_IN_KINDS
from paper_notes.diagnostics import RuleId, UserError
from paper_notes.patterns import regex
from paper_notes.render.pages import LISTS
from paper_notes.sources.tree import SOURCE_FOLDER, nearest_collection, read_input_file

PAGES = ("index", *LISTS)
_MOST = 200
"""Shells take their time with thousands of words: longer lists are cut after the first letters that differ."""
_PLAIN = regex(r"[\w.+/:-]+")
"""Words that a shell takes for nothing else: a stranger's folder may be called `;rm -rf ~`."""
ENTRY = regex(
    r"^[ \t]*@(?!comment|string|preamble)[A-Za-z]+[ \t]*[{(]\s*([^\s,{}()\"']+)[ \t]*,", re.MULTILINE | re.IGNORECASE
)
"""The beginning of a BibTeX entry, with its key."""
_PATH = regex(rf"\.{{0,2}}/|[~]|{SOURCE_FOLDER}/|site/")


class Completed(click.types.StringParamType):
    """A text that the shell completes with words of the collection: those that begin with what was typed."""

    def __init__(
        self, words: Callable[[Path], Iterable[str]] = lambda _: (), *, notes: bool = False, or_file: bool = False
    ) -> None:
        """`words` gets the root of the collection. `notes`: with notes, too. `or_file`: the path of a file will do."""
        self._words, self._notes, self._or_file = words, notes, or_file

    def choices(self, root: Path, typed: str) -> list[str]:
        """What may follow. Rules have colons around them in messages."""
        start = typed.lstrip(":").casefold()
        fitting = [word for word in self._words(root) if word.casefold().startswith(start)]
        return [*fitting, *notes(root, typed)] if self._notes else fitting

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        """What may follow, for the shell."""
        if self._or_file and _PATH.match(incomplete):
            return [CompletionItem(incomplete, type="file")]
        with suppress(Exception):
            root = ctx.params.get("root") or nearest_collection(Path())
            words = sorted({word for word in self.choices(root, incomplete) if _PLAIN.fullmatch(word)})
            if words or not self._or_file:
                return [CompletionItem(word) for word in at_most(words, _MOST)]
        return [CompletionItem(incomplete, type="file")] if self._or_file else []


def at_most(words: Sequence[str], most: int) -> Sequence[str]:
    """The words, or if they are too many, their beginnings: as long as so few differ."""
    if len(words) <= most:
        return words
    length = 1
    while len({word[: length + 1] for word in words}) <= most:
        length += 1
    return sorted({word[:length] for word in words})


def notes(root: Path, typed: str) -> Iterable[str]:
    """`spec-rl/04_ReSpec`, after any beginning of it, of its name, or of `spec-rl/4`, `spec-rl/#4` and `4`.

    Before anything tells the topics apart, these are given.
    """
    names = names_on_disk(root)
    topic, slash, rest = typed.rpartition("/")
    wanted, number = rest.casefold(), rest.removeprefix("#").lstrip("0")
    matching = [
        note.id
        for note in names.notes
        if (not slash or note.topic == topic)
        and (
            note.name.casefold().startswith(wanted)
            or (wanted and note.name.partition("_")[2].casefold().startswith(wanted))
            or (number.isdecimal() and str(note.number).startswith(number))
        )
    ]
    if slash or (typed and not any(name.startswith(typed) for name in names.topics)):
        return matching
    inside = here(root).split("/")[1:2]
    near = [name for name in names.topics if (name in inside if inside and not typed else name.startswith(typed))]
    if len(near) == 1:
        return [note.id for note in names.notes if note.topic == near[0]]
    return [f"{name}/" for name in near]


def topics(root: Path) -> Iterable[str]:
    """The folders of the topics."""
    return names_on_disk(root).topics


def named_in_site(root: Path, key: str) -> Iterable[str]:
    """What `site.yaml` describes under a key: its tags, or the kinds that it adds."""
    named = site_file(root).get(key)
    return map(str, named if isinstance(named, dict) else ())


def keys(root: Path) -> Iterator[str]:
    """Keys of the BibTeX files of the collection and its topics."""
    inside = list(entries(root / SOURCE_FOLDER))
    folders = [entry for entry in inside if entry.is_dir(follow_symlinks=False)]
    for entry in (*inside, *(entry for folder in folders for entry in entries(folder))):
        if entry.name.endswith(".bib") and entry.is_file(follow_symlinks=False):
            with suppress(UserError):
                yield from ENTRY.findall(read_input_file(Path(entry.path)).decode(errors="replace"))


BY_NAME: Mapping[str, Completed] = MappingProxyType(
    {
        "note": Completed(notes=True, or_file=True),
        "place": Completed(lambda root: (*PAGES, *topics(root)), notes=True, or_file=True),
        "places": Completed(topics, notes=True, or_file=True),
        **dict.fromkeys(("before", "redirect", "swap"), Completed(topics, notes=True)),
        **dict.fromkeys(("topic", "topics"), Completed(topics)),
        **dict.fromkeys(("lang", "language"), Completed(site_languages)),
        **dict.fromkeys(("tag", "tags"), Completed(lambda root: named_in_site(root, "tags"))),
        **dict.fromkeys(("kind", "kinds"), Completed(lambda root: (*BUILT_IN_KINDS, *named_in_site(root, "kinds")))),
        "names": Completed(lambda _: get_args(RuleId)),
        "paper": Completed(keys, or_file=True),
    }
)
"""How texts are completed, by the name of the parameter."""


def complete_by_name(command: click.Command) -> None:
    """Let the shell complete the parameters of a command that are texts and whose name says what they are."""
    for own in command.commands.values() if isinstance(command, click.Group) else ():
        complete_by_name(own)
    for parameter in command.params:
        if parameter.type is click.STRING and parameter.name in BY_NAME:
            parameter.type = BY_NAME[parameter.name]
