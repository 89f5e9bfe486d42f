"""What became of a note or a paper since the last good build."""

from __future__ import annotations

from typing import Literal

import pytest
from building import source

from paper_notes.corpus.load import load
from paper_notes.corpus.rename_hints import _Moves, _names

SITE = {
    "site.yaml": "title: Tea\nlanguages: [en]\ntopics: [one, two]\n",
    "one/topic.yaml": "title: One\n",
    "two/topic.yaml": "title: Two\n",
}


def note(place: str, title: str = "Other", text: str = "Others.", papers: str = "") -> dict[str, str]:
    return {f"{place}/note.yaml": f"title: {title}\npapers: [{papers}]\n", f"{place}/en.md": f"{text}\n"}


def paper(key: str, title: str, fields: str) -> str:
    return f"@misc{{{key}, title={{{title}}}, author={{Lu, Yu}}, year={{2020}}, {fields}}}\n"


def moves(kind: Literal["note", "paper"], before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The name that each note or paper which is gone has now; empty for none."""
    names = []
    for files in (before, after):
        corpus, problems = load(tuple(source(f"notes_src/{name}", text) for name, text in (SITE | files).items()))
        assert corpus, problems
        names.append(_names(corpus)[kind])
    found = _Moves(*names)
    return [now.names[0] if (now := found.after(gone)) else "" for gone in found.gone]


BIB = {"l.bib": paper("k", "Kept", "") + paper("m", "More", "")}
TEA = note("one/01_Tea", "Tea", "Leaves.", "k, m")


@pytest.mark.parametrize(
    ("after", "name"),
    [
        (note("two/02_Name", text="Leaves."), "two/#2"),
        (note("two/02_Name", title="TEA"), "two/#2"),
        (note("two/02_tea"), "two/#2"),
        (note("two/02_Name", papers="k"), "two/#2"),
        (note("two/02_Name", papers="m, k"), ""),
        (note("two/02_Name"), ""),
        (note("two/02_Name", title="Tea") | note("two/03_Tea", title="Black", text="Leaves."), "two/#3"),
        (note("two/02_Name", title="Tea") | note("two/03_Name", title="Tea"), ""),
        (note("two/02_Name", title="Tea") | note("two/03_Name", title="Tea") | note("two/04_Tea"), "two/#4"),
    ],
)
def test_a_note_is_found_by_its_text_title_name_or_first_paper_if_only_one_has_it(
    after: dict[str, str], name: str
) -> None:
    assert moves("note", BIB | TEA, BIB | after) == [name]


@pytest.mark.parametrize(
    ("after", "key"),
    [
        (paper("new", "Other", "eprint={2601.00001}, archiveprefix={arXiv}"), "new"),
        (paper("new", "Other", "doi={10.1234/ABC}"), "new"),
        (paper("new", "the TITLE", ""), "new"),
        (paper("new", "Other", ""), ""),
    ],
)
def test_a_paper_is_found_by_its_ids_or_its_title(after: str, key: str) -> None:
    before = paper("old", "The title", "eprint={2601.00001}, archiveprefix={arXiv}, doi={10.1234/abc}")
    assert moves("paper", {"l.bib": before}, {"l.bib": after}) == [key]
