"""The files of a new note: of a Draft its folder, and the paper's entry in `library.bib`; or of a title alone."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import PurePosixPath

import yaml

from paper_notes.artifacts import Artifact
from paper_notes.corpus.bibliography.tex import plain_text
from paper_notes.corpus.load import BASE, load
from paper_notes.corpus.model import ArxivId, Corpus, Fact
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, UserError, did_you_mean, in_file_order
from paper_notes.engine.cache import Cache
from paper_notes.features.moving.topics import SAFE, no_topic
from paper_notes.features.papers.annotations import PdfAnnotation
from paper_notes.features.papers.draft import MAX_ABSTRACT, MAX_FIELD, Draft, ascii_words
from paper_notes.features.papers.highlights import bring
from paper_notes.features.papers.known_papers import KnownPapers, appended, new_entry, read_back
from paper_notes.features.papers.note_template import CITABLE, as_markdown, missing_box, quotation, skeleton
from paper_notes.markdown.render import render_body
from paper_notes.patterns import regex
from paper_notes.sources.characters import one_line
from paper_notes.sources.tree import Source, as_read
from paper_notes.values import Struct

LIBRARY = BASE / "library.bib"
MAX_NAME = 60
"""The most characters of a note's name, so that its folder and page fit every file system."""

_NUMBER = regex(r"(\d{1,6})[_-]")
_SMALL_WORDS = frozenset("a an and as at by for from in into is of on or the to towards toward via with".split())
_LETTERS = 16
"""The most letters of a folder's name that are taken from a title in a script without spaces."""


class AlreadyNoted(UserError):
    """There is a note on the paper."""


class Scaffolded(Struct, frozen=True):
    """A new note as files, and the unknown facts of its paper."""

    artifacts: tuple[Artifact, ...]
    missing: tuple[Fact, ...]


def scaffold(
    corpus: Corpus,
    sources: tuple[Source, ...],
    draft: Draft,
    *,
    topic: str,
    name: str | None,
    today: datetime.date,
    pdf: bytes | None = None,
    kind: str = "paper",
    check: bool = True,
    is_draft: bool = False,
    marks: tuple[PdfAnnotation, ...] = (),
    tags: tuple[str, ...] = (),
) -> Scaffolded:
    """The files of a new note that builds at once: `library.bib` with the paper's entry if it had none, and its PDF.

    `marks` become quotations in its texts.

    `sources` must be all sources, read without a problem: missing files are created, none is overwritten, and
    `library.bib` is appended to. Without `check`, call `check_builds` later. With `is_draft`, the note is not published
    yet. Raises UserError.
    """
    check_place(corpus, topic=topic, name=name)
    known = known_unread(corpus, draft)
    if draft.key and not known:
        raise UserError(f'the entry "{draft.key}" is not in the collection any more', "put it back and try again")
    entry = "" if known else new_entry(draft, corpus.papers)
    paper = known or read_back(entry)
    folder = BASE / topic / folder_name(next_number(topic, sources), paper, draft, name)
    missing = missing_facts(paper, draft)
    # `replace` copies the date: YAML would write the same object twice as an anchor and an alias
    origin = {"source": "bibtex" if known else draft.source, "date": today.replace()}
    facts = {
        "title": dict.fromkeys(corpus.site.languages, _proposed_title(paper.title, name)),
        "kind": kind,
        "papers": [paper.key],
        **({"tags": [*tags]} if tags else {}),
        "created": today,
        "status": "todo",
        "metadata": {**origin, "missing": [*missing]} if missing else origin,
        **({"draft": True} if is_draft else {}),
    }
    abstract = paper.abstract or plain_text(draft.abstract)
    abstract = abstract if len(abstract) <= MAX_ABSTRACT else ""
    note_file = Artifact.text(folder / NOTE_FILE, as_yaml(facts))
    texts = {}
    for words in corpus.site.words.languages:
        box, quoted = missing_box(words, missing, paper.key), quotation(words, abstract, source_of(draft, paper))
        text = skeleton(words, box, quoted, draft.outline)
        texts[words.tag] = Artifact.text(folder / f"{words.tag}.md", text)
    by_lang = {lang: Source(text.path, text.data) for lang, text in texts.items()}
    brought = bring(marks, {}, paper.key, by_lang, Source(note_file.path, note_file.data), corpus.site.words)
    files = [*{file.path: file for file in (note_file, *texts.values(), *brought.artifacts)}.values()]
    existing = {source.path for source in sources}
    if pdf is not None and (path := pdf_path(draft, paper.key)) not in existing:
        files.append(Artifact(path, pdf))
    if entry:
        files.append(Artifact(LIBRARY, appended(sources, entry, LIBRARY)))
    if check:
        check_builds(sources, files)
    return Scaffolded(tuple(files), missing)


