"""A small collection that lives: everything in it is edited, again and again, the same for the same seed."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from making_pdfs import paper
from running import PROJECT, files_of, write

from paper_notes.engine.user_cache import CACHE_FILE, cache_folder

Edit = Callable[[random.Random, Path], str]
"""Changes a collection, and says what it changed; empty if there was nothing to change."""

BIB = """@article{%(key)s,
  title = {%(title)s},
  author = {%(author)s},
  year = {%(year)s},
%(more)s}
"""
KEYS = ("ada2019", "bo2020", "cy2021", "nothing2026", "dee2022")
README = "# Mine\n\n<!-- paper-notes:begin -->\nold\n<!-- paper-notes:end -->\n\nMy own words.\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 9"><text x="1" y="8">{}</text></svg>\n'
WORDS = "arch cable bridge stone curve load 拱 缆 桥 石 曲线 荷载".split()
TAGS = ("stone", "Stone 2", "curve", "石头")
OVERRIDES = (
    "templates/note.html", "templates/topic.html", "templates/home.html", "templates/macros.html",
    "templates/base.html", "templates/papers.html", "assets/css/10-base.css", "assets/css/20-inline.css",
    "assets/script.js",
)  # fmt: skip


def new_collection(root: Path, *, pdf: bool = True) -> Path:
    """Eight notes in two topics, with all that a collection can have; it gives back `root`."""
    write(root, {"README.md": README})
    dump(
        root / "notes_src/site.yaml",
        title={"zh": "桥", "en": "Bridges"},
        topics=["arches", "cables"],
        base_url="https://example.org/b",
        readme=True,
        tags={"stone": {"zh": "石"}},
    )
    terms = [{"zh": "拱", "en": "arch", "definition": {"zh": "弯的", "en": "Bent"}}, {"zh": "缆", "en": "cable"}]
    write(root, {"notes_src/glossary.yaml": json.dumps(terms, ensure_ascii=False)})
    write(root, {f"notes_src/papers/{key}.bib": entry(key) for key in KEYS})
    for topic, emoji in (("arches", "🌉"), ("cables", "")):
        path = {"id": "start", "title": {"zh": "入门", "en": "A start"}, "steps": [2, 1, 3]}
        paths = [path] if emoji else []
        folder = root / "notes_src" / topic
        dump(folder / "topic.yaml", title={"zh": topic, "en": topic.title()}, emoji=emoji, reading_paths=paths)
        for number in range(1, 5):
            new_note(random.Random(number), folder, number)
    if pdf:
        (root / "notes_src/papers/2601.00001.pdf").write_bytes(paper())
        text = root / "notes_src/arches/02_N2/en.md"
        text.write_text(text.read_text("utf-8") + "\n![A part](pdf:2601.00001#figure-1)\n", "utf-8")
    return root


def entry(key: str, title: str = "Bridges", year: int = 2019, author: str = "Lin, Ada and Okafor, Bo") -> str:
    more = "  eprint = {2601.00001},\n  archivePrefix = {arXiv},\n" if key == "nothing2026" else ""
    return BIB % {"key": key, "title": f"{title} of {key}", "author": author, "year": year, "more": more}


def new_note(dice: random.Random, folder: Path, number: int, name: str = "N") -> Path:
    note = folder / f"{number:02}_{name}{number}"
    title = {"zh": f"笔记 {number}：{words(dice, 2)}", "en": f"Note {number}: {words(dice, 2)}"}
    dump(note / "note.yaml", title=title, papers=[dice.choice(KEYS)], tags=[dice.choice(TAGS)], created="2026-01-02")
    texts = {
        f"{lang}.md": f"## First {{#first}}\n\n{words(dice, 9)} $x_{number}^2$ [@{dice.choice(KEYS)}].\n\n"
        f"## Second {{#second}}\n\n| a | b |\n|---|---|\n| {number} | 12345 |\n\n![{words(dice, 1)}](a.svg)\n"
        for lang in ("zh", "en")
    }
    write(note, {**texts, "a.svg": SVG.format(number)})
    return note


def words(dice: random.Random, count: int) -> str:
    return " ".join(dice.choices(WORDS, k=count))


def dump(path: Path, **facts: Any) -> None:
    """A YAML file; what is None is left out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    facts = {key: value for key, value in facts.items() if value is not None}
    path.write_text(json.dumps(facts, ensure_ascii=False, indent=1), "utf-8")


