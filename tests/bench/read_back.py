"""A collection of `collection.py` read back, for the sites that other programs make of it, and its components told
in HTML, which every Markdown knows.

No program's build is measured here: this only prepares what peers are given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from paper_notes.values import replace

LANGS = ("zh", "en")
IDS = {
    "动机": "motivation",
    "核心方法": "method",
    "实验": "experiments",
    "局限": "limitations",
    "Motivation": "motivation",
    "Method": "method",
    "Experiments": "experiments",
    "Limitations": "limitations",
}
_FENCE = re.compile(r":::(?P<name>\w*) ?(?P<title>[^{]*?) ?(?:\{#(?P<id>[\w-]+)\})?")
_HEADING = re.compile(r"## (\S+)")
_NOTE = re.compile(r"\[\[#(\d+)(#[\w-]+)?\]\]")
_CITE = re.compile(r" ?\[@(\w+)\]")
_ENTRY = re.compile(r"@\w+\{(\w+),\n(.*?)\n\}", re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)


@dataclass(frozen=True)
class Read:
    """A note of the collection: the facts of its note.yaml, the text and the figure."""

    topic: str
    name: str
    facts: Mapping[str, object]
    texts: Mapping[str, str]
    figure: str

    @property
    def number(self) -> int:
        return int(self.name.partition("_")[0])

    @property
    def keys(self) -> list[str]:
        return list(self.facts.get("papers", ()))  # type: ignore[call-overload, no-any-return]

    def of(self, key: str, lang: str) -> str:
        """The title or the summary in a language."""
        return str(self.facts[key][lang])  # type: ignore[index]

    def source(self, root: Path, lang: str) -> Path:
        return root / "notes_src" / self.topic / self.name / f"{lang}.md"

    def edited(self, lang: str, sentence: str) -> Read:
        """The note with one sentence more in the first paragraph of its first section."""
        head, section, rest = self.texts[lang].partition("\n## ")
        heading, _, body = rest.partition("\n\n")
        text = f"{head}{section}{heading}\n\n{sentence} {body}"
        return replace(self, texts={**self.texts, lang: text})


@dataclass(frozen=True)
class Collection:
    """All that peers are given: topics with their titles and introductions, notes, papers by key."""

    topics: Mapping[str, Mapping[str, Mapping[str, str]]]
    notes: Mapping[tuple[str, int], Read]
    """By topic and number, in this order."""
    papers: Mapping[str, Mapping[str, str]]


def read_back(root: Path) -> Collection:
    """The collection below `root`."""
    source = root / "notes_src"
    topics = {file.parent.name: json.loads(file.read_text("utf-8")) for file in sorted(source.glob("*/topic.yaml"))}
    notes = [
        Read(
            file.parent.parent.name,
            file.parent.name,
            json.loads(file.read_text("utf-8")),
            {lang: (file.parent / f"{lang}.md").read_text("utf-8") for lang in LANGS},
            (file.parent / "result.svg").read_text("utf-8"),
        )
        for file in source.glob("*/*/note.yaml")
    ]
    notes.sort(key=lambda note: (note.topic, note.number))
    entries = _ENTRY.findall((source / "library.bib").read_text("utf-8"))
    papers = {key: _paper(dict(_FIELD.findall(fields))) for key, fields in entries}
    return Collection(topics, {(note.topic, note.number): note for note in notes}, papers)


def _paper(fields: Mapping[str, str]) -> dict[str, str]:
    people = fields["author"].split(" and ")
    family = people[0].partition(",")[0]
    return {
        "title": fields["title"],
        "authors": "; ".join(people),
        "short": family if len(people) == 1 else f"{family} et al.",
        "year": fields["year"],
        "venue": fields.get("booktitle", ""),
        "arxiv": fields["eprint"],
    }


@dataclass(frozen=True)
class Dialect:
    """How a program wants the few things that are not the same in every Markdown."""

    opening: Callable[[str, str], str]
    """An element with Markdown inside: its name, its attributes."""
    note: Callable[[Read, str], str]
    """A link to another note, at a place in it (`#id` or empty)."""
    cite: Callable[[str], str]
    figure: Callable[[Read], str] | None = None
    """In place of the image; None leaves it as it is."""


ELEMENTS = {"tldr": "section", "stats": "div", "formula": "div", "note": "aside", "figure": "figure"}


def retold(note: Read, lang: str, notes: Mapping[tuple[str, int], Read], dialect: Dialect) -> str:
    """The text of a note with components as elements, references as links, and ids at the usual headings."""
    made: list[str] = []
    opened: list[str] = []
    for line in note.texts[lang].split("\n"):
        if line.startswith(":::"):
            fence = _FENCE.fullmatch(line)
            assert fence is not None, line
            if not fence["name"]:
                made.append(f"\n</{opened.pop()}>\n")
                continue
            opened.append(ELEMENTS[fence["name"]])
            anchor = f' id="{fence["id"]}"' if fence["id"] else ""
            attributes = f'class="{fence["name"]}"{anchor}'
            made.append(f"\n{dialect.opening(opened[-1], attributes)}\n")
            if fence["title"]:
                made.append(f"**{fence['title']}**\n")
        elif heading := _HEADING.fullmatch(line):
            made.append(f"{line} {{#{IDS[heading[1]]}}}")
        elif dialect.figure and line.startswith("!["):
            made.append(dialect.figure(note))
        else:
            line = _NOTE.sub(lambda found: dialect.note(notes[note.topic, int(found[1])], found[2] or ""), line)
            made.append(_CITE.sub(lambda found: " " + dialect.cite(found[1]), line))
    return "\n".join(made)
