"""The rules over corpus and artifacts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import PROJECT, built, write

from paper_notes.artifacts import Artifact
from paper_notes.checks import check
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus
from paper_notes.languages.text import Text
from paper_notes.render.page_addresses import loaded_file
from paper_notes.sources.tree import read_tree
from paper_notes.values import replace


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    loaded, _ = load(read_tree(Path(__file__).parent / "sites" / "bilingual")[0])
    assert loaded is not None
    return loaded


def found(corpus: Corpus, **pages: str) -> list[str]:
    """What is said about pages, named by `a` for `site/t/a.html`."""
    return [str(problem) for problem in check(corpus, [Artifact.text(f"site/t/{n}.html", p) for n, p in pages.items()])]


def test_no_page_of_ours_is_parsed_to_know_that_it_loads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parsing takes as long as rendering: our scripts and styles have nothing that looks like an address."""
    parsed = list[str]()
    monkeypatch.setattr("paper_notes.render.page_addresses._Reader.feed", lambda _, page: parsed.append(page[:300]))
    for path in sorted((PROJECT / "site").rglob("*.html")):
        loaded_file(path.read_bytes())
    assert parsed == []


GOOD_LINKS = """
<p id="top" data-id="x"><a href="#top">here</a> <a class="x" href="b.html">b</a> <a href="./b.html#there">b</a>
<a href="../t/b.html?lang=en#there">b</a> <a href="b.html#%E5%9B%BE">b</a> <a href="b.html#图">b</a>
<a href="b.html#a&amp;b">b</a>
<a href="https://example.org/#x">out</a> <a href="mailto:a@b.c">mail</a> <a href="//example.org/">out</a></p>
"""


def test_links_that_lead_somewhere(corpus: Corpus) -> None:
    assert found(corpus, a=GOOD_LINKS, b='<i id="there"></i><i id="图"></i><i id="a&amp;b"></i>') == []


@pytest.mark.parametrize("href", ["#nowhere", "c.html", "b.html#nowhere", "../b.html", "/t/b.html", "b"])
def test_links_that_lead_nowhere(corpus: Corpus, href: str) -> None:
    link = f'<a href="{href}">x</a>'
    expected = f'site/t/a.html:1:4: error[dead-link]: the link to "{href}" leads nowhere\n  hint: '
    (only,) = found(corpus, a=link + link, b="")
    assert only.startswith(expected)


LOADS = (
    '<img src="a.png">',
    "<img src='a.png'>",
    "<IMG alt='' SRC=a.png>",
    '<img/src="a.png">',
    '<img alt=""src="a.png">',
    '<img alt="1 > 0" src="a.png">',
    '<img src = "a.png">',
    '<img\nsrc\n=\n"a.png">',
    '<img src="&#97;.png">',
    '<img src=" a.png">',
    '<img src="a.png" src="data:,">',
    '<img srcset="a.png 2x">',
    '<img srcset="data:,x 1x, a.png 2x">',
    '<source srcset="a.png 2x">',
    '<link rel=preload imagesrcset="a.png 2x">',
    '<script src="a.png"></script>',
    '<svg><script href="a.png"></script></svg>',
    '<link rel="stylesheet" href="a.png">',
    '<link rel="canonical stylesheet" href="a.png">',
    "<LINK REL=stylesheet HREF=a.png>",
    '<link rel="&#115;tylesheet" href="a.png">',
    '<iframe src="a.png">',
    "<iframe srcdoc='&lt;img src=a.png>'></iframe>",
    '<embed src="a.png">',
    '<video poster="a.png">',
    '<input type=image src="a.png">',
    '<table background="a.png">',
    '<svg><image href="a.png"/></svg>',
    '<svg><image xlink:href="a.png"/></svg>',
    '<svg><use href="a.png"/></svg>',
    '<svg><feImage XLINK:HREF="a.png"/></svg>',
    '<object data="a.png">',
    "<style>@import 'a.png';</style>",
    "<STYLE>@IMPORT url(a.png);</STYLE>",
    "<style>p{background:url(a.png)}</style>",
    "<style>p{background:URL( 'a.png' )}</style>",
    "<style>p{background:\\75rl(a.png)}</style>",
    "<style>p{background:u\\72 l(a.png)}</style>",
    "<style>p{background:u\\rl('a.png')}</style>",
    '<style>p{background:image-set("a.png" 1x)}</style>',
    "<style>p{background:url(#/*)} p{background:url(a.png)} /**/</style>",
    '<style>p::before{content:"\\"";background:url(a.png)}</style>',
    '<style>@font-face{src:local("x"),url("a.png")}</style>',
    "<style>p{background:url(a.png)}",
    "<style>@import 'a.png'",
    '<p style="background:url(a.png)">',
    "<p style='background:url(&quot;a.png&quot;)'>",
    "<p style=background:url(a.png)>",
    '<p style="background:u&#114;l(a.png)">',
    '<p style="background:\\75rl(a.png)">',
    '<svg><rect mask="url(a.png)"/></svg>',
    '<svg><rect fill="ur&#x6c;(a.png)"/></svg>',
)
LOADS_NOTHING = (
    '<img src="data:image/png;base64,AA==">',
    "<img src='DATA:image/png;base64,AA=='>",
    '<img src="&#100;ata:image/png;base64,AA==">',
    '<img src="data:," src="a.png">',
    '<link rel="icon" href="data:,">',
    '<link rel="canonical" href="https://example.org/a.html">',
    '<link href="https://example.org/a.html" rel=canonical>',
    "<script>let a = 'src=\"x.png\"', b = '<img src=\"x.png\">'</script>",
    '<svg><use href="#a"/><path id="a" fill="url(#g)"/></svg>',
    "<style>p{fill:url(#g);src:url(data:font/woff2;base64,AA) format('woff2')}</style>",
    """<style>:root{--t:"style=\\"background:url(http://x)\\" @import 'y' <img src=z>"}</style>""",
    "<style>/* url(a.png) */ p::before{content:'url(a.png)'}</style>",
    '<meta name="description" content="style=&quot;background:url(http://x)&quot;">',
    '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;">',
    '<p data-src="a.png">img src="a.png"</p>',
    '<p title="&lt;img src=a.png> url(a.png) @import">url(a.png) @import "a.png"; background=a.png</p>',
    "<code>&lt;img src=&quot;a.png&quot;&gt; u&#114;l(a.png)</code>",
    "<!-- <img src=a.png> -->",
    "<title>url(a.png)</title>",
    "<input type=radio>",
)


