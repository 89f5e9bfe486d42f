"""Pages taken in together, and what their notes show."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath

from building import note

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Diagnostic
from paper_notes.features.importing.html.format import FORMAT
from paper_notes.features.importing.html.formulas import folded
from paper_notes.features.importing.proof.compare import Known, prove
from paper_notes.features.importing.proof.originals import pieces_of
from paper_notes.features.importing.proof.visible import page_words
from paper_notes.features.importing.types import Folder, ImportedText, NotePlace, NotePlaces, Original, ReaderOptions
from paper_notes.languages.language import Words
from paper_notes.markdown.body import SLOT, fill, section_numbers
from paper_notes.markdown.render import render_body

NOTES = Path(__file__).parent / "notes"
BEFORE = '<html lang="zh"><body><h1>题</h1>'


def files_of(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def taken_in(files: Mapping[str, bytes | str], options: ReaderOptions | None = None) -> dict[str, ImportedText]:
    """The notes of a collection, by their paths in it."""
    content = {PurePosixPath(name): data.encode() if isinstance(data, str) else data for name, data in files.items()}
    folder = Folder(frozenset(content), content.get)
    originals = [Original(path, data.decode()) for path, data in content.items() if path.suffix in FORMAT.suffixes]
    outlines = [FORMAT.outline(FORMAT.parse(original, folder), folder) for original in originals]
    placed = [NotePlace(outline, f"{outline.topic or 'x'}/#{outline.number or 1}") for outline in outlines]
    by_name: dict[str, tuple[NotePlace, ...]] = {}
    by_number: dict[int, tuple[NotePlace, ...]] = {}
    for place in placed:
        for name in {place.outline.path.stem, place.outline.title, *place.outline.aliases}:
            by_name[name.casefold()] = (*by_name.get(name.casefold(), ()), place)
        if place.outline.number is not None:
            by_number[place.outline.number] = (*by_number.get(place.outline.number, ()), place)
    places = NotePlaces({place.outline.path: place for place in placed}, by_name, by_number)
    return {
        original.path.as_posix(): FORMAT.read(
            FORMAT.parse(original, folder), outline, places, folder, options or ReaderOptions()
        )
        for original, outline in zip(originals, outlines, strict=True)
    }


def page(html: str, **options: object) -> ImportedText:
    """One page by itself."""
    files = {"01_Page.html": f"{BEFORE}{html}</body></html>"}
    return taken_in(files, ReaderOptions(**options))["01_Page.html"]  # type: ignore[arg-type]


def rendered(foreign: ImportedText) -> tuple[str, tuple[Diagnostic, ...]]:
    """The text that readers of the note's page see, and what is wrong with the note."""
    lang = Lang(foreign.lang)
    words = Words.of("zh", "en") if lang in ("zh", "en") else Words.of(lang)
    body = render_body(note({lang: foreign.body}, foreign.files), (), words)
    half = body.halves[lang]
    parts = [half.lead]
    for section in body.sections:
        parts += [section.halves[lang].heading, section.halves[lang].html]
    html = "\n".join([escape(foreign.title), *parts, half.footnotes])
    html = SLOT.sub(lambda found: half.slots[int(found[1])].text, html)
    return text_of(html), body.diagnostics


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def text_of(html: str) -> str:
    parser = _Text()
    parser.feed(html)
    parser.close()
    return "".join(parser.found)


def lost_words(data: bytes | str, foreign: ImportedText) -> list[str]:
    """The words of an original that the page of its note does not have."""
    lang = Lang(foreign.lang)
    words = Words.of("zh", "en") if lang in ("zh", "en") else Words.of(lang)
    body = render_body(note({lang: foreign.body}, foreign.files), (), words)
    half, parts = body.halves[lang], list[str]()
    for section, number in zip(body.sections, section_numbers(body.sections), strict=True):
        own = section.halves[lang]
        parts.append(f"<h{section.level}>{number} {own.heading}</h{section.level}>{own.html}")
    html = fill("\n".join([half.lead, *parts, half.footnotes]), half.slots, lambda slot: slot.text or slot.target)
    page = page_words(f"<h1>{escape(foreign.title)}</h1></header>{html}</article>", ())
    facts = (*map(str, foreign.facts.values()), *foreign.arxiv, *foreign.dois)
    original = data.decode() if isinstance(data, bytes) else data
    proof = prove(pieces_of(".html", original), page, Known(facts), foreign.removed)
    return [word for difference in proof.lost for word in difference.words]


def letters(text: str) -> str:
    return "".join(letter for letter in folded(text) if letter.isalnum())
