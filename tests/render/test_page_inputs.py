"""The inputs of a note's page do not grow with the collection: forty notes give as much as four."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from listing import EN, ZH, collection_of, corpus_of, note
from running import files_of, write

from paper_notes.build import build, update
from paper_notes.corpus.model import NoteId, Text, Topic
from paper_notes.engine.cache import CacheTable, open_cache, pack
from paper_notes.markdown.bodies import render_bodies
from paper_notes.output.disk import apply
from paper_notes.render.links import link_resolver
from paper_notes.render.page_inputs import InputCollector, PageInputs, referenced_sections, shown
from paper_notes.render.pages.note import PathPosition
from paper_notes.render.pages.topic import TopicPage, topic_page
from paper_notes.render.site_pages import site_context
from paper_notes.render.theme.theme import ThemeFiles
from paper_notes.render.view_factory import PageContext

BIB = {"l.bib": "@misc{k, title={T}, author={Doe, J.}, year=2020}\n"}


def inputs_of_third(number: int) -> PageInputs:
    """The inputs of the third of `number` notes, which all read one paper and are in one reading path."""
    notes = {name: text for n in range(1, number + 1) for name, text in note(f"one/{n:02}_N", "papers: [k]\n").items()}
    steps = f"reading_paths: [{{id: a, title: W, steps: [{', '.join(map(str, range(1, number + 1)))}]}}]\n"
    material, resolver = collection_of(notes, BIB, {"one/topic.yaml": f"title: {{zh: 一, en: One}}\n{steps}"})
    neighbours = InputCollector(material.corpus, material.outlines, resolver, material.relations)
    return neighbours.of(material.corpus.note(NoteId("one/03_N")))


def test_a_page_knows_its_steps_and_not_the_path() -> None:
    step, in_topic = inputs_of_third(4).steps
    assert in_topic.length == 0, "it does not know how many notes the topic has"
    assert step == PathPosition(step.title, 3, 4, NoteId("one/02_N"), NoteId("one/04_N"))


def test_a_page_knows_what_the_summaries_on_its_cards_cite() -> None:
    notes = {**note("one/01_N", "papers: []\n"), **note("one/02_N", "summary: {en: 'See [@k].'}\n")}
    path = "reading_paths: [{id: a, title: W, steps: [1, 2]}]\n"
    material, resolver = collection_of(notes, BIB, {"one/topic.yaml": f"title: {{zh: 一, en: One}}\n{path}"})
    neighbours = InputCollector(material.corpus, material.outlines, resolver, material.relations)
    assert list(neighbours.of(material.corpus.note(NoteId("one/01_N"))).papers) == ["k"]
    assert resolver.plain_summary(material.corpus.note(NoteId("one/02_N")))[EN] == "See [Doe, 2020]."


@pytest.mark.parametrize(
    ("guide", "named"),
    [
        ("See [[#1#where]], [[#1§2|there]] and [[#1]].", {"§2": "how", "where": "where"}),
        ("See [[one/#1#^curve]].", {"curve": (ZH,)}),
        ("See [[#1]] and [[one/#1|it]].", {}),
        ("See [[#1§9]].", None),
    ],
)
def test_of_all_sections_pages_see_those_that_are_named_or_all_to_suggest_one(
    guide: str, named: dict[str, object] | None
) -> None:
    text = "## 哪里 {#where}\n\n文 ^curve\n\n## 怎样 {#how}\n\n文 ^line\n"
    topic = f"title: {{zh: 一, en: One}}\nreading_paths: [{{id: a, title: W, guide: '{guide}', steps: [1]}}]\n"
    material, resolver = collection_of(note("one/01_N", zh=text), {"one/topic.yaml": topic})
    seen = referenced_sections(material.corpus, resolver.anchors)
    if named is None:
        assert seen == resolver.anchors
    else:
        assert {name: at for known in seen.values() for name, at in {**known.sections, **known.blocks}.items()} == named


def test_what_a_page_is_made_of_does_not_grow_with_the_collection() -> None:
    few, many = inputs_of_third(4), inputs_of_third(40)
    assert [note.id for note in few.notes] == [note.id for note in many.notes]
    assert few.readers == many.readers == {"k": (NoteId("one/01_N"), NoteId("one/02_N"))}


def test_pages_are_made_of_no_more_than_their_keys_tell() -> None:
    """A page cannot see what its key does not include: otherwise it would be stale after an edit."""
    facts = "papers: [k]\nextra: {mine: 1}\ntranslated: {lead: {zh: aaaaaaaaaa, en: bbbbbbbbbb}}\n"
    files = note("one/01_A", facts, zh="文\n", en="Text\n")
    for line in ("", "\n"):
        corpus = shown(corpus_of(files, {"l.bib": line + BIB["l.bib"]}))
        (shown_note,) = corpus.notes
        assert (shown_note.extra, shown_note.translated, shown_note.files) == ({}, {}, {})
        assert [(text.lang, text.text) for text in shown_note.texts] == [(ZH, ""), (EN, "")]
        assert corpus.papers["k"].location.line == 1


def test_a_word_of_the_collection_changes_all_pages_that_show_it(tmp_path: Path) -> None:
    """A warm build after the edit equals a cold one: the words are in the keys of all pages."""
    files = {
        "notes_src/site.yaml": "title: Site\nlanguages: [en]\nbase_url: https://x.example/\ntopics: [one]\n",
        "notes_src/l.bib": BIB["l.bib"],
        "notes_src/one/topic.yaml": "title: One\n",
        "notes_src/one/01_A/note.yaml": "title: A\npapers: [k]\ntags: [x]\nsummary: S\n",
        "notes_src/one/01_A/en.md": "Text.\n",
        "notes_src/words.en.yaml": "count: {minutes: '{count} min'}\n",
    }
    root = write(tmp_path / "warm", files)
    before = site_of(root)
    own = {"notes_src/words.en.yaml": "page: {tags: {title: Catchwords}}\ncount: {minutes: '{count} moments'}\n"}
    after = site_of(write(root, own))
    assert after == site_of(write(tmp_path / "cold", files | own))
    pages = [name for name in after if name.endswith(".html")]
    assert {"index.html", "one/index.html", "one/notes/01_A.html", "papers.html", "stats.html", "404.html"} <= {*pages}
    assert all("Catchwords" in after[name] and "Catchwords" not in before[name] for name in pages)
    assert "1 moments" in after["index.html"]
    assert "1 moments" in after["one/index.html"]


def test_an_edit_makes_again_only_what_depends_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that tables of the cache remember, by its name there."""
    head = "title: {zh: 茶, en: Tea}\ntopics: [one]\nbase_url: https://x.example/\nassistants: true\n"
    files = {
        "notes_src/site.yaml": f"{head}readme: true\n",
        "notes_src/l.bib": BIB["l.bib"],
        "README.md": "<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n",
        "notes_src/one/topic.yaml": "title: {zh: 一, en: One}\n",
        **{f"notes_src/one/{name}/note.yaml": "title: {zh: 题, en: Title}\npapers: [k]\n" for name in ("01_A", "02_B")},
        **{f"notes_src/one/{name}/zh.md": "见 [[#1]]。\n" for name in ("01_A", "02_B")},
    }
    root, made, memo = write(tmp_path, files), set[str](), CacheTable.memo

    def noted(self: CacheTable, name: str, inputs: object, kind: type, make: Callable[[], Any], **more: Any) -> Any:
        return memo(self, name, inputs, kind, lambda: (made.add(name), make())[1], **more)

    monkeypatch.setattr(CacheTable, "memo", noted)
    update(root, 1)
    assert made >= {"one/01_A", "index.html", "search", "llms.txt", "feeds"}

    def made_by(edit: Mapping[str, str]) -> set[str]:
        made.clear()
        update(write(root, edit), 1)
        return set(made)

    for words in "甲乙":  # until README.md is as it stays
        made_by({"notes_src/one/02_B/zh.md": f"{words}。\n"})
    assert made_by({"notes_src/site.yaml": f"{head}readme: true\n# more\n"}) == set()
    of_text = {"notes_src/one/02_B", "one/02_B", "search-all.css", "llms-full.txt"}
    assert made_by({"notes_src/one/02_B/zh.md": "丙。\n"}) == of_text
    with closing(open_cache(root)) as cache:  # one that stays open, as that of `serve`
        update(write(root, {"notes_src/one/02_B/zh.md": "丁。\n"}), 1, cache=cache)
        assert made_by({"notes_src/site.yaml": f"{head}readme: true\n"}) == set()


