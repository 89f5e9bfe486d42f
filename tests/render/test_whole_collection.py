"""The views of the pages made of the whole collection, as values."""

from __future__ import annotations

import datetime
from functools import partial

import pytest
from listing import EN, ZH, collection_of, corpus_of, names_of, note, page_of

from paper_notes.corpus.model import CorrectedClaim
from paper_notes.languages.text import Text
from paper_notes.render.pages.errata import ErrataPage, is_open
from paper_notes.render.pages.glossary import GlossaryPage
from paper_notes.render.pages.map import ONE_DRAWING, Group, MapPage, map_page, map_parts, most_linked, packed
from paper_notes.render.pages.papers import PapersPage, YearBlock, folded, papers_page, papers_parts
from paper_notes.render.pages.stats import StatsPage, months_between
from paper_notes.render.pages.tags import MANY, TagsPage, tags_page

BIB = {
    "a.bib": """
@misc{a2024x, title={Late}, author={Wu, An and 李, 明 and Müller, J.}, year=2024, month=5, organization={A; B and C}}
@misc{b2024y, title={Sometime}, author={WU, AN and Ng, Q.}, year=2024}
@misc{c2020z, title={Early}, author={Müller, J and 李, 明}, year=2020, month=12, day=3, eprint={2012.00001},
  archivePrefix={arXiv}, organization={University of X, Y}}
@misc{d0000u, title={Undated}, author={Nobody, N.}}
"""
}


def view(kind: type, name: str, *files: dict[str, str]):
    page = page_of(name, *files)
    assert isinstance(page, kind)
    return page


def labels(notes) -> list[str]:
    return [link.label for link in notes]


def test_an_empty_collection_has_none_of_these_pages() -> None:
    assert names_of() == []


def test_pages_that_would_be_empty_are_not_made() -> None:
    assert names_of(note("one/01_A")) == ["stats"]
    assert names_of(note("one/01_A", "tags: [x]\n"), BIB) == ["papers", "tags", "stats"]
    glossary = {"glossary.yaml": "- {zh: 词, en: word}\n"}
    corrects = "papers: [c2020z]\ncorrects: [{note: 1, claim: x, correction: y}]\n"
    every = names_of(note("one/01_A"), note("one/02_B", corrects), BIB, glossary)
    assert every == ["papers", "glossary", "errata", "map", "stats"]


class TestLargeLists:
    FILES = (
        BIB,
        note("one/01_A", "papers: [a2024x]\ntags: [x]\ncreated: 2024-01-01\n"),
        note("one/02_B", "papers: [c2020z]\ntags: [x, y]\ncreated: 2026-01-01\n"),
    )

    def test_a_large_library_has_a_page_for_each_year(self) -> None:
        collection, _ = collection_of(*self.FILES)
        assert papers_parts(collection) == papers_parts(collection, large=4) == {}
        parts = papers_parts(collection, large=3)
        assert [*parts] == ["2024", "2020", "undated"]

        def blocks(page: object) -> list[tuple[str, list[str], str]]:
            assert isinstance(page, PapersPage)
            return [(year.id, [entry.paper.key for entry in year.papers], year.href) for year in page.years]

        first = page_of("papers", *self.FILES, view=partial(papers_page, large=3))
        assert blocks(first) == [
            ("y2024", ["a2024x", "b2024y"], "#y2024"),
            ("y2020", ["c2020z"], "#y2020"),
            ("undated", [], "papers-undated.html"),
        ], "the latest years that fit are on the first page as well"
        assert isinstance(first, PapersPage)
        assert (first.total, first.read) == (4, 2)
        few = blocks(page_of("papers", *self.FILES, view=partial(papers_page, large=1)))
        assert [len(papers) for _, papers, _ in few] == [2, 0, 0], "some of the latest year if it does not fit"
        year = page_of("papers", *self.FILES, view=parts["2020"].view)
        assert isinstance(year, PapersPage)
        assert blocks(year)[1] == ("y2020", ["c2020z"], "#y2020")
        assert (year.chrome.title[EN], year.total, year.read) == ("Papers · 2020", 1, 1)
        assert [block[1] for block in blocks(year)] == [[], ["c2020z"], []]

    def test_a_tag_of_many_notes_shows_the_latest_and_where_all_are(self) -> None:
        many = [note(f"one/{n:02}_N", f"tags: [a b]\ncreated: 2026-01-{n:02}\n") for n in range(1, 15)]
        for large, shown, others in ((14, list(range(1, 15)), ""), (13, [*range(14, 2, -1)], "index.html?tag=a%20b")):
            page = page_of("tags", *many, view=partial(tags_page, large=large))
            assert isinstance(page, TagsPage)
            [tag] = page.tags
            assert (tag.count, labels(tag.notes), tag.others) == (14, [f"#{n}" for n in shown], others)


