"""Draft to source files: the folder of a new note with its skeleton, and the paper's entry in `library.bib`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping

import yaml

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import ArxivId, Corpus, Lang, Note, Paper
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.papers import papers_from
from paper_notes.corpus.tex import plain_text
from paper_notes.diagnostics import did_you_mean
from paper_notes.draft import Draft, ascii_words, bibtex_entry
from paper_notes.skeleton import skeleton
from paper_notes.sources.bibtex import parse_bibtex
from paper_notes.sources.tree import Source

LIBRARY = BASE / "library.bib"
MAX_NAME = 60
"""Characters of a note's name, so that its folder and page fit every file system."""

_NUMBER = re.compile(r"(\d{1,6})[_-]")
_NAME = re.compile(r"[\w.+-]+")
_CITABLE = re.compile(r"[\w:.+/-]*\w")
_SMALL_WORDS = frozenset("a an and as at by for from in into is of on or the to towards toward via with".split())


class ScaffoldProblem(Exception):
    """No note can be made like this. `hint` says what the user can do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def scaffold(
    corpus: Corpus,
    sources: tuple[Source, ...],
    draft: Draft,
    *,
    topic: str,
    name: str | None,
    today: datetime.date,
) -> tuple[Artifact, ...]:
    """The files of a new note that builds at once, and `library.bib` with the paper's entry if it had none.

    `sources` must be all that was read, without a problem: a `library.bib` that is missing there is made anew.
    Raises ScaffoldProblem.
    """
    check_target(corpus, draft.arxiv, topic=topic, name=name)
    known = next((paper for paper in corpus.papers.values() if paper.arxiv == draft.arxiv), None)
    entry = "" if known else bibtex_entry(draft, corpus.papers)
    paper = known or _read_back(entry)
    parts = (_next_number(topic, sources), _name(paper, draft) if name is None else name, _slug(draft.arxiv))
    folder = BASE / topic / "_".join(filter(None, parts))
    languages = corpus.site.languages
    files = [Artifact.text(folder / NOTE_FILE, _note_yaml(paper, languages, today))]
    abstract = paper.abstract or plain_text(draft.abstract)
    source = _source(draft, paper)
    files += [Artifact.text(folder / f"{lang}.md", skeleton(lang, abstract, source)) for lang in languages]
    return (*files, Artifact(LIBRARY, _appended(sources, entry))) if entry else tuple(files)


def check_target(corpus: Corpus, arxiv: ArxivId, *, topic: str, name: str | None) -> None:
    """Raise ScaffoldProblem if no note on this paper can be made there: all that can be said before asking arXiv."""
    if topic not in corpus.site.topics:
        raise ScaffoldProblem(f'there is no topic "{topic}"', did_you_mean(topic, corpus.site.topics))
    if note := _note_on(arxiv, corpus):
        raise ScaffoldProblem(f"there is a note on arXiv:{arxiv} already: {BASE / note.id}", "write on in that one")
    if name is not None and not _NAME.fullmatch(name):
        raise ScaffoldProblem(f'"{name}" cannot be the name of a note', "use letters, digits and . _ + -")
    if name is not None and len(name) > MAX_NAME:
        raise ScaffoldProblem(f"the name has {len(name)} characters", f"use at most {MAX_NAME}")


def _note_on(arxiv: ArxivId, corpus: Corpus) -> Note | None:
    """The note that reads this paper. A comparison or a survey of several papers does not count."""
    for note in corpus.notes:
        main = corpus.papers.get(note.papers[0]) if note.papers and note.kind == "paper" else None
        if (main and main.arxiv == arxiv) or note.name.endswith(f"_{_slug(arxiv)}"):
            return note
    return None


def _slug(arxiv: ArxivId) -> str:
    """The id as part of a file name: the slash of an old id becomes `-`."""
    return arxiv.replace("/", "-")


def _next_number(topic: str, sources: Iterable[Source]) -> str:
    """One more than the highest number in the topic, counting every folder and file that carries one."""
    names = {
        source.path.parts[2] for source in sources if source.path.parts[1:2] == (topic,) and len(source.path.parts) > 2
    }
    numbers = [int(match[1]) for name in names if (match := _NUMBER.match(name))]
    return f"{max(numbers, default=0) + 1:02}"


def _name(paper: Paper, draft: Draft) -> str:
    """A short name from the title: `ReSpec` of `ReSpec: Towards ...`; empty if there is no title yet."""
    if paper.title == draft.unknown_title:
        return ""
    head = paper.title.partition(":")[0]
    words = ascii_words(head) if len(head.split()) <= 3 else ascii_words(paper.title)
    significant = [word for word in words if word.lower() not in _SMALL_WORDS] or words
    return "".join(word if any(map(str.isupper, word)) else word.capitalize() for word in significant[:3])[:MAX_NAME]


def _read_back(entry: str) -> Paper:
    """The paper as the next build will read it."""
    entries, _ = parse_bibtex(Source(LIBRARY, entry.encode()))
    papers, _ = papers_from(entries)
    return next(iter(papers.values()))


def _appended(sources: Iterable[Source], entry: str) -> bytes:
    """`library.bib` as it is, byte for byte, and the entry after an empty line."""
    old = next((source.data for source in sources if source.path == LIBRARY), b"")
    newline = b"\r\n" if b"\r\n" in old else b"\n"
    gap = b"" if not old.strip() else newline if old.endswith(b"\n") else newline * 2
    return old + gap + entry.encode().replace(b"\n", newline)


def _note_yaml(paper: Paper, languages: Iterable[Lang], today: datetime.date) -> str:
    facts: Mapping[str, object] = {
        "title": {str(lang): paper.title for lang in languages},
        "kind": "paper",
        "papers": [str(paper.key)],
        "created": today,
        "status": "todo",
    }
    return yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=10_000)


def _source(draft: Draft, paper: Paper) -> str:
    """Where the abstract comes from, as Markdown."""
    text = f"arXiv:{draft.arxiv}" + (f"v{draft.version}" if draft.version else "")
    return f"{text} [@{paper.key}]" if _CITABLE.fullmatch(paper.key) else text
