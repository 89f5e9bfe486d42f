"""Drafts from the text of a paper: sections of a new note, and the parts of an entry of a list.

Numbers of a draft that the paper does not have are marked.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.model import Lang, Note, NoteText
from paper_notes.corpus.paper import BibKey, Paper, entry_id
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Span
from paper_notes.features.drafting.applying import ModelText, spans_of
from paper_notes.features.drafting.asking import Checked
from paper_notes.features.drafting.constructs import DRAFTED
from paper_notes.features.drafting.invariants import ParsedPiece, in_other_language, read_piece
from paper_notes.features.drafting.prompts import PART_NAMES, PARTS, SECTIONS, Prompt, draft
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.paper import Passage, PassageRow, Passages, Word
from paper_notes.features.verify.quantities import Quantity, quantities_in
from paper_notes.features.verify.statements import read_statements
from paper_notes.features.verify.verify import verify
from paper_notes.languages.language import Language, Words
from paper_notes.markdown.body import Body
from paper_notes.markdown.sections import usual_id
from paper_notes.markdown.translations import digests, machine_written

_MOST = 1_500
"""Words of one section at most."""
_LONGEST = 20_000
"""Characters of one section at most: a word may be long."""
_LOST = {"\b": "\\b", "\f": "\\f", "\v": "\\v", "\t": "\\t", "\r": "\\r"}
"""What JSON makes of `\\beta`, `\\frac`, `\\text` and the like with one backslash."""
_KINDS = {"table": "Table", "figure": "Figure", "section": "Section", "front": "Title and abstract"}
_FILE = PurePosixPath("draft.md")
_DISPLAYED = re.compile(r"(?<!\\)\$\$(.+?)\$\$", re.DOTALL)
_INLINE = re.compile(r"(?<![\\$])\$(?:\\.|[^$\\\n])+\$(?!\$)|(`+)[^`\n]+\1")
"""Formulas and code in a line, into which no words can be put."""
_UNIT = re.compile(r"[\w%×]*")
_SMALL = 2
"""Digits of whole numbers in displayed formulas that say nothing: exponents, indices, powers of ten."""


@dataclass(frozen=True, slots=True)
class SectionRequest:
    """A section to draft."""

    name: str
    """By which the model calls it."""
    section: str
    heading: str
    """Its line."""
    asks: str
    """What it should say."""
    after: str = ""
    """The section that it follows, if it has no place yet."""
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class DraftJob:
    """A question about one paper."""

    paper: Paper
    lang: Lang
    sections: tuple[SectionRequest, ...]
    source: str
    """The text that the draft is made from."""
    origin: str
    """What it is, as in `Drafted`: `pdf 0123456789`."""


def origin_of(kind: str, data: bytes) -> str:
    """How the source of a draft is recorded."""
    return f"{kind} {hashlib.sha256(data).hexdigest()[:10]}"


def sections_to_draft(
    note: Note, body: Body, lang: Lang, words: Words, origin: str, wanted: Sequence[str] = ()
) -> tuple[tuple[SectionRequest, ...], tuple[tuple[str, str], ...]]:
    """The sections of a note that are not written yet, or that a model drafted from another source. Raises UserError.

    Also those that were asked for and are left, with the reason.
    """
    headings = _headings(words[lang])
    for name in wanted:
        if name not in headings:
            raise UserError(f'no draft is made of a section "{name}"', did_you_mean(name, headings))
    now = digests(body)
    machines = {section: record for section, tag, record in machine_written(note, body) if tag == lang}
    spans = {span.id: span for span in spans_of(note, body, words).get(lang, ())}
    texts = {text.lang: text.text.replace("\r\n", "\n").split("\n") for text in note.texts}
    requests, left, before = list[SectionRequest](), list[tuple[str, str]](), ""
    for name, heading in headings.items():
        digest = now.get(name, {}).get(lang, "")
        own = name in machines and machines[name].source != origin
        span = spans.get(name)
        head = texts[lang][span.start] if span else heading
        if (not digest or own) and (not wanted or name in wanted) and (span or wanted or lang not in texts):
            requests.append(SectionRequest(name, name, head, SECTIONS[name], before, digest))
        elif name in wanted:
            left.append((name, "it is drafted already" if name in machines else "it is yours"))
        before = name if span or (requests and requests[-1].section == name) else before
    return tuple(requests), tuple(left)


def _headings(language: Language) -> Mapping[str, str]:
    """The lines of the headings that a new note has for these sections."""
    text = language.words["new.note"]
    lines = re.findall(r"(?m)^## .*$", text if isinstance(text, str) else text["other"])
    by_id = {usual_id(line.removeprefix("## "), (language,)): line for line in lines}
    return {name: by_id[name] for name in SECTIONS if name in by_id}


def parts_to_draft(
    note: Note, body: Body, paper: Paper, lang: Lang, words: Words, origin: str
) -> tuple[SectionRequest, ...]:
    """The parts of an entry that nobody has written yet, or that a model drafted from an older abstract."""
    now, entry = digests(body), entry_id(paper)
    machines = {section: record for section, tag, record in machine_written(note, body) if tag == lang}
    requests, before = list[SectionRequest](), entry
    if lang not in now.get(entry, {}):
        return ()
    for name, asks in PARTS.items():
        section = f"{entry}-{name}"
        digest = now.get(section, {}).get(lang, "")
        if not digest or (section in machines and machines[section].source != origin):
            chinese, english = PART_NAMES[name]
            heading = chinese if lang.startswith("zh") else english
            requests.append(SectionRequest(name, section, f"### {heading} {{#{section}}}", asks, before, digest))
        before = section
    return tuple(requests)


def prompt_of(job: DraftJob) -> Prompt:
    """What the model is asked."""
    wanted = {wanted.name: wanted.asks for wanted in job.sections}
    return draft(job.paper.title, str(job.paper.key), job.source, wanted, job.lang)


def check(job: DraftJob, words: Words, mark: Callable[[str], str], answer: str) -> Checked[tuple[ModelText, ...]]:
    """The sections in an answer. `mark` says in a text which of its numbers are not in the source."""
    try:
        given = _read(answer)
    except ValueError as problem:
        return Checked(None, (str(problem),))
    findings = list(_wrong_keys(given, job))
    texts: list[ModelText] = []
    for wanted in job.sections:
        text = given.get(wanted.name)
        if not isinstance(text, str):
            continue
        mistakes = list(_wrong(text, job, words))
        findings += [f"{wanted.name}: {finding}" for finding in mistakes]
        if not mistakes:
            whole = f"{wanted.heading}\n\n{mark(text.strip())}"
            texts.append(ModelText(wanted.section, job.lang, whole, job.origin, wanted.replaces, wanted.after))
    return Checked(None, tuple(findings), tuple(texts) or None) if findings else Checked(tuple(texts))


def _read(answer: str) -> dict[str, Any]:
    """The JSON object of an answer, which may stand in a fence. Raises ValueError, whose words are for the model."""
    start, end = answer.find("{"), answer.rfind("}")
    if start < 0 or end < start:
        raise ValueError("the answer is not a JSON object")
    text = answer[start : end + 1]

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError("the answer has a key twice")
        return dict(pairs)

    try:
        value = json.loads(text, object_pairs_hook=unique, strict=False)
    except RecursionError:
        raise ValueError("the answer is not a JSON object") from None
    except json.JSONDecodeError:
        escaped = re.sub(r'\\(?!["\\/nu])', r"\\\\", text)  # TeX with one backslash
        try:
            value = json.loads(escaped, object_pairs_hook=unique, strict=False)
        except json.JSONDecodeError:
            raise ValueError("the answer is not a JSON object, or it ends too early") from None
    if not isinstance(value, dict):
        raise ValueError("the answer is not a JSON object")
    return {name: _with_tex(text) if isinstance(text, str) else text for name, text in value.items()}


def _with_tex(text: str) -> str:
    """A text in which commands of TeX that JSON took for control characters are whole again."""
    return "".join(_LOST.get(sign, sign) for sign in text)


def _wrong_keys(given: Mapping[str, object], job: DraftJob) -> Sequence[str]:
    wanted = [request.name for request in job.sections]
    missing = [name for name in wanted if not isinstance(given.get(name), str)]
    others = [name[:60] for name in given if name not in wanted]
    mistakes = [f"the answer lacks a text under {', '.join(missing)}"] if missing else []
    return mistakes + ([f"the answer has keys that nobody asked for: {', '.join(others[:5])}"] if others else [])


def _wrong(text: str, job: DraftJob, words: Words) -> Sequence[str]:
    """What of a text cannot be in a note: it is made of what `DRAFTED` names only."""
    if len(text) > _LONGEST:
        return (f"it is longer than {_LONGEST:,} characters",)
    piece = read_piece(text, job.lang, words)
    mistakes = [f"it has a mistake: {rule}" for rule in piece.errors]
    if refused := sorted({str(construct) for construct in piece.constructs if construct.kind not in DRAFTED}):
        mistakes.append(f"it has what a draft cannot have: {', '.join(refused[:5])}")
    if others := [key for key in piece.parts["citation"] if BibKey(key) != job.paper.key]:
        mistakes.append(f"it cites papers that it does not know: {', '.join(others[:3])}")
    mistakes += _wrong_size(piece)
    return [*mistakes, *filter(None, (in_other_language(piece, job.lang, words),))]


def _wrong_size(piece: ParsedPiece) -> Sequence[str]:
    if piece.size < 1 and not piece.parts["formula"]:
        return ("it is empty",)
    return (f"it is longer than {_MOST:,} words",) if piece.size > _MOST else ()


def text_of(passages: Passages) -> str:
    """All that a PDF says, in passages with their names and pages."""
    return "\n\n".join(_passage(passage) for passage in passages.parts)


def _passage(passage: Passage) -> str:
    number = "" if passage.title.startswith(passage.number) else passage.number
    name = " ".join(filter(None, (_KINDS[passage.kind], number, passage.title)))
    return "\n".join([f"[{name}, page {passage.page}]", *(row.text for row in passage.rows)])


def of_abstract(paper: Paper) -> Passages:
    """The title and the abstract of a paper, as if they were all of its PDF."""
    lines = (paper.title, *(paper.abstract or "").splitlines())
    rows = tuple(PassageRow(1, (Word(line, 0.0, 0.0),)) for line in lines if line.strip())
    return Passages((Passage("front", "", "", 1, rows),), 1, "\n".join(lines))


def marking(passages: Passages, key: BibKey, lang: Lang, words: Words) -> Callable[[str], str]:
    """A function that says in a text, behind each number that the source does not have, that it does not."""
    papers = {key: PaperIndex(passages)}
    remark = f" [{words[lang]('new.not-found')}]{{.open}}"

    def mark(text: str) -> str:
        starts = [0, *(match.end() for match in re.finditer("\n", text))]
        closed = [match.span() for match in _INLINE.finditer(text)]
        results = verify(read_statements(NoteText(lang, _FILE, text), words), papers, [key])
        put: dict[int, str] = {}
        for number in (result.number for result in results if result.verdict == "missing"):
            start = starts[number.line - 1] + number.column - 1
            unit = _UNIT.match(text, start + len(number.figures.text))
            put[next((last for first, last in closed if first <= start < last), unit.end() if unit else start)] = remark
        for formula in _DISPLAYED.finditer(text):
            if missing := [
                figures.text for figures in quantities_in(formula[1]) if _says_much(figures) and not _has(figures)
            ]:
                put[formula.end()] = f"\n\n{', '.join(missing)}{remark}"
        return apply(text, (Edit(Span(offset, offset), words) for offset, words in put.items()))

    def _has(number: Quantity) -> bool:
        return any(passage.find(number) for passage in papers[key].all)

    return mark


def _says_much(number: Quantity) -> bool:
    return number.decimals > 0 or len(number.digits) > _SMALL
