"""Whatever other people's databases, PDFs and .bib files say: the note that is made of it builds, or none is made."""

from __future__ import annotations

import datetime
import json
import os
import re
from contextlib import suppress
from pathlib import PurePosixPath

from hypothesis import example, given, settings
from hypothesis import strategies as st
from mutating import LINE_STARTS, TOKENS

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import load
from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import PersonName
from paper_notes.diagnostics import UserError
from paper_notes.features.moving.edits import with_edits
from paper_notes.features.papers.bibtex import draft_from
from paper_notes.features.papers.completion import complete, unfinished
from paper_notes.features.papers.doi import DOI, record_of
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.pdf_facts import OutlineItem
from paper_notes.features.papers.request import Request, Response
from paper_notes.features.papers.scaffold import scaffold
from paper_notes.markdown.render import render_body
from paper_notes.sources.tree import Source, as_read

few = settings(max_examples=int(os.environ.get("FUZZ_EXAMPLES", "6")))
"""Each is a whole collection."""
SITE = {
    "site.yaml": "title: {zh: 站, en: Site}\ntopics: [tea]\n",
    "tea/topic.yaml": "title: {zh: 题, en: Topic}\n",
    "library.bib": "@misc{known, title={Known}, author={Quill, Ada}, year=2020}\n",
}
SOURCES = tuple(Source(PurePosixPath("notes_src", path), text.encode()) for path, text in sorted(SITE.items()))
NASTY = (
    *("\0", "\x07", "\x1b[2J", "\x7f", "\x85", "\x9b", "\u2028", "\ufffe", "\U0001ffff", "\ufdd0", "\ud800", "\udfff"),
    *("\u202e", "\u202a", "\u2066", "\u2069", "\u202c", "\u200b", "\u200d", "\ufeff", "\u00ad", "\U000e0041", "\r\n"),
    *("{", "}", "\\", "\\\\", "$", "$$", "%", "@misc{x,", '"', "#", ",", " and ", "=", "~", "\\input{x}", "\\frac"),
    *("<script>", "<!--", "-->", "<![CDATA[", "&#x202e;", "&#99999999999;", "<jats:p>", "]]>", "[[#1]]", "[@known]"),
    *(
        ": ",
        "- ",
        "? ",
        "|",
        ">",
        "&a",
        "*a",
        "!!python/object",
        "%YAML",
        "---",
        "...",
        "中文",
        "é",
        "e\u0301",
        "x" * 1200,
    ),
)
pieces = st.one_of(st.sampled_from([*NASTY, *TOKENS, *LINE_STARTS]), st.text(max_size=4), st.just("word"))
texts = st.one_of(
    st.lists(pieces, max_size=5).map("".join), st.lists(pieces, max_size=5).map(" ".join), st.just("word " * 9000)
)
some = st.none() | texts
names = st.builds(PersonName, texts, st.just("") | texts, texts, st.just("") | texts)
drafts = st.builds(
    Draft,
    source=st.just("doi"),
    arxiv=st.none() | st.just(ArxivId("2510.26475")),
    year=st.none() | st.integers(-5, 99999),
    month=st.none() | st.integers(1, 12),
    title=some,
    authors=st.lists(names, max_size=3).map(tuple),
    abstract=texts,
    primary_class=texts,
    doi=some | texts.map("10.1234/{}".format),
    journal_ref=some,
    comment=some,
    fields=st.dictionaries(st.sampled_from(["journal", "volume", "pages"]), texts, max_size=2),
    outline=st.lists(st.builds(OutlineItem, st.integers(1, 2), texts, st.integers(1, 9)), max_size=2).map(tuple),
)


def errors_of(artifacts: tuple[Artifact, ...]) -> list[str]:
    """What the next `check` says of the collection."""
    read = {source.path: source for source in SOURCES}
    read |= {artifact.path: as_read(artifact.path, artifact.data) for artifact in artifacts}
    sources = tuple(read[path] for path in sorted(read))
    assert all(isinstance(source, Source) for source in sources)
    corpus, problems = load(sources)
    assert corpus
    problems += tuple(found for note in corpus.notes for found in render_body(note).diagnostics)
    return [str(found) for found in problems if found.severity == "error"]


