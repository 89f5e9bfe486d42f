"""Short titles, order, papers without notes, keywords and long summaries: on pages and in READMEs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from reading_html import in_search_file
from running import built, write

LONG_EN = "First it drafts, then it verifies, see [the **code**](https://x.example/c). " + "More is said here. " * 24
LONG_ZH = "先起草，再验证，见 $p(x)$。" + "后面还有很多话。" * 30
FILES = {
    "notes_src/site.yaml": (
        "title: {zh: 笔记, en: Notes}\ntopics: [rl, mt]\nbase_url: https://n.example/\nlanguages: [zh, en]\n"
    ),
    "notes_src/l.bib": """
@misc{a2024, title={A Very Long Title of the First Paper}, shorttitle={ALPHA}, author={Doe, J.}, eprint={2401.00001},
  archivePrefix={arXiv}, versions={2024-01 (v1) -> 2024-11 (v8)}, type={Tech Report}, code={none},
  links={[HF Dataset (Apache-2.0)](https://hf.example/d); weights on request}}
@misc{b2023, title={Never Read}, year={2023}, links={[Hub](https://hub.example)}}
""",
    "notes_src/rl/topic.yaml": "title: {zh: 强化, en: RL}\norder: [3, '#1']\npapers: [b2023]\n",
    "notes_src/mt/topic.yaml": "title: {zh: 翻译, en: MT}\n",
    "notes_src/rl/01_Alpha/note.yaml": (
        "title: {zh: 'Alpha：一个很长的题目', en: 'Alpha: a very long title'}\nshort: {zh: 阿尔法, en: A-1}\n"
        f"papers: [a2024]\nkeywords: [lossless, 树]\ntags: [t]\ncreated: 2024-05-01\n"
        f"summary: {{zh: '{LONG_ZH}', en: '{LONG_EN}'}}\n"
    ),
    "notes_src/rl/01_Alpha/zh.md": "文。\n",
    "notes_src/rl/01_Alpha/en.md": "Text.\n",
    **{f"notes_src/rl/{n:02}_N/note.yaml": f"title: {{zh: 第{n}, en: Note {n}}}\n" for n in (2, 3)},
    "notes_src/rl/02_N/zh.md": "见 [[#1]]。\n",
    "notes_src/rl/03_N/zh.md": "文。\n",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(write(tmp_path_factory.mktemp("lists"), FILES))


def text(path: Path) -> str:
    return path.read_text("utf-8")


def test_notes_are_in_the_order_of_the_topic_then_by_number(site: Path) -> None:
    for page in ("index.html", "rl/index.html"):
        assert re.findall(r'<span class="no">#(\d)</span>\n<div class="what">', text(site / page)) == ["3", "1", "2"]
    assert re.findall(r"^\| #(\d) \|", text(site / "rl/README.md"), re.MULTILINE) == ["3", "1", "2"]
    data = in_search_file(text(site / "search-notes.css"))
    assert [fields[1] for fields in data["notes"]] == [3, 1, 2]


def test_lists_and_references_have_the_short_title_and_its_page_the_whole_one(site: Path) -> None:
    assert "A-1</span></a></h3>" in text(site / "rl/index.html")
    assert ">#1 阿尔法</a>" in text(site / "rl/notes/02_N.html")
    assert "[A-1](https://n.example/rl/notes/01_Alpha.html)" in text(site / "README.en.md")
    page = text(site / "rl/notes/01_Alpha.html")
    assert re.search(r"<h1>.*Alpha: a very long title", page, re.DOTALL)
    assert "A-1" not in page.partition("<main")[2]


def test_a_long_summary_is_folded_and_all_of_it_is_there(site: Path) -> None:
    for page in ("index.html", "rl/index.html", "rl/notes/01_Alpha.html"):
        html = text(site / page)
        [folded] = re.findall(r'<div class="long">.*?</details></div>', html, re.DOTALL)
        assert folded.count("More is said here.") == 24, page
        assert "-webkit-line-clamp:4" in html, page
        assert '<div class="long">' not in text(site / "rl/notes/03_N.html")


def test_a_cell_of_a_readme_folds_what_comes_after_some_sentences(site: Path) -> None:
    [row] = [line for line in text(site / "rl/README.en.md").splitlines() if line.startswith("| #1 |")]
    shown, _, rest = row.partition(" <details><summary>Read all</summary>")
    assert "see [the **code**](https://x.example/c). More is said here." in shown
    assert shown.endswith("More is said here.")
    assert row.count("More is said here.") == 24
    assert rest.startswith("More is said here.")
    assert "</details> |" in rest
    [row] = [line for line in text(site / "rl/README.md").splitlines() if line.startswith("| #1 |")]
    assert "$`p(x)`$。后面" in row.partition("<details>")[0]
    assert row.count("后面还有很多话。") == 30


def test_feeds_and_descriptions_have_the_first_sentences(site: Path) -> None:
    for path in (site / "feed.en.xml", site / "rl/notes/01_Alpha.html"):
        said = re.search(r"(?:<summary>|<meta name=\"description\" content=\")([^<\"]*)", text(path))
        assert said, path
        assert len(said[1].partition("\n")[0]) < 330
        assert re.search(r"(?:。|\.) …(?:\n|$)", said[1]), said[1]


def test_a_paper_without_a_note_is_listed_and_said_not_to_be_read(site: Path) -> None:
    html = text(site / "rl/index.html").partition('id="paper-b2023"')[2]
    assert "Never Read" in html
    assert "not read yet" in html.partition("</li>")[0]
    assert "not read yet" not in text(site / "rl/index.html").partition('id="paper-a2024"')[2].partition("</li>")[0]
    assert "| 2023 | Never Read | — | [Hub](https://hub.example) | not read yet |" in text(site / "rl/README.en.md")
    assert "尚未精读" in text(site / "rl/README.md")
    assert "b2023" in text(site / "rl/papers.bib")
    assert "b2023" not in text(site / "mt/README.md")


def test_a_readme_says_all_that_is_known_of_a_paper(site: Path) -> None:
    joiner = "\u2060"
    assert (
        f"| 2024-{joiner}01 (v1) → 2024-{joiner}11 (v8) | ALPHA `Tech Report` | J. Doe |".replace("J. Doe", "Doe")
        + " [2401.00001](https://arxiv.org/abs/2401.00001) · [HF Dataset (Apache-2.0)](https://hf.example/d)"
        " · *no official code* · *weights on request* | [#1](https://n.example/rl/notes/01_Alpha.html) |"
    ) in text(site / "rl/README.en.md")


def test_pages_say_versions_badges_and_that_there_is_no_code(site: Path) -> None:
    for page, title in (
        ("rl/index.html", "ALPHA"),
        ("papers.html", "ALPHA"),
        ("rl/notes/01_Alpha.html", "A Very Long"),
    ):
        html = text(site / page)
        for said in (title, "2024-01 (v1) → 2024-11 (v8)", "Tech Report</span>", "HF Dataset (Apache-2.0)</a>"):
            assert said in html, (page, said)
        assert re.search(
            r'<span class="remark">.*无官方代码.*<span class="remark">weights on request', html, re.DOTALL
        ), page
    assert "<dt>arXiv</dt><dd>2401.00001</dd>" in text(site / "rl/notes/01_Alpha.html")


def test_keywords_are_on_the_page_and_in_its_metadata_and_make_no_tags(site: Path) -> None:
    page = text(site / "rl/notes/01_Alpha.html")
    assert '<meta name="citation_keywords" content="lossless">' in page
    assert '"keywords":["t","lossless","树"]' in page
    assert re.search(r"Keywords</span></li>.*<li>lossless</li><li>树</li></ul>\s*</header>", page)
    assert "lossless" not in text(site / "tags.html")
    data = in_search_file(text(site / "search-notes.css"))
    assert data["tags"] == [["t"]]
    assert ["阿尔法", "A-1", "lossless", "树"] in data["notes"][1]
