"""A note's Markdown to its Body: the first step of rendering, which needs nothing but the note's own files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from urllib.parse import unquote

from markdown_it.token import Token

from paper_notes.corpus.model import GlossaryTerm, Lang, Note, NoteText
from paper_notes.diagnostics import Diagnostic, Location, naming
from paper_notes.extensions import brought
from paper_notes.languages.language import BUILT_IN_WORDS, Words
from paper_notes.markdown.body import (
    SLOT,
    Body,
    Half,
    NumberSource,
    SectionHalf,
    no_such_number,
    section_names,
    section_numbers,
)
from paper_notes.markdown.context import Context, closing
from paper_notes.markdown.figures.images import WIDE, lone_wide
from paper_notes.markdown.parser import ParsedText, parse_note
from paper_notes.markdown.sections import RawSection, digest, is_reserved, pair, usual_id
from paper_notes.markdown.syntax.cjk import count
from paper_notes.markdown.syntax.definitions import report_unused
from paper_notes.markdown.translations import check_translations, outdated, unread
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape
from paper_notes.values import replace

_LINK = regex(r"</?a\b[^>]*>")
_TAG = regex(r"<[^>]*>")
_TAG_NAME = regex(r"<[a-z][^\s>]*", re.IGNORECASE)
_TLDR = regex(
    r'<section class="tldr"[^>]*><p class="tldr-label">.*?</p><p>(?:<strong>[^<]*</strong>[:：]\s*)?(.*?)</p>'
)
_SENTENCE = regex(r".*?(?:[。！？]+[”’」』）]*|[.!?]+[”’\"')]*(?=\s|$))")
_LONGEST = 400
"""Characters of a sentence that is shown on a card."""
_IN_PAGE = regex(r'<a href="#([^"]+)">')

_SWALLOW = frozenset({"unclosed-component", "unclosed-fence"})
"""Mistakes behind which a text has no sections any more: that they differ from those of the other language follows."""


def render_body(
    note: Note,
    terms: tuple[GlossaryTerm, ...] = (),
    words: Words = BUILT_IN_WORDS,
    mistakes: tuple[Diagnostic, ...] = (),
) -> Body:
    """All languages of a note, sections paired, with slots for references and the diagnostics of its text.

    The first use of each of the `terms` becomes a link to its id. `words` are what we add in the language of a text.
    The text is marked where it has one of these `mistakes`.
    """
    contexts: dict[Lang, Context] = {}
    halves: dict[Lang, Half] = {}
    raw: dict[Lang, tuple[RawSection, ...]] = {}
    marked: set[int] = set()
    for text in note.texts:
        own = tuple(((number, number in marked), line) for number, line in _marks(text, note, mistakes))
        marked |= {number for (number, _), _ in own}
        with naming(text.path):
            parsed = parse_note(text, words, files=note.files, terms=terms, marked=bool(mistakes), mistakes=own)
            contexts[text.lang] = parsed.context
            parsed.context.papers = note.papers
            halves[text.lang], raw[text.lang] = _render_text(parsed)
    paired, differences = pair(raw, words)
    written = (
        replace(section, halves={lang: half for lang, half in section.halves.items() if not half.unwritten})
        for section in paired
    )
    sections = tuple(section for section in written if section.halves)
    names = section_names([section.id for section in sections], section_numbers(sections))
    for context in contexts.values():
        _check_ids(context, {section.id for section in sections}, names)
    problems = [problem for context in contexts.values() for problem in context.problems]
    problems += lone_wide(note.files)
    body = _with_sources(_with_block_links(Body(halves, sections, ()), contexts, names))
    if not any(problem.rule in _SWALLOW for problem in problems):
        problems += (*differences, *check_translations(note, body))
    return replace(
        body,
        diagnostics=tuple(problems),
        outdated=tuple(stale.section for stale in outdated(note, body)),
        unread=unread(note, body),
    )


def _marks(text: NoteText, note: Note, mistakes: Iterable[Diagnostic]) -> Iterator[tuple[int, int]]:
    """The number of each mistake that is in this text, or in a figure that it shows, and the line where."""
    names = {source.path: name for name, source in note.files.items()}
    for number, mistake in enumerate(mistakes):
        if mistake.location.path == text.path:
            yield number, mistake.location.line - text.first_line
        elif name := names.get(mistake.location.path, "").replace(WIDE, ".svg"):
            lines = (line for line, words in enumerate(text.text.split("\n")) if name in unquote(words))
            yield from ((number, line) for line in islice(lines, 1))


def _with_sources(body: Body) -> Body:
    """The body with one list of sources: what numbers of both languages come from is listed once."""
    places: dict[NumberSource, int] = {}
    halves = {}
    for lang, half in body.halves.items():
        here: list[int] = []  # operands come before the sums that name them
        for source in half.sources:
            source = replace(source, operands=tuple(here[place] for place in source.operands))
            here.append(places.setdefault(source, len(places)))
        slots = (
            replace(slot, target=str(here[int(slot.target)])) if slot.kind == "number" else slot for slot in half.slots
        )
        halves[lang] = replace(half, slots=tuple(slots)) if half.sources else half
    return replace(body, halves=halves, sources=tuple(places))


def _render_text(parsed: ParsedText) -> tuple[Half, tuple[RawSection, ...]]:
    tokens, context, html = [*parsed.tokens], parsed.context, parsed.html
    for transform in (with_marks, *brought("transforms")):
        tokens = transform(tokens, context)
    report_unused(context, parsed.env)
    notes_at = next((at for at, token in enumerate(tokens) if token.type == "footnote_block_open"), len(tokens))
    tokens, footnote_tokens = tokens[:notes_at], tokens[notes_at:]
    cuts = [place for place, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    before = tokens[: cuts[0]] if cuts else tokens
    lead = html(before)
    lines = [(tokens[place].map or [0])[0] for place in cuts]
    lead_digest = digest(context.lines[: lines[0]] if lines else context.lines)
    sections: list[RawSection] = []
    taken: dict[str, Location] = {}
    above = 1
    ranges = [*zip(pairwise([*cuts, len(tokens)]), pairwise([*lines, len(context.lines)]), strict=True)]
    for (start, end), (line, next_line) in ranges:
        opening, inline = tokens[start], tokens[start + 1]
        where = context.locate(line)
        heading = html([inline]).strip()
        title = unescape(SLOT.sub("", _TAG.sub("", heading))).strip()
        section_id = _section_id(context, opening, title, taken, where)
        level = int(opening.tag[1])
        _check_heading(context, inline, title, (above, level), where)
        above = level
        context.counters["step"] = 0
        source = digest(context.lines[line:next_line])
        inside = tokens[start + 3 : end]
        half = SectionHalf(heading, html(inside), source, where, _blocks(inside), line in context.unwritten)
        number = opening.meta.get("number")
        sections.append(RawSection(section_id, min(max(level, 2), 4), title, half, number))
    footnotes = html(footnote_tokens)
    cut = [range(start, end) for (start, end), (line, _) in ranges if line in context.unwritten]
    words_count, characters = _count([token for at, token in enumerate(tokens) if not any(at in part for part in cut)])
    terms_used = tuple(context.terms_used)
    whole = Half(
        lead,
        footnotes,
        tuple(context.slots),
        words_count,
        characters,
        terms_used,
        lead_digest,
        _blocks(before),
        prompts=context.prompts,
        ids=tuple(context.block_ids),
        sources=tuple(context.sources),
        gist=_gist(lead),
    )
    return whole, tuple(sections)


def _gist(lead: str) -> str:
    """The first sentence of the card that the text begins with, without the label in bold before it.

    None of what would not read as plain words: a formula, or a reference, whose words only the corpus knows.
    """
    card = _TLDR.match(lead)
    if card is None:
        return ""
    sentence = _SENTENCE.match(card[1].replace("\n", " "))
    html = sentence[0] if sentence else card[1]
    text = unescape(_TAG.sub("", html)).strip()
    return "" if "<math" in html or SLOT.search(html) or len(text) > _LONGEST else text[:1].upper() + text[1:]


def _blocks(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The kinds of the top-level blocks: one name for each element of the rendered HTML."""
    names: list[str] = []
    for token in tokens:
        if token.type == "html_block":
            names += _TAG_NAME.findall(token.content)
        elif token.level == 0 and token.nesting >= 0:
            names.append(token.info if token.type == "component_open" else token.tag or token.type)
    return tuple(names)


