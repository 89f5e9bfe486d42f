"""A note that is taken in, beside what a person has done with it since the last time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
from paper_notes.features.importing.facts import digest_of
from paper_notes.features.importing.import_record import Record, RecordedText
from paper_notes.features.importing.placement import PlacedNote
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


@dataclass(frozen=True)
class MergedNote:
    """What a note that is taken in changes."""

    artifacts: tuple[Artifact, ...]
    record: Record
    """Of its originals."""
    state: str
    """`new`, `same` or `changed`."""
    about: Mapping[PurePosixPath, tuple[ImportFinding, ...]] = field(default_factory=dict)

    def findings(self, original: PurePosixPath) -> tuple[ImportFinding, ...]:
        """What is to be said of an original."""
        return self.about.get(original, ())


def merge_note(
    note: PlacedNote,
    texts: Sequence[ImportedText],
    arrived: Mapping[PurePosixPath, str],
    facts: Mapping[str, Any],
    sources: Mapping[PurePosixPath, Source],
    before: Mapping[PurePosixPath, RecordedText],
    keys: Mapping[PurePosixPath, str],
    originals: Mapping[PurePosixPath, Original],
    gone: Mapping[PurePosixPath, Sequence[Gone]],
    held: str = "",
) -> MergedNote:
    """The files of a note: all of it if it is new, else only what is new in its originals.

    What a person has changed or deleted since the last time stays so. Where both changed the same piece, the new one
    waits in a file beside it; all that is new waits if there is a reason to hold it back, `held`. `before` says what
    was taken of each original, `keys` how the record names it; `gone` are sections that the texts lead to and that are
    not there.
    """
    facts_now = {name: digest_of(value) for name, value in facts.items()}
    bodies = dict(arrived)
    about = dict[PurePosixPath, tuple[ImportFinding, ...]]()
    for text in texts:
        path, was = text.outline.path, before.get(text.outline.path)
        mine = sources.get(note.folder / f"{text.lang}.md")
        bodies[path] = without_sections(
            arrived[path], gone[path], was.sections if was else {}, mine.text if mine else ""
        )
        about[path] = (
            tuple(_leads_to_note(*section, path) for section in gone[path]) if bodies[path] != arrived[path] else ()
        )
    if held:
        return _held_back(note, texts, bodies, before, sources, held)
    now = {
        keys[text.outline.path]: RecordedText(
            note=str(note.folder.relative_to(BASE)),
            language=text.lang,
            original=originals[text.outline.path].digest,
            sketch=originals[text.outline.path].sketch,
            sections=digests_of(bodies[text.outline.path]),
            facts=facts_now,
            files={name: sha256(data).hexdigest() for name, data in text.files.items()},
        )
        for text in texts
    }
    if not any(text.outline.path in before for text in texts):
        files = [Artifact.text(note.folder / NOTE_FILE, as_yaml(facts))]
        for text in texts:
            files.append(Artifact.text(note.folder / f"{text.lang}.md", bodies[text.outline.path]))
            files += [Artifact(note.folder / name, data) for name, data in text.files.items()]
        return MergedNote(tuple({file.path: file for file in files}.values()), now, "new", about)
    files = list[Artifact]()
    for text in texts:
        written, findings = _merged_text(note, text, bodies[text.outline.path], before.get(text.outline.path), sources)
        files += written
        about[text.outline.path] += tuple(findings)
    first = texts[0].outline.path
    known = next(before[text.outline.path] for text in texts if text.outline.path in before)
    path = note.folder / NOTE_FILE
    written, findings = merged_facts(path, facts, facts_now, known.facts, sources, Location(first))
    files += written
    about[first] = (*about[first], *findings)
    return MergedNote(tuple(files), now, "changed" if files else "same", about)


def _held_back(
    note: PlacedNote,
    texts: Sequence[ImportedText],
    bodies: Mapping[PurePosixPath, str],
    before: Mapping[PurePosixPath, RecordedText],
    sources: Mapping[PurePosixPath, Source],
    reason: str,
) -> MergedNote:
    """The note as it is, with all that is new waiting beside it. It is tried again next time."""
    files, about = list[Artifact](), dict[PurePosixPath, tuple[ImportFinding, ...]]()
    for text in texts:
        path, was = note.folder / f"{text.lang}.md", before.get(text.outline.path)
        mine = sources.get(path)
        new = news(mine.text if mine else "", bodies[text.outline.path], was.sections if was else {})
        beside = path.with_name(path.name + WAITING)
        waits = sources[beside].data.decode(errors="replace") if beside in sources else ""
        if (after := added_up(waits, new)) != waits:
            files.append(Artifact.text(beside, after))
        message = f"what is new waits in {beside}, because with it the build would stop: {reason}"
        about[text.outline.path] = (ImportFinding("doubtful", "held-back", message, Location(text.outline.path)),)
    return MergedNote(tuple(files), {}, "changed" if files else "same", about)


def _leads_to_note(reference: str, section: str, original: PurePosixPath) -> ImportFinding:
    message = f'the note {reference} has no section "{section}": the link leads to the note'
    if not reference:
        message = f'the section "{section}" is not there any more: the link to it is plain text'
    return ImportFinding("unmapped", "unknown-section", message, Location(original))


def without_sections(body: str, gone: Sequence[Gone], was: Mapping[str, str], mine: str) -> str:
    """The text with references to sections that are not there made references to their notes.

    A piece that is as it was written last time, and that a person has changed since, stays: it is not new.
    """
    if not gone:
        return body
    own, wanted = aligned(pieces_of(mine), pieces_of(body), was)
    texts = list[str]()
    for key, piece in wanted.items():
        is_new = piece.digest != was.get(key, "").split(" ")[0]
        is_ours = key in own and own[key].digest == piece.digest
        texts.append(apply(piece.text, _to_notes(piece.text, gone)) if is_new or is_ours else piece.text)
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


def _merged_text(
    note: PlacedNote,
    text: ImportedText,
    body: str,
    before: RecordedText | None,
    sources: Mapping[PurePosixPath, Source],
) -> tuple[list[Artifact], list[ImportFinding]]:
    where, files, findings = Location(text.outline.path), list[Artifact](), list[ImportFinding]()
    path = note.folder / f"{text.lang}.md"
    mine = sources.get(path)
    if mine is None and (before is None or not before.sections):
        files.append(Artifact.text(path, body))  # a language that the note has not had
    elif mine is not None:
        result = merged(mine.text, body, before.sections if before else {})
        if result.text != mine.text:
            files.append(Artifact.text(path, result.text))
        beside = path.with_name(path.name + WAITING)
        waits = sources[beside].data.decode(errors="replace") if beside in sources else ""
        if waits and not result.waiting:
            findings.append(ImportFinding("doubtful", "still-waiting", f"{beside} still waits for you", where))
        if result.waiting:
            files.append(Artifact.text(beside, added_up(waits, result.waiting)))
            message = (
                f"you and the original have changed the same sections: yours stay, the new ones are in {path}{WAITING}"
            )
            findings.append(ImportFinding("doubtful", "both-changed", message, where))
    attached, said = _merged_files(note, text, before.files if before else {}, sources)
    return [*files, *attached], [*findings, *said]


def _merged_files(
    note: PlacedNote, text: ImportedText, was: Mapping[str, str], sources: Mapping[PurePosixPath, Source]
) -> tuple[list[Artifact], list[ImportFinding]]:
    where, files, findings = Location(text.outline.path), list[Artifact](), list[ImportFinding]()
    for name, data in text.files.items():
        source, digest = sources.get(note.folder / name), sha256(data).hexdigest()
        if digest == was.get(name) or (source and source.sha256 == digest):
            continue
        if source is None and name not in was:
            files.append(Artifact(note.folder / name, data))
        elif source is None:
            continue  # somebody deleted it
        elif source.sha256 == was.get(name):
            files.append(Artifact(note.folder / name, data))
        else:
            files.append(Artifact(note.folder / f"{name}{WAITING}", data))
            message = f"you and the original have changed {name}: yours stays, the new one is {name}{WAITING}"
            findings.append(ImportFinding("doubtful", "both-changed", message, where))
    return files, findings


def merged_facts(
    path: PurePosixPath,
    facts: Mapping[str, Any],
    now: Mapping[str, str],
    was: Mapping[str, str],
    sources: Mapping[PurePosixPath, Source],
    where: Location,
) -> tuple[list[Artifact], list[ImportFinding]]:
    """A YAML file with what is new in an original. `now` and `was` are digests of its values, now and last time.

    Raises UserError if the file cannot be read.
    """
    data = sources[path].data
    document = parse_yaml(path, sources[path].text)
    if isinstance(document, Diagnostic) or not isinstance(document.value, dict):
        raise UserError(f"{path} cannot be read", "fix it first")
    mine = {name: digest_of(value) for name, value in document.value.items()}
    findings: list[ImportFinding] = []
    for name, digest in now.items():
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
