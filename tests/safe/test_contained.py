"""Nothing in a collection makes a build read outside of it, or write outside of `site/` and the marked regions."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest
from building import note, said, source
from running import paper_notes, write

from paper_notes.artifacts import Artifact
from paper_notes.checks import check
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus, Site
from paper_notes.languages.language import Words
from paper_notes.languages.text import Text
from paper_notes.markdown.render import render_body
from paper_notes.sources.filenames import alike, unusable

SECRET = "the secret of another folder"
COLLECTION = {
    "notes_src/site.yaml": "title: {zh: 站, en: Site}\ntopics: [one]\nreadme: true\n",
    "notes_src/one/topic.yaml": "title: {zh: 一, en: One}\n",
    "notes_src/one/01_A/note.yaml": "title: {zh: 甲, en: A}\n",
    "notes_src/one/01_A/zh.md": "![图](a.svg)\n",
    "notes_src/one/01_A/en.md": "![figure](a.svg)\n",
    "notes_src/one/01_A/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
    "README.md": "<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A collection beside a folder that it must not touch."""
    outside = dict.fromkeys(("zh.md", "note.yaml", "a.svg", "note.html", "a.css", "cache.sqlite"), SECRET)
    outside["README.md"] = f"{SECRET}\n<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n"
    write(tmp_path / "outside", outside)
    return write(tmp_path / "collection", COLLECTION)


def state(folder: Path) -> dict[str, bytes]:
    """All that is there, links not followed; paths of folders end with a slash."""
    found = {}
    for place, folders, names in os.walk(folder):
        found |= {f"{Path(place, name).relative_to(folder)}/": b"" for name in folders}
        found |= {str(Path(place, name).relative_to(folder)): Path(place, name).read_bytes() for name in names}
    return found


def link(root: Path, place: str, target: Path) -> None:
    """Put a link in the place of a file or folder of the collection."""
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        path.rename(root.parent / "replaced")
    path.symlink_to(target)


LINKS = {
    "notes_src": ("", "notes_src:1:1: error[outside-collection]: this link leads out of the collection"),
    "notes_src/one": ("", "notes_src/one:1:1: error[outside-collection]: this link leads out of the collection"),
    "notes_src/one/01_A": ("", "notes_src/one/01_A:1:1: error[outside-collection]"),
    "notes_src/one/01_A/zh.md": ("zh.md", "notes_src/one/01_A/zh.md:1:1: error[outside-collection]"),
    "notes_src/one/01_A/note.yaml": ("note.yaml", "notes_src/one/01_A/note.yaml:1:1: error[outside-collection]"),
    "notes_src/one/01_A/a.svg": ("a.svg", "notes_src/one/01_A/a.svg:1:1: error[outside-collection]"),
    "notes_src/library.bib": ("zh.md", "notes_src/library.bib:1:1: error[outside-collection]"),
    "notes_src/pdfs/2510.26475.pdf": ("zh.md", "notes_src/pdfs/2510.26475.pdf:1:1: error[outside-collection]"),
    "README.md": ("README.md", "README.md:1:1: error[outside-collection]"),
    "templates": ("", "templates:1:1: error[outside-collection]"),
    "templates/note.html": ("note.html", "templates/note.html:1:1: error[outside-collection]"),
    "templates/parts": ("", "templates/parts:1:1: error[outside-collection]"),
    "assets": ("", "assets:1:1: error[outside-collection]"),
    "assets/css": ("", "assets/css:1:1: error[outside-collection]"),
    "assets/css/a.css": ("a.css", "assets/css/a.css:1:1: error[outside-collection]"),
    "site": ("", "is behind a symbolic link that leads elsewhere; remove the link"),
    "site/one": ("", "is behind a symbolic link that leads elsewhere; remove the link"),
    "site/one/notes": ("", "is behind a symbolic link that leads elsewhere; remove the link"),
}
"""The place of a link, its target in the folder outside, and the diagnostic."""


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("place", LINKS)
def test_a_link_that_leads_out_is_told_of_and_nothing_is_written(place: str, root: Path) -> None:
    target, message = LINKS[place]
    outside = root.parent / "outside"
    if place == "notes_src":
        (root / "notes_src").rename(outside / "notes_src")
        target = "notes_src"
    if place.startswith("site/one"):
        assert paper_notes("build", "--root", root).exit_code == 0
        write(
            root, {"notes_src/one/01_A/zh.md": "![图](a.svg) 新\n", "notes_src/site.yaml": "title: 新\ntopics: [one]\n"}
        )
    link(root, place, outside / target)
    before, elsewhere = state(root), state(outside)
    result = paper_notes("build", "--root", root)
    assert result.exit_code == 1
    assert message in result.stderr
    assert SECRET not in result.output
    assert state(outside) == elsewhere
    assert state(root) == before


