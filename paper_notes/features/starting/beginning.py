"""The files of a new collection, and those that every collection may have beside it."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE, GLOSSARY_FILE, SITE_FILE, TOPIC_FILE, load
from paper_notes.corpus.model import DEFAULT_LANGUAGES, Lang, Text
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.schema import SCHEMAS, json_schema
from paper_notes.corpus.words import words_file
from paper_notes.diagnostics import Diagnostic, UserError, in_file_order
from paper_notes.languages.language import BUILT_IN, FALLBACK, Language, Words, canonical, flat, nearest, own_language
from paper_notes.patterns import regex
from paper_notes.sources.filenames import unusable
from paper_notes.sources.tree import Source, as_read
from paper_notes.sources.yaml import YamlDocument, packaged_yaml, parse_yaml
from paper_notes.sources.yaml_edit import with_keys
from paper_notes.values import Struct, replace

FIRST_TOPIC = "reading"
README = PurePosixPath("README.md")
IGNORED = PurePosixPath(".gitignore")
WORKFLOWS = PurePosixPath(".github/workflows")
DAILY = "daily"
"""The topic of the papers of the day, as `paper-notes digest` has it."""
LIBRARY = BASE / "library.bib"
EDITOR = PurePosixPath(".vscode")
SCHEMA_FOLDER = EDITOR / "paper-notes"
NOTE_NAME = "01_Attention_1706.03762"

_UNSIGNED = "0" * 16
_WRITTEN = f"Written by paper-notes init, {_UNSIGNED}: another init brings it up to date, unless you have changed it."
_SIGNATURE = regex(r"(?<=Written by paper-notes init, )[0-9a-f]{16}")
_INSTALLS = regex(
    r'(?<=PAPER_NOTES: ")(?:paper-notes(?:\[[\w,]*\])?(?: @ https://\S+| @ git\+https://\S+@[0-9a-f]+|==[\w.+]+)|vendor/\S+)(?=")'
    r'|^ *echo "[0-9a-f]{64}  vendor/\S+" \| sha256sum --check\n',
    re.MULTILINE,
)
"""What a workflow installs, in the forms in which `init` writes it."""
_NO_ADDRESS = "# base_url: https://you.github.io/my-notes/"
_LITTER = ".DS_Store\nThumbs.db\n*~\n*.pn-tmp\n"
_FOLDER = regex(r"[\w.+-]+")
_PLAIN = regex(r"[^\W\d_](?:[\w ，。：；、]*[\w，。：；、])?")
_NO_TEXTS = frozenset("true false yes no on off null y n".split())
"""What some readers of YAML take for something else than a text."""


class Beginning(Struct, frozen=True):
    """What the user has chosen."""

    languages: tuple[Lang, ...]
    topic: str
    """Of the first note; empty for a collection that begins without notes."""
    today: datetime.date
    title: str = ""
    """Of the site; empty for one that says what it is."""
    base_url: str = ""
    """Where the site will be published; empty if nobody knows yet."""
    install: str = ""
    """The line that installs the program elsewhere; empty if no other machine can reach it."""
    own_readme: bool = False
    """There is a README already, which need not have markers."""
    digest: bool = False
    """With a topic for the papers of the day."""


def chosen_languages(written: str) -> tuple[Lang, ...]:
    """`zh,en` as one or two languages that pages can be in. Raises UserError."""
    chosen = tuple(
        dict.fromkeys(_language(tag.replace("_", "-")).tag for tag in re.split(r"[,，、\s]+", written) if tag)
    )
    if not 1 <= len(chosen) <= 2:
        raise UserError("a collection has one language or two", "for example: --languages zh,en")
    return chosen


def usual_languages(system: Sequence[str]) -> str:
    """The languages to begin with where the user's system has these, such as `fr_FR`, the best first."""
    for name in system:
        with suppress(UserError):
            own = _language(name.replace("_", "-")).tag
            tag = nearest(own) or own.partition("-")[0]
            return f"{tag},{'zh' if tag == FALLBACK else FALLBACK}"
    return ",".join(DEFAULT_LANGUAGES)