class TestPapers:
    def page(self) -> PapersPage:
        return view(
            PapersPage,
            "papers",
            BIB,
            note("one/01_A", "papers: [a2024x]\n", "见 [@a2024x] 与 [@c2020z]。\n"),
            note("two/01_B", "papers: [a2024x]\n", "见 [@c2020z]。\n", "See [@c2020z].\n"),
        )

    def test_the_latest_come_first_and_what_has_no_date_last(self) -> None:
        def shown(year: YearBlock):
            papers = [(entry.month[EN], entry.paper.title, entry.by) for entry in year.papers]
            return year.id, year.year, year.read, year.shares, papers

        assert [shown(year) for year in self.page().years] == [
            ("y2024", "2024", 1, (50, 50), [("May", "Late", "Wu et al."), ("", "Sometime", "WU and Ng")]),
            ("y2020", "2020", 0, (0, 50), [("Dec", "Early", "Müller and 李明")]),
            ("undated", "", 0, (0, 50), [("", "Undated", "Nobody")]),
        ]

    def test_who_reads_a_paper_is_not_said_to_cite_it_too(self) -> None:
        entries = {e.paper.title: e for year in self.page().years for e in year.papers}
        read = {title: ([n.href for n in e.paper.notes], [n.href for n in e.cited]) for title, e in entries.items()}
        a, b = "one/notes/01_A.html", "two/notes/01_B.html"
        assert read == {"Early": ([], [a, b]), "Late": ([a, b], []), "Sometime": ([], []), "Undated": ([], [])}

    def test_one_paper(self) -> None:
        page = view(PapersPage, "papers", {"a.bib": "@misc{a1, title={T}, author={A, B.}}\n"})
        assert page.count == Text.of(zh="1 篇论文", en="1 paper")
        assert [(year.id, year.shares) for year in page.years] == [("undated", (0, 100))]

    @pytest.mark.parametrize(
        ("years", "axis"),
        [
            ((2007, 2020), "2007 2020"),
            ((2008, 2020), f"2008 {' '.join(f'({year})' for year in range(2009, 2020))} 2020"),
            ((2018, 2020, 2021), "2018 (2019) 2020 2021"),
            ((0, 2018, 2020), "? 2018 (2019) 2020"),
            ((0,), "?"),
        ],
    )
    def test_the_axis_has_the_years_between_unless_they_are_many(self, years: tuple[int, ...], axis: str) -> None:
        bib = "".join(f"@misc{{k{year}, title={{T}}, author={{A, B.}}, year={year}}}\n" for year in years if year)
        bib += "@misc{k, title={T}, author={A, B.}}\n" * (0 in years)
        page = view(PapersPage, "papers", {"a.bib": bib})
        shown = [(block.year or "?") if block.papers else f"({block.year})" for block in page.axis]
        assert " ".join(shown) == axis