@pytest.mark.parametrize("place", ["notes_src/one/01_A/en.md", "notes_src/one/01_A/a.svg", "templates/note.html"])
def test_a_link_to_a_hidden_file_of_the_collection_publishes_nothing(place: str, root: Path) -> None:
    write(root, {".git/config": SECRET})
    link(root, place, root / ".git/config")
    result = paper_notes("build", "--root", root)
    assert result.exit_code == 1
    assert f"{place}:1:1: error[outside-collection]: this link leads to a hidden file or folder\n" in result.stderr
    assert SECRET not in result.output
    assert not (root / "site").exists()


@pytest.mark.parametrize("place", ["site/index.html", "site/.manifest", "site/one/notes/01_A.html"])
def test_a_file_of_the_site_that_is_a_link_is_replaced_not_followed(place: str, root: Path) -> None:
    outside = root.parent / "outside"
    link(root, place, outside / "zh.md")
    elsewhere = state(outside)
    assert paper_notes("build", "--root", root, "--adopt").exit_code == 0
    assert state(outside) == elsewhere
    assert not (root / place).is_symlink()


def test_pipes_and_devices_in_the_site_are_replaced_and_never_read(root: Path) -> None:
    link(root, "site/index.html", Path("/dev/zero"))
    link(root, "site/stats.html", Path("/dev/zero"))
    os.mkfifo(root / "site/.manifest")
    os.mkfifo(root / "site/papers.html")
    assert paper_notes("build", "--root", root).exit_code == 1
    assert paper_notes("build", "--adopt", "--root", root).exit_code == 0
    assert "site/index.html" in (root / "site/.manifest").read_text("utf-8").splitlines()


def test_only_the_marked_region_of_a_readme_is_written(root: Path) -> None:
    write(root, {"README.md": f"before\n\n{COLLECTION['README.md']}\nafter"})
    assert paper_notes("build", "--root", root).exit_code == 0
    text = (root / "README.md").read_text("utf-8")
    assert text.startswith("before\n\n<!-- paper-notes:begin -->\n")
    assert text.endswith("<!-- paper-notes:end -->\n\nafter")


READMES = [
    "../README.md",
    "docs/../../README.md",
    "/README.md",
    "C:README.md",
    "C:/README.md",
    "C:\\README.md",
    "\\\\host\\share\\README.md",
    "docs\\README.md",
    "site/README.md",
    "SITE/README.md",
    "./site/README.md",
    "notes_src/a.md",
    "Notes_Src/a.md",
    ".git/a.md",
    ".GIT/a.md",
    ".paper-notes/a.md",
    "NUL.md",
    "docs/aux/a.md",
    "docs./a.md",
    "a\u202eb.md",
    "README.html",
    "",
]


@pytest.mark.parametrize("name", READMES)
def test_a_readme_is_a_markdown_file_of_the_collection(name: str) -> None:
    text = f"title: a\ntopics: [one]\nreadme: ['{name}']\n"
    _, problems = load((source("notes_src/site.yaml", text), source("notes_src/one/topic.yaml", "title: a\n")))
    found = said(problems)
    assert "error[bad-value]: `readme.file` must be a Markdown file of the collection" in found or (
        "a\u202eb" in name and "error[control-character]" in found
    )


IMAGES = {
    "../../../outside/a.svg": "missing-image",
    "%2e%2e/%2e%2e/one/topic.yaml": "missing-image",
    "../01_A/a.svg": "missing-image",
    "/etc/passwd": "missing-image",
    "//host/a.png": "remote-image",
    "C:%5Ca.png": "remote-image",
    "C:a.png": "remote-image",
    "%5C%5Chost%5Ca.png": "missing-image",
    "..%5Ca.svg": "missing-image",
    "a.svg%00.png": "missing-image",
    "a.svg%0A": "missing-image",
    "https://example.org/a.png": "remote-image",
    "pdf:../../a.pdf#page-1": "",
    "zh.md": "missing-image",
    "A.SVG": "missing-image",
}