def sources_of(root: Path) -> dict[str, bytes]:
    """All that a build reads."""
    parts = ("notes_src", "templates", "assets")
    found = {f"{part}/{name}": data for part in parts for name, data in files_of(root / part).items()}
    return {**found, "README.md": (root / "README.md").read_bytes()}


def put_back(root: Path, sources: dict[str, bytes]) -> None:
    """Make the sources what they were, without touching those that are the same."""
    now = sources_of(root)
    for name in now.keys() - sources.keys():
        (root / name).unlink()
    for name, data in sources.items():
        if now.get(name) != data:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)


def _notes(root: Path) -> list[Path]:
    return sorted(path.parent for path in root.glob("notes_src/*/*/note.yaml"))


def _topics(root: Path) -> list[Path]:
    return sorted(path.parent for path in root.glob("notes_src/*/topic.yaml"))


def _note(dice: random.Random, root: Path) -> Path:
    return dice.choice(_notes(root))


def _text(dice: random.Random, root: Path) -> Path:
    return dice.choice(sorted(root.glob("notes_src/*/*/*.md")))


def _reference(dice: random.Random, root: Path) -> str:
    note = _note(dice, root)
    number = int(note.name.partition("_")[0])
    section = dice.choice(("", "", "#first", "#second"))
    return f"[[{note.parent.name}/#{number}{section}{dice.choice(('', '|so'))}]]"


def _bilingual(dice: random.Random, root: Path) -> dict[str, str]:
    """A short text of a YAML file, sometimes with a reference or a citation."""
    more = dice.choice(("", "", _reference(dice, root), f"[@{dice.choice(KEYS)}]", "**x** $y$"))
    return {"zh": f"{words(dice, 2)} {more}".strip(), "en": f"{words(dice, 3)} {more}".strip()}


def _plain(dice: random.Random) -> dict[str, str]:
    return {"zh": words(dice, 2), "en": words(dice, 3)}


def _change(path: Path, **facts: Any) -> str:
    """Set keys of a YAML file; None takes one away."""
    dump(path, **{**yaml.safe_load(path.read_text("utf-8")), **facts})
    return f"{path.parent.name}/{path.name}: {facts}"


def text_grows(dice: random.Random, root: Path) -> str:
    path = _text(dice, root)
    piece = dice.choice(
        (
            words(dice, 12),
            f"See {_reference(dice, root)}.",
            f"Cited [@{dice.choice(KEYS)}, p. {dice.randrange(9)}].",
            f"$$a_{dice.randrange(99)} = \\frac{{1}}{{2}}$$",
            f"## More {{#more{dice.randrange(99)}}}\n\n{words(dice, 5)}",
            f":::paper {dice.choice(KEYS)}\n:::",
            f":::tldr\n{words(dice, 6)} {_reference(dice, root)}\n:::",
            f"Note #{dice.randrange(1, 5)} said so.",
            f"A footnote[^{dice.randrange(999)}n].",
            "[outside](https://example.org/) `code`",
        )
    )
    path.write_text(f"{path.read_text('utf-8')}\n{piece}\n", "utf-8")
    return f"{path.parent.name}/{path.name} grows: {piece!r}"


def text_shrinks(dice: random.Random, root: Path) -> str:
    path = _text(dice, root)
    blocks = path.read_text("utf-8").split("\n\n")
    path.write_text("\n\n".join(blocks[:-1]) + "\n" if len(blocks) > 3 else "## First {#first}\n\nx\n", "utf-8")
    return f"{path.parent.name}/{path.name} shrinks"


def same_size_and_time(dice: random.Random, root: Path) -> str:
    """As tools do that keep times: only the inode's own time tells."""
    path = _text(dice, root)
    data, stat = path.read_bytes(), path.stat()
    path.write_bytes(data.replace(b"| 12345 |", b"| %d |" % dice.randrange(10_000, 100_000)))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return f"{path.parent.name}/{path.name}: same size, same time"


def title(dice: random.Random, root: Path) -> str:
    return _change(_note(dice, root) / "note.yaml", title=_plain(dice))


def summary(dice: random.Random, root: Path) -> str:
    return _change(_note(dice, root) / "note.yaml", summary=dice.choice((None, _bilingual(dice, root))))