class TestTags:
    def test_more_tags_than_one_sees_at_once_are_also_listed_by_name(self) -> None:
        for count, listed in ((MANY, 0), (MANY + 1, MANY + 1)):
            tags = ", ".join(f"t{number:02}" for number in range(count))
            page = view(TagsPage, "tags", note("one/01_A", f"tags: [{tags}]\n"))
            assert (len(page.tags), len(page.cloud)) == (count, listed)

    def test_names_other_words_and_notes(self) -> None:
        page = view(
            TagsPage,
            "tags",
            {"site.yaml": "title: {zh: x, en: x}\ntopics: [one, two]\ntags: {rl: {zh: 强化学习, aliases: [RLHF]}}\n"},
            note("one/01_A", "tags: [RLHF, x y, x/y]\n"),
            note("two/01_B", "tags: [强化学习]\n"),
        )
        assert [(tag.id, tag.name, tag.words, labels(tag.notes)) for tag in page.tags] == [
            ("tag-rl", Text.of(zh="强化学习", en="rl"), ("RLHF",), ["#1", "#1"]),
            ("tag-x-y", Text.of(zh="x y", en="x y"), (), ["#1"]),
            ("tag-x-y-2", Text.of(zh="x/y", en="x/y"), (), ["#1"]),
        ]
        assert page.cloud == (), "three tags need no list of their names"
        assert page.count == Text.of(zh="3 个标签", en="3 tags")

    def test_tags_beside_it(self) -> None:
        page = view(TagsPage, "tags", note("one/01_A", "tags: [x, y, z]\n"), note("two/01_B", "tags: [z, x]\n"))
        x, z, y = page.tags
        assert [tag.name[EN] for tag in (x, z, y)] == ["x", "z", "y"], "the most used first, then by name"
        assert [(tag.name[EN], tag.count, tag.href) for tag in x.related] == [
            ("z", 2, "tags.html#tag-z"),
            ("y", 1, "tags.html#tag-y"),
        ]

    def test_many_tags_are_listed_by_name_first(self) -> None:
        page = view(TagsPage, "tags", note("one/01_A", f"tags: [{', '.join(f't{n}' for n in range(90, 49, -1))}]\n"))
        assert [(tag.name[EN], tag.count) for tag in page.cloud] == [(f"t{n}", 0) for n in range(50, 91)]


class TestGlossary:
    def test_terms_by_their_letters_with_the_notes_that_use_them(self) -> None:
        glossary = """\
- {zh: 温度, en: temperature, aliases: [T], avoid: [热度], definition: {zh: "见 $T$", en: "the *heat*"}}
- {zh: 二, en: 2-gram}
- {zh: 接受率, en: acceptance rate}
- {zh: 草稿, en: Éclair}
"""
        page = view(
            GlossaryPage,
            "glossary",
            {"glossary.yaml": glossary},
            note("one/01_A", zh="接受率随温度变。\n"),
            note("one/02_B", zh="没有。\n", en="The temperature matters.\n"),
        )
        assert [(letter, [term.names[0][1] for term in terms]) for letter, terms in page.groups] == [
            ("A", ["接受率"]),
            ("E", ["草稿"]),
            ("T", ["温度"]),
            ("#", ["二"]),
        ]
        term = page.groups[2][1][0]
        assert (term.id, term.aliases, term.avoid, labels(term.notes), term.more) == (
            "term-temperature",
            ("T",),
            ("热度",),
            ["#1", "#2"],
            0,
        )
        assert term.definition is not None
        assert "<math" in term.definition[ZH]

    def test_of_many_notes_the_first_are_named_and_the_others_counted(self) -> None:
        notes = [note(f"one/{number:02}_N", zh="接受率。\n") for number in range(1, 31)]
        page = view(GlossaryPage, "glossary", {"glossary.yaml": "- {zh: 接受率, en: rate}\n"}, *notes)
        [(_, [term])] = page.groups
        assert (len(term.notes), term.more) == (24, 6)