def plain_note(
    corpus: Corpus,
    sources: tuple[Source, ...],
    title: str,
    *,
    kind: str,
    topic: str,
    name: str | None,
    today: datetime.date,
    is_draft: bool = False,
) -> tuple[Artifact, ...]:
    """The files of a note that builds at once. `sources` are as for `scaffold`. Raises UserError."""
    check_place(corpus, topic=topic, name=name)
    check_kind(corpus, kind)
    title = one_line(title)
    if not any(map(str.isalnum, title)) or len(title) > MAX_FIELD:
        raise UserError(f'"{title[:80]}" cannot be the title of a note', "give it a few words")
    letters = "".join(letter for letter in title if letter.isalnum())[:_LETTERS]
    folder = BASE / topic / f"{next_number(topic, sources)}_{name or short_name(title) or letters}"
    facts = {
        "title": dict.fromkeys(corpus.site.languages, title),
        "kind": kind,
        "created": today,
        "status": "todo",
        **({"draft": True} if is_draft else {}),
    }
    files = [Artifact.text(folder / NOTE_FILE, as_yaml(facts))]
    files += [Artifact.text(folder / f"{words.tag}.md", words("new.plain")) for words in corpus.site.words.languages]
    check_builds(sources, files)
    return tuple(files)


def folder_name(number: str, paper: Paper, draft: Draft, name: str | None) -> str:
    """The name of the note's folder. `name` is the user's, or empty while the paper has no title."""
    short = ("" if paper.title == draft.unknown_title else short_name(paper.title)) if name is None else name
    if draft.arxiv:
        parts = [number, short, _slug(draft.arxiv)]
    else:
        parts = [number, short or safe_key(paper.key), f"{paper.year}" if paper.year and short else ""]
    return "_".join(filter(None, parts))


def safe_key(key: BibKey) -> str:
    """The key as part of a file name."""
    return re.sub(r"[^\w.+-]+", "-", key)[:MAX_NAME]


def check_builds(
    sources: Iterable[Source], files: Iterable[Artifact], *folders: PurePosixPath, cache: Cache | None = None
) -> None:
    """Raise UserError if the collection would have errors with these files, whose content comes from outside.

    The texts of notes that are new, and of those in `folders`, are looked at, too.
    """
    files = tuple(files)
    looked_at = {*folders, *(file.path.parent for file in files if file.path.name == NOTE_FILE)}
    whole, problems = sources_with(sources, files)
    if not problems:
        corpus, mistakes = load(whole, cache=cache)
        problems += mistakes
        if corpus:
            new = (note for note in corpus.notes if BASE / note.id in looked_at)
            problems += (problem for note in new for problem in render_body(note, words=corpus.site.words).diagnostics)
            problems = [*corpus.severities.judged(problems)]
    if wrong := next((problem for problem in in_file_order(problems) if problem.severity == "error"), None):
        message = f"the new note would not build: {wrong.location}: {wrong.message}"
        raise UserError(message, "use --offline and write it down yourself, or its entry into library.bib")


def sources_with(sources: Iterable[Source], files: Iterable[Artifact]) -> tuple[tuple[Source, ...], list[Diagnostic]]:
    """The sources as they would be read with these files written, and why some could not be."""
    read = [as_read(file.path, file.data) for file in files]
    whole = {source.path: source for source in (*sources, *(result for result in read if isinstance(result, Source)))}
    return tuple(whole[path] for path in sorted(whole)), [result for result in read if isinstance(result, Diagnostic)]


def check_place(corpus: Corpus, *, topic: str, name: str | None) -> None:
    """Raise UserError if no note of this name can be created in the topic. Call it before any request."""
    if topic not in corpus.site.topics:
        raise no_topic(topic, corpus)
    if name is not None and not SAFE.fullmatch(name):
        raise UserError(f'"{name}" cannot be the name of a note', "use letters, digits and . _ + -")
    if name is not None and len(name) > MAX_NAME:
        raise UserError(f"the name has {len(name)} characters", f"use at most {MAX_NAME}")


