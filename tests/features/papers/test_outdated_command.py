"""`paper-notes lookup`: few requests for the whole collection, and papers that got no answer."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from fake_outside import EMPTY, LOG_IN_PAGE, Answer, FakeOutside, entry, feed_of
from running import files_of, paper_notes, write

from paper_notes.features.papers import web

SITE = "title: Site\nlanguages: [en]\ntopics: [rl]\n"
TOPIC = "title: RL\n"


def library(count: int) -> str:
    return "".join(
        f"@misc{{p{n:03}, title={{Paper {n}}}, author={{Quill, Ada}}, eprint={{2601.{n:05}}}, version={{1}}}}\n"
        for n in range(1, count + 1)
    )


def answers(numbers: range, version: int = 1, **fields: str) -> bytes:
    return feed_of(*(entry(f"http://arxiv.org/abs/2601.{n:05}v{version}", **fields) for n in numbers))


@pytest.fixture
def root(tmp_path: Path, outside: FakeOutside, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in outside.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(web, "Web", partial(web.Web, sleep=lambda seconds: None))
    return write(
        tmp_path,
        {"notes_src/site.yaml": SITE, "notes_src/rl/topic.yaml": TOPIC, "notes_src/library.bib": library(2)},
    )


def test_a_table(root: Path, outside: FakeOutside) -> None:
    outside.arxiv.says(
        feed_of(
            entry("http://arxiv.org/abs/2601.00001v3"),
            entry("http://arxiv.org/abs/2601.00002v1", **{"arxiv:comment": "Accepted at ICML 2026"}),
        )
    )
    before = files_of(root / "notes_src")
    result = paper_notes("lookup", "--root", root)
    assert result.exit_code == 0
    assert result.stdout == "p001\tv1 → v3 (2025-12-01)\t\np002\tpublished: Accepted at ICML 2026\t\n"
    assert result.stderr == "Asking arXiv ...\nPapers on arXiv: 2; answers: 2; outdated: 2.\n"
    assert paper_notes("lookup", "--check", "--root", root).exit_code == 1
    assert len(outside.arxiv.questions) == 1, "asked an hour ago at most"
    assert files_of(root / "notes_src") == before


def test_nothing_is_outdated(root: Path, outside: FakeOutside) -> None:
    outside.arxiv.says(answers(range(1, 3)))
    result = paper_notes("lookup", "--check", "--json", "--root", root)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"outdated": [], "failed": [], "asked": 2}


def test_a_hundred_at_a_time(root: Path, outside: FakeOutside) -> None:
    write(root, {"notes_src/library.bib": library(230)})
    outside.arxiv.says(answers(range(1, 101)), answers(range(101, 201), 2), answers(range(201, 231)))
    result = paper_notes("lookup", "--json", "--root", root)
    told = json.loads(result.stdout)
    assert result.exit_code == 0
    assert told["asked"] == 230
    assert [finding["what"] for finding in told["outdated"]] == [["version"]] * 100
    assert [len(question.query["id_list"][0].split(",")) for question in outside.arxiv.questions] == [100, 100, 30]
    assert [question.query["max_results"] for question in outside.arxiv.questions] == [["100"], ["100"], ["30"]]


def test_some_are_not_known(root: Path, outside: FakeOutside) -> None:
    outside.arxiv.says(answers(range(2, 3), 2))
    result = paper_notes("lookup", "--root", root)
    assert result.exit_code == 1
    assert result.stdout == "p002\tv1 → v2 (2025-12-01)\t\n"
    assert result.stderr == (
        "Asking arXiv ...\n"
        "paper-notes: arXiv has no paper 2601.00001\n"
        "  not known: p001\n"
        "  hint: check the id at https://arxiv.org/abs/2601.00001\n"
        "Papers on arXiv: 2; answers: 1; outdated: 1.\n"
    )


DOWN = {
    "503": (Answer(b"", 503), "arXiv cannot be reached: it answered 503 Service Unavailable (tried 3 times)"),
    "log-in": (Answer(LOG_IN_PAGE), "arXiv's answer is a web page, not a feed"),
}


@pytest.mark.parametrize(("answer", "message"), DOWN.values(), ids=DOWN)
def test_arxiv_stops_answering(root: Path, outside: FakeOutside, answer: Answer, message: str) -> None:
    write(root, {"notes_src/library.bib": library(250)})
    outside.arxiv.says(Answer(answers(range(1, 101), 2)), answer)
    result = paper_notes("lookup", "--json", "--root", root)
    told = json.loads(result.stdout)
    assert result.exit_code == 1
    assert len(told["outdated"]) == 100
    assert [failure["message"] for failure in told["failed"]] == [message] * 150
    assert f"paper-notes: {message}\n  not known: p101, p102, " in result.stderr
    assert "--offline" not in result.stderr


def test_nothing_on_arxiv(root: Path, outside: FakeOutside) -> None:
    write(root, {"notes_src/library.bib": "@misc{z, title={Z}, author={Quill, Ada}}\n"})
    result = paper_notes("lookup", "--root", root)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "Papers on arXiv: 0; answers: 0; outdated: 0.\n"
    assert outside.arxiv.questions == []


def test_papers_without_a_version_or_a_note_are_counted(root: Path, outside: FakeOutside) -> None:
    write(root, {"notes_src/library.bib": library(2).replace(", version={1}", "")})
    outside.arxiv.says(answers(range(1, 3), 5))
    result = paper_notes("lookup", "--root", root)
    assert result.stdout == ""
    assert "2 of them have neither a version nor a note: newer versions of those cannot be found.\n" in result.stderr


def test_a_collection_with_errors(root: Path, outside: FakeOutside) -> None:
    outside.arxiv.says(EMPTY)
    write(root, {"notes_src/rl/topic.yaml": "titel: RL\n"})
    result = paper_notes("lookup", "--root", root)
    assert result.exit_code == 1
    assert result.stderr.endswith("paper-notes: the collection has errors; fix them first\n")
    assert outside.arxiv.questions == []