class TestErrata:
    @pytest.mark.parametrize(
        ("updated", "date", "by_created", "is_it"),
        [
            (None, None, None, True),
            ("2024-01-01", None, None, True),
            (None, "2024-01-01", None, True),
            ("2024-01-01", "2024-01-02", None, True),
            ("2024-01-02", "2024-01-02", None, False),
            ("2024-01-02", None, "2024-01-03", True),
            ("2024-01-03", None, "2024-01-03", False),
        ],
    )
    def test_open_until_the_corrected_note_was_changed(
        self, updated: str | None, date: str | None, by_created: str | None, is_it: bool
    ) -> None:
        facts = [f"{name}: {day}\n" if day else "" for name, day in (("updated", updated), ("created", by_created))]
        corrected, by = corpus_of(note("one/01_A", facts[0]), note("one/02_B", facts[1])).notes
        day = datetime.date.fromisoformat(date) if date else None
        assert is_open(corrected, by, CorrectedClaim(corrected.id, Text.of(zh="x"), Text.of(zh="y"), day)) is is_it

    def test_the_open_ones_come_first_then_the_latest(self) -> None:
        lines = [f"  - {{note: 1, claim: c{n}, correction: r{n}, date: 2024-0{n}-01}}\n" for n in (1, 4, 2, 5)]
        page = view(
            ErrataPage,
            "errata",
            note("one/01_A", "updated: 2024-03-01\n"),
            note("one/02_B", "corrects:\n" + "".join(lines)),
        )
        assert [(entry.claim[ZH], entry.open) for entry in page.errata] == [
            ("c5", True),
            ("c4", True),
            ("c2", False),
            ("c1", False),
        ]
        assert (page.errata[0].note.label, page.errata[0].by.label) == ("#1", "#2")
        assert page.count == Text.of(zh="4 处更正，2 处原笔记尚未修订", en="4 corrections, 2 open")


class TestAuthors:
    def page(self, **options: object) -> PapersPage:
        page = page_of(
            "papers", BIB, note("one/01_A", "papers: [a2024x, b2024y, c2020z]\n"), view=partial(papers_page, **options)
        )
        assert isinstance(page, PapersPage)
        return page

    def test_names_that_fold_to_one_are_one_and_lead_to_their_papers(self) -> None:
        authors = self.page().authors
        assert [(author.name, [paper.href for paper in author.papers]) for author in authors] == [
            ("An Wu", ["#paper-a2024x", "#paper-b2024y"]),
            ("J. Müller", ["#paper-a2024x", "#paper-c2020z"]),
            ("李明", ["#paper-a2024x", "#paper-c2020z"]),
        ]
        assert [paper.label for paper in authors[1].papers] == ["Wu et al., 2024", "Müller and 李明, 2020"]

    def test_in_a_large_library_they_lead_to_the_pages_of_years_which_do_not_name_them(self) -> None:
        [_, müller, _] = self.page(large=1).authors
        assert [paper.href for paper in müller.papers] == [
            "papers-2024.html#paper-a2024x",
            "papers-2020.html#paper-c2020z",
        ]
        assert self.page(large=1, only="2024").authors == ()

    def test_only_some_are_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("paper_notes.render.pages.papers.MOST_AUTHORS", 2)
        assert [author.name for author in self.page().authors] == ["An Wu", "J. Müller"]

    def test_papers_that_nobody_read_do_not_count(self) -> None:
        assert view(PapersPage, "papers", BIB, note("one/01_A", "papers: [a2024x]\n")).authors == ()

    @pytest.mark.parametrize(
        ("one", "other", "same"),
        [
            ("J. Müller", "J Müller", True),
            ("AN WU", "An Wu", True),
            ("Ａn Wu", "An Wu", True),
            ("Muller", "Müller", False),
            ("李明", "李 明", False),
            ("An Wu", "Wu An", False),
        ],
    )
    def test_spellings(self, one: str, other: str, same: bool) -> None:
        assert (folded(one) == folded(other)) is same