def _language(tag: str) -> Language:
    """A language with the words that there are for it: its own, or English ones. Raises UserError."""
    try:
        return own_language(canonical(tag) or Lang(tag), {}, {})
    except ValueError as error:
        hint = f"any language will do that is written from left to right: {', '.join(BUILT_IN)}, fr, de, pt-BR ..."
        raise UserError(f'pages cannot be in "{tag}": {error}', hint) from error


def check_topic(name: str) -> None:
    """Raise UserError if this cannot be the folder of a topic."""
    if reason := unusable(name) or "must be of letters, digits and . _ + -" * (not _FOLDER.fullmatch(name)):
        raise UserError(f'"{name}" cannot be the folder of a topic: its name {reason}', "for example: --topic rl")


def collection_files(start: Beginning, sources: Sequence[Source]) -> tuple[Artifact, ...]:
    """`notes_src/` and README.md of a new collection that builds at once, beside the `sources` that are there.

    Empty if there is a `site.yaml`: then it is a collection. Raises UserError if the beginning would not build.
    """
    present = {source.path for source in sources}
    if SITE_FILE in present:
        return ()
    if texts := [path for path in sorted(present) if path.suffix in (".md", ".yaml", ".yml")]:
        hint = f"write {SITE_FILE} yourself, with `title:` and `topics:`, then run init again for all that is around it"
        raise UserError(f"there are notes already, such as {texts[0]}, but no {SITE_FILE}", hint)
    words = starting_words(*start.languages)
    folder = BASE / start.topic / NOTE_NAME
    # a library that somebody has put there keeps its bytes, so the entry of the first note goes beside the note
    library = LIBRARY if LIBRARY not in present else folder / "paper.bib"
    about_library = _commented(words, "library", "%")
    daily = f"title: {_value(words('daily'))}\nintro:{_lines(words('daily-intro'))}"
    artifacts = [
        Artifact.text(SITE_FILE, _site(words, start)),
        Artifact.text(GLOSSARY_FILE, _glossary(words) if start.topic else _commented(words, "glossary")),
        *(Artifact.text(words_file(own.tag), _words(words, own)) for own in words.languages if not nearest(own.tag)),
        *([Artifact.text(BASE / DAILY / TOPIC_FILE, daily)] if start.digest and start.topic != DAILY else []),
    ]
    if start.topic:
        artifacts += [
            Artifact.text(library, f"{about_library}\n{_data('library.bib')}"),
            Artifact.text(BASE / start.topic / TOPIC_FILE, _topic(words, start.topic)),
            Artifact.text(folder / NOTE_FILE, _note(words, start.today)),
            *(Artifact.text(folder / f"{own.tag}.md", own("note")) for own in words.languages),
        ]
    elif LIBRARY not in present:
        artifacts.append(Artifact.text(LIBRARY, about_library))
    _refuse_mistakes(sources, artifacts)
    if start.own_readme:
        return tuple(artifacts)
    return (
        *artifacts,
        Artifact.text(README, readme_text(start.languages, start.topic or FIRST_TOPIC, start.title, start.install)),
    )


def readme_text(languages: Sequence[Lang], topic: str, title: str = "", install: str = "") -> str:
    """README.md of a new collection."""
    own = starting_words(*languages).languages[0]
    title, description = " ".join(title.split()) or own("title"), own("description")
    text = own("readme", title=title, description=description, topic=topic, install=install)
    return text if install else re.sub(r"^ +# .*\n", "", text, flags=re.MULTILINE)


