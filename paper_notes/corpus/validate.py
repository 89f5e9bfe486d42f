"""YAML files as the models of `schema`, with a diagnostic for each mistake in its place."""

from __future__ import annotations

import re
import types
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Annotated, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from paper_notes.corpus.model import BUILT_IN_KINDS, COLOURS, KindId, Lang
from paper_notes.corpus.schema import MAX_TERM, MAX_TEXT, NAMES, FrontMatter, NoteFile
from paper_notes.diagnostics import Diagnostic, Suggestions
from paper_notes.patterns import regex
from paper_notes.sources.yaml import Path, YamlDocument, parse_yaml

M = TypeVar("M", bound=BaseModel)


def read_yaml(
    model: type[M],
    path: PurePosixPath,
    text: str,
    problems: list[Diagnostic],
    languages: tuple[Lang, ...],
    *,
    first_line: int = 1,
    listed: str = "",
    only: Lang | None = None,
    kinds: Collection[KindId] = tuple(BUILT_IN_KINDS),
) -> tuple[YamlDocument, M | None]:
    """A text with its places, and as a model as far as `validate` can make one; what is wrong is added to `problems`.

    It starts on a line of the file. A bare list is what is `listed` under this key. A bare string is in the language
    that the text names as its own, or `only` has.
    """
    document = parse_yaml(path, text, first_line)
    if isinstance(document, Diagnostic):
        problems.append(document)
        return YamlDocument(path), None
    if listed and isinstance(document.value, list):
        document = document.below(listed)
    own = document.value.get("language") if isinstance(document.value, dict) else None
    plain = next((lang for lang in languages if lang == own), only)
    file, mistakes = validate(model, document, languages, plain, kinds)
    problems += mistakes
    return document, file


def validate(
    model: type[M],
    document: YamlDocument,
    languages: tuple[Lang, ...],
    plain: Lang | None = None,
    kinds: Collection[KindId] = tuple(BUILT_IN_KINDS),
) -> tuple[M | None, tuple[Diagnostic, ...]]:
    """The file as a model, and its diagnostics. A bare string is in `plain`, or in the site's first language.

    `kinds` are those that a note may have; empty if that is not known.

    With errors the model is built from the correct keys, so that what depends on it can be checked in the same run;
    it is None only if a required key is missing or wrong.
    """
    if not isinstance(document.value, dict):
        message = "the file must be a mapping: lines of `key: value`"
        hint = f"known keys: {', '.join(model.model_fields)}"
        return None, (Diagnostic(document.location(()), "bad-value", message, hint),)
    context = {"languages": languages, "plain": plain, "kinds": kinds}
    listed = tuple(_lists_as_text(document, document.value, ()))
    try:
        return model.model_validate(document.value, context=context), listed
    except ValidationError as error:
        unknown = {_path(details) for details in error.errors() if details["type"] == "unknown_language"}
        errors = [
            details
            for details in error.errors()
            if details["type"] == "unknown_language" or _path(details) not in unknown  # not what such a key holds
        ]
    wrong = {details["loc"][0] for details in errors if details["loc"]}
    right = {key: value for key, value in document.value.items() if key not in wrong}
    suggestions = Suggestions()
    problems = *(_diagnostic(model, document, details, languages, suggestions) for details in errors), *listed
    try:
        return model.model_validate(right, context=context), problems
    except ValidationError:
        return None, problems


