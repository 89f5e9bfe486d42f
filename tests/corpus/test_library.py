"""read_library(): all .bib files as one value, and its memory."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.corpus.bibliography.library import read_library
from paper_notes.engine.cache import Cache
from paper_notes.sources.tree import Source

BIB = """
@string{tea = {Tea Letters}}
@article{li2020tea, title = {On {\\'E}mile's $x^2$ tea: 50\\% \\& more},
  author = {Li, An and {Tea Group} and 张三 and others},
  journal = tea # { B}, volume = 3, number = 4, pages = {1--9}, year = 2020, month = "3~" # may, doi = {10.1000/x},
  editor = {van Dyk, Jan}, eprint = {2005.00001}, primaryClass = {cs.CL}, code = {https://example.org/c}}
@misc{wu2021, title = {Untitled}}
"""


class Drawer(Cache):
    """A memory, and how often something was found in it."""

    def __init__(self, kept: dict[bytes, bytes] | None = None) -> None:
        super().__init__()
        self.kept, self.hits = dict(kept or {}), 0

    def get(self, key, *, of_any_program=False):
        self.hits += key in self.kept
        return self.kept.get(key)

    def put(self, key, value, *, of_any_program=False):
        self.kept[key] = value


def files(**texts: str) -> list[Source]:
    return [Source(PurePosixPath(f"notes_src/{name}.bib"), text.encode()) for name, text in texts.items()]


def test_strings_and_duplicates_reach_over_files():
    papers, _ = read_library(files(a=BIB, b="@article{b, title = {Untitled}, author = {Bo, X}, journal = tea}"))
    assert papers["b"].venue == "Tea Letters"
    again = files(a=BIB, b="@misc{b, title = {Other}, author = {Bo, X}, doi = {https://doi.org/10.1000/X}}")
    assert str(read_library(again)[1][-1]) == (
        'notes_src/b.bib:1:1: warning[duplicate-paper]: this has the same DOI as "li2020tea" in notes_src/a.bib:3:1\n'
        '  hint: keep one of the two, and use its key in all notes: "li2020tea" or "b"'
    )


def test_what_is_remembered_is_what_was_read():
    drawer = Drawer()
    first = read_library(files(a=BIB), drawer)
    second = read_library(files(a=BIB), drawer)
    assert (drawer.hits, len(drawer.kept)) == (1, 1)
    assert second == first
    assert first[1]
    assert list(second[0]) == list(first[0])
    assert "li2020tea" in second[0]
    assert "nobody" not in second[0]
    assert second[0].get("nobody") is None


def test_another_text_path_or_order_is_another_result():
    drawer = Drawer()
    for sources in (files(a=BIB), files(b=BIB), files(a=BIB + " "), files(a=BIB, b=""), files(b="", a=BIB)):
        read_library(sources, drawer)
    assert (drawer.hits, len(drawer.kept)) == (0, 5)


@pytest.mark.parametrize(
    "damage", [lambda data: b"", lambda data: data[:-9], lambda data: b"\x92\x01\x02", lambda data: data + b"x"]
)
def test_a_damaged_memory_is_not_used(damage):
    drawer = Drawer()
    first = read_library(files(a=BIB), drawer)
    for key, data in drawer.kept.items():
        drawer.kept[key] = damage(data)
    assert read_library(files(a=BIB), drawer) == first
    assert read_library(files(a=BIB), Drawer(drawer.kept)) == first, "and a good one follows"


def test_no_files_no_memory():
    drawer = Drawer()
    assert read_library([Source(PurePosixPath("notes_src/site.yaml"), b"")], drawer) == ({}, ())
    assert not drawer.kept
