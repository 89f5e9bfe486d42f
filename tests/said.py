"""The English sentences in the package that people may read on the terminal, found in its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import click
from running import PROJECT

from paper_notes.commands import main

PACKAGE = PROJECT / "paper_notes"
_SENTENCE = re.compile(r"[a-z]{2,} [a-z{(]")
"""Two words: most texts with fewer are ids, keys or parts of HTML."""
_NOT_SAID = {
    *("compile", "regex", "split", "Markup", "startswith", "removeprefix", "put", "table", "files", "FileMemo"),
    *("_row", "_box", "_callout", "_statement", "of"),
    *("TypeError", "Component"),
}
"""Calls whose texts nobody reads on a terminal."""
_NO_WORDS = frozenset(
    (
        # first lines of files
        "# Where the papers say it. Written by `paper-notes verify --keep`: commit it, do not edit it.",
        "# Where cells stand. Written by `paper-notes verify --crops`: commit it, or delete it and no table is shown.",
        "paper-notes build",
        "paper-notes serve --open",
        "paper-notes new {} --topic {}",
        "paper {}",
        "text {}",
        "title {}",
        "name {}",
        "note {}/{}",
        "address {}",
        "{} et al.",
        " et al.",
        "too long",
        "no text",
        "the text is empty in all languages",
        "no date",
        "no digest",
        "no list",
        "no file",
        "{}: no {}",
        "{} in {}",
        "{} {} to {}",
        " at {}",
        "no kind",
        *("no macro", "no definitions"),
        "no step",
        "no colour",
        "no address",
        "no names",
        " with drafts",
        "errors that the last build went on with",
        "note {}",
        *("box {}", "cell {}", "mark {}", "row best", "mark term", "mark pill"),
        "too many",
        "too large",
        "too deep",
        "no host",
        "web turn\n{}",
        "code binds tighter than formulas",
        "[{}, page {}]",
        "into the caption",
        "into the text",
        "`paper-notes sync {}",
        "last build of {}",
        "would {}",
        "lookup {}",
        "paper-notes {}",
        "paper-notes {} ",
        "picture {} {} {} {} {}",
        "pdf {} {}",
        *("block collection", "block mapping", "block scalar", "tab character"),
        *("cannot start any token", "expected node content", "alphabetic or numeric character"),
        "flow sequence",
        "flow mapping",
        "quoted scalar",
        "found character that cannot start any token",
        "Unicode character escape",
        "escape character",
    )
)
"""Commands to type, keys of caches, messages of libraries that are looked for, and names of errors among ourselves."""
_CODE = re.compile(
    r"^(?:paper-notes [a-z]+(?: [^{}]*)?|source <.*)$|^\n|^@media|^ ?<[?/]?[a-z]|^\$|default-src|^article book"
)
"""How CSS, HTML, TeX, programs and lists of words begin."""
_NO_SENTENCES = frozenset(
    """citation/formats.py document/write.py corpus/bibliography/from_bibtex.py:_PUBLISHED
    corpus/bibliography/from_bibtex.py:_NO_NAME corpus/bibliography/tex.py
    corpus/rename_hints.py:_KEY features/drafting/constructs.py features/verify/numbers.py:_WORDS
    features/drafting/prompts.py features/drafting/first_texts.py:_KINDS
    features/lists/forms.py features/cards/anki.py features/cards/card_texts.py
    features/epub/book.py features/epub/epub.py
    engine/cache.py engine/program.py engine/user_cache.py diagnostics.py:_SAFE diagnostics.py:_WHOLE
    features/importing/readme/regions.py:BEGIN features/importing/readme/vocabulary.py indexes/published.py
    languages/sentences.py markdown/bodies.py features/diagrams/svg.py markdown/math/convert.py:_FENCES
    render/theme/font_subset.py render/theme/fonts.py rules/__init__.py serve/server.py sources/pdf/captions.py
    sources/pdf/facts.py sources/pdf/text.py features/starting/beginning.py:_WRITTEN
    features/verify/labels.py:_GROUPS features/verify/labels.py:_STOPS features/verify/labels.py:_WEAK
    features/verify/counted.py features/verify/table_files.py features/mcp/server.py features/mcp/answers.py:DATA
    features/mcp/answers.py:_COMPARE features/mcp/answers.py:_DRAFT""".split()
)
"""Modules, or names in them, whose texts are data: words to look for, programs, formats, and notes to ourselves."""


@cache
def sentences() -> tuple[tuple[str, int, str], ...]:
    """Module, line and text of each; `{}` is the place of a value."""
    return tuple(_sentences())


def _sentences() -> Iterator[tuple[str, int, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(PACKAGE).as_posix()
        if module not in _NO_SENTENCES:
            for line, text in _of_module(module, path.read_text("utf-8")):
                yield module, line, text


def help_texts() -> Iterator[str]:
    """The paragraphs of `--help`, of all commands and options."""
    groups = [command for command in main.commands.values() if isinstance(command, click.Group)]
    inner = [command for group in groups for command in group.commands.values()]
    for command in (main, *main.commands.values(), *inner):
        for paragraph in (command.help or "").split("\n\n"):
            if "\b" not in paragraph:
                yield " ".join(paragraph.split())
        for option in command.params:
            if isinstance(option, click.Option) and option.help:
                yield " ".join(option.help.split())
                if isinstance(option.show_default, str):
                    yield option.show_default


_QUOTED = re.compile(r"“[^”]*”|`[^`]*`|\"[^\"]*\"|'[^']*'|<[^>]*>|\[[^\]]*\]|\{[^}]*\}")
_ENGLISH = re.compile(r"(?<![\w:./-])(?:an? )?[a-z]{3,}(?: [a-z]{2,})+|(?<= )an? [a-z]+")


def english_left(text: str) -> list[str]:
    """The English words of a translated message, without what is quoted or typed."""
    return [] if text.startswith("pip ") else _ENGLISH.findall(_QUOTED.sub("", text))


def _of_module(module: str, source: str) -> Iterator[tuple[int, str]]:
    parents = _parents(ast.parse(source))
    for node in parents:
        text = _text(node)
        if text is None or isinstance(parents[node], ast.JoinedStr | ast.FormattedValue | ast.Expr):
            continue
        if (
            _SENTENCE.search(text)
            and text not in _NO_WORDS
            and not _CODE.search(text)
            and not _is_data(module, node, parents)
        ):
            yield node.lineno, text


def _parents(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """Each node below with the one above it, as `ast.walk` finds them, in a third of its time."""
    parents: dict[ast.AST, ast.AST] = {}
    nodes = [tree]
    for node in nodes:
        for name in node._fields:
            value = getattr(node, name, None)
            below = value if isinstance(value, list) else (value,)
            for child in below:
                if isinstance(child, ast.AST):
                    parents[child] = node
                    if child._fields:
                        nodes.append(child)
    return parents


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def _is_data(module: str, node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    while not isinstance(node, ast.stmt):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            return called in _NOT_SAID
        node = parents[node]
    named = ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""
    return isinstance(node, ast.Assert) or f"{module}:{named}" in _NO_SENTENCES
