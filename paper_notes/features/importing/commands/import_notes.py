"""`paper-notes import FOLDER`: notes that exist, from a folder or single files."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.commands.build import notes_and_drafts
from paper_notes.commands.progress import watched
from paper_notes.commands.terminal import (
    all_or_nothing,
    end_check,
    print_json,
    say,
    say_changes,
    say_waiting,
    tell,
    translated,
)
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import Diagnostic, Location, UserError, did_you_mean
from paper_notes.engine.build_context import infrequent_gc
from paper_notes.engine.cache import open_cache
from paper_notes.engine.outside_folders import allow
from paper_notes.engine.workers import Workers
from paper_notes.features.importing.commands.git_dates import dates_of
from paper_notes.features.importing.commands.listing_readme import additions, papers_in, say_listing, with_listing
from paper_notes.features.importing.commands.requested_files import request_for, say_unread, with_pictures
from paper_notes.features.importing.folders import ImportRequest, ReadFolder, read_folder
from paper_notes.features.importing.html.class_proposals import as_table, proposals
from paper_notes.features.importing.html.format import FORMAT
from paper_notes.features.importing.html.page import ROLES
from paper_notes.features.importing.import_collection import (
    ImportedCollection,
    TextReport,
    import_collection,
    prove_collection,
)
from paper_notes.features.importing.import_record import RECORD, Record, read_record
from paper_notes.features.importing.outside import reader
from paper_notes.features.importing.page_proof import Tools
from paper_notes.features.importing.placement import safe_name
from paper_notes.features.importing.proof.compare import Proof
from paper_notes.features.importing.readme.reading import HandKeptReadme
from paper_notes.features.importing.readme.regions import README
from paper_notes.features.importing.types import Folder, ImportFinding, Original, ReaderOptions
from paper_notes.features.importing.unpacking import unpacked
from paper_notes.features.pandoc.pandoc import reads
from paper_notes.features.papers.commands.editable import EditableCollection, load_editable
from paper_notes.features.papers.commands.services import ask_arxiv, say_failures
from paper_notes.features.papers.draft import Draft
from paper_notes.identifiers import ArxivId
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan
from paper_notes.render.theme.theme import ThemeFiles, read_theme
from paper_notes.sources.tree import present, read_input_file
from paper_notes.sources.yaml import parse_yaml
from paper_notes.values import Struct, replace

_PARTS = 6
"""So many parts of a note that have lost words are named in its line."""
_SHOWN = 30
"""So many places with lost words are printed, and so many of the words of each."""


class ImportOptions(Struct, frozen=True):
    """What the user asked for, on the command line or in `sources:` of `site.yaml`."""

    topic: str | None = None
    format: str | None = None
    classes: Path | None = None
    readme: Path | None = None
    offline: bool = False
    tex: bool = True
    dates: str | None = None
    only_check: bool = False
    keep_going: bool = False
    as_json: bool = False
    download: bool = False
    source: str = ""
    """The folder of `sources:` from which a build takes what changed: only news are said."""


class Taken(Struct, frozen=True):
    """What was taken in, and what the paths of the user meant."""

    wanted: ImportRequest
    imported: ImportedCollection
    lossy: Sequence[TextReport]
    """The texts that were not, as they would lose words."""
    plan: Plan
    """What was written, or would be."""
    corpus: Corpus
    """The collection as it was."""
    has_readme: bool
    """Whether a README lists the notes."""


def import_notes(paths: Sequence[Path], root: Path, asked: ImportOptions) -> None:
    """Take in the notes of folders and files that lose no word. Raises UserError, at last if some would.

    A table of classes that is not there yet is written, for its user to edit, and nothing else.
    """
    if asked.classes and not asked.classes.exists():
        _propose_classes(paths, asked.classes, asked)
        return
    taken = take_in(paths, root, asked)
    imported, lossy = taken.imported, taken.lossy
    if asked.as_json:
        print_json(**_as_json(imported, lossy))
    else:
        say_imported(taken.wanted, imported)
        if not taken.has_readme:
            say_listing(taken.wanted, taken.corpus)
        if asked.only_check:
            _say_proofs((*imported.texts, *lossy))
            say_changes(taken.plan)
    tell_lost(lossy or imported.texts, asked)
    if lossy:
        raise LeftOut(lossy, asked.source)
    if asked.only_check:
        end_check(changes=not taken.plan.empty)


@infrequent_gc()
def take_in(paths: Sequence[Path], root: Path, asked: ImportOptions) -> Taken:
    """Write the notes of folders and files that lose no word, if that is not only to be checked. Raises UserError."""
    with all_or_nothing(), locked(root, say_waiting), closing(open_cache(root)) as cache:
        _refuse_itself(paths, root)
        collection = load_editable(root, cache=cache)
        record = read_record(next((source.data for source in present(root, RECORD)), None))
        named = paths[0] if asked.format == "readme" else asked.readme
        wanted, readme = with_listing(_wanted(paths, asked, record), named, collection.corpus)
        wanted = with_pictures(root, wanted) if asked.download else wanted
        imported, lossy = _imported(wanted, readme, collection, root, asked, record)
        lossy = [_with_document(text, wanted.documents) for text in lossy]
        imported = replace(imported, texts=tuple(_with_document(text, wanted.documents) for text in imported.texts))
        before = [*collection.before, *present(root, RECORD, README)]
        artifacts = {artifact.path: artifact for artifact in (*collection.topics, *imported.artifacts)}
        plan = compare(root, artifacts.values(), read=before)
        if not asked.only_check:
            apply_whole(root, plan)
            for folder in filter(Path.is_dir, paths):
                allow(root, folder, cache)
        return Taken(wanted, imported, lossy, plan, collection.corpus, readme is not None)


def _with_document(text: TextReport, documents: Mapping[PurePosixPath, PurePosixPath]) -> TextReport:
    """The report with the document that another program has read in the place of the page that it has made."""
    if text.original not in documents:
        return text
    place = Location(documents[text.original])
    return replace(
        text, original=place.path, findings=tuple(replace(finding, location=place) for finding in text.findings)
    )


class LeftOut(UserError):
    """Notes were left out, as they would lose words."""

    def __init__(self, lossy: Iterable[TextReport], source: str) -> None:
        """`source` is the folder of `sources:` that a build takes them from, or empty."""
        hint = "add --keep-going to take them in with a box where words are missing, and please report what is lost"
        if source:
            named = shlex.quote(source)
            hint = f"`paper-notes import {named} --keep-going` takes them in, with a box where words are missing"
        super().__init__(f"notes left out, as they would lose words: {len({text.note for text in lossy})}", hint)


def tell_lost(texts: Iterable[TextReport], asked: ImportOptions) -> None:
    """Name the places of lost words: they are the result of an import, but not that of a build."""
    for line in () if asked.as_json else _lost_of(texts):
        (say if asked.source else tell)(line)


def _lost_of(texts: Iterable[TextReport]) -> Iterator[str]:
    """The figures, tables and lines of originals whose words do not arrive, each in a sentence."""
    parts = [(text.original, lost) for text in texts for lost in text.proof.lost]
    for path, lost in parts[:_SHOWN]:
        words = " ".join(lost.words[:_SHOWN])
        where = Location(path) if reads(path) else Location(path, lost.line, lost.column)
        match lost.part:
            case "figure":
                yield translated(f'{where}: lost of figure {lost.number} of {path.name}: "{words}"')
            case "table":
                yield translated(f'{where}: lost of table {lost.number} of {path.name}: "{words}"')
            case "heading" if not reads(path):
                yield translated(f'{where}: lost of the heading in line {lost.line} of {path.name}: "{words}"')
            case _ if reads(path):
                yield translated(f'{where}: lost of {path.name}: "{words}"')
            case _:
                yield translated(f'{where}: lost of line {lost.line} of {path.name}: "{words}"')
    if len(parts) > _SHOWN:
        yield translated(f"... and in {len(parts) - _SHOWN} other places")


def _wanted(paths: Sequence[Path], asked: ImportOptions, record: Record) -> ImportRequest:
    """What the paths mean: a folder, or some files, which are those of the folder that they are in."""
    if asked.topic is not None and safe_name(asked.topic) != asked.topic:
        raise UserError(f'"{asked.topic}" cannot be the folder of a topic', "use letters, digits and . _ + -")
    if asked.format == "readme":
        if len(paths) > 1 or not paths[0].is_file():
            raise UserError("--as readme reads one file", "name it: `paper-notes import --as readme README.md`")
        return ImportRequest(Folder(frozenset(), reader({})), Path(paths[0]).absolute().parent.name, topic=asked.topic)
    request, base = request_for(paths, record, quiet=bool(asked.source))
    options = ReaderOptions(tex=asked.tex, classes=_classes(asked.classes))
    dates = dates_of(base) if asked.dates == "git" else {}
    whole = unpacked(request)
    if documents := sorted({*whole.documents.values()}):
        first = documents[0]
        say(f"  read with pandoc: {len(documents)}, such as {first}; what it leaves out itself is not counted")
    return replace(
        whole,
        place=PurePosixPath((paths[0] if paths[0].absolute() == base else base).as_posix()),
        only="list" if asked.format == "report" else asked.format,
        topic=asked.topic,
        options=options,
        dates=dates,
    )


def _refuse_itself(paths: Sequence[Path], root: Path) -> None:
    """Raise UserError if a path is in the collection itself."""
    for path in paths:
        whole = path.resolve()
        if whole == root.resolve() or any(
            whole.is_relative_to((root / part).resolve()) for part in ("notes_src", "site")
        ):
            raise UserError(f'"{path}" is this collection itself', "name the folder of the notes that you have")


def _propose_classes(paths: Sequence[Path], table: Path, asked: ImportOptions) -> None:
    """Write what classes that repeat could mean. Raises UserError."""
    if asked.only_check:
        raise UserError(f'there is no "{table}" yet', "without --check it is written, with what the classes could mean")
    folder = request_for(paths, {})[0].folder
    pages = (path for path in sorted(folder.files) if path.suffix.lower() in FORMAT.suffixes)
    texts = ((path, folder.read(path)) for path in pages)
    originals = (Original(path, data.decode("utf-8-sig", errors="replace")) for path, data in texts if data)
    rows = proposals(filter(FORMAT.recognises, originals), {})
    if not rows:
        raise UserError("the pages have no classes that repeat and that are unknown", "import without --classes")
    head = translated(
        "classes that repeat and that nobody knows, each with a meaning by what it looks like\n"
        "change what is wrong, and import again: plain keeps what is inside, drop leaves it out"
    )
    file = Artifact.text(PurePosixPath(table.name), as_table(head, rows))
    apply_whole(table.absolute().parent, compare(table.absolute().parent, [file], read=[]))
    say(f"{table}: {len(rows)} classes with what they could mean; edit it, and run this again")


def _classes(path: Path | None) -> Mapping[str, str]:
    """The user's table of classes. Raises UserError."""
    if path is None:
        return {}
    document = parse_yaml(PurePosixPath(path), read_input_file(path).decode("utf-8-sig", errors="replace"))
    if isinstance(document, Diagnostic):
        raise UserError(f"{document.location}: {document.message}", document.hint)
    if not isinstance(document.value, dict) or not all(isinstance(value, str) for value in document.value.values()):
        raise UserError(f'"{path}" is no table of classes', "write a line for each class: `div.tldr: card`")
    for name, value in document.value.items():
        if (role := f"{value}".partition(" ")[0]) not in ROLES:
            raise UserError(
                f'{document.location((name,))}: "{role}" is no meaning of a class', did_you_mean(role, sorted(ROLES))
            )
    return {str(name): str(value) for name, value in document.value.items()}


