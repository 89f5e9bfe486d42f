"""Writes texts of a model into notes: only where there is none, or where an unchanged text of a model is.

Sections are read, replaced and added by their lines, so that no other is touched.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Drafted, Lang, Note, NoteText
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.diagnostics import UserError
from paper_notes.languages.language import Language, Words
from paper_notes.languages.text import Text
from paper_notes.markdown.body import LEAD, Body
from paper_notes.markdown.parser import parse_note
from paper_notes.markdown.render import render_body
from paper_notes.markdown.sections import digest, usual_id
from paper_notes.markdown.translations import digests, machine_written
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source, with_plain_ends
from paper_notes.sources.yaml_edit import with_block, with_language
from paper_notes.values import Struct, asdict, replace

LEAD_SENTENCE, LEAD_STATS = "one-sentence", "stats"
"""What the first card of a new note asks for and a model may draft."""
_LINE = regex(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


class SectionSpan(Struct, frozen=True):
    """A section of one text, from its heading to the next one of any level."""

    id: str
    """`lead` for the text before the first heading."""
    start: int
    """Its first line in the text, from 0."""
    end: int
    """The line after it."""
    text: str
    """Its Markdown without what `paper-notes new` asks for; empty if there is nothing else."""


def spans_of(note: Note, body: Body, words: Words) -> Mapping[Lang, tuple[SectionSpan, ...]]:
    """The sections of each text of a note, in their order, those among them in which nothing is written yet."""
    return {text.lang: _spans(text, body, words) for text in note.texts}


def _spans(text: NoteText, body: Body, words: Words) -> tuple[SectionSpan, ...]:
    parsed = parse_note(text, words)
    tokens, context, lines = parsed.tokens, parsed.context, parsed.context.lines
    known = {
        section.halves[text.lang].location.line - text.first_line: section.id
        for section in body.sections
        if text.lang in section.halves
    }
    ids = {0: LEAD}
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0:
            line = (token.map or [0])[0]
            usual = usual_id(tokens[at + 1].content, (context.language, *words.languages))
            ids[line] = known.get(line) or str(token.meta.get("id") or usual)
    starts = sorted(ids)
    return tuple(
        SectionSpan(
            ids[start], start, end, "" if start in context.unwritten else "\n".join(lines[start:end]).strip("\n")
        )
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    )


class Put(Struct, frozen=True):
    """A text that goes in place of some lines, or between two."""

    start: int
    end: int
    text: str
    within: bool = False
    """Whether it is part of a block, with no empty lines around it."""


def places(order: Sequence[str], spans: Iterable[SectionSpan], texts: Mapping[str, str]) -> list[Put]:
    """Where these texts go, by the ids of their sections; `order` is that of the page.

    A section that is there is replaced. One that is not goes behind the one before it.
    """
    by_id = {span.id: span for span in spans}
    if LEAD not in by_id:
        by_id[LEAD] = SectionSpan(LEAD, 0, 0, "")
    puts: list[Put] = []
    after = by_id[LEAD].end
    for name in dict.fromkeys((LEAD, *order)):
        span = by_id.get(name)
        after = span.end if span else after
        if name in texts:
            puts.append(Put(span.start if span else after, after, texts[name]))
    return puts


def with_puts(data: bytes, skipped: int, puts: Iterable[Put]) -> bytes:
    """The bytes of a file with texts put into it, an empty line around each; `skipped` lines are before its text.

    All other lines keep their bytes, line ends included.
    """
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    whole = data.decode("utf-8-sig")
    newline = "\r\n" if "\r\n" in whole else "\n"
    lines: list[str] = _LINE.findall(whole)
    count = len(lines)
    for put in sorted(puts, key=lambda put: put.start)[::-1]:  # the last first, so that the others keep their lines
        start, end = (min(line + skipped, count) for line in (put.start, put.end))
        written = [f"{line}{newline}" for line in put.text.strip("\n").split("\n")]
        if start and lines[start - 1].strip() and not put.within:
            written.insert(0, newline)
        if start and not lines[start - 1].endswith(("\n", "\r")):
            lines[start - 1] += newline
        if end < len(lines) and lines[end].strip() and not put.within:
            written.append(newline)
        lines[start:end] = written
    return mark + "".join(lines).encode()


class ModelText(Struct, frozen=True):
    """A text of a model that is to become a section."""

    section: str
    lang: Lang
    text: str
    source: str
    """As in `Drafted`."""
    replaces: str = ""
    """Digest of the text that is there, empty if there is none: with another one it belongs to a person by now."""
    after: str = ""
    """The section that it follows, if it is in no text yet."""
    is_field: bool = False
    """It is no section, but the note's title or summary in another language."""
    card: str = ""
    """The prompt of the first card that it takes the place of, see `card_prompts`: nothing else of the lead changes."""


