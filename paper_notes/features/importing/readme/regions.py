"""The README again, with our regions where its lists were; everything else of it stays, byte for byte."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from paper_notes.corpus.model import Corpus, Note, NoteId, Topic
from paper_notes.corpus.paper import Paper
from paper_notes.diagnostics import Location
from paper_notes.document import nodes
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Span
from paper_notes.document.parse import parse, parse_inline
from paper_notes.features.importing.papers import Papers
from paper_notes.features.importing.proof.visible import words_of as folded_words
from paper_notes.features.importing.readme.listing import Listing, draft_of, is_own, order_of
from paper_notes.features.importing.readme.reading import WORDS, ReadmeSection
from paper_notes.features.importing.readme.rows import ReadmeTable
from paper_notes.features.importing.readme.vocabulary import OWN
from paper_notes.features.importing.readme.words import HAND_KEPT, cleaned, links_of, path_of, words_of
from paper_notes.features.importing.types import FindingGroup, ImportFinding
from paper_notes.markdown.short_texts import plain_text
from paper_notes.patterns import regex
from paper_notes.sources.tree import text_position
from paper_notes.values import Struct

README = PurePosixPath("README.md")
"""The collection's own."""
BEGIN = "<!-- paper-notes:begin {} -->"
END = "<!-- paper-notes:end -->"
_REGION = regex(r"^(<!-- paper-notes:begin.*\n)((?:(?!<!-- paper-notes:).*\n)*+)(?=<!-- paper-notes:end)", re.MULTILINE)
PageOf = Callable[[Note], str]
"""The address of a note's page in the collection's README."""


class _Region(Struct, frozen=True):
    """What becomes a region, and the text that follows it as it is."""

    span: Span
    words: str
    rest: str = ""


