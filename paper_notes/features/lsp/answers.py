"""What an editor asks of a collection, answered with values: words that may come next, what is at a place, where it is.

Lines count from 1 and columns from 0 here, in characters; a text is that in the editor.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import Literal

from paper_notes.commands.completing import ENTRY
from paper_notes.corpus.model import Corpus, GlossaryTerm, Note, NoteId, Text, TopicId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.corpus.references import Dangling, NoteIndex, name_of, split_section
from paper_notes.corpus.schema import SCHEMAS, json_schema
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.document.nodes import CodeBlock, Component, Heading
from paper_notes.document.parse import parse
from paper_notes.document.write import write_inlines
from paper_notes.features.verify.evidence import NAME, KeptNumber, read_evidence
from paper_notes.features.verify.marking import with_kept
from paper_notes.markdown.body import Outline
from paper_notes.markdown.parser import parse_note
from paper_notes.markdown.syntax.components import COMPONENTS
from paper_notes.patterns import regex
from paper_notes.render.search.folding import fold
from paper_notes.values import Struct, replace

Kind = Literal["paper", "note", "section", "component", "term", "tag", "macro", "key", "value"]
MOST = 100
"""Words that are offered at once; the editor asks again after the next letter."""
_KEY = regex(r"(?<![\w.])@(?P<name>[\w:.+/-]*\w)")
_REFERENCE = regex(r"\[\[(?P<name>[^\[\]|\n]+)")
_TYPED_KEY = regex(r"(?<![\w.])@([\w:.+/-]*)$")
_TYPED_REFERENCE = regex(r"\[\[([^\[\]|\n]*)$")
_TYPED_COMPONENT = regex(r"^[ \t]*:::+[ \t]*([\w-]*)$")
_TYPED_MACRO = regex(r"\\([A-Za-z]*)$")
_TYPED_WORD = regex(r"[^\W_][\w-]*$")
_TYPED_VALUE = regex(r"(?:^[ \t]*-[ \t]*|[\[,][ \t]*|^\w+:[ \t]*)([^\s\[\],#:'\"]*)$")
_YAML_KEY = regex(r"^(?P<key>\w+):")
_TYPED_YAML_KEY = regex(r"^[a-z_]*$")
_TOP = regex(r"\S")
_OWN_ID = regex(r"^#+[ \t].*\{[^{}]*?#(?P<id>[\w-]+)[^{}]*\}[ \t]*$")
_UNIT = regex(r"\s?[%‰×倍]|[KkMGTB千万亿](?![A-Za-z])")
_FRONT = regex(r"\A---[ \t]*\n.*?^---[ \t]*$", re.DOTALL | re.MULTILINE)
_QUOTED = regex(r'"([^"]+)"')
_MEANT = regex(r'did you mean "([^"]+)"\?')


class Offer(Struct, frozen=True):
    """Words that may come next."""

    label: str
    """What is found and shown."""
    detail: str
    kind: Kind
    written: str
    """What is written in place of what was typed, `length` characters before the cursor."""
    length: int


class Mark(Struct, frozen=True):
    """A finding in the text that it is about."""

    line: int
    start: int
    end: int
    instead: str
    """What its hint says was meant; else empty."""


class Named(Struct, frozen=True):
    """What can be called otherwise, and where on its line its name stands."""

    kind: Literal["paper", "note", "section"]
    name: str
    """Key, id of the note, or id of the section."""
    start: int
    end: int
    note: NoteId | None = None
    """That of the section."""


class Inlay(Struct, frozen=True):
    """What stands behind a number: where its paper says it."""

    line: int
    column: int
    label: str
    tip: str


class EditorAnswers(Struct, frozen=True, dict=True):
    """Answers of one state of a collection."""

    corpus: Corpus
    outlines: Mapping[NoteId, Outline]

    @cached_property
    def _index(self) -> NoteIndex:
        return NoteIndex((name_of(note.id) for note in self.corpus.notes), self.corpus.site.topics)

    @cached_property
    def _notes(self) -> Mapping[PurePosixPath, Note]:
        """Notes by their files."""
        notes = {text.path: note for note in self.corpus.notes for text in note.texts}
        return notes | {note.location.path: note for note in self.corpus.notes}

    @cached_property
    def _terms(self) -> tuple[tuple[str, GlossaryTerm], ...]:
        """Names of terms, the longest first."""
        names = ((name, term) for term in self.corpus.terms for name in (*_each(term.name), *term.aliases))
        return tuple(sorted(names, key=lambda item: -len(item[0])))

    # What may come next

    def offers(self, path: PurePosixPath, text: str, line: int, before: str) -> list[Offer]:
        """What may follow `before`, which is what stands on the line up to the cursor."""
        topic = note.topic if (note := self._notes.get(path)) else TopicId("")
        front = _FRONT.match(text)
        if path.suffix != ".md" or (front and line <= front[0].count("\n")):
            return self._values(path, text, line, before)
        if typed := _TYPED_KEY.search(before):
            return self._papers(typed[1])
        if typed := _TYPED_REFERENCE.search(before):
            return self._references(typed[1], topic)
        if typed := _TYPED_COMPONENT.search(before):
            named = (row for row in COMPONENTS.values() if row.name.startswith(typed[1]))
            return [Offer(row.name, self._said(row.help.parts), "component", row.name, len(typed[1])) for row in named]
        if typed := _TYPED_MACRO.search(before):
            own = (macro for part in (note.texts if note else ()) for macro in part.macros)  # and those of its topic
            macros = {**dict(self.corpus.site.words.macros), **dict(own)}
            return [
                Offer(f"\\{name}", macro.body, "macro", name, len(typed[1]))
                for name, macro in macros.items()
                if name.startswith(typed[1])
            ]
        if (word := _TYPED_WORD.search(before)) and len(word[0]) > 1:
            known = ((name, term) for name, term in self._terms if name.casefold().startswith(word[0].casefold()))
            return [Offer(name, self._defined(term), "term", name, len(word[0])) for name, term in known][:MOST]
        return []

    def _values(self, path: PurePosixPath, text: str, line: int, before: str) -> list[Offer]:
        """What may be written in a YAML file: its keys, and behind or below one its values, papers or tags."""
        keys = self._keys(path.stem if path.suffix == ".yaml" else "note")
        if typed := _TYPED_YAML_KEY.match(before):
            written = {match["key"] for row in text.split("\n") if (match := _YAML_KEY.match(row))}
            wanted = [key for key in keys if key.startswith(typed[0]) and key not in written]
            return [Offer(key, "", "key", f"{key}: ", len(typed[0])) for key in wanted]
        above = [*text.split("\n")[: line - 1], before]
        key = next((match["key"] for row in reversed(above) if (match := _YAML_KEY.match(row))), "")
        typed = _TYPED_VALUE.search(before)
        if typed is None:
            return []
        if key in ("papers", "paper"):
            return self._papers(typed[1])
        if key in ("tags", "keywords"):
            tags = dict.fromkeys(tag for note in self.corpus.notes for tag in note.tags)
            wanted = [tag for tag in tags if fold(typed[1]) in fold(tag)]
            return [Offer(tag, "", "tag", tag, len(typed[1])) for tag in wanted[:MOST]]
        values = keys.get(key, ()) if _YAML_KEY.match(before) else ()
        return [Offer(value, "", "value", value, len(typed[1])) for value in values if value.startswith(typed[1])]

    def _keys(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """The keys of a kind of file, each with the values that it may have, if these are few."""
        return _keys_of(name, tuple(kind.id for kind in self.corpus.site.kinds)) if name in SCHEMAS else {}

    def _papers(self, typed: str) -> list[Offer]:
        wanted = fold(typed)
        papers = (paper for paper in self.corpus.papers.values() if wanted in fold(f"{paper.key} {_of_paper(paper)}"))
        offers = [Offer(paper.key, _of_paper(paper), "paper", paper.key, len(typed)) for paper in papers]
        return sorted(offers, key=lambda offer: not offer.label.startswith(typed))[:MOST]

    def _references(self, typed: str, topic: TopicId) -> list[Offer]:
        target, section = split_section(typed)
        if typed.endswith("#") and typed.rstrip("#/") and not typed.endswith("/#"):
            target, section = typed[:-1], ""
        elif not section:
            return self._note_names(typed, topic)
        note = self._index.find(target, topic)
        outline = None if isinstance(note, Dangling) else self.outlines.get(note)
        sections = [name for name, _ in outline.sections if name.startswith(section)] if outline else []
        return [Offer(name, "", "section", name, len(section)) for name in sections]

    def _note_names(self, typed: str, topic: TopicId) -> list[Offer]:
        wanted = fold(typed.lstrip("#"))
        offers = []
        for note in self.corpus.notes:
            name = f"#{note.number}" if note.topic == topic else f"{note.topic}/#{note.number}"
            title = " · ".join(_each(note.title))
            if wanted in fold(f"{name} {note.id} {title}"):
                offers.append(Offer(f"{name} {title}", note.id, "note", name, len(typed)))
        return offers[:MOST]

    # What is at a place

    def hover(self, path: PurePosixPath, line: str, column: int) -> str:
        """What is known of what stands there, as Markdown; empty for nothing."""
        match self._at(path, line, column):
            case Paper() as paper:
                links = " · ".join(f"[{link.label}]({link.url})" for link in paper.links)
                return "\n\n".join(filter(None, (f"**{paper.title}**", _of_paper(paper), links)))
            case Note() as note:
                summary = self._said(note.summary.parts) if note.summary else ""
                return "\n\n".join(filter(None, (f"**{' · '.join(_each(note.title))}** ({note.id})", summary)))
            case GlossaryTerm() as term:
                return "\n\n".join(filter(None, (f"**{' · '.join(_each(term.name))}**", self._defined(term))))
            case _:
                return ""

    def definition(self, path: PurePosixPath, line: str, column: int) -> Location | None:
        """Where what stands there is written: the entry, the text in the same language, or the term."""
        match self._at(path, line, column):
            case Paper() as paper:
                return paper.location
            case GlossaryTerm() as term:
                return term.location
            case Note() as note:
                same = [text for text in note.texts if text.path.stem == path.stem] or [*note.texts]
                name = next(m["name"] for m in _REFERENCE.finditer(line) if m.start() <= column <= m.end())
                return _section(same[0].path, same[0].text, same[0].first_line, split_section(name)[1])
            case _:
                return None

    def references(self, path: PurePosixPath, line: str, column: int) -> list[tuple[Location, int]]:
        """All places in texts that name the paper or note which stands there, with their lengths."""
        wanted = self._at(path, line, column) or self._named_here(path, line, column)
        if not isinstance(wanted, Paper | Note):
            return []
        sign, pattern = (wanted.key, _KEY) if isinstance(wanted, Paper) else ("[[", _REFERENCE)
        return [
            (Location(text.path, number, found.start("name") + 1), len(found["name"]))
            for note in self.corpus.notes
            for text in note.texts
            if sign in text.text
            for number, row in enumerate(text.text.split("\n"), text.first_line)
            if sign in row
            for found in pattern.finditer(row)
            if self._meant(found["name"], note, paper=isinstance(wanted, Paper)) is wanted
        ]

    def named(self, path: PurePosixPath, line: str, column: int) -> Named | None:
        """What has a name there that can be another: a paper by its key, a section by its id, or a note."""
        what = self._at(path, line, column) or self._named_here(path, line, column)
        if isinstance(what, Paper):
            keys = (match.span() for match in re.finditer(r"[\w:.+/-]*\w", line) if match[0] == what.key)
            return next((Named("paper", what.key, *span) for span in keys if column <= span[1]), None)
        here = self._notes.get(path)
        if (
            path.suffix == ".md"
            and here
            and (own := _OWN_ID.match(line))
            and own.start("id") <= column <= own.end("id")
        ):
            return Named("section", own["id"], *own.span("id"), here.id)
        if not isinstance(what, Note):
            return None
        reference = next((m for m in _REFERENCE.finditer(line) if m.start() <= column <= m.end()), None)
        if reference is None:
            return Named("note", what.id, 0, len(line))
        section = split_section(reference["name"])[1]
        start = reference.end() - len(section)
        if section and not section.startswith(("§", "^")) and column >= start:
            return Named("section", section, start, reference.end(), what.id)
        return Named("note", what.id, reference.start("name"), start - bool(section))

    def inlays(self, path: PurePosixPath, text: str) -> Iterator[Inlay]:
        """Where the papers say the numbers of a text, as `verify --keep` found it."""
        note = self._notes.get(path)
        evidence = read_evidence(note.files.get(NAME)) if note else None
        own = next((part for part in note.texts if part.path == path), None) if note and evidence else None
        parsed = parse_note(replace(own, content=text), self.corpus.site.words) if own else None
        rows = text.split("\n")
        for _, numbers in with_kept(parsed.tokens, parsed.context, evidence) if parsed else ():
            for number, kept in numbers:
                if kept and (label := _source_of(kept)) and (row := rows[number.line - 1]):
                    end = number.column - 1 + len(number.figures.text.split()[0].rstrip("%KkMGT千万亿"))
                    unit = _UNIT.match(row, end)
                    yield Inlay(number.line, unit.end() if unit else end, label, str(kept.binding or ""))

    def _named_here(self, path: PurePosixPath, line: str, column: int) -> Paper | Note | None:
        """The paper whose entry begins on the line; else the note whose file it is."""
        if path.suffix == ".bib":
            entry = ENTRY.match(line)
            return self.corpus.papers.get(BibKey(entry[1])) if entry else None
        return self._notes.get(path) if path.suffix == ".yaml" else None

    def _at(self, path: PurePosixPath, line: str, column: int) -> Paper | Note | GlossaryTerm | None:
        for found in _KEY.finditer(line) if path.suffix == ".md" else ():
            if found.start() <= column <= found.end():
                return self._meant(found["name"], None, paper=True)
        for found in _REFERENCE.finditer(line):
            if found.start() <= column <= found.end():
                return self._meant(found["name"], self._notes.get(path))
        if path.suffix in (".yaml", ".yml"):
            words = (word[0] for word in re.finditer(r"[\w:.+/-]+", line) if word.start() <= column <= word.end())
            return next((paper for word in words if (paper := self.corpus.papers.get(BibKey(word)))), None)
        folded = line.casefold()
        for name, term in self._terms if path.suffix == ".md" else ():
            start = folded.rfind(name.casefold(), max(column - len(name), 0), column + len(name))
            if start >= 0 and start <= column <= start + len(name):
                return term
        return None

    def _meant(self, name: str, by: Note | None, *, paper: bool = False) -> Paper | Note | None:
        """The paper of a key; else what a reference in `by` leads to, which is `by` itself for one of its sections."""
        if paper:
            return self.corpus.papers.get(BibKey(name))
        target = split_section(name)[0]
        if not target:
            return by
        note_id = self._index.find(target, by.topic if by else TopicId(""))
        return None if isinstance(note_id, Dangling) else self.corpus.note(note_id)

    def _defined(self, term: GlossaryTerm) -> str:
        return self._said(term.definition.parts) if term.definition else ""

    def _said(self, parts: Iterable[tuple[str, str]]) -> str:
        """A text in the languages of the collection, each on a line."""
        texts = dict(parts)
        return "  \n".join(texts[lang] for lang in self.corpus.site.languages if texts.get(lang))


def headings(text: str) -> Iterator[tuple[str, int, int]]:
    """The headings of a text: words, level, and line."""
    front = _FRONT.match(text)
    start = front.end() if front else 0
    for block in parse(text[start:]).blocks:
        if isinstance(block, Heading):
            yield write_inlines(block.inlines), block.level, text.count("\n", 0, start + block.span.start) + 1


def folds(text: str) -> Iterator[tuple[int, int]]:
    """The lines of what can be folded in a text, first and last: sections, components and code."""
    front = _FRONT.match(text)
    start = front.end() if front else 0
    if front:
        yield 1, front[0].count("\n") + 1
    sections = [(level, line) for _, level, line in headings(text)]
    for number, (level, line) in enumerate(sections):
        end = next((below - 1 for other, below in sections[number + 1 :] if other <= level), text.count("\n") + 1)
        yield line, end
    for node in parse(text[start:]).walk():
        if isinstance(node, Component | CodeBlock):
            yield text.count("\n", 0, start + node.span.start) + 1, text.count("\n", 0, start + node.span.end) + 1


def indented(text: str) -> Iterator[tuple[int, int]]:
    """The same of a YAML or BibTeX file: a line with those below that are indented."""
    lines = text.split("\n")
    tops = [number for number, line in enumerate(lines, 1) if _TOP.match(line)]
    for number, below in zip(tops, (*tops[1:], len(lines) + 1), strict=True):
        yield number, max((at for at in range(number, below) if lines[at - 1].strip()), default=number)


def mark(finding: Diagnostic, line: str) -> Mark:
    """Which words of its line a finding is about: those that it quotes; else the word at its place."""
    start = min(finding.location.column - 1, len(line))
    meant = _MEANT.search(finding.hint)
    for quoted in _QUOTED.findall(finding.message):
        if (at := line.find(quoted, start)) >= 0 or (at := line.find(quoted)) >= 0:
            return Mark(finding.location.line, at, at + len(quoted), meant[1] if meant else "")
    word = re.compile(r"\S+").match(line, start)
    return Mark(finding.location.line, start, word.end() if word else max(len(line), start), "")


def _section(path: PurePosixPath, text: str, first_line: int, name: str) -> Location:
    for block in parse(text).blocks if name else ():
        if isinstance(block, Heading) and block.id == name:
            return Location(path, first_line + text.count("\n", 0, block.span.start))
    return Location(path, first_line)


@lru_cache(maxsize=16)
def _keys_of(name: str, kinds: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    schema = json.loads(json_schema(name, kinds))
    return {key: tuple(_choices(value)) for key, value in schema.get("properties", {}).items()}


def _choices(schema: object) -> Iterator[str]:
    """The values that a schema lists."""
    if isinstance(schema, dict):
        yield from (value for value in schema.get("enum", ()) if isinstance(value, str))
        yield from ("true", "false") if schema.get("type") == "boolean" else ()
        for part in schema.get("anyOf", ()):
            yield from _choices(part)


def _source_of(kept: KeptNumber) -> str:
    """Where a number comes from, in a few words; empty if nobody knows."""
    if kept.verdict not in ("bound", "declared"):
        return ""
    return kept.spot.name if kept.spot else str(kept.binding or kept.remark)


def _each(text: Text) -> tuple[str, ...]:
    return tuple(words for _, words in text.parts if words)


def _of_paper(paper: Paper) -> str:
    names = [name.family for name in paper.authors[:3]]
    more = " et al." if len(paper.authors) > len(names) or paper.more_authors else ""
    return " · ".join(filter(None, (", ".join(names) + more, paper.title, paper.venue, paper.date_label)))
