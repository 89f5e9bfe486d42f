"""Pages of the user's own in `notes_src/pages/`: `about.zh.md` and `about.en.md` are one page in two languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang, Note, NoteId, NoteText, Site, Text
from paper_notes.corpus.notes import FRONT_MATTER, as_written
from paper_notes.corpus.references import NO_TOPIC
from paper_notes.corpus.schema import NoteFile, TextValue, YamlFile
from paper_notes.corpus.unread_files import for_others, unlisted_hint
from paper_notes.corpus.validate import validate
from paper_notes.diagnostics import NOWHERE, Diagnostic, Location
from paper_notes.languages.language import BUILT_IN, meant
from paper_notes.sources.filenames import unusable
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.sources.yaml import parse_yaml

PAGES = "pages"
"""The folder, unless the collection has a topic of this name."""
_FOLDER = PurePosixPath(SOURCE_FOLDER, PAGES)
_NAME = re.compile(r"[a-zA-Z][\w-]*")
_FORM = "write `---`, `title: ...` and `---` on the first three lines"


class PageFile(YamlFile):
    """The front matter of a page."""

    title: TextValue
    description: TextValue | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """A page in one language."""

    text: NoteText
    title: Text
    description: Text
    location: Location
    """Of the description, if there is one, else of the file."""


def read_pages(sources: Iterable[Source], site: Site, problems: list[Diagnostic]) -> tuple[Note, ...]:
    """The pages of these files, by name. They have no topic and no number; other files are their pictures."""
    files: dict[str, Source] = {}
    pages: dict[str, dict[Lang, Source]] = {}
    for source in sources:
        path = source.path.relative_to(_FOLDER)
        if path.suffix != ".md":
            files[str(path)] = source
        elif for_others(source):
            continue
        elif len(path.parts) > 1:
            hint = f"move it to {_FOLDER / path.name}"
            problems.append(Diagnostic(Location(source.path), "left-out-file", "this text is no page", hint, "warning"))
        elif named := _named(source, site, problems):
            name, lang = named
            if (first := pages.setdefault(name, {}).setdefault(lang, source)) is not source:
                message = f"{first.path.name} is this page in this language already"
                problems.append(
                    Diagnostic(Location(source.path), "left-out-file", message, "delete one of them", "warning")
                )
    return tuple(_page(name, pages[name], files, site, problems) for name in sorted(pages))


def _named(source: Source, site: Site, problems: list[Diagnostic]) -> tuple[str, Lang] | None:
    """Name and language of a page by the name of its file; what is wrong with it is reported."""
    where, (name, dot, tag) = Location(source.path), source.path.stem.partition(".")
    if not dot and len(site.languages) == 1:
        tag = site.languages[0]
    lang = next((lang for lang in site.languages if lang == tag), None)
    if lang is None:
        wanted = meant(tag, site.languages) if tag else None
        likely = [wanted] if wanted else list(site.languages)
        hint = f"rename it to {' or '.join(f'{name}.{lang}.md' for lang in likely)}"
        if tag in BUILT_IN:
            message = f'"{tag}" is not among the languages of site.yaml, so this text is left out'
            hint = hint if wanted else unlisted_hint(tag, site)
            problems.append(Diagnostic(where, "unlisted-language", message, hint, "warning"))
        else:
            message = "the name of the page does not say its language"
            problems.append(Diagnostic(where, "left-out-file", message, hint, "warning"))
        return None
    if not _NAME.fullmatch(name) or unusable(name):
        message = f'the name "{name}" cannot be the name of a page'
        hint = "use letters, digits, _ and -, with a letter first: it becomes an address"
        problems.append(Diagnostic(where, "bad-note-name", message, hint))
        return None
    return name, lang


def _page(
    name: str, texts: Mapping[Lang, Source], files: Mapping[str, Source], site: Site, problems: list[Diagnostic]
) -> Note:
    parts = [_part(name, lang, texts[lang], problems) for lang in site.languages if lang in texts]
    title = Text(tuple(pair for part in parts for pair in part.title.parts))
    description = Text(tuple(pair for part in parts for pair in part.description.parts))
    return Note(
        id=NoteId(name),
        topic=NO_TOPIC,
        number=0,
        name=name,
        title=title,
        papers=(),
        summary=description if description.parts else None,
        corrects=(),
        extra={},
        translated={},
        texts=tuple(part.text for part in parts),
        files=files,
        location=Location(parts[0].text.path),
        summary_location=parts[0].location if description.parts else NOWHERE,
        **as_written(NoteFile.model_validate({"title": name}, context={"languages": site.languages})),
    )


def _part(name: str, lang: Lang, source: Source, problems: list[Diagnostic]) -> _Part:
    """The text and its front matter. Without a title the page has its name, so that its text is checked, too."""
    content, where, no_text = source.text, Location(source.path), Text()
    match = FRONT_MATTER.match(content)
    start = match.end() if match else 0
    text = NoteText(lang, source.path, source, content.count("\n", 0, start) + 1, start)
    bare = _Part(text, Text.of({lang: name}), no_text, where)
    if not content[start:].strip():
        problems.append(Diagnostic(where, "note-without-text", "the page has no text", "write it, or delete the file"))
    if match is None:
        problems.append(Diagnostic(where, "missing-front-matter", "a page starts with its title", _FORM))
        return bare
    document = parse_yaml(source.path, match[1], 2)
    if isinstance(document, Diagnostic):
        problems.append(document)
        return bare
    file, mistakes = validate(PageFile, document, (lang,))
    problems += mistakes
    if file is None:
        return bare
    described = file.description.text() if file.description else no_text
    at = document.location(("description",)) if file.description else where
    return _Part(text, _only(file.title.plain(), lang), _only(described, lang), at)


def _only(text: Text, lang: Lang) -> Text:
    return Text.of({lang: text[lang]}) if text.parts else text