class RegionMarker:
    """Marks regions in a README for lists that the collection says in full, and says what stays as it is."""

    def __init__(self, listing: Listing, corpus: Corpus) -> None:
        """`corpus` has all that was taken in."""
        self.listing = listing
        self.corpus = corpus
        self.papers = Papers(corpus, {})
        self.by_id = {note.id: note for note in corpus.notes}
        self.text = listing.readme.text
        self.findings: list[ImportFinding] = []
        self.regions = list(self._regions())

    def marked(self, page_of: PageOf | None = None) -> str:
        """The README with its regions. With `page_of`, other links to files that were taken in lead to their pages."""
        edits = [*self._links_to_pages(page_of)] if page_of else []
        for region in self.regions:
            start, end = region.span
            edits.append(Edit(Span(start, start), f"{BEGIN.format(region.words)}\n\n"))
            edits.append(Edit(Span(end, end), f"\n\n{END}" + (f"\n\n{region.rest}" if region.rest else "")))
        return apply(self.text, edits)

    def _say(self, group: FindingGroup, kind: str, message: str, start: int) -> None:
        line = text_position(self.text, start)[0]
        self.findings.append(ImportFinding(group, kind, message, Location(self.listing.readme.path, line)))

    def _regions(self) -> Iterator[_Region]:
        for topic in self.corpus.topics:
            sections, tables = self.listing.sections_of(topic.id), self.listing.tables_of(topic.id)
            for kind, region_of in (("notes", self._notes), ("papers", self._papers)):
                of_kind = [table for table in tables if table.kind == kind]
                if len(of_kind) > 1:
                    message = f"{topic.id} has several tables of {kind}: they stay as they are"
                    self._say("unmapped", "several-tables", message, of_kind[1].span.start)
                elif of_kind:
                    yield from region_of(of_kind[0], topic)
            for table in tables:
                self._remark(table)
            for section in sections:
                self._count(section)
            yield from self._paths(topic, sections)

    def _links_to_pages(self, page_of: PageOf) -> Iterator[Edit]:
        """Links that lead to files which were taken in lead to their pages, outside of regions, code and HTML."""
        blocks = (
            block for block in parse(cleaned(self.text), HAND_KEPT).blocks if isinstance(block, (*WORDS, nodes.Table))
        )
        for link in links_of(blocks):
            scheme, _ = path_of(link.href)
            note = None if scheme else self._note(self.listing.at(link.href))
            address = link.href.partition("#")[0]
            spellings = (address, unquote(address), quote(address, safe="%/?&=:"))
            places = ((self.text.rfind(written, *link.span), len(written)) for written in spellings)
            start, length = next(((start, length) for start, length in places if start >= 0), (-1, 0))
            inside = any(region.span.start <= start < region.span.end for region in self.regions)
            if note is None or start < 0 or inside:
                continue
            yield Edit(Span(start, start + length), page_of(note))
            message = f'"{link.href}" leads to the page of {note.reference} now'
            self._say("changed", "address", message, start)

    def _remark(self, table: ReadmeTable) -> None:
        if table.is_list:
            message = "the list stays as it is; what it says of notes and papers is in the collection, too"
            self._say("changed", "list-stays", message, table.span.start)
        elif not table.kind:
            heads = ", ".join(table.unmapped) or "notes and papers at once"
            message = f"the table stays as it is: no list of ours has {heads}"
            self._say("unmapped", "table-stays", message, table.span.start)

    def _count(self, section: ReadmeSection) -> None:
        rows = sum(len(table.every) for table in section.tables)
        if section.counted and str(rows) not in folded_words(section.heading):
            message = f'"{section.heading}" counts wrong: there are {rows} rows'
            self._say("doubtful", "wrong-count", message, section.start)

    def _words(self, kind: str, topic: Topic, order: str = "newest") -> str:
        lang = self.listing.lang
        words = [kind, f"topic={topic.id}"]
        words += [f"lang={lang}"] if lang != self.corpus.site.default_language else []
        return " ".join([*words, *([f"order={order}"] if order != "newest" else [])])

    def _notes(self, table: ReadmeTable, topic: Topic) -> Iterator[_Region]:
        taken = set[Span]()
        for row in table.notes:
            note = self._note(self.listing.note_of.get(row.span.start))
            if note is None or note.topic != topic.id:
                message = f'"{row.title}" leads to no note that was taken in: its row stays below the list'
                self._say("doubtful", "row-without-note", message, row.span.start)
                continue
            taken.add(row.span)
            if missing := _missing(OWN.sub("", row.words), self._shown(note)):
                self._differs(row.span, missing)
                return
        if taken:
            head = self.text[table.span.start : table.every[0].start].rstrip("\n")
            others = [self.text[slice(*span)] for span in table.every if span not in taken]
            message = "sizes are those of the pages, and are counted at each build"
            self._say("changed", "sizes", message, table.span.start)
            yield _Region(table.span, self._words("notes", topic), "\n".join([head, *others]) if others else "")

    def _papers(self, table: ReadmeTable, topic: Topic) -> Iterator[_Region]:
        listed = {key for note in self.corpus.notes_of(topic.id) for key in note.papers} | {*topic.papers}
        for row in table.papers:
            paper = self.papers.paper(draft_of(row, {}))
            labels = " ".join(link.label for link in row.links if is_own(link))  # our lists show the id itself
            labels += f" {row.venue}" if row.venue.lower() == "arxiv" else ""
            missing = _missing(OWN.sub("", row.words), f"{_said(paper)} {labels}")
            if paper.key not in listed or missing:
                self._differs(row.span, missing or row.title)
                return
        self._say("changed", "columns", "the columns of the table are those of our lists", table.span.start)
        yield _Region(table.span, self._words("papers", topic, order_of(self.listing, topic.id)))

    def _differs(self, row: Span, missing: str) -> None:
        message = f'the table stays as it is, because the collection says something else than "{missing}"'
        self._say("doubtful", "table-differs", message, row.start)

    def _paths(self, topic: Topic, sections: Iterable[ReadmeSection]) -> Iterator[_Region]:
        """One region for all reading paths of a topic, if nothing else is between them."""
        whole = {guide: self.listing.is_whole(guide, section) for section in sections for guide in section.guides}
        if not whole:
            return
        guides = [*whole]
        span = Span(guides[0].span.start, guides[-1].span.end)
        between = "".join(self.text[guide.span.end : behind.span.start] for guide, behind in pairwise(guides))
        lines = (line.lstrip("#") for line in self.text[slice(*span)].split("\n"))
        wanted = "\n".join(words_of(parse_inline(line, HAND_KEPT)) for line in lines)
        shown = " ".join(self._path(topic, place) for place in range(min(len(guides), len(topic.reading_paths))))
        is_said = all(whole.values()) and len(guides) == len(topic.reading_paths) and not _missing(wanted, shown)
        if is_said and not between.strip():
            yield _Region(span, self._words("paths", topic))
            return
        for guide, is_whole in whole.items():
            reason = "" if is_whole else ": not all of its notes were taken in"
            message = f'the reading path "{guide.title}" stays as it is{reason}'
            self._say("unmapped", "path-stays", message, guide.span.start)

    def _path(self, topic: Topic, place: int) -> str:
        """The words of a reading path as the README shows it."""
        path, lang = topic.reading_paths[place], self.listing.lang
        steps = []
        for step, words in path.named_steps:
            note = self.corpus.note(step)
            steps.append(f"{note.number} {(words or note.label_in_lists)[lang]}")
        guide = words_of(parse(path.guide[lang], HAND_KEPT).blocks) if path.guide else ""
        return f"{path.title[lang]} {' '.join(steps)} {guide}"

    def _note(self, note: str | None) -> Note | None:
        return self.by_id.get(NoteId(note or ""))

    def _shown(self, note: Note) -> str:
        lang = self.listing.lang
        about = ""
        if note.summary:
            about = plain_text(note.summary[lang], lang, note.summary_location, lambda slot: slot.text)
        return f"{note.label_in_lists[lang]} {about}"


def _said(paper: Paper) -> str:
    labels = " ".join(paper.arxiv if link.label == "arXiv" and paper.arxiv else link.label for link in paper.links)
    facts = (paper.label_in_lists, *paper.badges, paper.team, paper.span, paper.venue, labels, *paper.remarks)
    return f"{' '.join(facts)} {paper.doi or ''}"


def _missing(wanted: str, shown: str) -> str:
    """The words that are not shown, in their order; a number may have no zeros before it."""
    left = Counter(map(_bare, folded_words(shown)))
    missing = []
    for word in map(_bare, folded_words(wanted)):
        left[word] -= 1
        missing += [word] if left[word] < 0 else []
    return " ".join(missing)


def _bare(word: str) -> str:
    return word.lstrip("0") or word


def emptied(text: str) -> str:
    """A README with nothing in its regions, which each build writes anew."""
    return _REGION.sub(r"\1", text)


def refilled(text: str, before: str) -> str:
    """A README whose empty regions hold what those with the same markers held before."""
    held = dict(_REGION.findall(before))
    return _REGION.sub(lambda region: region[1] + held.get(region[1], ""), text)
