"""A collection with a look, pages and files of its own, in two languages and in one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from running import files_of, paper_notes, write

from paper_notes.build import update

SVG = '<svg viewBox="0 0 2 1"><path d="M0 0h2v1z"/></svg>'
SITE = """\
title: Notes
languages: [LANGUAGES]
topics: [tea]
base_url: https://example.org/notes/
accent: '#004191'
logo: mark.svg
favicon: mark.svg
fonts: {text: Inter}
navigation:
- about
- {title: Code, link: https://example.org/code}
- {title: CV, link: files/cv.pdf}
- tea
- tea/#1
- about#who
footer: See [[about]], [[tea/#1]], [@lu760tea] and [the licence](https://example.org/cc).
"""
PAGE = """\
---
title: About LANG
description: Who *writes*.
---
Text in LANG with $x^2$ [@lu760tea], [[tea/#1#method]].

## Who {#who}

![A mark](mark.svg)
"""
BIB = "@book{lu760tea, title={The Classic of Tea}, author={Lu, Yu}, year={1760}, url={https://example.org/tea}}\n"


def collection(root: Path, *languages: str) -> Path:
    files = {
        "notes_src/site.yaml": SITE.replace("LANGUAGES", ", ".join(languages)),
        "notes_src/library.bib": BIB,
        "notes_src/mark.svg": SVG,
        "notes_src/pages/mark.svg": SVG,
        "notes_src/tea/topic.yaml": "title: Tea\n",
        "notes_src/tea/01_Green/note.yaml": "title: Green\n",
        "static/CNAME": "notes.example.org\n",
        "static/files/cv.pdf": "%PDF-1.4",
        "static/robots.txt": "User-agent: *\n",
        "static/.secret": "no",
        "static/demo.html": '<script src="x.js"></script><a href="gone.html">gone</a>',
    }
    for lang in languages:
        files[f"notes_src/pages/about{f'.{lang}' * (len(languages) > 1)}.md"] = PAGE.replace("LANG", lang)
        files[f"notes_src/tea/01_Green/{lang}.md"] = "## Method {#method}\n\nSee [[about#who]].\n"
    return write(root, files)


def text_of(root: Path, name: str) -> str:
    return (root / "site" / name).read_text("utf-8")


@pytest.mark.parametrize("languages", [("ja", "en"), ("en",)], ids=" ".join)
def test_a_collection_has_its_own_look_pages_and_files(languages: tuple[str, ...], tmp_path: Path) -> None:
    root = collection(tmp_path, *languages)
    made = update(root)
    assert not [found for found in made.diagnostics if found.rule != "missing-translation"]
    about, note, home = (text_of(root, name) for name in ("about.html", "tea/notes/01_Green.html", "index.html"))
    for lang in languages:
        assert f"Text in {lang} with" in about
        assert f"<h1>About {lang}" in about or f'lang="{lang}">About {lang}</span>' in about
    for part in ('id="who"', "<math", 'id="ref-lu760tea"', 'href="tea/notes/01_Green.html#method"', "Who writes."):
        assert part in about
    assert 'class="kind' not in about
    assert "ld+json" not in about
    assert 'href="about.html" aria-current="page"' in about
    for page, up, current in ((about, "", "about.html"), (home, "", None), (note, "../../", "01_Green.html")):
        entries = page[page.index('class="own-nav"') : page.index("</nav>")]
        navigation = re.findall(r'href="([^"]+)"', entries)
        assert re.findall(r'href="([^"]+)" aria-current="page"', entries) == [current] * (current is not None)
        assert (navigation[0], navigation[-1]) == (f"{up}about.html", f"{up}about.html#who")
        footer = page[page.index('class="own-foot"') :]
        for address in (f"{up}about.html", "https://example.org/tea", "https://example.org/cc"):
            assert f'href="{address}"' in footer
        for part in ('rel="icon" href="data:image/svg+xml;base64,', '<span class="logo"><svg', '--sans:"Inter",'):
            assert part in page
        assert "--acc:light-dark(#004191,#" in page
    assert 'href="../../about.html#who"' in note
    assert "own-foot" not in text_of(root, "404.html"), "its links would lead elsewhere at other addresses"
    assert "<loc>https://example.org/notes/about.html</loc>" in text_of(root, "sitemap.xml")
    assert text_of(root, "robots.txt") == "User-agent: *\n"
    copied = {name for name in files_of(root / "static") if not name.startswith(".")}
    assert copied <= set(files_of(root / "site"))
    assert ".secret" not in files_of(root / "site")


def test_what_is_taken_away_goes_and_what_is_shown_elsewhere_follows(tmp_path: Path) -> None:
    root = collection(tmp_path, "en")
    update(root)
    assert "static/ has 4 files: the site gains " in paper_notes("check", "--root", root).stderr
    again = update(root)
    assert again.plan
    assert again.plan.empty
    (root / "static/CNAME").unlink()
    write(root, {"notes_src/pages/about.md": PAGE.replace("About LANG", "Who we are")})
    changed = update(root)
    assert changed.plan
    assert [str(path) for path in changed.plan.delete] == ["site/CNAME"]
    assert ">Who we are</a>" in text_of(root, "tea/notes/01_Green.html"), "navigation and footer name the page"
    (root / "notes_src/pages/about.md").unlink()
    stopped = update(root)
    assert stopped.plan is None, "links to the page lead nowhere now"
    assert {found.rule for found in stopped.diagnostics} == {"dangling-reference"}


def test_a_topic_may_be_called_pages(tmp_path: Path) -> None:
    root = collection(tmp_path, "en")
    write(
        root, {"notes_src/pages/01_Old.md": "---\ntitle: Old\n---\nText.\n", "notes_src/pages/topic.yaml": "title: P\n"}
    )
    (root / "notes_src/pages/about.md").unlink()
    (root / "notes_src/tea/01_Green/en.md").write_text("Text.")
    write(root, {"notes_src/site.yaml": "title: Notes\nlanguages: [en]\ntopics: [tea, pages]\n"})
    made = update(root)
    assert made.diagnostics == ()
    assert (root / "site/pages/notes/01_Old.html").exists()


def test_no_file_behind_a_link_is_published(tmp_path: Path) -> None:
    root = collection(tmp_path / "root", "en")
    write(tmp_path, {"secret.txt": "secret", "folder/secret.txt": "secret"})
    (root / "static/a.txt").symlink_to(tmp_path / "secret.txt")
    (root / "static/b").symlink_to(tmp_path / "folder")
    (root / "static/c").symlink_to(root / "static/CNAME")
    made = update(root)
    assert made.plan is None
    found = [(finding.rule, str(finding.location.path)) for finding in made.diagnostics]
    assert found == [("outside-collection", f"static/{name}") for name in ("a.txt", "b", "c")]
