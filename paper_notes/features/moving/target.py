"""The target of a move: `models/7`, `models/07_Name`, `models` (the next number there), `7` (its own topic)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, NoteId, TopicId
from paper_notes.corpus.references import NoteName, name_of
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.sources.filenames import unusable
from paper_notes.sources.tree import Source

_TARGET = re.compile(r"(?:(?P<topic>[^/#]+)/)?#?(?P<number>\d{1,6})(?P<name>[_-].*)?")
_NUMBER = re.compile(r"(\d{1,6})[_-]")
_AFTER_NUMBER = re.compile(r"[_-].*", re.DOTALL)
_SAFE = re.compile(r"[\w.+-]+")
SHOWN = 5
"""Free numbers that a hint names at most."""


def wanted_name(text: str, note: NoteName, corpus: Corpus, sources: Iterable[Source]) -> NoteName:
    """The name that `text` gives to a note. Raises UserError if there is no such topic, or the place is taken."""
    wanted = _bare(text)
    taken = {topic: numbers_of(topic, sources, besides=note.id) for topic in corpus.site.topics}
    if wanted in taken:
        wanted = f"{wanted}/{max(taken[TopicId(wanted)], default=0) + 1:02}"
    match = _TARGET.fullmatch(wanted)
    if match is None:
        hint = "write it like models/7, models/07_Name, models (the next number there) or 7 (in the same topic)"
        raise UserError(f'"{text}" is no place for a note', hint)
    topic = TopicId(match["topic"] or note.topic)
    if topic not in taken:
        raise UserError(f'there is no topic "{topic}"', did_you_mean(topic, corpus.site.topics))
    after = _AFTER_NUMBER.search(note.name)
    name = f"{int(match['number']):0{max(2, len(match['number']))}}{match['name'] or (after[0] if after else '')}"
    if not _SAFE.fullmatch(name) or unusable(name) or not re.fullmatch(r"\d+[_-].+", name):
        raise UserError(f'"{name}" cannot be the name of a note', "use letters, digits and . _ + - after the number")
    if holder := taken[topic].get(int(match["number"])):
        free = ", ".join(f"{number:02}" for number in _free(taken[topic]))
        message = f'the number {match["number"]} is already taken in {topic} by "{holder}"'
        raise UserError(message, f"free: {free}; move that note first, or choose one of these")
    return name_of(NoteId(f"{topic}/{name}"))


def wanted_topic(text: str, topic: TopicId, corpus: Corpus, sources: Iterable[Source]) -> TopicId:
    """The name that `text` gives to a topic. Raises UserError if it cannot have it."""
    wanted = _bare(text)
    taken = {source.path.parts[1] for source in sources} | set(corpus.site.topics)
    if wanted in taken - {topic}:
        hint = f"move its notes one by one, as in: paper-notes move {topic}/1 {wanted}"
        raise UserError(f"there is already a {BASE / wanted}", hint)
    if wanted == topic:
        raise UserError(f"the topic {topic} is there already", "name another folder")
    if not _SAFE.fullmatch(wanted) or unusable(wanted) or wanted.startswith((".", "pn-")):
        raise UserError(f'"{wanted}" cannot be the name of a topic', "use letters, digits and . _ + -")
    return TopicId(wanted)


def topic_named(text: str, corpus: Corpus) -> TopicId | None:
    """The topic that a text names, if it names one."""
    wanted = TopicId(_bare(text))
    return wanted if wanted in corpus.site.topics else None


def is_place(text: str, place: PurePosixPath) -> bool:
    """Whether a text names this folder or file of the sources."""
    return BASE / _bare(text) == place.with_suffix("" if place.suffix == ".md" else place.suffix)


def _bare(text: str) -> str:
    """A name without what shells complete around it."""
    return text.strip().removeprefix("./").removeprefix(f"{BASE}/").rstrip("/").removesuffix(".md")


def former_name(text: str) -> NoteName | None:
    """The name in a text such as `models/07_Name`, of a note that may not be there any more; None for other texts."""
    wanted = _bare(text)
    return name_of(NoteId(wanted)) if re.fullmatch(r"[^/#]+/\d{1,6}[_-][^/]+", wanted) else None


def numbers_of(topic: TopicId, sources: Iterable[Source], besides: NoteId) -> dict[int, str]:
    """The numbers of all folders and files of a topic with their names, besides those of one note."""
    own = PurePosixPath(BASE / besides)
    members = {source.path.parts[2] for source in sources if source.path.parent.parts[1:2] == (topic,)}
    names = (name for name in sorted(members) if BASE / topic / name.removesuffix(".md") != own)
    return {int(match[1]): name for name in names if (match := _NUMBER.match(name))}


def _free(taken: Iterable[int]) -> list[int]:
    """Free numbers, the smallest first, and last the one after all that are taken."""
    numbers = set(taken)
    gaps = [number for number in range(1, max(numbers, default=0)) if number not in numbers]
    return [*gaps[: SHOWN - 1], max(numbers, default=0) + 1]