class TestMap:
    def test_references_and_corrections_drawn_and_in_words(self) -> None:
        page = view(
            MapPage,
            "map",
            note("one/01_A", zh="见 [[#2]]、[[#2]] 与 [[#1]]。\n"),
            note("one/02_B", "corrects: [{note: two/1, claim: x, correction: y}]\n"),
            note("two/01_C"),
            note("two/02_D"),
        )
        assert page.count == Text.of(zh="4 篇笔记，2 处引用", en="4 notes, 2 references")
        [drawing] = page.drawings
        assert drawing.lines.count('class="line ') == 2
        [[one], [two]] = drawing.columns
        assert [
            (group.topic and group.topic.title[EN], labels([node.link for node in group.nodes])) for group in (one, two)
        ] == [
            ("One", ["#1", "#2"]),
            ("Two", ["#1", "#2"]),
        ], "a note without references is drawn too, while there is room"
        assert [node.near for node in (*one.nodes, *two.nodes)] == [(0, 1), (0, 1, 2), (1, 2), (3,)]
        assert [(node.to, node.by) for node in one.nodes] == [(1, 0), (1, 1)]
        assert page.highlights.count(":has(") == 4
        rows = {link.href: (labels(to), labels(by)) for _, rows in page.rows for link, to, by in rows}
        assert rows == {
            "one/notes/01_A.html": (["#2"], []),
            "one/notes/02_B.html": (["#1"], ["#1"]),
            "two/notes/01_C.html": ([], ["#2"]),
        }

    def test_a_large_collection_has_a_table_of_topics_and_a_drawing_for_each(self) -> None:
        notes = [
            note(f"one/{number:02}_N", zh=f"见 [[#{number % 45 + 1}]]{' 与 [[two/#1]]' * (number % 2)}。\n")
            for number in range(1, 46)
        ]
        page = view(MapPage, "map", *notes, note("two/01_T", zh="见 [[one/#1]]。\n"))
        assert [(drawing.title and drawing.title[EN], drawing.left_out) for drawing in page.drawings] == [
            ("One", 45 - ONE_DRAWING),
        ]
        [one] = page.drawings
        assert [[len(group.nodes) for group in column] for column in one.columns] == [[10]] * 4
        assert page.overview is not None
        assert [[*row] for row in page.overview.rows] == [
            [(45, None), (23, 4)],
            [(1, 1), (0, None)],
        ]

    def test_a_larger_one_has_its_topics_and_a_map_for_each(self) -> None:
        notes = [
            *(note(f"one/{n:02}_N", zh=f"见 [[#{n % 3 + 1}]] 与 [[two/#1]]。\n") for n in (1, 2, 3)),
            note("two/01_T", zh="[[one/#2]]\n"),
        ]
        collection, _ = collection_of(*notes)
        assert map_parts(collection) == map_parts(collection, large=4) == {}
        parts = map_parts(collection, large=3)
        assert [*parts] == ["one", "two"]
        topics = page_of("map", *notes, view=partial(map_page, large=3))
        assert isinstance(topics, MapPage)
        [drawing] = topics.drawings
        boxes = [node for column in drawing.columns for group in column for node in group.nodes]
        assert [(box.link.name[EN], box.link.href, box.near, box.to, box.by) for box in boxes] == [
            ("One · 3", "map-one.html", (0, 1), 3, 1),
            ("Two · 1", "map-two.html", (0, 1), 1, 3),
        ]
        assert drawing.lines.count("<g ") == 1
        assert ' w4"' in drawing.lines
        assert topics.rows == ()
        assert [(row.about[EN], labels(row.hubs)) for row in topics.topics] == [
            ("3 notes, 4 references", ["#2", "#3", "#1"]),
            ("1 note, 3 references", ["#1"]),
        ]
        one = page_of("map", *notes, view=parts["one"].view)
        assert isinstance(one, MapPage)
        assert one.chrome.title[EN] == "Map · One"
        assert [drawing.title for drawing in one.drawings] == [None]
        [(_, rows)] = one.rows
        assert {link.label: (labels(to), labels(by)) for link, to, by in rows} == {
            "#1": (["#2", "#1"], ["#3"]),
            "#2": (["#3", "#1"], ["#1", "#1"]),
            "#3": (["#1", "#1"], ["#2"]),
        }

    def test_topics_are_below_each_other_where_there_are_many(self) -> None:
        def sizes(*notes: int) -> list[list[int]]:
            corpus = corpus_of(note("one/01_A"))
            groups = [Group(corpus.topics[0], corpus.notes * number) for number in notes]
            return [[len(group.notes) for group in column] for column in packed(groups)]

        assert sizes(5, 2, 2, 5) == [[5], [2, 2], [5]]
        assert sizes(5, 5, 5, 5) == [[5], [5], [5], [5]]
        assert sizes(8, 1, 1, 1, 1, 1, 1) == [[8], [1, 1, 1, 1], [1, 1]]
        assert sizes(1, 40) == [[1], [14], [14], [12]], "what is too high goes on in the next column"

    def test_the_same_every_time(self) -> None:
        files = [note(f"one/{number:02}_N", zh=f"[[#{number % 9 + 1}]]\n") for number in range(1, 10)]
        assert page_of("map", *files) == page_of("map", *files)

    def test_what_hangs_together_is_drawn_together(self) -> None:
        edges = [("a", "b"), ("b", "c"), ("x", "y"), ("a", "elsewhere")]
        assert most_linked(list("abcxyz"), edges) == frozenset("abcxy")