class Applied(Struct, frozen=True):
    """Files with the texts in their places, and the texts for which there is no place any more, with the reasons."""

    artifacts: tuple[Artifact, ...] = ()
    written: tuple[ModelText, ...] = ()
    left: tuple[tuple[ModelText, str], ...] = ()


def card_prompts(text: str, language: Language) -> Mapping[str, tuple[int, int]]:
    """The lines of a note's first card that are still as `new` wrote them, by what they ask for."""
    template = language("new.note", missing="", abstract="", walk="").split("\n")
    start = template.index(":::stats") + 1
    asked = {LEAD_SENTENCE: template[1:2], LEAD_STATS: template[start : template.index(":::", start)]}
    lines = text.replace("\r\n", "\n").split("\n")
    rows = range(len(lines))
    return {
        name: (row, row + len(block))
        for name, block in asked.items()
        for row in [next((row for row in rows if lines[row : row + len(block)] == block), -1)]
        if row >= 0
    }


def as_card(name: str, texts: Sequence[str], language: Language) -> str:
    """Claims as lines of the first card: the sentence behind its name, or numbers with what they measure."""
    if name == LEAD_SENTENCE:
        line = language("new.note", missing="", abstract="", walk="").split("\n")[1]
        return f"{re.split(r'(?<![*])[*](?![*])', line)[0]}{' '.join(texts)}"
    pairs = (re.split(r"\s*[:：]\s*", text.lstrip("-* "), maxsplit=1) for text in texts)
    return "\n\n".join(f"{number}\n: {rest[0] if rest else '—'}" for number, *rest in pairs)


def check_files(note: Note, words: Words) -> None:
    """Raise UserError unless texts can be added to a note."""
    if note.location.path.name != NOTE_FILE:
        message = f"{note.location.path} is a note in a single file, to which nothing can be added"
        raise UserError(message, f"make a folder of it, with {NOTE_FILE} and a file <language>.md for each language")
    if other := [lang for lang in note.languages if lang not in words.tags]:
        raise UserError(f"{note.id} is in {other[0]}, which is no language of the site", "add it to site.yaml")


