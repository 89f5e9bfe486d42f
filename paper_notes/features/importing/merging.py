"""A note that is taken in again, merged with what a person has done with it since: text, files and facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, Literal, NamedTuple

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
from paper_notes.features.importing.markdown.boxes import outside_code
from paper_notes.features.importing.types import ImportedText, ImportFinding, Original
from paper_notes.features.papers.scaffold import as_yaml
from paper_notes.markdown.sections import digest
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source, text_position
from paper_notes.sources.yaml import parse_yaml
from paper_notes.sources.yaml_edit import with_keys
from paper_notes.values import Struct, replace

Gone = tuple[str, str]
"""A reference to a note, empty for the same one, and the section that the note has not."""
WAITING = ".imported"
"""At the end of the name of a file whose new version waits for a person beside theirs."""


class ArrivedText(Struct, frozen=True):
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


class MergedNote(Struct, frozen=True):
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


Conflict = Literal["deleted", "moved"]
"""What the new version has done with a piece that stays as a person has it."""
Merged = tuple[list[Artifact], list[ImportFinding]]
"""Files, and what is to be said of them."""


def _merged_text(folder: PurePosixPath, arrived: ArrivedText, sources: Mapping[PurePosixPath, Source]) -> Merged:
    path = folder / arrived.name
    if path not in sources:
        is_new = not arrived.sections  # a language that the note has not had; else somebody deleted it
        return ([Artifact.text(path, arrived.body)] if is_new else []), []
    mine = sources[path].text
    result = merged(mine, arrived.body, arrived.sections)
    files = [Artifact.text(path, result.text)] if result.text != mine else []
    findings = [stays(path, result.text, *conflict) for conflict in result.conflicts]
    beside, waits = _waiting(path, sources)
    message = f"{beside} still waits for you"
    if result.waiting:
        files.append(Artifact.text(beside, added_up(waits, result.waiting)))
        message = f"you and the original have changed the same sections: yours stay, the new ones are in {beside}"
    kind = "both-changed" if result.waiting else "still-waiting"
    waiting = [ImportFinding("doubtful", kind, message, arrived.where)] if result.waiting or waits else []
    return files, [*findings, *waiting]


def stays(path: PurePosixPath, text: str, piece: Piece, conflict: Conflict) -> ImportFinding:
    """What is to be said of a section that is not as the original has it, with its place in the text."""
    heading = piece.text.strip().split("\n")[0].lstrip("# ")
    line, column = text_position(text, max(text.find(piece.text), 0))
    message = f"you have changed what the original has deleted: it stays: {heading}"
    if conflict == "moved":
        message = f"you and the original have changed the order of sections: yours stays; the first is: {heading}"
    return ImportFinding("doubtful", f"both-changed-{conflict}", message, Location(path, line, column))


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
    for name, now in digests_of_facts(facts).items():
        if now in (was.get(name), mine.get(name)):
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
    for name in was.keys() & mine.keys() - facts.keys():
        message = f"the original does not say `{name}` any more, which stays"
        place = document.location((name,), key=True)
        findings.append(ImportFinding("doubtful", "both-changed-deleted", message, place))
    return ([Artifact(path, data)] if data != sources[path].data else []), findings


# Texts, cut at their headings

LEAD = ""
"""The key of the text before the first heading."""
_HEADING = regex(r" {0,3}#{1,6}(?:[ \t]+(.*?))?[ \t]*$")
_WORD = regex(r"[\u3040-\u30ff\u3400-\u9fff]|\w+")
_NUMBERED = regex(r"(.*) \(\d+\)", re.DOTALL)
_ID = regex(r"\{[^}]*#([^\s}]+)[^}]*\}")


class Piece(Struct, frozen=True):
    """A heading and what follows it, up to the next heading of any level."""

    key: str
    """Its id, or else its words; with a number if several have them."""
    title: str
    """The key without such a number."""
    text: str
    """With the line end of its last line."""

    @property
    def digest(self) -> str:
        """Of its Markdown; empty lines at its end do not count."""
        return digest(self.text.split("\n"))

    @property
    def below(self) -> str:
        """The digest of what follows the heading."""
        return digest(self.text.split("\n")[1:])

    @property
    def words(self) -> frozenset[str]:
        """The words below the heading, to compare."""
        return frozenset(_WORD.findall(self.text.partition("\n")[2]))


def pieces_of(text: str) -> tuple[Piece, ...]:
    """The pieces of a text, whose texts together are the text."""
    sections: list[tuple[str, list[str]]] = [(LEAD, [])]
    lines = text.splitlines(keepends=True)
    prose = {*outside_code(lines)}
    for number, line in enumerate(lines):
        if number in prose and (heading := _HEADING.match(line)):
            own = _ID.search(heading[1] or "")
            sections.append((f"#{own[1]}" if own else " ".join((heading[1] or "").split()), []))
        sections[-1][1].append(line)
    key = _free_keys()
    return tuple(Piece(key(title), title, "".join(lines)) for title, lines in sections if lines or title != LEAD)


def _free_keys(taken: Iterable[str] = ()) -> Callable[[str], str]:
    """A function that gives titles keys that are not taken: the title, or with the first number that is free.

    Numbers are counted on: thousands of headings may be the same.
    """
    used, last = {*taken}, Counter[str]()

    def key(title: str) -> str:
        free = title
        while free in used:
            last[title] += 1
            free = f"{title} ({last[title] + 1})"
        used.add(free)
        return free

    return key


def digests_of(text: str) -> dict[str, str]:
    """What is recorded of each piece by its key: its digest, and that of what is below its heading."""
    return {piece.key: f"{piece.digest} {piece.below}".strip() for piece in pieces_of(text)}


def aligned(
    mine: Sequence[Piece], new: Sequence[Piece], was: Mapping[str, str]
) -> tuple[dict[str, Piece], dict[str, Piece]]:
    """The pieces of two texts by the keys that they had in the version before, in their own orders.

    Of several with the same heading, those are the same that say the same; then those that share the most words with
    what the other text says, and then those in the same order. What is below a heading tells where it had another one.
    """
    digests = {key: value.split(" ")[0] for key, value in was.items()}
    ours, theirs = _by_digest(mine, digests), _by_digest(new, digests)
    _by_words(mine, ours, digests, {key: new[place].words for place, key in theirs.items()})
    _by_words(new, theirs, digests, {key: mine[place].words for place, key in ours.items()})
    below = {value.split(" ")[1]: key for key, value in was.items() if " " in value}
    for place, piece in enumerate(new):
        key = below.get(piece.below) if piece.below and place not in theirs else None
        if key is not None and key not in theirs.values():
            theirs[place] = key
    return _keyed(mine, ours, digests), _keyed(new, theirs, digests)


def _title(key: str, was: Container[str]) -> str:
    """The title of a piece by its key."""
    numbered = _NUMBERED.fullmatch(key)
    return numbered[1] if numbered and numbered[1] in was else key


def _by_digest(pieces: Sequence[Piece], was: Mapping[str, str]) -> dict[int, str]:
    """The former keys of the pieces that are as they were, by their places."""
    former = {place: piece.key for place, piece in enumerate(pieces) if was.get(piece.key) == piece.digest}
    free: dict[tuple[str, str], list[str]] = {}
    same = {*former.values()}
    for key, value in was.items():
        if key not in same:
            free.setdefault((_title(key, was), value), []).append(key)
    for place, piece in enumerate(pieces):
        if place not in former and (keys := free.get((piece.title, piece.digest))):
            former[place] = keys.pop(0)
    return former


def _by_words(
    pieces: Sequence[Piece], former: dict[int, str], was: Mapping[str, str], others: Mapping[str, frozenset[str]]
) -> None:
    """Find the former keys of pieces that have changed, among those of the same heading."""
    free: dict[str, list[str]] = {}
    same = {*former.values()}
    for key in was:
        if key not in same:
            free.setdefault(_title(key, was), []).append(key)
    for title, keys in free.items():
        places = [place for place, piece in enumerate(pieces) if piece.title == title and place not in former]
        likeliest = sorted(
            (-_common(pieces[place].words, others.get(key, frozenset())), at + key_at, place, key)
            for at, place in enumerate(places)
            for key_at, key in enumerate(keys)
        )
        for _, _, place, key in likeliest:
            if place not in former and key in keys:
                former[place] = key
                keys.remove(key)


def _common(words: frozenset[str], other: frozenset[str]) -> float:
    return len(words & other) / len(words | other) if words and other else 0.0


def _keyed(pieces: Sequence[Piece], former: Mapping[int, str], was: Mapping[str, str]) -> dict[str, Piece]:
    key = _free_keys((*former.values(), *was))
    return {former[at] if at in former else key(piece.title): piece for at, piece in enumerate(pieces)}


class MergedText(NamedTuple):
    """A text into which a new version was merged."""

    text: str
    waiting: str = ""
    """Pieces that both have changed, as the new version has them: a person has to look at them."""
    conflicts: tuple[tuple[Piece, Conflict], ...] = ()
    """Pieces of the text, and how they are not as the new version has them."""


def merged(mine: str, new: str, was: Mapping[str, str]) -> MergedText:
    """`mine` with what is new in `new`.

    `was` has the digests of the version that was merged before. What a person wrote always stays: a piece is replaced
    or removed only if it still is as it was written then.
    """
    own, wanted = aligned(pieces_of(mine), pieces_of(new), was)
    before = {key: value.split(" ")[0] for key, value in was.items()}
    untouched = {key for key, piece in own.items() if before.get(key) == piece.digest}
    if len(untouched) == len(own) and list(own) == list(was):
        is_same = [(key, piece.digest) for key, piece in wanted.items()] == [*before.items()]
        return MergedText(mine if is_same else new)
    waiting: list[str] = []
    result: dict[str, Piece] = {}
    for key, piece in own.items():
        update = wanted.get(key)
        if key not in untouched or (update and update.digest == piece.digest):
            result[key] = piece
        elif update:
            result[key] = update
        if key not in untouched and update and update.digest not in (piece.digest, before.get(key)):
            waiting.append(update.text)
    deleted = (key for key in was if key not in own and key in wanted and wanted[key].digest != before[key])
    waiting += [wanted[key].text for key in deleted]
    conflicts: list[tuple[Piece, Conflict]] = [
        (piece, "deleted") for key, piece in result.items() if key in before and key not in wanted
    ]
    shared = result.keys() & before.keys() & wanted.keys()
    mine_now, then, now = ([key for key in keys if key in shared] for keys in (result, before, wanted))
    order = list(result)
    if now != then == mine_now:
        order = _reordered(order, now)
    elif now not in (then, mine_now):
        moved = next(key for key, other in zip(mine_now, now, strict=True) if key != other)
        conflicts.append((result[moved], "moved"))
    for key in wanted:
        if key not in own and key not in was:
            order.insert(_place(key, wanted, order), key)
            result[key] = wanted[key]
    return MergedText(_joined(result[key].text for key in order), _joined(waiting), tuple(conflicts))


def _reordered(keys: Iterable[str], order: Sequence[str]) -> list[str]:
    """The keys with those of `order` in their order; each of the others stays behind the one that it stood behind."""
    groups: dict[str | None, list[str]] = {None: []}
    last = None
    for key in keys:
        last = key if key in order else last
        groups.setdefault(last, []).append(key)
    return [key for name in (None, *order) for key in groups[name]]


def news(mine: str, new: str, was: Mapping[str, str]) -> str:
    """The pieces of a new version that neither `mine` nor the version before has so."""
    own, wanted = aligned(pieces_of(mine), pieces_of(new), was)
    digests = {piece.digest for piece in own.values()}
    known = {value.split(" ")[0] for value in was.values()}
    return _joined(piece.text for piece in wanted.values() if piece.digest not in digests | known)


def added_up(before: str, new: str) -> str:
    """The pieces that wait: those of before, and the new ones, which take the places of older ones."""
    pieces = {piece.key: piece for piece in (*pieces_of(before), *pieces_of(new))}
    return _joined(piece.text for piece in pieces.values())


def _place(key: str, wanted: Iterable[str], keys: list[str]) -> int:
    """Where a new piece goes: behind the one before it that is there, or at the beginning."""
    order = list(wanted)
    before = next((earlier for earlier in reversed(order[: order.index(key)]) if earlier in keys), None)
    if before is not None:
        return keys.index(before) + 1
    return 1 if keys[:1] == [LEAD] else 0


def _joined(texts: Iterable[str]) -> str:
    """The texts, with an empty line before each heading that follows another text."""
    joined = ""
    for text in texts:
        if joined and text and not joined.endswith("\n\n"):
            joined += "\n" if joined.endswith("\n") else "\n\n"
        joined += text
    return joined
