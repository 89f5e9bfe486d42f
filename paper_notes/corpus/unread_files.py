"""Texts that no page has: files with a name that is none of a note's, and files in a place where no note is read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from paper_notes.corpus.model import Site, TopicId
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.languages.language import BUILT_IN, is_language, meant
from paper_notes.patterns import regex
from paper_notes.sources.tree import SOURCE_FOLDER, Source

_TEXTS = frozenset({".md", ".markdown"})
_FOR_OTHERS = frozenset({"readme", "license", "contributing", "changelog"})
"""Names of files that people expect in a folder, and that are not for the site."""
_NUMBERED = regex(r"(\d{1,6})[_-]")
_KANA, _HAN, _HANGUL, _WORD = (
    re.compile(letters) for letters in ("[\u3041-\u30ff]", "[\u3400-\u9fff]", "[\uac00-\ud7a3]", r"[^\W\d_]")
)

Files = Mapping[str, Source]
"""Those of a folder, by their paths below it."""


def unread_files(
    topics: Mapping[TopicId, Collection[Source]], loose: Iterable[Source], site: Site
) -> Iterator[Diagnostic]:
    """What is wrong with such files. `loose` are those directly in `notes_src/`, `topics` those in its folders."""
    for source in loose:
        if usual := usual_name(source, ("site.yaml", "glossary.yaml")):
            yield _reported(source, f"{source.path.name} is not read", f"rename it to {usual}")
        elif _is_text(source) and not for_others(source):
            topic = next((topic for topic in site.topics if topic in topics), TopicId("topic"))
            place = f"{SOURCE_FOLDER}/{topic}/{_free(topics.get(topic, ())):02}_{source.path.stem}.md"
            yield _reported(source, "this text is in no topic", f"move it into the folder of one, as in {place}")
    for topic, sources in topics.items():
        if topic in site.topics:
            yield from _in_topic(topic, sources, site)
        elif texts := [source for source in sources if _is_text(source) and not for_others(source)]:
            hint = (
                f"write {SOURCE_FOLDER}/{topic}/topic.yaml and add {topic} to `topics:` in site.yaml, or move it away"
            )
            yield _reported(texts[0], f'{_with_others(texts)}: "{topic}" is no topic', hint)


def _in_topic(topic: TopicId, sources: Collection[Source], site: Site) -> Iterator[Diagnostic]:
    folders, loose = by_folder(sources)
    for source in loose:
        usual = usual_name(source, ("topic.yaml",))
        if usual or (_is_text(source) and source.path.suffix != ".md"):
            hint = f"rename it to {usual or f'{source.path.stem}.md'}"
            yield _reported(source, f"{source.path.name} is not read", hint)
    own = own_names(site)
    for name, files in folders.items():
        if not files.keys().isdisjoint(own):
            yield from _beside_note(files, own, site)
        else:
            yield from _in_no_note(topic, name, files, site, _free(sources))


def by_folder(sources: Iterable[Source]) -> tuple[Mapping[str, Files], Sequence[Source]]:
    """The files of each folder in that of a topic, and those in none."""
    folders: dict[str, dict[str, Source]] = {}
    loose: list[Source] = []
    for source in sources:
        first, _, rest = str(source.path).split("/", 2)[2].partition("/")
        if rest:
            folders.setdefault(first, {})[rest] = source
        else:
            loose.append(source)
    return folders, loose


def _free(sources: Iterable[Source]) -> int:
    """The next number of a note in a topic."""
    numbers = (_NUMBERED.match(source.path.parts[2]) for source in sources)
    return max((int(number[1]) for number in numbers if number), default=0) + 1


def own_names(site: Site) -> tuple[str, ...]:
    """The files of a note's folder that are read as such, if they are there; others are figures and data."""
    return ("note.yaml", *(f"{lang}.md" for lang in dict.fromkeys((*site.languages, *BUILT_IN))))


def _beside_note(files: Files, own: Collection[str], site: Site) -> Iterator[Diagnostic]:
    """Texts and facts under other names. The note that lacks one of these has an error, which names them already."""
    lacks_text = not any(f"{lang}.md" in files for lang in site.languages)
    for name, source in files.items():
        if name in own:
            continue
        if "/" in name:
            if name.endswith("/note.yaml"):
                yield _reported(source, "a note in the folder of another one is left out", "move its folder beside it")
        elif usual := usual_name(source, ("note.yaml",)):
            if "note.yaml" in files:
                yield _reported(source, f"{name} is not read: there is a {usual}", "delete one of the two")
        elif _is_text(source):
            wanted = wanted_name(source, files, site)
            if lacks_text if wanted else for_others(source):
                continue
            languages = " or ".join(f"{lang}.md" for lang in site.languages)
            message = f"{name} is not among the texts of this note, which are called {languages}"
            yield _reported(source, message, f"rename it to {wanted}" if wanted else _other_language(source, site))


