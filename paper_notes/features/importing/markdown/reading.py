"""Reads Markdown notes of other tools: the row of the table of formats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

from paper_notes.corpus.tags import folded
from paper_notes.diagnostics import Location
from paper_notes.document import nodes
from paper_notes.features.importing.markdown import blocks, directives, inline, shortcodes
from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.dialects import Tool, dialect, has
from paper_notes.features.importing.markdown.front import Front
from paper_notes.features.importing.markdown.grammar import grammar
from paper_notes.features.importing.markdown.headings import block_names, labels, plain, section_ids
from paper_notes.features.importing.markdown.rewriting import Handlers, Rewriting, rewritten
from paper_notes.features.importing.markdown.source import ForeignText, parse
from paper_notes.features.importing.path_language import (
    guessed,
    has_twin,
    is_language,
    language_of_path,
    path_without_language,
    tag_of,
    without_language,
)
from paper_notes.features.importing.placement import safe_name
from paper_notes.features.importing.proof.compare import Removed
from paper_notes.features.importing.types import (
    Folder,
    ImportedText,
    ImportFinding,
    NoteFormat,
    NoteHeader,
    NotePlaces,
    Original,
    ReaderOptions,
)
from paper_notes.identifiers import folded_title
from paper_notes.patterns import regex

_NO_FOLDERS = frozenset("node_modules _site _includes _layouts site-packages javascripts stylesheets".split())
_NO_NOTES = frozenset(
    "license.md changelog.md contributing.md code_of_conduct.md security.md summary.md _sidebar.md _navbar.md"
    " _coverpage.md".split()
)
_HANDLERS = Handlers(
    blocks.BLOCKS,
    {**inline.INLINES, nodes.Citation: directives.citation},
    {
        **inline.SIGNS,
        **directives.SIGNS,
        "component": shortcodes.component,
        "shortcode": shortcodes.within,
        "liquid": shortcodes.liquid,
    },
)
_NUMBERED = regex(r"(?P<number>\d{1,4})(?:[_.\-\s、]+(?!\d)|[_\s]+)(?P<rest>.+)", re.DOTALL)
_DAY_OR_PART = regex(r"\d{1,4}/\d")
_DATED = regex(r"(?P<day>\d{4}(?:-\d{2}-|_\d{2}_)\d{2})(?:[-_ ]+(?P<rest>.+))?")
_INDEX = frozenset({"index", "_index", "readme"})


def recognises(original: Original) -> bool:
    """Whether a file is a note: others with these suffixes are of the repository or of a tool."""
    name = original.path.name.lower()
    folders = original.path.parts[:-1]
    return name not in _NO_NOTES and not any(part.startswith(".") or part in _NO_FOLDERS for part in folders)


def outline(source: ForeignText, folder: Folder) -> NoteHeader:
    """What is known of a note before all notes are read."""
    original, facts, spoken = source.original, source.front, dialect(folder)
    lang = tag_of(facts.lang) or language_of_path(original.path)
    match = source.structure
    folders, stem = _parts(original.path, spoken)
    folders = folders or ([stem] if spoken.stems and has(folder, f"{original.path.with_suffix('')}/") else [])
    is_day = bool(_DATED.fullmatch(stem))
    is_count = bool(_DAY_OR_PART.match(match.title))  # of `3/7 group meeting`, a slash is none in a file's name
    numbered = None if is_day or is_count else _NUMBERED.fullmatch(stem)
    rest = numbered["rest"] if numbered else stem.replace("_", "-") if is_day else stem
    title = _title(facts, plain(match.title)) or unquote(rest).replace("___", "/").replace("_", " ").strip()
    number = (
        int(numbered["number"])
        if numbered
        else spoken.order.get(original.path, int(facts.number) if facts.number else None)
    )
    spoken_in = lang or guessed(facts.text)
    sections = section_ids(match, spoken_in)
    names = [plain(match.title) if match.subtitle < 0 else "", facts.title, original.path.stem, *facts.aliases]
    aliases = dict.fromkeys([*names, *_addresses(original.path, spoken)])
    if slug := str(facts.extra.get("slug", "")):
        root = spoken.notes[0] if slug.startswith("/") else original.path.parent
        aliases |= dict.fromkeys(_addresses(PurePosixPath(root, slug.strip("/"), "index"), spoken))
    in_languages = language_of_path(original.path) or has_twin(original.path, folder.files)
    blocks = block_names(source.document, source.text, {section for _, section in sections}, short=spoken.short_names)
    return NoteHeader(
        original.path,
        " ".join(title.split()) or rest,
        topic=safe_name((facts.topic and not folders and facts.topic) or (folders[0] if folders else "")),
        name=safe_name(rest) or "note",
        number=number,
        lang=lang,
        same=path_without_language(original.path).as_posix() if in_languages else "",
        aliases=tuple(alias for alias in aliases if alias),
        sections=sections,
        topic_title=title if folders == [stem] else _topic_title(original.path, title, spoken),
        blocks=blocks,
        labels=labels(source.document, source.text, match, dict(sections), dict(blocks), spoken_in),
    )


def read(
    source: ForeignText, known: NoteHeader, places: NotePlaces, folder: Folder, options: ReaderOptions
) -> ImportedText:
    """A note as it is read. Never raises for what is in the original."""
    original, facts, mdx, spoken = source.original, source.front, source.mdx, dialect(folder)
    lang = known.lang or guessed(facts.text)
    structure = source.structure
    conversion = Conversion(original, known, places, folder, structure, mdx=mdx)
    rewriting = Rewriting(conversion, source.text, facts.first_line, grammar(spoken.signs, mdx=mdx), _HANDLERS)
    body = rewritten(rewriting, source.document)
    links = [f"**{key}**: {value}" for key, value in facts.links.items()]
    body = "\n\n".join([*map(rewriting.phrase, links), body])
    for line in source.uneven:
        conversion.report("mended", "table-head", "the head of a table and the rule below it differ in width", line)
    if facts.broken:
        message = f"the front matter cannot be read and stays as text: {facts.broken}"
        where = Location(original.path, *facts.broken_at)
        conversion.findings.append(ImportFinding("unmapped", "front-matter", message, where))
    if facts.extra:
        message = f"kept in `extra`: {', '.join(facts.extra)}"
        conversion.findings.append(ImportFinding("unmapped", "front-matter", message, Location(original.path)))
    conversion.line = facts.first_line
    heading = plain(rewriting.phrase(structure.title)) if structure.subtitle < 0 else ""
    title = _title(facts, heading) or known.title
    tags = _said_in_text(rewriting, source.document) if spoken.inline_tags else []
    removed = [Removed("facts", line) for line in facts.lines]
    removed += [
        Removed(structure.left_out[block.span.start], source.text[slice(*block.span)])
        for block in source.document.blocks
        if structure.left_out.get(block.span.start, "title") != "title"
    ]
    for part in removed:
        message = f'the page says this in its own way: "{" ".join(part.words.split())[:60]}"'
        conversion.findings.append(ImportFinding("changed", part.kind, message, Location(original.path)))
    return ImportedText(
        outline=known,
        lang=lang,
        title=title,
        body=body,
        facts=_facts(original, known, facts, spoken, [facts.title, heading], tags),
        extra=facts.extra,
        arxiv=tuple(dict.fromkeys(facts.arxiv)),
        dois=tuple(dict.fromkeys(facts.dois)),
        files=conversion.files,
        cites=tuple(dict.fromkeys(conversion.cites)),
        used=conversion.used,
        removed=tuple(removed),
        findings=tuple(sorted(dict.fromkeys(conversion.findings), key=lambda finding: finding.location.line)),
    )


_TAG = regex(r"(?<![\w#&/\[\\])#(?=[\w/-]*[^\W\d])([\w/-]+)")
_FIELD = regex(r"(?<![\w`:])[\[(]?([^\W\d_][\w -]{0,30})::(?=\s)")


def _said_in_text(rewriting: Rewriting, document: nodes.Document) -> list[str]:
    """The tags among the words of a text, which stay there, too. Fields, `key:: value`, are reported."""
    tags: list[str] = []
    for node in document.walk():
        if isinstance(node, nodes.Text):
            tags += _TAG.findall(rewriting.source(node.span) if node.span.start >= 0 else node.text)
            for field in _FIELD.finditer(node.text):
                rewriting.at(node.span)
                message = f'"{field[0].strip()}" stays as words: facts of a note are in its note.yaml'
                rewriting.report("unmapped", "inline-field", message)
    return tags


def _title(facts: Front, heading: str) -> str:
    """What the front matter calls the note, unless its first heading, as plain text, says more."""
    return heading if heading and folded_title(facts.title) in folded_title(heading) else plain(facts.title)


def _facts(
    original: Original, known: NoteHeader, facts: Front, spoken: Tool, names: Sequence[str], in_text: Sequence[str]
) -> dict[str, object]:
    """The keys of note.yaml that the front matter, the path and the headings tell."""
    told = dict(facts.facts)
    below = _parts(original.path, spoken)[0][1:]  # of the folder of the topic
    tags = [*told.pop("tags", ()), *map(_clean, below), *in_text]
    if facts.topic and facts.topic != known.topic and known.topic:
        tags.append(facts.topic)
    spelled: dict[str, str] = {}
    for tag in tags:
        spelled.setdefault(folded(tag), tag)
    if tags := [tag for tag in spelled.values() if safe_name(tag) != known.topic]:
        told["tags"] = tags
    if "created" not in told and (day := day_of(original.path)):
        told["created"] = day
    if short := next((name for name in names if name and folded_title(name) != folded_title(known.title)), ""):
        told["short"] = short
    return told


# What the path of a note tells


def _topic_title(path: PurePosixPath, title: str, spoken: Tool) -> str:
    """What the navigation calls the topic's folder, or what the page of that folder is called."""
    folders = [part for part in _below(path, spoken).parts[:-1] if not is_language(part)]
    is_its_page = len(folders) == 1 and path.stem.lower() in _INDEX
    return spoken.titles.get(folders[0], "") or (title if is_its_page else "") if folders else ""


