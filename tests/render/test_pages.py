"""All pages of a small corpus, made with templates that show the views and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import built, write

from paper_notes.build import update
from paper_notes.corpus.load import load
from paper_notes.corpus.model import NoteId
from paper_notes.diagnostics import Diagnostic
from paper_notes.engine.build_context import BuildContext
from paper_notes.markdown.bodies import render_bodies
from paper_notes.render import notes
from paper_notes.render.notes import note_file
from paper_notes.render.pages import LISTS
from paper_notes.render.site_pages import Pages, render_pages
from paper_notes.render.theme.theme import ThemeFiles
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import read_tree

LINK = "{% macro link(n) %}{{ n.topic.en ~ ' ' if n.topic }}{{ n.label }} {{ n.title.en }} <{{ n.href }}>{% endmacro %}"
TEMPLATES = {
    "note.html": LINK
    + """\
{{ page.chrome.home_href }} {{ page.topic.href }} {{ page.number }} {{ page.title.zh }}
summary: {{ page.summary.en if page.summary }}
dates: {{ page.created }} {{ page.updated }} {{ page.rating }} {{ page.own }} {{ page.reviewed }}
languages: {{ page.languages | join(" ") }}
{% for paper in page.papers %}paper: {{ paper.title }} | {{ paper.authors | join("; ") }} | {{ paper.date }}
{% endfor %}
{% for s in page.sections %}section {{ s.number }} {{ s.id }}: {{ s.heading.zh }} / {{ s.heading.en }}
{% endfor %}
{% for label, paper in page.references %}reference {{ paper.key }}: {{ label }}
{% endfor %}
{% for n in page.backlinks %}backlink {{ link(n) }}
{% endfor %}
{% if page.next %}next {{ link(page.next.link) }}: {{ page.next.order.title.en }}: {{ page.next.why.en }}
{% endif %}
{% for p, previous, next in page.near %}path {{ p.title.en }} {{ p.position }}/{{ p.length }}
{% if previous %}after {{ link(previous) }}
{% endif %}
{% if next %}before {{ link(next) }}
{% endif %}
{% endfor %}
{% for note, c in page.corrects %}corrects {{ link(note) }}
  {{ c.claim.en }} -> {{ c.correction.en }} ({{ c.date }})
{% endfor %}
{% for note, c in page.corrected_by %}corrected by {{ link(note) }}: {{ c.claim.en }} -> {{ c.correction.en }}
{% endfor %}
""",
    "topic.html": LINK
    + """\
{{ page.chrome.title.en }} {{ page.chrome.home_href }} {{ page.count.en }}
intro: {{ page.intro.en if page.intro }}
{% for n in page.notes %}{{ link(n.link) }}{{ " " ~ n.kind.en if n.kind }}
{{ n.authors }} {{ n.month }} {{ n.minutes.en }}
{% endfor %}
{% for p in page.paths %}path {{ p.id }}:{% for n in p.steps %} {{ link(n) }}{% endfor %}

{% endfor %}
{% for p in page.papers %}{{ p.date }} {{ p.title }}
{% endfor %}
""",
    **{f"{name}.html": f"{name}: {{{{ page.count.en }}}}" for name in LISTS if name != "stats"},
    "stats.html": "stats: {{ page.plots | length }}",
    "404.html": "{{ page.chrome.home_href }}{% for topic in page.chrome.topics %} {{ topic.href }}{% endfor %}",
    "home.html": "{{ page.count.en }}:{% for t in page.topics %} {{ t.link.href }} {{ t.notes | length }}{% endfor %}",
}


def pages_of(**changed: str) -> tuple[Pages, tuple[Diagnostic, ...]]:
    sources, _ = read_tree(Path(__file__).parents[1] / "sites" / "bilingual")
    corpus, _ = load(sources)
    assert corpus is not None
    bodies, _ = render_bodies(corpus.notes)
    templates = {**TEMPLATES, **{f"{name}.html": text for name, text in changed.items()}}
    plain = {name: f"{{% autoescape false %}}{text}{{% endautoescape %}}" for name, text in templates.items()}
    assets = dict.fromkeys(("script.js", "home.js", "search.js", "palette.js", "math-font/PNMath.otf"), b"")
    return render_pages(corpus, bodies, ThemeFiles(plain, assets), PdfReader(), BuildContext())


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    pages, problems = pages_of()
    assert problems == ()
    return {str(artifact.path): artifact.data.decode() for artifact in pages.artifacts}


def test_one_page_each(texts: dict[str, str]) -> None:
    assert list(texts) == [
        "site/arches/notes/01_Stone_arches.html",
        "site/arches/notes/02_Brick_2020.html",
        "site/cables/notes/01_Wind.html",
        "site/arches/index.html",
        "site/cables/index.html",
        *(f"site/{name}.html" for name in ("papers", "tags", "glossary", "errata", "map", "stats", "404")),
        "site/search-all.css",
        "site/search-palette.css",
        "site/search-notes.css",
        "site/index.html",
    ]


def test_a_note(texts: dict[str, str]) -> None:
    brick = (
        '<a class="note-ref" href="02_Brick_2020.html" data-card="note" data-title="Brick" data-summary="">#2 Brick</a>'
    )
    assert (
        texts["site/arches/notes/01_Stone_arches.html"]
        == f"""\
