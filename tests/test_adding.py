"""How many places each addition takes: all are made in a copy of the program, which then builds collections."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running import PROJECT, Once, collection

from paper_notes.engine.user_cache import VARIABLE

COMPONENT = """    ComponentKind(
        "moral",
        lambda block: f'<div class="moral"{block.anchor}><p class="moral-title">{block.title}</p>{block.inner}</div>',
        "moral moral-title",
        Text.of(zh="寓意", en="What to take home"),
    ),
"""


def insert(path: Path, before: str, text: str) -> None:
    """Put a text before the only place in a file that holds `before`."""
    old = path.read_text("utf-8")
    assert old.count(before) == 1, before
    path.write_text(old.replace(before, text + before), "utf-8")


def run(program: Path, root: Path, *arguments: str) -> str:
    """What a command of the copy prints; it must succeed."""
    env = {**os.environ, "PYTHONPATH": str(program), VARIABLE: str(program.parent / "caches")}
    command = [sys.executable, "-B", "-m", "paper_notes", *arguments]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, encoding="utf-8", check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def add_component(program: Path, root: Path) -> None:
    insert(program / "paper_notes/markdown/syntax/components.py", '    _row("quote", _quote', COMPONENT)
    (program / "assets/css/parts/29-moral.css").write_text(".moral{color:#123456}\n", "utf-8")
    text = next(root.glob("notes_src/*/*/*.md"))
    text.write_text(text.read_text("utf-8") + "\n:::moral Slowly\nHaste makes waste.\n:::\n", "utf-8")


@pytest.mark.nightly
def test_a_component_is_one_row_and_one_style_sheet(bridges: Built) -> None:
    program, root = bridges
    pages = [path.read_text("utf-8") for path in root.glob("site/*/notes/*.html")]
    page = next(page for page in pages if "Haste makes waste." in page)
    assert '<div class="moral"><p class="moral-title">Slowly</p><p>Haste makes waste.</p>' in page
    assert ".moral{color:#123456}" in page
    assert all(".moral{" not in other for other in pages if other != page)
    assert "What to take home" in run(program, root, "explain", "moral")


PAGE = '''"""The titles of all notes."""

from __future__ import annotations

from dataclasses import dataclass

from paper_notes.languages.text import Text
from paper_notes.render.pages.collection import CollectionPage, CollectionContext
from paper_notes.render.view_factory import NoteLink, PageContext, PageFrame


@dataclass(frozen=True, slots=True)
class TitlesPage:
    """`titles.html`."""

    chrome: PageFrame
    count: Text
    notes: tuple[NoteLink, ...]


def titles_page(material: CollectionContext, maker: PageContext) -> TitlesPage:
    """The view of `titles.html`."""
    links = tuple(maker.note_link(note.id) for note in material.corpus.notes)
    title = maker.words("page.titles.title")
    return TitlesPage(maker.chrome(title, title, None), maker.words("count.notes", count=len(links)), links)


PAGE = CollectionPage("titles", lambda material: True, titles_page)
'''
TEMPLATE = """\
{%- extends "list.html" -%}
{%- import "macros.html" as m with context -%}
{%- block list %}{% for n in page.notes %}<p>{{ m.note_card(n) }}</p>{% endfor %}{% endblock -%}
"""


def add_page(program: Path, root: Path) -> None:
    folder = program / "paper_notes/render/pages"
    (folder / "titles.py").write_text(PAGE, "utf-8")
    (program / "templates/titles.html").write_text(TEMPLATE, "utf-8")
    insert(folder / "__init__.py", '"papers", ', '"titles", ')
    for lang, title in (("zh", "标题"), ("en", "Titles")):
        file = program / f"paper_notes/languages/{lang}.yaml"
        insert(file, "  papers:\n    title: ", f"  titles:\n    title: {title}\n")


@pytest.mark.nightly
def test_a_page_of_the_collection_is_a_module_a_template_a_row_and_its_title(bridges: Built) -> None:
    _, root = bridges
    notes = sorted((root / "site").glob("*/notes/*.html"))
    page = (root / "site/titles.html").read_text("utf-8")
    assert all(f'href="{note.relative_to(root / "site").as_posix()}"' in page for note in notes)
    assert all('href="../../titles.html"' in note.read_text("utf-8") for note in notes)
    assert "/titles.html</loc>" in (root / "site/sitemap.xml").read_text("utf-8")


def add_field(program: Path, root: Path) -> None:
    insert(program / "paper_notes/corpus/schema.py", "    own: bool = False\n", "    effort: int | None = None\n")
    insert(program / "paper_notes/corpus/model.py", "    own: bool\n", "    effort: int | None\n")
    file = next(root.glob("notes_src/*/*/note.yaml"))
    file.write_text(file.read_text("utf-8") + "\neffort: 3\n", "utf-8")


@pytest.mark.nightly
def test_a_field_of_a_note_is_a_line_of_the_schema_and_one_of_the_model(bridges: Built) -> None:
    program, root = bridges
    notes = json.loads(run(program, root, "list", "--json"))["notes"]
    assert sorted(str(note["effort"]) for note in notes) == ["3", *["None"] * (len(notes) - 1)]


ITALIAN = "language:\n  name: Italiano\n  short: IT\n  html: it\n  script: Latn\n"


def add_language(program: Path, root: Path) -> None:
    folder = program / "paper_notes/languages"
    english = (folder / "en.yaml").read_text("utf-8")
    _, _, words = english.partition("\nsections:\n")
    italian = words.replace("[limitations]", "[limiti]").replace("Search all notes", "Cerca in tutte le note")
    assert italian != words
    (folder / "it.yaml").write_text(f"{ITALIAN}\nsections:\n{italian}", "utf-8")
    insert(folder / "language.py", '"ja")))', '"it", ')
    settings = root / "notes_src/site.yaml"
    settings.write_text("title: {it: Orologi}\nlanguages: [it]\ntopics: [wheels]\n", "utf-8")
    for text in root.glob("notes_src/*/*/en.md"):
        text.rename(text.with_name("it.md")).write_text("## Limiti: pochi\n\nTic.\n", "utf-8")


@pytest.mark.nightly
def test_a_language_is_a_catalogue_and_a_tag(clocks: Built) -> None:
    _, root = clocks
    assert "Cerca in tutte le note" in (root / "site/index.html").read_text("utf-8")
    page = next(root.glob("site/wheels/notes/*.html")).read_text("utf-8")
    assert '<html lang="it"' in page
    assert 'id="limitations"' in page


DIALECT = """  wiki:
    marks: [pages/.wiki]
    notes: [pages]
    assets: [media]
    stems: '(?P<name>.+)@[0-9]+'
    signs: [script]