def day_of(path: PurePosixPath) -> str:
    """The day in the name of a file, as Jekyll and day notes have it."""
    match = _DATED.fullmatch(path.stem)
    return match["day"].replace("_", "-") if match else ""


def _parts(path: PurePosixPath, spoken: Tool) -> tuple[list[str], str]:
    """The folders of a note that mean something, and its name."""
    folders, unnamed = _below(path, spoken).parts[:-1], re.compile("|".join(spoken.unnamed))
    parts = [part for part in folders if not unnamed.fullmatch(part) and not is_language(part)]
    stem = path.stem
    if spoken.stems:
        *parts, stem = (_own_name(part, spoken.stems) for part in (*parts, stem))
    stem, _ = without_language(stem)
    if stem.lower() in _INDEX and parts:
        stem = _clean(parts[-1])
        parts = parts[:-1] if len(parts) > 1 else parts
    dated = _DATED.fullmatch(stem)
    return [_clean(part) for part in parts], (dated and dated["rest"]) or stem


def _below(path: PurePosixPath, spoken: Tool) -> PurePosixPath:
    """The path of a note below the folder of all notes."""
    return path.relative_to(spoken.notes[0]) if path.is_relative_to(spoken.notes[0]) else path


def _clean(folder: str) -> str:
    """The name of a folder without a number in front."""
    match = _NUMBERED.fullmatch(folder)
    return match["rest"] if match else folder


def _own_name(stem: str, stems: str) -> str:
    """The note's own name in that of a file or folder."""
    match = re.fullmatch(stems, stem)
    return match["name"] if match else stem


def _addresses(path: PurePosixPath, spoken: Tool) -> list[str]:
    """The addresses of its page, as its tool makes them, if it does: links may use them."""
    if not spoken.pages:
        return []
    bare = _below(path, spoken).with_suffix("").as_posix()
    parent, _, name = bare.rpartition("/")
    if name.lower() in _INDEX:
        return [f"/{parent}/".replace("//", "/")] if parent else []
    return [f"/{bare}/", f"/{bare}.html"]


FORMAT = NoteFormat("markdown", (".md", ".markdown", ".mdx", ".qmd", ".rmd"), recognises, parse, outline, read)