def note_fact(dice: random.Random, root: Path) -> str:
    name, values = dice.choice(
        (
            ("tags", dice.sample(TAGS, dice.randrange(3))),
            ("papers", dice.sample(KEYS, dice.randrange(3))),
            ("rating", dice.choice((None, 1, 5))),
            ("status", dice.choice(("read", "todo", "reading", "revisit"))),
            ("kind", dice.choice(("paper", "tutorial", "comparison", "evolution"))),
            ("created", dice.choice((None, "2025-05-05", "2026-02-03"))),
            ("updated", dice.choice((None, "2026-05-05", "2026-02-04"))),
            ("own", dice.choice((True, False))),
            ("reviewed", dice.choice((True, False))),
            ("draft", dice.choice((True, False))),
            ("reading_source", dice.choice((None, "pdf"))),
            ("thumbnail", dice.choice((True, False))),
            ("publish_pdf", dice.choice((True, False))),
            ("extra", {"a": dice.randrange(9)}),
        )
    )
    return _change(_note(dice, root) / "note.yaml", **{name: values})


def correction(dice: random.Random, root: Path) -> str:
    note, other = _note(dice, root), _note(dice, root)
    item = {
        "note": f"{other.parent.name}/{int(other.name.partition('_')[0])}",
        "claim": _plain(dice),
        "correction": _plain(dice),
        "date": dice.choice(("2026-03-04", "2026-03-05")),
    }
    return _change(note / "note.yaml", corrects=dice.choice(([], [item])))


def another_note(dice: random.Random, root: Path) -> str:
    topic = dice.choice(_topics(root))
    numbers = [int(path.name.partition("_")[0]) for path in _notes(root) if path.parent == topic]
    if len(numbers) > 7:
        return ""
    note = new_note(dice, topic, max(numbers, default=0) + 1)
    return f"new: {note.name} in {topic.name}"


def no_note(dice: random.Random, root: Path) -> str:
    notes = _notes(root)
    note = dice.choice(notes)
    if sum(other.parent == note.parent for other in notes) < 3:
        return ""
    shutil.rmtree(note)
    return f"removed: {note.parent.name}/{note.name}"


def another_name(dice: random.Random, root: Path) -> str:
    note = _note(dice, root)
    number = note.name.partition("_")[0]
    renamed = note.rename(note.with_name(f"{number}_{dice.choice('RSTUVW')}{number}"))
    return f"{note.name} is now {renamed.name}"


def language(dice: random.Random, root: Path) -> str:
    path = _note(dice, root) / "en.md"
    if path.exists():
        path.unlink()
        return f"{path.parent.name} has no English any more"
    path.write_text(f"## First {{#first}}\n\n{words(dice, 5)}\n", "utf-8")
    return f"{path.parent.name} has English"


def figure(dice: random.Random, root: Path) -> str:
    path = _note(dice, root) / "a.svg"
    path.write_text(SVG.format(words(dice, 1)), "utf-8")
    return f"the figure of {path.parent.name}"


def paper_facts(dice: random.Random, root: Path) -> str:
    path = dice.choice(sorted(root.glob("notes_src/papers/*.bib")))
    author = dice.choice(("Lin, Ada", "Lin, Ada and Okafor, Bo", "陈静", "A and B and C and D"))
    text = entry(path.stem, words(dice, 3), dice.randrange(2000, 2026), author)
    path.write_text(text.replace("@article", dice.choice(("@article", "@misc"))), "utf-8")
    return f"{path.name}: {author}"


def paper_more(dice: random.Random, root: Path) -> str:
    path = dice.choice(sorted(root.glob("notes_src/papers/*.bib")))
    more = dice.choice(
        (
            "doi = {10.1000/x}",
            "url = {https://example.org/p}",
            "abstract = {We study $x$.}",
            "organization = {Tsinghua University}",
            "journal = {Bridges}",
        )
    )
    path.write_text(entry(path.stem).replace("  author", f"  {more},\n  author"), "utf-8")
    return f"{path.name}: {more}"


def another_paper(dice: random.Random, root: Path) -> str:
    path = root / f"notes_src/papers/more{dice.randrange(3)}.bib"
    if path.exists():
        path.unlink()
        return f"removed: {path.name}"
    path.write_text(entry(path.stem, words(dice, 2), author=f"More, {dice.choice('ABC')}"), "utf-8")
    return f"new: {path.name}"


