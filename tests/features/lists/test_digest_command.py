"""`paper-notes digest`: a day's papers become a note, and what is there is only added to."""

from __future__ import annotations

import datetime
import re
from functools import partial
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

import pytest
from fake_outside import Answer, FakeOutside, daily, daily_paper, entry, feed_of
from hypothesis import given
from hypothesis import strategies as st
from running import files_of, paper_notes, write

from paper_notes.build import build
from paper_notes.diagnostics import Location
from paper_notes.features.lists.daily import fetch_day, origin_of
from paper_notes.features.lists.entry_sections import plain_markdown
from paper_notes.features.papers import web
from paper_notes.features.papers.web import DAY
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang
from paper_notes.markdown.short_texts import render_snippet

NOTE = "notes_src/daily/01_2026-01-13/note.yaml"
ZH = "notes_src/daily/01_2026-01-13/zh.md"
HOSTILE = "# A `b` {#x} [[#9]] [@no] ==x== %%y%% $\\bad{ $ </script> \\(z\\) :::note\n\n```\u202e"
MINE = """\
# the day on which I drank tea
title: {zh: 那天, en: "That day"}   # mine
kind: digest
source: {format: hf-daily, date: 2026-01-13}
entries:
  - paper: 'lu2026tea'    # my own key
    headline: {zh: 我的话}
    upvotes: 2            # then
  # the other one
  - paper: other
tags: [tea]
"""
LIBRARY = """\
@misc{lu2026tea, title={My Title}, author={Lu, Yu}, eprint={2601.00002}, archiveprefix={arXiv}}
@misc{other, title={Other}, author={Lu, Yu}, eprint={2601.00004}, archiveprefix={arXiv}}
"""
WOULD = """\
Asking Hugging Face ...
2026-01-13: left out, because they have no arXiv id or no title: 3
2026-01-13 -> notes_src/daily/01_2026-01-13: a new note; papers: 4
would create notes_src/daily/01_2026-01-13/en.md
would create notes_src/daily/01_2026-01-13/note.yaml
would create notes_src/daily/01_2026-01-13/papers.bib
would create notes_src/daily/01_2026-01-13/zh.md
would create notes_src/daily/topic.yaml
paper-notes: nothing was written; run it without --check
"""


