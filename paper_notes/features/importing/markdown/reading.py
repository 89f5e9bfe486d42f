"""Reads Markdown notes of other tools: the row of the table of formats."""

from __future__ import annotations

import re

from paper_notes.corpus.tags import folded
from paper_notes.diagnostics import Location
from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.dialects import dialect
from paper_notes.features.importing.markdown.fallback import as_code, escaped, with_lost
from paper_notes.features.importing.markdown.front import Front, front
from paper_notes.features.importing.markdown.headings import headings, plain
from paper_notes.features.importing.markdown.inline import inline
from paper_notes.features.importing.markdown.lines import Line
from paper_notes.features.importing.markdown.names import day_of, folders_below, guessed, outline, safe
from paper_notes.features.importing.markdown.readback import PATH, missing, read_back
from paper_notes.features.importing.markdown.text import closed, converted, definitions, text_lines
from paper_notes.features.importing.markdown.words import joined, pieces, without_remarks
from paper_notes.features.importing.values import Finding, Folder, Foreign, Format, Options, Original, Outline, Places
from paper_notes.identifiers import folded_title

ROUNDS = 6
"""How often what is refused is escaped before its block becomes text."""
_REFUSED = frozenset({"lost-syntax", "lost-formula", "published-comment"})
"""Rules of warnings that a foreign text may not have either: it means words."""


def recognises(original: Original) -> bool:
    """Whether a file is a note: others with these suffixes are of the repository or of a tool."""
    name = original.path.name.lower()
    folders = original.path.parts[:-1]
    return name not in _NO_NOTES and not any(part.startswith(".") or part in _NO_FOLDERS for part in folders)


_NO_FOLDERS = frozenset({"node_modules", "_site", "_includes", "_layouts", "site-packages"})
_NO_NOTES = frozenset(
    {
        "license.md",
        "changelog.md",
        "contributing.md",
        "code_of_conduct.md",
        "security.md",
        "summary.md",
        "_sidebar.md",
        "_navbar.md",
        "_coverpage.md",
    }
)


def read(original: Original, known: Outline, places: Places, folder: Folder, options: Options) -> Foreign:
    """A note as it is read. Never raises for what is in the original."""
    facts = front(original)
    lang = known.lang or guessed(facts.text)
    reading = _Reading(original, known, places, folder, facts, lang)
    return reading.done()