def _section_id(context: Context, opening: Token, words: str, taken: dict[str, Location], where: Location) -> str:
    """The id that a heading names, or its usual one; empty if it has none or the id is taken."""
    section_id = str(opening.meta.get("id") or usual_id(words, context.languages))
    if section_id in taken:
        if "id" in opening.meta:
            message = f'the id "{section_id}" is already taken on line {taken[section_id].line}'
            context.report(where, "duplicate-id", message, "choose another one")
        return ""
    if is_reserved(section_id, context.tags):
        message = f'the id "{section_id}" belongs to the page itself'
        context.report(where, "duplicate-id", message, "choose another one")
        return ""
    if section_id:
        taken[section_id] = where
    return section_id


def _check_heading(context: Context, inline: Token, words: str, levels: tuple[int, int], where: Location) -> None:
    """Report what is wrong with a heading; `levels` are those of the heading above and its own."""
    above, level = levels
    if not words:
        context.report(where, "empty-heading", "a heading without words", "write its title, or delete it")
    if any(child.type == "footnote_ref" for child in inline.children or []):
        hint = "put it into the text below: headings are repeated in the table of contents"
        context.report(where, "footnote-in-heading", "a heading cannot have a footnote", hint)
    if not 2 <= level <= 4:
        hint = "the title comes from note.yaml; sections start with ##" if level == 1 else "use ## to ####"
        context.report(where, "heading-level", f"a heading of level {level} in a note", hint)
    elif level > above + 1:
        message = f"a heading of level {level} follows one of level {above}"
        context.report(where, "heading-level", message, f"use {'#' * (above + 1)}", "warning")