def _imported(
    wanted: ImportRequest,
    readme: HandKeptReadme | None,
    collection: EditableCollection,
    root: Path,
    asked: ImportOptions,
    record: Record,
) -> tuple[ImportedCollection, list[TextReport]]:
    """What is taken in, and the texts that are not, as they would lose words."""
    tools = Tools(_theme(root, collection), collection.cache, Workers(watch=watched))
    lossy: list[TextReport] = []
    drafts: Mapping[ArxivId, Draft] | None = None
    read: ReadFolder | None = None
    try:
        while True:
            read = read_folder(wanted, collection.corpus, collection.sources, record, tools.workers, with_more=read)
            if drafts is None:
                ids = [arxiv for text in read.texts.values() for arxiv in text.arxiv]
                ids += papers_in(readme) if readme else ()
                drafts = {} if asked.offline else _facts_from_arxiv(root, ids, collection)
            more = additions(readme, wanted, read.notes, collection.corpus, root) if readme else None
            proven = prove_collection(read, wanted, collection.corpus, collection.sources, record, drafts, tools, more)
            losing = proven.lossy
            if not losing or asked.keep_going:
                return import_collection(proven, wanted, collection.corpus, record, more), lossy
            # Links of the others are as if these were not in the folder; their places stay free.
            lossy += losing
            wanted = wanted.without([text.original for text in losing])
            if readme is None and read.texts.keys() <= wanted.left.keys():
                tell_lost(lossy, asked)
                raise LeftOut(lossy, asked.source)
    finally:
        tools.workers.close()
        tools.cache.write()