class TestLanguages:
    """Pages of sites in other languages than Chinese and English, in this order."""

    def test_words_are_in_the_languages_of_the_site(self) -> None:
        site = {"site.yaml": "title: Notes\nlanguages: [en]\ntopics: [one, two]\n"}
        page = view(PapersPage, "papers", site, BIB)
        assert page.chrome.title == Text.of(en="Papers")
        assert page.count == Text.of(en="4 papers")
        assert page.years[0].papers[0].month == Text.of(en="May")
        assert page.chrome.languages == (EN,)

    def test_the_first_language_of_the_site_is_the_first_of_all_texts(self) -> None:
        site = {"site.yaml": "title: {zh: 笔记, en: Notes}\nlanguages: [en, zh]\ntopics: [one, two]\n"}
        page = view(TagsPage, "tags", site, note("one/01_A", "tags: [x]\n", "文\n", "Text\n"))
        for text in (
            page.count,
            page.chrome.title,
            page.chrome.site_title,
            page.tags[0].name,
            page.tags[0].notes[0].name,
        ):
            assert text.languages == (EN, ZH)
        assert page.chrome.languages == (EN, ZH)

    @pytest.mark.parametrize("order", ["zh, en", "en, zh"])
    def test_tags_go_by_their_names_in_latin_letters(self, order: str) -> None:
        names = ", ".join(f"t{n}: {{zh: 标签{n}, en: {chr(99 - n)}}}" for n in range(3))
        site = {"site.yaml": f"title: N\nlanguages: [{order}]\ntopics: [one, two]\ntags: {{{names}}}\n"}
        page = view(TagsPage, "tags", site, note("one/01_A", "tags: [t0, t1, t2]\n"))
        assert [tag.name[EN] for tag in page.tags] == ["a", "b", "c"]


