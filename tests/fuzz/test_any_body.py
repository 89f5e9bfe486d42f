"""Whatever a note holds, its body can be put into a page: safe HTML, slots that lead somewhere, no id twice."""

from __future__ import annotations

import re
from collections import Counter

from building import NOTE, note
from hypothesis import example, given
from hypothesis.strategies import sampled_from
from judging import unreadable
from reading_html import read
from texts import texts

from paper_notes.corpus.model import GlossaryTerm, Lang
from paper_notes.diagnostics import Location
from paper_notes.languages.language import Words, own_language
from paper_notes.languages.text import Text
from paper_notes.markdown.body import SLOT, Body
from paper_notes.markdown.render import render_body
from paper_notes.markdown.short_texts import render_snippet

TERMS = (
    GlossaryTerm(
        "term-the-word", Text.of(zh="公式", en="the word"), ("x_1",), ("中文",), None, Location(NOTE / "glossary.yaml")
    ),
)
SITES = (Words.of("zh", "en"), Words((own_language(Lang("fr"), {}, {}), own_language(Lang("ko"), {}, {}))))
FIGURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path id="a" d="M0 0h9"/></svg>'


def html_of(body: Body, lang: Lang) -> str:
    half = body.halves[lang]
    sections = [section.halves[lang] for section in body.sections if lang in section.halves]
    return half.lead + "".join(section.heading + section.html for section in sections) + half.footnotes


@given(texts, texts, sampled_from(SITES))
@example(f'<b title="&#{"9" * 5_000};">x</b>', "", SITES[0])
def test_bodies(one: str, two: str, words: Words) -> None:
    written = dict(zip(words.tags, (one, two), strict=True))
    body = render_body(note(written, {"figure.svg": FIGURE}), TERMS, words)
    sections = [section.id for section in body.sections]
    assert len(sections) == len(set(sections))
    ids: Counter[str] = Counter(sections)
    for lang, half in body.halves.items():
        html = html_of(body, lang)
        seen = read(html)
        assert seen.wrong == []
        ids.update(seen.ids)
        assert all(int(number) < len(half.slots) for number in SLOT.findall(html))
        assert not re.search("[\ufdd0-\ufdef]", SLOT.sub("", html))
    repeated = {anchor for anchor, times in ids.items() if times > 1}
    assert not repeated or "duplicate-id" in {problem.rule for problem in body.diagnostics}
    for problem in body.diagnostics:
        given_text = {f"{NOTE}/{lang}.md": text for lang, text in written.items()}.get(str(problem.location.path))
        assert unreadable(problem, given_text) == ""


@given(texts)
def test_snippets(text: str) -> None:
    where = Location(NOTE.parent / "topic.yaml", 3, 5)
    for inline in (False, True):
        snippet = render_snippet(text, "zh", where, inline=inline)
        assert read(snippet.html).wrong == []
        assert all(problem.location == where for problem in snippet.diagnostics)
        assert all(int(number) < len(snippet.slots) for number in SLOT.findall(snippet.html))