def _theme(root: Path, collection: EditableCollection) -> ThemeFiles:
    """What pages look like, without which none can be compared. Raises UserError."""
    site = collection.corpus.site
    theme, mistakes = read_theme(root, site.words, site.look)
    if theme is None:
        raise UserError("no page can be made", "correct these files first", diagnostics=mistakes)
    return theme


def _facts_from_arxiv(root: Path, named: Iterable[ArxivId], collection: EditableCollection) -> Mapping[ArxivId, Draft]:
    """What arXiv says of the papers that the collection has not; without an answer the notes are taken in as well."""
    known = {paper.arxiv for paper in collection.corpus.papers.values()}
    ids = list(dict.fromkeys(arxiv for arxiv in named if arxiv not in known))
    answers = ask_arxiv(root, ids, instead="add --offline")
    failed = {arxiv: answer for arxiv, answer in answers.items() if isinstance(answer, UserError)}
    say_failures(failed.items())
    if failed:
        say("These papers get only their ids; `paper-notes lookup --all` asks again later.")
    return {arxiv: answer for arxiv, answer in answers.items() if not isinstance(answer, UserError)}


def say_imported(wanted: ImportRequest, imported: ImportedCollection) -> None:
    """Say what has become of the originals, and what a reader of the notes would miss or see in another way."""
    notes = {text.note: text.state for text in imported.texts}
    states = Counter(notes.values())
    topics = {text.note.partition("/")[0] for text in imported.texts}
    if notes:
        say(f"imported from {wanted.name}: {notes_and_drafts(len(notes), 0)} into {', '.join(sorted(topics))}")
    if imported.topics:
        say(f"  new topics: {', '.join(imported.topics)}")
    new, changed, same, gone = (states[state] for state in ("new", "changed", "same", "gone"))
    say(f"  new: {new}, changed: {changed}, as before: {same}, deleted by you: {gone}")
    lists = [text for text in imported.texts if text.entries is not None]
    if lists:
        named = ", ".join(f"{text.original} ({text.entries})" for text in lists[:_SHOWN])
        named += ", ..." if len(lists) > _SHOWN else ""
        say(f"  lists of papers, with the papers of each: {len(lists)}: {named}")
    proofs = [text.proof for text in imported.texts]
    characters, kept = (sum(getattr(proof, part) for proof in proofs) for part in ("characters", "kept_characters"))
    if characters:  # of lists of papers nothing is compared
        say(f"  kept {kept:,} of {characters:,} characters of words")
    if left_out := sum(proof.left_out for proof in proofs):
        say(f"  left out on purpose (facts, contents, navigation, frames of pages): {left_out:,} words")
    if imported.papers:
        say(f"  new entries in library.bib: {imported.papers}")
    _say_findings([*(finding for text in imported.texts for finding in text.findings), *imported.findings])
    if warnings := sum((Counter(text.warnings) for text in imported.texts), Counter[str]()):
        say("  warnings that `paper-notes check` will list:")
        for rule, count in warnings.most_common():
            say(f"    {rule}: {count}")
    say_unread(imported.unread, wanted.place)


