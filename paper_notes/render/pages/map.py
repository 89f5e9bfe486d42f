"""The map: which notes refer to which, drawn and in words; in a large collection by topic, after an overview.

One that is larger still has the topics on its map, and a map for each of them.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from markupsafe import Markup

from paper_notes.corpus.model import Note, NoteId, Text, Topic
from paper_notes.languages.language import Words
from paper_notes.render.graphs import WIDTH, Layout, arrange, drawn, highlights, hues
from paper_notes.render.labels import joined
from paper_notes.render.links import list_path
from paper_notes.render.pages.collection import CollectionContext, CollectionPage, ListPart
from paper_notes.render.view_factory import NoteLink, PageContext, PageFrame, TopicLink, emoji_title
from paper_notes.values import Struct, replace

ONE_DRAWING = 40
"""Notes in one drawing at most, so that all names are legible."""
COLUMNS = 4
"""Columns at most, so that they fit on a tablet."""
LARGE = 200
"""A collection with more notes has a map for each topic: one of all would be a page of megabytes."""
MOST_LINES = 24
"""Lines between topics at most, those of the most references; the table has all."""
MOST_ROWS = 1000
"""Notes of a topic in words at most, those with the most references, where each topic has a map."""
HUBS = 8
"""Notes that are named beside a topic, those most referred to."""
HIGH = 16
"""Rows of a column: a topic with more continues in the next one."""
Reference = tuple[NoteId, NoteId]


class GraphNode(Struct, frozen=True):
    """A note on the map."""

    number: int
    """Index in the drawing: its CSS class is `n4`; each box and line that touches it has the class `t4`."""
    link: NoteLink
    near: tuple[int, ...]
    """The numbers of the notes that it refers to or is referred to by, and its own."""
    to: int
    by: int
    """`to` is the number of notes that it refers to, `by` of those that refer to it, in the whole collection."""


class GraphGroup(Struct, frozen=True):
    """Notes of a topic below each other in a column of the map. A topic can continue in the next column."""

    topic: TopicLink | None
    """The heading; None if the whole drawing is of one topic."""
    goes_on: bool
    """True if it is not the first group of its topic."""
    hue: int
    nodes: tuple[GraphNode, ...]


class Drawing(Struct, frozen=True):
    """A part of the map: columns of notes, and the lines between them."""

    title: Text | None
    """None if there is only one drawing."""
    about: Text
    tracks: str
    """Columns of the CSS grid, including those between boxes."""
    height: float
    """Height of the lines in rem."""
    columns: tuple[tuple[GraphGroup, ...], ...]
    lines: Markup
    boxes: int
    """Number of notes that are drawn."""
    left_out: int
    """Number of others, as they have the fewest references."""


class Matrix(Struct, frozen=True):
    """References between topics: a row for those that refer, a column for those that are referred to."""

    topics: tuple[TopicLink, ...]
    rows: tuple[tuple[tuple[int, int | None], ...], ...]
    """How often, and a level: 0 for never, to 4 for the most; None for a topic's references to itself."""


MapRow = tuple[NoteLink, tuple[NoteLink, ...], tuple[NoteLink, ...]]
"""A note, those that it refers to, and those that refer to it: the map in words."""


class TopicRow(Struct, frozen=True):
    """A topic on the map of topics."""

    link: TopicLink
    about: Text
    hubs: tuple[NoteLink, ...]


class MapPage(Struct, frozen=True):
    """`map.html`."""

    chrome: PageFrame
    count: Text
    overview: Matrix | None
    """Only in a large collection whose notes refer to other topics."""
    drawings: tuple[Drawing, ...]
    highlights: Markup
    """Styles for the box under the pointer; see `highlights`."""
    rows: tuple[tuple[Text, tuple[MapRow, ...]], ...] = ()
    """Rows by the title of their topic."""
    topics: tuple[TopicRow, ...] = ()
    """Instead of them where each topic has a map."""
    left_out: int = 0
    """Number of notes that have no row, as they have the fewest references."""

    @property
    def find(self) -> bool:
        """Whether notes can be found by words: where there are more than one sees at a glance."""
        return sum(len(rows) for _, rows in self.rows) > ONE_DRAWING


class Group(Struct, frozen=True):
    """Notes of a topic below each other in a column; `part` counts the groups of a topic from 0."""

    topic: Topic
    notes: tuple[Note, ...]
    part: int = 0