def _lists_as_text(document: YamlDocument, value: object, path: Path) -> Iterator[Diagnostic]:
    """Values such as `tags: a, b` and `tags: [a，b]`: to YAML that is one text, and so one tag."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        text = item[0] if isinstance(item, list) and len(item) == 1 and "，" in f"{item[0]}" else item
        if key in _LISTS and isinstance(text, str) and len(parts := _COMMA.split(text.strip("【】［］"))) > 1:
            message = f'`{key}` is one text, "{text[:200]}", not a list'
            hint = f"write [{', '.join(filter(None, parts))}]"
            yield Diagnostic(document.location((*path, key)), "list-as-text", message, hint, "warning")
        elif key != "extra":
            yield from _lists_as_text(document, item, (*path, key))


def _path(error: ErrorDetails) -> Path:
    """The path to the mistake in the file."""
    return tuple(part for part in error["loc"] if part not in (NAMES, "[key]"))


def _diagnostic(
    model: type[BaseModel],
    document: YamlDocument,
    error: ErrorDetails,
    languages: tuple[Lang, ...],
    suggestions: Suggestions,
) -> Diagnostic:
    path = _path(error)
    kind, context = error["type"], error.get("ctx", {})
    if kind in ("extra_forbidden", "unknown_language"):
        known = [key for key in _keys_at(model, path[:-1]) if key not in ("root", "names")]
        meant = _MEANT.get(path[-1], "") if len(path) == 1 and issubclass(model, NoteFile) else ""
        if meant and not (path[-1] == "lang" and model is FrontMatter):
            return Diagnostic(document.location(path, key=True), "unknown-key", f'unknown key "{path[-1]}"', meant)
        names = [*languages, *known] if kind != "extra_forbidden" else known
        hint = _plain_colon(str(path[-1]), names) or suggestions.did_you_mean(str(path[-1]), names)
        return Diagnostic(document.location(path, key=True), "unknown-key", f'unknown key "{path[-1]}"', hint)
    if kind == "missing_language":
        where = document.location(path)
        return Diagnostic(where, "missing-key", f'the key "{context["lang"]}" is missing', f"add `{context['lang']}:`")
    if kind == "missing":
        where = document.location(path[:-1])
        return Diagnostic(where, "missing-key", f'the key "{path[-1]}" is missing', f"add `{path[-1]}:`")
    where = document.location(path)
    name = ".".join(part for part in path if isinstance(part, str))
    value = _shown(error.get("input"))
    if kind in ("empty_text", "text_type"):
        form = f"{{{', '.join(f'{lang}: ...' for lang in languages)}}}"
        wrong = "is empty" if kind == "empty_text" else f"must be a text or {form}, not {value}"
        return Diagnostic(where, "bad-value", f"`{name}` {wrong}", f"write {form}, or one text")
    if kind == "literal_error":
        choices = [choice.strip(" '") for choice in context["expected"].replace(" or ", ", ").split(", ")]
        hint = suggestions.did_you_mean(str(error.get("input")), choices)
        return Diagnostic(where, "bad-value", f"`{name}` cannot be {value}", hint)
    if kind == "kind":
        hint = suggestions.did_you_mean(str(error.get("input") or ""), context["known"])
        own = "" if hint.startswith("did") else "; a kind of your own is described in site.yaml, under `kinds:`"
        return Diagnostic(where, "bad-value", f"`{name}` cannot be {value}", f"{hint}{own}")
    if kind == "model_type":
        return Diagnostic(where, "bad-value", f"`{name}` must be a mapping, not {value}", "write it as {key: value}")
    wanted = _WANTED_OF.get(name, "") if kind in _LIMITS else _WANTED.get(kind, "something else")
    if kind == "too_long":
        wanted, value = f"a list of {context['max_length']:,} at most", f"one of {context['actual_length']:,}"
    hint = _OF_KEY.get(name) or _plain_day(kind, str(error.get("input"))) or _HINTS.get(kind) or _FIX
    return Diagnostic(where, "bad-value", f"`{name}` must be {wanted}, not {value}", hint)


def _plain_colon(key: str, names: Collection[str]) -> str:
    """What to write for `en：One` and `en:One`, which are keys of their own; empty for other keys."""
    name, *value = re.split("[:：]", key, maxsplit=1)
    return (
        f"write `{name}: {value[0].strip()}`, with a plain colon and a space behind it"
        if value and name in names
        else ""
    )


def _plain_day(kind: str, written: str) -> str:
    """How a day in another form is written here; empty if it is none."""
    day = _DAY.fullmatch(written.strip()) if kind.startswith("date_") else None
    return f"write it as {day['year']}-{day['month']:>02}-{day['day']:>02}" if day else ""


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f'"{value[:200]}{"…" * (len(value) > 200)}"' if value else "empty"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    return "a mapping" if isinstance(value, dict) else "empty"


_LISTS = frozenset({"tags", "aliases", "avoid"})
"""Keys whose value may be one text without brackets."""
_DAY = regex(
    r"(?P<year>(?:19|20)\d\d)(?:[-/.年 ]\s*)?(?P<month>0?[1-9]|1[0-2])(?:[-/.月 ]\s*)?(?P<day>0?[1-9]|[12]\d|3[01])日?"
    r"(?:[T ].*)?"
)
"""A day in another form."""
_COMMA = regex(r"\s*[,，、;；]\s*")
_IN_BIB = "delete it: facts of a paper are in the .bib, under the key that `papers:` names"
_LIMITS = frozenset({"string_pattern_mismatch", "greater_than_equal", "less_than_equal"})
_WANTED_OF = {
    "rating": "a number from 1 to 5",
    "entries.upvotes": "0 or more",
    **dict.fromkeys(("base_url", "source.url"), "an address that starts with https://"),
    "readme.region": "made of a-z, 0-9 and -, with a letter first",
    "reading_paths.id": "made of a-z, 0-9 and -, with a letter first",
}
_WANTED = {
    **dict.fromkeys(("date_from_datetime_parsing", "date_parsing", "date_type"), "a date"),
    **dict.fromkeys(("bool_parsing", "bool_type"), "true or false"),
    **dict.fromkeys(("int_parsing", "int_type"), "a whole number"),
    "string_type": "a text",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "string_too_short": "a text",
    "string_too_long": f"a text of {MAX_TERM} characters at most",
    "languages": "one or two languages",
    "too_short": "a list with something in it",
    "readme": "true, false or a list of files",
    "readme_file": "a Markdown file of the collection, outside of site/ and notes_src/",
    "digest": "ten digits, each 0-9 or a-f",
    "colour": "a colour such as '#0a6b4f'",
    "fonts": "a list of names of fonts",
    "empty": "the name of a file",
    "kind_colour": "the name of a colour or a hue from 0 to 359",
    "long_text": f"a text of {MAX_TEXT:,} characters at most",
    "address": "a former address of the note",
    "topic_address": "a former address of the topic",
    "step": "a note",
    "macros": "definitions of TeX",
    "macro": "TeX with braces that match",
    "macro_name": "a name of letters",
}
_FIX = "fix the value, or delete the key if you do not need it"
_OF_KEY = {
    "kinds": "write a mapping from ids to names, as in {idea: Idea}",
    "topics": "write the folders of your topics, such as [rl]: each is a folder of notes_src/ with a topic.yaml",
    "languages": "write [en] or [zh, en], or delete the key",
    "corrects": "write a list of mappings, each with the keys note, claim and correction",
    "reading_paths": "write a list of mappings, each with the keys id, title and steps",
}
_MEANT: Mapping[object, str] = {
    **dict.fromkeys(("author", "authors", "year", "venue", "doi", "url", "arxiv", "abstract"), _IN_BIB),
    **dict.fromkeys(("bibkey", "key", "cite"), 'write it into `papers:`, as in "papers: leviathan2022fast"'),
    "date": "write the day as `created:` or `updated:`",
    "modified": "write the day as `updated:`",
    **dict.fromkeys(("score", "stars", "grade"), "write 1 to 5 as `rating:`"),
    **dict.fromkeys(("tldr", "description", "subtitle"), "write one sentence as `summary:`"),
    **dict.fromkeys(("labels", "categories"), "write a list as `tags:`, or as `keywords:`"),
    **dict.fromkeys(("lang", "language"), "name the text after its language, as in en.md"),
    **dict.fromkeys(("topic", "number", "order", "id"), "delete it: folders say topic and number, as in rl/04_ReSpec/"),
}
"""What other programs call the keys of a note, and what to do here."""
_HINTS = {
    **dict.fromkeys(("date_from_datetime_parsing", "date_parsing"), "write year, month and day, as in 2026-11-21"),
    "dict_type": "write it as {key: value}",
    "tuple_type": "write it as [a, b], or as lines that start with `- `",
    "readme": "write true for README.md, or [README.md, docs/INDEX.md]",
    "readme_file": "write its path from the root of the collection, such as docs/INDEX.md",
    "colour": "write it as '#0a6b4f', with the quotes: without them # begins a comment",
    "fonts": "write names as in [Inter, Source Han Sans SC]: fonts are those of the reader, and nothing is loaded",
    "long_text": "write long texts into the note",
    "topic_address": "write the folder it had, such as rl, or its page in the site, such as old/rl.html",
    "address": "write the folder it had, such as rl/04_ReSpec, or its page in the site, such as old/respec.html",
    "kind_colour": f"known: {', '.join(COLOURS)}; or a hue: 20 is a red, 140 a green, 260 a blue",
    **dict.fromkeys(
        ("macros", "macro", "macro_name"),
        "write `R: '\\mathbb{R}'`, a line each, or lines of \\newcommand{\\R}{\\mathbb{R}} below `macros: |`",
    ),
    "step": "write its number, such as 3, or {note: 3, words: where to begin}",
    "digest": "delete the section's line; `paper-notes sync` writes it anew",
}


def _keys_at(model: type[BaseModel], path: Path) -> tuple[str, ...]:
    """The keys that the schema knows for the mapping at `path`."""
    current: object = model
    for step in path:
        if get_origin(current) is dict:  # whose keys are the user's own
            current = get_args(current)[1]
            continue
        models = _models_in(current)
        if isinstance(step, str) and models:
            current = models[0].model_fields[step].annotation
    models = _models_in(current)
    return tuple(models[0].model_fields) if models else ()


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    if get_origin(annotation) in (Union, types.UnionType, tuple, Annotated, Literal):
        return [model for part in get_args(annotation) for model in _models_in(part)]
    return []
