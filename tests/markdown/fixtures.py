"""Fixture files: cases of title, input and expected output, each ended by a line that is a single dot.

The input is `zh.md`; lines such as `-- en.md --` or `-- a.svg --` begin further files of the note, and
`-- glossary.yaml --` is the collection's. The languages are Chinese and English, or those of the texts if they are
others: the first text's is the first. The output is the body: HTML of the text before the first heading, then each
section and the footnotes below lines of `===`, then all diagnostics. Slots are shown as ⟦kind target|text line:column⟧,
formulas as the text of their MathML. `UPDATE=1 pytest` rewrites the expected outputs.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import yaml
from building import NOTE, note, said

from paper_notes.corpus.model import GlossaryTerm, Lang, Text
from paper_notes.diagnostics import Location
from paper_notes.identifiers import slugs
from paper_notes.languages.language import Words
from paper_notes.markdown.body import Slot, fill
from paper_notes.markdown.render import render_body
from paper_notes.values import replace

HERE = Path(__file__).parent
UPDATE = bool(os.environ.get("UPDATE"))
_CASE = re.compile(r"(?P<title>[^\n]+)\n\.\n(?P<input>.*?)^\.\n(?P<expected>.*?)^\.\n\n*", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"^-- (\S+) --\n", re.MULTILINE)
_MATH = re.compile(r"<math[^>]*>(.*?)</math>", re.DOTALL)


@dataclass(frozen=True)
class Case:
    title: str
    input: str
    expected: str


def cases(name: str) -> list[Case]:
    """The cases of a file; with UPDATE=1 their outputs are made anew."""
    path = HERE / name
    text = path.read_text("utf-8")
    found = [Case(**match.groupdict()) for match in _CASE.finditer(text)]
    assert "".join(written(case) for case in found) == text, f"{name} does not have the form of a fixture file"
    if UPDATE:
        found = [replace(case, expected=body(case.input)) for case in found]
        path.write_text("".join(written(case) for case in found), "utf-8")
    return found


def written(case: Case) -> str:
    return f"{case.title}\n.\n{case.input}.\n{case.expected}.\n\n"


def body(text: str) -> str:
    """The body of a note, shown as text."""
    zh, *others = _FILE.split(text)
    files: dict[str, str | bytes] = dict(zip(others[::2], others[1::2], strict=True))
    texts = {Lang("zh"): zh} if zh.strip() else {}
    for name in [name for name in files if name.endswith(".md")]:
        texts[Lang(name.removesuffix(".md"))] = str(files.pop(name))
    glossary = terms(str(files.pop("glossary.yaml", "")))
    words = Words.of("zh", "en") if texts.keys() <= {"zh", "en"} else Words.of(*texts)
    made = render_body(note(texts, files), glossary, words)

    def shown(html: str, lang: Lang) -> str:
        html = fill(html, made.halves[lang].slots, slot)
        html = _MATH.sub(lambda match: f"<math>{re.sub('<[^>]*>', '', match[1])}</math>", html)
        return html if html.endswith("\n") or not html else f"{html}\n"

    parts = []
    label = {lang: f"{lang} " if len(texts) > 1 else "" for lang in texts}
    for lang, half in made.halves.items():
        parts += [f"=== {lang}\n" if half.lead and label[lang] else "", shown(half.lead, lang)]
    for section in made.sections:
        for lang, part in section.halves.items():
            heading = shown(part.heading, lang) or "\n"
            parts += [f"=== {label[lang]}h{section.level} #{section.id} {heading}", shown(part.html, lang)]
    for lang, half in made.halves.items():
        parts += [f"=== {label[lang]}footnotes\n" if half.footnotes else "", shown(half.footnotes, lang)]
    return "".join(parts) + said(made.diagnostics).replace(f"{NOTE}/", "")


def terms(glossary: str) -> tuple[GlossaryTerm, ...]:
    """The terms of a `glossary.yaml`, without definitions."""
    rows = yaml.safe_load(glossary) or []
    where = Location(PurePosixPath("notes_src/glossary.yaml"))
    others = [(tuple(row.pop("aliases", ())), tuple(row.pop("avoid", ()))) for row in rows]
    ids = slugs((row["en"] for row in rows), "term")
    return tuple(
        GlossaryTerm(slug, Text.of(row), *more, None, where) for slug, row, more in zip(ids, rows, others, strict=True)
    )


def slot(slot: Slot) -> str:
    text = f"|{slot.text}" if slot.text else ""
    text += "|bare" if slot.bare else ""
    return f"⟦{slot.kind} {slot.target}{text} {slot.location.line}:{slot.location.column}⟧"
