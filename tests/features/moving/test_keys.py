"""New names of papers and sections: what is written anew, what stays as it is, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from paper_notes.corpus.load import load
from paper_notes.corpus.model import Lang, NoteId
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import UserError
from paper_notes.features.moving.keys import rename_paper, rename_section
from paper_notes.features.moving.move import Move
from paper_notes.features.moving.references import CollectionFiles
from paper_notes.markdown.render import render_body
from paper_notes.markdown.translations import digests
from paper_notes.sources.tree import Source

FILES = {
    "site.yaml": "title: Notes\nlanguages: [en, zh]\ntopics: [tea]\n",
    "a.bib": "@misc{li2025, title={Tea}, author={Li, Ann}, year=2025}\n"
    "@misc{li2025b, crossref = {li2025}, title={Milk}, author={Li, Ann}, year=2025}\n",
    "glossary.yaml": "- {en: tea, zh: 茶, definition: {en: 'As in [@li2025].'}}\n",
    "tea/topic.yaml": "title: Tea\nintro: {en: 'Begin with [[#2#hot]].'}\n",
    "tea/01_Leaf.md": "---\ntitle: Leaf\npapers: [li2025]\n---\nSee [[#2#hot|there]] and [[tea/02_Water#hot-tea]].\n",
    "tea/02_Water/note.yaml": "title: Water\npapers: ['li2025', li2025b]\n",
    "tea/02_Water/en.md": "As [see @li2025, p. 2; @li2025b].\n\n## Hot {#hot}\n\n`@li2025` me@li2025 [up](#hot) "
    "[7]{from=\"@li2025 T1[a, b]\"}\n\n## Hot tea {#hot-tea}\n\n[[#1]]\n",
    "tea/02_Water/zh.md": "见 [@li2025b]。\n\n## 热 {#hot n=2}\n\n水。\n\n## 热茶 {#hot-tea}\n\n茶。\n",
}  # fmt: skip
NOTE = NoteId("tea/02_Water")


def read(files: Mapping[str, str | bytes]) -> CollectionFiles:
    sources = tuple(
        Source(PurePosixPath("notes_src", name), data.encode() if isinstance(data, str) else data)
        for name, data in sorted(files.items())
    )
    corpus, problems = load(sources)
    assert corpus
    assert not [problem for problem in problems if problem.severity == "error"]
    return CollectionFiles(corpus, sources)


def written(move: Move) -> dict[str, str]:
    return {str(source.path).removeprefix("notes_src/"): source.data.decode() for source in move.sources}


def test_a_paper_has_its_new_key_wherever_it_is_named() -> None:
    made = written(rename_paper(read(FILES), BibKey("li2025"), "li:2025"))
    water = FILES["tea/02_Water/en.md"]
    assert made == {
        "a.bib": FILES["a.bib"].replace("{li2025,", "{li:2025,").replace("{li2025}", "{li:2025}"),
        "glossary.yaml": FILES["glossary.yaml"].replace("li2025", "li:2025"),
        "tea/01_Leaf.md": FILES["tea/01_Leaf.md"].replace("li2025", "li:2025"),
        "tea/02_Water/note.yaml": "title: Water\npapers: ['li:2025', li2025b]\n",
        "tea/02_Water/en.md": water.replace("see @li2025,", "see @li:2025,").replace('"@li2025 ', '"@li:2025 '),
    }


def test_its_pdf_is_called_as_the_paper_is() -> None:
    pdf = "tea/02_Water/li2025.pdf"
    move = rename_paper(read({**FILES, pdf: b"%PDF-1.4"}), BibKey("li2025"), "li2026")
    assert move.renamed == ((PurePosixPath("notes_src", pdf), PurePosixPath("notes_src/tea/02_Water/li2026.pdf")),)
    with pytest.raises(UserError, match="cannot be the name of"):
        rename_paper(read({**FILES, pdf: b"%PDF-1.4"}), BibKey("li2025"), "li/2026")


@pytest.mark.parametrize(
    ("now", "said"),
    [("li2025b", "is the key of another paper"), ("a b", "cannot be the key"), ("2025", "cannot be the key")],
)
def test_a_key_that_means_something_else_is_refused(now: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        rename_paper(read(FILES), BibKey("li2025"), now)


def test_pictures_that_have_the_key_in_their_address_are_not_lost() -> None:
    files = {**FILES, "tea/02_Water/zh.md": "![图](pdf:li2025#figure-1)\n"}
    with pytest.raises(UserError, match="shows parts of the PDF"):
        rename_paper(read(files), BibKey("li2025"), "li2026")


def test_a_section_has_its_new_id_wherever_it_is_named() -> None:
    files = read(FILES)
    made = written(rename_section(files, files.corpus.note(NOTE), "hot", "warm"))
    assert made == {
        "tea/topic.yaml": FILES["tea/topic.yaml"].replace("#hot", "#warm"),
        "tea/01_Leaf.md": FILES["tea/01_Leaf.md"].replace("#2#hot", "#2#warm"),
        "tea/02_Water/en.md": FILES["tea/02_Water/en.md"].replace("{#hot}", "{#warm}").replace("(#hot)", "(#warm)"),
        "tea/02_Water/zh.md": FILES["tea/02_Water/zh.md"].replace("{#hot n", "{#warm n"),
    }


@pytest.mark.parametrize(
    ("section", "now", "said"),
    [
        ("hot", "hot-tea", "cannot be the id"),
        ("hot", "1", "cannot be the id"),
        ("method", "way", "no heading has the id"),
    ],
)
def test_a_section_keeps_its_id_if_it_cannot_have_the_other(section: str, now: str, said: str) -> None:
    files = read({**FILES, "tea/02_Water/en.md": FILES["tea/02_Water/en.md"] + "\n## Method\n\nNone.\n"})
    with pytest.raises(UserError, match=said):
        rename_section(files, files.corpus.note(NOTE), section, now)


@pytest.mark.parametrize("what", ["paper", "section"])
def test_what_is_kept_of_a_section_by_the_digest_of_its_text_stays_true(what: str) -> None:
    files = read(FILES)
    known = digests(render_body(files.corpus.note(NOTE), words=files.corpus.site.words))["hot"]
    en, zh = known[Lang("en")], known[Lang("zh")]
    record = f"{{digest: '{zh}', model: m, prompt: p, date: 2026-01-01, source: s}}"
    facts = f"translated:\n  hot: {{en: '{en}', zh: '{zh}'}}\ndrafted:\n  hot:\n    zh: {record}\n"
    kept = f"# x\npdf\tli2025\tab\nen\thot\t{en}\n0\t7\tbound\ttable\t1\t2\tli2025\t\t0.00\n"
    recorded = {
        **FILES,
        "tea/02_Water/note.yaml": FILES["tea/02_Water/note.yaml"] + facts,
        "tea/02_Water/evidence.tsv": kept,
    }
    files = read(recorded)
    if what == "section":
        section, key, move = "warm", "li2025", rename_section(files, files.corpus.note(NOTE), "hot", "warm")
    else:
        section, key, move = "hot", "li2026", rename_paper(files, BibKey("li2025"), "li2026")
    made = {**recorded, **written(move)}
    note = read(made).corpus.note(NOTE)
    now = digests(render_body(note, words=files.corpus.site.words))[section]
    assert now[Lang("en")] != en
    assert note.translated[section].digests == now
    assert note.drafted[section][Lang("zh")].digest == now[Lang("zh")]
    assert made["tea/02_Water/evidence.tsv"] == kept.replace("li2025", key).replace(
        f"hot\t{en}", f"{section}\t{now[Lang('en')]}"
    )