def made_of(draft: Draft) -> tuple[Artifact, ...]:
    corpus, _ = load(SOURCES)
    assert corpus
    return scaffold(corpus, SOURCES, draft, topic="tea", name=None, today=datetime.date(2026, 11, 21)).artifacts


@few
@given(drafts)
@example(Draft("doi", doi="10.1234/\u202e"))
@example(Draft("doi", title="w" * 5000, doi="10.1234/" + "x" * 5000))
@example(Draft("doi", title="T", authors=(PersonName(last="Q" * 290), PersonName("\u202e", "", "\ud800"))))
def test_a_note_can_be_made_of_any_draft(draft: Draft) -> None:
    assert errors_of(made_of(draft)) == []


def sources_with(artifacts: tuple[Artifact, ...]) -> tuple[Source, ...]:
    """The collection with these files."""
    read = {source.path: source for source in SOURCES}
    read |= {artifact.path: Source(artifact.path, artifact.data) for artifact in artifacts}
    return tuple(read[path] for path in sorted(read))


@few
@given(drafts, st.sampled_from([Draft("id", ArxivId("2510.26475")), Draft("id", doi="10.1234/x"), Draft("pdf")]))
@example(
    Draft("doi", title="$", authors=(PersonName(jr="{"), PersonName(last="word"))), Draft("id", ArxivId("2510.26475"))
)
@example(Draft("doi", title="T", authors=(PersonName("Ada"), PersonName("1", "", "2"))), Draft("id", doi="10.1234/x"))
def test_a_note_completed_with_any_draft_builds_or_is_refused(draft: Draft, offline: Draft) -> None:
    sources = sources_with(made_of(offline))
    corpus, _ = load(sources)
    assert corpus
    with suppress(UserError):
        (made,) = complete([(unfinished(corpus, sources, corpus.notes[0]), draft)], datetime.date(2026, 11, 22))
        sources = with_edits(sources, made.edits)
        after, problems = load(sources)
        assert after
        problems += render_body(after.notes[0]).diagnostics
        assert [str(found) for found in problems if found.severity == "error"] == []
        assert not made.moved or re.fullmatch(r"[\w-]+/01_[\w.+-]+", made.moved[1])
        (again,) = complete([(unfinished(after, sources, after.notes[0]), None)], datetime.date(2026, 11, 22))
        assert again.edits == ()


leaves = st.one_of(texts, st.integers(), st.none(), st.booleans(), st.floats())
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=2))
fields = st.sampled_from(
    "type title subtitle author page container-title volume issue publisher abstract issued created".split()
)


@few
@given(st.dictionaries(fields, values, max_size=6))
@example({"title": "&#" + "9" * 5000, "volume": 10**4000})
def test_any_record_of_a_doi_is_a_draft_or_refused(item: dict[str, object]) -> None:
    body = json.dumps({"DOI": "10.1234/x", **item}).encode()
    with suppress(UserError):
        assert errors_of(made_of(record_of(Response(Request(DOI), 200, "", body), "10.1234/x"))) == []


bibs = st.builds(
    "@misc{{{}, title={{{}}}, author={{{}}}, {}={{{}}}}}\n".format,
    texts.map("k{}".format),
    texts,
    texts,
    st.sampled_from("doi url eprint year month abstract journal crossref x".split()),
    texts,
)


@few
@given(bibs)
@example("@misc{a\u202e, title={T}}")
@example("@misc{a, title={\u202eT}, author={A, B}, doi={x y}}")
@example("@misc{a, title={T}, author={A, B}, month={²}, year=2020}")
@example("@misc{" + "k" * 9000 + ", title={T}, author={A, B}, year=2020}")
def test_a_note_of_any_entry_builds_or_is_refused(text: str) -> None:
    source = Source(PurePosixPath("refs.bib"), text.encode("utf-8", "replace"))
    with suppress(UserError):
        draft, problems = draft_from(source, "")
        if not any(problem.severity == "error" for problem in problems):
            assert errors_of(made_of(draft)) == []
