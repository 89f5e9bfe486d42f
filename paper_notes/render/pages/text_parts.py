"""The parts of a text on its page: sections, the terms and the papers that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from markupsafe import Markup

from paper_notes.corpus.model import GlossaryTerm, Lang, Text
from paper_notes.corpus.paper import BibKey
from paper_notes.languages.language import Words
from paper_notes.markdown.body import Body, section_numbers
from paper_notes.markdown.render import without_links
from paper_notes.patterns import regex
from paper_notes.render.labels import cite_label
from paper_notes.render.view_factory import PageContext, PaperView
from paper_notes.values import Struct, replace

_STATS = regex(r'<dl class="stats">.*?</dl>', re.DOTALL)
_ID = regex(r' id="[^"]*"(?=[^<>]*>)')
_LABEL = regex(r"<(d[td])>(.*?)</\1>", re.DOTALL)
Reference = tuple[str, PaperView]
"""A paper of a note's reference list, and the text of the citations that lead here: `Leviathan et al., 2022`."""


class TermView(Struct, frozen=True):
    """A term of the glossary that the note uses."""

    id: str
    """Target of `a.gl` links in the text."""
    names: tuple[tuple[str, str], ...]
    """HTML tag of a language, and the name in it; only one pair if all names are equal."""
    definition: Text | None


class SectionView(Struct, frozen=True):
    """One row of a note: a heading and the text up to the next heading, in the languages that have it.

    The lead (before the first heading) is not a Section.
    """

    id: str
    level: int
    """Heading level: 2 to 4."""
    number: str
    """`2`, `2.1`; empty below level 3."""
    heading: Text
    """HTML without links, so that it can be put inside one."""
    linked_heading: Text
    body: Text
    """HTML, as the headings."""
    aligned: bool
    """True if both languages have the same kinds of blocks in the same order."""


def sections_of(body: Body, context: PageContext) -> tuple[SectionView, ...]:
    """The sections of a note, with their links filled in."""
    sections: list[SectionView] = []
    for section, number in zip(body.sections, section_numbers(body.sections), strict=True):
        halves = [(lang, half, body.halves[lang].slots) for lang, half in section.halves.items()]
        linked = Text(tuple((lang, context.filled(half.heading, slots, lang)) for lang, half, slots in halves))
        heading = linked.map(lambda html: Markup(without_links(html)))
        text = Text(tuple((lang, context.filled(half.html, slots, lang)) for lang, half, slots in halves))
        aligned = agree(half.blocks for half in section.halves.values())
        sections.append(SectionView(section.id, section.level, number, heading, linked, text, aligned))
    return tuple(sections)


def agree(blocks: Iterable[tuple[str, ...]]) -> bool:
    """True if both languages have the same kinds of blocks in the same order."""
    first, *other = [*blocks, ()][:2]
    return bool(first) and other == [first]


def filled_part(body: Body, part: Literal["lead", "footnotes"], context: PageContext) -> Text:
    """The lead or footnotes of a note, in the languages in which they are not empty."""
    halves = ((lang, half, getattr(half, part)) for lang, half in body.halves.items())
    filled = {lang: context.filled(html, half.slots, lang) for lang, half, html in halves if html.strip()}
    return _with_both_labels(filled, context.words) if part == "lead" else Text(tuple(filled.items()))


def _with_both_labels(parts: Mapping[Lang, Markup], words: Words) -> Text:
    """The halves of a lead; the headline numbers of the first have the labels of the second with them, for a phone."""
    if len(parts) == 2:
        (first, html), (second, other) = parts.items()
        theirs = [_LABEL.findall(stats) for stats in _STATS.findall(other)]
        if [len(_LABEL.findall(stats)) for stats in _STATS.findall(html)] == [len(labels) for labels in theirs]:
            too = f'<span class="too" lang="{words[second].html}">'
            labels = (label for stats in theirs for label in stats)

            def both(own: re.Match[str]) -> str:
                _, label = next(labels)
                same = Markup(label).striptags() == Markup(own[2]).striptags()
                return own[0] if same else f"<{own[1]}>{own[2]}{too}{_ID.sub('', label)}</span></{own[1]}>"

            html = Markup(_STATS.sub(lambda stats: _LABEL.sub(both, stats[0]), html))
            return Text(((first, html), (second, other)))
    return Text(tuple(parts.items()))


def term_views(body: Body, context: PageContext) -> tuple[TermView, ...]:
    """The terms that the note uses in any language, in the order of the glossary."""
    used = {term for half in body.halves.values() for term in half.terms}
    terms = [term for term in context.corpus.terms if term.id in used]
    terms.sort(key=lambda term: term.name[context.sorting].casefold())
    # what is wrong with a definition is reported by the glossary's page, and it means the same notes as there
    quiet = replace(context.of_topic(context.corpus.topic_of_glossary), report=lambda _: None)
    return tuple(
        TermView(term.id, term_names(term, context.words), quiet.snippet(term.definition, term.location, inline=True))
        for term in terms
    )


def term_names(term: GlossaryTerm, words: Words) -> tuple[tuple[str, str], ...]:
    """The names of a term, each with the HTML tag of its language; equal names once, with the last language."""
    tags = {name: words[lang].html for lang, name in term.name.parts}
    return tuple((tag, name) for name, tag in tags.items())


def reference_views(body: Body, context: PageContext) -> tuple[Reference, ...]:
    """The papers that the text cites or shows parts of, in the order of their labels."""
    papers = context.corpus.papers
    slots = [slot for half in body.halves.values() for slot in half.slots]
    keys = [slot.target for slot in slots if slot.kind == "cite"]
    crops = [context.resolver.crops.find(slot.target) for slot in slots if slot.kind == "crop"]
    keys += [crop.paper.key for crop in crops if crop]
    cited = [papers[BibKey(key)] for key in dict.fromkeys(keys) if key in papers]
    cited.sort(key=lambda paper: (cite_label(paper).casefold(), paper.key))
    return tuple((cite_label(paper), context.paper(paper)) for paper in cited)