def _say_proofs(texts: Iterable[TextReport]) -> None:
    """A line for each note: its words, how many are on the page, and where others were."""
    say("  words  on the page  note")
    for text in sorted(texts, key=lambda text: str(text.original)):
        parts = [f"{lost.part or 'line'} {lost.number or lost.line}" for lost in text.proof.lost]
        where = f" ({', '.join(parts[:_PARTS])}{', ...' if len(parts) > _PARTS else ''})" if parts else ""
        if text.state != "gone":
            say(f"{text.proof.words:7,}  {text.proof.kept:11,}  {text.original}{where}")


def _say_findings(findings: Sequence[ImportFinding]) -> None:
    """Say how many findings of each group there are, the gravest first, by kind, and one of each."""
    number = Counter(finding.group for finding in findings)
    heads = {
        "lost": f"  words that are lost: {number['lost']}",
        "doubtful": f"  in doubt: {number['doubtful']}",
        "unmapped": f"  without a counterpart: {number['unmapped']}",
        "changed": f"  shown in another way: {number['changed']}",
        "mended": f"  put right: {number['mended']}",
    }
    for group in (group for group in heads if group in number):
        say(heads[group])
        kinds: dict[str, list[ImportFinding]] = {}
        for finding in (finding for finding in findings if finding.group == group):
            kinds.setdefault(finding.kind, []).append(finding)
        for kind, some in sorted(kinds.items(), key=lambda item: -len(item[1])):
            say(f"    {kind}: {len(some)}, such as {some[0].location}: {some[0].message}")


