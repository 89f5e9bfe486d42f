"""Moves a note or topic: what its new name is, its folder or file, and every reference to it and in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from paper_notes.corpus.load import BASE, SITE_FILE, TOPIC_FILE, load
from paper_notes.corpus.model import Corpus, Lang, Note, NoteId, NoteText, TopicId
from paper_notes.corpus.references import Dangling, NoteIndex, NoteName, name_of
from paper_notes.diagnostics import Diagnostic, Location, UserError, did_you_mean
from paper_notes.features.moving.edits import FileEdit, by_file, edit_between, edited
from paper_notes.features.moving.references import (
    CollectionFiles,
    ReferenceRewriter,
    Relocation,
    edit_of,
    facts_of,
    in_readme,
    in_settings,
    written_references,
)
from paper_notes.features.moving.topics import SAFE, check_topic_name
from paper_notes.markdown.render import render_body
from paper_notes.markdown.translations import digests
from paper_notes.output.renaming import Renaming, Rewrite, in_order
from paper_notes.patterns import regex
from paper_notes.sources.filenames import unusable
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import Path, YamlDocument, parse_yaml
from paper_notes.sources.yaml_edit import with_items, with_keys
from paper_notes.values import Struct, replace

_TARGET = regex(r"(?:(?P<topic>[^/#]+)/)?#?(?P<number>\d{1,6})(?P<name>[_-].*)?")
_NUMBER = regex(r"(\d{1,6})[_-]")
_AFTER_NUMBER = regex(r"[_-].*", re.DOTALL)
SHOWN = 5
"""Free numbers that a hint names at most."""


def wanted_name(text: str, note: NoteName, files: CollectionFiles) -> NoteName:
    """The name that `text` gives to a note. Raises UserError if there is no such topic, or the place is taken."""
    wanted, topics = _bare(text), files.corpus.site.topics
    taken = {topic: numbers_of(topic, files.sources, besides=note.id) for topic in topics}
    if wanted in taken:
        wanted = f"{wanted}/{max(taken[TopicId(wanted)], default=0) + 1:02}"
    match = _TARGET.fullmatch(wanted)
    if match is None:
        hint = "write it like models/7, models/07_Name, models (the next number there) or 7 (in the same topic)"
        raise UserError(f'"{text}" is no place for a note', hint)
    topic = TopicId(match["topic"] or note.topic)
    if topic not in taken:
        raise UserError(f'there is no topic "{topic}"', did_you_mean(topic, topics))
    after = _AFTER_NUMBER.search(note.name)
    name = f"{int(match['number']):0{max(2, len(match['number']))}}{match['name'] or (after[0] if after else '')}"
    if not SAFE.fullmatch(name) or unusable(name) or not re.fullmatch(r"\d+[_-].+", name):
        raise UserError(f'"{name}" cannot be the name of a note', "use letters, digits and . _ + - after the number")
    if holder := taken[topic].get(int(match["number"])):
        free = ", ".join(f"{number:02}" for number in _free(taken[topic]))
        message = f'the number {match["number"]} is already taken in {topic} by "{holder}"'
        raise UserError(message, f"free: {free}; move that note first, or choose one of these")
    return name_of(NoteId(f"{topic}/{name}"))


def wanted_topic(text: str, topic: TopicId, files: CollectionFiles) -> TopicId:
    """The name that `text` gives to a topic. Raises UserError if it cannot have it."""
    wanted = _bare(text)
    taken = {source.path.parts[1] for source in files.sources} | set(files.corpus.site.topics)
    if wanted in taken - {topic}:
        hint = f"move its notes one by one, as in: paper-notes move {topic}/1 {wanted}"
        raise UserError(f"there is already a {BASE / wanted}", hint)
    if wanted == topic:
        raise UserError(f"the topic {topic} is there already", "name another folder")
    return check_topic_name(wanted)


def topic_named(text: str, corpus: Corpus) -> TopicId | None:
    """The topic that a text names, if it names one."""
    wanted = TopicId(_bare(text))
    return wanted if wanted in corpus.site.topics else None


def _bare(text: str) -> str:
    """A name without what shells complete around it."""
    return text.strip().removeprefix("./").removeprefix(f"{BASE}/").rstrip("/").removesuffix(".md")


def former_name(text: str) -> NoteName | None:
    """The name in a text such as `models/07_Name`, of a note that may not be there any more; None for other texts."""
    wanted = _bare(text)
    return name_of(NoteId(wanted)) if re.fullmatch(r"[^/#]+/\d{1,6}[_-][^/]+", wanted) else None


def numbers_of(topic: TopicId, sources: Iterable[Source], besides: NoteId) -> dict[int, str]:
    """The numbers of all folders and files of a topic with their names, besides those of one note."""
    own = PurePosixPath(BASE / besides)
    members = {source.path.parts[2] for source in sources if source.path.parent.parts[1:2] == (topic,)}
    names = (name for name in sorted(members) if BASE / topic / name.removesuffix(".md") != own)
    return {int(match[1]): name for name in names if (match := _NUMBER.match(name))}


def _free(taken: Iterable[int]) -> list[int]:
    """Free numbers, the smallest first, and last the one after all that are taken."""
    numbers = set(taken)
    gaps = [number for number in range(1, max(numbers, default=0)) if number not in numbers]
    return [*gaps[: SHOWN - 1], max(numbers, default=0) + 1]


class Move(Struct, frozen=True):
    """What moving a note or a topic means for the files of the collection."""

    ids: Mapping[TopicId, TopicId] | Mapping[NoteId, NoteId]
    """Before and after, of the topic or the notes."""
    renamed: tuple[tuple[PurePosixPath, PurePosixPath], ...]
    """Folders and files, before and after, in an order in which each new name is free; none if they have it already."""
    edits: tuple[FileEdit, ...]
    """In the files as they are before."""
    sources: tuple[Source, ...]
    """The changed files, in their places after."""
    before: Mapping[PurePosixPath, str]
    """The SHA-256 of these files as they are before, by their places after."""
    ambiguous: tuple[FileEdit, ...]
    """References by a number that two notes have, as if each were rewritten with the name of the note meant."""
    removed: tuple[PurePosixPath, ...] = ()
    """Folders and files that go."""

    @property
    def empty(self) -> bool:
        """Whether nothing has to be changed."""
        return not (self.renamed or self.sources or self.removed)

    def after(self, edit: FileEdit) -> Location:
        """The location of a change in its file after the move; lines may be further down."""
        return replace(edit.location, path=self.path_after(edit.location.path))

    def path_after(self, path: PurePosixPath) -> PurePosixPath:
        """Where a file is after the move."""
        return _after(path, self.renamed)

    def renaming(self, command: str) -> Renaming:
        """What is to be done on disk for `command`."""
        rewrites = (Rewrite(source.path, self.before[source.path], source.data) for source in self.sources)
        return Renaming(command, self.renamed, tuple(rewrites), self.removed)


def _after(path: PurePosixPath, renamed: Iterable[tuple[PurePosixPath, PurePosixPath]]) -> PurePosixPath:
    for old, new in renamed:
        if path.is_relative_to(old):
            return new / path.relative_to(old)
    return path


def move(
    files: CollectionFiles,
    places: Mapping[NoteId, NoteId],
    more: Iterable[FileEdit] = (),
) -> Move:
    """Move notes, with `more` changes in files. `readmes` may name the files of notes. Raises UserError."""
    moved = {was: now for was, now in places.items() if was != now}
    if not moved:
        raise UserError(f"{', '.join(places)} is there already", "name another topic, number or name")
    _refuse_former(files.corpus, moved)
    renamed: dict[PurePosixPath, PurePosixPath] = {}
    for was, now in moved.items():
        note = files.corpus.note(was)
        before = place_of_note(note)
        renamed[before] = BASE / f"{now}{'.md' if before == note.location.path else ''}"
    return relocated(files, Relocation(moved, {}), in_order(renamed), more=more)


def moved_by_hand(files: CollectionFiles, note: Note, was: NoteName) -> Move:
    """What is left to do after a note's folder was renamed by hand: references and the former address."""
    return relocated(files, Relocation({was.id: note.id}, {}), ())


