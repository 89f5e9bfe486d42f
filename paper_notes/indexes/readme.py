"""What READMEs say: tables of notes and papers, reading paths, the directory tree, and what marked regions hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from markupsafe import escape

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Content, Corpus, Lang, Note, NoteId, ReadingPath, Text, Topic, TopicId
from paper_notes.corpus.paper import BibKey, LabelledLink, Paper, entry_id
from paper_notes.document import nodes
from paper_notes.document.github import GITHUB, cell, link, paragraph, plain
from paper_notes.document.nodes import Document, Inline, Node
from paper_notes.document.parse import AS_SHOWN, parse, parse_inline
from paper_notes.document.write import table_of, write_cell, write_markdown
from paper_notes.indexes.gfm import headings
from paper_notes.indexes.regions import PaperOrder, Region
from paper_notes.languages.language import Language
from paper_notes.macros import MacroItems
from paper_notes.markdown.short_texts import LONG, WIDTH_OF_REFERENCE, is_plain, place_to_end, width
from paper_notes.markdown.syntax.alerts import SIGN_OF
from paper_notes.render.labels import drafted_labels, number, reference, size_of
from paper_notes.render.links import DIGESTS, SITE, LinkResolver, note_path, relative, topic_path
from paper_notes.render.note_rows import LATEST, day_label, day_of, latest_first, newest
from paper_notes.render.plain_markdown import LinkTexts, cited_paper, macros_written_out, plain_document
from paper_notes.render.view_factory import newest_first, note_papers_in
from paper_notes.values import Struct, replace

NBSP = "\u00a0"
MOST_NOTES, MOST_BYTES = 300, 200_000
"""Of a site whose README has tables of all; a larger one names the topics, the latest notes and the reading paths."""
MOST_IN_FILE = 400_000
"""Bytes of a topic's README with all of its tables; a longer one has them in a file for each year or month.

