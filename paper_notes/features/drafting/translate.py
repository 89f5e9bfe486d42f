"""Translations of the sections that one language of a note lacks, or that a model wrote for an earlier text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from paper_notes.corpus.model import GlossaryTerm, Lang, Note
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.features.drafting.applying import ModelText, check_files, field_texts, spans_of
from paper_notes.features.drafting.asking import Checked
from paper_notes.features.drafting.invariants import (
    differences,
    in_other_language,
    otherwise_said,
    read_piece,
    terms_in,
)
from paper_notes.features.drafting.prompts import Prompt, lines_around, translation
from paper_notes.features.drafting.style import Example, likest
from paper_notes.languages.language import Words
from paper_notes.markdown.body import Body
from paper_notes.markdown.sections import digest, usual_id
from paper_notes.markdown.translations import digests, machine_written, outdated
from paper_notes.patterns import regex
from paper_notes.values import Struct

_MOST_LONGER, _FREE = 5, 500
"""How many characters a translation has at most, for each of its original's and besides: three for an ideograph."""
_FENCE = regex(r"(?P<fence>`{3,}|~{3,})[a-z]*\n(?P<text>.*)\n(?P=fence)", re.DOTALL)
_HEADING = regex(r" {0,3}#{1,6}[ \t]+(?P<title>.*?)[ \t]*$")


class TranslationJob(Struct, frozen=True):
    """A section to translate."""

    section: str
    langs: tuple[Lang, Lang]
    """From the first to the second."""
    text: str
    digest: str
    """Of the text that is translated."""
    replaces: str = ""
    """Digest of the model's own earlier text, or empty."""
    is_field: bool = False
    """It is no section, but the note's title or summary."""


def work(
    note: Note, body: Body, words: Words, wanted: Sequence[str] = (), to: Lang | None = None
) -> tuple[Sequence[TranslationJob], Sequence[tuple[str, str]]]:
    """What there is to translate, of the `wanted` sections or of all. Raises UserError.

    Also sections that were asked for, or are outdated, and are left as they are, with the reason.
    """
    check_files(note, words)
    if len(words.tags) < 2:
        raise UserError("the collection is in one language", "name a second one in `languages:` of site.yaml")
    if to is not None and to not in words.tags:
        raise UserError(f'"{to}" is no language of this collection', did_you_mean(to, words.tags))
    now = digests(body)
    fields = [
        job for job in _fields(note, words, to) if not wanted or (job.section in wanted and job.section not in now)
    ]
    for name in wanted:
        if name not in now and name not in field_texts(note):
            raise UserError(f'{note.id} has no section "{name}"', did_you_mean(name, now))
    spans = {lang: {span.id: span for span in sections} for lang, sections in spans_of(note, body, words).items()}
    behind = {outdated_text.section: outdated_text for outdated_text in outdated(note, body)}
    machines = {(section, lang) for section, lang, _ in machine_written(note, body)}
    jobs, left = list[TranslationJob](), list[tuple[str, str]]()
    for section, known in now.items():
        if wanted and section not in wanted:
            continue
        missing = [lang for lang in words.tags if lang not in known]
        outdated_text = behind.get(section)
        target = missing[0] if missing else outdated_text.lang if outdated_text and outdated_text.drafted else None
        if target is not None and to in (None, target):
            source = next(lang for lang in words.tags if lang != target)
            text = spans[source][section].text
            jobs.append(TranslationJob(section, (source, target), text, known[source], known.get(target, "")))
        elif outdated_text and to in (None, outdated_text.lang):
            left.append(
                (section, f"{outdated_text.lang}.md is behind there, but it is yours: revise it, or delete it there")
            )
        elif wanted:
            lang = to or next((lang for lang in words.tags if (section, lang) in machines), words.tags[-1])
            drafted = (section, lang) in machines
            reason = "it is translated already" if drafted else "it is yours: delete it there to have it translated"
            left.append((section, f"{lang}.md: {reason}"))
    return (*fields, *jobs), left


