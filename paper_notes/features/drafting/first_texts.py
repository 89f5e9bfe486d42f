"""Drafts from the text of a paper: what of a note is asked for, in how many questions, and what is read in answers."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from paper_notes.corpus.model import Lang, Note
from paper_notes.corpus.paper import BibKey, Paper, entry_id
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.features.drafting.applying import LEAD_SENTENCE, LEAD_STATS, ModelText, card_prompts, spans_of
from paper_notes.features.drafting.asking import Checked
from paper_notes.features.drafting.claims import Claim, NoEvidence, PaperText, SourceWords, text_of
from paper_notes.features.drafting.constructs import DRAFTED
from paper_notes.features.drafting.invariants import in_other_language, read_piece
from paper_notes.features.drafting.prompts import (
    OF_SECTION,
    PART_NAMES,
    PARTS,
    SECTIONS,
    Prompt,
    draft,
    estimate,
    room_for,
)
from paper_notes.features.drafting.support import Setting, mistakes
from paper_notes.features.verify.paper import Passage, PassageRow, Passages, Word
from paper_notes.identifiers import folded_title
from paper_notes.languages.language import Language, Words
from paper_notes.markdown.body import Body
from paper_notes.markdown.sections import usual_id
from paper_notes.markdown.translations import digests, machine_written
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace

_MOST_CLAIMS, _LONGEST = 40, 4_000
"""Claims of a section, and characters of one, at most."""
_MOST_EVIDENCE = 12
_LOST = {"\b": "\\b", "\f": "\\f", "\v": "\\v", "\t": "\\t", "\r": "\\r"}
"""What JSON makes of `\\beta`, `\\frac`, `\\text` and the like with one backslash."""
_SHOWN = 50
_CARD = (LEAD_SENTENCE, LEAD_STATS)


class SectionRequest(Struct, frozen=True):
    """A section to draft."""

    name: str
    """By which the model calls it."""
    section: str
    heading: str
    """Its line; empty for what goes into the note's first card."""
    asks: str
    """What it should say."""
    after: str = ""
    """The section that it follows, if it has no place yet."""
    replaces: str = ""
    title: str = ""
    """Of the paper's section that it is about, if it is about one."""


class DraftJob(Struct, frozen=True):
    """A question about one paper, or a part of it."""

    paper: Paper
    sections: tuple[SectionRequest, ...]
    setting: Setting
    source: str
    """The text that the draft is made from."""
    origin: str
    """What it is, as in `Drafted`: `pdf 0123456789`."""

    @property
    def lang(self) -> Lang:
        """The language of the draft."""
        return self.setting.lang


Claims = Mapping[SectionRequest, tuple[Claim, ...]]
"""What an answer says, by section."""


def origin_of(kind: str, data: bytes) -> str:
    """How the source of a draft is recorded."""
    return f"{kind} {hashlib.sha256(data).hexdigest()[:10]}"


def sections_to_draft(
    note: Note, body: Body, lang: Lang, words: Words, wanted: Sequence[str] = (), waiting: Sequence[str] = ()
) -> tuple[tuple[SectionRequest, ...], tuple[tuple[str, str], ...]]:
    """The sections of a note that are not written yet, and that wait for no review. Raises UserError.

    Also those that were asked for and are left, with the reason.
    """
    headings = _headings(words[lang])
    spans = {span.id: span for span in spans_of(note, body, words).get(lang, ())}
    texts = {text.lang: text.text.replace("\r\n", "\n").split("\n") for text in note.texts}
    card = card_prompts("\n".join(texts.get(lang, ())), words[lang])
    walk = {name: texts[lang][span.start] for name, span in spans.items() if re.fullmatch(r"paper-\d+", name)}
    known = dict.fromkeys(_CARD, "")
    for name, heading in headings.items():
        known |= {name: heading, **(walk if name == "background" else {})}  # as `new` has them
    for name in wanted:
        if name not in known:
            raise UserError(f'no draft is made of a section "{name}"', did_you_mean(name, known))
    now = digests(body)
    requests, left, before = list[SectionRequest](), list[tuple[str, str]](), ""
    for name, heading in known.items():
        span = spans.get(name)
        is_open = name in card if name in _CARD else not now.get(name, {}).get(lang)
        has_place = bool(span or wanted or lang not in texts or name in card)
        if name in waiting and (name in wanted or not wanted):
            left.append((name, "its draft waits for your review"))
        elif is_open and has_place and (not wanted or name in wanted):
            requests.append(_request(name, texts[lang][span.start] if span else heading, before))
        elif name in wanted:
            left.append((name, "it is yours"))
        if name in headings and (span or (requests and requests[-1].section == name)):
            before = name
    return tuple(requests), tuple(left)


def _request(name: str, heading: str, before: str) -> SectionRequest:
    if name in SECTIONS:
        return SectionRequest(name, name, heading, SECTIONS[name], before)
    title = re.sub(r"^#+\s*|\s*\{[^{}]*\}\s*$", "", heading)
    return SectionRequest(
        name, name, heading, OF_SECTION.format(title=title), title=re.sub(r"^§[\d.IVX]+\s*", "", title)
    )