def test_a_title_makes_again_only_the_pages_that_show_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the topics only those with the note, in a list, a reading path or a text; of the rest what looks otherwise."""
    topics = {
        "one": "title: One\n",
        "two": "title: Two\nreading_paths: [{id: a, title: W, steps: [one/1]}]\n",
        "six": "title: Six\nintro: 'See [[two/1]].'\n",
        "ten": "title: Ten\nintro: 'As [[one/1]] says.'\n",
    }
    site = "title: S\nlanguages: [en]\nbase_url: https://x.example/\ntopics: [one, two, six, ten]\n"
    files = {"notes_src/site.yaml": site, "notes_src/l.bib": BIB["l.bib"]}
    for topic, facts in topics.items():
        files[f"notes_src/{topic}/topic.yaml"] = facts
        files[f"notes_src/{topic}/01_A/note.yaml"] = "title: A\npapers: [k]\n" if topic == "one" else "title: B\n"
        files[f"notes_src/{topic}/01_A/en.md"] = "Text.\n"
    root, viewed, rendered = write(tmp_path, files), list[str](), list[str]()
    site_of(root)

    def topic_seen(topic: Topic, *rest: Any) -> TopicPage:
        viewed.append(topic.id)
        return topic_page(topic, *rest)

    def render(context: PageContext, template: str, page: object) -> str:
        rendered.append(template)
        return render_page(context, template, page)

    render_page = PageContext.render
    monkeypatch.setattr("paper_notes.render.site_pages.topic_page", topic_seen)
    monkeypatch.setattr(PageContext, "render", render)
    after = site_of(write(root, {"notes_src/one/01_A/note.yaml": "title: Another\npapers: [k]\n"}))
    assert viewed == ["one", "two", "ten"]
    assert all("Another" in after[f"{topic}/index.html"] for topic in viewed)
    assert "404.html" not in rendered, "its view is the same"
    assert {"topic.html", "home.html"} <= {*rendered}


def site_of(root: Path) -> dict[str, str]:
    """All files of the site of a collection, once it is built."""
    made = build(root)
    assert made.plan is not None, "\n".join(map(str, made.diagnostics))
    apply(root, made.plan)
    return {name: data.decode() for name, data in files_of(root / "site").items()}


def test_a_comment_in_the_glossary_changes_no_key() -> None:
    keys = []
    for line in ("", "# a comment\n"):
        files = note("one/01_A", "papers: [k]\n", zh="接受率。\n")
        rows = f"{line}- {{zh: 接受率, en: rate, definition: 某数}}\n"
        corpus = corpus_of(files, BIB, {"glossary.yaml": rows})
        bodies, _ = render_bodies(corpus.notes, corpus.terms)
        common = site_context(corpus, link_resolver(corpus, bodies.outlines), (), ThemeFiles({}, {}))
        keys.append((bodies.digests, pack(common), bodies.outlines[corpus.notes[0].id].terms))
    assert keys[0] == keys[1]
    assert keys[0][2] == ("term-rate",)


def test_the_card_of_a_note_says_it_or_the_summary() -> None:
    summary = "summary: {zh: 摘要, en: Summary}\n"
    files = note("one/01_A", summary, ":::tldr\n**一句话**：快两倍。慢的是别的。\n:::\n", "Text.\n")
    material, resolver = collection_of(files, note("one/02_B", summary))
    first, second = (resolver.about(material.corpus.note(NoteId(f"one/{name}"))) for name in ("01_A", "02_B"))
    assert first == Text.of(zh="快两倍。", en="Summary")
    assert second == Text.of(zh="摘要", en="Summary")