def move_topic(files: CollectionFiles, topic: TopicId, now: TopicId) -> Move:
    """Give a topic another name, with all its notes. Raises UserError."""
    notes = {note.id: NoteId(f"{now}/{note.name}") for note in files.corpus.notes_of(topic)}
    _refuse_former(files.corpus, notes)
    return relocated(files, Relocation(notes, {topic: now}), ((BASE / topic, BASE / now),))


def place_of_note(note: Note) -> PurePosixPath:
    """The folder or file of a note."""
    return note.location.path if note.location.path.suffix == ".md" else note.location.path.parent


def _refuse_former(corpus: Corpus, notes: Mapping[NoteId, NoteId]) -> None:
    """Raise UserError if a note would be at the former address of another one."""
    owners = {alias.former: alias.note for alias in corpus.aliases if alias.former}
    for was, now in notes.items():
        if (owner := owners.get(now)) and owner != was:
            message = f"{now} is a former address of {owner}, which leads there"
            raise UserError(message, f"choose another name, or delete it from `aliases:` of {owner}")


def relocated(
    files: CollectionFiles,
    relocation: Relocation,
    renamed: tuple[tuple[PurePosixPath, PurePosixPath], ...],
    removed: tuple[PurePosixPath, ...] = (),
    more: Iterable[FileEdit] = (),
) -> Move:
    """The changes that a relocation means, with `more` of others, and that nothing else gets another meaning."""
    corpus, sources, readmes, *_ = files

    def stays(path: PurePosixPath) -> bool:
        return not any(path.is_relative_to(place) for place in removed)

    by_path = {source.path: source for source in (*sources, *readmes) if stays(source.path)}
    more = [*more]
    touched = {edit.location.path for edit in more}
    moves = relocation.notes or relocation.topics  # else references stay, and those of other files need not be read
    referring = sources if moves else [source for source in sources if source.path in touched]
    meaning = ReferenceRewriter(corpus, relocation)
    written = tuple(reference for reference in written_references(corpus, referring) if stays(reference.location.path))
    edits = [edit for reference in written if (edit := meaning.edit(reference))]
    edits += _aliases(corpus, by_path, relocation)
    edits += (*more, *in_settings(by_path[SITE_FILE], relocation))
    edits += (edit for readme in readmes for edit in in_readme(readme, relocation))
    edits += renewed_records(corpus, by_path, edits)
    changed = by_file(edits)
    new = {
        source.path: Source(
            _after(source.path, renamed),
            edited(source, changed[source.path]) if source.path in changed else source.content,
        )
        for source in by_path.values()
    }
    meant = Counter(
        (_after(reference.location.path, renamed), target)
        for reference in written
        if reference.location.path in changed and (target := meaning.target(reference))
    )
    after = (new[source.path] for source in sources if source.path in new)
    _check(files, tuple(sorted(after, key=lambda source: str(source.path))), meant)
    return Move(
        {**relocation.topics} or {**relocation.notes},
        renamed,
        tuple(sorted(dict.fromkeys(edits), key=lambda edit: edit.location)),
        tuple(new[path] for path in changed),
        {new[path].path: by_path[path].sha256 for path in changed},
        tuple(
            FileEdit(reference.location, reference.name, meaning.target(reference) or "")
            for reference in written
            if meaning.is_ambiguous(reference)
        ),
        removed,
    )