def pdf(dice: random.Random, root: Path) -> str:
    path = root / "notes_src/papers/2601.00001.pdf"
    if path.exists() and dice.random() < 0.3:
        path.unlink()
        return "the PDF is gone"
    path.write_bytes(paper(version=dice.choice((1, 2))))
    return "another PDF"


def part(dice: random.Random, root: Path) -> str:
    """Another part of the PDF in a text that shows one."""
    for path in sorted(root.glob("notes_src/*/*/en.md")):
        if "(pdf:" in (text := path.read_text("utf-8")):
            target = dice.choice(("figure-1", "figure-2", "table-1", "page-3", "figure-9"))
            path.write_text(re.sub(r"\(pdf:[^)]*\)", f"(pdf:2601.00001#{target})", text), "utf-8")
            return f"{path.parent.name}/{path.name} shows {target}"
    return ""


def kept(dice: random.Random, root: Path) -> str:
    """Somebody's hand in the folder of kept pictures."""
    pictures = sorted(root.glob("notes_src/crops/*/*.webp"))
    if not pictures:
        return ""
    path = dice.choice(pictures)
    if dice.random() < 0.5:
        path.unlink()
        return f"{path.name} is removed"
    path.write_bytes(path.read_bytes()[: -dice.randrange(1, 99)])
    return f"{path.name} is cut off"


def comment(dice: random.Random, root: Path) -> str:
    """A line on top moves everything below, and changes no page."""
    path = dice.choice(sorted((root / "notes_src").rglob("*.yaml")))
    path.write_text(f"# {words(dice, 3)}\n{path.read_text('utf-8')}", "utf-8")
    return f"a comment in {path.name}"


def extra(dice: random.Random, root: Path) -> str:
    """The user's own keys, which no page shows."""
    path = dice.choice(sorted((root / "notes_src").rglob("note.yaml")))
    facts = yaml.safe_load(path.read_text("utf-8"))
    facts["extra"] = {"mine": words(dice, 2)}
    dump(path, **facts)
    return f"extra of {path.parent.name}"


def glossary(dice: random.Random, root: Path) -> str:
    path = root / "notes_src/glossary.yaml"
    terms = yaml.safe_load(path.read_text("utf-8"))
    pairs = (("桥", "bridge"), ("石", "stone"), ("曲线", "curve"), ("荷载", "load"))
    change = dice.randrange(5)
    if change == 0 and len(terms) > 1:
        terms.pop(dice.randrange(len(terms)))
    elif change == 1 and (new := [pair for pair in pairs if pair[0] not in {term["zh"] for term in terms}]):
        zh, en = dice.choice(new)
        terms.insert(dice.randrange(len(terms) + 1), {"zh": zh, "en": en})
    elif change == 2:
        dice.choice(terms)["definition"] = _bilingual(dice, root)
    elif change == 3:
        dice.choice(terms)["aliases"] = [f"also {dice.choice('abc')}"]
    else:
        dice.shuffle(terms)
    path.write_text(json.dumps(terms, ensure_ascii=False), "utf-8")
    return f"glossary: {terms}"


def site(dice: random.Random, root: Path) -> str:
    topics = ["arches", "cables"]
    dice.shuffle(topics)
    name, value = dice.choice(
        (
            ("title", _plain(dice)),
            ("description", dice.choice((None, _plain(dice)))),
            ("author", dice.choice((None, _plain(dice)))),
            ("topics", topics),
            ("base_url", dice.choice((None, "https://example.org/b", "https://example.com"))),
            ("tags", {dice.choice(TAGS): {"zh": words(dice, 1), "en": words(dice, 1)}}),
            ("tags", {"stone": {"aliases": [dice.choice(("rock", "Stone 2"))]}}),
            ("readme", dice.choice((True, False, [{"file": "README.md", "lang": "en"}]))),
            ("languages", dice.choice((["zh", "en"], ["en", "zh"], ["zh"]))),
        )
    )
    return _change(root / "notes_src/site.yaml", **{name: value})


def topic(dice: random.Random, root: Path) -> str:
    path = dice.choice(_topics(root)) / "topic.yaml"
    name, value = dice.choice(
        (
            ("title", _plain(dice)),
            ("emoji", dice.choice(("", "🌉", "🪢"))),
            ("intro", dice.choice((None, _bilingual(dice, root)))),
        )
    )
    return _change(path, **{name: value})


