"""What identifies papers: ids on arXiv by one pattern, and titles folded in one way, wherever they are read."""

from __future__ import annotations

import re

import pytest
from running import PROJECT

from paper_notes.identifiers import arxiv_in_field, arxiv_in_name, arxiv_in_stamp, folded_title, parse_arxiv, slugs


@pytest.mark.parametrize(
    ("number", "version"),
    [("0704.0001", None), ("1412.9999", 1), ("1501.00001", 12), ("2510.26475", 2), ("cs/0112017", None)],
)
def test_every_reader_finds_the_same_id(number: str, version: int | None) -> None:
    written = f"{number}v{version}" if version else number
    assert parse_arxiv(written) == (number, version)
    assert arxiv_in_stamp(f"arXiv:{written} [cs.CL] 30 Oct 2025") == (number, version)
    assert arxiv_in_field(f"https://arxiv.org/abs/{written}") == (number, version)
    assert arxiv_in_name(f"04_ReSpec_{written}") == (None if "/" in number else (number, version))


@pytest.mark.parametrize(
    "address",
    [
        "https://ar5iv.labs.arxiv.org/html/2510.26475",
        "https://ar5iv.org/abs/2510.26475",
        "https://www.alphaxiv.org/overview/2510.26475",
        "https://arxiv.org/html/2510.26475",
    ],
)
def test_other_sites_show_papers_of_arxiv_by_the_same_id(address: str) -> None:
    assert parse_arxiv(address) == ("2510.26475", None)


@pytest.mark.parametrize("text", ["2513.26475", "0601.12345", "2510.2647", "2510.264755", "1412.99999", "cs/0113017"])
def test_no_reader_takes_another_number_for_one(text: str) -> None:
    assert parse_arxiv(text) is None
    assert arxiv_in_stamp(f"arXiv:{text} [cs.CL]") is None
    assert arxiv_in_field(f"https://arxiv.org/abs/{text}") is None
    assert arxiv_in_name(f"04_ReSpec_{text}") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CoRR abs/2510.26475", None),
        ("abs/2510.26475", ("2510.26475", None)),
        ("https://doi.org/10.48550/arXiv.math.GT/0309136v3", ("math/0309136", 3)),
        ("arXiv preprint arXiv:2510.26475", ("2510.26475", None)),
        ("https://myarxiv.org/abs/2510.26475", None),
    ],
)
def test_ids_in_fields_of_entries(text: str, expected: tuple[str, int | None] | None) -> None:
    assert arxiv_in_field(text) == expected


def test_no_other_module_has_a_pattern_of_them() -> None:
    pattern = re.compile(r"(?<!-\[0-9\])\{4,5\}|/\\d\{7\}|arxiv\\?\.org/\(\?:", re.IGNORECASE)
    modules = (PROJECT / "paper_notes").rglob("*.py")
    assert [path.name for path in modules if pattern.search(path.read_text("utf-8"))] == ["identifiers.py"]


@pytest.mark.parametrize("title", ["ReSpec: a ﬁrst look", "Respec — A First Look", "Ｒｅｓｐｅｃ a first-look"])
def test_a_title_is_the_same_in_other_capitals_width_and_punctuation(title: str) -> None:
    assert folded_title(title) == "respecafirstlook"


def test_no_other_module_folds_titles() -> None:
    modules = (PROJECT / "paper_notes").rglob("*.py")
    found = [path.name for path in modules if "filter(str.isalnum" in path.read_text("utf-8")]
    assert found == ["identifiers.py"]


def test_a_slug_is_made_of_the_words_of_a_name() -> None:
    names = ["speculative decoding", "KV cache", "C++", "投机解码", "draft  model (small)", "**"]
    assert list(slugs(names, "term")) == [
        "term-speculative-decoding",
        "term-kv-cache",
        "term-c",
        "term-投机解码",
        "term-draft-model-small",
        "term-sign",
    ]


def test_names_that_are_alike_are_numbered_and_the_first_keeps_its_id() -> None:
    assert list(slugs(["RL", "rl", "rl-2", "r.l", "rl"], "t")) == ["t-rl", "t-rl-2", "t-rl-2-2", "t-r-l", "t-rl-3"]


def test_a_new_name_changes_no_other_id() -> None:
    before = list(slugs(["rate", "draft"], "term"))
    assert [*slugs(["new", "rate", "draft"], "term")][1:] == before