@pytest.fixture
def root(tmp_path: Path, outside: FakeOutside, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in outside.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(web, "Web", partial(web.Web, sleep=lambda seconds: None))
    return write(tmp_path, {"notes_src/site.yaml": "title: {zh: 茶, en: Tea}\ntopics: [daily]\n"})


def run(root: Path, *arguments: str) -> tuple[int, str]:
    done = paper_notes("digest", *arguments, "--root", root)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stderr


@pytest.mark.parametrize(("age", "renew", "kept"), [(0, False, 0), (7, False, 0), (8, False, DAY), (8, True, 0)])
def test_a_day_is_settled_after_a_week(age: int, kept: float, *, renew: bool) -> None:
    seen = []

    def ask(*_: object, fresh: float = 0.0) -> tuple[()]:
        seen.append(fresh)
        return ()

    day = datetime.date(2026, 1, 13)
    fetch_day(SimpleNamespace(ask=ask), origin_of("hf"), day, day + datetime.timedelta(age), renew=renew)  # type: ignore[arg-type]
    assert seen == [kept]


def test_a_day_becomes_a_note_that_builds_and_a_second_run_writes_nothing(root: Path, outside: FakeOutside) -> None:
    bare = dict.fromkeys(("upvotes", "ai_summary", "ai_keywords", "organization", "authors", "summary"))
    hostile = {
        "title": HOSTILE,
        "ai_summary": HOSTILE,
        "ai_keywords": [HOSTILE, "<b>", 3],
        "projectPage": "javascript:x",
    }
    without_id = (daily_paper(0, id="nope"), daily_paper(10, id=None), daily_paper(11, id=None))
    pages = (
        daily(daily_paper(3), daily_paper(8), daily_paper(1, day="2026-01-12")),
        daily(daily_paper(8), daily_paper(5, **bare), daily_paper(6, **hostile, upvotes=6), *without_id),
        daily(daily_paper(3, upvotes=9)),  # nothing new: there are no more pages
    )
    outside.hf.says(*pages)
    assert run(root, "2026-01-13", "--check") == (1, WOULD)
    assert not (root / "notes_src/daily").exists()
    assert [question.query["p"] for question in outside.hf.questions] == [["0"], ["1"], ["2"]]
    assert run(root, "2026-01-13")[0] == 0
    made = build(root)
    assert made.plan, made.diagnostics
    assert made.diagnostics == (), "one has no authors, which is no matter in a list"
    note = (root / NOTE).read_text("utf-8")
    assert [line for line in note.splitlines() if "upvotes" in line] == ["  upvotes: 8", "  upvotes: 6", "  upvotes: 3"]
    assert note.partition("entries:")[0] == (
        "title:\n  zh: 2026-01-13 的论文\n  en: Papers of 2026-01-13\nkind: digest\ncreated: 2026-01-13\nstatus: todo\n"
        "source:\n  format: hf-daily\n  url: https://huggingface.co/papers/date/2026-01-13\n  date: 2026-01-13\n"
    )
    headings = [line.rpartition("{")[2] for line in (root / ZH).read_text("utf-8").splitlines() if line]
    assert headings == [f"#p-2601-0000{number}}}" for number in (8, 6, 3, 5)]
    before = files_of(root / "notes_src")
    outside.hf.says(*pages)
    for options in ((), ("--refresh-votes",), ("--check",)):
        code, said = run(root, "2026-01-13", *options)
        assert (code, said.splitlines()[-1]) == (0, "2026-01-13 -> notes_src/daily/01_2026-01-13: nothing new")
    assert files_of(root / "notes_src") == before


def test_the_page_of_a_project_is_a_link_everywhere_and_goes_out_again(root: Path, outside: FakeOutside) -> None:
    outside.hf.says(daily(daily_paper(2, githubRepo=None), daily_paper(1)), daily())
    run(root, "2026-01-13")
    address = "https://tea.example/p?a=1&b=2"
    assert f"project = {{{address}}}" in (root / NOTE).with_name("papers.bib").read_text("utf-8")
    assert paper_notes("build", "--root", root).exit_code == 0
    (page,) = (root / "site/daily/notes").glob("*.html")
    card = page.read_text("utf-8").partition('id="p-2601-00002"')[2]
    link = re.search(f'href="{re.escape(address.replace("&", "&amp;"))}">(.*?)</a>', card)
    assert link is not None
    assert re.sub("<[^>]*>", " ", link[1]).split() == ["项目主页", "Project"]
    assert f"project = {{{address}}}" in page.with_suffix(".bib").read_text("utf-8")
    made = paper_notes("export", "daily/1", "--format", "list", "--root", root).stdout
    assert made.startswith("# Paper List of 2026-01-13\n- [26/01] **Paper 2")
    assert re.findall(r"\[Code/Page\]\((.*?)\)\]", made) == [address, "https://github.com/tea/tea"]


def test_what_is_there_is_only_added_to(root: Path, outside: FakeOutside) -> None:
    zh = (
        "开头。\n\n## 茶 {#p-2601-00002}\n我的话。  \n### 细节 {#p-2601-00002-x}\n```\n"
        "## 不是标题 {#p-2601-00004}\n```\n## 别的 {#p-2601-00004}\n尾"
    )
    note = MINE.replace("\n", "\r\n")
    topic = {"notes_src/daily/topic.yaml": "title: {zh: 每日, en: Daily}\n"}
    write(root, {NOTE: note, ZH: zh, "notes_src/library.bib": LIBRARY, **topic})
    bare = dict.fromkeys(("ai_summary", "ai_keywords"))
    page = daily(*(daily_paper(number, **bare, upvotes=votes) for votes, number in enumerate((9, 4, 3, 2, 1))))
    outside.hf.says(page, daily())
    assert run(root, "2026-01-13", "--min-votes", "1")[0] == 0
    now = (root / NOTE).read_bytes().decode()
    first, third = "quill2026paper", "quill2026papera"
    added = note.replace("  - paper: 'lu", f"  - paper: {first}\r\n    upvotes: 4\r\n  - paper: 'lu")
    added = added.replace("  # the other", f"  - paper: {third}\r\n    upvotes: 2\r\n  # the other")
    assert now == added
    head = "Tea & 50% α of #1"
    expected = zh.replace("## 茶", f"## Paper 1: {head} {{#p-2601-00001}}\n\n## 茶")
    expected = expected.replace("```\n## 别", f"```\n\n## Paper 3: {head} {{#p-2601-00003}}\n\n## 别")
    assert (root / ZH).read_bytes().decode() == expected
    assert (root / "notes_src/library.bib").read_text("utf-8") == LIBRARY
    assert (root / NOTE).with_name("papers.bib").read_text("utf-8").count("@misc") == 2
    assert build(root).plan
    outside.hf.says(page, daily())
    assert run(root, "2026-01-13", "--refresh-votes", "--min-votes", "1")[0] == 0
    again = added.replace("upvotes: 2            # then", "upvotes: 3            # then")
    again = again.replace("  - paper: other\r\n", "  - paper: other\r\n    upvotes: 1\r\n")
    assert (root / NOTE).read_bytes().decode() == again


def test_texts_keep_their_line_ends(root: Path, outside: FakeOutside) -> None:
    topic = {"notes_src/daily/topic.yaml": "title: {zh: 每日, en: Daily}\n", "notes_src/library.bib": LIBRARY}
    write(root, {**topic, NOTE: MINE, ZH: "## 茶 {#p-2601-00002}\r\n\r\n我的话。\r\n"})
    outside.hf.says(daily(daily_paper(2), daily_paper(1)), daily())
    assert run(root, "2026-01-13")[0] == 0
    text = (root / ZH).read_bytes()
    assert text.startswith("## 茶 {#p-2601-00002}\r\n\r\n我的话。\r\n\r\n## Paper 1".encode())
    assert text.count(b"\n") == text.count(b"\r\n") == 5


def test_a_week_makes_a_note_a_day_and_says_why_not(root: Path, outside: FakeOutside) -> None:
    outside.hf.says(
        daily(),
        daily(daily_paper(1)),
        daily(daily_paper(1)),
        daily(daily_paper(1, day="2026-01-14"), daily_paper(2, day="2026-01-14")),
        daily(),
        daily(daily_paper(1, day="2026-01-15")),
        daily(daily_paper(1, day="2026-01-15")),
        daily(),
    )
    code, said = run(root, "2026-W03", "--top", "1", "--min-votes", "1")
    assert code == 0
    assert said.splitlines()[1:] == [
        "2026-01-12: no papers",
        "2026-01-13 -> notes_src/daily/01_2026-01-13: a new note; papers: 1",
        "2026-01-14 -> notes_src/daily/02_2026-01-14: a new note; papers: 1",
        "2026-01-15 -> notes_src/daily/03_2026-01-15: a new note; papers: 1",
        *(f"2026-01-{day}: no papers" for day in (16, 17, 18)),
    ]
    made = "".join(path.read_text("utf-8") for path in root.rglob("papers.bib"))
    assert made.count("@misc") == 2, "each paper once"
    assert build(root).plan


def test_nothing_is_written_if_a_day_of_many_cannot_be_had(root: Path, outside: FakeOutside) -> None:
    outside.hf.says(daily(daily_paper(1, day="2026-01-12")), daily(), Answer(b"[", 200))
    before = files_of(root)
    code, said = run(root, "2026-01")
    assert code == 1
    assert "Hugging Face's answer is not whole JSON (line 1). Nothing was written" in said
    assert files_of(root) == before


def test_a_category_of_arxiv(root: Path, outside: FakeOutside) -> None:
    def page(*numbers: int) -> bytes:
        feed = feed_of(*(entry(f"http://arxiv.org/abs/2601.{number:05}v1") for number in numbers))
        total = b"<totalResults xmlns='http://a9.com/-/spec/opensearch/1.1/'>3</totalResults>"
        return feed.replace(b"</title>", b"</title>" + total, 1)

    outside.arxiv.says(page(1, 2), page())
    code, said = run(root, "2026-01-13", "--from", "arxiv:cs.CL")
    assert (code, "arXiv says that there are 3 papers of cs.CL, and gave 2" in said) == (1, True)
    outside.arxiv.says(page(3))  # the first page is kept
    assert run(root, "2026-01-13", "--from", "arxiv:cs.CL")[0] == 0
    query = outside.arxiv.questions[-1].query
    assert (query["start"], query["search_query"][0]) == (
        ["2"],
        "cat:cs.CL AND submittedDate:[202601130000 TO 202601132359]",
    )
    note = (root / "notes_src/daily/01_2026-01-13_cs.CL/note.yaml").read_text("utf-8")
    assert note.partition("entries:")[0] == (
        "title:\n  zh: 2026-01-13 的论文：cs.CL\n  en: 'Papers of 2026-01-13: cs.CL'\n"
        "kind: digest\ncreated: 2026-01-13\nstatus: todo\n"
        "source:\n  format: arxiv\n  url: https://arxiv.org/list/cs.CL/recent\n"
        "  date: 2026-01-13\n  terms:\n  - cs.CL\n"
    )
    papers = [line for line in note.splitlines() if line.startswith("- paper:")]
    assert papers == sorted(papers)
    assert len(papers) == 3
    assert build(root).plan
    assert "nothing new" in run(root, "2026-01-13", "--from", "arxiv:cs.CL")[1]


@pytest.mark.parametrize(
    ("arguments", "about"),
    [
        (("2026-02-30",), '"2026-02-30" is no day, week or month'),
        (("2026-W60",), "is no day"),
        (("0000-13",), "is no day"),
        (("99999999",), "is no day"),
        (("9999-12-31",), "9999-12-31 is in the future"),
        (("2026-01-13", "--from", "arxiv"), '"arxiv" is no source of daily papers'),
        (("2026-01-13", "--from", "arxiv:cs.CL OR x"), "is no source"),
        (("2026-01-13", "--from", "arxiv:cs.CL", "--min-votes", "3"), "arXiv counts no votes"),
        (("2026-01-13", "--topic", "dayly"), 'did you mean "daily"?'),
        (("2026-01-13", "--topic", "xyz"), "known: daily; or make it with --new-topic"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anybody_is_asked(
    arguments: tuple[str, ...], about: str, root: Path, outside: FakeOutside
) -> None:
    code, said = run(root, *arguments)
    assert (code, about in said) == (1, True), said
    assert outside.hf.questions == []


def test_a_collection_without_settings_asks_nobody(root: Path, outside: FakeOutside) -> None:
    (root / "notes_src/site.yaml").unlink()
    code, said = run(root)
    assert (code, "no-collection" in said, outside.hf.questions) == (1, True, [])


def test_a_list_that_cannot_be_added_to_stays_as_it_is(root: Path, outside: FakeOutside) -> None:
    topic = {"notes_src/daily/topic.yaml": "title: {zh: 每日, en: Daily}\n", "notes_src/library.bib": LIBRARY}
    single = MINE.replace("# the day on which I drank tea\n", "---\n") + "---\n正文。\n"
    outside.hf.says(daily(daily_paper(1)), daily())
    for name, text, about in (
        ("notes_src/daily/01_x.md", single, "is a note in a single file"),
        (ZH, "开头\n\n```\n没有结束\n", "would be inside of a block"),
    ):
        write(root, {**topic, name: text, **({NOTE: MINE} if name == ZH else {})})
        before = files_of(root)
        code, said = run(root, "2026-01-13")
        assert (code, about in said, files_of(root) == before) == (1, True, True), said
        (root / name).unlink()


@given(st.text(st.sampled_from("#$\\`*_[]<>@:|{}%~=^!() -.茶a1"), min_size=1, max_size=60).filter(str.strip))
def test_any_line_from_outside_becomes_markdown_that_refers_to_nothing(text: str) -> None:
    words = Words.of("zh", "en")
    made = render_snippet(plain_markdown(text.strip(), words), Lang("en"), Location(PurePosixPath("x.md")), words)
    assert not [problem for problem in made.diagnostics if problem.severity == "error"]
    assert all(slot.kind == "plain" for slot in made.slots)
    assert "<a " not in made.html
