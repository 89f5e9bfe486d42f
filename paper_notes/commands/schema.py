"""`paper-notes schema`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from paper_notes.commands.terminal import print_json, root_option
from paper_notes.corpus.load import SITE_FILE
from paper_notes.corpus.model import BUILT_IN_KINDS
from paper_notes.corpus.read_files import described
from paper_notes.corpus.schema import json_schema
from paper_notes.sources.tree import read_readmes
from paper_notes.sources.yaml import YamlDocument, parse_yaml

NAMES = ("site", "topic", "note", "glossary")


@click.command()
@click.argument("name", type=click.Choice(NAMES))
@root_option
def schema(name: str, root: Path) -> None:
    """Print the JSON Schema of a kind of YAML file.

    site, topic, note and glossary are site.yaml, topic.yaml, note.yaml and glossary.yaml. Editors complete keys and
    underline mistakes with it; `paper-notes init` writes all of them for Visual Studio Code. In a collection, that of
    note.yaml has its kinds of notes.
    """
    print_json(**json.loads(json_schema(name, _kinds(root))))


def _kinds(root: Path) -> tuple[str, ...] | None:
    """The kinds that notes of the collection may have; None without a collection."""
    sources, _ = read_readmes(root, (SITE_FILE,))
    site = parse_yaml(SITE_FILE, sources[0].text) if sources else None
    return (*dict.fromkeys((*BUILT_IN_KINDS, *described(site))),) if isinstance(site, YamlDocument) else None