def map_page(collection: CollectionContext, context: PageContext, large: int = LARGE) -> MapPage:
    """The view of `map.html`."""
    corpus = collection.corpus.without_days
    collection, context = replace(collection, corpus=corpus), replace(context, corpus=corpus)
    edges = references(collection)
    with_notes = [topic for topic in corpus.topics if corpus.notes_of(topic.id)]
    by_topic = len(corpus.notes) > ONE_DRAWING
    artist = _Artist(context, edges)
    topics: tuple[TopicRow, ...] = ()
    rows: tuple[tuple[Text, tuple[MapRow, ...]], ...] = ()
    if len(corpus.notes) > large:
        drawings: tuple[Drawing, ...] = tuple(filter(None, [artist.topics(with_notes)]))
        topics = tuple(_topic_row(topic, edges, context) for topic in with_notes)
    else:
        rows = tuple(_rows(corpus.topics, edges, collection, context))
        if by_topic:
            drawings = tuple(filter(None, map(artist.topic, with_notes)))
        else:
            groups = [Group(topic, corpus.notes_of(topic.id)) for topic in with_notes]
            drawings = (artist.draw(None, packed(groups)),)
    return MapPage(
        chrome=context.list_frame("map"),
        count=_counted(len(corpus.notes), len(edges), context.words),
        overview=_overview(with_notes, edges, context, to_maps=bool(topics)) if by_topic else None,
        drawings=drawings,
        highlights=highlights(max((drawing.boxes for drawing in drawings), default=0)),
        rows=rows,
        topics=topics,
    )


def map_parts(collection: CollectionContext, large: int = LARGE) -> Mapping[str, ListPart]:
    """A map for each topic of a collection that is too large for one of all notes."""
    corpus = collection.corpus.without_days
    if len(corpus.notes) <= large:
        return {}
    edges = references(collection)

    def part(topic: Topic) -> ListPart:
        inside = [(a, b) for a, b in edges if topic.id in (corpus.note(a).topic, corpus.note(b).topic)]
        own = (note.id for note in corpus.notes_of(topic.id))
        notes = dict.fromkeys((*own, *(note for edge in inside for note in edge)))
        return ListPart(partial(_topic_map, topic, inside), tuple(notes), facts=inside)

    return {topic.id: part(topic) for topic in corpus.topics if corpus.notes_of(topic.id)}


def _topic_map(
    topic: Topic, inside: Sequence[Reference], collection: CollectionContext, context: PageContext
) -> MapPage:
    """The view of `map-agents.html`: the notes of one topic, with all that they refer to and are referred to by."""
    corpus = collection.corpus.without_days
    collection, context = replace(collection, corpus=corpus), replace(context, corpus=corpus)
    drawing = _Artist(context, inside).topic(topic)
    rows = [row for _, rows in _rows((topic,), inside, collection, context) for row in rows]
    kept = {id(row) for row in sorted(rows, key=lambda row: -len(row[1]) - len(row[2]))[:MOST_ROWS]}
    return MapPage(
        chrome=context.list_frame("map", emoji_title(topic)),
        count=_counted(len(corpus.notes_of(topic.id)), len(inside), context.words),
        overview=None,
        drawings=(replace(drawing, title=None),) if drawing else (),
        highlights=highlights(drawing.boxes if drawing else 0),
        rows=((emoji_title(topic), tuple(row for row in rows if id(row) in kept)),),
        left_out=len(corpus.notes_of(topic.id)) - len(kept),
    )


def _topic_row(topic: Topic, edges: Iterable[Reference], context: PageContext) -> TopicRow:
    notes = context.corpus.notes_of(topic.id)
    inside = {note.id for note in notes}
    referred = Counter(b for _, b in edges if b in inside)
    about = _counted(len(notes), sum(referred.values()), context.words)
    hubs = tuple(context.note_link(note, topic.id) for note, _ in referred.most_common(HUBS))
    return TopicRow(_to_map(topic, context), about, hubs)


def _to_map(topic: Topic, context: PageContext) -> TopicLink:
    return replace(context.topic_link(topic, None), href=context.href(list_path("map", topic.id)))