@pytest.mark.parametrize("part", LOADS)
def test_pages_that_need_another_file(corpus: Corpus, part: str) -> None:
    expected = (
        'site/t/a.html:1:1: error[page-loads-file]: the page needs another file: "a.png"\n'
        "  hint: a page holds all that it shows: put it in as a data: address, or delete it"
    )
    for page in (part, f"<p title='x'>y</p>{part}"):
        assert [problem for problem in found(corpus, a=page) if "dead-link" not in problem] == [expected]


@pytest.mark.parametrize(
    "part",
    [
        '<meta http-equiv="refresh" content="0; url=https://a.example/">',
        "<META HTTP-EQUIV=Refresh CONTENT='0;URL=//a.example/'>",
        '<meta http-equiv="&#114;efresh" content="1, url=&quot;javascript:a&quot;">',
        "<meta content=https://a.example/ http-equiv=refresh>",
    ],
)
def test_pages_that_lead_out_of_the_site_by_themselves(corpus: Corpus, part: str) -> None:
    (only,) = found(corpus, a=part)
    assert "error[page-loads-file]" in only
    assert found(corpus, a='<meta http-equiv="refresh" content="0; url=b.html">', b="") == []


@pytest.mark.parametrize("part", LOADS_NOTHING)
def test_pages_that_need_nothing(corpus: Corpus, part: str) -> None:
    assert found(corpus, a=part) == []


def test_every_text_of_yaml_may_speak_of_files(tmp_path: Path) -> None:
    text = json.dumps("""style="background:url(http://x)" @import 'y' background=z""")
    site = f"title: {text}\ndescription: {text}\nlanguages: [en]\ntopics: [t]\nbase_url: https://example.org/\n"
    note = f"---\ntitle: {text}\nsummary: {text}\ntags: [{text}]\n---\nx\n"
    files = {"site.yaml": site, "t/topic.yaml": f"title: {text}\nintro: {text}\n", "t/01_N.md": note}
    assert built(write(tmp_path, {f"notes_src/{name}": words for name, words in files.items()}))


def test_only_files_of_the_site_are_looked_at(corpus: Corpus) -> None:
    assert check(corpus, [Artifact.text("README.html", '<img src="x"><a href="y">z</a>')]) == ()


def test_texts_without_one_of_the_languages(corpus: Corpus) -> None:
    topic, note = corpus.topics[0], corpus.notes[0]
    path = replace(topic.reading_paths[0], title=Text.of(zh="路"), guide=Text.of(zh="导"))
    poor = replace(
        corpus,
        topics=(replace(topic, title=Text.of(en="t"), intro=Text.of(en="i"), reading_paths=(path,)),),
        notes=(replace(note, title=Text.of(zh="题"), summary=Text.of(en="s")),),
    )
    told = [(str(problem.location), problem.message, problem.hint, problem.severity) for problem in check(poor, [])]
    topic_file, note_file = "notes_src/arches/topic.yaml", "notes_src/arches/01_Stone_arches/note.yaml"
    assert told == [
        (f"{topic_file}:1:1", "the topic's title has no zh text", "add `zh:` to it", "warning"),
        (f"{topic_file}:4:3", "the topic's intro has no zh text", "add `zh:` to it", "warning"),
        (f"{topic_file}:7:5", "the reading path's title has no en text", "add `en:` to it", "warning"),
        (f"{topic_file}:7:5", "the reading path's guide has no en text", "add `en:` to it", "warning"),
        (f"{note_file}:1:1", "the title has no en text", "add `en:` to it", "warning"),
        (f"{note_file}:3:10", "the summary has no zh text", "add `zh:` to it", "warning"),
    ]


def test_a_note_in_one_language_needs_its_title_in_that_one_only(corpus: Corpus) -> None:
    note = next(note for note in corpus.notes if len(note.texts) == 2)
    one = replace(note, title=Text.of(zh="题"), summary=None, texts=note.texts[:1])
    assert one.languages == ("zh",)
    assert check(replace(corpus, topics=(), notes=(one,)), []) == ()