GitHub shows no file of more than 512 KB."""
RECENT = 10
"""Number of notes in a list of recent ones."""
JOINER = "\u2060"
"""NBSP and JOINER keep `260 KB` and `2025-10` on one line in narrow columns on GitHub."""


class ReadmeWriter(Struct, frozen=True):
    """Writes one README: `path` is its place in the collection, which its links are relative to."""

    corpus: Corpus
    resolver: LinkResolver
    sizes: Mapping[NoteId, int]
    lang: Lang
    path: PurePosixPath
    days: bool = False
    """Whether notes of days are among the others: where somebody asks for one topic."""
    order: PaperOrder = "newest"
    """Of the papers of a topic."""
    folded: bool = False
    """Whether a topic shows its title only, until it is opened."""
    most_notes: int = MOST_NOTES
    most_bytes: int = MOST_BYTES

    def notes_of(self, topic: Topic) -> tuple[Note, ...]:
        """The notes of a topic."""
        return (self.corpus if self.days else self.corpus.without_days).notes_of(topic.id)

    @property
    def language(self) -> Language:
        """The words of the pages in the language of this README."""
        return self.corpus.site.words[self.lang]

    @property
    def macros(self) -> MacroItems:
        """The macros of the site."""
        return self.corpus.site.words.macros

    def word(self, word: str, **values: object) -> str:
        """A word of the catalogue as one line of Markdown. Its values must be Markdown already."""
        return cell(self.language(f"readme.{word}", **values))

    def href(self, target: PurePosixPath) -> str:
        """The link to a file of the site: on the published site if there is one, else relative to this README."""
        base_url = self.corpus.site.base_url
        return f"{base_url}{target}" if base_url else relative(SITE / target, self.path)

    def site(self, *, title: bool) -> str:
        """All topics, their papers, and the directory tree; in short if the collection is large."""
        if len(self.corpus.without_days.notes) <= self.most_notes:
            text = self._site(title=title, short=False)
            if len(text.encode()) <= self.most_bytes:
                return text
        return self._site(title=title, short=True)

    def _site(self, *, title: bool, short: bool) -> str:
        site = self.corpus.site
        parts = [f"# {plain(site.title[self.lang])}"] if title else []
        if title and site.description:
            parts.append(paragraph(site.description[self.lang]))
        if title:
            parts.append(self.other_language())
        if short:
            parts += self.in_short()
        else:
            parts += [self.topic(topic, level=2 + self.folded) for topic in self.corpus.topics]
        if not (short or self.folded) and (papers := self.papers_by_topic(self.corpus.topics)):
            parts.append(f"## {self.word('papers-by-date')}\n\n{papers}")
        parts.append(self.directories())
        return "\n\n".join(part for part in parts if part) + "\n"

    def in_short(self) -> Iterator[str]:
        """The topics with counts, each a link to its own README, the latest notes, and the reading paths."""
        topics = self.corpus.topics
        lines = []
        for topic in topics:
            papers = len(self.papers_of(topic))
            count = f" · {self.word('papers', count=papers)}" if papers else ""
            lines.append(f"- {link(plain(self.topic_title(topic)), self.topic_href(topic))}{count}")
        yield "\n".join(lines)
        if recent := self.recent(topics):
            yield f"## {self.word('latest')}\n\n{recent}"
        yield from (self.reading_path(path, topic, level=2) for topic in topics for path in topic.reading_paths)

    def topic_href(self, topic: Topic) -> str:
        """The link to all of a topic: to its page on the published site if there is one, else to its README."""
        page = topic_path(topic.id)
        return self.href(page if self.corpus.site.base_url else page.parent / readme_name(self.lang, self.corpus))

    def recent(self, topics: Sequence[Topic]) -> str:
        """The notes written or revised last, with the date."""
        notes = [note for topic in topics for note in self.notes_of(topic)]
        latest = [(day, note) for note in newest(notes)[:RECENT] if (day := note.updated or note.created)]
        beside = topics[0].id if len(topics) == 1 else TopicId("")
        lines = []
        for day, note in latest:
            title = link(plain(reference(self.corpus, note, self.lang, beside)), self.href(note_path(note)))
            revised = note.created is not None and day != note.created
            lines.append(f"- {day.isoformat()} {self.word('revised' if revised else 'new', note=title)}")
        return "\n".join(lines)

    def section(self, title: str, text: str, level: int) -> str:
        """What is said of a topic, with its title, a text without markup; GitHub gives both forms of it an anchor."""
        if self.folded:
            heading = f"<h{level}>{escape(' '.join(title.split()))}</h{level}>"
            return f"<details>\n<summary>{heading}</summary>\n\n{text}\n\n</details>"
        return f"{'#' * level} {plain(title)}" + f"\n\n{text}" * bool(text)

    def topic_readme(self, topic: Topic) -> str:
        """One topic with its papers."""
        title, _, rest = self.topic(topic, level=1).partition("\n\n")
        parts = [title, self.other_language(), rest]
        table = self.papers(topic)
        if table:
            parts += [f"## {self.word('papers-by-date')}", table]
        return "\n\n".join(part for part in parts if part) + "\n"

    def topic_files(self, topic: Topic, most: int = MOST_IN_FILE) -> Iterator[tuple[str, str]]:
        """The README of a topic by its end: `("", text)`; if it is too long, also those of years: `("-2026", text)`.

        A year that is too long for one file has one for each month.
        """
        whole = self.topic_readme(topic)
        if len(whole.encode()) <= most:
            yield "", whole
            return
        notes, papers = self.notes_of(topic), self._ordered(self.papers_of(topic), topic)
        files: list[tuple[str, str]] = []
        for year, in_year in _by_date(notes, papers, 4):
            text = self._dated(topic, year, *in_year)
            months = _by_date(*in_year, 7) if len(text.encode()) > most else ()
            files += [(month, self._dated(topic, month, *rows)) for month, rows in months] or [(year, text)]
        stem, _, suffix = readme_name(self.lang, self.corpus).partition(".")
        parts = [
            f"# {plain(self.topic_title(topic))}",
            self.other_language(),
            self.markdown(topic.intro, topic, self.label(topic)),
            self.days_of(topic, every=True),
            "\n".join(f"- {link(date or '—', f'{stem}-{date or 0}.{suffix}')}" for date, _ in files),
            f"## {self.word('latest')}\n\n{recent}" if (recent := self.recent([topic])) else "",
            *(self.reading_path(path, topic, level=2) for path in topic.reading_paths),
        ]
        yield "", "\n\n".join(part for part in parts if part) + "\n"
        yield from ((f"-{date or 0}", text) for date, text in files)

    def _dated(self, topic: Topic, date: str, notes: Sequence[Note], papers: Sequence[Paper]) -> str:
        """The notes and papers of a topic of one year or month; `date` is empty for those without one."""
        up = link(plain(self.topic_title(topic)), readme_name(self.lang, self.corpus))
        parts = [f"# {date or '—'}", up, self.note_table(tuple(notes))]
        parts += [f"## {self.word('papers-by-date')}", self.paper_table(papers, topic)] if papers else []
        return "\n\n".join(part for part in parts if part) + "\n"

    def other_language(self) -> str:
        """A line with links to the same README in other languages."""
        others = [other for other in self.corpus.site.words.languages if other.tag != self.lang]
        return " · ".join(f"[{plain(other.name)}]({readme_name(other.tag, self.corpus)})" for other in others)

    def topic(self, topic: Topic, *, level: int) -> str:
        table = self.note_table(self.notes_of(topic))
        parts = [
            self.markdown(topic.intro, topic, self.label(topic)),
            table,
            "" if self.days else self.days_of(topic, every=level == 1),
        ]
        parts += [self.reading_path(path, topic, level=level + 1) for path in topic.reading_paths]
        if self.folded and (papers := self.papers(topic)):
            parts.append(f"{'#' * (level + 1)} {self.word('papers-by-date')}\n\n{papers}")
        return self.section(self.topic_title(topic), "\n\n".join(part for part in parts if part), level)

    def topic_title(self, topic: Topic) -> str:
        """A topic with its emoji and the number of its notes."""
        title = " ".join(part for part in (topic.emoji, topic.title[self.lang]) if part)
        count = len(self.notes_of(topic)) or len(self.corpus.notes_of(topic.id))
        return self.language("readme.topic-heading", topic=title, count=count)

    def days_of(self, topic: Topic, *, every: bool) -> str:
        """The latest days of a topic in a line, and where all are; or `every` day by month. Empty if it has none."""
        days = latest_first(note for note in self.corpus.notes_of(topic.id) if note.of_day)
        if not days:
            return ""
        if every:
            return self.months(days)
        links = [link(day_label(note), self.href(note_path(note))) for note in days[:LATEST]]
        return f"{link(self.word('days', count=len(days)), self.href(DIGESTS))}: {' · '.join(links)}"

    def months(self, days: Iterable[Note]) -> str:
        """A line for each month, with links to its days; these are in the order that they shall have."""
        months: dict[str, list[str]] = {}
        for note in days:
            if day := day_of(note):
                months.setdefault(f"{day:%Y-%m}", []).append(link(f"{day:%d}", self.href(note_path(note))))
        return "\n".join(f"- **{month}**: {' '.join(links)}" for month, links in months.items())

    def note_table(self, notes: tuple[Note, ...]) -> str:
        if not notes:
            return ""
        columns = ["#", *(self.word(f"column.{column}") for column in ("note", "about", "size"))]
        return "\n".join(table_of([columns, *map(self.note_row, notes)], ("--:", "---", "---", "--:")))

    def note_row(self, note: Note) -> Sequence[str]:
        title = link(plain(note.label_in_lists[self.lang]), self.href(note_path(note))) + self.own(note.own)
        title += self.drafted(note)
        summary = self.about(note)
        size = size_of(self.sizes[note.id]).replace(" ", NBSP)
        return f"#{note.number}", title, summary, size

    def own(self, own: bool) -> str:
        return f" **{self.word('own-paper')}**" if own else ""

    def drafted(self, note: Note) -> str:
        """What a reader should know of a text that a model wrote and nobody has read."""
        said = drafted_labels(note.drafted, self.corpus.site.words).get(self.lang)
        return f" *({cell(plain(said))})*" if said else ""

    def reading_path(self, path: ReadingPath, topic: Topic, *, level: int) -> str:
        steps = " → ".join(self.step(*step, topic) for step in path.named_steps)
        title = f"{'#' * level} {plain(path.title[self.lang])}"
        label = self.label(topic, topic.reading_paths.index(path) + 1)
        return "\n\n".join(part for part in (title, steps, self.markdown(path.guide, topic, label)) if part)

    def label(self, topic: Topic, path: int = 0) -> str:
        """The prefix of labels of footnotes: the positions of their topic and reading path, from 1."""
        position = next((position for position, other in enumerate(self.corpus.topics, 1) if other.id == topic.id), 0)
        return f"{position}.{path}-"

    def step(self, note_id: NoteId, words: Text | None, topic: Topic) -> str:
        note = self.corpus.note(note_id)
        name = reference(self.corpus, note, self.lang, topic.id)
        if words:
            name = f"{number(self.corpus, note, self.lang, topic.id)} {words[self.lang]}"
        return link(plain(name), self.href(note_path(note)))

    def markdown(self, text: Text | None, topic: Topic, label: str) -> str:
        """A Markdown text of a YAML file in GitHub's Markdown; `label` is the prefix of its footnotes' labels."""
        if text is None:
            return ""
        document = parse(text[self.lang], AS_SHOWN)
        written = on_github(document, self.link_texts(document, topic), self.language, label, self.macros)
        return write_markdown(written, GITHUB).rstrip("\n")

    def about(self, note: Note) -> str:
        """The summary as a cell of a table; what a long one has after its first sentences is folded."""
        summary = note.summary[self.lang] if note.summary else ""
        if is_plain(summary) and len(summary) <= LONG // 2:
            return cell(summary)
        begins, rest = _divided(_read_line(summary), LONG)
        topic = self.corpus.topic(note.topic)
        shown = self.cell(begins, topic)
        more = cell(self.language("ui.base.rest-of-text"))
        return f"{shown} <details><summary>{more}</summary>{self.cell(rest, topic)}</details>" if rest else shown

    def cell(self, inlines: Sequence[Inline], topic: Topic) -> str:
        """Words of a Markdown text as a cell of a table."""
        line = Document((nodes.Paragraph(tuple(inlines)),))
        written = on_github(line, self.link_texts(line, topic), self.language, macros=self.macros)
        return "".join(
            write_cell(block.inlines, GITHUB) for block in written.blocks if isinstance(block, nodes.Paragraph)
        )

    def link_texts(self, document: Document, topic: Topic) -> LinkTexts:
        """The notes and papers that a text of a topic refers to, with links that work on GitHub."""
        notes: dict[str, tuple[str, str]] = {}
        papers: dict[str, tuple[str, str, str]] = {}
        for node in document.walk():
            if isinstance(node, nodes.Citation):
                known = {cited.key: self.corpus.papers.get(BibKey(cited.key)) for cited in node.papers}
                papers |= {key: cited_paper(paper) for key, paper in known.items() if paper}
            elif isinstance(node, nodes.Reference):
                target = self.resolver.find(node.target, topic.id, self.lang)
                if isinstance(target, tuple):
                    note, anchor = self.corpus.note(target[0]), f"#{target[1]}" if target[1] else ""
                    name = reference(self.corpus, note, self.lang, topic.id, node.target)
                    notes[node.target] = name, self.href(note_path(note)) + anchor
        return LinkTexts(notes, papers, "", {})

    def papers_by_topic(self, topics: Iterable[Topic]) -> str:
        tables = ((topic, self.papers(topic)) for topic in topics)
        return "\n\n".join(self.section(topic.title[self.lang], table, 3) for topic, table in tables if table)

    def papers_of(self, topic: Topic) -> list[Paper]:
        keys = dict.fromkeys((*note_papers_in(self.corpus.notes_of(topic.id)), *topic.papers))
        return [self.corpus.papers[key] for key in keys]

    def papers(self, topic: Topic) -> str:
        return self.paper_table(self._ordered(self.papers_of(topic), topic), topic)

    def paper_table(self, papers: Sequence[Paper], topic: Topic) -> str:
        if not papers:
            return ""
        columns = [self.word(f"column.{column}") for column in ("date", "paper", "team", "links", "notes")]
        if self.language.ideographic:
            columns[-1] = JOINER.join(columns[-1])
        return "\n".join(table_of([columns, *(self.paper_row(paper, topic) for paper in papers)]))

    def _ordered(self, papers: Sequence[Paper], topic: Topic) -> Sequence[Paper]:
        """Papers by date; or as the topic lists them, and then the others, the oldest first."""
        by_date = newest_first(papers)
        if self.order != "listed":
            return by_date if self.order == "newest" else by_date[::-1]
        listed = [self.corpus.papers[key] for key in topic.papers]
        return [*listed, *(paper for paper in by_date[::-1] if paper.key not in topic.papers)]

    def paper_row(self, paper: Paper, topic: Topic) -> Sequence[str]:
        links = [
            link(paper.arxiv if item.label == "arXiv" and paper.arxiv else plain(item.label), item.url)
            for item in paper.links
        ]
        links += [f"*{cell(self.language('label.no-code'))}*"] if paper.no_code else []
        links += [f"*{plain(remark)}*" for remark in paper.remarks]
        readers = [self.corpus.note(note) for note in self.resolver.readers.get(paper.key, ())]
        own = any(note.own and note.papers[0] == paper.key for note in readers)
        only_arxiv = paper.arxiv and "arxiv" in paper.venue.lower()
        venue = "" if only_arxiv else paper.venue.removeprefix("Proceedings of the ")
        team = " + ".join(paper.teams) or (paper.short_authors if paper.authors else "—")
        badges = "".join(f" `{badge.replace('`', '')}`" for badge in paper.badges)
        name = plain(paper.label_in_lists) + cell(badges and f"x{badges}")[1:]
        return (
            (plain(paper.span) if paper.versions else paper.date_label[:7]).replace("-", f"-{JOINER}") or "—",
            name + self.own(own) + (f"<br><sub>{plain(venue)}</sub>" if venue else ""),
            plain(team),
            " · ".join(links) or "—",
            ", ".join(
                link(plain(number(self.corpus, note, self.lang, topic.id)), self.href(note_path(note)))
                for note in readers
            )
            or cell(self.language("label.not-read")),
        )

    def directories(self) -> str:
        return f"## {self.word('directories')}\n\n{self.directory_tree(self.corpus.topics)}"

    def directory_tree(self, topics: tuple[Topic, ...]) -> str:
        """The tree of the site with the counts and sizes of its files."""
        rows = [("site/", ""), (f"{'├──' if topics else '└──'} index.html", self.word("home"))]
        for place, topic in enumerate(topics):
            notes = self.corpus.notes_of(topic.id)
            total = size_of(sum(self.sizes[note.id] for note in notes)) if notes else "0 KB"
            branch = "└──" if place == len(topics) - 1 else "├──"
            pdfs = sum(key in self.resolver.published for key in note_papers_in(notes))
            has_pdfs = f", {pdfs} PDF" if pdfs else ""
            counted = f"{len(notes)} HTML{has_pdfs}, {total}"
            rows.append((f"{branch} {topic.id}/", f"{' '.join(topic.title[self.lang].split())} — {counted}"))
        width = max(len(name) for name, _ in rows) + 2
        block = "\n".join(f"{name:<{width}}# {about}" if about else name for name, about in rows)
        return f"```text\n{block}\n```"


def on_github(
    document: Document, links: LinkTexts, language: Language, label: str = "", macros: MacroItems = ()
) -> Document:
    """A short text for GitHub, which shows callouts and HTML; without a `label`, notes of a line stand in it.

    `label` is the prefix of the labels of footnotes, which must be unique in the file. The `macros` of the site are
    written out, as GitHub knows none of them.
    """
    footnotes: list[nodes.FootnoteDefinition] = []

    def own(node: Node, others: Sequence[Node]) -> Sequence[Node]:
        match node:
            case nodes.RawInline() | nodes.RawBlock() | nodes.Link():
                return [node]
            case nodes.FootnoteReference() | nodes.FootnoteDefinition():
                return [replace(node, label=label + node.label)]
            case nodes.InlineFootnote(inlines=words) if label:
                name = f"{label}{len(footnotes) + 1}-"
                footnotes.append(nodes.FootnoteDefinition(name, (nodes.Paragraph(words),)))
                return [nodes.FootnoteReference(name)]
            case nodes.Component(name=kind) | nodes.Alert(kind=kind) if sign := SIGN_OF.get(kind.lower()):
                title = [nodes.Paragraph((nodes.Strong(node.title),))] if node.title else []
                return [nodes.Alert(sign, (), (*title, *node.blocks))]
            case nodes.Component(name="demo"):  # which texts for assistants leave out
                title = [nodes.Paragraph((nodes.Strong(node.title),))] if node.title else []
                return [nodes.Quote((*title, *node.blocks))]
            case nodes.Component() if others:
                return [nodes.Quote(tuple(block for block in others if isinstance(block, nodes.Block)))]
        return others

    blocks = plain_document(macros_written_out(document, dict(macros)), links, language, own).blocks
    return Document((*blocks, *footnotes))


@lru_cache(maxsize=10_000)
def _read_line(text: str) -> tuple[Inline, ...]:
    """The words of a summary, which several READMEs show."""
    return parse_inline(text, AS_SHOWN)


def _divided(inlines: Sequence[Inline], most: int) -> tuple[Sequence[Inline], Sequence[Inline]]:
    """The words up to a width, and the rest: empty if all of it fits or it cannot be divided."""
    end = place_to_end([(part.text if isinstance(part, nodes.Text) else "", _width(part)) for part in inlines], most)
    if not end or not isinstance(words := inlines[end[0]], nodes.Text):
        return inlines, ()
    at, offset = end
    begins, rest = nodes.Text(words.text[:offset].rstrip()), nodes.Text(words.text[offset:].lstrip())
    return (*inlines[:at], begins), tuple(nodes.joined((rest, *inlines[at + 1 :])))


def _width(inline: Inline) -> int:
    total = 0
    for node in inline.walk():
        match node:
            case nodes.Text(words) | nodes.Code(words) | nodes.Formula(words):
                total += width(words)
            case nodes.Reference() | nodes.Citation():
                total += WIDTH_OF_REFERENCE
    return total


_Rows = tuple[list[Note], list[Paper]]


def _by_date(notes: Iterable[Note], papers: Iterable[Paper], size: int) -> list[tuple[str, _Rows]]:
    """Notes and papers by the first characters of their dates, the latest first.

    `size` is 4 for years, 7 for months.
    """
    rows: dict[str, _Rows] = {}
    for note in notes:
        rows.setdefault(str(note.created or note.updated or "")[:size], ([], []))[0].append(note)
    for paper in papers:
        rows.setdefault(paper.date_label[:size], ([], []))[1].append(paper)
    return sorted(rows.items(), reverse=True)


def readme_name(lang: Lang, corpus: Corpus) -> str:
    """`README.md` in the site's first language, `README.<tag>.md` in another."""
    return "README.md" if lang == corpus.site.default_language else f"README.{lang}.md"