@pytest.mark.parametrize("name", IMAGES)
def test_a_figure_is_a_file_of_its_note(name: str) -> None:
    body = render_body(note({"en": f"![a]({name})"}, {"a.svg": "<svg/>"}))
    assert [problem.rule for problem in body.diagnostics] == [IMAGES[name]][: bool(IMAGES[name])]


@pytest.mark.parametrize("path", ["../../a.pdf", "/etc/passwd", "C:a", "..%2f"])
def test_a_part_of_a_pdf_is_named_by_its_paper(path: str, root: Path) -> None:
    write(root, {"notes_src/one/01_A/en.md": f"![a](pdf:{path}#page-1)\n"})
    result = paper_notes("build", "--root", root)
    assert "error[missing-pdf]: no entry in the .bib files is the paper" in result.stderr


TEMPLATES = {
    '{% include "../secret.html" %}': "../secret.html",
    '{% include "/etc/passwd" %}': "/etc/passwd",
    '{% extends "../../outside/note.html" %}': "../../outside/note.html",
    '{% include "..\\\\a" %}': "..\\a",
    '{{ "".__class__.__mro__ }}': "access to attribute '__class__' of 'str' object is unsafe.",
    "{% for a in range(10 ** 9) %}{% endfor %}": "Range too big. The sandbox blocks ranges larger than",
    '{% include "note.html" %}': "maximum recursion depth exceeded",
}


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("text", TEMPLATES)
def test_a_template_sees_templates_and_its_view_only(text: str, root: Path) -> None:
    write(root, {"templates/note.html": text})
    result = paper_notes("build", "--root", root)
    assert result.exit_code == 1
    assert f"templates/note.html:1:1: error[bad-template]: {TEMPLATES[text]}" in result.stderr


BAD_NAMES = {
    "CON": "is the name of a device on Windows",
    "con.d": "is the name of a device on Windows",
    "Aux": "is the name of a device on Windows",
    "lpt1": "is the name of a device on Windows",
    "COM¹": "is the name of a device on Windows",
    "a.": "begins or ends with a space, or ends with a dot",
    "a ": "begins or ends with a space, or ends with a dot",
    " a": "begins or ends with a space, or ends with a dot",
    "C:": "holds :",
    "a\\b": "holds \\",
    "a?b": "holds ?",
    "a%41": "holds %",
    "a#b": "holds #",
    "a<b": "holds <",
    "a|b": "holds |",
    "a\nb": "holds the invisible character U+000A",
    "a\tb": "holds the invisible character U+0009",
    "a\x1b[31m": "holds the invisible character U+001B",
    "a\u202eb": "holds the invisible character U+202E",
    "a\u200bb": "holds the invisible character U+200B",
    "a\u2028b": "holds the invisible character U+2028",
    "x" * 201: "is longer than 200 bytes",
    "中" * 67: "is longer than 200 bytes",
}


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_some_disk_refuses_is_told_of(name: str) -> None:
    assert unusable(name) == BAD_NAMES[name]


@pytest.mark.parametrize(
    "name", ["spec-rl", "专题", "a b", "console", "nulls", "👩\u200d🔬", "é", "a.b", "_x", "x" * 200]
)
def test_a_name_that_all_disks_take_is_fine(name: str) -> None:
    assert unusable(name) == ""


def load_said(files: dict[str, str]) -> str:
    return said(load(tuple(source(name, text) for name, text in sorted(files.items())))[1])


def test_a_topic_is_named_as_all_disks_take_it() -> None:
    files = {"notes_src/site.yaml": "title: a\ntopics: [CON]\n", "notes_src/CON/topic.yaml": "title: a\n"}
    assert load_said(files) == (
        'notes_src/site.yaml:2:10: error[bad-topic-name]: the topic "CON" cannot be a folder of the site: '
        "its name is the name of a device on Windows\n  hint: rename the folder\n"
    )


def test_a_topic_is_not_named_as_parts_of_the_pages_are() -> None:
    files = {"notes_src/site.yaml": "title: a\ntopics: [pn-q]\n", "notes_src/pn-q/topic.yaml": "title: a\n"}
    assert 'error[bad-topic-name]: the topic "pn-q" cannot be a folder of the site: its name begins' in load_said(files)


