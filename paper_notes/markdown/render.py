"""A note's Markdown to its Body: the first step of rendering, which needs nothing but the note's own files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from markdown_it.token import Token

from paper_notes.corpus.model import Lang, Note, NoteId, NoteText
from paper_notes.diagnostics import Diagnostic, Location, did_you_mean
from paper_notes.markdown.body import Body, BodySection, Half, SectionHalf, Snippet
from paper_notes.markdown.cjk import is_cjk
from paper_notes.markdown.context import Context
from paper_notes.markdown.parser import parser
from paper_notes.markdown.sanitise import sanitise
from paper_notes.markdown.sections import RESERVED, RawSection, pair, usual_id

_LINK = re.compile(r"</?a\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")
_LOST_MATH = re.compile(r"\$[^$\n]*\\[A-Za-z]+[^$\n]*\$")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_IN_PAGE = re.compile(r'<a href="#([^"]+)">')


def render_bodies(notes: Iterable[Note]) -> tuple[Mapping[NoteId, Body], tuple[Diagnostic, ...]]:
    """The bodies of all notes, and all that is wrong in their texts."""
    bodies = {note.id: render_body(note) for note in notes}
    return bodies, tuple(problem for body in bodies.values() for problem in body.diagnostics)


def render_body(note: Note) -> Body:
    """Both languages of a note, sections paired, with slots for references and the diagnostics of its text."""
    contexts: dict[Lang, Context] = {}
    halves: dict[Lang, Half] = {}
    raw: dict[Lang, tuple[RawSection, ...]] = {}
    for text in note.texts:
        context = Context(text, note.files, text.text.split("\n"))
        contexts[text.lang] = context
        halves[text.lang], raw[text.lang] = _render_text(context)
    sections = pair(raw)
    for context in contexts.values():
        _check_anchors(context, {section.id for section in sections})
    problems = tuple(problem for context in contexts.values() for problem in context.problems)
    return _with_block_links(Body(halves, sections, problems), contexts)


def render_snippet(text: str, lang: Lang, location: Location, *, inline: bool = False) -> Snippet:
    """A short Markdown text from a YAML file (an intro, a guide, a table cell) as sanitised HTML."""
    source = NoteText(lang, location.path, text, location.line)
    context = Context(source, {}, text.split("\n"))
    md = parser()
    env = {"context": context, "docId": lang}
    tokens = md.parseInline(text, env) if inline else md.parse(text, env)
    html = context.restore(sanitise(md.renderer.render(tokens, md.options, env), lang))
    return Snippet(html, tuple(context.slots), tuple(context.problems))


def _render_text(context: Context) -> tuple[Half, tuple[RawSection, ...]]:
    md = parser()
    env = {"context": context, "docId": context.lang}
    tokens = md.parse(context.source.text, env)
    _report_lost_math(context, tokens)
    tokens, footnote_tokens = _split_footnotes(tokens)

    def html(part: Sequence[Token]) -> str:
        rendered: str = md.renderer.render(list(part), md.options, env)
        return context.restore(sanitise(rendered, context.lang))

    cuts = [place for place, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    lead = html(tokens[: cuts[0]] if cuts else tokens)
    sections: list[RawSection] = []
    taken: dict[str, Location] = {}
    for start, end in pairwise([*cuts, len(tokens)]):
        opening, inline = tokens[start], tokens[start + 1]
        where = context.locate_in(opening)
        heading = without_links(html([inline])).strip()
        words = _TAG.sub("", heading)
        section_id = opening.meta.get("id") or usual_id(words)
        if section_id in taken:
            hint = "give one of them an id of its own: ## Title {#my-id}"
            message = f'the section id "{section_id}" is already taken on line {taken[section_id].line}'
            context.report(where, "duplicate-id", message, hint)
            section_id = ""
        elif section_id in RESERVED:
            message = f'the id "{section_id}" belongs to the page itself'
            context.report(where, "duplicate-id", message, "choose another one")
            section_id = ""
        elif section_id:
            taken[section_id] = where
        level = int(opening.tag[1])
        if not 2 <= level <= 4:
            hint = "the title comes from note.yaml; sections start with ##" if level == 1 else "use ## to ####"
            context.report(where, "heading-level", f"a heading of level {level} in a note", hint)
        half = SectionHalf(heading, html(tokens[start + 3 : end]))
        sections.append(RawSection(section_id, min(max(level, 2), 4), words, half, where))
    footnotes = html(footnote_tokens)
    words_count, characters = _count(tokens)
    return Half(lead, footnotes, tuple(context.slots), words_count, characters), tuple(sections)


def without_links(html: str) -> str:
    """The HTML with links undone, for what stands inside a link itself."""
    return _LINK.sub("", html)


def _split_footnotes(tokens: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    starts = [place for place, token in enumerate(tokens) if token.type == "footnote_block_open"]
    return (list(tokens[: starts[0]]), list(tokens[starts[0] :])) if starts else (list(tokens), [])


def _report_lost_math(context: Context, tokens: Sequence[Token]) -> None:
    """TeX between dollars that the parser took for money."""
    for block in tokens:
        for token in block.children or []:
            if token.type == "text" and (found := _LOST_MATH.search(token.content)):
                where = context.locate(token.meta.get("line", 0), found[0])
                message = f'"{found[0][:60]}" is not read as a formula'
                hint = "no space just inside the dollars, no digit just outside: write $4.5\\times$, not 4.5$\\times$"
                context.report(where, "lost-formula", message, hint, "warning")


def _count(tokens: Sequence[Token]) -> tuple[int, int]:
    """English words and Chinese characters of the text that is read (formulas and code count as a word each)."""
    words = characters = 0
    for block in tokens:
        for token in block.children or []:
            if token.type == "text":
                characters += sum(map(is_cjk, token.content))
                words += len(_WORD.findall(token.content))
            elif token.type.startswith("math") or token.type == "code_inline":
                words += 1
    return words, characters


def _check_anchors(context: Context, sections: set[str]) -> None:
    known = sections | set(context.block_ids)
    for anchor, where in context.anchors:
        if anchor not in known:
            message = f'this note has no section or block "#{anchor}"'
            context.report(where, "unknown-anchor", message, did_you_mean(anchor, known))


def _with_block_links(body: Body, contexts: Mapping[Lang, Context]) -> Body:
    """Links to blocks (figures, formulas) lead to the block of their own language; sections are shared."""

    def linked(html: str, lang: Lang) -> str:
        blocks = contexts[lang].block_ids
        if not blocks:
            return html
        own = lambda match: f'<a href="#{match[1]}-{lang}">' if match[1] in blocks else match[0]  # noqa: E731
        return _IN_PAGE.sub(own, html)

    sections = tuple(
        BodySection(
            section.id,
            section.level,
            {lang: SectionHalf(half.heading, linked(half.html, lang)) for lang, half in section.halves.items()},
        )
        for section in body.sections
    )
    halves = {
        lang: Half(linked(half.lead, lang), linked(half.footnotes, lang), half.slots, half.words, half.characters)
        for lang, half in body.halves.items()
    }
    return Body(halves, sections, body.diagnostics)