def surrounding_files(
    language: Lang, workflows: Iterable[str] = (), *, requirement: str = "", wheel: Artifact | None = None
) -> tuple[Artifact, ...]:
    """What a collection may have around it: for git, GitHub and the editor.

    Workflows, by their names, install `requirement`, and look at the `wheel` first, if that is one which is kept with
    the notes.
    """
    words = starting_words(language)
    ignored = (
        f"{_commented(words, 'ignore')}/site/\n\n"
        f"{_commented(words, 'ignore-pdfs')}/notes_src/pdfs/\n\n"
        f"{_commented(words, 'ignore-others')}{_LITTER}"
    )
    artifacts = [
        Artifact.text(IGNORED, ignored),
        Artifact.text(".pre-commit-config.yaml", _data("pre-commit-config.yaml")),
        Artifact.text(EDITOR / "settings.json", _data("settings.json")),
        Artifact.text(EDITOR / "extensions.json", _data("extensions.json")),
        Artifact.text(EDITOR / "paper-notes.code-snippets", _data("snippets.json")),
    ]
    for name in SCHEMAS:
        schema = json_schema(name).replace("{", f'{{\n  "$comment": "{_WRITTEN}",', 1)
        artifacts.append(Artifact.text(SCHEMA_FOLDER / f"{name}.schema.json", _signed(schema)))
    artifacts += [Artifact.text(WORKFLOWS / name, _workflow(name, requirement, wheel)) for name in workflows]
    return (*artifacts, wheel) if wheel else tuple(artifacts)


def _workflow(name: str, requirement: str, wheel: Artifact | None) -> str:
    check = f'          echo "{wheel.sha256}  {wheel.path}" | sha256sum --check\n' if wheel else ""
    text = _data(name).replace("REQUIREMENT", requirement).replace("          CHECK\n", check)
    return _signed(f"# {_WRITTEN}\n{text}")


def _signed(text: str) -> str:
    """The text with its own digest in the place of `_UNSIGNED`, by which it is known again."""
    return text.replace(_UNSIGNED, hashlib.sha256(text.encode()).hexdigest()[:16], 1)


def _is_as_written(source: Source, wanted: Artifact) -> bool:
    """Whether nobody has changed a file since `init` wrote it. `wanted` is what it writes today.

    Files of before they were signed are known if they differ from that only in what they install.
    """
    text, today = (file.data.decode(errors="replace").replace("\r\n", "\n") for file in (source, wanted))
    if signature := _SIGNATURE.search(text):
        return _signed(text.replace(signature[0], _UNSIGNED, 1)) == text
    unsigned = "".join(line for line in today.splitlines(keepends=True) if not _SIGNATURE.search(line))
    return _INSTALLS.sub("", text) == _INSTALLS.sub("", unsigned)


def outdated(differing: Iterable[Artifact], present: Sequence[Source]) -> tuple[Artifact, ...]:
    """Those of the `present` files that differ from today's, but are as `init` wrote them; and the wheel they install.

    Raises UserError if a wheel differs, and it or a workflow that installs it has been changed.
    """
    by_path = {source.path: source for source in present}
    ours = {wanted.path: wanted for wanted in differing if _is_as_written(by_path[wanted.path], wanted)}
    for wheel in (wanted for wanted in differing if wanted.path.suffix == ".whl"):
        users = [source for source in present if source.path.parent == WORKFLOWS and wheel.path.name in source.text]
        if not users or any(user.path not in ours or by_path[wheel.path].sha256 not in user.text for user in users):
            others = ", ".join(str(user.path) for user in users if user.path not in ours) or str(wheel.path)
            hint = "delete it, repeat this, and make your changes again"
            raise UserError(
                f"{wheel.path} is another program than this one, and {others} is not as init wrote it", hint
            )
        ours[wheel.path] = wheel
    return tuple(ours.values())


def with_address(sources: Iterable[Source], address: str) -> list[Artifact]:
    """site.yaml with the address of the site, if it says none, in the place that `init` leaves for it."""
    for site in sources:
        document = parse_yaml(SITE_FILE, site.text) if address and site.path == SITE_FILE else None
        settings = document.value if isinstance(document, YamlDocument) else None
        if isinstance(settings, dict) and "base_url" not in settings:
            data = site.data.replace(_NO_ADDRESS.encode(), f"base_url: {address}".encode(), 1)
            data = with_keys(SITE_FILE, site.data, {"base_url": address}) if data == site.data else data
            return [Artifact(SITE_FILE, data)]
    return []


def starting_words(*tags: Lang) -> Words:
    """The texts of new collections as words, by ids such as `note`; in English where a language has none.

    They are not among the words of pages: whoever translates those need not translate the beginning.
    """
    return Words(tuple(map(_language_words, tags)))


