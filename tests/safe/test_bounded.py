"""Nothing in a collection, however large or entangled, keeps a build busy for long or fills the memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from bombs import BIBS, COLLECTIONS, LONG, PDFS, SVG, SVGS, TEXTS, YAMLS, png
from building import note, said
from running import EXAMPLES, PROJECT, paper_notes, write

from paper_notes.diagnostics import Suggestions
from paper_notes.markdown import context
from paper_notes.markdown.figures.pixels import size
from paper_notes.markdown.math.convert import mathml
from paper_notes.markdown.render import render_body
from paper_notes.markdown.syntax import inline
from paper_notes.sources.tree import read_tree

BOMBS: Mapping[str, Mapping[str, tuple[object, str]]] = {
    "collection": COLLECTIONS,
    "text": TEXTS,
    "yaml": YAMLS,
    "bib": BIBS,
    "svg": SVGS,
    "pdf": PDFS,
}
UNWANTED = {"too-tangled", "too-deep", "file-too-large"}


@pytest.fixture(scope="module")
def chosen() -> Mapping[str, list[str]]:
    """The bombs that are tried: in the suite a quick one that breaks each rule, in `make nightly` all of them."""
    firsts = {
        kind: {wanted: name for name, (_, wanted) in reversed(bombs.items()) if name not in LONG}
        for kind, bombs in BOMBS.items()
    }
    return {kind: list(bombs if EXAMPLES else firsts[kind].values()) for kind, bombs in BOMBS.items()}


@pytest.fixture(scope="module")
def outcomes(chosen: Mapping[str, list[str]]) -> Mapping[tuple[str, str], list[str]]:
    """The diagnostics of bombs by their kinds and names. One that succeeds, and all after it, are missing."""
    command = [sys.executable, str(Path(__file__).with_name("bombs.py"))]
    env = {**os.environ, "PYTHONPATH": str(PROJECT)}
    given = json.dumps(chosen).encode()
    printed = subprocess.run(command, env=env, input=given, capture_output=True, check=False).stdout
    lines = (json.loads(line) for line in printed.decode().splitlines() if line.endswith("]"))
    return {(kind, name): found for kind, name, found in lines}


@pytest.mark.parametrize("kind", BOMBS)
def test_bombs_end_in_a_message_or_in_a_page(
    kind: str, chosen: Mapping[str, list[str]], outcomes: Mapping[tuple[str, str], list[str]]
) -> None:
    names = chosen[kind]
    went_off = [name for name in names if (kind, name) not in outcomes]
    assert went_off == []
    assert names
    for name in names:
        found, wanted = outcomes[kind, name], BOMBS[kind][name][1]
        told = any(wanted in rule for rule in found) if wanted else not UNWANTED & set(found)
        assert told, f"{name}: {found}"


def rules(text: str) -> list[str]:
    return [problem.rule for problem in render_body(note({"en": text})).diagnostics]


def test_brackets_of_a_real_text_are_far_from_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline, "MAX_LOOKAHEAD", 400)
    assert rules("[a](https://b.example) [[#1]] [@k] [b]{.term} a[0] [see @k, p. 3]\n\n" * 20) == []
    assert rules("[" * 40) == ["too-tangled"]


def test_the_message_about_tangled_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline, "MAX_LOOKAHEAD", 10)
    assert said(render_body(note({"en": "fine\n\n- " + "[" * 20 + "\n\nfine"})).diagnostics) == (
        "notes_src/topic/01_Note/en.md:3:3: error[too-tangled]: "
        "too many brackets within brackets: it would take too long to parse them\n"
        "  hint: close them, or write \\[ where a bracket is only a bracket\n"
    )


def test_the_message_about_html_that_stays_open() -> None:
    assert said(render_body(note({"en": "a <b>" * 41 + "\n\n<div>"})).diagnostics) == (
        "notes_src/topic/01_Note/en.md:1:203: error[too-deep]: more than 40 HTML elements are open here\n"
        "  hint: close them: </b>\n"
    )


@pytest.mark.parametrize("text", ["<b>x</b> " * 200, "<p>a" * 100, "<ul><li>a<li>b</ul>\n\n" * 60, "a<br>" * 100])
def test_html_that_is_closed_or_closes_itself_is_fine(text: str) -> None:
    assert rules(text) == []


def test_a_comment_that_is_never_closed_is_told_of() -> None:
    assert said(render_body(note({"en": "a\n\n<!-- b -->\n\n<!-- c\n\nlost"})).diagnostics) == (
        "notes_src/topic/01_Note/en.md:5:1: error[html-not-allowed]: "
        "this comment does not end: all that follows it would be left out\n"
        "  hint: end it with -->\n"
    )


@pytest.mark.parametrize(
    "tex",
    [
        r"\newcommand{\Ex}[1]{\mathbb{E}\left[#1\right]}\Ex{x} + \Ex{y}",
        r"\newcommand{\Ex}[1]{\mathbb{E}(#1)}\Ex{x} + \Ex{y} = f(x) + g(y)",
        r"\bigl( a \bigr) \Bigl[ b \Bigr] " * 30,
        r"\left[ a, b \right) " * 20,
        "[0, 1) " * 50,
        r"\begin{aligned} f(x &= (1) \\ &+ 2) \end{aligned}",
    ],
)
def test_brackets_of_real_formulas_are_fine(tex: str) -> None:
    assert mathml(tex, display=True).startswith("<math")


@pytest.mark.nightly
def test_hints_end_after_many_comparisons() -> None:
    suggestions = Suggestions()
    known = [f"word{number}" for number in range(10_000)]
    hints = [suggestions.did_you_mean("wort1", known) for _ in range(22)]
    assert hints[0] == 'did you mean "word1"?'
    assert hints.count("") == 22 - Suggestions.MAX_COMPARISONS // len(known)


@pytest.mark.nightly
def test_hints_for_long_words_end_sooner() -> None:
    suggestions = Suggestions()
    known = [f"{'ab' * 30}{number}" for number in range(100)]
    hints = [suggestions.did_you_mean(f"{'ab' * 30}x{number}", known) for number in range(100)]
    assert 0 < sum(map(bool, hints)) < 50
    assert Suggestions().closest("a" * 201, ["a" * 200]) == ""


@pytest.mark.parametrize("name", ["a.md", "a.yaml", "a.bib", "a.svg", "a.png", "a.pdf", "a"])
def test_files_of_100_mb_are_not_even_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} was read"))
    (tmp_path / "notes_src").mkdir()
    with (tmp_path / "notes_src" / name).open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    sources, problems = read_tree(tmp_path)
    assert sources == ()
    assert [problem.rule for problem in problems] == ["file-too-large"]


@pytest.mark.parametrize("name", ["templates/note.html", "assets/css/more.css"])
def test_huge_files_of_a_theme_are_not_even_read(name: str, tmp_path: Path) -> None:
    root = write(tmp_path, {**MINIMAL, name: ""})
    with (root / name).open("wb") as file:
        file.truncate(1 << 40)
    result = paper_notes("build", "--root", root)
    assert result.exit_code == 1
    assert f"{name}:1:1: error[file-too-large]: the file has 1,099,511,627,776 bytes" in result.stderr


MINIMAL = {
    "notes_src/site.yaml": "title: {zh: 站, en: Site}\ntopics: [one]\n",
    "notes_src/one/topic.yaml": "title: {zh: 一, en: One}\n",
    "notes_src/one/01_A/note.yaml": "title: {zh: 甲, en: A}\n",
    "notes_src/one/01_A/zh.md": "文\n",
    "notes_src/one/01_A/en.md": "text\n",
}


def test_many_topics_are_fine(tmp_path: Path) -> None:
    topics = [f"t{number}" for number in range(100 if EXAMPLES else 40)]
    files = {f"notes_src/{topic}/topic.yaml": "title: {zh: 一, en: One}\n" for topic in topics}
    files["notes_src/site.yaml"] = f"title: {{zh: 站, en: Site}}\ntopics: [one, {', '.join(topics)}]\n"
    assert paper_notes("check", "--root", write(tmp_path, {**MINIMAL, **files})).exit_code == 0


def picture(data: bytes) -> str:
    return said(render_body(note({"en": "![a](a.png)"}, {"a.png": data})).diagnostics)


def test_a_picture_that_unpacks_to_a_billion_pixels_is_refused() -> None:
    assert picture(png(60_000)) == (
        "notes_src/topic/01_Note/en.md:1:1: error[bad-image]: "
        '"a.png" unpacks to 60,000 x 60,000 pixels, more than browsers can show\n'
        "  hint: scale it down\n"
    )
    assert picture(png(600)) == ""


def test_a_picture_of_many_bytes_is_refused() -> None:
    assert '"a.png" has 10,000,008 bytes, more than the 10,000,000' in picture(b"\x89PNG\r\n\x1a\n" + b"x" * 10_000_000)


@pytest.mark.parametrize("kind", ["PNG", "GIF", "JPEG", "WEBP", "WEBP lossless", "WEBP RGBA", "AVIF"])
def test_the_size_of_a_picture_is_read_from_its_first_bytes(kind: str, tmp_path: Path) -> None:
    from PIL import Image

    Image.init()
    kind, _, form = kind.partition(" ")
    if kind not in Image.SAVE:
        assert kind == "AVIF", "which only newer ones write"
        return
    Image.new("RGBA" if form == "RGBA" else "RGB", (523, 1045)).save(tmp_path / "a", kind, lossless=form == "lossless")
    assert size((tmp_path / "a").read_bytes()) == (523, 1045)
    assert size((tmp_path / "a").read_bytes()[:14]) is None or kind == "GIF"


def test_a_figure_that_stands_there_a_thousand_times_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "MAX_KEPT", 64_000)
    figure = f"{SVG}<text>{'a' * 1_000}</text></svg>"
    problems = render_body(note({"en": "![a](a.svg)\n\n" * 100}, {"a.svg": figure})).diagnostics
    assert [problem.rule for problem in problems] == ["file-too-large"]
    assert "make its page larger than 64,000 characters" in problems[0].message


CHARTS = {
    '{"data": {"sequence": {"start": 0, "stop": 1e8}}, "mark": "point"}': '"stop" asks for more than 5,000',
    '{"data": {"sequence": {"stop": 1, "step": 1e-9}}, "mark": "point"}': '"stop" asks for more than 5,000',
    '{"transform": [{"impute": "b", "key": "a", "keyvals": {"stop": 1e9}}]}': '"stop" asks for more than 5,000',
    '{"width": 1e9, "mark": "point"}': '"width" asks for more than 5,000',
    '{"height": {"step": 1e9}, "mark": "point"}': '"height" asks for more than 5,000',
    '{"encoding": {"x": {"bin": {"maxbins": 1e9}}}}': '"maxbins" asks for more than 1,000',
    '{"transform": [{"calculate": "replace(datum.a, /(a+)+$/, 1)"}]}': "replace() is not allowed: it can take for ever",
    '{"transform": [{"filter": "test(/(a+)+$/, datum.a)"}]}': "test() is not allowed: it can take for ever",
    '{"data": {"values": [' + ", ".join(['{"a": 1}'] * 5_001) + "]}}": "the data has 5,001 rows, more than the 5,000",
    '{"transform": [{"filter": {"and": ["sequence(1e9) > 1"]}}]}': "sequence() is not allowed: it can take for ever",
    r'{"transform": [{"calculate": "\\u0073equence(1e9)"}]}': "sequence() is not allowed: it can take for ever",
    '{"transform": [{"calculate": "(sequence)(1e9)"}]}': "sequence() is not allowed: it can take for ever",
    '{"transform": [{"calculate": "utcSequence(1e9)"}]}': "utcSequence() is not allowed: it can take for ever",
    '{"encoding": {"x": {"axis": {"values": {"expr": "sequence(1e9)"}}}}}': "sequence() is not allowed",
    r'{"title": "a\u0001b"}': "U+0001 is not a character of a text",
    r'{"data": {"values": [{"a\uD800": 1}]}}': "U+D800 is not a character of a text",
    r'{"mark": {"type": "text", "font": "\"<"}}': '"font" is not the name of a font',
    '{"width": NaN}': "not JSON: NaN is not a number",
    '{"width": 1' + "0" * 5_000 + "}": "not JSON: Exceeds the limit",
    '{"a":' * 50_000 + "1" + "}" * 50_000: "nested too deep",
}


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart[:60])
def test_a_chart_that_could_end_the_program_is_refused(chart: str) -> None:
    pytest.importorskip("vl_convert")
    found = said(render_body(note({"en": f"```vega-lite a\n{chart}\n```\n"})).diagnostics)
    assert "error[bad-diagram]: vega-lite: " in found
    assert CHARTS[chart] in found
