from __future__ import annotations

import datetime
from pathlib import PurePosixPath

import pytest

from paper_notes.corpus.load import load
from paper_notes.corpus.model import ArxivId, Corpus
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.outdated import findings, preprints, rows
from paper_notes.sources.tree import Source
from paper_notes.values import replace

FILES = {
    "site.yaml": "title: Site\nlanguages: [en]\ntopics: [rl]\n",
    "rl/topic.yaml": "title: RL\n",
    "rl/01_A/note.yaml": "title: A\npapers: [a, c]\ncreated: 2026-01-01\nmetadata: {source: arxiv, date: 2026-02-01}\n",
    "rl/01_A/en.md": "a",
    "rl/02_B/note.yaml": "title: B\npapers: b\ncreated: 2026-01-01\nupdated: 2026-03-01\n",
    "rl/02_B/en.md": "b",
    "rl/03_C/note.yaml": "title: C\nkind: comparison\npapers: [a, b]\ncreated: 2026-01-01\n",
    "rl/03_C/en.md": "c",
    "library.bib": """
@misc{a, title={A}, author={Quill, Ada}, eprint={2601.00001}, version={2}}
@misc{b, title={B}, author={Quill, Ada}, eprint={2601.00002}}
@misc{c, title={C}, author={Quill, Ada}, eprint={2601.00003v1}, archivePrefix={arXiv}}
@article{d, title={D}, author={Quill, Ada}, eprint={2601.00004}, journal={Journal of Nests}}
@misc{e, title={E}, author={Quill, Ada}, eprint={2601.00005}, doi={10.48550/arXiv.2601.00005}}
@misc{z, title={Not on arXiv}, author={Quill, Ada}}
""",
}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    sources = tuple(Source(PurePosixPath("notes_src", path), FILES[path].encode()) for path in sorted(FILES))
    corpus, problems = load(sources)
    assert corpus is not None
    assert problems == ()
    return corpus


def told(number: int, version: int, **facts: object) -> Draft:
    return replace(Draft("arxiv", ArxivId(f"2601.0000{number}"), version), **facts)


def test_preprints(corpus: Corpus) -> None:
    assert [
        (known.paper.key, known.paper.version, str(known.since), known.source, known.notes)
        for known in preprints(corpus)
    ] == [
        ("a", 2, "2026-02-01", "arxiv", ("rl/01_A", "rl/03_C")),
        ("b", None, "2026-03-01", None, ("rl/02_B", "rl/03_C")),
        ("c", 1, "None", None, ("rl/01_A",)),
        ("d", None, "None", None, ()),
        ("e", None, "None", None, ()),
    ]


MAY = datetime.date(2026, 5, 1)
CASES: dict[str, tuple[Draft, str | None]] = {
    "the same version": (told(1, 2, updated=MAY), None),
    "a new version": (told(1, 4, updated=MAY), "v2 → v4 (2026-05-01)"),
    "a new version without a date": (told(1, 3), "v2 → v3"),
    "an older version than ours": (told(1, 1), None),
    "younger than the note": (told(2, 2, updated=MAY), "the version of 2026-03-01 → v2 (2026-05-01)"),
    "older than the note": (told(2, 2, updated=datetime.date(2026, 2, 1)), None),
    "a first version is not new": (told(2, 1, updated=MAY), None),
    "nothing to compare with": (told(5, 3, updated=MAY), None),
    "a version in eprint": (told(3, 2), "v1 → v2"),
    "published": (told(1, 2, journal_ref="Nature 7 (2026)"), "published: Nature 7 (2026)"),
    "published with a doi": (told(1, 2, doi="10.1234/x"), "published: doi:10.1234/x"),
    "both": (told(1, 3, journal_ref="JN 7", doi="10.1234/x"), "v2 → v3; published: JN 7, doi:10.1234/x"),
    "arXiv's own DOI is no publication": (told(5, 1, doi="10.48550/arXiv.2601.00005"), None),
    "an entry with arXiv's own DOI": (told(5, 1, doi="10.1234/x"), "published: doi:10.1234/x"),
    "known to be published": (told(4, 1, journal_ref="Journal of Nests 7"), None),
    "accepted": (told(1, 2, comment="Accepted at ICML 2026"), "published: Accepted at ICML 2026"),
    "accepted, and more": (
        told(1, 2, comment="12 pages, 3 figures. Accepted as a spotlight at ICML 2026; code at https://x.org"),
        "published: Accepted as a spotlight at ICML 2026",
    ),
    "to appear": (told(1, 2, comment="To appear in Nest Review (2026)"), "published: To appear in Nest Review"),
    "published as": (
        told(1, 2, comment="Published as a conference paper at ICLR 2026"),
        "published: Published as a conference paper at ICLR 2026",
    ),
    "submitted only": (told(1, 2, comment="Submitted to ICML 2026"), None),
    "not accepted": (told(1, 2, comment="Not accepted at ICML"), None),
    "pages": (told(1, 2, comment="12 pages, published code"), None),
    "withdrawn": (
        told(1, 3, comment="This paper has been withdrawn by the authors"),
        "withdrawn: This paper has been withdrawn by the authors; v2 → v3",
    ),
    "withdrawn in its abstract": (told(1, 2, abstract="This paper has been withdrawn due to an error."), "withdrawn"),
    "about withdrawal": (told(1, 2, abstract="We study how deposits are withdrawn."), None),
}


@pytest.mark.parametrize(("draft", "wanted"), CASES.values(), ids=CASES)
def test_findings(corpus: Corpus, draft: Draft, wanted: str | None) -> None:
    assert draft.arxiv
    found = rows(findings(preprints(corpus), {draft.arxiv: draft}))
    assert [what for _, what, _ in found] == ([wanted] if wanted else [])


def test_json(corpus: Corpus) -> None:
    draft = told(1, 3, updated=MAY, journal_ref="JN 7", comment="12 pages")
    [finding] = findings(preprints(corpus), {draft.arxiv: draft})
    assert finding.as_json() == {
        "key": "a",
        "arxiv": "2601.00001",
        "title": "A",
        "notes": ["rl/01_A", "rl/03_C"],
        "what": ["version", "published"],
        "known": {"version": 2, "since": "2026-02-01", "source": "arxiv", "venue": "", "doi": None},
        "now": {
            "version": 3,
            "updated": "2026-05-01",
            "published_in": "JN 7",
            "doi": None,
            "comment": "12 pages",
        },
    }