../../index.html ../index.html #1 石拱：A|B 两种 *曲线*
summary: Use the <strong>catenary</strong>, see {brick}
dates: 2024-02-29 2024-03-01 4 True True
languages: zh en
paper: Stone & Sky: A* search for the best_arch | a survey | Mei Lin; Ada Okafor; John Smith | 2019-03
section 1 motivation: 动机：为什么是拱 / Motivation: why an arch
section 2 three-curves: 三种曲线 / Three curves
reference lin2019stone: Lin et al., 2019
reference okafor2023wind: Okafor, 2023
backlink 🪢 #1 How wind moves a cable <../../cables/notes/01_Wind.html>
next #2 Brick <02_Brick_2020.html>: Arches: stone and brick: \n\
path A first walk 3/3
after 🪢 #1 How wind moves a cable <../../cables/notes/01_Wind.html>
corrects 🪢 #1 How wind moves a cable <../../cables/notes/01_Wind.html>
  Cables never resonate -> They do (2024-03-01)
"""
    )


def test_a_note_that_others_speak_about(texts: dict[str, str]) -> None:
    stone = "🌉 #1 Stone arches: two *curves*, A|B <../../arches/notes/01_Stone_arches.html>"
    assert (
        texts["site/cables/notes/01_Wind.html"]
        == f"""\
../../index.html ../index.html #1 风怎样摇动缆
summary: \n\
dates:   None False False
languages: zh en
paper: How wind moves a cable | Ada Okafor | 2023-10
paper: Stone & Sky: A* search for the best_arch | a survey | Mei Lin; Ada Okafor; John Smith | 2019-03
section 1 motivation: 动机 / Motivation
backlink {stone}
next {stone}: A first walk: Use the catenary, see 🌉 #2 Brick
path A first walk 2/3
after 🌉 #2 Brick <../../arches/notes/02_Brick_2020.html>
corrected by {stone}: Cables never resonate -> They do
"""
    )


def test_a_topic(texts: dict[str, str]) -> None:
    brick = "#2 Brick <notes/02_Brick_2020.html>"
    stone = "#1 Stone arches: two *curves*, A|B <notes/01_Stone_arches.html>"
    wind = "🪢 #1 How wind moves a cable <../cables/notes/01_Wind.html>"
    text = texts["site/arches/index.html"]
    assert text.startswith("Arches: stone and brick ../index.html 2 notes\nintro: <p>Stone pushes and never pulls.")
    assert 'href="../cables/notes/01_Wind.html"' in text
    assert (
        text.partition("</p>\n")[2].lstrip()
        == f"""\
{stone}
Lin et al. 2019-03 1 min
{brick} Landscape
  1 min
