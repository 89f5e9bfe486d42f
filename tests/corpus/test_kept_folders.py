"""Folders of papers for kept pictures: short, good on every disk, and different for different papers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from paper_notes.corpus.kept_crops import PaperFolders
from paper_notes.corpus.paper import Paper
from paper_notes.sources.filenames import alike, unusable
from paper_notes.sources.tree import ignored


def paper(key: str, arxiv: str | None = None) -> Paper:
    return cast(Paper, SimpleNamespace(key=key, arxiv=arxiv))


@pytest.mark.parametrize(
    ("one", "folder"),
    [
        (paper("a2020", "2601.00001"), "2601.00001"),
        (paper("a2020", "cs/0112017"), "cs-0112017"),
        (paper("Author:2020"), "Author-2020-"),
        (paper("leviathan2022fast"), "leviathan2022fast"),
        (paper("王2020"), "王2020"),
    ],
)
def test_a_folder_is_called_as_the_pdf_of_the_paper(one: Paper, folder: str) -> None:
    name = PaperFolders([one]).of(one, None).name
    assert name.startswith(folder)
    assert len(name) - len(folder) == (8 if folder.endswith("-") else 0)
    assert PaperFolders([one]).of(one, 2).name == f"{name}v2"


def test_names_are_good_for_every_disk_and_never_the_same() -> None:
    keys = [*"a:b a/b a-b A-B con ~x .x node_modules x. ../../x a\\b é".split(), "k" * 300, "x~"]
    papers = [paper(key) for key in keys]
    folders = PaperFolders(papers)
    names = [folders.of(one, None).name for one in papers]
    assert len(set(map(alike, names))) == len(names)
    assert all(name and "/" not in name and not unusable(name) and not ignored(name) for name in names)
    assert all(folders.of(one, None).parent.name == "crops" for one in papers)