class _Artist:
    """Makes the drawings of one collection."""

    def __init__(self, context: PageContext, edges: Sequence[Reference]) -> None:
        self._context, self._edges = context, edges
        topics = context.corpus.topics
        of_signs = hues([topic.emoji for topic in topics])
        self._hues = {topic.id: hue for topic, hue in zip(topics, of_signs, strict=True)}
        self._to, self._by = Counter(a for a, _ in edges), Counter(b for _, b in edges)

    def topic(self, topic: Topic) -> Drawing | None:
        """The notes of one topic that are most linked, column by column; None if they do not refer to each other."""
        every = self._context.corpus.notes_of(topic.id)
        linked = most_linked([note.id for note in every], self._edges)
        notes = tuple(note for note in every if note.id in linked)
        if not notes:
            return None
        columns = min(COLUMNS, math.ceil(math.sqrt(len(notes))))
        title = self._context.topic_link(topic, None).title
        drawing = self.draw(title, [[group] for group in _divided(Group(topic, notes), columns)])
        return replace(drawing, left_out=len(every) - len(notes))

    def topics(self, topics: Sequence[Topic]) -> Drawing | None:
        """The topics, each a box that leads to its map, and how often notes of one refer to those of another."""
        numbers = {topic.id: number for number, topic in enumerate(topics)}
        topic_of = {note.id: numbers[note.topic] for note in self._context.corpus.notes}
        counts = Counter((topic_of[a], topic_of[b]) for a, b in self._edges if topic_of[a] != topic_of[b])
        pairs = Counter[tuple[int, int]]()
        for (a, b), count in counts.items():
            pairs[min(a, b), max(a, b)] += count
        if not pairs:
            return None
        lines = dict(pairs.most_common(MOST_LINES))
        edges = [(a, b) for a, b in counts if (min(a, b), max(a, b)) in lines]
        most = max(lines.values())
        widths = {(a, b): math.ceil(4 * lines[min(a, b), max(a, b)] / most) for a, b in edges}
        high = math.ceil(len(topics) / min(COLUMNS, math.ceil(math.sqrt(len(topics)))))
        columns = [range(start, min(start + high, len(topics))) for start in range(0, len(topics), high)]
        layout = arrange(columns, edges)
        of_topics = [self._hues[topic.id] for topic in topics]

        def box(number: int) -> GraphGroup:
            topic = topics[number]
            link, count = _to_map(topic, self._context), len(self._context.corpus.notes_of(topic.id))
            name = link.title.map(lambda title: f"{title} · {count}")
            near = {number, *(other for edge in edges if number in edge for other in edge)}
            to, by = (sum(n for edge, n in counts.items() if edge[end] == number) for end in (0, 1))
            shown = NoteLink(link.emoji, Text(), name, link.title, link.href)
            return GraphGroup(None, False, of_topics[number], (GraphNode(number, shown, tuple(sorted(near)), to, by),))

        groups = tuple(tuple(map(box, column)) for column in columns)
        about = _counted(len(self._context.corpus.notes), sum(counts.values()), self._context.words)
        return _drawing(None, about, groups, layout, drawn(layout, of_topics, widths))

    def draw(self, title: Text | None, columns: Sequence[Sequence[Group]]) -> Drawing:
        """These groups of notes in columns; with headings if the drawing has no title."""
        notes = [note for column in columns for group in column for note in group.notes]
        places = {note.id: index for index, note in enumerate(notes)}
        inside = [(places[a], places[b]) for a, b in self._edges if a in places and b in places]
        headings = [None] if title is None else []
        rows = [
            [row for group in column for row in (*headings, *(places[n.id] for n in group.notes))] for column in columns
        ]
        layout = arrange(rows, inside)
        near: dict[int, set[int]] = {index: {index} for index in range(len(notes))}
        for left, other in inside:
            near[left].add(other)
            near[other].add(left)

        def node(note: Note) -> GraphNode:
            index, link = places[note.id], self._context.note_link(note.id)
            return GraphNode(index, link, tuple(sorted(near[index])), self._to[note.id], self._by[note.id])

        def shown(group: Group) -> GraphGroup:
            heading = self._context.topic_link(group.topic, None) if title is None else None
            return GraphGroup(heading, group.part > 0, self._hues[group.topic.id], tuple(map(node, group.notes)))

        groups = tuple(tuple(map(shown, column)) for column in columns)
        about = _counted(len(notes), len(inside), self._context.words)
        return _drawing(title, about, groups, layout, drawn(layout, [self._hues[note.topic] for note in notes]))


def _drawing(
    title: Text | None, about: Text, columns: tuple[tuple[GraphGroup, ...], ...], layout: Layout, lines: Markup
) -> Drawing:
    boxes = sum(len(group.nodes) for column in columns for group in column)
    return Drawing(title, about, _tracks(layout.columns), layout.height / 16, columns, lines, boxes, left_out=0)


def packed(groups: Sequence[Group]) -> list[list[Group]]:
    """Groups arranged in columns so that the drawing is as low as possible; groups that are too high are divided."""
    total = sum(len(group.notes) + 1 for group in groups)
    highest = max(HIGH, math.ceil(total / COLUMNS)) - 1
    parts = [part for group in groups for part in _divided(group, math.ceil(len(group.notes) / highest))]
    return next(
        columns
        for rows in range(1, total + len(parts) + 1)
        if (columns := _filled(parts, rows)) and len(columns) <= COLUMNS
    )


