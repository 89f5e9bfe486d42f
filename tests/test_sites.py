"""Whole small sites: each folder in `sites/` is a collection with what must come out of it in `expected/`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from running import SITES, collection, expect, files_of, paper_notes, process, without_sizes, write

from paper_notes.citation.formats import FORMATS
from paper_notes.commands import terminal
from paper_notes.render.labels import size_of

BAD = ("broken-template", "every-mistake")
GOOD = tuple(sorted(path.name for path in SITES.iterdir() if path.name not in BAD))
_ROW = re.compile(r"^\| #(\d+) \| \[.*?\]\(([^)\s]+)\).*\| (\d+)\xa0(KB) \|$", re.MULTILINE)
_COUNT = re.compile(r"^#.*(?:（(\d+) ?[篇件]）|\((\d+) notes?\))$", re.MULTILINE)


def pinned(root: Path) -> dict[str, str]:
    """What is worth comparing to the letter: Markdown, bibliographies, and pages made with a template of its own."""
    found = {name: data.decode() for name, data in files_of(root / "site").items()}
    own = root / "templates" / "note.html"
    texts = {
        f"site/{name}": without_sizes(text)
        for name, text in found.items()
        if name.endswith((".md", *(f".{form.suffix}" for form in FORMATS))) or (own.exists() and "/notes/" in name)
    }
    kept = {name: data.decode() for name, data in files_of(root).items() if name.endswith(".md")}
    readmes = {name: without_sizes(text) for name, text in kept.items() if not name.startswith(("notes_src/", "site/"))}
    return texts | readmes


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize("scenario", GOOD)
def test_builds_what_is_expected_and_only_once(scenario: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "_CHANGES", 1_000)
    root = collection(scenario, tmp_path)
    sources = files_of(root / "notes_src")
    planned = paper_notes("build", "--check", "--root", root)
    assert planned.exit_code == 1
    assert not (root / "site").exists(), "--check writes nothing"

    built = paper_notes("build", "--root", root)
    assert built.exit_code == 0, built.stderr
    warnings = "".join(f"{line}\n" for line in planned.stderr.splitlines() if not line.startswith(("would", "paper-")))
    plan = "".join(f"{line}\n" for line in planned.stderr.splitlines() if line.startswith("would"))
    expect(scenario, {"diagnostics.txt": warnings, "plan.txt": plan, **pinned(root)})

    def times() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in root.rglob("*")}

    before = times()
    again = paper_notes("build", "--root", root)
    assert again.exit_code == 0
    assert "nothing to write" in again.stderr
    assert times() == before
    assert paper_notes("build", "--check", "--root", root).exit_code == 0
    left = files_of(root / "notes_src")
    assert {name: data for name, data in left.items() if not name.startswith("crops/")} == sources


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("scenario", GOOD)
def test_sizes_counts_and_links_of_the_tables_are_true(scenario: str, tmp_path: Path) -> None:
    root = collection(scenario, tmp_path)
    settings = root / "notes_src" / "site.yaml"
    settings.write_text(re.sub(r"base_url:.*\n", "", settings.read_text("utf-8")), "utf-8")
    assert paper_notes("build", "--root", root).exit_code == 0
    readmes = sorted(path for path in root.rglob("README*.md") if "notes_src" not in path.parts)
    assert readmes
    for readme in readmes:
        text = readme.read_text("utf-8")
        for _, href, *size in _ROW.findall(text):
            assert size_of((readme.parent / href).stat().st_size) == " ".join(size), (readme, href)
        for href in re.findall(r"\]\(([^)\s]+)\)", text):
            if "://" not in href and not href.startswith("#"):
                assert (readme.parent / href.partition("#")[0]).is_file(), (readme, href)
        counted = [int(zh or en) for zh, en in _COUNT.findall(text)]
        assert counted
        assert sum(counted) == len(_ROW.findall(text))


def test_every_mistake_is_shown_at_once_and_nothing_is_written(tmp_path: Path) -> None:
    root = collection("every-mistake", tmp_path)
    before = files_of(root)
    result = paper_notes("build", "--root", root)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert files_of(root) == before
    expect("every-mistake", {"diagnostics.txt": result.stderr})
    places = [line for line in result.stderr.splitlines() if re.match(r"\S+:\d+:\d+: ", line)]
    in_order = sorted(places, key=lambda line: (Path(line.split(":")[0]).parts, *map(int, line.split(":")[1:3])))
    assert places == in_order
    assert paper_notes("check", "--root", root).stderr.startswith(result.stderr.split("paper-notes:")[0])


def test_a_broken_template_is_a_diagnostic(tmp_path: Path) -> None:
    root = collection("broken-template", tmp_path)
    before = files_of(root)
    result = paper_notes("build", "--root", root)
    assert result.exit_code == 1
    assert files_of(root) == before
    expect("broken-template", {"diagnostics.txt": result.stderr})


def test_a_changed_page_is_found_and_mended(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    paper_notes("build", "--root", root)
    page = root / "site/tea/notes/01_Longjing.html"
    good = page.read_bytes()
    page.write_bytes(b"tampered")
    (root / "site/index.html").unlink()
    found = paper_notes("build", "--check", "--root", root)
    assert found.exit_code == 1
    assert "would create site/index.html\nwould update site/tea/notes/01_Longjing.html\n" in found.stderr
    assert page.read_bytes() == b"tampered"
    assert "1 created, 1 updated, 0 deleted" in paper_notes("build", "--root", root).stderr
    assert page.read_bytes() == good


def test_one_changed_title_rewrites_only_the_pages_that_show_it(tmp_path: Path) -> None:
    root = collection("bilingual", tmp_path)
    paper_notes("build", "--root", root)
    facts = root / "notes_src/arches/02_Brick_2020/note.yaml"
    facts.write_text(facts.read_text("utf-8").replace("Brick}", "Bricks}"), "utf-8")
    plan = paper_notes("build", "--check", "--root", root).stderr
    changed = re.findall(r"would update (\S+)", plan)
    assert "site/arches/notes/02_Brick_2020.html" in changed
    assert "site/arches/notes/01_Stone_arches.html" in changed
    assert "site/cables/README.md" not in changed
    assert "site/papers.bib" not in changed


def test_a_deleted_note_takes_its_page_with_it_and_nothing_else(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    write(root, {
        "notes_src/tea/02_Gone/note.yaml": "title: 要走的\n",
        "notes_src/tea/02_Gone/zh.md": "文。\n",
        "notes_src/milk/topic.yaml": "title: {zh: 奶, en: Milk}\n",
        "notes_src/milk/01_Gone/note.yaml": "title: 也要走\n",
        "notes_src/milk/01_Gone/zh.md": "文。\n",
    })  # fmt: skip
    settings = root / "notes_src/site.yaml"
    with_milk = settings.read_text("utf-8").replace("[tea]", "[tea, milk]")
    settings.write_text(with_milk, "utf-8")
    paper_notes("build", "--root", root)
    foreign = {
        "site/CNAME": "example.org\n",
        "site/tea/notes/mine.html": "<p>mine",
        "site/tea/notes/02_Gone.html.bak": "mine too",
        "site/pictures/a.txt": "a",
    }
    write(root, foreign)
    assert paper_notes("build", "--check", "--root", root).exit_code == 0

    shutil.rmtree(root / "notes_src/tea/02_Gone")
    shutil.rmtree(root / "notes_src/milk")
    settings.write_text(with_milk.replace("[tea, milk]", "[tea]"), "utf-8")
    result = paper_notes("build", "--root", root)
    assert result.exit_code == 0
    assert "5 deleted" in result.stderr  # two notes, and the page and two READMEs of the topic
    assert not (root / "site/tea/notes/02_Gone.html").exists()
    assert not (root / "site/milk").exists(), "empty folders go too"
    assert {name: (root / name).read_text("utf-8") for name in foreign} == foreign
    assert (root / "site/tea/notes/01_Longjing.html").exists()


@pytest.mark.nightly
def test_the_bytes_depend_on_nothing_but_the_sources(tmp_path: Path) -> None:
    first = collection("bilingual", tmp_path / "a")
    second = tmp_path / "elsewhere" / "二"
    for name, data in reversed(files_of(first).items()):  # another order of creation
        path = second / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    one = process("build", "-j", "1", "--root", first, cwd=tmp_path, TZ="UTC", LC_ALL="C", PYTHONHASHSEED="1")
    environment = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2", "PYTHONUTF8": "1"}
    other = process("build", cwd=second, **environment, COLUMNS="20", SOURCE_DATE_EPOCH="1")
    assert (one.returncode, other.returncode) == (0, 0), one.stderr + other.stderr
    assert files_of(first) == files_of(second)
    assert not [name for name, data in files_of(first / "site").items() if b"\r" in data]
    assert str(tmp_path).encode() not in b"".join(files_of(first / "site").values())


def test_crlf_sources_give_the_same_site(tmp_path: Path) -> None:
    first, second = collection("bilingual", tmp_path / "a"), collection("bilingual", tmp_path / "b")
    for path in (second / "notes_src").rglob("*"):
        if path.suffix in {".md", ".yaml", ".bib", ".svg"}:
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    for root in (first, second):
        assert paper_notes("build", "--root", root).exit_code == 0
    assert files_of(first / "site") == files_of(second / "site")


def test_a_readme_with_crlf_keeps_its_line_ends(tmp_path: Path) -> None:
    first, second = collection("readme-regions", tmp_path / "a"), collection("readme-regions", tmp_path / "b")
    readme = second / "README.md"
    readme.write_bytes(readme.read_bytes().replace(b"\n", b"\r\n"))
    for root in (first, second):
        assert paper_notes("build", "--root", root).exit_code == 0
    assert readme.read_bytes() == (first / "README.md").read_bytes().replace(b"\n", b"\r\n")
    assert paper_notes("build", "--check", "--root", second).exit_code == 0


def test_text_outside_of_the_markers_stays_byte_for_byte(tmp_path: Path) -> None:
    root = collection("readme-regions", tmp_path)
    region = re.compile(rb"(?m)(^<!-- ?paper-notes:begin lang=..\s?-->).*?(^<!-- ?paper-notes:end ?-->)", re.DOTALL)
    before = (root / "README.md").read_bytes()
    paper_notes("build", "--root", root)
    after = (root / "README.md").read_bytes()
    assert len(region.findall(before)) == 2
    assert region.sub(rb"\1\2", after) == region.sub(rb"\1\2", before)
    assert after != before


def test_a_readme_that_is_not_asked_for_is_left_alone(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    text = "<!-- paper-notes:begin -->\nmine\n<!-- paper-notes:end -->\n"
    write(root, {"README.md": text})
    assert paper_notes("build", "--root", root).exit_code == 0
    assert (root / "README.md").read_text("utf-8") == text


def test_links_of_pages_are_relative_even_with_a_base_url(tmp_path: Path) -> None:
    root = collection("bilingual", tmp_path)
    paper_notes("build", "--root", root)
    for page in (root / "site").rglob("*.html"):
        text = page.read_text("utf-8")
        links = re.findall(r"<a [^>]*>", text)
        assert page.name == "404.html" or not [link for link in links if "https://example.org/bridges" in link]
        for href in re.findall(r'<a\b[^>]*\bhref="([^"#:]+?)(?:#[^"]*)?"', text):
            assert (page.parent / href).is_file(), (page, href)
    readmes = "".join(path.read_text("utf-8") for path in (root / "site").rglob("README*.md"))
    tables = re.findall(r"\]\((?!https://(?:doi|arxiv|example)\.org)([^)]*)\)", readmes)
    assert set(tables) == {"README.md", "README.en.md"}, "only the other language's README is linked beside itself"


def test_what_notes_say_about_each_other_is_on_both_pages(tmp_path: Path) -> None:
    root = collection("bilingual", tmp_path)
    paper_notes("build", "--root", root)
    notes = root / "site"
    wind = (notes / "cables/notes/01_Wind.html").read_text("utf-8")
    stone = (notes / "arches/notes/01_Stone_arches.html").read_text("utf-8")
    for page, other in ((wind, "../../arches/notes/01_Stone_arches.html"), (stone, "../../cables/notes/01_Wind.html")):
        assert "They do" in page
        assert "缆不会共振" in page
        assert f'href="{other}"' in page
    assert 'href="../../arches/notes/01_Stone_arches.html#three-curves"' in wind
    assert 'href="#ref-okafor2023wind"' in stone
    assert 'id="ref-okafor2023wind"' in stone
    assert 'id="ref-lin2021unread"' not in stone
    assert 'id="fig-arch-zh"' in stone
    assert 'href="#fig-arch-en"' in stone
    assert stone.partition("<main")[2].count("<svg") == 2
