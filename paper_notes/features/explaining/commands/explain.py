"""`paper-notes explain`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

import click

from paper_notes.commands.help import columns
from paper_notes.commands.terminal import speaks, tell
from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Location, did_you_mean
from paper_notes.patterns import regex
from paper_notes.render.plain import plain

LABELS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "zh": ("  原因：", "  改法：", "  用途：", "  写法：", "  显示："),
        "en": ("  cause: ", "  cure:  ", "  use:   ", "  write: ", "  shows: "),
    }
)
"""Labels of what is said, by language. The languages are those of the catalogue, which `--help` does not read."""
_CHOICE = regex(r"\$\{\d+\|([^|]*)\|\}")
_PLACE = regex(r"\$\{\d+:([^}]*)\}")
_REFERENCE = regex("\ufdd0\\d+\ufdd1")


@click.command()
@click.argument("names", metavar="[RULE | COMPONENT]...", nargs=-1)
@click.option("--in", "given", type=click.Choice(list(LABELS)), help="The language; else that of all messages.")
def explain(names: tuple[str, ...], given: Lang | None) -> None:
    """Show the cause of findings and how to fix them, and what components are for.

    RULE is the id in brackets in a message, as in error[unknown-bibkey]; COMPONENT is the name after the colons, as in
    :::recall: how it is written is shown, and the words of the result. Without one, all rules are listed.
    """
    from paper_notes.rules import rule_docs  # slow to import, and --help is quick

    docs, lang = rule_docs(), given or speaks()
    uses = {} if all(name in docs for name in names) else _uses(lang)
    for name in names:
        if name not in docs and name not in uses:
            hint = did_you_mean(name, [*docs, *uses]) or "explain without it lists all"
            raise click.UsageError(f'no rule "{name}"; {hint}')
    cause, cure, use, write, shows = LABELS[lang]
    for name in names:
        tell(name)
        if name in uses:
            tell(f"{use}{uses[name]}")
            if example := _example(name):
                for number, line in enumerate(example):
                    tell((" " * columns(write) if number else write) + line)
                tell(f"{shows}{_shown(example, lang)}")
        else:
            tell(f"{cause}{docs[name].cause[lang]}")
            tell(f"{cure}{docs[name].cure[lang]}")
    for name in () if names else docs:
        tell(name)


def _example(name: str) -> list[str]:
    """The lines of a component, as editors get them from its snippet; none if there is no such snippet."""
    from paper_notes.features.starting.beginning import snippets  # slow to import, and only components have one

    for body in snippets():
        text = _CHOICE.sub(lambda match: name if name in match[1].split(",") else match[1].split(",")[0], body)
        lines = _PLACE.sub(r"\1", text).replace("$0", "...").replace("\\$", "$").split("\n")
        starts = [number for number, line in enumerate(lines) if re.match(rf":::{name}\b", line)]
        for end in range(starts[0] if starts else len(lines), len(lines)):
            part = lines[starts[0] : end + 1]
            if part.count(":::") == sum(line.startswith(":::") for line in part) - part.count(":::"):
                return part
    return []


def _shown(example: list[str], lang: Lang) -> str:
    """The words that a reader sees of an example."""
    from paper_notes.markdown.short_texts import render_snippet  # loads the parser, as below

    html = render_snippet("\n".join(example), lang, Location(PurePosixPath("example"))).html
    return _REFERENCE.sub("...", plain(html.replace("</span><span", "</span> <span")))


def _uses(lang: Lang) -> dict[str, str]:
    """The use of each component. Importing them loads the Markdown parser, so call this only if one is named."""
    from paper_notes.markdown.syntax.components import components

    return {name: component.help[lang] for name, component in components().items()}
