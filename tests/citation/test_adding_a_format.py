"""A format of bibliographies is its module and one row of FORMATS: nothing else lists formats."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from running import PROJECT, UPDATE, built, collection, files_of, process

from paper_notes.citation.formats import FORMATS

IMPORT = "from paper_notes.citation import fields\n"
TABLE = "FORMATS = (\n"
MODULE = '''"""Papers by their keys."""


def toy(papers):
    return "".join(f"toy {paper.key}\\n" for paper in papers)
'''
ROW = '    Format("toy", "Toy", toy, Text.of(zh="玩具", en="toys")),\n'
GUIDE = PROJECT / "notes_src" / "guide" / "03_Papers_and_citations"


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A copy of the program to which a format is added."""
    package = tmp_path / "program" / "paper_notes"
    shutil.copytree(PROJECT / "paper_notes", package)  # with what Python has compiled
    for name in ("templates", "assets"):
        (package.parent / name).symlink_to(PROJECT / name)
    (package / "citation" / "toy.py").write_text(MODULE, "utf-8")
    table = package / "citation" / "formats.py"
    text = table.read_text("utf-8")
    assert IMPORT in text
    assert TABLE in text
    text = text.replace(IMPORT, f"{IMPORT}from paper_notes.citation.toy import toy\n").replace(TABLE, TABLE + ROW)
    table.write_text(text, "utf-8")
    return package.parent


@pytest.mark.nightly
def test_a_module_and_a_row_make_its_files_and_all_links_to_them(scratch: Path, tmp_path: Path) -> None:
    root = collection("bilingual", tmp_path)
    before = files_of(built(root))
    made = process("build", "--root", root, cwd=scratch, PYTHONPATH=str(scratch))
    assert made.returncode == 0, made.stderr
    after = files_of(root / "site")
    new = {name.removesuffix(".toy"): after.pop(name).decode() for name in sorted(after.keys() - before.keys())}
    assert new.keys() == {name.removesuffix(".ris") for name in before if name.endswith(".ris")}
    assert {"papers", "arches/papers", "arches/notes/01_Stone_arches"} <= new.keys()
    for name, text in new.items():
        assert re.findall("toy (.+)", text) == re.findall("ID  - (.+)", after[f"{name}.ris"].decode())

    linking = set()
    for name, data in after.items():
        if name.endswith(".html"):
            page, links = re.subn(r'<a href="[^"]+\.toy" download>Toy</a> ', "", data.decode())
            assert links == data.count(b'.ris" download>RIS</a>'), name
            assert page == before[name].decode(), name
            linking |= {name} if links else set()
    assert {"index.html", "papers.html", "arches/index.html", "arches/notes/01_Stone_arches.html"} <= linking


def test_no_other_place_names_a_format() -> None:
    """But for what reads them: sources are BibTeX, importers get CSL-JSON and RIS, commands take or name such files."""
    words = "|".join(re.escape(word) for form in FORMATS[1:] for word in (form.name, f".{form.suffix}"))
    files = (path for folder in ("paper_notes", "templates", "assets") for path in (PROJECT / folder).rglob("*.*"))
    texts = {path: path.read_text("utf-8") for path in files if path.suffix in (".py", ".html", ".js")}
    found = {
        path.parent.name for path, text in texts.items() if re.search(rf"(?<![a-z])({words})\b", text, re.IGNORECASE)
    }
    found -= {"commands", "corpus", "importing", "queries"}
    assert found == {"citation", "papers"}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_guide_says_what_each_format_is_for(lang: str) -> None:
    """`UPDATE=1` writes the rows of its table."""
    text = (GUIDE / f"{lang}.md").read_text("utf-8")
    rows = "".join(f"| `.{form.suffix}` | {form.readers[lang]} |\n" for form in FORMATS)
    wanted, tables = re.subn(r"(?:^\| `\.[a-z.]+` \|.*\n)+", lambda _: rows, text, flags=re.MULTILINE)
    assert tables == 1
    if UPDATE:
        (GUIDE / f"{lang}.md").write_text(wanted, "utf-8")
    assert (GUIDE / f"{lang}.md").read_text("utf-8") == wanted, "run this test with UPDATE=1"
    assert {"zh": "、", "en": ", "}[lang].join(form.name for form in FORMATS) in text