def without_links(html: str) -> str:
    """The HTML without its links, for use inside of a link."""
    return _LINK.sub("", html)


def _count(tokens: Sequence[Token]) -> tuple[int, int]:
    """Words and characters of running text, as in `Half` (formulas and inline code count as a word each)."""
    words = characters = 0
    for block in tokens:
        for token in block.children or []:
            if token.type == "text":
                more_words, more_characters = count(token.content)
                words, characters = words + more_words, characters + more_characters
            elif token.type.startswith("math") or token.type == "code_inline":
                words += 1
    return words, characters


def _check_ids(context: Context, sections: set[str], names: Mapping[str, str]) -> None:
    """Report ids of blocks that a section or the page already has, and links in the note that lead nowhere."""
    for block, where in context.block_ids.items():
        full = f"{block}-{context.lang}"
        reserved = is_reserved(full, context.tags)
        if {block, full} & sections or reserved:
            owner = "the page itself" if reserved else "a section"
            context.report(where, "duplicate-id", f'the id "{block}" belongs to {owner}', "choose another one")
    known = sections | set(context.block_ids)
    for anchor, where, numbered in context.anchors:
        if names.get(anchor):
            continue
        if anchor.startswith("§"):
            context.report(where, "unknown-anchor", *no_such_number("", anchor, names))
        elif numbered and anchor in known and anchor not in context.equations:
            message = f'"{anchor}" is no formula, so it has no number'
            context.report(where, "unknown-anchor", message, f"write [words](#{anchor})", "warning")
        elif anchor not in known:
            message = f'this note has no section or block "#{anchor}"'
            context.report(where, "unknown-anchor", message, context.suggestions.did_you_mean(anchor, known))


def _with_block_links(body: Body, contexts: Mapping[Lang, Context], names: Mapping[str, str]) -> Body:
    """The body whose links to blocks (figures, formulas) lead to the block in their own language.

    Those to numbers of sections, `§3.2`, lead to the section.
    """

    def linked(html: str, lang: Lang) -> str:
        blocks = contexts[lang].block_ids
        if not blocks and "#§" not in html:
            return html

        def own(match: re.Match[str]) -> str:
            anchor = f"{match[1]}-{lang}" if match[1] in blocks else names.get(match[1]) or match[1]
            return f'<a href="#{anchor}">'

        return _IN_PAGE.sub(own, html)

    sections = tuple(
        replace(
            section,
            halves={
                lang: replace(half, heading=linked(half.heading, lang), html=linked(half.html, lang))
                for lang, half in section.halves.items()
            },
        )
        for section in body.sections
    )
    halves = {
        lang: replace(half, lead=linked(half.lead, lang), footnotes=linked(half.footnotes, lang))
        for lang, half in body.halves.items()
    }
    return Body(halves, sections, body.diagnostics)


_AROUND = frozenset({"bullet_list_open", "ordered_list_open", "blockquote_open"})
"""Blocks whose blocks inside may have marks of their own. What a component does with its blocks is its own affair."""
_ITEMS = frozenset({"list_item_open", "footnote_block_open", "footnote_open"})
"""Blocks that only hold others: no mark can be between them."""


def with_marks(tokens: list[Token], context: Context) -> list[Token]:
    """The blocks of a text, with one of type `mistake` after the innermost block that has each mistake."""
    if not context.mistakes:
        return tokens
    blocks = list(_markable(tokens, 0, len(tokens)))
    marks: dict[int, list[tuple[int, bool]]] = {}
    for mark, line in context.mistakes:
        around = [end for first, last, end in blocks if first <= line < last]
        above = [end for first, _, end in blocks if first <= line]
        marks.setdefault((around or above or [-1])[-1], []).append(mark)
    marked = [_mark(mark, 0) for mark in marks.get(-1, ())]
    for place, token in enumerate(tokens):
        marked += [token, *(_mark(mark, token.level) for mark in marks.get(place, ()))]
    return marked


def _mark(mark: tuple[int, bool], level: int) -> Token:
    return Token("mistake", "", 0, level=level, block=True, meta={"mark": mark})


def _markable(tokens: Sequence[Token], start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """First line, line after the last, and last token of each block that a mark may follow; outer ones first."""
    while start < end:
        token, close = tokens[start], closing(tokens, start)
        if token.map and token.type not in _ITEMS:
            yield token.map[0], token.map[1], close
        if token.type in _AROUND or token.type in _ITEMS:
            yield from _markable(tokens, start + 1, close)
        start = close + 1
