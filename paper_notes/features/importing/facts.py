"""What note.yaml says of a note that is taken in: each key of its front matter is there, or else in `extra`."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from paper_notes.corpus.schema import MAX_TEXT, NoteFile
from paper_notes.features.importing.markdown.front import front_matter
from paper_notes.features.importing.proof.visible import words_of
from paper_notes.features.importing.types import ImportedText, Original
from paper_notes.features.papers.scaffold import as_yaml
from paper_notes.patterns import regex
from paper_notes.sources.yaml_edit import dumped

_LISTS = ("tags", "keywords")
_ADDRESS = regex(r"/.+(?:/|\.html)|[^\s/]\S*(?:/|\.html)")
_UNREAD = "reading"
"""The status of what somebody wrote without saying that it is read to the end."""


def facts_of(
    texts: Sequence[ImportedText], papers: Sequence[str], known: Mapping[str, Any], former: Sequence[str] = ()
) -> dict[str, Any]:
    """The values of note.yaml, in its order, from a note's texts in each language.

    Keys that the schema has not go into `extra`, where nothing reads them. `known` are values that win, `former`
    addresses that its pages had.
    """
    first = texts[0]
    said = {
        name: value for text in reversed(texts) for name, value in text.facts.items() if value not in (None, "", [])
    }
    said |= known
    values: dict[str, Any] = {"title": {text.lang: _line(text.title) for text in texts}}
    values["kind"] = said.pop("kind", None) or ("paper" if papers else "note")
    values |= {"papers": list(papers)} if papers else {}
    for name in ("short", "summary"):
        written = [(text.lang, text.facts[name]) for text in texts if text.facts.get(name)]
        each = [value if isinstance(value, Mapping) else {lang: _line(value)} for lang, value in written]
        if said.pop(name, None):
            values[name] = {lang: words for value in each for lang, words in value.items()}
    own = {
        first.title.casefold(),
        *(name.casefold() for name in values.get("short", {}).values()),
        *(name.casefold() for text in texts for name in (text.outline.path.name, text.outline.path.stem)),
    }
    others = [name for text in texts for name in text.outline.aliases]
    named = [*_strings(said.pop("aliases", None)), *_strings(others)]
    named = [name for name in dict.fromkeys(named) if name.casefold() not in own]
    addresses = [*former, *(name.lstrip("/") for name in named if _ADDRESS.fullmatch(name))]
    said["keywords"] = [*_strings(said.get("keywords")), *(name for name in named if not _ADDRESS.fullmatch(name))]
    for name in _LISTS:
        if listed := _strings(said.pop(name, None)):
            values[name] = listed
    for name in ("created", "updated"):
        if day := _day(said.pop(name, None)):
            values[name] = day
    values["status"] = said.pop("status", _UNREAD)
    if aliases := [address for address in addresses if "/" in address.rstrip("/")]:
        values["aliases"] = list(dict.fromkeys(aliases))
    for name in [name for name in said if name in NoteFile.model_fields]:
        values[name] = said.pop(name)
    extra = {name: value for text in texts for name, value in text.extra.items()} | said
    if extra:
        values["extra"] = dict(sorted(plain_values(extra).items()))
    return values


def careful(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts without all that the schema might refuse: that is kept in `extra`."""
    sure = {name: facts[name] for name in ("title", "papers", "created", "status") if name in facts}
    rest = {name: plain_values(value) for name, value in facts.items() if name not in (*sure, "extra", "kind")}
    extra = {**facts.get("extra", {}), **rest}
    return {**sure, **({"extra": extra} if extra else {})}


def digests_of_facts(facts: Mapping[Any, Any]) -> dict[str, str]:
    """Ten hex digits for each value of a YAML file that tell it from others."""
    return {
        name: _digest(said) if isinstance(said := _said(value), str) else _digest_of(said)
        for name, value in facts.items()
    }


def _digest_of(said: Any) -> str:
    return hashlib.sha256(dumped(said).encode()).hexdigest()[:10]


_digest = lru_cache(maxsize=1024)(_digest_of)  # kinds, days and tags are those of many notes


def _said(value: object) -> Any:
    """A value as `parse_yaml` reads it: scalars are texts."""
    if isinstance(value, Mapping):
        return {str(name): _said(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_said(item) for item in value]
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def _line(text: object) -> str:
    return " ".join(str(text).split())[:MAX_TEXT]


def _strings(value: object) -> list[str]:
    values = value if isinstance(value, list | tuple) else [] if value is None else [value]
    return list(dict.fromkeys(line for item in values if item is not None and (line := _line(item))))


def _day(value: object) -> datetime.date | None:
    try:  # a copy: YAML would write the same object twice as an anchor and an alias
        return datetime.date.fromisoformat(str(value)[:10]) if value else None
    except ValueError:
        return None


def plain_values(value: object) -> Any:
    """A value that every reader of YAML takes: mappings with texts as keys, lists and texts."""
    if isinstance(value, Mapping):
        return {str(name): plain_values(item) for name, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [plain_values(item) for item in value]
    return value if isinstance(value, bool) else "" if value is None else str(value)


# Front matter that nothing else says

_TIME = regex(r"[T ]\d\d:\d\d.*")
_NOTHING: tuple[object, ...] = (None, "", [], {}, False, "false", "no", "off")


def unsaid(original: Original, facts: Mapping[str, Any], said: Iterable[str], papers: Iterable[str]) -> dict[str, Any]:
    """The keys, and their values, that are not in the facts and what is `said` of a note; none if nothing reads them.

    Such a value, or one in a list, is an address that is none of the note's, or less than half of its words are there;
    and it names none of the note's `papers` by their ids.
    """
    values = front_matter(original).values
    if not values:
        return {}
    known = {word.lstrip("0") for text in (as_yaml(facts), *said) for word in words_of(text)}
    addresses = {str(address).strip("/") for address in facts.get("aliases", ())}
    ids = tuple(papers)

    def is_unsaid(value: object) -> bool:
        if isinstance(value, list):
            return any(map(is_unsaid, value))
        if str(value).startswith("/"):
            return str(value).strip("/") not in addresses
        words = {word.lstrip("0") for word in words_of(_TIME.sub("", str(value)))}
        return len(words & known) * 2 < len(words) and not any(name in str(value) for name in ids)

    return {str(key): value for key, value in values.items() if value not in _NOTHING and is_unsaid(value)}