def apply_drafts(
    note: Note, sources: Iterable[Source], texts: Iterable[ModelText], words: Words, made_by: Drafted | None
) -> Applied:
    """Put texts into a note as it is now. What a person has written or changed meanwhile stays. Raises UserError.

    `made_by` is what is recorded of each, but for its digest and source; nothing of what a person has accepted.
    """
    data = {source.path: source.data for source in sources}
    facts, fields, left = _with_fields(note, data, texts)
    body = render_body(note, words=words)
    now, machines = digests(body), {(section, lang) for section, lang, _ in machine_written(note, body)}
    wanted = list[ModelText]()
    for text in texts:
        if text.is_field:
            continue
        present = now.get(text.section, {}).get(text.lang, "")
        if text.card:
            own = next((written.text for written in note.texts if written.lang == text.lang), "")
            if text.card in card_prompts(own, words[text.lang]):
                wanted.append(text)
            else:
                left.append((text, "you have written there meanwhile"))
        elif present != text.replaces or (present and (text.section, text.lang) not in machines):
            left.append((text, "you have written there meanwhile"))
        elif not _is_current(text, now):
            left.append((text, "its source has changed meanwhile"))
        else:
            wanted.append(text)
    while wanted:
        changed, files = _with_texts(note, body, wanted, data, words)
        after = render_body(changed, words=words)
        unfit = _unpaired(wanted, body, after) or _mistaken(wanted, body, changed, after, words)
        if not unfit:
            if made_by is None:
                return Applied(files, (*fields, *wanted), tuple(left))
            value = {
                section: {lang: _fields(drafted) for lang, drafted in by_lang.items()}
                for section, by_lang in _recorded(changed, body, after, wanted, made_by).items()
            }
            artifacts = (*files, Artifact(facts.path, with_block(facts.path, facts.data, "drafted", value)))
            return Applied(artifacts, (*fields, *wanted), tuple(left))
        left += unfit.items()
        wanted = [text for text in wanted if text not in unfit]
    return Applied((Artifact(facts.path, facts.data),) if fields else (), fields, tuple(left))


def field_texts(note: Note) -> Mapping[str, Text]:
    """What `note.yaml` says of a note in its languages."""
    return {"title": note.title, **({"summary": note.summary} if note.summary else {})}


def _with_fields(
    note: Note, data: Mapping[PurePosixPath, bytes], texts: Iterable[ModelText]
) -> tuple[Source, tuple[ModelText, ...], list[tuple[ModelText, str]]]:
    """`note.yaml` with titles and summaries in further languages, those that are, and those that are not, and why."""
    written, left = list[ModelText](), list[tuple[ModelText, str]]()
    facts = data[note.location.path]
    for text in texts:
        if not text.is_field:
            continue
        lang, _, was = text.source.partition(" ")
        now = field_texts(note).get(text.section, Text())
        if now.has(text.lang):
            left.append((text, "you have written there meanwhile"))
        elif not now.has(Lang(lang)) or digest([now[Lang(lang)]]) != was:
            left.append((text, "its source has changed meanwhile"))
        else:
            try:
                facts = with_language(note.location.path, facts, text.section, lang, text.lang, text.text)
                written.append(text)
            except UserError as error:
                left.append((text, error.message))
    return Source(note.location.path, facts), tuple(written), left


def _is_current(text: ModelText, now: Mapping[str, Mapping[Lang, str]]) -> bool:
    """Whether a translation's source is still what was translated."""
    lang, _, digest = text.source.partition(" ")
    languages = {tag for known in now.values() for tag in known}
    return lang not in languages or now.get(text.section, {}).get(Lang(lang)) == digest


def _with_texts(
    note: Note, body: Body, texts: Sequence[ModelText], data: Mapping[PurePosixPath, bytes], words: Words
) -> tuple[Note, tuple[Artifact, ...]]:
    """The note with these texts, and the files that change."""
    spans = spans_of(note, body, words)
    by_lang: dict[Lang, NoteText] = {text.lang: text for text in note.texts}
    files: list[Artifact] = []
    for lang in dict.fromkeys(text.lang for text in texts):
        path = note.place / f"{lang}.md"
        old = by_lang.get(lang)
        here = {text.section: text.text for text in texts if text.lang == lang and not text.card}
        card = card_prompts(old.text, words[lang]) if old else {}
        puts = [Put(*card[text.card], text.text, within=True) for text in texts if text.lang == lang and text.card]
        puts += places(_order(body, spans.get(lang, ()), texts), spans.get(lang, ()), here)
        before, skipped = (data[path], old.first_line - 1) if old else (b"", 0)
        files.append(Artifact(path, with_puts(before, skipped, puts)))
        content = with_plain_ends(files[-1].data.decode("utf-8-sig"))
        by_lang[lang] = NoteText(lang, path, content)
    return replace(note, texts=tuple(by_lang[lang] for lang in words.tags if lang in by_lang)), tuple(files)