def site_readmes(corpus: Corpus, resolver: LinkResolver, sizes: Mapping[NoteId, int]) -> Iterator[Artifact]:
    """The README of the site in each of its languages."""
    for lang in corpus.site.languages:
        path = SITE / readme_name(lang, corpus)
        yield Artifact.text(path, ReadmeWriter(corpus, resolver, sizes, lang, path).site(title=True))


def topic_readmes(
    topic: Topic, corpus: Corpus, resolver: LinkResolver, sizes: Mapping[NoteId, int]
) -> Iterator[Artifact]:
    """The README of a topic in each language of the site, and those of its years if it is large."""
    for lang in corpus.site.languages:
        name = readme_name(lang, corpus)
        path = SITE / topic_path(topic.id).parent / name
        for end, text in ReadmeWriter(corpus, resolver, sizes, lang, path).topic_files(topic):
            yield Artifact.text(path.with_name(name.replace("README", f"README{end}")), text)


Topics = tuple[Topic, ...]
_PAPER = ("arXiv", "PDF", "DOI", "Link")
"""Labels of links to the paper itself, the best one first."""


# What a marked region may hold: a function for each


def write(readme: ReadmeWriter, region: Region, text: str) -> str:
    """The Markdown of a region; `text` is the whole file, for its table of contents."""
    if region.content == "entries" and region.note:
        return entries_of(readme, readme.corpus.note(region.note))
    readme = replace(readme, days=bool(region.topic), order=region.order, folded=region.folded)
    topics = tuple(topic for topic in readme.corpus.topics if region.topic in (None, topic.id))
    return _contents(text, region) if region.content == "contents" else BLOCKS[region.content](readme, topics)


