"""Kinds of notes: what a collection may say of them, and that their labels can be read."""

from __future__ import annotations

import math
import re
from pathlib import Path, PurePosixPath

from reading_html import in_search_file
from running import PROJECT, write

from paper_notes.build import build
from paper_notes.corpus.model import BUILT_IN_KINDS, NO_COLOUR, Kind
from paper_notes.corpus.read_files import kinds_from
from paper_notes.corpus.schema import COLOURS, SiteFile
from paper_notes.corpus.validate import validate
from paper_notes.languages.language import Words
from paper_notes.languages.text import Text
from paper_notes.render.view_factory import TEXT_AND_GROUND
from paper_notes.sources.yaml import YamlDocument, parse_yaml


def kinds(text: str, *languages: str) -> dict[str, Kind]:
    """The kinds that `site.yaml` means, all right."""
    words = Words.of(*languages)
    document = parse_yaml(PurePosixPath("site.yaml"), f"title: T\ntopics: [a]\nkinds:\n{text}")
    assert isinstance(document, YamlDocument)
    file, problems = validate(SiteFile, document, words.tags)
    assert file
    found = kinds_from(file.kinds, words, document, rest := [])
    assert (problems, rest) == ((), [])
    return {kind.id: kind for kind in found}


def test_a_collection_adds_kinds_and_changes_built_in_ones() -> None:
    found = kinds("  idea: {name: {ja: 着想, en: Idea}, colour: 007}\n  paper: {name: {en: Reading}}\n", "ja", "en")
    assert [*found] == [*BUILT_IN_KINDS, "idea"]
    assert found["idea"] == Kind(found["idea"].id, Text.of(ja="着想", en="Idea"), "7")
    assert (found["paper"].name["en"], found["paper"].colour) == ("Reading", "blue")
    assert found["paper"].name["ja"] == Words.of("ja")("kind.paper")["ja"]


def test_a_name_alone_is_enough_in_one_language() -> None:
    assert kinds("  idea: Idea\n  digest:\n", "en")["idea"] == Kind("idea", Text.of(en="Idea"), NO_COLOUR)


def test_the_style_sheet_has_the_colours_of_the_table() -> None:
    sheet = (PROJECT / "assets/css/10-base.css").read_text("utf-8")
    for kind, colour in BUILT_IN_KINDS.items():
        rule = re.search(rf"\.kind-{kind},[^{{]*{{--h:var\(--fig-(\w+)\)", sheet)
        assert (rule[1] if rule else NO_COLOUR) == colour
    assert all(f"--fig-{colour}-soft:" in sheet for colour in COLOURS if colour != NO_COLOUR)


def luminance(lightness: float, chroma: float, hue: float) -> float:
    """Relative luminance of a colour in OKLCH, clipped to sRGB (Björn Ottosson, CSS Color 4)."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    roots = (0.3963377774, 0.2158037573), (-0.1055613458, -0.0638541728), (-0.0894841775, -1.2914855480)
    long, medium, short = ((lightness + x * a + y * b) ** 3 for x, y in roots)
    red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short
    return sum(
        part * min(1, max(0, light)) for part, light in zip((0.2126, 0.7152, 0.0722), (red, green, blue), strict=True)
    )


def test_every_hue_can_be_read_on_light_and_dark_pages() -> None:
    shades = re.findall(r"oklch\(([\d.]+) ([\d.]+) \{hue\}\)", TEXT_AND_GROUND)
    light, dark, ground, dark_ground = [(float(lightness), float(chroma)) for lightness, chroma in shades]
    for hue in range(0, 360, 5):
        for text, below in ((light, ground), (dark, dark_ground)):
            darker, lighter = sorted((luminance(*text, hue), luminance(*below, hue)))
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5, hue


def test_pages_have_the_kinds_of_their_notes_and_no_others(tmp_path: Path) -> None:
    files = {
        "notes_src/site.yaml": (
            "title: T\nlanguages: [en]\ntopics: [a]\nkinds:\n  idea: {name: Spark, colour: 320}\n"
            "  talk: {name: Speech, colour: teal}\n  paper: {colour: grey}\n"
        ),
        "notes_src/a/topic.yaml": "title: A\n",
        "notes_src/a/01_One/note.yaml": "title: One\nkind: idea\n",
        "notes_src/a/01_One/en.md": "Words.\n",
        "notes_src/a/02_Two/note.yaml": "title: Two\n",
        "notes_src/a/02_Two/en.md": "Words.\n",
    }
    made = build(write(tmp_path, files))
    assert made.plan, made.diagnostics
    pages = {str(page.path): page.data.decode() for page in made.plan.create if page.path.suffix == ".html"}
    for path in ("site/index.html", "site/a/notes/01_One.html"):
        assert '<span class="kind kind-idea">Spark</span>' in pages[path]
        assert ".kind-idea{--h:light-dark(oklch(.45 .13 320)" in pages[path]
        assert ".kind-talk{" not in pages[path]
    (facts,) = (in_search_file(file.data.decode()) for file in made.plan.create if file.path.name == "search-notes.css")
    assert [kind[:2] for kind in facts["kinds"] if kind[0] in ("idea", "talk")] == [["idea", "Spark"]]
    assert ".kind-paper{--h:var(--fig-muted)" in pages["site/index.html"]
    assert ".kind-idea" not in pages["site/a/notes/02_Two.html"]
    assert "Spark" in pages["site/stats.html"]
