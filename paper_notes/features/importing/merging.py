"""A note that is taken in, beside what a person has done with it since the last time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.references import split_section
from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Link, Reference, Span
from paper_notes.document.parse import parse
from paper_notes.features.importing.facts import digests_of_facts
from paper_notes.features.importing.import_record import Record, RecordedText
from paper_notes.features.importing.sections import added_up, aligned, digests_of, merged, news, pieces_of
from paper_notes.features.importing.types import ImportedText, ImportFinding, Original
from paper_notes.features.lists.yaml_edit import with_keys
from paper_notes.features.papers.scaffold import as_yaml
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import parse_yaml

Gone = tuple[str, str]
"""A reference to a note, empty for the same one, and the section that the note has not."""
WAITING = ".imported"
"""At the end of the name of a file whose new version waits for a person beside theirs."""


@dataclass(frozen=True, slots=True)
class ArrivedText:
    """A text of a note that is taken in, and what was taken of its original before."""

    text: ImportedText
    original: Original
    body: str
    """Of the text, so that the collection builds with it."""
    key: str
    """How the record names the original."""
    was: RecordedText | None
    gone: Sequence[Gone]
    """Sections that the body leads to and that are not there."""

    @property
    def name(self) -> str:
        """Of its file."""
        return f"{self.text.lang}.md"

    @property
    def where(self) -> Location:
        return Location(self.original.path)

    @property
    def sections(self) -> Mapping[str, str]:
        """The digests of its sections when it was taken in before."""
        return self.was.sections if self.was else {}


@dataclass(frozen=True)
class MergedNote:
    """What a note that is taken in changes."""

    artifacts: tuple[Artifact, ...]
    record: Record
    """Of its originals."""
    state: str
    """`new`, `same` or `changed`."""
    about: Mapping[PurePosixPath, Sequence[ImportFinding]]
    """What is to be said of each original."""


def merge_note(
    folder: PurePosixPath,
    texts: Sequence[ArrivedText],
    facts: Mapping[str, Any],
    sources: Mapping[PurePosixPath, Source],
    held: str = "",
) -> MergedNote:
    """The files of a note: all of it if it is new, else only what is new in its originals.

    What a person has changed or deleted since the last time stays so. Where both changed the same piece, the new one
    waits in a file beside it; all that is new waits if there is a reason to hold it back, `held`.
    """
    about: dict[PurePosixPath, list[ImportFinding]] = {}
    bodies: list[ArrivedText] = []
    for arrived in texts:
        body = without_sections(arrived, sources.get(folder / arrived.name))
        is_other = body != arrived.body
        about[arrived.original.path] = [_leads_to_note(*gone, arrived) for gone in arrived.gone if is_other]
        bodies.append(replace(arrived, body=body))
    if held:
        return _held_back(folder, bodies, sources, held)
    record = {arrived.key: _recorded(folder, arrived, facts) for arrived in bodies}
    was = next((arrived.was for arrived in texts if arrived.was), None)
    if was is None:
        new = files_of(folder, [replace(arrived.text, body=arrived.body) for arrived in bodies], facts)
        return MergedNote(tuple({file.path: file for file in new}.values()), record, "new", about)
    files = list[Artifact]()
    for arrived in bodies:
        for merge in (_merged_text, _merged_files):
            written, findings = merge(folder, arrived, sources)
            files += written
            about[arrived.original.path] += findings
    written, findings = merged_facts(folder / NOTE_FILE, facts, was.facts, sources, texts[0].where)
    files += written
    about[texts[0].original.path] += findings
    return MergedNote(tuple(files), record, "changed" if files else "same", about)


def files_of(folder: PurePosixPath, texts: Iterable[ImportedText], facts: Mapping[str, Any]) -> list[Artifact]:
    """The files of a note as if it were new."""
    files = [Artifact.text(folder / NOTE_FILE, as_yaml(facts))]
    for text in texts:
        files.append(Artifact.text(folder / f"{text.lang}.md", text.body))
        files += [Artifact(folder / name, data) for name, data in text.files.items()]
    return files


def _recorded(folder: PurePosixPath, arrived: ArrivedText, facts: Mapping[str, Any]) -> RecordedText:
    return RecordedText(
        note=str(folder.relative_to(BASE)),
        language=arrived.text.lang,
        original=arrived.original.digest,
        sketch=arrived.original.sketch,
        sections=digests_of(arrived.body),
        facts=digests_of_facts(facts),
        files={name: sha256(data).hexdigest() for name, data in arrived.text.files.items()},
    )


def _held_back(
    folder: PurePosixPath, texts: Sequence[ArrivedText], sources: Mapping[PurePosixPath, Source], reason: str
) -> MergedNote:
    """The note as it is, with all that is new waiting beside it. It is tried again next time."""
    files, about = list[Artifact](), dict[PurePosixPath, Sequence[ImportFinding]]()
    for arrived in texts:
        path = folder / arrived.name
        mine = sources.get(path)
        beside, waits = _waiting(path, sources)
        after = added_up(waits, news(mine.text if mine else "", arrived.body, arrived.sections))
        files += [Artifact.text(beside, after)] if after != waits else []
        message = f"what is new waits in {beside}, because with it the build would stop: {reason}"
        about[arrived.original.path] = [ImportFinding("doubtful", "held-back", message, arrived.where)]
    return MergedNote(tuple(files), {}, "changed" if files else "same", about)


def _waiting(path: PurePosixPath, sources: Mapping[PurePosixPath, Source]) -> tuple[PurePosixPath, str]:
    """Where news of a text wait for a person, and those that do."""
    beside = path.with_name(path.name + WAITING)
    return beside, sources[beside].data.decode(errors="replace") if beside in sources else ""


def _leads_to_note(reference: str, section: str, arrived: ArrivedText) -> ImportFinding:
    message = f'the note {reference} has no section "{section}": the link leads to the note'
    if not reference:
        message = f'the section "{section}" is not there any more: the link to it is plain text'
    return ImportFinding("unmapped", "unknown-section", message, arrived.where)


def without_sections(arrived: ArrivedText, mine: Source | None) -> str:
    """The body with references to sections that are not there made references to their notes.

    A piece that is as it was written last time, and that a person has changed since, stays: it is not new.
    """
    if not arrived.gone:
        return arrived.body
    own, wanted = aligned(pieces_of(mine.text if mine else ""), pieces_of(arrived.body), arrived.sections)
    texts = list[str]()
    for key, piece in wanted.items():
        is_new = piece.digest != arrived.sections.get(key, "").split(" ")[0]
        is_ours = key in own and own[key].digest == piece.digest
        texts.append(apply(piece.text, _to_notes(piece.text, arrived.gone)) if is_new or is_ours else piece.text)
    return "".join(texts)


def _to_notes(text: str, gone: Sequence[Gone]) -> Iterator[Edit]:
    """References to sections as references to their notes, and links to sections of the same note as their words."""
    for node in parse(text).walk():
        if isinstance(node, Link) and ("", node.href.removeprefix("#")) in gone and node.href.startswith("#"):
            words = Span(node.inlines[0].span.start, node.inlines[-1].span.end) if node.inlines else Span(0, 0)
            yield Edit(node.span, text[slice(*words)])
        elif isinstance(node, Reference) and split_section(node.target) in gone:
            note, section = split_section(node.target)
            named = f"{note}{section}" if section.startswith("§") else f"{note}#{section}"
            yield Edit(node.span, text[slice(*node.span)].replace(named, note, 1))


Merged = tuple[list[Artifact], list[ImportFinding]]
"""Files, and what is to be said of them."""


def _merged_text(folder: PurePosixPath, arrived: ArrivedText, sources: Mapping[PurePosixPath, Source]) -> Merged:
    path = folder / arrived.name
    if path not in sources:
        is_new = not arrived.sections  # a language that the note has not had; else somebody deleted it
        return ([Artifact.text(path, arrived.body)] if is_new else []), []
    mine = sources[path].text
    text, news = merged(mine, arrived.body, arrived.sections)
    files = [Artifact.text(path, text)] if text != mine else []
    beside, waits = _waiting(path, sources)
    message = f"{beside} still waits for you"
    if news:
        files.append(Artifact.text(beside, added_up(waits, news)))
        message = f"you and the original have changed the same sections: yours stay, the new ones are in {beside}"
    kind = "both-changed" if news else "still-waiting"
    return files, [ImportFinding("doubtful", kind, message, arrived.where)] if news or waits else []


def _merged_files(folder: PurePosixPath, arrived: ArrivedText, sources: Mapping[PurePosixPath, Source]) -> Merged:
    files, findings = list[Artifact](), list[ImportFinding]()
    was = arrived.was.files if arrived.was else {}
    for name, data in arrived.text.files.items():
        source, digest = sources.get(folder / name), sha256(data).hexdigest()
        if digest == was.get(name) or (source and source.sha256 == digest):
            continue
        if source is None and name in was:
            continue  # somebody deleted it
        if source is None or source.sha256 == was.get(name):
            files.append(Artifact(folder / name, data))
        else:
            files.append(Artifact(folder / f"{name}{WAITING}", data))
            message = f"you and the original have changed {name}: yours stays, the new one is {name}{WAITING}"
            findings.append(ImportFinding("doubtful", "both-changed", message, arrived.where))
    return files, findings


def merged_facts(
    path: PurePosixPath,
    facts: Mapping[str, Any],
    was: Mapping[str, str],
    sources: Mapping[PurePosixPath, Source],
    where: Location,
) -> Merged:
    """A YAML file with what is new in an original. `was` are digests of its values last time.

    Raises UserError if the file cannot be read.
    """
    data = sources[path].data
    document = parse_yaml(path, sources[path].text)
    if isinstance(document, Diagnostic) or not isinstance(document.value, dict):
        raise UserError(f"{path} cannot be read", "fix it first")
    mine = digests_of_facts(document.value)
    findings: list[ImportFinding] = []
    for name, digest in digests_of_facts(facts).items():
        if digest == was.get(name) or digest == mine.get(name):
            continue
        is_free = name not in mine if name not in was else mine.get(name) == was[name]
        if is_free:
            try:
                data = with_keys(path, data, {name: facts[name]})
                continue
            except UserError:
                pass
        elif name in was and name not in mine:
            continue  # somebody deleted it
        message = f"you and the original have changed `{name}` in {path}: yours stays, the new value is: {facts[name]}"
        findings.append(ImportFinding("doubtful", "both-changed", message, where))
    return ([Artifact(path, data)] if data != sources[path].data else []), findings
