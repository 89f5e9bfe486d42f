"""Tokens to HTML, where we differ from markdown-it's own renderer. Components are rendered by their functions."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent
from urllib.parse import unquote

from markdown_it.common.utils import unescapeAll
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import escape

from paper_notes.addresses import LEAD_OUT
from paper_notes.diagnostics import NOWHERE, Location, has_errors
from paper_notes.markdown.context import OWN, Context, closing, context_of, place_of
from paper_notes.markdown.figures.images import crop_target, inline_image, is_crop
from paper_notes.markdown.math.convert import TexProblem, mathml, near_names
from paper_notes.markdown.math.equations import locate_tex, with_references
from paper_notes.markdown.math.lines import with_breaks
from paper_notes.markdown.sanitise import written_html
from paper_notes.markdown.syntax.code import UnknownLanguage, code_html, fences, highlight, known_languages
from paper_notes.markdown.syntax.components import ComponentBlock, components, unknown
from paper_notes.markdown.syntax.tables import key_parts
from paper_notes.typography import is_ideographic
from paper_notes.values import replace

Tokens = Sequence[Token]


class BodyRenderer(RendererHTML):
    """A method named like a token type renders it; see RendererHTML."""

    def render(self, tokens: Tokens, options: OptionsDict, env: EnvType) -> str:
        html: list[str] = []
        position = 0
        while position < len(tokens):
            token = tokens[position]
            if token.type == "component_open":
                end = closing(tokens, position)
                html.append(self._component(tokens[position : end + 1], options, env))
                position = end + 1
                continue
            if crop := _lone_crop(tokens, position):
                html.append(tokens[position + 1].meta.get("anchor", "") + self._crop(crop, options, env))
                position += 3
                continue
            if token.type == "inline":
                html.append(token.meta.get("anchor", "") + self.renderInline(token.children or [], options, env))
            elif token.type in self.rules:
                html.append(self.rules[token.type](tokens, position, options, env))
            else:
                html.append(self.renderToken(tokens, position, options, env))
            position += 1
        return "".join(html)

    def _crop(self, image: Token, options: OptionsDict, env: EnvType) -> str:
        """A part of a paper in a paragraph of its own, as a figure; its alternative text is the caption."""
        context = context_of(env)
        picture = self.image([image], 0, options, env)
        written = self.renderInline(image.children or [], options, env).strip()
        target = crop_target(str(image.attrs.get("src", "")))
        source = context.slot("source", target, "" if written else "caption", context.locate_token(image))
        caption = f"<figcaption>{written}{source}</figcaption>"
        return f'<figure class="fig"><div class="fig-body">{picture}</div>{caption}</figure>\n'

    def _component(self, tokens: Tokens, options: OptionsDict, env: EnvType) -> str:
        context = context_of(env)
        opening, content = tokens[0], list(tokens[1:-1])
        where = context.locate(opening.meta["line"], opening.info)
        title = written = ""
        if content and content[0].type == "inline" and content[0].meta.get("title"):
            written = content[0].content
            title = self.renderInline(content.pop(0).children or [], options, env)
        anchor = context.block_id(opening.meta["id"], where) if opening.meta["id"] else ""

        def render(inner: list[Token]) -> str:
            return self.render(inner, options, env)

        first, last = opening.map or (0, 0)
        source = dedent("\n".join(context.lines[first + 1 : last])) + "\n"
        block = ComponentBlock(opening.info, title, written, source, anchor, content, context, where, render)
        block = replace(block, unfolded=bool(opening.meta.get("open")), colour=opening.meta["colour"])
        component = components().get(opening.info)
        return component.render(block) if component else unknown(block)

    def slot(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return tokens[idx].content

    def mistake(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        number, again = tokens[idx].meta["mark"]
        return context_of(env).slot("mistake", str(number), "again" if again else "", NOWHERE)

    def softbreak(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return "" if within_ideographs(tokens, idx) else "\n"

    def image(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        context, token = context_of(env), tokens[idx]
        src, width = str(token.attrs.get("src", "")), int(token.attrs.get("width", 0))
        where = context.locate_token(token)
        known = len(context.problems)
        html = inline_image(context, src, unescapeAll(token.content), where, width)
        if context.marked and has_errors(context.problems[known:]):
            return context.wrong(f"![{token.content}]({src})")
        return html if is_crop(src) else context.keep(html)

    def math_inline(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return self._formula(tokens[idx], env, display=False)

    def math_inline_double(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<span class="math-block" tabindex="0">{self._formula(tokens[idx], env, display=True)}</span>'

    def math_block(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<div class="math-block" tabindex="0">{self._formula(tokens[idx], env, display=True)}</div>\n'

    def _formula(self, token: Token, env: EnvType, *, display: bool) -> str:
        context = context_of(env)
        try:
            if problem := token.meta.get("problem"):
                raise problem
            written = token.meta.get("numbered") or mathml(token.content, display=display)
            return context.keep(with_breaks(with_references(context, token, written), display=display))
        except TexProblem as problem:
            where = locate_tex(context, token, problem.offset)
            context.report(where, "bad-tex", f"TeX: {problem.message}", _tex_hint(context, problem))
            return context.wrong(token.meta.get("written", (token.content,))[0])

    def fence(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        context, token = context_of(env), tokens[idx]
        language = token.info.split()[0] if token.info.strip() else ""
        if fence := fences().get(language):
            known = len(context.problems)
            drawn = fence.draw(context, token)
            wrong = context.marked and (not drawn or has_errors(context.problems[known:]))
            return context.keep(code_html(str(escape(token.content)))) if wrong else drawn
        if language == "formula":  # in plain characters
            formula = str(escape(token.content.strip("\n")))
            return context.keep(f'<div class="text-formula" tabindex="0"><pre>{formula}</pre></div>\n')
        where = context.locate(token.map[0] if token.map else 0, language)
        try:
            code = highlight(context, where, token.content, language)
        except UnknownLanguage:
            hint = (
                context.suggestions.did_you_mean(language, [*known_languages(), *fences()])
                or "use `text` for no highlighting"
            )
            context.report(where, "unknown-code-language", f'no highlighting for "{language}"', hint, "warning")
            code = str(escape(token.content))
        return context.keep(code_html(code, language))

    def code_block(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return context_of(env).keep(code_html(str(escape(tokens[idx].content))))

    def html_block(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        context, token = context_of(env), tokens[idx]
        place = place_of(context.lines, token.map[0] if token.map else 0, token.content)
        return written_html(context, token.content, place)

    def html_inline(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        context, token = context_of(env), tokens[idx]
        if "at" not in token.meta:  # the check box of a task list
            done = "checked" in token.content
            label = context.word("text.task-done" if done else "text.task-open")
            return token.content.replace("<input", f'<input aria-label="{label}"', 1)
        place, start = token.meta["at"]
        return written_html(context, token.content, place, start)

    def code_inline(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        code = tokens[idx].content
        parts = key_parts(code) if "in_table" in tokens[idx].meta else [code]
        return f"<code>{'<wbr>'.join(map(escape, parts))}</code>"

    def table_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        label = context_of(env).word("text.table")
        classes = " ".join(["table", *str(tokens[idx].attrs.get("class", "")).split()])
        return f'<div class="{classes}" role="group" aria-label="{label}" tabindex="0"><table>\n'

    def table_close(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return _cell(tokens[idx])

    def td_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        head = tokens[idx].meta.get("head")
        plain = [child for child in head.children or [] if child.type in _IN_LABEL] if head else []
        label = self.renderInline(plain, options, env)
        return _cell(tokens[idx]) + (f'<span class="th">{label}</span>' if label.strip() else "")

    def merged_cell(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        """A cell that is one with another."""
        return ""

    def dt_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        starts = idx == 0 or tokens[idx - 1].type != "dt_close"
        return "<div><dt>" if starts else "<dt>"

    def dd_close(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        goes_on = idx + 1 < len(tokens) and tokens[idx + 1].type == "dd_open"
        return "</dd>\n" if goes_on else "</dd></div>\n"

    def heading_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        """A heading inside a block, which does not start a section. Its `{#id}` is the id of a block."""
        context, token = context_of(env), tokens[idx]
        where = context.locate(token.map[0] if token.map else 0)
        if token.tag == "h1":
            context.report(where, "heading-level", "a heading of level 1 in a note", "use ## to ####")
        if token.meta.get("number"):
            hint = "only sections are numbered: put the heading outside of the block, or write the number as a word"
            context.report(where, "unknown-option", "a heading inside a block has no number", hint)
        anchor = context.block_id(token.meta["id"], where) if "id" in token.meta else ""
        return f"<{token.tag}{anchor}>"

    def footnote_ref(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        number, again = _footnote(tokens[idx])
        lang = context_of(env).lang
        anchor = f'id="{OWN}fnref-{lang}-{number}{again}"'
        link = f'<a href="#fn-{lang}-{number}" {anchor} role="doc-noteref">[{number}]</a>'
        return f'<sup class="footnote-ref">{link}</sup>'

    def footnote_block_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return '<section class="footnotes">\n<ol class="footnotes-list">\n'  # the page draws the line above them

    def footnote_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<li id="{OWN}fn-{context_of(env).lang}-{_footnote(tokens[idx])[0]}" class="footnote-item">'

    def footnote_anchor(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        context = context_of(env)
        number, again = _footnote(tokens[idx])
        label = context.word("text.footnote-back")
        attributes = f'class="footnote-backref" role="doc-backlink" aria-label="{label}"'
        return f' <a href="#fnref-{context.lang}-{number}{again}" {attributes}>\u21a9\ufe0e</a>'

    def link_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        context, token = context_of(env), tokens[idx]
        href = str(token.attrs.get("href", ""))
        anchor = unquote(href[1:]).removeprefix("^")  # as Obsidian names a block
        before = 0 if token.markup == "autolink" else -1  # the bracket that opens the text of a link
        where = context.locate_token(token, before) if "at" in token.meta else Location(context.source.path)
        if href.startswith("#"):
            context.anchors.append((anchor, where, "equation" in tokens[idx + 1].meta))
            return f'<a href="#{escape(anchor)}">'
        if not href.startswith(LEAD_OUT):
            hint = "write [[#15]] or [[models/#19]] for a note, [text](#section) for a place in this one"
            context.report(where, "local-link", f'the link to "{href}" would lead nowhere in a page on its own', hint)
        title = f' title="{escape(str(token.attrs["title"]))}"' if "title" in token.attrs else ""
        shown = "" if "at" in token.meta and token.markup != "autolink" else " shown"  # by its own text
        return f'<a class="external{shown}" href="{escape(href)}"{title}>'


_LOOKED_UP = 50
"""Unknown names of TeX in a text for which similar ones are looked for."""


def _tex_hint(context: Context, problem: TexProblem) -> str:
    """What to do about a mistake in a formula."""
    if problem.hint or not problem.unknown:
        return problem.hint or "check braces, arguments and environments"
    what, name = problem.unknown
    if where := context.macros.get(name):
        return f"line {where.line} defines it: a definition holds in the formulas after it, not in those before"
    context.unknown_tex += 1
    similar = near_names(what, name) if context.unknown_tex <= _LOOKED_UP else ()
    if what == "environment":
        return f"did you mean {', '.join(similar)}?" if similar else "see the guide for the TeX that is understood"
    own = context.suggestions.closest(name, dict(context.words.macros + context.source.macros) | context.macros)
    if commands := [f"\\{command}" for command in dict.fromkeys([own, *similar]) if command]:
        return f"did you mean {', '.join(commands)}?"
    if context.fixed:
        return "define it under `macros:` in site.yaml"
    above = f"\\newcommand{{\\{name}}}{{...}}"
    return f"define it: {above} in a formula above it, or under `macros:` in note.yaml, topic.yaml or site.yaml"


_IN_LABEL = frozenset({"text", "code_inline", "math_inline", "em_open", "em_close", "strong_open", "strong_close"})
"""The tokens of a column's head that are repeated in its cells: no links."""