def _all(readme: ReadmeWriter, topics: Topics) -> str:
    if topics == readme.corpus.topics:
        return readme.site(title=False)
    papers = "" if readme.folded else _papers(readme, topics)
    return "\n\n".join([*(readme.topic(topic, level=2 + readme.folded) for topic in topics), papers])


def _notes(readme: ReadmeWriter, topics: Topics) -> str:
    """The tables of notes, with headings if there are several."""
    tables = {topic: readme.note_table(readme.notes_of(topic)) for topic in topics}
    if len(topics) == 1:
        return tables[topics[0]]
    return "\n\n".join(readme.section(readme.topic_title(topic), table, 3) for topic, table in tables.items() if table)


def _paths(readme: ReadmeWriter, topics: Topics) -> str:
    return "\n\n".join(readme.reading_path(path, topic, level=3) for topic in topics for path in topic.reading_paths)


def _papers(readme: ReadmeWriter, topics: Topics) -> str:
    return readme.papers(topics[0]) if len(topics) == 1 else readme.papers_by_topic(topics)


def _list(readme: ReadmeWriter, topics: Topics) -> str:
    """One line for each paper that notes read, and for each note without one, newest first.

    `- [25/10] **Title** [[Paper](..)] [[Code](..)] [[Notes](..)]`, as is usual in lists of papers on GitHub.
    """
    notes = [note for topic in topics for note in readme.notes_of(topic)]
    dated = []
    for key in dict.fromkeys((*note_papers_in(tuple(notes)), *(key for topic in topics for key in topic.papers))):
        paper = readme.corpus.papers[key]
        links = [*paper_links(paper), *(_to_note(readme, note) for note in notes if key in note.papers)]
        dated.append((paper.date_label, line(paper.date_label, paper.label_in_lists, links)))
    for note in notes:
        if not note.papers:
            date = note.created.isoformat() if note.created else ""
            dated.append((date, line(date, note.label_in_lists[readme.lang], [_to_note(readme, note)])))
    dated.sort(key=lambda item: item[0], reverse=True)
    return "\n".join(text for _, text in dated)


