"""The map: which notes refer to which, drawn and in words; in a large collection by topic, after an overview."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from paper_notes.corpus.model import Lang, Note, NoteId, Topic, TopicId
from paper_notes.render.graphs import HUES, Edge, Node, draw, short_label
from paper_notes.render.links import short_title
from paper_notes.render.list_views import Drawing, MapPage, MapRow
from paper_notes.render.lists.material import Material
from paper_notes.render.parts import Maker
from paper_notes.render.views import Bi
from paper_notes.render.words import counted

ONE_DRAWING = 40
"""Up to so many notes stand in one drawing, with all their names to be read."""


def map_page(material: Material, maker: Maker, title: Bi) -> MapPage:
    """The view of `map.html`."""
    corpus = material.corpus
    edges = references(material)
    hues = {topic.id: number for number, topic in enumerate(corpus.topics)}

    def node(note: Note) -> Node:
        link = maker.note_link(note.id)
        names = [f"{note.label} {short_label(short_title(half))}" for half in (link.title.zh, link.title.en)]
        emoji = f"{link.topic_emoji} " if link.topic_emoji else ""
        wide = Bi(*(emoji + name for name in names))
        return Node(wide, f"{emoji}{note.label}", link.title, link.href, hues[note.topic])

    def notes_drawing(title: Bi, notes: Sequence[Note]) -> Drawing:
        places = {note.id: place for place, note in enumerate(notes)}
        inside = [Edge(places[a], places[b]) for a, b in edges if a in places and b in places]
        return _drawing(title, _counted(len(notes), len(inside)), list(map(node, notes)), inside, corpus.site.languages)

    if len(corpus.notes) <= ONE_DRAWING:
        drawings = [notes_drawing(Bi("笔记之间的引用", "References between notes"), corpus.notes)]
    else:
        drawings = _overview(corpus.topics, corpus.notes, edges, maker)
        for topic in corpus.topics:
            notes = corpus.notes_of(topic.id)
            kept = most_linked([note.id for note in notes], edges)
            drawing = notes_drawing(maker.topic_link(topic, None).title, [note for note in notes if note.id in kept])
            drawings += [replace(drawing, left_out=len(notes) - len(kept))] if kept else []
    about = Bi("哪篇笔记引用了哪篇。", "Which notes refer to which.")
    return MapPage(
        chrome=maker.chrome(title, about, None),
        count=_counted(len(corpus.notes), len(edges)),
        legend=tuple((hues[topic.id] % HUES, _named(topic)) for topic in corpus.topics if corpus.notes_of(topic.id)),
        drawings=tuple(drawings),
        rows=tuple(_rows(corpus.topics, edges, material, maker)),
    )


def references(material: Material) -> list[tuple[NoteId, NoteId]]:
    """From and to, each pair once: references in texts, and corrections."""
    pairs = {(other, note): None for note, others in material.relations.backlinks.items() for other in others}
    for note in material.corpus.notes:
        pairs |= {(note.id, item.note): None for item in note.corrects if item.note != note.id}
    order = {note.id: place for place, note in enumerate(material.corpus.notes)}
    return sorted(pairs, key=lambda pair: (order[pair[0]], order[pair[1]]))


def most_linked(notes: Sequence[NoteId], edges: Iterable[tuple[NoteId, NoteId]]) -> frozenset[NoteId]:
    """Notes for one drawing: those that refer to each other, in groups that hang together, the largest hubs first."""
    near: dict[NoteId, list[NoteId]] = {note: [] for note in notes}
    for one, other in edges:
        if one in near and other in near:
            near[one].append(other)
            near[other].append(one)
    found: dict[NoteId, None] = {}
    for hub in sorted((note for note in notes if near[note]), key=lambda note: -len(near[note])):
        waiting = [hub]
        for note in waiting:
            if note not in found and len(found) < ONE_DRAWING:
                found[note] = None
                waiting += near[note]
    return frozenset(found)


def _named(topic: Topic) -> Bi:
    return Bi(*(f"{topic.emoji} {topic.title[lang]}".strip() for lang in ("zh", "en")))


def _overview(
    topics: Iterable[Topic], notes: Iterable[Note], edges: Iterable[tuple[NoteId, NoteId]], maker: Maker
) -> list[Drawing]:
    """Topics as nodes; an edge is as strong as there are references between their notes. Without any, no drawing."""
    topics = tuple(topics)
    sizes = Counter(note.topic for note in notes)
    topic_of: Mapping[NoteId, TopicId] = {note.id: note.topic for note in notes}
    places = {topic.id: place for place, topic in enumerate(topics)}
    between = Counter((topic_of[a], topic_of[b]) for a, b in edges if topic_of[a] != topic_of[b])
    if not between:
        return []
    nodes = []
    for place, topic in enumerate(topics):
        link = maker.topic_link(topic, None)
        names = [
            f"{topic.emoji} {short_label(topic.title[lang], 30)} · {sizes[topic.id]}".strip() for lang in ("zh", "en")
        ]
        narrow = f"{topic.emoji or short_label(topic.id, 8)} {sizes[topic.id]}"
        nodes.append(Node(Bi(*names), narrow, link.title, link.href, place))
    strong = [Edge(places[a], places[b], number) for (a, b), number in between.items()]
    about = _counted(sum(sizes.values()), between.total())
    return [_drawing(Bi("专题之间", "Between topics"), about, nodes, strong, maker.corpus.site.languages)]


def _drawing(
    title: Bi, about: Bi, nodes: Sequence[Node], edges: Sequence[Edge], languages: tuple[Lang, ...]
) -> Drawing:
    wide, narrow = (draw(nodes, edges, title, about, languages, narrow=narrow) for narrow in (False, True))
    return Drawing(title, about, wide, narrow, 0)


def _counted(notes: int, references: int) -> Bi:
    nodes, edges = counted(notes, "篇笔记", "note"), counted(references, "处引用", "reference")
    return Bi(f"{nodes.zh}，{edges.zh}", f"{nodes.en}, {edges.en}")


def _rows(
    topics: Iterable[Topic], edges: Iterable[tuple[NoteId, NoteId]], material: Material, maker: Maker
) -> Iterator[tuple[Bi, tuple[MapRow, ...]]]:
    to: dict[NoteId, list[NoteId]] = {}
    by: dict[NoteId, list[NoteId]] = {}
    for one, other in edges:
        to.setdefault(one, []).append(other)
        by.setdefault(other, []).append(one)
    for topic in topics:
        rows = tuple(
            MapRow(
                maker.note_link(note.id),
                tuple(map(maker.note_link, to.get(note.id, ()))),
                tuple(map(maker.note_link, by.get(note.id, ()))),
            )
            for note in material.corpus.notes_of(topic.id)
            if note.id in to or note.id in by
        )
        if rows:
            yield _named(topic), rows