path start: {brick} {wind} {stone}
2019-03 Stone & Sky: A* search for the best_arch | a survey
"""
    )


def test_the_pages_of_the_whole_collection(texts: dict[str, str]) -> None:
    assert texts["site/papers.html"] == "papers: 3 papers"
    assert texts["site/map.html"] == "map: 3 notes, 3 references"
    assert texts["site/stats.html"] == "stats: 1"


def test_a_page_for_any_address_has_whole_addresses(texts: dict[str, str]) -> None:
    base = "https://example.org/bridges/"
    assert texts["site/404.html"] == f"{base} {base}arches/ {base}cables/"


def test_home(texts: dict[str, str]) -> None:
    assert texts["site/index.html"] == "3 notes: arches/index.html 2 cables/index.html 1"


def test_sizes_are_those_of_the_pages() -> None:
    pages, _ = pages_of(note="{{ '汉' * 1000 }}")
    assert pages.sizes[NoteId("cables/01_Wind")] == 3000


def test_a_broken_template_is_told_once_and_the_other_pages_are_still_checked() -> None:
    _, problems = pages_of(note="{{ page.nothing }}", home="{% if %}")
    assert [str(problem.location) for problem in dict.fromkeys(problems)] == [
        "templates/note.html:1:1",
        "templates/home.html:1:1",
    ]


def test_links_of_headings_are_on_the_page_and_not_within_those_of_its_contents(tmp_path: Path) -> None:
    text = "## See [a](https://a.example)\n\nx\n\n### And [[#2]]\n\nx\n\n#### With `code` and [c](https://c.example)\n\nx\n"
    notes = {f"notes_src/t/0{number}_N/note.yaml": f"title: N{number}\n" for number in (1, 2)}
    site = {"notes_src/site.yaml": "title: T\nlanguages: [en]\ntopics: [t]\n", "notes_src/t/topic.yaml": "title: T\n"}
    write(tmp_path, {**site, **notes, "notes_src/t/01_N/en.md": text, "notes_src/t/02_N/en.md": "x\n"})
    page = (built(tmp_path) / "t/notes/01_N.html").read_text("utf-8")
    contents, _, body = page.partition("<main")
    assert '<a href="#see-a"><span class="sn">1</span><span>See a</span></a>' in contents
    assert 'See <a class="external" href="https://a.example">a</a><a class="anchor"' in body
    assert 'And <a class="note-ref" href="02_N.html"' in body
    assert 'With <code>code</code> and <a class="external" href="https://c.example">c</a>' in body


def test_a_definition_leads_where_it_says_on_the_pages_of_notes_too(tmp_path: Path) -> None:
    """Their inputs once lacked the targets of links in definitions."""
    definition = "{zh: '弯的，见 [[one/#2]] 与 [@a2024x]', en: 'Bent, see [[one/#2]] and [@a2024x]'}"
    files = {
        "site.yaml": "title: x\ntopics: [one]\n",
        "one/topic.yaml": "title: {zh: 一, en: One}\n",
        "glossary.yaml": f"- {{zh: 拱, en: arch, definition: {definition}}}\n",
        "a.bib": "@misc{a2024x, title={Late}, author={Wu, An}, year=2024, url={https://example.org/a}}\n",
        "one/01_A/note.yaml": "title: {zh: 甲, en: A}\n",
        "one/01_A/zh.md": "## 一\n\n这是拱。\n",
        "one/02_B/note.yaml": "title: {zh: 乙, en: B}\n",
        "one/02_B/zh.md": "## 二\n\n没有。\n",
    }
    site = built(write(tmp_path, {f"notes_src/{name}": text for name, text in files.items()}))
    page = (site / "one/notes/01_A.html").read_text("utf-8")
    assert '<a class="note-ref" href="02_B.html"' in page
    assert '<a class="cite" href="https://example.org/a" title="Late">Wu, 2024</a>' in page


def test_an_entry_above_others_makes_no_page_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .bib file that another program exports has new lines all the time."""
    entry = "@misc{a2024x, title={Late}, author={Wu, An}, year=2024, url={https://example.org/a}}\n"
    files = {
        "site.yaml": "title: x\ntopics: [one]\n",
        "one/topic.yaml": "title: {zh: 一, en: One}\n",
        "a.bib": entry,
        "one/01_A/note.yaml": "title: {zh: 甲, en: A}\npapers: [a2024x]\n",
        "one/01_A/zh.md": "见 [@a2024x]。\n",
    }
    root = write(tmp_path, {f"notes_src/{name}": text for name, text in files.items()})
    update(root, jobs=1)
    made: list[object] = []
    monkeypatch.setattr(notes, "note_file", lambda *work: made.append(work) or note_file(*work))
    other = "@misc{b, title={Other}, author={Li, Bo}, year=2020, url={https://example.org/b}}\n"
    write(root, {"notes_src/a.bib": other + entry})
    assert update(root, jobs=1).plan is not None
    assert made == []
    write(root, {"notes_src/a.bib": other + entry.replace("Late", "Later")})
    update(root, jobs=1)
    assert len(made) == 1
