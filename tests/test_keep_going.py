"""`build --keep-going`: one mistake of each family is marked where it is, and holds back nothing else."""

from __future__ import annotations

import json
import re
import shutil
from html import escape, unescape
from pathlib import Path

import pytest
from building import source
from running import files_of, paper_notes, write

from paper_notes.build import build, update
from paper_notes.diagnostics import Diagnostic
from paper_notes.languages.sentences import sentences
from paper_notes.languages.text import Lang

SOUND = {
    "notes_src/site.yaml": "title: {zh: 茶, en: Tea}\ntopics: [tea]\nbase_url: https://example.org/\nreadme: true\n",
    "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
    "notes_src/library.bib": "@misc{lu2020, title={Tea}, author={Lu, Yu}, year={2020}}\n",
    "notes_src/tea/01_Sound/note.yaml": "title: {zh: 好, en: Sound}\npapers: [lu2020]\n",
    "notes_src/tea/01_Sound/zh.md": "见 [[#2]]、[[#3]] 和 [[#4]]。\n",
    "notes_src/tea/01_Sound/en.md": "See [[#2]], [[#3]] and [[#4]].\n",
    "notes_src/tea/02_Text/note.yaml": "title: {zh: 文, en: Text}\n",
    "notes_src/tea/02_Text/zh.md": "文。\n",
    "notes_src/tea/02_Text/en.md": "Text.\n",
    "notes_src/tea/03_Yaml/note.yaml": "title: {zh: 三, en: Three}\n",
    "notes_src/tea/03_Yaml/zh.md": "三。\n",
    "notes_src/tea/03_Yaml/en.md": "Three.\n",
    "notes_src/tea/04_Front.md": "---\ntitle: {zh: 四, en: Four}\n---\n四。\n",
    "README.md": "# Mine\n\n<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n",
}
TEXT = """Half a $\\frac{1}{$ formula, [[#99]], [@nobody], [here](#nowhere).

- ![A picture](lost.png)

:::nonsense
Inside.
:::

<iframe src="https://example.org/evil"></iframe>

![b](https://example.org/b.png)

![c](c.svg)

A %%secret comment.
"""
BROKEN = {
    "notes_src/tea/02_Text/en.md": TEXT,
    "notes_src/tea/02_Text/c.svg": '<svg xmlns="http://www.w3.org/2000/svg"><script>evil()</script></svg>',
    "notes_src/tea/03_Yaml/note.yaml": "title: {zh: 三, en: Th",
    "notes_src/tea/04_Front.md": "---\ntitle: {zh: 四\n",
    "notes_src/tea/03_Twice.md": "---\ntitle: {zh: 又, en: Twice}\n---\n又。\n",
    "notes_src/library.bib": SOUND["notes_src/library.bib"] + "@misc{half2021, title={Half\n",
    "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\ncolour: red\n",
}
RULES = {
    "02_Text": "bad-tex dangling-reference unknown-bibkey unknown-anchor missing-image unknown-component"
    " html-not-allowed remote-image bad-svg published-comment",
    "03_Yaml": "yaml-syntax",
    "04_Front": "missing-front-matter",
    "03_Twice": "",
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The site without mistakes."""
    root = write(tmp_path_factory.mktemp("sound"), SOUND)
    assert not update(root, jobs=1).diagnostics
    return files_of(root / "site")


@pytest.fixture(scope="module")
def going(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Diagnostic, ...]]:
    """A collection with mistakes, and what was found when it was built in spite of them."""
    root = write(tmp_path_factory.mktemp("going"), SOUND)
    update(root, jobs=1)
    made = update(write(root, BROKEN), jobs=1, keep_going=True)
    assert made.plan is not None
    return root, made.diagnostics


def page_of(root: Path, name: str) -> str:
    return (root / f"site/tea/notes/{name}.html").read_text("utf-8")


def test_every_mistake_is_in_its_page_and_on_the_home_page(going: tuple[Path, tuple[Diagnostic, ...]]) -> None:
    root, found = going
    home = (root / "site/index.html").read_text("utf-8")
    errors = [one for one in found if one.severity == "error"]
    assert len(errors) == 16, "all that is wrong, and no consequence of it"
    for one in errors:
        name = one.location.path.parts[2].removesuffix(".md") if len(one.location.path.parts) > 3 else ""
        for page in [home, *([page_of(root, name)] if name else [])]:
            assert str(one.location) in page
            for words in (one.message, one.hint):
                assert str(escape(words, quote=False)) in unescape(page).replace("<", "&lt;").replace(">", "&gt;")
    for name, rules in RULES.items():
        page = page_of(root, name)
        assert all(f"<b>{rule}</b>" in page or f"：{rule}</b>" in page for rule in rules.split()), name
    assert "yaml-syntax" in (root / "site/tea/index.html").read_text("utf-8")


def test_a_page_says_what_is_wrong_in_its_own_languages(going: tuple[Path, tuple[Diagnostic, ...]]) -> None:
    root, found = going
    page = (root / "site/tea/notes/02_Text.html").read_text()
    unknown = next(one for one in found if one.rule == "unknown-component")
    chinese = sentences(Lang("zh"))(unknown.message)
    assert chinese != unknown.message
    assert f'<span class="zh ui" lang="zh-CN">{escape(chinese)}</span>' in page, "in the box at the top"
    own = page[page.index(f"<code>{unknown.location}</code></p>") :][:400]
    assert unknown.message in unescape(own), "the box in the English text is English"


def test_marks_have_places_that_the_boxes_at_the_top_lead_to(going: tuple[Path, tuple[Diagnostic, ...]]) -> None:
    root, _ = going
    for name in ("index.html", "tea/index.html", "tea/notes/02_Text.html"):
        text = (root / "site" / name).read_text("utf-8")
        links = re.findall(r'<a href="([^"#]*)#(pn-mistake[^"]*)"><code>', text)
        assert len(links) >= 9
        for href, anchor in links:
            target = (root / "site" / name).parent / href if href else root / "site" / name
            assert f'id="{anchor}"' in target.read_text("utf-8")
    assert all(part in page_of(root, "02_Text") for part in ("\\frac{1}{</mark>", "[[#99]]</mark>", "@nobody</mark>"))


def test_a_mistake_in_a_figure_is_marked_where_each_text_shows_it(tmp_path: Path) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>evil()</script></svg>'
    figure = {"notes_src/tea/02_Text/my fig.svg": drawing}
    texts = {f"notes_src/tea/02_Text/{lang}.md": f"## A\n\nText.\n\n![{lang}](<my fig.svg>)\n" for lang in ("zh", "en")}
    update(write(tmp_path, {**SOUND, **figure, **texts}), jobs=1, keep_going=True)
    page = page_of(tmp_path, "02_Text")
    boxes = re.findall(r'<div class="mistake" role="note"( id="[^"]+")?>.*?</div>', page)
    assert boxes == [' id="pn-mistake-1"', ""], "one in each language, one of them for the link"
    assert page.count('<a href="#pn-mistake-1"><code>') == 1
    assert page.index("Text.</p>") < page.index('<div class="mistake"')


def test_everything_else_is_as_without_them(
    going: tuple[Path, tuple[Diagnostic, ...]], sound: dict[str, bytes]
) -> None:
    root, _ = going
    site = files_of(root / "site")
    marked = [name for name, data in site.items() if b"pn-mistake" in data]
    notes = [f"tea/notes/{name}.html" for name, rules in RULES.items() if rules]
    assert sorted(marked) == sorted(["index.html", "tea/index.html", *notes])
    assert b'class="note-ref" href="03_' in site["tea/notes/01_Sound.html"], "references to broken notes hold"
    assert b"pn-mistake" not in site["tea/notes/01_Sound.html"]
    assert sound["tea/notes/01_Sound.bib"] == site["tea/notes/01_Sound.bib"]


def test_nothing_that_is_not_safe_is_in_any_file(going: tuple[Path, tuple[Diagnostic, ...]]) -> None:
    root, _ = going
    for name, data in {**files_of(root / "site"), "README.md": (root / "README.md").read_bytes()}.items():
        for unsafe in (b"<iframe", b"evil()", b'src="https:', b"secret"):
            assert unsafe not in data, name


def test_again_nothing_is_to_do_and_from_nothing_the_same_comes_out(
    going: tuple[Path, tuple[Diagnostic, ...]], tmp_path: Path
) -> None:
    root, found = going
    again = update(root, jobs=1, keep_going=True)
    assert again.plan is not None
    assert again.plan.empty
    assert again.diagnostics == found
    shutil.copytree(root / "notes_src", tmp_path / "notes_src")
    shutil.copy(root / "README.md", tmp_path)
    update(tmp_path, jobs=1, keep_going=True)
    assert files_of(tmp_path / "site") == files_of(root / "site")


def test_marks_are_never_published_by_accident(tmp_path: Path, sound: dict[str, bytes]) -> None:
    root = write(tmp_path, {**SOUND, **{name: BROKEN[name] for name in list(BROKEN)[2:4]}})
    kept = paper_notes("build", "--keep-going", "--json", "--root", root)
    assert kept.exit_code == 1
    assert "2 mistakes are marked" in kept.stderr
    assert json.loads(kept.stdout)["written"] is True
    with_marks = files_of(root / "site")
    assert b"noindex" in with_marks["tea/notes/03_Yaml.html"]
    for command in (("build",), ("build", "--check"), ("check",), ("build", "--check", "--keep-going")):
        assert paper_notes(*command, "--root", root).exit_code == 1, command
    assert files_of(root / "site") == with_marks
    write(root, SOUND)
    assert paper_notes("build", "--check", "--root", root).exit_code == 1
    assert paper_notes("build", "--root", root).exit_code == 0
    assert files_of(root / "site") == sound


def test_a_text_that_changes_has_its_new_mistakes_and_those_of_other_files_of_its_note(tmp_path: Path) -> None:
    broken = {"note.yaml": "title: {zh: 文, en: Text}\nrating: 9\n", "en.md": "$\\old$\n"}
    root = write(tmp_path, {**SOUND, **{f"notes_src/tea/02_Text/{name}": text for name, text in broken.items()}})
    maker = update(root, jobs=1, keep_going=True).maker
    assert maker
    page = maker.rewritten(source("notes_src/tea/02_Text/en.md", "$\\new$\n"))
    assert page
    shown = unescape(page.data.decode())
    assert ["`rating` must be" in shown, '"\\new"' in shown, "\\old" in shown] == [True, True, False]


def test_what_concerns_all_pages_stops_and_warnings_are_marked_if_they_are_strict(tmp_path: Path) -> None:
    root = write(tmp_path, {**SOUND, "notes_src/tea/02_Text/zh.md": "文 [[一。\n"})
    assert b"pn-mistake" not in _page(root, strict=False)
    assert b"lost-syntax" in _page(root, strict=True)
    write(root, {"notes_src/site.yaml": SOUND["notes_src/site.yaml"] + "title: {zh: 又}\n"})
    assert build(root, keep_going=True).plan is None
    write(root, {"notes_src/site.yaml": SOUND["notes_src/site.yaml"], "templates/note.html": "{% if %}"})
    stopped = paper_notes("build", "--keep-going", "--root", root)
    assert stopped.exit_code == 1
    assert "nothing was written" in stopped.stderr


def test_a_site_file_that_cannot_be_read_hides_no_mistake_of_pages(tmp_path: Path) -> None:
    broken = {"notes_src/site.yaml": "titel: x\n", "notes_src/tea/02_Text/zh.md": "[文](#nowhere)\n"}
    found = [problem.rule for problem in build(write(tmp_path, {**SOUND, **broken})).diagnostics]
    assert found == ["missing-key", "missing-key", "unknown-key", "unknown-anchor"]


def _page(root: Path, *, strict: bool) -> bytes:
    plan = build(root, keep_going=True, strict=strict).plan
    assert plan is not None
    return next(page.data for page in plan.create if page.path.name == "02_Text.html")


def test_a_readme_with_a_mistake_stays_and_a_comment_in_a_summary_is_nowhere(tmp_path: Path) -> None:
    readme = SOUND["README.md"].replace("paper-notes:end", "paper-notes:and")
    summary = 'title: {zh: 文, en: Text}\nsummary: {zh: "好 %%secret", en: A %%secret one}\ncreated: 2026-01-01\n'
    root = write(tmp_path, {**SOUND, "README.md": readme, "notes_src/tea/02_Text/note.yaml": summary})
    made = update(root, jobs=1, keep_going=True)
    assert {one.rule for one in made.diagnostics} == {"readme-markers", "published-comment"}
    assert (root / "README.md").read_text("utf-8") == readme
    assert not [name for name, data in files_of(root / "site").items() if b"secret" in data]