def _headings(language: Language) -> Mapping[str, str]:
    """The lines of the headings that a new note has for these sections."""
    text = language.words["new.note"]
    lines = re.findall(r"(?m)^## .*$", text if isinstance(text, str) else text["other"])
    by_id = {usual_id(line.removeprefix("## "), (language,)): line for line in lines}
    return {name: by_id[name] for name in by_id if name in SECTIONS}


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


def jobs_of(
    paper: Paper, sections: Sequence[SectionRequest], setting: Setting, origin: str, context: int
) -> tuple[DraftJob, ...]:
    """The questions: one if the paper fits into `context` tokens, else one for each part of it, in its order."""
    wanted = {request.name: request.asks for request in sections}
    room = room_for(paper.title, wanted, setting.lang, context)
    passages = sorted(setting.paper.passages.parts, key=lambda part: part.page)  # tables beside the text about them
    jobs, part, size = list[DraftJob](), list[Passage](), 0
    for passage in (piece for whole in passages for piece in _pieces(whole, setting.paper, room)):
        length = estimate(text_of([passage], setting.paper))
        if part and size + length > room:
            jobs.append(_job(paper, sections, setting, origin, part))
            part, size = [], 0
        part.append(passage)
        size += length
    jobs.append(_job(paper, sections, setting, origin, part))
    return tuple(_without_repetition(jobs))


def _pieces(passage: Passage, paper: PaperText, room: int) -> Iterator[Passage]:
    """A passage, in parts if it is too long by itself."""
    rows, size = list[PassageRow](), 0
    if estimate(text_of([passage], paper)) <= room or passage.kind == "table":
        yield passage
        return
    for row in passage.rows:
        size += estimate(row.text) + 1
        if rows and size > room - 50:
            yield replace(passage, page=rows[0].page, rows=tuple(rows))
            rows, size = [], estimate(row.text)
        rows.append(row)
    yield replace(passage, page=rows[0].page, rows=tuple(rows))


def _job(
    paper: Paper, sections: Sequence[SectionRequest], setting: Setting, origin: str, part: Sequence[Passage]
) -> DraftJob:
    titles = {folded_title(passage.title) for passage in part if passage.kind == "section"}
    titles.discard("")
    here = [
        request
        for request in sections
        if not (about := folded_title(request.title)) or any(about in title or title in about for title in titles)
    ]
    return DraftJob(paper, tuple(here), setting, text_of(part, setting.paper), origin)


def _without_repetition(jobs: Sequence[DraftJob]) -> Iterator[DraftJob]:
    """The jobs: of several parts of a paper only the first is asked for the card, and sections that are in none."""
    for number, job in enumerate(jobs):
        once = job.sections if not number else tuple(one for one in job.sections if one.name not in _CARD)
        if once:
            yield replace(job, sections=once)


def prompt_of(job: DraftJob) -> Prompt:
    """What the model is asked."""
    wanted = {wanted.name: wanted.asks for wanted in job.sections}
    return draft(job.paper.title, str(job.paper.key), job.source, wanted, job.lang)


def check(job: DraftJob, words: Words, answer: str) -> Checked[Claims]:
    """The claims in an answer that the paper supports, and why the others are refused."""
    try:
        given = _read(answer)
    except ValueError as problem:
        return Checked(None, (str(problem),))
    findings = list(_wrong_keys(given, job))
    claims: dict[SectionRequest, tuple[Claim, ...]] = {}
    for wanted in job.sections:
        values = given.get(wanted.name)
        if not isinstance(values, list):
            continue
        good = list[Claim]()
        for number, value in enumerate(values[:_MOST_CLAIMS], 1):
            claim, mistakes_of_it = _claim(value, job, words)
            shown = f' ("{claim.text[:_SHOWN]}")' if claim else ""
            findings += [f"{wanted.name}, claim {number}{shown}: {mistake}" for mistake in mistakes_of_it]
            if claim and not mistakes_of_it:
                good.append(claim)
        if len(values) > _MOST_CLAIMS:
            findings.append(f"{wanted.name}: it has more than {_MOST_CLAIMS} claims")
        if good:
            claims[wanted] = tuple(good)
    return Checked(None, tuple(findings), claims or None) if findings else Checked(claims)


def as_texts(job: DraftJob, words: Words, answer: str) -> Checked[tuple[ModelText, ...]]:
    """The claims in an answer as the texts of their sections."""
    checked = check(job, words, answer)
    return Checked(_texts(checked.value, job), checked.findings, _texts(checked.rest, job))


def _texts(claims: Claims | None, job: DraftJob) -> tuple[ModelText, ...] | None:
    return None if claims is None else tuple(
        ModelText(
            wanted.section,
            job.lang,
            f"{wanted.heading}\n\n{as_markdown([claim.text for claim in said], job.lang)}",
            job.origin,
            wanted.replaces,
            wanted.after,
        )
        for wanted, said in claims.items()
        if said
    )  # fmt: skip