def _to_note(readme: ReadmeWriter, note: Note) -> LabelledLink:
    return LabelledLink("Notes", readme.href(note_path(note)))


def _summary(readme: ReadmeWriter, topics: Topics) -> str:
    """All counts in one line."""
    notes = tuple(note for topic in topics for note in readme.notes_of(topic))
    papers, count = len(note_papers_in(notes)), len(topics)
    days = [day for note in notes for day in (note.created, note.updated) if day]
    parts = [
        readme.word("topics", count=count) if count > 1 else "",
        readme.word("notes", count=len(notes)),
        readme.word("papers", count=papers) if papers else "",
        size_of(sum(readme.sizes[note.id] for note in notes)) if notes else "",
        readme.word("up-to", day=max(days)) if days else "",
    ]
    return " · ".join(part for part in parts if part)


def _contents(text: str, region: Region) -> str:
    """The sections of the file itself, each a link to GitHub's anchor of its heading."""
    sections = [heading for heading in headings(text) if heading.level == 2]
    return "\n".join(f"- {link(heading.markdown, f'#{heading.anchor}')}" for heading in sections)


def paper_links(paper: Paper) -> list[LabelledLink]:
    """The best link to the paper itself, then code and all others."""
    own = sorted((item for item in paper.links if item.label in _PAPER), key=lambda item: _PAPER.index(item.label))
    others = [item for item in paper.links if item.label not in _PAPER]
    return [*(LabelledLink("Paper", item.url) for item in own[:1]), *others]