def _lone_crop(tokens: Tokens, start: int) -> Token | None:
    """The image of a paragraph that holds only a part of a paper."""
    if tokens[start].type != "paragraph_open":
        return None
    kinds = [token.type for token in tokens[start : start + 3]]
    children = (tokens[start + 1].children or []) if kinds == ["paragraph_open", "inline", "paragraph_close"] else []
    if len(children) == 1 and children[0].type == "image" and is_crop(str(children[0].attrs.get("src", ""))):
        return children[0]
    return None


def _footnote(token: Token) -> tuple[int, str]:
    """The number of a footnote, and a suffix for its second and later uses, which have ids of their own."""
    again = token.meta.get("subId", 0)
    return token.meta["id"] + 1, f"-{again + 1}" if again else ""


def within_ideographs(tokens: Tokens, idx: int) -> bool:
    """Whether the line break at `idx` is between Chinese or Japanese characters, where it is not a space."""
    before, after = _text_beside(tokens, idx, -1), _text_beside(tokens, idx, 1)
    return bool(before and after) and is_ideographic(before[-1]) and is_ideographic(after[0])


def _text_beside(tokens: Tokens, idx: int, step: int) -> str:
    """The nearest visible text before or after a token, through closing and opening marks such as `**`."""
    position = idx + step
    while 0 <= position < len(tokens):
        if tokens[position].content:
            return tokens[position].content if tokens[position].type == "text" else ""
        if not tokens[position].nesting and tokens[position].type != "text":
            return ""
        position += step
    return ""


def _cell(token: Token) -> str:
    """A table cell; its alignment as a class, because pages carry no `style` attributes."""
    aligned = str(token.attrs.get("style", "")).removeprefix("text-align:")
    classes = " ".join(part for part in (aligned, str(token.attrs.get("class", ""))) if part)
    sizes = "".join(f' {name}="{token.attrs[name]}"' for name in ("rowspan", "colspan") if name in token.attrs)
    return f'<{token.tag} class="{classes}"{sizes}>' if classes else f"<{token.tag}{sizes}>"