@pytest.mark.parametrize("name", ["..", "../outside", "/etc", ".", "one/..", "C:\\x"])
def test_a_topic_is_a_folder_of_the_sources(name: str) -> None:
    files = {"notes_src/site.yaml": f"title: a\ntopics: [one, '{name}']\n", "notes_src/one/topic.yaml": "title: a\n"}
    assert f'error[unknown-topic]: the topic "{name}" has no folder' in load_said(files)


@pytest.mark.parametrize("name", ["02_a.", "02_a ", "02_a:b", "02_a\\b", "02_..", "02_" + "x" * 200, "02_a%2f"])
def test_a_note_is_named_as_all_disks_take_it(name: str) -> None:
    files = {
        "notes_src/site.yaml": "title: a\ntopics: [one]\n",
        "notes_src/one/topic.yaml": "title: a\n",
        f"notes_src/one/{name}.md": "---\ntitle: a\n---\na\n",
    }
    assert f'error[bad-note-name]: the name "{name}" cannot be the name of a page' in load_said(files)


def site_said(*paths: str) -> str:
    corpus = Corpus(Site(Text.of(zh="a", en="a"), Words.of("zh", "en"), (), None, None, ()), (), (), {}, (), ())
    return said(problem for problem in check(corpus, [Artifact.text(path, "") for path in paths]))


RENAME = "  hint: rename the topic, the note or the BibTeX key that it comes from\n"


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (("site/A/a.bib", "site/a/a.bib"), 'site/a/a.bib:1:1: "site/a/a.bib" and "site/A/a.bib" are one file'),
        (("site/pdfs/K.pdf", "site/pdfs/k.pdf"), 'site/pdfs/k.pdf:1:1: "site/pdfs/k.pdf" and "site/pdfs/K.pdf" are'),
        (("site/é.txt", "site/e\u0301.txt"), 'site/é.txt:1:1: "site/é.txt" and "site/e\u0301.txt" are one file'),
        (("site/a", "site/a/b"), 'site/a/b:1:1: "site/a" would have to be a file and a folder'),
        (("site/pdfs/aux.pdf",), 'site/pdfs/aux.pdf:1:1: the name "aux.pdf" is the name of a device on Windows'),
    ],
)
def test_files_of_the_site_that_cannot_all_be_written_everywhere(paths: tuple[str, ...], message: str) -> None:
    where, _, what = message.partition(": ")
    found = site_said(*paths)
    assert found.startswith(f"{where}: error[unportable-path]: {what}")
    assert found.endswith(RENAME)
    assert found.count("error") == 1


def test_a_whole_topic_that_clashes_is_told_of_once_a_folder() -> None:
    assert site_said("site/A/1.txt", "site/A/2.txt", "site/a/1.txt", "site/a/2.txt").count("error") == 1


def test_files_that_all_disks_tell_apart_are_fine() -> None:
    assert site_said("site/a.txt", "site/b.txt", "site/a/b.txt", "README.md") == ""


def test_paths_are_alike_whatever_their_case_and_form() -> None:
    assert alike("É/STRASSE") == alike("e\u0301/straße")


def test_the_number_of_a_note_is_taken_whatever_the_case_of_its_name() -> None:
    files = {
        "notes_src/site.yaml": "title: a\ntopics: [one]\n",
        "notes_src/one/topic.yaml": "title: a\n",
        "notes_src/one/02_a.md": "---\ntitle: a\n---\na\n",
        "notes_src/one/02_A.md": "---\ntitle: a\n---\na\n",
    }
    assert 'error[duplicate-number]: the number 02 is already taken by "02_A"' in load_said(files)


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    "line",
    ["../outside/zh.md", "/etc/hostname", "site/../../outside/zh.md", "C:\\x", "notes_src/site.yaml", "README.md"],
)
def test_a_manifest_that_lies_deletes_nothing(line: str, root: Path) -> None:
    write(root, {"site/.manifest": f"{line}\nsite/a\rb\n\nsite/\n"})
    elsewhere = state(root.parent / "outside")
    assert paper_notes("build", "--root", root).exit_code == 0
    assert state(root.parent / "outside") == elsewhere
    assert (root / "notes_src/site.yaml").exists()
    assert PurePosixPath(line).name not in (root / "site/.manifest").read_text("utf-8").splitlines()