"""


def add_dialect(program: Path, root: Path) -> None:
    insert(program / "paper_notes/features/importing/markdown/dialects.yaml", "  plain:\n", DIALECT)
    pages = root.parent / "wiki/pages"
    (pages / "rivers").mkdir(parents=True)
    (pages / ".wiki").write_text("")
    (pages / "rivers/Meander@12.md").write_text("# Meander\n\nH~2~O\n", "utf-8")


def test_a_dialect_of_markdown_is_one_row(clocks: Built) -> None:
    _, root = clocks
    (text,) = root.glob("notes_src/rivers/*Meander/*.md")
    assert text.read_text("utf-8") == "H<sub>2</sub>O"


Built = tuple[Path, Path]
"""The copy of the program with all additions, and a collection that it has built."""


def make(place: Path) -> None:
    """Make all additions in one copy of the program, and build two collections that use them."""
    program, roots = place / "program", {}
    for name in ("paper_notes", "templates", "assets"):
        shutil.copytree(PROJECT / name, program / name)  # with what Python has compiled
    for name in ("bilingual", "one-language"):
        roots[name] = collection(name, place)
    for add in (add_component, add_page, add_field):
        add(program, roots["bilingual"])
    for add in (add_language, add_dialect):
        add(program, roots["one-language"])
    run(program, roots["bilingual"], "build")
    run(program, roots["one-language"], "import", "../wiki")
    run(program, roots["one-language"], "build")


@pytest.fixture(scope="module")
def bridges(once: Once) -> Built:
    place = once("additions", make)
    return place / "program", place / "bilingual"


@pytest.fixture(scope="module")
def clocks(once: Once) -> Built:
    place = once("additions", make)
    return place / "program", place / "one-language"