class TestStats:
    def page(self, *files: dict[str, str]) -> StatsPage:
        return view(StatsPage, "stats", *files)

    def test_numbers(self) -> None:
        page = self.page(
            BIB, note("one/01_A", "papers: [c2020z]\n", "两个字。\n", "Three plain words.\n"), note("two/01_B")
        )
        assert [(number[EN], name[EN]) for number, name in page.numbers] == [
            ("2", "Notes"),
            ("1", "Papers read"),
            ("5", "Chinese characters"),
            ("3", "English words"),
        ]
        dated = self.page(note("one/01_A", "created: 2024-02-01\n"), note("one/02_B", "updated: 2023-01-31\n"))
        assert dated.numbers[-1] == (
            Text.of(zh="2023-01-31", en="2023-01-31"),
            Text.of(zh="最早一篇", en="the first note"),
        )

    def test_plots_and_their_tables(self) -> None:
        page = self.page(
            BIB,
            note("one/01_A", "created: 2023-11-30\nkind: tutorial\npapers: [c2020z]\n", "两字\n", "One\n"),
            note("one/02_B", "updated: 2024-02-01\n", "二字\n"),
            note("one/03_C", "created: 2024-01-31\nupdated: 2024-02-09\n", "字\n", "One two\n"),
            note("two/01_C", "", "无\n"),
        )
        tables = {
            plot.id: [(name[EN], values) for name, values in plot.rows if any(v != "0" for v in values)]
            for plot in page.plots
        }
        assert tables == {
            "plot-notes": [("2023-11", ("1",)), ("2024-01", ("1",)), ("2024-02", ("1",))],
            "plot-characters": [("2023-11", ("2",)), ("2024-01", ("1",)), ("2024-02", ("2",))],
        }, "two years of papers, and two months with English words, are no plot"
        months = page.plots[0]
        assert months.title == Text.of(zh="每月笔记", en="Notes per month")
        assert [name[EN] for name, _ in months.rows][::11] == ["2023-03", "2024-02"], "a year is shown at least"
        assert [column.tick for column in months.columns][-4:] == ["11", "12", "2024", "2"]
        assert page.calendar is not None
        assert [(bars.id, bars.drawn, [(bar.name[EN], bar.total) for bar in bars.bars]) for bars in page.bars] == [
            ("plot-topics", False, [("One", "3"), ("Two", "1")]),
            ("plot-kinds", False, [("Paper", "3"), ("Tutorial", "1")]),
        ], "what is too little for bars is a table"

    def test_series_that_are_always_0_are_left_out(self) -> None:
        years = "".join(
            f"@misc{{a{year}, title={{T}}, author={{A, B.}}, year={year}}}\n" for year in (2020, 2021, 2023)
        )
        [plot] = self.page({"a.bib": years}, note("one/01_A")).plots
        assert (plot.id, plot.key, plot.head[1:]) == (
            "plot-papers",
            (),
            (Text.of(zh="只在库中", en="only in the library"),),
        )
        [plot] = self.page({"a.bib": years}, note("one/01_A", "papers: [a2023]\n")).plots
        assert plot.key == (
            (Text.of(zh="读过", en="read"), "1"),
            (Text.of(zh="只在库中", en="only in the library"), "2"),
        )
        assert [name[EN] for name, _ in plot.rows] == ["2020", "2021", "2022", "2023"]

    def test_translation_is_a_sentence_until_something_is_missing(self) -> None:
        whole = note("one/01_A", "", "## 动机\n字\n", "## Motivation\nOne\n")
        page = self.page(whole)
        assert page.translated == Text.of(zh="全部 1 节都有中英两版。", en="Every section is in both languages (1).")
        assert [plot.id for plot in page.bars] == ["plot-topics", "plot-kinds"]
        page = self.page(whole, note("one/02_B", "", "## 动机\n字\n"))
        assert page.translated is None
        plot = page.bars[-1]
        assert (plot.id, plot.drawn) == ("plot-translation", True)
        assert plot.key == (
            (Text.of(zh="两种语言都有", en="in both languages"), "1"),
            (Text.of(zh="只有中文", en="Chinese only"), "1"),
        )

    def test_a_site_in_one_language_does_not_speak_of_translation(self) -> None:
        site = {"site.yaml": "title: Notes\nlanguages: [en]\ntopics: [one, two]\n"}
        texts = {"one/01_A/note.yaml": "title: A\ncreated: 2024-01-01\n", "one/01_A/en.md": "## Motivation\nWords.\n"}
        page = self.page(site, texts)
        assert page.translated is None
        assert [plot.id for plot in page.bars] == ["plot-topics", "plot-kinds"]

    def test_each_language_counts_what_its_script_has(self) -> None:
        site = {"site.yaml": "title: Notes\nlanguages: [en, fr]\ntopics: [one, two]\n"}
        files = [
            {
                f"one/0{n}_A/note.yaml": f"title: A\ncreated: 2020-0{n}-01\n",
                f"one/0{n}_A/en.md": "Two words.\n",
                f"one/0{n}_A/fr.md": "Mes trois mots.\n",
            }
            for n in (1, 2, 3)
        ]
        page = self.page(site, *files)
        assert [(number[EN], name[EN]) for number, name in page.numbers][1:3] == [
            ("6", "English words"),
            ("9", "français words"),
        ]
        assert [plot.id for plot in page.plots] == ["plot-notes", "plot-words-en", "plot-words-fr"], "each has its own"
        assert page.plots[0].rows[0][0] == Text.of(en="2019-04", fr="2019-04")

    @pytest.mark.parametrize(("day", "first", "months"), [("2024-12-31", "2024-01", 12), ("2024-11-30", "2023-12", 12)])
    def test_the_last_year_is_shown_whatever_month_it_ends_in(self, day: str, first: str, months: int) -> None:
        page = self.page(
            *(note(f"one/0{n}_A", f"created: {day[:7]}-0{n}\n") for n in (1, 2)),
            note("one/03_A", f"created: {day[:5]}02-01\n"),
            note("one/04_A", f"created: {day}\n"),
            note("one/05_A", "created: 2024-03-01\n"),
        )
        rows = page.plots[0].rows
        assert (rows[0][0][EN], rows[-1][0][EN], len(rows)) == (first, day[:7], months)

    def test_plots_without_numbers_are_left_out(self) -> None:
        page = self.page(note("one/01_A"))
        assert (page.plots, page.calendar) == ((), None)

    def test_a_long_history_is_counted_by_years(self) -> None:
        page = self.page(*(note(f"one/0{n}_A", f"created: 20{n}0-01-01\n") for n in (1, 2, 3)))
        plot = page.plots[0]
        assert plot.title == Text.of(zh="每年笔记", en="Notes per year")
        assert [name[EN] for name, _ in plot.rows] == [str(year) for year in range(2010, 2031)]

    @pytest.mark.parametrize(("day", "first"), [("2026-03-05", "2025-04"), ("2025-12-31", "2025-01")])
    def test_a_short_history_is_shown_with_the_year_before_its_end(self, day: str, first: str) -> None:
        days = day, *(f"{day[:4]}-{int(day[5:7]) - ago:02}-01" for ago in (1, 2))
        rows = self.page(*(note(f"one/0{n}_A", f"created: {day}\n") for n, day in enumerate(days))).plots[0].rows
        assert [name[EN] for name, _ in rows] == [*months_between(first, day[:7])]
        assert len(rows) == 12

    @pytest.mark.parametrize(
        ("first", "last", "count"), [("2024-02", "2024-02", 1), ("2023-11", "2024-02", 4), ("2022-12", "2024-01", 14)]
    )
    def test_months(self, first: str, last: str, count: int) -> None:
        months = months_between(first, last)
        assert (months[0], months[-1], len(months)) == (first, last, count)


def test_relations_are_found_in_both_languages_once() -> None:
    material, _ = collection_of(note("one/01_A", zh="[[#2]]\n", en="[[#2]]\n"), note("one/02_B"))
    assert {key: len(found) for key, found in material.relations.backlinks.items()} == {"one/02_B": 1}