def _as_json(imported: ImportedCollection, lossy: Iterable[TextReport]) -> dict[str, object]:
    return {
        "notes": [
            {
                "original": str(text.original),
                "note": text.note,
                "state": text.state,
                **_proven(text.proof),
                "findings": [_finding(finding) for finding in text.findings],
                "warnings": dict(text.warnings),
                **({"entries": text.entries} if text.entries is not None else {}),
            }
            for text in imported.texts
        ],
        "lossy": [{"original": str(text.original), **_proven(text.proof)} for text in lossy],
        "readme": [_finding(finding) for finding in imported.findings],
        "topics": list(imported.topics),
        "papers": imported.papers,
        "unread": [{"path": str(path), "why": why} for path, why in imported.unread.items()],
    }


def _proven(proof: Proof) -> dict[str, object]:
    return {
        "characters": proof.characters,
        "kept": proof.kept_characters,
        "words": proof.words,
        "words_on_page": proof.kept,
        "words_left_out": proof.left_out,
        "differences": [
            {
                "kind": difference.kind,
                "part": difference.part,
                "number": difference.number,
                "line": difference.line,
                "column": difference.column,
                "words": " ".join(difference.words),
            }
            for difference in proof.differences
        ],
    }


def _finding(finding: ImportFinding) -> dict[str, object]:
    return {
        "group": finding.group,
        "kind": finding.kind,
        "message": finding.message,
        "path": str(finding.location.path),
        "line": finding.location.line,
        "column": finding.location.column,
    }
