"""Figures of pages keep their drawing and their caption, however the caption numbers them."""

from __future__ import annotations

import re

import pytest
from running import paper_notes, write

SITE = "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: [old]\n"
DRAWING = '<svg viewBox="0 0 40 20"><text x="2" y="12">hello</text></svg>'
FRAMES = {"class": '<div class="fig">{}</div>', "element": "<figure>{}</figure>"}
CAPTIONS = {
    "dot": "图 1 · pipeline",
    "colon": "图 1: pipeline",
    "wide": "图 1：流水线",
    "none": "图 1 pipeline",
    "strong": "<strong>图 1</strong> pipeline",
    "english": "Figure 1. A + B = C &amp; D",
    "short": "Fig. 1: A + B = C &amp; D",
    "dash": "Fig. 1 – pipeline",
    "other": "图 2 · pipeline",
    "signs": "a + b = c",
}
LEADS = {"zh": "这是一篇关于流水线的笔记。", "en": "This is a note about pipelines."}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The text of each note that the import wrote, by the name of its page."""
    folder = tmp_path_factory.mktemp("figures")
    write(folder / "mine", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    for lang, lead in LEADS.items():
        for frame, html in FRAMES.items():
            for name, caption in CAPTIONS.items():
                figure = html.format(f"{DRAWING}<figcaption>{caption}</figcaption>")
                text = f'<html lang="{lang}"><body><h1>{name}</h1><p>{lead}</p>{figure}</body></html>'
                write(folder / "theirs", {f"pages/{lang}-{frame}-{name}.html": text})
    markdown = '# M\n\n<figure><img src="p.svg" alt="x"><figcaption>Fig. 1: Some words</figcaption></figure>\n'
    write(folder / "theirs", {"pages/markdown.md": markdown, "pages/p.svg": DRAWING})
    done = paper_notes("import", folder / "theirs", "--offline", "--root", folder / "mine")
    assert done.exit_code == 0, done.output
    kept = re.search(r"kept ([\d,]+) of ([\d,]+) characters", done.stderr)
    assert kept
    assert kept[1] == kept[2]
    return {
        path.parent.name.partition("_")[2]: path.read_text("utf-8")
        for path in (folder / "mine/notes_src").glob("*/*/*.md")
    }


@pytest.mark.parametrize("caption", CAPTIONS)
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("lang", LEADS)
def test_a_figure_keeps_its_drawing_and_caption(lang: str, frame: str, caption: str, texts: dict[str, str]) -> None:
    text = texts[f"{lang}-{frame}-{caption}"]
    assert re.search(r":::figure\n!\[[^\]]+\]\(figure-1\.svg\)\n\n(?P<caption>.+)\n:::", text)
    assert "&#" not in text


def test_a_figure_in_markdown_keeps_a_short_label(texts: dict[str, str]) -> None:
    assert "Fig. 1: Some words\n:::" in texts["markdown"]
