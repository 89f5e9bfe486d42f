"""What an editor is told of a collection: words to come, what stands at a place, and where it is written."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from running import write

from paper_notes.build import build
from paper_notes.corpus.model import NoteId
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.lsp.answers import EditorAnswers, Inlay, Mark, Named, folds, headings, indented, mark
from paper_notes.markdown.sections import digest as digest_of_lines

FILES = {
    "notes_src/site.yaml": "title: T\nlanguages: [zh, en]\ntopics: [rl, models]\n"
    "macros: {softmax: '\\operatorname{softmax}'}\n",
    "notes_src/rl/topic.yaml": "title: {zh: 专题, en: Topic}\nmacros: {KL: 'D_{KL}'}\n",
    "notes_src/models/topic.yaml": "title: {zh: 模型, en: Models}\n",
    "notes_src/glossary.yaml": "- {zh: 投机解码, en: speculative decoding, aliases: [SD],\n"
    "   definition: {zh: 先写, en: Drafts first}}\n",
    "notes_src/a.bib": "@misc{li2025, title={On acceptance}, author={Li, Ann}, year=2025}\n"
    "@misc{wu2026, title={Caches}, author={Wu, Bo}, year=2026}\n",
    "notes_src/rl/01_First/note.yaml": "title: {zh: 首篇, en: First}\nkind: paper\npapers: [li2025]\ntags: [rl/grpo]\n",
    "notes_src/rl/01_First/zh.md": "投机解码。\n\n## 方法 {#m}\n\n见 [[models/#1]]。\n",
    "notes_src/rl/01_First/en.md": "A SD note [@li2025, p. 2].\n\n## Method {#m}\n\nSee [[models/#1#results]].\n",
    "notes_src/models/01_Second/note.yaml": "title: {zh: 第二, en: Second}\nkind: paper\npapers: [wu2026]\n",
    "notes_src/models/01_Second/en.md": "It cites [@li2025].\n\n## Results {#results}\n\nNone.\n",
}
TEXT = PurePosixPath("notes_src/rl/01_First/en.md")
YAML = PurePosixPath("notes_src/rl/01_First/note.yaml")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> EditorAnswers:
    built = build(write(tmp_path_factory.mktemp("lsp"), FILES))
    assert built.corpus
    return EditorAnswers(built.corpus, built.outlines)


@pytest.mark.parametrize(
    ("before", "written"),
    [
        ("as [@", ["li2025", "wu2026"]),
        ("as [@li2025; @cach", ["wu2026"]),  # a word of the title
        ("a.b@", []),  # an address
        ("see [[", ["#1", "models/#1"]),
        ("see [[second", ["models/#1"]),
        ("see [[第二", ["models/#1"]),
        ("see [[models/#1#", ["results"]),
        ("see [[models/#1#x", []),
        (":::intu", ["intuition"]),
        ("$\\soft", ["softmax"]),
        ("$\\K", ["KL"]),  # of the topic
        ("of spec", ["speculative decoding"]),
        ("of s", []),
    ],
)
def test_what_may_follow_in_a_text(before: str, written: list[str], answers: EditorAnswers) -> None:
    assert [offer.written for offer in answers.offers(TEXT, before, 1, before)] == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("papers: [li", ["li2025"]),
        ("papers:\n- li2025\n- wu", ["wu2026"]),
        ("tags: [grp", ["rl/grpo"]),
        ("status: rev", ["revisit"]),
        ("own: ", ["true", "false"]),
        ("kind: pa", ["paper"]),
        ("title: x\nreadi", ["reading_source: "]),
        ("status: read\nstat", []),  # it is there
        ("rating: 5", []),
    ],
)
def test_what_may_follow_in_the_facts_of_a_note(text: str, written: list[str], answers: EditorAnswers) -> None:
    line = text.count("\n") + 1
    offers = answers.offers(YAML, text, line, text.split("\n")[-1])
    assert [offer.written for offer in offers] == written


@pytest.mark.parametrize(
    ("path", "line", "at", "said"),
    [
        (TEXT, "as [@li2025, p. 2] says", "i2", "**On acceptance**\n\nLi · On acceptance · 2025"),
        (TEXT, "as [[models/#1|there]]", "#1", "**第二 · Second** (models/01_Second)"),
        (TEXT, "by SD here", "SD", "**投机解码 · speculative decoding**\n\n先写  \nDrafts first"),
        (TEXT, "as [@nobody]", "no", ""),
        (YAML, "papers: [li2025]", "li", "**On acceptance**\n\nLi · On acceptance · 2025"),
    ],
)
def test_what_is_known_of_a_place(path: PurePosixPath, line: str, at: str, said: str, answers: EditorAnswers) -> None:
    assert answers.hover(path, line, line.index(at)) == said


def test_where_it_is_written(answers: EditorAnswers) -> None:
    def place(line: str, at: str) -> str:
        return str(answers.definition(TEXT, line, line.index(at)))

    assert place("[@wu2026]", "wu") == "notes_src/a.bib:2:1"
    assert place("[[models/#1#results]]", "#1") == "notes_src/models/01_Second/en.md:3:1"
    assert place("投机解码", "解").startswith("notes_src/glossary.yaml:1:")
    assert place("nothing", "no") == "None"


@pytest.mark.parametrize(
    ("path", "line", "places"),
    [
        (TEXT, "[@li2025]", ["notes_src/models/01_Second/en.md:1:12", "notes_src/rl/01_First/en.md:1:13"]),
        (
            PurePosixPath("notes_src/a.bib"),
            "@misc{li2025, title=x",
            ["notes_src/models/01_Second/en.md:1:12", "notes_src/rl/01_First/en.md:1:13"],
        ),
        (
            PurePosixPath("notes_src/models/01_Second/note.yaml"),
            "title: x",
            ["notes_src/rl/01_First/en.md:5:7", "notes_src/rl/01_First/zh.md:5:5"],
        ),
    ],
)
def test_who_names_it(path: PurePosixPath, line: str, places: list[str], answers: EditorAnswers) -> None:
    assert sorted(str(location) for location, _ in answers.references(path, line, 2)) == places


@pytest.mark.parametrize(
    ("path", "line", "at", "named"),
    [
        (TEXT, "[@li2025; @wu2026]", "wu", Named("paper", "wu2026", 11, 17)),
        (TEXT, "[[models/#1#results|x]]", "res", Named("section", "results", 12, 19, NoteId("models/01_Second"))),
        (TEXT, "[[models/#1#results|x]]", "#1", Named("note", "models/01_Second", 2, 11)),
        (TEXT, "[[models/#1]]", "#1", Named("note", "models/01_Second", 2, 11)),
        (TEXT, "## Method {#m}", "m}", Named("section", "m", 12, 13, NoteId("rl/01_First"))),
        (TEXT, "## Method {#m}", "Me", None),
        (TEXT, "a term SD", "SD", None),
        (YAML, "papers: [li2025]", "li", Named("paper", "li2025", 9, 15)),
        (YAML, "title: First", "Fi", Named("note", "rl/01_First", 0, 12)),
        (PurePosixPath("notes_src/a.bib"), "@misc{wu2026, title={x}}", "wu", Named("paper", "wu2026", 6, 12)),
    ],
)
def test_what_can_be_called_otherwise(
    path: PurePosixPath, line: str, at: str, named: Named | None, answers: EditorAnswers
) -> None:
    assert answers.named(path, line, line.index(at)) == named


def test_what_can_be_folded() -> None:
    text = "---\ntitle: x\n---\n## A\n\n:::note\nx\n:::\n\n```\ny\n```\n\n### B\n\nz\n\n## C\n"
    assert [*folds(text)] == [(1, 3), (4, 17), (14, 17), (18, 19), (6, 8), (10, 12)]
    assert [*indented("a:\n  b: 1\n\n  c: 2\n\nd: 1\n")] == [(1, 4), (6, 6)]


def test_headings_are_counted_from_the_first_line_of_the_file() -> None:
    text = "---\ntitle: x\n---\n\n## One $x$\n\ntext\n\n### Two {#two}\n"
    assert [*headings(text)] == [("One $x$", 2, 5), ("Two", 3, 9)]
    assert [*headings("```\n## no\n```\n")] == []


@pytest.mark.parametrize(
    ("column", "message", "hint", "line", "marked"),
    [
        (7, 'no note "#9" in topic "rl"', 'did you mean "#8"?', "see [[#9]] now", Mark(1, 6, 8, "#8")),
        (1, "TeX: too long", "check it", "$x$ and", Mark(1, 0, 3, "")),
        (90, "it ends", "", "short", Mark(1, 5, 5, "")),
    ],
)
def test_a_finding_marks_the_words_that_it_quotes(
    column: int, message: str, hint: str, line: str, marked: Mark
) -> None:
    finding = Diagnostic(Location(TEXT, 1, column), "dangling-reference", message, hint)
    assert mark(finding, line) == marked


def test_numbers_are_followed_by_where_their_paper_says_them(tmp_path: Path) -> None:
    text = "Text.\n\n## Results {#r}\n\nIt is 86.2% at 7 steps, or 3.5×, of 12.\n"
    digest = digest_of_lines(text.split("\n")[2:])
    kept = (
        f"# x\npdf\tli2025\tab\nen\tr\t{digest}\n"
        "0\t86.2%\tbound\ttable\t2\t5\tli2025\t\t0.00\tT2[a, b]\n"
        "2\t3.5\tdeclared\t\t\t\t\tderived 7/2\t0.00\t= 7/2\n3\t12\tmissing\t\t\t\t\t\t0.00\n"
    )
    note = "notes_src/models/01_Second/"
    built = build(write(tmp_path, {**FILES, f"{note}en.md": text, f"{note}evidence.tsv": kept}))
    assert built.corpus
    answers, path = EditorAnswers(built.corpus, built.outlines), PurePosixPath(f"{note}en.md")
    row = text.split("\n")[4]
    assert [*answers.inlays(path, text)] == [
        Inlay(5, row.index(" at"), "Table 2, p. 5", "@li2025 T2[a, b]"),
        Inlay(5, row.index(", of"), "= 7/2", "= 7/2"),
    ]
    assert [*answers.inlays(path, text.replace("steps", "step"))] == [], "the text is another one now"
