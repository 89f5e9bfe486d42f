"""A paper of a list becomes a note of its own: what is written about it in the list moves there."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, Entry, Fact, Lang, Note, NoteText
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.paper import entry_id
from paper_notes.diagnostics import Location, UserError, did_you_mean
from paper_notes.features.lists.entry_sections import has_note, with_sections
from paper_notes.features.moving.references import with_topic
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.scaffold import check_builds, scaffold
from paper_notes.identifiers import parse_arxiv
from paper_notes.languages.language import Words
from paper_notes.markdown.body import Body, BodySection
from paper_notes.markdown.render import render_body
from paper_notes.markdown.sections import digest, usual_id
from paper_notes.markdown.short_texts import render_snippet
from paper_notes.markdown.translations import machine_written
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source, text_position, with_plain_ends
from paper_notes.sources.yaml_edit import dumped
from paper_notes.values import Struct, asdict

STAYS = "contribution"
"""Ends the id of the section that says in one sentence what a paper is about: the list still needs it."""
USUAL = {"results": "experiments"}
"""Ids of usual sections of notes, by those that lists have for the same; the others are called the same."""
_HEADING = regex(r" {0,3}#{2,4}[ \t]+(?P<name>.*?)(?:[ \t]+#+)?[ \t]*(?:\{#[^}]*\}[ \t]*)?")


class Promoted(Struct, frozen=True):
    """The files that change, and the note that is new."""

    artifacts: tuple[Artifact, ...]
    sections: int
    """How many sections have moved, in all languages."""
    missing: tuple[Fact, ...]


class _Part(Struct, frozen=True):
    """A section that moves."""

    id: str
    """In the note."""
    was: str
    """In the list."""
    name: str
    text: str


class _Said(Struct, frozen=True):
    """What a text of the list says of the paper."""

    start: int
    """The line of its heading, from 0."""
    end: int
    """That of the next paper."""
    lead: str
    parts: tuple[_Part, ...]
    stays: tuple[str, ...]
    """Sections that stay, with their headings."""
    sentence: str
    """What the paper is about, if a section says it in one paragraph."""


def find_entry(note: Note, name: str, corpus: Corpus) -> Entry:
    """The entry of a list by the arXiv id of its paper, its BibTeX key, or the id of its section. Raises UserError."""
    known = parse_arxiv(name)
    for entry in note.entries:
        paper = corpus.papers[entry.paper]
        if name in (entry.paper, entry_id(paper)) or (known and paper.arxiv == known[0]):
            return entry
    if not note.entries:
        raise UserError(f"{note.reference} lists no papers", "name a note with `entries:`")
    names = [corpus.papers[entry.paper].arxiv or str(entry.paper) for entry in note.entries]
    hint = did_you_mean(name, names) or f"it lists {', '.join(names[:8])}{' ...' if len(names) > 8 else ''}"
    raise UserError(f'{note.reference} has no paper "{name}"', hint)


def promote(
    note: Note,
    entry: Entry,
    draft: Draft,
    corpus: Corpus,
    sources: tuple[Source, ...],
    *,
    topic: str,
    name: str | None,
    today: datetime.date,
) -> Promoted:
    """The files of a new note on a paper of a list, with what the list says of it. Raises UserError."""
    new_note = scaffold(corpus, sources, draft, topic=topic, name=name, today=today)
    folder = next(file.path.parent for file in new_note.artifacts if file.path.name == NOTE_FILE)
    number = int(folder.name.partition("_")[0])
    words = corpus.site.words
    paper = corpus.papers[entry.paper]
    body = render_body(note, words=words)
    pages = {page.name for page in corpus.pages}

    def moved(text: str) -> str:
        return text if topic == note.topic else with_topic(text, note.topic, pages)

    by_lang = ((text.lang, _said(text, moved(text.text), body, entry_id(paper), words)) for text in note.texts)
    said = {lang: text_of_list for lang, text_of_list in by_lang if text_of_list}
    _refuse_references({part.was for text_of_list in said.values() for part in text_of_list.parts}, sources)

    files = {file.path: file for file in new_note.artifacts}
    for lang, text_of_list in said.items():
        path = folder / f"{lang}.md"
        if path in files:
            files[path] = Artifact.text(path, _filled(files[path].data.decode(), text_of_list, words))
    summary = {lang: moved(text) for lang, text in _summary(note, entry, said, words).items()}
    more = {"drafted": _drafted(note, body, said), "summary": summary}
    if known := {name: value for name, value in more.items() if value}:
        facts = files[folder / NOTE_FILE].data.decode() + dumped(known)
        files[folder / NOTE_FILE] = Artifact.text(folder / NOTE_FILE, facts)

    references = {lang: has_note(words[lang], f"{topic}/#{number}") for lang in note.languages}
    data = {source.path: source.data for source in sources}
    for text in note.texts:
        if text.lang in said:
            files[text.path] = Artifact(text.path, _left(data[text.path], said[text.lang], references[text.lang]))
    place = note.entries.index(entry)
    for artifact in with_sections(note, [(place, paper)], corpus, sources, references):
        files[artifact.path] = artifact
    try:
        check_builds(sources, files.values(), folder, BASE / note.id)
    except UserError as error:  # such as a picture that stays behind
        raise UserError(error.message, "change that in the list first: its text moves as it is") from error
    count = sum(len(text_of_list.parts) for text_of_list in said.values())
    return Promoted(tuple(files.values()), count, new_note.missing)


def _said(text: NoteText, moved: str, body: Body, name: str, words: Words) -> _Said | None:
    """What a text says of a paper; None if it has no section for it. `moved` is the text as it is in the new note."""
    own = [
        (section, section.halves[text.lang].location.line) for section in body.sections if text.lang in section.halves
    ]
    places = [at for at, (section, _) in enumerate(own) if section.id == name and section.level == 2]
    if not places:
        return None
    start = places[0]
    stop = next((at for at in range(start + 1, len(own)) if own[at][0].level == 2), len(own))
    lines, lines_there = (with_plain_ends(whole).split("\n") for whole in (text.text, moved))
    skipped = text.first_line
    first = own[start][1] - skipped
    end = own[stop][1] - skipped if stop < len(own) else len(lines)
    tops = [at for at in range(start + 1, stop) if own[at][0].level == 3]
    below = own[tops[0]][1] - skipped if tops else end
    parts: list[_Part] = []
    stays: list[str] = []
    sentence = ""
    for at, after in zip(tops, [*tops, stop][1:], strict=True):
        section, line = own[at]
        head = line - skipped
        last = own[after][1] - skipped if after < len(own) else len(lines)
        if section.id == f"{name}-{STAYS}":
            stays.append("\n".join(lines[head:last]).strip())
            content = "\n".join(lines[head + 1 : last]).strip()
            sentence = " ".join(content.split()) if "\n\n" not in content else ""
            continue
        deeper = {own[inner][1] - skipped for inner in range(at + 1, after)}
        content = "\n".join(
            lines_there[row].replace("#", "", 1) if row in deeper else lines_there[row] for row in range(head + 1, last)
        )
        match = _HEADING.fullmatch(lines_there[head])
        parts.append(_part(section, match["name"] if match else section.id, content.strip(), name, words))
    offset = text.first_line - 1
    lead = "\n".join(lines_there[first + 1 : below]).strip()
    return _Said(first + offset, end + offset, lead, tuple(parts), tuple(stays), sentence)


def _part(section: BodySection, title: str, content: str, entry: str, words: Words) -> _Part:
    short = section.id.removeprefix(f"{entry}-")
    usual = USUAL.get(short) or usual_id(title, words.languages) or short
    return _Part(usual, section.id, title, content)


def _filled(skeleton: str, said: _Said, words: Words) -> str:
    """The text of a new note, whose prompts make room for what is written already."""
    blocks = re.split(r"(?m)^(?=## )", skeleton)
    ids = [_id(block, words) for block in blocks]
    others: list[str] = [said.lead] if said.lead else []
    for name, part in _named(said):
        if name in ids:
            blocks[ids.index(name)] = _block(name, part) + "\n\n"
        else:
            others.append(_block(name, part))
    pieces = [blocks[0].rstrip(), *others, "".join(blocks[1:]).strip()]
    return "\n\n".join(filter(None, pieces)) + "\n"


def _named(said: _Said) -> Iterator[tuple[str, _Part]]:
    """The sections that move, with their ids in the note: of two with one id the second keeps that of the list."""
    taken: set[str] = set()
    for part in said.parts:
        yield (part.id if part.id not in taken else part.was), part
        taken.add(part.id)


def _block(name: str, part: _Part) -> str:
    return f"## {part.name} {{#{name}}}\n\n{part.text}".rstrip()


def _drafted(note: Note, body: Body, said: Mapping[Lang, _Said]) -> dict[str, dict[str, dict[str, object]]]:
    """The records of sections that a model wrote, so that they are still known as its own in the note."""
    records = {(section, lang): record for section, lang, record in machine_written(note, body)}
    records_now: dict[str, dict[str, dict[str, object]]] = {}
    for lang, text_of_list in said.items():
        for name, part in _named(text_of_list):
            if record := records.get((part.was, lang)):
                now = {"digest": digest(_block(name, part).split("\n")), "date": record.date.replace()}
                records_now.setdefault(name, {})[str(lang)] = asdict(record) | now
    return records_now


def _id(block: str, words: Words) -> str:
    """The id of a section of the skeleton."""
    head = block.partition("\n")[0]
    named = re.search(r"\{#([^}]+)\}", head)
    return named[1] if named else usual_id(head.removeprefix("## "), words.languages)


def _left(data: bytes, said: _Said, reference: str) -> bytes:
    """A text of the list in which the reference is in place of what has moved."""
    whole = data.decode()
    newline = "\r\n" if "\r\n" in whole else "\n"
    lines = re.findall(r"[^\n]*\n|[^\n]+", whole)
    rest = newline.join([reference, "", *(line for text in said.stays for line in (*text.split("\n"), ""))])
    heading = lines[said.start].rstrip("\r\n") + newline
    after = lines[said.end :]
    written = [*lines[: said.start], heading, newline, rest.rstrip() + newline, *([newline] if after else []), *after]
    return "".join(written).encode()


def _summary(note: Note, entry: Entry, said: Mapping[Lang, _Said], words: Words) -> dict[str, str]:
    """What the list says in one sentence, if it does so in each language: half a summary would be reported."""
    headline = dict(entry.headline.parts) if entry.headline else {}
    sentences = {
        lang: (said[lang].sentence if lang in said else "") or headline.get(lang, "")
        for lang in note.languages
        if lang in words.tags
    }
    where = Location(PurePosixPath("summary"))
    usable = {
        str(lang): text
        for lang, text in sentences.items()
        if text and not render_snippet(text, lang, where, words, inline=True).diagnostics
    }
    return usable if len(usable) == len(words.tags) else {}


def _refuse_references(moved: Iterable[str], sources: Iterable[Source]) -> None:
    """Raise UserError if something refers to a section that moves: it would lead nowhere."""
    ids = "|".join(map(re.escape, sorted(moved, key=len, reverse=True)))
    if not ids:
        return
    link = re.compile(rf"(?<!\{{)#(?:{ids})(?![\w-])")
    for source in sources:
        if source.path.suffix in (".md", ".yaml") and (reference := link.search(source.text)):
            line, column = text_position(source.text, reference.start())
            where = Location(source.path, line, column)
            message = f"{where}: this refers to a section that would move"
            raise UserError(message, "let it refer to the section of the paper itself")