def _language_words(tag: Lang) -> Language:
    return replace(_language(tag), words=flat(packaged_yaml(__package__, f"{nearest(tag) or FALLBACK}.yaml")))


def _refuse_mistakes(sources: Iterable[Source], artifacts: Iterable[Artifact]) -> None:
    """Raise UserError if the collection would have an error: the name of the topic, or files that are there already."""
    whole = {source.path: source for source in sources}
    problems: list[Diagnostic] = []
    for artifact in artifacts:
        read = as_read(artifact.path, artifact.data)
        if isinstance(read, Diagnostic):
            problems.append(read)
        else:
            whole[read.path] = read
    problems += load(tuple(whole[path] for path in sorted(whole)))[1]
    if errors := tuple(read for read in in_file_order(problems) if read.severity == "error"):
        raise UserError("a collection that begins like this would not build", diagnostics=errors)


def snippets() -> tuple[str, ...]:
    """What editors offer for the components of notes, as Markdown with places in the form of VS Code."""
    return tuple("\n".join(snippet["body"]) for snippet in json.loads(_data("snippets.json")).values())


def _data(name: str) -> str:
    return files(__package__).joinpath("files", name).read_text("utf-8")


def _commented(words: Words, word: str, sign: str = "#") -> str:
    """Lines for people, in the first language."""
    return "".join(f"{sign} {line}\n" for line in words.languages[0](word).splitlines())


def _site(words: Words, start: Beginning) -> str:
    return words.languages[0](
        "site",
        title=_value(words("title").map(lambda own: start.title or own)),
        description=_value(words("description")),
        texts=", ".join(f"{tag}.md" for tag in words.tags),
        languages=", ".join(words.tags),
        topic=", ".join(map(_scalar, dict.fromkeys(filter(None, (start.topic, DAILY * start.digest))))),
        base_url=f"base_url: {start.base_url}" if start.base_url else _NO_ADDRESS,
        readme="# readme: true" if start.own_readme else "readme: true",
        tag=_mapping(words("tag")),
    )


def _words(words: Words, own: Language) -> str:
    """The words of the pages in a language that has none yet: the English ones, to be translated."""
    english = files("paper_notes.languages").joinpath(f"{FALLBACK}.yaml").read_text("utf-8")
    about = words.languages[0]("words", language=own.name)
    return "".join(f"# {line}\n" for line in about.splitlines()) + english[english.index("\n# Usual names") :]


def _topic(words: Words, topic: str) -> str:
    title = words("topic") if topic == FIRST_TOPIC else words("topic").map(lambda _: topic)
    intro = words("intro", folder=topic)
    return f"title: {_value(title)}\nintro:{_lines(intro)}"


def _note(words: Words, today: datetime.date) -> str:
    return (
        f"title: {_value(words('note-title'))}\n"
        f"{_commented(words, 'note-keys')}"
        "papers: [vaswani2017attention]\n"
        f"summary: {_value(words('note-summary'))}\n"
        "tags: [attention]\n"
        f"created: {today.isoformat()}\n"
        "reading_source: pdf\n"
    )


def _glossary(words: Words) -> str:
    names = "".join(
        f"{'- ' if first else '  '}{own.tag}: {_scalar(own('term'))}\n"
        for own, first in zip(words.languages, (True, False), strict=False)
    )
    return f"{_commented(words, 'glossary')}{names}  definition:{_lines(words('definition'), '    ')}"


def _value(text: Text) -> str:
    """A text in one line of YAML: `{zh: ..., en: ...}`, or a bare string if there is one language."""
    if len(text.parts) == 1:
        return _scalar(text.parts[0][1])
    return _mapping(text)


def _mapping(text: Text) -> str:
    return f"{{{', '.join(f'{lang}: {_scalar(part)}' for lang, part in text.parts)}}}"


def _lines(text: Text, indent: str = "  ") -> str:
    """The same with a line for each language, for longer texts."""
    if len(text.parts) == 1:
        return f" {_scalar(text.parts[0][1])}\n"
    return "\n" + "".join(f"{indent}{lang}: {_scalar(part)}\n" for lang, part in text.parts)


def _scalar(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _NO_TEXTS:
        return text
    return "'" + text.replace("'", "''") + "'"