def _order(body: Body, spans: Iterable[SectionSpan], texts: Iterable[ModelText]) -> list[str]:
    """The ids of all sections in the order of the page, with those that are not in it yet."""
    order = [section.id for section in body.sections]
    for span in spans:  # those in which nothing is written
        if span.id not in (*order, LEAD):
            order.append(span.id)
    for text in texts:
        if text.section not in (*order, LEAD) and not text.card:
            order.insert(order.index(text.after) + 1 if text.after in order else len(order), text.section)
    return order


def _section_of(text: ModelText, before: Body, after: Body) -> str:
    """The id that a text's section has now: with a first heading in Latin script it may be another one."""
    others = {lang: digest for lang, digest in digests(before).get(text.section, {}).items() if lang != text.lang}
    now = digests(after)
    for section in (text.section, *now) if others else (text.section,):
        section_now = now.get(section, {})
        if text.lang in section_now and all(section_now.get(lang) == digest for lang, digest in others.items()):
            return section
    return ""


def _unpaired(texts: Sequence[ModelText], before: Body, after: Body) -> dict[ModelText, str]:
    """The texts that are not read back as the sections that they are meant to be, and why."""
    reason = "it cannot be paired with its source: give that heading an id, ## Title {#my-id}"
    wrong = {text: reason for text in texts if not _section_of(text, before, after)}
    changed = {(text.section, text.lang) for text in texts}
    now = {pair for known in digests(after).values() for pair in known.items()}
    for section, known in digests(before).items():
        if any((section, lang) not in changed and (lang, digest) not in now for lang, digest in known.items()):
            return dict.fromkeys(texts, "it would change what you have written")
    pairs = {(*known.values(),) for known in digests(after).values() if len(known) > 1}
    for section, known in digests(before).items():
        if len(known) > 1 and (*known.values(),) not in pairs and not any((section, lang) in changed for lang in known):
            return dict.fromkeys(texts, reason)
    return wrong


def _mistaken(
    texts: Sequence[ModelText], before: Body, changed: Note, after: Body, words: Words
) -> dict[ModelText, str]:
    """The texts that bring mistakes which stop a build, and what these are."""
    known = {(finding.rule, finding.message) for finding in before.diagnostics}
    new = [
        finding
        for finding in after.diagnostics
        if finding.severity == "error" and (finding.rule, finding.message) not in known
    ]
    spans = spans_of(changed, after, words)
    wrong: dict[ModelText, str] = {}
    for text, finding in product(texts, new):
        own = next(candidate for candidate in changed.texts if candidate.lang == text.lang)
        span = next(span for span in spans[text.lang] if span.id == _section_of(text, before, after))
        if finding.location.path == own.path and span.start <= finding.location.line - own.first_line < span.end:
            wrong[text] = f"it would be a mistake here: {finding.message}"
    return wrong or (dict.fromkeys(texts, f"it would be a mistake here: {new[0].message}") if new else {})


def _recorded(
    note: Note, before: Body, body: Body, texts: Iterable[ModelText], made_by: Drafted
) -> Mapping[str, Mapping[Lang, Drafted]]:
    """What is recorded from now on: texts that a person has changed since are no longer among it."""
    now = digests(body)
    by_section: dict[str, dict[Lang, Drafted]] = {}
    for section, lang, record in machine_written(note, body):
        by_section.setdefault(section, {})[lang] = record
    for text in texts:
        section = _section_of(text, before, body)
        record = replace(made_by, digest=now[section][text.lang], source=text.source)
        by_section.setdefault(section, {})[text.lang] = record
    order = (LEAD, *(section.id for section in body.sections))
    return {section: by_section[section] for section in order if section in by_section}


def _fields(record: Drafted) -> dict[str, str]:
    return {name: str(value) for name, value in asdict(record).items()}