def check_kind(corpus: Corpus, kind: str) -> None:
    """Raise UserError if the collection has no such kind of note."""
    known = [known.id for known in corpus.site.kinds]
    if kind not in known:
        raise UserError(f'there is no kind of note "{kind}"', did_you_mean(kind, known))


def known_unread(corpus: Corpus, draft: Draft) -> Paper | None:
    """The paper in the collection, if it is there. Raises AlreadyNoted if there is a note on it.

    Comparisons or surveys of several papers do not count.
    """
    paper, arxiv = KnownPapers(corpus).find(draft), draft.arxiv
    for note in corpus.notes:
        is_main = note.kind == "paper" and paper and note.papers[:1] == (paper.key,)
        if is_main or (arxiv and note.name.endswith(f"_{_slug(arxiv)}")):
            what = f"arXiv:{arxiv}" if arxiv else f'"{paper.key}"' if paper else ""
            raise AlreadyNoted(f"there is a note on {what} already: {BASE / note.id}", "write on in that one")
    return paper


def missing_facts(paper: Paper, draft: Draft) -> tuple[Fact, ...]:
    """The facts that neither the paper's entry nor the draft has."""
    known: Mapping[Fact, bool] = {
        "title": paper.title not in (draft.unknown_title, paper.key),
        "authors": bool(paper.authors or paper.team),
        "year": paper.year is not None,
        "abstract": bool(paper.abstract or draft.abstract),
    }
    return tuple(fact for fact, is_known in known.items() if not is_known)


def pdf_path(draft: Draft, key: BibKey) -> PurePosixPath:
    """The path for the paper's PDF, named by arXiv id and version, or by its key."""
    version = f"v{draft.version}" if draft.version else ""
    name = f"{_slug(draft.arxiv)}{version}" if draft.arxiv else safe_key(key)
    return BASE / "pdfs" / f"{name}.pdf"


def _slug(arxiv: ArxivId) -> str:
    """The id as part of a file name: the slash of an old id becomes `-`."""
    return arxiv.replace("/", "-")


def next_number(topic: str, sources: Iterable[Source]) -> str:
    """One more than the highest number of all folders and files in the topic."""
    names = {
        source.path.parts[2] for source in sources if source.path.parts[1:2] == (topic,) and len(source.path.parts) > 2
    }
    numbers = [int(match[1]) for name in names if (match := _NUMBER.match(name))]
    return f"{max(numbers, default=0) + 1:02}"


def short_name(title: str) -> str:
    """`ReSpec` of `ReSpec: Towards ...`; empty for a title in another script."""
    head = title.partition(":")[0]
    words = ascii_words(head) if len(head.split()) <= 3 else ascii_words(title)
    significant = [word for word in words if word.lower() not in _SMALL_WORDS] or words
    return "".join(word if any(map(str.isupper, word)) else word.capitalize() for word in significant[:3])[:MAX_NAME]


def _proposed_title(title: str, name: str | None) -> str:
    """What a note may be called before its writer says more: the paper's own title is shown on its page anyway."""
    head = re.split(": |：", title, maxsplit=1)[0]
    return (name or "").replace("_", " ") or (head if "$" not in head else title)


def as_yaml(facts: Mapping[str, object]) -> str:
    """The facts as a file, in their order, each on a line."""
    written = partial(yaml.dump, facts, sort_keys=False, allow_unicode=True, width=10_000)
    quickly = str(written(Dumper=_DUMPER))
    return str(written(Dumper=yaml.SafeDumper)) if _CODED.search(quickly) else quickly


_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_CODED = regex(r"\\[NLPU]")
"""How the dumper in C writes emoji and ends of lines that others do not know; the other one leaves them as they are."""


def source_of(draft: Draft, paper: Paper) -> str:
    """The source of the abstract, as Markdown."""
    text = f"arXiv:{draft.arxiv}" + (f"v{draft.version}" if draft.version else "") if draft.arxiv else ""
    cited = f"[@{paper.key}]" if CITABLE.fullmatch(paper.key) else ""
    return " ".join(filter(None, (text, cited))) or as_markdown(paper.title)