class _Reading:
    """One note: converted, read back, and converted again with more escaped until both agree."""

    def __init__(
        self, original: Original, known: Outline, places: Places, folder: Folder, facts: Front, lang: str
    ) -> None:
        self.original, self.known, self.places, self.folder = original, known, places, folder
        self.facts, self.lang = facts, lang
        self.lines, self.tangled = text_lines(facts)
        kept = without_remarks("\n".join(line.text for line in self.lines)).split("\n")
        self.published = [line.with_text(text) for line, text in zip(self.lines, kept, strict=True)]
        self.headings = headings(self.lines, titled=facts.title)
        self.mdx = dialect(folder).mdx or original.path.suffix.lower() == ".mdx"
        title = range(self.headings.title_line, self.headings.title_line + self.headings.title_lines)
        names = {name for name, _ in known.blocks} | {
            name[1:].casefold() for heading in self.headings.sections for name in heading.aliases if name[:1] == "^"
        }
        self.pieces = pieces(self.lines, title=title, mdx=self.mdx, names=names, verbatim=self.tangled)
        self.refused: set[str] = set()

    def conversion(self) -> Conversion:
        """A new one, with all that is known to be refused."""
        return Conversion(
            self.original,
            self.known,
            self.places,
            self.folder,
            self.headings.at(),
            definitions(self.lines),
            mdx=self.mdx,
            refused=self.refused,
        )

    def done(self) -> Foreign:
        conversion = self.conversion()
        title = self._title(conversion)
        made = converted(conversion, self.lines, self.headings)
        text, made, conversion = self._accepted(conversion, made)
        for numbers in self.tangled:
            message = "this block is shown as it was written: too much in it is within something else, or never closed"
            conversion.report("unmapped", "as-text", message, numbers.start)
        facts = dict(self.facts.facts)
        tags = [*facts.get("tags", ()), *folders_below(self.original.path, conversion.dialect)]
        if self.facts.topic and self.facts.topic != self.known.topic and self.known.topic:
            tags.append(self.facts.topic)
        spelled: dict[str, str] = {}
        for tag in tags:
            spelled.setdefault(folded(tag), tag)
        if tags := [tag for tag in spelled.values() if safe(tag) != self.known.topic]:
            facts["tags"] = tags
        else:
            facts.pop("tags", None)
        if "created" not in facts and (day := day_of(self.original.path)):
            facts["created"] = day
        if (short := plain(self.headings.title)) and folded_title(short) != folded_title(title):
            facts["short"] = short
        if self.facts.broken:
            message = f"the front matter cannot be read and stays as text: {self.facts.broken}"
            where = Location(self.original.path, *self.facts.broken_at)
            conversion.findings.append(Finding("unmapped", "front-matter", message, where))
        if self.facts.extra:
            message = f"kept in `extra`: {', '.join(self.facts.extra)}"
            conversion.findings.append(Finding("unmapped", "front-matter", message, Location(self.original.path)))
        return Foreign(
            outline=self.known,
            lang=self.lang,
            title=title,
            body=text,
            facts=facts,
            extra=self.facts.extra,
            arxiv=self.facts.arxiv,
            dois=self.facts.dois,
            files=conversion.files,
            used=conversion.used,
            words=joined(self.pieces),
            findings=tuple(sorted(dict.fromkeys(conversion.findings), key=lambda one: one.location.line)),
        )

    def _title(self, conversion: Conversion) -> str:
        """Markdown on one line: the title of the front matter is plain."""
        if self.headings.title and (not self.facts.title or plain(self.headings.title) == self.facts.title):
            conversion.line = self.headings.title_line
            words = inline(self.headings.title, conversion, self.headings.title_line)
            return " ".join(re.sub(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)", "", words).split()) or self.known.title
        return re.sub(r"([\\`*_\[\]<$#])", r"\\\1", self.known.title)

    def _accepted(self, conversion: Conversion, made: list[Line]) -> tuple[str, list[Line], Conversion]:
        """The text without what our parser refuses, and with all words."""
        for attempt in range(ROUNDS):
            text = "\n".join(line.text for line in made)
            back = read_back(text, self.lang, conversion.files, conversion.titles)
            wanted = _REFUSED if attempt < 3 else frozenset()
            problems = [one for one in back.problems if one.severity == "error" or one.rule in wanted]
            pictures = {
                one.location.path.relative_to(PATH.parent).as_posix() for one in problems if one.location.path != PATH
            }
            if pictures - self.refused:
                self.refused |= pictures
                conversion = self.conversion()
                made = converted(conversion, self.lines, self.headings)
                continue
            problems = [one for one in problems if one.location.path == PATH]
            if not problems:
                lost = missing(self.pieces, back.letters)
                if not lost:
                    return text, made, conversion
                made = closed(with_lost(conversion, self.published, made, lost))
                continue
            made = closed(escaped(conversion, self.published, made, problems, hard=attempt > 1))
        text = "\n".join(line.text for line in made)
        back = read_back(text, self.lang, conversion.files, conversion.titles)
        if any(one.severity == "error" for one in back.problems):
            made, conversion.files = as_code(self.published), {}
            conversion.report("unmapped", "as-text", "the whole note is kept as text", made[0].number)
        elif gone := {number for number, _ in missing(self.pieces, back.letters)}:
            made += [Line(max(gone), ""), *as_code([one for one in self.published if one.number in gone])]
            conversion.report("unmapped", "as-text", "these lines are kept as text at the end of the note", min(gone))
        return "\n".join(line.text for line in made), made, conversion


FORMAT = Format("markdown", (".md", ".markdown", ".mdx"), recognises, outline, read)
