"""Where pages are, and what references become."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from listing import EN, collection_of

from paper_notes.corpus.load import load
from paper_notes.corpus.model import Lang, NoteId, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.languages.language import Words
from paper_notes.markdown.bodies import render_bodies
from paper_notes.markdown.body import Slot
from paper_notes.render.labels import cite_label, short_title
from paper_notes.render.links import (
    LinkResolver,
    absolute,
    link_resolver,
    note_path,
    relative,
    topic_path,
    with_one_card_each,
)
from paper_notes.render.theme.theme import load_theme
from paper_notes.render.view_factory import PageContext
from paper_notes.sources.tree import read_tree

HERE = Location(PurePosixPath("notes_src/arches/01_Stone_arches/en.md"), 3, 5)
ARCHES = TopicId("arches")
STONE = NoteId("arches/01_Stone_arches")
PAGE = PurePosixPath("arches/notes/01_Stone_arches.html")


@pytest.fixture(scope="module")
def resolver() -> LinkResolver:
    sources, _ = read_tree(Path(__file__).parents[1] / "sites" / "bilingual")
    corpus, problems = load(sources)
    assert corpus is not None
    assert problems == ()
    bodies, _ = render_bodies(corpus.notes)
    return link_resolver(corpus, bodies.outlines)


def slot(target: str, text: str = "") -> Slot:
    return Slot("note", target, text, HERE)


def cite(target: str, text: str = "") -> Slot:
    return Slot("cite", target, text, HERE)


def test_paths(resolver: LinkResolver) -> None:
    note = resolver.corpus.note(NoteId("cables/01_Wind"))
    assert note_path(note) == PurePosixPath("cables/notes/01_Wind.html")
    assert topic_path(note.topic) == PurePosixPath("cables/index.html")
    assert relative(note_path(note), PAGE) == "../../cables/notes/01_Wind.html"
    assert relative(PurePosixPath("index.html"), PurePosixPath("index.html")) == "index.html"


@pytest.mark.parametrize(
    ("title", "expected"),
    [("ReSpec: speculative", "ReSpec"), ("动机：为什么", "动机"), ("no colon", "no colon"), (": odd", ": odd")],
)
def test_short_title(title: str, expected: str) -> None:
    assert short_title(title) == expected


def noted(href: str, title: str, words: str) -> str:
    """A link to a note, with what its card shows."""
    return f'<a class="note-ref" href="{href}" data-card="note" data-title="{title}" data-summary="">{words}</a>'


@pytest.mark.parametrize(
    ("reference", "lang", "expected"),
    [
        (
            slot("#2"),
            "en",
            noted("02_Brick_2020.html", "Brick", "#2 Brick"),
        ),
        (
            slot("2"),
            "zh",
            noted("02_Brick_2020.html", "砖", "#2 砖"),
        ),
        (
            slot("#02", "bricks"),
            "en",
            noted("02_Brick_2020.html", "Brick", "bricks"),
        ),
        (
            slot("#2#method"),
            "en",
            noted("02_Brick_2020.html#method", "Brick", "#2 Brick"),
        ),
        (
            slot("cables/#1"),
            "en",
            (
                '<a class="note-ref" href="../../cables/notes/01_Wind.html" data-card="note"'
                ' data-title="How wind moves a cable" data-summary="">'
                "🪢 #1 How wind moves a cable</a>"
            ),
        ),
        (
            slot("cables/01_Wind#motivation", "<i>"),
            "en",
            (
                '<a class="note-ref" href="../../cables/notes/01_Wind.html#motivation" data-card="note"'
                ' data-title="How wind moves a cable" data-summary="">'
                "&lt;i&gt;</a>"
            ),
        ),
        (slot("#99"), "en", "#99"),
        (slot("#99", "a & b"), "en", "a &amp; b"),
        (
            cite("okafor2023wind"),
            "en",
            '<a class="cite" href="#ref-okafor2023wind" title="How wind moves a cable">Okafor, 2023</a>',
        ),
        (
            cite("okafor2023wind", "Table <2>"),
            "en",
            (
                '<a class="cite" href="#ref-okafor2023wind" title="How wind moves a cable">Okafor, 2023</a>'
                ", Table &lt;2&gt;"
            ),
        ),
        (
            Slot("cite", "okafor2023wind", "§3", HERE, bare=True),
            "en",
            '<a class="cite" href="#ref-okafor2023wind" title="How wind moves a cable">2023</a>, §3',
        ),
        (cite("<nobody>"), "en", "&lt;nobody&gt;"),
    ],
)
def test_a_slot_as_html(resolver: LinkResolver, reference: Slot, lang: Lang, expected: str) -> None:
    assert resolver.html(reference, PAGE, ARCHES, lang, listed=True) == expected


def test_a_citation_leads_to_the_paper_itself_on_a_page_without_a_reference_list(resolver: LinkResolver) -> None:
    html = resolver.html(cite("okafor2023wind"), PAGE, ARCHES, "en", listed=False)
    assert html.startswith('<a class="cite" href="https://')


@pytest.mark.parametrize(
    ("people", "names"),
    [
        ("Lee, Ann", "Ann Lee"),
        ("Lee, Ann and Ng, Bo and Oh, Cy", "Ann Lee, Bo Ng, Cy Oh"),
        ("Lee, Ann and Ng, Bo and Oh, Cy and Pu, Di", "Ann Lee, Bo Ng, Cy Oh et al."),
        ("Lee, Ann and others", "Ann Lee et al."),
    ],
)
def test_the_card_of_a_paper_names_three_authors(people: str, names: str) -> None:
    _, resolver = collection_of({"a.bib": f"@misc{{a, title={{Why}}, author={{{people}}}, year={{2020}}}}"})
    card = resolver.html(Slot("paper", "a", "", HERE), PAGE, ARCHES, EN, listed=True)
    assert f">{names}\u00a0· 2020<" in card


def test_the_card_of_a_paper_names_its_links_in_the_language_of_the_text() -> None:
    _, resolver = collection_of({"a.bib": "@misc{a, title={Why}, year={2020}, code={https://a.example}}"})
    cards = [resolver.html(Slot("paper", "a", "", HERE), PAGE, ARCHES, lang, listed=True) for lang in (Lang("zh"), EN)]
    assert [name in card for name, card in zip((">代码<", ">Code<"), cards, strict=True)] == [True, True]


def test_labels_of_citations(resolver: LinkResolver) -> None:
    papers = resolver.corpus.papers
    assert cite_label(papers[BibKey("lin2019stone")]) == "Lin et al., 2019"
    assert cite_label(papers[BibKey("okafor2023wind")]) == "Okafor, 2023"


def test_what_leads_nowhere_is_found(resolver: LinkResolver) -> None:
    slots = (slot("#99"), slot("#1#methd"), cite("lin2019stoen"), slot("#2#method"), cite("lin2019stone"))
    found = [(problem.rule, problem.location, problem.hint) for problem in resolver.check(slots, ARCHES)]
    assert found == [
        ("dangling-reference", HERE, "it has #1, #2"),
        ("unknown-anchor", HERE, "known: eq-chain, fig-arch, motivation, three-curves"),
        ("unknown-bibkey", HERE, 'did you mean "lin2019stone"?'),
    ]
    assert isinstance(resolver.target(slot("nowhere/#1"), ARCHES), Diagnostic)


def test_a_number_and_a_section_are_told_apart(resolver: LinkResolver) -> None:
    stone = STONE
    assert resolver.target(slot("#1"), ARCHES) == (stone, "")
    assert resolver.target(slot("#1#three-curves"), ARCHES) == (stone, "three-curves")
    assert resolver.target(slot("01_Stone_arches#three-curves"), ARCHES) == (stone, "three-curves")
    assert resolver.target(slot("arches/1#three-curves"), TopicId("cables")) == (stone, "three-curves")


def test_a_named_block_is_found_in_the_language_of_the_text_or_else_in_one_that_has_it(resolver: LinkResolver) -> None:
    en, ja = Lang("en"), Lang("ja")
    assert resolver.target(slot("#1#^fig-arch"), ARCHES, en) == (STONE, "fig-arch-en")
    assert resolver.target(slot("#1#fig-arch"), ARCHES, ja) == (STONE, "fig-arch-zh")
    assert 'href="01_Stone_arches.html#fig-arch-en"' in resolver.html(
        slot("#1#^fig-arch"), PAGE, ARCHES, en, listed=False
    )
    wrong = resolver.target(slot("#1#^fig-arc"), ARCHES)
    assert isinstance(wrong, Diagnostic)
    assert (wrong.rule, wrong.hint) == ("unknown-anchor", 'did you mean "fig-arch"?')
    assert wrong.message == 'the note "#1" has no section or block "^fig-arc"'


def test_a_section_is_found_by_its_number_and_named_by_it(resolver: LinkResolver) -> None:
    assert resolver.target(slot("#1§2"), ARCHES) == (STONE, "three-curves")
    assert resolver.target(slot("arches/01_Stone_arches § 2"), TopicId("cables")) == (STONE, "three-curves")
    html = resolver.html(slot("#1§2"), PAGE, ARCHES, "en", listed=True)
    assert 'href="01_Stone_arches.html#three-curves"' in html
    assert html.endswith("#1 Stone arches §2</a>")
    wrong = resolver.target(slot("#1§7.1"), ARCHES)
    assert isinstance(wrong, Diagnostic)
    assert (wrong.rule, wrong.hint) == ("unknown-anchor", "it has §1, §2")
    assert wrong.message == 'the note "#1" has no section §7.1'


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("#1", []),
        (
            "#02",
            [
                (
                    "notes_src/arches/01_Stone_arches/en.md:3:5: warning[plain-reference]: "
                    '"#02" is plain text; the note arches/02_Brick_2020 has this number\n'
                    "  hint: write [[#02]] to link it, or \\#02 if no note is meant"
                )
            ],
        ),
        ("#99", []),
    ],
)
def test_a_plain_number_of_another_note_of_the_topic_is_offered_as_a_reference(
    resolver: LinkResolver, target: str, expected: list[str]
) -> None:
    own = STONE
    assert list(map(str, resolver.check((Slot("plain", target, "", HERE),), ARCHES, own))) == expected


@pytest.mark.parametrize(
    ("page", "topic"),
    [(PAGE, ""), (PurePosixPath("cables/index.html"), "🌉"), (PurePosixPath("tags.html"), "🌉")],
)
def test_a_note_is_named_by_number_and_short_title_and_elsewhere_by_its_topic_too(
    resolver: LinkResolver, page: PurePosixPath, topic: str
) -> None:
    theme, _ = load_theme(Path(__file__).parents[1] / "sites" / "bilingual", Words.of("zh", "en"))
    assert theme is not None
    link = PageContext(resolver.corpus, resolver, theme, page, "list", ARCHES, print).note_link(STONE)
    name, rest = link.name[Lang("en")], link.rest[Lang("en")]
    assert (link.topic[Lang("en")], link.label, name, rest) == (
        topic,
        "#1",
        "Stone arches",
        ": two *curves*, A|B",
    )


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("index.html", "https://a.example/"),
        ("tea/index.html", "https://a.example/tea/"),
        ("tea/notes/01_index.html", "https://a.example/tea/notes/01_index.html"),
        ("三/a+b.html", "https://a.example/%E4%B8%89/a+b.html"),
    ],
)
def test_only_a_folder_has_the_address_of_its_index(path: str, address: str) -> None:
    assert absolute(PurePosixPath(path), "https://a.example/") == address


def test_the_text_of_a_card_is_on_a_page_once_for_each_language() -> None:
    def link(to: str, card: str) -> str:
        return f'<a class="note-ref" href="{to}" data-card="note"{card}>#1</a>'

    zh, en = ' data-title="风" data-summary=""', ' data-title="Wind" data-summary="Blows"'
    page = link("01_Wind.html", zh) + link("01_Wind.html#a", en) + link("02_Wind.html", en)
    assert with_one_card_each(page) == page
    again = link("01_Wind.html#b", zh) + link("01_Wind.html", en)
    assert with_one_card_each(page + again) == page + link("01_Wind.html#b", "") + link("01_Wind.html", "")