def _divided(group: Group, count: int) -> list[Group]:
    """A group divided into `count` parts of equal height; the last may be lower."""
    size = math.ceil(len(group.notes) / count)
    starts = range(0, len(group.notes), size)
    return [Group(group.topic, group.notes[start : start + size], part) for part, start in enumerate(starts)]


def _filled(groups: Sequence[Group], rows: int) -> list[list[Group]]:
    """Columns of at most `rows` rows, each filled before the next; empty if a group has more rows."""
    columns: list[list[Group]] = []
    left = 0
    for group in groups:
        needed = len(group.notes) + 1
        if needed > rows:
            return []
        if needed > left:
            columns.append([])
            left = rows
        columns[-1].append(group)
        left -= needed
    return columns


def _tracks(columns: Sequence[tuple[float, float]]) -> str:
    """Tracks of a CSS grid: each column after the space to its left, and at last the space to the right."""
    edges = [0.0, *(edge for column in columns for edge in column), float(WIDTH)]
    return " ".join(f"minmax(0,{edge - before:g}fr)" for before, edge in itertools.pairwise(edges))


def references(collection: CollectionContext) -> list[Reference]:
    """References in texts, and corrections, as pairs of source and target, each pair once."""
    pairs = {(other, note): None for note, others in collection.relations.backlinks.items() for other in others}
    for note in collection.corpus.notes:
        pairs |= {(note.id, item.note): None for item in note.corrects if item.note != note.id}
    order = {note.id: index for index, note in enumerate(collection.corpus.without_days.notes)}
    pairs = {pair: None for pair in pairs if order.keys() >= set(pair)}
    return sorted(pairs, key=lambda pair: (order[pair[0]], order[pair[1]]))


def most_linked(notes: Sequence[NoteId], edges: Iterable[tuple[NoteId, NoteId]]) -> frozenset[NoteId]:
    """Notes for one drawing: notes that refer to each other, in connected groups, those of the largest hubs first."""
    near: dict[NoteId, list[NoteId]] = {note: [] for note in notes}
    for left, other in edges:
        if left in near and other in near:
            near[left].append(other)
            near[other].append(left)
    chosen: dict[NoteId, None] = {}
    for hub in sorted((note for note in notes if near[note]), key=lambda note: -len(near[note])):
        waiting = [hub]
        for note in waiting:
            if note not in chosen and len(chosen) < ONE_DRAWING:
                chosen[note] = None
                waiting += near[note]
    return frozenset(chosen)


def _overview(
    topics: Sequence[Topic], edges: Iterable[Reference], context: PageContext, *, to_maps: bool
) -> Matrix | None:
    """How often notes of each topic refer to those of each; None if no note refers to another topic.

    The names lead to the topics, or `to_maps` of them.
    """
    topic_of = {note.id: note.topic for note in context.corpus.notes}
    counts = Counter((topic_of[a], topic_of[b]) for a, b in edges)
    if all(a == b for a, b in counts):
        return None
    most = max(count for (a, b), count in counts.items() if a != b)

    def cell(row: Topic, column: Topic) -> tuple[int, int | None]:
        count = counts[row.id, column.id]
        return count, None if row == column else math.ceil(4 * count / most)

    return Matrix(
        tuple(_to_map(topic, context) if to_maps else context.topic_link(topic, None) for topic in topics),
        tuple(tuple(cell(row, column) for column in topics) for row in topics),
    )


def _counted(notes: int, references: int, words: Words) -> Text:
    return joined(words, words("count.notes-named", count=notes), words("count.references", count=references))


def _rows(
    topics: Iterable[Topic], edges: Iterable[tuple[NoteId, NoteId]], collection: CollectionContext, context: PageContext
) -> Iterator[tuple[Text, tuple[MapRow, ...]]]:
    """The rows of each topic; links to notes of the same topic show no topic."""
    to: dict[NoteId, list[NoteId]] = {}
    by: dict[NoteId, list[NoteId]] = {}
    for left, other in edges:
        to.setdefault(left, []).append(other)
        by.setdefault(other, []).append(left)
    for topic in topics:
        link = partial(context.note_link, within=topic.id)
        rows = tuple(
            (link(note.id), tuple(map(link, to.get(note.id, ()))), tuple(map(link, by.get(note.id, ()))))
            for note in collection.corpus.notes_of(topic.id)
            if note.id in to or note.id in by
        )
        if rows:
            yield emoji_title(topic), rows


PAGE = CollectionPage("map", lambda collection: bool(references(collection)), map_page, parts=map_parts)