def _aliases(corpus: Corpus, by_path: Mapping[PurePosixPath, Source], relocation: Relocation) -> Iterator[FileEdit]:
    """The former addresses that are kept. Raises UserError."""
    files = {note.id: note.location.path for note in corpus.notes}
    taken = set(relocation.notes.values())  # by a note that has this address now
    former = [
        (files[was] if files.get(was) in by_path else files[now], was, now)
        for was, now in relocation.notes.items()
        if was not in taken
    ]
    topics = ((BASE / was / TOPIC_FILE, was, now) for was, now in relocation.topics.items())
    for path, was, now in (*topics, *former):
        if edit := with_address(by_path[path], was, now):
            yield edit


def _check(
    before: CollectionFiles,
    after: tuple[Source, ...],
    meant: Counter[tuple[PurePosixPath, NoteId]],
) -> None:
    """Raise UserError if the collection would have errors that it does not have, or a reference another meaning."""
    new_corpus, problems_after = load(after, cache=before.cache)
    errors = errors_in(new_corpus, problems_after)
    known = {(problem.rule, problem.message) for problem in errors_in(*load(before.sources))} if errors else set()
    new = tuple(problem for problem in errors if (problem.rule, problem.message) not in known)
    if new or new_corpus is None:
        raise UserError("there would be errors after it", "fix what they name first", new)
    index = NoteIndex([name_of(note.id) for note in new_corpus.notes], new_corpus.site.topics)
    now: Counter[tuple[PurePosixPath, NoteId]] = Counter()
    rewritten = {path for path, _ in meant}
    for reference in written_references(new_corpus, [source for source in after if source.path in rewritten]):
        target = index.find(reference.name, reference.topic)
        if not isinstance(target, Dangling):
            now[reference.location.path, target] += 1
    if now != meant:
        path = next(path for path, _ in ((now - meant) or (meant - now)))
        raise UserError(f"{path}: a reference would mean another note after it", "this is a bug of ours: report it")