def reading_path(dice: random.Random, root: Path) -> str:
    path = dice.choice(_topics(root)) / "topic.yaml"
    notes = [f"{note.parent.name}/{int(note.name.partition('_')[0])}" for note in _notes(root)]
    guide = dice.choice((None, _bilingual(dice, root)))
    paths = [
        {"id": f"p{number}", "title": _plain(dice), "steps": dice.sample(notes, dice.randrange(1, 5))}
        | ({"guide": guide} if guide else {})
        for number in range(dice.randrange(3))
    ]
    return _change(path, reading_paths=paths)


def theme(dice: random.Random, root: Path) -> str:
    name = dice.choice(OVERRIDES)
    path = root / name
    if path.exists() and dice.random() < 0.5:
        path.unlink()
        return f"no {name} any more"
    mark = f"mark-{dice.randrange(99)}"
    text = (PROJECT / name).read_text("utf-8")
    if name.endswith(".html"):
        text = text.replace('class="', f'class="{mark} ', 1)
    elif name.endswith(".css"):
        text += f"\n.{mark} {{ color: red }}\n"
    else:
        text += f"\nwindow.mark = {mark[5:]};\n"
    write(root, {name: text})
    return f"{name}: {mark}"


def page_gone(dice: random.Random, root: Path) -> str:
    pages = [path for path in sorted((root / "site").rglob("*")) if path.is_file() and path.name != ".manifest"]
    if not pages:
        return ""
    path = dice.choice(pages)
    path.unlink()
    return f"somebody removed {path.relative_to(root)}"


def page_edited(dice: random.Random, root: Path) -> str:
    pages = [path for path in sorted((root / "site").rglob("*")) if path.is_file() and path.name != ".manifest"]
    if not pages:
        return ""
    path = dice.choice(pages)
    stat, data = path.stat(), path.read_bytes()
    path.write_bytes(data[:-1] + b"!" if data else b"")
    if dice.random() < 0.5:
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return f"somebody edited {path.relative_to(root)}"


def site_gone(dice: random.Random, root: Path) -> str:
    shutil.rmtree(root / "site", ignore_errors=True)
    return "somebody removed site/"


def cache_gone(dice: random.Random, root: Path) -> str:
    shutil.rmtree(cache_folder(root), ignore_errors=True)
    return "somebody removed the cache"


def cache_damaged(dice: random.Random, root: Path) -> str:
    path = cache_folder(root) / CACHE_FILE
    if not path.exists():
        return ""
    data = bytearray(path.read_bytes())
    count = dice.choice((1, 20, 400))
    for _ in range(count):
        data[dice.randrange(len(data))] = dice.randrange(256)
    path.write_bytes(data)
    return f"{count} bytes of the cache are damaged"


def readme(dice: random.Random, root: Path) -> str:
    path = root / "README.md"
    text = path.read_text("utf-8")
    path.write_text(dice.choice((f"{text}\n{words(dice, 3)}\n", text.replace("|", "/", 3), README)), "utf-8")
    return "README.md"


def touched(dice: random.Random, root: Path) -> str:
    path = dice.choice(sorted(path for path in (root / "notes_src").rglob("*") if path.is_file()))
    path.touch()
    return f"{path.name} is touched"


def nothing(dice: random.Random, root: Path) -> str:
    return "nothing"


def mistake(dice: random.Random, root: Path) -> str:
    """What a build refuses, or warns of."""
    path = _text(dice, root)
    piece = dice.choice(
        ("[[#99]]", "[@nobody]", "$\\frac{$", ":::unknown\n:::", "![x](none.svg)", "[[#1#nowhere]]", "arches 拱桥 arch")
    )
    path.write_text(f"{path.read_text('utf-8')}\n{piece}\n", "utf-8")
    return f"mistake in {path.parent.name}/{path.name}: {piece!r}"


ORDINARY: tuple[Edit, ...] = (
    text_grows, text_shrinks, another_note, no_note, title, summary, theme, note_fact, paper_facts, figure,
)  # fmt: skip
"""What people do all day."""
EDITS: tuple[Edit, ...] = (
    *ORDINARY, *ORDINARY, same_size_and_time, correction, correction, another_name, language, paper_more, another_paper,
    pdf, part, part, kept, glossary, glossary, comment, extra, site, site, topic, reading_path, reading_path, page_gone,
    page_edited, site_gone, cache_gone, cache_damaged, readme, touched, nothing, mistake, mistake,
)  # fmt: skip
"""All that can happen to a collection."""