def line(date: str, title: str, links: Iterable[LabelledLink]) -> str:
    """A paper as lists on GitHub have it: `- [25/10] **Title** [[Paper](..)] [[Code](..)]`; `date` is its label."""
    month = f"[{date[2:7].replace('-', '/')}] " if date else ""
    return f"- {month}**{plain(title)}** {' '.join(f'[{link(plain(item.label), item.url)}]' for item in links)}"


def entries_of(readme: ReadmeWriter, note: Note) -> str:
    """A line for each paper of a note that lists papers, in its order, with links to what is written about it.

    `- [25/10] **Title** [[Paper](..)] [[Code](..)] [[TLDR](..)] [[Notes](..)]`
    """
    page = readme.href(note_path(note))
    lines = []
    for entry in note.entries:
        paper = readme.corpus.papers[entry.paper]
        about = map(readme.corpus.note, readme.resolver.readers.get(entry.paper, ()))
        notes = [LabelledLink("Notes", readme.href(note_path(reader))) for reader in about]
        links = [*paper_links(paper), LabelledLink("TLDR", f"{page}#{entry_id(paper)}"), *notes]
        lines.append(line(paper.date_label, paper.title, links))
    return "\n".join(lines)


def entries(readme: ReadmeWriter, topics: Topics) -> str:
    """The papers of the latest note that lists papers."""
    notes = (note for topic in topics for note in readme.corpus.notes_of(topic.id))
    lists = latest_first(note for note in notes if note.entries)
    return entries_of(readme, lists[0]) if lists else ""


def digest(readme: ReadmeWriter, topics: Topics) -> str:
    """The papers of the latest day; then a line for each month, with links to all of its days."""
    notes = (note for topic in topics for note in readme.corpus.notes_of(topic.id))
    days = latest_first(note for note in notes if note.of_day)
    if not days:
        return ""
    title = link(plain(days[0].title[readme.lang]), readme.href(note_path(days[0])))
    count = readme.word("papers", count=len(days[0].entries))
    return "\n\n".join(filter(None, (f"**{title}** · {count}", entries_of(readme, days[0]), readme.months(days))))


BLOCKS: Mapping[Content, Callable[[ReadmeWriter, Topics], str]] = {
    "all": _all,
    "notes": _notes,
    "paths": _paths,
    "papers": _papers,
    "directories": ReadmeWriter.directory_tree,
    "list": _list,
    "recent": ReadmeWriter.recent,
    "summary": _summary,
    "digest": digest,
    "entries": entries,
}
