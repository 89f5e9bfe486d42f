"""What the shell offers after TAB: looked up in the names of folders, without loading the collection.

A parameter is completed by its name: `note` is a note in every command. Mistakes are passed over in silence, since
whatever is printed would stand in the middle of the line that the user types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import get_args

import click
from click.shell_completion import CompletionItem

from paper_notes.commands.naming import entries, here, names_on_disk, site_file, site_languages
from paper_notes.corpus.model import BUILT_IN_KINDS
from paper_notes.diagnostics import RuleId, UserError
from paper_notes.render.pages import LISTS
from paper_notes.sources.tree import SOURCE_FOLDER, nearest_collection, read_input_file

PAGES = ("index", *LISTS)
_MOST = 200
"""Shells take their time with thousands of words: longer lists are cut after the first letters that differ."""
_PLAIN = re.compile(r"[\w.+/:-]+")
"""Words that a shell takes for nothing else: a stranger's folder may be called `;rm -rf ~`."""
ENTRY = re.compile(
    r"^[ \t]*@(?!comment|string|preamble)[A-Za-z]+[ \t]*[{(]\s*([^\s,{}()\"']+)[ \t]*,", re.MULTILINE | re.IGNORECASE
)
"""The beginning of a BibTeX entry, with its key."""
_PATH = re.compile(rf"\.{{0,2}}/|[~]|{SOURCE_FOLDER}/|site/")


class Completed(click.types.StringParamType):
    """A text that the shell completes with `choices`, of which those are given that begin with what was typed."""

    def __init__(self, choices: Callable[[Path, str], Iterable[str]], *, or_file: bool = False) -> None:
        """`choices` gets the collection's root and what was typed. `or_file`: the path of a file will do as well."""
        self._choices, self._or_file = choices, or_file

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        """What may follow."""
        if self._or_file and _PATH.match(incomplete):
            return [CompletionItem(incomplete, type="file")]
        with suppress(Exception):
            root = ctx.params.get("root") or nearest_collection(Path())
            words = sorted({word for word in self._choices(root, incomplete) if _PLAIN.fullmatch(word)})
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


def topics(root: Path, typed: str) -> Iterable[str]:
    """The folders of the topics."""
    return (name for name in names_on_disk(root).topics if name.startswith(typed))


def places(root: Path, typed: str) -> Iterable[str]:
    """What `open` can open: pages, topics and notes."""
    return [*_starting(PAGES, typed), *topics(root, typed), *notes(root, typed)]


def sources(root: Path, typed: str) -> Iterable[str]:
    """Topics and notes."""
    return [*topics(root, typed), *notes(root, typed)]


def rules(_root: Path, typed: str) -> Iterable[str]:
    """Ids of rules, which messages have in brackets."""
    return _starting(get_args(RuleId), typed.lstrip(":"))


def languages(root: Path, typed: str) -> Iterable[str]:
    """The languages of the site."""
    return _starting(site_languages(root), typed)


def tags(root: Path, typed: str) -> Iterable[str]:
    """The tags that `site.yaml` describes."""
    named = site_file(root).get("tags")
    return _starting(map(str, named if isinstance(named, dict) else ()), typed)


def kinds(root: Path, typed: str) -> Iterable[str]:
    """The built-in kinds of notes, and those that `site.yaml` adds."""
    named = site_file(root).get("kinds")
    return _starting((*BUILT_IN_KINDS, *map(str, named if isinstance(named, dict) else ())), typed)


def keys(root: Path, typed: str) -> Iterable[str]:
    """Keys of the BibTeX files of the collection and its topics."""
    inside = list(entries(root / SOURCE_FOLDER))
    folders = [entry for entry in inside if entry.is_dir(follow_symlinks=False)]
    for entry in (*inside, *(entry for folder in folders for entry in entries(folder))):
        if entry.name.endswith(".bib") and entry.is_file(follow_symlinks=False):
            with suppress(UserError):
                text = read_input_file(Path(entry.path)).decode(errors="replace")
                yield from _starting(ENTRY.findall(text), typed)


def _starting(words: Iterable[str], typed: str) -> Iterable[str]:
    return (word for word in words if word.casefold().startswith(typed.casefold()))


BY_NAME: Mapping[str, Completed] = MappingProxyType(
    {
        "note": Completed(notes, or_file=True),
        "place": Completed(places, or_file=True),
        "places": Completed(sources, or_file=True),
        **dict.fromkeys(("before", "redirect", "swap"), Completed(sources)),
        "topic": Completed(topics),
        "lang": Completed(languages),
        "language": Completed(languages),
        "tag": Completed(tags),
        "kind": Completed(kinds),
        "names": Completed(rules),
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