def _claim(value: object, job: DraftJob, words: Words) -> tuple[Claim | None, Sequence[str]]:
    """A claim as the answer has it, and what is wrong with it."""
    if not (isinstance(value, dict) and isinstance(value.get("text"), str) and isinstance(value.get("evidence"), list)):
        return None, ['it is not {"text": "...", "evidence": [...]}']
    text = _with_tex(value["text"]).strip()
    wrong = list(unusable(text, job, words))
    if wrong:
        return Claim(text[:_LONGEST], ()), wrong
    evidence = list[SourceWords]()
    for item in value["evidence"][:_MOST_EVIDENCE]:
        try:
            evidence.append(_evidence(item, job.setting.paper))
        except NoEvidence as problem:
            wrong.append(str(problem))
    if not evidence and not wrong:
        wrong.append("it has no evidence")
    return Claim(text, tuple(evidence)), wrong or [*mistakes(text, evidence, job.setting)]


def _evidence(value: object, paper: PaperText) -> SourceWords:
    """A quotation or a cell as the PDF has it. Raises NoEvidence."""
    if not isinstance(value, dict) or not isinstance(value.get("words"), str) or type(value.get("page")) is not int:
        raise NoEvidence('evidence is {"page": 3, "words": "...", "table": "", "labels": []}')
    table, labels = value.get("table") or "", value.get("labels") or []
    if not isinstance(table, str) or not (isinstance(labels, list) and all(isinstance(label, str) for label in labels)):
        raise NoEvidence("a table is named by its number, labels are a list of words")
    words = _with_tex(value["words"])[:_LONGEST]
    return (
        paper.cell(table, labels, words, value["page"]) if table and labels else paper.quotation(words, value["page"])
    )


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
    return value


def _with_tex(text: str) -> str:
    """A text in which commands of TeX that JSON took for control characters are whole again."""
    return "".join(_LOST.get(sign, sign) for sign in text)


def _wrong_keys(given: Mapping[str, object], job: DraftJob) -> Sequence[str]:
    wanted = [request.name for request in job.sections]
    missing = [name for name in wanted if not isinstance(given.get(name), list)]
    others = [name[:60] for name in given if name not in wanted]
    wrong = [f"the answer lacks a list under {', '.join(missing)}"] if missing else []
    return wrong + ([f"the answer has keys that nobody asked for: {', '.join(others[:5])}"] if others else [])


def unusable(text: str, job: DraftJob, words: Words) -> Iterator[str]:
    """What of a text cannot be in a note: it is made of what `DRAFTED` names only."""
    if len(text) > _LONGEST:
        yield f"it is longer than {_LONGEST:,} characters"
        return
    piece = read_piece(text, job.lang, words)
    yield from (f"it has a mistake: {rule}" for rule in piece.errors)
    if refused := sorted({str(construct) for construct in piece.constructs if construct.kind not in DRAFTED}):
        yield f"it has what a draft cannot have: {', '.join(refused[:5])}"
    if others := [key for key in piece.parts["citation"] if BibKey(key) != job.paper.key]:
        yield f"it cites papers that it does not know: {', '.join(others[:3])}"
    if piece.size < 1 and not piece.parts["formula"]:
        yield "it is empty"
    yield from filter(None, (in_other_language(piece, job.lang, words),))


_BLOCK = regex(r"(?:[-*+]|\d{1,3}[.)])\s|\$\$|\|")


def as_markdown(texts: Sequence[str], lang: Lang) -> str:
    """Sentences as paragraphs; items, formulas and tables as blocks of their own."""
    gap = "" if lang.startswith(("zh", "ja")) else " "
    blocks, before = list[str](), ""
    for text in texts:
        kind = "item" if re.match(r"[-*+]\s", text) else "step" if re.match(r"\d{1,3}[.)]\s", text) else ""
        kind = kind or ("block" if _BLOCK.match(text) else "sentence")
        if kind == "step":
            number = int(re.match(r"\d+", blocks[-1].rsplit("\n", 1)[-1])[0]) + 1 if before == "step" else 1  # type: ignore[index]
            text = re.sub(r"^\d+[.)]", f"{number}.", text)  # parts of a paper count from one again
        if blocks and kind == before and kind != "block":
            blocks[-1] += ("\n" if kind != "sentence" else gap) + text
        else:
            blocks.append(text)
        before = kind
    return "\n\n".join(blocks)


def of_abstract(paper: Paper) -> Passages:
    """The title and the abstract of a paper, as if they were all of its PDF."""
    lines = (paper.title, *(paper.abstract or "").splitlines())
    rows = tuple(PassageRow(1, (Word(line, 0.0, 0.0),)) for line in lines if line.strip())
    return Passages((Passage("front", "", "", 1, rows),), 1, "\n".join(lines))