def _fields(note: Note, words: Words, to: Lang | None) -> Iterator[TranslationJob]:
    """The note's title and summary where they lack a language. What is there is a person's from then on."""
    for name, text in field_texts(note).items():
        for lang in words.tags:
            if not text.has(lang) and to in (None, lang):
                source = text.languages[0]
                yield TranslationJob(name, (source, lang), text[source], digest([text[source]]), is_field=True)


def prompt_of(
    job: TranslationJob,
    note: Note,
    terms: tuple[GlossaryTerm, ...],
    words: Words,
    examples: Mapping[tuple[Lang, Lang], Sequence[Example]] = {},
) -> Prompt:
    """What the model is asked; `examples` are the writer's own translations."""
    like = () if job.is_field else likest(job.text, examples.get(job.langs, ()), job.langs, words)
    used = terms_in(read_piece(job.text, job.langs[0], words).prose, job.langs[0], terms, words)
    return translation(job.text, job.langs, note.title[job.langs[0]], used, like)


def check(
    job: TranslationJob, terms: tuple[GlossaryTerm, ...], words: Words, answer: str
) -> Checked[tuple[ModelText, ...]]:
    """The translation in an answer, if nothing is changed in it that must not be."""
    opening, closing = lines_around(job.text)
    text, is_marked = _between(opening, closing, answer)
    unmarked = () if is_marked else (f"the translation is not between one line {opening} and one line {closing}",)
    if job.is_field and "\n" in text.strip():
        return Checked(None, (*unmarked, "it has more than one line"))
    if not text.strip():
        return Checked(None, (*unmarked, "the translation is empty"))
    if len(text) > _MOST_LONGER * len(job.text) + _FREE:
        return Checked(None, (*unmarked, f"it has {len(text):,} characters, the original has {len(job.text):,}"))
    source, target = job.langs
    original, translation = read_piece(job.text, source, words), read_piece(text, target, words)
    said = [*otherwise_said(original, translation, job.langs, terms, words)]
    findings = [*differences(original, translation), *(finding.text for finding in said if finding.sure)]
    if text.strip() != job.text.strip() or original.size > 3:
        findings += filter(None, (in_other_language(translation, target, words, original),))
    if findings or (unmarked and not original.is_recognisable):
        return Checked(None, (*unmarked, *findings))
    doubts = tuple(finding.text for finding in said)
    origin = f"{source} {job.digest}"
    if job.is_field:
        return Checked((ModelText(job.section, target, text.strip(), origin, is_field=True),), doubts=doubts)
    return Checked((ModelText(job.section, target, _with_id(job, text, words), origin, job.replaces),), doubts=doubts)


def _between(opening: str, closing: str, answer: str) -> tuple[str, bool]:
    """The translation in an answer, and whether it is between both lines: many models forget one, or add a fence."""
    is_marked = answer.count(opening) == answer.count(closing) == 1 and answer.index(opening) < answer.index(closing)
    text = answer.partition(opening)[2].partition(closing)[0] if is_marked else answer
    text = (text if is_marked else text.replace(opening, "").replace(closing, "")).strip("\n").rstrip()
    fence = None if is_marked else _FENCE.fullmatch(text)
    return fence["text"] if fence else text, is_marked


def _with_id(job: TranslationJob, text: str, words: Words) -> str:
    """The translation, whose heading has an id if its words no longer say which usual section it is."""
    own, other = (_usual(part, lang, words) for part, lang in zip((job.text, text), job.langs, strict=True))
    if own != job.section or own == other:
        return text
    head, newline, rest = text.partition("\n")
    return f"{head.rstrip()} {{#{own}}}{newline}{rest}"


def _usual(text: str, lang: Lang, words: Words) -> str:
    """The id that the heading has by its words alone; empty if it names one."""
    heading = _HEADING.match(text.partition("\n")[0])
    named = heading and re.search(r"\{[^}]*#[^}]*\}$", heading["title"])
    return usual_id(heading["title"], (words[lang], *words.languages)) if heading and not named else ""
