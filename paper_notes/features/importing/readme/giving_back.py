"""The README again, with our regions where its lists were; everything else of it stays, byte for byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

from paper_notes.corpus.model import Corpus, Note, NoteId, Topic
from paper_notes.corpus.paper import Paper
from paper_notes.diagnostics import Location
from paper_notes.features.importing.completeness import words_of
from paper_notes.features.importing.papers import Papers
from paper_notes.features.importing.readme.blocks import blocks_of, cleaned, links_of, path_of, plain
from paper_notes.features.importing.readme.listing import Listing, is_whole, order_of
from paper_notes.features.importing.readme.papers import draft_of, is_own
from paper_notes.features.importing.readme.values import Guide, ReadmeSection, ReadmeTable
from paper_notes.features.importing.readme.vocabulary import OWN
from paper_notes.features.importing.readme.wording import shown_words
from paper_notes.features.importing.types import Group, ImportFinding
from paper_notes.markdown.short_texts import plain_text

BEGIN = "<!-- paper-notes:begin {} -->"
END = "<!-- paper-notes:end -->"


PageOf = Callable[[Note], str]
"""The address of a note's page in the collection's README."""


@dataclass(frozen=True, slots=True)
class GivenBack:
    """A README with marked regions, and what is to be said of it."""

    text: str
    regions: int
    findings: tuple[ImportFinding, ...]


@dataclass(frozen=True, slots=True)
class _Region:
    """Lines that become a region, and those that follow it as they are."""

    start: int
    end: int
    words: str
    rest: tuple[str, ...] = ()


def given_back(listing: Listing, corpus: Corpus, page_of: PageOf | None = None) -> GivenBack:
    """The README with regions for lists that the collection says in full. `corpus` has all that was taken in.

    With `page_of`, other links to files that were taken in lead to their pages.
    """
    maker = _Maker(listing, corpus)
    regions = sorted(maker.regions(), key=lambda region: region.start)
    if page_of:
        maker.with_pages(page_of, {line for region in regions for line in range(region.start, region.end)})
    lines = maker.lines
    with_regions: list[str] = []
    done = 0
    for region in regions:
        with_regions += [
            *lines[done : region.start],
            BEGIN.format(region.words),
            "",
            *lines[region.start : region.end],
            "",
            END,
        ]
        with_regions += ["", *region.rest] if region.rest else []
        done = region.end
    return GivenBack("\n".join([*with_regions, *lines[done:]]), len(regions), tuple(maker.findings))


class _Maker:
    """Decides which lines become regions; what stays is said."""

    def __init__(self, listing: Listing, corpus: Corpus) -> None:
        self.listing = listing
        self.corpus = corpus
        self.papers = Papers(corpus, {})
        self.by_id = {note.id: note for note in corpus.notes}
        self.lines = listing.readme.text.split("\n")
        self.findings: list[ImportFinding] = []

    def say(self, group: Group, kind: str, message: str, line: int) -> None:
        self.findings.append(ImportFinding(group, kind, message, Location(self.listing.readme.path, line + 1)))

    def regions(self) -> Iterator[_Region]:
        for topic in self.corpus.topics:
            sections = list(self.listing.sections_of(topic.id))
            tables = [table for section in sections for table in section.tables]
            for kind in ("notes", "papers"):
                of_kind = [table for table in tables if table.kind == kind]
                if len(of_kind) > 1:
                    message = f"{topic.id} has several tables of {kind}: they stay as they are"
                    self.say("unmapped", "several-tables", message, of_kind[1].start)
                elif of_kind:
                    yield from (self._notes if kind == "notes" else self._papers)(of_kind[0], topic)
            for table in tables:
                self._remark(table)
            for section in sections:
                self._count(section)
            yield from self._paths(topic, sections)

    def with_pages(self, page_of: PageOf, inside: Container[int]) -> None:
        """Make links that lead to files which were taken in lead to their pages, outside of these lines and of code."""
        blocks = blocks_of(cleaned(self.listing.readme.text))
        code = {line for block in blocks if block.kind == "other" for line in range(block.start, block.end)}
        for number, line in enumerate(self.lines):
            for link in reversed(links_of(line)) if number not in inside and number not in code else ():
                scheme, _ = path_of(link.address)
                note = None if scheme else self._note(self.listing.notes.at.find(link.address))
                if note is None:
                    continue
                at = line.rfind(link.address, link.start, link.end)
                _, sign, anchor = link.address.partition("#")
                line = f"{line[:at]}{page_of(note)}{sign}{anchor}{line[at + len(link.address) :]}"
                self.say("changed", "address", f'"{link.address}" leads to the page of {note.reference} now', number)
            self.lines[number] = line

    def _remark(self, table: ReadmeTable) -> None:
        if table.is_list:
            message = "the list stays as it is; what it says of notes and papers is in the collection, too"
            self.say("changed", "list-stays", message, table.start)
        elif not table.kind:
            heads = ", ".join(table.unmapped) or "notes and papers at once"
            self.say("unmapped", "table-stays", f"the table stays as it is: no list of ours has {heads}", table.start)

    def _count(self, section: ReadmeSection) -> None:
        rows = sum(len(table.rows) for table in section.tables)
        if section.counted and str(rows) not in words_of(section.heading):
            message = f'"{section.heading}" counts wrong: there are {rows} rows'
            self.say("doubtful", "wrong-count", message, section.line)

    def _words(self, kind: str, topic: Topic, order: str = "newest") -> str:
        words = [kind, f"topic={topic.id}"]
        words += [f"lang={self.listing.lang}"] if self.listing.lang != self.corpus.site.default_language else []
        return " ".join([*words, *([f"order={order}"] if order != "newest" else [])])

    def _notes(self, table: ReadmeTable, topic: Topic) -> Iterator[_Region]:
        taken = []
        for row in table.notes:
            note = self._note(self.listing.found.get(row.line))
            if note is None or note.topic != topic.id:
                message = f'"{row.label}" leads to no note that was taken in: its row stays below the list'
                self.say("doubtful", "row-without-note", message, row.line)
                continue
            taken.append(row.line)
            if missing := _missing(OWN.sub("", row.words), self._shown(note)):
                self._stays(table, row.line, missing)
                return
        if taken:
            others = [line for line in table.rows if line not in taken]
            rest = (
                [*self.lines[table.start : table.start + 2], *(self.lines[line] for line in others)] if others else []
            )
            self.say("changed", "sizes", "sizes are those of the pages, and are counted at each build", table.start)
            yield _Region(table.start, table.end, self._words("notes", topic), tuple(rest))

    def _papers(self, table: ReadmeTable, topic: Topic) -> Iterator[_Region]:
        listed = {key for note in self.corpus.notes_of(topic.id) for key in note.papers} | {*topic.papers}
        for row in table.papers:
            paper = self.papers.paper(draft_of(row, {}))
            labels = " ".join(link.label for link in row.links if is_own(link))  # our lists show the id itself
            labels += f" {row.venue}" if row.venue.lower() == "arxiv" else ""
            missing = _missing(OWN.sub("", row.words), f"{self._said(paper)} {labels}")
            if paper.key not in listed or missing:
                self._stays(table, row.line, missing or row.title)
                return
        self.say("changed", "columns", "the columns of the table are those of our lists", table.start)
        yield _Region(table.start, table.end, self._words("papers", topic, order_of(self.listing, topic.id)))

    def _paths(self, topic: Topic, sections: Iterable[ReadmeSection]) -> Iterator[_Region]:
        guides = [(guide, section) for section in sections for guide in section.guides]
        if not guides:
            return
        together = all(
            not any(line.strip() for line in self.lines[guide.end : other.start])
            for (guide, _), (other, _) in pairwise(guides)
        )
        paths = zip(guides, topic.reading_paths, strict=False)
        shown = " ".join(self._path(topic, place) for place, _ in enumerate(paths))
        whole = all(is_whole(guide, section, self.listing) for guide, section in guides)
        start, end = guides[0][0].start, guides[-1][0].end
        missing = _missing("\n".join(map(_plain_line, self.lines[start:end])), shown)
        if together and whole and len(guides) == len(topic.reading_paths) and not missing:
            while end > start and not self.lines[end - 1].strip():
                end -= 1
            yield _Region(start, end, self._words("paths", topic))
            return
        for guide, section in guides:
            self._lone_path(guide, section)

    def _lone_path(self, guide: Guide, section: ReadmeSection) -> None:
        reason = "" if is_whole(guide, section, self.listing) else ": not all of its notes were taken in"
        self.say("unmapped", "path-stays", f'the reading path "{guide.title}" stays as it is{reason}', guide.start)

    def _path(self, topic: Topic, place: int) -> str:
        """The words of a reading path as the README shows it."""
        path, lang = topic.reading_paths[place], self.listing.lang
        steps = []
        for step, words in path.named_steps:
            note = self.corpus.note(step)
            steps.append(f"{note.number} {(words or note.label_in_lists)[lang]}")
        guide = shown_words(path.guide[lang], lang, inline=False) if path.guide else ""
        return f"{path.title[lang]} {' '.join(steps)} {guide}"

    def _stays(self, table: ReadmeTable, line: int, missing: str) -> None:
        message = f'the table stays as it is, because the collection says something else than "{missing}"'
        self.say("doubtful", "table-differs", message, line)

    def _note(self, note: str | None) -> Note | None:
        return self.by_id.get(NoteId(note or ""))

    def _shown(self, note: Note) -> str:
        lang = self.listing.lang
        about = ""
        if note.summary:
            about = plain_text(note.summary[lang], lang, note.summary_location, lambda slot: slot.text)
        return f"{note.label_in_lists[lang]} {about}"

    def _said(self, paper: Paper) -> str:
        labels = " ".join(paper.arxiv if link.label == "arXiv" and paper.arxiv else link.label for link in paper.links)
        facts = (paper.label_in_lists, *paper.badges, paper.team, paper.span, paper.venue, labels, *paper.remarks)
        return f"{' '.join(facts)} {paper.doi or ''}"


def _plain_line(line: str) -> str:
    return plain(line.lstrip("#"))


def _missing(wanted: str, shown: str) -> str:
    """The words that are not shown, in their order; a number may have no zeros before it."""
    left = Counter(map(_bare, words_of(shown)))
    missing = []
    for word in map(_bare, words_of(wanted)):
        left[word] -= 1
        missing += [word] if left[word] < 0 else []
    return " ".join(missing)


def _bare(word: str) -> str:
    return word.lstrip("0") or word


def emptied(text: str) -> str:
    """A README with nothing in its regions, which each build writes anew."""
    kept: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line.startswith("<!-- paper-notes:end"):
            inside = False
        if not inside:
            kept.append(line)
        inside = inside or line.startswith("<!-- paper-notes:begin")
    return "\n".join(kept)


def refilled(text: str, before: str) -> str:
    """A README whose regions hold what those with the same markers held before."""
    held: dict[str, list[str]] = {}
    name = ""
    for line in before.split("\n"):
        if line.startswith("<!-- paper-notes:end"):
            name = ""
        elif name:
            held[name].append(line)
        elif line.startswith("<!-- paper-notes:begin"):
            held[name := line] = []
    return "\n".join(part for line in text.split("\n") for part in (line, *held.get(line, ())))


README = PurePosixPath("README.md")
"""The collection's own."""