def errors_in(corpus: Corpus | None, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The problems that the collection counts as errors."""
    judged = corpus.severities.judged(problems) if corpus else problems
    return [problem for problem in judged if problem.severity == "error"]


def renewed_records(
    corpus: Corpus, by_path: Mapping[PurePosixPath, Source], edits: Iterable[FileEdit]
) -> Iterator[FileEdit]:
    """The digests of sections that are as recorded, and that these edits change.

    They are in `note.yaml`, below `translated:` and `drafted:`, and in what features keep of a note in TSV files.
    """
    changed, words = by_file(edits), corpus.site.words
    for note in corpus.notes:
        kept = [
            by_path[path] for file in note.files.values() if (path := file.path).suffix == ".tsv" and path in by_path
        ]
        recorded = note.translated or note.drafted or kept
        if not recorded or not any(text.path in changed for text in note.texts):
            continue
        texts = (_after_edits(text, by_path[text.path], changed.get(text.path, ())) for text in note.texts)
        before, after = (
            digests(render_body(which, words=words)) for which in (note, replace(note, texts=tuple(texts)))
        )
        pairs = zip(before.values(), after.values(), strict=True)  # the ids of sections may have changed
        renewed = {was[lang]: now[lang] for was, now in pairs for lang in was if was[lang] != now[lang]}
        yield from _in_facts(note, by_path[note.location.path], before, renewed)
        for source in kept:
            for number, line in enumerate(source.text.split("\n"), 1):
                if (digest := line.rpartition("\t")[2]) in renewed:
                    where = Location(source.path, number, len(line) - len(digest) + 1)
                    yield FileEdit(where, digest, renewed[digest])


def _after_edits(text: NoteText, source: Source, edits: Sequence[FileEdit]) -> NoteText:
    """A text whose front matter, too, may be longer or shorter then."""
    grown = sum(len(edit.new) - len(edit.old) for edit in edits if edit.location.line < text.first_line)
    return replace(text, content=Source(text.path, edited(source, edits)), start=text.start + grown)


def _in_facts(
    note: Note, source: Source, before: Mapping[str, Mapping[Lang, str]], renewed: Mapping[str, str]
) -> Iterator[FileEdit]:
    document = parse_yaml(source.path, *facts_of(source))
    digests_at: dict[Path, str] = {}
    for name, translated in note.translated.items():
        digests_at |= {("translated", name, lang): digest for lang, digest in translated.digests.items()}
    for name, drafted in note.drafted.items():
        digests_at |= {("drafted", name, lang, "digest"): record.digest for lang, record in drafted.items()}
    for at, digest in digests_at.items():
        same = before.get(str(at[1]), {}).get(Lang(str(at[2]))) == digest
        if same and digest in renewed and isinstance(document, YamlDocument):
            yield edit_of(source, document, at, digest, renewed[digest])


KEY = "aliases"
_FORM = f"write `{KEY}:` as a list, a line for each address"


def with_address(source: Source, address: str, own: str) -> FileEdit | None:
    """The edit of the file of a note or topic that keeps a former address; None if it has that. Raises UserError.

    Its `own` address is replaced, if it is among the former ones: it returns there.
    """
    text, first_line = facts_of(source)
    document = parse_yaml(source.path, text, first_line)
    if not isinstance(document, YamlDocument) or not isinstance(document.value, dict):
        return None
    value = document.value.get(KEY)
    known = [value] if isinstance(value, str) and value else list(value or ())
    if address in known:
        return None
    if own in known:
        at: Path = (KEY, known.index(own))
        return edit_of(source, document, at if at in document.positions else (KEY,), own, address)
    data = text.encode()
    if isinstance(value, list) and known:
        after = with_items(source.path, data, KEY, [(0, address)], _FORM)
    else:
        after = with_keys(source.path, data, {KEY: (address, *known)})
    again = parse_yaml(source.path, after.decode())
    if not isinstance(again, YamlDocument) or again.value != {**document.value, KEY: [address, *known]}:
        raise UserError(f"{source.path} is written in a way that `{KEY}: [{address}]` cannot be added to", _FORM)
    return edit_between(source.path, text, after.decode(), first_line)