def _other_language(source: Source, site: Site) -> str:
    lang = source.path.stem
    aside = f"rename it to .{source.path.name}, as names with a dot are not read"
    return f"{unlisted_hint(lang, site)}, or {aside}" if is_language(lang) else f"{aside}, or delete it"


def unlisted_hint(lang: str, site: Site) -> str:
    """How a site gets a language."""
    if other := meant(lang, site.languages):
        return f"rename it to {other}.md"
    if len(site.languages) == 1:
        return f"add {lang} to `languages:` in site.yaml"
    return f"make {lang} one of the two `languages:` in site.yaml"


def _in_no_note(topic: TopicId, name: str, files: Files, site: Site, number: int) -> Iterator[Diagnostic]:
    """Texts and notes in a folder of a topic that is not one of a note."""
    base, own = f"{SOURCE_FOLDER}/{topic}", own_names(site)
    notes = {file.rpartition("/")[0] for file, source in files.items() if source.path.name in own}
    texts = [source for source in files.values() if _is_text(source) and not (notes and for_others(source))]
    if notes:
        first = next(source for source in files.values() if source.path.name in own)
        count = "a note is" if len(notes) == 1 else f"{len(notes)} notes are"
        hint = f'move them to {base}/, or make "{name}" a topic of its own: move it to {SOURCE_FOLDER}/'
        yield _reported(first, f"{count} left out: a note's folder is directly in the folder of its topic", hint)
    elif texts and _NUMBERED.match(name):
        wanted = wanted_name(texts[0], files, site) or f"{site.default_language}.md"
        hint = f"rename it to {wanted}, and write note.yaml with a `title:` beside it"
        yield _reported(texts[0], f'{_with_others(texts)}: "{name}" has no note.yaml and no text of a language', hint)
    elif texts:
        hint = f"a note is a file such as {base}/{number:02}_{texts[0].path.stem}.md, or a folder with a number"
        yield _reported(texts[0], f'{_with_others(texts)}: the name of the folder "{name}" has no number', hint)


def _with_others(texts: Collection[Source]) -> str:
    others = len(texts) - 1
    return f"this text and {others} more are left out" if others else "this text is left out"


def usual_name(source: Source, names: Iterable[str]) -> str:
    """The one of these YAML files that was meant: `note.yaml` for `Notes.yml`. Empty if it has that name, or none."""
    name = source.path.name
    folded = re.sub(r"s?\.ya?ml$", ".yaml", name.lower())
    return folded if folded in names and folded != name else ""


def wanted_name(source: Source, files: Files, site: Site) -> str:
    """Under which name a text would be read in its note's folder; empty if nobody knows, or if that is taken."""
    free = [lang for lang in site.languages if f"{lang}.md" not in files]
    if lang := meant(source.path.stem, site.languages):
        return f"{lang}.md" if lang in free else ""
    if is_language(source.path.stem):
        return ""
    likely = [lang for lang in free if site.words[lang].script in _scripts(source)]
    return f"{likely[0]}.md" if len(likely) == 1 else ""


def _scripts(source: Source) -> Collection[str]:
    """How the text is written, as far as its letters show."""
    text = source.data.decode("utf-8", "replace")
    letters = len(_WORD.findall(text))
    if not letters:
        return ()
    if _KANA.search(text):
        return ("Jpan",)
    if 10 * len(_HANGUL.findall(text)) > letters:
        return ("Kore",)
    return ("Hans", "Hant", "Hani", "Jpan") if 10 * len(_HAN.findall(text)) > letters else ("Latn",)


def _is_text(source: Source) -> bool:
    return source.path.suffix.lower() in _TEXTS


def for_others(source: Source) -> bool:
    """True for a file that people expect in a folder, such as a README."""
    return source.path.stem.lower().split(".")[0] in _FOR_OTHERS


def _reported(source: Source, message: str, hint: str) -> Diagnostic:
    return Diagnostic(Location(source.path), "left-out-file", message, hint, "warning")
