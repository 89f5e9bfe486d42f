"""Whatever the sources hold, they are understood or told of: the loader never fails, and its findings have places."""

from __future__ import annotations

from building import source
from hypothesis import given
from hypothesis import strategies as st
from judging import unreadable
from texts import let_in, texts, words

from paper_notes.corpus.load import index_of, load
from paper_notes.diagnostics import has_errors
from paper_notes.sources.pdf.model import PdfIdentity, PdfProblem
from paper_notes.sources.tree import Source

SITE = "title: {zh: 笔记, en: Notes}\ntopics: [tea, milk]\n"
NAMES = (
    "tea/topic.yaml", "milk/topic.yaml", "tea/01_Green/note.yaml", "tea/01_Green/zh.md", "tea/01_Green/en.md",
    "tea/01_Twin.md", "tea/2_x.md", "tea/no number.md", "milk/07_题/note.yaml", "milk/07_题/en.md", "milk/07_题/a.svg",
    "library.bib", "more/library.bib", "glossary.yaml", "pdfs/2601.00001v2.pdf", "tea/01_Green/x.pdf", "other/a.md",
)  # fmt: skip
KEYS = (
    "title", "kind", "papers", "summary", "tags", "created", "updated", "status", "rating", "own", "corrects", "extra",
    "translated", "metadata", "publish_pdf", "topics", "languages", "readme", "base_url", "reading_paths", "emoji",
    "intro", "zh", "en", "aliases", "avoid", "id", "steps", "guide", "note", "claim", "language", "nonsense",
)  # fmt: skip
scalars = st.one_of(
    words, st.sampled_from(["", "zh", "en", "tea", "1", "#1", "tea/1", "2026-02-30", "true", "lu760tea"])
)
values = st.recursive(
    scalars.map(lambda text: '"' + text.replace("\\", "").replace('"', "") + '"'),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(st.sampled_from(KEYS), inner, max_size=4).map(
            lambda items: "{" + ", ".join(f"{key}: {value}" for key, value in items.items()) + "}"
        ),
    ),
    max_leaves=8,
)
mappings = st.dictionaries(st.sampled_from(KEYS), values, max_size=8).map(
    lambda items: "".join(f"{key}: {value}\n" for key, value in items.items())
)
entries = st.lists(
    st.builds(
        lambda kind, key, fields: f"@{kind}{{{key},\n{fields}\n}}\n",
        st.sampled_from(["misc", "article", "book", "string", "comment", "xdata", "artcle", ""]),
        st.sampled_from(["lu760tea", "a", "b", "c d", ""]),
        st.lists(
            st.builds(
                "{} = {}".format,
                st.sampled_from(
                    ["title", "author", "year", "date", "month", "crossref", "xdata", "eprint", "doi", "url"]
                ),
                st.one_of(words.map("{{{}}}".format), words.map('"{}"'.format), words, st.sampled_from(["{a}", "{b}"])),
            ),
            max_size=6,
        ).map(",\n".join),
    ),
    max_size=4,
).map("".join)
contents = st.one_of(
    mappings,
    entries,
    texts,
    st.builds("---\n{}---\n{}".format, mappings, texts),
    st.sampled_from(["", "\ufeff", "---"]),
).map(let_in)
collections = st.builds(
    lambda site, files: [
        source(f"notes_src/{name}", text) for name, text in sorted({"site.yaml": site, **files}.items())
    ],
    st.one_of(st.just(SITE), mappings.map(let_in), contents),
    st.dictionaries(st.sampled_from(NAMES), contents, max_size=8),
)


def identify(pdf: Source) -> PdfIdentity | PdfProblem:
    """What a PDF is, by a letter of it: a paper, a scan, or nothing that can be read."""
    return (
        PdfIdentity(9, None, None, None, None, "Some Title of a Paper", repaired=True, has_text=True),
        PdfIdentity(9, None, None, None, None, "", repaired=False, has_text=False),
        PdfProblem("this is not a PDF", "download it again"),
    )[len(pdf.data) % 3]


@given(collections)
def test_a_corpus_or_errors_in_their_places(sources: list[Source]) -> None:
    texts_by_path = {one.path: one.text for one in sources if one.path.suffix != ".pdf"}
    corpus, problems = load(tuple(sources), identify)
    assert corpus is not None
    for problem in problems:
        assert unreadable(problem, texts_by_path.get(problem.location.path)) == ""
        expected = problem.location.path in {one.path for one in sources} or problem.rule.startswith(("missing-", "un"))
        assert expected or problem.rule == "note-without-text"
    ids = [note.id for note in corpus.notes]
    index = index_of(corpus.notes, corpus.site.topics)
    if not has_errors(problems):
        assert len(set(ids)) == len(ids)
        assert [index.find(f"{note.topic}/#{note.number}", note.topic) for note in corpus.notes] == ids
    for note in corpus.notes:
        assert set(note.papers) <= set(corpus.papers)
        assert {correction.note for correction in note.corrects} <= set(ids)
        assert note.texts or has_errors(problems)
