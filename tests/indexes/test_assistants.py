"""`assistants: true`: llms.txt, llms-full.txt, and the Markdown of each note beside its page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from running import built, paper_notes, write

from paper_notes.build import build, update
from paper_notes.corpus.model import Lang
from paper_notes.document.nodes import Document
from paper_notes.document.parse import parse
from paper_notes.document.write import write_markdown
from paper_notes.indexes import assistants
from paper_notes.languages.language import BUILT_IN_WORDS
from paper_notes.output.disk import apply
from paper_notes.render.plain_markdown import LinkTexts, plain_document

NOTES = {
    "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: [t]\nassistants: true\n",
    "notes_src/t/topic.yaml": "title: {zh: 专题, en: Topic}\n",
    "notes_src/a.bib": "@misc{li2025, title={On acceptance}, author={Li, Ann}, year=2025, eprint={2501.00001}, "
    "archivePrefix={arXiv}}\n",
    "notes_src/t/01_首篇/note.yaml": "title: {zh: 首篇, en: First}\nkind: paper\npapers: [li2025]\n"
    "created: 2025-05-01\nsummary: {zh: 一句话, en: One sentence}\n",
    "notes_src/t/01_首篇/zh.md": "## 方法 {#m}\n\n见 [[#2]] 和 [@li2025, Table 2]。\n",
    "notes_src/t/01_首篇/en.md": "## Method {#m}\n\nSee [[#2]], $x^2$ and [below](#m).\n",
    "notes_src/t/02_Second/note.yaml": "title: {zh: 第二, en: Second}\nkind: note\n",
    "notes_src/t/02_Second/en.md": "Words.\n",
    "notes_src/t/03_Draft/note.yaml": "title: {zh: 秘密, en: Secret}\nkind: note\ndraft: true\n",
    "notes_src/t/03_Draft/en.md": "Nobody sees it.\n",
}


def plain(markdown: str) -> str:
    links = LinkTexts(
        {"#4": ("#4 ReSpec", "04.en.md")}, {"a": ("Li, 2025", "2025", "https://a.org/1")}, "n.html", {"m": "m-en"}
    )
    return write_markdown(plain_document(parse(markdown), links, BUILT_IN_WORDS[Lang("en")]))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("## Title {#id n=2}\n", "## Title\n"),
        ("$a$ and ==this== [1]{.good}\n", "$a$ and **this** 1\n"),
        ("[[#4]] [[#4|it]] [x](#m)\n", "[#4 ReSpec](04.en.md) [it](04.en.md) [x](n.html#m-en)\n"),
        ("[see @a, Table 2; @b]\n", "(see [Li, 2025](https://a.org/1), Table 2; b)\n"),
        ("[-@a]\n", "([2025](https://a.org/1))\n"),
        (":::tldr\nA.\n\n:::stats\n1\n: one\n:::\n:::\n", "**TL;DR**\n\nA.\n\n- **1**: one\n"),
        (":::theorem Li\nA.\n:::\n", "**Li**\n\nA.\n"),
        ("> [!NOTE]\n> A.\n", "> **Note**\n>\n> A.\n"),
        ("| a {.best} | b |\n|---|---|\n| 1 | ^^ |\n", None),
        ("A %%secret%% b\n\n%%\nsecret\n%%\n", "A  b\n"),
        ("![words](a.svg) ![w](https://a.org/b.png)\n", "*words* ![w](https://a.org/b.png)\n"),
        ('<div class="x">Words <b>of</b> HTML</div>\n', "Words of HTML\n"),
        ("$$\nx\n$$\n", "$$\nx\n$$\n"),
        ("```python title=a\nx\n```\n", "```python\nx\n```\n"),
        (":::demo\nx\n:::\n", ""),
    ],
)
def test_what_only_our_pages_know_becomes_plain_markdown(ours: str, theirs: str | None) -> None:
    written = plain(ours)
    assert theirs is None or written == theirs
    assert ":::" not in written
    assert "^^" not in written
    assert "{" not in written


def test_the_plain_tree_is_written_and_read_as_the_same() -> None:
    guide = Path(__file__).parents[2] / "notes_src/guide/01_Writing_a_note/en.md"
    tree = plain_document(parse(guide.read_text("utf-8")), LinkTexts({}, {}, "", {}), BUILT_IN_WORDS[Lang("en")])
    assert isinstance(tree, Document)
    assert write_markdown(parse(write_markdown(tree))) == write_markdown(tree)


def test_a_site_has_the_files_only_if_it_asks_for_them(tmp_path: Path) -> None:
    site = built(write(tmp_path / "a", NOTES))
    quiet = {**NOTES, "notes_src/site.yaml": NOTES["notes_src/site.yaml"].replace("assistants: true\n", "")}
    other = built(write(tmp_path / "b", quiet))
    files, others = ({str(path.relative_to(root)) for path in root.rglob("*")} for root in (site, other))
    assert files - others == {
        "llms.txt",
        "llms-full.txt",
        "t/notes/01_首篇.zh.md",
        "t/notes/01_首篇.en.md",
        "t/notes/02_Second.en.md",
    }
    assert others - files == set()
    page = (site / "t/notes/01_首篇.html").read_text("utf-8")
    links = re.findall(r'<link rel="alternate" type="text/markdown" hreflang="([^"]+)" href="([^"]+)">', page)
    assert [(lang[:2], href) for lang, href in links] == [("zh", "01_首篇.zh.md"), ("en", "01_首篇.en.md")]
    assert "text/markdown" not in (other / "t/notes/01_首篇.html").read_text("utf-8")


def test_a_note_is_its_facts_and_its_text(tmp_path: Path) -> None:
    site = built(write(tmp_path, NOTES))
    assert (site / "t/notes/01_首篇.zh.md").read_text("utf-8") == (
        '---\ntitle: "首篇"\nlang: "zh"\npage: "01_首篇.html"\nkind: "paper"\nstatus: "read"\ncreated: "2025-05-01"\n'
        'papers: [{"title": "On acceptance", "authors": ["Ann Li"], "date": "2025", '
        '"url": "https://arxiv.org/abs/2501.00001"}]\n---\n\n# 首篇\n\n> 一句话\n\n## 方法\n\n'
        "见 [#2 第二](02_Second.en.md) 和 ([Li, 2025](https://arxiv.org/abs/2501.00001), Table 2)。\n"
    )
    assert (site / "llms.txt").read_text("utf-8") == (
        "# 笔记\n\n## 专题\n\n"
        "- [首篇](t/notes/01_%E9%A6%96%E7%AF%87.zh.md) ([English](t/notes/01_%E9%A6%96%E7%AF%87.en.md)): 一句话\n"
        "- [Second](t/notes/02_Second.en.md)\n"
    )
    written = "".join(path.read_text("utf-8") for path in site.rglob("*") if path.suffix in (".txt", ".md"))
    assert "Nobody" not in written
    assert "Secret" not in written
    assert "秘密" not in written


def test_a_comment_that_is_never_closed_is_read_by_nobody(tmp_path: Path) -> None:
    update(write(tmp_path, {**NOTES, "notes_src/t/02_Second/en.md": "Words. %%Nobody sees it.\n"}), keep_going=True)
    for name in ("t/notes/02_Second.en.md", "llms-full.txt"):
        text = (tmp_path / "site" / name).read_text("utf-8")
        assert "Words." in text
        assert "Nobody" not in text


def test_the_collection_that_init_makes_builds_with_them(tmp_path: Path) -> None:
    """Its formula has a name, which on the page is one for each language."""
    assert paper_notes("init", tmp_path / "n", "--languages", "zh,en").exit_code == 0
    settings = tmp_path / "n/notes_src/site.yaml"
    settings.write_text(settings.read_text("utf-8") + "assistants: true\n", "utf-8")
    text = (built(tmp_path / "n") / "reading/notes/01_Attention_1706.03762.en.md").read_text("utf-8")
    assert "01_Attention_1706.03762.html#eq-attention-en" in text


def test_published_addresses_are_whole(tmp_path: Path) -> None:
    notes = {**NOTES, "notes_src/site.yaml": NOTES["notes_src/site.yaml"] + "base_url: https://a.org/n/\n"}
    site = built(write(tmp_path, notes))
    for name in ("llms.txt", "llms-full.txt", "t/notes/01_首篇.en.md"):
        assert "(https://a.org/n/t/notes/02_Second.en.md)" in (site / name).read_text("utf-8"), name


def test_the_full_text_has_a_bound_and_says_what_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path, NOTES)
    assert "left-out" not in (built(root) / "llms-full.txt").read_text("utf-8")
    monkeypatch.setattr(assistants, "FULL", 400)
    text = "".join(artifact.data.decode() for artifact in _created(root) if artifact.path.name == "llms-full.txt")
    assert len(text) < 600
    assert text.startswith('---\ntitle: "首篇"')
    assert text.endswith("<!-- left-out: 1 -->\n")


def _created(root: Path) -> tuple:
    (root / "site/llms-full.txt").unlink()
    plan = build(root).plan
    assert plan
    return plan.create


def test_a_later_build_writes_what_a_first_one_would(tmp_path: Path) -> None:
    root = write(tmp_path / "warm", NOTES)
    built(root)
    changed = {
        "notes_src/t/02_Second/note.yaml": "title: {zh: 另名, en: Other}\nkind: note\n",
        "notes_src/a.bib": NOTES["notes_src/a.bib"].replace("Li, Ann", "Wu, Bo"),
    }
    write(root, changed)
    plan = build(root).plan
    assert plan
    touched = {artifact.path.name for artifact in plan.update}
    assert {"01_首篇.zh.md", "01_首篇.en.md", "02_Second.en.md", "llms.txt", "llms-full.txt"} <= touched
    apply(root, plan)
    cold = built(write(tmp_path / "cold", NOTES | changed))
    for path in cold.rglob("*"):
        if path.is_file() and path.name != ".manifest":
            assert path.read_bytes() == (root / "site" / path.relative_to(cold)).read_bytes(), path
    write(root, {"notes_src/t/02_Second/en.md": "Other words.\n"})
    plan = build(root).plan
    assert plan
    assert {file.path.name for file in plan.update if file.path.suffix == ".md"} == {"02_Second.en.md"}
